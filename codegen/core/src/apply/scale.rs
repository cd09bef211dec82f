//! Writes of the scale subresource: they set the replicas of an object, and change who owns them.

use super::kinds::metadata_text;
use super::models::Models;
use super::{Rejected, Request, Verb, Write, bad_request};
use crate::ir::Scale;
use crate::object::scale::{scale_of, wanted_replicas};
use crate::object::{BadScale, access, replicas};
use crate::value::Value;
use crdgen_apply::Message;
use crdgen_apply::manager::{FieldManager, Kind, Rejection, ScaleEntries};
use crdgen_apply::path::Path;
use crdgen_apply::typed::Type;
use crdgen_apply::update::OnConflict;

/// The version and kind of scales.
pub(super) const SCALE: &str = "autoscaling/v1";
pub(super) const KIND: &str = "Scale";
/// The server's sign for replicas that were not set.
const UNSET: i64 = i32::MIN as i64;

/// Scales of custom resources.
struct Scales<'k> {
    models: &'k Models,
}

impl Kind for Scales<'_> {
    fn type_of(&self, api_version: &str, kind: &str) -> Option<Type<'_>> {
        self.models.type_of(api_version, kind)
    }

    fn convert(&self, object: Value, _: &str) -> Result<Value, Message> {
        Ok(object)
    }

    /// The server converts a merged Scale like a custom resource, which fails.
    fn convert_made(&self, _: Value, api_version: &str) -> Result<Value, Message> {
        Err(Message(format!("request to convert CR to an invalid group/version: {api_version}")))
    }

    fn default(&self, _: &mut Value) {}
}

pub(super) fn internal(why: impl ToString) -> Rejected {
    Rejection::Internal(why.to_string()).into()
}

/// What a write of a scale needs to know about the kind.
pub(super) struct Scaling<'k, K> {
    /// Where the replicas are.
    pub(super) paths: &'k Scale,
    /// The owners, as of the object and as of its scale.
    pub(super) entries: ScaleEntries,
    /// The field manager for scales.
    pub(super) manager: FieldManager<'k, K>,
}

impl Request<'_, '_> {
    /// The object with new replicas.
    pub(super) fn scale(&self) -> Result<Value, Rejected> {
        let served = self.target.served;
        let paths = served.subresources(self.version).and_then(|it| it.scale.as_ref());
        let (Some(paths), Some(live)) = (paths, &self.live) else { return Err(self.not_found()) };
        let scales = Scales { models: self.target.models };
        let entries = self.entries(live).map_err(internal)?;
        let manager = self.manager(&scales, SCALE.to_owned(), KIND);
        Scaling { paths, entries, manager }.write(live, &self.write)
    }

    fn entries(&self, live: &Value) -> Result<ScaleEntries, Message> {
        let served = self.target.served;
        let path_of = |version| {
            let scale = served.subresources(version).and_then(|it| it.scale.as_ref())?;
            Some(Path::fields(&replicas::names(&scale.spec_replicas_path)))
        };
        let paths = served.versions().map(|version| (served.api_version(&version.name), path_of(version)));
        ScaleEntries::new(live, served.api_version(&self.version.name), paths.collect())
    }
}

impl<K: Kind> Scaling<'_, K> {
    /// The object with new replicas.
    pub(super) fn write(&self, live: &Value, write: &Write<'_>) -> Result<Value, Rejected> {
        let Scaling { paths, entries, manager } = self;
        let old = old_scale(live, paths, entries)?;
        let new = match write.verb {
            Verb::Apply { force } => {
                manager.apply(&old, &write.body, write.manager, OnConflict::of_force(force))?
            }
            Verb::Update => manager.update(&old, new_scale(&old, &write.body)?, write.manager),
            Verb::MergePatch | Verb::Patched => {
                manager.update(&old, new_scale(&old, &write.patched(&old))?, write.manager)
            }
        };
        let number = new.get("spec").and_then(|spec| spec.get("replicas")).and_then(Value::as_int);
        let number = number.unwrap_or_default();
        if number == UNSET {
            return Err(bad_request(BadScale::EmptyReplicas(paths.spec_replicas_path.clone())));
        }
        let mut object = live.clone();
        let path = replicas::names(&paths.spec_replicas_path);
        access::set_nested(&mut object, &path, Value::Int(number)).map_err(internal)?;
        let read = metadata_text(&new, "resourceVersion");
        if !read.is_empty() {
            access::set_meta(&mut object, "resourceVersion", Some(read.into()));
        }
        let managed = new.get("metadata").and_then(|m| m.get("managedFields")).and_then(Value::as_list);
        let managed = entries.of_object(managed.unwrap_or_default()).map_err(internal)?;
        access::set_meta(&mut object, "managedFields", managed);
        Ok(object)
    }
}

/// The Scale of an object, with its owners.
fn old_scale(live: &Value, paths: &Scale, entries: &ScaleEntries) -> Result<Value, Rejected> {
    let (mut scale, is_set) = scale_of(live, paths).map_err(internal)?;
    if !is_set {
        _ = access::set_nested(&mut scale, &["spec", "replicas"], Value::Int(UNSET));
    }
    for name in ["uid", "resourceVersion", "creationTimestamp"] {
        access::set_meta(&mut scale, name, live.get("metadata").and_then(|m| m.get(name)).cloned());
    }
    access::set_meta(&mut scale, "managedFields", entries.of_scale());
    Ok(scale)
}

/// The Scale that a client sends. What it contains besides the replicas does not matter.
fn new_scale(old: &Value, sent: &Value) -> Result<Value, Rejected> {
    let number = wanted_replicas(sent).map_err(bad_request)?;
    let mut new = old.clone();
    let spec = match number {
        0 => Value::Map(crate::value::Map::new()),
        _ => Value::Map(std::iter::once(("replicas", Value::Int(number))).collect()),
    };
    if let Value::Map(map) = &mut new {
        map.insert("spec", spec);
    }
    let read = metadata_text(sent, "resourceVersion");
    access::set_meta(&mut new, "resourceVersion", (!read.is_empty()).then(|| read.into()));
    Ok(new)
}
