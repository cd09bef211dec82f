//! Finds the line of the CRD that causes a finding.

use crate::kinds::{Entry, Kinds};
use crdgen_core::diag::Diag;
use crdgen_core::inert::InertLine;
use crdgen_core::object::cause;

/// Adds the line to the help of a finding about an object of this version.
pub(super) fn explain(diag: &mut Diag, kinds: &Kinds, entry: &Entry, version: &str) {
    let Some(kind) = kinds.compiled(entry) else { return };
    let Some(steps) = cause::steps(kind.crd(), version, diag) else { return };
    let Some((file, place)) = entry.locate(&steps) else { return };
    let source = format!("see the CRD at {}:{}:{}", InertLine(file), place.start.line, place.start.column);
    diag.help = Some(match diag.help.take() {
        Some(help) => format!("{help}\n{source}"),
        None => source,
    });
}
