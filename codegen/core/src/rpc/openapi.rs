//! `openapi`: what a cluster publishes of a version.

use super::request::{Request, definition};
use super::{Answer, fields};
use crate::emit::openapi::{Options, publish};
use crate::go;
use crate::value::Value;

/// Builds both documents, with the options of the request.
pub(super) fn documents(request: &Request) -> Answer {
    let (crd, _) = definition(&request.crd)?;
    let versions = &crd.spec.versions;
    let named = |name: &str| request.version.is_empty() || name == request.version;
    let Some(index) = versions.iter().position(|v| named(&v.name)) else {
        return Err(match request.version.as_str() {
            "" => "the definition has no version".to_owned(),
            name => format!("the definition has no version {}", go::quote(name)),
        });
    };
    let build = |v2: bool| {
        let options = Options {
            v2,
            strip_value_validation: request.strip_value_validation,
            strip_nullable: request.strip_nullable,
            allow_non_structural: request.allow_non_structural,
            keep_defaults: request.keep_defaults,
            unfold: request.unfold,
        };
        publish(&crd, index, &options).ok_or("the definition has no such version")
    };
    let (v2, v3) = (build(true)?, build(false)?);
    let mut out = fields([
        ("version", versions[index].name.as_str().into()),
        ("served", versions[index].served.into()),
        ("model", v2.model.as_str().into()),
        ("listModel", v2.list_model.as_str().into()),
        ("schemaV2", v2.schema.clone()),
        ("listSchemaV2", v2.list_schema.clone()),
        ("schemaV3", v3.schema.clone()),
        ("listSchemaV3", v3.list_schema.clone()),
        ("v2Bytes", size(&v2.text())),
        ("v3Bytes", size(&v3.text())),
    ]);
    if !request.brief {
        out.insert("v2", v2.document());
        out.insert("v3", v3.document());
    }
    Ok(out)
}

/// How many bytes the server sends: its encoder escapes what is special in HTML.
fn size(text: &str) -> Value {
    let escaped = text.bytes().filter(|b| matches!(b, b'<' | b'>' | b'&')).count();
    Value::Int((text.len() + escaped * 5) as i64)
}
