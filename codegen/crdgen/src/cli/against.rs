//! The definitions an update starts from: files, or the same files at a git revision.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use crdgen_core::ir::{Condition, Crd};

use super::definitions;
use super::inputs::{self, Source};
use crate::Error;

/// Where the old definitions are found.
pub(crate) enum Against {
    /// There is none: everything is created.
    Nothing,
    /// These, by name.
    Files(HashMap<String, Crd>),
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
        let mut old = HashMap::new();
        for input in inputs::find(&[arg.to_owned()], &["yaml", "yml", "json"])? {
            old.extend(established(definitions::read_accepted(&input.read()?, false)?));
        }
        Ok(Against::Files(old))
    }

    /// The old definitions for what a source holds; a file that is new has none.
    pub(crate) fn of(&self, source: &Source) -> Result<HashMap<String, Crd>, Error> {
        let Against::Revision(revision) = self else { return Ok(HashMap::new()) };
        let path = Path::new(&source.name);
        let dir = path.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let git = |args: &[&str]| {
            Command::new("git").arg("-C").arg(dir).args(args).output().map_err(|e| Error::NoProgram {
                program: "git",
                source: e,
                help: None,
            })
        };
        let exists = git(&["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])?;
        if !exists.status.success() {
            let said = format!("there is no revision {revision} in {}", dir.display());
            return Err(Error::Program { command: "git".to_owned(), said });
        }
        let shown = git(&["show", &format!("{revision}:./{name}")])?;
        if !shown.status.success() {
            return Ok(HashMap::new());
        }
        let old = Source { name: format!("{revision}:{}", source.name), bytes: shown.stdout.into() };
        Ok(established(definitions::read_accepted(&old, false)?).collect())
    }

    /// The old definition of a name, in what [`Against::of`] gave or among the files.
    pub(crate) fn get<'a>(&'a self, same_file: &'a HashMap<String, Crd>, name: &str) -> Option<&'a Crd> {
        match self {
            Against::Nothing => None,
            Against::Files(all) => all.get(name),
            Against::Revision(_) => same_file.get(name),
        }
    }
}

/// Old definitions by name, as a cluster has them: established, so that scope and kind are immutable. A file
/// does not say so, unless it was read from a cluster.
fn established(crds: Vec<Crd>) -> impl Iterator<Item = (String, Crd)> {
    crds.into_iter().map(|mut crd| {
        let conditions = crd.status.conditions.get_or_insert_default();
        if !conditions.iter().any(|c| c.ty == "Established") {
            let (ty, status) = ("Established".to_owned(), "True".to_owned());
            conditions.push(Condition { ty, status, ..Condition::default() });
        }
        (crd.metadata.name.clone(), crd)
    })
}
