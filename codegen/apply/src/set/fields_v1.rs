//! The form of a set in `managedFields`: an object whose keys are the elements. `.` means that a path ends at the object
//! that contains it, and so does an empty object.

use super::Set;
use crate::path::PathElement;
use crdgen_text::json;
use crdgen_text::value::{Map, Value};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write;
use std::sync::Arc;

/// Why a value is not a set of fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFields(pub String);

impl fmt::Display for NotFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotFields {}

/// Whether a path ends at a place, or only continues below it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Here,
    Elsewhere,
}

impl Set {
    /// Reads `fieldsV1`.
    ///
    /// # Errors
    /// Fails if the value is not an object, or if one of its keys is not an element.
    pub fn from_value(fields: &Value) -> Result<Set, NotFields> {
        Ok(read(fields)?.1.unwrap_or_default())
    }

    /// Reads the JSON text of `fieldsV1`.
    ///
    /// # Errors
    /// Fails if the text is not JSON, and as [`Set::from_value`] does.
    pub fn from_json(text: &str) -> Result<Set, NotFields> {
        Set::from_value(&json::read(text.as_bytes()).map_err(|error| NotFields(error.text))?)
    }

    /// Returns the set as `fieldsV1`.
    pub fn to_value(&self) -> Value {
        self.value_of(End::Elsewhere)
    }

    /// The value for the place that has these fields.
    fn value_of(&self, end: End) -> Value {
        let mut out = Vec::with_capacity(self.members.len() + self.children.len() + 1);
        if end == End::Here && !(self.members.is_empty() && self.children.is_empty()) {
            out.push((".".to_owned(), Value::Map(Map::new())));
        }
        self.each_entry(|element, end, below| {
            let value = below.map_or(Value::Map(Map::new()), |set| set.value_of(end));
            out.push((key(element), value));
        });
        Value::Map(Map::sorted(out))
    }

    /// Whether [`Set::to_value`] returns this value.
    pub(crate) fn is_value(&self, fields: &Value) -> bool {
        self.is_value_of(End::Elsewhere, fields)
    }

    fn is_value_of(&self, end: End, fields: &Value) -> bool {
        let Value::Map(map) = fields else { return false };
        let is_empty = |value: &Value| value.as_map().is_some_and(Map::is_empty);
        let has_end = end == End::Here && !(self.members.is_empty() && self.children.is_empty());
        let mut rest = map.iter();
        let mut next =
            |wanted: &dyn Fn(&str) -> bool| rest.next().filter(|(name, _)| wanted(name)).map(|it| it.1);
        let mut is_it = !has_end || next(&|name| name == ".").is_some_and(is_empty);
        self.each_entry(|element, end, below| {
            is_it = is_it
                && next(&|name| match element {
                    PathElement::Field(field) => name.strip_prefix("f:") == Some(&**field),
                    other => name == key(other),
                })
                .is_some_and(|value| {
                    below.map_or_else(|| is_empty(value), |set| set.is_value_of(end, value))
                });
        });
        is_it && rest.next().is_none()
    }

    /// Returns the JSON text of `fieldsV1`, byte for byte as the server writes it.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write_json(End::Elsewhere, &mut out);
        out
    }

    fn write_json(&self, end: End, out: &mut String) {
        out.push('{');
        let start = out.len();
        if end == End::Here && !(self.members.is_empty() && self.children.is_empty()) {
            out.push_str(r#"".":{}"#);
        }
        self.each_entry(|element, end, below| {
            if out.len() > start {
                out.push(',');
            }
            write_key(&key(element), out);
            out.push(':');
            match below {
                Some(set) => set.write_json(end, out),
                None => out.push_str("{}"),
            }
        });
        out.push('}');
    }

    /// Calls a function with each element in order, and with the paths that continue below it.
    fn each_entry(&self, mut visit: impl FnMut(&PathElement, End, Option<&Set>)) {
        let mut members = self.members.iter().peekable();
        let mut children = self.children.iter().peekable();
        loop {
            let order = match (members.peek(), children.peek()) {
                (None, None) => return,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(member), Some((child, _))) => (*member).cmp(child),
            };
            let member = if order.is_le() { members.next() } else { None };
            match if order.is_ge() { children.next() } else { None } {
                Some((element, set)) => {
                    let end = if member.is_some() { End::Here } else { End::Elsewhere };
                    visit(element, end, Some(set));
                }
                None => member.into_iter().for_each(|element| visit(element, End::Here, None)),
            }
        }
    }
}

/// Whether a path ends at the object that contains these fields, and the paths that continue in it.
fn read(fields: &Value) -> Result<(bool, Option<Set>), NotFields> {
    let map = match fields {
        Value::Map(map) => map,
        Value::Null => return Ok((true, None)),
        other => return Err(NotFields(format!("expected an object, got {}", other.json_type()))),
    };
    let mut is_member = false;
    let mut entries: BTreeMap<PathElement, (bool, Option<Set>)> = BTreeMap::new();
    for (key, value) in map.iter() {
        if key == "." {
            is_member = true;
            continue;
        }
        let Some(element) = element(key)? else { continue };
        let (ends_here, set) = read(value)?;
        // Several keys can name the same element. The last subset wins.
        let entry = entries.entry(element).or_default();
        entry.0 |= ends_here;
        entry.1 = set.or(entry.1.take());
    }
    let mut out = Set::new();
    for (element, (ends_here, set)) in entries {
        if ends_here {
            out.members.push(element.clone());
        }
        out.children.extend(set.map(|set| (element, Arc::new(set))));
    }
    let is_empty = out.members.is_empty() && out.children.is_empty();
    Ok((is_member || is_empty, (!is_empty).then_some(out)))
}

/// Reads a key. None if it is of a kind that this server does not know, and that it therefore drops.
fn element(key: &str) -> Result<Option<PathElement>, NotFields> {
    if key.len() < 2 {
        return Err(NotFields("key must be 2 characters long:".to_owned()));
    }
    if key.as_bytes()[1] != b':' {
        return Err(NotFields(format!("missing colon: {key}")));
    }
    // The first byte is a character of its own, because a colon follows it.
    let (kind, rest) = key.split_at(2);
    Ok(Some(match kind {
        "f:" => PathElement::field(rest),
        "v:" => PathElement::value(value(rest)?),
        "i:" => PathElement::Index(rest.parse().map_err(|_| NotFields(format!("{rest:?} is not an index")))?),
        "k:" => match value(rest)? {
            Value::Map(map) => PathElement::key(map.into_iter().collect()),
            Value::Null => PathElement::key(Vec::new()),
            other => return Err(NotFields(format!("keys must be an object, got {}", other.json_type()))),
        },
        _ => return Ok(None),
    }))
}

/// Reads a value in a key. The server reads all numbers there as floats.
fn value(text: &str) -> Result<Value, NotFields> {
    let mut value = json::read(text.as_bytes()).map_err(|error| NotFields(error.text))?;
    to_floats(&mut value);
    Ok(value)
}

fn to_floats(value: &mut Value) {
    match value {
        Value::Int(i) => *value = Value::Float(*i as f64),
        Value::List(items) => items.iter_mut().for_each(to_floats),
        Value::Map(map) => map.values_mut().for_each(to_floats),
        Value::Null | Value::Bool(_) | Value::Float(_) | Value::Str(_) => {}
    }
}

/// Writes the key of an element.
fn key(element: &PathElement) -> String {
    match element {
        PathElement::Field(name) => format!("f:{name}"),
        PathElement::Index(index) => format!("i:{index}"),
        PathElement::Value(value) => format!("v:{}", json::to_html_safe(value)),
        PathElement::Key(keys) => {
            let mut out = "k:{".to_owned();
            for (i, (name, value)) in keys.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_key(name, &mut out);
                _ = write!(out, ":{}", json::to_html_safe(value));
            }
            out.push('}');
            out
        }
    }
}

/// Writes a key as a JSON string. Only control characters, quotes and backslashes are escaped.
fn write_key(key: &str, out: &mut String) {
    out.push('"');
    for c in key.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => _ = write!(out, "\\u{:04x}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(text: &str) -> String {
        Set::from_json(text).map_or_else(|error| error.to_string(), |set| set.to_json())
    }

    #[test]
    fn writes_what_it_read() {
        for text in [
            "{}",
            r#"{"f:a":{}}"#,
            r#"{"f:a":{".":{},"f:b":{}},"f:c":{"f:d":{}}}"#,
            r#"{"f:l":{"k:{\"name\":\"a\\u003cb\",\"port\":80}":{".":{},"f:x":{}},"v:1":{},"v:\"x\"":{},"i:0":{}}}"#,
        ] {
            assert_eq!(round(text), text);
            let value = Set::from_json(text).expect("valid").to_value();
            assert_eq!(value, json::read(text.as_bytes()).expect("valid"));
        }
    }

    #[test]
    fn sorts_and_drops() {
        assert_eq!(
            round(r#"{"v:2":{},"v:1.0":{},"f:b":null,"f:a":{},"x:1":{}}"#),
            r#"{"f:a":{},"f:b":{},"v:1":{},"v:2":{}}"#
        );
        assert_eq!(round(r#"{"k:{\"b\":1,\"a\":\"x\"}":{}}"#), r#"{"k:{\"a\":\"x\",\"b\":1}":{}}"#);
        assert_eq!(round("null"), "{}");
    }

    #[test]
    fn rejects_what_is_not_a_set() {
        for text in [
            "1",
            "[]",
            r#"{"f":{}}"#,
            r#"{"fa":{}}"#,
            r#"{"i:x":{}}"#,
            r#"{"v:":{}}"#,
            r#"{"k:1":{}}"#,
            r#"{"f:a":1}"#,
        ] {
            assert!(Set::from_json(text).is_err(), "{text}");
        }
    }
}
