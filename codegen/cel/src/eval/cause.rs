//! Finds the part of an expression that causes an error: the smallest part that fails in the same way.

use crate::ast::{Checked, Comprehension, Expr, ExprId};
use crate::library::Libraries;
use crate::value::{Error, ErrorKind, Outcome};

use super::search::{Scope, Search};

/// Finds the smallest part of an expression that fails with this error if the variables have these values.
pub fn cause<'c>(
    checked: &'c Checked,
    libraries: impl Into<Libraries<'c>>,
    globals: &[(&str, Option<Outcome<'_>>)],
    error: &Error,
) -> ExprId {
    let root = checked.ast.root();
    if error.kind() == ErrorKind::TooMuch {
        return root;
    }
    let mut cause = Cause { search: Search::new(checked, libraries.into(), globals.len()), error };
    cause.below(root, globals).unwrap_or(root)
}

struct Cause<'c> {
    search: Search<'c>,
    error: &'c Error,
}

impl Cause<'_> {
    /// The part at or below a node that causes the error. None if it does not fail in this way.
    fn find(&mut self, id: ExprId, scope: &Scope<'_, '_>) -> Option<ExprId> {
        let program = self.search.program(id, scope)?;
        match self.search.run(&program, scope) {
            Err(e) if e == *self.error => self.below(id, scope).or(Some(id)),
            Ok(_) | Err(_) => None,
        }
    }

    fn below(&mut self, id: ExprId, scope: &Scope<'_, '_>) -> Option<ExprId> {
        let checked = self.search.checked;
        if let Expr::Comprehension(c) = checked.ast.expr(id) {
            return self.find(c.range, scope).or_else(|| self.turns(c, scope));
        }
        let mut children = Vec::new();
        checked.ast.children(id, &mut |child| children.push(child));
        children.into_iter().find_map(|child| self.find(child, scope))
    }

    /// Searches the step of a loop, with each element.
    fn turns(&mut self, c: &Comprehension, scope: &Scope<'_, '_>) -> Option<ExprId> {
        let (range, init) = (self.search.program(c.range, scope)?, self.search.program(c.init, scope)?);
        let init = self.search.run(&init, scope);
        let range = self.search.run(&range, scope).ok()?;
        let elements = self.search.elements(&range, c)?;
        elements
            .into_iter()
            .find_map(|element| self.find(c.step, &Search::inside(scope, c, init.clone(), &element)))
    }
}
