//! Checks of events. Those of the new group are stricter.

use super::find;
use super::words::negative;
use crate::meta::{self, own};
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::json;
use crdgen_core::value::Value;

/// The longest text of a field, by its name in the new group and in messages.
const LIMITS: [(&str, &str, usize); 4] = [
    ("reportingInstance", "reportingInstance", 128),
    ("action", "action", 128),
    ("reason", "reason", 128),
    ("note", "message", 1024),
];

/// The fields that never change, by their name in the new group and in messages.
const FIXED: [(&str, &str); 11] = [
    ("regarding", "involvedObject"),
    ("reason", "reason"),
    ("note", "message"),
    ("deprecatedSource", "source"),
    ("deprecatedFirstTimestamp", "firstTimestamp"),
    ("deprecatedLastTimestamp", "lastTimestamp"),
    ("deprecatedCount", "count"),
    ("type", "type"),
    ("action", "action"),
    ("reportingController", "reportingController"),
    ("reportingInstance", "reportingInstance"),
];

/// The first mistake of an event of either group.
pub(super) fn mistake(object: &Value, live: Option<&Value>) -> Option<Mistake<'static>> {
    let generation = find(object, &["metadata", "generation"]);
    let negative = negative("metadata.generation".to_owned(), generation);
    let group = if own(object, "apiVersion") == "v1" { Group::Core } else { Group::Events };
    negative.or_else(|| of_both(object, group)).or_else(|| match group {
        Group::Core => None,
        Group::Events => of_new(object, live),
    })
}

/// The group in which a client sends an event. Most fields have other names there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Core,
    Events,
}

fn of_both(object: &Value, group: Group) -> Option<Mistake<'static>> {
    let is_new = group == Group::Events;
    let is_set = |name: &str| !own(object, name).is_empty();
    let about = if is_new { "regarding" } else { "involvedObject" };
    let about = find(object, &[about, "namespace"]).and_then(Value::as_str).unwrap_or_default();
    let namespace = meta::text(object, "namespace");
    let required = |field: &'static str| Some(Mistake::new(field, Kind::Required, ""));
    let has_time = is_set("eventTime");
    let is_right = match about {
        "" => namespace == "default" || has_time && namespace == "kube-system",
        about => has_time || about == namespace,
    };
    if !is_right {
        let why = format!("\"{about}\": does not match event.namespace");
        return Some(Mistake::new("involvedObject.namespace", Kind::Invalid, why));
    }
    if !has_time {
        return None;
    }
    let controller = if is_new { "reportingController" } else { "reportingComponent" };
    for field in [controller, "reportingInstance", "action", "reason"] {
        if !is_set(field) {
            return required(field);
        }
    }
    LIMITS.iter().find_map(|(name, shown, limit)| {
        let name = if is_new { name } else { shown };
        let why = format!("\"\": can have at most {limit} characters");
        (own(object, name).len() > *limit).then(|| Mistake::new(*shown, Kind::Invalid, why))
    })
}

fn of_new(object: &Value, live: Option<&Value>) -> Option<Mistake<'static>> {
    let Some(live) = live else {
        if own(object, "eventTime").is_empty() {
            return Some(Mistake::new("eventTime", Kind::Required, ""));
        }
        let ty = own(object, "type");
        if !matches!(ty, "Normal" | "Warning") {
            let why = format!("\"\": has invalid value: {ty}");
            return Some(Mistake::new("type", Kind::Invalid, why));
        }
        let old = FIXED.iter().filter(|(name, _)| name.starts_with("deprecated"));
        let is_set = |name: &str| match object.get(name) {
            Some(Value::Map(map)) => !map.is_empty(),
            Some(Value::Int(number)) => *number != 0,
            value => value.is_some_and(|value| !value.is_null()),
        };
        let found = old.into_iter().find(|(name, _)| is_set(name));
        return found.map(|(_, shown)| Mistake::new(*shown, Kind::Invalid, "\"\": needs to be unset"));
    };
    FIXED.iter().find_map(|(name, shown)| {
        let value = object.get(name).map_or_else(|| "null".to_owned(), json::to_string);
        let why = format!("{value}: field is immutable");
        (object.get(name) != live.get(name)).then(|| Mistake::new(*shown, Kind::Invalid, why))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_new_group_is_stricter() {
        let read = |text: &str| json::read(text.as_bytes()).expect("JSON");
        let wrong = |text: &str, live: Option<&str>| {
            let live = live.map(read);
            mistake(&read(text), live.as_ref()).map(|it| format!("{}: {}", it.field, it.why))
        };
        let old = r#"{"apiVersion":"v1","metadata":{"namespace":"a"},"involvedObject":{"namespace":"a"}}"#;
        assert_eq!(wrong(old, None), None);
        let elsewhere = old.replacen("\"a\"", "\"b\"", 1);
        let why = "involvedObject.namespace: \"a\": does not match event.namespace".to_owned();
        assert_eq!(wrong(&elsewhere, None), Some(why));
        let new = r#"{"apiVersion":"events.k8s.io/v1","metadata":{"namespace":"a"},"regarding":{"namespace":"a"},"type":"Normal",
            "eventTime":"2024-01-01T00:00:00Z","reportingController":"c","reportingInstance":"i","action":"A","reason":"R"}"#;
        assert_eq!(wrong(new, None), None);
        assert_eq!(wrong(&new.replace("\"action\":\"A\",", ""), None), Some("action: ".to_owned()));
        assert_eq!(
            wrong(&new.replace("Normal", "Odd"), None),
            Some("type: \"\": has invalid value: Odd".to_owned())
        );
        assert_eq!(
            wrong(&new.replace("\"R\"", "\"Other\""), Some(new)),
            Some("reason: \"Other\": field is immutable".to_owned())
        );
    }
}
