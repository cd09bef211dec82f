//! What is tried at a place. An object may have hundreds of rules, and a change for each of them, so what is the same for all changes of a
//! place is found once.

use std::collections::HashMap;
use std::rc::Rc;

use crdgen_core::object::validate::Validator;
use crdgen_core::path::{Path, Step};
use crdgen_core::rules::reads::is_built_in;
use crdgen_core::server::Server;
use crdgen_core::value::Value;

use super::Search;
use crate::atoms::{self, Atom, Readers, Reads};
use crate::place::Place;

/// A place, and its field without which objects are of interest.
type Key<'s> = (Vec<Step>, Option<&'s str>);

/// Atoms, and whether an object with each may be worth a repair.
type Rated = Rc<[(Atom, bool)]>;

/// What is tried at places, by their steps.
#[derive(Default)]
pub(super) struct Known<'s> {
    reads: Reads<'s>,
    atoms: HashMap<Key<'s>, Rated>,
    partners: HashMap<Vec<Step>, Rc<[Atom]>>,
    siblings: HashMap<Vec<Step>, Rc<[Vec<Step>]>>,
}

/// Which atoms of a place are likely to matter.
#[derive(Default)]
struct Hints {
    missing: Option<Atom>,
    /// Whether the schemas have other defaults, or only one of them keeps nulls.
    is_other_if_absent: bool,
}

impl<'s> Search<'s> {
    /// The atoms of a place, and whether an object with each may be worth a repair. Those of its rule come first, and then those that the
    /// new schema rejects by itself.
    pub(super) fn ordered(&mut self, place: &Place<'s>) -> Rated {
        let key = (place.steps.clone(), place.missing);
        let all = match self.known.atoms.get(&key) {
            Some(known) => Rc::clone(known),
            None => {
                let all: Rated = self.all(place).into();
                self.known.atoms.insert(key, Rc::clone(&all));
                all
            }
        };
        let Some(rule) = place.rule else { return all };
        let own = atoms::of_rule(place, rule, &mut self.known.reads);
        let mut out = self.rated(place, own, &Hints::default());
        let others = all.iter().filter(|(atom, _)| !out.iter().any(|(own, _)| own == atom));
        let others: Vec<(Atom, bool)> = others.cloned().collect();
        out.extend(others);
        out.into()
    }

    /// The values of what junctors and rules mention together with a place. Those of its rule come first.
    pub(super) fn partners(&mut self, place: &Place<'s>) -> Vec<Atom> {
        let Some((old, new)) = self.schemas() else { return Vec::new() };
        let reads = &mut self.known.reads;
        let mut out = place.rule.map(|rule| atoms::partners_of_rule(place, rule, reads)).unwrap_or_default();
        let known = self.known.partners.entry(place.steps.clone());
        let all = known.or_insert_with(|| atoms::partners(place, old, new, reads).into());
        let others: Vec<Atom> = all.iter().filter(|atom| !out.contains(atom)).cloned().collect();
        out.extend(others);
        out
    }

    /// The places of the same type that rules around a place read together with it.
    pub(super) fn siblings_of(&mut self, place: &Place<'s>) -> Rc<[Vec<Step>]> {
        let Some((old, new)) = self.schemas() else { return Rc::default() };
        let Known { reads, siblings, .. } = &mut self.known;
        let known = siblings.entry(place.steps.clone());
        Rc::clone(known.or_insert_with(|| atoms::siblings(place, old, new, reads).into()))
    }

    /// Whether a rule of a place, or around it, compares values with old ones.
    pub(super) fn has_old(&mut self, place: &Place<'s>) -> bool {
        let Some((old, new)) = self.schemas() else { return false };
        atoms::are_compared_with_old(place, old, new, &mut self.known.reads)
    }

    /// Whether the default of a place, which changes, may make the new side reject objects without a value.
    pub(crate) fn is_default_read(&mut self, place: &Place<'s>) -> bool {
        let Some((old, new)) = self.schemas() else { return false };
        match atoms::readers(place, old, new, &mut self.known.reads) {
            Readers::None => false,
            Readers::Alone => !self.accepts_default(place),
            Readers::Others => true,
        }
    }

    /// Whether the new side accepts an object in which it fills in the default of a place.
    fn accepts_default(&self, place: &Place<'s>) -> bool {
        let default = place.schemas().filter_map(|schema| schema.default.clone()).next();
        let filled = Atom { at: place.steps.clone(), value: default };
        let absent = Atom { at: place.steps.clone(), value: None };
        let mut objects = self.bases.iter().filter_map(|base| self.with(&self.with(base, &filled)?, &absent));
        objects.any(|object| self.new.create(self.version, &object).is_fine())
    }

    /// The atoms of a place, whatever its rule.
    fn all(&mut self, place: &Place<'s>) -> Vec<(Atom, bool)> {
        let schemas = self.schemas();
        let twins =
            schemas.filter(|_| place.new.is_none()).and_then(|(old, new)| atoms::twins(place, old, new));
        let absent = schemas.map(|(old, new)| atoms::absent(place, old, new)).unwrap_or_default();
        let missing = place.missing.map(|name| Atom { at: place.field(name).steps, value: None });
        let reads = &mut self.known.reads;
        let around = schemas.map(|(old, new)| atoms::of_around(place, old, new, reads)).unwrap_or_default();
        let is_other_if_absent = !absent.is_empty();
        let mut all: Vec<Atom> = missing.clone().into_iter().chain(twins).chain(absent).collect();
        all.extend(atoms::of(place));
        let more: Vec<Atom> = around.into_iter().filter(|atom| !all.contains(atom)).collect();
        all.extend(more);
        self.rated(place, all, &Hints { missing, is_other_if_absent })
    }

    /// Says for each atom whether an object with it may be worth a repair. Those that are likely to matter come first.
    fn rated(&self, place: &Place<'s>, all: Vec<Atom>, hints: &Hints) -> Vec<(Atom, bool)> {
        let patterns = place.examples.patterns();
        let validator = |schema| Validator::sharing(schema, Server::NEWEST, patterns);
        let (old, new) = (place.old.map(validator), place.new.map(validator));
        let is_valid = |side: &Option<Validator<'_>>, value: &Value| {
            side.as_ref().is_none_or(|it| it.validate(value, &Path::ROOT).is_empty())
        };
        let rated = |atom: Atom| match &atom.value {
            Some(value) if atom.at == place.steps => {
                let (before, after) = (is_valid(&old, value), is_valid(&new, value));
                (atom, before, before && !after)
            }
            Some(_) => {
                let is_around = hints.is_other_if_absent && place.steps.starts_with(&atom.at);
                (atom, true, is_around)
            }
            None => {
                let is_of_place = hints.is_other_if_absent && atom.at == place.steps;
                let is_likely = is_of_place || hints.missing.as_ref() == Some(&atom);
                (atom, true, is_likely)
            }
        };
        // The old schema may not have a place for it.
        let mut out: Vec<(Atom, bool, bool)> =
            all.into_iter().filter(|atom| self.has_place(atom)).map(rated).collect();
        out.sort_by_key(|(_, _, is_likely)| !is_likely);
        out.into_iter().map(|(atom, may_repair, _)| (atom, may_repair)).collect()
    }

    /// Whether [`Search::with`] can make such a change.
    fn has_place(&self, atom: &Atom) -> bool {
        match &*atom.at {
            [] => false,
            [Step::Key(around), Step::Key(_)] if around == "metadata" => atom.value.is_some(),
            [Step::Key(name)] if is_built_in(name) => false,
            at => atom.value.is_none() || self.old.samples.has_place(self.version, at),
        }
    }

    /// Changes an object. The fields that all objects have stay.
    pub(super) fn with(&self, base: &Value, atom: &Atom) -> Option<Value> {
        match &*atom.at {
            [] => None,
            // Schemas need not list the metadata, which all objects have.
            [Step::Key(around), Step::Key(name)] if around == "metadata" => {
                let mut out = base.clone();
                let metadata = out.at_mut(&atom.at[..1])?.as_map_mut()?;
                metadata.insert(name.as_str(), atom.value.clone()?);
                Some(out)
            }
            [Step::Key(name)] if is_built_in(name) => None,
            at => self.old.samples.with(self.version, base, at, atom.value.clone()),
        }
    }
}
