//! What the server sets in pods.

use crate::meta;
use crate::registry::Subresource;
use crdgen_core::go;
use crdgen_core::value::Value;

/// A new pod waits for a node. Its subresources change only a part of its spec.
pub(super) fn pod(subresource: Option<Subresource>, object: &mut Value, live: Option<&Value>) {
    let Some(live) = live else {
        if let Value::Map(map) = object {
            let class = class(map.get("spec").unwrap_or(&Value::Null));
            let status = meta::map([("phase", "Pending".into()), ("qosClass", class.into())]);
            map.insert("status", status);
        }
        return;
    };
    let part: &[&str] = match subresource {
        Some(Subresource::EphemeralContainers) => &["ephemeralContainers"],
        Some(Subresource::Resize) => &["containers", "initContainers", "resources"],
        _ => return,
    };
    let Some(mut spec) = live.get("spec").cloned() else { return };
    if let Value::Map(spec) = &mut spec {
        for name in part {
            match object.get("spec").and_then(|spec| spec.get(name)) {
                Some(value) => drop(spec.insert(*name, value.clone())),
                None => drop(spec.remove(name)),
            }
        }
    }
    let managed = object.get("metadata").and_then(|metadata| metadata.get("managedFields")).cloned();
    let mut changed = live.clone();
    if let Value::Map(map) = &mut changed {
        map.insert("spec", spec);
    }
    meta::set(&mut changed, "managedFields", managed);
    let generation = object.get("metadata").and_then(|metadata| metadata.get("generation")).cloned();
    meta::set(&mut changed, "generation", generation);
    *object = changed;
}

/// The quality of service: how far the limits of the containers are what they ask for.
fn class(spec: &Value) -> &'static str {
    const MIXED: &str = "Burstable";
    if let Some(resources) = spec.get("resources").filter(|it| it.as_map().is_some_and(|map| !map.is_empty()))
    {
        return class_of(resources);
    }
    let mut found = None;
    for name in ["initContainers", "containers"] {
        for container in spec.get(name).and_then(Value::as_list).unwrap_or_default() {
            let class = class_of(container.get("resources").unwrap_or(&Value::Null));
            if *found.get_or_insert(class) != class {
                return MIXED;
            }
        }
    }
    found.unwrap_or("BestEffort")
}

fn class_of(resources: &Value) -> &'static str {
    let mut found = None;
    for name in ["cpu", "memory"] {
        let amount = |part: &str| {
            let amount = resources.get(part).and_then(|it| it.get(name)?.as_str()).and_then(go::canonical);
            amount.filter(|amount| amount != "0")
        };
        let limit = amount("limits");
        let class = match (amount("requests").or_else(|| limit.clone()), limit) {
            (None, None) => "BestEffort",
            (Some(asked), Some(limit)) if asked == limit => "Guaranteed",
            _ => return "Burstable",
        };
        if *found.get_or_insert(class) != class {
            return "Burstable";
        }
    }
    found.unwrap_or("BestEffort")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crdgen_core::json;

    #[test]
    fn the_quality_of_service_depends_on_all_containers() {
        let of = |text: &str| class(&json::read(text.as_bytes()).expect("JSON"));
        let none = "{}";
        let full = r#"{"resources":{"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"1000m","memory":"1Gi"}}}"#;
        let part = r#"{"resources":{"requests":{"cpu":"1"}}}"#;
        for (containers, expected) in [
            (none.to_owned(), "BestEffort"),
            (full.to_owned(), "Guaranteed"),
            (part.to_owned(), "Burstable"),
            (format!("{none},{full}"), "Burstable"),
            (format!("{full},{full}"), "Guaranteed"),
        ] {
            assert_eq!(of(&format!(r#"{{"containers":[{containers}]}}"#)), expected, "{containers}");
        }
    }
}
