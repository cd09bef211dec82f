//! Merges a configuration into an object without owners, as mutating admission policies do.

use crate::manager::Kind;
use crate::message::Message;
use crate::typed::{Duplicates, Typed};
use crdgen_text::value::Value;

/// Returns the object with everything that a configuration contains, and with defaults. The configuration is of the kind and
/// version of the object, whatever it says.
///
/// # Errors
/// Fails with the server's message if the configuration is not of the kind, or if it has a list or an object that is only
/// replaced as a whole.
pub fn overlay<K: Kind>(of: &K, object: Value, mut configuration: Value) -> Result<Value, Message> {
    let text = |name: &str| object.text(name).to_owned();
    let (version, kind) = (text("apiVersion"), text("kind"));
    if let Value::Map(members) = &mut configuration {
        members.insert("apiVersion", Value::from(version.as_str()));
        members.insert("kind", Value::from(kind.as_str()));
    }
    let merged = merged(of, (&version, &kind), object, configuration)
        .map_err(|why| Message(format!("error applying patch: {why}")))?;
    let mut made = of.convert_made(merged, &version)?;
    of.default(&mut made);
    Ok(made)
}

fn merged<K: Kind>(
    of: &K,
    (version, kind): (&str, &str),
    object: Value,
    configuration: Value,
) -> Result<Value, Message> {
    let failed = |what: &str, why: &dyn std::fmt::Display| Message(format!("failed to {what}: {why}"));
    let what = "convert patch object to typed object";
    let ty = of.type_of(version, kind).ok_or_else(|| {
        let slash = if version.contains('/') { "" } else { "/" };
        failed(what, &format_args!("no corresponding type for {slash}{version}, Kind={kind}"))
    })?;
    let configuration =
        Typed::new(configuration, ty, Duplicates::Forbidden).map_err(|why| failed(what, &why))?;
    let atomics = configuration.atomics();
    if !atomics.is_empty() {
        return Err(Message(format!(
            "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: {}",
            atomics.join(", ")
        )));
    }
    let what = "convert original object to typed object";
    let live = Typed::new(object, ty, Duplicates::Allowed).map_err(|why| failed(what, &why))?;
    let merged = live.merge(&configuration).map_err(|why| failed("merge patch", &why))?;
    Ok(merged.into_value())
}
