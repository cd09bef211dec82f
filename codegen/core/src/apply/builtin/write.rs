//! A write of an object of Kubernetes' own kinds on its way through the server.

use super::BuiltIn;
use super::fields::FieldType;
use super::strategy;
use super::table::Table;
use crate::GroupVersion;
use crate::apply::kinds;
use crate::apply::managed::Managed;
use crate::apply::scale::{KIND, SCALE, Scaling, internal};
use crate::apply::{Answer, Hooks, Rejected, Write, bad_request, check_is_newest, not_found};
use crate::ir::Scale;
use crate::object::write::Warning;
use crate::object::write::{NOW, UID, put_into_namespace};
use crate::object::{Refusal, access};
use crate::value::{Map, Value};
use crdgen_apply::Message;
use crdgen_apply::manager::{FieldManager, Kind, ScaleEntries, keep_times};
use crdgen_apply::path::Path;
use crdgen_apply::set::Set;
use crdgen_apply::typed::Type;
use std::collections::BTreeMap;

/// Kubernetes' own kinds, as the field manager needs them.
struct Kinds {
    table: &'static Table,
}

impl Kinds {
    fn decode(&self, object: Value) -> Value {
        match self.table.model(object.text("apiVersion"), object.text("kind")) {
            Some(model) => super::encoding::decode(self.table, model, object).object,
            None => object,
        }
    }
}

impl Kind for Kinds {
    fn type_of(&self, api_version: &str, kind: &str) -> Option<Type<'_>> {
        self.table.type_of(api_version, kind)
    }

    fn has_version(&self, api_version: &str, kind: &str) -> bool {
        self.table.model(api_version, kind).is_some()
    }

    /// Between versions, the server's code converts objects.
    fn convert(&self, object: Value, api_version: &str) -> Result<Value, Message> {
        let from = object.text("apiVersion");
        if from != api_version {
            if let Some(converted) = super::converted(&object, api_version) {
                return Ok(self.decode(converted));
            }
            return Err(Message(format!(
                "crdgen cannot convert Kubernetes' own kinds: from {from} to {api_version}"
            )));
        }
        Ok(self.decode(object))
    }

    /// What an apply has made is not decoded yet.
    fn convert_made(&self, mut object: Value, api_version: &str) -> Result<Value, Message> {
        let text = |name| object.text(name).to_owned();
        let (found, kind) = (text("apiVersion"), text("kind"));
        let model = self.table.model(&found, &kind).filter(|_| found == api_version);
        let Some(model) = model else { return self.convert(object, api_version) };
        if let Some(of) = FieldType::named(self.table, model) {
            of.convert_numbers(&mut object);
        }
        let decoded = super::encoding::decode(self.table, model, object);
        match decoded.wrong {
            None => Ok(decoded.object),
            Some(why) => {
                let slash = if found.contains('/') { "" } else { "/" };
                let why = why.of_converter();
                Err(Message(format!(
                    "unable to convert unstructured object to {slash}{found}, Kind={kind}: {why}"
                )))
            }
        }
    }

    fn default(&self, object: &mut Value) {
        if let Some(model) = self.table.model(object.text("apiVersion"), object.text("kind")) {
            super::defaults::set(self.table, model, object);
        }
    }
}

pub(super) fn overlay(of: BuiltIn, object: Value, configuration: Value) -> Result<Value, Message> {
    crdgen_apply::overlay(&Kinds { table: of.table }, object, configuration)
}

pub(super) fn write(of: BuiltIn, mut write: Write<'_>, hooks: &Hooks<'_>) -> Result<Answer, Refusal> {
    let missing = |subresource| Refusal::NoSubresource { version: of.api_version().to_owned(), subresource };
    match write.subresource {
        "" => {}
        // It changes what no other write changes.
        "finalize" if of.kind() == "Namespace" => {}
        name if of.subresources().any(|it| it == name) => {}
        "status" => return Err(missing("status")),
        _ => return Err(missing("scale")),
    }
    let kinds = Kinds { table: of.table };
    let stored = write.live.take().map(|live| kinds.decode(live));
    let live = stored.as_ref().map(|live| of.convert(live).unwrap_or_else(|| live.clone()));
    let mut answer = Answer::default();
    if let Err(rejected) = (Request { of, kinds, write, stored, live, hooks }).answer(&mut answer) {
        answer.rejected = Some(rejected);
    }
    Ok(answer)
}

struct Request<'r> {
    of: BuiltIn,
    kinds: Kinds,
    write: Write<'r>,
    /// What is there, as it is stored.
    stored: Option<Value>,
    /// What is there, in the version of the request.
    live: Option<Value>,
    hooks: &'r Hooks<'r>,
}

impl Request<'_> {
    fn answer(&self, answer: &mut Answer) -> Result<(), Rejected> {
        let merged = self.hooks.merged(answer, |answer| match self.write.subresource {
            "scale" => self.scale(),
            _ => self.managed(answer),
        })?;
        let mut mutated =
            self.hooks.mutate(merged, self.live.as_ref(), &answer.unknown).ok_or(Rejected::Denied)?;
        if self.hooks.admission.is_none() && self.live.is_none() {
            strategy::protect(self.of, &mut mutated);
        }
        let object = self.store(mutated, answer)?;
        match self.of.convert(&object) {
            Some(converted) => {
                answer.object = Some(converted);
                answer.stored = Some(object);
            }
            None => answer.object = Some(object),
        }
        Ok(())
    }

    fn manager(&self, version: &str, kind: &str) -> FieldManager<'_, Kinds> {
        let reset = match strategy::reset(self.of, self.write.subresource) {
            [] => BTreeMap::new(),
            paths => {
                let set: Set = paths.iter().map(|path| Path::fields(path)).collect();
                let versions = [self.of.api_version(), self.internal().api_version()];
                versions.into_iter().map(|version| (version.to_owned(), set.clone())).collect()
            }
        };
        FieldManager {
            of: &self.kinds,
            version: version.to_owned(),
            kind: kind.to_owned(),
            hub: version.to_owned(),
            subresource: self.write.subresource.to_owned(),
            reset,
            now: self.write.now.to_owned(),
        }
    }

    /// The new object with its owners.
    fn managed(&self, answer: &mut Answer) -> Result<Value, Rejected> {
        let managed = Managed {
            manager: self.manager(self.of.api_version(), self.of.kind()),
            write: &self.write,
            live: self.live.as_ref(),
            nothing: self.nothing(),
            resource: self.resource(),
        };
        let Answer { warnings, unknown, .. } = answer;
        managed.object(warnings, &mut |object| {
            let entries = object.get("metadata").and_then(|metadata| metadata.get("managedFields"));
            let disowns = entries.and_then(Value::as_list).is_some_and(<[Value]>::is_empty);
            let decoded = super::encoding::decode(self.of.table, &self.of.row.model, object);
            if let Some(why) = decoded.wrong {
                return Err(Rejected::Undecodable(Box::new(Refusal::NotDecoded(why))));
            }
            unknown.extend(decoded.unknown);
            let mut object = decoded.object;
            if disowns {
                // Go encodes no empty list, and the field manager knows it from a list that is missing.
                access::set_meta(&mut object, "managedFields", Some(Value::List(Vec::new())));
            }
            strategy::convert(self.of, &mut object);
            self.of.set_defaults(&mut object);
            Ok(object)
        })
    }

    /// The object with new replicas.
    fn scale(&self) -> Result<Value, Rejected> {
        let Some(live) = &self.live else { return Err(self.not_found()) };
        let paths = Scale {
            spec_replicas_path: ".spec.replicas".to_owned(),
            status_replicas_path: ".status.replicas".to_owned(),
            ..Scale::default()
        };
        let version = self.of.api_version().to_owned();
        let replicas = BTreeMap::from([(version.clone(), Some(Path::fields(&["spec", "replicas"])))]);
        let entries = ScaleEntries::new(live, version, replicas).map_err(internal)?;
        let manager = self.manager(SCALE, KIND);
        Scaling { paths: &paths, entries, manager }.write(live, &self.write)
    }

    /// An object without any field.
    fn nothing(&self) -> Value {
        let members = [("apiVersion", self.of.api_version()), ("kind", self.of.kind())];
        let members = members.into_iter().map(|(name, text)| (name, Value::from(text)));
        self.kinds.decode(Value::Map(members.collect()))
    }

    fn not_found(&self) -> Rejected {
        not_found(&self.resource(), &self.write.body)
    }

    /// `plural.group`
    fn resource(&self) -> String {
        GroupVersion::of(self.of.api_version()).qualify(self.of.plural())
    }

    /// The version in which the server's code works. Where it is not the one of the request, the object is stored in it.
    fn internal(&self) -> BuiltIn {
        self.of.newest().unwrap_or(self.of)
    }

    /// Sets what only the server sets, and restores what this write cannot change.
    fn store(&self, mut object: Value, answer: &mut Answer) -> Result<Value, Rejected> {
        kinds::unique_owner_references(&mut object, kinds::AFTER_ADMISSION, &mut answer.warnings);
        put_into_namespace(self.of.namespaced(), &mut object, self.write.namespace).map_err(bad_request)?;
        let of = self.internal();
        let complete = |object: Value| {
            let mut object = self.kinds.decode(object);
            strategy::convert(of, &mut object);
            of.set_defaults(&mut object);
            object
        };
        let object = of.convert(&object).unwrap_or(object);
        let mut object = complete(object);
        match &self.stored {
            None => self.prepare_new(&mut object, &mut answer.warnings),
            Some(live) => {
                check_is_newest(&self.resource(), &object, live)?;
                self.prepare_update(&mut object, live);
            }
        }
        let mut object = complete(object);
        if let Some(live) = &self.stored {
            keep_times(live, &mut object);
        }
        Ok(object)
    }

    fn prepare_new(&self, object: &mut Value, warnings: &mut Vec<Warning>) {
        // A kubelet creates its node with a status.
        if self.of.kind() != "Node"
            && self.of.subresources().any(|name| name == "status")
            && let Value::Map(map) = object
        {
            map.remove("status");
        }
        for name in ["deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "resourceVersion"] {
            access::set_meta(object, name, None);
        }
        access::set_meta(object, "uid", Some(UID.into()));
        access::set_meta(object, "creationTimestamp", Some(NOW.into()));
        // Others keep what the client sends.
        if strategy::has_generation(self.of) {
            access::set_meta(object, "generation", Some(Value::Int(1)));
        }
        strategy::prepare_new(self.of, object, &self.write.body, warnings);
    }

    fn prepare_update(&self, object: &mut Value, live: &Value) {
        // The owners of the fields are new, whatever else of the metadata stays.
        let managed = object.get("metadata").and_then(|it| it.get("managedFields")).cloned();
        for path in strategy::kept(self.of, self.write.subresource) {
            let old = path.iter().try_fold(live, |at, name| at.get(name)).cloned();
            set_or_remove(object, path, old);
        }
        access::set_meta(object, "managedFields", managed);
        let metadata = |name| live.get("metadata").and_then(|metadata| metadata.get(name)).cloned();
        let is_whole = self.write.subresource.is_empty();
        for name in ["uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"] {
            let old = metadata(name);
            // The checks reject another uid and the time of a deletion that no client has asked for.
            let is_kept = is_whole
                && match name {
                    "creationTimestamp" => false,
                    "uid" => object.get("metadata").is_some_and(|it| it.get(name).is_some()),
                    _ => old.is_none(),
                };
            if !is_kept {
                access::set_meta(object, name, old);
            }
        }
        let is_changed = strategy::counts_disabled(self.of) && strategy::is_changed(self.of, object, live);
        strategy::prepare_update(self.of, object, live);
        let is_changed = is_changed || strategy::is_changed(self.of, object, live);
        let generation = metadata("generation").and_then(|it| it.as_int()).unwrap_or_default();
        let counts = strategy::counts_changes(self.of) && self.write.subresource != "status";
        let generation = generation + i64::from(counts && is_changed);
        access::set_meta(object, "generation", (generation != 0).then_some(Value::Int(generation)));
    }
}

/// Sets the value at a path, or removes it.
fn set_or_remove(object: &mut Value, path: &[&str], value: Option<Value>) {
    if let Some(value) = value {
        // A part of the path that is not an object cannot be decoded.
        _ = access::set_nested(object, path, value);
        return;
    }
    let [way @ .., last] = path else { return };
    let parent = way.iter().try_fold(object, |at, name| at.as_map_mut()?.get_mut(name));
    if let Some(Value::Map(map)) = parent {
        let map: &mut Map<Value> = map;
        map.remove(last);
    }
}
