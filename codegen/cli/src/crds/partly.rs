//! CRDs with values that another program replaces before they are applied. The server would only see what it puts there.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crdgen_core::listed;

use crate::terminal;

/// The CRDs whose errors about such values are left out.
#[derive(Default)]
pub(crate) struct PartlyChecked(Mutex<BTreeSet<String>>);

impl PartlyChecked {
    pub(crate) fn add(&self, crd: &str, file: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(format!("{crd} in {file}"));
    }

    /// Prints which CRDs these are.
    pub(crate) fn say(self) {
        let all = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !all.is_empty() {
            let named = listed::first(all.iter(), listed::NAMED);
            terminal::say(format_args!(
                "only partly checked (variables or templates outside of the schemas): {named}"
            ));
        }
    }
}
