//! Searches for the proofs of the changes of one version.

use crdgen_core::compare::changes::{Change, Class, Part};
use crdgen_core::compare::proof::{End, Proof, Request};
use crdgen_core::diag::Diag;
use crdgen_core::diag::codes::cel;
use crdgen_core::go::regexp::Comparisons;
use crdgen_core::ir::{Crd, Scale, Version};
use crdgen_core::path::Step;
use crdgen_core::value::Value;
use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::alike::Outcome;
use super::certain::is_certain;
use crate::causes::{Cause, Causes};
use crate::finding::Finding;
use crate::place::{Place, is_of_objects};
use crate::search::{Proved, Search};
use crate::side::{Side, in_version};
use crate::wanted::Wanted;

/// A comparison of two CRDs.
pub(super) struct Run<'r> {
    pub(super) old: &'r Crd,
    /// The CRDs as the server serves them.
    pub(super) before: Side,
    pub(super) after: Side,
    /// What is known about patterns.
    pub(super) patterns: Rc<Comparisons>,
    /// What proved changes of versions before.
    pub(super) known: Witnesses,
}

/// How many changes that should not break anything get as much as one that does.
const HARMLESS_AT_ONCE: usize = 8;

impl Run<'_> {
    /// Searches for the proofs of the changes of one version, or of one version for objects that are stored in another. `None` if one of
    /// the sides has no schema for the version, or no objects.
    pub(super) fn searched(&mut self, changes: &[Change], budget: usize) -> Option<Outcome> {
        let version = changes.first()?.version.as_deref()?;
        let (old, new) = (&self.before, &self.after);
        let Some(stored) = &changes[0].stored else {
            let pair = Pair { version, old, was: None, new };
            return pair.searched(changes, &self.patterns, &mut self.known, budget);
        };
        let from = self.old.spec.versions.iter().find(|it| it.name == *stored)?;
        let is_served = |it: &Version| it.name == version && it.served;
        let was = self.old.spec.versions.iter().any(is_served).then_some(old);
        let old = &Side::converted(self.old, from, version)?;
        Pair { version, old, was, new }.searched(changes, &self.patterns, &mut self.known, budget)
    }
}

/// The findings about the changes of one version.
pub(super) fn found(name: &str, changes: Vec<Change>, outcome: Option<Outcome>) -> Vec<Finding> {
    let Some(Outcome { proofs, together }) = outcome else {
        return changes.into_iter().map(|change| unsearched(name, change)).collect();
    };
    let of_several = changes.first().and_then(|Change { version, stored, .. }| {
        let it = together?;
        let found = (it.class, it.error.as_ref(), it.witness);
        Some(Finding::unexplained(name, version.as_deref()?, stored.as_deref(), found))
    });
    let of_change = |(change, (class, proof, is_of_values)): (Change, (Class, Proof, bool))| {
        let field = is_of_values.then(|| change.in_objects()).flatten();
        Finding::of_change(name, Change { class, ..change }, field, proof)
    };
    let mut out: Vec<Finding> = changes.into_iter().zip(proofs).map(of_change).chain(of_several).collect();
    out.iter_mut().for_each(of_stored);
    out
}

/// The sides in which the changes of a version are searched.
#[derive(Clone, Copy)]
struct Pair<'p> {
    /// The version in which both sides are asked.
    version: &'p str,
    /// The side before the update.
    old: &'p Side,
    /// The version before the update, if the objects are stored in another one.
    was: Option<&'p Side>,
    /// The side after the update.
    new: &'p Side,
}

impl Pair<'_> {
    fn searched(
        self,
        changes: &[Change],
        patterns: &Rc<Comparisons>,
        known: &mut Witnesses,
        budget: usize,
    ) -> Option<Outcome> {
        let Pair { version, old, was, new } = self;
        let schemas = (old.schema(version)?, new.schema(version)?);
        let root = Place::root(schemas.0, schemas.1, patterns);
        let places: Vec<Option<Place<'_>>> =
            changes.iter().map(|change| place_of(change, new.scale(version), &root)).collect();
        let is_searched =
            |(change, place): &(&Change, &Option<Place<'_>>)| is_of_objects(change) || place.is_some();
        if !changes.iter().zip(&places).any(|it| is_searched(&it)) {
            return None;
        }
        let is_certain = |(change, place): (&Change, &Option<Place<'_>>)| {
            place.as_ref().is_some_and(|place| is_certain(change, place, &root))
        };
        let certain: Vec<bool> = changes.iter().zip(&places).map(is_certain).collect();
        let uncertain = || certain.iter().enumerate().filter(|(_, is)| !**is).map(|(at, _)| at);
        let (mut own, of_own) = match certain.contains(&true) {
            false => (Cow::Borrowed(changes), Cow::Borrowed(&*places)),
            true => {
                let (own, of_own): (Vec<Change>, Vec<Option<Place<'_>>>) =
                    uncertain().map(|at| (changes[at].clone(), places[at].clone())).unzip();
                (Cow::Owned(own), Cow::Owned(of_own))
            }
        };
        let by_document =
            |(change, place): (&Change, &Option<Place<'_>>)| (change.class, Proof::Document, place.is_some());
        let mut proofs: Vec<(Class, Proof, bool)> = changes.iter().zip(&places).map(by_document).collect();
        let searched = own.iter().zip(&*of_own).filter(is_searched).count();
        let mut together = None;
        if searched > 0 {
            let mut search = Search::new((old, was, new), version, budget);
            if !search.can_search() {
                return None;
            }
            for (at, place) in of_own.iter().enumerate() {
                if place.as_ref().is_some_and(|place| is_read(&own[at], place, &mut search)) {
                    own.to_mut()[at].class = Class::Breaking;
                }
            }
            let causes = Causes::new(&own, &of_own, (old, new), version).filter(|_| searched > 1);
            let of_each = own.iter().map(|it| (it.class, Proof::Document)).collect();
            let mut all =
                Proofs { changes: &own, places: &of_own, causes: causes.as_ref(), search, proofs: of_each };
            // What is stricter comes first, so that it is known what explains other errors.
            all.prove(version, known);
            together = all.survive();
            for (at, (class, proof)) in uncertain().zip(all.proofs) {
                (proofs[at].0, proofs[at].1) = (class, proof);
            }
        }
        Some(Outcome { proofs, together })
    }
}

/// The changes of a version, with what is known about each so far.
struct Proofs<'c> {
    changes: &'c [Change],
    places: &'c [Option<Place<'c>>],
    /// `None` if there is only one change.
    causes: Option<&'c Causes<'c>>,
    search: Search<'c>,
    proofs: Vec<(Class, Proof)>,
}

impl<'c> Proofs<'c> {
    /// The indexes of the changes that are stricter than before, or of the others, with their places.
    fn places(&self, is_stricter: bool) -> Vec<(usize, &'c Place<'c>)> {
        let places = self.places.iter().enumerate();
        let is = |at: usize| (self.changes[at].class <= Class::OnEdit) == is_stricter;
        places.filter(|(at, _)| is(*at)).filter_map(|(at, place)| Some((at, place.as_ref()?))).collect()
    }

    /// Searches for proofs of what is stricter than before.
    fn prove(&mut self, version: &str, known: &mut Witnesses) {
        let harmless = self.places(false).len().div_ceil(HARMLESS_AT_ONCE);
        let mut open = self.places(true);
        // The second time, what the others left is for those for which the first share was not enough.
        for _ in 0..2 {
            let mut more = Vec::new();
            for (number, (at, place)) in open.iter().copied().enumerate() {
                self.search.share_with(open.len() - number - 1 + harmless);
                self.proofs[at] = match self.proved(at, place, &known.of(&self.changes[at], version)) {
                    Some(proved) => {
                        known.add(&self.changes[at], &proved.witness.request);
                        (proved.class, Proof::Witness(Arc::new(proved.witness)))
                    }
                    None => {
                        let proof = self.search.take_searched();
                        if matches!(proof, Proof::Searched { end: End::Budget, .. }) {
                            more.push((at, place));
                        }
                        (Class::MayBreak, proof)
                    }
                };
            }
            open = more;
        }
        self.search.share_with(0);
    }

    fn proved(&mut self, at: usize, place: &'c Place<'c>, known: &[Value]) -> Option<Proved> {
        let change = &self.changes[at];
        let may_be = |error: &Diag| may_be(change, place, error);
        let is_of = |error: &Diag| is_of(change, place, error);
        let wanted = Wanted::new(&may_be, self.causes.map(|all| Cause::new(all, at, &is_of)));
        self.search.take_tried();
        self.search.again(known, &wanted).or_else(|| self.search.prove(place, change.class, &wanted))
    }

    /// Searches for what the changes break that are not stricter than before, and then for what several changes break together.
    fn survive(&mut self) -> Option<Proved> {
        let mut explained: Vec<&Place<'_>> = self.places(true).into_iter().map(|(_, place)| place).collect();
        for (at, place) in self.places(false) {
            self.search.take_tried();
            let is_new = |error: &Diag| !explained.iter().any(|it| it.has(error));
            let wanted = Wanted::new(&is_new, self.causes.map(|all| Cause::new(all, at, &is_new)));
            self.proofs[at] = match self.search.survives(place, &wanted) {
                Some(proved) => {
                    explained.push(place);
                    (proved.class, Proof::Witness(Arc::new(proved.witness)))
                }
                None => (self.changes[at].class, self.search.take_searched()),
            };
        }
        self.search.take_tried();
        let all: Vec<Place<'c>> = self.places.iter().flatten().cloned().collect();
        // What reads a default may be anywhere around it.
        let stricter = self.places(true).into_iter();
        let filled: Vec<&Place<'_>> =
            stricter.filter(|(at, _)| is_of_default(&self.changes[*at])).map(|(_, place)| place).collect();
        let is_new = |error: &Diag| {
            !explained.iter().any(|it| it.has(error)) && !filled.iter().any(|it| it.overlaps(&error.steps))
        };
        self.search.random(&all, &Wanted::new(&is_new, None))
    }
}

/// Whether a change is one of a default that something around its place reads.
fn is_read<'c>(change: &Change, place: &Place<'c>, search: &mut Search<'c>) -> bool {
    is_of_default(change) && change.class > Class::MayBreak && search.is_default_read(place)
}

/// Whether the server may fill in something else because of a change.
fn is_of_default(change: &Change) -> bool {
    match change.part {
        Part::Keyword("default") => true,
        Part::Field(_) => change.now.is_some(),
        _ => false,
    }
}

/// Objects that proved a change. They often prove the same change of objects that are stored in another version.
#[derive(Default)]
pub(super) struct Witnesses(HashMap<(Option<String>, Part), Vec<Value>>);

impl Witnesses {
    /// How many are kept for each change.
    const MOST: usize = 4;

    fn of(&self, change: &Change, version: &str) -> Vec<Value> {
        let known = self.0.get(&(change.in_objects(), change.part.clone()));
        known.into_iter().flatten().map(|object| in_version(object.clone(), version)).collect()
    }

    fn add(&mut self, change: &Change, request: &Request) {
        let known = self.0.entry((change.in_objects(), change.part.clone())).or_default();
        let (Request::Create { object } | Request::Update { stored: object, .. }) = request else { return };
        if known.len() < Witnesses::MOST {
            known.push(object.clone());
        }
    }
}

/// The finding about a change for which no objects can be made.
pub(super) fn unsearched(name: &str, mut change: Change) -> Finding {
    let is_of_objects = is_of_objects(&change);
    let proof = match is_of_objects && change.class <= Class::OnEdit {
        true => {
            change.class = Class::MayBreak;
            Proof::Searched { tried: 0, end: End::NoObjects }
        }
        false => Proof::Document,
    };
    Finding::of_change(name, change, None, proof)
}

/// Whether an error is one that the keyword of a change causes.
fn is_of(change: &Change, place: &Place<'_>, error: &Diag) -> bool {
    let is_of_rule = [&cel::RULE_FAILED, &cel::RULE_ERROR].contains(&error.code);
    let is_there = match &change.part {
        Part::Required(name) | Part::RequiredNew(name) => place.has_in_field(name, error),
        Part::Rule | Part::Junctor(_) | Part::Keyword(LIST_TYPE) => place.has(error),
        _ => place.has(error) && error.steps.len() <= place.steps.len(),
    };
    is_there && is_of_rule == (change.part == Part::Rule)
}

const LIST_TYPE: &str = "x-kubernetes-list-type";

/// The place in objects that a change concerns. `None` if it is not about values in objects. `scale` is the subresource of the new
/// version.
fn place_of<'s>(change: &'s Change, scale: Option<&Scale>, root: &Place<'s>) -> Option<Place<'s>> {
    if change.part == Part::Subresource("scale") {
        return Some(root.of_replicas(scale?));
    }
    let at = root.of(&change.steps).filter(|_| is_of_objects(change))?;
    Some(match (change.field_below(), &change.part) {
        (Some(name), _) => at.field(name),
        (None, Part::Required(name) | Part::RequiredNew(name)) => at.without(name),
        (None, Part::Rule) => match &*change.steps {
            [.., Step::Index(index)] => at.breaking(*index),
            _ => at,
        },
        (None, _) => at,
    })
}

/// Whether the place of an error is one where a change may cause errors: inside of it, or directly around it.
fn may_be(change: &Change, place: &Place<'_>, error: &Diag) -> bool {
    match &change.part {
        Part::Required(name) | Part::RequiredNew(name) => {
            place.has_in_field(name, error) || place.has(error) && error.steps.len() < place.steps.len()
        }
        // What reads it may be anywhere.
        Part::Keyword("default") | Part::Field(_) => true,
        // Of objects that are stored in another version, differences that are known already are not among the changes.
        Part::Rule => place.has(error) && is_of_own_rule(place, error),
        _ => place.has(error),
    }
}

/// Whether an error is one of the rule of a change, or one that ends the evaluation of all rules.
fn is_of_own_rule(place: &Place<'_>, error: &Diag) -> bool {
    match (&error.rule, place.rule) {
        (Some(rule), Some(own)) => rule == own,
        (Some(_), None) => true,
        (None, _) => [&cel::OUT_OF_BUDGET, &cel::TOO_MUCH].contains(&error.code),
    }
}

/// Makes the witness of a finding one about objects that are stored in another version, if it is about these.
fn of_stored(finding: &mut Finding) {
    let Some(version) = &finding.stored else { return };
    let Proof::Witness(witness) = &mut finding.proof else { return };
    if let Request::Create { object } = &witness.request {
        let stored = in_version(object.clone(), version);
        let object = object.clone();
        Arc::make_mut(witness).request = Request::Convert { stored, object };
    } else if let Request::Update { stored, .. } = &witness.request
        && finding.class == Class::Stuck
    {
        let object = stored.clone();
        let stored = in_version(object.clone(), version);
        Arc::make_mut(witness).request = Request::Convert { stored, object };
    } else {
        finding.proof = Proof::Searched { tried: witness.tried, end: End::Complete };
        finding.class = Class::MayBreak;
        finding.code = finding.class.reported().map(|(code, _)| code);
    }
}
