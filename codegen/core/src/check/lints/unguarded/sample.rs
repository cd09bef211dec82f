//! Makes values that match a schema, as far as rules read them, with all fields except one.

use std::collections::BTreeSet;

use crate::ir::{Schema, Type};
use crate::rules::reads::{Step, is_built_in};
use crate::value::{Map, Value};

/// How many different values can be made for one schema.
pub(super) const VARIANTS: usize = 4;

/// Values that are nested deeper are left out.
const DEEPEST: usize = 40;

/// The maximum number of items and characters.
const MOST: usize = 100;

/// The maximum number of nodes of all samples of one schema together.
pub(super) const MOST_NODES: usize = 5_000_000;

/// Which value of a schema to make.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'p> {
    /// The field that is left out.
    pub(super) absent: &'p [Step],
    /// The fields that the rule reads. Maps have the keys that are among them.
    pub(super) reads: &'p [&'p [Step]],
    /// The names of all fields that the value needs. `None` for all fields of the schema.
    pub(super) fields: Option<&'p BTreeSet<String>>,
    /// Which of the different values.
    pub(super) variant: usize,
}

/// Makes one of the values of a schema. `None` if all nodes that `left` allows have been made.
pub(super) fn value(schema: &Schema, resource: bool, wanted: Wanted<'_>, left: &mut usize) -> Option<Value> {
    let mut maker = Maker { wanted, place: Vec::new(), left: *left };
    let value = maker.value(schema, resource);
    *left = maker.left;
    (*left > 0).then_some(value)
}

struct Maker<'p> {
    wanted: Wanted<'p>,
    /// Where the value is.
    place: Vec<Step>,
    left: usize,
}

impl Maker<'_> {
    fn value(&mut self, schema: &Schema, resource: bool) -> Value {
        if let Some(choice) = pick(&schema.limits.enumeration, self.wanted.variant) {
            return choice.clone();
        }
        if schema.ext.int_or_string {
            return if self.wanted.variant.is_multiple_of(2) { Value::Int(1) } else { Value::from("1") };
        }
        match schema.ty {
            Some(Type::Object) if schema.value().is_some() => self.map(schema),
            Some(Type::Object) => self.object(schema, resource || schema.ext.embedded_resource),
            Some(Type::Array) => self.list(schema),
            Some(Type::String) => Value::from(self.text(schema)),
            Some(Type::Integer) => Value::Int(self.number(schema) as i64),
            Some(Type::Number) => Value::Float(self.number(schema)),
            Some(Type::Boolean) => Value::Bool(self.wanted.variant.is_multiple_of(2)),
            Some(Type::Other(_)) | None => Value::Map(Map::new()),
        }
    }

    /// The value one step further, unless it must be absent.
    fn below(&mut self, step: Step, schema: &Schema) -> Option<Value> {
        self.place.push(step);
        let is_there = self.place != self.wanted.absent && self.place.len() < DEEPEST && self.left > 0;
        self.left = self.left.saturating_sub(1);
        let value = is_there.then(|| self.value(schema, false));
        self.place.pop();
        value
    }

    fn object(&mut self, schema: &Schema, resource: bool) -> Value {
        let mut members: Vec<(String, Value)> = Vec::new();
        let properties = &schema.properties;
        let named: Vec<(&str, &Schema)> = match self.wanted.fields {
            Some(fields) if fields.len() < properties.len() => {
                fields.iter().filter_map(|name| Some((name.as_str(), properties.get(name)?))).collect()
            }
            Some(_) | None => properties.iter().collect(),
        };
        for (name, property) in named {
            if resource && is_built_in(name) {
                continue;
            }
            if let Some(value) = self.below(Step::Field(name.to_owned()), property) {
                members.push((name.to_owned(), value));
            }
        }
        if resource {
            let names = [("generateName", "a-"), ("name", "a")];
            let names: Map<Value> = names.into_iter().map(|(k, v)| (k, Value::from(v))).collect();
            members.push(("apiVersion".to_owned(), Value::from("a.example.com/v1")));
            members.push(("kind".to_owned(), Value::from("A")));
            members.push(("metadata".to_owned(), Value::Map(names)));
        }
        Value::Map(members.into_iter().collect())
    }

    fn map(&mut self, schema: &Schema) -> Value {
        let Some(values) = schema.value() else { return Value::Map(Map::new()) };
        let here = self.place.len();
        let read = self.wanted.reads.iter().filter(|read| read.starts_with(&self.place)).filter_map(|read| {
            if let Some(Step::Key(key)) = read.get(here) { Some(key.clone()) } else { None }
        });
        let mut keys: Vec<String> = read.collect();
        keys.sort();
        keys.dedup();
        let mut members: Vec<(String, Value)> = Vec::new();
        for key in keys {
            if let Some(value) = self.below(Step::Key(key.clone()), values) {
                members.push((key, value));
            }
        }
        if members.is_empty() {
            members.extend(self.below(Step::Value, values).map(|value| ("a".to_owned(), value)));
        }
        Value::Map(members.into_iter().collect())
    }

    fn list(&mut self, schema: &Schema) -> Value {
        let Some(items) = schema.item() else { return Value::List(Vec::new()) };
        let count = schema.limits.min_items.map_or(1, |n| usize::try_from(n).unwrap_or(1).clamp(1, MOST));
        Value::List((0..count).filter_map(|_| self.below(Step::Item, items)).collect())
    }

    fn text(&self, schema: &Schema) -> String {
        const TEXTS: [&str; VARIANTS] = ["a", "1", "https://a.example.com/b", "10.0.0.1"];
        let text = match schema.limits.format.as_str() {
            "date-time" => return "2006-01-02T15:04:05Z".to_owned(),
            "date" => return "2006-01-02".to_owned(),
            "duration" => return "1h".to_owned(),
            "byte" => return "YQ==".to_owned(),
            _ => TEXTS[self.wanted.variant % VARIANTS],
        };
        let shortest = schema.limits.min_length.map_or(0, |n| usize::try_from(n).unwrap_or(0).min(MOST));
        let missing = shortest.saturating_sub(text.chars().count());
        format!("{text}{}", "a".repeat(missing))
    }

    fn number(&self, schema: &Schema) -> f64 {
        let (least, most) = (schema.limits.minimum, schema.limits.maximum);
        match self.wanted.variant % VARIANTS {
            0 => least.or(most).unwrap_or(1.0),
            1 => most.or(least).unwrap_or(0.0),
            2 => least.map_or(10.0, |n| n + 1.0),
            _ => most.map_or(100.0, |n| n - 1.0),
        }
    }
}

fn pick(values: &[Value], variant: usize) -> Option<&Value> {
    values.get(variant.checked_rem(values.len())?)
}
