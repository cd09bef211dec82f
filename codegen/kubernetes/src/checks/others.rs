//! Checks of kinds that have few of them, also of their status.

use super::at::{At, Mistakes};
use super::networks::twice_in_go;
use super::pods::{EFFECTS, TOLERATION, overhead, signer};
use super::rows::{Check::*, Row, check, is_new, twice};
use super::selectors::{LABELS, SELECTOR};
use super::words::strict_network;
use super::{internal, limits, unknown_finalizer};
use crate::meta;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use crdgen_core::{go, names};

pub(super) const LEASE: &[Row] = &[
    ("spec.leaseDurationSeconds", Between(1, i64::MAX, "must be greater than 0")),
    ("spec.leaseTransitions", NotNegative),
];

pub(super) const BUDGET: &[Row] = &[
    ("spec", Code(one_limit)),
    ("spec.minAvailable", Amount),
    ("spec.maxUnavailable", Amount),
    ("spec.selector", SELECTOR),
    ("spec.unhealthyPodEvictionPolicy", OneOf(&["AlwaysAllow", "IfHealthyBudget"])),
];

pub(super) const BUDGET_STATUS: &[Row] = &[
    ("status.conditions[]", All(CONDITION)),
    ("status.disruptionsAllowed", NotNegative),
    ("status.currentHealthy", NotNegative),
    ("status.desiredHealthy", NotNegative),
    ("status.expectedPods", NotNegative),
];

/// A condition of the type that all new kinds have.
pub(super) const CONDITION: &[Row] = &[
    ("type", Required("is required")),
    ("type", NameOrEmpty(names::qualified_name)),
    ("status", Required("")),
    ("status", OneOfOrEmpty(&["False", "True", "Unknown"])),
    ("observedGeneration", Between(0, i64::MAX, "must be greater than or equal to zero")),
    ("lastTransitionTime", Required("")),
    ("reason", Required("")),
    ("reason", NameOrEmpty(reason)),
    ("reason", Longest(1024)),
    ("message", Longest(32 * 1024)),
];

/// Why a text cannot be the reason of a condition.
fn reason(text: &str) -> Vec<String> {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || "_,:".contains(c);
    let is_right = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && text.chars().all(is_inner);
    let why = "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or \
               '_,:', and must end with an alphanumeric character or '_'";
    const FORM: &str = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
    let examples = ["my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB"];
    (!is_right).then(|| names::must_match(why, FORM, &examples)).into_iter().collect()
}

fn one_limit(at: &At<'_>, out: &mut Mistakes) {
    if at.get("minAvailable").is_set() && at.get("maxUnavailable").is_set() {
        let why = "minAvailable and maxUnavailable cannot be both set";
        out.push(at.invalid_of("PodDisruptionBudgetSpec", why));
    }
}

pub(super) const RUNTIME_CLASS: &[Row] = &[
    ("handler", NeedsName(names::dns1123_label)),
    // The server does not show the value here.
    ("handler", FixedUnseen),
    ("overhead", Code(|at, out| overhead(&at.get("podFixed").shown_as(at.field.clone()), out))),
    ("scheduling.nodeSelector", LABELS),
    ("scheduling.tolerations", Code(tolerations)),
];

fn tolerations(at: &At<'_>, out: &mut Mistakes) {
    const FIELDS: [&str; 4] = ["key", "operator", "value", "effect"];
    check(&[("[]", All(TOLERATION))], at, out);
    let key = |it: &Value| {
        let text = |name: &&str| it.text(name).to_owned();
        Some(FIELDS.iter().map(text).collect::<Vec<_>>())
    };
    for item in twice(at, key) {
        out.push(item.mistake(Kind::Duplicate, internal::shown(item.value, "Toleration")));
    }
}

pub(super) const CONTROLLER_REVISION: &[Row] = &[("revision", NotNegative), ("data", Code(revision))];

fn revision(at: &At<'_>, out: &mut Mistakes) {
    match at.value {
        _ if !at.is_new() => check(&[("", Fixed)], at, out),
        None => out.push(at.required("data is mandatory")),
        Some(Value::Map(_)) => {}
        Some(_) => out.push(at.required("data must be a valid JSON object")),
    }
}

pub(super) const NAMESPACE: &[Row] = &[("", If(is_new, &[("spec.finalizers", Code(finalizers))]))];
pub(super) const NAMESPACE_STATUS: &[Row] = &[("", Code(phase))];

fn finalizers(at: &At<'_>, out: &mut Mistakes) {
    for name in at.texts() {
        out.extend(names::qualified_name(name).iter().map(|why| at.invalid_text(name, why)));
        out.extend(unknown_finalizer(at.field.clone(), name));
    }
}

/// A namespace is active until it is deleted.
fn phase(at: &At<'_>, out: &mut Mistakes) {
    let phase = at.get("status.phase").shown_as("status.Phase".into());
    let (wanted, how) =
        if meta::is_deleting(at.object) { ("Terminating", "not empty") } else { ("Active", "empty") };
    if phase.text() != wanted {
        let why = format!("may only be '{wanted}' if `deletionTimestamp` is {how}");
        out.push(phase.invalid_text(phase.text(), &why));
    }
}

/// All writes of a node check its status.
pub(super) const NODE: &[Row] = &[
    ("", If(is_new, &[("spec.taints", Code(taints))])),
    ("status.capacity", Code(limits::amounts_of_node)),
    ("status.allocatable", Code(limits::amounts_of_node)),
    ("spec.podCIDRs[]", Name(strict_network)),
    ("spec.podCIDRs", InvalidIf(has_same_family, "may specify no more than one CIDR for each IP family")),
    ("", If(|at| !at.is_new(), CHANGED_NODE)),
];
const CHANGED_NODE: &[Row] = &[
    ("status.addresses", Code(|at, out| twice_in_go(at, "NodeAddress", out))),
    ("spec", Code(fixed_of_node)),
    ("spec.taints", Code(taints)),
    ("spec.externalID", ForbiddenIf(|at| at.old_text() != at.text(), "may not be updated")),
];

fn has_same_family(at: &At<'_>) -> bool {
    let networks = at.texts();
    let six = networks.iter().filter(|network| network.contains(':')).count();
    networks.len() > 1 && (networks.len() != 2 || six != 1)
}

fn fixed_of_node(at: &At<'_>, out: &mut Mistakes) {
    let (networks, id) = (at.get("podCIDRs"), at.get("providerID"));
    if !networks.old_texts().is_empty() && networks.old_texts() != networks.texts() {
        out.push(networks.forbidden("node updates may not change podCIDR except from \"\" to valid"));
    }
    match (id.old_text(), id.text()) {
        (old, new) if old.is_empty() || old == new => {}
        (_, "") => out.push(id.invalid_as("null", "field cannot be cleared once set")),
        _ => out.push(id.invalid_as("null", "field cannot be modified once set")),
    }
}

/// The server says that taints are in the metadata.
fn taints(at: &At<'_>, out: &mut Mistakes) {
    let at = at.shown_as("metadata.taints".into());
    let text = |taint: &Value, name| taint.text(name).to_owned();
    for taint in at.each() {
        const TAINT: &[Row] =
            &[("key", Name(names::qualified_name)), ("value", Name(one_reason)), ("effect", Known(EFFECTS))];
        check(TAINT, &taint, out);
    }
    for taint in twice(&at, |taint| Some((text(taint, "key"), text(taint, "effect")))) {
        let shown = internal::shown(taint.value, "Taint");
        let why = format!("{shown}: taints must be unique by key and effect pair");
        out.push(taint.mistake(Kind::Duplicate, why));
    }
}

fn one_reason(value: &str) -> Vec<String> {
    let wrong = names::label_value(value);
    if wrong.is_empty() { wrong } else { vec![wrong.join(";")] }
}

pub(super) const SIGNING_REQUEST: &[Row] = &[
    (
        "spec.request",
        InvalidIf(
            |at| !is_pem(at.text(), "CERTIFICATE REQUEST"),
            "PEM block type must be CERTIFICATE REQUEST",
        ),
    ),
    ("spec.usages", Required("")),
    ("spec.usages", SetOf(USAGES)),
    ("spec.signerName", Code(signer)),
    (
        "spec.expirationSeconds",
        Between(600, i64::MAX, "may not specify a duration less than 600 seconds (10 minutes)"),
    ),
    ("status.conditions", Code(conditions_of_request)),
    ("status.certificate", Code(certificate)),
    ("", If(|at| !at.is_new(), &[("status.conditions", Code(kept_conditions))])),
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

/// Whether bytes in base64 begin with a block of PEM.
fn is_pem(text: &str, block: &str) -> bool {
    let bytes = go::base64_decode(text).unwrap_or_default();
    String::from_utf8_lossy(&bytes).contains(&format!("-----BEGIN {block}-----"))
}

fn certificate(at: &At<'_>, out: &mut Mistakes) {
    if !at.is_empty() && !is_pem(at.text(), "CERTIFICATE") {
        let why = "must contain at least one CERTIFICATE PEM block";
        out.push(at.invalid_text("<certificate data>", why));
    }
}

/// The conditions that decide about a request. They are always true.
const DECISIONS: [&str; 3] = ["Approved", "Denied", "Failed"];

fn conditions_of_request(at: &At<'_>, out: &mut Mistakes) {
    let mut seen: Vec<&str> = Vec::new();
    for condition in at.each() {
        let (ty, status) = (condition.get("type"), condition.get("status"));
        check(&[("", Required(""))], &ty, out);
        if DECISIONS.contains(&ty.text()) {
            check(&[("", Known(&["True"]))], &status, out);
        } else {
            check(&[("", Known(&["False", "True", "Unknown"]))], &status, out);
        }
        let other = match ty.text() {
            "Approved" => "Denied",
            "Denied" => "Approved",
            _ => "",
        };
        if !other.is_empty() && seen.contains(&other) {
            out.push(at.invalid_text(ty.text(), "Approved and Denied conditions are mutually exclusive"));
        }
        if seen.contains(&ty.text()) {
            out.push(ty.duplicate_text(ty.text()));
        }
        seen.push(ty.text());
    }
}

/// Writes of the status do not decide.
pub(super) const SIGNING_STATUS: &[Row] = &[("status.conditions", Code(no_decision))];

fn no_decision(at: &At<'_>, out: &mut Mistakes) {
    for ty in &DECISIONS[..2] {
        if count(at.value, ty) > count(at.old, ty) {
            out.push(at.forbidden(&format!("updates may not add a condition of type {}", go::quote(ty))));
        }
    }
}

/// How many conditions of a type there are.
fn count(conditions: Option<&Value>, ty: &str) -> usize {
    let conditions = conditions.and_then(Value::as_list).unwrap_or_default();
    conditions.iter().filter(|it| it.text("type") == ty).count()
}

fn kept_conditions(at: &At<'_>, out: &mut Mistakes) {
    for ty in DECISIONS {
        if count(at.value, ty) < count(at.old, ty) {
            out.push(at.forbidden(&format!("updates may not remove a condition of type {}", go::quote(ty))));
        }
    }
}
