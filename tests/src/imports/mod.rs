//! Checks `import`: the sources and the derives must give the same CRDs from the generated Rust, it must compile
//! without a warning, and its types must lose nothing of an object.

pub mod crates;
pub mod objects;

use std::fs;
use std::path::Path;

use crdgen::import::{
    Builders, Import, Imported, KubernetesTypes, MapType, Numbers, Options as Style, TimeType,
};
use crdgen::source::{self, Options};
use crdgen_core::ir::{Crd, Metadata};
use crdgen_core::value::Value;
use crdgen_core::{check, decode, encode, json, yaml};

use crate::corpus::Seed;
use crate::mutate::Mutator;

/// A definition that a server accepts.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// Where it comes from.
    pub name: String,
    /// The text.
    pub text: String,
    /// The decoded text.
    pub crd: Crd,
}

/// Decodes the CRD in a text.
pub fn definition(text: &str) -> Option<Crd> {
    let document = yaml::read_one(text.as_bytes()).ok()?;
    if document.value.get("kind").and_then(Value::as_str) != Some("CustomResourceDefinition") {
        return None;
    }
    decode::crd(document.value).0
}

/// Decodes the CRD in a text, if a server accepts it.
pub fn accepted(name: &str, text: &str) -> Option<Accepted> {
    let crd = definition(text)?;
    check::create(&crd, &check::Options::default()).is_accepted().then(|| Accepted {
        name: name.to_owned(),
        text: text.to_owned(),
        crd,
    })
}

/// Returns those of some CRDs that a server accepts.
pub fn all(seeds: &[Seed]) -> Vec<Accepted> {
    seeds.iter().filter_map(|s| accepted(&s.name, &s.text)).collect()
}

/// Returns an endless sequence of mutations of CRDs that a server accepts, with their numbers.
pub fn mutations<'a>(mutator: &'a Mutator<'a>, from: u64) -> impl Iterator<Item = (u64, Accepted)> + 'a {
    (from..).filter_map(move |number| {
        let case = mutator.create(number);
        let text = case.request.get("crd")?.as_str()?;
        Some((number, accepted(&case.name, text)?))
    })
}

/// The options for the code, named like the flags of `crdgen import`.
pub const STYLES: [&str; 13] = [
    "kube",
    "schemars",
    "chrono",
    "jiff",
    "typed",
    "bon",
    "open-enums",
    "HashMap",
    "floats",
    "k8s",
    "k8s=all",
    "client-only",
    "kopium",
];

/// Adds an option to a style.
///
/// # Errors
/// Returns an error if the option is not in [`STYLES`].
pub fn choose(style: &mut Style, word: &str) -> Result<(), String> {
    match word {
        "kube" => style.kube = true,
        "schemars" => style.schemars = true,
        "chrono" => style.time = TimeType::Chrono,
        "jiff" => style.time = TimeType::Jiff,
        "typed" => style.builders = Builders::TypedBuilder,
        "bon" => style.builders = Builders::Bon,
        "open-enums" => style.open_enums = true,
        "HashMap" => style.map = MapType::HashMap,
        "floats" => style.numbers = Numbers::F64,
        "k8s" => style.kubernetes = KubernetesTypes::Lossless,
        "k8s=all" => style.kubernetes = KubernetesTypes::All,
        "client-only" => style.schema = false,
        "kopium" => *style = Style::like_kopium(),
        _ => return Err(format!("{word}: no such style; there are {}", STYLES.join(", "))),
    }
    Ok(())
}

/// Whether code of a style keeps every object unchanged.
pub fn is_lossless(style: &Style) -> bool {
    style.time == TimeType::String
        && style.numbers == Numbers::Json
        && style.kubernetes != KubernetesTypes::All
        && !style.kopium
}

/// Imports CRDs.
///
/// # Errors
/// Returns an error if this gives no code, which must not happen.
pub fn rust<'a>(all: impl IntoIterator<Item = &'a Accepted>, style: &Style) -> Result<Imported, String> {
    let mut import = Import::default();
    import.options = style.clone();
    for one in all {
        import.read(&one.name, one.text.as_bytes()).map_err(|e| e.to_string())?;
    }
    Ok(import.run())
}

/// Returns a CRD in a form for comparison: with the server's defaults, and its versions sorted by name.
pub fn normal(crd: &Crd) -> String {
    let mut crd = decode::crd(encode::crd(crd)).0.unwrap_or_default();
    let Metadata { name, labels, annotations, .. } = std::mem::take(&mut crd.metadata);
    crd.metadata = Metadata { name, labels, annotations, ..Metadata::default() };
    crd.metadata.annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
    crd.status = Default::default();
    crd.spec.versions.sort_by(|a, b| a.name.cmp(&b.name));
    json::to_string(&encode::crd(&crd))
}

/// Checks that the Rust code for a CRD gives the same CRD again. The code is written to a file.
///
/// # Errors
/// Returns an error that describes what went wrong.
pub fn comes_back(one: &Accepted, style: &Style, file: &Path) -> Result<(), String> {
    let code = rust([one], style)?.file();
    fs::write(file, code).map_err(|e| format!("{}: {e}", file.display()))?;
    let options = Options { path: file.to_owned(), unchecked: true, ..Options::default() };
    let out = source::read(&options).map_err(|e| e.to_string())?;
    if out.has_errors() {
        return Err(source::render(&out.found));
    }
    let [back] = out.crds.as_slice() else { return Err(format!("{} definitions", out.crds.len())) };
    same(&normal(&one.crd), &normal(back))
}

/// Checks that two texts are equal.
///
/// # Errors
/// Returns an error that shows both texts around the first difference.
pub fn same(wanted: &str, found: &str) -> Result<(), String> {
    if wanted == found {
        return Ok(());
    }
    let at = wanted.bytes().zip(found.bytes()).take_while(|(a, b)| a == b).count();
    let near = |text: &str| {
        let (from, to) = (at.saturating_sub(60), (at + 60).min(text.len()));
        String::from_utf8_lossy(&text.as_bytes()[from.min(to)..to]).into_owned()
    };
    Err(format!("another one:\n    wanted …{}…\n    found  …{}…", near(wanted), near(found)))
}
