//! The CRDs on the page, written as YAML or as Rust types.

use std::sync::Arc;

use crdgen_core::check::lints;
use crdgen_core::diag::{Diag, Level, codes};
use crdgen_core::documents::{Finding, Group};
use crdgen_core::ir::Crd;
use crdgen_core::path::Path;
use crdgen_core::span::Place;
use crdgen_files::source::{self, Options};
use crdgen_kinds::objects::CompiledKind;

use crate::request::{Language, Request};

/// The name of the only file.
const RUST: &str = "types.rs";

#[derive(Default)]
pub(crate) struct Definitions {
    /// All CRDs that can be read.
    pub(crate) crds: Vec<Crd>,
    /// Those that a server accepts.
    pub(crate) kinds: Vec<CompiledKind>,
    pub(crate) findings: Vec<Finding>,
}

impl Definitions {
    pub(crate) fn read(request: &Request) -> Definitions {
        let mut out = match request.language {
            Language::Yaml => yaml(request),
            Language::Rust => rust(request),
        };
        out.findings.sort_by_key(|f| f.place.map(|p| p.start.offset));
        out
    }

    /// The kind of an object.
    pub(crate) fn kind(&self, group: &str, kind: &str) -> Option<&CompiledKind> {
        let is_it = |it: &&CompiledKind| it.crd().spec.group == group && it.crd().spec.names.kind == kind;
        self.kinds.iter().find(is_it)
    }
}

fn yaml(request: &Request) -> Definitions {
    let mut read = Group::of(&Arc::new(request.definitions.clone().into_bytes())).read();
    let mut lints = lints::Lints::default();
    lints.kube = Some(request.kube);
    let mut accepted = Vec::new();
    read.check(|crd| {
        let diags = lints::on_create(crd, &lints);
        accepted.push(diags.iter().all(|diag| diag.level != Level::Error));
        diags
    });
    let mut findings = std::mem::take(&mut read.findings);
    findings.extend(read.skipped.iter().map(|kind| {
        let what =
            kind.as_deref().map_or_else(|| "not a Kubernetes object".to_owned(), |kind| format!("a {kind}"));
        let diag =
            Diag::own(&codes::object::NOT_CHECKED, Level::Note, &Path::ROOT, format!("not checked: {what}"));
        Finding::new(String::new(), None, diag)
    }));
    let crds: Vec<Crd> = read.take().map(|(crd, ..)| crd).collect();
    let taken = crds.iter().zip(accepted).filter(|(_, is_accepted)| *is_accepted).map(|(crd, _)| crd);
    let kinds = taken.filter_map(|crd| CompiledKind::established(crd.clone(), request.kube).ok()).collect();
    Definitions { crds, kinds, findings }
}

fn rust(request: &Request) -> Definitions {
    let options = Options { kube: Some(request.kube), refused: true, ..Options::default() };
    let read = source::read_text(RUST, &request.definitions, &options);
    let findings = read.found.into_iter().map(|found| {
        let place = found.at.filter(|at| at.file == RUST).map(|at| Place { start: at.start, end: at.end });
        Finding::new(String::new(), place, found.diag)
    });
    let mut findings: Vec<Finding> = findings.collect();
    if read.crds.is_empty() && !findings.iter().any(|f| f.diag.level == Level::Error) {
        findings.extend(none(&request.definitions));
    }
    let kinds = read.crds.iter().filter_map(|crd| CompiledKind::on(crd.clone(), request.kube).ok()).collect();
    Definitions { crds: read.crds, kinds, findings }
}

/// Returns a note for Rust code without kinds.
fn none(text: &str) -> Option<Finding> {
    if text.trim().is_empty() {
        return None;
    }
    let why = "no type derives CustomResource".to_owned();
    let help = "derive crdgen::CustomResource and crdgen::Schema for the spec of a kind".to_owned();
    let diag = Diag::own(&codes::object::NOT_CHECKED, Level::Note, &Path::ROOT, why).help(help);
    Some(Finding::new(String::new(), None, diag))
}
