//! The objects in a text, with their places.

use std::sync::Arc;

use super::{Finding, Group, Part, finding, is_definition};
use crate::diag::Diag;
use crate::path::Step;
use crate::span::{Locate, Place};
use crate::value::Value;
use crate::yaml::Document;

/// An object as its author wrote it.
pub struct Manifest {
    /// The object.
    pub value: Value,
    /// The errors about keys that occur twice.
    pub repeats: Vec<Diag>,
    document: Arc<Document>,
    steps: Vec<Step>,
}

/// Returns all objects of some documents, and why other documents cannot be read.
pub fn objects(group: Group) -> (Vec<Manifest>, Vec<Finding>) {
    let (mut found, mut findings) = (Vec::new(), Vec::new());
    for part in group.parts() {
        match part {
            Ok(part) => add(part, &mut found),
            Err(finding) => findings.push(*finding),
        }
    }
    (found, findings)
}

fn add(part: Part, found: &mut Vec<Manifest>) {
    let Part { document, objects, repeats } = part;
    let mut repeats: Vec<Diag> = repeats.into_iter().map(Diag::from).collect();
    let first = found.len();
    found.extend(objects.into_iter().map(|(steps, value)| {
        let mut own: Vec<Diag> = repeats.extract_if(.., |diag| diag.steps.starts_with(&steps)).collect();
        own.iter_mut().for_each(|diag| drop(diag.steps.drain(..steps.len())));
        Manifest { value, repeats: own, document: Arc::clone(&document), steps }
    }));
    // An error around the items of a list is reported once, at the list and not at its first item.
    if let Some(manifest) = found.get_mut(first) {
        manifest.repeats.append(&mut repeats);
    }
}

impl Manifest {
    /// The same place with another object, such as what policies make of it.
    #[must_use]
    pub fn with_value(&self, value: Value) -> Manifest {
        let (document, steps) = (Arc::clone(&self.document), self.steps.clone());
        Manifest { value, repeats: Vec::new(), document, steps }
    }

    /// Returns the text of a field of the object. Empty if the field is not a string.
    pub fn text(&self, name: &str) -> &str {
        self.value.text(name)
    }

    /// Returns the text of a field of the metadata. Empty if the field is not a string.
    pub fn metadata(&self, name: &str) -> &str {
        let metadata = self.value.get("metadata");
        metadata.and_then(|m| m.get(name)).and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the API group and the version.
    pub fn group_version(&self) -> (&str, &str) {
        let api_version = self.text("apiVersion");
        api_version.split_once('/').unwrap_or(("", api_version))
    }

    /// Returns the namespace and the name: `default/my-crontab`.
    pub fn name(&self) -> String {
        let name = match self.metadata("name") {
            "" => self.metadata("generateName"),
            name => name,
        };
        match self.metadata("namespace") {
            "" => name.to_owned(),
            namespace => format!("{namespace}/{name}"),
        }
    }

    /// Returns the place of the object in the text.
    pub fn place(&self) -> Option<Place> {
        self.document.locate(&self.steps)
    }

    /// Returns the finding for a diagnostic about the object.
    pub fn finding(&self, diag: Diag) -> Finding {
        finding(&self.document, &self.steps, self.name(), is_definition(&self.value), diag)
    }
}
