//! The version of the API server whose answers are reproduced, and those of its rules that derives check too.

mod approval;
mod deprecation;
mod formats;
mod kinds;
mod version;

pub use approval::{APPROVAL_ANNOTATION, APPROVAL_HELP, Approval, approval, is_protected};
pub use deprecation::bad_warning;
pub use formats::{FORMAT_HELP, is_supported};
pub use kinds::kind_in_lower_case;
pub use version::BadVersion;

use crate::cel::Kube;
use crate::diag::{BadValue, Diag, Diags};
use crate::go;
use crate::value::Map;
use std::fmt;

/// The API server of a Kubernetes version 1.NN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Server {
    minor: u32,
}

impl Server {
    /// The newest server.
    pub const NEWEST: Server = Server { minor: Kube::CURRENT.minor as u32 };

    /// The last server that crdgen knows: the newest one, or the one after it while there is only a beta of it.
    pub const LAST: Server = Server { minor: Kube::LAST.minor as u32 };

    /// The oldest server whose answers are reproduced exactly. For older servers, the formats and CEL libraries are
    /// right, but the messages are those of this one.
    pub const OLDEST: Server = Server { minor: 33 };

    /// Returns the server of Kubernetes 1.`minor`.
    pub const fn of(minor: u32) -> Server {
        Server { minor }
    }

    /// Returns the minor version: NN of 1.NN.
    pub const fn minor(self) -> u32 {
        self.minor
    }

    /// Returns the minor version whose formats and CEL libraries new CRDs can use: the version before the server's
    /// own, so that the server can be rolled back.
    pub const fn compatibility(self) -> u32 {
        self.minor.saturating_sub(1)
    }

    /// Whether there is only a beta of this server.
    pub fn is_beta(self) -> bool {
        self > Server::NEWEST
    }

    /// Whether this server is older than Kubernetes 1.`minor`.
    pub const fn is_before(self, minor: u32) -> bool {
        self.minor < minor
    }

    /// Changes the value in an error to the form in which this server prints it.
    pub fn print(self, error: &mut Diag) {
        if self.is_before(34) {
            error.bad = error.bad.take().map(BadValue::before_34);
        }
    }

    /// Returns the errors with their values in the form in which this server prints them.
    pub fn printed(self, mut errors: Diags) -> Diags {
        errors.iter_mut().for_each(|error| self.print(error));
        errors
    }

    /// Returns the environment of expressions that are already stored.
    pub fn stored(self) -> Kube {
        kube(self.minor)
    }

    /// Returns the environment of new expressions.
    pub fn new_expressions(self) -> Kube {
        kube(self.minor).for_new()
    }
}

/// The version: `1.37`.
impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "1.{}", self.minor)
    }
}

impl Default for Server {
    fn default() -> Server {
        Server::NEWEST
    }
}

fn kube(minor: u32) -> Kube {
    Kube::of(u16::try_from(minor).unwrap_or(u16::MAX))
}

/// The maximum number of selectable fields in a version.
pub const MAX_SELECTABLE_FIELDS: usize = 8;

/// Returns the message of the status with which the server rejects an object. Equal texts occur once.
pub fn invalid<'d>(kind: &str, name: &str, errors: impl Iterator<Item = &'d Diag>) -> String {
    let mut all: Vec<String> = Vec::new();
    let mut seen: Map<()> = Map::new();
    for text in errors.map(Diag::text) {
        if seen.insert(text.clone(), ()).is_none() {
            all.push(text);
        }
    }
    let all = if let [one] = &all[..] { one.clone() } else { format!("[{}]", all.join(", ")) };
    format!("{kind} {} is invalid: {all}", go::quote(name))
}
