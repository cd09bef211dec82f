//! Random updates of CRDs: small changes of their schemas that tighten or loosen them, or mean something else.

mod fields;
pub mod forms;
pub mod rules;
mod values;

use crdgen_core::path::Step;
use crdgen_core::value::{Map, Value};
use crdgen_tests::rng::Rng;

/// A kind of change: its name, and a function that makes it at a schema. It returns whether it found something to change.
pub struct Edit {
    /// The name.
    pub name: &'static str,
    /// The change.
    pub run: fn(&mut Map<Value>, &mut Rng) -> bool,
}

/// How many places are tried for one change.
const TRIES: usize = 60;

/// Returns all kinds of changes.
pub fn edits() -> impl Iterator<Item = &'static Edit> {
    values::EDITS.iter().chain(fields::EDITS)
}

/// Changes a CRD at a random place. Returns whether there was something to change.
pub fn apply(edit: &Edit, crd: &mut Value, rng: &mut Rng) -> bool {
    let nodes = nodes(crd);
    if nodes.is_empty() {
        return false;
    }
    (0..TRIES).any(|_| {
        let place = &nodes[rng.below(nodes.len())];
        let node = crd.at_mut(place).and_then(Value::as_map_mut);
        node.is_some_and(|node| (edit.run)(node, rng))
    })
}

/// The schemas of all versions, except of those in junctors.
fn nodes(crd: &Value) -> Vec<Vec<Step>> {
    let key = |name: &str| Step::Key(name.to_owned());
    let versions = [key("spec"), key("versions")];
    let count = crd.at(&versions).and_then(Value::as_list).map_or(0, <[Value]>::len);
    let root = |at| [&versions[..], &[Step::Index(at), key("schema"), key("openAPIV3Schema")]].concat();
    let mut open: Vec<Vec<Step>> = (0..count).map(root).collect();
    let mut out = Vec::new();
    while let Some(place) = open.pop() {
        let Some(node) = crd.at(&place).and_then(Value::as_map) else { continue };
        for (name, inner) in node.iter() {
            match name {
                "properties" => {
                    let names = inner.as_map().into_iter().flat_map(Map::keys);
                    let own = names.filter(|name| !matches!(*name, "apiVersion" | "kind" | "metadata"));
                    open.extend(own.map(|field| [&place[..], &[key(name), key(field)]].concat()));
                }
                "items" | "additionalProperties" if inner.as_map().is_some() => {
                    open.push([&place[..], &[key(name)]].concat());
                }
                _ => {}
            }
        }
        out.push(place);
    }
    out
}

/// Changes the schema at a place of a CRD.
fn apply_at(crd: &mut Value, place: &[Step], change: impl FnOnce(&mut Map<Value>)) {
    if let Some(node) = crd.at_mut(place).and_then(Value::as_map_mut) {
        change(node);
    }
}

/// Whether a schema has this type.
fn is(node: &Map<Value>, ty: &str) -> bool {
    node.get("type").and_then(Value::as_str) == Some(ty)
}

fn number(node: &Map<Value>, key: &str) -> Option<f64> {
    node.get(key).and_then(|value| value.as_float().or(value.as_int().map(|it| it as f64)))
}

fn integer(node: &Map<Value>, key: &str) -> Option<i64> {
    node.get(key).and_then(Value::as_int)
}

fn json(text: &str) -> Value {
    crdgen_tests::json::json(text)
}
