//! The objects on the page, checked against its CRDs.

use std::sync::Arc;

use crdgen_core::diag::{Diag, Level, codes};
use crdgen_core::documents::{Finding, Group, Manifest, objects};
use crdgen_core::nearest;
use crdgen_core::path::Path;
use crdgen_core::value::Value;
use crdgen_kinds::objects::CompiledKind;

use crate::definitions::Definitions;
use crate::request::Request;

#[derive(Default)]
pub(crate) struct Objects {
    pub(crate) count: usize,
    pub(crate) valid: usize,
    pub(crate) findings: Vec<Finding>,
    /// The objects that a server accepts, as it would store them.
    pub(crate) stored: Vec<Stored>,
}

pub(crate) struct Stored {
    /// The object as it was sent.
    pub(crate) sent: Value,
    /// The object that a client gets back.
    pub(crate) result: Value,
}

pub(crate) fn judge(request: &Request, definitions: &Definitions) -> Objects {
    let mut out = Objects::default();
    if request.objects.trim().is_empty() {
        return out;
    }
    let (manifests, unreadable) = objects(Group::of(&Arc::new(request.objects.clone().into_bytes())));
    out.findings = unreadable;
    for manifest in manifests.iter().filter(|manifest| manifest.value != Value::Null) {
        out.count += 1;
        let before = out.findings.len();
        let (api_version, kind) = (manifest.text("apiVersion"), manifest.text("kind"));
        match (definitions.kind(manifest.group_version().0, kind), CompiledKind::own(api_version, kind)) {
            (Some(kind), _) => one(manifest, kind, &mut out),
            (None, Some(own)) => one(manifest, &own, &mut out),
            (None, None) => out.findings.push(manifest.finding(unknown(manifest, definitions))),
        }
        let mut new = out.findings[before..].iter();
        out.valid += usize::from(!new.any(|finding| finding.diag.level == Level::Error));
    }
    out.findings.sort_by_key(|f| f.place.map(|p| p.start.offset));
    out
}

fn one(manifest: &Manifest, kind: &CompiledKind, out: &mut Objects) {
    let verdict = kind.create(&manifest.value);
    let next = kind.next(&verdict);
    let verdict = verdict.strict();
    let repeated = manifest.repeats.iter().cloned();
    let undecided = verdict
        .undecided
        .as_ref()
        .map(|why| Diag::own(&codes::object::NOT_CHECKED, Level::Warning, &Path::ROOT, why.to_string()));
    let diags = verdict.errors.iter().cloned().chain(repeated);
    let diags = diags.chain(verdict.warned().iter().cloned()).chain(undecided).chain(next);
    out.findings.extend(diags.map(|diag| manifest.finding(diag)));
    if let (true, Some(result)) = (verdict.is_accepted(), verdict.result) {
        out.stored.push(Stored { sent: manifest.value.clone(), result });
    }
}

/// Returns a diagnostic for an object whose kind has no CRD.
fn unknown(manifest: &Manifest, definitions: &Definitions) -> Diag {
    let (kind, api_version) = (manifest.text("kind"), manifest.text("apiVersion"));
    let is_there = |kind: &&str, api_version: &str| !kind.is_empty() && !api_version.is_empty();
    if !is_there(&kind, api_version) {
        let missing = if kind.is_empty() { "kind" } else { "apiVersion" };
        let why = format!("not a Kubernetes object: it has no {missing}");
        let diag = Diag::own(&codes::object::UNREADABLE, Level::Error, &Path::ROOT, why);
        return diag.help(format!("add `{missing}`"));
    }
    let why = format!("no CRD for {kind} of {api_version}, or the server rejects it");
    let diag = Diag::own(&codes::object::NO_CRD, Level::Error, &Path::ROOT.child("kind"), why);
    let known = definitions.kinds.iter().map(|it| it.crd().spec.names.kind.as_str());
    let help = nearest::did_you_mean(kind, known);
    diag.help(help.unwrap_or_else(|| "add its CRD above".to_owned()))
}
