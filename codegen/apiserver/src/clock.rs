//! The time of the server. A test can stop it and move it.

use crdgen_core::go::time::Time;
use std::time::{Duration, SystemTime};

/// The time of a server.
#[derive(Clone, Debug)]
pub(crate) enum Clock {
    /// The time of the machine.
    Machine,
    /// A time that only the test moves, since 1970.
    Stopped(Duration),
}

impl Clock {
    fn since_1970(&self) -> Duration {
        match self {
            Clock::Machine => SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default(),
            Clock::Stopped(time) => *time,
        }
    }

    /// The seconds since 1970.
    pub(crate) fn seconds(&self) -> i64 {
        self.since_1970().as_secs().try_into().unwrap_or(i64::MAX)
    }

    /// The time in RFC 3339, with whole seconds.
    pub(crate) fn now(&self) -> String {
        Time { seconds: self.seconds(), nanos: 0, offset: 0 }.rfc3339_nano()
    }

    /// The time now, which stays as it is.
    pub(crate) fn stopped(&self) -> Clock {
        Clock::Stopped(self.since_1970())
    }

    /// Moves the time, and stops it.
    pub(crate) fn advance(&mut self, by: Duration) {
        *self = Clock::Stopped(self.since_1970().saturating_add(by));
    }
}
