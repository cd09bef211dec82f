//! The objects before the change.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use crdgen_core::documents::{Group, Manifest, objects};
use crdgen_core::json;
use crdgen_core::value::Value;

use super::identity::{Identity, identity};
use crate::inputs::{self, Options, Origin, Rules, Source, stream};
use crate::kinds::Kinds;
use crdgen_files::Error;

/// The objects before the change: what `--old` names.
#[derive(Default)]
pub struct Olds {
    given: bool,
    /// JSON, which takes the least memory, each with what it is applied with.
    objects: HashMap<Identity, Vec<(Arc<str>, String)>>,
}

impl Olds {
    /// Reads the objects at a path, or those at a revision of git: `git:REV`, with the paths of the new objects. Without an argument
    /// there are none.
    pub fn new(arg: Option<&str>, paths: &[String], rules: &Rules, kinds: &Kinds) -> Result<Olds, Error> {
        let mut olds = Olds { given: arg.is_some(), ..Olds::default() };
        let Some(arg) = arg else { return Ok(olds) };
        let options = Options::objects(rules);
        let inputs = inputs::find_with(paths, arg, &options)?;
        for input in inputs.iter() {
            if let Some(source) = inputs.read(input)? {
                olds.read(&source, kinds)?;
            }
        }
        Ok(olds)
    }

    /// Adds the objects of a source. They exist in a cluster, so all of the source must be readable.
    fn read(&mut self, source: &Source, kinds: &Kinds) -> Result<(), Error> {
        let read = |group: Group| {
            let (objects, mut unreadable) = objects(group);
            if let Some(finding) = unreadable.pop() {
                return Err(Error::document(&source.name, finding.place, finding.diag));
            }
            let one = |object: &Manifest| Some((identity(object, kinds)?, json::to_string(&object.value)));
            Ok(objects.iter().filter_map(one).collect::<Vec<_>>())
        };
        stream::groups(source, read, |found| {
            for (identity, object) in found {
                let Origin { root, original_root, .. } = &source.origin;
                let root = Arc::clone(original_root.as_ref().unwrap_or(root));
                let same = self.objects.entry(identity).or_default();
                // The last object of an overlay counts.
                match same.last_mut().filter(|(other, _)| *other == root) {
                    Some((_, last)) => *last = object,
                    None => same.push((root, object)),
                }
            }
            Ok(())
        })
    }

    /// Returns the old object. If several overlays have it, returns the one of the overlay whose path is most similar.
    pub(super) fn get(&self, identity: &Identity, root: &str) -> Option<Value> {
        let objects = self.objects.get(identity)?;
        let (_, object) = objects
            .iter()
            .max_by_key(|(other, _)| inputs::common_end(Path::new(&**other), Path::new(root)))?;
        json::read(object.as_bytes()).ok()
    }

    /// Returns the objects that no longer exist.
    pub fn removed(&self, seen: &HashSet<Identity>) -> Vec<String> {
        names(self.objects.keys().filter(|identity| !seen.contains(*identity)))
    }

    /// Returns the objects that did not exist before, if there are old objects at all.
    pub fn created(&self, seen: &HashSet<Identity>) -> Vec<String> {
        names(seen.iter().filter(|identity| self.given && !self.objects.contains_key(*identity)))
    }
}

/// Returns the names of objects in a stable order.
fn names<'a>(all: impl Iterator<Item = &'a Identity>) -> Vec<String> {
    let name = |(group, kind, namespace, name): &Identity| {
        let dot = if group.is_empty() { "" } else { "." };
        let slash = if namespace.is_empty() { "" } else { "/" };
        format!("{kind}{dot}{group} {namespace}{slash}{name}")
    };
    all.collect::<BTreeSet<_>>().into_iter().map(name).collect()
}
