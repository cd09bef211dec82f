//! Generated names.

use crate::meta;
use crdgen_core::value::Value;

/// The placeholder for the random characters of a generated name.
const RANDOM: &str = "xxxxx";

/// Gives an object with `generateName` a name, and a LimitRange without a name its uid. The server cuts the prefix, so that the name has 63 characters at most.
pub(crate) fn generate(kind: &str, object: &mut Value, uid: &str) {
    let prefix = meta::text(object, "generateName");
    if kind == "LimitRange" && prefix.is_empty() && meta::text(object, "name").is_empty() {
        return meta::set(object, "name", Some(uid.into()));
    }
    if meta::text(object, "name").is_empty() && !prefix.is_empty() {
        let prefix: String = prefix.chars().take(58).collect();
        meta::set(object, "name", Some(format!("{prefix}{RANDOM}").into()));
    }
}
