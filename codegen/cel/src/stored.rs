//! Rules of stored CRDs, as lints and comparisons read them.

use crate::{Ast, Kube, parse};

/// Parses an expression of a stored CRD. Returns `None` if it has syntax errors.
pub fn parse_stored(text: &str) -> Option<Ast> {
    parse(text, Kube::STORED).ok()
}
