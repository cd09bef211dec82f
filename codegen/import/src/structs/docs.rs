//! Notes about defaults and limits, for people who read the documentation and not the attributes.

use super::model::*;
use crate::inert;
use crate::json;
use crate::value::Value;

/// Longer defaults and patterns are not shown.
const LONGEST: usize = 60;

/// The note about a field: its default and its limits.
pub(super) fn note(usage: &Use) -> Option<String> {
    let mut parts = Vec::new();
    let value = |key: &str| {
        usage.keywords.iter().find(|k| k.key == key).and_then(|k| match &k.arg {
            Arg::Json(Json(value)) => Some(value),
            Arg::Flag | Arg::Nested(_) | Arg::Named(..) | Arg::At(..) => None,
        })
    };
    if let Some(code) = value("default").and_then(code) {
        parts.push(format!("default {code}"));
    }
    let units = [
        ("minimum", "maximum", ""),
        ("min_length", "max_length", "characters"),
        ("min_items", "max_items", "items"),
        ("min_properties", "max_properties", "entries"),
    ];
    for (low, high, unit) in units {
        parts.extend(range(value(low), value(high), unit));
    }
    if let Some(code) = value("multiple_of").and_then(code) {
        parts.push(format!("a multiple of {code}"));
    }
    if let Some(Value::Str(format)) = value("format").filter(|f| plain(f)) {
        parts.push(format!("format {format}"));
    }
    if let Some(Value::Str(pattern)) = value("pattern").filter(|p| plain(p)) {
        parts.push(format!("matching `{pattern}`"));
    }
    (!parts.is_empty()).then(|| parts.join(", ") + ".")
}

fn range(low: Option<&Value>, high: Option<&Value>, unit: &str) -> Option<String> {
    let text = match (low.map(json::to_string), high.map(json::to_string)) {
        (Some(low), Some(high)) if low == high => format!("exactly {low}"),
        (Some(low), Some(high)) => format!("{low} to {high}"),
        (Some(low), None) => format!("at least {low}"),
        (None, Some(high)) => format!("at most {high}"),
        (None, None) => return None,
    };
    Some(if unit.is_empty() { text } else { format!("{text} {unit}") })
}

fn code(value: &Value) -> Option<String> {
    let text = json::to_string(value);
    (text.len() <= LONGEST && !text.contains('`') && !inert::has_active(&text, ""))
        .then(|| format!("`{text}`"))
}

/// Whether a text can be in a code span on one line.
fn plain(value: &Value) -> bool {
    let is_short =
        |s: &str| s.len() <= LONGEST && s.trim() == s && !s.contains('`') && !inert::has_active(s, "");
    value.as_str().is_some_and(is_short)
}
