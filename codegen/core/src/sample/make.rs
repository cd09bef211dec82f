//! Makes values from a schema, node by node.

use std::cell::{Cell, OnceCell};
use std::collections::HashSet;
use std::sync::Arc;

use super::{Extent, MOST_FIELDS, asked, likely};
use crate::ir::{Junctors, Limits, Schema, Type};
use crate::object::Patterns;
use crate::server::Server;
use crate::server::is_supported;
use crate::value::{Map, Value};

/// How many different values can be made from one schema.
pub(super) const VARIANTS: usize = 4;

/// The maximum number of items, entries and characters. If a schema requires more, there is no example.
const MOST: usize = 300;

/// The maximum nesting of objects.
const DEEPEST: usize = 24;

/// The maximum number of values in one example. After that, everything else stays empty, because nested lists multiply.
const MOST_VALUES: usize = 20_000;

/// Makes values from the schema of a CRD.
pub(super) struct Maker<'s> {
    pub(super) schema: &'s Schema,
    extent: Extent,
    /// From this depth on, only required fields are included.
    pub(super) depth: usize,
    /// Whether the server ignores `status` in a new object.
    pub(super) skip_status: bool,
    /// The compiled patterns, which other makers may share.
    patterns: Arc<Patterns>,
    /// The number of values so far.
    made: Cell<usize>,
}

/// The constraints for a value: its schema, and the chosen alternatives of junctors.
struct Wanted<'s> {
    /// The name of the field, or of the field around a list or map.
    name: &'s str,
    schema: &'s Schema,
    clauses: Vec<&'s Schema>,
    /// The required fields, and those that belong to an alternative or must not be set. Looked up for each field.
    required: OnceCell<HashSet<&'s str>>,
    others: OnceCell<HashSet<&'s str>>,
}

/// The depth to which a full example can include all fields.
pub(super) fn deepest(schema: &Schema, extent: Extent) -> usize {
    if extent == Extent::Minimal {
        return 1;
    }
    let mut level = vec![schema];
    let mut count = 0;
    for depth in 1..DEEPEST {
        let next: Vec<&Schema> = level.iter().flat_map(|s| s.innermost().properties.values()).collect();
        count += next.len();
        if next.is_empty() || count > MOST_FIELDS {
            return depth.max(2) - 1;
        }
        level = next;
    }
    DEEPEST
}

impl<'s> Maker<'s> {
    pub(super) fn new(
        schema: &'s Schema,
        extent: Extent,
        depth: usize,
        skip_status: bool,
        patterns: &Arc<Patterns>,
    ) -> Maker<'s> {
        let patterns = Arc::clone(patterns);
        Maker { schema, extent, depth, skip_status, patterns, made: Cell::new(0) }
    }

    /// An object of the kind. `frame` contains the fields that all objects of a version have.
    pub(super) fn object(&self, frame: &Map<Value>) -> Value {
        let wanted = Wanted::new("", self.schema, 0);
        let mut out = frame.clone();
        for (name, property) in self.schema.properties.iter() {
            let is_spec = name == "spec" && !property.innermost().limits.required.is_empty();
            let is_there = match name {
                "apiVersion" | "kind" | "metadata" => false,
                "status" if self.skip_status => false,
                _ => self.is_there(&wanted, name, property, 0) || is_spec,
            };
            if is_there {
                out.insert(name, self.value(&wanted.below(property, name, 0), 1, 0, 0));
            }
        }
        Value::Map(out)
    }

    /// The smallest value of a schema by itself. Each `variant` is a different value.
    pub(super) fn alone(&self, name: &'s str, schema: &'s Schema, variant: usize) -> Value {
        self.numbered(name, schema, variant, 0)
    }

    /// The smallest value of a schema for a list with this many items.
    pub(super) fn numbered(&self, name: &'s str, schema: &'s Schema, variant: usize, number: usize) -> Value {
        self.made.set(0);
        self.value(&Wanted::new(name, schema, variant), DEEPEST, variant, number)
    }

    /// The value of a field that is this deep, with the fields inside it.
    pub(super) fn field(&self, name: &'s str, schema: &'s Schema, depth: usize) -> Value {
        self.made.set(0);
        self.value(&Wanted::new(name, schema, 0), depth + 1, 0, 0)
    }

    /// Whether the example includes a field.
    fn is_there(&self, wanted: &Wanted<'s>, name: &str, property: &Schema, depth: usize) -> bool {
        match self.extent {
            Extent::Full if depth < self.depth => !wanted.is_excluded(name),
            Extent::Full | Extent::Minimal => wanted.requires(name) && property.default.is_none(),
        }
    }

    /// Makes a value. `number` is its index in a list, whose items may have to differ.
    fn value(&self, wanted: &Wanted<'s>, depth: usize, variant: usize, number: usize) -> Value {
        let schema = wanted.schema;
        self.made.set(self.made.get() + 1);
        if self.made.get() > MOST_VALUES {
            return Value::Null;
        }
        if let Some(choices) =
            wanted.find(|limits| (!limits.enumeration.is_empty()).then_some(&limits.enumeration))
        {
            return choices[(variant + number) % choices.len()].clone();
        }
        if variant == 0
            && number == 0
            && let Some(given) = schema.example.as_ref().or(schema.default.as_ref())
        {
            return given.clone();
        }
        if schema.ext.int_or_string {
            // Quantities are usually written as texts.
            let is_text = likely::number(wanted.name).is_none() && likely::text(wanted.name).is_some();
            return if variant.is_multiple_of(2) != is_text {
                Value::Int(likely::number(wanted.name).map_or(1, |it| it as i64) + number as i64)
            } else {
                text(wanted, variant, number, &self.patterns).into()
            };
        }
        match schema.ty {
            Some(Type::Object) if schema.ext.embedded_resource => embedded(number),
            Some(Type::Object) if schema.value().is_some() => self.map(wanted, depth, variant),
            Some(Type::Object) => self.fields(wanted, depth, variant, number),
            Some(Type::Array) => self.list(wanted, depth, variant),
            Some(Type::String) => text(wanted, variant, number, &self.patterns).into(),
            Some(Type::Integer) => Value::Int(amount(wanted, variant, number, Amount::Whole) as i64),
            Some(Type::Number) => amount(wanted, variant, number, Amount::Any).into(),
            Some(Type::Boolean) => (variant.is_multiple_of(2)).into(),
            Some(Type::Other(_)) | None if schema.ext.embedded_resource => embedded(number),
            // It may be anything.
            Some(Type::Other(_)) | None => match variant {
                1 => super::named::NAME.into(),
                2 => Value::Int(1),
                _ => Value::Map(Map::new()),
            },
        }
    }

    fn fields(&self, wanted: &Wanted<'s>, depth: usize, variant: usize, number: usize) -> Value {
        let Schema { properties, .. } = wanted.schema;
        let is_full = self.extent == Extent::Full && depth < self.depth;
        // An object may have thousands of fields of which it requires none.
        let listed = match is_full {
            true => properties.iter().collect(),
            false => wanted
                .required()
                .into_iter()
                .filter_map(|name| Some((name, properties.get(name)?)))
                .collect::<Vec<_>>(),
        };
        let there = listed.into_iter().filter(|(name, it)| self.is_there(wanted, name, it, depth));
        let made = there.map(|(name, property)| {
            let value = self.value(&wanted.below(property, name, variant), depth + 1, variant, number);
            (name.to_owned(), value)
        });
        let mut made: Map<Value> = made.collect();
        if wanted.schema.ext.preserve_unknown_fields == Some(true) {
            for name in wanted.required() {
                if !made.contains_key(name) && !wanted.schema.properties.contains_key(name) {
                    made.insert(name, likely::text(name).unwrap_or("example").into());
                }
            }
        }
        Value::Map(made)
    }

    fn map(&self, wanted: &Wanted<'s>, depth: usize, variant: usize) -> Value {
        let Some(values) = wanted.schema.value() else { return Value::Map(Map::new()) };
        let count = count(wanted, |limits| limits.min_properties, |limits| limits.max_properties);
        let required = wanted.required();
        let count = count.max(required.len());
        let entry = |number: usize| {
            if let Some(name) = required.get(number) {
                let value = self.value(&Wanted::new(name, values, variant), depth, variant, 0);
                return ((*name).to_owned(), value);
            }
            let key = likely::key(wanted.name);
            // The name of a resource says more about its quantity than the name of the map.
            let name = key.filter(|it| likely::text(it).is_some()).unwrap_or(wanted.name);
            let key = key.unwrap_or("key");
            let key = if number == 0 { key.to_owned() } else { format!("{key}-{}", number + 1) };
            (key, self.value(&Wanted::new(name, values, variant), depth, variant, 0))
        };
        Value::Map((0..count).map(entry).collect())
    }

    fn list(&self, wanted: &Wanted<'s>, depth: usize, variant: usize) -> Value {
        let Some(items) = wanted.schema.item() else { return Value::List(Vec::new()) };
        let count = count(wanted, |limits| limits.min_items, |limits| limits.max_items);
        let item = |number| self.value(&Wanted::new(wanted.name, items, variant), depth, variant, number);
        Value::List((0..count).map(item).collect())
    }
}

impl<'s> Wanted<'s> {
    fn new(name: &'s str, schema: &'s Schema, variant: usize) -> Wanted<'s> {
        let (required, others) = (OnceCell::new(), OnceCell::new());
        let mut out = Wanted { name, schema, clauses: Vec::new(), required, others };
        out.choose(schema, variant);
        out
    }

    /// Chooses alternatives of a schema's junctors, and of those inside them.
    fn choose(&mut self, schema: &'s Schema, variant: usize) {
        let Junctors { all_of, any_of, one_of, not: _ } = schema.limits.junctors();
        let chosen = |clauses: &'s [Schema]| clauses.get(variant.checked_rem(clauses.len())?);
        for clause in all_of.iter().chain(chosen(any_of)).chain(chosen(one_of)).map(Schema::case) {
            self.clauses.push(clause);
            self.choose(clause, variant);
        }
    }

    /// The constraints for a field.
    fn below(&self, property: &'s Schema, name: &'s str, variant: usize) -> Wanted<'s> {
        let mut out = Wanted::new(name, property, variant);
        for clause in self.clauses.iter().filter_map(|clause| clause.properties.get(name)) {
            out.clauses.push(clause);
            out.choose(clause, variant);
        }
        out
    }

    /// The first result, from the chosen alternatives and then the schema itself.
    fn find<T>(&self, what: impl Fn(&'s Limits) -> Option<T>) -> Option<T> {
        self.clauses.iter().chain([&self.schema]).find_map(|schema| what(&schema.limits))
    }

    fn requires(&self, name: &str) -> bool {
        self.all_required().contains(name)
    }

    /// The names of the required fields, in order.
    fn required(&self) -> Vec<&'s str> {
        let mut out: Vec<&str> = self.all_required().iter().copied().collect();
        out.sort_unstable();
        out
    }

    /// Whether a field belongs to an alternative that was not chosen, or must not be set.
    fn is_excluded(&self, name: &str) -> bool {
        self.others().contains(name) && !self.requires(name)
    }

    fn schemas(&self) -> impl Iterator<Item = &'s Schema> {
        self.clauses.iter().copied().chain([self.schema])
    }

    fn all_required(&self) -> &HashSet<&'s str> {
        self.required.get_or_init(|| self.schemas().flat_map(names).collect())
    }

    fn others(&self) -> &HashSet<&'s str> {
        self.others.get_or_init(|| {
            let mut others = HashSet::new();
            for schema in self.schemas() {
                let Limits { one_of, not, .. } = &schema.limits;
                let not = not.iter().flat_map(|not| [&**not].into_iter().chain(&not.limits.any_of));
                others.extend(one_of.iter().chain(not).flat_map(names));
                let forbidden = schema.properties.iter().filter(|(_, property)| property.forbids());
                others.extend(forbidden.map(|(name, _)| name));
            }
            others
        })
    }
}

/// The names of the fields that a schema requires.
fn names(schema: &Schema) -> impl Iterator<Item = &str> {
    schema.limits.required.iter().map(String::as_str)
}

/// The number of items or entries: one, unless the constraints require another number.
fn count(
    wanted: &Wanted<'_>,
    least: impl Fn(&Limits) -> Option<i64>,
    most: impl Fn(&Limits) -> Option<i64>,
) -> usize {
    let size = |n: i64| usize::try_from(n).unwrap_or(0).min(MOST);
    let least = wanted.find(least).map_or(1, size).max(1);
    wanted.find(most).map_or(least, |most| least.min(size(most)))
}

fn embedded(number: usize) -> Value {
    let name = if number == 0 { "example".to_owned() } else { format!("example-{}", number + 1) };
    let metadata: Map<Value> = [("name", Value::from(name))].into_iter().collect();
    let parts =
        [("apiVersion", "v1".into()), ("kind", "ConfigMap".into()), ("metadata", Value::Map(metadata))];
    Value::Map(parts.into_iter().collect())
}

fn text(wanted: &Wanted<'_>, variant: usize, number: usize, patterns: &Patterns) -> String {
    let pattern = wanted.find(|limits| (!limits.pattern.is_empty()).then_some(&limits.pattern));
    let format = wanted.find(|limits| (!limits.format.is_empty()).then_some(limits.format.as_str()));
    let format = format.filter(|it| is_supported(it, Some(&Type::String), Server::NEWEST));
    let limits = &wanted.schema.limits;
    let length = |n: Option<i64>| n.map(|n| usize::try_from(n).unwrap_or(0).min(MOST));
    let mut choices: Vec<String> = Vec::new();
    if let Some(format) = format {
        choices.extend(of_format(format).iter().map(|&text| text.to_owned()));
    }
    choices.extend(likely::text(wanted.name).map(str::to_owned));
    choices.extend(["example", "1", "https://example.com/a", "10.0.0.1", "a"].map(str::to_owned));
    let compiled = pattern.map(|pattern| patterns.get(pattern));
    if let Some(Ok(pattern)) = compiled.as_deref() {
        let sample = pattern.sample();
        choices.retain(|choice| pattern.is_match(choice));
        choices.extend(sample);
    }
    // The usual text comes first, because it reads well.
    for text in asked::texts(wanted.schema) {
        if choices.first() != Some(&text) {
            choices.insert(choices.len().min(1), text);
        }
    }
    let mut text = match choices.len() {
        0 => "example".to_owned(),
        len => choices.swap_remove(variant % len),
    };
    if number > 0 {
        text = match format {
            Some(format) => numbered(format, &text, number),
            None => {
                let is_match = |text: &String| {
                    let has_pattern =
                        compiled.as_deref().is_none_or(|it| it.as_ref().is_ok_and(|it| it.is_match(text)));
                    has_pattern
                        && (wanted.schema.rules.is_empty() || asked::is_match(wanted.schema, text, patterns))
                };
                let (digits, letters) = (number + 1, letters(number));
                let dash = if pattern.is_some() { "" } else { "-" };
                let usual = format!("{text}{dash}{digits}");
                let others =
                    [format!("{text}{letters}"), format!("{letters}{text}"), format!("{text}{digits}")];
                match is_match(&usual) {
                    true => usual,
                    false => others.into_iter().find(is_match).unwrap_or(usual),
                }
            }
        };
    }
    if let Some(missing) = length(limits.min_length).and_then(|least| least.checked_sub(text.chars().count()))
    {
        let last = text.chars().last().unwrap_or('a');
        text.extend(std::iter::repeat_n(last, missing));
    }
    if let Some(most) = length(limits.max_length) {
        text = text.chars().take(most).collect();
    }
    text
}

/// A number as small letters.
fn letters(mut number: usize) -> String {
    let mut out = String::new();
    while number > 0 {
        out.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    out
}

/// Another text of the same format, if it is easy to make. Otherwise the same one.
fn numbered(format: &str, text: &str, number: usize) -> String {
    let (tens, ones) = (number / 60 % 60, number % 60);
    match format.replace('-', "").as_str() {
        "datetime" => format!("2026-01-31T12:{tens:02}:{ones:02}Z"),
        "date" => format!("{}-01-31", 2026 + number),
        "duration" => format!("{number}s"),
        "ipv4" => format!("10.0.{}.{}", number / 256 % 256, number % 256),
        "ipv6" => format!("2001:db8::{number:x}"),
        "cidr" => format!("10.{}.{}.0/24", number / 256 % 256, number % 256),
        "uri" => format!("https://example.com/{number}"),
        _ => text.to_owned(),
    }
}

/// Texts that have a format, by the server's rules.
fn of_format(format: &str) -> &'static [&'static str] {
    match format.replace('-', "").as_str() {
        "bsonobjectid" => &["507f1f77bcf86cd799439011"],
        "byte" => &["ZXhhbXBsZQ=="],
        "cidr" => &["10.0.0.0/8", "2001:db8::/32"],
        "creditcard" => &["4111111111111111"],
        "date" => &["2026-01-31"],
        "datetime" => &["2026-01-31T12:00:00Z"],
        "duration" => &["1h30m"],
        "email" => &["user@example.com"],
        "hexcolor" => &["#336699"],
        "ipv4" => &["10.0.0.1"],
        "ipv6" => &["2001:db8::1"],
        "isbn" | "isbn10" => &["0306406152"],
        "isbn13" => &["9780306406157"],
        "mac" => &["00:1b:44:11:3a:b7"],
        "rgbcolor" => &["rgb(51,102,153)"],
        "ssn" => &["123-45-6789"],
        "uri" => &["https://example.com"],
        "uuid" | "uuid4" => &["7c4a8d09-ca37-4a2e-8f3b-2d3f6f6a1b0e"],
        "uuid3" => &["5df41881-3aed-3515-88a7-2f4a814cf09e"],
        "uuid5" => &["74738ff5-5367-5958-9aee-98fffdcd1876"],
        _ => &[],
    }
}

/// Which numbers are made.
#[derive(Clone, Copy)]
enum Amount {
    Whole,
    Any,
}

/// A number within the bounds.
fn amount(wanted: &Wanted<'_>, variant: usize, number: usize, kind: Amount) -> f64 {
    let step = wanted.find(|l| l.multiple_of).filter(|n| *n > 0.0);
    let by = step.unwrap_or(match kind {
        Amount::Whole => 1.0,
        Amount::Any => 0.5,
    });
    let least = wanted.find(|l| l.minimum.map(|n| if l.exclusive_minimum { n + by } else { n }));
    let most = wanted.find(|l| l.maximum.map(|n| if l.exclusive_maximum { n - by } else { n }));
    let usual = match variant % VARIANTS {
        0 => likely::number(wanted.name).unwrap_or(1.0),
        1 => least.or(most).unwrap_or(0.0),
        2 => most.or(least).unwrap_or(10.0),
        _ => 100.0,
    } + number as f64 * by;
    let bounded = usual.min(most.unwrap_or(f64::INFINITY)).max(least.unwrap_or(f64::NEG_INFINITY));
    let on_step = match step {
        Some(step) => (bounded / step).ceil() * step,
        None => bounded,
    };
    match kind {
        Amount::Whole => on_step.ceil(),
        Amount::Any => on_step,
    }
}
