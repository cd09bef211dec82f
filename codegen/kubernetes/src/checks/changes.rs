//! What updates of pods can change.

use super::find;
use super::words::{forbidden, invalid, invalid_text};
use crate::meta::own;
use crate::mistake::Mistake;
use crdgen_core::value::{Map, Value};

type Mistakes = Vec<Mistake<'static>>;

const FEW: &str = "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

fn list<'v>(spec: &'v Value, name: &str) -> &'v [Value] {
    spec.get(name).and_then(Value::as_list).unwrap_or_default()
}

/// The mistakes in the changes of a pod.
pub(crate) fn changes_of_pod(object: &Value, live: &Value) -> Mistakes {
    let nothing = Value::Null;
    let (new, old) = (object.get("spec").unwrap_or(&nothing), live.get("spec").unwrap_or(&nothing));
    let mut out = of_annotations(object, live);
    for name in ["containers", "initContainers"] {
        let (new, old) = (list(new, name), list(old, name));
        if new.len() != old.len() {
            out.push(forbidden(format!("spec.{name}"), "pod updates may not add or remove containers"));
            return out;
        }
        for (i, container) in new.iter().enumerate() {
            let (field, image) = (format!("spec.{name}[{i}].image"), own(container, "image"));
            if image.trim() != image {
                out.push(invalid_text(field, image, "must not have leading or trailing whitespace"));
            }
        }
    }
    let deadline = |spec: &Value| spec.get("activeDeadlineSeconds").and_then(Value::as_int);
    let field = || "spec.activeDeadlineSeconds".to_owned();
    match (deadline(new), deadline(old)) {
        (Some(seconds), _) if !(0..=i64::from(i32::MAX)).contains(&seconds) => {
            out.push(invalid(field(), &seconds.into(), "must be between 0 and 2147483647, inclusive"));
            return out;
        }
        (Some(seconds), Some(before)) if before < seconds => {
            out.push(invalid(field(), &seconds.into(), "must be less than or equal to previous value"));
            return out;
        }
        (None, Some(_)) => {
            out.push(invalid(field(), &nothing, "must not update from a positive integer to nil value"));
        }
        _ => {}
    }
    let is_kept = |old: &&Value| list(new, "tolerations").iter().any(|new| is_same_toleration(new, old));
    if !list(old, "tolerations").iter().all(|old| is_kept(&old)) {
        let why = "existing toleration can not be modified except its tolerationSeconds";
        out.push(forbidden("spec.tolerations".to_owned(), why));
    }
    let gates = |spec: &Value| -> Vec<String> {
        list(spec, "schedulingGates").iter().map(|gate| own(gate, "name").to_owned()).collect()
    };
    for (i, gate) in gates(new).iter().enumerate() {
        if !gates(old).contains(gate) {
            let why = format!("only deletion is allowed, but found new scheduling gate '{gate}'");
            out.push(forbidden(format!("spec.schedulingGates[{i}].name"), &why));
        }
    }
    out.extend(of_gated(new, old));
    if fixed(new, old) != fixed(old, old) {
        out.push(forbidden("spec".to_owned(), FEW));
    }
    out
}

/// A toleration without its time.
fn is_same_toleration(one: &Value, other: &Value) -> bool {
    let rest = |toleration: &Value| {
        let mut rest = toleration.clone();
        rest.as_map_mut().map(|map| map.remove("tolerationSeconds"));
        rest
    };
    rest(one) == rest(other)
}

/// The part of a spec that stays. A pod that waits for its gates can get another place.
fn fixed(spec: &Value, old: &Value) -> Value {
    let mut fixed = spec.clone();
    let Value::Map(map) = &mut fixed else { return fixed };
    for name in ["activeDeadlineSeconds", "tolerations", "schedulingGates"] {
        map.remove(name);
    }
    if !list(old, "schedulingGates").is_empty() {
        map.remove("nodeSelector");
        if let Some(Value::Map(affinity)) = map.get_mut("affinity") {
            affinity.remove("nodeAffinity");
            if affinity.is_empty() {
                map.remove("affinity");
            }
        }
    }
    let seconds = |spec: &Value| find(spec, &["terminationGracePeriodSeconds"]).and_then(Value::as_int);
    if seconds(old).is_some_and(|seconds| seconds < 0) && matches!(seconds(spec), Some(1)) {
        map.insert(
            "terminationGracePeriodSeconds",
            old.get("terminationGracePeriodSeconds").cloned().unwrap_or_default(),
        );
    }
    for name in ["containers", "initContainers"] {
        without_images(map, name);
    }
    fixed
}

fn without_images(spec: &mut Map<Value>, name: &str) {
    let Some(Value::List(containers)) = spec.get_mut(name) else { return };
    containers.iter_mut().filter_map(Value::as_map_mut).for_each(|container| drop(container.remove("image")));
}

/// The annotations that stay: those of AppArmor, and the one of pods that a node has by itself.
fn of_annotations(object: &Value, live: &Value) -> Mistakes {
    const APP_ARMOR: &str = "container.apparmor.security.beta.kubernetes.io/";
    const MIRROR: &str = "kubernetes.io/config.mirror";
    let annotations = |object: &Value| {
        let found = find(object, &["metadata", "annotations"]).and_then(Value::as_map);
        found.cloned().unwrap_or_default()
    };
    let (new, old) = (annotations(object), annotations(live));
    let changed = old
        .iter()
        .filter(|(name, value)| new.get(name) != Some(*value))
        .map(|(name, _)| (name, "remove or update"));
    let added = new.keys().filter(|name| old.get(name).is_none()).map(|name| (name, "add"));
    let mistake = |(name, what): (&str, &str)| {
        let of = match name {
            MIRROR => "mirror pod annotation",
            name if name.starts_with(APP_ARMOR) => "AppArmor annotations",
            _ => return None,
        };
        Some(forbidden(format!("metadata.annotations[{name}]"), &format!("may not {what} {of}")))
    };
    changed.chain(added).filter_map(mistake).collect()
}

/// Pods that wait for their gates can get a narrower place.
fn of_gated(new: &Value, old: &Value) -> Mistakes {
    const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
    let nothing = Value::Null;
    let mut out = Vec::new();
    if list(old, "schedulingGates").is_empty() {
        return out;
    }
    let selector = new.get("nodeSelector").unwrap_or(&nothing);
    let had = old.get("nodeSelector").and_then(Value::as_map);
    if had.into_iter().flat_map(Map::iter).any(|(name, value)| selector.get(name) != Some(value)) {
        let why = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
        out.push(invalid("spec.nodeSelector".to_owned(), selector, why));
    }
    let terms =
        |spec: &Value| find(spec, &["affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms"]).cloned();
    let (shown, had) = (terms(new).unwrap_or_default(), terms(old).unwrap_or_default());
    let field = format!("spec.affinity.nodeAffinity.{REQUIRED}.nodeSelectorTerms");
    let (terms, had) = (shown.as_list().unwrap_or_default(), had.as_list().unwrap_or_default());
    if !had.is_empty() && had.len() != terms.len() {
        out.push(invalid(
            field,
            &shown,
            "no additions/deletions to non-empty NodeSelectorTerms list are allowed",
        ));
        return out;
    }
    for (i, (term, had)) in terms.iter().zip(had).enumerate() {
        let is_kept = |name: &str| list(term, name).starts_with(list(had, name));
        let is_empty =
            |term: &Value| list(term, "matchExpressions").is_empty() && list(term, "matchFields").is_empty();
        if !is_kept("matchExpressions") || !is_kept("matchFields") || is_empty(had) && !is_empty(term) {
            let why = "only additions are allowed (no mutations or deletions)";
            out.push(invalid(format!("{field}[{i}]"), term, why));
        }
    }
    out
}
