//! Answers requests, each a line of JSON with one line as its answer, for editors and other languages. The protocol is
//! the same as that of `tests/oracle`, so both can answer the same requests.

#[cfg(feature = "apply")]
mod apply;
mod cel;
mod crd;
mod error;
mod eval;
mod findings;
mod object;
mod openapi;
mod regexp;
mod request;
mod rules;
mod versions;
pub mod yaml;

use crate::check::lints::Changes;
use crate::compare::proof::unsearched;
use crate::json;
use crate::value::{Map, Value};
use error::Error;
use request::Request;

/// The fields of an answer, or why there is none.
type Answer = Result<Map<Value>, Error>;

/// The function that answers a request.
enum Operation {
    Values(fn(&Request) -> Answer),
    /// The same, with fields that are already JSON text.
    Texts(fn(&Request) -> Result<Map<String>, Error>),
    /// A function that compares CRDs.
    Compares(fn(&Request, Changes<'_>) -> Answer),
}

use Operation::{Compares, Texts, Values};

/// The operations, by name.
const OPERATIONS: &[(&str, Operation)] = &[
    #[cfg(feature = "apply")]
    ("apply", Values(apply::write)),
    ("cel", Texts(cel::rules)),
    ("eval", Values(eval::evaluate)),
    ("regexp", Values(regexp::matches)),
    ("crd", Values(crd::check)),
    ("check", Compares(findings::check)),
    ("lints", Values(findings::lints)),
    ("structural", Values(crd::structural)),
    ("object", Values(object::write)),
    ("openapi", Texts(openapi::documents)),
    ("scale", Values(object::scale)),
    ("table", Values(object::table)),
    ("priority", Values(versions::priority)),
    ("version", Values(versions::version)),
    ("yaml", Values(read_text)),
];

/// An operation of a crate above this one: its name, and the function that returns the fields of its answer, or why there
/// is none.
pub type Other = (&'static str, fn(&Value) -> Result<Map<Value>, BadRequest>);

/// What a crate above this one adds.
#[derive(Clone, Copy)]
pub struct Above<'a> {
    /// More operations.
    pub operations: &'a [Other],
    /// How the operation `check` compares an old CRD with a new one.
    pub changes: Changes<'a>,
}

/// Why a request to an operation of another crate gets no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRequest(pub String);

/// Answers a request. The answer to an invalid request contains an `error`. If the program itself fails, the answer
/// contains `panic`.
pub fn handle(line: &str) -> String {
    handle_with(line, Above { operations: &[], changes: &unsearched })
}

/// Answers a request like [`handle`], with what a crate above this one adds.
pub fn handle_with(line: &str, above: Above<'_>) -> String {
    let request = match json::read(line.as_bytes()) {
        Ok(value) => value,
        Err(e) => return answer(None, Err(Error::Request(e.text))),
    };
    let id = request.get("id").cloned();
    let work = std::panic::AssertUnwindSafe(|| dispatch(request, id.as_ref(), above));
    std::panic::catch_unwind(work).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or(panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
        answer(id.as_ref(), Ok(fields([("panic", words.into())])))
    })
}

fn dispatch(request: Value, id: Option<&Value>, above: Above<'_>) -> String {
    let op = request.get("op").and_then(Value::as_str).unwrap_or_default();
    if let Some((_, operation)) = above.operations.iter().find(|(name, _)| *name == op) {
        return answer(id, operation(&request).map_err(|BadRequest(why)| Error::Request(why)));
    }
    let request = match Request::read(request) {
        Ok(request) => request,
        Err(error) => return answer(id, Err(error)),
    };
    match OPERATIONS.iter().find(|(name, _)| *name == request.op) {
        Some((_, Values(operation))) => answer(id, operation(&request)),
        Some((_, Compares(operation))) => answer(id, operation(&request, above.changes)),
        Some((_, Texts(operation))) => match operation(&request) {
            Ok(members) => written(id, members),
            Err(error) => answer(id, Err(error)),
        },
        None => answer(id, Err(Error::Unknown("op", request.op))),
    }
}

/// What the server and kubectl read from a text.
fn read_text(request: &Request) -> Answer {
    if request.base64.is_empty() {
        return Ok(yaml::report(request.text.as_bytes()));
    }
    let bytes = crate::go::base64_decode(&request.base64)
        .ok_or_else(|| Error::Request("base64 is none".to_owned()))?;
    Ok(yaml::report(&bytes))
}

fn answer(id: Option<&Value>, result: Answer) -> String {
    let mut map = result.unwrap_or_else(|error| fields([("error", error.to_string().into())]));
    if let Some(id) = id {
        map.insert("id", id.clone());
    }
    json::to_string(&Value::Map(map))
}

/// An answer whose fields are JSON text.
fn written(id: Option<&Value>, mut members: Map<String>) -> String {
    if let Some(id) = id {
        members.insert("id", json::to_string(id));
    }
    let mut out = String::with_capacity(members.iter().map(|(key, text)| key.len() + text.len() + 4).sum());
    json::write_members(members.iter().map(|(key, text)| (key, text.as_str())), &mut out);
    out
}

fn fields<const N: usize>(fields: [(&str, Value); N]) -> Map<Value> {
    fields.into_iter().collect()
}

fn texts(all: impl IntoIterator<Item = String>) -> Value {
    Value::List(all.into_iter().map(Value::Str).collect())
}
