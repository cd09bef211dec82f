//! The operation `native` of `crdgen rpc`: writes of Kubernetes' own kinds.

use crate::decode;
use crate::kinds::{self, ObjectType, Row, Subresource, api_version};
use crate::meta;
use crate::mistake::Mistake;
use crate::number::parse_uint;
use crate::write::{Answer, Write};
use crdgen_core::apply::Rejected;
use crdgen_core::apply::library::manager::Rejection;
use crdgen_core::diag::{Diag, Kind};
use crdgen_core::rpc::{BadRequest, Other};
use crdgen_core::server::{BadVersion, Server};
use crdgen_core::value::{Map, Value};
use crdgen_core::{go, yaml};

/// The operation, for `crdgen_core::rpc`.
pub const NATIVE: Other = Other { name: "native", needs: &["object"], answer };

fn answer(request: &Value) -> Result<Map<Value>, BadRequest> {
    let text = |name: &str| match request.get(name) {
        Some(Value::Str(text)) => Ok(text.as_str()),
        None | Some(Value::Null) => Ok(""),
        Some(_) => Err(BadRequest(format!("{name} must be a string"))),
    };
    let server = match text("kube")? {
        "" => Server::NEWEST,
        kube => kube.parse().map_err(|why: BadVersion| BadRequest(format!("kube: {why}")))?,
    };
    let (sent, old) = (text("object")?, text("old")?);
    let old = match old {
        "" => None,
        old => Some(read(old).map_err(|why| BadRequest(format!("old: {why}")))?.0),
    };
    let object = read(sent);
    let of = old.as_ref().or(object.as_ref().ok().map(|(object, _)| object));
    let missing = || Ok(rejected(404, "the server could not find the requested resource", None, Vec::new()));
    let (row, version) = match (text("resource")?, of) {
        ("", None) => return Err(BadRequest("object: it has no kind; send its resource".to_owned())),
        ("", Some(of)) => {
            match (of_object(object.as_ref().ok().map(|(object, _)| object)), of_object(Some(of))) {
                // The URL has the version of the object.
                (Some((row, version)), Some((old, _))) if std::ptr::eq(row, old) => (row, version),
                (_, Some(of_old)) => of_old,
                (_, None) => return missing(),
            }
        }
        (resource, _) => match of_resource(resource) {
            Some(found) => found,
            None => return missing(),
        },
    };
    let subresource = match text("subresource")? {
        "" => None,
        _ if old.is_none() => return Err(BadRequest("a subresource needs old".to_owned())),
        name => match Subresource::find(name).filter(|found| row.subresources.contains(found)) {
            None => return missing(),
            found => found,
        },
    };
    let wanted = match subresource {
        Some(Subresource::Scale) => ("autoscaling/v1".to_owned(), "Scale"),
        _ => (api_version(row.group, version), row.kind),
    };
    let wanted = ObjectType { api_version: wanted.0, kind: wanted.1.to_owned() };
    let read = match object {
        Ok((object, repeated)) => {
            decode::decoded(object, row, &wanted, sent.as_bytes()).map(|object| (object, repeated))
        }
        Err(why) => {
            let is_json = sent.trim_start().starts_with('{');
            let why =
                if is_json { format!("couldn't get version/kind; json parse error: {why}") } else { why };
            Err(decode::unrecognized(&wanted.kind, &why, sent.as_bytes()))
        }
    };
    let (object, repeated) = match read {
        Ok(read) => read,
        Err(why) => {
            let deprecated = row.deprecated.map(str::to_owned).into_iter().collect();
            return Ok(rejected(400, &why, None, deprecated));
        }
    };
    let is_strict = request.get("strict").and_then(Value::as_bool).unwrap_or_default();
    let namespace = text("namespace")?;
    let has_revision =
        old.is_none() && parse_uint(meta::text(&object, "resourceVersion")).is_ok_and(|it| it != 0);
    let mut answer =
        Write { row, version, subresource, object, old, namespace, applied: None, server }.answer();
    // The storage rejects it. `crdgen validate` does not, because it also reads objects that were written from a cluster.
    if has_revision && answer.rejected.is_none() {
        let why = "resourceVersion should not be set on objects to be created".to_owned();
        answer.rejected = Some(Rejection::Internal(why).into());
    }
    Ok(shown(row, version, answer, (repeated, is_strict)))
}

/// Reads a text, and finds the fields that occur twice.
fn read(text: &str) -> Result<(Value, Vec<String>), String> {
    let document = yaml::read_one(text.as_bytes()).map_err(|why| why.text)?;
    let repeated = document.strict_errors();
    Ok((document.value, repeated))
}

fn of_object(object: Option<&Value>) -> Option<(&'static Row, &'static str)> {
    let object = object?;
    kinds::find_with_code(object.text("apiVersion"), object.text("kind"))
}

/// The kind of a resource such as `apps/v1/deployments`.
fn of_resource(resource: &str) -> Option<(&'static Row, &'static str)> {
    let (api_version, plural) = resource.rsplit_once('/')?;
    let api_version = api_version.trim_start_matches('/');
    let mut rows = kinds::rows().iter().filter(|row| row.plural == plural && row.has_code());
    rows.find_map(|row| Some((row, row.version_of(api_version)?)))
}

/// The answer in the form of the protocol.
fn shown(row: &Row, version: &str, answer: Answer, (repeated, is_strict): (Vec<String>, bool)) -> Map<Value> {
    let Answer { unknown, warnings, stored, rejected: why } = answer;
    let mut warnings: Vec<String> = warnings.iter().map(Mistake::warning_text).collect();
    let unknown = unknown.iter().map(|field| format!("unknown field {}", go::quote(field)));
    let found: Vec<String> = repeated.into_iter().chain(unknown).collect();
    let kind = row.kind;
    let undecodable = |why: &str| decode::undecodable((&api_version(row.group, version), kind), kind, why);
    if is_strict && !found.is_empty() {
        let why = format!("strict decoding error: {}", found.join(", "));
        return rejected(400, &undecodable(&why), None, warnings);
    }
    let deprecated = usize::from(row.deprecated.is_some()).min(warnings.len());
    if !matches!(why, Some(Rejected::Undecodable(_))) {
        warnings.splice(deprecated..deprecated, found);
    }
    match why {
        Some(Rejected::Undecodable(why)) => rejected(400, &undecodable(&why.to_string()), None, warnings),
        Some(Rejected::Invalid { message, errors, kind: _ }) => {
            rejected(422, &message, Some(&errors), warnings)
        }
        Some(why) => rejected(why.code(), &why.message(), None, warnings),
        None => {
            let members = [
                ("accepted", Value::Bool(true)),
                ("stored", stored.unwrap_or_default()),
                ("warnings", warnings.into()),
            ];
            members.into_iter().collect()
        }
    }
}

fn rejected(code: u16, message: &str, errors: Option<&[Diag]>, warnings: Vec<String>) -> Map<Value> {
    let error = |diag: &Diag| {
        meta::map([
            ("type", diag.kind.map_or("", Kind::reason).into()),
            ("field", diag.field.as_str().into()),
            ("detail", diag.detail.as_str().into()),
            ("text", diag.text().into()),
        ])
    };
    let mut out: Map<Value> = [
        ("accepted", Value::Bool(false)),
        ("code", Value::Int(i64::from(code))),
        ("error", message.into()),
        ("warnings", warnings.into()),
    ]
    .into_iter()
    .collect();
    if let Some(errors) = errors {
        out.insert("errors", Value::List(errors.iter().map(error).collect()));
    }
    out
}
