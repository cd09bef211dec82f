//! The objects that a scope of a quota selects.

use super::pods::is_terminating;
use crate::store::Resource;
use crdgen_core::value::Value;

/// A scope, and which values of it count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scope<'q> {
    pub(super) name: &'q str,
    pub(super) operator: &'q str,
    pub(super) values: Vec<&'q str>,
}

impl<'q> Scope<'q> {
    pub(super) fn exists(name: &'q str) -> Scope<'q> {
        Scope { name, operator: "Exists", values: Vec::new() }
    }

    /// Whether an object of a resource is in the scope.
    pub(crate) fn has(&self, resource: &Resource, object: &Value) -> bool {
        let spec = object.get("spec").unwrap_or(&Value::Null);
        let is_best_effort = || object.get("status").is_some_and(|it| it.text("qosClass") == "BestEffort");
        match (&*resource.plural, self.name) {
            _ if !resource.group.is_empty() => false,
            ("pods", "Terminating") => is_terminating(object),
            ("pods", "NotTerminating") => !is_terminating(object),
            ("pods", "BestEffort") => is_best_effort(),
            ("pods", "NotBestEffort") => !is_best_effort(),
            ("pods", "PriorityClass") => self.has_text(spec.text("priorityClassName")),
            ("pods", "CrossNamespacePodAffinity") => is_near_other_namespaces(spec),
            ("persistentvolumeclaims", "VolumeAttributesClass") => {
                self.has_text(spec.text("volumeAttributesClassName"))
            }
            _ => false,
        }
    }

    /// Whether a text, which is empty if it is not there, is one of the values.
    fn has_text(&self, text: &str) -> bool {
        let is_there = !text.is_empty();
        match self.operator {
            "Exists" => is_there,
            "DoesNotExist" => !is_there,
            "In" => is_there && self.values.contains(&text),
            "NotIn" => !is_there || !self.values.contains(&text),
            _ => false,
        }
    }
}

/// Whether a pod wants to be near pods of other namespaces, or far from them.
fn is_near_other_namespaces(spec: &Value) -> bool {
    const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
    const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";
    let affinity = spec.get("affinity").unwrap_or(&Value::Null);
    let names_others = |term: &Value| {
        let namespaces = term.get("namespaces").and_then(Value::as_list).unwrap_or_default();
        !namespaces.is_empty() || term.get("namespaceSelector").is_some_and(|it| !it.is_null())
    };
    let list = |of: &Value, name: &str| of.get(name).and_then(Value::as_list).unwrap_or_default().to_vec();
    ["podAffinity", "podAntiAffinity"].iter().filter_map(|name| affinity.get(name)).any(|of| {
        let preferred = list(of, PREFERRED);
        let weighted = preferred.iter().filter_map(|term| term.get("podAffinityTerm"));
        list(of, REQUIRED).iter().any(names_others) || weighted.into_iter().any(names_others)
    })
}
