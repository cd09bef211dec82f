//! Selectors of labels, as Kubernetes' types have them.

use crdgen_core::object::selector::LabelSelector;
use crdgen_core::value::Value;

/// Returns a selector. `None` if it selects everything.
pub fn of_labels(value: &Value) -> Option<LabelSelector> {
    let labels = value.get("matchLabels").and_then(Value::as_map);
    let mut parts: Vec<String> = labels
        .into_iter()
        .flat_map(|labels| labels.iter())
        .map(|(name, value)| format!("{name}={}", value.as_str().unwrap_or_default()))
        .collect();
    for part in value.get("matchExpressions").and_then(Value::as_list).unwrap_or_default() {
        let values = part.get("values").and_then(Value::as_list).unwrap_or_default();
        let values: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        let (key, values) = (part.text("key"), values.join(","));
        parts.push(match part.text("operator") {
            "In" => format!("{key} in ({values})"),
            "NotIn" => format!("{key} notin ({values})"),
            "Exists" => key.to_owned(),
            _ => format!("!{key}"),
        });
    }
    if parts.is_empty() { None } else { LabelSelector::parse(&parts.join(",")).ok() }
}
