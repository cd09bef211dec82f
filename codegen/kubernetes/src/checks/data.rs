//! Checks of the data in ConfigMaps and Secrets.

use super::at::{At, Mistakes};
use super::rows::{Check::*, Row};
use crdgen_core::value::Value;
use crdgen_core::{go, json};

/// The most bytes in the values of a ConfigMap or a Secret.
const MOST_BYTES: usize = 1 << 20;

pub(super) const CONFIG_MAP: &[Row] = &[
    ("", Code(immutable)),
    ("data", Code(keys)),
    ("data", Code(not_binary)),
    ("binaryData", Code(keys)),
    ("", Code(size)),
];
pub(super) const SECRET: &[Row] = &[
    ("", Code(immutable)),
    ("", If(|at| !is_immutable(at), &[("type", Fixed)])),
    ("data", Code(keys)),
    ("", Code(missing)),
    ("data", Code(size_of_secret)),
];

fn is_immutable(at: &At<'_>) -> bool {
    at.get("immutable").old.and_then(Value::as_bool) == Some(true)
}

fn immutable(at: &At<'_>, out: &mut Mistakes) {
    if !is_immutable(at) {
        return;
    }
    let first = Some(at.get("immutable")).filter(|it| !it.is_true());
    let others = ["data", "binaryData"].map(|name| at.get(name)).into_iter().filter(At::is_changed);
    let why = "field is immutable when `immutable` is set";
    out.extend(first.into_iter().chain(others).map(|at| at.forbidden(why)));
}

fn keys(at: &At<'_>, out: &mut Mistakes) {
    for (name, member) in at.members() {
        out.extend(key(name).iter().map(|why| member.invalid_text(name, why)));
    }
}

fn not_binary(at: &At<'_>, out: &mut Mistakes) {
    let binary = at.root("binaryData");
    for (name, member) in at.members() {
        if binary.value.is_some_and(|binary| binary.get(name).is_some()) {
            out.push(member.invalid_text(name, "duplicate of key present in binaryData"));
        }
    }
}

/// A key of a ConfigMap or a Secret.
pub(super) fn key(key: &str) -> Vec<String> {
    const LONGEST: usize = 253;
    let is_right = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let reasons = [
        (key.len() > LONGEST, "must be no more than 253 characters"),
        (
            key.is_empty() || !key.bytes().all(is_right),
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or \
             'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
        ),
        (key == ".", "must not be '.'"),
        (key == "..", "must not be '..'"),
        (key.starts_with("..") && key != "..", "must not start with '..'"),
    ];
    reasons.into_iter().filter(|(is_wrong, _)| *is_wrong).map(|(_, why)| why.to_owned()).collect()
}

/// The bytes in the values of a map.
fn bytes(at: &At<'_>, of_text: fn(&str) -> usize) -> usize {
    at.map().filter_map(|(_, value)| value.as_str()).map(of_text).sum()
}

fn decoded(text: &str) -> usize {
    go::base64_decode(text).map_or(0, |bytes| bytes.len())
}

fn size(at: &At<'_>, out: &mut Mistakes) {
    if bytes(&at.get("data"), str::len) + bytes(&at.get("binaryData"), decoded) > MOST_BYTES {
        out.push(at.shown_as(at.field.key("")).too_long(MOST_BYTES));
    }
}

fn size_of_secret(at: &At<'_>, out: &mut Mistakes) {
    out.extend((bytes(at, decoded) > MOST_BYTES).then(|| at.too_long(MOST_BYTES)));
}

/// What a Secret of a type must have.
fn missing(at: &At<'_>, out: &mut Mistakes) {
    const ACCOUNT: &str = "kubernetes.io/service-account.name";
    let data = at.get("data");
    let value = |key: &str| data.value.and_then(|data| data.get(key));
    let member = |key: &str| data.shown_as(data.field.key(key));
    let keys: &[&str] = match at.get("type").text() {
        "kubernetes.io/service-account-token" => {
            let annotations = at.get("metadata.annotations");
            if annotations.value.is_none_or(|annotations| annotations.text(ACCOUNT).is_empty()) {
                out.push(annotations.shown_as(annotations.field.key(ACCOUNT)).required(""));
            }
            return;
        }
        "kubernetes.io/basic-auth" if value("username").or(value("password")).is_some() => &[],
        "kubernetes.io/basic-auth" => &["username", "password"],
        "kubernetes.io/ssh-auth" if value("ssh-privatekey") == Some(&"".into()) => {
            return out.push(member("ssh-privatekey").required(""));
        }
        "kubernetes.io/ssh-auth" => &["ssh-privatekey"],
        "kubernetes.io/tls" => &["tls.crt", "tls.key"],
        "kubernetes.io/dockercfg" => &[".dockercfg"],
        "kubernetes.io/dockerconfigjson" => &[".dockerconfigjson"],
        _ => &[],
    };
    for key in keys {
        let Some(text) = value(key) else {
            out.push(member(key).required(""));
            continue;
        };
        let bytes = text.as_str().and_then(go::base64_decode).filter(|_| key.starts_with(".docker"));
        if let Some(why) = bytes.and_then(|bytes| json::read(&bytes).err()) {
            out.push(member(key).invalid_text("<secret contents redacted>", &why.text));
        }
    }
}
