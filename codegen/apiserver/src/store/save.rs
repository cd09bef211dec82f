//! What survives the process: the objects, the revision, and the state of the generator of uids.

use super::{Key, Object, Place, Resource};
use crdgen_core::{go, json};
use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::io;
use std::sync::Arc;

/// Where a server keeps its objects, so that they are there after a restart. Reads and writes never overlap.
pub trait Storage: Debug + Send {
    /// Reads everything. `None` if nothing was written yet.
    ///
    /// # Errors
    /// Fails if what is there cannot be read.
    fn load(&mut self) -> io::Result<Option<Saved>>;

    /// Writes the changes of one or more requests, all or none of them. When it returns, they survive the end of the process.
    ///
    /// # Errors
    /// Fails if they may not survive. Then the server changes nothing more.
    fn save(&mut self, changes: &Saved) -> io::Result<()>;
}

/// The objects of a server, or those that a request has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// The last revision.
    pub revision: u64,
    /// The state of the generator of uids and names.
    pub random: u64,
    /// The objects in JSON, by their names in the storage. `None` for one that was removed.
    pub objects: Vec<(String, Option<String>)>,
}

/// What is wrong with what was saved.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Corrupt {
    /// The name of no object.
    Name(String),
    Object {
        path: String,
        why: json::Error,
    },
    /// The object has another name than the place where it is.
    OtherName(String),
}

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Corrupt::Name(path) => write!(f, "{} does not name an object", go::quote(path)),
            Corrupt::Object { path, why } => write!(f, "{path}: {why}"),
            Corrupt::OtherName(path) => write!(f, "{path} has the object of another name"),
        }
    }
}

/// Objects that changed, before the first change and after the last one. `None` where there is no object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unsaved(pub(super) BTreeMap<Place, [Option<Arc<Object>>; 2]>);

impl Unsaved {
    pub(super) fn add(&mut self, place: Place, before: Option<Arc<Object>>, after: Option<Arc<Object>>) {
        self.0.entry(place).or_insert([before, None])[1] = after;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The objects as a storage gets them.
    pub(crate) fn written(&self) -> Vec<(String, Option<String>)> {
        let object = |object: &Option<Arc<Object>>| object.as_ref().map(|object| json::to_string(object));
        self.0.iter().map(|(place, [_, after])| (place.path(), object(after))).collect()
    }
}

impl Place {
    /// The name in a storage. No part of it may contain a slash.
    fn path(&self) -> String {
        let Place { resource: Resource { group, plural }, key: Key { namespace, name } } = self;
        format!("{group}/{plural}/{namespace}/{name}")
    }

    pub(super) fn of_path(path: &str) -> Option<Place> {
        let mut parts = path.splitn(4, '/');
        let mut next = || parts.next();
        let (group, plural, namespace, name) = (next()?, next()?, next()?, next()?);
        let is_whole = !plural.is_empty() && !name.is_empty();
        is_whole.then(|| Place { resource: Resource::new(group, plural), key: Key::new(namespace, name) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_back() {
        for (group, plural, namespace, name) in [
            ("", "pods", "default", "a"),
            ("g.example.com", "things", "", "b"),
            ("rbac", "roles", "n", "a:b/c"),
        ] {
            let place = Place { resource: Resource::new(group, plural), key: Key::new(namespace, name) };
            assert_eq!(Place::of_path(&place.path()), Some(place));
        }
        for wrong in ["", "a", "a/b", "a/b/c", "///", "g//n/a"] {
            assert_eq!(Place::of_path(wrong), None, "{wrong}");
        }
    }
}
