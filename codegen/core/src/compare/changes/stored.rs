//! Compares the versions in which objects are stored with the other versions of the new CRD, if the server changes nothing but
//! `apiVersion` when it converts an object.

use super::costs::Costs;
use super::{Change, Class, MOST, Out, Part};
use crate::compare::tighter::Comparisons;
use crate::ir::{Additional, Crd, Extensions, Items, Schema, Version};
use crate::path::{Path, Step};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// How many changes of pairs of schemas are kept at most.
const MOST_OF_PAIRS: usize = 10 * MOST;

/// Reports what clients of a version meet in objects that are stored in another one. What they met before the update is left
/// out, if the server converted objects in the same way.
pub(super) fn compare(old: &Crd, new: &Crd, was_plain: bool, versions: &Path<'_>, out: &mut Out) {
    let own = std::mem::take(&mut out.all);
    moved(old, new, versions, out);
    let mut pairs = Pairs::new(&out.comparisons);
    let [before, after] = [&old.spec, &new.spec]
        .map(|spec| (0..spec.versions.len()).map(|at| pairs.number(spec.schema_of(at)?)).collect::<Vec<_>>());
    let mut compared: HashSet<(usize, bool, usize)> = HashSet::new();
    let mut all: Vec<(&str, usize, bool, Asked)> = Vec::new();
    for from in written_versions(old) {
        let Some(index) = position(old, from) else { continue };
        let Some(was) = before[index] else { continue };
        let is_storage = old.spec.versions[index].storage;
        for (at, to) in new.spec.versions.iter().enumerate() {
            let Some(now) = after[at].filter(|_| to.served && to.name != from) else { continue };
            // What clients meet in objects of one version, they meet in those of another one with the same schema.
            if !compared.insert((was, is_storage, at)) {
                continue;
            }
            if pairs.reported > MOST_OF_PAIRS {
                pairs.is_full = true;
                break;
            }
            let own = position(old, &to.name).filter(|at| was_plain && old.spec.versions[*at].served);
            let asked = ((was, now), own.and_then(|at| before[at]));
            pairs.find_new(asked);
            // The storage version is compared with the previous one already.
            let is_moved = to.storage && old.spec.storage_version().is_some_and(|it| it.name == *from);
            all.push((from, at, is_moved, asked));
        }
    }
    out.is_full |= pairs.is_full;
    let relative = Path::ROOT.child(ROOT);
    let relative = (relative.to_string().len(), relative.steps().len());
    let (numbers, of_pairs) = pairs.numbers(relative.1);
    let known = own.iter().filter_map(|change| known_in(new, change));
    let mut seen: HashSet<(usize, usize)> =
        known.filter_map(|(at, key)| Some((at, *numbers.get(&key)?))).collect();
    for (from, at, is_moved, asked) in all {
        let root = versions.index(at);
        let root = root.child("schema");
        let root = root.child(ROOT);
        let (changes, numbers) = (&pairs.compared[&asked.0], &of_pairs[&asked.0]);
        let is_new = |index: &&usize| {
            let is_known = is_moved && changes[**index].class == Class::DataLoss;
            !is_known && !seen.contains(&(at, numbers[**index]))
        };
        let found: Vec<usize> = pairs.new[&asked].iter().filter(is_new).copied().collect();
        seen.extend(found.iter().map(|index| (at, numbers[*index])));
        for change in found.into_iter().map(|index| &changes[index]) {
            if out.has_room(change.class) {
                let version = Some(new.spec.versions[at].name.clone());
                let stored = Some(from.to_owned());
                out.all.push(Change { version, stored, ..change.moved(relative, &root) });
            }
        }
    }
    out.all.splice(..0, own);
}

/// The version of the new CRD whose own schema a change is in, and what identifies the change there.
fn known_in<'c>(new: &Crd, change: &'c Change) -> Option<(usize, Key<'c>)> {
    let at = position(new, change.version.as_deref()?)?;
    let [_, _, Step::Index(index), Step::Key(schema), Step::Key(root), ..] = &*change.steps else {
        return None;
    };
    (*index == at && schema == "schema" && root == ROOT).then(|| (at, key(change, 5)))
}

/// Two schemas, by their numbers.
type Pair = (usize, usize);

/// A pair, and the schema of the version before.
type Asked = (Pair, Option<usize>);

/// Pairs of schemas, each of which is compared once: many versions with few schemas do not take the time of all pairs.
struct Pairs<'s> {
    schemas: Vec<Costs<'s>>,
    comparisons: Rc<Comparisons>,
    /// What objects of the first schema meet in the second one.
    compared: HashMap<Pair, Vec<Change>>,
    /// How many of these changes would be reported.
    reported: usize,
    /// Whether there are more than were compared.
    is_full: bool,
    /// The changes of a pair that break something and that are not those of the first schema and another one, by their indices.
    new: HashMap<Asked, Vec<usize>>,
}

/// Numbers of changes. Those that are the same for readers have the same.
type Numbers<'c> = (HashMap<Key<'c>, usize>, HashMap<Pair, Vec<usize>>);

impl<'s> Pairs<'s> {
    fn new(comparisons: &Rc<Comparisons>) -> Pairs<'s> {
        let comparisons = Rc::clone(comparisons);
        Pairs {
            schemas: Vec::new(),
            comparisons,
            compared: HashMap::new(),
            reported: 0,
            is_full: false,
            new: HashMap::new(),
        }
    }

    /// The number of a schema. Equal ones have the same.
    fn number(&mut self, schema: &'s Schema) -> Option<usize> {
        let known = self.schemas.iter().position(|known| known.root == schema);
        Some(known.unwrap_or_else(|| {
            self.schemas.push(Costs::new(schema));
            self.schemas.len() - 1
        }))
    }

    fn compare(&mut self, (was, now): Pair) {
        let Pairs { schemas, comparisons, compared, reported, is_full, .. } = self;
        compared.entry((was, now)).or_insert_with(|| {
            let mut found = Out { comparisons: Rc::clone(comparisons), ..Out::default() };
            // Objects of another version may be written where no path leads to their replicas.
            found.object_of(&schemas[was], None, &schemas[now], &Path::ROOT.child(ROOT));
            *reported += found.reported;
            *is_full |= found.is_full;
            found.all
        });
    }

    /// Finds the changes of a pair of schemas that break something, without those of the first one and the schema before.
    fn find_new(&mut self, (pair, before): Asked) {
        if self.new.contains_key(&(pair, before)) {
            return;
        }
        let before_pair = before.map(|before| (pair.0, before));
        [Some(pair), before_pair].into_iter().flatten().for_each(|pair| self.compare(pair));
        let known = before_pair.iter().flat_map(|pair| &self.compared[pair]);
        let known: HashSet<Key<'_>> = known.map(|change| key(change, 0)).collect();
        let breaks = |change: &Change| change.class <= Class::DataLoss && change.class != Class::OnEdit;
        let is_new = |change: &Change| breaks(change) && !known.contains(&key(change, 0));
        let found = self.compared[&pair].iter().enumerate().filter(|(_, change)| is_new(change));
        let found = found.map(|(index, _)| index).collect();
        self.new.insert((pair, before), found);
    }

    /// The number of each change, whose root has so many steps, and those of the changes of each pair.
    fn numbers(&self, root: usize) -> Numbers<'_> {
        let mut numbers = HashMap::new();
        let mut of_pairs = HashMap::new();
        for (pair, changes) in &self.compared {
            let mut of_pair = Vec::with_capacity(changes.len());
            for change in changes {
                let next = numbers.len();
                of_pair.push(*numbers.entry(key(change, root)).or_insert(next));
            }
            of_pairs.insert(*pair, of_pair);
        }
        (numbers, of_pairs)
    }
}

/// The last step to a schema of whole objects.
const ROOT: &str = "openAPIV3Schema";

/// Reports what happens to objects that the server writes as another version from now on: it checks them in the version of the
/// request alone, but drops the fields and nulls that the storage version does not have, and fills in its defaults when it reads
/// them, in whatever version.
fn moved(old: &Crd, new: &Crd, versions: &Path<'_>, out: &mut Out) {
    let stored = |crd: &Crd| crd.spec.versions.iter().position(|version| version.storage);
    let (Some(j), Some(i)) = (stored(old), stored(new)) else { return };
    let (from, to) = (&old.spec.versions[j].name, &new.spec.versions[i].name);
    let (Some(was), Some(now)) = (old.spec.schema_of(j), new.spec.schema_of(i)) else { return };
    if from == to {
        return;
    }
    let comparisons = Rc::clone(&out.comparisons);
    let mut found = Out { version: Some(to.clone()), comparisons, ..Out::default() };
    let root = versions.index(i);
    let root = root.child("schema");
    found.object(&unchecked(was), None, &unchecked(now), &root.child(ROOT));
    out.is_full |= found.is_full;
    let mut known = HashSet::new();
    for change in &found.all {
        // Invalid metadata of a resource is the only thing with which the server cannot write an object.
        let is_of_rest = matches!(change.part, Part::Unlisted(_) | Part::UnknownFields);
        let is_of_stored = matches!(change.class, Class::Breaking | Class::DataLoss | Class::Meaning)
            && !(is_of_rest && change.class == Class::Meaning);
        if is_of_stored && known.insert(key(change, 0)) && out.has_room(change.class) {
            let part = match (change.class, &change.part) {
                (Class::DataLoss, Part::Field(name)) => Part::NotStored(name.clone()),
                (_, part) => part.clone(),
            };
            out.all.push(Change { part, stored: Some(from.clone()), ..change.clone() });
        }
    }
}

/// Returns a schema that says only what the server does when it writes and reads stored objects, whose values it does not check.
fn unchecked(schema: &Schema) -> Schema {
    let Extensions { preserve_unknown_fields, embedded_resource, .. } = schema.ext;
    let ext = Extensions { preserve_unknown_fields, embedded_resource, ..Extensions::default() };
    let (nullable, default) = (schema.nullable, schema.default.clone());
    let mut out = Schema { nullable, default, ext, ..Schema::default() };
    // The server drops no nulls in lists, but all fields of their items if the schema has none.
    let none = || (!schema.preserves_unknown_fields()).then(Schema::default);
    let item = schema.item().map(unchecked).or_else(none);
    out.items = item.map(|item| Items::One(Box::new(Schema { nullable: true, ..item })));
    out.additional_properties = schema.additional_properties.as_ref().map(|rest| match rest {
        Additional::Schema(values) => Additional::Schema(Box::new(unchecked(values))),
        // It does not reject them here.
        Additional::Allow(_) => Additional::Allow(true),
    });
    for (name, property) in schema.properties.iter() {
        out.properties.insert(name, unchecked(property));
    }
    out
}

/// What makes two changes of a version the same one for readers.
type Key<'c> = (&'c [Step], &'c Part, Option<&'c str>, Option<&'c str>);

/// What identifies a change below so many steps.
fn key(change: &Change, from: usize) -> Key<'_> {
    let Change { steps, part, was, now, .. } = change;
    (steps.get(from..).unwrap_or_default(), part, was.as_deref(), now.as_deref())
}

/// Returns the versions in which objects may be stored: those of the status, or the storage version.
pub fn stored_versions(crd: &Crd) -> Vec<&str> {
    let of_status = crd.status.stored_versions.as_deref().unwrap_or_default();
    if of_status.is_empty() {
        return crd.spec.storage_version().map(|it| it.name.as_str()).into_iter().collect();
    }
    of_status.iter().map(String::as_str).collect()
}

/// Returns the versions in which clients wrote objects that are stored: if one of the stored versions is not served, all that are.
fn written_versions(crd: &Crd) -> Vec<&str> {
    let mut out = stored_versions(crd);
    let served =
        crd.spec.versions.iter().filter(|version| version.served).map(|version| version.name.as_str());
    let served: Vec<&str> = served.collect();
    if !out.iter().all(|name| served.contains(name)) {
        let others = served.into_iter().filter(|name| !out.contains(name)).collect::<Vec<_>>();
        out.extend(others);
    }
    out
}

fn position(crd: &Crd, name: &str) -> Option<usize> {
    crd.spec.versions.iter().position(|it: &Version| it.name == name)
}
