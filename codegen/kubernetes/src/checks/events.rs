//! Checks of events. Those of the new group are stricter.

use super::find;
use super::words::{in_go, invalid_text, negative, with_texts};
use crate::meta::{self, own};
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use crdgen_core::{json, names};

/// The longest text of a field, by its name in the new group and in messages.
const LIMITS: [(&str, &str, usize); 4] = [
    ("reportingInstance", "reportingInstance", 128),
    ("action", "action", 128),
    ("reason", "reason", 128),
    ("note", "message", 1024),
];

/// The fields that new events do not have, by their name in the new group and in messages.
const DEPRECATED: [(&str, &str); 4] = [
    ("deprecatedFirstTimestamp", "firstTimestamp"),
    ("deprecatedLastTimestamp", "lastTimestamp"),
    ("deprecatedCount", "count"),
    ("deprecatedSource", "source"),
];

/// The fields that never change, by their name in the new group and in messages.
const FIXED: [(&str, &str); 12] = [
    ("regarding", "involvedObject"),
    ("reason", "reason"),
    ("note", "message"),
    ("deprecatedSource", "source"),
    ("deprecatedFirstTimestamp", "firstTimestamp"),
    ("deprecatedLastTimestamp", "lastTimestamp"),
    ("deprecatedCount", "count"),
    ("type", "type"),
    ("eventTime", "eventTime"),
    ("action", "action"),
    ("reportingController", "reportingController"),
    ("reportingInstance", "reportingInstance"),
];

/// The mistakes of an event of either group.
pub(super) fn mistakes(object: &Value, live: Option<&Value>) -> Vec<Mistake<'static>> {
    let generation = find(object, &["metadata", "generation"]);
    let negative = negative("metadata.generation".to_owned(), generation);
    let group = if own(object, "apiVersion") == "v1" { Group::Core } else { Group::Events };
    let mut out: Vec<Mistake<'static>> = negative.into_iter().collect();
    of_both(object, group, &mut out);
    if group == Group::Events {
        of_new(object, live, &mut out);
    }
    out
}

/// The group in which a client sends an event. Most fields have other names there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Core,
    Events,
}

fn of_both(object: &Value, group: Group, out: &mut Vec<Mistake<'static>>) {
    let is_new = group == Group::Events;
    let about = if is_new { "regarding" } else { "involvedObject" };
    let about = find(object, &[about, "namespace"]).and_then(Value::as_str).unwrap_or_default();
    let namespace = meta::text(object, "namespace");
    let has_time = !own(object, "eventTime").is_empty();
    let is_right = match about {
        "" => namespace == "default" || has_time && namespace == "kube-system",
        about => has_time || about == namespace,
    };
    if !is_right {
        let why = format!("\"{about}\": does not match event.namespace");
        out.push(Mistake::new("involvedObject.namespace", Kind::Invalid, why));
    }
    if !has_time {
        return;
    }
    let controller = if is_new { "reportingController" } else { "reportingComponent" };
    let name = own(object, controller);
    if name.is_empty() {
        out.push(Mistake::new(controller, Kind::Required, ""));
    }
    let mistakes = names::qualified_name(name);
    out.extend(mistakes.iter().map(|why| invalid_text(controller.to_owned(), name, why)));
    for (name, shown, limit) in LIMITS {
        let text = own(object, if is_new { name } else { shown });
        if text.is_empty() && shown != "message" {
            out.push(Mistake::new(shown, Kind::Required, ""));
        }
        if text.len() > limit {
            out.push(unset(shown, &format!("can have at most {limit} characters")));
        }
    }
}

/// The messages of events do not show values.
fn unset(field: &'static str, why: &str) -> Mistake<'static> {
    Mistake::new(field, Kind::Invalid, format!("\"\": {why}"))
}

fn of_new(object: &Value, live: Option<&Value>, out: &mut Vec<Mistake<'static>>) {
    let series = object.get("series").filter(|it| !it.is_null());
    if let Some(series) = series.filter(|series| live.and_then(|live| live.get("series")) != Some(*series)) {
        if series.get("count").and_then(Value::as_int).unwrap_or_default() < 2 {
            out.push(unset("series.count", "should be at least 2"));
        }
        if own(series, "lastObservedTime").is_empty() {
            out.push(Mistake::new("series.lastObservedTime", Kind::Required, ""));
        }
    }
    if let Some(live) = live {
        let changed = FIXED.iter().filter(|(name, _)| object.get(name) != live.get(name));
        out.extend(changed.map(|(name, shown)| {
            let why = format!("{}: field is immutable", in_go_of(name, object.get(name)));
            Mistake::new(*shown, Kind::Invalid, why)
        }));
        return;
    }
    if own(object, "eventTime").is_empty() {
        out.push(Mistake::new("eventTime", Kind::Required, ""));
    }
    let ty = own(object, "type");
    if !matches!(ty, "Normal" | "Warning") {
        out.push(unset("type", &format!("has invalid value: {ty}")));
    }
    let is_set = |name: &str| match object.get(name) {
        Some(Value::Map(map)) => !map.is_empty(),
        Some(Value::Int(number)) => *number != 0,
        value => value.is_some_and(|value| !value.is_null()),
    };
    let found = DEPRECATED.iter().filter(|(name, _)| is_set(name));
    out.extend(found.map(|(_, shown)| unset(shown, "needs to be unset")));
}

/// A field as Go shows it, also if it is missing.
fn in_go_of(name: &str, value: Option<&Value>) -> String {
    const OBJECT: [&str; 7] =
        ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];
    const SOURCE: [&str; 2] = ["component", "host"];
    let nothing = Value::Null;
    let value = value.unwrap_or(&nothing);
    match (name, value) {
        ("regarding", _) => in_go(&with_texts(value, &OBJECT), &OBJECT),
        ("deprecatedSource", _) => in_go(&with_texts(value, &SOURCE), &SOURCE),
        ("deprecatedCount", Value::Null) => "0".to_owned(),
        ("eventTime" | "deprecatedFirstTimestamp" | "deprecatedLastTimestamp", _) => json::to_string(value),
        (_, Value::Null) => "\"\"".to_owned(),
        _ => json::to_string(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_new_group_is_stricter() {
        let read = |text: &str| json::read(text.as_bytes()).expect("JSON");
        let wrong = |text: &str, live: Option<&str>| {
            let live = live.map(read);
            mistakes(&read(text), live.as_ref()).first().map(|it| format!("{}: {}", it.field, it.why))
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
