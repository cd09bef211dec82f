//! The operation `apply`: writes of objects with the owners of their fields.

use super::error::Error;
use super::object::served;
use super::request::{Request, document};
use super::{Answer, fields, texts};
use crate::apply::library::managed::Identity;
use crate::apply::library::manager::Rejection;
use crate::apply::{self, BuiltIn, Rejected, Verb, Write, Writer, as_stored, with_owners_only};
use crate::go;
use crate::object::write::NOW;
use crate::value::{Map, Value};

/// The time of the request while it is processed: later than all times in objects, so that its entries are sorted last. The
/// answer has a constant instead.
const LATER: &str = "9999-12-31T23:59:59Z";

/// Applies a configuration, or writes the object in another way.
pub(super) fn write(request: &Request) -> Answer {
    let verb = match request.kind.as_str() {
        "" | "apply" if request.manager.is_empty() => {
            return Err(Error::Request("apply needs a manager".to_owned()));
        }
        "" | "apply" => Verb::Apply { force: request.force },
        "update" => Verb::Update,
        "patch-merge" => Verb::MergePatch,
        "patched" => Verb::Patched,
        other => return Err(Error::Unknown("kind", other.to_owned())),
    };
    let (body, strict) = match document(&request.request) {
        Ok(read) => read,
        Err(why) => {
            let message = format!("error decoding patch: {why}");
            return Ok(rejected(&Rejected::Request(Rejection::BadRequest(message))));
        }
    };
    let live = match request.live.as_str() {
        "" if !request.subresource.is_empty() => return Err(Error::NeedsOld(request.subresource.clone())),
        "" => None,
        text => {
            let mut live = document(text).map_err(Error::of("live"))?.0;
            as_stored(&mut live);
            Some(live)
        }
    };
    let write = Write {
        verb,
        manager: &request.manager,
        body,
        live,
        subresource: &request.subresource,
        namespace: &request.namespace,
        now: LATER,
    };
    let answer = answer(request, write)?;
    let mut out = Map::new();
    if let Some(why) = &answer.rejected {
        out = rejected(why);
    }
    out.insert("warnings", texts(answer.warnings.into_iter().map(|warning| warning.text)));
    if verb != (Verb::Apply { force: request.force }) && request.subresource != "scale" {
        let unknown = answer.unknown.iter().map(|field| format!("unknown field {}", go::quote(field)));
        out.insert("strict", texts(strict.into_iter().chain(unknown)));
    }
    for (name, object) in [("merged", answer.merged), ("object", answer.object)] {
        if let Some(object) = object {
            out.insert(name, shown(object));
        }
    }
    Ok(out)
}

/// The server's answer. Without a CRD, the object is of one of Kubernetes' own kinds.
fn answer(request: &Request, write: Write<'_>) -> Result<apply::Answer, Error> {
    if request.crd.is_empty() {
        let of = write.live.as_ref().unwrap_or(&write.body);
        let (version, kind) = (of.text("apiVersion"), of.text("kind"));
        let of = BuiltIn::find(version, kind).ok_or_else(|| {
            Error::Request(format!("{version} {kind} is none of Kubernetes' own kinds; send its CRD"))
        })?;
        return Ok(of.write(write)?);
    }
    let served = served(request)?;
    let version = served.version(&request.version)?;
    let writer = Writer::new(&served).map_err(|mistakes| {
        Error::Request(format!("failed to convert models to schema: {}", mistakes.join("\n")))
    })?;
    Ok(writer.write(version, write)?)
}

/// The object without what only a server can determine, and with its owners.
fn shown(mut object: Value) -> Value {
    let metadata = object.as_map_mut().and_then(|map| map.get_mut("metadata"));
    let managed = metadata.and_then(|metadata| metadata.as_map_mut()?.get_mut("managedFields"));
    if let Some(Value::List(entries)) = managed {
        for entry in entries.iter_mut().filter_map(Value::as_map_mut) {
            if entry.get("time").and_then(Value::as_str) == Some(LATER) {
                entry.insert("time", Value::from(NOW));
            }
        }
    }
    with_owners_only(object)
}

/// The server's status, and the conflicts.
fn rejected(why: &Rejected) -> Map<Value> {
    let message = why.message();
    let mut conflicts = Vec::new();
    if let Rejected::Request(Rejection::Conflicts(found)) = why {
        for conflict in found.shown() {
            let owner = Identity::read(&conflict.manager);
            conflicts.push(Value::Map(fields([
                ("manager", owner.manager.as_str().into()),
                ("field", conflict.path.to_string().into()),
                ("message", format!("conflict with {}", owner.words()).into()),
            ])));
        }
    }
    let reason = match why {
        Rejected::Undecodable(_) | Rejected::Request(Rejection::BadRequest(_)) => "BadRequest",
        Rejected::Request(Rejection::Conflicts(_)) | Rejected::Modified(_) => "Conflict",
        Rejected::Request(Rejection::Internal(_)) => "",
        Rejected::Denied => "Forbidden",
        Rejected::NotFound(_) => "NotFound",
        Rejected::Invalid { .. } => "Invalid",
    };
    let mut status = fields([
        ("code", i64::from(why.code()).into()),
        ("message", message.as_str().into()),
        ("status", "Failure".into()),
    ]);
    if !reason.is_empty() {
        status.insert("reason", reason.into());
    }
    fields([("error", message.into()), ("status", Value::Map(status)), ("conflicts", Value::List(conflicts))])
}
