//! Searches for a request that the server accepts with the old CRD and rejects with the new one.

use crdgen_core::compare::changes::Class;
use crdgen_core::compare::proof::{End, Proof, Request, Witness};
use crdgen_core::diag::Diag;
use crdgen_core::json;
use crdgen_core::object::validate::Validator;
use crdgen_core::path::{Path, Step};
use crdgen_core::sample::random::{self, Random};
use crdgen_core::sample::{Effort, Extent};
use crdgen_core::server::Server;
use crdgen_core::value::Value;

use crate::atoms::{self, Atom};
use crate::budget::Budget;
use crate::place::Place;
use crate::shrink::shrink;
use crate::side::{Answer, Asked, Side, without_status};
use crate::wanted::{Found, Second, Wanted};

/// How many objects are checked to make the old side accept one.
const REPAIRS: usize = 60;

/// The maximum number of changes at once.
const MOST_AT_ONCE: usize = 4;

/// How many objects are tried before updates are tried.
const QUICK: usize = 100;

/// How many objects are tried for a change that should not break anything.
const HARMLESS: usize = 48;

/// The maximum number of atoms, and of bases, that are combined with other values, and how many of these objects are repaired.
const MOST_PAIRED: usize = 12;
const MOST_BASES: usize = 2;
const MOST_REPAIRS: usize = 24;

/// The maximum number of objects that are repaired so that they can be stored before an edit.
const MOST_STORED: usize = 48;

/// The maximum number of atoms for which items are there twice.
const MOST_DOUBLED: usize = 32;

/// How often a random object is made.
const RANDOM: usize = 60;

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
    random: Random,
    /// The number of objects that were tried for the current change.
    tried: usize,
}

/// A witness, and what it means.
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
        let end = if self.budget.has_none_left() { End::Budget } else { End::Complete };
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
        self.tried >= end || self.budget.has_none_left() || wanted.second_at().is_some_and(is_good_enough)
    }

    /// Makes the old side accept an object.
    fn repaired(&mut self, object: Value, atom: &Atom) -> Option<Value> {
        self.budget.pay_repair(&object);
        let effort = Effort { objects: REPAIRS, cost: self.budget.part() };
        self.old.accepted_around(self.version, object, &atom.at, effort)
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
    pub(crate) fn prove(&mut self, place: &Place<'_>, class: Class, wanted: &Wanted<'_>) -> Option<Proved> {
        // Single values suffice for most changes. Updates are next, because only they break a rule that reads the old value.
        let quick = (class != Class::OnEdit).then(|| self.creates_quickly(place, wanted));
        quick
            .flatten()
            .or_else(|| self.edit(place, wanted))
            .or_else(|| self.creates(place, self.budget.of_change, wanted))
            .or_else(|| self.second(wanted))
    }

    /// The same as [`Search::creates`], with a few objects of each sort.
    fn creates_quickly(&mut self, place: &Place<'_>, wanted: &Wanted<'_>) -> Option<Proved> {
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
    pub(crate) fn survives(&mut self, place: &Place<'_>, wanted: &Wanted<'_>) -> Option<Proved> {
        let atoms = self.ordered(place);
        let most = HARMLESS.min(self.budget.of_change);
        self.singles(&atoms, self.tried + most, wanted)
            .or_else(|| self.pairs(place, &atoms, self.tried + most, wanted))
            .or_else(|| self.mixed(&atoms, 2, self.tried + most / 2, wanted))
            .or_else(|| self.second(wanted))
    }

    /// Searches for an object that only the new side rejects, with an error that is wanted.
    fn creates(&mut self, place: &Place<'_>, budget: usize, wanted: &Wanted<'_>) -> Option<Proved> {
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

    /// Tries single atoms.
    fn singles(&mut self, atoms: &[(Atom, bool)], end: usize, wanted: &Wanted<'_>) -> Option<Proved> {
        let bases = self.bases.clone();
        bases.first().into_iter().for_each(|base| self.count(base));
        let mut is_accepted = false;
        // The most likely change is tried in all objects first: in some of them, it is the only one that matters.
        let (first, others) = atoms.split_at(atoms.len().min(1));
        let found = self
            .proof_of_bases(0, wanted)
            .or_else(|| self.each_atom(&bases, first, end, wanted, &mut is_accepted))
            .or_else(|| self.each_atom(&bases, others, end, wanted, &mut is_accepted));
        if found.is_some() || is_accepted || self.is_over(end, wanted) {
            return found;
        }
        let larger = self.larger_bases();
        let found = self.proof_of_bases(self.bases.len() - larger.len(), wanted);
        found.or_else(|| self.each_atom(&larger, atoms, end, wanted, &mut is_accepted))
    }

    /// What the bases from this one on prove as they are. The old side accepts them.
    fn proof_of_bases(&self, from: usize, wanted: &Wanted<'_>) -> Option<Proved> {
        self.bases.iter().zip(&self.answers).skip(from).find_map(|(base, answer)| {
            let found = wanted.found(answer, || Asked::Create(base.clone()))?;
            let found = self.alone(base, found, wanted)?;
            Some(self.proved(base.clone(), found, wanted))
        })
    }

    /// Tries lists in which an item that may matter is there twice, as often as the old side accepts it.
    fn doubled(
        &mut self,
        place: &Place<'_>,
        atoms: &[(Atom, bool)],
        end: usize,
        wanted: &Wanted<'_>,
    ) -> Option<Proved> {
        let schema = place.old.filter(|it| it.item().is_some())?;
        let own = atoms::of_item(place);
        let is_one_item = |atom: &Atom| match &atom.value {
            Some(Value::List(items)) if atom.at == place.steps => items.len() == 1,
            Some(_) => is_inside(atom, place),
            None => false,
        };
        for base in self.bases.clone().iter().take(MOST_BASES) {
            let others = atoms.iter().map(|(atom, _)| atom).filter(|atom| is_one_item(atom));
            for atom in own.iter().chain(others).take(MOST_DOUBLED) {
                if self.is_over(end, wanted) {
                    return None;
                }
                let Some(object) = self.with(base, atom) else { continue };
                self.count(&object);
                let accepted = match self.old.create(self.version, &object).is_fine() {
                    true => Some(object),
                    false => self.repaired(object, atom),
                };
                let Some(mut object) = accepted else { continue };
                let Some(Value::List(items)) = object.at_mut(&place.steps) else { continue };
                let [item] = &**items else { continue };
                let second = atoms::second(place, schema, item);
                items.push(second);
                if let Some(proved) = self.proof_of(&object, wanted) {
                    return Some(proved);
                }
            }
        }
        None
    }

    /// Tries the same value in all places that rules compare with each other.
    fn siblings(
        &mut self,
        place: &Place<'_>,
        atoms: &[(Atom, bool)],
        end: usize,
        wanted: &Wanted<'_>,
    ) -> Option<Proved> {
        let siblings = atoms::siblings(place, self.old.schema(self.version), self.new.schema(self.version));
        for base in self.bases.clone() {
            for (atom, _) in atoms.iter().take(QUICK).filter(|_| !siblings.is_empty()) {
                if self.is_over(end, wanted) {
                    return None;
                }
                let Some(mut object) = self.with(&base, atom) else { continue };
                for sibling in &siblings {
                    let other = Atom { at: sibling.clone(), value: atom.value.clone() };
                    object = self.with(&object, &other).unwrap_or(object);
                }
                if let Some(proved) = self.proof_of(&object, wanted) {
                    return Some(proved);
                }
            }
        }
        None
    }

    /// Tries atoms together with values of what the junctors and rules around the place mention.
    fn pairs(
        &mut self,
        place: &Place<'_>,
        atoms: &[(Atom, bool)],
        end: usize,
        wanted: &Wanted<'_>,
    ) -> Option<Proved> {
        let schemas = self.old.schema(self.version).zip(self.new.schema(self.version));
        let partners = schemas.map(|(old, new)| atoms::partners(place, old, new)).unwrap_or_default();
        let around: Vec<Value> = self
            .bases
            .iter()
            .take(MOST_BASES)
            .flat_map(|base| partners.iter().filter_map(|partner| self.with(base, partner)))
            .collect();
        let inside = partners.iter().filter(|atom| atom.value.is_some() && is_inside(atom, place));
        let inside = inside.map(|atom| (atom, true));
        let others = atoms.iter().take(MOST_PAIRED).map(|(atom, may_repair)| (atom, *may_repair));
        let mut repairs = 0;
        for (atom, may_repair) in inside.chain(others) {
            for base in &around {
                if self.is_over(end, wanted) {
                    return None;
                }
                let Some(object) = self.with(base, atom) else { continue };
                self.count(&object);
                let is_fine = self.old.create(self.version, &object).is_fine();
                if !is_fine && (!may_repair || repairs == MOST_REPAIRS) {
                    continue;
                }
                let object = if is_fine {
                    object
                } else {
                    repairs += 1;
                    let Some(repaired) = self.repaired(object, atom) else { continue };
                    repaired
                };
                if let Some(proved) = self.proof(&object, wanted) {
                    return Some(proved);
                }
            }
        }
        None
    }

    /// Tries several atoms at once, at least as many as `least`.
    fn mixed(
        &mut self,
        atoms: &[(Atom, bool)],
        least: usize,
        end: usize,
        wanted: &Wanted<'_>,
    ) -> Option<Proved> {
        while !self.is_over(end, wanted) && atoms.len() >= least && !self.bases.is_empty() {
            let mut object = self.bases[self.random.below(self.bases.len())].clone();
            for _ in 0..least + self.random.below(MOST_AT_ONCE + 1 - least) {
                let (atom, _) = &atoms[self.random.below(atoms.len())];
                if let Some(changed) = self.with(&object, atom) {
                    object = changed;
                }
            }
            if let Some(proved) = self.proof_of(&object, wanted) {
                return Some(proved);
            }
        }
        None
    }

    /// Tries each atom in each object. Sets whether the old side accepts one of them.
    fn each_atom(
        &mut self,
        bases: &[Value],
        atoms: &[(Atom, bool)],
        end: usize,
        wanted: &Wanted<'_>,
        is_accepted: &mut bool,
    ) -> Option<Proved> {
        for base in bases {
            for (atom, may_repair) in atoms {
                if self.is_over(end, wanted) {
                    return None;
                }
                let Some(object) = self.with(base, atom) else { continue };
                self.count(&object);
                let accepted = match self.old.create(self.version, &object).is_fine() {
                    true => Some(object),
                    false if *may_repair => {
                        let repaired = self.repaired(object, atom);
                        // The repair does not write the status.
                        repaired.filter(|object| self.old.create(self.version, object).is_fine())
                    }
                    false => None,
                };
                let Some(object) = accepted else { continue };
                *is_accepted |= atom.value.is_some();
                if let Some(found) =
                    self.rejects(&object, wanted).and_then(|it| self.alone(&object, it, wanted))
                {
                    return Some(self.proved(object, found, wanted));
                }
            }
        }
        None
    }

    /// Searches for an update that only the new side rejects because of a place.
    fn edit(&mut self, place: &Place<'_>, wanted: &Wanted<'_>) -> Option<Proved> {
        let end = self.tried + self.budget.of_change / 2;
        if self.is_over(end, wanted) {
            return None;
        }
        let atoms = self.ordered(place);
        let mut stored: Vec<Value> = self.bases.clone();
        for (atom, may_repair) in atoms.iter().take(MOST_STORED) {
            if self.is_over(end, wanted) {
                return None;
            }
            let made = self.bases.first().and_then(|base| self.with(base, atom));
            let repaired = made.filter(|_| *may_repair).and_then(|object| self.repaired(object, atom));
            stored.extend(repaired.filter(|it| !stored.contains(it)));
        }
        // A rule may reject what does not change, because it compares the value with the old one.
        for before in &stored {
            if self.is_over(end, wanted) {
                return None;
            }
            let after = touched(before);
            self.count(&after);
            if let Some(found) = self.update_flips(before, &after, wanted) {
                let request = update(before.clone(), after, found.is_of_status);
                return Some(self.found(Class::Stuck, request, found.errors));
            }
        }
        // Pairs that are close in the order come first.
        for distance in 0..atoms.len() {
            for (number, before) in stored.iter().enumerate() {
                let Some((atom, _)) = atoms.get((number + distance) % atoms.len()) else { continue };
                if self.is_over(end, wanted) {
                    return None;
                }
                let Some(after) = self.with(before, atom).filter(|after| after != before) else { continue };
                self.count(&after);
                if let Some(found) = self.update_flips(before, &after, wanted) {
                    if let Some(proved) = self.proof(&after, wanted) {
                        return Some(proved);
                    }
                    let request = update(before.clone(), after, found.is_of_status);
                    return Some(self.found(Class::OnEdit, request, found.errors));
                }
            }
        }
        None
    }

    /// Searches in random objects, and in those with several changes at once.
    pub(crate) fn random(&mut self, places: &[Place<'_>], wanted: &Wanted<'_>) -> Option<Proved> {
        let end = self.tried + self.budget.of_change / 2;
        let schema = self.old.schema(self.version)?;
        for number in 0..RANDOM.min(self.budget.of_change) {
            let base = self.bases.get(number % self.bases.len().max(1))?.clone();
            if self.is_over(end, wanted) {
                return None;
            }
            let mut made = random::value(schema, Some(&base), &mut self.random);
            made.iter_mut().for_each(json::read_back);
            let Some(Value::Map(made)) = made else {
                self.count(&base);
                continue;
            };
            let mut object = base;
            if let Some(map) = object.as_map_mut() {
                let own =
                    made.iter().filter(|(name, _)| !matches!(*name, "apiVersion" | "kind" | "metadata"));
                own.for_each(|(name, value)| _ = map.insert(name, value.clone()));
            }
            if let Some(proved) = self.proof_of(&object, wanted) {
                return Some(proved);
            }
        }
        let atoms: Vec<(Atom, bool)> = places.iter().flat_map(atoms::of).map(|atom| (atom, false)).collect();
        self.mixed(&atoms, 1, end, wanted)
    }

    /// The atoms of a place, and whether an object with each may be worth a repair. Those that the new schema rejects by
    /// itself come first.
    fn ordered(&self, place: &Place<'_>) -> Vec<(Atom, bool)> {
        let validator = |schema| Validator::new(schema, Server::NEWEST);
        let (old, new) = (place.old.map(validator), place.new.map(validator));
        let is_valid = |side: &Option<Validator<'_>>, value: &Value| {
            side.as_ref().is_none_or(|it| it.validate(value, &Path::ROOT).is_empty())
        };
        let schemas = self.old.schema(self.version).zip(self.new.schema(self.version));
        let twins =
            schemas.filter(|_| place.new.is_none()).and_then(|(old, new)| atoms::twins(place, old, new));
        let defaulted = schemas.map(|(old, new)| atoms::defaulted(place, old, new)).unwrap_or_default();
        let has_other_default = !defaulted.is_empty();
        let missing = place.missing.map(|name| Atom { at: place.field(name).steps, value: None });
        let mut out: Vec<(Atom, bool, bool)> = missing
            .clone()
            .into_iter()
            .chain(twins)
            .chain(defaulted)
            .chain(atoms::of(place))
            .map(|atom| match &atom.value {
                Some(value) if atom.at == place.steps => {
                    let (before, after) = (is_valid(&old, value), is_valid(&new, value));
                    (atom, before, before && !after)
                }
                Some(_) => {
                    let is_around = has_other_default && place.steps.starts_with(&atom.at);
                    (atom, true, is_around)
                }
                None => {
                    let is_of_place = has_other_default && atom.at == place.steps;
                    let is_likely = is_of_place || missing.as_ref() == Some(&atom);
                    (atom, true, is_likely)
                }
            })
            .collect();
        // The old schema may not have a place for it.
        out.retain(|(atom, ..)| self.has_place(atom));
        out.sort_by_key(|(_, _, is_likely)| !is_likely);
        out.into_iter().map(|(atom, may_repair, _)| (atom, may_repair)).collect()
    }

    /// Whether [`Search::with`] can make such a change.
    fn has_place(&self, atom: &Atom) -> bool {
        match &*atom.at {
            [] => false,
            [Step::Key(around), Step::Key(_)] if around == "metadata" => atom.value.is_some(),
            [Step::Key(name)] if is_frame(name) => false,
            at => atom.value.is_none() || self.old.samples.has_place(self.version, at),
        }
    }

    /// Changes an object. The fields that all objects have stay.
    fn with(&self, base: &Value, atom: &Atom) -> Option<Value> {
        match &*atom.at {
            [] => None,
            // Schemas need not list the metadata, which all objects have.
            [Step::Key(around), Step::Key(name)] if around == "metadata" => {
                let mut out = base.clone();
                let metadata = out.at_mut(&atom.at[..1])?.as_map_mut()?;
                metadata.insert(name.as_str(), atom.value.clone()?);
                Some(out)
            }
            [Step::Key(name)] if is_frame(name) => None,
            at => self.old.samples.with(self.version, base, at, atom.value.clone()),
        }
    }

    /// Tries an object: counts it, and returns what it proves.
    fn proof_of(&mut self, object: &Value, wanted: &Wanted<'_>) -> Option<Proved> {
        self.count(object);
        self.proof(object, wanted)
    }

    /// What an object proves, if only the new side rejects it, and only because of the change.
    fn proof(&self, object: &Value, wanted: &Wanted<'_>) -> Option<Proved> {
        let found = self.flips(object, wanted).and_then(|found| self.alone(object, found, wanted))?;
        Some(self.proved(object.clone(), found, wanted))
    }

    fn alone(&self, object: &Value, found: Found, wanted: &Wanted<'_>) -> Option<Found> {
        wanted.alone(found, self.tried, || Asked::Create(object.clone()))
    }

    /// The errors with which only the new side rejects an object, if one is wanted.
    fn flips(&self, object: &Value, wanted: &Wanted<'_>) -> Option<Found> {
        if !self.old.create(self.version, object).is_fine() {
            return None;
        }
        self.rejects(object, wanted)
    }

    /// The errors of the new side, if one is wanted.
    fn rejects(&self, object: &Value, wanted: &Wanted<'_>) -> Option<Found> {
        let answer = self.new.create(self.version, object);
        let asked = || Asked::Create(object.clone());
        wanted.found(&answer, asked).filter(|_| self.was_accepted(&asked()))
    }

    /// Whether the version of the old CRD accepts a request, if objects of another version are searched.
    fn was_accepted(&self, asked: &Asked) -> bool {
        self.was.is_none_or(|was| was.answer(self.version, asked).errors.is_empty())
    }

    /// The errors with which only the new side rejects an edit, if one is wanted, and only because of the change.
    fn update_flips(&self, before: &Value, after: &Value, wanted: &Wanted<'_>) -> Option<Found> {
        let is_stored = |side: &Side, object: &Value| side.create(self.version, object).errors.is_empty();
        let found = self.update_fails(before, after, wanted)?;
        let is_edit = is_stored(self.old, before)
            && is_stored(self.new, before)
            && self.old.update(self.version, before, after).is_fine();
        let found = Some(found).filter(|_| is_edit)?;
        wanted.alone(found, self.tried, || Asked::Update(before.clone(), after.clone()))
    }

    /// The errors with which the new side rejects an update, if one is wanted.
    fn update_fails(&self, before: &Value, after: &Value, wanted: &Wanted<'_>) -> Option<Found> {
        let answer = self.new.update(self.version, before, after);
        let asked = || Asked::Update(before.clone(), after.clone());
        wanted.found(&answer, asked).filter(|_| self.was_accepted(&asked()))
    }

    /// Makes a witness as small as possible.
    fn proved(&self, object: Value, found: Found, wanted: &Wanted<'_>) -> Proved {
        let schemas = [self.old, self.new].map(|side| side.schema(self.version));
        let mut smallest = found.clone();
        let end = self.budget.cost().saturating_add(self.budget.part());
        let mut is_witness = |smaller: &Value| {
            let may_ask = self.budget.cost() < end;
            let other = may_ask.then(|| self.flips(smaller, wanted)).flatten();
            let other = other.filter(|other| is_as_good(other, &found));
            let is_witness = other.is_some();
            other.into_iter().for_each(|other| smallest = other);
            is_witness
        };
        let object = shrink(object, schemas, &mut is_witness);
        self.as_it_is(object, smallest, wanted)
    }

    /// Finds out whether a stored object like a witness is stuck. `found` is why the new side rejects the witness.
    fn as_it_is(&self, object: Value, found: Found, wanted: &Wanted<'_>) -> Proved {
        let touched = touched(&object);
        // If the server accepts an edit of the metadata, it also accepts an update that changes nothing.
        let is_stuck = self.update_fails(&object, &touched, wanted).is_some();
        for after in [object.clone(), touched].into_iter().filter(|_| is_stuck) {
            let other =
                self.update_fails(&object, &after, wanted).filter(|other| other.is_alone >= found.is_alone);
            if let Some(other) = other
                && self.old.update(self.version, &object, &after).is_fine()
            {
                return self.found(Class::Stuck, update(object, after, other.is_of_status), other.errors);
            }
        }
        let Found { errors, is_of_status, .. } = found;
        let request = match is_of_status {
            true => Request::UpdateStatus { stored: without_status(&object), object },
            false => Request::Create { object },
        };
        self.found(Class::Breaking, request, errors)
    }

    fn found(&self, class: Class, request: Request, errors: Vec<Diag>) -> Proved {
        let words = errors.iter().map(Diag::text).collect();
        Proved {
            class,
            witness: Witness { request, words, tried: self.tried },
            error: errors.into_iter().next(),
        }
    }
}

/// Whether an atom changes something inside of the value at a place.
fn is_inside(atom: &Atom, place: &Place<'_>) -> bool {
    atom.at.len() > place.steps.len() && atom.at.starts_with(&place.steps)
}

fn is_frame(name: &str) -> bool {
    matches!(name, "apiVersion" | "kind" | "metadata")
}

/// Whether an object proves a change in the same way as another one.
fn is_as_good(found: &Found, other: &Found) -> bool {
    let code = |it: &Found| it.errors.first().map(|error| error.code.id);
    code(found) == code(other) && found.is_alone >= other.is_alone
}

/// Whether an update changes nothing but what [`touched`] does.
fn is_touched(before: &Value, after: &Value) -> bool {
    *after == touched(before)
}

fn update(stored: Value, object: Value, is_of_status: bool) -> Request {
    match is_of_status {
        true => Request::UpdateStatus { stored, object },
        false => Request::Update { stored, object },
    }
}

/// The same object with an annotation, as after `kubectl annotate`.
fn touched(object: &Value) -> Value {
    let mut out = object.clone();
    if let Some(metadata) = out.at_mut(&[Step::Key("metadata".to_owned())]).and_then(Value::as_map_mut) {
        let note = [("example.com/note".to_owned(), Value::from("touched"))];
        metadata.insert("annotations", Value::Map(note.into_iter().collect()));
    }
    out
}
