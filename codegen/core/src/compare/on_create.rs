//! The rules of a schema that the server checks for each object. Those that read the old value say nothing about new objects.

use crate::cel::{self, Ast};
use crate::ir::Rule;
use std::cell::OnceCell;

/// How many rules of a schema are read.
const MOST: usize = 100;

/// The rules, which are parsed when they are needed.
pub(super) struct OnCreate<'s> {
    rules: &'s [Rule],
    all: OnceCell<Vec<Ast>>,
}

impl<'s> OnCreate<'s> {
    pub(super) fn new(rules: &'s [Rule]) -> OnCreate<'s> {
        OnCreate { rules, all: OnceCell::new() }
    }

    pub(super) fn all(&self) -> &[Ast] {
        self.all.get_or_init(|| {
            let parsed = self.rules.iter().take(MOST).filter_map(|rule| cel::parse_stored(&rule.rule));
            parsed.filter(|ast| !ast.has_name("oldSelf")).collect()
        })
    }
}
