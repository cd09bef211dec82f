//! What happens to half-written files and temporary folders when a signal ends the command.

/// From now on, SIGINT, SIGTERM and SIGHUP remove unfinished files and temporary folders before they end the process. A signal that the process
/// ignores, as SIGHUP under `nohup`, stays ignored. If a file grows beyond the limit of the process, this is an error, as
/// on a full disk.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::sync::{Arc, Once};

    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without handlers, the signals have their usual effect, and the next run removes the leftovers.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
        let ignored = ignored();
        let ends = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let Ok(mut signals) = Signals::new(ends) else { return };
        let _ = std::thread::Builder::new().spawn(move || {
            for signal in signals.forever() {
                crdgen_files::output::abandon();
                crdgen_tasks::inputs::abandon();
                let _ = emulate_default_handler(signal);
            }
        });
    });
}

/// Returns the signals that the process ignores, as the bits of a number. The standard library cannot ask for them, but
/// Linux has them in a file.
#[cfg(target_os = "linux")]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// Other systems have no such file. There, a process without a terminal counts as one that `nohup` has started.
#[cfg(all(unix, not(target_os = "linux")))]
fn ignored() -> u64 {
    use std::io::{IsTerminal, stderr, stdin, stdout};
    let has_terminal = stdin().is_terminal() || stdout().is_terminal() || stderr().is_terminal();
    if has_terminal { 0 } else { 1 << (signal_hook::consts::SIGHUP - 1) }
}

/// On other systems, the next run removes what an interrupted run leaves behind.
#[cfg(not(unix))]
pub(crate) fn watch() {}
