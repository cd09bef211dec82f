//! `crdgen diff OLD src`: the new CRDs are those of Rust types.

use std::path::Path;
use std::sync::Arc;

use crdgen_core::compare::skew::{self, Difference};
use crdgen_core::ir::Crd;
use crdgen_core::value::{Map, Value};
use crdgen_core::{decode, listed};

use crate::crds::sources::package;
use crate::input::Source;
use crate::outcome::no_kind;
use crate::output::report::Report;
use crate::terminal;
use crdgen::Error;
use crdgen::source::{self, Options};

/// Whether a path is that of Rust types: a file, a manifest or a folder of sources, such as `src`. The folder of a package
/// also has the CRDs in its YAML, which are what is applied.
pub(super) fn is_rust(path: &str) -> bool {
    let path = Path::new(path);
    source::is_rust(path) && !path.join("Cargo.toml").exists()
}

/// Returns the CRDs of Rust sources, as a server sees them.
pub(super) fn read(path: &str) -> Result<Vec<(Source, Crd)>, Error> {
    let read = source::read(&Options { path: package(Path::new(path)), ..Options::default() })?;
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
    if read.crds.is_empty() {
        return Err(no_kind(Path::new(path)));
    }
    let as_sent = |mut crd: Crd| {
        decode::set_defaults(&mut crd);
        // The text is not kept, so no line of it is shown.
        (Source::new(path.to_owned(), Arc::default()), crd)
    };
    Ok(read.crds.into_iter().map(as_sent).collect())
}

/// What programs with the new types meet while the old CRDs are installed, by the names of the CRDs.
#[derive(Default)]
pub(super) struct Skews(Vec<(String, Difference)>);

impl Skews {
    pub(super) fn add(&mut self, installed: &Crd, types: &Crd) {
        let name = &types.metadata.name;
        let all = skew::between_types_and(installed, types);
        self.0.extend(all.into_iter().map(|difference| (name.clone(), difference)));
    }

    pub(super) fn report(&self, report: &mut Report, numbers: &mut Map<Value>) {
        for (crd, difference) in &self.0 {
            let effect = difference.effect.name();
            report.note(format!("{crd}: until the new CRD is installed: {effect}: {difference}"));
        }
        let value = |(crd, difference): &(String, Difference)| {
            let mut out = difference.to_value();
            if let Some(map) = out.as_map_mut() {
                map.insert("crd", crd.as_str().into());
            }
            out
        };
        numbers.insert("skew", Value::List(self.0.iter().map(value).collect()));
    }
}
