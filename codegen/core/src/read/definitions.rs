//! The definitions in a text, for those who import them: of YAML, JSON or the template of a Helm chart,
//! with other objects beside them.

use std::borrow::Cow;

use super::helm;
use crate::decode;
use crate::diag::Diag;
use crate::ir::Crd;
use crate::value::Value;
use crate::yaml::{self, Document};

/// What kubectl keeps for itself, which is no part of a definition.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// All definitions in a text; other objects are passed over.
///
/// # Errors
/// Says why the text, or a definition in it, cannot be read.
pub fn definitions(text: &[u8]) -> Result<Vec<Crd>, String> {
    let is_definition =
        |value: &Value| value.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition");
    let mut out = Vec::new();
    for document in documents(text)? {
        if is_definition(&document.value) {
            out.push(definition(document.value)?);
            continue;
        }
        for (_, value) in document.objects() {
            if is_definition(value) {
                out.push(definition(value.clone())?);
            }
        }
    }
    Ok(out)
}

/// One definition, without what is only the cluster's.
///
/// # Errors
/// Says why it cannot be read.
pub fn definition(mut value: Value) -> Result<Crd, String> {
    let metadata = value.as_map_mut().and_then(|crd| crd.get_mut("metadata")?.as_map_mut());
    if let Some(annotations) = metadata.and_then(|m| m.get_mut("annotations")?.as_map_mut()) {
        annotations.remove(LAST_APPLIED);
    }
    let (crd, diags) = decode::crd(value);
    crd.ok_or_else(|| diags.iter().map(Diag::text).collect::<Vec<_>>().join("\n"))
}

/// The documents of a text. One that kubectl cannot read may begin with directives of YAML, or be the
/// template of a Helm chart.
///
/// # Errors
/// Says why the text cannot be read.
pub fn documents(text: &[u8]) -> Result<Vec<Document>, String> {
    let (documents, problems) = yaml::read(text);
    let Some(why) = problems.into_iter().next() else { return Ok(documents) };
    if let Ok(one) = yaml::read_one(text) {
        return Ok(vec![one]);
    }
    let Cow::Borrowed(template) = String::from_utf8_lossy(text) else { return Err(why.text) };
    if !template.contains("{{") {
        return Err(why.text);
    }
    let (documents, problems) = yaml::read(helm::without_actions(template).as_bytes());
    if problems.is_empty() { Ok(documents) } else { Err(why.text) }
}
