//! Runs parts of an expression again, one by one. A program has no places and remembers no values of its parts, because most
//! runs do not need them. So whoever asks for the reason of a value runs the parts again, as programs of their own.

use crate::ast::{Checked, Comprehension, ExprId};
use crate::library::Libraries;
use crate::value::{ErrorKind, Outcome, Val};

use super::{Limits, Program, plan};

/// The maximum number of elements of a loop that are examined.
const ELEMENTS: usize = 10_000;

/// The maximum number of parts that are run.
const PARTS: usize = 10_000;

/// The maximum number of steps of all parts together.
const STEPS: u64 = 10_000_000;

/// The variables where a part is, with their values.
pub(super) type Scope<'s, 'v> = [(&'s str, Option<Outcome<'v>>)];

/// An element of a loop.
pub(super) struct Element<'v> {
    /// The index or the key.
    pub(super) key: Val<'v>,
    /// The value of the first variable.
    pub(super) first: Outcome<'v>,
    /// The value of the second variable, if there is one.
    pub(super) second: Option<Outcome<'v>>,
}

pub(super) struct Search<'c> {
    pub(super) checked: &'c Checked,
    libraries: Libraries<'c>,
    /// How many of the variables in a scope do not belong to loops.
    globals: usize,
    left: usize,
    steps: u64,
    /// Whether a limit was reached.
    pub(super) is_cut: bool,
}

impl<'c> Search<'c> {
    pub(super) fn new(checked: &'c Checked, libraries: Libraries<'c>, globals: usize) -> Search<'c> {
        Search { checked, libraries, globals, left: PARTS, steps: STEPS, is_cut: false }
    }

    /// The program of a part. `None` if it has none, or if the limit is reached.
    pub(super) fn program(&mut self, id: ExprId, scope: &Scope<'_, '_>) -> Option<Program> {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => {
                self.is_cut = true;
                return None;
            }
        }
        let names: Vec<&str> = scope.iter().map(|(name, _)| *name).collect();
        plan::plan_inside(self.checked, id, &names, self.globals, self.libraries).ok()
    }

    pub(super) fn run<'p>(&mut self, program: &'p Program, scope: &Scope<'_, 'p>) -> Outcome<'p> {
        let values: Vec<Option<Outcome<'p>>> = scope.iter().map(|(_, value)| value.clone()).collect();
        let evaluation = program.eval(&values, Limits { steps: self.steps, ..Limits::CALL });
        self.steps -= evaluation.steps;
        self.is_cut |= matches!(&evaluation.value, Err(e) if e.kind() == ErrorKind::TooMuch);
        evaluation.value
    }

    /// Whether nothing more can be run.
    pub(super) fn is_spent(&self) -> bool {
        self.left == 0 || self.steps == 0
    }

    /// The elements over which a loop runs, in its order. `None` if it cannot run over this value.
    pub(super) fn elements<'v>(
        &mut self,
        range: &Val<'v>,
        loops: &Comprehension,
    ) -> Option<Vec<Element<'v>>> {
        let two = loops.var2.is_some();
        match range {
            Val::List(list) => {
                self.is_cut |= list.len() > ELEMENTS;
                let element = |(i, item): (usize, Outcome<'v>)| {
                    let key = Val::Int(i64::try_from(i).unwrap_or(i64::MAX));
                    let (first, second) = if two { (Ok(key.clone()), Some(item)) } else { (item, None) };
                    Element { key, first, second }
                };
                Some(list.iter().take(ELEMENTS).enumerate().map(element).collect())
            }
            Val::Map(map) => {
                self.is_cut |= map.len() > ELEMENTS;
                let element = |(key, value): (Val<'v>, Outcome<'v>)| {
                    let second = two.then_some(value);
                    Element { first: Ok(key.clone()), key, second }
                };
                Some(map.entries().into_iter().take(ELEMENTS).map(element).collect())
            }
            _ => None,
        }
    }

    /// The scope of the body of a loop.
    pub(super) fn inside<'s, 'v>(
        scope: &Scope<'s, 'v>,
        loops: &'s Comprehension,
        accumulator: Outcome<'v>,
        element: &Element<'v>,
    ) -> Vec<(&'s str, Option<Outcome<'v>>)> {
        let mut inner = scope.to_vec();
        inner.push((&loops.accu, Some(accumulator)));
        inner.push((&loops.var, Some(element.first.clone())));
        inner.extend(loops.var2.as_deref().map(|name| (name, element.second.clone())));
        inner
    }
}
