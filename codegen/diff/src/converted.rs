//! What an update makes of stored objects, if the conversion between the versions is known.

use std::collections::BTreeSet;
use std::sync::Arc;

use crdgen_core::compare::changes::{Class, is_unstable, stored_versions};
use crdgen_core::compare::proof::{Proof, Request, Witness, example};
use crdgen_core::diag::Diag;
use crdgen_core::documents::fingerprint;
use crdgen_core::ir::Crd;
use crdgen_core::path::{Path, Step};
use crdgen_core::sample::Extent;
use crdgen_core::sample::random::{self, Random};
use crdgen_core::value::Value;

use crate::Options;
use crate::finding::Finding;
use crate::side::{Side, in_version};

/// Why an object is not converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unconverted {
    /// The conversion fails, for this reason.
    Failed(String),
    /// It is not known what the conversion does.
    Unknown,
}

/// Converts an object to the version with this name.
pub type Convert<'c> = dyn Fn(&Value, &str) -> Result<Value, Unconverted> + 'c;

/// How many problems are reported for two versions.
const MOST: usize = 5;

/// Returns what clients of the versions of a new CRD meet in objects that were stored before, in another version. What they
/// met with the old CRD already is left out.
pub fn converted(old: &Crd, new: &Crd, convert: &Convert<'_>, options: &Options) -> Vec<Finding> {
    let (Some(before), Some(after)) = (Side::new(old), Side::new(new)) else { return Vec::new() };
    let mut out = Vec::new();
    for from in stored_versions(old) {
        let objects = objects(&before, from, options.budget);
        for to in new.spec.versions.iter().filter(|to| to.served && to.name != from) {
            let pair = Pair { crd: &new.metadata.name, before: &before, after: &after, from, to: &to.name };
            out.extend(pair.problems(&objects, convert));
        }
    }
    out
}

/// Objects that the old CRD accepts in a version: a small one, a full one, and random ones.
fn objects(side: &Side, version: &str, budget: usize) -> Vec<Value> {
    let Some(schema) = side.schema(version) else { return Vec::new() };
    let samples = [Extent::Minimal, Extent::Full].map(|extent| side.samples.object(version, extent));
    let bases: Vec<Value> = samples.into_iter().flatten().collect();
    let mut random = Random::new(0);
    let mut out = bases.clone();
    for number in 0..budget {
        let Some(base) = bases.get(number % bases.len().max(1)) else { break };
        let Some(Value::Map(made)) = random::value(schema, Some(base), &mut random) else { continue };
        let mut object = base.clone();
        if let Some(map) = object.as_map_mut() {
            let own = made.iter().filter(|(name, _)| !matches!(*name, "apiVersion" | "kind" | "metadata"));
            own.for_each(|(name, value)| _ = map.insert(name, value.clone()));
        }
        out.push(object);
    }
    out.retain(|object| side.create(version, object).is_fine());
    out
}

/// Two versions: the one in which objects are stored, and another one.
struct Pair<'p> {
    crd: &'p str,
    before: &'p Side,
    after: &'p Side,
    from: &'p str,
    to: &'p str,
}

impl Pair<'_> {
    fn problems(&self, objects: &[Value], convert: &Convert<'_>) -> Vec<Finding> {
        let mut out = Vec::new();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for (number, stored) in objects.iter().enumerate() {
            if out.len() == MOST {
                break;
            }
            let problem = match convert(stored, self.to) {
                Ok(object) => self.problem(stored, in_version(object, self.to), number + 1),
                Err(Unconverted::Failed(why)) => Some(self.failed(stored, &why)),
                Err(Unconverted::Unknown) => None,
            };
            out.extend(problem.filter(|it| seen.insert(it.fingerprint.clone())));
        }
        out
    }

    /// What is wrong with a converted object, unless the old CRD had the version and rejected it, too.
    fn problem(&self, stored: &Value, object: Value, tried: usize) -> Option<Finding> {
        let answer = self.after.create(self.to, &object);
        let error = answer.errors.first()?;
        let before = self.before.served().version(self.to).is_ok();
        if before && !self.before.create(self.to, &object).errors.is_empty() {
            return None;
        }
        let words = answer.errors.iter().map(Diag::text).collect();
        let request = Request::Convert { stored: stored.clone(), object };
        let message =
            format!("objects are stored as {}: the conversion makes objects that are not valid", self.from);
        let help = "change the conversion, or accept what it makes of stored objects";
        let proof = Proof::Witness(Arc::new(Witness { request, words, tried }));
        Some(self.finding(Some(error), message, help.to_owned(), proof))
    }

    fn failed(&self, stored: &Value, why: &str) -> Finding {
        let (from, to) = (self.from, self.to);
        let message = format!("objects are stored as {from}: the conversion fails: {why}");
        let help = format!("the server cannot show this object in {to}:\n{}", example(stored));
        self.finding(None, message, help, Proof::Document)
    }

    fn finding(&self, error: Option<&Diag>, message: String, help: String, proof: Proof) -> Finding {
        let place = error.map_or_else(String::new, |error| cause(&error.steps));
        let class = if error.is_some() { Class::Breaking } else { Class::Stuck };
        let key = |name: &str| Step::Key(name.to_owned());
        let identity = fingerprint(&[
            self.crd,
            self.from,
            self.to,
            error.map_or("conversion", |error| error.code.id),
            &place,
            // The reason of a failure has no code, and names the place.
            if error.is_some() { "" } else { &message },
        ]);
        Finding {
            class,
            code: class.reported().map(|(code, _)| code),
            crd: self.crd.to_owned(),
            version: Some(self.to.to_owned()),
            stored: Some(self.from.to_owned()),
            part: None,
            path: Path::ROOT.child("spec").child("versions").to_string(),
            steps: vec![key("spec"), key("versions")],
            field: error.map(|_| place.clone()),
            in_versions: identity.clone(),
            fingerprint: identity,
            message,
            help,
            was: None,
            now: None,
            proof,
            is_of_unstable: is_unstable(self.to),
        }
    }
}

/// The place of an error, whatever the indexes.
fn cause(steps: &[Step]) -> String {
    let mut out = String::new();
    for step in steps {
        match step {
            Step::Key(name) if out.is_empty() => out.push_str(name),
            Step::Key(name) => out.extend([".", name]),
            Step::Index(_) => out.push_str("[]"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Unconverted, converted};
    use crate::{Class, Options};
    use crdgen_core::ir::Crd;
    use crdgen_core::value::Value;
    use crdgen_core::{decode, json};

    fn crd(versions: &str) -> Crd {
        let text = format!(
            r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"ws.example.com"}},
            "spec":{{"group":"example.com","scope":"Cluster","names":{{"kind":"W","plural":"ws","singular":"w","listKind":"WList"}},
            "versions":[{versions}]}}}}"#
        );
        decode::crd(json::read(text.as_bytes()).expect("JSON")).0.expect("a CRD")
    }

    fn version(name: &str, storage: bool, field: &str) -> String {
        format!(
            r#"{{"name":"{name}","served":true,"storage":{storage},"schema":{{"openAPIV3Schema":{{"type":"object","properties":
            {{"spec":{{"type":"object","properties":{{{field}}}}}}}}}}}}}"#
        )
    }

    #[test]
    fn converts_stored_objects_and_checks_them_in_the_new_version() {
        let old = version("v1alpha1", true, r#""count":{"type":"integer","minimum":0}"#);
        let new = version("v1", false, r#""size":{"type":"integer","minimum":1}"#);
        let (old, new) = (crd(&old), crd(&format!("{old},{new}")));
        let rename = |object: &Value, _: &str| {
            let text = json::to_string(object).replace("count", "size");
            Ok(json::read(text.as_bytes()).expect("JSON"))
        };
        let found = converted(&old, &new, &rename, &Options { budget: 100, ..Options::default() });
        let [invalid] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((invalid.class, invalid.field.as_deref()), (Class::Breaking, Some("spec.size")));
        let fails = |_: &Value, _: &str| Err(Unconverted::Failed("no".to_owned()));
        let found = converted(&old, &new, &fails, &Options { budget: 100, ..Options::default() });
        let [failed] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(failed.message, "objects are stored as v1alpha1: the conversion fails: no");
        assert_eq!(converted(&old, &old, &fails, &Options::default()), []);
    }
}
