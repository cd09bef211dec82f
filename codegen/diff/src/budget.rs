//! What a search may cost: objects that are tried, repaired and made smaller, and the rules that are run for that.

use crdgen_core::ir::Schema;
use crdgen_core::value::Value;
use crdgen_core::walk::any_schema;

use crate::side::Side;

/// How many changes may take the whole budget. All changes of a version share it, because updates may change thousands of fields.
const CHANGES: usize = 12;

/// How many values of an object and required fields are checked for the price of one object: an object may contain a large
/// default, and lack many required fields.
const VALUES: usize = 500;

/// What rules may cost, as the server counts it, for the price of one object.
const COST: i64 = 250;

/// The part of what is left for all changes that one repair may take, or that a witness may take to become small, and the least that
/// these may cost.
const PART: usize = 8;
const LEAST_COST: i64 = 400 * COST;

/// How many objects are tried for each change, also if others have used up what was there: rules may make one object cost more than the
/// shares of many changes. Together, they cost at most as much as one change may.
const LEAST: usize = 8;

/// The budget of a search in one version, which all changes share.
pub(crate) struct Budget<'s> {
    sides: [&'s Side; 2],
    /// How many objects may be tried for one change.
    pub(crate) of_change: usize,
    /// How many more objects may be tried for all changes, without the cost of rules.
    left: usize,
    /// How many of these are for other changes than the current one.
    kept: usize,
    /// How many more objects may be tried for changes for which nothing is left.
    more_than_left: usize,
    /// The cost of rules before this search.
    before: i64,
    schemas: [Option<&'s Schema>; 2],
    /// How many values defaults may add to each object.
    defaults: usize,
}

impl<'s> Budget<'s> {
    pub(crate) fn new(sides: [&'s Side; 2], version: &str, of_change: usize) -> Budget<'s> {
        let schemas = sides.map(|side| side.schema(version));
        Budget {
            sides,
            of_change,
            left: of_change.saturating_mul(CHANGES),
            kept: 0,
            more_than_left: of_change,
            before: cost_of(sides),
            schemas,
            defaults: schemas.into_iter().flatten().map(values_of_defaults).sum(),
        }
    }

    /// Keeps a fair part of what is left for so many other changes.
    pub(crate) fn share_with(&mut self, others: usize) {
        let left = self.left();
        self.kept = left - left / (others + 1);
    }

    /// Whether nothing is left for the current change, for which so many objects were tried.
    pub(crate) fn has_none_left(&self, tried: usize) -> bool {
        self.is_used_up() && (tried >= LEAST || self.more_than_left == 0)
    }

    /// Whether the current change has used up its share.
    pub(crate) fn is_used_up(&self) -> bool {
        self.left() <= self.kept
    }

    /// Whether less than half of what was there for all changes is left.
    pub(crate) fn is_half_spent(&self) -> bool {
        self.left() < self.of_change.saturating_mul(CHANGES) / 2
    }

    /// The cost of all rules since the start of this search, as the server counts it.
    pub(crate) fn cost(&self) -> i64 {
        cost_of(self.sides).saturating_sub(self.before)
    }

    /// What the rules may cost of a repair, or of what makes a witness small.
    pub(crate) fn part(&self) -> i64 {
        let part = i64::try_from(self.left().saturating_sub(self.kept) / PART).unwrap_or(i64::MAX);
        part.saturating_mul(COST).max(LEAST_COST)
    }

    /// Pays for an object that is tried.
    pub(crate) fn pay(&mut self, object: &Value) {
        if self.is_used_up() {
            self.more_than_left = self.more_than_left.saturating_sub(self.price(object));
        }
        self.left = self.left.saturating_sub(self.price(object));
    }

    /// Pays for a repair that checked so many objects of a price.
    pub(crate) fn pay_repair(&mut self, price: usize, checked: usize) {
        self.left = self.left.saturating_sub(price.saturating_mul(checked));
    }

    /// How many more objects may be tried for all changes.
    fn left(&self) -> usize {
        self.left.saturating_sub(usize::try_from(self.cost() / COST).unwrap_or(usize::MAX))
    }

    /// What it costs to check an object.
    pub(crate) fn price(&self, object: &Value) -> usize {
        let required = self.schemas.into_iter().flatten().map(|schema| required_in(object, schema));
        1 + (values_in(object) + self.defaults + required.sum::<usize>()) / VALUES
    }
}

/// The cost of the rules that both sides have run so far.
fn cost_of([old, new]: [&Side; 2]) -> i64 {
    old.cost().saturating_add(new.cost())
}

/// How many fields a schema and those in it require of an object and what is in it.
fn required_in(value: &Value, schema: &Schema) -> usize {
    let inside: usize = match value {
        Value::Map(map) => {
            let below = |name| schema.properties.get(name).or(schema.value());
            map.iter().filter_map(|(name, value)| Some(required_in(value, below(name)?))).sum()
        }
        Value::List(items) => {
            schema.item().map_or(0, |item| items.iter().map(|it| required_in(it, item)).sum())
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => 0,
    };
    inside + schema.limits.required.len()
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
