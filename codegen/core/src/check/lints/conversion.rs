//! Lints for versions between which the server changes only `apiVersion`.

use super::Lints;
use crate::diag::codes::lint::CONVERSION;
use crate::diag::{Diag, Diags, Level};
use crate::ir::{Crd, Schema};
use crate::listed;
use crate::path::Path;

/// If there are more fields than this, the message only counts them.
const NAMED: usize = 3;

pub(super) fn check(crd: &Crd, lints: &Lints, out: &mut Diags) {
    let spec = &crd.spec;
    let converts = spec.conversion.as_ref().is_some_and(|conversion| conversion.strategy == "Webhook");
    if !lints.is_on(&CONVERSION) || converts {
        return;
    }
    let Some(stored) = spec.versions.iter().position(|version| version.storage) else { return };
    let Some(of_stored) = spec.schema_of(stored) else { return };
    let versions = Path::ROOT.child("spec");
    let versions = versions.child("versions");
    for (i, version) in spec.versions.iter().enumerate().filter(|(i, version)| version.served && *i != stored)
    {
        let Some(schema) = spec.schema_of(i) else { continue };
        let mut found = Unlike::default();
        found.compare(schema, of_stored, "");
        let stored = &spec.versions[stored].name;
        let parts: Vec<String> = [
            (found.here, format!("only in {}", version.name)),
            (found.there, format!("only in {stored}, the storage version")),
            (found.differ, "of another type".to_owned()),
        ]
        .into_iter()
        .filter(|(fields, _)| !fields.is_empty())
        .map(|(fields, what)| {
            let verb = if fields.len() == 1 { "is" } else { "are" };
            format!("{} {verb} {what}", listed::first(fields.iter(), NAMED))
        })
        .collect();
        if parts.is_empty() {
            continue;
        }
        let detail =
            format!("{} does not keep all data without a webhook: {}", version.name, parts.join("; "));
        out.push(Diag::own(&CONVERSION, Level::Warning, &versions.index(i), detail).help(
            "the server drops fields that a version does not know when an object is updated in it: convert the objects \
             with a webhook, give both versions the same fields, or stop serving the version",
        ));
    }
}

/// The fields that only one of two schemas has, and those that both have with different types.
#[derive(Default)]
struct Unlike {
    here: Vec<String>,
    there: Vec<String>,
    differ: Vec<String>,
}

impl Unlike {
    /// Compares two schemas. Fields below `x-kubernetes-preserve-unknown-fields` are not lost.
    fn compare(&mut self, a: &Schema, b: &Schema, at: &str) {
        let int_or_string = a.ext.int_or_string || b.ext.int_or_string;
        if a.ty.is_some() && b.ty.is_some() && a.ty != b.ty && !int_or_string {
            self.differ.push(at.to_owned());
            return;
        }
        if let (Some(a), Some(b)) = (a.item(), b.item()) {
            self.compare(a, b, &format!("{at}[]"));
        }
        if let (Some(a), Some(b)) = (a.value(), b.value()) {
            self.compare(a, b, &format!("{at}[]"));
        }
        let keeps = |schema: &Schema| {
            schema.ext.preserve_unknown_fields == Some(true) || schema.additional_properties.is_some()
        };
        let below = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
        for (name, property) in a.properties.iter() {
            match b.properties.get(name) {
                Some(other) => self.compare(property, other, &below(name)),
                // The server knows these even if the schema does not list them.
                None if at.is_empty() && matches!(name, "apiVersion" | "kind" | "metadata") => {}
                None if !keeps(b) => self.here.push(below(name)),
                None => {}
            }
        }
        for (name, _) in b.properties.iter().filter(|(name, _)| !a.properties.contains_key(name)) {
            let known = at.is_empty() && matches!(name, "apiVersion" | "kind" | "metadata");
            if !known && !keeps(a) {
                self.there.push(below(name));
            }
        }
    }
}
