//! The examples that a project has itself.

use std::collections::HashMap;

use crdgen_core::ir::Crd;
use crdgen_publish::docs::Example;

/// The project's own examples, by kind.
#[derive(Default)]
pub struct Given {
    /// The version and the example, by the group and name of the kind.
    by_kind: HashMap<(String, String), Vec<(String, Example)>>,
}

impl Given {
    /// Adds an example of a version of a kind. The server must accept it.
    pub fn add(&mut self, crd: &Crd, version: &str, example: Example) {
        self.by_kind.entry(key(crd)).or_default().push((version.to_owned(), example));
    }

    /// The examples of a version.
    pub(super) fn of<'g>(&'g self, crd: &Crd, version: &'g str) -> impl Iterator<Item = Example> + 'g {
        let all = self.by_kind.get(&key(crd)).into_iter().flatten();
        all.filter(move |(of, _)| of == version).map(|(_, example)| example.clone())
    }
}

fn key(crd: &Crd) -> (String, String) {
    (crd.spec.group.clone(), crd.spec.names.kind.clone())
}
