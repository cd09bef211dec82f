//! Objects that a server accepts: real ones, and ones generated from schemas.

use crdgen_core::ir::Crd;
use crdgen_core::json::to_string;
use crdgen_core::object::Served;
use crdgen_core::object::write::Handler;
use crdgen_core::path::Step;
use crdgen_core::value::Value;
use crdgen_core::{encode, yaml};

use super::Accepted;
use crate::corpus::Seed;
use crate::json::json;
use crate::mutate::object::object_for;
use crate::rng::Rng;

/// A valid object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Where it comes from.
    pub name: String,
    /// The index of its CRD.
    pub definition: usize,
    /// Its version.
    pub version: String,
    /// The object, as the server returns it to a client.
    pub value: Value,
}

/// Returns the stored object, and the object as it was sent if the server knows all of its fields. If the server
/// rejects it, returns the places of the errors.
fn created(
    served: &Served,
    handler: &Handler<'_>,
    version: &str,
    sent: &Value,
) -> Result<Vec<Value>, Vec<Vec<Step>>> {
    let nowhere = |_| Vec::new();
    let decoded = served.decode(sent.clone(), version).map_err(nowhere)?;
    let mut object = decoded.object;
    served.put_into_namespace(&mut object, "").map_err(nowhere)?;
    let written = handler.create(object);
    let wrong = || written.errors.iter().map(|(_, diag)| diag.steps.clone()).collect::<Vec<_>>();
    let result = written.result.ok_or_else(wrong)?;
    let mut out = Vec::new();
    if decoded.unknown.is_empty() {
        let mut sent = without_dropped(sent, &result);
        // The server sets metadata itself.
        if let (Some(map), Some(metadata)) = (sent.as_map_mut(), result.get("metadata")) {
            map.insert("metadata", metadata.clone());
        }
        // The same is true for a status that is a subresource: the server ignores the status that a client sends.
        if let (Some(map), true) = (sent.as_map_mut(), has_status_resource(served, version)) {
            map.remove("status");
        }
        out.push(sent);
    }
    // An object that is stored in another version loses what that version does not know. Its own version may then
    // reject it.
    if handler.create(result.clone()).result.is_some() {
        out.push(result);
    }
    Ok(out)
}

fn has_status_resource(served: &Served, version: &str) -> bool {
    let spec = &served.crd.spec;
    let index = spec.versions.iter().position(|v| v.name == version);
    index.and_then(|i| spec.subresources_of(i)).is_some_and(|s| s.status)
}

/// Returns an object without the nulls that the server removes from it.
fn without_dropped(sent: &Value, result: &Value) -> Value {
    match (sent, result) {
        (Value::Map(members), Value::Map(kept)) => {
            let stays =
                |(key, value): &(&str, &Value)| !value.is_null() || kept.get(key).is_some_and(Value::is_null);
            let inside = |(key, value): (&str, &Value)| {
                let inner = kept.get(key).map_or_else(|| value.clone(), |kept| without_dropped(value, kept));
                (key.to_owned(), inner)
            };
            Value::Map(members.iter().filter(stays).map(inside).collect())
        }
        (Value::List(items), Value::List(kept)) => {
            Value::List(items.iter().zip(kept).map(|(item, kept)| without_dropped(item, kept)).collect())
        }
        (sent, _) => sent.clone(),
    }
}

/// Returns those of some objects that belong to one of the CRDs and are valid: each as it was sent, and with what the
/// server adds.
pub fn real(definitions: &[Accepted], objects: &[Seed]) -> Vec<Object> {
    let mut out = Vec::new();
    for seed in objects {
        let text = |key: &str| seed.value.get(key).and_then(Value::as_str).unwrap_or_default();
        let Some((group, version)) = text("apiVersion").split_once('/') else { continue };
        let has = |a: &Accepted| {
            let spec = &a.crd.spec;
            spec.group == group
                && spec.names.kind == text("kind")
                && spec.versions.iter().any(|v| v.name == version)
        };
        let Some(definition) = definitions.iter().position(has) else { continue };
        let Ok(served) = Served::new(definitions[definition].crd.clone()) else { continue };
        let Ok(of_version) = served.version(version) else { continue };
        let handler = served.handler(of_version);
        for value in created(&served, &handler, version, &seed.value).unwrap_or_default() {
            let name = seed.name.clone();
            out.push(Object { name, definition, version: version.to_owned(), value });
        }
    }
    out
}

/// Generates `count` valid objects for each of the CRDs, if possible. What the server reports as wrong in a random
/// object is removed, a few times.
pub fn generated(definitions: &[Accepted], count: usize, seed: u64) -> Vec<Object> {
    let mut out = Vec::with_capacity(count * definitions.len());
    for (definition, Accepted { name, crd, .. }) in definitions.iter().enumerate() {
        let Some((served, document)) = prepared(crd) else { continue };
        let versions: Vec<(&str, Handler<'_>)> = crd
            .spec
            .versions
            .iter()
            .filter_map(|v| Some((v.name.as_str(), served.handler(served.version(&v.name).ok()?))))
            .collect();
        let mut found = 0;
        for number in 0..20 * count as u64 {
            if found == count {
                break;
            }
            let mut rng = Rng::of_case(seed, number);
            let i = rng.below(versions.len());
            let Some(((version, handler), root)) = versions.get(i).zip(schema(&document, i)) else {
                continue;
            };
            let mut object = object_for(root, &mut rng);
            let Some(map) = object.as_map_mut() else { continue };
            map.insert("apiVersion", Value::Str(format!("{}/{version}", crd.spec.group)));
            map.insert("kind", Value::from(crd.spec.names.kind.as_str()));
            map.insert("metadata", json(r#"{"name":"an-object","labels":{"a":"b"}}"#));
            let Some(values) = repaired(&served, handler, version, object) else { continue };
            found += 1;
            let name = format!("{name} object {seed}-{number}");
            let one =
                |value| Object { name: name.clone(), definition, version: (*version).to_owned(), value };
            out.extend(values.into_iter().map(one));
        }
    }
    out
}

/// Returns the valid part of an object, if a few attempts find it.
fn repaired(served: &Served, handler: &Handler<'_>, version: &str, mut object: Value) -> Option<Vec<Value>> {
    for _ in 0..8 {
        match created(served, handler, version, &object) {
            Ok(values) => return Some(values),
            Err(places) if places.is_empty() => return None,
            Err(places) => places.iter().for_each(|place| take_out(&mut object, place)),
        }
    }
    None
}

fn prepared(crd: &Crd) -> Option<(Served, Value)> {
    let text = to_string(&encode::crd(crd));
    Some((Served::new(crd.clone()).ok()?, yaml::read_one(text.as_bytes()).ok()?.value))
}

fn schema(document: &Value, version: usize) -> Option<&Value> {
    document.get("spec")?.get("versions")?.as_list()?.get(version)?.get("schema")?.get("openAPIV3Schema")
}

/// Removes the value at a place, or as much of the path to it as exists.
fn take_out(value: &mut Value, place: &[Step]) {
    let Some((first, rest)) = place.split_first() else { return };
    match (value, first) {
        (Value::Map(map), Step::Key(key)) => match map.get_mut(key) {
            Some(inner) if !rest.is_empty() => take_out(inner, rest),
            _ => drop(map.remove(key)),
        },
        (Value::List(items), Step::Index(i)) if *i < items.len() => {
            if rest.is_empty() {
                items.remove(*i);
            } else {
                take_out(&mut items[*i], rest);
            }
        }
        (value, _) => *value = Value::Null,
    }
}
