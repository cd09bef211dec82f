//! Comparisons. [`compare`] compares a hand-written CRD with the Rust types that read and write its objects: which valid objects serde
//! cannot read, and which written data the server drops or rejects.

mod absent;
pub mod bounds;
pub mod changes;
pub mod limit;
mod on_create;
mod presence;
pub mod proof;
pub mod readers;
mod rules;
mod schema;
pub mod skew;
pub mod tighter;
mod unique;

use crate::diag::codes::types as codes;
use crate::diag::{Diag, Level};
use crate::ir::{Crd, Schema, Version};
use crate::path::{Path, Step};

/// A difference between a CRD and the Rust types, with its place on both sides.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The diagnostic. Its steps lead into the CRD.
    pub diag: Diag,
    /// The steps into the CRD with one version that is generated from the Rust types.
    pub rust: Vec<Step>,
    /// The index of the generated CRD that differs.
    pub kind: Option<usize>,
}

/// Returns the differences between a CRD and the types of its versions. Each type is given as its generated CRD with
/// one version.
pub fn compare(crd: &Crd, kinds: &[Crd]) -> Vec<Difference> {
    let mut out = Vec::new();
    let root = Path::ROOT;
    let spec = root.child("spec");
    let versions = spec.child("versions");
    for (index, version) in crd.spec.versions.iter().enumerate() {
        let path = versions.index(index);
        let Some(number) = kinds.iter().position(|k| is_of(k, crd, &version.name)) else {
            if version.served {
                let message = format!("no Rust type for {} {}", crd.spec.names.kind, version.name);
                let diag = Diag::own(&codes::NO_TYPE, Level::Warning, &path, message)
                    .help("derive CustomResource for a type of this group, version and kind, or do not serve the version");
                out.push(Difference { diag, rust: Vec::new(), kind: None });
            }
            continue;
        };
        let kind = &kinds[number];
        let mut say = |diag| out.push(Difference { diag, rust: Vec::new(), kind: Some(number) });
        names(crd, kind, &spec, &mut say);
        if let (Some(theirs), Some(ours)) =
            (schema_of(version), kind.spec.versions.first().and_then(schema_of))
        {
            let path = path.child("schema");
            let path = path.child("openAPIV3Schema");
            let mut both = schema::Both { out: &mut out, kind: number, rust: rust_steps() };
            both.object(theirs, ours, &path);
        }
    }
    out
}

/// Returns whether a kind is the type of a version of a CRD.
pub fn is_of(kind: &Crd, crd: &Crd, version: &str) -> bool {
    kind.spec.group == crd.spec.group
        && kind.spec.names.kind == crd.spec.names.kind
        && kind.spec.versions.iter().any(|v| v.name == version)
}

/// Returns whether a CRD defines a kind in the version of the kind.
pub fn defines(crd: &Crd, kind: &Crd) -> bool {
    kind.spec
        .versions
        .iter()
        .any(|v| is_of(kind, crd, &v.name) && crd.spec.versions.iter().any(|w| w.name == v.name))
}

/// Returns the warning about a kind without a CRD.
pub fn without_definition(kind: &Crd) -> Diag {
    let version = kind.spec.versions.first().map_or("", |v| v.name.as_str());
    let message = format!("no CRD for {}/{version} {}", kind.spec.group, kind.spec.names.kind);
    Diag::own(&codes::NO_DEFINITION, Level::Warning, &Path::ROOT, message)
        .help("add its file to the arguments, or write it with `crdgen emit`")
}

fn schema_of(version: &Version) -> Option<&Schema> {
    version.body.schema.as_ref()?.open_api_v3_schema.as_ref()
}

fn rust_steps() -> Vec<Step> {
    let key = |k: &str| Step::Key(k.to_owned());
    vec![key("spec"), key("versions"), Step::Index(0), key("schema"), key("openAPIV3Schema")]
}

/// Compares the names that clients use in URLs.
fn names(crd: &Crd, kind: &Crd, spec: &Path<'_>, say: &mut impl FnMut(Diag)) {
    let (theirs, ours) = (&crd.spec, &kind.spec);
    let inner = spec.child("names");
    for (path, what, a, b) in [
        (spec.child("scope"), "scope", &theirs.scope, &ours.scope),
        (inner.child("plural"), "plural", &theirs.names.plural, &ours.names.plural),
    ] {
        if a != b {
            let message = format!("the {what} is {a} in the CRD, but {b} in Rust");
            let help = match what {
                "scope" => "write `namespaced` in #[kube(…)] if objects live in namespaces".to_owned(),
                _ => format!("write plural = \"{a}\" in #[kube(…)]"),
            };
            say(Diag::own(&codes::NAMES, Level::Error, &path, message).help(help));
        }
    }
}
