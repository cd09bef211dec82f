//! What all comparisons of an update share.

use std::cell::Cell;
use std::rc::Rc;

use crate::go::regexp;
use crate::ir::Schema;
use crate::server::Server;

/// How many schemas in junctors are compared with each other, with those inside of them. Without this, each level of junctors in
/// junctors would double the time.
const MOST: usize = 400_000;

/// What is known about patterns, and how many schemas in junctors may still be compared.
#[derive(Debug)]
pub struct Comparisons {
    /// The server that checks the values.
    pub(super) server: Server,
    pub(super) patterns: Rc<regexp::Comparisons>,
    left: Cell<usize>,
}

impl Default for Comparisons {
    fn default() -> Comparisons {
        Comparisons::new(Rc::default(), Server::NEWEST)
    }
}

impl Comparisons {
    /// Keeps what it finds out about patterns.
    pub fn new(patterns: Rc<regexp::Comparisons>, server: Server) -> Comparisons {
        Comparisons { server, patterns, left: Cell::new(MOST) }
    }

    /// Whether two schemas may still be compared. Otherwise it is not known whether one allows what the other one does.
    pub(super) fn may_compare(&self, one: &Schema, other: &Schema) -> bool {
        let rest = self.left.get().checked_sub(one.nodes() + other.nodes());
        self.left.set(rest.unwrap_or(0));
        rest.is_some()
    }
}
