//! The version of the API server whose answers are reproduced.

use crate::cel::Kube;
use crate::diag::{BadValue, Diag, Diags};
use crate::go;
use crate::value::Map;

/// An API server of Kubernetes 1.NN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Server {
    minor: u32,
}

impl Server {
    /// The newest server that is known.
    pub const NEWEST: Server = Server { minor: Kube::CURRENT.minor as u32 };

    /// The oldest server whose answers are reproduced exactly. For older ones formats and the libraries
    /// of CEL are right, but messages are those of this one.
    pub const OLDEST: Server = Server { minor: 33 };

    /// The server of Kubernetes 1.`minor`.
    pub const fn of(minor: u32) -> Server {
        Server { minor }
    }

    /// NN of 1.NN.
    pub const fn minor(self) -> u32 {
        self.minor
    }

    /// The minor version whose formats and CEL libraries new definitions can use: the version before
    /// the server's own, so that the server can be rolled back.
    pub const fn compatibility(self) -> u32 {
        self.minor.saturating_sub(1)
    }

    /// Whether this server is older than Kubernetes 1.`minor`.
    pub const fn is_before(self, minor: u32) -> bool {
        self.minor < minor
    }

    /// Gives an error its value as this server prints it.
    pub fn print(self, error: &mut Diag) {
        if self.is_before(34) {
            error.bad = error.bad.take().map(BadValue::before_34);
        }
    }

    /// The errors with their values as this server prints them.
    pub fn printed(self, mut errors: Diags) -> Diags {
        errors.iter_mut().for_each(|error| self.print(error));
        errors
    }

    /// The environment of expressions that are stored already. The newest server knows everything.
    pub fn stored(self) -> Kube {
        if self >= Server::NEWEST { Kube::STORED } else { kube(self.minor) }
    }

    /// The environment of new expressions.
    pub fn new_expressions(self) -> Kube {
        kube(self.compatibility())
    }
}

impl Default for Server {
    fn default() -> Server {
        Server::NEWEST
    }
}

fn kube(minor: u32) -> Kube {
    Kube { minor: u16::try_from(minor).unwrap_or(u16::MAX) }
}

/// The message of the status that a server answers with: each text once.
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
