//! Checks of the fields of pods that are not about containers and volumes: where pods run, and their names in the network.

use super::{affinity, all_containers, resources, windows};
use crate::checks::at::{At, Mistakes};
use crate::checks::rows::{Check::*, Row, check, twice};
use crate::checks::selectors::SELECTOR;
use crate::checks::words::address;
use crdgen_core::names;
use crdgen_core::value::Value;

const OPERATORS: [&str; 4] = ["Equal", "Exists", "Lt", "Gt"];
pub(in crate::checks) const EFFECTS: &[&str] = &["NoSchedule", "PreferNoSchedule", "NoExecute"];

/// The fields after the affinity.
pub(super) const REST: &[Row] = &[
    ("", Code(dns)),
    ("readinessGates[].conditionType", Name(names::qualified_name)),
    ("schedulingGates", Code(gates)),
    ("topologySpreadConstraints", Code(spread)),
    ("", Code(windows::host_processes)),
    ("", If(|at| at.get("hostUsers").is_false(), &[("", Code(users))])),
    (
        "hostnameOverride",
        In(&[
            (
                "",
                ForbiddenIf(
                    |at| at.spec().get("setHostnameAsFQDN").is_true(),
                    "may not be specified when setHostnameAsFQDN is true",
                ),
            ),
            (
                "",
                ForbiddenIf(
                    |at| at.spec().get("hostNetwork").is_true(),
                    "may not be specified when hostNetwork is true",
                ),
            ),
            ("", Longest(64)),
            ("", Name(names::dns1123_subdomain)),
        ]),
    ),
    ("serviceAccountName", NameOrEmpty(names::dns1123_subdomain)),
    ("nodeName", NameOrEmpty(names::dns1123_subdomain)),
    ("activeDeadlineSeconds", Between(1, i32::MAX as i64, "must be between 1 and 2147483647, inclusive")),
    ("hostname", NameOrEmpty(names::dns1123_label)),
    ("subdomain", NameOrEmpty(names::dns1123_label)),
    ("tolerations[]", All(TOLERATION)),
    ("hostAliases[]", All(&[("ip", Name(address)), ("hostnames[]", Name(names::dns1123_subdomain))])),
    ("priorityClassName", NameOrEmpty(names::dns1123_subdomain)),
    ("runtimeClassName", NameIfSet(names::dns1123_subdomain)),
    ("preemptionPolicy", In(&[("", Known(&["PreemptLowerPriority", "Never"]))])),
    ("overhead", Code(resources::overhead)),
    ("", Code(windows::of_system)),
    ("", Code(files_of_variables)),
];

pub(in crate::checks) const TOLERATION: &[Row] =
    &[("key", NameOrEmpty(names::qualified_name)), ("", Code(toleration)), ("effect", OneOfOrEmpty(EFFECTS))];

const DNS: &[Row] = &[
    ("nameservers", InvalidIf(|at| at.items().len() > 3, "must not have more than 3 nameservers")),
    ("nameservers[]", Name(address)),
    ("searches", InvalidIf(|at| at.items().len() > 32, "must not have more than 32 search paths")),
    (
        "searches",
        InvalidIf(
            |at| at.texts().join(" ").len() > 2048,
            "must not have more than 2048 characters (including spaces) in the search list",
        ),
    ),
    ("searches", Code(searches)),
    ("options[]", RequiredIf(|at| at.get("name").is_empty(), "must not be empty")),
];

fn dns(at: &At<'_>, out: &mut Mistakes) {
    let (config, is_none) = (at.get("dnsConfig"), at.get("dnsPolicy").text() == "None");
    let servers = config.get("nameservers");
    if is_none && !config.is_set() {
        out.push(config.required("must provide `dnsConfig` when `dnsPolicy` is None"));
    } else if is_none && servers.is_empty() {
        out.push(servers.required("must provide at least one DNS nameserver when `dnsPolicy` is None"));
    } else {
        check(DNS, &config, out);
    }
}

fn searches(at: &At<'_>, out: &mut Mistakes) {
    for item in at.each().filter(|item| item.text() != ".") {
        let search = item.text().strip_suffix('.').unwrap_or(item.text());
        out.extend(wrong_search(search).iter().map(|why| item.invalid_text(search, why)));
    }
}

/// What is wrong with a domain, in which underscores are allowed too.
fn wrong_search(search: &str) -> Vec<String> {
    const LONGEST: usize = 253;
    let is_end =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let is_inside = |byte: &u8| is_end(Some(byte)) || matches!(byte, b'-' | b'_');
    let is_part = |part: &str| {
        let bytes = part.strip_prefix('_').unwrap_or(part).as_bytes();
        is_end(bytes.first()) && is_end(bytes.last()) && bytes.iter().all(is_inside)
    };
    let mut out = Vec::new();
    if search.len() > LONGEST {
        out.push(format!("must be no more than {LONGEST} characters"));
    }
    if !search.split('.').all(is_part) {
        out.push(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with \
             an alphanumeric character (e.g. 'example.com', regex used for validation is \
             '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')"
                .to_owned(),
        );
    }
    out
}

/// The server leaves out the names of the gates.
fn gates(at: &At<'_>, out: &mut Mistakes) {
    let name = |gate: &'_ Value| gate.text("name").to_owned();
    let again: Vec<At<'_>> = twice(at, |gate| Some(name(gate))).collect();
    for gate in at.each() {
        let name = gate.get("name").shown_as(gate.field.clone());
        out.extend(name.wrong_text(names::qualified_name(name.text())));
        out.extend(
            again.iter().filter(|it| it.field == gate.field).map(|_| name.duplicate_text(name.text())),
        );
    }
}

/// What pods with users of their own do not share with their host.
fn users(at: &At<'_>, out: &mut Mistakes) {
    let why = "when `hostUsers` is false";
    // The server's code names two of the fields like this.
    for (name, shown) in [("hostNetwork", "hostNetwork"), ("hostPID", "HostPID"), ("hostIPC", "HostIPC")] {
        if at.get(name).is_true() {
            out.push(at.get(name).shown_as(at.field.child(shown)).forbidden(why));
        }
    }
    let devices = all_containers(at).into_iter().map(|container| container.get("volumeDevices"));
    out.extend(devices.filter(|devices| !devices.is_empty()).map(|devices| devices.forbidden(why)));
}

/// Variables come from files of empty volumes.
fn files_of_variables(at: &At<'_>, out: &mut Mistakes) {
    let volumes = at.get("volumes");
    for container in all_containers(at) {
        for variable in container.get("env").each().filter(|it| it.get("valueFrom.fileKeyRef").is_set()) {
            let name = variable.get("valueFrom.fileKeyRef.volumeName");
            let mut same = volumes.each().filter(|volume| volume.get("name").text() == name.text());
            match same.by_ref().last() {
                None => out.push(name.not_found()),
                Some(volume) if !volume.get("emptyDir").is_set() => {
                    out.push(name.invalid_text(name.text(), "referenced volume must be of type emptyDir"));
                }
                Some(_) => {}
            }
        }
    }
}

const CONSTRAINT: &[Row] = &[
    ("maxSkew", ZeroOrBetween(1, i64::MAX, "must be greater than zero")),
    ("topologyKey", Required("can not be empty")),
    ("whenUnsatisfiable", Of(&["DoNotSchedule", "ScheduleAnyway"])),
];

const REST_OF_CONSTRAINT: &[Row] = &[
    ("minDomains", Between(1, i64::MAX, "must be greater than zero")),
    ("", Code(min_domains)),
    ("nodeAffinityPolicy", OneOf(&["Honor", "Ignore"])),
    ("nodeTaintsPolicy", OneOf(&["Honor", "Ignore"])),
    ("", Code(affinity::label_keys)),
    ("labelSelector", SELECTOR),
];

fn spread(at: &At<'_>, out: &mut Mistakes) {
    let key =
        |at: &At<'_>| format!("{{{}, {}}}", at.get("topologyKey").text(), at.get("whenUnsatisfiable").text());
    let all: Vec<String> = at.each().map(|constraint| key(&constraint)).collect();
    for (i, constraint) in at.each().enumerate() {
        check(CONSTRAINT, &constraint, out);
        if all[i + 1..].contains(&all[i]) {
            let field = constraint.field.child("{topologyKey, whenUnsatisfiable}");
            out.push(constraint.shown_as(field).duplicate_text(&all[i]));
        }
        check(REST_OF_CONSTRAINT, &constraint, out);
    }
}

fn min_domains(at: &At<'_>, out: &mut Mistakes) {
    let (least, policy) = (at.get("minDomains"), at.get("whenUnsatisfiable").text());
    if least.is_set() && policy != "DoNotSchedule" {
        let why = format!("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {policy}");
        out.push(least.invalid(&why));
    }
}

fn toleration(at: &At<'_>, out: &mut Mistakes) {
    let (operator, effect) = (at.get("operator"), at.get("effect"));
    let wrong = |text: &str, why: &str| operator.invalid_text(text, why);
    if at.get("key").is_empty() && operator.text() != "Exists" {
        let why =
            "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
        out.push(wrong(operator.text(), why));
    }
    if at.get("tolerationSeconds").is_set() && effect.text() != "NoExecute" {
        let why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
        out.push(effect.invalid_text(effect.text(), why));
    }
    let value = at.get("value").text();
    match operator.text() {
        "Equal" | "" => {
            let mistakes = names::label_value(value);
            out.extend((!mistakes.is_empty()).then(|| wrong(value, &mistakes.join(";"))));
        }
        "Exists" if !value.is_empty() => {
            out.push(wrong(value, "value must be empty when `operator` is 'Exists'"));
        }
        "Exists" => {}
        // Comparisons of numbers are off by default.
        "Lt" | "Gt" => out.push(operator.unsupported(&OPERATORS)),
        _ => out.push(operator.unsupported(&OPERATORS[..2])),
    }
}
