//! Items that generated code calls. They are not part of the public interface: they change with the derive, to which
//! this crate is pinned.

#[cfg(feature = "check")]
pub use crdgen_kinds::objects::random::{Reads, Unread};
pub use crdgen_kinds::to_value::{Writer, to_value};
use crdgen_runtime::recipe::places;
pub use crdgen_runtime::recipe::{Declared, Shape, outline};
#[cfg(feature = "k8s-openapi")]
pub use crdgen_runtime::{k8s, recipe::k8s_openapi};
pub use serde;

/// Items for generated impls of the trait of schemars.
#[cfg(feature = "schemars")]
pub mod schemars {
    pub use crate::schemars::of_kind;
    pub use crdgen_runtime::recipe::by_schemars::described;
    pub use schemars_1::{JsonSchema, Schema, SchemaGenerator};
}

/// The same for schemars 0.8.
#[cfg(feature = "schemars-08")]
pub mod schemars_08 {
    pub use crate::schemars_08::{By08, described, of_kind};
    pub use schemars_08::JsonSchema;
    pub use schemars_08::r#gen::SchemaGenerator;
    pub use schemars_08::schema::Schema;
}

/// The schema of a type that implements `JsonSchema` of a version of schemars.
#[cfg(feature = "schemars-08")]
#[derive(Debug)]
pub struct BySchemars<T: ?Sized>(std::marker::PhantomData<T>);

use crdgen_kinds::Problems;
use crdgen_runtime::diag::codes::rust::{STORAGE, VERSIONS_DIFFER};
use crdgen_runtime::diag::{Diag, Diags, Level};
use crdgen_runtime::ir::Schema;
use crdgen_runtime::path::Path;
use crdgen_runtime::value::Value;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use std::sync::{Mutex, PoisonError};

/// Returns the text of an expression, such as a compiled pattern.
pub fn text<T: std::string::ToString + ?Sized>(it: &T) -> Option<Value> {
    Some(Value::Str(it.to_string()))
}

/// Returns the schema that a function returns.
pub fn schema<Arguments, F: SchemaFn<Arguments>>(function: F) -> Option<Value> {
    Some(function.schema())
}

/// A function that returns a schema. Its arguments distinguish it from others.
#[diagnostic::on_unimplemented(
    message = "the function gives no schema that crdgen can read",
    label = "not a `fn() -> crdgen::ir::Schema`",
    note = "write it as `fn() -> crdgen::ir::Schema`, or write the schema with #[schema(raw = {{ … }})] or other keys of #[schema(…)]",
    note = "functions for schemars 1, `fn(&mut schemars::SchemaGenerator) -> schemars::Schema`, need crdgen's feature `schemars`",
    note = "functions for schemars 0.8, `fn(&mut schemars::gen::SchemaGenerator) -> schemars::schema::Schema`, need crdgen's \
            feature `schemars-08`"
)]
pub trait SchemaFn<Arguments> {
    /// Returns the schema in the form that a CRD contains.
    fn schema(self) -> Value;
}

impl<F: FnOnce() -> Schema> SchemaFn<()> for F {
    fn schema(self) -> Value {
        crdgen_runtime::encode::schema(&self())
    }
}

/// The status of a kind without a status. It is ignored.
#[derive(Debug)]
pub struct NoStatus;

impl<'de> Deserialize<'de> for NoStatus {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        serde::de::IgnoredAny::deserialize(d).map(|_| NoStatus)
    }
}

impl Serialize for NoStatus {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_unit()
    }
}

/// An object of a kind, in the form in which it is read.
#[derive(Deserialize)]
#[serde(bound(deserialize = "M: Default + Deserialize<'de>, S: Deserialize<'de>, T: Deserialize<'de>"))]
pub struct Parts<M, S, T> {
    /// `metadata`
    #[serde(default)]
    pub metadata: M,
    /// `spec`. `None` only if it is an `Option`.
    pub spec: S,
    /// `status`
    #[serde(default = "none")]
    pub status: Option<T>,
}

fn none<T>() -> Option<T> {
    None
}

/// Serializes an object of a kind. Its parts are parameters, and not in a struct, because each derived kind contains a call.
pub fn serialize<M: Serialize, P: Serialize, T: Serialize, S: Serializer>(
    serializer: S,
    api_version: &str,
    kind: &str,
    metadata: &M,
    spec: Option<&P>,
    status: Option<&T>,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("apiVersion", api_version)?;
    map.serialize_entry("kind", kind)?;
    map.serialize_entry("metadata", metadata)?;
    if let Some(spec) = spec {
        map.serialize_entry("spec", spec)?;
    }
    if let Some(status) = status {
        map.serialize_entry("status", status)?;
    }
    map.end()
}

/// An object of a kind without a `spec` field, in the form in which it is read: the fields of the spec type are in the
/// object itself. The other fields of the object are listed, so that a map among the spec's fields does not read them
/// too.
#[derive(Deserialize)]
#[serde(bound(deserialize = "M: Default + Deserialize<'de>, S: Deserialize<'de>, T: Deserialize<'de>"))]
pub struct Flat<M, S, T> {
    #[serde(default, rename = "apiVersion")]
    _api_version: serde::de::IgnoredAny,
    #[serde(default, rename = "kind")]
    _kind: serde::de::IgnoredAny,
    /// `metadata`
    #[serde(default)]
    pub metadata: M,
    /// `status`
    #[serde(default = "none")]
    pub status: Option<T>,
    /// All other fields.
    #[serde(flatten)]
    pub spec: S,
}

/// Serializes an object of a kind without a `spec` field.
pub fn serialize_flat<M: Serialize, P: Serialize, T: Serialize, S: Serializer>(
    serializer: S,
    api_version: &str,
    kind: &str,
    metadata: &M,
    spec: &P,
    status: Option<&T>,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Object<'a, M, P, T> {
        api_version: &'a str,
        kind: &'a str,
        metadata: &'a M,
        #[serde(flatten)]
        spec: &'a P,
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<&'a T>,
    }
    Object { api_version, kind, metadata, spec, status }.serialize(serializer)
}

/// Runs the generated test of a kind, whose place is `at`. With the feature `check`, it checks everything that the server
/// checks. Otherwise it checks only what needs no other dependencies. It prints warnings, which `cargo test` shows with
/// `-- --nocapture`, unless `deny_warnings` makes them errors.
///
/// # Panics
///
/// Panics with all errors if the types have mistakes, or if the server would reject the CRD.
pub fn test<K: crate::CustomResource>(at: &str, deny_warnings: bool) {
    let (crd, mut diags, places) = K::declared().placed();
    if !diags.iter().any(|diag| diag.level == Level::Error) {
        diags.extend(examine(crd.clone()));
    }
    diags.extend(of_all_kinds(&crd, at));
    let fails = |diag: &Diag| diag.level == Level::Error || deny_warnings && diag.level == Level::Warning;
    let (errors, others): (Diags, Diags) = diags.into_iter().partition(fails);
    let shown = |diags: Diags| {
        let mut out = String::new();
        for diag in diags {
            let found = places::find(&places, &crd, &diag);
            let at = found.as_deref().unwrap_or(at);
            let at = if at.is_empty() { String::new() } else { format!("\n  --> {at}") };
            out += &format!("{}: {}{at}\n", diag.level.name(), Problems { diags: vec![diag] });
        }
        out
    };
    if !others.is_empty() {
        print!("{}", shown(others));
    }
    let (kind, count) = (K::KIND, errors.len());
    let words = if count == 1 { "1 error" } else { &format!("{count} errors") };
    assert!(errors.is_empty(), "the CRD of {kind} has {words}:\n{}", shown(errors));
}

/// Returns what kinds of one program show together: the same version of a kind twice, or two versions that are stored. The tests of
/// all kinds run in one process, each with a place of its own.
fn of_all_kinds(crd: &crate::ir::Crd, at: &str) -> Diags {
    static TESTED: Mutex<Vec<(crate::ir::Crd, String)>> = Mutex::new(Vec::new());
    let mut tested = TESTED.lock().unwrap_or_else(PoisonError::into_inner);
    if at.is_empty() || tested.iter().any(|(_, other)| other == at) {
        return Diags::new();
    }
    let same = |other: &&(crate::ir::Crd, String)| {
        other.0.spec.group == crd.spec.group && other.0.spec.names.kind == crd.spec.names.kind
    };
    let versions = |crd: &crate::ir::Crd| crd.spec.versions.first().map(|it| (it.name.clone(), it.storage));
    let mut out = Diags::new();
    for (other, place) in tested.iter().filter(same) {
        let (Some((version, is_stored)), Some((other, is_other_stored))) = (versions(crd), versions(other))
        else {
            continue;
        };
        let (level, code, message, help) = if version == other {
            let message = format!("the version {version} of this kind is declared twice, also at {place}");
            let help = "remove one of the two, or change its group, kind or version. If only a test uses it, write \
                        #[schema(test = false)] on it";
            (Level::Error, &VERSIONS_DIFFER, message, help)
        } else if is_stored && is_other_stored {
            let message =
                format!("several versions are the storage version: {version}, and {other} at {place}");
            let help = "exactly one version must be stored. Write #[kube(storage = false)] on all others, unless your program \
                        chooses the stored version when it merges them";
            // kube's `merge_crds` chooses the stored version at run time.
            (Level::Warning, &STORAGE, message, help)
        } else {
            continue;
        };
        out.push(Diag::own(code, level, &Path::ROOT, message).help(help));
    }
    tested.push((crd.clone(), at.to_owned()));
    out
}

/// Returns what the generated test reports about a CRD.
#[cfg(feature = "check")]
pub fn examine(mut crd: crate::ir::Crd) -> Diags {
    if let [only] = crd.spec.versions.as_mut_slice() {
        // A CRD always has a stored version. Here it is the only one.
        only.storage = true;
    }
    use crdgen_core::check::attributes;
    attributes::findings(&crd, &attributes::lints()).0
}

/// Returns what the generated test reports about a CRD.
#[cfg(not(feature = "check"))]
pub fn examine(crd: crate::ir::Crd) -> Diags {
    crdgen_runtime::recipe::quick::check(&crd)
}

/// Runs when the ignored test is run.
///
/// # Panics
///
/// Always panics, because the check is not compiled in.
#[cfg(not(feature = "check"))]
pub fn test_of_check() {
    panic!("add to [dev-dependencies]: crdgen = {{ version = \"…\", features = [\"check\"] }}");
}
