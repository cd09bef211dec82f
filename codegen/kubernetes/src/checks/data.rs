//! Checks of the data in ConfigMaps and Secrets.

use crate::meta::own;
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::value::{Map, Value};
use crdgen_core::{go, json};

/// The longest key.
const LONGEST: usize = 253;

/// What is wrong with the keys, and which ones are missing.
pub(super) fn mistakes(kind: &str, object: &Value) -> Vec<Mistake<'static>> {
    let data = object.get("data").and_then(Value::as_map);
    let binary = object.get("binaryData").and_then(Value::as_map);
    let mut out = Vec::new();
    for key in data.into_iter().flat_map(Map::keys) {
        out.extend(wrong("data", key));
        if binary.is_some_and(|binary| binary.get(key).is_some()) {
            out.push(invalid("data", key, "duplicate of key present in binaryData"));
        }
    }
    for key in binary.into_iter().flat_map(Map::keys) {
        out.extend(wrong("binaryData", key));
    }
    if kind == "Secret" {
        out.extend(missing(object, data));
    }
    out
}

fn invalid(field: &str, key: &str, why: &str) -> Mistake<'static> {
    Mistake::new(format!("{field}[{key}]"), Kind::Invalid, format!("{}: {why}", go::quote(key)))
}

fn wrong(field: &str, key: &str) -> Vec<Mistake<'static>> {
    wrong_key(key).into_iter().map(|why| invalid(field, key, why)).collect()
}

/// What is wrong with a key of a ConfigMap or a Secret.
pub(super) fn wrong_key(key: &str) -> Vec<&'static str> {
    let is_right = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let mut reasons = Vec::new();
    if key.len() > LONGEST {
        reasons.push("must be no more than 253 characters");
    }
    if key.is_empty() || !key.bytes().all(is_right) {
        reasons.push(
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or \
             'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
        );
    }
    match key {
        "." => reasons.push("must not be '.'"),
        ".." => reasons.push("must not be '..'"),
        key if key.starts_with("..") => reasons.push("must not start with '..'"),
        _ => {}
    }
    reasons
}

/// What a Secret of a type must have.
fn missing(secret: &Value, data: Option<&Map<Value>>) -> Vec<Mistake<'static>> {
    let has = |key: &str| data.is_some_and(|data| data.get(key).is_some());
    let keys: &[&str] = match own(secret, "type") {
        "kubernetes.io/service-account-token" => {
            let annotations = secret.get("metadata").and_then(|metadata| metadata.get("annotations"));
            let name = "kubernetes.io/service-account.name";
            let is_named = annotations.is_some_and(|annotations| !own(annotations, name).is_empty());
            let field = format!("metadata.annotations[{name}]");
            return if is_named { Vec::new() } else { vec![Mistake::new(field, Kind::Required, "")] };
        }
        "kubernetes.io/basic-auth" if has("username") || has("password") => &[],
        "kubernetes.io/basic-auth" => &["username", "password"],
        "kubernetes.io/ssh-auth"
            if data.is_some_and(|data| data.get("ssh-privatekey") == Some(&"".into())) =>
        {
            return vec![Mistake::new("data[ssh-privatekey]", Kind::Required, "")];
        }
        "kubernetes.io/ssh-auth" => &["ssh-privatekey"],
        "kubernetes.io/tls" => &["tls.crt", "tls.key"],
        "kubernetes.io/dockercfg" => &[".dockercfg"],
        "kubernetes.io/dockerconfigjson" => &[".dockerconfigjson"],
        _ => &[],
    };
    let missing = keys.iter().filter(|key| !has(key));
    let missing = missing.map(|key| Mistake::new(format!("data[{key}]"), Kind::Required, ""));
    let broken = keys.iter().filter(|key| key.starts_with(".docker")).filter_map(|key| {
        let text = data?.get(key)?.as_str().and_then(go::base64_decode)?;
        let why = json::read(&text).err()?.text;
        let why = format!("\"<secret contents redacted>\": {why}");
        Some(Mistake::new(format!("data[{key}]"), Kind::Invalid, why))
    });
    missing.chain(broken).collect()
}
