//! Searches for objects that an update breaks, in another way than the comparison does.

use crdgen_core::compare::changes::{self, Class, Part};
use crdgen_core::ir::{Crd, Schema, Type};
use crdgen_core::object::{Action, Admission, Served};
use crdgen_core::path::Step;
use crdgen_core::sample::random::{self, Random};
use crdgen_core::sample::{Extent, Samples};
use crdgen_core::value::Value;

/// How many accepted objects are kept, to be updated to others.
const STORED: usize = 20;

/// What is searched.
#[derive(Default)]
pub(crate) struct Effort<'t> {
    /// How many objects are tried.
    pub(crate) objects: usize,
    pub(crate) seed: u64,
    /// A place where each of some values is tried.
    pub(crate) tries: Option<(&'t [Step], &'t [Option<Value>])>,
    /// Whether nothing may be lost, either.
    pub(crate) keeps: bool,
}

/// Searches for an object, or for an update, that the old CRD accepts and the new one rejects, in another way than the comparison does.
pub(crate) fn counterexample(
    before: &Crd,
    after: &Crd,
    effort: &Effort<'_>,
    counted: &mut usize,
) -> Option<(Effect, Value)> {
    let (old, new) = (Samples::new(before)?, Served::new(after.clone()).ok()?);
    let mut random = Random::new(effort.seed ^ 0x6a75_6467);
    for version in &before.spec.versions {
        let is_there = |it: &&crdgen_core::ir::Version| it.name == version.name && it.served;
        if !version.served || !after.spec.versions.iter().any(|it| is_there(&it)) {
            continue;
        }
        let name = version.name.as_str();
        let index = before.spec.versions.iter().position(|it| it.name == name)?;
        let Some(schema) = before.spec.schema_of(index) else { continue };
        let has_status = before.spec.subresources_of(index).is_some_and(|it| it.status);
        let small = old.object(name, Extent::Minimal);
        let large = old.full(name).map(|full| full.object);
        let bases: Vec<Value> = [small, large].into_iter().flatten().collect();
        let changed = changed_places(before, after, name, schema);
        let constants = Constants::of(before, after, name);
        let all = places(schema);
        let mut stored: Vec<Value> = Vec::new();
        let (place, values) = effort.tries.unwrap_or_default();
        let tried = values.iter().flat_map(|value| bases.iter().map(move |base| (value, base)));
        for (value, base) in tried {
            let Some(object) = old.with(name, base, place, value.clone()) else { continue };
            *counted += 1;
            let found = effect(old.served(), &new, name, &object);
            if let Some(effect) = found.filter(|found| *found == Effect::Rejects || effort.keeps) {
                return Some((effect, object));
            }
        }
        for _ in 0..effort.objects {
            // One of the objects that exist, so that an update changes few values.
            let among = if stored.is_empty() || random.below(2) == 0 { &bases } else { &stored };
            let Some(base) = among.get(random.below(among.len())) else { break };
            let mut object = base.clone();
            for _ in 0..1 + random.below(3) {
                let among = if random.below(2) == 0 && !changed.is_empty() { &changed } else { &all };
                let place = &among[random.below(among.len())];
                let Some(inner) = at(schema, place) else { continue };
                let value = match random.below(6) {
                    0 => None,
                    1 | 2 => constants.one(inner, &mut random),
                    _ => random::value(inner, object.at(place).or(base.at(place)), &mut random),
                };
                if let Some(changed) = old.with(name, &object, place, value) {
                    object = changed;
                }
            }
            if !accepts(old.served(), name, &object, Action::Create, true) {
                continue;
            }
            *counted += 1;
            let found = effect(old.served(), &new, name, &object);
            if let Some(effect) = found.filter(|found| *found == Effect::Rejects || effort.keeps) {
                return Some((effect, object));
            }
            let earlier = (0..stored.len().min(UPDATES)).map(|_| random.below(stored.len()));
            for earlier in earlier.collect::<Vec<_>>() {
                let update = || Action::Update(stored[earlier].clone());
                let is_lost = accepts(old.served(), name, &object, update(), true)
                    && !accepts(&new, name, &object, update(), false);
                if is_lost {
                    let both = [("stored", stored[earlier].clone()), ("object", object)];
                    return Some((Effect::Rejects, Value::Map(both.into_iter().collect())));
                }
            }
            // The server drops the status of a new object.
            if has_status && let Some(map) = object.as_map_mut() {
                map.remove("status");
            }
            match stored.len() < STORED {
                true => stored.push(object),
                false => stored[random.below(STORED)] = object,
            }
        }
    }
    None
}

/// How many updates to each object are tried.
const UPDATES: usize = 3;

/// What an update does to an object that the old CRD accepts, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effect {
    /// The new CRD rejects it.
    Rejects,
    /// The new CRD drops some of it.
    Drops,
}

impl Effect {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Effect::Rejects => "rejected",
            Effect::Drops => "data is lost",
        }
    }
}

/// What an update does to a new object. `None` if the old CRD does not accept all of it, or if the new one does.
pub(crate) fn effect(old: &Served, new: &Served, version: &str, object: &Value) -> Option<Effect> {
    if !accepts(old, version, object, Action::Create, true) {
        return None;
    }
    if !accepts(new, version, object, Action::Create, false) {
        return Some(Effect::Rejects);
    }
    (!accepts(new, version, object, Action::Create, true)).then_some(Effect::Drops)
}

fn accepts(served: &Served, version: &str, object: &Value, action: Action, strictly: bool) -> bool {
    let admitted = served.version(version).and_then(|at| served.admit(at, object.clone(), action, ""));
    match admitted {
        Ok(Admission::Checked(checked)) => {
            checked.written.errors.is_empty() && (!strictly || checked.unknown.is_empty())
        }
        Ok(Admission::Undecodable(_)) | Err(_) => false,
    }
}

/// The constants of the rules of both CRDs.
#[derive(Default)]
struct Constants {
    texts: Vec<String>,
    numbers: Vec<i64>,
}

impl Constants {
    fn of(before: &Crd, after: &Crd, version: &str) -> Constants {
        let mut out = Constants::default();
        for crd in [before, after] {
            let Some(index) = crd.spec.versions.iter().position(|it| it.name == version) else { continue };
            let mut open: Vec<&Schema> = crd.spec.schema_of(index).into_iter().collect();
            while let Some(schema) = open.pop() {
                schema.rules.iter().for_each(|rule| out.read(&rule.rule));
                open.extend(schema.parts());
            }
        }
        out
    }

    /// Reads texts in quotes, and digits.
    fn read(&mut self, rule: &str) {
        let texts = rule.split('\'').skip(1).step_by(2).map(str::to_owned);
        self.texts.extend(texts);
        let numbers = rule.split(|c: char| !c.is_ascii_digit()).filter_map(|it| it.parse::<i64>().ok());
        self.numbers.extend(numbers);
    }

    /// A value near one of the constants.
    fn one(&self, schema: &Schema, random: &mut Random) -> Option<Value> {
        match &schema.ty {
            Some(Type::String) => {
                self.texts.get(random.below(self.texts.len())).map(|it| Value::from(it.as_str()))
            }
            Some(Type::Integer) => {
                let near = random.below(3) as i64 - 1;
                self.numbers.get(random.below(self.numbers.len()))?.checked_add(near).map(Value::Int)
            }
            _ => None,
        }
    }
}

/// The places in objects where the schema changes, and those around them.
fn changed_places(before: &Crd, after: &Crd, version: &str, schema: &Schema) -> Vec<Vec<Step>> {
    let mut out = Vec::new();
    for change in changes::between(before, after) {
        if change.version.as_deref() != Some(version) || change.class == Class::Cosmetic {
            continue;
        }
        let Some(start) = change.steps.iter().position(|step| is_key(step, "openAPIV3Schema")) else {
            continue;
        };
        let mut rest = &change.steps[start + 1..];
        let mut place = Vec::new();
        loop {
            match rest {
                [step, name, more @ ..] if is_key(step, "properties") => {
                    place.push(name.clone());
                    rest = more;
                }
                [step, more @ ..] if is_key(step, "items") => {
                    place.push(Step::Index(0));
                    rest = more;
                }
                [step, more @ ..] if is_key(step, "additionalProperties") => {
                    place.push(Step::Key("key".to_owned()));
                    rest = more;
                }
                _ => break,
            }
            out.push(place.clone());
        }
        // A rule is about the fields of an object.
        let fields = change.part == Part::Rule && !place.is_empty();
        let schema = Some(schema).filter(|_| fields).and_then(|schema| at(schema, &place));
        let names = schema.into_iter().flat_map(|schema| schema.properties.keys());
        out.extend(names.map(|name| [&place[..], &[Step::Key(name.to_owned())]].concat()));
    }
    out
}

fn is_key(step: &Step, name: &str) -> bool {
    matches!(step, Step::Key(key) if key == name)
}

/// The schema for a place.
fn at<'s>(schema: &'s Schema, place: &[Step]) -> Option<&'s Schema> {
    place.iter().try_fold(schema, |schema, step| match step {
        Step::Key(name) => schema.properties.get(name).or(schema.value()),
        Step::Index(_) => schema.item(),
    })
}

/// All places of a schema, up to a number of them.
fn places(schema: &Schema) -> Vec<Vec<Step>> {
    let mut out: Vec<Vec<Step>> = Vec::new();
    let mut open: Vec<(Vec<Step>, &Schema)> = vec![(Vec::new(), schema)];
    while let Some((place, node)) = open.pop() {
        let mut add = |step: Step, inner| open.push(([&place[..], &[step]].concat(), inner));
        for (name, inner) in node.properties.iter() {
            if !(place.is_empty() && matches!(name, "apiVersion" | "kind" | "metadata")) {
                add(Step::Key(name.to_owned()), inner);
            }
        }
        if let Some(inner) = node.item() {
            add(Step::Index(0), inner);
        }
        if let Some(inner) = node.value() {
            add(Step::Key("key".to_owned()), inner);
        }
        if !place.is_empty() {
            out.push(place);
        }
        if out.len() > 2000 {
            break;
        }
    }
    if out.is_empty() {
        out.push(vec![Step::Key("spec".to_owned())]);
    }
    out
}
