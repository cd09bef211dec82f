//! Checks of volume claims and classes of storage.

use super::words::{forbidden, immutable, invalid_text, required, unsupported};
use super::{find, selectors};
use crate::meta::{own, texts};
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go::quantity::Quantity;
use crdgen_core::names;
use crdgen_core::value::{Map, Value};
use std::collections::BTreeSet;

type Mistakes = Vec<Mistake<'static>>;

const MODES: [&str; 4] = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
/// The annotation that had the class before there was a field.
const OLD_CLASS: &str = "volume.beta.kubernetes.io/storage-class";
const LONGEST_PARAMETERS: usize = 256 << 10;
const MOST_PARAMETERS: usize = 512;

/// The mistakes of a claim.
pub(super) fn claim(object: &Value, live: Option<&Value>) -> Mistakes {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let mut out = of_claim(spec, "spec");
    if let Some(live) = live {
        out.extend(fixed(object, live));
    }
    out
}

/// The mistakes in the spec of a claim.
pub(super) fn of_claim(spec: &Value, at: &str) -> Mistakes {
    let field = |name: &str| format!("{at}.{name}");
    let mut out = Vec::new();
    let modes = texts(spec, "accessModes");
    if modes.is_empty() {
        out.push(required(field("accessModes"), "at least 1 access mode is required"));
    }
    out.extend(selectors::mistakes(spec.get("selector"), &field("selector")));
    out.extend(access_modes(&modes, &field("accessModes")));
    match find(spec, &["resources", "requests", "storage"]).and_then(Value::as_str) {
        None => out.push(required(field("resources[storage]"), "")),
        Some(text) if Quantity::parse(text).is_ok_and(|amount| amount.sign() <= 0) => {
            out.push(invalid_text(field("resources[storage]"), text, "must be greater than zero"));
        }
        Some(_) => {}
    }
    let class = |name: &str| {
        let class = own(spec, name);
        let mistakes = if class.is_empty() { Vec::new() } else { names::dns1123_subdomain(class) };
        mistakes.iter().map(|why| invalid_text(format!("{at}.{name}"), class, why)).collect::<Mistakes>()
    };
    out.extend(class("storageClassName"));
    let mode = spec.get("volumeMode").and_then(Value::as_str);
    if let Some(mode) = mode.filter(|mode| !matches!(*mode, "Block" | "Filesystem")) {
        out.push(unsupported(field("volumeMode"), mode, &["Block", "Filesystem"]));
    }
    out.extend(data_sources(spec, at));
    out.extend(class("volumeAttributesClassName"));
    out
}

/// Where the data comes from: two fields that say the same.
fn data_sources(spec: &Value, at: &str) -> Mistakes {
    let source = |name: &str| spec.get(name).filter(|source| !source.is_null());
    let mut out = Vec::new();
    for name in ["dataSource", "dataSourceRef"] {
        let Some(source) = source(name) else { continue };
        let field = format!("{at}.{name}");
        let (kind, group) = (own(source, "kind"), own(source, "apiGroup"));
        let missing = ["name", "kind"].into_iter().filter(|name| own(source, name).is_empty());
        out.extend(missing.map(|name| required(format!("{field}.{name}"), "")));
        if group.is_empty() && kind != "PersistentVolumeClaim" {
            let why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
            out.push(invalid_text(field.clone(), kind, why));
        }
        let wrong = if group.is_empty() { Vec::new() } else { names::dns1123_subdomain(group) };
        out.extend(wrong.iter().map(|why| invalid_text(format!("{field}.apiGroup"), group, why)));
    }
    if let (Some(old), Some(new)) = (source("dataSource"), source("dataSourceRef")) {
        let group = |of: &Value| of.get("apiGroup").filter(|group| !group.is_null()).cloned();
        let is_same =
            group(old) == group(new) && ["kind", "name"].iter().all(|name| own(old, name) == own(new, name));
        if !is_same {
            // The server's code shows a field as the value.
            let why = "{}: must match dataSourceRef";
            out.push(Mistake::new(at.to_owned(), Kind::Invalid, why));
        }
    }
    out
}

/// The changes that a claim does not allow.
fn fixed(object: &Value, live: &Value) -> Mistakes {
    const FIXED: [&str; 7] = [
        "accessModes",
        "selector",
        "storageClassName",
        "volumeMode",
        "dataSource",
        "dataSourceRef",
        "volumeAttributesClassName",
    ];
    let (nothing, mut out) = (Value::Null, Vec::new());
    let class = |object: &'_ Value| {
        let annotations = find(object, &["metadata", "annotations"]);
        annotations.map_or("", |annotations| own(annotations, OLD_CLASS)).to_owned()
    };
    let (new_class, old_class) = (class(object), class(live));
    let named = |object: &'_ Value| {
        find(object, &["spec", "storageClassName"]).and_then(Value::as_str).map(str::to_owned)
    };
    let is_moved = !old_class.is_empty()
        && named(live).is_none()
        && named(object).as_ref() == Some(&old_class)
        && (new_class.is_empty() || new_class == old_class);
    if new_class != old_class && !is_moved {
        let field = format!("metadata.annotations.{OLD_CLASS}");
        out.push(invalid_text(field, &new_class, "field is immutable"));
    }
    let is_first =
        named(live).is_none() && named(object).is_some_and(|it| old_class.is_empty() || it == old_class);
    let spec = |object: &'_ Value| object.get("spec").cloned().unwrap_or_default();
    let (new, old) = (spec(object), spec(live));
    let is_bound = object.get("status").is_some_and(|status| own(status, "phase") == "Bound");
    let is_changed = |name: &str| match name {
        // The controller of volumes sets it once.
        "volumeName" => !own(&old, name).is_empty() && new.get(name) != old.get(name),
        "volumeAttributesClassName" if is_bound => false,
        // The first class can be set later.
        "storageClassName" if is_first => false,
        _ => new.get(name).unwrap_or(&nothing) != old.get(name).unwrap_or(&nothing),
    };
    let requests = |spec: &Value| find(spec, &["resources", "requests"]).cloned().unwrap_or_default();
    let (mut wanted, had) = (requests(&new), requests(&old));
    let size = |requests: &Value| requests.get("storage").and_then(Value::as_str).map(Quantity::parse);
    let is_less = match (size(&wanted), size(&had)) {
        (Some(Ok(wanted)), Some(Ok(had))) => wanted.compare(&had).is_lt(),
        _ => false,
    };
    let capacity = find(live, &["status", "capacity"]).map(size);
    let is_recovery = match (size(&wanted), capacity) {
        (Some(Ok(wanted)), Some(Some(Ok(capacity)))) => wanted.compare(&capacity).is_gt(),
        (Some(Ok(wanted)), _) => wanted.sign() > 0,
        _ => false,
    };
    if is_bound && let (Value::Map(map), Some(had)) = (&mut wanted, had.get("storage")) {
        map.insert("storage", had.clone());
    }
    let has_other_resources = find(&new, &["resources", "limits"]) != find(&old, &["resources", "limits"]);
    if FIXED.into_iter().chain(["volumeName"]).any(is_changed) || wanted != had || has_other_resources {
        let why = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
        out.push(forbidden("spec".to_owned(), why));
    }
    if is_less && !is_recovery {
        let field = "spec.resources.requests.storage".to_owned();
        out.push(forbidden(field, "field can not be less than status.capacity"));
    }
    if new.get("volumeMode") != old.get("volumeMode") {
        out.push(immutable("volumeMode", new.get("volumeMode")));
    }
    out
}

/// The mistakes of a StorageClass.
pub(super) fn class(object: &Value, live: Option<&Value>) -> Mistakes {
    if let Some(live) = live {
        let fixed = ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"];
        // The server does not show the values here.
        let changed = fixed.into_iter().filter(|name| object.get(name) != live.get(name));
        return changed.map(|name| immutable(name, None)).collect();
    }
    let mut out = Vec::new();
    let provisioner = own(object, "provisioner").to_lowercase();
    match provisioner.as_str() {
        "" => out.push(required("provisioner".to_owned(), "")),
        name => {
            let mistakes = names::qualified_name(name);
            out.extend(mistakes.iter().map(|why| invalid_text("provisioner".to_owned(), name, why)));
        }
    }
    out.extend(parameters(object.get("parameters").and_then(Value::as_map)));
    let policy = own(object, "reclaimPolicy");
    if !matches!(policy, "" | "Delete" | "Retain") {
        out.push(unsupported("reclaimPolicy".to_owned(), policy, &["Delete", "Retain"]));
    }
    let mode = own(object, "volumeBindingMode");
    if !matches!(mode, "Immediate" | "WaitForFirstConsumer") {
        let field = "volumeBindingMode".to_owned();
        out.push(unsupported(field, mode, &["Immediate", "WaitForFirstConsumer"]));
    }
    let topologies = object.get("allowedTopologies").and_then(Value::as_list).unwrap_or_default();
    for (i, topology) in topologies.iter().enumerate() {
        let expressions = topology.get("matchLabelExpressions").and_then(Value::as_list).unwrap_or_default();
        for (j, expression) in expressions.iter().enumerate() {
            let field = |name: &str| format!("allowedTopologies[{i}].matchLabelExpressions[{j}].{name}");
            if texts(expression, "values").is_empty() {
                out.push(required(field("values"), ""));
            }
            let key = own(expression, "key");
            out.extend(names::qualified_name(key).iter().map(|why| invalid_text(field("key"), key, why)));
        }
    }
    out
}

fn parameters(parameters: Option<&Map<Value>>) -> Mistakes {
    let Some(parameters) = parameters else { return Vec::new() };
    let too_long =
        |most: usize| Mistake::new("parameters", Kind::TooLong, format!("may not be more than {most} bytes"));
    if parameters.len() > MOST_PARAMETERS {
        return vec![too_long(MOST_PARAMETERS)];
    }
    let bytes: usize =
        parameters.iter().map(|(key, value)| key.len() + value.as_str().map_or(0, str::len)).sum();
    let empty = parameters.keys().filter(|key| key.is_empty());
    let mut out: Mistakes =
        empty.map(|key| invalid_text("parameters".to_owned(), key, "field can not be empty.")).collect();
    out.extend((bytes > LONGEST_PARAMETERS).then(|| too_long(LONGEST_PARAMETERS)));
    out
}

pub(super) fn access_modes(modes: &[&str], field: &str) -> Mistakes {
    let unknown: BTreeSet<_> = modes.iter().filter(|mode| !MODES.contains(mode)).collect();
    let mut out: Mistakes =
        unknown.into_iter().map(|mode| unsupported(field.to_owned(), mode, &MODES)).collect();
    let is_alone = |mode: &&str| *mode == "ReadWriteOncePod";
    if modes.iter().any(is_alone) && modes.iter().any(|mode| !is_alone(mode) && MODES.contains(mode)) {
        out.push(forbidden(field.to_owned(), "may not use ReadWriteOncePod with other access modes"));
    }
    out
}
