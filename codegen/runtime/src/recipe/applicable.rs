//! Checks that keywords apply to their type. The server accepts and ignores most keywords of other types, so a
//! constraint would silently have no effect.

use super::faults::Mistake;
use super::mismatch::mismatch;
use super::patch::{Patch, Union};
use super::types::{Kinds, kinds};
use crate::ir::{About, Keyword, NumberSize, Schema};
use crate::json;

/// Reports keywords of `set` that do not apply to the type of the schema.
pub(super) fn check(schema: &Schema, set: &Schema, report: &mut dyn FnMut(Mistake)) {
    let is = kinds(schema);
    for keyword in Keyword::ALL.iter().copied() {
        let (wanted, words) = match keyword.about() {
            About::All => continue,
            About::Numbers => (Kinds::NUMBER | Kinds::INTEGER, "a number"),
            About::Strings => (Kinds::STRING, "a string"),
            About::Lists => (Kinds::ARRAY, "a list"),
            About::Objects => (Kinds::OBJECT, "an object or map"),
        };
        // Keywords that define the structure are checked together with the type.
        let structure = matches!(
            keyword,
            Keyword::Properties | Keyword::Items | Keyword::AdditionalProperties | Keyword::Required
        );
        let Some(key) = keyword.key() else { continue };
        if structure || is & wanted != 0 || set.get(keyword).is_none() {
            continue;
        }
        let has_parts = is & (Kinds::ARRAY | Kinds::OBJECT) != 0;
        let help = match keyword.about() {
            About::Strings if has_parts => {
                "use items(…) for the items of a list, values(…) for the values of a map, and keys(…) for its keys"
            }
            About::All | About::Strings | About::Numbers | About::Lists | About::Objects => {
                "the server would ignore it. Move it to a field of the right type, or remove it"
            }
        };
        report(
            Mistake::new(format!("`{key}` needs {words}, but this is {}", Kinds::words(is)))
                .key(key)
                .help(help),
        );
    }
}

/// Reports a bound or factor that does not have the type and format of the numbers: the server accepts the CRD, and then
/// rejects every number.
pub(super) fn check_bounds(schema: &Schema, set: &Schema, report: &mut dyn FnMut(Mistake)) {
    let Some((keyword, bound)) = schema.bound_of_other_type() else { return };
    let Some(key) = keyword.key().filter(|_| set.get(keyword).is_some()) else { return };
    let instead = if keyword == Keyword::Maximum { bound.floor() } else { bound.ceil() };
    let size = NumberSize::of(schema.ty.as_ref(), &schema.limits.format);
    let help = if instead != bound && size.has_float(instead) {
        format!("write {key} = {instead}")
    } else {
        format!("remove `{key}`, or use a wider type")
    };
    report(
        Mistake::new(format!(
            "the server would reject every value here: {} {bound} is not of type {size}",
            keyword.name()
        ))
        .key(key)
        .help(help),
    );
}

/// Reports constraints that reject every allowed value of an enum.
pub(super) fn check_values(schema: &Schema, patch: &Patch, report: &mut dyn FnMut(Mistake)) {
    let is_constraint = |keyword: &&Keyword| {
        matches!(keyword.about(), About::Strings | About::Numbers | About::Lists | About::Objects)
            && patch.set.get(**keyword).is_some()
    };
    let key = match &patch.length {
        Some(_) => Some("length"),
        None if !patch.set.limits.enumeration.is_empty() => Some("one_of_values"),
        None => Keyword::ALL.iter().find(is_constraint).and_then(|keyword| keyword.key()),
    };
    let Some(key) = key else { return };
    let whys: Option<Vec<String>> =
        schema.limits.enumeration.iter().map(|value| mismatch(schema, value)).collect();
    if let (Some(why), Some(value)) =
        (whys.as_deref().and_then(<[String]>::first), schema.limits.enumeration.first())
    {
        report(
            Mistake::new(format!("no allowed value is valid: {} {why}", json::to_string(value)))
                .key(key)
                .help("the server would reject every value. Change the constraint, or the allowed values"),
        );
    }
}

/// Reports a union with a field that is always set. Such a field either does not distinguish anything, or leaves no
/// choice.
pub(super) fn check_union(schema: &Schema, union: &Union, report: &mut dyn FnMut(Mistake)) {
    let set = |field: &&String| {
        schema.limits.required.contains(field)
            || schema.properties.get(field).is_some_and(|property| property.default.is_some())
    };
    if let Some(field) = union.fields.iter().find(set) {
        report(
            Mistake::new(format!("`{field}` is always set, so it cannot be part of a union"))
                .key(union.mode.key())
                .help("make it an Option without a default, or remove it from the union"),
        );
    }
}
