//! Measures what a command costs. Comparisons use processor time, which hardly depends on other processes. The shell
//! measures it, including all child processes.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// The cost of a command.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// The processor time, both user and system time, in seconds.
    pub cpu: f64,
    /// The elapsed time, in seconds.
    pub wall: f64,
    /// The output.
    pub output: String,
}

/// Runs a command line in a folder, with these variables.
pub fn run(folder: &Path, line: &str, vars: &[(&str, &str)]) -> io::Result<Cost> {
    let script = format!("TIMEFORMAT='%3R %3U %3S'; time {{ {line} ; }} 2>&1");
    let mut command = Command::new("bash");
    command.arg("-c").arg(&script).current_dir(folder).stdin(Stdio::null());
    command.envs(vars.iter().copied());
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        return Err(io::Error::other(format!("{line}: {}\n{text}", output.status)));
    }
    let times = String::from_utf8_lossy(&output.stderr).into_owned();
    let numbers: Vec<f64> = times.split_whitespace().filter_map(|n| n.parse().ok()).collect();
    match numbers.as_slice() {
        [wall, user, system] => Ok(Cost { cpu: user + system, wall: *wall, output: text }),
        _ => Err(io::Error::other(format!("no times in {times:?}"))),
    }
}

/// Returns the median of some numbers.
pub fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or_default()
}

/// Returns the smallest of some numbers, which is the time without interference from other processes.
pub fn least(all: &[f64]) -> f64 {
    all.iter().copied().fold(f64::INFINITY, f64::min)
}
