//! The schemas of types for which schemars itself implements its trait.

use super::{Generated, Generator, object, of_type};
use crate::types::Id;
use crate::value::{Map, Value};

/// Whether a type has exactly the schema of its argument.
pub(super) fn is_forwarded(path: &str) -> bool {
    const ALL: [&str; 9] = [
        "std::boxed::Box",
        "std::rc::Rc",
        "std::sync::Arc",
        "std::borrow::Cow",
        "std::cell::Cell",
        "std::cell::RefCell",
        "std::sync::Mutex",
        "std::sync::RwLock",
        "std::num::Wrapping",
    ];
    ALL.contains(&path)
}

impl Generator<'_, '_> {
    pub(super) fn known(&mut self, path: &str, parts: &[Id]) -> Generated {
        let last = path.rsplit("::").next().unwrap_or(path);
        match (path, parts) {
            ("std::option::Option", [inner]) => {
                let schema = self.subschema(*inner)?;
                Ok(allow_null(schema))
            }
            (_, [inner]) if is_forwarded(path) => self.schema(*inner),
            (_, [key, value]) if last.ends_with("Map") => self.map(*key, *value),
            (_, [item]) if last.ends_with("Set") => {
                let items = self.subschema(*item)?;
                Ok(object([("type", "array".into()), ("uniqueItems", true.into()), ("items", items)]))
            }
            (_, [item]) if ["Vec", "VecDeque", "LinkedList", "BinaryHeap"].contains(&last) => {
                self.list(*item)
            }
            _ => simple(path).ok_or_else(|| format!("the type `{path}`").into()),
        }
    }

    fn map(&mut self, key: Id, value: Id) -> Generated {
        let mut key = self.schema(key)?;
        if let Some(name) = key.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix("#/$defs/"))
        {
            key = self.definitions.get(name).cloned().ok_or("a map with such keys")?;
        }
        let Some(found) = key.as_map().filter(|key| !key.contains_key("anyOf")) else {
            return Err("a map with such keys".into());
        };
        let value = self.subschema(value)?;
        let get = |key: &str| found.get(key);
        let names = get("enum").and_then(Value::as_list).map(|all| all.iter().map(Value::as_str));
        let names = names.and_then(Iterator::collect::<Option<Vec<&str>>>);
        let (mut patterns, mut properties, mut additional) = (Map::new(), Map::new(), false);
        match (get("pattern").and_then(Value::as_str), names, get("type").and_then(Value::as_str)) {
            (Some(pattern), _, Some("string")) => _ = patterns.insert(pattern, value.clone()),
            (None, Some(_), Some("string")) if self.is_older => {
                return Err("a map with such keys, which schemars writes in another way before 1.2".into());
            }
            (None, Some(names), Some("string")) => {
                properties = names.into_iter().map(|name| (name, value.clone())).collect();
            }
            (_, _, Some("integer")) => {
                let is_unsigned = get("minimum").and_then(Value::as_int) == Some(0);
                _ = patterns.insert(if is_unsigned { r"^\d+$" } else { r"^-?\d+$" }, value.clone());
            }
            _ => additional = true,
        }
        let mut out = Map::new();
        out.insert("type", "object".into());
        out.insert("additionalProperties", if additional { value } else { Value::Bool(false) });
        if !patterns.is_empty() {
            out.insert("patternProperties", Value::Map(patterns));
        }
        if !properties.is_empty() {
            out.insert("properties", Value::Map(properties));
        }
        Ok(Value::Map(out))
    }
}

/// The schemas of types without parameters.
fn simple(path: &str) -> Option<Value> {
    let string = |format: &str| object([("type", "string".into()), ("format", format.into())]);
    let number = |ty: &str, format: &str| vec![("type", Value::from(ty)), ("format", Value::from(format))];
    let with = |mut pairs: Vec<(&'static str, Value)>, more: &[(&'static str, i64)]| {
        pairs.extend(more.iter().map(|(key, bound)| (*key, Value::Int(*bound))));
        Value::Map(pairs.into_iter().collect())
    };
    Some(match path {
        "str"
        | "std::string::String"
        | "std::path::Path"
        | "std::path::PathBuf"
        | "std::net::SocketAddr"
        | "std::net::SocketAddrV4"
        | "std::net::SocketAddrV6" => of_type("string"),
        "bool" => of_type("boolean"),
        "char" => {
            let one = Value::Int(1);
            object([("type", "string".into()), ("minLength", one.clone()), ("maxLength", one)])
        }
        "f32" => with(number("number", "float"), &[]),
        "f64" => with(number("number", "double"), &[]),
        "i8" => with(number("integer", "int8"), &[("minimum", -128), ("maximum", 127)]),
        "i16" => with(number("integer", "int16"), &[("minimum", -32768), ("maximum", 32767)]),
        "i32" => with(number("integer", "int32"), &[]),
        "i64" => with(number("integer", "int64"), &[]),
        "i128" => with(number("integer", "int128"), &[]),
        "isize" => with(number("integer", "int"), &[]),
        "u8" => with(number("integer", "uint8"), &[("minimum", 0), ("maximum", 255)]),
        "u16" => with(number("integer", "uint16"), &[("minimum", 0), ("maximum", 65535)]),
        "u32" => with(number("integer", "uint32"), &[("minimum", 0)]),
        "u64" => with(number("integer", "uint64"), &[("minimum", 0)]),
        "u128" => with(number("integer", "uint128"), &[("minimum", 0)]),
        "usize" => with(number("integer", "uint"), &[("minimum", 0)]),
        "std::net::IpAddr" => string("ip"),
        "std::net::Ipv4Addr" => string("ipv4"),
        "std::net::Ipv6Addr" => string("ipv6"),
        "std::marker::PhantomData" => of_type("null"),
        "serde_json::Value" | "serde_json::value::Value" => Value::Bool(true),
        "serde_json::Map" | "serde_json::map::Map" => {
            object([("type", "object".into()), ("additionalProperties", true.into())])
        }
        "serde_json::Number" | "serde_json::value::Number" => of_type("number"),
        "chrono::DateTime" | "jiff::Timestamp" => string("date-time"),
        "chrono::NaiveDate" | "jiff::civil::Date" => string("date"),
        "uuid::Uuid" => string("uuid"),
        "chrono::Weekday" => {
            let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map(Value::from).to_vec();
            object([("type", "string".into()), ("enum", Value::List(names))])
        }
        "url::Url" => string("uri"),
        _ => return None,
    })
}

/// Changes a schema as schemars does for values that may be null.
fn allow_null(mut schema: Value) -> Value {
    let is_null = |value: &Value| {
        let ty = value.get("type");
        let is = |ty: &Value| ty.as_str() == Some("null");
        ty.is_some_and(|ty| is(ty) || ty.as_list().is_some_and(|all| all.iter().any(is)))
    };
    let Some(map) = schema.as_map_mut() else {
        return if schema == Value::Bool(false) { of_type("null") } else { schema };
    };
    let any_of = map.get("anyOf").and_then(Value::as_list);
    if map.len() == 1 && any_of.is_some_and(|all| all.iter().any(is_null)) {
        return schema;
    }
    if super::merge::has_subschema(map) {
        return object([("anyOf", Value::List(vec![schema, of_type("null")]))]);
    }
    match map.get_mut("type") {
        Some(Value::List(all)) if !all.contains(&"null".into()) => all.push("null".into()),
        Some(ty @ Value::Str(_)) if ty.as_str() != Some("null") => {
            *ty = Value::List(vec![std::mem::replace(ty, Value::Null), "null".into()]);
        }
        _ => {}
    }
    if let Some(one) = map.remove("const") {
        if !one.is_null() {
            map.insert("enum", Value::List(vec![one, Value::Null]));
        }
    } else if let Some(Value::List(all)) = map.get_mut("enum")
        && !all.contains(&Value::Null)
    {
        all.push(Value::Null);
    }
    schema
}
