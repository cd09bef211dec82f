//! `crdgen diff OLD src`: the new CRDs are those of Rust types.

use std::cell::Cell;
use std::collections::HashMap;
use std::path::Path;

use crdgen_core::compare::skew::{self, Difference};
use crdgen_core::ir::Crd;
use crdgen_core::listed;
use crdgen_core::value::{Map, Value};

use crate::outcome::no_kind;
use crate::output::report::Report;
use crate::terminal;
use crdgen::declared::{self, Declared, Versions};
use crdgen_diff::Unconverted;
use crdgen_files::Error;
use crdgen_files::source;
use crdgen_tasks::rust_types::{RustSources, RustTypes};

/// Rust types: their CRDs, and the conversions that they declare.
pub(super) struct Types {
    pub(super) read: RustTypes,
    conversions: Vec<Declared>,
}

impl Types {
    /// Reads Rust sources.
    pub(super) fn read(sources: RustSources) -> Result<Types, Error> {
        let read = RustTypes::read(sources)?;
        if read.is_empty() {
            return Err(no_kind(Path::new(&read.source.name)));
        }
        // Only kinds with several versions have conversions.
        let has_versions = read.crds.iter().any(|crd| crd.spec.versions.len() > 1);
        let conversions = has_versions
            .then(|| source::conversions(&read.options, source::Detail::Conversions))
            .transpose()?;
        Ok(Types { read, conversions: conversions.map(|it| it.crates).unwrap_or_default() })
    }

    /// What the declared conversions of a kind make of stored objects. `None` if the types declare no conversion of the kind.
    pub(super) fn converted(
        &self,
        old: &Crd,
        new: &Crd,
        options: &crdgen_diff::Options,
    ) -> Option<Vec<crdgen_diff::Finding>> {
        let spec = &new.spec;
        let versions =
            self.conversions.iter().find_map(|it| Versions::of(it, &spec.group, &spec.names.kind))?;
        let calls_code = Cell::new(false);
        let convert = |object: &Value, to: &str| {
            let from = object.get("apiVersion").and_then(Value::as_str).and_then(|it| it.split_once('/'));
            let (Some((_, from)), Value::Map(members)) = (from, object) else {
                return Err(Unconverted::Unknown);
            };
            if [from, to].iter().any(|name| !versions.names().contains(name)) {
                return Err(Unconverted::Unknown);
            }
            versions.convert(members.clone(), from, to).map_err(|why| match why {
                declared::Error::Code { .. } => {
                    calls_code.set(true);
                    Unconverted::Unknown
                }
                declared::Error::Value(why) => Unconverted::Failed(why.to_string()),
            })
        };
        let found = crdgen_diff::converted(old, new, &convert, options);
        if calls_code.get() {
            terminal::say(format_args!(
                "{}: not compared: what the conversions make of stored objects, because they call functions, which crdgen \
                 does not run",
                new.metadata.name
            ));
        }
        Some(found)
    }
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
        // A type may be in many CRDs.
        let (mut known, mut all) = (HashMap::new(), Vec::<(String, Vec<&str>)>::new());
        for (crd, difference) in &self.0 {
            let text = format!("{}: {difference}", difference.effect.name());
            let number = *known.entry(text.clone()).or_insert(all.len());
            match all.get_mut(number) {
                Some((_, crds)) => crds.push(crd),
                None => all.push((text, vec![crd])),
            }
        }
        for (text, crds) in all {
            let crds = listed::first(crds.iter(), listed::NAMED);
            report.note(format!("{crds}: until the new CRD is installed: {text}"));
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
