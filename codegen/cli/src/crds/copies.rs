//! Finds CRDs with the same name: a repository may have copies, but a server has only one of them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crdgen_core::diag::{Diag, Level, codes};
use crdgen_core::inert::InertLine;
use crdgen_core::path::Path;

use crate::input::definitions::Named;
use crate::output::report::Finding;
use crdgen::__cli::error;

/// The names of the CRDs of a run, each with the place of the first CRD.
#[derive(Default)]
pub(crate) struct Copies(HashMap<String, String>);

impl Copies {
    /// Returns a note for each CRD of a file whose name has appeared before.
    pub(crate) fn notes(&mut self, file: &str, named: Vec<Named>) -> Vec<Finding> {
        named.into_iter().filter_map(|named| self.note(file, named)).collect()
    }

    fn note(&mut self, file: &str, named: Named) -> Option<Finding> {
        if named.name.is_empty() {
            return None;
        }
        let place = match self.0.entry(named.name.clone()) {
            Entry::Vacant(first) => {
                first.insert(match named.item() {
                    // Finding its line would take as long as reading the list.
                    Some(item) => format!("{}: items[{item}]", InertLine(file)),
                    None => format!("{}{}", InertLine(file), error::at(named.place())),
                });
                return None;
            }
            Entry::Occupied(first) => first.into_mut(),
        };
        // A fingerprint contains the text, and lines move.
        let text = format!("CustomResourceDefinition {} is defined twice", named.name);
        let diag = Diag::own(&codes::object::SAME_OBJECT, Level::Note, &Path::ROOT, text);
        let help = format!("the first is at {place}. Remove one of them, unless it is meant to be a copy");
        let diag = diag.help(help);
        Some(Finding::new(named.name.clone(), named.place(), diag))
    }
}
