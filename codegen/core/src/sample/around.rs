//! Objects around a value: the value at a place, and as little around it as the server accepts.

use std::cell::Cell;
use std::sync::{Arc, LazyLock};

use super::make::{Maker, VARIANTS};
use super::{Extent, Samples, repair};
use crate::ir::{Additional, Extensions, Schema};
use crate::object::Patterns;
use crate::path::Step;
use crate::value::{Map, Value};

/// The schema of fields that are kept although no schema lists them.
static ANYTHING: LazyLock<Schema> = LazyLock::new(|| Schema {
    ext: Extensions { preserve_unknown_fields: Some(true), ..Extensions::default() },
    ..Schema::default()
});

/// The maximum number of items that are added to reach an index.
const MOST_ITEMS: usize = 64;

/// What may be done to make the server accept an object.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many objects are checked at most.
    pub objects: usize,
    /// What their rules may cost together, as the server counts it. The last object may exceed it.
    pub cost: i64,
}

impl Samples {
    /// Sets a value at a place of an object, and makes what is missing on the way. Without a value, the place is removed.
    /// `None` if the schema has no such place.
    pub fn with(&self, version: &str, base: &Value, place: &[Step], value: Option<Value>) -> Option<Value> {
        let schema = self.schema(version)?;
        let patterns = &self.served.version(version).ok()?.patterns;
        let mut out = base.clone();
        match value {
            Some(value) => Setter { patterns, value }.set(&mut out, schema, place, "")?,
            None => {
                let (last, around) = place.split_last()?;
                match (out.at_mut(around), last) {
                    (Some(Value::Map(map)), Step::Key(name)) => _ = map.remove(name),
                    (Some(Value::List(items)), Step::Index(index)) if *index < items.len() => {
                        items.remove(*index);
                    }
                    // It is absent already.
                    _ => {}
                }
            }
        }
        Some(out)
    }

    /// Whether the schema has a place, so that [`Samples::with`] can set a value there.
    pub fn has_place(&self, version: &str, place: &[Step]) -> bool {
        self.schema(version).is_some_and(|schema| place.iter().try_fold(schema, below).is_some())
    }

    /// Changes an object until the server accepts it, but keeps the value at a place, in which fields may be added. Takes the objects that
    /// were checked, and the cost of their rules, from what is left of the effort.
    pub fn accepted_around(
        &self,
        version: &str,
        object: Value,
        place: &[Step],
        effort: &mut Effort,
    ) -> Option<Value> {
        let (schema, check) = self.check(version)?;
        let kept = object.at(place).cloned();
        let maker = Maker::new(schema, Extent::Minimal, 1, check.has_status(), check.patterns());
        let keeps = |object: &Value| match (object.at(place), &kept) {
            (Some(value), Some(kept)) => has_all(value, kept),
            (value, kept) => value == kept.as_ref(),
        };
        let may_check = |object: &Value| check.cost.get() < effort.cost && keeps(object);
        let checked = Cell::new(0);
        let complaints = |object: &Value| {
            let may_check = may_check(object);
            checked.set(checked.get() + usize::from(may_check));
            may_check.then(|| check.complaints(object)).flatten()
        };
        let accepted = repair::until_accepted(object, &maker, &complaints, effort.objects);
        effort.cost -= check.cost.get();
        effort.objects = effort.objects.saturating_sub(checked.get());
        accepted.ok()
    }
}

/// Makes values of schemas. It keeps the patterns that it compiles: a large one takes longer than everything else.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    patterns: Arc<Patterns>,
}

impl Examples {
    /// The compiled patterns.
    pub fn patterns(&self) -> &Arc<Patterns> {
        &self.patterns
    }

    /// Makes the smallest value of a schema. `name` is that of the field, each `variant` is a different value, and `number` is
    /// the index in a list, whose items may have to differ.
    pub fn value(&self, name: &str, schema: &Schema, variant: usize, number: usize) -> Value {
        smallest(name, schema, variant, number, &self.patterns)
    }

    /// Makes so many items of a list as [`Examples::value`] does.
    pub fn items(&self, name: &str, schema: &Schema, count: usize) -> Vec<Value> {
        (0..count).map(|number| self.value(name, schema, 0, number)).collect()
    }
}

fn smallest(name: &str, schema: &Schema, variant: usize, number: usize, patterns: &Arc<Patterns>) -> Value {
    Maker::new(schema, Extent::Minimal, 1, false, patterns).numbered(name, schema, variant % VARIANTS, number)
}

/// The schema of what a step leads to. `None` if there is no such place.
fn below<'s>(schema: &'s Schema, step: &Step) -> Option<&'s Schema> {
    match step {
        Step::Key(key) => {
            let listed = schema.properties.get(key).or(schema.value());
            let keeps_others = schema.preserves_unknown_fields()
                || matches!(schema.additional_properties, Some(Additional::Allow(true)));
            listed.or_else(|| keeps_others.then_some(&*ANYTHING))
        }
        Step::Index(index) => {
            let is_any = schema.ty.is_none() && schema.preserves_unknown_fields();
            let item = schema.item().or_else(|| is_any.then_some(&*ANYTHING));
            item.filter(|_| *index < MOST_ITEMS)
        }
    }
}

/// Whether a value is another one, with more fields at most.
fn has_all(value: &Value, other: &Value) -> bool {
    match (value, other) {
        (Value::Map(value), Value::Map(other)) => {
            other.iter().all(|(name, it)| value.get(name).is_some_and(|value| has_all(value, it)))
        }
        (value, other) => value == other,
    }
}

/// Sets a value below another one.
struct Setter<'p> {
    patterns: &'p Arc<Patterns>,
    value: Value,
}

impl Setter<'_> {
    /// Sets the value at a place below `at`, which is a value of `schema` in a field called `name`.
    fn set(self, at: &mut Value, schema: &Schema, place: &[Step], name: &str) -> Option<()> {
        let Some((step, rest)) = place.split_first() else {
            *at = self.value;
            return Some(());
        };
        let inner = below(schema, step)?;
        match step {
            Step::Key(key) => {
                if at.as_map().is_none() {
                    *at = Value::Map(Map::new());
                }
                let map = at.as_map_mut()?;
                if !map.contains_key(key) && !rest.is_empty() {
                    map.insert(key.as_str(), smallest(key, inner, 0, 0, self.patterns));
                }
                self.set(map.entry_or_insert_with(key, || Value::Null), inner, rest, key)
            }
            Step::Index(index) => {
                if at.as_list().is_none() {
                    *at = Value::List(Vec::new());
                }
                let Value::List(items) = at else { return None };
                while items.len() <= *index {
                    items.push(smallest(name, inner, 0, items.len(), self.patterns));
                }
                self.set(&mut items[*index], inner, rest, name)
            }
        }
    }
}
