//! The objects for which an expression is evaluated.

use crdgen_core::documents::{Finding, Manifest, objects as manifests};
use crdgen_core::ir::Crd;
use crdgen_core::listed;
use crdgen_core::object::Seen;
use crdgen_core::value::Value;

use crate::inputs::{self, Options, stream};
use crdgen_files::Error;

/// An object, and its file.
pub struct ExpressionObject {
    /// The file.
    pub file: String,
    /// The object.
    pub manifest: Manifest,
}

impl ExpressionObject {
    pub(super) fn is_of(&self, crd: &Crd) -> bool {
        self.manifest.group_version().0 == crd.spec.group && self.manifest.text("kind") == crd.spec.names.kind
    }

    /// Returns the object as rules see it. Without a schema, this is the object itself.
    pub(super) fn seen(&self, seen: Option<&Seen<'_>>) -> Value {
        let value = self.manifest.value.clone();
        match seen {
            Some(seen) => seen.object(value),
            None => value,
        }
    }

    /// Returns how messages name the object: `CronTab default/a (example.com/v1)`.
    pub fn name(&self) -> String {
        let ExpressionObject { manifest, .. } = self;
        let kind = match manifest.text("kind") {
            "" => "an object without `kind`",
            kind => kind,
        };
        let name = manifest.name();
        let name = if name.is_empty() { name } else { format!(" {name}") };
        let version = match manifest.text("apiVersion") {
            "" => String::new(),
            version => format!(" ({version})"),
        };
        format!("{kind}{name}{version}")
    }
}

/// Returns the objects of files, folders and standard input, including the items of lists.
pub(super) fn of(places: &[String], options: &Options) -> Result<Vec<ExpressionObject>, Error> {
    let mut out = Vec::new();
    let inputs = inputs::find(places, options)?;
    for input in inputs.iter() {
        let Some(source) = inputs.read(input)? else { continue };
        let read = |group| {
            let (manifests, findings) = manifests(group);
            match findings.into_iter().next() {
                Some(Finding { place, diag, .. }) => Err(Error::document(&source.name, place, diag)),
                None => Ok(manifests),
            }
        };
        stream::groups(&source, read, |manifests| {
            out.extend(
                manifests
                    .into_iter()
                    .map(|manifest| ExpressionObject { file: source.name.clone(), manifest }),
            );
            Ok(())
        })?;
    }
    Ok(out)
}

/// Keeps the objects of a CRD. There must be at least one.
pub(super) fn own(
    all: Vec<ExpressionObject>,
    places: &[String],
    crd: Option<&Crd>,
) -> Result<Vec<ExpressionObject>, Error> {
    let is_own = |object: &mut ExpressionObject| crd.is_none_or(|crd| object.is_of(crd));
    let mut all = all;
    let own: Vec<ExpressionObject> = all.extract_if(.., is_own).collect();
    if !own.is_empty() {
        return Ok(own);
    }
    let names = inputs::names(places);
    Err(Error::Nothing(match crd {
        Some(crd) if !all.is_empty() => {
            let (kind, group) = (&crd.spec.names.kind, &crd.spec.group);
            let others: Vec<String> = all.iter().map(ExpressionObject::name).collect();
            let there = listed::first(others.iter(), NAMED);
            format!("{names}: no {kind} of the group {group}; there are: {there}")
        }
        Some(_) | None => format!("{names}: no object to evaluate the expression for"),
    }))
}

/// How many other objects a message names.
const NAMED: usize = 10;

/// Returns the old object that belongs to an object: the one with its namespace and name, or the only one.
pub(super) fn old_of<'o>(all: &'o [ExpressionObject], of: &ExpressionObject) -> Option<&'o ExpressionObject> {
    let is_same = |old: &&ExpressionObject| {
        old.manifest.name() == of.manifest.name() && old.manifest.text("kind") == of.manifest.text("kind")
    };
    match all {
        [only] => Some(only),
        all => all.iter().find(is_same),
    }
}
