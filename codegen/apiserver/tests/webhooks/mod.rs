//! The server calls webhooks: in the process, and over HTTPS.

mod admission;
mod controllers;
mod conversion;
#[cfg(feature = "http")]
mod https;

use crate::common::{get, merge, post, send};
use crdgen_apiserver::Reviewer;
use crdgen_core::json;
use crdgen_core::value::{Map, Value};

fn read(text: &str) -> Value {
    json::read(text.as_bytes()).unwrap_or_else(|why| panic!("{why}: {text}"))
}

fn find<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(value, |value, name| match value {
        Value::List(items) => items.get(name.parse::<usize>().ok()?),
        _ => value.get(name),
    })
}

/// A text at a path, or an empty one.
fn at<'v>(value: &'v Value, path: &str) -> &'v str {
    find(value, path).and_then(Value::as_str).unwrap_or_default()
}

fn map<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Map(members.into_iter().collect::<Map<Value>>())
}

/// A webhook that answers a review of a kind with a response, which gets the uid of the request.
fn reviewer(answer: impl Fn(&Value) -> Value + Send + Sync + 'static) -> Reviewer {
    Reviewer::new(move |review| {
        let review = read(review);
        let mut response = answer(find(&review, "request").expect("a request"));
        if let Value::Map(map) = &mut response {
            map.entry_or_insert_with("uid", || at(&review, "request.uid").into());
        }
        let type_meta = |name| find(&review, name).cloned().unwrap_or_default();
        json::to_string(&map([
            ("apiVersion", type_meta("apiVersion")),
            ("kind", type_meta("kind")),
            ("response", response),
        ]))
    })
}
