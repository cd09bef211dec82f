//! The lines of watches. Those that get the same line share it, so that a thousand watches write an object once.

use bytes::Bytes;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// What a line shows: an object at a revision, as a kind shows it in a version.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LineKey {
    pub(crate) kind: u64,
    pub(crate) version: String,
    pub(crate) revision: u64,
    pub(crate) ty: &'static str,
}

/// The text of a line. What only knows of it keeps none of its memory, as it would with `Arc<str>`.
#[derive(Debug)]
pub(crate) struct Line(Box<str>);

impl Line {
    pub(crate) fn new(text: String) -> Arc<Line> {
        Arc::new(Line(text.into()))
    }
}

/// The lines that some watch still has.
#[derive(Debug, Default)]
pub(crate) struct Lines(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    lines: HashMap<LineKey, Weak<Line>>,
    /// With so many lines, those that no watch has are forgotten.
    most: usize,
}

/// The fewest lines among which it looks for those that no watch has.
const FEWEST: usize = 1024;

/// A line as the bytes of an answer.
struct Sent(Arc<Line>);

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        self.0.0.as_bytes()
    }
}

pub(crate) fn bytes(line: Arc<Line>) -> Bytes {
    Bytes::from_owner(Sent(line))
}

impl Lines {
    /// A line that some watch has.
    pub(crate) fn get(&self, key: &LineKey) -> Option<Arc<Line>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.lines.get(key)?.upgrade()
    }

    pub(crate) fn add(&self, key: LineKey, line: &Arc<Line>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.lines.insert(key, Arc::downgrade(line));
        if known.lines.len() > known.most.max(FEWEST) {
            known.lines.retain(|_, line| line.strong_count() > 0);
            known.most = known.lines.len() * 2;
        }
    }

    /// Forgets all lines, such as those of objects that are gone.
    pub(crate) fn clear(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Known::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_somebody_has_are_kept() {
        let lines = Lines::default();
        let key = |revision| LineKey { kind: 1, version: "v1".to_owned(), revision, ty: "ADDED" };
        let first = Line::new("first".to_owned());
        lines.add(key(0), &first);
        for revision in 1..10_000 {
            lines.add(key(revision), &Line::new("gone".to_owned()));
        }
        assert_eq!(lines.get(&key(0)).map(|line| line.0.to_string()).as_deref(), Some("first"));
        assert!(lines.get(&key(1)).is_none());
        let known = lines.0.lock().expect("no panic").lines.len();
        assert!(known <= FEWEST + 1, "{known}");
        lines.clear();
        assert!(lines.get(&key(0)).is_none());
    }
}
