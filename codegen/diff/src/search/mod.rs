//! Searches for a request that the server accepts with the old CRD and rejects with the new one.

mod asks;
mod places;
mod tries;
mod witness;

use crdgen_core::compare::changes::Class;
use crdgen_core::compare::proof::{End, Proof, Witness};
use crdgen_core::diag::Diag;
use crdgen_core::ir::Schema;
use crdgen_core::sample::random::Random;
use crdgen_core::sample::{Effort, Extent};
use crdgen_core::value::Value;

use crate::atoms::Atom;
use crate::budget::Budget;
use crate::place::Place;
use crate::side::{Answer, Asked, Side};
use crate::wanted::{Second, Wanted};
use places::Known;
use witness::{is_touched, update};

/// How many objects are checked to make the old side accept one.
const REPAIRS: usize = 60;

/// The maximum number of changes at once.
const MOST_AT_ONCE: usize = 4;

/// How many objects are tried before updates are tried.
const QUICK: usize = 100;

/// How many objects are tried for a change that should not break anything.
const HARMLESS: usize = 48;

/// Searches in one version of a kind.
pub(crate) struct Search<'s> {
    old: &'s Side,
    /// The version in the old CRD, if the objects are those of another version: what it rejects was rejected before, too.
    was: Option<&'s Side>,
    new: &'s Side,
    version: &'s str,
    /// Small objects that the old side accepts. Those that the new side also accepts come first.
    bases: Vec<Value>,
    /// What the new side answers if they are created. Each change asks for it.
    answers: Vec<Answer>,
    /// Whether these are larger examples, too.
    has_larger: bool,
    budget: Budget<'s>,
    known: Known<'s>,
    random: Random,
    /// The number of objects that were tried for the current change.
    tried: usize,
}

/// A witness, and what it means.
#[derive(Clone)]
pub(crate) struct Proved {
    pub(crate) class: Class,
    pub(crate) witness: Witness,
    /// The first error.
    pub(crate) error: Option<Diag>,
}

impl<'s> Search<'s> {
    pub(crate) fn new(
        (old, was, new): (&'s Side, Option<&'s Side>, &'s Side),
        version: &'s str,
        budget: usize,
    ) -> Search<'s> {
        let mut out = Search {
            old,
            was,
            new,
            version,
            bases: Vec::new(),
            answers: Vec::new(),
            has_larger: false,
            budget: Budget::new([old, new], version, budget),
            known: Known::default(),
            random: Random::new(0),
            tried: 0,
        };
        out.add_bases(Extent::Minimal);
        if !out.can_search() {
            out.add_bases(Extent::Full);
        }
        let mut answered: Vec<(Value, Answer)> = std::mem::take(&mut out.bases)
            .into_iter()
            .map(|base| {
                let answer = new.create(version, &base);
                (base, answer)
            })
            .collect();
        answered.sort_by_key(|(_, answer)| !answer.errors.is_empty());
        (out.bases, out.answers) = answered.into_iter().unzip();
        out
    }

    /// Adds the examples of both sides that the old side accepts.
    fn add_bases(&mut self, extent: Extent) {
        let examples = [self.old, self.new].map(|side| side.samples.object(self.version, extent));
        for base in examples.into_iter().flatten() {
            let is_accepted = self.old.create(self.version, &base).is_fine();
            if is_accepted && self.was_accepted(&Asked::Create(base.clone())) && !self.bases.contains(&base) {
                self.bases.push(base);
            }
        }
    }

    /// Adds larger examples, because rules may require more than the smallest one has. Returns them, the first time.
    fn larger_bases(&mut self) -> Vec<Value> {
        if std::mem::replace(&mut self.has_larger, true) {
            return Vec::new();
        }
        let before = self.bases.len();
        self.add_bases(Extent::Full);
        let larger = self.bases[before..].to_vec();
        self.answers.extend(larger.iter().map(|base| self.new.create(self.version, base)));
        larger
    }

    /// The schemas of both sides.
    fn schemas(&self) -> Option<(&'s Schema, &'s Schema)> {
        Some((self.old.schema(self.version)?, self.new.schema(self.version)?))
    }

    /// Whether the old side accepts an object that can be searched from.
    pub(crate) fn can_search(&self) -> bool {
        !self.bases.is_empty()
    }

    /// Returns the number of objects that were tried since the last call.
    pub(crate) fn take_tried(&mut self) -> usize {
        std::mem::take(&mut self.tried)
    }

    /// Returns what is known about a change for which nothing was found.
    pub(crate) fn take_searched(&mut self) -> Proof {
        let end = if self.budget.has_none_left(self.tried) { End::Budget } else { End::Complete };
        Proof::Searched { tried: self.take_tried(), end }
    }

    /// Keeps a fair part of what is left for so many other changes.
    pub(crate) fn share_with(&mut self, others: usize) {
        self.budget.share_with(others);
    }

    /// Counts an object that is tried.
    fn count(&mut self, object: &Value) {
        self.tried += 1;
        self.budget.pay(object);
    }

    /// Whether the search must stop: for one change, or for all of them. With a proof that others explain, too, it looks for a better
    /// one only a little longer, and only as long as half of what is there for all changes is left.
    fn is_over(&self, end: usize, wanted: &Wanted<'_>) -> bool {
        let is_good_enough = |at| self.tried >= at + QUICK || self.budget.is_half_spent();
        self.tried >= end
            || self.budget.has_none_left(self.tried)
            || wanted.second_at().is_some_and(is_good_enough)
    }

    /// Makes the old side accept an object.
    fn repaired(&mut self, object: Value, atom: &Atom) -> Option<Value> {
        // A repair may cost as much as a hundred objects.
        if self.budget.is_used_up() {
            return None;
        }
        let price = self.budget.price(&object);
        let mut effort = Effort { objects: REPAIRS, cost: self.budget.part() };
        let accepted = self.old.accepted_around(self.version, object, &atom.at, &mut effort);
        self.budget.pay_repair(price, REPAIRS - effort.objects);
        accepted
    }

    /// Tries objects that proved the same change of other objects.
    pub(crate) fn again(&mut self, known: &[Value], wanted: &Wanted<'_>) -> Option<Proved> {
        known.iter().find_map(|object| {
            self.count(object);
            let found = self.flips(object, wanted)?;
            Some(self.as_it_is(object.clone(), found, wanted))
        })
    }

    /// Searches for a request that fails with an error that is wanted. `class` is what is expected.
    pub(crate) fn prove(&mut self, place: &Place<'s>, class: Class, wanted: &Wanted<'_>) -> Option<Proved> {
        // Single values suffice for most changes. Updates are next, because only they break a rule that reads the old value.
        let quick = (class != Class::OnEdit).then(|| self.creates_quickly(place, wanted));
        quick
            .flatten()
            .or_else(|| self.edit(place, self.tried + self.budget.of_change / 2, wanted))
            .or_else(|| self.creates(place, self.budget.of_change, wanted))
            .or_else(|| self.second(wanted))
    }

    /// The same as [`Search::creates`], with a few objects of each sort.
    fn creates_quickly(&mut self, place: &Place<'s>, wanted: &Wanted<'_>) -> Option<Proved> {
        let quick = QUICK.min(self.budget.of_change);
        if self.is_over(self.tried + quick, wanted) {
            return None;
        }
        let atoms = self.ordered(place);
        self.singles(&atoms, self.tried + quick, wanted)
            .or_else(|| self.doubled(place, &atoms, self.tried + quick, wanted))
            .or_else(|| self.siblings(place, &atoms, self.tried + quick, wanted))
            .or_else(|| self.pairs(place, &atoms, self.tried + quick, wanted))
    }

    /// What a request proves that also fails because of other changes, if all requests do.
    fn second(&self, wanted: &Wanted<'_>) -> Option<Proved> {
        let Second { asked, found, .. } = wanted.take_second()?;
        Some(match asked {
            Asked::Create(object) => self.proved(object, found, wanted),
            Asked::Update(before, after) => {
                let class = if is_touched(&before, &after) { Class::Stuck } else { Class::OnEdit };
                self.found(class, update(before, after, found.is_of_status), found.errors)
            }
        })
    }

    /// Tries a few objects for a change that should not break anything.
    pub(crate) fn survives(&mut self, place: &Place<'s>, wanted: &Wanted<'_>) -> Option<Proved> {
        let atoms = self.ordered(place);
        let most = HARMLESS.min(self.budget.of_change);
        self.singles(&atoms, self.tried + most, wanted)
            .or_else(|| self.pairs(place, &atoms, self.tried + most, wanted))
            .or_else(|| self.mixed(&atoms, 2, self.tried + most / 2, wanted))
            .or_else(|| self.survives_updates(place, wanted))
            .or_else(|| self.second(wanted))
    }

    /// Tries a few updates where rules compare values with old ones: the server may fill in another default in the old object, too, or
    /// keep a null that it dropped.
    fn survives_updates(&mut self, place: &Place<'s>, wanted: &Wanted<'_>) -> Option<Proved> {
        if !self.has_old(place) {
            return None;
        }
        self.larger_bases();
        self.edit(place, self.tried + HARMLESS.min(self.budget.of_change), wanted)
    }

    /// Searches for an object that only the new side rejects, with an error that is wanted.
    fn creates(&mut self, place: &Place<'s>, budget: usize, wanted: &Wanted<'_>) -> Option<Proved> {
        let end = self.tried + budget;
        if self.is_over(end, wanted) {
            return None;
        }
        let atoms = self.ordered(place);
        self.singles(&atoms, end, wanted)
            .or_else(|| self.doubled(place, &atoms, end, wanted))
            .or_else(|| self.siblings(place, &atoms, end, wanted))
            .or_else(|| self.pairs(place, &atoms, end, wanted))
            .or_else(|| self.mixed(&atoms, 2, end, wanted))
    }
}
