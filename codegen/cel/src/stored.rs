//! Rules that are parsed once, although many checks look at them.

use crate::{Ast, Kube, parse};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// How many bytes of expressions a thread remembers. If there are more, all are forgotten.
const REMEMBERED: usize = 1 << 20;

#[derive(Default)]
struct Known {
    asts: HashMap<Box<str>, Option<Arc<Ast>>>,
    bytes: usize,
}

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::default();
}

/// Parses an expression of a stored CRD. Returns `None` if it has syntax errors. The thread remembers the result for other checks.
pub fn parse_stored(text: &str) -> Option<Arc<Ast>> {
    KNOWN.with_borrow_mut(|known| {
        if let Some(ast) = known.asts.get(text) {
            return ast.clone();
        }
        let ast = parse(text, Kube::STORED).ok().map(Arc::new);
        if known.bytes + text.len() > REMEMBERED {
            *known = Known::default();
        }
        known.bytes += text.len();
        known.asts.insert(text.into(), ast.clone());
        ast
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_a_bounded_number_of_expressions() {
        let first = parse_stored("self.a > 1").unwrap();
        assert!(Arc::ptr_eq(&first, &parse_stored("self.a > 1").unwrap()));
        assert!(parse_stored("self.a >").is_none() && parse_stored("self.a >").is_none());
        let long = format!("'{}'", "a".repeat(90_000));
        for i in 0..20 {
            parse_stored(&format!("{long} + '{i}'"));
        }
        KNOWN.with_borrow(|known| assert!(known.bytes <= REMEMBERED && known.asts.len() < 20));
        assert!(!Arc::ptr_eq(&first, &parse_stored("self.a > 1").unwrap()));
    }
}
