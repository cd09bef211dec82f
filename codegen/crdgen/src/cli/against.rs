//! The definitions an update starts from: files, or the same files at a git revision.

use std::collections::HashMap;
use std::path::Path;

use crdgen_core::ir::{Condition, Crd};
use crdgen_core::{decode, json};

use super::definitions::{self, Group};
use super::git;
use super::inputs::Source;
use super::kustomize;
use super::stream;
use crate::Error;

/// Old definitions by name, as JSON: read again when they are asked for, because models take many times as much memory.
pub(crate) type Old = HashMap<String, String>;

/// Where the old definitions are found.
pub(crate) enum Against {
    /// There is none: everything is created.
    Nothing,
    /// These, by name.
    Files(Old),
    /// In the same file at this revision.
    Revision(String),
}

impl Against {
    /// Reads the argument of `--against`.
    pub(crate) fn new(arg: Option<&str>) -> Result<Against, Error> {
        let Some(arg) = arg else { return Ok(Against::Nothing) };
        if let Some(revision) = arg.strip_prefix("git:") {
            return Ok(Against::Revision(revision.to_owned()));
        }
        let mut old = Old::new();
        for input in kustomize::find(&[arg.to_owned()], &["yaml", "yml", "json"])? {
            read(&input.read()?, &mut old)?;
        }
        Ok(Against::Files(old))
    }

    /// The old CRDs for the content of a source. A new file has none.
    pub(crate) fn of(&self, source: &Source) -> Result<Old, Error> {
        let Against::Revision(revision) = self else { return Ok(Old::new()) };
        let Some(bytes) = git::file(revision, Path::new(&source.name))? else { return Ok(Old::new()) };
        let mut old = Old::new();
        read(&Source { name: format!("{revision}:{}", source.name), bytes: bytes.into() }, &mut old)?;
        Ok(old)
    }

    /// The old definition of a name, in what [`Against::of`] gave or among the files.
    pub(crate) fn get(&self, same_file: &Old, name: &str) -> Option<Crd> {
        let text = match self {
            Against::Nothing => None,
            Against::Files(all) => all.get(name),
            Against::Revision(_) => same_file.get(name),
        }?;
        let (crd, _) = decode::crd(json::read(text.as_bytes()).ok()?);
        crd.map(established)
    }
}

/// Adds the definitions in a source that a server has accepted before, so that anything wrong is a failure.
fn read(source: &Source, old: &mut Old) -> Result<(), Error> {
    let one = |group: Group| {
        let texts = group.texts();
        let mut read = group.read();
        definitions::expect_accepted(&mut read, source, false)?;
        let names = read.definitions.into_iter().map(|d| d.crd.metadata.name);
        Ok(names.zip(texts).collect())
    };
    stream::groups(source, one, |read: Vec<(String, String)>| {
        old.extend(read);
        Ok(())
    })
}

/// An old definition as a cluster has it: established, so that scope and kind are immutable. A file does not say so,
/// unless it was read from a cluster.
pub(super) fn established(mut crd: Crd) -> Crd {
    let conditions = crd.status.conditions.get_or_insert_default();
    if !conditions.iter().any(|c| c.ty == "Established") {
        let (ty, status) = ("Established".to_owned(), "True".to_owned());
        conditions.push(Condition { ty, status, ..Condition::default() });
    }
    crd
}
