//! What commands skip among CRDs: other documents.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crdgen_core::listed::NAMED;

/// What was skipped, by file and kind, with its count. What is not a Kubernetes object has no kind.
#[derive(Default)]
pub struct Skipped(Mutex<BTreeMap<(String, Option<String>), usize>>);

impl Skipped {
    /// Adds the documents of a file that are not CRDs. Files may come in any order.
    pub fn add(&self, file: &str, kinds: Vec<Option<String>>) {
        if kinds.is_empty() {
            return;
        }
        let mut all = self.all();
        for kind in kinds {
            *all.entry((file.to_owned(), kind)).or_default() += 1;
        }
    }

    /// Whether nothing was skipped.
    pub fn is_empty(&self) -> bool {
        self.all().is_empty()
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<(String, Option<String>), usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `CronTab in a.yaml, 3 × ConfigMap in b.yaml and 7 more`
impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.all();
        for (i, ((file, kind), count)) in all.iter().take(NAMED).enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            let times = if *count == 1 { String::new() } else { format!("{count} × ") };
            let kind = kind.as_deref().unwrap_or("a document without `kind`");
            write!(f, "{comma}{times}{kind} in {file}")?;
        }
        match all.values().skip(NAMED).sum() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}
