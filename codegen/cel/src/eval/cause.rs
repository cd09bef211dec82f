//! Finds the part of an expression that causes an error. Programs do not contain places, because most runs do not need
//! them. So the parts are run again, one by one, to find the smallest part that fails in the same way.

use crate::ast::{Checked, Comprehension, Expr, ExprId};
use crate::stdlib::Kube;
use crate::value::{Error, ErrorKind, Outcome, Val};

use super::{Limits, Program, plan};

/// The maximum number of elements of a loop that are checked.
const ELEMENTS: usize = 10_000;

/// The maximum number of parts that are run.
const PARTS: usize = 10_000;

/// The maximum number of steps of all parts together.
const STEPS: u64 = 10_000_000;

/// Finds the smallest part of an expression that fails with this error if the variables have these values.
pub fn cause(
    checked: &Checked,
    kube: Kube,
    globals: &[(&str, Option<Outcome<'_>>)],
    error: &Error,
) -> ExprId {
    let root = checked.ast.root();
    if error.kind() == ErrorKind::TooMuch {
        return root;
    }
    let mut search = Search { checked, kube, error, left: PARTS, steps: STEPS };
    search.below(root, globals).unwrap_or(root)
}

struct Search<'c> {
    checked: &'c Checked,
    kube: Kube,
    error: &'c Error,
    left: usize,
    steps: u64,
}

impl Search<'_> {
    /// The part at or below a node that causes the error. None if it does not fail in this way.
    fn find(&mut self, id: ExprId, scope: &[(&str, Option<Outcome<'_>>)]) -> Option<ExprId> {
        let program = self.program(id, scope)?;
        match self.run(&program, scope) {
            Err(e) if e == *self.error => self.below(id, scope).or(Some(id)),
            Ok(_) | Err(_) => None,
        }
    }

    fn below(&mut self, id: ExprId, scope: &[(&str, Option<Outcome<'_>>)]) -> Option<ExprId> {
        if let Expr::Comprehension(c) = self.checked.ast.expr(id) {
            return self.find(c.range, scope).or_else(|| self.turns(c, scope));
        }
        let mut children = Vec::new();
        self.checked.ast.children(id, &mut |child| children.push(child));
        children.into_iter().find_map(|child| self.find(child, scope))
    }

    /// Searches the step of a loop, with each element.
    fn turns(&mut self, c: &Comprehension, scope: &[(&str, Option<Outcome<'_>>)]) -> Option<ExprId> {
        let (range, init) = (self.program(c.range, scope)?, self.program(c.init, scope)?);
        let init = self.run(&init, scope);
        let elements: Vec<(Outcome<'_>, Option<Outcome<'_>>)> = match self.run(&range, scope).ok()? {
            Val::List(list) => {
                let two = c.var2.is_some();
                let pair = |(i, item)| if two { (Ok(Val::Int(i as i64)), Some(item)) } else { (item, None) };
                list.iter().take(ELEMENTS).enumerate().map(pair).collect()
            }
            Val::Map(map) => map.entries().into_iter().map(|(k, v)| (Ok(k), Some(v))).collect(),
            _ => return None,
        };
        elements.into_iter().find_map(|(first, second)| {
            let mut inner: Vec<(&str, Option<Outcome<'_>>)> = scope.to_vec();
            inner.push((&c.accu, Some(init.clone())));
            inner.push((&c.var, Some(first)));
            inner.extend(c.var2.as_ref().map(|name| (name.as_ref(), second)));
            self.find(c.step, &inner)
        })
    }

    fn program(&mut self, id: ExprId, scope: &[(&str, Option<Outcome<'_>>)]) -> Option<Program> {
        self.left = self.left.checked_sub(1)?;
        let names: Vec<&str> = scope.iter().map(|(name, _)| *name).collect();
        plan::plan(self.checked, id, &names, self.kube).ok()
    }

    fn run<'p>(&mut self, program: &'p Program, scope: &[(&str, Option<Outcome<'p>>)]) -> Outcome<'p> {
        let values: Vec<Option<Outcome<'p>>> = scope.iter().map(|(_, value)| value.clone()).collect();
        let evaluation = program.eval(&values, Limits { steps: self.steps, ..Limits::CALL });
        self.steps -= evaluation.steps;
        evaluation.value
    }
}
