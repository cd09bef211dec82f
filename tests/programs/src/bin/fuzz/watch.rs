//! Limits the time and memory of an input.

use super::targets::Target;
use std::fs;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

const MOST_MEMORY: u64 = 1 << 30;

/// Returns the processor time of this process, or its age if the system does not report that. On a busy machine, a
/// process may wait for reasons that have nothing to do with the input.
fn computed() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let alive = START.get_or_init(Instant::now).elapsed();
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name in parentheses: user and system time, in hundredths of seconds.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    let times: Vec<u64> = fields.filter_map(|f| f.parse().ok()).collect();
    if times.len() == 2 { Duration::from_millis(10 * (times[0] + times[1])) } else { alive }
}

/// Ends the process if an input takes too long or too much memory. `at_work` is the number of the input, or 0.
/// `current` is the target that reads it.
pub(super) fn watch(targets: Vec<&'static Target>, at_work: Arc<AtomicU64>, current: Arc<AtomicUsize>) {
    thread::spawn(move || {
        let (mut input, mut since) = (0, computed());
        loop {
            thread::sleep(Duration::from_millis(100));
            let now = at_work.load(Ordering::Relaxed);
            let Target { name, longest, .. } = targets[current.load(Ordering::Relaxed)];
            if now != input || now == 0 {
                (input, since) = (now, computed());
            } else if computed().saturating_sub(since) > *longest {
                println!("an input of {name} took longer than {longest:?}");
                std::process::exit(3);
            }
            if memory("VmRSS:") > MOST_MEMORY {
                println!("an input of {name} took more than {} MiB", MOST_MEMORY >> 20);
                std::process::exit(4);
            }
        }
    });
}

/// Returns the value of a line in the process's status, in bytes. 0 if the system has no such status.
pub(super) fn memory(line: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let found = status.lines().find_map(|l| l.strip_prefix(line));
    found.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) << 10
}
