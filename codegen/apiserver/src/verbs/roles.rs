//! What the server does with the objects of single kinds, besides what it does with all.

use super::Call;
use crate::meta;
use crate::registry::Role;
use crate::status::Failure;
use crate::user::User;
use crdgen_core::check::{self, Options};
use crdgen_core::object::write::{NOW, UID};
use crdgen_core::value::{Map, Value};
use crdgen_core::{decode, encode};

/// Changes and checks the new object, before it is stored.
pub(super) fn after(call: &mut Call<'_>, object: &mut Value, live: Option<&Value>) -> Result<(), Failure> {
    match call.kind.role {
        Role::Definition => return definition(call, object, live),
        Role::Namespace => {
            if call.path.subresource == "finalize" {
                return Ok(());
            }
            // Only the subresource changes the finalizers.
            if let Some(live) = live {
                let spec = live.get("spec").cloned();
                if let (Value::Map(map), Some(spec)) = (&mut *object, spec) {
                    map.insert("spec", spec);
                }
            }
        }
        Role::Pod => {
            if let (None, Value::Map(map)) = (live, object) {
                map.insert("status", meta::map([("phase", "Pending".into())]));
            }
        }
        Role::Service => service(call, object, live),
        Role::Custom | Role::Review | Role::Stored => {}
    }
    Ok(())
}

/// Replaces the placeholders for the uid and the time of a new object, once they are known.
pub(super) fn stamped(call: &Call<'_>, object: &mut Value) {
    if !call.kind.has_code() {
        return;
    }
    let (uid, time) =
        (meta::text(object, "uid").to_owned(), meta::text(object, "creationTimestamp").to_owned());
    // Only the selectors and labels of jobs, and the status of volumes, have them.
    for (path, value) in [
        (&["spec", "selector", "matchLabels", CONTROLLER][..], &uid),
        (&["spec", "template", "metadata", "labels", CONTROLLER], &uid),
        (&["spec", "template", "metadata", "labels", "controller-uid"], &uid),
        (&["status", "lastPhaseTransitionTime"], &time),
    ] {
        let found = path.iter().try_fold(&mut *object, |at, name| at.as_map_mut()?.get_mut(name));
        if let Some(found) = found
            && found.as_str().is_some_and(|text| [UID, NOW].contains(&text))
        {
            *found = Value::from(value.as_str());
        }
    }
}

const CONTROLLER: &str = "batch.kubernetes.io/controller-uid";

/// The label, the finalizer and the phase of a namespace.
pub(crate) fn namespace(object: &mut Value) {
    let name = meta::text(object, "name").to_owned();
    let is_deleting = meta::is_deleting(object);
    let Value::Map(map) = object else { return };
    let metadata = map.entry_or_insert_with("metadata", || Value::Map(Map::new()));
    if let Value::Map(metadata) = metadata
        && let Value::Map(labels) = metadata.entry_or_insert_with("labels", || Value::Map(Map::new()))
    {
        labels.insert("kubernetes.io/metadata.name", Value::from(name));
    }
    if !is_deleting {
        map.entry_or_insert_with("spec", || meta::map([("finalizers", vec!["kubernetes"].into())]));
        map.entry_or_insert_with("status", || meta::map([("phase", "Active".into())]));
    }
}

/// A service gets an address, which never changes.
fn service(call: &mut Call<'_>, object: &mut Value, live: Option<&Value>) {
    let address = live.and_then(|live| live.get("spec")?.get("clusterIP").cloned());
    let random = call.state.random.next();
    let Some(Value::Map(spec)) = object.as_map_mut().and_then(|map| map.get_mut("spec")) else { return };
    if meta::own(&Value::Map(spec.clone()), "type") == "ExternalName" {
        return;
    }
    let address = spec
        .entry_or_insert_with("clusterIP", || {
            address.unwrap_or_else(|| format!("10.96.{}.{}", random >> 8 & 0xff, 1 + random % 254).into())
        })
        .clone();
    spec.entry_or_insert_with("clusterIPs", || Value::List(vec![address]));
    spec.entry_or_insert_with("ipFamilies", || vec!["IPv4"].into());
    spec.entry_or_insert_with("ipFamilyPolicy", || "SingleStack".into());
}

/// Checks a CRD as the server does, and sets its defaults.
fn definition(call: &mut Call<'_>, object: &mut Value, live: Option<&Value>) -> Result<(), Failure> {
    let read = |value: &Value| {
        let (crd, diags) = decode::crd(value.clone());
        let mut crd = crd.ok_or(diags)?;
        crd.drop_unions();
        Ok::<_, Vec<crdgen_core::diag::Diag>>(crd)
    };
    let undecodable = |diags: Vec<crdgen_core::diag::Diag>| {
        let texts: Vec<String> = diags.iter().map(crdgen_core::diag::Diag::text).collect();
        Failure::bad_request(format!(
            "CustomResourceDefinition in version \"v1\" cannot be handled as a CustomResourceDefinition: {}",
            texts.join(", ")
        ))
    };
    let crd = read(object).map_err(undecodable)?;
    let options = Options::default();
    let report = match live {
        None => check::create(&crd, &options),
        Some(live) => {
            let old = read(live).map_err(undecodable)?;
            check::update(&crd, &old, &options)
        }
    };
    if !report.is_accepted() {
        let (kind, group) = (&call.kind.names.kind, &call.kind.resource.group);
        return Err(Failure::invalid(kind, group, meta::text(object, "name"), report.errors.iter()));
    }
    call.warnings.extend(report.warnings.iter().map(crdgen_core::diag::Diag::text));
    if call.path.subresource == "status" {
        return Ok(());
    }
    let stored = encode::stored(&report.stored(&crd));
    if let (Value::Map(map), Value::Map(stored)) = (object, stored) {
        for (name, value) in stored {
            if matches!(name.as_str(), "spec" | "status") {
                map.insert(name, value);
            }
        }
    }
    Ok(())
}

/// Answers a review: everything is allowed.
pub(super) fn review(mut review: Value, user: &User) -> Value {
    let status = match meta::own(&review, "kind") {
        "TokenReview" => meta::map([("authenticated", true.into()), ("user", User::admin().to_value())]),
        "SelfSubjectReview" => meta::map([("userInfo", user.to_value())]),
        _ => meta::map([("allowed", true.into())]),
    };
    if let Value::Map(map) = &mut review {
        map.insert("status", status);
    }
    review
}
