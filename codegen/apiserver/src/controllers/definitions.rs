//! CRDs: accepts their names, serves their objects, and cleans up after them.

use super::delete;
use crate::lifecycle::CLEANUP;
use crate::meta;
use crate::registry::{definitions, read};
use crate::state::{State, Work};
use crate::store::{Key, Resource};
use crdgen_core::check::{self, Options};
use crdgen_core::ir::{Crd, Names};
use crdgen_core::value::{Map, Value};
use crdgen_core::{go, json};

/// A condition without its times.
struct Condition {
    ty: &'static str,
    status: &'static str,
    reason: String,
    message: String,
}

impl Condition {
    fn new(
        ty: &'static str,
        status: &'static str,
        reason: impl Into<String>,
        message: impl Into<String>,
    ) -> Condition {
        Condition { ty, status, reason: reason.into(), message: message.into() }
    }

    fn into_value(self) -> Value {
        meta::map([
            ("type", self.ty.into()),
            ("status", self.status.into()),
            ("reason", self.reason.into()),
            ("message", self.message.into()),
        ])
    }
}

/// Serves a CRD as it is now, or no longer.
pub(super) fn settle(state: &mut State, name: &str) {
    let Some(stored) = state.store.get(&definitions(), &Key::new("", name)).cloned() else {
        if let Some((plural, group)) = name.split_once('.') {
            state.registry.remove(&Resource::new(group, plural));
            state.store.wake_watches();
            // The names that it had are free for others.
            let definitions = definitions();
            let others = state.store.objects(&definitions, "").filter(|(_, other)| {
                other.get("spec").is_some_and(|spec| spec.text("group") == group)
                    && condition(other, "NamesAccepted").is_some_and(|it| it.text("status") == "False")
            });
            let others: Vec<Work> = others.map(|(key, _)| Work::Definition(key.name.clone())).collect();
            state.work.extend(others);
        }
        return;
    };
    let Some(crd) = read(&stored) else { return };
    let (accepted, naming) = accept(state, &crd);
    let is_accepted = naming.status == "True";
    let was_established = condition(&stored, "Established").is_some_and(|it| it.text("status") == "True");
    let conversion = crd.spec.conversion.as_ref().and_then(|conversion| conversion.client_config.as_ref());
    let bundle = conversion.map_or(&[][..], |config| &config.ca_bundle);
    let has_valid_bundle = bundle.is_empty() || go::check_certificates(bundle, go::Names::Texts).is_ok();
    let established = if is_accepted && !was_established && !has_valid_bundle {
        Condition::new(
            "Established",
            "False",
            "InvalidCABundle",
            "The conversion webhook CABundle is invalid",
        )
    } else if is_accepted || was_established {
        Condition::new("Established", "True", "InitialNamesAccepted", "the initial names have been accepted")
    } else {
        Condition::new("Established", "False", "NotAccepted", "not all names are accepted")
    };
    let is_established = established.status == "True";
    let mut conditions = vec![naming, established];
    for found in check::conditions(&crd, &Options::default()) {
        conditions.push(Condition::new(found.ty, found.status, found.reason, found.message));
    }
    let mut object = Value::clone(&stored);
    let now = state.clock.now();
    if let Value::Map(map) = &mut object
        && let Value::Map(status) = map.entry_or_insert_with("status", || Value::Map(Map::new()))
    {
        status.insert("acceptedNames", names(&accepted));
    }
    for condition in conditions {
        meta::set_condition(&mut object, condition.into_value(), &now);
    }
    if is_established && !meta::is_deleting(&stored) {
        serve(state, crd, &stored, &accepted);
    }
    if object != **stored {
        own_status(&mut object, &now);
        state.put(&definitions(), object);
    }
}

/// Makes the server the owner of the names and conditions in a status.
fn own_status(object: &mut Value, now: &str) {
    let none = || Value::Map(Map::new());
    let owned = |value: &Value| -> Map<Value> {
        let names = value.as_map().into_iter().flat_map(|members| members.keys());
        names.map(|name| (format!("f:{name}"), none())).collect()
    };
    let status = object.get("status").unwrap_or(&Value::Null);
    let conditions = status.get("conditions").and_then(Value::as_list).unwrap_or_default();
    let conditions = conditions.iter().map(|condition| {
        let mut fields = owned(condition);
        fields.insert(".", none());
        let key = meta::map([("type", condition.text("type").into())]);
        (format!("k:{}", json::to_string(&key)), Value::Map(fields))
    });
    let fields = meta::map([
        ("f:acceptedNames", Value::Map(owned(status.get("acceptedNames").unwrap_or(&Value::Null)))),
        ("f:conditions", Value::Map(conditions.collect())),
    ]);
    let entry = meta::map([
        ("apiVersion", "apiextensions.k8s.io/v1".into()),
        ("fieldsType", "FieldsV1".into()),
        ("fieldsV1", meta::map([("f:status", fields)])),
        ("manager", "kube-apiserver".into()),
        ("operation", "Update".into()),
        ("subresource", "status".into()),
        ("time", now.into()),
    ]);
    let all = object.get("metadata").and_then(|metadata| metadata.get("managedFields")?.as_list());
    let is_other = |it: &&Value| it.text("manager") != "kube-apiserver" || it.text("subresource") != "status";
    let others = all.unwrap_or_default().iter().filter(is_other).cloned();
    let all: Vec<Value> = others.chain([entry]).collect();
    meta::set(object, "managedFields", Some(Value::List(all)));
}

fn serve(state: &mut State, mut crd: Crd, stored: &Value, accepted: &Names) {
    crd.spec.names = accepted.clone();
    let resource = Resource::new(&crd.spec.group, &crd.spec.names.plural);
    let is_known = state.registry.get(&resource).is_some_and(|kind| kind.is_of(&crd));
    if !is_known {
        state.registry.insert(&crd, stored.clone());
        state.store.wake_watches();
    }
}

/// The names that no other CRD of the group has, and the condition about them.
fn accept(state: &State, crd: &Crd) -> (Names, Condition) {
    let mut taken: Vec<String> = Vec::new();
    let mut kinds: Vec<String> = Vec::new();
    for (key, other) in state.store.objects(&definitions(), "") {
        let group = other.get("spec").map_or("", |spec| spec.text("group"));
        if key.name == crd.metadata.name || group != crd.spec.group {
            continue;
        }
        let Some(names) = other.get("status").and_then(|status| status.get("acceptedNames")) else {
            continue;
        };
        for name in ["plural", "singular"] {
            taken.push(names.text(name).to_owned());
        }
        let short = names.get("shortNames").and_then(Value::as_list).unwrap_or_default();
        taken.extend(short.iter().filter_map(Value::as_str).map(str::to_owned));
        kinds.extend([names.text("kind").to_owned(), names.text("listKind").to_owned()]);
    }
    let wanted = &crd.spec.names;
    let mut accepted = crd.status.accepted_names.clone();
    let mut conflict: Option<(&str, String)> = None;
    let mut check = |taken: &[String], name: &str, reason: &'static str| {
        let is_free = name.is_empty() || !taken.iter().any(|it| it == name);
        // The last conflict is reported.
        if !is_free {
            conflict = Some((reason, format!("\"{name}\" is already in use")));
        }
        is_free
    };
    if check(&taken, &wanted.plural, "PluralConflict") {
        accepted.plural = wanted.plural.clone();
    }
    if check(&taken, &wanted.singular, "SingularConflict") {
        accepted.singular = wanted.singular.clone();
    }
    if wanted.short_names.iter().all(|name| check(&taken, name, "ShortNamesConflict")) {
        accepted.short_names = wanted.short_names.clone();
    }
    if check(&kinds, &wanted.kind, "KindConflict") {
        accepted.kind = wanted.kind.clone();
    }
    if check(&kinds, &wanted.list_kind, "ListKindConflict") {
        accepted.list_kind = wanted.list_kind.clone();
    }
    accepted.categories = wanted.categories.clone();
    let naming = match conflict {
        None => Condition::new("NamesAccepted", "True", "NoConflicts", "no conflicts found"),
        Some((reason, message)) => Condition::new("NamesAccepted", "False", reason, message),
    };
    (accepted, naming)
}

fn names(names: &Names) -> Value {
    let Names { plural, singular, short_names, kind, list_kind, categories } = names;
    let texts = [("plural", plural), ("singular", singular), ("kind", kind), ("listKind", list_kind)];
    let mut out: Map<Value> = texts
        .into_iter()
        .filter(|(name, text)| !text.is_empty() || matches!(*name, "plural" | "kind"))
        .map(|(name, text)| (name, Value::from(text.as_str())))
        .collect();
    for (name, list) in [("shortNames", short_names), ("categories", categories)] {
        if !list.is_empty() {
            out.insert(name, list.iter().map(|text| Value::from(text.as_str())).collect::<Vec<_>>().into());
        }
    }
    Value::Map(out)
}

fn condition<'v>(object: &'v Value, ty: &str) -> Option<&'v Value> {
    let conditions = object.get("status")?.get("conditions")?.as_list()?;
    conditions.iter().find(|condition| condition.text("type") == ty)
}

/// Marks a CRD that is deleted: its objects go first.
pub(super) fn mark(object: &mut Value) {
    let mut finalizers: Vec<String> = meta::finalizers(object).into_iter().map(str::to_owned).collect();
    if !finalizers.iter().any(|name| name == CLEANUP) {
        finalizers.push(CLEANUP.to_owned());
    }
    meta::set_finalizers(object, finalizers);
    let now = meta::text(object, "deletionTimestamp").to_owned();
    meta::set(object, "deletionGracePeriodSeconds", None);
    let message = "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon";
    let condition = Condition::new("Terminating", "True", "InstanceDeletionPending", message);
    meta::set_condition(object, condition.into_value(), &now);
}

/// Deletes the objects of a CRD, and finishes it once there are none.
pub(super) fn empty(state: &mut State, name: &str) {
    let Some(live) = state.store.get(&definitions(), &Key::new("", name)).cloned() else { return };
    if !meta::finalizers(&live).contains(&CLEANUP) {
        return;
    }
    let Some((plural, group)) = name.split_once('.') else { return };
    let resource = Resource::new(group, plural);
    let keys: Vec<Key> = state.store.objects(&resource, "").map(|(key, _)| key.clone()).collect();
    let mut is_empty = true;
    for key in keys {
        delete(state, &resource, &key);
        is_empty &= state.store.get(&resource, &key).is_none();
    }
    let mut object = Value::clone(&live);
    if !is_empty {
        let message = "CustomResource deletion is in progress";
        let condition = Condition::new("Terminating", "True", "InstanceDeletionInProgress", message);
        let now = state.clock.now();
        meta::set_condition(&mut object, condition.into_value(), &now);
        if object != **live {
            own_status(&mut object, &now);
            state.put(&definitions(), object);
        }
    } else {
        let kept = meta::finalizers(&live).into_iter().filter(|name| *name != CLEANUP).map(str::to_owned);
        let kept = kept.collect();
        meta::set_finalizers(&mut object, kept);
        state.replace(&definitions(), object);
    }
}
