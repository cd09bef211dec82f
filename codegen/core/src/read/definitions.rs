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

/// What was made of a text.
#[derive(Clone, Debug)]
pub struct Read<T> {
    /// What was made of its documents, in their order.
    pub found: Vec<T>,
    /// Whether the documents are those that kubectl finds. It finds none in a text that begins with directives, or in
    /// the template of a Helm chart.
    pub is_plain: bool,
}

/// All definitions in a text; other objects are skipped.
///
/// # Errors
/// Says why the text, or a definition in it, cannot be read.
pub fn definitions(text: &[u8]) -> Result<Vec<Crd>, Unreadable> {
    let text = Arc::new(text.to_vec());
    Ok(read(&text, &|document| of_document(document, &definition))?.found)
}

/// The definitions with wanted names in a text; everything else is skipped before anything is made of it.
///
/// # Errors
/// Says why the text, or one of these definitions, cannot be read.
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

/// What is made of the definitions in a document; other objects are skipped.
///
/// # Errors
/// Those of `make`.
pub fn of_document<T>(
    mut document: Document,
    make: &dyn Fn(Value) -> Result<T, Unreadable>,
) -> Result<Vec<T>, Unreadable> {
    let is_definition =
        |value: &Value| value.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition");
    let objects = document.take_objects().into_iter().map(|(_, value)| value);
    objects.filter(is_definition).map(make).collect()
}

/// One definition, without what is only the cluster's.
///
/// # Errors
/// Says why it cannot be read.
pub fn definition(mut value: Value) -> Result<Crd, Unreadable> {
    clean(&mut value);
    let (crd, diags) = decode::crd(value);
    crd.ok_or(Unreadable::Definition(diags))
}

/// Takes out what is only the cluster's.
pub fn clean(value: &mut Value) {
    let metadata = value.as_map_mut().and_then(|crd| crd.get_mut("metadata")?.as_map_mut());
    if let Some(annotations) = metadata.and_then(|m| m.get_mut("annotations")?.as_map_mut()) {
        annotations.remove(LAST_APPLIED);
    }
}

/// Makes something of each document of a text, and keeps nothing else of it. A text that kubectl cannot read may begin
/// with directives of YAML, or be the template of a Helm chart.
///
/// # Errors
/// Says why the text cannot be read, or why nothing can be made of a document.
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
