//! Single changes of an object that may make a difference between two schemas.

mod defaults;
mod rules;
mod texts;
mod values;

use crdgen_core::compare::readers::{clauses, junctors_read};
use crdgen_core::ir::Schema;
use crdgen_core::json;
use crdgen_core::path::Step;
use crdgen_core::value::{Map, Value};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use crate::place::Place;
pub(crate) use defaults::{Readers, readers};
pub(crate) use rules::Reads;
use rules::{Constants, Read};

/// A value for a place in an object. Without a value, the place is absent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Atom {
    pub(crate) at: Vec<Step>,
    pub(crate) value: Option<Value>,
}

/// The maximum number of atoms of one place.
const MOST: usize = 400;

/// The maximum number of atoms of one rule.
const MOST_OF_RULE: usize = 60;

/// The maximum number of fields of a value that a rule reads as a whole.
const MOST_FIELDS: usize = 16;

/// How deep junctors are read.
const DEEPEST: usize = 6;

/// The atoms of a place: of its own keywords, of its junctors, and of its rules.
pub(crate) fn of(place: &Place<'_>) -> Vec<Atom> {
    let mut out = Atoms::default();
    out.values(place, &[]);
    out.presence(place);
    for schema in place.schemas() {
        out.branches(place, schema, 0);
    }
    for (inner, constants) in rules::reads(place) {
        out.read(&inner, &constants);
    }
    out.all.truncate(MOST);
    out.all
}

/// The atoms of one of the rules of a place.
pub(crate) fn of_rule<'s>(place: &Place<'s>, rule: &str, reads: &mut Reads<'s>) -> Vec<Atom> {
    let all = reads.at(place);
    let own = all.iter().filter(|it| it.rule == rule);
    let mut places: Vec<(&Place<'s>, &Constants)> =
        own.flat_map(|it| it.places.iter().map(|place| (place, &it.constants))).collect();
    let mut out = Atoms::of(&places);
    // An object may have hundreds of fields: what is inside of it comes first then.
    if out.all.len() > MOST_OF_RULE {
        places.sort_by_key(|(inner, _)| Reverse(inner.steps.len()));
        out = Atoms::of(&places);
    }
    // The rule may replace another one about the same value.
    for (inner, _) in places.iter().filter(|(inner, _)| inner.steps != place.steps) {
        if out.all.len() >= MOST_OF_RULE {
            break;
        }
        let others = all.iter().filter(|it| it.rule != rule);
        for other in others.filter(|it| it.reads(inner)) {
            out.near(inner, &other.constants);
        }
    }
    out.all.truncate(MOST_OF_RULE);
    out.all
}

/// Whether a rule of a place, or around it, compares values with old ones.
pub(crate) fn are_compared_with_old<'s>(
    place: &Place<'s>,
    old: &'s Schema,
    new: &'s Schema,
    reads: &mut Reads<'s>,
) -> bool {
    (0..=place.steps.len()).any(|len| reads.at(&place.around(len, old, new)).iter().any(|it| it.has_old))
}

/// The values of a place near what the rules and junctors around it compare it with.
pub(crate) fn of_around<'s>(
    place: &Place<'s>,
    old: &'s Schema,
    new: &'s Schema,
    reads: &mut Reads<'s>,
) -> Vec<Atom> {
    let mut out = Atoms::default();
    for len in (0..place.steps.len()).rev() {
        let around = place.around(len, old, new);
        for schema in around.schemas() {
            out.branches(&around, schema, 0);
        }
        let all = reads.at(&around);
        for read in all.iter().filter(|it| it.reads(place)) {
            out.near(place, &read.constants);
        }
    }
    out.all.retain(|atom| atom.at == place.steps);
    out.all
}

/// The places of the same type that rules around a place read together with it.
pub(crate) fn siblings<'s>(
    place: &Place<'s>,
    old: &'s Schema,
    new: &'s Schema,
    reads: &mut Reads<'s>,
) -> Vec<Vec<Step>> {
    let ty = place.schemas().next().and_then(|schema| schema.ty.as_ref());
    let mut out: Vec<Vec<Step>> = Vec::new();
    for len in 0..place.steps.len() {
        let around = place.around(len, old, new);
        let all = reads.at(&around);
        if !all.iter().any(|it| it.reads(place)) {
            continue;
        }
        let is_sibling = |it: &&Place<'_>| {
            it.steps != place.steps && it.schemas().any(|schema| schema.ty.as_ref() == ty && ty.is_some())
        };
        let mut seen: HashSet<&[Step]> = HashSet::new();
        let read = all.iter().flat_map(|it| &it.places).filter(|it| seen.insert(&it.steps));
        out.extend(read.filter(is_sibling).take(MOST_FIELDS).map(|it| it.steps.clone()));
    }
    out
}

/// What the junctors and rules of a place and around it mention together with it: other places, with a few values for each of them.
pub(crate) fn partners<'s>(
    place: &Place<'s>,
    old: &'s Schema,
    new: &'s Schema,
    reads: &mut Reads<'s>,
) -> Vec<Atom> {
    let mut out = Atoms::default();
    for len in (0..=place.steps.len()).rev() {
        let around = place.around(len, old, new);
        for schema in around.schemas() {
            let mut mentioned = Atoms::default();
            mentioned.branches(&around, schema, 0);
            let is_read = len < place.steps.len() && junctors_read(schema, &place.steps[len..], true);
            if is_read || mentioned.all.iter().any(|atom| concerns(&atom.at, place, len)) {
                out.others(mentioned.all, place);
            }
        }
        for read in reads.at(&around).iter() {
            // An object may have hundreds of rules.
            if out.all.len() >= MOST_PARTNERS {
                break;
            }
            out.partners(place, read, len);
        }
    }
    out.all.truncate(MOST_PARTNERS);
    out.all
}

/// What one of the rules of a place reads, with a few values for each of these places.
pub(crate) fn partners_of_rule<'s>(place: &Place<'s>, rule: &str, reads: &mut Reads<'s>) -> Vec<Atom> {
    let mut out = Atoms::default();
    for read in reads.at(place).iter().filter(|it| it.rule == rule) {
        out.partners(place, read, place.steps.len());
    }
    out.all.truncate(MOST_PARTNERS);
    out.all
}

/// The maximum number of values for the partners of a place, and the constants of a rule for each of them.
const MOST_PARTNERS: usize = 60;
const FEW: usize = 6;

/// Whether steps lead into a place, or to what is around it, but not around the first steps of it.
fn concerns(steps: &[Step], place: &Place<'_>, len: usize) -> bool {
    steps.len() > len && (place.steps.starts_with(steps) || steps.starts_with(&place.steps))
}

/// What is around a place, without the place or with a null there: objects for which it matters that only one of the schemas has a default,
/// or keeps nulls.
pub(crate) fn absent(place: &Place<'_>, old: &Schema, new: &Schema) -> Vec<Atom> {
    let default = |schema: Option<&Schema>| schema.and_then(|schema| schema.default.clone());
    let has_other_default = default(place.old) != default(place.new);
    let in_list = if has_other_default { defaults::in_list(place, old, new) } else { Vec::new() };
    // The server keeps nulls that it keeps without a schema.
    let keeps_null = |schema: Option<&Schema>| schema.is_none_or(|schema| schema.nullable);
    let Some((Step::Key(name), at)) = place.steps.split_last() else { return in_list };
    let has_other_null = keeps_null(place.old) != keeps_null(place.new);
    if at.is_empty() || !has_other_default && !has_other_null {
        return in_list;
    }
    let mut out = Atoms::default();
    in_list.into_iter().for_each(|atom| out.add(&atom.at, atom.value));
    let around = place.around(at.len(), old, new);
    let counting: Vec<&Schema> = around.schemas().flat_map(clauses).collect();
    for mut value in values::edges(&around, &counting) {
        if let Value::Map(map) = &mut value {
            map.remove(name);
            let null = has_other_null.then(|| {
                let mut map = map.clone();
                map.insert(name.as_str(), Value::Null);
                Value::Map(map)
            });
            null.into_iter().for_each(|value| out.add(at, Some(value)));
            out.add(at, Some(value));
        }
    }
    out.all
}

/// Two items of a set that differ only at a place inside of them: they are equal if the server drops what is there.
pub(crate) fn twins(place: &Place<'_>, old: &Schema, new: &Schema) -> Option<Atom> {
    let is_item = |step: &Step| matches!(step, Step::Index(_));
    let at = place.steps.iter().rposition(is_item)?;
    let (list, item) = (place.around(at, old, new), place.around(at + 1, old, new));
    let is_set = list.new.is_some_and(|new| new.ext.list_type.as_deref() == Some("set"));
    let (schema, own) = (place.old.filter(|_| is_set)?, item.old?);
    let inside = &place.steps[at + 1..];
    let items = (0..2).map(|variant| {
        let mut twin = place.examples.value(list.name(), own, 0, 0);
        let value = place.examples.value(place.name(), schema, variant, 0);
        set(&mut twin, inside, value).then_some(twin)
    });
    let items: Vec<Value> = items.collect::<Option<_>>()?;
    Some(Atom { at: place.steps[..at].to_vec(), value: Some(Value::List(items)) })
}

/// A field of an item of a list, with each of its values that has some meaning: its keys, or what it requires.
pub(crate) fn of_item(list: &Place<'_>) -> Vec<Atom> {
    let item = list.item();
    let keys = list.schemas().flat_map(|schema| &schema.ext.list_map_keys);
    let required = item.schemas().flat_map(|schema| &schema.limits.required);
    let mut out = Atoms::default();
    match keys.chain(required).next() {
        Some(name) => out.values(&item.field(name), &[]),
        None => out.values(&item, &[]),
    }
    out.all.retain(|atom| atom.value.is_some());
    out.all.truncate(FEW);
    out.all
}

/// A second item of a list: the same one, but with other keys or another text if the list allows no equal ones.
pub(crate) fn second(place: &Place<'_>, list: &Schema, item: &Value) -> Value {
    let mut out = item.clone();
    let other = |name: &str, schema: &Schema| place.examples.value(name, schema, 0, 1);
    let Some(schema) = list.item() else { return out };
    match (list.ext.list_type.as_deref(), &mut out) {
        (Some("set"), Value::Str(_)) => out = other(place.name(), schema),
        (Some("map"), Value::Map(map)) => {
            for key in &list.ext.list_map_keys {
                if let Some(inner) = schema.properties.get(key) {
                    map.insert(key.as_str(), other(key, inner));
                }
            }
        }
        _ => {}
    }
    out
}

/// Sets a field of a value, with the objects around it.
fn set(value: &mut Value, steps: &[Step], new: Value) -> bool {
    let Some((Step::Key(name), rest)) = steps.split_first() else { return false };
    let Value::Map(map) = value else { return false };
    if rest.is_empty() {
        map.insert(name.as_str(), new);
        return true;
    }
    set(map.entry_or_insert_with(name, || Value::Map(Map::new())), rest, new)
}

struct Atoms {
    /// How many are looked for.
    most: usize,
    all: Vec<Atom>,
    /// The indexes of the atoms of each place.
    by_place: HashMap<Vec<Step>, Vec<usize>>,
}

impl Default for Atoms {
    fn default() -> Atoms {
        Atoms { most: MOST, all: Vec::new(), by_place: HashMap::new() }
    }
}

impl Atoms {
    /// The atoms of what a rule reads, and at least one more than are tried if there are so many.
    fn of(places: &[(&Place<'_>, &Constants)]) -> Atoms {
        let mut out = Atoms { most: MOST_OF_RULE + 1, ..Atoms::default() };
        for (inner, constants) in places {
            out.read(inner, constants);
        }
        out
    }

    fn add(&mut self, at: &[Step], mut value: Option<Value>) {
        // A witness is a text: whoever reads it gets an integer for 1.0.
        value.iter_mut().for_each(json::read_back);
        if self.all.len() >= self.most {
            return;
        }
        let known = self.by_place.entry(at.to_vec()).or_default();
        if !known.iter().any(|index| self.all[*index].value == value) {
            known.push(self.all.len());
            self.all.push(Atom { at: at.to_vec(), value });
        }
    }

    /// Adds the atoms at other places than this one.
    fn others(&mut self, atoms: Vec<Atom>, place: &Place<'_>) {
        for atom in atoms.into_iter().filter(|atom| atom.at != place.steps) {
            self.add(&atom.at, atom.value);
        }
    }

    /// The values at the edges of both schemas, and of clauses that also apply to the value.
    fn values(&mut self, place: &Place<'_>, clauses: &[&Schema]) {
        for value in values::edges(place, clauses) {
            self.add(&place.steps, Some(value));
        }
        if !place.steps.is_empty() {
            self.add(&place.steps, None);
        }
    }

    /// Whether the fields are present that one of the schemas requires.
    fn presence(&mut self, place: &Place<'_>) {
        let names: Vec<&String> = place.schemas().flat_map(|schema| &schema.limits.required).collect();
        for name in names {
            // A schema may require thousands of fields.
            if self.all.len() >= self.most {
                break;
            }
            self.field(&place.field(name));
        }
    }

    /// A field that is absent, and one that is present.
    fn field(&mut self, field: &Place<'_>) {
        self.add(&field.steps, None);
        if let Some(schema) = field.old.or(field.new) {
            for variant in 0..2 {
                let value = field.examples.value(field.name(), schema, variant, 0);
                self.add(&field.steps, Some(value));
            }
        }
    }

    /// What the alternatives of a schema's junctors mention.
    fn branches(&mut self, place: &Place<'_>, schema: &Schema, depth: usize) {
        if depth < DEEPEST {
            for branch in clauses(schema) {
                self.clause(place, branch, depth + 1);
            }
        }
    }

    /// What a schema in a junctor mentions.
    fn clause(&mut self, place: &Place<'_>, clause: &Schema, depth: usize) {
        self.values(place, &[clause]);
        for name in &clause.limits.required {
            self.field(&place.field(name));
        }
        for (name, inner) in clause.properties.iter() {
            let field = place.field(name);
            self.field(&field);
            if depth < DEEPEST {
                self.clause(&field, inner, depth + 1);
            }
        }
        if let Some(inner) = clause.item().filter(|_| depth < DEEPEST) {
            self.clause(&place.item(), inner, depth + 1);
        }
        self.branches(place, clause, depth);
    }

    /// The values of a place near the constants of a rule.
    fn near(&mut self, place: &Place<'_>, constants: &Constants) {
        if let Some(schema) = place.old.or(place.new) {
            for value in constants.near(place, schema) {
                self.add(&place.steps, Some(value));
            }
        }
    }

    /// The values of a place that a rule reads.
    fn read(&mut self, place: &Place<'_>, constants: &Constants) {
        // An object may have hundreds of rules.
        if self.all.len() >= self.most {
            return;
        }
        self.near(place, constants);
        self.values(place, &[]);
        // A rule may compare it as a whole.
        let names: Vec<&str> =
            place.schemas().flat_map(|schema| schema.properties.keys()).take(MOST_FIELDS).collect();
        for name in names {
            self.field(&place.field(name));
        }
    }

    /// The values of what a rule reads together with a place. It is a rule of what is around the place with so many steps.
    fn partners(&mut self, place: &Place<'_>, Read { places, constants, .. }: &Read<'_>, len: usize) {
        if !places.iter().any(|it| concerns(&it.steps, place, len)) {
            return;
        }
        // A rule may compare the default of a field with other fields.
        let defaults: Vec<(&Schema, &Value)> =
            place.schemas().filter_map(|schema| Some((schema, schema.default.as_ref()?))).collect();
        for other in places.iter().filter(|it| it.steps.len() > len) {
            let mut values = Atoms::default();
            if let Some(schema) = other.old.or(other.new) {
                for (own, value) in &defaults {
                    defaults::near(own, value, schema, constants)
                        .into_iter()
                        .for_each(|value| values.add(&other.steps, Some(value)));
                }
                let exact = constants.exact(schema).into_iter().take(FEW);
                exact.for_each(|value| values.add(&other.steps, Some(value)));
            }
            values.field(other);
            self.others(values.all, place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::of;
    use crate::place::Place;
    use crdgen_core::{decode, json};
    use std::rc::Rc;

    #[test]
    fn atoms_are_what_their_text_says() {
        let text = r#"{"type":"object","properties":{"n":{"type":"number","minimum":1,"maximum":1000000000,"enum":[2.5]}},
            "x-kubernetes-validations":[{"rule":"self.n < 5.0"}]}"#;
        let schema = decode::schema(json::read(text.as_bytes()).expect("JSON")).0.expect("a schema");
        let root = Place::root(&schema, &schema, &Rc::default());
        for place in [root.field("n"), root] {
            let atoms = of(&place);
            assert!(!atoms.is_empty());
            for value in atoms.into_iter().filter_map(|atom| atom.value) {
                let text = json::to_string(&value);
                assert_eq!(json::read(text.as_bytes()).as_ref(), Ok(&value), "{text}");
            }
        }
    }
}
