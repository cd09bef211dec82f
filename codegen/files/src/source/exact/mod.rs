//! Uses the compiled types. crdgen writes a small package that depends on the user's package into the target folder.
//! Cargo builds it, and reuses what it has built before. The program then calls the types themselves. If another package
//! cannot use the types, crdgen builds a program from a copy of the user's package.

mod build;
mod conversions;
mod copy;
mod dependency;
mod generated;
mod kinds;

pub use conversions::{Compiled, Refused};
pub use kinds::{read_exact, read_exact_where_needed};

use super::{Options, cargo};
use crate::Error;
use cargo_metadata::{Package, Target, TargetKind};
use crdgen_core::diag::codes::rust as codes;
use crdgen_core::diag::{Diag, Level};
use crdgen_core::path;
use crdgen_source::{Asked, CrateSource, Found};
use generated::Generated;
use std::path::Path;

/// Why the types of a package cannot be run, and what to do about it.
struct NotRun {
    what: String,
    help: &'static str,
}

impl NotRun {
    fn new(what: &str, help: &'static str) -> NotRun {
        NotRun { what: what.to_owned(), help }
    }
}

/// A crate whose types can be run.
struct Subject<'m> {
    metadata: &'m cargo::Metadata,
    package: &'m Package,
    /// Whether it is the library of its package, and not a program.
    is_library: bool,
}

impl<'m> Subject<'m> {
    fn of(workspace: &'m mut cargo::Workspace, root: &CrateSource) -> Option<Subject<'m>> {
        workspace.ask();
        let metadata = workspace.metadata()?;
        let own = Path::new(&root.root).canonicalize().ok()?;
        let is_own = |target: &&Target| target.src_path.canonicalize().is_ok_and(|root| root == own);
        let of = |package: &'m Package| {
            let is_library = cargo::library(package).is_some_and(|it| is_own(&it));
            let is_it = is_library || package.targets.iter().filter(|it| it.is_bin()).any(|it| is_own(&it));
            is_it.then_some(Subject { metadata, package, is_library })
        };
        metadata.answer.packages.iter().find_map(of)
    }

    /// Returns the package for a program that uses the library as `subject`. Packages for different purposes are kept in
    /// different folders.
    fn generated(&self, purpose: &str, options: &Options) -> Result<Generated<'m>, NotRun> {
        Generated::new(self.metadata, self.package, purpose, options)
    }
}

/// Fails unless the path is a package, because only packages can be compiled.
fn is_package(options: &Options) -> Result<(), Error> {
    if options.path.extension().is_some_and(|e| e == "rs") {
        let why = "a file alone is not compiled: give the folder of its package".to_owned();
        return Err(Error::NoSources { path: options.path.clone(), why });
    }
    Ok(())
}

/// Whether programs can use the library of a package.
fn is_linkable(package: &Package) -> bool {
    let linkable = [TargetKind::Lib, TargetKind::RLib, TargetKind::DyLib];
    cargo::library(package).is_some_and(|it| linkable.iter().any(|kind| it.kind.contains(kind)))
}

fn no_derive() -> NotRun {
    NotRun::new("it does not depend on crdgen", "add crdgen to its dependencies")
}

fn failed(package: &Package, NotRun { what, help }: NotRun) -> Found {
    let message = format!("crdgen cannot run the types of {}: {what}", package.name);
    let diag = Diag::own(&codes::NOT_COMPILED, Level::Error, &path::Path::ROOT, message);
    Found { diag: diag.help(help), at: None }
}

/// Explains why kinds cannot be reached. A private module is reported once for all kinds in it.
fn unreached<'a>(asked: impl IntoIterator<Item = &'a Asked>, in_program: bool) -> Vec<Found> {
    let mut out: Vec<Found> = Vec::new();
    for asked in asked {
        let (why, help) = match (in_program, &asked.private) {
            (true, _) => ("is part of a program", "move it into a library that the program uses"),
            (false, Some(_)) => ("is in a private module", "make the module public: `pub mod`"),
            (false, None) => ("is not public", "make the type and its modules `pub`"),
        };
        let at = asked.private.as_ref().filter(|_| !in_program);
        if at.is_some() && out.iter().any(|found| found.at.as_ref() == at) {
            continue;
        }
        let message = format!("`{}` {why}, so crdgen cannot reach it", asked.name);
        let diag = Diag::own(&codes::NOT_ASKED, Level::Error, &path::Path::ROOT, message).help(help);
        out.push(Found { diag, at: at.or(asked.at.as_ref()).cloned() });
    }
    out
}
