//! A whole document: what it claims to be, and the definition in it.

use super::context::{self, Cx, Decode};
use super::set_defaults;
use crate::diag::codes::crd::NOT_A_DEFINITION;
use crate::diag::{Diag, Diags, Level};
use crate::go;
use crate::ir::{ApiVersion, Crd};
use crate::path::Path;
use crate::value::{Map, Value};
use crate::yaml::Problem;

const GROUP: &str = "apiextensions.k8s.io";
const KIND: &str = "CustomResourceDefinition";

/// Reads a definition. It is none when the server could not decode it either; then the diagnostics
/// name every reason. When there is one, they are the findings of strict decoding (kubectl's default):
/// unknown fields, each with the server's text as its detail.
pub fn crd(document: Value) -> (Option<Crd>, Diags) {
    crd_json(document, Vec::new())
}

/// Reads a definition that was written as JSON, where the server looks for repeated keys while it
/// decodes: it sees none in what it does not know or keeps as it is, nor below `items` and the like. The
/// repeats that it sees are among the diagnostics.
pub fn crd_json(document: Value, repeats: Vec<Problem>) -> (Option<Crd>, Diags) {
    let api_version = match api_version(&document) {
        Ok(version) => version,
        Err(diag) => return (None, vec![*diag]),
    };
    let mut cx = Cx::new(api_version, repeats.into_iter().map(Diag::from).collect());
    let mut crd = Crd::decode(document, &Path::ROOT, &mut cx);
    crd.api_version = api_version;
    set_defaults(&mut crd);
    let (failed, diags) = cx.finish();
    ((!failed).then_some(crd), diags)
}

/// The version a document claims to be of. What it leaves out is taken for granted, as by a request
/// to the path of definitions.
fn api_version(document: &Value) -> Result<ApiVersion, Box<Diag>> {
    let (mut api_version, mut kind) = ("", "");
    match document {
        Value::Null => {}
        Value::Map(map) => {
            api_version = type_field(map, "apiVersion")?.unwrap_or_default();
            kind = type_field(map, "kind")?.unwrap_or_default();
        }
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::List(_) => {
            let found = context::describe(document);
            return Err(not_a_definition(&Path::ROOT, format!("expected an object, found {found}")));
        }
    }
    if !matches!(kind, "" | KIND) {
        return Err(not_a_definition(&Path::ROOT.child("kind"), format!("kind is {}", go::quote(kind))));
    }
    match api_version {
        "" | "/" | "apiextensions.k8s.io/" | "apiextensions.k8s.io/v1" => Ok(ApiVersion::V1),
        "apiextensions.k8s.io/v1beta1" => Ok(ApiVersion::V1beta1),
        other => {
            let detail = format!("apiVersion is {}", go::quote(other));
            Err(not_a_definition(&Path::ROOT.child("apiVersion"), detail))
        }
    }
}

/// A field that tells the type. The server looks for it without regard to case, the last one wins.
fn type_field<'a>(map: &'a Map<Value>, name: &str) -> Result<Option<&'a str>, Box<Diag>> {
    let mut found = None;
    for (key, value) in map.iter().filter(|(key, _)| key.eq_ignore_ascii_case(name)) {
        match value {
            Value::Null => {}
            Value::Str(text) => found = Some(text.as_str()),
            other => {
                let detail = format!("expected a string, found {}", context::describe(other));
                return Err(not_a_definition(&Path::ROOT.child(key), detail));
            }
        }
    }
    Ok(found)
}

fn not_a_definition(at: &Path<'_>, detail: String) -> Box<Diag> {
    let help = format!("write `apiVersion: {GROUP}/v1` and `kind: {KIND}`");
    Box::new(Diag::own(&NOT_A_DEFINITION, Level::Error, at, detail).help(help))
}
