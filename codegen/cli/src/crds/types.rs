//! The CRDs of Rust types, as a server sees them: of the working tree, or of a revision of git.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crdgen_core::ir::Crd;
use crdgen_core::{decode, listed};

use crate::crds::sources::{self, package};
use crate::input::{self, AtRevision, Checkout, NOTES, Source};
use crate::output::report::{Finding, Findings};
use crate::terminal;
use crdgen::__cli::files::Shown;
use crdgen::Error;
use crdgen::source::{self, Options};

/// Rust sources that the user names.
pub(crate) struct Sources {
    /// As the user wrote it.
    named: String,
    path: PathBuf,
    /// Those of a revision are copied.
    checkout: Option<Checkout>,
}

impl Sources {
    /// Sources in the working tree.
    pub(crate) fn here(path: &str) -> Sources {
        Sources { named: path.to_owned(), path: PathBuf::from(path), checkout: None }
    }

    /// Sources at a revision. `None` if the path is none of Rust there.
    pub(crate) fn at(revision: &str, path: &str) -> Result<Option<Sources>, Error> {
        let there = AtRevision::new(revision, path)?;
        let is_rust = there.exists() && source::is_rust_with(Path::new(path), |name| there.has(name));
        is_rust.then(|| Sources::copied(format!("git:{revision}:{path}"), &there)).transpose()
    }

    fn copied(named: String, there: &AtRevision<'_>) -> Result<Sources, Error> {
        let checkout = there.copy(NOTES)?;
        Ok(Sources { named, path: checkout.path().to_owned(), checkout: Some(checkout) })
    }

    /// The Rust sources that an argument names. `None` if it names something else, or the folder of a package, which may also have
    /// the CRDs in its YAML.
    pub(crate) fn named(arg: &str) -> Result<Option<Sources>, Error> {
        let Some((revision, path)) = input::revision(arg) else {
            return Ok(sources::is_rust(arg).then(|| Sources::here(arg)));
        };
        let there = AtRevision::new(revision, path)?;
        let is_rust = source::is_rust_with(Path::new(path), |name| there.has(name));
        let is_package = there.has(sources::MANIFEST);
        (is_rust && !is_package && there.exists())
            .then(|| Sources::copied(arg.to_owned(), &there))
            .transpose()
    }

    /// The sources of a package, if an argument names the folder of one that may have types for CRDs.
    pub(crate) fn of_package(arg: &str) -> Result<Option<Sources>, Error> {
        let found = match input::revision(arg) {
            None => Some(Sources::here(arg)),
            Some((revision, path)) => {
                let there = AtRevision::new(revision, path)?;
                there.has(sources::MANIFEST).then(|| Sources::copied(arg.to_owned(), &there)).transpose()?
            }
        };
        Ok(found.filter(|it| sources::may_be_in(&it.path)))
    }

    /// How they are read.
    fn options(&self) -> Options {
        // Of each revision, cargo would download other packages.
        Options { path: package(&self.path), offline: self.checkout.is_some(), ..Options::default() }
    }
}

/// The CRDs of Rust types.
pub(crate) struct Types {
    pub(crate) crds: Vec<Crd>,
    /// What the user named.
    pub(crate) named: String,
    /// Where they are, for findings without a place.
    pub(crate) source: Source,
    pub(crate) options: Options,
    /// Places are read from the sources again.
    _sources: Sources,
}

impl Types {
    /// Reads Rust sources. There may be no CRD in them.
    pub(crate) fn read(sources: Sources) -> Result<Types, Error> {
        let options = sources.options();
        let read = source::read(&options)?;
        if read.has_errors() {
            return Err(Error::Mistakes { found: read.found, cargo: read.cargo.map(Box::new) });
        }
        if !read.withheld.is_empty() {
            let names = read.withheld.iter().map(|it| &it.name);
            terminal::say(format_args!(
                "not compared, because crdgen cannot determine the CRD: {}",
                listed::first(names, listed::NAMED)
            ));
        }
        let as_sent = |mut crd: Crd| {
            decode::set_defaults(&mut crd);
            crd
        };
        Ok(Types {
            crds: read.crds.into_iter().map(as_sent).collect(),
            // The text is not kept, so no line of it is shown.
            source: Source::new(sources.path.shown().to_string(), Arc::default()),
            named: sources.named.clone(),
            options,
            _sources: sources,
        })
    }

    /// Gives findings their places in the sources. Each list has the findings about one of the CRDs.
    pub(crate) fn in_files(&self, found: Vec<Vec<Finding>>) -> Result<Vec<Findings>, Error> {
        sources::located(&self.options, &self.crds, found, &self.source.name)
    }
}
