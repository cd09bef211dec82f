//! Operations on objects: `object` and `scale`.

use super::crd::field_error;
use super::error::Error;
use super::findings;
use super::request::{Request, definition, document};
use super::{Answer, fields, texts};
use crate::GroupVersion;
use crate::diag::{Diags, Level};
use crate::go;
use crate::object::scale::Scaled;
use crate::object::write::{Part, Written, presentable};
use crate::object::{Action, Admission, Checked, Refusal, Served};
use crate::server::invalid;
use crate::value::{Map, Value};
use std::time::SystemTime;

pub(super) fn served(request: &Request) -> Result<Served, Error> {
    Ok(Served::on(request.server()?, definition(&request.crd)?.0)?)
}

/// Creates an object, or updates `old` or one of its subresources.
pub(super) fn write(request: &Request) -> Answer {
    if request.subresource == "scale" {
        return put_scale(request, &request.old, &request.object);
    }
    let served = served(request)?;
    let version = served.version(&request.version)?;
    let findings = |out: Map<Value>, find: &dyn Fn() -> Diags| {
        if request.findings { findings::of_object(&request.object, find(), out) } else { out }
    };
    let (object, mut strict) = match document(&request.object) {
        Ok(read) => read,
        Err(error) => return Ok(findings(failed("decodeError", error), &Diags::new)),
    };
    let decoded = served.decode(object.clone(), &version.name);
    let Checked { unknown, written } =
        match served.admit(version, object, action(request)?, &request.namespace)? {
            Admission::Undecodable(error) => {
                let diag = error.diag();
                let out = failed("decodeError", with_text(error, &request.object));
                return Ok(findings(out, &|| vec![diag.clone()]));
            }
            Admission::Checked(checked) => *checked,
        };
    let dropped: Diags = unknown.iter().map(|unknown| unknown.clone().diag(Level::Error)).collect();
    strict.extend(unknown.iter().map(|unknown| format!("unknown field {}", go::quote(&unknown.field))));
    let mut out = fields([
        ("strict", texts(strict)),
        ("unknownFields", texts(unknown.into_iter().map(|unknown| unknown.field))),
        ("decoded", decoded.map(|decoded| presentable(decoded.object)).unwrap_or_default()),
        ("prepared", presentable(written.prepared.clone())),
    ]);
    result(&written, &mut out);
    Ok(findings(out, &|| {
        let errors: Diags = written.errors.iter().map(|(_, diag)| diag.clone()).collect();
        let next = served.next(version, &written.prepared, &errors);
        errors.into_iter().chain(dropped.iter().cloned()).chain(next).collect()
    }))
}

fn action(request: &Request) -> Result<Action, Error> {
    let old = || document(&request.old).map(|(old, _)| old).map_err(Error::of("old"));
    match (request.subresource.as_str(), request.old.is_empty()) {
        ("", true) => Ok(Action::Create),
        ("", false) => Ok(Action::Update(old()?)),
        ("status", false) => Ok(Action::UpdateStatus(old()?)),
        (other, true) => Err(Error::NeedsOld(other.to_owned())),
        (other, false) => Err(Error::Unknown("subresource", other.to_owned())),
    }
}

/// Reads the scale subresource, or writes it if there is `scale`.
pub(super) fn scale(request: &Request) -> Answer {
    if !request.scale.is_empty() {
        return put_scale(request, &request.object, &request.scale);
    }
    let served = served(request)?;
    let version = served.version(&request.version)?;
    let (object, _) = document(&request.object)?;
    Ok(match served.scale(object, version)? {
        Ok(scale) => fields([("scale", scale)]),
        Err(error) => fields([("scaleError", error.to_string().into())]),
    })
}

/// The table of stored objects.
pub(super) fn table(request: &Request) -> Answer {
    let served = served(request)?;
    let version = served.version(&request.version)?;
    let objects = request.objects.iter().enumerate().map(|(i, text)| {
        document(text).map(|(object, _)| object).map_err(Error::of(format!("objects[{i}]")))
    });
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let table = served.table(objects.collect::<Result<_, Error>>()?, version, now as i64)?;
    let rows = table.rows.into_iter().map(Value::List).collect();
    let mut out = fields([("columnDefinitions", Value::List(table.columns)), ("rows", Value::List(rows))]);
    if let Some(error) = table.column_error {
        out.insert("columnError", error.into());
    }
    Ok(out)
}

fn put_scale(request: &Request, object: &str, scale: &str) -> Answer {
    let served = served(request)?;
    let version = served.version(&request.version)?;
    let (object, _) = document(object)?;
    let (scale, _) = match document(scale) {
        Ok(read) => read,
        Err(error) => return Ok(failed("decodeError", error)),
    };
    Ok(match served.handler(version).write_scale(object, &scale)? {
        Scaled::Undecodable(error) => failed("decodeError", error),
        Scaled::Failed(error) => failed("scaleError", error),
        Scaled::Written(written, scale) => {
            let mut out = Map::new();
            result(&written, &mut out);
            out.remove("warnings");
            out.remove("stored");
            if let Some(scale) = scale {
                out.insert("scale", scale);
            }
            out
        }
    })
}

/// The server repeats the object as the client wrote it.
fn with_text(error: Refusal, text: &str) -> Refusal {
    if matches!(error, Refusal::NoKind(_)) { Refusal::NoKind(text.to_owned()) } else { error }
}

fn failed(what: &str, error: impl std::fmt::Display) -> Map<Value> {
    fields([(what, error.to_string().into()), ("valid", false.into())])
}

fn result(written: &Written, out: &mut Map<Value>) {
    let errors = written.errors.iter().map(|(part, diag)| {
        let mut error = field_error(diag);
        if let Value::Map(map) = &mut error {
            map.insert("source", source(*part).into());
        }
        error
    });
    out.insert("errors", Value::List(errors.collect()));
    out.insert("valid", written.errors.is_empty().into());
    out.insert("warnings", texts(written.warnings.iter().map(|warning| warning.text.clone())));
    if !written.errors.is_empty() {
        let name = written.prepared.get("metadata").and_then(|m| m.get("name")).and_then(Value::as_str);
        let kind =
            GroupVersion::of(written.prepared.text("apiVersion")).qualify(written.prepared.text("kind"));
        let errors = written.errors.iter().map(|(_, diag)| diag);
        out.insert("message", invalid(&kind, name.unwrap_or_default(), errors).into());
    }
    if let Some(result) = &written.result {
        out.insert("result", presentable(result.clone()));
    }
    if let Some(stored) = &written.stored {
        out.insert("stored", presentable(stored.clone()));
    }
    if let Some(error) = &written.store_error {
        out.insert("storeError", error.to_string().into());
    }
}

fn source(part: Part) -> &'static str {
    match part {
        Part::TypeMeta => "typemeta",
        Part::Metadata => "metadata",
        Part::Schema => "schema",
        Part::Embedded => "embedded",
        Part::Scale => "scale",
        Part::Lists => "listtype",
        Part::Rules => "cel",
    }
}
