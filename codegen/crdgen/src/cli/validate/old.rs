//! The objects as they are before the change.

use std::collections::{BTreeSet, HashMap};

use crdgen_core::documents::{Manifest, objects};
use crdgen_core::json;
use crdgen_core::value::Value;

use super::super::definitions;
use super::super::definitions::Group;
use super::super::inputs::{self, Source};
use super::super::kinds::{EXTENSIONS, Kinds};
use super::super::{git, stream};
use super::identity::{Identity, identity};
use crate::Error;

/// Old objects as JSON, which takes the least memory.
#[derive(Default)]
pub(super) struct Olds(HashMap<Identity, String>);

impl Olds {
    /// Reads the argument of `--old`; `paths` are those of the new objects.
    pub(super) fn new(arg: Option<&str>, paths: &[String], kinds: &Kinds) -> Result<Olds, Error> {
        let mut olds = Olds::default();
        let Some(arg) = arg else { return Ok(olds) };
        if let Some(revision) = arg.strip_prefix("git:") {
            for source in git::files(revision, paths, EXTENSIONS)? {
                olds.read(&source, kinds)?;
            }
            return Ok(olds);
        }
        for input in inputs::find(&[arg.to_owned()], EXTENSIONS)? {
            olds.read(&input.read()?, kinds)?;
        }
        Ok(olds)
    }

    /// Adds the objects of a source. They are in a cluster, so that all of it can be read.
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
            self.0.extend(found);
            Ok(())
        })
    }

    /// The old object.
    pub(super) fn get(&self, identity: &Identity) -> Option<Value> {
        json::read(self.0.get(identity)?.as_bytes()).ok()
    }

    /// The objects that are not there any more.
    pub(super) fn removed(&self, seen: &HashMap<Identity, String>) -> Vec<String> {
        let gone: BTreeSet<&Identity> =
            self.0.keys().filter(|identity| !seen.contains_key(*identity)).collect();
        let name = |(group, kind, namespace, name): &Identity| {
            let dot = if group.is_empty() { "" } else { "." };
            let slash = if namespace.is_empty() { "" } else { "/" };
            format!("{kind}{dot}{group} {namespace}{slash}{name}")
        };
        gone.into_iter().map(name).collect()
    }
}
