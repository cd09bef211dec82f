//! The annotation in which `kubectl apply` without `--server-side` keeps what it applied. A server-side apply of kubectl may
//! change what the annotation contains, and keeps the annotation up to date.

use crdgen_text::json;
use crdgen_text::value::{Map, Value};

/// The manager of kubectl. All others do not use the annotation.
pub(super) const MANAGER: &str = "kubectl";

const ANNOTATION: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The maximum size of all annotations of an object.
const MOST: usize = 256 << 10;

/// The annotations of an object, if all are texts.
fn annotations(object: &Value) -> Option<&Map<Value>> {
    let annotations = object.get("metadata")?.get("annotations")?.as_map()?;
    annotations.values().all(|value| value.as_str().is_some()).then_some(annotations)
}

/// Returns the annotation, if there is one that is not empty.
pub(super) fn annotation(object: &Value) -> Option<&str> {
    annotations(object)?.get(ANNOTATION)?.as_str().filter(|text| !text.is_empty())
}

/// Puts the configuration into the annotation, if there is one.
pub(super) fn update(object: &mut Value, applied: &Value) {
    if annotation(object).is_none() {
        return;
    }
    let mut applied = applied.clone();
    let without = annotations(&applied).cloned().map(|mut annotations| {
        annotations.remove(ANNOTATION);
        annotations
    });
    if let Some(Value::Map(metadata)) = applied.as_map_mut().and_then(|map| map.get_mut("metadata")) {
        match without {
            Some(annotations) => drop(metadata.insert("annotations", Value::Map(annotations))),
            None => drop(metadata.remove("annotations")),
        }
    }
    let text =
        format!("{}\n", json::to_html_safe(&Value::Map(applied.as_map().cloned().unwrap_or_default())));
    let metadata = object.as_map_mut().and_then(|map| map.get_mut("metadata"));
    let Some(Value::Map(annotations)) = metadata.and_then(|m| m.as_map_mut()?.get_mut("annotations")) else {
        return;
    };
    annotations.insert(ANNOTATION, text.into());
    let length = |(name, value): (&str, &Value)| name.len() + value.as_str().map_or(0, str::len);
    if annotations.iter().map(length).sum::<usize>() > MOST {
        annotations.remove(ANNOTATION);
    }
}
