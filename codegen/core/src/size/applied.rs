//! The size of the copy that `kubectl apply` stores in an annotation, and how to make a CRD small enough for it.

use super::each_of;
use crate::ir::{Crd, Version};
use crate::metadata::MAX_ANNOTATIONS;
use crate::value::Value;
use crate::{encode, json};

/// The annotation in which `kubectl apply` stores its copy.
const ANNOTATION: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The size of the copy of a CRD that `kubectl apply` stores in an annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The size in bytes.
    pub bytes: usize,
    /// The maximum size in bytes.
    pub room: usize,
}

impl Applied {
    /// Returns whether the copy is within the maximum size.
    pub fn is_small_enough(self) -> bool {
        self.bytes <= self.room
    }
}

/// Measures the copy that `kubectl apply` would store for a CRD.
pub fn applied(crd: &Crd) -> Applied {
    Applied { bytes: bytes(&encode::crd(crd)), room: room(crd) }
}

/// The maximum size of the copy in bytes. All annotations share the limit.
pub(crate) fn room(crd: &Crd) -> usize {
    let others: usize = crd.metadata.annotations.iter().map(|(key, text)| key.len() + text.len()).sum();
    MAX_ANNOTATIONS.saturating_sub(ANNOTATION.len() + others)
}

/// The size of the copy of a document in bytes. Go writes it as JSON that is safe in HTML, always with annotations, and
/// with a line break at the end.
pub(crate) fn bytes(document: &Value) -> usize {
    let annotated = document.get("metadata").and_then(|m| m.get("annotations")).is_some();
    let annotations = if annotated { 0 } else { r#""annotations":{},"#.len() };
    json::length_html_safe(document) + annotations + 1
}

/// The size of a description in bytes, with its key and a comma.
pub(crate) fn of_description(text: &str) -> usize {
    r#""description":,"#.len() + json::text_length_html_safe(text)
}

/// The result of making a CRD small enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// The size of the copy before the change.
    pub before: Applied,
    /// The size of the copy after the change.
    pub after: Applied,
    /// The number of descriptions that were removed.
    pub removed: usize,
}

/// Removes descriptions until the copy is small enough. The deepest ones are removed first, and the longest of those
/// first. What the CRD accepts does not change. If the copy is too large even without descriptions, all of them are
/// removed.
pub fn fit_annotation(crd: &mut Crd) -> Fit {
    let before = applied(crd);
    let mut fit = Fit { before, after: before, removed: 0 };
    let all = count(crd);
    let twins = twins(crd);
    // The saved bytes are estimated to within a comma, so one round is usually enough.
    while !fit.after.is_small_enough() {
        let mut found: Vec<(usize, usize, usize)> = Vec::new();
        let mut number = 0;
        each_of(crd, &mut |schema, depth| {
            if !schema.description.is_empty() {
                found.push((depth, of_description(&schema.description), number));
            }
            number += 1;
        });
        if found.is_empty() {
            break;
        }
        // The nodes of all equal versions have the same numbers.
        let nodes = if twins { number / crd.spec.versions.len() } else { number };
        found.retain(|(_, _, number)| *number < nodes);
        found.sort_by(|a, b| (b.0, b.1).cmp(&(a.0, a.1)).then(a.2.cmp(&b.2)));
        let mut excess = fit.after.bytes - fit.after.room;
        let mut gone: Vec<usize> = Vec::new();
        for (_, saved, node) in found {
            if excess == 0 {
                break;
            }
            excess = excess.saturating_sub(saved * (number / nodes.max(1)));
            gone.push(node);
        }
        gone.sort_unstable();
        let mut number = 0;
        each_of(crd, &mut |schema, _| {
            if gone.binary_search(&(number % nodes)).is_ok() {
                schema.description.clear();
            }
            number += 1;
        });
        fit.after = applied(crd);
    }
    fit.removed = all - count(crd);
    fit
}

/// Whether all versions have the same schema. Then it must stay the same: the server moves a shared schema to the top
/// of the CRD, and without it rejects the selectable fields there.
fn twins(crd: &Crd) -> bool {
    let schema = |v: &Version| v.body.schema.is_some();
    crd.spec.shared.schema.is_none()
        && crd.spec.versions.iter().all(schema)
        && crd.spec.versions.windows(2).all(|pair| pair[0].body.schema == pair[1].body.schema)
}

/// The number of descriptions.
fn count(crd: &mut Crd) -> usize {
    let mut count = 0;
    each_of(crd, &mut |schema, _| count += usize::from(!schema.description.is_empty()));
    count
}
