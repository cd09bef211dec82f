//! Finds out which change of a schema causes an error.
//!
//! An error depends on the schemas at its place, around it and inside of it. If only one change is there, it is the cause.
//! Otherwise the new side answers what it says if the change is taken back. Such a side takes long to prepare, so it is one for many
//! changes that do not overlap, and one for this change alone only if an error depends on several of them.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;

use crdgen_core::compare::changes::{Change, Part};
use crdgen_core::compare::readers::clauses;
use crdgen_core::diag::Diag;
use crdgen_core::diag::codes::cel;
use crdgen_core::ir::Schema;
use crdgen_core::path::Step;
use crdgen_core::walk::any_schema;

use crate::place::{Place, is_of_objects};
use crate::regions::Regions;
use crate::side::{Asked, Side};

/// The changes of the schema of one version.
pub(crate) struct Causes<'c> {
    changes: &'c [Change],
    regions: Vec<Region<'c>>,
    /// The places of all changes, and how many changes have none because they matter everywhere.
    places: Regions,
    everywhere: usize,
    new: &'c Side,
    version: &'c str,
    schemas: (&'c Schema, &'c Schema),
    /// Whether the sides differ in nothing but this schema.
    is_local: bool,
    groups: OnceCell<Vec<Group>>,
    /// How much more sides may be prepared, in parts of schemas.
    left: Cell<usize>,
}

/// How many parts of schemas the sides without some changes may have together: each of them is compiled.
const MOST_PARTS: usize = 150_000;

/// How many bytes of a rule take as long to compile as a part of a schema.
const BYTES: usize = 8;

/// Where in objects a change matters.
enum Region<'c> {
    Nowhere,
    At(Place<'c>),
    Everywhere,
}

/// Changes that do not overlap, and the new side without all of them.
struct Group {
    members: BTreeSet<usize>,
    places: Regions,
    schema: Schema,
    side: OnceCell<Option<Side>>,
}

/// One of the changes, as the cause of errors.
pub(crate) struct Cause<'c> {
    all: &'c Causes<'c>,
    /// The index of the change.
    change: usize,
    /// Whether an error is one of the change by its kind. This decides if the change cannot be taken back.
    is_of: &'c dyn Fn(&Diag) -> bool,
    /// The new side without this change alone.
    without: OnceCell<Option<Side>>,
}

/// What a change does to a request.
pub(crate) struct Effect {
    /// The index of the first error that is one of the change.
    pub(crate) first: usize,
    /// Whether nothing but the change rejects the request.
    pub(crate) is_alone: bool,
}

/// Which of several changes an error can depend on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// Only this one.
    Own,
    /// Only others.
    Other,
    /// Several, or none.
    Unclear,
}

impl<'c> Causes<'c> {
    pub(crate) fn new(
        changes: &'c [Change],
        places: &[Option<Place<'c>>],
        (old, new): (&'c Side, &'c Side),
        version: &'c str,
    ) -> Option<Causes<'c>> {
        let region = |(change, place): (&Change, &Option<Place<'c>>)| match place {
            Some(place) => Region::At(place.missing.map_or_else(|| place.clone(), |name| place.field(name))),
            None if is_of_objects(change) => Region::Everywhere,
            None => Region::Nowhere,
        };
        let regions: Vec<Region<'c>> = changes.iter().zip(places).map(region).collect();
        let (mut places, mut everywhere) = (Regions::default(), 0);
        for region in &regions {
            match region {
                Region::Nowhere => {}
                Region::At(place) => places.add(place),
                Region::Everywhere => everywhere += 1,
            }
        }
        Some(Causes {
            changes,
            regions,
            places,
            everywhere,
            new,
            version,
            schemas: (old.schema(version)?, new.schema(version)?),
            is_local: old.is_like(new, version),
            groups: OnceCell::new(),
            left: Cell::new(MOST_PARTS),
        })
    }

    /// The new side with another schema. `None` if the server cannot serve it, or if too many sides were prepared.
    fn side(&self, schema: Schema) -> Option<Side> {
        let mut parts = 0;
        any_schema(&schema, &mut |part| {
            parts += 1 + part.rules.iter().map(|rule| rule.rule.len() / BYTES).sum::<usize>();
            false
        });
        let left = self.left.get().checked_sub(parts)?;
        self.left.set(left);
        self.new.with_schema(self.version, schema)
    }

    /// The steps to the part of objects on which an error depends: its place, or that of a junctor or rule around it.
    fn reach<'e>(&self, error: &'e Diag) -> &'e [Step] {
        let is_of_rules = [&cel::RULE_FAILED, &cel::RULE_ERROR, &cel::OUT_OF_BUDGET, &cel::TOO_MUCH];
        if error.rule.is_none() && is_of_rules.contains(&error.code) {
            return &[];
        }
        let mut at = Some(self.schemas.1);
        for (len, step) in error.steps.iter().enumerate() {
            let Some(schema) = at else { break };
            let is_of_rule = error.rule.as_ref().is_some_and(|rule| has_rule(schema, rule));
            if is_of_rule || has_junctors(schema) {
                return &error.steps[..len];
            }
            at = match step {
                Step::Key(name) => schema.properties.get(name).or(schema.value()),
                Step::Index(_) => schema.item(),
            };
        }
        &error.steps
    }

    fn is_in(&self, change: usize, steps: &[Step]) -> bool {
        match &self.regions[change] {
            Region::Nowhere => false,
            Region::At(place) => place.overlaps(steps),
            Region::Everywhere => true,
        }
    }

    /// Which of all changes an error can depend on.
    fn whose(&self, own: usize, error: &Diag) -> Whose {
        if self.is_of_other_rule(own, error) {
            return Whose::Other;
        }
        let steps = self.reach(error);
        let is_own = self.is_in(own, steps);
        let all = self.everywhere + self.places.overlapping(each(steps));
        match (is_own, all > usize::from(is_own)) {
            // Another subresource can be the cause, too.
            (true, false) if self.is_local => Whose::Own,
            _ if self.is_of_new_rule(own, error) => Whose::Own,
            (false, true) => Whose::Other,
            (true | false, _) => Whose::Unclear,
        }
    }

    /// The rule of a change, and its place.
    fn rule_of(&self, change: usize) -> Option<(&Place<'c>, &str)> {
        let (Part::Rule, Region::At(place)) = (&self.changes[change].part, &self.regions[change]) else {
            return None;
        };
        let [.., Step::Index(index)] = &*self.changes[change].steps else { return None };
        Some((place, &place.new?.rules.get(*index)?.rule))
    }

    /// Whether a change is one of a rule, and an error is one of another rule: rules know nothing of each other.
    fn is_of_other_rule(&self, change: usize, error: &Diag) -> bool {
        let Some(rule) = &error.rule else { return false };
        self.rule_of(change).is_some_and(|(_, own)| own != rule)
    }

    /// Whether an error is one of a rule that is not there without a change.
    fn is_of_new_rule(&self, change: usize, error: &Diag) -> bool {
        let (Some(rule), Some((place, own))) = (&error.rule, self.rule_of(change)) else { return false };
        let count = |schema: &Schema| schema.rules.iter().filter(|it| it.rule == *rule).count();
        own == rule
            && place.has(error)
            && place.new.is_some_and(|new| count(new) > 0)
            && place.old.is_none_or(|old| count(old) == 0)
    }

    /// The group of a change. `None` if it cannot be taken back.
    fn group(&self, change: usize) -> Option<&Group> {
        let groups = self.groups.get_or_init(|| self.groups());
        groups.iter().find(|group| group.members.contains(&change))
    }

    fn groups(&self) -> Vec<Group> {
        let mut out: Vec<Group> = Vec::new();
        for (at, (change, region)) in self.changes.iter().zip(&self.regions).enumerate() {
            let Region::At(place) = region else { continue };
            let is_free = |group: &Group| group.places.overlapping(place.each_step()) == 0;
            let free = out.iter().position(is_free);
            let group = match free {
                Some(free) => &mut out[free],
                None => {
                    let (members, places) = (BTreeSet::new(), Regions::default());
                    out.push(Group {
                        members,
                        places,
                        schema: self.schemas.1.clone(),
                        side: OnceCell::new(),
                    });
                    let Some(group) = out.last_mut() else { continue };
                    group
                }
            };
            if change.take_back(self.schemas.0, &mut group.schema) {
                group.members.insert(at);
                group.places.add(place);
            }
        }
        out
    }
}

impl<'c> Cause<'c> {
    pub(crate) fn new(all: &'c Causes<'c>, change: usize, is_of: &'c dyn Fn(&Diag) -> bool) -> Cause<'c> {
        Cause { all, change, is_of, without: OnceCell::new() }
    }

    /// Returns what the change does to a request that the new side rejects with some errors. `None` if none of those that may be one
    /// of the change is one.
    pub(crate) fn effect(
        &self,
        errors: &[Diag],
        may_be: &dyn Fn(&Diag) -> bool,
        asked: impl FnOnce() -> Asked,
    ) -> Option<Effect> {
        let whose = |error: &Diag| self.all.whose(self.change, error);
        let first = errors.iter().position(|error| may_be(error) && whose(error) == Whose::Own);
        if let Some(first) = first
            && let Some(is_alone) = is_alone(errors, whose)
        {
            return Some(Effect { first, is_alone });
        }
        if !errors.iter().any(|error| may_be(error) && whose(error) != Whose::Other) {
            return None;
        }
        let asked = asked();
        self.by_group(errors, may_be, &asked).unwrap_or_else(|| self.by_itself(errors, may_be, &asked))
    }

    /// Asks the new side without all changes of the group. `None` if an error depends on several of them.
    fn by_group(
        &self,
        errors: &[Diag],
        may_be: &dyn Fn(&Diag) -> bool,
        asked: &Asked,
    ) -> Option<Option<Effect>> {
        let all = self.all;
        let Group { places, schema, side, members: _ } = all.group(self.change)?;
        let side = side.get_or_init(|| all.side(schema.clone())).as_ref()?;
        let others = side.answer(all.version, asked).errors;
        let whose = |error: &Diag| {
            let steps = all.reach(error);
            let is_own = all.is_in(self.change, steps);
            let of_group = places.overlapping(each(steps)) > usize::from(is_own);
            match all.whose(self.change, error) {
                Whose::Other => Whose::Other,
                Whose::Own | Whose::Unclear if of_group => Whose::Unclear,
                Whose::Own | Whose::Unclear if others.contains(error) => Whose::Other,
                Whose::Own | Whose::Unclear => Whose::Own,
            }
        };
        let can_be = |error: &Diag| may_be(error) && whose(error) != Whose::Other;
        let Some(first) = errors.iter().position(can_be) else { return Some(None) };
        if whose(&errors[first]) != Whose::Own {
            return None;
        }
        let is_alone = is_alone(errors, whose)? && others.is_empty();
        Some(Some(Effect { first, is_alone }))
    }

    /// Asks the new side without this change alone.
    fn by_itself(&self, errors: &[Diag], may_be: &dyn Fn(&Diag) -> bool, asked: &Asked) -> Option<Effect> {
        let all = self.all;
        let without = || {
            let (before, after) = all.schemas;
            all.side(all.changes[self.change].taken_back(before, after)?)
        };
        let Some(without) = self.without.get_or_init(without) else {
            let first = errors.iter().position(self.is_of)?;
            return Some(Effect { first, is_alone: true });
        };
        let others = without.answer(all.version, asked).errors;
        let first = errors.iter().position(|error| may_be(error) && !others.contains(error))?;
        Some(Effect { first, is_alone: others.is_empty() })
    }
}

/// Whether all errors are those of one change. `None` if that is unclear.
fn is_alone(errors: &[Diag], whose: impl Fn(&Diag) -> Whose) -> Option<bool> {
    let mut is_clear = true;
    for error in errors {
        match whose(error) {
            Whose::Own => {}
            Whose::Other => return Some(false),
            Whose::Unclear => is_clear = false,
        }
    }
    is_clear.then_some(true)
}

/// The steps to an error, which mean nothing else.
fn each(steps: &[Step]) -> impl Iterator<Item = (&Step, bool)> + Clone {
    steps.iter().map(|step| (step, false))
}

fn has_rule(schema: &Schema, rule: &str) -> bool {
    schema.rules.iter().any(|it| it.rule == rule)
}

/// Whether a schema has schemas in `allOf` and the like.
pub(crate) fn has_junctors(schema: &Schema) -> bool {
    clauses(schema).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::{Cause, Causes};
    use crate::place::Place;
    use crate::side::{Asked, Side};
    use crdgen_core::compare::changes::between;
    use crdgen_core::decode;
    use crdgen_core::ir::Crd;
    use crdgen_core::json;
    use std::rc::Rc;

    fn crd(spec: &str) -> Crd {
        let text = format!(
            r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"ws.example.com"}},
            "spec":{{"group":"example.com","scope":"Cluster","names":{{"kind":"W","plural":"ws","singular":"w","listKind":"WList"}},
            "versions":[{{"name":"v1","served":true,"storage":true,"schema":{{"openAPIV3Schema":
            {{"type":"object","properties":{{"spec":{{"type":"object",{spec}}}}}}}}}}}]}}}}"#
        );
        decode::crd(json::read(text.as_bytes()).expect("JSON")).0.expect("a CRD")
    }

    /// The changes that cause an error of an object, and whether nothing else rejects it.
    fn causes(old: &str, new: &str, spec: &str) -> Vec<(String, bool)> {
        let (old, new) = (crd(old), crd(new));
        let changes = between(&old, &new);
        let (old, new) = (Side::new(&old).expect("a side"), Side::new(&new).expect("a side"));
        let (before, after) = (old.schema("v1").expect("a schema"), new.schema("v1").expect("a schema"));
        let places: Vec<Option<Place<'_>>> = changes
            .iter()
            .map(|change| Place::root(before, after, &Rc::default()).of(&change.steps))
            .collect();
        let all = Causes::new(&changes, &places, (&old, &new), "v1").expect("schemas");
        let object = format!(
            r#"{{"apiVersion":"example.com/v1","kind":"W","metadata":{{"name":"w"}},"spec":{spec}}}"#
        );
        let object = json::read(object.as_bytes()).expect("JSON");
        let errors = new.create("v1", &object).errors;
        let of = |at: usize| {
            let effect =
                Cause::new(&all, at, &|_| false).effect(&errors, &|_| true, || Asked::Create(object.clone()));
            Some((changes[at].text(), effect?.is_alone))
        };
        (0..changes.len()).filter_map(of).collect()
    }

    #[test]
    fn changes_at_other_places_can_cause_an_error() {
        let fields = |a: &str, b: &str, more: &str| {
            format!(r#""properties":{{"a":{{"type":"string"{a}}},"b":{{"type":"string"{b}}}}}{more}"#)
        };
        // A rule of both fields, which reports one of them.
        let rule =
            r#","x-kubernetes-validations":[{"rule":"!has(self.b) || self.b != 'x'","fieldPath":".a"}]"#;
        let (short, default) = (r#","maxLength":3"#, r#","default":"x""#);
        let (old, new) = (fields("", "", rule), fields(short, default, rule));
        assert_eq!(causes(&old, &new, "{}"), [("default was not set, now \"x\"".to_owned(), true)]);
        // Each of two changes at places that do not overlap.
        let (old, new) = (fields("", "", ""), fields(short, short, ""));
        let too_long = || "maxLength was not set, now 3".to_owned();
        assert_eq!(causes(&old, &new, r#"{"a":"long","b":"b"}"#), [(too_long(), true)]);
        let both = causes(&old, &new, r#"{"a":"long","b":"long"}"#);
        assert_eq!(both, [(too_long(), false), (too_long(), false)]);
    }
}
