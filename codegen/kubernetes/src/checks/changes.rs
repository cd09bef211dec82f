//! What updates of pods can change.

use super::at::{At, Mistakes};
use super::internal;
use super::pods::PADDED;
use super::rows::{Check::*, Row, check};
use crdgen_core::apply::quality_of_service;
use crdgen_core::value::{Map, Value};
use std::collections::BTreeSet;

const FEW: &str = "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/// The changes of a pod.
pub(super) const POD: &[Row] = &[("metadata.annotations", Code(annotations)), ("spec", Code(spec))];

/// The changes of a pod's resources.
pub(super) const RESIZE: &[Row] = &[("", Code(resize))];

fn list<'v>(spec: &'v Value, name: &str) -> &'v [Value] {
    spec.get(name).and_then(Value::as_list).unwrap_or_default()
}

fn spec(at: &At<'_>, out: &mut Mistakes) {
    let nothing = Value::Null;
    let (new, old) = (at.value.unwrap_or(&nothing), at.old.unwrap_or(&nothing));
    for name in ["containers", "initContainers"] {
        let containers = at.get(name);
        if containers.items().len() != list(old, name).len() {
            return out.push(containers.forbidden("pod updates may not add or remove containers"));
        }
        check(&[("[].image", PADDED)], &containers, out);
    }
    let deadline = at.get("activeDeadlineSeconds");
    match (deadline.int(), deadline.old.and_then(Value::as_int)) {
        (Some(seconds), _) if !(0..=i64::from(i32::MAX)).contains(&seconds) => {
            return out.push(deadline.invalid("must be between 0 and 2147483647, inclusive"));
        }
        (Some(seconds), Some(before)) if before < seconds => {
            return out.push(deadline.invalid("must be less than or equal to previous value"));
        }
        (None, Some(_)) => {
            out.push(deadline.invalid("must not update from a positive integer to nil value"));
        }
        _ => {}
    }
    let is_kept = |old: &&Value| list(new, "tolerations").iter().any(|new| is_same_toleration(new, old));
    if !list(old, "tolerations").iter().all(|old| is_kept(&old)) {
        let why = "existing toleration can not be modified except its tolerationSeconds";
        out.push(at.get("tolerations").forbidden(why));
    }
    let name = |gate: &'_ Value| gate.text("name").to_owned();
    let old_gates: BTreeSet<String> = list(old, "schedulingGates").iter().map(name).collect();
    for gate in at.get("schedulingGates").each().map(|gate| gate.get("name")) {
        if !old_gates.contains(gate.text()) {
            let why = format!("only deletion is allowed, but found new scheduling gate '{}'", gate.text());
            out.push(gate.forbidden(&why));
        }
    }
    if !old_gates.is_empty() {
        of_gated(at, out);
    }
    let changed = with_old(new, old);
    if changed != *old {
        out.push(at.forbidden(&format!("{FEW}\n{}", internal::difference(old, &changed, "PodSpec"))));
    }
}

fn resize(pod: &At<'_>, out: &mut Mistakes) {
    let nothing = Value::Null;
    let (new, old) = (pod.value.unwrap_or(&nothing), pod.old.unwrap_or(&nothing));
    let (spec, class) = (pod.get("spec"), pod.get("status.qosClass"));
    if class.old_text() != quality_of_service(new) {
        let why = "Pod QOS Class may not change as a result of resizing";
        out.push(spec.invalid_text(class.text(), why));
    }
    let before = out.len();
    let of_spec =
        |pod: &'_ Value, name: &str| pod.get("spec").map_or(Vec::new(), |it| list(it, name).to_vec());
    let both = ["containers", "initContainers"].map(|name| (name, of_spec(new, name), of_spec(old, name)));
    for (name, new, old) in &both {
        let containers = spec.get(name);
        if new.len() != old.len() {
            out.push(containers.forbidden(&format!("{name} may not be added or removed on resize")));
            continue;
        }
        for (container, old) in containers.each().zip(old).map(|(it, old)| (it.get("name"), old)) {
            if old.get("name").and_then(Value::as_str) != Some(container.text()) {
                out.push(container.forbidden(&format!("{name} may not be renamed or reordered on resize")));
            }
        }
    }
    if out.len() > before {
        return;
    }
    let is_resizable = |name: &str, container: &Value| {
        name == "containers" || container.get("restartPolicy").and_then(Value::as_str) == Some("Always")
    };
    for (name, _, old) in both.iter().rev() {
        for (container, old) in spec.get(name).each().zip(old).filter(|(_, old)| is_resizable(name, old)) {
            for part in ["requests", "limits"] {
                let resources =
                    container.get(if part == "requests" { "resources.requests" } else { "resources.limits" });
                let had = old
                    .get("resources")
                    .and_then(|it| it.get(part)?.as_map())
                    .into_iter()
                    .flat_map(Map::keys);
                if had.into_iter().any(|name| resources.member(name).is_none()) {
                    out.push(resources.forbidden(&format!("resource {part} cannot be removed")));
                }
            }
        }
    }
    for (name, new, old) in &both {
        for (i, (new, old)) in new.iter().zip(old).enumerate() {
            let is_same = is_resizable(name, new) && with_old_amounts(new, old) == *old || new == old;
            let why = "only cpu and memory resources are mutable";
            match (is_same, *name, is_resizable(name, new)) {
                (true, ..) => {}
                (false, "containers", _) => out.push(spec.forbidden(why)),
                (false, _, true) => {
                    let why = "only cpu and memory resources for init or sidecar containers are mutable";
                    out.extend(spec.get("initContainers").each().nth(i).map(|it| it.forbidden(why)));
                }
                (false, _, false) => {
                    out.push(spec.forbidden("resources for non-sidecar init containers are immutable"));
                }
            }
        }
    }
}

/// A new container with the amounts that a resize may change as they were before.
fn with_old_amounts(new: &Value, old: &Value) -> Value {
    let resources = |of: &Value| of.get("resources").and_then(Value::as_map).cloned();
    let (before, mut after) = (resources(old), resources(new).unwrap_or_default());
    for part in ["requests", "limits"] {
        let amounts = |of: &Map<Value>| of.get(part).and_then(Value::as_map).cloned();
        let (had, mut has) = (before.as_ref().and_then(amounts), amounts(&after).unwrap_or_default());
        for name in ["cpu", "memory"] {
            match had.as_ref().and_then(|had| had.get(name)) {
                Some(amount) => drop(has.insert(name, amount.clone())),
                None => drop(has.remove(name)),
            }
        }
        match has.is_empty() && had.is_none() {
            true => drop(after.remove(part)),
            false => drop(after.insert(part, Value::Map(has))),
        }
    }
    let mut out = new.clone();
    if let Value::Map(map) = &mut out {
        match after.is_empty() && before.is_none() {
            true => drop(map.remove("resources")),
            false => drop(map.insert("resources", Value::Map(after))),
        }
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

/// A new spec with what may change as it was before. A pod that waits for its gates can get another place.
fn with_old(new: &Value, old: &Value) -> Value {
    let mut out = new.clone();
    let Value::Map(map) = &mut out else { return out };
    let take = |map: &mut Map<Value>, name: &str, old: &Value| match old.get(name) {
        Some(value) => drop(map.insert(name, value.clone())),
        None => drop(map.remove(name)),
    };
    for name in ["activeDeadlineSeconds", "tolerations", "schedulingGates"] {
        take(map, name, old);
    }
    if !list(old, "schedulingGates").is_empty() {
        take(map, "nodeSelector", old);
        let nodes = old.get("affinity").and_then(|affinity| affinity.get("nodeAffinity"));
        let affinity = map.entry_or_insert_with("affinity", || Value::Map(Map::new()));
        if let Value::Map(affinity) = affinity {
            match nodes {
                Some(nodes) => drop(affinity.insert("nodeAffinity", nodes.clone())),
                None => drop(affinity.remove("nodeAffinity")),
            }
            if affinity.is_empty() && old.get("affinity").is_none() {
                map.remove("affinity");
            }
        }
    }
    let grace = "terminationGracePeriodSeconds";
    let seconds = |spec: &Value| spec.get(grace).and_then(Value::as_int);
    if seconds(old).is_some_and(|seconds| seconds < 0) && seconds(new) == Some(1) {
        take(map, grace, old);
    }
    for name in ["containers", "initContainers"] {
        let Some(Value::List(containers)) = map.get_mut(name) else { continue };
        for (container, old) in containers.iter_mut().zip(list(old, name)) {
            container.as_map_mut().into_iter().for_each(|container| take(container, "image", old));
        }
    }
    out
}

/// The annotations that stay: those of AppArmor, and the one of pods that a node has by itself.
fn annotations(at: &At<'_>, out: &mut Mistakes) {
    const APP_ARMOR: &str = "container.apparmor.security.beta.kubernetes.io/";
    const MIRROR: &str = "kubernetes.io/config.mirror";
    let (new, old) = (at.value.and_then(Value::as_map), at.old.and_then(Value::as_map));
    let get = |map: Option<&Map<Value>>, name: &str| map.and_then(|map| map.get(name).cloned());
    let names: BTreeSet<&str> = new.into_iter().chain(old).flat_map(Map::keys).collect();
    for name in names.into_iter().filter(|name| get(new, name) != get(old, name)) {
        let what = if get(old, name).is_some() { "remove or update" } else { "add" };
        let of = match name {
            MIRROR => "mirror pod annotation",
            name if name.starts_with(APP_ARMOR) => "AppArmor annotations",
            _ => continue,
        };
        let annotation = at.shown_as(at.field.key(name));
        out.push(annotation.forbidden(&format!("may not {what} {of}")));
    }
}

/// Pods that wait for their gates can get a narrower place.
fn of_gated(spec: &At<'_>, out: &mut Mistakes) {
    let selector = spec.get("nodeSelector");
    let had = selector.old.and_then(Value::as_map);
    let is_kept = |name: &str, value| selector.value.and_then(|selector| selector.get(name)) == Some(value);
    if had.into_iter().flat_map(Map::iter).any(|(name, value)| !is_kept(name, value)) {
        let why = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
        out.push(selector.invalid(why));
    }
    let terms =
        spec.get("affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms");
    let had = terms.old.and_then(Value::as_list).unwrap_or_default();
    if !had.is_empty() && had.len() != terms.items().len() {
        let why = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
        return out.push(terms.invalid_of("[NodeSelectorTerm", why));
    }
    for (term, had) in terms.each().zip(had) {
        let is_kept = |name| term.get(name).items().starts_with(list(had, name));
        let is_empty = term.get("matchExpressions").is_empty() && term.get("matchFields").is_empty();
        let was_empty = list(had, "matchExpressions").is_empty() && list(had, "matchFields").is_empty();
        if !is_kept("matchExpressions") || !is_kept("matchFields") || was_empty && !is_empty {
            out.push(
                term.invalid_of("NodeSelectorTerm", "only additions are allowed (no mutations or deletions)"),
            );
        }
    }
}
