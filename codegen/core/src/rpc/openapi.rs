//! `openapi`: what a cluster publishes about a version.

use super::error::Error;
use super::request::{Request, definition};
use crate::json;
use crate::value::Map;
use crdgen_publish::openapi::{Options, publish};

/// Builds both documents with the options of the request. They are large, so the fields of the answer are JSON text.
pub(super) fn documents(request: &Request) -> Result<Map<String>, Error> {
    let (crd, _) = definition(&request.crd)?;
    let versions = &crd.spec.versions;
    let named = |name: &str| request.version.is_empty() || name == request.version;
    let Some(index) = versions.iter().position(|v| named(&v.name)) else {
        return Err(Error::NoVersion(request.version.clone()));
    };
    let build = |format: Options| {
        let options = Options {
            strip_value_validation: request.strip_value_validation,
            strip_nullable: request.strip_nullable,
            allow_non_structural: request.allow_non_structural,
            keep_defaults: request.keep_defaults,
            unfold: request.unfold,
            ..format
        };
        publish(&crd, index, &options).ok_or_else(|| Error::NoVersion(request.version.clone()))
    };
    let (v2, v3) = (build(Options { v2: true, ..Options::default() })?, build(Options::default())?);
    let (texts2, texts3) = (v2.texts(), v3.texts());
    let size = |text: &str| json::html_safe_len(text).to_string();
    let text = |text: &str| json::to_string(&text.into());
    let mut out = vec![
        ("version", text(&versions[index].name)),
        ("served", versions[index].served.to_string()),
        ("model", text(&v2.model)),
        ("listModel", text(&v2.list_model)),
        ("schemaV2", texts2.schema),
        ("listSchemaV2", texts2.list_schema),
        ("schemaV3", texts3.schema),
        ("listSchemaV3", texts3.list_schema),
        ("v2Bytes", size(&texts2.document)),
        ("v3Bytes", size(&texts3.document)),
    ];
    if !request.brief {
        out.extend([("v2", texts2.document), ("v3", texts3.document)]);
    }
    Ok(out.into_iter().collect())
}
