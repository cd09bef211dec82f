//! What the server does with the objects of single kinds, besides what it does with all.

use super::Call;
use crate::meta;
use crate::registry::{Role, Subresource};
use crate::status::Failure;
use crdgen_core::check::{self, Options};
use crdgen_core::object::write::{NOW, UID};
use crdgen_core::value::{Map, Value};
use crdgen_core::{decode, encode};

/// Changes and checks the new object, before it is stored.
pub(super) fn after(call: &mut Call<'_>, object: &mut Value, live: Option<&Value>) -> Result<(), Failure> {
    match call.kind.role {
        Role::Definition => return definition(call, object, live),
        Role::Namespace => {
            if call.subresource == Some(Subresource::Finalize) {
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
        Role::Pod => pod(call.subresource, object, live),
        Role::Service => service(call, object, live),
        Role::Signing => signing(call, object, live),
        Role::Binding | Role::Custom | Role::Review | Role::Stored => {}
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

/// A new pod waits for a node. Its subresources change only a part of its spec.
fn pod(subresource: Option<Subresource>, object: &mut Value, live: Option<&Value>) {
    let Some(live) = live else {
        if let Value::Map(map) = object {
            map.insert("status", meta::map([("phase", "Pending".into())]));
        }
        return;
    };
    let part: &[&str] = match subresource {
        Some(Subresource::EphemeralContainers) => &["ephemeralContainers"],
        Some(Subresource::Resize) => &["containers", "initContainers", "resources"],
        _ => return,
    };
    let Some(mut spec) = live.get("spec").cloned() else { return };
    if let Value::Map(spec) = &mut spec {
        for name in part {
            match object.get("spec").and_then(|spec| spec.get(name)) {
                Some(value) => drop(spec.insert(*name, value.clone())),
                None => drop(spec.remove(name)),
            }
        }
    }
    let managed = object.get("metadata").and_then(|metadata| metadata.get("managedFields")).cloned();
    let mut changed = live.clone();
    if let Value::Map(map) = &mut changed {
        map.insert("spec", spec);
    }
    meta::set(&mut changed, "managedFields", managed);
    let generation = object.get("metadata").and_then(|metadata| metadata.get("generation")).cloned();
    meta::set(&mut changed, "generation", generation);
    *object = changed;
}

/// A request for a certificate says who has sent it. Its conditions get times.
fn signing(call: &Call<'_>, object: &mut Value, live: Option<&Value>) {
    let Value::Map(map) = object else { return };
    let Some(live) = live else {
        let user = &call.request.user;
        if let Some(Value::Map(spec)) = map.get_mut("spec") {
            for name in ["extra", "uid"] {
                spec.remove(name);
            }
            spec.insert("username", user.name.as_str().into());
            spec.insert("groups", user.groups.clone().into());
        }
        map.insert("status", Value::Map(Map::new()));
        return;
    };
    let conditions = |object: &Value| {
        let conditions = object.get("status").and_then(|status| status.get("conditions")?.as_list());
        conditions.unwrap_or_default().to_vec()
    };
    let old = conditions(live);
    let Some(Value::List(new)) = map.get_mut("status").and_then(|it| it.as_map_mut()?.get_mut("conditions"))
    else {
        return;
    };
    let now = call.state.clock.now();
    for condition in new.iter_mut() {
        let same = old.iter().find(|old| {
            ["type", "status"].iter().all(|name| old.get(name) == condition.get(name))
                && !meta::own(old, "lastTransitionTime").is_empty()
        });
        let since = same.map_or(now.as_str(), |same| meta::own(same, "lastTransitionTime")).to_owned();
        for (name, time) in [("lastUpdateTime", now.as_str()), ("lastTransitionTime", &since)] {
            if meta::own(condition, name).is_empty()
                && let Value::Map(condition) = &mut *condition
            {
                condition.insert(name, time.into());
            }
        }
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
    if call.subresource == Some(Subresource::Status) {
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
