//! Operations on CRDs: `crd` and `structural`.

use super::error::Error;
use super::request::{Request, definition, definition_for};
use super::{Answer, fields, texts};
use crate::check::{self, Condition, Options};
use crate::diag::{BadValue, Diag};
use crate::encode;
use crate::server::invalid;
use crate::value::Value;

/// Checks a new CRD, or the update of `old`.
pub(super) fn check(request: &Request) -> Answer {
    let options = Options { server: request.server()? };
    let (crd, strict) = definition_for(&request.crd, options.server)?;
    let report = if request.old.is_empty() {
        check::create(&crd, &options)
    } else {
        let (old, _) = definition_for(&request.old, options.server).map_err(Error::of("old"))?;
        check::update(&crd, &old, &options)
    };
    let mut out = fields([
        ("strict", texts(strict)),
        ("errors", Value::List(report.errors.iter().map(field_error).collect())),
        ("valid", report.is_accepted().into()),
    ]);
    if report.is_accepted() {
        out.insert("warnings", texts(report.warnings.iter().map(|w| w.detail.clone())));
        out.insert("conditions", Value::List(report.conditions.iter().map(condition).collect()));
        out.insert("stored", encode::stored(&report.stored(&crd)));
    } else {
        out.insert(
            "message",
            invalid("CustomResourceDefinition.apiextensions.k8s.io", report.name(), report.errors.iter())
                .into(),
        );
    }
    Ok(out)
}

/// An error in the form of the API.
pub(super) fn field_error(diag: &Diag) -> Value {
    Value::Map(fields([
        ("type", diag.kind.map_or("", |kind| kind.reason()).into()),
        ("field", diag.field.as_str().into()),
        ("badValue", diag.bad.as_ref().map(BadValue::to_value).unwrap_or_default()),
        ("detail", diag.detail.as_str().into()),
        ("text", diag.text().into()),
        ("code", diag.code.id.into()),
    ]))
}

fn condition(condition: &Condition) -> Value {
    let Condition { ty, status, reason, message } = condition;
    Value::Map(fields([
        ("type", (*ty).into()),
        ("status", (*status).into()),
        ("reason", (*reason).into()),
        ("message", message.as_str().into()),
    ]))
}

/// Whether the schema of each version is structural.
pub(super) fn structural(request: &Request) -> Answer {
    let (crd, _) = definition(&request.crd)?;
    let versions = check::structural_versions(&crd, request.server()?).into_iter().map(|(name, result)| {
        let mut out = fields([("version", name.into()), ("errors", Value::List(Vec::new()))]);
        match result {
            None => {
                out.insert("noSchema", Value::Bool(true));
            }
            Some(Err(why)) => {
                out.insert("newStructuralError", why.to_string().into());
                out.insert("nonStructural", Value::Bool(true));
            }
            Some(Ok(errors)) => {
                out.insert("nonStructural", Value::Bool(!errors.is_empty()));
                out.insert("errors", texts(errors.iter().map(Diag::text)));
            }
        }
        Value::Map(out)
    });
    Ok(fields([("versions", Value::List(versions.collect()))]))
}
