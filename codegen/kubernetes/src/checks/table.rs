//! The table of checks that rows can say, by kind.

use super::rows::{At, Check, Long, Row};
use super::words::{duplicate, in_go, invalid, invalid_text, required, too_long, with_texts};
use super::{find, pods, selectors};
use crate::meta::{own, texts};
use crate::mistake::Mistake;
use Check::{
    AllOf, AtLeast, Code, Fixed, FixedUnseen, Labels, Longest, NotNegative, OneOf, Required, Selector, SetOf,
    Text, TextIfSet, Unique,
};
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use crdgen_core::{go, json, names};

type Mistakes = Vec<Mistake<'static>>;

const CSI_DRIVER: &[Row] = &[
    ("spec.fsGroupPolicy", OneOf(&["File", "None", "ReadWriteOnceWithFSType"])),
    ("spec.tokenRequests", Unique("audience")),
    ("spec.tokenRequests", Code(token_requests)),
    ("spec.volumeLifecycleModes", AllOf(&["Persistent", "Ephemeral"])),
    ("spec.nodeAllocatableUpdatePeriodSeconds", AtLeast(10, "must be greater than or equal to 10 seconds")),
    ("spec.serviceAccountTokenInSecrets", Code(needs_token_requests)),
    ("spec.attachRequired", Code(attach_required)),
    ("spec.volumeLifecycleModes", Fixed),
];

const CSI_NODE: &[Row] = &[
    ("spec.drivers[].name", Required("")),
    ("spec.drivers[].name", Longest(63, Long::Bytes)),
    ("spec.drivers[].name", TextIfSet(lower_subdomain)),
    ("spec.drivers[].nodeID", Required("")),
    ("spec.drivers[].nodeID", Longest(256, Long::Characters)),
    ("spec.drivers[].allocatable.count", NotNegative),
    ("spec.drivers", Unique("name")),
    ("spec.drivers[]", Code(topology_keys)),
    ("spec.drivers", Code(fixed_drivers)),
];

const CSI_STORAGE_CAPACITY: &[Row] = &[
    ("nodeTopology", Selector),
    ("storageClassName", Text(subdomain)),
    ("nodeTopology", Fixed),
    ("storageClassName", Fixed),
];

const VOLUME_ATTACHMENT: &[Row] = &[
    ("spec.attacher", Required("")),
    ("spec.attacher", Longest(63, Long::Bytes)),
    ("spec.attacher", TextIfSet(lower_subdomain)),
    ("spec.source", Code(attached)),
    ("spec.nodeName", Text(subdomain)),
    ("spec.source.persistentVolumeName", TextIfSet(subdomain)),
    ("spec", FixedUnseen),
];

const ENDPOINT_SLICE: &[Row] = &[
    ("endpoints[].hints.forZones", Unique("name")),
    ("endpoints[].hints.forZones[].name", Text(names::label_value)),
];

const PERSISTENT_VOLUME: &[Row] = &[("spec.csi", Code(csi_volume))];

const STORAGE_CLASS: &[Row] = &[("allowedTopologies", Code(topologies))];

const RUNTIME_CLASS: &[Row] =
    &[("scheduling.nodeSelector", Labels), ("scheduling.tolerations", Code(tolerations))];

const NODE: &[Row] = &[("spec.podCIDRs", Code(pod_networks))];

const CONTROLLER_REVISION: &[Row] = &[("revision", NotNegative), ("data", Code(revision_data))];

const CLUSTER_ROLE: &[Row] = &[
    ("aggregationRule", Code(aggregated)),
    ("aggregationRule.clusterRoleSelectors[]", Selector),
    ("aggregationRule.clusterRoleSelectors[]", Code(readable_selector)),
];

const SIGNING_REQUEST: &[Row] = &[
    ("spec.usages", SetOf(USAGES)),
    ("spec.signerName", Required("")),
    ("spec.signerName", Code(signer)),
    ("spec.expirationSeconds", AtLeast(600, "may not specify a duration less than 600 seconds (10 minutes)")),
];

/// What certificates are for, in the order of the server's messages.
const USAGES: &[&str] = &[
    "any",
    "cert sign",
    "client auth",
    "code signing",
    "content commitment",
    "crl sign",
    "data encipherment",
    "decipher only",
    "digital signature",
    "email protection",
    "encipher only",
    "ipsec end system",
    "ipsec tunnel",
    "ipsec user",
    "key agreement",
    "key encipherment",
    "microsoft sgc",
    "netscape sgc",
    "ocsp signing",
    "s/mime",
    "server auth",
    "signing",
    "timestamping",
];

/// The rows of a kind.
pub(super) fn of_kind(kind: &str) -> &'static [Row] {
    match kind {
        "CSIDriver" => CSI_DRIVER,
        "CSINode" => CSI_NODE,
        "CSIStorageCapacity" => CSI_STORAGE_CAPACITY,
        "CertificateSigningRequest" => SIGNING_REQUEST,
        "ClusterRole" => CLUSTER_ROLE,
        "ControllerRevision" => CONTROLLER_REVISION,
        "EndpointSlice" => ENDPOINT_SLICE,
        "Node" => NODE,
        "PersistentVolume" => PERSISTENT_VOLUME,
        "RuntimeClass" => RUNTIME_CLASS,
        "StorageClass" => STORAGE_CLASS,
        "VolumeAttachment" => VOLUME_ATTACHMENT,
        _ => &[],
    }
}

fn subdomain(text: &str) -> Vec<String> {
    names::dns1123_subdomain(text)
}

fn lower_subdomain(text: &str) -> Vec<String> {
    if text.is_empty() { Vec::new() } else { names::dns1123_subdomain(&text.to_lowercase()) }
}

fn token_requests(at: &At<'_>) -> Mistakes {
    let mut seen: Vec<&str> = Vec::new();
    let mut out = Mistakes::new();
    for (i, request) in at.items().iter().enumerate() {
        let audience = own(request, "audience");
        if seen.contains(&audience) {
            continue;
        }
        seen.push(audience);
        let Some(seconds) = request.get("expirationSeconds").filter(|seconds| !seconds.is_null()) else {
            continue;
        };
        let number = seconds.as_int().unwrap_or_default();
        let field = || format!("{}[{i}].expirationSeconds", at.field);
        if number < 600 {
            out.push(invalid(field(), seconds, "may not specify a duration less than 10 minutes"));
        }
        if number > 1 << 32 {
            out.push(invalid(field(), seconds, "may not specify a duration larger than 2^32 seconds"));
        }
    }
    out
}

fn needs_token_requests(at: &At<'_>) -> Mistakes {
    let why = "serviceAccountTokenInSecrets is set but no tokenRequests are specified";
    let has_none =
        find(at.object, &["spec", "tokenRequests"]).and_then(Value::as_list).is_none_or(<[_]>::is_empty);
    at.value.filter(|_| has_none).map(|value| invalid(at.field.clone(), value, why)).into_iter().collect()
}

/// The server misspells the field.
fn attach_required(at: &At<'_>) -> Mistakes {
    let old = at.live.and_then(|live| find(live, &["spec", "attachRequired"]));
    let is_changed = at.live.is_some() && old != at.value;
    let value = at.value.unwrap_or(&Value::Null);
    is_changed
        .then(|| invalid("spec.attachedRequired".to_owned(), value, "field is immutable"))
        .into_iter()
        .collect()
}

fn topology_keys(at: &At<'_>) -> Mistakes {
    let keys = at.value.map(|driver| texts(driver, "topologyKeys")).unwrap_or_default();
    let mut out = Mistakes::new();
    for (i, key) in keys.iter().enumerate() {
        if key.is_empty() {
            out.push(required(at.field.clone(), ""));
        }
        if keys[..i].contains(key) {
            out.push(duplicate(at.field.clone(), key));
        }
        out.extend(names::qualified_name(key).iter().map(|why| invalid_text(at.field.clone(), key, why)));
    }
    out
}

/// Drivers stay as they are, except for how much they can take.
fn fixed_drivers(at: &At<'_>) -> Mistakes {
    const FIELDS: [&str; 4] = ["name", "nodeID", "topologyKeys", "allocatable"];
    let fixed = |driver: &Value| {
        let mut fixed = driver.as_map().cloned().unwrap_or_default();
        fixed.remove("allocatable");
        Value::Map(fixed)
    };
    let old = at.live.and_then(|live| find(live, &["spec", "drivers"])?.as_list()).unwrap_or_default();
    let mut out = Mistakes::new();
    for old in old {
        for new in at.items().iter().filter(|new| own(new, "name") == own(old, "name")) {
            if fixed(new) != fixed(old) {
                let shown = in_go(&fixed(new), &FIELDS);
                out.push(Mistake::new(
                    at.field.clone(),
                    Kind::Invalid,
                    format!("{shown}: field is immutable"),
                ));
            }
        }
    }
    out
}

fn csi_volume(at: &At<'_>) -> Mistakes {
    let Some(volume) = at.value else { return Mistakes::new() };
    let (driver, field) = (own(volume, "driver"), at.child("driver"));
    let mut out = Mistakes::new();
    if driver.is_empty() {
        out.push(required(field, ""));
    } else {
        if driver.len() > 63 {
            out.push(too_long(field.clone(), 63));
        }
        out.extend(lower_subdomain(driver).iter().map(|why| invalid_text(field.clone(), driver, why)));
    }
    if own(volume, "volumeHandle").is_empty() {
        out.push(required(at.child("volumeHandle"), ""));
    }
    out
}

/// A signer is a domain and a path.
fn signer(at: &At<'_>) -> Mistakes {
    let name = at.text();
    let invalid = |text: &str, why: &str| invalid_text(at.field.clone(), text, why);
    let (domain, path) = match name.split('/').collect::<Vec<_>>()[..] {
        [""] => return Mistakes::new(),
        [domain, path] => (domain, path),
        _ => {
            let why = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
            return vec![invalid(name, why)];
        }
    };
    let mut out = Mistakes::new();
    if domain.len() > 253 {
        out.push(too_long(at.field.clone(), 253));
    }
    // Only the first label that is wrong.
    let labels = |text: &str, check: fn(&str) -> Vec<String>| {
        let wrong = text.split('.').map(|label| (label, check(label))).find(|(_, wrong)| !wrong.is_empty());
        let (label, wrong) = wrong.unwrap_or_default();
        let why = |why: &String| format!("validating label {}: {why}", go::quote(label));
        wrong.iter().map(|it| invalid(text, &why(it))).collect::<Mistakes>()
    };
    out.extend(labels(domain, names::dns1123_label));
    if !domain.contains('.') {
        out.push(invalid(domain, "should be a domain with at least two segments separated by dots"));
    }
    out.extend(labels(path, names::dns1123_subdomain));
    if name.len() > 571 {
        out.push(too_long(at.field.clone(), 571));
    }
    out
}

fn attached(at: &At<'_>) -> Mistakes {
    let has = |name: &str| at.value.and_then(|source| source.get(name)).filter(|it| !it.is_null());
    let why = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
    let name = has("persistentVolumeName");
    match (has("inlineVolumeSpec"), name) {
        (None, None) => vec![required(at.field.clone(), why)],
        (Some(_), Some(_)) => vec![Mistake::new(at.field.clone(), Kind::Forbidden, why)],
        (None, Some(Value::Str(name))) if name.is_empty() => {
            vec![required(at.child("persistentVolumeName"), "must specify non empty persistentVolumeName")]
        }
        _ => Mistakes::new(),
    }
}

fn topologies(at: &At<'_>) -> Mistakes {
    let mut out = Mistakes::new();
    let mut terms: Vec<Vec<(&str, Vec<&str>)>> = vec![Vec::new(); at.items().len()];
    for (i, term) in at.items().iter().enumerate() {
        let field = format!("{}[{i}].matchLabelExpressions", at.field);
        let mut keys: Vec<(&str, Vec<&str>)> = Vec::new();
        let expressions = term.get("matchLabelExpressions").and_then(Value::as_list).unwrap_or_default();
        for (j, expression) in expressions.iter().enumerate() {
            let (key, values) = (own(expression, "key"), texts(expression, "values"));
            let at = |name: &str| format!("{field}[{j}].{name}");
            if values.is_empty() {
                out.push(required(at("values"), ""));
            }
            for (k, value) in values.iter().enumerate().filter(|(k, value)| values[..*k].contains(value)) {
                out.push(duplicate(at(&format!("values[{k}]")), value));
            }
            out.extend(names::qualified_name(key).iter().map(|why| invalid_text(at("key"), key, why)));
            if keys.iter().any(|(known, _)| *known == key) {
                out.push(duplicate(at("key"), key));
            }
            keys.retain(|(known, _)| *known != key);
            let mut set = values.clone();
            set.sort_unstable();
            set.dedup();
            keys.push((key, set));
        }
        keys.sort_unstable();
        let again = terms.iter().filter(|known| **known == keys);
        out.extend(again.map(|_| duplicate(field.clone(), "")));
        terms.push(keys);
    }
    out
}

fn tolerations(at: &At<'_>) -> Mistakes {
    const FIELDS: [&str; 5] = ["key", "operator", "value", "effect", "tolerationSeconds"];
    let items = at.items();
    let mut out = Mistakes::new();
    for (i, toleration) in items.iter().enumerate() {
        let field = format!("{}[{i}]", at.field);
        out.extend(pods::toleration(toleration, &field));
    }
    let same = |a: &Value, b: &Value| FIELDS[..4].iter().all(|name| own(a, name) == own(b, name));
    for (i, toleration) in
        items.iter().enumerate().filter(|(i, it)| items[..*i].iter().any(|before| same(before, it)))
    {
        let shown = in_go(&with_texts(toleration, &FIELDS[..4]), &FIELDS);
        out.push(Mistake::new(format!("{}[{i}]", at.field), Kind::Duplicate, shown));
    }
    out
}

fn pod_networks(at: &At<'_>) -> Mistakes {
    let networks: Vec<&str> = at.items().iter().filter_map(Value::as_str).collect();
    let is_six = |network: &&str| network.contains(':');
    let mut out = Mistakes::new();
    let is_pair = networks.len() == 2 && networks.iter().filter(|it| is_six(it)).count() == 1;
    if let (Some(value), true) = (at.value, networks.len() > 1 && !is_pair) {
        let why = "may specify no more than one CIDR for each IP family";
        out.push(invalid(at.field.clone(), value, why));
    }
    out
}

fn revision_data(at: &At<'_>) -> Mistakes {
    let field = || at.field.clone();
    if let Some(live) = at.live {
        let value = at.value.map_or_else(|| "null".to_owned(), json::to_string);
        let is_changed = live.get("data") != at.value;
        let changed =
            is_changed.then(|| Mistake::new(field(), Kind::Invalid, format!("{value}: field is immutable")));
        return changed.into_iter().collect();
    }
    match at.value {
        None => vec![required(field(), "data is mandatory")],
        Some(Value::Map(_)) => Mistakes::new(),
        Some(_) => vec![required(field(), "data must be a valid JSON object")],
    }
}

fn aggregated(at: &At<'_>) -> Mistakes {
    let selectors =
        at.value.map(|rule| rule.get("clusterRoleSelectors").and_then(Value::as_list).unwrap_or_default());
    let why = "at least one clusterRoleSelector required if aggregationRule is non-nil";
    let is_empty = selectors.is_some_and(<[Value]>::is_empty);
    is_empty.then(|| required(at.child("clusterRoleSelectors"), why)).into_iter().collect()
}

/// A selector that cannot be read is a mistake by itself.
fn readable_selector(at: &At<'_>) -> Mistakes {
    let is_wrong = !selectors::mistakes(at.value, &at.field).is_empty();
    let why = "null: invalid label selector.";
    is_wrong.then(|| Mistake::new(at.field.clone(), Kind::Invalid, why)).into_iter().collect()
}
