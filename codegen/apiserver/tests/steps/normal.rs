//! Answers without what differs from run to run: times, ids, versions, tokens, addresses, ages and generated names; and without the
//! descriptions in tables.

use crate::recorded::has_shape;
use crdgen_core::json;
use crdgen_core::value::{Map, Value};

/// Shapes of what differs: `d` is a digit, `x` a hexadecimal one, and `?` a letter or digit.
const SHAPES: [(&str, &str); 4] = [
    ("dddd-dd-ddTdd:dd:dd.ddddddZ", "TIME"),
    ("dddd-dd-ddTdd:dd:ddZ", "TIME"),
    ("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "UID"),
    ("gen-?????", "gen-XXXXX"),
];

/// What is in front of numbers that differ.
const PREFIXES: [(&str, &str); 9] = [
    ("nodePort\\\":", "PORT"),
    ("10.96.", "ADDRESS"),
    ("serverAddress: ", "ADDRESS"),
    ("resourceVersion: \"", "VERSION"),
    ("resourceVersion\\\":\\\"", "VERSION"),
    ("resource version: ", "VERSION"),
    ("current: ", "VERSION"),
    ("continue: ", "TOKEN"),
    ("in record (", "VERSION"),
];

pub(crate) fn normal(value: Value) -> Value {
    match value {
        Value::Map(members) => {
            let member = |(name, value): (String, Value)| {
                let value = match (name.as_str(), value) {
                    ("resourceVersion", Value::Str(text)) if is_number(&text) => "VERSION".into(),
                    ("continue", Value::Str(text)) if !text.is_empty() => "TOKEN".into(),
                    ("serverAddress", _) => "ADDRESS".into(),
                    ("nodePort", Value::Int(_)) => "PORT".into(),
                    // Their order depends on the seconds in which they were written.
                    ("managedFields", Value::List(entries)) => {
                        let mut entries: Vec<Value> = entries.into_iter().map(normal).collect();
                        entries.sort_by_key(json::to_string);
                        Value::List(entries)
                    }
                    ("columnDefinitions", Value::List(columns)) => {
                        Value::List(columns.into_iter().map(without_description).collect())
                    }
                    (_, value) => normal(value),
                };
                (without_ids(&name), value)
            };
            Value::Map(members.into_iter().map(member).collect::<Map<Value>>())
        }
        Value::List(items) => Value::List(items.into_iter().map(normal).collect()),
        Value::Str(text) if is_age(&text) => "AGE".into(),
        Value::Str(text) => without_ids(&text).into(),
        other => other,
    }
}

/// A column without its description: the texts about Kubernetes' own kinds are not served yet.
fn without_description(mut column: Value) -> Value {
    column.as_map_mut().map(|column| column.remove("description"));
    column
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is an age: `5s`, or `2y332d`, `3y` of a time that was sent.
fn is_age(text: &str) -> bool {
    if let Some((years, days)) = text.split_once('y') {
        return is_number(years) && (days.is_empty() || days.strip_suffix('d').is_some_and(is_number));
    }
    text.strip_suffix('s').is_some_and(|digits| digits.len() < 3 && is_number(digits))
}

fn without_ids(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let shape = SHAPES.iter().find(|(shape, _)| has_shape(rest.as_bytes(), shape.as_bytes()));
        let prefix = PREFIXES.iter().find(|(prefix, _)| rest.starts_with(prefix));
        if let Some((shape, name)) = shape {
            out.push_str(name);
            rest = &rest[shape.len()..];
        } else if let Some((prefix, name)) = prefix {
            let is_part = |c: char| match *name {
                "TOKEN" => c.is_ascii_alphanumeric() || c == '_',
                _ => c.is_ascii_digit() || matches!(c, '.' | ':'),
            };
            let after = rest[prefix.len()..].trim_start_matches(is_part);
            // A number is not the beginning of something else.
            let is_whole = !after.starts_with(|c: char| c.is_ascii_hexdigit() || c == '-');
            let after = if is_whole { after } else { &rest[prefix.len()..] };
            out.push_str(prefix);
            out.push_str(if after.len() + prefix.len() < rest.len() { name } else { "" });
            rest = after;
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}
