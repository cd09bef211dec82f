//! The objects before the change.

use std::collections::{BTreeSet, HashMap, HashSet};

use crdgen_core::documents::{Manifest, objects};
use crdgen_core::json;
use crdgen_core::value::Value;

use super::super::definitions;
use super::super::definitions::Group;
use super::super::inputs::{self, Rules, Source};
use super::super::kinds::Kinds;
use super::super::{git, stream};
use super::identity::{Identity, identity};
use crate::Error;

/// The objects that `--old` names.
#[derive(Default)]
pub(super) struct Olds {
    given: bool,
    /// JSON, which takes the least memory.
    objects: HashMap<Identity, String>,
}

impl Olds {
    /// Reads the argument of `--old`; `paths` are those of the new objects.
    pub(super) fn new(
        arg: Option<&str>,
        paths: &[String],
        rules: &Rules,
        kinds: &Kinds,
    ) -> Result<Olds, Error> {
        let mut olds = Olds { given: arg.is_some(), ..Olds::default() };
        let Some(arg) = arg else { return Ok(olds) };
        if let Some(revision) = arg.strip_prefix("git:") {
            for source in git::files(revision, paths)? {
                olds.read(&source, kinds)?;
            }
            return Ok(olds);
        }
        let inputs = inputs::find(&[arg.to_owned()], &inputs::Options::objects(rules))?;
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
                return Err(definitions::broken(&source.name, finding.place, finding.diag));
            }
            let one = |object: &Manifest| Some((identity(object, kinds)?, json::to_string(&object.value)));
            Ok(objects.iter().filter_map(one).collect::<Vec<_>>())
        };
        stream::groups(source, read, |found| {
            self.objects.extend(found);
            Ok(())
        })
    }

    /// The old object.
    pub(super) fn get(&self, identity: &Identity) -> Option<Value> {
        json::read(self.objects.get(identity)?.as_bytes()).ok()
    }

    /// Returns the objects that no longer exist.
    pub(super) fn removed(&self, seen: &HashSet<Identity>) -> Vec<String> {
        names(self.objects.keys().filter(|identity| !seen.contains(*identity)))
    }

    /// Returns the objects that did not exist before, if there are old objects at all.
    pub(super) fn created(&self, seen: &HashSet<Identity>) -> Vec<String> {
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
