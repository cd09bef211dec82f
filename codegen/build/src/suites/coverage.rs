//! Finds the parts of a CRD that no test checks. A rule, value, bound or default is tested if a passing test fails
//! without it.

use super::{Case, Outcome, Suite, Target};
use crdgen_core::json;
use crdgen_core::path::Step;
use crdgen_core::server::Server;
use crdgen_core::value::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A case with its suite.
pub type Test<'s> = (&'s Suite, &'s Case);

/// The sort of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// One of `x-kubernetes-validations`.
    Rule,
    /// One value of an `enum`.
    Value,
    /// A keyword that bounds numbers, strings, lists or maps, or a field that an alternative requires.
    Bound,
    /// A default.
    Default,
}

impl Sort {
    /// All of them.
    pub const ALL: [Sort; 4] = [Sort::Rule, Sort::Value, Sort::Bound, Sort::Default];
}

/// A part of a CRD, and whether it is tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The name of the CRD.
    pub crd: String,
    /// The file or package of the CRD.
    pub path: PathBuf,
    /// The version that contains the constraint.
    pub version: String,
    /// The steps from the schema of the version to the constraint.
    pub steps: Vec<Step>,
    /// The field that it constrains.
    pub field: String,
    /// The sort of the constraint.
    pub sort: Sort,
    /// The text of the constraint, as `crdgen test --coverage` prints it.
    pub text: String,
    /// Whether a test fails without the constraint.
    pub is_tested: bool,
}

const BOUNDS: &[&str] = &[
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
];

/// A run of the tests of a CRD without one of its constraints.
pub struct Trial<'t> {
    tests: &'t [Test<'t>],
    target: &'t Target,
    place: ConstraintPlace,
}

impl Trial<'_> {
    /// Whether a test fails without the constraint. `None` if the CRD cannot exist without it.
    pub fn run(&self) -> Option<bool> {
        is_tested(self.tests, self.target, &self.place)
    }
}

/// Returns a trial for each constraint of the CRDs of these tests. All of the tests must have passed.
pub fn trials<'t>(passed: &'t [Test<'t>]) -> Vec<Trial<'t>> {
    let mut all = Vec::new();
    for tests in passed.chunk_by(|a, b| std::ptr::eq(a.0, b.0)) {
        let Some(target) = tests.first().and_then(|(suite, _)| suite.target.as_ref()) else { continue };
        all.extend(places(&target.document).into_iter().map(|place| Trial { tests, target, place }));
    }
    all
}

/// Returns the constraints of some CRDs from the results of [`trials`], which may run at the same time.
pub fn coverage(trials: Vec<(Trial<'_>, Option<bool>)>) -> Vec<Constraint> {
    // Several paths may lead to one file. The shortest one is its name.
    let mut names: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    for (Trial { target, .. }, _) in &trials {
        let name = names.entry(real(&target.path)).or_insert_with(|| target.path.clone());
        if target.path.as_os_str().len() < name.as_os_str().len() {
            name.clone_from(&target.path);
        }
    }
    let mut out: BTreeMap<(PathBuf, String, String, String), Constraint> = BTreeMap::new();
    for (Trial { target, place, .. }, is_tested) in trials {
        let Some(is_tested) = is_tested else { continue };
        let name = target.document.get("metadata").and_then(|m| m.get("name")).and_then(Value::as_str);
        let crd = name.unwrap_or_default().to_owned();
        let ConstraintPlace { version, steps, field, sort, text, .. } = place;
        let path = names.get(&real(&target.path)).cloned().unwrap_or_default();
        let key = (path.clone(), crd.clone(), version.clone(), format!("{steps:?}"));
        let one = Constraint { crd, path, version, steps, field, sort, text, is_tested };
        out.entry(key).and_modify(|known| known.is_tested |= is_tested).or_insert(one);
    }
    out.into_values().collect()
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Whether a test fails without this part. `None` if the CRD cannot exist without it.
fn is_tested(tests: &[Test<'_>], target: &Target, place: &ConstraintPlace) -> Option<bool> {
    let mut document = target.document.clone();
    take_out(&mut document, &place.from_root)?;
    let without = target.with_any(document);
    let fails = |(suite, case): &Test<'_>| matches!(suite.run_on(&without, case), Outcome::Failed(_));
    without.is_there().then(|| tests.iter().any(fails))
}

/// Removes a member from a map, or an item from a list. If it was the last item, removes the list too.
fn take_out(document: &mut Value, steps: &[Step]) -> Option<()> {
    let (last, above) = steps.split_last()?;
    let mut at = &mut *document;
    for step in above {
        at = match step {
            Step::Key(key) => at.as_map_mut()?.get_mut(key)?,
            Step::Index(index) => match at {
                Value::List(items) => items.get_mut(*index)?,
                _ => return None,
            },
        };
    }
    match (at, last) {
        (Value::Map(map), Step::Key(key)) => drop(map.remove(key)),
        (Value::List(items), Step::Index(_)) if items.len() == 1 => return take_out(document, above),
        (Value::List(items), Step::Index(index)) if *index < items.len() => drop(items.remove(*index)),
        _ => return None,
    }
    Some(())
}

impl Target {
    /// Returns the target for another CRD, which a server might reject.
    fn with_any(&self, document: Value) -> Target {
        Target {
            path: self.path.clone(),
            document,
            version: self.version.clone(),
            is_any: true,
            kinds: Default::default(),
            types: self.types.clone(),
            declared: Arc::clone(&self.declared),
        }
    }

    /// Whether the CRD has a kind at all.
    fn is_there(&self) -> bool {
        self.kind(0, Server::NEWEST.minor()).is_ok()
    }
}

/// A constraint in a document.
struct ConstraintPlace {
    from_root: Vec<Step>,
    version: String,
    steps: Vec<Step>,
    field: String,
    sort: Sort,
    text: String,
}

fn key(name: &str) -> Step {
    Step::Key(name.to_owned())
}

/// Returns all constraints of a CRD.
fn places(document: &Value) -> Vec<ConstraintPlace> {
    let mut out = Vec::new();
    for (i, version) in super::versions(document).iter().enumerate() {
        let Some(schema) = version.get("schema").and_then(|s| s.get("openAPIV3Schema")) else { continue };
        let name = version.text("name");
        let root = [key("spec"), key("versions"), Step::Index(i), key("schema"), key("openAPIV3Schema")];
        let values = BTreeSet::new();
        let mut walk = Walk { root: &root, version: name, steps: Vec::new(), values, out: &mut out };
        walk.schema(schema, "", Part::Whole);
    }
    out
}

struct Walk<'w> {
    root: &'w [Step],
    version: &'w str,
    steps: Vec<Step>,
    /// The values that the enums of fields contain, outside of alternatives.
    values: BTreeSet<(String, String)>,
    out: &'w mut Vec<ConstraintPlace>,
}

/// What a schema is for an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// It always applies.
    Whole,
    /// It is one of several alternatives.
    Alternative,
    /// It is inside of a `not`.
    Opposite,
}

impl Walk<'_> {
    fn schema(&mut self, schema: &Value, field: &str, part: Part) {
        for (i, rule) in list(schema, "x-kubernetes-validations").iter().enumerate() {
            let text = rule.text("rule");
            self.inside(&[key("x-kubernetes-validations"), Step::Index(i)], |walk| {
                walk.found(field, Sort::Rule, format!("rule {text}"));
            });
        }
        for (i, value) in list(schema, "enum").iter().enumerate() {
            let value = json::to_string(value);
            let is_new = self.values.insert((field.to_owned(), value.clone()));
            // Alternatives repeat the values of the field.
            if part == Part::Whole || is_new {
                self.inside(&[key("enum"), Step::Index(i)], |walk| {
                    walk.found(field, Sort::Value, format!("value {value}"));
                });
            }
        }
        if part == Part::Alternative {
            self.required(schema, field);
        }
        let bounds = BOUNDS.iter().map(|name| (*name, Sort::Bound)).chain([("default", Sort::Default)]);
        for (name, sort) in bounds {
            if let Some(value) = schema.get(name) {
                self.inside(&[key(name)], |walk| {
                    walk.found(field, sort, format!("{name} {}", json::to_string(value)));
                });
            }
        }
        for (name, property) in
            schema.get("properties").and_then(Value::as_map).into_iter().flat_map(|all| all.iter())
        {
            let dot = if field.is_empty() { "" } else { "." };
            let field = format!("{field}{dot}{name}");
            self.inside(&[key("properties"), key(name)], |walk| walk.schema(property, &field, part));
        }
        for (name, mark) in [("items", "[]"), ("additionalProperties", ".*"), ("not", "")] {
            if let Some(below) = schema.get(name) {
                let part = if name == "not" { Part::Opposite } else { part };
                self.inside(&[key(name)], |walk| walk.schema(below, &format!("{field}{mark}"), part));
            }
        }
        for name in ["allOf", "anyOf", "oneOf"] {
            for (i, below) in list(schema, name).iter().enumerate() {
                let part = if part == Part::Whole { Part::Alternative } else { part };
                self.inside(&[key(name), Step::Index(i)], |walk| walk.schema(below, field, part));
            }
        }
    }

    /// The fields that an alternative requires, with the values of others that select it.
    fn required(&mut self, schema: &Value, field: &str) {
        let properties = schema.get("properties").and_then(Value::as_map).into_iter().flat_map(Map::iter);
        let when: Vec<String> = properties
            .filter_map(|(name, property)| {
                let values: Vec<String> = list(property, "enum").iter().map(json::to_string).collect();
                (!values.is_empty()).then(|| format!("{name} is {}", values.join(" or ")))
            })
            .collect();
        let when = if when.is_empty() { String::new() } else { format!(" where {}", when.join(" and ")) };
        for (i, name) in list(schema, "required").iter().enumerate() {
            let name = name.as_str().unwrap_or_default();
            self.inside(&[key("required"), Step::Index(i)], |walk| {
                walk.found(field, Sort::Bound, format!("required {name}{when}"));
            });
        }
    }

    fn inside(&mut self, steps: &[Step], visit: impl FnOnce(&mut Self)) {
        let length = self.steps.len();
        self.steps.extend(steps.iter().cloned());
        visit(self);
        self.steps.truncate(length);
    }

    fn found(&mut self, field: &str, sort: Sort, text: String) {
        let steps = self.steps.clone();
        let from_root = self.root.iter().chain(&steps).cloned().collect();
        let (version, field) = (self.version.to_owned(), field.to_owned());
        self.out.push(ConstraintPlace { from_root, version, steps, field, sort, text });
    }
}

fn list<'v>(schema: &'v Value, name: &str) -> &'v [Value] {
    schema.get(name).and_then(Value::as_list).unwrap_or_default()
}
