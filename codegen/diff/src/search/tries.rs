//! The ways to try objects and updates.

use crdgen_core::compare::changes::Class;
use crdgen_core::json;
use crdgen_core::path::Step;
use crdgen_core::sample::random;
use crdgen_core::value::Value;

use std::collections::HashSet;

use super::witness::{touched, update};
use super::{MOST_AT_ONCE, Proved, QUICK, Search};
use crate::atoms::{self, Atom};
use crate::place::Place;
use crate::side::Asked;
use crate::wanted::Wanted;

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

impl<'s> Search<'s> {
    /// Tries single atoms.
    pub(super) fn singles(
        &mut self,
        atoms: &[(Atom, bool)],
        end: usize,
        wanted: &Wanted<'_>,
    ) -> Option<Proved> {
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
    pub(super) fn doubled(
        &mut self,
        place: &Place<'s>,
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
    pub(super) fn siblings(
        &mut self,
        place: &Place<'s>,
        atoms: &[(Atom, bool)],
        end: usize,
        wanted: &Wanted<'_>,
    ) -> Option<Proved> {
        let siblings = self.siblings_of(place);
        for base in self.bases.clone() {
            for (atom, _) in atoms.iter().take(QUICK).filter(|_| !siblings.is_empty()) {
                if self.is_over(end, wanted) {
                    return None;
                }
                let Some(mut object) = self.with(&base, atom) else { continue };
                for sibling in &*siblings {
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
    pub(super) fn pairs(
        &mut self,
        place: &Place<'s>,
        atoms: &[(Atom, bool)],
        end: usize,
        wanted: &Wanted<'_>,
    ) -> Option<Proved> {
        let partners = self.partners(place);
        let bases = self.bases.iter().take(MOST_BASES).cloned().collect::<Vec<Value>>();
        let this = &*self;
        let with = |base| {
            partners.iter().filter_map(move |partner| Some((base, partner, this.with(base, partner)?)))
        };
        let around: Vec<(&Value, &Atom, Value)> = bases.iter().flat_map(with).collect();
        let inside = partners.iter().filter(|atom| atom.value.is_some() && is_inside(atom, place));
        let inside = inside.map(|atom| (atom, true));
        let others = atoms.iter().take(MOST_PAIRED).map(|(atom, may_repair)| (atom, *may_repair));
        let mut repairs = 0;
        for (atom, may_repair) in inside.chain(others) {
            for (base, partner, with_partner) in &around {
                if self.is_over(end, wanted) {
                    return None;
                }
                // What is inside of the other one is set after it.
                let is_inside = partner.at.len() > atom.at.len() && partner.at.starts_with(&atom.at);
                let object = match is_inside {
                    true => self.with(base, atom).and_then(|object| self.with(&object, partner)),
                    false => self.with(with_partner, atom),
                };
                let Some(object) = object else { continue };
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
    pub(super) fn mixed(
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
    pub(super) fn edit(&mut self, place: &Place<'s>, end: usize, wanted: &Wanted<'_>) -> Option<Proved> {
        if self.is_over(end, wanted) {
            return None;
        }
        let atoms = self.ordered(place);
        let mut stored: Vec<Value> = self.bases.clone();
        for (atom, may_repair) in atoms.iter().take(MOST_STORED) {
            if self.is_over(end, wanted) {
                return None;
            }
            // Only a larger object may have what is to be absent.
            let base = if atom.value.is_some() { self.bases.first() } else { self.bases.last() };
            let made = base.and_then(|base| self.with(base, atom));
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
    pub(crate) fn random(&mut self, places: &[Place<'s>], wanted: &Wanted<'_>) -> Option<Proved> {
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
        let mut seen: HashSet<&[Step]> = HashSet::new();
        let places = places.iter().filter(|place| seen.insert(&place.steps));
        let atoms: Vec<(Atom, bool)> = places.flat_map(atoms::of).map(|atom| (atom, false)).collect();
        self.mixed(&atoms, 1, end, wanted)
    }
}

/// Whether an atom changes something inside of the value at a place.
fn is_inside(atom: &Atom, place: &Place<'_>) -> bool {
    atom.at.len() > place.steps.len() && atom.at.starts_with(&place.steps)
}
