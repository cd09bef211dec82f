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
use crate::finding::unsearched;
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

/// The fields that a request must have. Of those that are separated with `|`, one is enough.
type Needs = &'static [&'static str];

/// The operations, by name.
const OPERATIONS: &[(&str, Needs, Operation)] = &[
    #[cfg(feature = "apply")]
    ("apply", &["request"], Values(apply::write)),
    ("cel", &["crd"], Texts(cel::rules)),
    ("eval", &["exprs"], Values(eval::evaluate)),
    ("regexp", &["patterns"], Values(regexp::matches)),
    ("crd", &["crd"], Values(crd::check)),
    ("check", &["crd"], Compares(findings::check)),
    ("lints", &[], Values(findings::lints)),
    ("structural", &["crd"], Values(crd::structural)),
    ("object", &["crd", "object"], Values(object::write)),
    ("openapi", &["crd"], Texts(openapi::documents)),
    ("scale", &["crd", "object"], Values(object::scale)),
    ("table", &["crd", "objects"], Values(object::table)),
    ("priority", &["versions"], Values(versions::priority)),
    ("version", &[], Values(versions::version)),
    ("yaml", &["text|base64"], Values(read_text)),
];

/// An operation of a crate above this one.
#[derive(Clone, Copy, Debug)]
pub struct Other {
    /// Its name.
    pub name: &'static str,
    /// The fields that a request must have.
    pub needs: &'static [&'static str],
    /// Returns the fields of the answer, or why there is none.
    pub answer: fn(&Value) -> Result<Map<Value>, BadRequest>,
}

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
    let op = request.text("op");
    if let Some(other) = above.operations.iter().find(|other| other.name == op) {
        let done = check_needs(other.name, other.needs, &request)
            .and_then(|()| (other.answer)(&request).map_err(|BadRequest(why)| Error::Request(why)));
        return answer(id, done);
    }
    let found = OPERATIONS.iter().find(|(name, ..)| *name == op);
    let needs = found.map_or(Ok(()), |(name, needs, _)| check_needs(name, needs, &request));
    let request = match Request::read(request).and_then(|request| needs.map(|()| request)) {
        Ok(request) => request,
        Err(error) => return answer(id, Err(error)),
    };
    match found {
        Some((.., Values(operation))) => answer(id, operation(&request)),
        Some((.., Compares(operation))) => answer(id, operation(&request, above.changes)),
        Some((.., Texts(operation))) => match operation(&request) {
            Ok(members) => written(id, members),
            Err(error) => answer(id, Err(error)),
        },
        None => answer(id, Err(Error::Unknown("op", request.op))),
    }
}

/// Looks for the fields that a request must have. An empty text is a value, as the text of an empty file.
fn check_needs(op: &str, needs: Needs, request: &Value) -> Result<(), Error> {
    let has = |name: &str| request.get(name).is_some_and(|value| !value.is_null());
    match needs.iter().find(|names| !names.split('|').any(has)) {
        None => Ok(()),
        Some(names) => Err(Error::Missing { op: op.to_owned(), names }),
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
