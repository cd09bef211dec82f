//! `crdgen diff OLD src`: what programs with the new types meet while the old CRDs are installed.

use std::collections::HashMap;

use crdgen_core::compare::skew::{self, Difference};
use crdgen_core::ir::Crd;
use crdgen_core::listed;
use crdgen_core::value::{Map, Value};

use crate::output::report::Report;

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
