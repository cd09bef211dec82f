//! Checks of claims, volumes, and of what drivers of storage have.

use super::at::{At, Mistakes};
use super::claims::{CLAIM, access_modes};
use super::internal;
use super::limits::not_negative;
use super::pods::{NODE_SELECTOR, OF_VOLUMES, sources};
use super::rows::{Check::*, Row, check, is_changed};
use super::selectors::SELECTOR;
use super::words::{caseless_subdomain, lower_subdomain};
use crate::meta;
use crdgen_core::diag::Kind;
use crdgen_core::go::quantity::Quantity;
use crdgen_core::value::{Map, Value};
use crdgen_core::{json, names};
use std::collections::BTreeSet;

/// The annotation that had the class before there was a field.
const OLD_CLASS: &str = "volume.beta.kubernetes.io/storage-class";

pub(super) const PERSISTENT_VOLUME_CLAIM: &[Row] =
    &[("spec", All(CLAIM)), ("", If(|at| !at.is_new(), &[("", Code(fixed))]))];

/// The changes that a claim does not allow.
fn fixed(at: &At<'_>, out: &mut Mistakes) {
    let class =
        |of: Option<&Value>| of.and_then(|of| of.get(OLD_CLASS)?.as_str()).unwrap_or_default().to_owned();
    let annotations = at.get("metadata.annotations");
    let (new_class, old_class) = (class(annotations.value), class(annotations.old));
    let spec = at.get("spec");
    let named = spec.get("storageClassName");
    let was_unnamed = named.old.is_none_or(Value::is_null);
    let is_moved = !old_class.is_empty()
        && was_unnamed
        && named.is_set()
        && named.text() == old_class
        && (new_class.is_empty() || new_class == old_class);
    if new_class != old_class && !is_moved {
        let annotation = annotations.shown_as(annotations.field.name(OLD_CLASS));
        out.push(annotation.invalid_text(&new_class, "field is immutable"));
    }
    // The first class can be set later.
    let is_first = was_unnamed && named.is_set() && (old_class.is_empty() || named.text() == old_class);
    let is_bound = at.get("status.phase").text() == "Bound";
    let (wanted, had) = (spec.get("resources.requests.storage"), spec.get("resources.requests.storage").old);
    // What may change is as it was before.
    let (mut new, mut old) = (spec.value.cloned().unwrap_or_default(), spec.old.cloned().unwrap_or_default());
    if is_bound && let (true, Some(had)) = (spec.get("resources.requests").is_set(), had) {
        meta::set_at(&mut new, &["resources", "requests", "storage"], had.clone());
    }
    let take = |to: &mut Value, from: &Value, name: &str| {
        if let Value::Map(to) = to {
            match from.get(name) {
                Some(value) => drop(to.insert(name, value.clone())),
                None => drop(to.remove(name)),
            }
        }
    };
    if is_bound && spec.get("volumeAttributesClassName").is_set() {
        take(&mut new, &old, "volumeAttributesClassName");
    }
    // The controller of volumes sets it once.
    if spec.get("volumeName").old_text().is_empty() {
        take(&mut old, &new, "volumeName");
    }
    if is_first {
        take(&mut new, &old, "storageClassName");
    }
    let amount = |value: Option<&Value>| Quantity::parse(value?.as_str()?).ok();
    let none = || Quantity::from_int(0);
    let (size, old_size) = (wanted.quantity().unwrap_or_else(none), amount(had).unwrap_or_else(none));
    let capacity = amount(at.get("status.capacity.storage").old).unwrap_or_else(none);
    let is_less = size.compare(&old_size).is_lt() && !size.compare(&capacity).is_gt();
    if new != old {
        let why = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
        let difference = internal::difference(&old, &new, "PersistentVolumeClaimSpec");
        out.push(spec.forbidden(&format!("{why}\n{difference}")));
    }
    if is_less {
        out.push(wanted.forbidden("field can not be less than status.capacity"));
    }
    volume_mode(&spec.get("volumeMode"), out);
}

/// The server leaves out where it is.
fn volume_mode(at: &At<'_>, out: &mut Mistakes) {
    check(&[("", Fixed)], &at.shown_as("volumeMode".into()), out);
}

pub(super) const PERSISTENT_VOLUME: &[Row] = &[
    ("spec.accessModes", Required("")),
    ("spec.accessModes", Code(access_modes)),
    ("spec.capacity", Required("")),
    ("spec.capacity", Code(capacity)),
    ("spec.persistentVolumeReclaimPolicy", OneOfOrEmpty(&["Delete", "Recycle", "Retain"])),
    (
        "spec.nodeAffinity",
        In(&[
            ("required", Required("must specify required node constraints")),
            ("required", In(NODE_SELECTOR)),
        ]),
    ),
    ("spec", Code(|at, out| sources(at, OF_VOLUMES, out))),
    (
        "spec.nodeAffinity",
        RequiredIf(|at| !at.is_set() && is_local(&at.root("spec")), "Local volume requires node affinity"),
    ),
    (
        "spec.persistentVolumeReclaimPolicy",
        ForbiddenIf(recycles_root, "may not be 'recycle' for a hostPath mount of '/'"),
    ),
    ("spec.storageClassName", NameOrEmpty(names::dns1123_subdomain)),
    ("spec.volumeMode", OneOf(&["Block", "Filesystem"])),
    (
        "spec.volumeAttributesClassName",
        In(&[("", Required("an empty string is disallowed")), ("", NameOrEmpty(names::dns1123_subdomain))]),
    ),
    (
        "spec.csi",
        RequiredIf(
            |at| !at.is_set() && at.root("spec.volumeAttributesClassName").is_set(),
            "has to be specified when using volumeAttributesClassName",
        ),
    ),
    (
        "",
        If(
            |at| !at.is_new(),
            &[
                ("spec", Code(fixed_source)),
                ("spec.volumeMode", Code(volume_mode)),
                (
                    "spec.volumeAttributesClassName",
                    ForbiddenIf(
                        |at| at.old.is_some() && !at.is_set(),
                        "update from non-nil value to nil is forbidden",
                    ),
                ),
            ],
        ),
    ),
];

fn capacity(at: &At<'_>, out: &mut Mistakes) {
    if at.get("storage").value.is_none() || at.map().count() > 1 {
        let shown = at.value.map_or_else(|| "null".to_owned(), json::to_string);
        out.push(at.mistake(Kind::NotSupported, format!("{shown}: supported values: \"storage\"")));
    }
    for (_, amount) in at.members() {
        out.extend(not_negative(&amount));
        if amount.quantity().is_some_and(|it| it.sign() <= 0) {
            out.push(amount.invalid("must be greater than zero"));
        }
    }
}

fn is_local(spec: &At<'_>) -> bool {
    let first = OF_VOLUMES.iter().find(|(name, ..)| spec.get(name).is_set());
    first.is_some_and(|(name, ..)| *name == "local")
}

fn recycles_root(policy: &At<'_>) -> bool {
    let path = policy.root("spec.hostPath.path");
    policy.text() == "Recycle" && !path.is_empty() && path.text().chars().all(|c| c == '/')
}

fn fixed_source(spec: &At<'_>, out: &mut Mistakes) {
    let sources = |spec: Option<&Value>| {
        let source = |name: &'static str| Some((name.to_owned(), spec?.get(name)?.clone()));
        OF_VOLUMES.iter().filter_map(|(name, ..)| source(name)).collect::<Map<Value>>()
    };
    let (mut new, old) = (sources(spec.value), sources(spec.old));
    // The first such secret can be set later.
    let secret = spec.get("csi.controllerExpandSecretRef");
    if let (true, None, Some(Value::Map(csi))) = (old.get("csi").is_some(), secret.old, new.get_mut("csi")) {
        csi.remove("controllerExpandSecretRef");
    }
    if new != old {
        let difference = internal::difference(&Value::Map(old), &Value::Map(new), "PersistentVolumeSource");
        let why = format!("spec.persistentvolumesource is immutable after creation\n{difference}");
        out.push(spec.get("persistentvolumesource").forbidden(&why));
    }
    let nodes = spec.get("nodeAffinity");
    if nodes.old.is_some() && nodes.is_changed() {
        let why = "field is immutable, except for updating from beta label to GA";
        out.push(nodes.shown_as("nodeAffinity".into()).invalid_of("*VolumeNodeAffinity", why));
    }
}

/// The status of a claim.
pub(super) const CLAIM_STATUS: &[Row] = &[
    (
        "status.capacity",
        Code(|at, out| out.extend(at.members().filter_map(|(_, amount)| not_negative(&amount)))),
    ),
    ("status.allocatedResourceStatuses", Code(resizes)),
    ("status.allocatedResources", Code(allocated)),
];

fn unknown_resource(name: &str) -> bool {
    name != "storage" && !name.contains('/')
}

fn resizes(at: &At<'_>, out: &mut Mistakes) {
    const RESIZES: [&str; 5] = [
        "ControllerResizeInProgress",
        "ControllerResizeInfeasible",
        "NodeResizeInProgress",
        "NodeResizeInfeasible",
        "NodeResizePending",
    ];
    for (name, state) in at.map() {
        out.extend(unknown_resource(name).then(|| at.unsupported_text(name, &["storage"])));
        let is_known = state.as_str().is_some_and(|state| RESIZES.contains(&state));
        out.extend((!is_known).then(|| at.unsupported_text(name, &RESIZES)));
    }
}

fn allocated(at: &At<'_>, out: &mut Mistakes) {
    for (name, amount) in at.members() {
        out.extend(match unknown_resource(name) {
            true => Some(at.unsupported_text(name, &["storage"])),
            false => not_negative(&amount),
        });
    }
}

pub(super) const STORAGE_CLASS: &[Row] = &[
    ("provisioner", Required("")),
    ("provisioner", Code(lower_name)),
    ("parameters", Code(parameters)),
    ("reclaimPolicy", OneOfOrEmpty(&["Delete", "Retain"])),
    ("volumeBindingMode", Of(&["Immediate", "WaitForFirstConsumer"])),
    ("allowedTopologies", Code(topologies)),
    // The server does not show the values here.
    ("parameters", FixedUnseen),
    ("provisioner", FixedUnseen),
    ("reclaimPolicy", FixedUnseen),
    ("volumeBindingMode", FixedUnseen),
];
pub(super) const ATTRIBUTES_CLASS: &[Row] = &[
    ("driverName", ForbiddenIf(is_changed, "updates to driverName are forbidden.")),
    ("parameters", ForbiddenIf(is_changed, "updates to parameters are forbidden.")),
    ("driverName", Required("")),
    ("driverName", Code(lower_name)),
    ("parameters", Code(parameters)),
    ("parameters", Required("must contain at least one key/value pair")),
];

/// The server compares it in lower case.
fn lower_name(at: &At<'_>, out: &mut Mistakes) {
    let name = at.text().to_lowercase();
    let wrong = if name.is_empty() { Vec::new() } else { names::qualified_name(&name) };
    out.extend(wrong.iter().map(|why| at.invalid_text(&name, why)));
}

fn parameters(at: &At<'_>, out: &mut Mistakes) {
    const LONGEST: usize = 256 << 10;
    const MOST: usize = 512;
    if at.map().count() > MOST {
        return out.push(at.too_long(MOST));
    }
    let bytes: usize = at.map().map(|(key, value)| key.len() + value.as_str().map_or(0, str::len)).sum();
    let empty = at.map().filter(|(key, _)| key.is_empty());
    out.extend(empty.map(|(key, _)| at.invalid_text(key, "field can not be empty.")));
    out.extend((bytes > LONGEST).then(|| at.too_long(LONGEST)));
}

fn topologies(at: &At<'_>, out: &mut Mistakes) {
    let mut terms: Vec<Vec<(&str, BTreeSet<&str>)>> = vec![Vec::new(); at.items().len()];
    for term in at.each() {
        let list = term.get("matchLabelExpressions");
        let mut keys: Vec<(&str, BTreeSet<&str>)> = Vec::new();
        for expression in list.each() {
            let (key, values) = (expression.get("key"), expression.get("values"));
            const EXPRESSION: &[Row] = &[("values", Required("")), ("key", Name(names::qualified_name))];
            check(EXPRESSION, &expression, out);
            let mut seen = BTreeSet::new();
            out.extend(values.each().filter(|it| !seen.insert(it.text())).map(|it| it.duplicate()));
            if keys.iter().any(|(known, _)| *known == key.text()) {
                out.push(key.duplicate_text(key.text()));
            }
            keys.retain(|(known, _)| *known != key.text());
            keys.push((key.text(), values.texts().into_iter().collect()));
        }
        keys.sort_unstable();
        let again = terms.iter().filter(|known| **known == keys);
        out.extend(again.map(|_| list.duplicate_text("")));
        terms.push(keys);
    }
}

pub(super) const CSI_DRIVER: &[Row] = &[
    ("spec.fsGroupPolicy", OneOf(&["File", "None", "ReadWriteOnceWithFSType"])),
    ("spec.tokenRequests", Unique("audience")),
    ("spec.tokenRequests", Code(token_requests)),
    ("spec.volumeLifecycleModes", AllOf(&["Persistent", "Ephemeral"])),
    (
        "spec.nodeAllocatableUpdatePeriodSeconds",
        Between(10, i64::MAX, "must be greater than or equal to 10 seconds"),
    ),
    (
        "spec.serviceAccountTokenInSecrets",
        InvalidIf(
            |at| at.is_set() && at.root("spec.tokenRequests").is_empty(),
            "serviceAccountTokenInSecrets is set but no tokenRequests are specified",
        ),
    ),
    ("spec.attachRequired", Code(attach_required)),
    ("spec.volumeLifecycleModes", Fixed),
];

fn token_requests(at: &At<'_>, out: &mut Mistakes) {
    const SECONDS: &[Row] = &[
        ("expirationSeconds", Between(600, i64::MAX, "may not specify a duration less than 10 minutes")),
        (
            "expirationSeconds",
            Between(i64::MIN, 1 << 32, "may not specify a duration larger than 2^32 seconds"),
        ),
    ];
    let mut seen = BTreeSet::new();
    for request in at.each().filter(|request| seen.insert(request.get("audience").text())) {
        check(SECONDS, &request, out);
    }
}

/// The server misspells the field.
fn attach_required(at: &At<'_>, out: &mut Mistakes) {
    check(&[("", Fixed)], &at.shown_as("spec.attachedRequired".into()), out);
}

pub(super) const CSI_NODE: &[Row] = &[
    (
        "spec.drivers[]",
        All(&[("name", Required("")), ("name", Longest(63)), ("name", NameOrEmpty(lower_subdomain))]),
    ),
    ("spec.drivers[].nodeID", Required("")),
    (
        "spec.drivers[].nodeID",
        Name(
            |id| if id.len() > 256 { vec!["must be 256 characters or less".to_owned()] } else { Vec::new() },
        ),
    ),
    ("spec.drivers[].allocatable.count", NotNegative),
    ("spec.drivers", Unique("name")),
    ("spec.drivers[]", Code(topology_keys)),
    ("spec.drivers", Code(fixed_drivers)),
];

/// The server leaves out where they are.
fn topology_keys(at: &At<'_>, out: &mut Mistakes) {
    let keys = at.get("topologyKeys").texts();
    for (i, key) in keys.iter().enumerate() {
        out.extend(key.is_empty().then(|| at.required("")));
        out.extend(keys[..i].contains(key).then(|| at.duplicate_text(key)));
        out.extend(names::qualified_name(key).iter().map(|why| at.invalid_text(key, why)));
    }
}

/// Drivers stay as they are, except for how much they can take.
fn fixed_drivers(at: &At<'_>, out: &mut Mistakes) {
    let fixed = |driver: &Value| {
        let mut fixed = driver.as_map().cloned().unwrap_or_else(Map::new);
        fixed.remove("allocatable");
        Value::Map(fixed)
    };
    for old in at.old.and_then(Value::as_list).unwrap_or_default() {
        for new in at.items().iter().filter(|new| new.get("name") == old.get("name")) {
            if fixed(new) != fixed(old) {
                out.push(
                    at.invalid_as(&internal::shown(Some(&fixed(new)), "CSINodeDriver"), "field is immutable"),
                );
            }
        }
    }
}

pub(super) const CSI_STORAGE_CAPACITY: &[Row] = &[
    ("nodeTopology", SELECTOR),
    ("storageClassName", Name(names::dns1123_subdomain)),
    ("nodeTopology", FixedAs("*LabelSelector")),
    ("storageClassName", Fixed),
];

pub(super) const VOLUME_ATTACHMENT: &[Row] = &[
    ("spec.attacher", Required("")),
    ("spec.attacher", Longest(63)),
    ("spec.attacher", NameOrEmpty(caseless_subdomain)),
    ("spec.source", Code(attached)),
    ("spec.nodeName", Name(names::dns1123_subdomain)),
    ("spec.source.persistentVolumeName", NameIfSet(names::dns1123_subdomain)),
    ("spec", FixedUnseen),
];

fn attached(at: &At<'_>, out: &mut Mistakes) {
    let why = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
    let name = at.get("persistentVolumeName");
    match (at.get("inlineVolumeSpec").is_set(), name.is_set()) {
        (false, false) => out.push(at.required(why)),
        (true, true) => out.push(at.forbidden(why)),
        (false, true) if name.is_empty() => {
            out.push(name.required("must specify non empty persistentVolumeName"));
        }
        _ => {}
    }
}
