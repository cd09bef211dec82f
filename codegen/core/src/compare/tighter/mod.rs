//! Finds what one schema forbids and another one allows at the same place: why the server may reject a value that moves
//! from one version to another.

mod comparisons;
mod junctors;
mod seen;

pub use comparisons::Comparisons;

use super::limit::Limit;
use super::on_create::OnCreate;
use super::rules;
use crate::diag::codes::object as codes;
use crate::diag::{Code, Diag, Kind};
use crate::go::regexp;
use crate::ir::{Extensions, Limits, NumberSize, Schema, Type};
use crate::json;
use crate::listed;
use crate::object::validate::Validator;
use crate::path::Path;
use crate::server::is_supported;
use crate::value::Value;
use std::collections::HashSet;

/// How a value gets from one version to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The value does not change.
    Unchanged,
    /// A conversion of the type changes the value, so it may have other fields, and other values of an enum.
    Converted,
}

/// The types of values with `x-kubernetes-int-or-string`.
const INT_OR_STRING: [Type; 2] = [Type::Integer, Type::String];

/// Returns each constraint of the first schema that a valid value of the second one may violate. Only the value itself
/// is compared, and not what is inside of it.
pub fn tighter(tight: &Schema, loose: &Schema, way: Way, known: &Comparisons) -> Vec<Limit> {
    let rules = OnCreate::new(&loose.rules);
    let mut out = Out { tight, loose, rules, known, all: Vec::new() };
    // The values of an enum can be tried one by one.
    match way == Way::Unchanged && !loose.limits.enumeration.is_empty() {
        true => out.listed_values(),
        false => {
            out.numbers();
            out.texts();
            out.sizes();
            if way == Way::Unchanged {
                out.values();
                out.junctors();
            }
        }
    }
    out.lists();
    out.retain_for_type();
    if way == Way::Unchanged {
        out.required();
    }
    out.retain_not_implied();
    let rules = (way == Way::Unchanged).then_some(&out.rules);
    rules::compare(tight, loose, rules, &mut out.all);
    out.all
}

struct Out<'s> {
    tight: &'s Schema,
    loose: &'s Schema,
    /// The rules of the loose schema.
    rules: OnCreate<'s>,
    known: &'s Comparisons,
    all: Vec<Limit>,
}

impl Out<'_> {
    fn limits(&self) -> (&Limits, &Limits) {
        (&self.tight.limits, &self.loose.limits)
    }

    /// Reports a keyword with its value, and with its value in the other schema.
    fn add(&mut self, keyword: &'static str, own: &str, other: Option<String>) {
        self.all.push(Limit::Keyword { keyword, own: own.to_owned(), other });
    }

    /// Reports which values of the loose enum the tight schema does not allow.
    fn listed_values(&mut self) {
        let (tight, loose) = self.limits();
        // Compares texts in a set, because comparing all pairs of values would be slow for long lists.
        let allowed: HashSet<String> = tight.enumeration.iter().map(json::to_string).collect();
        let is_listed = |value: &Value| allowed.is_empty() || allowed.contains(&json::to_string(value));
        let mut rest = self.tight.clone();
        rest.limits.enumeration = Vec::new();
        let constraints = Validator::new(&rest, self.known.server);
        let mut others = self.loose.clone();
        others.limits.enumeration = Vec::new();
        let others = Validator::new(&others, self.known.server);
        // A listed value is not allowed if another keyword next to the enum forbids it.
        let is_possible = |value: &Value| others.validate(value, &Path::ROOT).is_empty();
        let mut gone: Vec<(&'static str, Vec<&Value>)> = Vec::new();
        // Whether null is allowed is compared elsewhere.
        for value in loose.enumeration.iter().filter(|value| !value.is_null() && is_possible(value)) {
            let keyword = match is_listed(value) {
                false => "enum",
                true => match constraints.validate(value, &Path::ROOT).first() {
                    Some(error) => keyword_of(error, tight),
                    None => continue,
                },
            };
            match gone.iter_mut().find(|(of, _)| *of == keyword) {
                Some((_, values)) => values.push(value),
                None => gone.push((keyword, vec![value])),
            }
        }
        let found =
            gone.into_iter().map(|(keyword, values)| Limit::Values { keyword, values: list(&values) });
        self.all.extend(found.collect::<Vec<_>>());
    }

    /// Removes the keywords that say nothing about values of the loose schema's type.
    fn retain_for_type(&mut self) {
        let Schema { ty, ext, .. } = self.loose;
        let is_one_of = |types: &[Type]| match ty {
            Some(Type::Other(_)) => true,
            Some(ty) => types.contains(ty),
            None if ext.int_or_string => types.iter().any(|it| INT_OR_STRING.contains(it)),
            None => true,
        };
        self.all.retain(|limit| match limit {
            Limit::Keyword { keyword, .. } => match *keyword {
                "minimum" | "maximum" | "multipleOf" => is_one_of(&[Type::Integer, Type::Number]),
                "minLength" | "maxLength" | "pattern" => is_one_of(&[Type::String]),
                "minItems" | "maxItems" | "uniqueItems" => is_one_of(&[Type::Array]),
                "minProperties" | "maxProperties" => is_one_of(&[Type::Object]),
                _ => true,
            },
            _ => true,
        });
    }

    fn numbers(&mut self) {
        let (tight, loose) = self.limits();
        let text = |bound: f64, exclusive: bool| {
            let number = json::to_string(&Value::Float(bound));
            if exclusive { format!("{number} (exclusive)") } else { number }
        };
        let mut found = Vec::new();
        for (keyword, a, b, is_tighter) in [
            (
                "minimum",
                tight.minimum.map(|n| (n, tight.exclusive_minimum)),
                loose.minimum.map(|n| (n, loose.exclusive_minimum)),
                (|a, b| a > b) as fn(f64, f64) -> bool,
            ),
            (
                "maximum",
                tight.maximum.map(|n| (n, tight.exclusive_maximum)),
                loose.maximum.map(|n| (n, loose.exclusive_maximum)),
                |a, b| a < b,
            ),
        ] {
            let Some((n, exclusive)) = a else { continue };
            let is_stricter = |(m, other): (f64, bool)| {
                let (m, other) = reached(m, other, keyword == "maximum", self.loose);
                is_tighter(n, m) || n == m && exclusive && !other
            };
            if b.is_none_or(is_stricter) || self.rejects_all(n) {
                found.push((keyword, text(n, exclusive), b.map(|(m, other)| text(m, other))));
            }
        }
        if let Some(step) = tight.multiple_of
            && (loose.multiple_of.is_none_or(|other| !are_multiples(other, step, self.loose))
                || self.rejects_all(step))
        {
            found.push(("multipleOf", text(step, false), loose.multiple_of.map(|other| text(other, false))));
        }
        found.into_iter().for_each(|(keyword, a, b)| self.add(keyword, &a, b));
    }

    /// Whether the tight schema rejects all numbers because its type cannot represent one of its own bounds, and the loose one does not.
    fn rejects_all(&self, bound: f64) -> bool {
        let represents = |schema: &Schema, bound: f64| {
            NumberSize::of(schema.ty.as_ref(), &schema.limits.format).has_float(bound)
        };
        let Limits { minimum, maximum, multiple_of, .. } = &self.loose.limits;
        let mut others = [minimum, maximum, multiple_of].into_iter().flatten();
        !represents(self.tight, bound) && others.all(|other| represents(self.loose, *other))
    }

    fn texts(&mut self) {
        let (tight, loose) = self.limits();
        let quoted = |text: &str| (!text.is_empty()).then(|| format!("`{text}`"));
        // The server does not check formats that it does not know, and all numbers have 64 bits.
        let limits = |schema: &Schema| {
            let format = schema.limits.format.as_str();
            is_supported(format, schema.ty.as_ref(), self.known.server)
                && !matches!(format, "int64" | "double")
        };
        let mut found = Vec::new();
        if !tight.pattern.is_empty() && !self.known.patterns.is_within(&loose.pattern, &tight.pattern) {
            found.push(("pattern", &tight.pattern, &loose.pattern));
        }
        let is_needed = tight.format != INT32 || !has_bounds_of_int32(loose);
        if limits(self.tight) && tight.format != loose.format && is_needed {
            found.push(("format", &tight.format, &loose.format));
        }
        let found: Vec<_> =
            found.into_iter().map(|(keyword, a, b)| (keyword, quoted(a), quoted(b))).collect();
        for (keyword, a, b) in found {
            self.add(keyword, &a.unwrap_or_default(), b);
        }
    }

    fn sizes(&mut self) {
        let (tight, loose) = self.limits();
        let required = i64::try_from(self.still_required()).unwrap_or(i64::MAX);
        let texts = lengths(self.loose, self.known);
        let least = [
            ("minLength", tight.min_length.filter(|least| !texts.are_at_least(*least)), loose.min_length),
            ("minItems", tight.min_items, loose.min_items),
            ("minProperties", tight.min_properties.filter(|least| *least > required), loose.min_properties),
        ];
        let most = [
            ("maxLength", tight.max_length.filter(|most| !texts.are_at_most(*most)), loose.max_length),
            ("maxItems", tight.max_items, loose.max_items),
            ("maxProperties", tight.max_properties, loose.max_properties),
        ];
        let least = least.into_iter().filter(|(_, a, b)| a.is_some_and(|a| a > 0 && b.is_none_or(|b| a > b)));
        let most = most.into_iter().filter(|(_, a, b)| a.is_some_and(|a| b.is_none_or(|b| a < b)));
        let found: Vec<_> = least.chain(most).collect();
        for (keyword, a, b) in found {
            let a = a.map(|a| a.to_string()).unwrap_or_default();
            self.add(keyword, &a, b.map(|b| b.to_string()));
        }
    }

    /// How many fields a value of the loose schema has that the tight schema does not drop. A list of required fields may name one of
    /// them several times.
    fn still_required(&self) -> usize {
        let Schema { properties, additional_properties, .. } = self.tight;
        let keeps_others = self.tight.preserves_unknown_fields() || additional_properties.is_some();
        let is_null = |schema: &Schema, name: &str| schema.properties.get(name).is_some_and(|it| it.nullable);
        // A schema that does not say what becomes of a field has no values that lack it.
        let is_known = |schema: &Schema, name: &str| {
            schema.properties.contains_key(name)
                || schema.preserves_unknown_fields()
                || schema.additional_properties.is_some()
        };
        let is_kept = |name: &str| {
            let is_listed = properties.contains_key(name) || !is_known(self.loose, name);
            (is_listed || keeps_others) && (!is_null(self.loose, name) || is_null(self.tight, name))
        };
        let names: HashSet<&str> = self.loose.limits.required.iter().map(String::as_str).collect();
        names.into_iter().filter(|name| is_kept(name)).count()
    }

    fn lists(&mut self) {
        let (tight, loose) = (self.tight, self.loose);
        let is_set = |schema: &Schema| schema.ext.list_type.as_deref() == Some("set");
        // Items that are unique by some keys are also unique by more keys.
        let are_keys_of = |a: &Extensions, b: &Extensions| {
            b.list_type.as_deref() == Some("map")
                && b.list_map_keys.iter().all(|key| a.list_map_keys.contains(key))
        };
        if tight.limits.unique_items && !loose.limits.unique_items && !is_set(loose) {
            self.add("uniqueItems", "true", Some("false".to_owned()));
        }
        let other = loose.ext.list_type.clone();
        if is_set(tight) && !is_set(loose) && !loose.limits.unique_items {
            self.add("x-kubernetes-list-type", "set", other);
        } else if tight.ext.list_type.as_deref() == Some("map") && !are_keys_of(&tight.ext, &loose.ext) {
            let keys = |ext: &Extensions| format!("map by {}", ext.list_map_keys.join(", "));
            let by = other.map(|ty| if ty == "map" { keys(&loose.ext) } else { ty });
            self.add("x-kubernetes-list-type", &keys(&tight.ext), by);
        }
    }

    fn values(&mut self) {
        let own: Vec<&Value> = self.tight.limits.enumeration.iter().collect();
        if !own.is_empty() {
            self.all.push(Limit::Enum { own: list(&own) });
        }
    }

    fn required(&mut self) {
        let (tight, loose) = (self.tight, self.loose);
        let before: HashSet<&String> = loose.limits.required.iter().collect();
        let found = tight
            .limits
            .required
            .iter()
            .filter(|name| !before.contains(name))
            .filter(|name| tight.properties.get(name).is_none_or(|property| property.default.is_none()))
            .map(|name| Limit::Required { field: name.clone() });
        self.all.extend(found);
    }
}

/// The keyword that causes an error of the validator.
fn keyword_of(error: &Diag, tight: &Limits) -> &'static str {
    let is = |code: &Code| *error.code == *code;
    let either = |first: bool, one, other| if first { one } else { other };
    if is(&codes::PATTERN) {
        "pattern"
    } else if is(&codes::FORMAT) {
        "format"
    } else if is(&codes::LENGTH) {
        either(error.kind == Some(Kind::TooLong), "maxLength", "minLength")
    } else if is(&codes::RANGE) {
        let value = error.bad.as_ref().and_then(|bad| bad.to_value().as_float());
        let is_above = value.zip(tight.maximum).is_some_and(|(value, max)| value >= max);
        either(is_above, "maximum", "minimum")
    } else if is(&codes::MULTIPLE) {
        "multipleOf"
    } else if is(&codes::TYPE) {
        "type"
    } else {
        "the schema"
    }
}

pub(super) const INT32: &str = "int32";

/// Whether the bounds of a number allow nothing that the format `int32` rejects.
pub(in crate::compare) fn has_bounds_of_int32(limits: &Limits) -> bool {
    is_within(limits, f64::from(i32::MAX))
}

/// Values as JSON, for messages. If there are many, only the first ones are listed.
fn list(values: &[&Value]) -> String {
    listed::first(values.iter().map(|value| json::to_string(value)), listed::NAMED)
}

/// What the format and the pattern of a text say about its length.
struct Lengths<'s> {
    least: i64,
    most: i64,
    pattern: &'s str,
    patterns: &'s regexp::Comparisons,
}

/// The longest length for which patterns are compared, and the longest pattern.
const LONGEST: i64 = 300;
const LONGEST_PATTERN: usize = 200;

fn lengths<'s>(schema: &'s Schema, known: &'s Comparisons) -> Lengths<'s> {
    let format = schema.limits.format.as_str();
    let is_checked = is_supported(format, schema.ty.as_ref(), known.server);
    let (least, most) = match format.replace('-', "").as_str() {
        _ if !is_checked => (0, i64::MAX),
        "date" => (10, 10),
        "datetime" => (20, i64::MAX),
        "uuid" | "uuid3" | "uuid4" | "uuid5" => (32, 36),
        "ipv4" => (7, i64::MAX),
        "cidr" => (4, i64::MAX),
        "ipv6" => (2, i64::MAX),
        "duration" => (1, i64::MAX),
        _ => (0, i64::MAX),
    };
    Lengths { least, most, pattern: &schema.limits.pattern, patterns: &known.patterns }
}

impl Lengths<'_> {
    fn are_at_least(&self, least: i64) -> bool {
        self.least >= least || self.are(least, &format!("^[\\s\\S]{{{least},}}$"))
    }

    fn are_at_most(&self, most: i64) -> bool {
        self.most <= most || self.are(most, &format!("^[\\s\\S]{{0,{most}}}$"))
    }

    fn are(&self, length: i64, all: &str) -> bool {
        (1..=LONGEST_PATTERN).contains(&self.pattern.len())
            && (0..=LONGEST).contains(&length)
            && self.patterns.is_within(self.pattern, all)
    }
}

/// The largest number of which the server can say that it is a multiple, or an integer.
const MOST_WHOLE: f64 = 9_007_199_254_740_991.0;

/// Whether all values of a schema that are multiples of one number are multiples of another one. Integers are compared with the integer
/// parts of both, and other numbers only up to a number of times the other one.
fn are_multiples(one: f64, other: f64, schema: &Schema) -> bool {
    let whole = [one, other].map(f64::trunc);
    let are_integers = whole[0] <= 0.0 || whole[1] > 0.0 && whole[0] % whole[1] == 0.0;
    let is_integer = schema.ty == Some(Type::Integer);
    let is_exact = is_integer || is_within(&schema.limits, other * MOST_WHOLE);
    one == other || other > 0.0 && (one / other).fract() == 0.0 && are_integers && is_exact
}

/// Whether the bounds of a number allow none that is larger, whatever its sign.
fn is_within(limits: &Limits, most: f64) -> bool {
    let is_small = |bound: Option<f64>| bound.is_some_and(|bound| bound.abs() <= most);
    is_small(limits.minimum) && is_small(limits.maximum)
}

/// The bound that values of a schema can reach. Integers and their multiples may not reach the bound itself. Other numbers are multiples
/// for the server if they are very close to one.
fn reached(bound: f64, is_exclusive: bool, is_maximum: bool, schema: &Schema) -> (f64, bool) {
    // Larger numbers have no fractions.
    const EXACT: f64 = 9e15;
    let step = schema.limits.multiple_of.unwrap_or(1.0);
    let is_whole = step >= 1.0 && step.fract() == 0.0 && schema.ty == Some(Type::Integer);
    if !is_whole || bound.abs() >= EXACT {
        return (bound, is_exclusive);
    }
    let count = bound / step;
    let inside = if is_maximum { count.floor() } else { count.ceil() } * step;
    match (is_exclusive && inside == bound, is_maximum) {
        (true, true) => (inside - step, false),
        (true, false) => (inside + step, false),
        (false, _) => (inside, false),
    }
}

#[cfg(test)]
mod tests;
