//! The order and equality of values in managed fields. Numbers are compared by value, so 1 and 1.0 are equal.

use crdgen_text::go;
use crdgen_text::value::{Map, Value};
use std::cmp::Ordering;

/// Compares two values as the server does. Numbers come first, then strings, booleans, lists, objects and null.
pub fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => {
            let (a, b) = (a.as_float().unwrap_or_default(), b.as_float().unwrap_or_default());
            a.partial_cmp(&b).unwrap_or(Ordering::Equal)
        }
        (Value::Str(a), Value::Str(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::List(a), Value::List(b)) => {
            let differing = a.iter().zip(b).map(|(a, b)| compare(a, b)).find(|order| order.is_ne());
            differing.unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        (Value::Map(a), Value::Map(b)) => compare_maps(a, b),
        _ => rank(a).cmp(&rank(b)),
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Int(_) | Value::Float(_) => 0,
        Value::Str(_) => 1,
        Value::Bool(_) => 2,
        Value::List(_) => 3,
        Value::Map(_) => 4,
        Value::Null => 5,
    }
}

/// Compares the members in the order of their names. At a name that only one map has, the other map is less, unless it
/// has as many members as were compared.
fn compare_maps(a: &Map<Value>, b: &Map<Value>) -> Ordering {
    let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
    for compared in 0.. {
        let order = match (left.peek(), right.peek()) {
            (None, None) => return Ordering::Equal,
            _ if compared == a.len() => Ordering::Less,
            _ if compared == b.len() => Ordering::Greater,
            (Some((a, x)), Some((b, y))) if a == b => compare(x, y),
            (Some((a, _)), Some((b, _))) if a > b => Ordering::Greater,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), _) => Ordering::Less,
        };
        if order.is_ne() {
            return order;
        }
        left.next();
        right.next();
    }
    Ordering::Equal
}

/// Whether two values are equal for the server.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|((k, a), (l, b))| k == l && equal(a, b))
        }
        (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => match (a, b) {
            (Value::Int(a), Value::Int(b)) => a == b,
            _ => a.as_float() == b.as_float(),
        },
        (a, b) => a == b,
    }
}

/// Returns the text of a value in a path.
pub fn text(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => i.to_string(),
        Value::Float(f) => go::number::format_g(*f),
        Value::Str(s) => go::quote(s),
        Value::List(items) => format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(",")),
        Value::Map(map) => map.iter().map(|(key, value)| format!("{key}={}", text(value))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crdgen_text::json;

    fn read(text: &str) -> Value {
        json::read(text.as_bytes()).expect("valid JSON")
    }

    #[test]
    fn compares_values() {
        let sorted = [
            "1",
            "1.5",
            "2",
            r#""a""#,
            r#""b""#,
            "false",
            "true",
            "[1]",
            "[1,2]",
            "[2]",
            r#"{"a":1}"#,
            "null",
        ];
        for (i, a) in sorted.iter().enumerate() {
            for (j, b) in sorted.iter().enumerate() {
                assert_eq!(compare(&read(a), &read(b)), i.cmp(&j), "{a} and {b}");
                assert_eq!(equal(&read(a), &read(b)), i == j, "{a} and {b}");
            }
        }
        assert!(equal(&read("1"), &Value::Float(1.0)));
    }

    #[test]
    fn compares_maps() {
        let less = |a: &str, b: &str| {
            assert_eq!(compare(&read(a), &read(b)), Ordering::Less, "{a} and {b}");
            assert_eq!(compare(&read(b), &read(a)), Ordering::Greater, "{b} and {a}");
        };
        less("{}", r#"{"a":1}"#);
        less(r#"{"a":1}"#, r#"{"a":2}"#);
        less(r#"{"a":1}"#, r#"{"a":1,"b":1}"#);
        less(r#"{"a":1,"b":1}"#, r#"{"a":2}"#);
    }
}
