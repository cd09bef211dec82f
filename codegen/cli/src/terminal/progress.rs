//! Shows a line on the terminal during long work. Without a terminal it shows nothing.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Counts steps, and shows them once the work has taken long enough for a user to wonder.
pub(crate) struct Progress {
    what: &'static str,
    total: usize,
    done: AtomicUsize,
    start: Instant,
    terminal: bool,
}

const PATIENCE: Duration = Duration::from_millis(700);

impl Progress {
    pub(crate) fn new(what: &'static str, total: usize) -> Progress {
        let terminal = std::io::stderr().is_terminal();
        Progress { what, total, done: AtomicUsize::new(0), start: Instant::now(), terminal }
    }

    /// Marks one of the steps as done.
    pub(crate) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        // About a hundred updates in all: writing to a terminal is slow.
        if self.terminal && done.is_multiple_of(self.total / 100 + 1) && self.start.elapsed() > PATIENCE {
            let mut err = std::io::stderr().lock();
            let _ = write!(err, "\r{} {done}/{}", self.what, self.total);
            let _ = err.flush();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.terminal && self.start.elapsed() > PATIENCE {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
