//! One request, one answer, each a line of JSON: for editors and for other languages. The protocol is
//! that of `tests/oracle`, so that the same requests can be sent to both.

mod cel;
mod crd;
mod eval;
mod object;
mod openapi;
mod request;
mod versions;

use crate::json;
use crate::value::{Map, Value};
use request::Request;

/// An answer, or why there is none.
type Answer = Result<Map<Value>, String>;

type Operation = fn(&Request) -> Answer;

/// The operations, by name.
const OPERATIONS: &[(&str, Operation)] = &[
    ("cel", cel::rules),
    ("eval", eval::evaluate),
    ("crd", crd::check),
    ("structural", crd::structural),
    ("object", object::write),
    ("openapi", openapi::documents),
    ("scale", object::scale),
    ("table", object::table),
    ("priority", versions::priority),
    ("version", versions::version),
    ("yaml", read_text),
];

/// Answers a request. A bad request gets an `error`; should the program itself fail, the answer says
/// so in `panic`.
pub fn handle(line: &str) -> String {
    let request = match json::read(line.as_bytes()) {
        Ok(value) => value,
        Err(e) => return answer(None, Err(format!("bad request: {}", e.text))),
    };
    let id = request.get("id").cloned();
    let work = std::panic::AssertUnwindSafe(|| dispatch(request));
    match std::panic::catch_unwind(work) {
        Ok(result) => answer(id, result),
        Err(panic) => {
            let words = panic.downcast_ref::<String>().map(String::as_str);
            let words = words.or(panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
            answer(id, Ok(fields([("panic", words.into())])))
        }
    }
}

fn dispatch(request: Value) -> Answer {
    let request = Request::read(request)?;
    match OPERATIONS.iter().find(|(name, _)| *name == request.op) {
        Some((_, operation)) => operation(&request),
        None => Err(format!("unknown op {}", crate::go::quote(&request.op))),
    }
}

/// What a text is for the server and for kubectl.
fn read_text(request: &Request) -> Answer {
    if request.base64.is_empty() {
        return Ok(crate::yaml::report(request.text.as_bytes()));
    }
    let bytes = crate::go::base64_decode(&request.base64).ok_or("bad request: base64 is none")?;
    Ok(crate::yaml::report(&bytes))
}

fn answer(id: Option<Value>, result: Answer) -> String {
    let mut map = result.unwrap_or_else(|error| fields([("error", error.into())]));
    if let Some(id) = id {
        map.insert("id", id);
    }
    json::to_string(&Value::Map(map))
}

fn fields<const N: usize>(fields: [(&str, Value); N]) -> Map<Value> {
    fields.into_iter().collect()
}

fn texts(all: impl IntoIterator<Item = String>) -> Value {
    Value::List(all.into_iter().map(Value::Str).collect())
}
