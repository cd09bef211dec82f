//! The CRDs in a text to import: YAML, JSON or the template of a Helm chart. The text may contain other objects.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Unreadable, helm};
use crate::decode;
use crate::ir::Crd;
use crate::value::Value;
use crate::yaml::{self, Document, Documents};

/// An annotation that kubectl sets for its own use. It does not belong to the CRD.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The result of reading a text.
#[derive(Clone, Debug)]
pub struct Read<T> {
    /// The results for its documents, in their order.
    pub found: Vec<T>,
    /// Whether kubectl finds the same documents. It finds none in a text that begins with directives, or in the
    /// template of a Helm chart.
    pub is_plain: bool,
}

/// Reads all CRDs in a text. Skips other objects.
///
/// # Errors
/// Fails if the text, or a CRD in it, cannot be read.
pub fn definitions(text: &[u8]) -> Result<Vec<Crd>, Unreadable> {
    let text = Arc::new(text.to_vec());
    Ok(read(&text, &|document| of_document(document, &definition))?.found)
}

/// Reads the CRDs in a text whose names are wanted. Skips everything else without decoding it.
///
/// # Errors
/// Fails if the text, or one of these CRDs, cannot be read.
pub fn named(text: &Arc<Vec<u8>>, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<Crd>, Unreadable> {
    let is_wanted = |value: &Value| {
        let name = value.get("metadata").and_then(|metadata| metadata.get("name"));
        wanted(name.and_then(Value::as_str).unwrap_or_default())
    };
    let make = |value: Value| is_wanted(&value).then(|| definition(value)).transpose();
    // There may be very many other documents, so they are not kept.
    let of_wanted = |document| Ok(of_document(document, &make)?.into_iter().flatten().collect());
    Ok(read(text, &of_wanted)?.found)
}

/// Calls `make` for each CRD in a document and returns the results. Skips other objects.
///
/// # Errors
/// Returns the errors of `make`.
pub fn of_document<T>(
    mut document: Document,
    make: &dyn Fn(Value) -> Result<T, Unreadable>,
) -> Result<Vec<T>, Unreadable> {
    let is_definition =
        |value: &Value| value.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition");
    let objects = document.take_objects().into_iter().map(|(_, value)| value);
    objects.filter(is_definition).map(make).collect()
}

/// Reads one CRD, without the annotation that `kubectl apply` adds in a cluster.
///
/// # Errors
/// Fails if the CRD cannot be read.
pub fn definition(mut value: Value) -> Result<Crd, Unreadable> {
    clean(&mut value);
    let (crd, diags) = decode::crd(value);
    crd.ok_or(Unreadable::Definition(diags))
}

/// Removes the annotation that `kubectl apply` adds in a cluster.
pub fn clean(value: &mut Value) {
    let metadata = value.as_map_mut().and_then(|crd| crd.get_mut("metadata")?.as_map_mut());
    if let Some(annotations) = metadata.and_then(|m| m.get_mut("annotations")?.as_map_mut()) {
        annotations.remove(LAST_APPLIED);
    }
}

/// Calls `make` for each document of a text, and keeps only the results. A text that kubectl cannot read may begin
/// with directives of YAML, or be the template of a Helm chart.
///
/// # Errors
/// Fails if the text cannot be read, or if `make` fails for a document.
pub fn read<T>(
    text: &Arc<Vec<u8>>,
    make: &dyn Fn(Document) -> Result<Vec<T>, Unreadable>,
) -> Result<Read<T>, Unreadable> {
    let (why, is_first) = match made(Documents::new(text), make) {
        Ok(found) => return Ok(Read { found: found?, is_plain: true }),
        Err(unreadable) => unreadable,
    };
    // kubectl reads only one document after directives, so the rest is ignored.
    if is_first && let Ok(one) = yaml::read_one(text) {
        return Ok(Read { found: make(one)?, is_plain: false });
    }
    let Cow::Borrowed(template) = String::from_utf8_lossy(text) else { return Err(why) };
    if !template.contains("{{") {
        return Err(why);
    }
    let without = Arc::new(helm::without_actions(template).into_bytes());
    let found = made(Documents::new(&without), make).map_err(|_| why)??;
    Ok(Read { found, is_plain: false })
}

/// The results for documents. The outer error says why a document cannot be read, and whether it is the first one. It
/// comes before all other errors.
fn made<T>(
    documents: Documents,
    make: &dyn Fn(Document) -> Result<Vec<T>, Unreadable>,
) -> Result<Result<Vec<T>, Unreadable>, (Unreadable, bool)> {
    let mut out = Ok(Vec::new());
    for (number, document) in documents.enumerate() {
        let document =
            document.map_err(|unreadable| (Unreadable::Document(Box::new(unreadable)), number == 0))?;
        if let Ok(found) = &mut out {
            match make(document) {
                Ok(more) => found.extend(more),
                Err(why) => out = Err(why),
            }
        }
    }
    Ok(out)
}
