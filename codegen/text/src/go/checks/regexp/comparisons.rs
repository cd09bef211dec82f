//! Comparisons of many patterns: each pair of them is compared once, and all together take a bounded time.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use super::Regexp;
use super::within::{self, Within};

/// How many states all comparisons may visit together.
const MOST: usize = 200_000;

/// What is known about pairs of patterns.
#[derive(Debug)]
pub struct Comparisons {
    known: RefCell<HashMap<(String, String), Within>>,
    left: Cell<usize>,
}

impl Default for Comparisons {
    fn default() -> Comparisons {
        Comparisons { known: RefCell::default(), left: Cell::new(MOST) }
    }
}

impl Comparisons {
    /// Whether one pattern matches only texts that another one matches, too. `false` if this is not known.
    pub fn is_within(&self, narrow: &str, wide: &str) -> bool {
        narrow == wide || matches!(self.compare(narrow, wide), Within::Yes)
    }

    /// Returns a shortest text that only the first of two patterns matches. `None` if there is none, or if this is not known.
    pub fn only_in(&self, narrow: &str, wide: &str) -> Option<String> {
        match self.compare(narrow, wide) {
            Within::No(text) => Some(text),
            Within::Yes | Within::Unknown => None,
        }
    }

    fn compare(&self, narrow: &str, wide: &str) -> Within {
        let pair = (narrow.to_owned(), wide.to_owned());
        if let Some(known) = self.known.borrow().get(&pair) {
            return known.clone();
        }
        let mut left = self.left.get();
        let found = match (Regexp::parse(narrow), Regexp::parse(wide)) {
            (Ok(narrow), Ok(wide)) if left > 0 => within::compare_within(&narrow.hir, &wide.hir, &mut left),
            _ => Within::Unknown,
        };
        self.left.set(left);
        self.known.borrow_mut().insert(pair, found.clone());
        found
    }
}

#[cfg(test)]
mod tests {
    use super::Comparisons;

    #[test]
    fn many_large_patterns_are_not_compared_at_all() {
        let all = Comparisons::default();
        assert!(all.is_within("^a$", "^[ab]$"));
        assert_eq!(all.only_in("^[ab]$", "^a$").as_deref(), Some("b"));
        for count in 20..60 {
            let (narrow, wide) = (format!("^(a|b)*a(a|b){{{count}}}$"), format!("^(b|a)*a(b|a){{{count}}}$"));
            assert!(!all.is_within(&narrow, &wide));
        }
        // What was compared before is known.
        assert!(all.is_within("^a$", "^[ab]$"));
        assert!(!all.is_within("^a$", "^[abc]$"));
    }
}
