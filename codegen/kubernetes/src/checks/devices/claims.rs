//! Checks of claims for devices, and of what the scheduler and drivers write to their status.

use super::{BINDING, CONDITIONS, CONFIGURATION, DECLARED_DRIVER, DECLARED_POOL, DRIVER, LABEL, POOL};
use super::{QUALIFIED, SELECTORS, TOLERATIONS, UUID, parameters};
use crate::checks::at::{At, Mistakes};
use crate::checks::internal;
use crate::checks::pods::{NODE_SELECTOR, metadata_of_template};
use crate::checks::rows::{Check, Check::*, Row, check, is_new};
use crate::checks::words::{declared_subdomain, interface_address};
use crate::field::Field;
use crate::meta;
use crdgen_core::names;
use crdgen_core::value::Value;

const DEVICES: &str = "io.k8s.api.resource.v1.AllocatedDeviceStatus";

pub(in crate::checks) const CLAIM: &[Row] =
    &[("", If(is_new, &[("spec", All(SPEC))])), ("spec", Declared(&[("", FixedUnseen)]))];

pub(in crate::checks) const CLAIM_TEMPLATE: &[Row] = &[
    ("spec.metadata", Code(metadata_of_template)),
    ("spec.spec", All(SPEC)),
    ("spec", FixedAs("ResourceClaimTemplateSpec")),
];

/// New claims and templates for administrators, in namespaces that are not for them.
pub(in crate::checks) const ADMIN: &[Row] = &[
    ("", If(is_new, &[("spec.devices.requests", Code(administrators))])),
    ("", If(is_new, &[("spec.spec.devices.requests", Code(administrators))])),
];
pub(in crate::checks) const ADMIN_OF_STATUS: &[Row] =
    &[("status.allocation.devices.results", Code(administrators))];

/// The label of namespaces that are for administrators.
pub const ADMIN_LABEL: &str = "resource.kubernetes.io/admin-access";

fn administrators(at: &At<'_>, out: &mut Mistakes) {
    let is_wanted = |it: &Value| {
        let wanted = it.get("exactly").unwrap_or(it).get("adminAccess");
        wanted.and_then(Value::as_bool) == Some(true)
    };
    let old = at.old.and_then(Value::as_list).unwrap_or_default();
    let first = at.items().iter().position(is_wanted);
    if let Some(index) = first.filter(|_| !old.iter().any(is_wanted)) {
        let why = format!(
            "admin access to devices requires the `{ADMIN_LABEL}: true` label on the containing namespace"
        );
        // The server says the same of claims and templates.
        let is_template = at.root("spec.spec").is_set();
        let list = if is_template { Field::from("spec.devices.requests") } else { at.field.clone() };
        out.push(at.shown_as(list.index(index).child("adminAccess")).forbidden(&why));
    }
}

const SPEC: &[Row] = &[
    (
        "devices.requests",
        UpTo(
            32,
            &[
                ("", Declared(&[("", UniqueBy(&["name"], "io.k8s.api.resource.v1.DeviceRequest"))])),
                ("[]", All(&[("name", LABEL), ("", Code(request))])),
            ],
        ),
    ),
    ("devices.constraints", UpTo(32, &[("[]", All(CONSTRAINT))])),
    ("devices.config", UpTo(32, &[("[]", All(&[("requests", REFERENCES), ("", All(CONFIGURATION))]))])),
];

const EXACTLY: &[Row] = &[
    ("deviceClassName", NeedsName(names::dns1123_subdomain)),
    ("selectors", SELECTORS),
    ("", Code(count)),
    TOLERATIONS,
];
const ALTERNATIVES: Check = UpTo(
    8,
    &[
        ("", Declared(&[("", UniqueBy(&["name"], "io.k8s.api.resource.v1.DeviceSubRequest"))])),
        ("[]", All(ALTERNATIVE)),
    ],
);
const ALTERNATIVE: &[Row] = &[
    ("name", LABEL),
    ("deviceClassName", Declared(&[("", NeedsName(declared_subdomain))])),
    ("selectors", SELECTORS),
    ("", Code(count)),
    TOLERATIONS,
];

const CONSTRAINT: &[Row] = &[
    ("requests", REFERENCES),
    ("matchAttribute", In(&[("", QUALIFIED)])),
    ("distinctAttribute", In(&[("", QUALIFIED)])),
    (
        "",
        RequiredIf(
            |at| !at.get("matchAttribute").is_set() && !at.get("distinctAttribute").is_set(),
            "exactly one of \"matchAttribute\" or \"distinctAttribute\" is required, but multiple fields are set",
        ),
    ),
];

/// The names of requests.
const REFERENCES: Check = UpTo(32, &[("", Declared(&[("", UniqueTexts)])), ("[]", Code(reference))]);

fn request(at: &At<'_>, out: &mut Mistakes) {
    let why = "exactly one of `exactly` or `firstAvailable` is required";
    let (exactly, first) = (at.get("exactly"), at.get("firstAvailable"));
    let mut found = Mistakes::new();
    check(&[("", In(EXACTLY))], &exactly, &mut found);
    check(&[("", ALTERNATIVES)], &first, &mut found);
    match (exactly.is_set(), !first.is_empty()) {
        (false, false) => out.push(at.required(why)),
        (true, true) => {
            out.push(at.invalid_as("null", &format!("{why}, but multiple fields are set")));
            out.extend(found.into_iter().filter(|mistake| mistake.is_declared));
        }
        _ => out.extend(found),
    }
}

fn count(at: &At<'_>, out: &mut Mistakes) {
    let (mode, count) = (at.get("allocationMode"), at.get("count"));
    let wrong = |why: &str| count.invalid_as(&count.number().to_string(), why);
    match mode.text() {
        "All" if count.number() != 0 => {
            out.push(wrong("must not be specified when allocationMode is 'All'"));
        }
        "ExactCount" if count.number() <= 0 => out.push(wrong("must be greater than zero")),
        _ => check(&[("", Declared(&[("", Of(&["All", "ExactCount"]))]))], &mode, out),
    }
}

/// The name of a request, or of one of its alternatives after a slash.
fn reference(at: &At<'_>, out: &mut Mistakes) {
    let parts: Vec<&str> = at.text().split('/').collect();
    let of_claim = at.root("spec.devices.requests");
    let of_template = at.root("spec.spec.devices.requests");
    let requests = if of_template.is_set() { of_template.items() } else { of_claim.items() };
    let named = |all: &'_ [Value], name: &str| all.iter().rev().find(|it| it.text("name") == name).cloned();
    let alternatives =
        |request: Value| request.get("firstAvailable").and_then(Value::as_list).unwrap_or_default().to_vec();
    let is_known = match parts[..] {
        [name] => named(requests, name).is_some(),
        [name, alternative] => {
            named(requests, name).is_some_and(|it| named(&alternatives(it), alternative).is_some())
        }
        _ => false,
    };
    if parts.len() <= 2 {
        let reasons = parts.iter().map(|part| (part, names::dns1123_label(part)));
        out.extend(
            reasons
                .flat_map(|(part, all)| all.iter().map(|why| at.invalid_text(part, why)).collect::<Vec<_>>()),
        );
    }
    if !is_known {
        out.push(at.invalid(
            "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
        ));
    }
}

pub(in crate::checks) const CLAIM_STATUS: &[Row] = &[
    (
        "status.reservedFor",
        UpTo(
            256,
            &[
                (
                    "",
                    Declared(&[(
                        "",
                        UniqueBy(&["uid"], "io.k8s.api.resource.v1.ResourceClaimConsumerReference"),
                    )]),
                ),
                ("[]", All(&[("resource", Required("")), ("name", Required("")), ("uid", Required(""))])),
            ],
        ),
    ),
    (
        "status.devices",
        UpTo(
            usize::MAX,
            &[
                ("", Declared(&[("", UniqueBy(&["driver", "pool", "device", "shareID"], DEVICES))])),
                ("[]", All(DEVICE)),
            ],
        ),
    ),
    ("status.reservedFor", Code(reserved)),
    ("status.allocation", In(&[("", Code(allocation))])),
];

const DEVICE: &[Row] = &[
    ("driver", DRIVER),
    ("pool", POOL),
    ("device", LABEL),
    ("shareID", UUID),
    ("", Code(allocated)),
    ("conditions", Most(8)),
    ("conditions", CONDITIONS),
    ("data", In(&[("", Code(parameters))])),
    ("networkData.interfaceName", Declared(&[("", Longest(256))])),
    ("networkData.ips", UpTo(16, &[("", Declared(&[("", UniqueTexts)])), ("[]", Name(interface_address))])),
    ("networkData.hardwareAddress", Declared(&[("", Longest(128))])),
];

const ALLOCATION: &[Row] = &[
    ("devices.results", UpTo(32, &[("[]", All(RESULT))])),
    (
        "devices.config",
        UpTo(
            64,
            &[(
                "[]",
                All(&[
                    ("source", Declared(&[("", Known(&["FromClaim", "FromClass"]))])),
                    ("requests", REFERENCES),
                    ("", All(CONFIGURATION)),
                ]),
            )],
        ),
    ),
    ("nodeSelector", In(NODE_SELECTOR)),
];

const RESULT: &[Row] = &[
    ("request", Code(reference)),
    ("driver", DECLARED_DRIVER),
    ("pool", DECLARED_POOL),
    ("device", LABEL),
    ("", All(BINDING)),
    TOLERATIONS,
    ("shareID", UUID),
];

fn reserved(at: &At<'_>, out: &mut Mistakes) {
    let old = at.old.and_then(Value::as_list).unwrap_or_default();
    if at.is_empty() {
    } else if !at.root("status.allocation").is_set() {
        out.push(at.forbidden("may not be specified when `allocated` is not set"));
    } else if meta::is_deleting(at.object) && !at.items().iter().all(|item| old.contains(item)) {
        let why = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set";
        out.push(at.forbidden(why));
    }
}

/// An allocation stays as it is.
fn allocation(at: &At<'_>, out: &mut Mistakes) {
    match at.old.is_some() {
        false => check(ALLOCATION, at, out),
        true if at.is_changed() => {
            out.push(at.invalid_as("null", "field cannot be modified once set"));
        }
        true => {}
    }
}

/// Only allocated devices have a status.
fn allocated(at: &At<'_>, out: &mut Mistakes) {
    const NAMES: [&str; 4] = ["driver", "pool", "device", "shareID"];
    let of = |device: &Value| NAMES.map(|name| device.text(name).to_owned());
    let results = at.root("status.allocation.devices.results");
    if at.value.is_some_and(|device| !results.items().iter().any(|result| of(result) == of(device))) {
        let shown = internal::shown(at.value, "SharedDeviceID");
        out.push(at.invalid_as(&shown, "must be an allocated device in the claim"));
    }
}
