//! Reads protobuf, in which clients in Go send Kubernetes' own kinds. It becomes the same JSON that they would send otherwise.

mod table;
mod wire;

use crdgen_core::go::{self, time::Time};
use crdgen_core::json;
use crdgen_core::value::{Map, Value};
use table::{Message, Shape, Type};
use wire::{Fields, Wire};

/// What a body in protobuf begins with.
const MAGIC: &[u8] = b"k8s\0";

/// How deep messages may be nested. Those of Kubernetes are far below.
const DEPTH: usize = 64;

/// Reads an object. `None` if it is not a message of a known kind.
pub(super) fn read(bytes: &[u8]) -> Option<Value> {
    let (mut api_version, mut kind, mut raw) = (String::new(), String::new(), &[][..]);
    for field in Fields::of(bytes.strip_prefix(MAGIC)?) {
        match field? {
            (1, Wire::Bytes(of_type)) => {
                for field in Fields::of(of_type) {
                    match field? {
                        (1, Wire::Bytes(text)) => api_version = wire::text(text)?,
                        (2, Wire::Bytes(text)) => kind = wire::text(text)?,
                        _ => {}
                    }
                }
            }
            (2, Wire::Bytes(bytes)) => raw = bytes,
            // An encoding of the message, such as a compression.
            (3, Wire::Bytes(text)) if !text.is_empty() => return None,
            _ => {}
        }
    }
    let mut object = Map::new();
    object.insert("apiVersion", Value::from(api_version.as_str()));
    object.insert("kind", Value::from(kind.as_str()));
    members(table::of_kind(&api_version, &kind)?, raw, &mut object, DEPTH)?;
    Some(Value::Map(object))
}

/// A message of a type.
fn message(of: &Message, bytes: &[u8], depth: usize) -> Option<Value> {
    let mut out = Map::new();
    members(of, bytes, &mut out, depth)?;
    // A message that only wraps a list is this list in JSON, and one that is one of several things is this thing.
    if of.iter().all(|field| field.name == "=") && !of.is_empty() {
        let has_list = of.iter().any(|field| field.shape == Shape::List);
        let nothing = if has_list { Value::List(Vec::new()) } else { Value::Null };
        return Some(out.remove("=").unwrap_or(nothing));
    }
    Some(Value::Map(out))
}

/// Reads the fields of a message.
fn members(of: &Message, bytes: &[u8], out: &mut Map<Value>, depth: usize) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    for field in Fields::of(bytes) {
        let (number, wire) = field?;
        // Newer clients know more fields.
        let Some(field) = of.iter().find(|field| field.number == number) else { continue };
        match field.shape {
            Shape::One if field.name.is_empty() => {
                let (Type::Message(name), Wire::Bytes(bytes)) = (field.ty, wire) else { return None };
                members(table::message(name)?, bytes, out, depth)?;
            }
            Shape::One => drop(out.insert(field.name, value(field.ty, wire, depth)?)),
            Shape::List => {
                let list = out.entry_or_insert_with(field.name, || Value::List(Vec::new()));
                let Value::List(list) = list else { return None };
                match (field.ty, wire) {
                    // Numbers can be packed into one field.
                    (Type::Int | Type::Bool, Wire::Bytes(mut bytes)) => {
                        while !bytes.is_empty() {
                            list.push(value(field.ty, Wire::Number(wire::number(&mut bytes)?), depth)?);
                        }
                    }
                    (ty, wire) => list.push(value(ty, wire, depth)?),
                }
            }
            Shape::Map => {
                let Wire::Bytes(entry) = wire else { return None };
                let (mut key, mut found) = (String::new(), None);
                for part in Fields::of(entry) {
                    match part? {
                        (1, Wire::Bytes(text)) => key = wire::text(text)?,
                        (2, wire) => found = Some(value(field.ty, wire, depth)?),
                        _ => {}
                    }
                }
                let found = found.or_else(|| value(field.ty, Wire::Bytes(&[]), depth))?;
                let map = out.entry_or_insert_with(field.name, || Value::Map(Map::new()));
                map.as_map_mut()?.insert(key, found);
            }
        }
    }
    Some(())
}

/// A value in the form that it has in JSON.
fn value(ty: Type, wire: Wire<'_>, depth: usize) -> Option<Value> {
    Some(match (ty, wire) {
        (Type::Text, Wire::Bytes(text)) => wire::text(text)?.into(),
        (Type::Bytes, Wire::Bytes(bytes)) => go::base64_encode(bytes).into(),
        (Type::Int, Wire::Number(number)) => Value::Int(number.cast_signed()),
        (Type::Bool, Wire::Number(number)) => Value::Bool(number != 0),
        (Type::Double, Wire::Eight(bits)) => double(f64::from_bits(bits)),
        (Type::Time, Wire::Bytes(bytes)) => time(bytes, false)?,
        (Type::MicroTime, Wire::Bytes(bytes)) => time(bytes, true)?,
        (Type::Quantity, Wire::Bytes(bytes)) => {
            let mut text = String::new();
            for field in Fields::of(bytes) {
                if let (1, Wire::Bytes(found)) = field? {
                    text = wire::text(found)?;
                }
            }
            if text.is_empty() { "0".into() } else { text.into() }
        }
        (Type::IntOrString, Wire::Bytes(bytes)) => int_or_string(bytes)?,
        (Type::Json, Wire::Bytes(bytes)) => {
            let mut found = Value::Null;
            for field in Fields::of(bytes) {
                if let (1, Wire::Bytes(text)) = field?
                    && !text.is_empty()
                {
                    found = json::read(text).ok()?;
                }
            }
            found
        }
        (Type::Message(name), Wire::Bytes(bytes)) => message(table::message(name)?, bytes, depth)?,
        _ => return None,
    })
}

/// A number as JSON has it: without a fraction if it has none.
fn double(number: f64) -> Value {
    json::read(number.to_string().as_bytes()).unwrap_or_default()
}

/// A time. The zero of Go's type is an empty message.
fn time(bytes: &[u8], with_micros: bool) -> Option<Value> {
    if bytes.is_empty() {
        return Some(Value::Null);
    }
    let (mut seconds, mut nanos) = (0, 0);
    for field in Fields::of(bytes) {
        match field? {
            (1, Wire::Number(number)) => seconds = number.cast_signed(),
            (2, Wire::Number(number)) => nanos = u32::try_from(number).ok()?,
            _ => {}
        }
    }
    // Years with four digits.
    if !(-62_135_596_800..253_402_300_800).contains(&seconds) || nanos >= 1_000_000_000 {
        return None;
    }
    let text = Time { seconds, nanos: 0, offset: 0 }.rfc3339_nano();
    let whole = text.strip_suffix('Z')?;
    Some(if with_micros { format!("{whole}.{:06}Z", nanos / 1000).into() } else { text.into() })
}

fn int_or_string(bytes: &[u8]) -> Option<Value> {
    let (mut is_text, mut number, mut text) = (false, 0, String::new());
    for field in Fields::of(bytes) {
        match field? {
            (1, Wire::Number(found)) => is_text = found == 1,
            (2, Wire::Number(found)) => number = found.cast_signed(),
            (3, Wire::Bytes(found)) => text = wire::text(found)?,
            _ => {}
        }
    }
    Some(if is_text { text.into() } else { Value::Int(number) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A field with bytes.
    fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
        let length = u8::try_from(bytes.len()).expect("a short field");
        [&[number << 3 | 2, length][..], bytes].concat()
    }

    fn body(api_version: &str, kind: &str, raw: &[u8]) -> Vec<u8> {
        let of_type = [field(1, api_version.as_bytes()), field(2, kind.as_bytes())].concat();
        [MAGIC.to_vec(), field(1, &of_type), field(2, raw)].concat()
    }

    #[test]
    fn reads_the_forms_of_fields() {
        let metadata =
            [field(1, b"a"), field(8, &[]), field(11, &[field(1, b"k"), field(2, b"v")].concat())].concat();
        let port = [field(1, b"p"), vec![3 << 3, 80], field(4, &[1 << 3, 0, 2 << 3, 80])].concat();
        let named = [field(1, b"q"), field(4, &[vec![1 << 3, 1], field(3, b"http")].concat())].concat();
        let spec = [field(1, &port), field(1, &named)].concat();
        let raw = [field(1, &metadata), field(2, &spec)].concat();
        assert_eq!(
            json::to_string(&read(&body("v1", "Service", &raw)).expect("a service")),
            r#"{"apiVersion":"v1","kind":"Service","metadata":{"creationTimestamp":null,"labels":{"k":"v"},"name":"a"},"#
                .to_owned()
                + r#""spec":{"ports":[{"name":"p","port":80,"targetPort":80},{"name":"q","targetPort":"http"}]}}"#
        );
        let raw = field(2, &[field(1, b"k"), field(2, b"value")].concat());
        let secret = read(&body("v1", "Secret", &raw)).expect("a secret");
        assert_eq!(json::to_string(secret.get("data").expect("data")), r#"{"k":"dmFsdWU="}"#);
        let volume = [field(1, b"v"), field(2, &field(2, &[]))].concat();
        let pod = read(&body("v1", "Pod", &field(2, &field(1, &volume)))).expect("a pod");
        assert_eq!(
            json::to_string(pod.get("spec").expect("a spec")),
            r#"{"volumes":[{"emptyDir":{},"name":"v"}]}"#
        );
    }

    #[test]
    fn reads_schemas() {
        let of_schema = |schema: &[u8]| {
            let version = field(7, &field(4, &field(1, schema)));
            let crd = read(&body("apiextensions.k8s.io/v1", "CustomResourceDefinition", &field(2, &version)));
            let crd = crd.expect("a CRD");
            let versions = crd.get("spec").and_then(|spec| spec.get("versions")?.as_list());
            let first = versions.and_then(<[Value]>::first).expect("a version");
            let schema = first.get("schema").and_then(|schema| schema.get("openAPIV3Schema"));
            json::to_string(schema.expect("a schema"))
        };
        let bounded =
            [vec![9 << 3 | 1], 1.5f64.to_le_bytes().to_vec(), vec![11 << 3 | 1], 2f64.to_le_bytes().to_vec()];
        assert_eq!(of_schema(&bounded.concat()), r#"{"maximum":1.5,"minimum":2}"#);
        let text = field(5, b"string");
        let allowed = |allows: u8| {
            [vec![1 << 3, allows], if allows == 2 { field(2, &text) } else { Vec::new() }].concat()
        };
        for (allows, expected) in [(0, "false"), (1, "true"), (2, r#"{"type":"string"}"#)] {
            let found = of_schema(
                &[vec![30 << 3 | 2 & 0x7f | 0x80, 1], vec![allowed(allows).len() as u8], allowed(allows)]
                    .concat(),
            );
            assert_eq!(found, format!(r#"{{"additionalProperties":{expected}}}"#));
        }
        let default = field(8, &field(1, b"[1]"));
        assert_eq!(of_schema(&default), r#"{"default":[1]}"#);
    }

    #[test]
    fn rejects_everything_else_without_a_panic() {
        let good = body("v1", "ConfigMap", &field(2, &[field(1, b"k"), field(2, b"v")].concat()));
        assert!(read(&good).is_some());
        for end in 0..good.len() {
            _ = read(&good[..end]);
        }
        for index in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[index] ^= 1 << bit;
                _ = read(&bad);
            }
        }
        assert_eq!(read(b"{}"), None);
        assert_eq!(read(&body("example.com/v1", "Thing", &[])), None);
        assert_eq!(read(&body("v1", "ConfigMap", &[2 << 3 | 2, 200])), None);
    }

    #[test]
    fn reads_options_and_reviews() {
        let options =
            read(&body("meta.k8s.io/v1", "DeleteOptions", &field(4, b"Foreground"))).expect("options");
        assert_eq!(options.get("propagationPolicy").and_then(Value::as_str), Some("Foreground"));
        let extra = [field(1, b"k"), field(2, &field(1, b"v"))].concat();
        let review = body("authorization.k8s.io/v1", "SubjectAccessReview", &field(2, &field(5, &extra)));
        let review = read(&review).expect("a review");
        assert_eq!(json::to_string(review.get("spec").expect("a spec")), r#"{"extra":{"k":["v"]}}"#);
    }

    #[test]
    fn the_table_has_every_message_that_it_names() {
        for (name, fields) in table::all() {
            for field in fields {
                if let Type::Message(inner) = field.ty {
                    assert!(table::message(inner).is_some(), "{name}: {inner}");
                }
            }
        }
    }
}
