//! Fixes what lints report in the files themselves, YAML and Rust, where only one answer is right.
//!
//! **Unstable**: any release may change what is in this module.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crdgen_core::check::lints::fix::is_fixable;
use crdgen_core::check::lints::{self, Lints};
use crdgen_core::diag::Diag;
use crdgen_core::documents::{self, Finding, Group};
use crdgen_core::ir::Crd;
use crdgen_core::span::Place;
use crdgen_core::{decode, yaml};
use crdgen_diff::Class;
use crdgen_source::Found;

use crate::inputs::Source;
use crdgen_files::difference::unified;
use crdgen_files::error::{Error, at};
use crdgen_files::input::{self, Shown};
use crdgen_files::output::{Folder, Replace};
use crdgen_files::source::Left;
use crdgen_files::source::{self, Fixed};

/// How often a file is fixed: two fixes may be about the same part of it.
const MOST_ROUNDS: usize = 4;

/// What can be fixed in an input.
pub struct Fixes {
    /// Whether the input has CRDs or types.
    pub has_input: bool,
    /// The files to write, if there is something to fix.
    pub rewrite: Option<Rewrite>,
    /// The findings in types whose attributes crdgen does not change.
    pub left: Vec<Left>,
}

/// Files that are written together, and why.
pub struct Rewrite {
    /// The files.
    pub files: Vec<FileRewrite>,
    /// The findings that are fixed, as lines.
    pub found: Vec<String>,
    old: Vec<Crd>,
    new: Vec<Crd>,
}

/// A file with its old and its new text.
pub struct FileRewrite {
    path: PathBuf,
    old: Vec<u8>,
    new: String,
}

/// Why files were not written.
#[derive(Debug)]
pub enum Unwritten {
    /// The file is a link, which stays as it is.
    Link(PathBuf),
    /// Somebody else has changed the file since it was read.
    Changed(PathBuf),
    /// The file is in UTF-16, which crdgen does not write.
    Encoding(PathBuf),
    /// A file cannot be written.
    Failed(Error),
}

impl fmt::Display for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unwritten::Link(path) => write!(f, "{} is a link; pass the file itself", path.shown()),
            Unwritten::Changed(path) => {
                write!(f, "{} has changed meanwhile; run this again", path.shown())
            }
            Unwritten::Encoding(path) => {
                write!(f, "{} is in UTF-16; convert it to UTF-8 first", path.shown())
            }
            Unwritten::Failed(why) => why.fmt(f),
        }
    }
}

impl Fixes {
    /// Fixes CRDs in a file. `wanted` returns the findings that are to be fixed.
    pub fn of_document(
        source: &Source,
        lints: &Lints,
        wanted: &dyn Fn(&Source, Vec<Finding>) -> Vec<Finding>,
    ) -> Fixes {
        let mut fixes = Fixes { has_input: false, rewrite: None, left: Vec::new() };
        let path = Path::new(&source.name);
        // Standard input is not a file, and what a chart or kustomization builds differs from its files.
        let Ok(old) = input::read(path) else { return fixes };
        let is_file = !source.is_built()
            && (old == *source.bytes || yaml::to_utf8(&old).is_some_and(|text| text == *source.bytes));
        if !is_file {
            return fixes;
        }
        let (mut now, mut found) = (source.clone(), Vec::new());
        for _ in 0..MOST_ROUNDS {
            let mut read = now.group().read();
            fixes.has_input |= !read.named().is_empty();
            read.check(|crd| lints::run(crd, lints));
            if !read.findings.iter().any(|finding| is_fixable(finding.diag.code)) {
                break;
            }
            let findings = wanted(&now, read.findings);
            let diags: Vec<(&str, &Diag)> =
                findings.iter().map(|it| (it.object.as_str(), &it.diag)).collect();
            let Some(fixed) = documents::fixed(&now.bytes, &diags) else { break };
            let line =
                |finding: &Finding| format!("{}{}: {}", source.name, at(finding.place), finding.diag.shown());
            found.extend(fixed.fixed.iter().filter_map(|number| findings.get(*number)).map(line));
            now.bytes = Arc::new(fixed.text.into_bytes());
        }
        let crds = |bytes| Group::of(bytes).read().take().map(|(crd, ..)| crd).collect();
        let (old_crds, new_crds) = (crds(&source.bytes), crds(&now.bytes));
        if let Ok(text) = String::from_utf8(now.bytes.to_vec())
            && !found.is_empty()
        {
            let file = FileRewrite { path: path.to_owned(), old, new: text };
            fixes.rewrite = Some(Rewrite { files: vec![file], found, old: old_crds, new: new_crds });
        }
        fixes
    }

    /// Fixes the types of a package. `wants` returns which diagnostics are to be fixed.
    pub fn of_types(
        options: &source::Options,
        wants: &(dyn Fn(&[Found]) -> Vec<bool> + Sync),
    ) -> Result<Fixes, Error> {
        let Fixed { files, found, left, old, new } = source::fixed(options, wants)?;
        let has_input = !old.is_empty();
        let file =
            |(path, old, new): (PathBuf, String, String)| FileRewrite { path, old: old.into_bytes(), new };
        let line = |found: &Found| {
            let place = found.at.as_ref().map(|at| Place { start: at.start, end: at.end });
            let file = found.at.as_ref().map_or("", |at| at.file.as_str());
            format!("{file}{}: {}", at(place), found.diag.shown())
        };
        let with_defaults = |mut crds: Vec<Crd>| {
            crds.iter_mut().for_each(decode::set_defaults);
            crds
        };
        let rewrite = Rewrite {
            files: files.into_iter().map(file).collect(),
            found: found.iter().map(line).collect(),
            old: with_defaults(old),
            new: with_defaults(new),
        };
        Ok(Fixes { has_input, rewrite: Some(rewrite), left })
    }
}

impl Rewrite {
    /// Returns why the files must stay as they are, if they must.
    pub fn check(&self) -> Result<(), Unwritten> {
        self.files.iter().try_for_each(FileRewrite::check)
    }

    /// Writes the files, unless one of them must stay as it is: a part of them makes no sense without the others.
    pub fn write(&self) -> Result<(), Unwritten> {
        self.check()?;
        self.files.iter().try_for_each(|file| file.write().map_err(Unwritten::Failed))
    }

    /// What changes for objects and clients.
    pub fn changes(&self, options: &crdgen_diff::Options) -> Vec<crdgen_diff::Finding> {
        let mut changes = crdgen_diff::diff_all(&self.old, &self.new, options).findings;
        changes.retain(|change| change.class == Class::Refused || change.class.reported().is_some());
        changes
    }
}

impl FileRewrite {
    /// How the file changes, in a form that `git apply` and `patch -p1` read.
    pub fn patch(&self) -> String {
        let name = self.path.shown().to_string();
        let name = name.strip_prefix("./").unwrap_or(&name).trim_start_matches('/');
        let lines = unified(&String::from_utf8_lossy(&self.old), &self.new);
        format!("--- a/{name}\n+++ b/{name}\n{lines}")
    }

    fn check(&self) -> Result<(), Unwritten> {
        if self.path.is_symlink() {
            return Err(Unwritten::Link(self.path.clone()));
        }
        if yaml::to_utf8(&self.old).is_some() {
            return Err(Unwritten::Encoding(self.path.clone()));
        }
        match input::read(&self.path) {
            Ok(bytes) if bytes == self.old => Ok(()),
            Ok(_) | Err(_) => Err(Unwritten::Changed(self.path.clone())),
        }
    }

    /// Writes the new text, with the permissions of the old one.
    fn write(&self) -> Result<(), Error> {
        let path = &self.path;
        let failed = Error::file(path);
        let permissions = std::fs::metadata(path).map_err(&failed)?.permissions();
        let name = path.file_name().unwrap_or_default();
        Folder::new(input::folder_of(path), Replace::All).write(name, &self.new)?;
        // The file is a new one, which others could read.
        std::fs::set_permissions(path, permissions).map_err(&failed)
    }
}
