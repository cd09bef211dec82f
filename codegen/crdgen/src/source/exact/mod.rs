//! The exact way: a small package that depends on the user's own is written into the target folder; cargo builds it,
//! with what it has built before, and its program asks the types themselves.

#[cfg(feature = "cli")]
mod conversions;
mod generated;
mod kinds;

#[cfg(feature = "cli")]
pub(crate) use conversions::Compiled;
pub use kinds::{read_exact, read_exact_where_needed};

use super::{Options, cargo};
use crate::Error;
use crdgen_core::diag::codes::rust as codes;
use crdgen_core::diag::{Diag, Level};
use crdgen_core::path;
use crdgen_core::read::rust::resolve::{Asked, CrateSource, Found};
use generated::Generated;
use std::path::{Path, PathBuf};

/// Why a package cannot be asked, and what to do about it.
struct NotAsked {
    what: String,
    help: &'static str,
}

impl NotAsked {
    fn new(what: &str, help: &'static str) -> NotAsked {
        NotAsked { what: what.to_owned(), help }
    }
}

/// A library that can be asked.
struct Library<'m> {
    metadata: &'m cargo::Metadata,
    package: &'m cargo_metadata::Package,
}

impl<'m> Library<'m> {
    /// That of a crate, unless the crate is a program.
    fn of(workspace: &'m mut cargo::Workspace, root: &CrateSource) -> Option<Library<'m>> {
        workspace.ask();
        let metadata = workspace.metadata()?;
        let own = Path::new(&root.root).canonicalize().ok()?;
        let is_own = |package: &&cargo_metadata::Package| {
            let library = cargo::library(package).map(|target| target.src_path.as_std_path());
            library.is_some_and(|root| root.canonicalize().is_ok_and(|root| root == own))
        };
        Some(Library { metadata, package: metadata.answer.packages.iter().find(is_own)? })
    }

    /// Builds a program that uses the library as `subject`. Programs for different purposes are kept side by side.
    fn build(&self, purpose: &str, options: &Options, program: &str) -> Result<PathBuf, NotAsked> {
        Generated::new(self.metadata, self.package, purpose, options)?.build(program)
    }
}

/// Only packages are compiled.
fn is_package(options: &Options) -> Result<(), Error> {
    if options.path.extension().is_some_and(|e| e == "rs") {
        let why = "a file alone is not compiled: give the folder of its package".to_owned();
        return Err(Error::NoSources { path: options.path.clone(), why });
    }
    Ok(())
}

fn failed(library: &Library<'_>, NotAsked { what, help }: NotAsked) -> Found {
    let message = format!("crdgen cannot run the types of {}: {what}", library.package.name);
    let diag = Diag::own(&codes::NOT_COMPILED, Level::Error, &path::Path::ROOT, message);
    Found { diag: diag.help(help), at: None }
}

fn unreached(asked: &Asked, in_program: bool) -> Found {
    let (why, help) = match in_program {
        true => {
            ("is part of a program", "move it into a library that the program uses, or leave --exact out")
        }
        false => ("is not public", "make the type and its modules `pub`, or leave --exact out"),
    };
    let message = format!("`{}` {why}, so crdgen cannot reach it", asked.name);
    let diag = Diag::own(&codes::NOT_ASKED, Level::Error, &path::Path::ROOT, message).help(help);
    Found { diag, at: asked.at.clone() }
}
