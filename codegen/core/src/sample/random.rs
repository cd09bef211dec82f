//! Makes random objects. Values that cannot be random, such as a text that matches a pattern, are copied from an
//! example.

use crate::ir::{Additional, Items, Limits, Schema, Type};
use crate::value::{Map, Value};

/// A generator of random numbers from a seed: SplitMix64.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    keys: Keys,
}

/// Which keys random maps have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// Numbers, which all types of keys read.
    Numbers,
    /// All keys that the server accepts.
    Any,
}

impl Random {
    /// Creates a generator. The same seed always gives the same numbers.
    pub fn new(seed: u64) -> Random {
        Random { state: seed ^ 0x9e37_79b9_7f4a_7c15, keys: Keys::Numbers }
    }

    /// Chooses the keys of maps.
    pub fn with_keys(self, keys: Keys) -> Random {
        Random { keys, ..self }
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `n`, or 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.bits() % n as u64) as usize }
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn one<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

/// The maximum number of items in lists and maps, unless the schema requires more.
const MOST: usize = 3;
/// The largest list or map that is made. No example needs more, and a schema may demand billions.
const LARGEST: usize = 300;

/// Texts that reveal errors in conversions: separators, spaces, empty parts, and characters outside ASCII.
const TEXTS: &[&str] = &[
    "",
    "a",
    "b",
    "a b",
    "a,b",
    "a, b",
    "a:b",
    "a@b",
    "a/b",
    "/",
    "http",
    "0",
    "-1",
    "1.5",
    "true",
    "null",
    "ä",
    "🦀",
    "\u{0}\n\"",
    "{}",
];

/// Keys of maps that the server accepts. Many types of keys read only some of them.
const KEYS: &[&str] = &["a", "B-c.d/e_f", "", "ä", "-1", "01", "true", "99999999999999999999"];

/// Durations that the server accepts. Few programs read all of them.
const DURATIONS: &[&str] = &["0s", "1h30m", "-1.5s", "7d", "1w", "PT1H", "3 days"];

/// Makes a random value for a schema. `example` is another value for the schema, if there is one. The value may
/// violate rules and some constraints in junctors. If you need a valid value, check it with the server's validation.
pub fn value(schema: &Schema, example: Option<&Value>, random: &mut Random) -> Option<Value> {
    of(Wanted::new(schema, Vec::new(), random), example, random)
}

/// The constraints for a value: its schema, and the alternatives of junctors that were chosen and not chosen.
struct Wanted<'s> {
    schema: &'s Schema,
    chosen: Vec<&'s Schema>,
    others: Vec<&'s Schema>,
}

impl<'s> Wanted<'s> {
    fn new(schema: &'s Schema, clauses: Vec<&'s Schema>, random: &mut Random) -> Wanted<'s> {
        let mut out = Wanted { schema, chosen: Vec::new(), others: Vec::new() };
        out.choose(schema, random);
        for clause in clauses {
            out.chosen.push(clause);
            out.choose(clause, random);
        }
        out
    }

    /// Chooses an alternative of each of a schema's junctors, and of those inside them.
    fn choose(&mut self, schema: &'s Schema, random: &mut Random) {
        let Limits { any_of, one_of, .. } = &schema.limits;
        for branches in [any_of, one_of].into_iter().filter(|branches| !branches.is_empty()) {
            let at = random.below(branches.len());
            for (i, branch) in branches.iter().map(Schema::case).enumerate() {
                if i == at {
                    self.chosen.push(branch);
                    self.choose(branch, random);
                } else {
                    self.alternative(branch);
                }
            }
        }
    }

    fn alternative(&mut self, schema: &'s Schema) {
        self.others.push(schema);
        let Limits { any_of, one_of, .. } = &schema.limits;
        any_of.iter().chain(one_of).for_each(|branch| self.alternative(branch.case()));
    }

    /// The allowed values, if the value must be one of some.
    fn enumeration(&self) -> Option<&'s [Value]> {
        let all = self.chosen.iter().rev().chain([&self.schema]).map(|it| &*it.limits.enumeration);
        all.into_iter().find(|values| !values.is_empty())
    }

    fn requires(&self, name: &str) -> bool {
        self.chosen.iter().chain([&self.schema]).any(|schema| requires(schema, name))
    }

    /// Whether a field belongs to an alternative that was not chosen, or must not be set.
    fn excludes(&self, name: &str) -> bool {
        let is_not = |schema: &&Schema| {
            schema.properties.get(name).is_some_and(Schema::forbids)
                || schema.limits.not.iter().any(|not| {
                    requires(not, name) || not.limits.any_of.iter().any(|branch| requires(branch, name))
                })
        };
        self.others.iter().any(|schema| requires(schema, name))
            || self.chosen.iter().chain([&self.schema]).any(is_not)
    }

    /// The constraints for a field.
    fn below(&self, property: &'s Schema, name: &str, random: &mut Random) -> Wanted<'s> {
        let clauses = self.chosen.iter().filter_map(|schema| schema.properties.get(name)).collect();
        Wanted::new(property, clauses, random)
    }
}

fn requires(schema: &Schema, name: &str) -> bool {
    schema.limits.required.iter().any(|required| required == name)
}

fn of(wanted: Wanted<'_>, example: Option<&Value>, random: &mut Random) -> Option<Value> {
    let schema = wanted.schema;
    if schema.nullable && random.chance(10) {
        return Some(Value::Null);
    }
    if let Some(values) = wanted.enumeration() {
        return random.one(values).cloned();
    }
    if schema.ext.int_or_string {
        return Some(if random.chance(50) {
            integer(&schema.limits, random)
        } else {
            text(schema, example, random)?
        });
    }
    match &schema.ty {
        Some(Type::Object) => object(&wanted, example, random),
        Some(Type::Array) => list(schema, example, random),
        Some(Type::String) => text(schema, example, random),
        Some(Type::Integer) => Some(integer(&schema.limits, random)),
        Some(Type::Number) => Some(number(&schema.limits, random)),
        Some(Type::Boolean) => Some(Value::Bool(random.chance(50))),
        Some(Type::Other(_)) | None if !wanted.chosen.is_empty() => object(&wanted, example, random),
        Some(Type::Other(_)) | None => example.cloned(),
    }
}

fn object(wanted: &Wanted<'_>, example: Option<&Value>, random: &mut Random) -> Option<Value> {
    let schema = wanted.schema;
    let of_example = |name: &str| example.and_then(|example| example.get(name));
    let mut out = Map::new();
    for (name, property) in schema.properties.iter() {
        let required = wanted.requires(name);
        if !required && (wanted.excludes(name) || random.chance(30)) {
            continue;
        }
        match of(wanted.below(property, name, random), of_example(name), random) {
            Some(value) => out.insert(name.to_owned(), value),
            None if required => return None,
            None => continue,
        };
    }
    if let Some(Additional::Schema(values)) = &schema.additional_properties {
        let least = schema.limits.min_properties.map_or(0, |least| least.max(0) as usize);
        if least > LARGEST {
            return example.cloned();
        }
        let inside = example.and_then(Value::as_map).and_then(|map| map.values().next());
        let required = schema.limits.required.iter().filter(|name| !schema.properties.contains_key(name));
        for name in required.take(LARGEST) {
            out.insert(name.as_str(), value(values, inside, random)?);
        }
        for i in out.len()..least.max(random.below(MOST + 1)) {
            // Rules may require numbers.
            let is_any = random.keys == Keys::Any
                && i >= least
                && random.chance(if schema.rules.is_empty() { 50 } else { 10 });
            let key = random
                .one(KEYS)
                .filter(|_| is_any)
                .map_or_else(|| (i + 1).to_string(), |key| (*key).to_owned());
            out.insert(key, value(values, inside, random)?);
        }
    }
    let takes_more = schema.ty.is_some() && schema.ext.preserve_unknown_fields == Some(true);
    if takes_more && random.chance(30) {
        out.insert("unknownField", Value::from(vec![1_i64, 2]));
    }
    Some(Value::Map(out))
}

fn list(schema: &Schema, example: Option<&Value>, random: &mut Random) -> Option<Value> {
    let Some(Items::One(items)) = &schema.items else { return example.cloned() };
    let inside = example.and_then(Value::as_list).and_then(<[Value]>::first);
    let least = schema.limits.min_items.map_or(0, |least| least.max(0) as usize);
    if least > LARGEST {
        return example.cloned();
    }
    let most = schema.limits.max_items.map_or(usize::MAX, |most| most.max(0) as usize);
    let count = least.max(random.below(MOST + 1)).min(most);
    let mut out: Vec<Value> = Vec::new();
    let is_same = |a: &Value, b: &Value| match schema.ext.list_type.as_deref() {
        Some("set") => a == b,
        Some("map") => schema.ext.list_map_keys.iter().all(|key| a.get(key) == b.get(key)),
        _ => false,
    };
    for _ in 0..count {
        // Repeated items are included because conversions may confuse them.
        let item = match out.last() {
            Some(last) if random.chance(20) => last.clone(),
            _ => value(items, inside, random)?,
        };
        if !out.iter().any(|other| is_same(other, &item)) {
            out.push(item);
        }
    }
    Some(Value::List(out))
}

fn text(schema: &Schema, example: Option<&Value>, random: &mut Random) -> Option<Value> {
    let Limits { pattern, format, min_length, max_length, all_of, .. } = &schema.limits;
    if format == "duration" && pattern.is_empty() {
        return random.one(DURATIONS).map(|text| Value::from(*text));
    }
    if !pattern.is_empty() || !format.is_empty() || !all_of.is_empty() {
        return example.cloned();
    }
    let mut text = (*random.one(TEXTS)?).to_owned();
    let least = min_length.map_or(0, |least| least.clamp(0, 1 << 10) as usize);
    while text.chars().count() < least {
        text.push('x');
    }
    let most = max_length.map_or(usize::MAX, |most| most.max(0) as usize);
    Some(Value::Str(text.chars().take(most).collect()))
}

fn integer(limits: &Limits, random: &mut Random) -> Value {
    let (least, most) = if limits.format == "int32" {
        (i64::from(i32::MIN), i64::from(i32::MAX))
    } else {
        (i64::MIN, i64::MAX)
    };
    let least = limits.minimum.map_or(least, |minimum| (minimum.ceil() as i64).max(least));
    let most = limits.maximum.map_or(most, |maximum| (maximum.floor() as i64).min(most));
    let near = [0, 1, -1, 7, 10, 999, 1000, 1500, 86_400].map(|n: i64| n.clamp(least, most.max(least)));
    Value::Int(match random.below(10) {
        0 => least,
        1 => most,
        2 => (random.bits() as i64).clamp(least, most.max(least)),
        _ => random.one(&near).copied().unwrap_or(least),
    })
}

fn number(limits: &Limits, random: &mut Random) -> Value {
    let some: [f64; 6] = [0.0, 1.0, -1.5, 0.1, 1e9, 12.25];
    let number = random.one(&some).copied().unwrap_or(0.0);
    let least = limits.minimum.unwrap_or(f64::MIN);
    Value::Float(number.max(least).min(limits.maximum.unwrap_or(f64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::{Random, value};
    use crate::value::Value;
    use crate::{decode, json};

    #[test]
    fn a_schema_cannot_demand_all_memory() {
        for text in [
            r#"{"type":"array","minItems":1000000000000,"items":{"type":"string"}}"#,
            r#"{"type":"object","minProperties":1000000000000,"additionalProperties":{"type":"string"}}"#,
        ] {
            let schema = decode::schema(json::read(text.as_bytes()).expect("JSON")).0.expect("a schema");
            let example = json::read(b"[]").expect("JSON");
            // What is there stays, because nothing else can be made.
            assert_eq!(value(&schema, Some(&example), &mut Random::new(1)), Some(example), "{text}");
            assert_eq!(value(&schema, None::<&Value>, &mut Random::new(1)), None, "{text}");
        }
    }
}
