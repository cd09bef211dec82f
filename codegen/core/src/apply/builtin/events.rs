//! Events have two groups, in which the same fields have other names.

use crate::value::{Map, Value};

const OLD: &str = "v1";
const NEW: &str = "events.k8s.io/v1";

/// The fields that have other names: in the old group, and in the new one.
const FIELDS: [(&str, &str); 7] = [
    ("count", "deprecatedCount"),
    ("firstTimestamp", "deprecatedFirstTimestamp"),
    ("involvedObject", "regarding"),
    ("lastTimestamp", "deprecatedLastTimestamp"),
    ("message", "note"),
    ("reportingComponent", "reportingController"),
    ("source", "deprecatedSource"),
];

/// An event in the other group. `None` if the object is not an event of one of the two.
pub(super) fn convert(object: &Value, api_version: &str) -> Option<Value> {
    let text = |name| object.get(name).and_then(Value::as_str);
    let renamed: fn(&str) -> Option<&'static str> = match (text("kind")?, text("apiVersion")?, api_version) {
        ("Event", OLD, NEW) => |name| FIELDS.iter().find(|(old, _)| *old == name).map(|(_, new)| *new),
        ("Event", NEW, OLD) => |name| FIELDS.iter().find(|(_, new)| *new == name).map(|(old, _)| *old),
        _ => return None,
    };
    let mut converted = Map::new();
    for (name, value) in object.as_map()?.iter() {
        let value = if name == "apiVersion" { api_version.into() } else { value.clone() };
        converted.insert(renamed(name).unwrap_or(name), value);
    }
    Some(Value::Map(converted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn events_keep_everything_in_the_other_group() {
        let read = |text: &str| json::read(text.as_bytes()).expect("JSON");
        let old = read(
            r#"{"apiVersion":"v1","kind":"Event","metadata":{"name":"e"},"involvedObject":{"name":"p"},"message":"m","count":2,
                "source":{"component":"c"},"reportingComponent":"r","type":"Normal"}"#,
        );
        let new = read(
            r#"{"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"e"},"regarding":{"name":"p"},"note":"m",
                "deprecatedCount":2,"deprecatedSource":{"component":"c"},"reportingController":"r","type":"Normal"}"#,
        );
        assert_eq!(convert(&old, NEW).as_ref(), Some(&new));
        assert_eq!(convert(&new, OLD).as_ref(), Some(&old));
        assert_eq!(convert(&old, OLD), None);
        assert_eq!(convert(&read(r#"{"apiVersion":"v1","kind":"Pod"}"#), NEW), None);
    }
}
