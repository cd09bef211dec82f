//! Finds keywords that do not apply to their type, or that no value can satisfy. The server accepts them, but crdgen
//! warns authors about them, so generated types with such keywords need a mark.

use super::foreign;
use super::model::*;
use crate::ir::{self, About, NumberSize};
use crate::json::to_string;
use crate::value::Value;
use std::collections::HashSet;
use std::hash::Hash;

use About::{Lists, Numbers, Objects, Strings};

/// Whether there are such keywords on a type or its fields.
pub(super) fn has_mismatch(def: &TypeDef, types: &[TypeDef]) -> bool {
    match &def.body {
        Body::Struct(body) => {
            odd(&def.keywords, &[Numbers, Strings, Lists])
                || def.root.as_ref().is_some_and(|root| contradictory(&root.schema))
                || body.fields.iter().any(|f| of_use(&f.usage, types))
        }
        Body::Union(body) => {
            odd(&def.keywords, &[Numbers, Strings, Lists])
                || body.variants.iter().any(|f| of_use(&f.usage, types))
        }
        Body::Enum(_) | Body::IntOrString { .. } => false,
    }
}

fn of_use(usage: &Use, types: &[TypeDef]) -> bool {
    let others: &[About] = match &usage.ty {
        Ty::Bool => &[Numbers, Strings, Lists, Objects],
        Ty::I32 | Ty::I64 | Ty::Number => &[Strings, Lists, Objects],
        Ty::String | Ty::Time => &[Numbers, Lists, Objects],
        Ty::Json => &[],
        Ty::JsonObject | Ty::ObjectMeta | Ty::Map(_) => &[Numbers, Strings, Lists],
        Ty::List(_) => &[Numbers, Strings, Objects],
        Ty::Kubernetes(foreign::INT_OR_STRING | foreign::QUANTITY) => &[Lists, Objects],
        Ty::Kubernetes(_) => &[Numbers, Strings, Lists],
        Ty::Named(id) => match &types[*id].body {
            Body::Struct(_) | Body::Union(_) => &[Numbers, Strings, Lists],
            Body::Enum(_) => &[Numbers, Lists, Objects],
            Body::IntOrString { .. } => &[Lists, Objects],
        },
    };
    usage.ty.inner().is_some_and(|inner| of_use(inner, types))
        || odd(&usage.keywords, others)
        || odd_default(usage)
        || odd_values(usage)
        || has_bound_of_other_type(usage)
}

/// Whether the server rejects every number, because a bound does not have the type and format of the numbers.
fn has_bound_of_other_type(usage: &Use) -> bool {
    let (ty, format) = match &usage.ty {
        Ty::I32 => (ir::Type::Integer, "int32"),
        Ty::I64 => (ir::Type::Integer, "int64"),
        Ty::Number => (ir::Type::Number, "double"),
        _ => return false,
    };
    let own = json(&usage.keywords, "format").and_then(Value::as_str);
    let size = NumberSize::of(Some(&ty), own.unwrap_or(format));
    let bounds = ["minimum", "maximum", "multiple_of"].into_iter();
    bounds
        .filter_map(|key| json(&usage.keywords, key).and_then(Value::as_float))
        .any(|bound| !size.has_float(bound))
}

/// Whether there are such keywords on the root of a kind.
pub(super) fn at_root(keywords: &[Keyword]) -> bool {
    odd(keywords, &[Numbers, Strings, Lists])
}

fn odd(keywords: &[Keyword], others: &[About]) -> bool {
    let about = |k: &Keyword| ir::Keyword::of_key(k.key).map(ir::Keyword::about);
    keywords.iter().any(|k| about(k).is_some_and(|about| others.contains(&about))) || contradictory(keywords)
}

const BOUNDS: [(&str, &str, &str); 4] = [
    ("minimum", "maximum", "exclusive_"),
    ("min_length", "max_length", ""),
    ("min_items", "max_items", ""),
    ("min_properties", "max_properties", ""),
];

/// Whether no value satisfies the keywords, or a keyword has no effect.
fn contradictory(keywords: &[Keyword]) -> bool {
    let number = |key: &str| json(keywords, key).and_then(Value::as_float);
    let flag = |key: &str| keywords.iter().any(|k| k.key == key && k.arg == Arg::Flag);
    let bounds = BOUNDS.iter().any(|&(low, high, exclusive)| {
        let sharp = !exclusive.is_empty() && (flag("exclusive_minimum") || flag("exclusive_maximum"));
        match (number(low), number(high)) {
            (Some(low), Some(high)) if low > high || (sharp && low == high) => true,
            (low, high) => {
                exclusive.is_empty() && low.into_iter().chain(high).any(|n| !(0.0..=9e15).contains(&n))
            }
        }
    });
    let lonely = [("exclusive_minimum", "minimum"), ("exclusive_maximum", "maximum")]
        .into_iter()
        .any(|(sharp, bound)| flag(sharp) && json(keywords, bound).is_none());
    let twice = json(keywords, "one_of_values")
        .and_then(Value::as_list)
        .is_some_and(|all| repeats(all.iter().map(to_string)));
    bounds || lonely || twice || number("multiple_of").is_some_and(|n| n <= 0.0)
}

/// Whether something occurs twice.
pub(super) fn repeats<T: Hash + Eq>(items: impl IntoIterator<Item = T>) -> bool {
    let mut seen = HashSet::new();
    !items.into_iter().all(|item| seen.insert(item))
}

/// Whether a use has a default that its own constraints reject, as far as its Rust type shows.
fn odd_default(usage: &Use) -> bool {
    json(&usage.keywords, "default").is_some_and(|default| mismatches(usage, default))
}

/// Whether an allowed value has another type.
fn odd_values(usage: &Use) -> bool {
    let plain = Use { ty: usage.ty.clone(), keywords: Vec::new(), ..usage.clone() };
    let values = json(&usage.keywords, "one_of_values").and_then(Value::as_list);
    values.is_some_and(|all| all.iter().any(|value| !value.is_null() && mismatches(&plain, value)))
}

fn mismatches(usage: &Use, value: &Value) -> bool {
    let keywords = &usage.keywords;
    let within = |size: f64, (low, high, _): (&str, &str, &str)| {
        let number = |key: &str| json(keywords, key).and_then(Value::as_float);
        number(low).is_none_or(|low| size >= low) && number(high).is_none_or(|high| size <= high)
    };
    let listed =
        json(keywords, "one_of_values").and_then(Value::as_list).is_none_or(|all| all.contains(value));
    let is_of_type = match (&usage.ty, value) {
        (Ty::Bool, Value::Bool(_)) => true,
        (Ty::I32 | Ty::I64, Value::Int(_)) | (Ty::Number, Value::Int(_) | Value::Float(_)) => {
            value.as_float().is_some_and(|n| within(n, BOUNDS[0]))
        }
        (Ty::String, Value::Str(text)) => within(text.chars().count() as f64, BOUNDS[1]),
        (Ty::List(inner), Value::List(items)) => {
            let set = json(keywords, "list_type").and_then(Value::as_str) == Some("set");
            within(items.len() as f64, BOUNDS[2])
                && !(set && repeats(items.iter().map(to_string)))
                && !items.iter().any(|item| mismatches(inner, item))
        }
        (Ty::JsonObject | Ty::ObjectMeta | Ty::Map(_), Value::Map(_))
        | (Ty::Json | Ty::Named(_) | Ty::Kubernetes(_) | Ty::Time, _) => true,
        (
            Ty::Bool
            | Ty::I32
            | Ty::I64
            | Ty::Number
            | Ty::String
            | Ty::List(_)
            | Ty::JsonObject
            | Ty::ObjectMeta
            | Ty::Map(_),
            _,
        ) => false,
    };
    !(is_of_type && listed)
}

pub(super) fn json<'k>(keywords: &'k [Keyword], key: &str) -> Option<&'k Value> {
    keywords.iter().find(|k| k.key == key).and_then(|k| match &k.arg {
        Arg::Json(Json(value)) => Some(value),
        Arg::Flag | Arg::Nested(_) | Arg::Named(..) | Arg::At(..) => None,
    })
}
