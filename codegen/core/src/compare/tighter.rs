//! Finds what one schema forbids and another one allows at the same place: why the server may reject a value that moves
//! from one version to another.

use super::limit::Limit;
use super::{presence, rules};
use crate::diag::codes::object as codes;
use crate::diag::{Code, Diag, Kind};
use crate::encode;
use crate::go::regexp::Regexp;
use crate::ir::{Extensions, Limits, Schema, Type};
use crate::json;
use crate::listed;
use crate::object::validate::Validator;
use crate::path::Path;
use crate::server::Server;
use crate::server::is_supported;
use crate::value::Value;
use std::collections::{HashMap, HashSet};

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
pub fn tighter(tight: &Schema, loose: &Schema, way: Way) -> Vec<Limit> {
    let mut out = Out { tight, loose, all: Vec::new() };
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
    rules::compare(tight, loose, way == Way::Unchanged, &mut out.all);
    out.all
}

struct Out<'s> {
    tight: &'s Schema,
    loose: &'s Schema,
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
        let constraints = Validator::new(&rest, Server::NEWEST);
        let mut others = self.loose.clone();
        others.limits.enumeration = Vec::new();
        let others = Validator::new(&others, Server::NEWEST);
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

    /// Removes the keywords that a schema of `allOf`, or all alternatives, of the loose schema imply.
    fn retain_not_implied(&mut self) {
        let Limits { all_of, any_of, one_of, .. } = &self.loose.limits;
        let tight = self.tight;
        let implies = |clause: &Schema, keyword: &str| {
            let is_same = |limit: &Limit| match limit {
                Limit::Keyword { keyword: own, .. } | Limit::Values { keyword: own, .. } => *own == keyword,
                _ => false,
            };
            // Junctors say nothing about the keyword.
            let mut bare = tight.clone();
            (bare.limits.all_of, bare.limits.any_of, bare.limits.one_of, bare.limits.not) =
                Default::default();
            bare.rules = Vec::new();
            !tighter(&bare, clause, Way::Unchanged).iter().any(is_same)
        };
        self.all.retain(|limit| match limit {
            Limit::Keyword { keyword, .. } => {
                let all = |clauses: &[Schema]| {
                    !clauses.is_empty() && clauses.iter().all(|clause| implies(clause, keyword))
                };
                !(all_of.iter().any(|clause| implies(clause, keyword)) || all(any_of) || all(one_of))
            }
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
            if b.is_none_or(is_stricter) {
                found.push((keyword, text(n, exclusive), b.map(|(m, other)| text(m, other))));
            }
        }
        if let Some(step) = tight.multiple_of {
            let is_multiple = |other: f64| step != 0.0 && (other / step).fract() == 0.0;
            if loose.multiple_of.is_none_or(|other| !is_multiple(other)) {
                found.push((
                    "multipleOf",
                    text(step, false),
                    loose.multiple_of.map(|other| text(other, false)),
                ));
            }
        }
        found.into_iter().for_each(|(keyword, a, b)| self.add(keyword, &a, b));
    }

    fn texts(&mut self) {
        let (tight, loose) = self.limits();
        let quoted = |text: &str| (!text.is_empty()).then(|| format!("`{text}`"));
        // The server does not check formats that it does not know, and all integers have 64 bits.
        let limits = |schema: &Schema| {
            let format = schema.limits.format.as_str();
            is_supported(format, schema.ty.as_ref(), Server::NEWEST) && format != "int64"
        };
        let mut found = Vec::new();
        if !tight.pattern.is_empty() && !matches_less(&loose.pattern, &tight.pattern) {
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
        // A value has as many fields as are required.
        let required = i64::try_from(loose.required.len()).unwrap_or(i64::MAX);
        let texts = lengths(self.loose);
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

    /// Whether all values of the loose schema match a schema in a junctor of the tight one.
    fn follows(&self, clause: &Schema) -> bool {
        let is_there = |name: &String| {
            let has_default = |property: &Schema| property.default.is_some();
            self.loose.limits.required.contains(name)
                || self.tight.properties.get(name).is_some_and(has_default)
        };
        let mut rest = clause.clone();
        rest.limits.required.retain(|name| !is_there(name));
        matches(&rest, self.loose)
    }

    /// Whether all values of the loose schema are integers and texts, and there is an alternative for each of both.
    fn is_integer_or_string(&self, alternatives: &[Schema]) -> bool {
        let loose = self.loose;
        let of_type = |ty: Type| Schema {
            ty: Some(ty),
            ext: Extensions { int_or_string: false, ..loose.ext.clone() },
            ..loose.clone()
        };
        loose.ext.int_or_string
            && INT_OR_STRING.map(of_type).iter().all(|it| alternatives.iter().any(|own| matches(own, it)))
    }

    fn junctors(&mut self) {
        if !presence::may_break(self.tight, self.loose) {
            return;
        }
        let (tight, loose) = self.limits();
        let mut found = Vec::new();
        let mut add = |keyword, own: &[&Schema], other: &[&Schema]| {
            let shown = |schemas: &[&Schema]| (!schemas.is_empty()).then(|| shown(schemas));
            found.push(Limit::Junctor { keyword, own: shown(own), other: shown(other) });
        };
        // A value must match all schemas, so a new schema is stricter unless an old one implies it.
        let mut only = not_matched(&tight.all_of, &loose.all_of, admits);
        only.retain(|own| !self.follows(own));
        if !only.is_empty() {
            add("allOf", &only, &not_matched(&loose.all_of, &tight.all_of, admits));
        }
        // A value must match one of the schemas, so each old schema must still exist, or a new one must allow all its
        // values.
        let of_old = |alternatives| not_matched(alternatives, &tight.any_of, |other, own| admits(own, other));
        let only = of_old(&loose.any_of);
        let is_implied = !loose.one_of.is_empty() && of_old(&loose.one_of).is_empty()
            || tight.any_of.iter().any(|own| self.follows(own))
            || self.is_integer_or_string(&tight.any_of);
        match (tight.any_of.is_empty(), loose.any_of.is_empty()) {
            (true, _) => {}
            (false, _) if is_implied => {}
            (false, true) => add("anyOf", &tight.any_of.iter().collect::<Vec<_>>(), &[]),
            (false, false) if only.is_empty() => {}
            (false, false) => {
                let new = not_matched(&tight.any_of, &loose.any_of, |a, b| a == b);
                add("anyOf", &new, &only);
            }
        }
        // A value must match exactly one of the schemas, so an additional one can reject values, too.
        let gone = not_listed(&loose.one_of, &tight.one_of);
        let new = not_listed(&tight.one_of, &loose.one_of);
        let is_same = gone.is_empty() && new.is_empty();
        if !is_same && !tight.one_of.is_empty() {
            add("oneOf", &new, &gone);
        }
        match (tight.not.as_deref(), loose.not.as_deref()) {
            (Some(own), Some(other)) if admits(other, own) => {}
            (Some(own), other) => add("not", &[own], &other.into_iter().collect::<Vec<_>>()),
            (None, _) => {}
        }
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
pub(super) fn has_bounds_of_int32(limits: &Limits) -> bool {
    let is_small = |bound: Option<f64>| bound.is_some_and(|bound| bound.abs() <= f64::from(i32::MAX));
    is_small(limits.minimum) && is_small(limits.maximum)
}

/// Whether all texts that match a pattern also match another one, as far as this can be known. Every text matches an
/// empty pattern.
fn matches_less(loose: &str, tight: &str) -> bool {
    loose == tight
        || match (Regexp::parse(loose), Regexp::parse(tight)) {
            (Ok(loose), Ok(tight)) => loose.is_within(&tight),
            (Err(_), _) | (_, Err(_)) => false,
        }
}

/// Values as JSON, for messages. If there are many, only the first ones are listed.
fn list(values: &[&Value]) -> String {
    listed::first(values.iter().map(|value| json::to_string(value)), listed::NAMED)
}

/// Schemas as JSON, for messages. If there are many, only the first ones are listed.
fn shown(schemas: &[&Schema]) -> String {
    listed::first(schemas.iter().map(|schema| json::to_string(&encode::schema(schema))), listed::NAMED)
}

/// How many pairs of schemas are compared at most.
const MAX_PAIRS: usize = 10_000;

/// The schemas that match none of the others. In long lists, only equal schemas match.
fn not_matched<'s>(
    all: &'s [Schema],
    others: &[Schema],
    is_match: impl Fn(&Schema, &Schema) -> bool,
) -> Vec<&'s Schema> {
    let text = |schema: &Schema| json::to_string(&encode::schema(schema));
    let equal: HashSet<String> = others.iter().map(text).collect();
    let mut left: Vec<&Schema> = all.iter().filter(|schema| !equal.contains(&text(schema))).collect();
    if left.len() * others.len() <= MAX_PAIRS {
        left.retain(|schema| !others.iter().any(|other| is_match(schema, other)));
    }
    left
}

/// What the format and the pattern of a text say about its length.
struct Lengths<'s> {
    least: i64,
    most: i64,
    pattern: &'s str,
}

/// The longest length for which patterns are compared, and the longest pattern.
const LONGEST: i64 = 300;
const LONGEST_PATTERN: usize = 200;

fn lengths(schema: &Schema) -> Lengths<'_> {
    let format = schema.limits.format.as_str();
    let is_checked = is_supported(format, schema.ty.as_ref(), Server::NEWEST);
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
    Lengths { least, most, pattern: &schema.limits.pattern }
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
            && matches_less(self.pattern, all)
    }
}

/// The bound that values of a schema can reach. Integers and multiples may not reach the bound itself.
fn reached(bound: f64, is_exclusive: bool, is_maximum: bool, schema: &Schema) -> (f64, bool) {
    // Larger numbers have no fractions.
    const EXACT: f64 = 9e15;
    let step = schema.limits.multiple_of.or((schema.ty == Some(Type::Integer)).then_some(1.0));
    let Some(step) = step.filter(|step| *step >= 1.0 && step.fract() == 0.0 && bound.abs() < EXACT) else {
        return (bound, is_exclusive);
    };
    let count = bound / step;
    let inside = if is_maximum { count.floor() } else { count.ceil() } * step;
    match (is_exclusive && inside == bound, is_maximum) {
        (true, true) => (inside - step, false),
        (true, false) => (inside + step, false),
        (false, _) => (inside, false),
    }
}

/// Whether all values of a schema match another one, which is in a junctor and says less about types.
fn matches(clause: &Schema, schema: &Schema) -> bool {
    let below = |own: Option<&Schema>, other: Option<&Schema>| match (own, other) {
        (None, _) => true,
        (Some(own), Some(other)) => matches(own, other),
        (Some(own), None) => *own == Schema::default(),
    };
    // A null matches in other ways.
    !schema.nullable
        && (clause.ty.is_none() || clause.ty == schema.ty)
        && tighter(clause, schema, Way::Unchanged).is_empty()
        && clause.properties.iter().all(|(name, own)| below(Some(own), schema.properties.get(name)))
        && below(clause.item(), schema.item())
        && below(clause.value(), schema.value())
}

/// The schemas that the other list does not have, or not as often.
fn not_listed<'s>(all: &'s [Schema], others: &[Schema]) -> Vec<&'s Schema> {
    let text = |schema: &Schema| json::to_string(&encode::schema(schema));
    let mut listed: HashMap<String, usize> = HashMap::new();
    for other in others {
        *listed.entry(text(other)).or_default() += 1;
    }
    let is_new = |schema: &&Schema| match listed.get_mut(&text(schema)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        Some(_) | None => true,
    };
    all.iter().filter(is_new).collect()
}

/// Whether a schema inside `allOf` and the like allows all values that another one allows, as far as this can be known.
fn admits(tight: &Schema, loose: &Schema) -> bool {
    if tight == loose {
        return true;
    }
    let below = |own: Option<&Schema>, other: Option<&Schema>| match (own, other) {
        (None, _) => true,
        (Some(own), Some(other)) => admits(own, other),
        (Some(own), None) => *own == Schema::default(),
    };
    tighter(tight, loose, Way::Unchanged).is_empty()
        && tight.properties.iter().all(|(name, own)| below(Some(own), loose.properties.get(name)))
        && below(tight.item(), loose.item())
        && below(tight.value(), loose.value())
        && tight.ty == loose.ty
        && tight.nullable == loose.nullable
        && tight.ext == loose.ext
}

#[cfg(test)]
mod tests {
    use super::super::limit::Limit;
    use super::{Way, tighter};
    use crate::decode;
    use crate::ir::Schema;
    use crate::json;

    fn schema(text: &str) -> Schema {
        let value = json::read(text.as_bytes()).expect("JSON");
        decode::schema(value).0.expect("a schema")
    }

    #[test]
    fn names_what_only_one_side_forbids() {
        for (tight, loose, expected) in [
            (r#"{"maxLength":5}"#, "{}", vec!["maxLength is 5, but not set in b"]),
            (r#"{"minProperties":2}"#, r#"{"required":["a","b"]}"#, vec![]),
            (
                r#"{"minProperties":3}"#,
                r#"{"required":["a","b"]}"#,
                vec!["minProperties is 3, but not set in b"],
            ),
            (r#"{"maxLength":5}"#, r#"{"maxLength":7}"#, vec!["maxLength is 5, but 7 in b"]),
            (r#"{"maxLength":5}"#, r#"{"maxLength":5}"#, vec![]),
            (r#"{"maxLength":5}"#, r#"{"maxLength":4}"#, vec![]),
            (r#"{"minItems":0}"#, "{}", vec![]),
            (r#"{"minimum":1,"maxItems":0,"pattern":"a"}"#, r#"{"type":"object"}"#, vec![]),
            (
                r#"{"type":"object","maxProperties":1}"#,
                r#"{"type":"object"}"#,
                vec!["maxProperties is 1, but not set in b"],
            ),
            (
                r#"{"minimum":1,"maxItems":2}"#,
                r#"{"x-kubernetes-int-or-string":true}"#,
                vec!["minimum is 1, but not set in b"],
            ),
            (
                r#"{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]}"#,
                r#"{"x-kubernetes-int-or-string":true}"#,
                vec![],
            ),
            (
                r#"{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string","maxLength":3}]}"#,
                r#"{"x-kubernetes-int-or-string":true}"#,
                vec![
                    r#"anyOf has {"type":"integer"}, {"maxLength":3,"type":"string"}, which b does not have"#,
                ],
            ),
            (r#"{"minimum":1}"#, r#"{"minimum":0.5}"#, vec!["minimum is 1, but 0.5 in b"]),
            (r#"{"minimum":1}"#, r#"{"minimum":1,"exclusiveMinimum":true}"#, vec![]),
            (
                r#"{"minimum":1,"exclusiveMinimum":true}"#,
                r#"{"minimum":1}"#,
                vec!["minimum is 1 (exclusive), but 1 in b"],
            ),
            (r#"{"multipleOf":2}"#, r#"{"multipleOf":4}"#, vec![]),
            (r#"{"multipleOf":2}"#, r#"{"multipleOf":3}"#, vec!["multipleOf is 2, but 3 in b"]),
            (r#"{"pattern":"a"}"#, r#"{"pattern":"b"}"#, vec!["pattern is `a`, but `b` in b"]),
            (r#"{"type":"string","format":"uuid"}"#, "{}", vec!["format is `uuid`, but not set in b"]),
            (r#"{"type":"string","format":"mine"}"#, "{}", vec![]),
            (r#"{"type":"integer","format":"int64"}"#, r#"{"type":"integer"}"#, vec![]),
            (r#"{"enum":["a","b"]}"#, "{}", vec![r#"enum allows only "a", "b", but is not set in b"#]),
            (
                r#"{"enum":["a"]}"#,
                r#"{"enum":["a","b"]}"#,
                vec![r#"enum does not allow "b", which b allows"#],
            ),
            (r#"{"enum":["a","b"]}"#, r#"{"enum":["a"]}"#, vec![]),
            (r#"{"required":["a"],"properties":{"a":{}}}"#, "{}", vec!["`a` is required, but optional in b"]),
            (r#"{"required":["a"],"properties":{"a":{"default":1}}}"#, "{}", vec![]),
            (
                r#"{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"]}"#,
                r#"{"x-kubernetes-list-type":"atomic"}"#,
                vec!["x-kubernetes-list-type is map by a, but atomic in b"],
            ),
            (
                r#"{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a","b"]}"#,
                r#"{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"]}"#,
                vec![],
            ),
            (r#"{"x-kubernetes-list-type":"set"}"#, r#"{"uniqueItems":true}"#, vec![]),
            (r#"{"not":{"minimum":1}}"#, "{}", vec![r#"not has {"minimum":1}, which b does not have"#]),
            (r#"{"not":{"minimum":2}}"#, r#"{"not":{"minimum":1}}"#, vec![]),
            (
                r#"{"not":{"minimum":1}}"#,
                r#"{"not":{"minimum":2}}"#,
                vec![r#"not has {"minimum":1}, but {"minimum":2} in b"#],
            ),
            (r#"{"anyOf":[{"minimum":1},{"maximum":3}]}"#, r#"{"anyOf":[{"maximum":2}]}"#, vec![]),
            (
                r#"{"anyOf":[{"maximum":3}]}"#,
                r#"{"anyOf":[{"maximum":3},{"minimum":5}]}"#,
                vec![r#"anyOf does not have {"minimum":5}, which b has"#],
            ),
            (
                r#"{"anyOf":[{"properties":{"a":{"maximum":3}}}]}"#,
                r#"{"anyOf":[{"properties":{"a":{"maximum":4}}}]}"#,
                vec![
                    r#"anyOf has {"properties":{"a":{"maximum":3}}}, but {"properties":{"a":{"maximum":4}}} in b"#,
                ],
            ),
            (r#"{"anyOf":[{"maximum":3}]}"#, "{}", vec![r#"anyOf has {"maximum":3}, which b does not have"#]),
            (r#"{"allOf":[{"minimum":1}]}"#, r#"{"allOf":[{"minimum":2},{"maximum":4}]}"#, vec![]),
            (
                r#"{"allOf":[{"minimum":1},{"maximum":4}]}"#,
                r#"{"allOf":[{"minimum":1}]}"#,
                vec![r#"allOf has {"maximum":4}, which b does not have"#],
            ),
            (
                r#"{"oneOf":[{"minimum":1},{"maximum":0}]}"#,
                r#"{"oneOf":[{"maximum":0},{"minimum":1}]}"#,
                vec![],
            ),
            (
                r#"{"oneOf":[{"minimum":1}]}"#,
                r#"{"oneOf":[{"maximum":0},{"minimum":1}]}"#,
                vec![r#"oneOf does not have {"maximum":0}, which b has"#],
            ),
            (
                r#"{"oneOf":[{"maximum":0},{"minimum":1}]}"#,
                r#"{"oneOf":[{"minimum":1}]}"#,
                vec![r#"oneOf has {"maximum":0}, which b does not have"#],
            ),
            (
                r#"{"x-kubernetes-validations":[{"rule":"self  > 2"}]}"#,
                r#"{"x-kubernetes-validations":[{"rule":"self > 1"}]}"#,
                vec!["the rule is `self > 2`, but `self > 1` in b"],
            ),
            (
                r#"{"x-kubernetes-validations":[{"rule":"self > 1"}]}"#,
                r#"{"x-kubernetes-validations":[{"rule":"(self>2)"}]}"#,
                vec![],
            ),
            (
                r#"{"x-kubernetes-validations":[{"rule":"self > 1"}]}"#,
                "{}",
                vec!["b does not have the rule `self > 1`"],
            ),
            (r#"{"type":"string","minLength":10}"#, r#"{"type":"string","format":"date"}"#, vec![]),
            (
                r#"{"type":"string","minLength":11}"#,
                r#"{"type":"string","format":"date"}"#,
                vec!["minLength is 11, but not set in b"],
            ),
            (r#"{"type":"string","maxLength":36}"#, r#"{"type":"string","format":"uuid"}"#, vec![]),
            (r#"{"type":"string","minLength":2}"#, r#"{"type":"string","pattern":"^a[b-z]+$"}"#, vec![]),
            (r#"{"type":"string","maxLength":3}"#, r#"{"type":"string","pattern":"^a[b-z]?$"}"#, vec![]),
            (
                r#"{"type":"string","maxLength":1}"#,
                r#"{"type":"string","pattern":"^a[b-z]?$"}"#,
                vec!["maxLength is 1, but not set in b"],
            ),
            (r#"{"maxLength":9}"#, r#"{"allOf":[{"maxLength":8},{"pattern":"a"}]}"#, vec![]),
            (r#"{"minLength":1}"#, r#"{"anyOf":[{"pattern":"^a"},{"minLength":5}]}"#, vec![]),
            (
                r#"{"minLength":1}"#,
                r#"{"anyOf":[{"pattern":"^a?"},{"minLength":5}]}"#,
                vec!["minLength is 1, but not set in b"],
            ),
            (r#"{"type":"string","pattern":"^a"}"#, r#"{"enum":["ab","ac"]}"#, vec![]),
            (
                r#"{"type":"string","enum":["b"]}"#,
                r#"{"type":"string","enum":["a","b"],"pattern":"^b"}"#,
                vec![],
            ),
            (r#"{"maximum":10}"#, r#"{"maximum":11,"multipleOf":2}"#, vec![]),
            (
                r#"{"type":"integer","format":"int32"}"#,
                r#"{"type":"integer","minimum":1,"maximum":10}"#,
                vec![],
            ),
            (
                r#"{"oneOf":[{"required":["a"]},{"required":["a"]}]}"#,
                r#"{"oneOf":[{"required":["a"]}]}"#,
                vec![r#"oneOf has {"required":["a"]}, which b does not have"#],
            ),
            (r#"{"maximum":9}"#, r#"{"maximum":11,"multipleOf":2}"#, vec!["maximum is 9, but 11 in b"]),
            (
                r#"{"type":"integer","maximum":9}"#,
                r#"{"type":"integer","maximum":10,"exclusiveMaximum":true}"#,
                vec![],
            ),
            (r#"{"type":"integer","minimum":1}"#, r#"{"type":"integer","minimum":0.5}"#, vec![]),
            (
                r#"{"type":"number","minimum":1}"#,
                r#"{"type":"number","minimum":0.5}"#,
                vec!["minimum is 1, but 0.5 in b"],
            ),
            (
                r#"{"anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
                r#"{"oneOf":[{"required":["a"]},{"required":["b"]}]}"#,
                vec![],
            ),
            (r#"{"anyOf":[{"required":["a"]},{"required":["b"]}]}"#, r#"{"required":["b"]}"#, vec![]),
            (
                r#"{"properties":{"a":{"default":1}},"anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
                "{}",
                vec![],
            ),
            (r#"{"allOf":[{"maxLength":8}]}"#, r#"{"type":"string","maxLength":8}"#, vec![]),
            (
                r#"{"allOf":[{"maxLength":8}]}"#,
                r#"{"type":"string","maxLength":8,"nullable":true}"#,
                vec![r#"allOf has {"maxLength":8}, which b does not have"#],
            ),
            (
                r#"{"type":"string","pattern":"^ab"}"#,
                r#"{"enum":["ab","ac"]}"#,
                vec![r#"pattern does not allow "ac", which b allows"#],
            ),
        ] {
            let (a, b) = (schema(tight), schema(loose));
            let found: Vec<String> =
                tighter(&a, &b, Way::Unchanged).iter().map(|limit: &Limit| limit.words("b")).collect();
            assert_eq!(found, expected, "{tight} {loose}");
        }
    }
}
