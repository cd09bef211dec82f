//! Checks of events. Those of the new group are stricter.

use super::at::{At, Mistakes};
use super::internal;
use super::rows::{Check::*, Row, check};
use crate::mistake::Mistake;
use crdgen_core::names;
use crdgen_core::value::Value;

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

/// Events of the core group.
pub(super) const EVENT: &[Row] =
    &[("metadata.generation", NotNegative), ("", Code(|at, out| common(at, Group::Core, out)))];
/// Events of the new group.
pub(super) const NEW_EVENT: &[Row] = &[
    ("metadata.generation", NotNegative),
    ("", Code(|at, out| common(at, Group::Events, out))),
    ("", Code(of_new)),
];

/// The group in which a client sends an event. Most fields have other names there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Core,
    Events,
}

fn common(at: &At<'_>, group: Group, out: &mut Mistakes) {
    let is_new = group == Group::Events;
    let about = at.get(if is_new { "regarding.namespace" } else { "involvedObject.namespace" });
    let (namespace, has_time) = (at.get("metadata.namespace").text(), !at.get("eventTime").is_empty());
    let is_right = match about.text() {
        "" => namespace == "default" || has_time && namespace == "kube-system",
        about => has_time || about == namespace,
    };
    if !is_right {
        let about = about.shown_as("involvedObject.namespace".into());
        out.push(about.invalid_as(&format!("\"{}\"", about.text()), "does not match event.namespace"));
    }
    if !has_time {
        return;
    }
    const NAMED: &[Row] = &[("", Required("")), ("", Name(names::qualified_name))];
    check(NAMED, &at.get(if is_new { "reportingController" } else { "reportingComponent" }), out);
    for (name, shown, limit) in LIMITS {
        let text = at.get(if is_new { name } else { shown }).shown_as(shown.into());
        if text.is_empty() && shown != "message" {
            out.push(text.required(""));
        }
        if text.text().len() > limit {
            out.push(unset(&text, &format!("can have at most {limit} characters")));
        }
    }
}

/// The messages of events do not show values.
fn unset(at: &At<'_>, why: &str) -> Mistake {
    at.invalid_text("", why)
}

fn of_new(at: &At<'_>, out: &mut Mistakes) {
    let series = at.get("series");
    if series.is_set() && (at.is_new() || series.is_changed()) {
        let count = series.get("count");
        out.extend((count.number() < 2).then(|| unset(&count, "should be at least 2")));
        check(&[("lastObservedTime", Required(""))], &series, out);
    }
    if !at.is_new() {
        for (name, shown) in FIXED {
            let field = at.get(name);
            if field.is_changed() {
                out.push(
                    field
                        .shown_as(shown.into())
                        .invalid_as(&in_go_of(name, field.value), "field is immutable"),
                );
            }
        }
        return;
    }
    check(&[("eventTime", Required(""))], at, out);
    let ty = at.get("type");
    if !matches!(ty.text(), "Normal" | "Warning") {
        out.push(unset(&ty, &format!("has invalid value: {}", ty.text())));
    }
    for (name, shown) in DEPRECATED {
        let field = at.get(name);
        if !field.is_empty() && field.int() != Some(0) {
            out.push(unset(&field.shown_as(shown.into()), "needs to be unset"));
        }
    }
}

/// A field as Go shows it, also if it is missing.
fn in_go_of(name: &str, value: Option<&Value>) -> String {
    let ty = match name {
        "regarding" => "ObjectReference",
        "deprecatedSource" => "EventSource",
        "deprecatedCount" => "i",
        "eventTime" | "deprecatedFirstTimestamp" | "deprecatedLastTimestamp" => "t",
        _ => "s",
    };
    internal::shown(value, ty)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crdgen_core::json;

    #[test]
    fn the_new_group_is_stricter() {
        let read = |text: &str| json::read(text.as_bytes()).expect("JSON");
        let wrong = |text: &str, live: Option<&str>| {
            let (object, live) = (read(text), live.map(read));
            let (mut out, at) = (Vec::new(), At::new(&object, live.as_ref()));
            check(if text.contains("events.k8s.io") { NEW_EVENT } else { EVENT }, &at, &mut out);
            out.first().map(|it: &Mistake| format!("{}: {}", it.field, it.why))
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
