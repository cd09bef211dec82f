//! The managed fields of the scale subresource: who owns the replicas of an object.

use crate::managed::Managed;
use crate::message::Message;
use crate::path::Path;
use crate::set::Set;
use crate::update::Owned;
use crdgen_text::value::Value;
use std::collections::BTreeMap;

const SCALE: &str = "autoscaling/v1";

/// The entries of an object, as its scale subresource shows them.
#[derive(Clone, Debug)]
pub struct ScaleEntries {
    managed: Managed,
    version: String,
    /// The path of the replicas by `apiVersion`. `None` for versions without the subresource.
    paths: BTreeMap<String, Option<Path>>,
}

impl ScaleEntries {
    /// Reads the entries of an object of a version.
    ///
    /// # Errors
    /// As [`Managed::read`].
    pub fn new(
        object: &Value,
        version: String,
        paths: BTreeMap<String, Option<Path>>,
    ) -> Result<ScaleEntries, Message> {
        let managed = Managed::read(crate::managed::entries(object).unwrap_or_default())?;
        Ok(ScaleEntries { managed, version, paths })
    }

    fn in_scale() -> Path {
        Path::fields(&["spec", "replicas"])
    }

    /// Returns the entries of the Scale: those that own the replicas.
    pub fn of_scale(&self) -> Option<Value> {
        let mut out = Managed::default();
        for (identity, owned) in &self.managed.managers {
            let Some(Some(path)) = self.paths.get(&owned.version) else { continue };
            if owned.set.contains(path) {
                let set = Set::from_iter([ScaleEntries::in_scale()]);
                let owned = Owned { set, version: SCALE.to_owned(), applied: owned.applied };
                out.managers.insert(identity.clone(), owned);
                out.times
                    .extend(self.managed.times.get(identity).map(|time| (identity.clone(), time.clone())));
            }
        }
        out.to_value()
    }

    /// Returns the entries of the object after its Scale has these.
    ///
    /// # Errors
    /// As [`Managed::read`].
    pub fn of_object(&self, scale: &[Value]) -> Result<Option<Value>, Message> {
        let mut of_scale = Managed::read(scale)?.managers;
        let mut out = Managed::default();
        let mut keep = |identity: &String, owned: Owned| {
            out.managers.insert(identity.clone(), owned);
            out.times.extend(self.managed.times.get(identity).map(|time| (identity.clone(), time.clone())));
        };
        for (identity, owned) in &self.managed.managers {
            let Some(path) = self.paths.get(&owned.version) else { continue };
            match path.as_ref().filter(|path| owned.set.contains(path)) {
                Some(path) if of_scale.remove(identity).is_none() => {
                    // Somebody else has taken the replicas.
                    let set = owned.set.difference(&Set::from_iter([path.clone()]));
                    if !set.is_empty() {
                        keep(identity, Owned { set, ..owned.clone() });
                    }
                }
                Some(_) | None => keep(identity, owned.clone()),
            }
        }
        for (identity, owned) in &of_scale {
            if owned.set.contains(&ScaleEntries::in_scale()) {
                let path = self.paths.get(&self.version).cloned().flatten().unwrap_or_default();
                let set = Set::from_iter([path]);
                keep(identity, Owned { set, version: self.version.clone(), applied: owned.applied });
            }
        }
        Ok(out.to_value())
    }
}
