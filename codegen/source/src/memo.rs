//! Answers that are computed once.

use crate::Kind;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

/// Answers by what was asked.
pub(crate) struct Memo<K, V>(RefCell<HashMap<K, V>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Memo(RefCell::default())
    }
}

impl<K: Eq + Hash, V: Clone> Memo<K, V> {
    /// Returns the known answer, or computes it, which may ask other questions.
    pub(crate) fn get(&self, asked: K, compute: impl FnOnce() -> V) -> V {
        if let Some(known) = self.known(&asked) {
            return known;
        }
        let answer = compute();
        self.0.borrow_mut().insert(asked, answer.clone());
        answer
    }

    /// The same for answers that may be for this time only.
    pub(crate) fn get_or(&self, asked: K, compute: impl FnOnce() -> (V, bool)) -> V {
        if let Some(known) = self.known(&asked) {
            return known;
        }
        let (answer, keep) = compute();
        if keep {
            self.0.borrow_mut().insert(asked, answer.clone());
        }
        answer
    }

    pub(crate) fn known(&self, asked: &K) -> Option<V> {
        self.0.borrow().get(asked).cloned()
    }

    /// Shows all questions that were answered, with their answers, in no order. `see` asks nothing.
    pub(crate) fn each(&self, mut see: impl FnMut(&K, &V)) {
        self.0.borrow().iter().for_each(|(asked, answer)| see(asked, answer));
    }
}

/// The roots of kinds, by number, each with its item. A kind that is the type of a field is a root too.
#[derive(Default)]
pub(crate) struct Roots(RefCell<Vec<(usize, Rc<Kind>)>>);

impl Roots {
    pub(crate) fn add(&self, item: usize, kind: Kind) -> usize {
        let mut all = self.0.borrow_mut();
        all.push((item, Rc::new(kind)));
        all.len() - 1
    }

    pub(crate) fn get(&self, number: usize) -> Option<(usize, Rc<Kind>)> {
        self.0.borrow().get(number).cloned()
    }

    /// All of them, each with its item.
    pub(crate) fn all(&self) -> Vec<(usize, Rc<Kind>)> {
        self.0.borrow().clone()
    }
}

/// Questions whose answers are being computed, the innermost last.
pub(crate) struct Open<K>(RefCell<Vec<K>>);

impl<K> Default for Open<K> {
    fn default() -> Self {
        Open(RefCell::default())
    }
}

impl<K: PartialEq> Open<K> {
    /// Computes an answer. `None` if the same is being computed: the question asks itself.
    pub(crate) fn enter<T>(&self, asked: K, compute: impl FnOnce() -> T) -> Option<T> {
        if self.0.borrow().contains(&asked) {
            return None;
        }
        self.0.borrow_mut().push(asked);
        let answer = compute();
        self.0.borrow_mut().pop();
        Some(answer)
    }
}
