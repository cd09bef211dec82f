//! Adds fields to an object that the server accepts, as long as the server accepts it.

use super::make::Maker;
use super::repair::{self, Complaints};
use crate::ir::Schema;
use crate::path::Step;
use crate::value::Value;

/// How many objects are checked for one example.
const QUESTIONS: usize = 1200;

/// How many values may be in all of these objects together, because large objects take longer to check.
const MOST_WORK: usize = 400_000;

/// The maximum number of items that are added to one list to show fields that exclude each other.
const MOST_ITEMS: usize = 8;

/// How many values of a field are tried that may say which of the other fields is set.
const MOST_CHOICES: usize = 8;

/// The maximum number of fields in a value that is tried without each of them.
const MOST_EXCLUSIVE: usize = 6;

/// How many fields are added to objects that other changes must repair, and how many objects are checked for each.
const MOST_REPAIRS: usize = 24;
const REPAIR_QUESTIONS: usize = 80;

/// An object with as many fields as found.
pub(super) struct Grown {
    pub(super) object: Value,
    /// The paths of fields that the server rejects in this object.
    pub(super) rejected: Vec<String>,
    /// Whether fields are left out because they are too deep, or because there are too many.
    pub(super) is_cut: bool,
}

/// Adds all fields for which the server accepts the object.
pub(super) fn grown<'s>(
    object: Value,
    maker: &Maker<'s>,
    complaints: &dyn Fn(&Value) -> Complaints,
) -> Grown {
    let out = Grown { object, rejected: Vec::new(), is_cut: false };
    let mut growth = Growth { maker, complaints, out, questions: 0, repairs: 0, work: 0 };
    growth.fields(&mut Vec::new(), maker.schema, 0);
    growth.out
}

/// A schema, and the name of the field whose values have it.
#[derive(Clone, Copy)]
struct Named<'s> {
    name: &'s str,
    schema: &'s Schema,
}

struct Growth<'m, 's> {
    maker: &'m Maker<'s>,
    complaints: &'m dyn Fn(&Value) -> Complaints,
    out: Grown,
    questions: usize,
    repairs: usize,
    work: usize,
}

impl<'s> Growth<'_, 's> {
    /// Adds fields to the object at a place.
    fn fields(&mut self, place: &mut Vec<Step>, schema: &'s Schema, depth: usize) {
        for (name, field) in schema.properties.iter() {
            let is_skipped = match name {
                "apiVersion" | "kind" | "metadata" => place.is_empty(),
                "status" => place.is_empty() && self.maker.skip_status,
                _ => false,
            };
            if is_skipped {
                continue;
            }
            place.push(Step::Key(name.to_owned()));
            if self.out.object.at(place).is_some() {
                self.inside(place, name, field, depth + 1);
            } else if depth >= self.maker.depth {
                self.out.is_cut = true;
            } else if !self.add(place, name, field, schema, depth) {
                self.out.rejected.push(shown(place));
            }
            place.pop();
        }
    }

    /// Adds fields to a value, or to its items or values.
    fn inside(&mut self, place: &mut Vec<Step>, name: &'s str, schema: &'s Schema, depth: usize) {
        let step = match self.out.object.at(place) {
            Some(Value::List(items)) if !items.is_empty() => Step::Index(0),
            Some(Value::Map(_)) if schema.value().is_none() => return self.fields(place, schema, depth),
            Some(Value::Map(values)) => match values.keys().next() {
                Some(key) => Step::Key(key.to_owned()),
                None => return,
            },
            _ => return,
        };
        let Some(inner) = schema.item().or(schema.value()) else { return };
        let is_item = matches!(step, Step::Index(_));
        let before = self.out.rejected.len();
        place.push(step);
        self.inside(place, name, inner, depth);
        place.pop();
        if is_item {
            self.more_items(place, Named { name, schema: inner }, depth, before);
        }
    }

    /// Adds items with the fields that the server rejects in the first item: in a list of alternatives, each item has
    /// other fields.
    fn more_items(&mut self, place: &mut Vec<Step>, item: Named<'s>, depth: usize, before: usize) {
        let start = format!("{}[].", shown(place));
        let rejected = self.out.rejected.split_off(before);
        let mut added = 0;
        for path in rejected {
            let field = path.strip_prefix(&start).and_then(|field| {
                // The name is the one in the schema, which lives longer.
                let (name, schema) = item.schema.properties.iter().find(|(it, _)| *it == field)?;
                Some(Named { name, schema })
            });
            let is_added =
                field.is_some_and(|field| added < MOST_ITEMS && self.item_with(place, item, field, depth));
            if is_added {
                added += 1;
            } else {
                self.out.rejected.push(path);
            }
        }
    }

    /// Adds an item with a field to a list. The item has the name of the list.
    fn item_with(&mut self, place: &mut Vec<Step>, item: Named<'s>, field: Named<'s>, depth: usize) -> bool {
        let Some(index) = self.out.object.at(place).and_then(Value::as_list).map(<[Value]>::len) else {
            return false;
        };
        for base in (0..2).map(|variant| self.maker.numbered(item.name, item.schema, variant, index)) {
            if base.as_map().is_none() {
                return false;
            }
            let Some(Value::List(items)) = self.out.object.at_mut(place) else { return false };
            items.push(base);
            place.extend([Step::Index(index), Step::Key(field.name.to_owned())]);
            let is_added = self.add(place, field.name, field.schema, item.schema, depth);
            place.truncate(place.len() - 2);
            if is_added {
                return true;
            }
            if let Some(Value::List(items)) = self.out.object.at_mut(place) {
                items.truncate(index);
            }
        }
        false
    }

    /// Adds a field: with everything in it, with everything but one field, or else with what it requires, to which other
    /// fields are added. The server may also require another value of a field next to it.
    fn add(
        &mut self,
        place: &mut Vec<Step>,
        name: &'s str,
        field: &'s Schema,
        around: &'s Schema,
        depth: usize,
    ) -> bool {
        let full = self.maker.field(name, field, depth);
        if self.set(place, &full, None) {
            return true;
        }
        let choices: Vec<(&str, &Value)> = choices(name, around);
        let changes = std::iter::once(None).chain(choices.into_iter().map(Some));
        for change in changes {
            if change.is_some() && self.set(place, &full, change) {
                self.inside(place, name, field, depth + 1);
                return true;
            }
            if self.set_without_one(place, &full, change) {
                self.inside(place, name, field, depth + 1);
                return true;
            }
            for variant in 0..super::make::VARIANTS {
                let least = self.maker.alone(name, field, variant);
                if self.set(place, &least, change) {
                    self.inside(place, name, field, depth + 1);
                    return true;
                }
            }
        }
        if self.repair(place, self.maker.alone(name, field, 0)) {
            self.inside(place, name, field, depth + 1);
            return true;
        }
        false
    }

    /// Sets a field without one of the fields in it: often two of these exclude each other.
    fn set_without_one(&mut self, place: &[Step], full: &Value, change: Option<(&str, &Value)>) -> bool {
        let Some(fields) = full.as_map().filter(|fields| (2..=MOST_EXCLUSIVE).contains(&fields.len())) else {
            return false;
        };
        let names: Vec<String> = fields.keys().map(str::to_owned).collect();
        names.iter().rev().any(|name| {
            let mut less = full.clone();
            if let Value::Map(fields) = &mut less {
                fields.remove(name);
            }
            self.set(place, &less, change)
        })
    }

    /// Sets a field, and changes what is around and inside it until the server accepts the object. Everything that was
    /// in the object before stays.
    fn repair(&mut self, place: &[Step], value: Value) -> bool {
        let Some((Step::Key(name), around)) = place.split_last() else { return false };
        if self.repairs >= MOST_REPAIRS || self.questions >= QUESTIONS || self.work >= MOST_WORK {
            return false;
        }
        self.repairs += 1;
        let mut object = self.out.object.clone();
        let Some(Value::Map(map)) = object.at_mut(around) else { return false };
        map.insert(name.as_str(), value);
        self.work += REPAIR_QUESTIONS * size(&object) / 8;
        let repaired = repair::until_accepted(object, self.maker, self.complaints, REPAIR_QUESTIONS);
        match repaired.ok().filter(|it| it.at(place).is_some() && includes(it, &self.out.object)) {
            Some(repaired) => self.out.object = repaired,
            None => return false,
        }
        true
    }

    /// Sets a field, and maybe another one next to it, if the server accepts that.
    fn set(&mut self, place: &[Step], value: &Value, change: Option<(&str, &Value)>) -> bool {
        let Some((Step::Key(name), around)) = place.split_last() else { return false };
        if self.questions >= QUESTIONS || self.work >= MOST_WORK {
            self.out.is_cut = true;
            return false;
        }
        let Some(Value::Map(object)) = self.out.object.at_mut(around) else { return false };
        object.insert(name.as_str(), value.clone());
        let before = change.map(|(other, value)| (other, object.insert(other, value.clone())));
        self.questions += 1;
        self.work += size(&self.out.object);
        if repair::is_accepted(&(self.complaints)(&self.out.object)) {
            return true;
        }
        let Some(Value::Map(object)) = self.out.object.at_mut(around) else { return false };
        object.remove(name);
        match before {
            Some((other, Some(before))) => _ = object.insert(other, before),
            Some((other, None)) => _ = object.remove(other),
            None => {}
        }
        false
    }
}

/// The values of other fields that may say that a field is set: `type: RequestMirror` for `requestMirror`. The most similar
/// ones come first.
fn choices<'s>(name: &str, around: &'s Schema) -> Vec<(&'s str, &'s Value)> {
    let plain =
        |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let wanted = plain(name);
    let fields = around.properties.iter().filter(|(other, _)| *other != name);
    let values = fields.flat_map(|(other, field)| field.limits.enumeration.iter().map(move |it| (other, it)));
    let mut out: Vec<(bool, (&str, &Value))> = values
        .filter_map(|(other, value)| Some((plain(value.as_str()?) != wanted, (other, value))))
        .collect();
    out.sort_by_key(|(is_other, _)| *is_other);
    out.truncate(if out.first().is_some_and(|(is_other, _)| !is_other) { 1 } else { MOST_CHOICES });
    out.into_iter().map(|(_, choice)| choice).collect()
}

/// Whether a value has all fields and items of another one.
fn includes(value: &Value, other: &Value) -> bool {
    match (value, other) {
        (Value::Map(value), Value::Map(other)) => {
            other.iter().all(|(name, it)| value.get(name).is_some_and(|value| includes(value, it)))
        }
        (Value::List(value), Value::List(other)) => {
            value.len() >= other.len() && value.iter().zip(other).all(|(value, it)| includes(value, it))
        }
        _ => true,
    }
}

/// The path of a field, without the indexes of items.
fn shown(place: &[Step]) -> String {
    let mut out = String::new();
    for step in place {
        match step {
            Step::Key(name) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(name);
            }
            Step::Index(_) => out.push_str("[]"),
        }
    }
    out
}

/// The number of values in a value.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::List(items) => items.iter().map(size).sum::<usize>(),
        Value::Map(fields) => fields.values().map(size).sum::<usize>(),
        _ => 0,
    }
}
