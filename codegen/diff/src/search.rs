//! Searches for a request that the server accepts with the old CRD and rejects with the new one.

use crdgen_core::compare::changes::Class;
use crdgen_core::compare::proof::{Request, Witness};
use crdgen_core::diag::Diag;
use crdgen_core::ir::Schema;
use crdgen_core::json;
use crdgen_core::object::validate::Validator;
use crdgen_core::path::{Path, Step};
use crdgen_core::sample::Extent;
use crdgen_core::sample::random::{self, Random};
use crdgen_core::server::Server;
use crdgen_core::value::Value;
use crdgen_core::walk::any_schema;

use crate::atoms::{self, Atom};
use crate::place::Place;
use crate::shrink::shrink;
use crate::side::{Answer, Side, without_status};

/// How many objects are checked to make the old side accept one.
const REPAIRS: usize = 60;

/// The maximum number of changes at once.
const MOST_AT_ONCE: usize = 4;

/// How many objects are tried before updates are tried.
const QUICK: usize = 100;

/// How many objects are tried for a change that should not break anything.
const HARMLESS: usize = 48;

/// How many changes may take the whole budget. All changes of a version share it, because updates may change thousands of fields.
const CHANGES: usize = 8;

/// What it costs to make the old side accept an object, compared with trying one.
const REPAIR: usize = 8;

/// How many values of an object and fields of a schema are checked for the price of one object: an object may contain a large
/// default, and lack many required fields.
const VALUES: usize = 500;

/// The maximum number of atoms, and of bases, that are combined with other values, and how many of these objects are repaired.
const MOST_PAIRED: usize = 12;
const MOST_BASES: usize = 2;
const MOST_REPAIRS: usize = 24;

/// How often a random object is made.
const RANDOM: usize = 60;

/// Searches in one version of a kind.
pub(crate) struct Search<'s> {
    old: &'s Side,
    new: &'s Side,
    version: &'s str,
    /// Small objects that the old side accepts. Those that the new side also accepts come first.
    bases: Vec<Value>,
    /// Whether these are larger examples, too.
    has_larger: bool,
    budget: usize,
    random: Random,
    /// The number of objects that were tried for the current change.
    tried: usize,
    /// How many more objects may be tried for all changes.
    left: usize,
    /// How many values defaults may add to an object.
    defaults: usize,
    /// How many fields the schemas have.
    fields: usize,
}

/// A witness, and what it means.
pub(crate) struct Proved {
    pub(crate) class: Class,
    pub(crate) witness: Witness,
    /// The first error.
    pub(crate) error: Option<Diag>,
}

impl<'s> Search<'s> {
    pub(crate) fn new(old: &'s Side, new: &'s Side, version: &'s str, budget: usize) -> Search<'s> {
        let mut out = Search {
            old,
            new,
            version,
            bases: Vec::new(),
            has_larger: false,
            budget,
            random: Random::new(0),
            tried: 0,
            left: budget.saturating_mul(CHANGES),
            defaults: [old, new]
                .into_iter()
                .filter_map(|it| it.schema(version))
                .map(values_of_defaults)
                .sum(),
            fields: [old, new].into_iter().filter_map(|it| it.schema(version)).map(fields_of).sum(),
        };
        out.add_bases(Extent::Minimal);
        if !out.can_search() {
            out.add_bases(Extent::Full);
        }
        out.bases.sort_by_key(|base| !new.create(version, base).errors.is_empty());
        out
    }

    /// Adds the examples of both sides that the old side accepts.
    fn add_bases(&mut self, extent: Extent) {
        let examples = [self.old, self.new].map(|side| side.samples.object(self.version, extent));
        for base in examples.into_iter().flatten() {
            if self.old.create(self.version, &base).is_fine() && !self.bases.contains(&base) {
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
        self.bases[before..].to_vec()
    }

    /// Whether the old side accepts an object that can be searched from.
    pub(crate) fn can_search(&self) -> bool {
        !self.bases.is_empty()
    }

    /// Returns the number of objects that were tried since the last call.
    pub(crate) fn take_tried(&mut self) -> usize {
        std::mem::take(&mut self.tried)
    }

    /// Counts an object that is tried.
    fn count(&mut self, object: &Value) {
        self.tried += 1;
        self.left = self.left.saturating_sub(self.price(object));
    }

    /// What it costs to try an object.
    fn price(&self, object: &Value) -> usize {
        1 + (values_in(object) + self.defaults + self.fields) / VALUES
    }

    /// Whether the search must stop: for one change, or for all of them.
    fn is_over(&self, end: usize) -> bool {
        self.tried >= end || self.left == 0
    }

    /// Makes the old side accept an object.
    fn repaired(&mut self, object: Value, atom: &Atom) -> Option<Value> {
        self.left = self.left.saturating_sub(self.price(&object).saturating_mul(REPAIR));
        self.old.samples.accepted_around(self.version, object, &atom.at, REPAIRS)
    }

    /// Tries objects that proved the same change of other objects.
    pub(crate) fn again(&mut self, known: &[Value], is_wanted: &dyn Fn(&Diag) -> bool) -> Option<Proved> {
        known.iter().find_map(|object| {
            self.count(object);
            let errors = self.flips(object, is_wanted)?;
            Some(self.as_it_is(object.clone(), errors, is_wanted))
        })
    }

    /// Searches for a request that fails with an error that is wanted. `class` is what is expected.
    pub(crate) fn prove(
        &mut self,
        place: &Place<'_>,
        class: Class,
        is_wanted: &dyn Fn(&Diag) -> bool,
    ) -> Option<Proved> {
        // Single values suffice for most changes. Updates are next, because only they break a rule that reads the old value.
        let quick = (class != Class::OnEdit).then(|| self.creates(place, QUICK.min(self.budget), is_wanted));
        quick
            .flatten()
            .or_else(|| self.edit(place, is_wanted))
            .or_else(|| self.creates(place, self.budget, is_wanted))
    }

    /// Tries a few objects for a change that should not break anything.
    pub(crate) fn survives(&mut self, place: &Place<'_>, is_new: &dyn Fn(&Diag) -> bool) -> Option<Proved> {
        let atoms = self.ordered(place);
        let most = HARMLESS.min(self.budget);
        self.singles(&atoms, self.tried + most, is_new)
            .or_else(|| self.pairs(place, &atoms, self.tried + most, is_new))
            .or_else(|| self.mixed(&atoms, 2, self.tried + most / 2, is_new))
    }

    /// Searches for an object that only the new side rejects, with an error that is wanted.
    fn creates(
        &mut self,
        place: &Place<'_>,
        budget: usize,
        is_wanted: &dyn Fn(&Diag) -> bool,
    ) -> Option<Proved> {
        let end = self.tried + budget;
        if self.is_over(end) {
            return None;
        }
        let atoms = self.ordered(place);
        self.singles(&atoms, end, is_wanted)
            .or_else(|| self.siblings(place, &atoms, end, is_wanted))
            .or_else(|| self.pairs(place, &atoms, end, is_wanted))
            .or_else(|| self.mixed(&atoms, 2, end, is_wanted))
    }

    /// Tries single atoms.
    fn singles(
        &mut self,
        atoms: &[(Atom, bool)],
        end: usize,
        is_wanted: &dyn Fn(&Diag) -> bool,
    ) -> Option<Proved> {
        let bases = self.bases.clone();
        bases.first().into_iter().for_each(|base| self.count(base));
        let mut is_accepted = false;
        let found = self.each_atom(&bases, atoms, end, is_wanted, &mut is_accepted);
        if found.is_some() || is_accepted || self.is_over(end) {
            return found;
        }
        let larger = self.larger_bases();
        self.each_atom(&larger, atoms, end, is_wanted, &mut is_accepted)
    }

    /// Tries the same value in all places that rules compare with each other.
    fn siblings(
        &mut self,
        place: &Place<'_>,
        atoms: &[(Atom, bool)],
        end: usize,
        is_wanted: &dyn Fn(&Diag) -> bool,
    ) -> Option<Proved> {
        let siblings = atoms::siblings(place, self.old.schema(self.version), self.new.schema(self.version));
        for base in self.bases.clone() {
            for (atom, _) in atoms.iter().take(QUICK).filter(|_| !siblings.is_empty()) {
                if self.is_over(end) {
                    return None;
                }
                let Some(mut object) = self.with(&base, atom) else { continue };
                for sibling in &siblings {
                    let other = Atom { at: sibling.clone(), value: atom.value.clone() };
                    object = self.with(&object, &other).unwrap_or(object);
                }
                self.count(&object);
                if let Some(proved) = self.proof(object, is_wanted) {
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
        is_wanted: &dyn Fn(&Diag) -> bool,
    ) -> Option<Proved> {
        let schemas = self.old.schema(self.version).zip(self.new.schema(self.version));
        let partners = schemas.map(|(old, new)| atoms::partners(place, old, new)).unwrap_or_default();
        let around: Vec<Value> = self
            .bases
            .iter()
            .take(MOST_BASES)
            .flat_map(|base| partners.iter().filter_map(|partner| self.with(base, partner)))
            .collect();
        let mut repairs = 0;
        for (atom, may_repair) in atoms.iter().take(MOST_PAIRED) {
            for base in &around {
                if self.is_over(end) {
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
                if let Some(proved) = self.proof(object, is_wanted) {
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
        is_wanted: &dyn Fn(&Diag) -> bool,
    ) -> Option<Proved> {
        while !self.is_over(end) && atoms.len() >= least && !self.bases.is_empty() {
            let mut object = self.bases[self.random.below(self.bases.len())].clone();
            for _ in 0..least + self.random.below(MOST_AT_ONCE + 1 - least) {
                let (atom, _) = &atoms[self.random.below(atoms.len())];
                if let Some(changed) = self.with(&object, atom) {
                    object = changed;
                }
            }
            self.count(&object);
            if let Some(proved) = self.proof(object, is_wanted) {
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
        is_wanted: &dyn Fn(&Diag) -> bool,
        is_accepted: &mut bool,
    ) -> Option<Proved> {
        for base in bases {
            if let Some(found) = self.flips(base, is_wanted) {
                return Some(self.proved(base.clone(), found, is_wanted));
            }
            for (atom, may_repair) in atoms {
                if self.is_over(end) {
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
                if let Some(error) = self.rejects(&object, is_wanted) {
                    return Some(self.proved(object, error, is_wanted));
                }
            }
        }
        None
    }

    /// Searches for an update that only the new side rejects because of a place.
    fn edit(&mut self, place: &Place<'_>, is_wanted: &dyn Fn(&Diag) -> bool) -> Option<Proved> {
        let end = self.tried + self.budget / 2;
        if self.is_over(end) {
            return None;
        }
        let atoms = self.ordered(place);
        let mut stored: Vec<Value> = self.bases.clone();
        for (atom, may_repair) in &atoms {
            if self.is_over(end) {
                return None;
            }
            let made = self.bases.first().and_then(|base| self.with(base, atom));
            let repaired = made.filter(|_| *may_repair).and_then(|object| self.repaired(object, atom));
            stored.extend(repaired.filter(|it| !stored.contains(it)));
        }
        // A rule may reject what does not change, because it compares the value with the old one.
        for before in &stored {
            if self.is_over(end) {
                return None;
            }
            let after = touched(before);
            self.count(&after);
            if let Some((errors, is_of_status)) = self.update_flips(before, &after, is_wanted) {
                return Some(self.found(Class::Stuck, update(before.clone(), after, is_of_status), errors));
            }
        }
        // Pairs that are close in the order come first.
        for distance in 0..atoms.len() {
            for (number, before) in stored.iter().enumerate() {
                let Some((atom, _)) = atoms.get((number + distance) % atoms.len()) else { continue };
                if self.is_over(end) {
                    return None;
                }
                let Some(after) = self.with(before, atom).filter(|after| after != before) else { continue };
                self.count(&after);
                if let Some((errors, is_of_status)) = self.update_flips(before, &after, is_wanted) {
                    if let Some(errors) = self.flips(&after, is_wanted) {
                        return Some(self.proved(after, errors, is_wanted));
                    }
                    let request = update(before.clone(), after, is_of_status);
                    return Some(self.found(Class::OnEdit, request, errors));
                }
            }
        }
        None
    }

    /// Searches in random objects, and in those with several changes at once.
    pub(crate) fn random(&mut self, places: &[Place<'_>], is_new: &dyn Fn(&Diag) -> bool) -> Option<Proved> {
        let end = self.tried + self.budget / 2;
        let schema = self.old.schema(self.version)?;
        for number in 0..RANDOM.min(self.budget) {
            let base = self.bases.get(number % self.bases.len().max(1))?.clone();
            if self.is_over(end) {
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
            self.count(&object);
            if let Some(proved) = self.proof(object, is_new) {
                return Some(proved);
            }
        }
        let atoms: Vec<(Atom, bool)> = places.iter().flat_map(atoms::of).map(|atom| (atom, false)).collect();
        self.mixed(&atoms, 1, end, is_new)
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
        let mut out: Vec<(Atom, bool, bool)> = twins
            .into_iter()
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
                    let is_of_place = atom.at == place.steps;
                    (atom, true, has_other_default && is_of_place)
                }
            })
            .collect();
        // The old schema may not have a place for it.
        out.retain(|(atom, ..)| self.bases.iter().any(|base| self.with(base, atom).is_some()));
        out.sort_by_key(|(_, _, is_likely)| !is_likely);
        out.into_iter().map(|(atom, may_repair, _)| (atom, may_repair)).collect()
    }

    /// Changes an object. The fields that all objects have stay.
    fn with(&self, base: &Value, atom: &Atom) -> Option<Value> {
        let is_frame = |name: &str| matches!(name, "apiVersion" | "kind" | "metadata");
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

    /// What an object proves, if only the new side rejects it.
    fn proof(&self, object: Value, is_wanted: &dyn Fn(&Diag) -> bool) -> Option<Proved> {
        let errors = self.flips(&object, is_wanted)?;
        Some(self.proved(object, errors, is_wanted))
    }

    /// The first wanted error with which only the new side rejects an object.
    fn flips(&self, object: &Value, is_wanted: &dyn Fn(&Diag) -> bool) -> Option<Vec<Diag>> {
        if !self.old.create(self.version, object).is_fine() {
            return None;
        }
        self.rejects(object, is_wanted)
    }

    /// The errors of the new side, if one is wanted. That one comes first.
    fn rejects(&self, object: &Value, is_wanted: &dyn Fn(&Diag) -> bool) -> Option<Vec<Diag>> {
        first_wanted(self.new.create(self.version, object), is_wanted).map(|(errors, _)| errors)
    }

    /// The errors with which only the new side rejects an edit, if one is wanted, and whether they are of the status.
    fn update_flips(
        &self,
        before: &Value,
        after: &Value,
        is_wanted: &dyn Fn(&Diag) -> bool,
    ) -> Option<(Vec<Diag>, bool)> {
        let is_stored = |side: &Side, object: &Value| side.create(self.version, object).errors.is_empty();
        let found = first_wanted(self.new.update(self.version, before, after), is_wanted)?;
        let is_edit = is_stored(self.old, before)
            && is_stored(self.new, before)
            && self.old.update(self.version, before, after).is_fine();
        is_edit.then_some(found)
    }

    /// Makes a witness as small as possible.
    fn proved(&self, object: Value, errors: Vec<Diag>, is_wanted: &dyn Fn(&Diag) -> bool) -> Proved {
        let code = errors.first().map(|error| error.code.id);
        let is_same = |error: &Diag| Some(error.code.id) == code && is_wanted(error);
        let schema = self.old.schema(self.version);
        let object = shrink(object, schema, &mut |smaller| self.flips(smaller, &is_same).is_some());
        self.as_it_is(object, errors, is_wanted)
    }

    /// Finds out whether a stored object like a witness is stuck.
    fn as_it_is(&self, object: Value, errors: Vec<Diag>, is_wanted: &dyn Fn(&Diag) -> bool) -> Proved {
        let code = errors.first().map(|error| error.code.id);
        let is_same = |error: &Diag| Some(error.code.id) == code && is_wanted(error);
        let touched = touched(&object);
        for after in [object.clone(), touched] {
            let answer = self.new.update(self.version, &object, &after);
            let Some((errors, is_of_status)) = first_wanted(answer, is_wanted) else { continue };
            if self.old.update(self.version, &object, &after).is_fine() {
                return self.found(Class::Stuck, update(object, after, is_of_status), errors);
            }
        }
        let answer = self.new.create(self.version, &object);
        let request = match answer.is_of_status {
            true => Request::UpdateStatus { stored: without_status(&object), object },
            false => Request::Create { object },
        };
        let errors = first_wanted(answer, &is_same).map_or(errors, |(errors, _)| errors);
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

/// How many schemas are in a schema.
fn fields_of(schema: &Schema) -> usize {
    1 + schema.parts().map(fields_of).sum::<usize>()
}

/// How many values the defaults of a schema have.
fn values_of_defaults(schema: &Schema) -> usize {
    let mut values = 0;
    any_schema(schema, &mut |schema| {
        values += schema.default.as_ref().map_or(0, values_in);
        false
    });
    values
}

/// How many values an object has.
fn values_in(value: &Value) -> usize {
    match value {
        Value::Map(map) => 1 + map.values().map(values_in).sum::<usize>(),
        Value::List(items) => 1 + items.iter().map(values_in).sum::<usize>(),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => 1,
    }
}

/// The errors of an answer, the first wanted one at the start, and whether they are of the status.
fn first_wanted(answer: Answer, is_wanted: &dyn Fn(&Diag) -> bool) -> Option<(Vec<Diag>, bool)> {
    let mut errors = answer.errors;
    let at = errors.iter().position(is_wanted)?;
    errors[..=at].rotate_right(1);
    Some((errors, answer.is_of_status))
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
