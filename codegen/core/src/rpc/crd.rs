//! Operations on definitions: `crd` and `structural`.

use super::request::{Request, definition};
use super::{Answer, fields, texts};
use crate::check::{self, Condition, Options};
use crate::diag::{BadValue, Diag};
use crate::encode;
use crate::go;
use crate::ir::Status;
use crate::value::{Map, Value};

/// Checks a definition that is to be created, or with `old` to be updated.
pub(super) fn check(request: &Request) -> Answer {
    let (crd, mut strict) = definition(&request.crd)?;
    let options = Options { server: request.server()? };
    if options.server.is_before(35) {
        strict.extend(unknown_status(&crd.status));
    }
    let report = if request.old.is_empty() {
        check::create(&crd, &options)
    } else {
        let (old, _) = definition(&request.old).map_err(|e| format!("old: {e}"))?;
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

/// The fields of the status that servers before 1.35 do not know.
fn unknown_status(status: &Status) -> impl Iterator<Item = String> {
    let own = (status.observed_generation != 0).then(|| "status.observedGeneration".to_owned());
    let conditions = status.conditions.iter().flatten().enumerate();
    let of_conditions = conditions
        .filter(|(_, condition)| condition.observed_generation != 0)
        .map(|(i, _)| format!("status.conditions[{i}].observedGeneration"));
    own.into_iter().chain(of_conditions).map(|field| format!("unknown field {}", go::quote(&field)))
}

/// An error as the API has it.
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

/// The message of the status that a server answers with: each text once.
pub(super) fn invalid<'d>(kind: &str, name: &str, errors: impl Iterator<Item = &'d Diag>) -> String {
    let mut all: Vec<String> = Vec::new();
    let mut seen: Map<()> = Map::new();
    for text in errors.map(Diag::text) {
        if seen.insert(text.clone(), ()).is_none() {
            all.push(text);
        }
    }
    let all = if let [one] = &all[..] { one.clone() } else { format!("[{}]", all.join(", ")) };
    format!("{kind} {} is invalid: {all}", go::quote(name))
}

/// Whether the schemas are structural, version by version.
pub(super) fn structural(request: &Request) -> Answer {
    let (crd, _) = definition(&request.crd)?;
    let versions = check::structural_versions(&crd).into_iter().map(|(name, result)| {
        let mut out = fields([("version", name.into()), ("errors", Value::List(Vec::new()))]);
        match result {
            None => {
                out.insert("noSchema", Value::Bool(true));
            }
            Some(Err(why)) => {
                out.insert("newStructuralError", why.into());
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
