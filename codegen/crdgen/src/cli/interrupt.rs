//! What happens to half-written files when a signal ends the command.

/// From now on SIGINT and SIGTERM remove what is half written before they end the process, and a file that grows beyond
/// the limit of the process is an error as on a full disk.
#[cfg(unix)]
pub(super) fn watch() {
    use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::sync::{Arc, Once};

    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without handlers the signals do what they always do, and the next run removes what they leave behind.
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

/// Elsewhere the next run removes what an interrupted one leaves behind.
#[cfg(not(unix))]
pub(super) fn watch() {}
