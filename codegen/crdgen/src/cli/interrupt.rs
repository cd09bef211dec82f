//! What happens to half-written files when a signal ends the command.

/// From now on, SIGINT and SIGTERM remove unfinished files before they end the process. If a file grows beyond the
/// limit of the process, this is an error, as on a full disk.
#[cfg(unix)]
pub(super) fn watch() {
    use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::sync::{Arc, Once};

    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without handlers, the signals have their usual effect, and the next run removes the leftovers.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
        let _ = std::thread::Builder::new().spawn(move || {
            for signal in signals.forever() {
                crate::output::abandon();
                let _ = emulate_default_handler(signal);
            }
        });
    });
}

/// On other systems, the next run removes what an interrupted run leaves behind.
#[cfg(not(unix))]
pub(super) fn watch() {}
