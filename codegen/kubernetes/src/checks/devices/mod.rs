//! Checks of devices, and of claims for them.

mod amounts;
mod claims;
mod slices;

pub use claims::ADMIN_LABEL;
pub(super) use claims::{ADMIN, ADMIN_OF_STATUS, CLAIM, CLAIM_STATUS, CLAIM_TEMPLATE};
pub(super) use slices::{SLICE, WARNINGS};

use super::at::{At, Mistakes};
use super::conditions::wrong;
use super::others::CONDITION;
use super::rows::{Check, Check::*, Row, check, twice};
use super::words::{declared_caseless_subdomain, declared_subdomain, lower_subdomain};
use crate::devices;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use crdgen_core::{json, names};

pub(super) const CLASS: &[Row] = &[
    ("spec.selectors", SELECTORS),
    ("spec.config", UpTo(32, &[("[]", All(CONFIGURATION))])),
    ("spec.extendedResourceName", In(&[("", Declared(&[("", Name(extended))]))])),
];

pub(super) const TAINT_RULE: &[Row] = &[
    (
        "spec.deviceSelector",
        In(&[
            ("driver", In(&[("", DRIVER)])),
            ("pool", In(&[("", POOL)])),
            ("device", NameIfSet(names::dns1123_label)),
        ]),
    ),
    ("spec.taint", All(TAINT)),
    ("spec.taint.effect", If(|at| at.is_new() || at.is_changed(), &[("", EFFECT)])),
];
pub(super) const TAINT_RULE_STATUS: &[Row] =
    &[("status.conditions", CONDITIONS), ("status.conditions", Most(8))];

/// Where the server has a rule: in its code, or in its types, which say the same with other words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    Coded,
    Declared,
}

/// The name of a driver.
const DRIVER: Check = Code(|at, out| driver(at, Rule::Coded, out));
const DECLARED_DRIVER: Check = Declared(&[("", Code(|at, out| driver(at, Rule::Declared, out)))]);
/// The names of a pool, with slashes between them.
const POOL: Check = Code(|at, out| pool(at, Rule::Coded, out));
const DECLARED_POOL: Check = Declared(&[("", Code(|at, out| pool(at, Rule::Declared, out)))]);
/// The name of something, or a domain and a name.
const QUALIFIED: Check = Declared(&[("", Code(fully_qualified))]);
const LABEL: Check = Name(names::dns1123_label);
const CONDITIONS: Check = Code(conditions);

const SELECTORS: Check = UpTo(
    32,
    &[(
        "[]",
        All(&[("cel", RequiredIf(|at| !at.is_set(), "")), ("cel", In(&[("expression", Code(expression))]))]),
    )],
);

/// What a driver gets.
const CONFIGURATION: &[Row] = &[
    ("opaque", RequiredIf(|at| !at.is_set(), "")),
    (
        "opaque",
        In(&[
            ("driver", DECLARED_DRIVER),
            ("parameters", RequiredIf(|at| !at.is_set(), "")),
            ("parameters", In(&[("", Code(parameters))])),
        ]),
    ),
];

const EFFECTS: &[&str] = &["NoExecute", "NoSchedule", "None"];
const EFFECT: Check = Declared(&[("", Known(EFFECTS))]);
/// A taint without its effect.
const TAINT: &[Row] = &[("key", Name(names::qualified_name)), ("value", Name(names::label_value))];

const TOLERATIONS: Row = ("tolerations[]", All(TOLERATION));
const TOLERATION: &[Row] = &[
    ("key", Declared(&[("", NameOrEmpty(names::qualified_name))])),
    ("operator", Declared(&[("", Known(&["Equal", "Exists"]))])),
    ("", Code(tolerated)),
    ("effect", Declared(&[("", OneOfOrEmpty(EFFECTS))])),
];

/// The conditions that a node waits for before it gets a device.
const BINDING: &[Row] = &[
    ("bindingConditions", UpTo(4, &[("[]", Name(names::qualified_name))])),
    ("bindingFailureConditions", UpTo(4, &[("[]", Name(names::qualified_name))])),
    ("bindingConditions", UniqueTexts),
    ("", Code(binding)),
];

const UUID: Check = Declared(&[("", NameIfSet(uuid))]);

fn driver(at: &At<'_>, rule: Rule, out: &mut Mistakes) {
    const LONGEST: usize = 63;
    let text = at.text();
    match rule {
        _ if text.is_empty() => out.push(at.required("")),
        Rule::Declared => {
            out.extend(at.wrong_text(declared_caseless_subdomain(text)));
            if text.chars().count() > LONGEST {
                out.push(at.mistake(Kind::TooLong, format!("may not be more than {LONGEST} characters")));
            }
        }
        Rule::Coded => {
            check(&[("", Longest(LONGEST)), ("", Name(lower_subdomain))], at, out);
        }
    }
}

fn pool(at: &At<'_>, rule: Rule, out: &mut Mistakes) {
    if at.is_empty() {
        return out.push(at.required(""));
    }
    check(&[("", Longest(253))], at, out);
    for (i, part) in at.text().split('/').enumerate() {
        match rule {
            Rule::Declared if part.is_empty() => {
                out.push(at.invalid(&format!("segment {i}: must not be empty")));
            }
            Rule::Declared => {
                let reasons = declared_subdomain(part).into_iter();
                out.extend(reasons.map(|why| at.invalid_text(part, &format!("segment {i}: {why}"))));
            }
            Rule::Coded => {
                out.extend(names::dns1123_subdomain(part).iter().map(|why| at.invalid_text(part, why)))
            }
        }
    }
}

fn fully_qualified(at: &At<'_>, out: &mut Mistakes) {
    qualified(at, at.text(), Rule::Declared, out);
    if !at.text().contains('/') {
        out.push(at.invalid("a fully qualified name must be a domain and a name separated by a slash"));
    }
}

/// A name that may have a domain.
fn qualified(at: &At<'_>, name: &str, rule: Rule, out: &mut Mistakes) {
    let (the, what, prefix) = match rule {
        Rule::Declared => ("", "prefix", "prefix: "),
        Rule::Coded => ("the ", "domain", ""),
    };
    let parts: Vec<&str> = name.split('/').collect();
    let (domain, id) = match parts[..] {
        [id] => (None, id),
        [domain, id] => (Some(domain), id),
        _ => return,
    };
    match domain {
        None => {}
        Some("") => out.push(at.invalid_text("", &format!("{the}{what} must not be empty"))),
        Some(domain) => {
            out.extend((domain.len() > 63).then(|| at.too_long(63)));
            let reasons = match rule {
                Rule::Declared => declared_subdomain(domain),
                Rule::Coded => lower_subdomain(domain),
            };
            out.extend(reasons.iter().map(|why| at.invalid_text(domain, &format!("{prefix}{why}"))));
        }
    }
    if domain.is_some() && id.is_empty() {
        return out.push(at.invalid_text("", &format!("{the}name must not be empty")));
    }
    out.extend((id.len() > 32).then(|| at.too_long(32)));
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !id.chars().all(is_part) || !id.starts_with(|c: char| is_part(c) && !c.is_ascii_digit()) {
        let words = "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric \
                     characters or '_'";
        let why = names::must_match(words, "[A-Za-z_][A-Za-z0-9_]*", &["my_name", "MY_NAME", "MyName"]);
        out.push(at.invalid_text(id, &why));
    }
}

/// Why a text cannot be the name of a resource that devices provide.
fn extended(name: &str) -> Vec<String> {
    let reasons = [
        (!name.contains('/'), "a name must be a domain-prefixed path, such as 'example.com/my-prop'"),
        (name.contains("kubernetes.io/"), "must not have \"kubernetes.io/\" domain"),
        (name.starts_with("requests."), "must not have \"requests.\" prefix"),
    ];
    let reasons = reasons.into_iter().filter(|(is_wrong, _)| *is_wrong).map(|(_, why)| why.to_owned());
    reasons.chain(names::qualified_name(&format!("requests.{name}"))).collect()
}

fn uuid(text: &str) -> Vec<String> {
    let is_part = |(i, byte): (usize, u8)| match i {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
    };
    let is_right = text.len() == 36 && text.bytes().enumerate().all(is_part);
    (!is_right).then(|| "must be a lowercase UUID in 8-4-4-4-12 format".to_owned()).into_iter().collect()
}

/// Whether the server takes the selectors or the configuration of a class as they are, because they were stored. It checks those of
/// templates again.
fn is_stored(at: &At<'_>) -> bool {
    at.is_kept && !at.root("spec.spec").is_set()
}

fn expression(at: &At<'_>, out: &mut Mistakes) {
    const LONGEST: usize = 10 * 1024;
    const MOST: u64 = 1_000_000;
    if is_stored(at) {
        return;
    }
    if at.text().len() > LONGEST {
        return out.push(at.too_long(LONGEST));
    }
    match devices::cost(at.text(), at.server) {
        Err(why) => out.push(wrong(at, at.text(), why)),
        Ok(cost) if cost > MOST => out.push(at.forbidden("too complex, exceeds cost limit")),
        Ok(_) => {}
    }
}

fn parameters(at: &At<'_>, out: &mut Mistakes) {
    const LONGEST: usize = 10 * 1024;
    if !is_stored(at) && at.value.is_some_and(|value| json::length(value) > LONGEST) {
        out.push(at.too_long(LONGEST));
    } else if at.value.is_some_and(|value| value.as_map().is_none()) {
        out.push(at.invalid_text("<value omitted>", "must be a valid JSON object"));
    }
}

fn tolerated(at: &At<'_>, out: &mut Mistakes) {
    let value = at.get("value");
    match at.get("operator").text() {
        "Exists" if !value.is_empty() => out.push(value.invalid("must be empty for operator `Exists`")),
        "Equal" => check(&[("", Name(names::label_value))], &value, out),
        _ => {}
    }
}

fn binding(at: &At<'_>, out: &mut Mistakes) {
    let (wanted, failed) = (at.get("bindingConditions"), at.get("bindingFailureConditions"));
    let mut seen = Vec::new();
    for item in failed.each() {
        out.extend(seen.contains(&item.text()).then(|| item.duplicate()));
        if wanted.texts().contains(&item.text()) {
            out.push(item.invalid("bindingFailureConditions must not overlap with bindingConditions"));
        }
        seen.push(item.text());
    }
    for (one, other, name, of) in [
        (&wanted, &failed, "bindingConditions", "bindingFailureConditions"),
        (&failed, &wanted, "bindingFailureConditions", "bindingConditions"),
    ] {
        if one.is_empty() && !other.is_empty() {
            out.push(one.invalid(&format!("{name} are required to use {of}")));
        }
    }
}

fn conditions(at: &At<'_>, out: &mut Mistakes) {
    let ty = |it: &Value| it.get("type").and_then(Value::as_str).map(str::to_owned);
    let again: Vec<At<'_>> = twice(at, ty).collect();
    for item in at.each() {
        if again.iter().any(|it| it.field == item.field) {
            out.push(item.duplicate_text(item.get("type").text()));
        }
        check(CONDITION, &item, out);
    }
}
