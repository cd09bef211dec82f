//! Versions of a kind in which the same changes are searched: what is found in one of them is true of the others.

use std::sync::Arc;

use crdgen_core::compare::changes::{Change, Class, Part};
use crdgen_core::compare::proof::{Proof, Request};
use crdgen_core::ir::{Crd, Limits, Schema, Subresources};
use crdgen_core::path::Step;
use crdgen_core::walk::any_schema;

use crate::search::Proved;
use crate::side::in_version;

/// What a search depends on, without the name of the version.
pub(super) struct Question<'q> {
    changes: &'q [Change],
    /// The version in which objects are stored, that before the update if it is another one, and the one after it.
    versions: [Option<Body<'q>>; 3],
    is_of_stored: bool,
    /// Whether a schema asks for the name of the version.
    reads_version: bool,
}

/// What says how the server treats objects of a version.
type Body<'q> = (Option<&'q Schema>, Option<&'q Subresources>);

impl<'q> Question<'q> {
    /// The question about changes of one version. `old` and `new` are the CRDs.
    pub(super) fn new(changes: &'q [Change], old: &'q Crd, new: &'q Crd) -> Question<'q> {
        let (version, stored) =
            changes.first().map_or((None, None), |it| (it.version.as_deref(), it.stored.as_deref()));
        let body = |crd: &'q Crd, name: Option<&str>| {
            let at = crd.spec.versions.iter().position(|it| Some(&*it.name) == name)?;
            Some((crd.spec.schema_of(at), crd.spec.subresources_of(at)))
        };
        let was = stored.and_then(|_| body(old, version));
        let versions = [body(old, stored.or(version)), was, body(new, version)];
        let reads_version = versions.iter().flatten().filter_map(|(schema, _)| *schema).any(reads_version);
        Question { changes, versions, is_of_stored: stored.is_some(), reads_version }
    }

    /// Whether a search finds the same, with another name of the version.
    pub(super) fn is_like(&self, other: &Question<'_>) -> bool {
        let are_alike = || self.changes.iter().zip(other.changes).all(|(own, other)| are_alike(own, other));
        !self.reads_version
            && self.is_of_stored == other.is_of_stored
            && self.changes.len() == other.changes.len()
            && self.versions == other.versions
            && are_alike()
    }

    pub(super) fn is_of_stored(&self) -> bool {
        self.is_of_stored
    }
}

/// What was found out about the changes of a version.
#[derive(Clone)]
pub(super) struct Outcome {
    /// For each change, what it means, how this is known, and whether it is about values in objects.
    pub(super) proofs: Vec<(Class, Proof, bool)>,
    /// What several changes break together.
    pub(super) together: Option<Proved>,
}

impl Outcome {
    /// The same about another version that is alike.
    pub(super) fn in_version(&self, version: &str) -> Outcome {
        let mut out = self.clone();
        let of_proofs = out.proofs.iter_mut().filter_map(|(_, proof, _)| match proof {
            Proof::Witness(witness) => Some(&mut Arc::make_mut(witness).request),
            Proof::Document | Proof::Searched { .. } => None,
        });
        for request in of_proofs.chain(out.together.as_mut().map(|it| &mut it.witness.request)) {
            let objects = match request {
                Request::Create { object } => vec![object],
                Request::Update { stored, object }
                | Request::UpdateStatus { stored, object }
                | Request::Convert { stored, object } => vec![stored, object],
            };
            objects.into_iter().for_each(|object| *object = in_version(std::mem::take(object), version));
        }
        out
    }
}

/// Whether two changes of two versions mean the same.
fn are_alike(one: &Change, other: &Change) -> bool {
    let is_schema = |step: &Step| matches!(step, Step::Key(key) if key == "openAPIV3Schema");
    let in_schema =
        |change: &'_ Change| change.steps.iter().position(is_schema).unwrap_or(change.steps.len());
    let is_same_part = match (&one.part, &other.part) {
        (Part::Served(_), Part::Served(_)) | (Part::Deprecated(_), Part::Deprecated(_)) => true,
        (one, other) => one == other,
    };
    is_same_part
        && (one.class, &one.was, &one.now) == (other.class, &other.was, &other.now)
        && one.steps[in_schema(one)..] == other.steps[in_schema(other)..]
}

/// Whether a schema of whole objects asks for the name of the version.
fn reads_version(schema: &Schema) -> bool {
    const NAME: &str = "apiVersion";
    any_schema(schema, &mut |part| {
        part.properties.get(NAME).is_some_and(|it| it.limits != Limits::default() || !it.rules.is_empty())
            || part.rules.iter().any(|rule| rule.rule.contains(NAME))
    })
}
