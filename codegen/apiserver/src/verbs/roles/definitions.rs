//! What the server does with CRDs.

use crate::meta;
use crate::registry::Subresource;
use crate::status::Failure;
use crate::verbs::Call;
use crate::webhooks::{Checked, Sent, waiting};
use crdgen_core::diag::Diag;
use crdgen_core::value::Value;

/// Sets the defaults of a CRD that is sent, which its sender owns.
pub(in crate::verbs) fn complete(object: &mut Value) {
    let Some(Value::Map(spec)) = object.as_map_mut().and_then(|map| map.get_mut("spec")) else { return };
    if let Some(Value::Map(names)) = spec.get_mut("names") {
        let kind = names.text("kind").to_owned();
        let usual = [("singular", kind.to_lowercase()), ("listKind", format!("{kind}List"))];
        for (name, text) in usual.into_iter().filter(|_| !kind.is_empty()) {
            if names.text(name).is_empty() {
                names.insert(name, text.into());
            }
        }
    }
    spec.entry_or_insert_with("conversion", || meta::map([("strategy", "None".into())]));
}

/// The version that is stored was stored, if the status says nothing else.
fn complete_status(object: &mut Value) {
    let path = ["status", "storedVersions"];
    let found = path.iter().try_fold(&*object, |at, name| at.get(name)).and_then(Value::as_list);
    if found.is_some_and(|versions| !versions.is_empty()) {
        return;
    }
    let versions = object.get("spec").and_then(|spec| spec.get("versions")?.as_list()).unwrap_or_default();
    let stored = versions.iter().filter(|it| it.get("storage").and_then(Value::as_bool) == Some(true));
    let stored: Vec<Value> = stored.map(|version| version.text("name").into()).collect();
    if !stored.is_empty() {
        meta::set_at(object, &path, Value::List(stored));
    }
}

/// What every CRD has needs no owner: its spec, its status and the names in them.
fn disown(object: &mut Value) {
    let metadata = object.as_map_mut().and_then(|map| map.get_mut("metadata")?.as_map_mut());
    let Some(Value::List(entries)) = metadata.and_then(|it| it.get_mut("managedFields")) else { return };
    for entry in entries.iter_mut().filter(|entry| entry.text("operation") == "Update") {
        for path in [&["f:spec"][..], &["f:spec", "f:names"], &["f:status"], &["f:status", "f:acceptedNames"]]
        {
            let fields = entry.as_map_mut().and_then(|entry| entry.get_mut("fieldsV1"));
            let found =
                fields.and_then(|it| path.iter().try_fold(it, |at, step| at.as_map_mut()?.get_mut(step)));
            found.and_then(Value::as_map_mut).map(|fields| fields.remove("."));
        }
    }
}

/// Checks a CRD as the server does, and sets its defaults.
pub(super) fn definition(
    call: &mut Call<'_>,
    object: &mut Value,
    live: Option<&Value>,
) -> Result<(), Failure> {
    disown(object);
    complete_status(object);
    let sent = Sent { object: object.clone(), live: live.cloned() };
    let (stored, warnings) = match call.hooks.done(sent).as_deref() {
        None => return Err(waiting()),
        Some(Checked::Undecodable(diags)) => {
            let texts: Vec<String> = diags.iter().map(Diag::text).collect();
            return Err(Failure::bad_request(format!(
                "CustomResourceDefinition in version \"v1\" cannot be handled as a CustomResourceDefinition: {}",
                texts.join(", ")
            )));
        }
        Some(Checked::Rejected(errors)) => {
            let (kind, group) = (&call.kind.names.kind, &call.kind.resource.group);
            return Err(Failure::invalid(kind, group, meta::text(object, "name"), errors.iter()));
        }
        Some(Checked::Accepted { stored, warnings }) => (stored.clone(), warnings.clone()),
    };
    call.warnings.extend(warnings);
    if call.subresource == Some(Subresource::Status) {
        return Ok(());
    }
    if let (Value::Map(map), Value::Map(stored)) = (object, stored) {
        for (name, value) in stored {
            if matches!(name.as_str(), "spec" | "status") {
                map.insert(name, value);
            }
        }
    }
    Ok(())
}
