//! Files that are skipped because they are not YAML.

use crdgen_core::documents::{Finding, Group};
use crdgen_core::listed::{self, NAMED};

use super::{Notes, Source};
use crdgen_files::error;

/// Files that are skipped because they are not YAML and have no CRD in their text.
#[derive(Default)]
pub struct NotYaml(Vec<(String, Finding)>);

impl NotYaml {
    /// Adds a file if it is not YAML.
    pub fn add(&mut self, source: &Source) {
        let finding = Group::of(&source.bytes).parts().into_iter().find_map(Result::err);
        self.0.extend(finding.map(|finding| (source.name.clone(), *finding)));
    }

    /// Prints which files were skipped.
    pub fn say(&self, notes: Notes) {
        if !self.0.is_empty() {
            let places = self.0.iter().map(|(file, finding)| format!("{file}{}", error::at(finding.place)));
            notes.say(format_args!("skipped (invalid YAML): {}", listed::first(places, NAMED)));
        }
    }

    /// Prints what is wrong with each skipped file.
    pub fn say_reasons(&self, notes: Notes) {
        for (file, Finding { place, diag, .. }) in &self.0 {
            notes.say(format_args!("skipped {file}{}: {}", error::at(*place), diag.shown()));
        }
    }
}
