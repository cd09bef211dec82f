//! crdgen in a browser. The page sends one JSON document and gets another one. There is no other input or output, so
//! the same code runs in tests. The page is in `templates/playground`.

mod definitions;
mod objects;
mod request;
mod rule;
mod views;

use crdgen_core::documents::Finding;
use crdgen_core::json;
use crdgen_core::server::Server;
use crdgen_core::value::{Map, Value};

use definitions::Definitions;
use request::Request;

/// Answers a request: `{"definitions", "language", "objects", "rule", "path", "view", "kube"}`. The answer has `findings`,
/// each with the `file` it is in, `summary`, what the view shows as `shown`, the `versions` of Kubernetes, and
/// `error` if the request cannot be read.
#[cfg_attr(target_family = "wasm", wasm_bindgen::prelude::wasm_bindgen)]
pub fn answer(request: &str) -> String {
    let answer = match Request::read(request) {
        Ok(request) => answered(&request),
        Err(why) => Value::Map(Map::from_iter([("error", Value::from(why.to_string().as_str()))])),
    };
    json::to_string(&answer)
}

fn answered(request: &Request) -> Value {
    let definitions = Definitions::read(request);
    let objects = objects::judge(request, &definitions);
    let mut findings: Vec<Value> = listed("definitions", &definitions.findings).collect();
    findings.extend(listed("objects", &objects.findings));
    let rule = rule::ask(request, &definitions, &objects);
    findings.extend(listed("rule", &rule.findings));
    let count = |count: usize| Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
    let summary = Map::from_iter([
        ("definitions", count(definitions.crds.len())),
        ("accepted", count(definitions.kinds.len())),
        ("objects", count(objects.count)),
        ("valid", count(objects.valid)),
    ]);
    Value::Map(Map::from_iter([
        ("findings", Value::List(findings)),
        ("summary", Value::Map(summary)),
        ("rule", rule.answer),
        ("shown", views::show(request, &definitions, &objects)),
        ("versions", Value::List(versions().collect())),
    ]))
}

/// The minor versions of Kubernetes whose answers are exact, the newest first.
fn versions() -> impl Iterator<Item = Value> {
    let all = Server::OLDEST.minor()..=Server::NEWEST.minor();
    all.rev().map(|minor| Value::Int(minor.into()))
}

fn listed<'f>(file: &'f str, findings: &'f [Finding]) -> impl Iterator<Item = Value> + 'f {
    findings.iter().map(move |finding| finding.to_value(file))
}

#[cfg(test)]
mod tests;
