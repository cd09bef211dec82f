//! The definitions an update starts from: files, or the same files at a git revision.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use crdgen_core::ir::Crd;
use crdgen_core::{read, yaml};

use super::Failure;
use super::inputs::{self, Source};

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
    pub(crate) fn new(arg: Option<&str>) -> Result<Against, Failure> {
        let Some(arg) = arg else { return Ok(Against::Nothing) };
        if let Some(revision) = arg.strip_prefix("git:") {
            return Ok(Against::Revision(revision.to_owned()));
        }
        let mut old = HashMap::new();
        for input in inputs::find(&[arg.to_owned()], &["yaml", "yml", "json"])? {
            let source = input.read()?;
            for crd in definitions(&source.name, &source.bytes)? {
                old.insert(crd.metadata.name.clone(), crd);
            }
        }
        Ok(Against::Files(old))
    }

    /// The old definitions for what a source holds; a file that is new has none.
    pub(crate) fn of(&self, source: &Source) -> Result<HashMap<String, Crd>, Failure> {
        let Against::Revision(revision) = self else { return Ok(HashMap::new()) };
        let path = Path::new(&source.name);
        let dir = path.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let git = |args: &[&str]| {
            Command::new("git").arg("-C").arg(dir).args(args).output().map_err(|e| Failure::new(format!("git: {e}")))
        };
        let exists = git(&["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])?;
        if !exists.status.success() {
            return Err(Failure::new(format!("git: there is no revision {revision} in {}", dir.display())));
        }
        let shown = git(&["show", &format!("{revision}:./{name}")])?;
        if !shown.status.success() {
            return Ok(HashMap::new());
        }
        let found = definitions(&format!("{revision}:{}", source.name), &shown.stdout)?;
        Ok(found.into_iter().map(|crd| (crd.metadata.name.clone(), crd)).collect())
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

/// All definitions in a text. What is old was accepted once, so that what does not decode is a failure.
fn definitions(name: &str, bytes: &[u8]) -> Result<Vec<Crd>, Failure> {
    let (documents, diags) = yaml::read(bytes);
    if let Some(diag) = diags.first() {
        return Err(Failure::new(format!("{name}: {}", diag.text())));
    }
    let mut out = Vec::new();
    for document in documents {
        for value in super::check::objects(document.value) {
            if !super::check::is_definition(&value) {
                continue;
            }
            let (crd, diags) = read::crd::read(value);
            match crd {
                Some(crd) => out.push(crd),
                None => {
                    let text = diags.first().map_or_else(String::new, |d| d.text());
                    return Err(Failure::new(format!("{name}: {text}")));
                }
            }
        }
    }
    Ok(out)
}
