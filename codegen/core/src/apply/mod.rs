//! Writes of objects with the owners of their fields: server-side apply, updates and patches. [`Writer`] is for custom
//! resources, and [`BuiltIn`] for Kubernetes' own kinds.

mod builtin;
mod hooks;
mod kinds;
mod managed;
mod models;
mod owners;
mod patch;
mod scale;

use crate::GroupVersion;
use crate::diag::Diags;
use crate::object::write::{Handler, Warning};
use crate::object::{Refusal, Served, ServedVersion};
use crate::server::invalid;
use crate::value::{Map, Value};
use crdgen_apply::manager::{FieldManager, Kind, Rejection, keep_times};
use crdgen_apply::path::Path;
use crdgen_apply::set::Set;
use crdgen_apply::{Message, overlay};
use kinds::CustomResources;
use managed::Managed;
use models::Models;
use std::borrow::Borrow;
use std::collections::BTreeMap;

pub use builtin::{BuiltIn, FieldType, Integer, Sum, quality_of_service, sum_of_containers};
pub use crdgen_apply as library;
pub use hooks::{Accepts, Admission, Hooks};
pub use owners::Owners;
pub use patch::merge as merge_patch;

/// The kind of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Server-side apply. With `force` it takes fields from other managers.
    Apply {
        /// Whether to take fields from other managers.
        force: bool,
    },
    /// Replace the object, or create it.
    Update,
    /// A JSON merge patch.
    MergePatch,
    /// Any other patch: the body is the stored object, as the caller has changed it.
    Patched,
}

/// A write of an object.
#[derive(Clone, Debug)]
pub struct Write<'r> {
    /// The kind of the write.
    pub verb: Verb,
    /// Who writes.
    pub manager: &'r str,
    /// The object, configuration or patch that the client sends.
    pub body: Value,
    /// The object as it is stored, in any version. `None` to create one.
    pub live: Option<Value>,
    /// `status`, `scale` or empty.
    pub subresource: &'r str,
    /// The namespace of the request, or empty.
    pub namespace: &'r str,
    /// The time of the request, in RFC 3339.
    pub now: &'r str,
}

impl Write<'_> {
    /// The object after a patch.
    fn patched(&self, live: &Value) -> Value {
        if self.verb == Verb::Patched {
            return self.body.clone();
        }
        let mut patched = live.clone();
        patch::merge(&mut patched, &self.body);
        patched
    }
}

/// What the server does with a write.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Unknown fields in what the client sent.
    pub unknown: Vec<String>,
    /// The object with its owners, before it is checked and stored.
    pub merged: Option<Value>,
    /// The warnings.
    pub warnings: Vec<Warning>,
    /// The object as it was checked, before it is stored.
    pub prepared: Option<Value>,
    /// The object in the version that is stored, if that is not the version of the request.
    pub stored: Option<Value>,
    /// The object that the client gets.
    pub object: Option<Value>,
    /// Why there is none.
    pub rejected: Option<Rejected>,
}

/// Why the server rejects a write.
#[derive(Clone, Debug)]
pub enum Rejected {
    /// The caller's admission does not allow the write, or the caller does not accept its unknown fields.
    Denied,
    /// The object that the client sends cannot be decoded: status 400.
    Undecodable(Box<Refusal>),
    /// It cannot process the request, or other managers own what would change.
    Request(Rejection),
    /// The stored object or what is to be patched does not exist: status 404.
    NotFound(String),
    /// The client has read an older version of the object: status 409.
    Modified(String),
    /// The new object is invalid: status 422.
    Invalid {
        /// The kind that the object names. The server names it in its answer, also if it is the wrong one.
        kind: String,
        /// The message.
        message: String,
        /// The errors.
        errors: Diags,
    },
}

impl Rejected {
    /// Returns the status code of the answer.
    pub fn code(&self) -> u16 {
        match self {
            Rejected::Denied => 403,
            Rejected::Undecodable(_) => 400,
            Rejected::Request(rejection) => rejection.code(),
            Rejected::NotFound(_) => 404,
            Rejected::Modified(_) => 409,
            Rejected::Invalid { .. } => 422,
        }
    }

    /// Returns the server's message.
    pub fn message(&self) -> String {
        match self {
            Rejected::Denied => "admission denied the request".to_owned(),
            Rejected::Undecodable(why) => why.to_string(),
            Rejected::Request(rejection) => rejection.to_string(),
            Rejected::NotFound(message) | Rejected::Modified(message) | Rejected::Invalid { message, .. } => {
                message.clone()
            }
        }
    }
}

impl From<Rejection> for Rejected {
    fn from(rejection: Rejection) -> Rejected {
        Rejected::Request(rejection)
    }
}

fn bad_request(why: impl ToString) -> Rejected {
    Rejected::Request(Rejection::BadRequest(why.to_string()))
}

/// A CRD, prepared for writes with owners. Preparing costs more than a write, so keep it: threads can share it. It borrows
/// the CRD as `Writer<&Served>`, or keeps it as `Writer<Arc<Served>>`.
#[derive(Debug)]
pub struct Writer<S> {
    served: S,
    models: Models,
}

impl<S: Borrow<Served>> Writer<S> {
    /// Prepares a CRD.
    ///
    /// # Errors
    /// Fails with the server's messages if a schema cannot be converted to a type for merging.
    pub fn new(served: S) -> Result<Writer<S>, Vec<String>> {
        let models = Models::of(&served.borrow().crd)?;
        Ok(Writer { served, models })
    }

    /// Returns the CRD.
    pub fn served(&self) -> &Served {
        self.served.borrow()
    }

    /// Returns the server's answer to a write.
    ///
    /// # Errors
    /// Fails if there is no answer: the stored object cannot be read, or the version has no such subresource.
    pub fn write(&self, version: &ServedVersion, write: Write<'_>) -> Result<Answer, Refusal> {
        self.write_with(version, write, &Hooks::default())
    }

    /// Returns the server's answer to a write, in which webhooks take part.
    ///
    /// # Errors
    /// Fails as [`Writer::write`] does, and if the stored object cannot be converted.
    pub fn write_with(
        &self,
        version: &ServedVersion,
        write: Write<'_>,
        hooks: &Hooks<'_>,
    ) -> Result<Answer, Refusal> {
        Target { served: self.served(), models: &self.models, hooks }.write(version, write)
    }

    /// Returns an object with everything that a configuration contains, and with defaults, as mutating admission policies merge it.
    ///
    /// # Errors
    /// Fails with the server's message if the configuration cannot be merged.
    pub fn overlay(&self, object: Value, configuration: Value) -> Result<Value, Message> {
        let served = self.served();
        let (version, kind) = (object.text("apiVersion"), object.text("kind"));
        if GroupVersion::of(version).group != served.crd.spec.group {
            // The Scale of an object, for which the server has no type here.
            return Err(Message(format!(
                "error applying patch: failed to convert patch object to typed object: no corresponding type for {version}, \
                 Kind={kind}"
            )));
        }
        overlay(&CustomResources { served, models: &self.models, webhook: None }, object, configuration)
    }
}

/// The CRD of a write, and the types of its objects.
#[derive(Clone, Copy)]
struct Target<'w> {
    served: &'w Served,
    models: &'w Models,
    hooks: &'w Hooks<'w>,
}

impl Target<'_> {
    fn write(self, version: &ServedVersion, mut write: Write<'_>) -> Result<Answer, Refusal> {
        let live = match write.live.take() {
            Some(live) => {
                let live = self.served.decode_stored_with(live, &version.name, self.hooks.conversion);
                Some(live.map_err(|why| Refusal::Old(Box::new(why)))?)
            }
            None => None,
        };
        let subresources = self.served.subresources(version);
        match write.subresource {
            "" => {}
            "status" if subresources.is_some_and(|it| it.status) => {}
            "status" => return Err(version.without("status")),
            _ if subresources.is_some_and(|it| it.scale.is_some()) => {}
            _ => return Err(version.without("scale")),
        }
        let request = Request { target: self, version, write, live };
        // The server warns about a deprecated version whatever it answers.
        let deprecation = self.served.deprecation(version).map(Warning::from);
        let mut answer = Answer { warnings: deprecation.into_iter().collect(), ..Answer::default() };
        if let Err(rejected) = request.answer(&mut answer) {
            answer.rejected = Some(rejected);
        }
        Ok(answer)
    }

    /// `plural.group`
    fn resource(self) -> String {
        format!("{}.{}", self.served.crd.spec.names.plural, self.served.crd.spec.group)
    }

    /// The fields that a write cannot change.
    fn reset(self, version: &ServedVersion, subresource: &str) -> BTreeMap<String, Set> {
        let set = |names: &[&str]| names.iter().map(|name| Path::fields(&[name])).collect::<Set>();
        let of = |name: &str| self.served.api_version(name);
        match subresource {
            "" if self.served.has_status(version) => BTreeMap::from([(of(&version.name), set(&["status"]))]),
            "status" => self
                .served
                .versions()
                .filter(|version| self.served.has_status(version))
                .map(|version| (of(&version.name), set(&["metadata", "spec"])))
                .collect(),
            _ => BTreeMap::new(),
        }
    }
}

/// A write on its way through the server.
struct Request<'w, 'r> {
    target: Target<'w>,
    version: &'w ServedVersion,
    write: Write<'r>,
    live: Option<Value>,
}

impl Request<'_, '_> {
    fn answer(&self, answer: &mut Answer) -> Result<(), Rejected> {
        let hooks = self.target.hooks;
        let merged = hooks.merged(answer, |answer| match self.write.subresource {
            "scale" => self.scale(),
            _ => self.managed(answer),
        })?;
        let mutated = hooks.mutate(merged, self.live.as_ref(), &answer.unknown).ok_or(Rejected::Denied)?;
        self.store(mutated, answer)
    }

    /// The field manager for objects of a kind.
    fn manager<'k, K: Kind>(&self, of: &'k K, version: String, kind: &str) -> FieldManager<'k, K> {
        let (target, subresource) = (self.target, self.write.subresource);
        FieldManager {
            of,
            version,
            kind: kind.to_owned(),
            hub: target.served.api_version(&self.version.name),
            subresource: subresource.to_owned(),
            reset: target.reset(self.version, subresource),
            now: self.write.now.to_owned(),
        }
    }

    /// The new object with its owners.
    fn managed(&self, answer: &mut Answer) -> Result<Value, Rejected> {
        let served = self.target.served;
        let resources =
            CustomResources { served, models: self.target.models, webhook: self.target.hooks.conversion };
        let api_version = served.api_version(&self.version.name);
        let kind = &served.crd.spec.names.kind;
        let manager = self.manager(&resources, api_version.clone(), kind);
        let members = [("apiVersion", api_version.as_str()), ("kind", kind.as_str())];
        let nothing = Value::Map(members.into_iter().map(|(name, text)| (name, Value::from(text))).collect());
        let resource = self.target.resource();
        let managed = Managed { manager, write: &self.write, live: self.live.as_ref(), nothing, resource };
        let Answer { warnings, unknown, .. } = answer;
        managed.object(warnings, &mut |object| {
            let refused = |why| Rejected::Undecodable(Box::new(why));
            let decoded = served.decode_any(object).map_err(refused)?;
            unknown.extend(decoded.unknown.into_iter().map(|unknown| unknown.field));
            let mut object = decoded.object;
            if self.keeps_type() && !object.text("apiVersion").is_empty() {
                // The stored object keeps its version.
                if let Value::Map(object) = &mut object {
                    object.insert("apiVersion", Value::from(api_version.as_str()));
                }
            }
            served.check_version(&object, &self.version.name).map_err(refused)?;
            Ok(object)
        })
    }

    /// Whether the version and the kind of the object do not count: patches of the status change nothing else.
    fn keeps_type(&self) -> bool {
        self.write.subresource == "status" && matches!(self.write.verb, Verb::MergePatch | Verb::Patched)
    }

    fn not_found(&self) -> Rejected {
        not_found(&self.target.resource(), &self.write.body)
    }

    /// Checks and stores the object.
    fn store(&self, mut object: Value, answer: &mut Answer) -> Result<(), Rejected> {
        let served = self.target.served;
        kinds::unique_owner_references(&mut object, kinds::AFTER_ADMISSION, &mut answer.warnings);
        let handler: Handler<'_> =
            served.handler(self.version).with_owners(keep_times, self.target.hooks.conversion);
        let namespace = || served.put_into_namespace(&mut object.clone(), self.write.namespace);
        namespace().map_err(bad_request)?;
        _ = served.put_into_namespace(&mut object, self.write.namespace);
        let written = match &self.live {
            None => handler.create(object),
            Some(live) => {
                check_is_newest(&self.target.resource(), &object, live)?;
                let mut live = live.clone();
                if served.namespaced() && kinds::metadata_text(&live, "namespace").is_empty() {
                    _ = served.put_into_namespace(&mut live, kinds::metadata_text(&object, "namespace"));
                }
                match self.write.subresource {
                    "status" => handler.update_status(object, live).map_err(bad_request)?,
                    _ => handler.replace(object, live),
                }
            }
        };
        let known = usize::from(served.deprecation(self.version).is_some());
        answer.warnings.extend(written.warnings.into_iter().skip(known));
        if !written.errors.is_empty() {
            let kind = written.prepared.text("kind").to_owned();
            let qualified = format!("{kind}.{}", served.crd.spec.group);
            let name = kinds::metadata_text(&written.prepared, "name");
            let message = invalid(&qualified, name, written.errors.iter().map(|(_, diag)| diag));
            let errors = written.errors.into_iter().map(|(_, diag)| diag).collect();
            return Err(Rejected::Invalid { kind, message, errors });
        }
        if let Some(why) = written.store_error {
            return Err(Rejection::Internal(why.to_string()).into());
        }
        answer.prepared = Some(written.prepared);
        answer.stored = written.stored;
        answer.object = written.result;
        Ok(())
    }
}

/// Nothing can be patched. `resource` is `plural.group`.
fn not_found(resource: &str, sent: &Value) -> Rejected {
    let name = crate::go::quote(kinds::metadata_text(sent, "name"));
    Rejected::NotFound(format!("{resource} {name} not found"))
}

/// Rejects an object if the client has read an older one.
fn check_is_newest(resource: &str, object: &Value, live: &Value) -> Result<(), Rejected> {
    let of = |object| kinds::metadata_text(object, "resourceVersion");
    if of(object) == of(live) {
        return Ok(());
    }
    Err(Rejected::Modified(format!(
        "Operation cannot be fulfilled on {resource} {}: the object has been modified; please apply your changes to the \
         latest version and try again",
        crate::go::quote(kinds::metadata_text(object, "name"))
    )))
}

/// Returns the object without what only a server can determine, and with its owners.
pub fn with_owners_only(mut object: Value) -> Value {
    let metadata = object.as_map_mut().and_then(|map| map.get_mut("metadata"));
    let managed = metadata.and_then(|metadata| metadata.as_map_mut()?.remove("managedFields"));
    let mut object = crate::object::write::presentable(object);
    if let Some(managed) = managed
        && let Some(Value::Map(metadata)) = object.as_map_mut().and_then(|map| map.get_mut("metadata"))
    {
        metadata.insert("managedFields", managed);
    }
    object
}

/// Fills in what a server has set in a stored object, if it is missing.
pub fn as_stored(object: &mut Value) {
    use crate::object::write::{NOW, RESOURCE_VERSION, UID};
    let Value::Map(map) = object else { return };
    let metadata = map.entry_or_insert_with("metadata", || Value::Map(Map::new()));
    let Value::Map(metadata) = metadata else { return };
    for (name, text) in [("uid", UID), ("resourceVersion", RESOURCE_VERSION), ("creationTimestamp", NOW)] {
        if metadata.get(name).is_none_or(|value| value.is_null() || value.as_str() == Some("")) {
            metadata.insert(name, Value::from(text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// Servers keep one for each CRD, and answer several requests at once.
    #[test]
    fn threads_share_a_writer() {
        fn shared<T: Send + Sync + 'static>() {}
        shared::<Writer<Arc<Served>>>();
        shared::<Arc<Writer<Served>>>();
    }
}
