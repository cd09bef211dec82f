//! The diagnostics so far.

use crate::diag::{Code, Level};
use crate::{At, Found};
use std::cell::RefCell;
use std::collections::HashMap;

/// A diagnostic with its item. The place alone is not enough, because a macro may declare several items there.
#[derive(Clone)]
pub(crate) struct Reported {
    pub(crate) found: Found,
    /// None if only the place is known.
    pub(crate) item: Option<usize>,
}

/// All diagnostics, in the order in which they were found.
#[derive(Default)]
pub(crate) struct Findings {
    all: RefCell<Vec<Reported>>,
    /// The warnings that attributes of items hid.
    hidden: RefCell<Vec<(usize, &'static Code)>>,
}

impl Findings {
    pub(crate) fn add(&self, found: Found, item: Option<usize>) {
        self.all.borrow_mut().push(Reported { found, item });
    }

    pub(crate) fn extend(&self, more: impl IntoIterator<Item = Reported>) {
        self.all.borrow_mut().extend(more);
    }

    /// Adds what is wrong in files of which only the places are known.
    pub(crate) fn in_files(&self, found: Vec<Found>) {
        self.extend(found.into_iter().map(|found| Reported { found, item: None }));
    }

    /// Returns what the work returns, and the diagnostics that it found, which are not added.
    pub(crate) fn apart<T>(&self, work: impl FnOnce() -> T) -> (T, Vec<Reported>) {
        let before = self.len();
        let out = work();
        let new = self.all.borrow_mut().split_off(before);
        (out, new)
    }

    pub(crate) fn len(&self) -> usize {
        self.all.borrow().len()
    }

    /// Whether one of them is so.
    pub(crate) fn any(&self, is: impl FnMut(&Reported) -> bool) -> bool {
        self.all.borrow().iter().any(is)
    }

    /// The errors.
    pub(crate) fn errors(&self) -> Vec<Reported> {
        let is_error = |it: &&Reported| it.found.diag.level == Level::Error;
        self.all.borrow().iter().filter(is_error).cloned().collect()
    }

    /// All without duplicates.
    pub(crate) fn unique(&self) -> Vec<Found> {
        let all = self.all.borrow();
        let mut out: Vec<Found> = Vec::new();
        // A file that is included many times repeats its errors many times, so only those that look alike are compared.
        let mut alike: HashMap<_, Vec<&Found>> = HashMap::new();
        for Reported { found, .. } in all.iter() {
            let start = found.at.as_ref().map(|at: &At| (at.file.as_str(), at.start.line, at.start.column));
            let others = alike.entry((start, found.diag.code.id, &found.diag.detail)).or_default();
            if !others.iter().any(|f| f.at == found.at && f.diag == found.diag) {
                others.push(found);
                out.push(found.clone());
            }
        }
        out
    }

    /// Remembers that attributes of an item hid warnings.
    pub(crate) fn hide(&self, item: usize, codes: &[&'static Code]) {
        self.hidden.borrow_mut().extend(codes.iter().map(|code| (item, *code)));
    }

    /// Whether an attribute of one of the items hid a warning with this code.
    pub(crate) fn is_hidden(&self, items: &[usize], code: &str) -> bool {
        self.hidden.borrow().iter().any(|(item, hidden)| hidden.id == code && items.contains(item))
    }
}
