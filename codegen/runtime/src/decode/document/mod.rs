//! Decodes a whole document: its type, and the CRD in it.

mod defaults;
mod definition;
mod fields;
mod metadata;

pub use defaults::set_defaults;

use crate::decode::context::{self, Cx, Decode};
use crate::diag::codes::crd::{NOT_A_DEFINITION, TOO_LARGE};
use crate::diag::{Diag, Diags, Level};
use crate::go;
use crate::ir::{ApiVersion, Crd};
use crate::path::Path;
use crate::value::{Map, Value};
use crate::yaml::Problem;

const GROUP: &str = "apiextensions.k8s.io";
const KIND: &str = "CustomResourceDefinition";

/// Decodes a CRD. Returns no CRD if the server could not decode it either. Then the diagnostics contain every reason.
/// Otherwise they are the errors of strict decoding (kubectl's default): unknown fields, each with the server's text as
/// its detail.
pub fn crd(document: Value) -> (Option<Crd>, Diags) {
    crd_as_written(document, Written::default())
}

/// What the text of a CRD contains in addition to its value.
#[derive(Debug, Default)]
pub struct Written {
    /// The repeated keys of JSON that the server reports while it decodes. It does not report those in unknown fields,
    /// in fields that it keeps as they are, or below `items` and similar keywords. They are added to the diagnostics.
    pub repeats: Vec<Problem>,
    /// The same value, with -0.0 for each zero that is minus zero when it is read as a float. None if there is no such
    /// zero.
    pub floats: Option<Value>,
}

/// Decodes a CRD like [`crd()`], and also uses what only its text contains.
pub fn crd_as_written(document: Value, written: Written) -> (Option<Crd>, Diags) {
    let api_version = match api_version(&document).and_then(|version| check_size(&document).map(|()| version))
    {
        Ok(version) => version,
        Err(diag) => return (None, vec![*diag]),
    };
    let mut cx = Cx::new(api_version, written.repeats.into_iter().map(Diag::from).collect());
    cx.floats = written.floats;
    let mut crd = Crd::decode(document, &Path::ROOT, &mut cx);
    crd.api_version = api_version;
    set_defaults(&mut crd);
    let (failed, diags) = cx.finish();
    ((!failed).then_some(crd), diags)
}

/// The largest request that a server accepts, in bytes.
const MAX_REQUEST: usize = 3 << 20;

/// Rejects a CRD that no server accepts because of its size alone: each of its fields becomes a schema of many
/// times its size. Descriptions are not counted, because they can be cut to make a CRD small enough.
fn check_size(document: &Value) -> Result<(), Box<Diag>> {
    let mut left = MAX_REQUEST;
    if take_size(document, &mut left).is_some() {
        return Ok(());
    }
    let detail = format!("Request entity too large: limit is {MAX_REQUEST}");
    let diag = Diag::own(&TOO_LARGE, Level::Error, &Path::ROOT, detail);
    Err(Box::new(
        diag.help("remove fields: as JSON, the CRD is larger than that even without its descriptions"),
    ))
}

/// Subtracts the minimum size of the value's JSON from the bytes that are left. None if these are not enough.
fn take_size(value: &Value, left: &mut usize) -> Option<()> {
    let own = match value {
        Value::Null | Value::Bool(_) => 4,
        Value::Int(_) | Value::Float(_) => 1,
        Value::Str(text) => 2 + text.len(),
        // Brackets and commas.
        Value::List(items) => 1 + items.len().max(1),
        // Braces and commas, and with each key two quotes and a colon.
        Value::Map(members) => 1 + members.len().max(1) + 3 * members.len(),
    };
    *left = left.checked_sub(own)?;
    match value {
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => Some(()),
        Value::List(items) => items.iter().try_for_each(|item| take_size(item, left)),
        Value::Map(members) => members.iter().try_for_each(|(key, value)| {
            *left = left.checked_sub(key.len())?;
            let is_description = key == "description" && value.as_str().is_some();
            if is_description { Some(()) } else { take_size(value, left) }
        }),
    }
}

/// The API version of a document. If it is missing, it is that of CRDs, as in a request to the path of CRDs.
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

/// A field that names the type. The server ignores its case, and the last one wins.
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
