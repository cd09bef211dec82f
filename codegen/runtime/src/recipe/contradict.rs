//! Finds attributes that contradict serde: the server would accept values that serde rejects, so stored objects could
//! not be read. Fields that a function of the user reads are not checked.

use super::Patch;
use super::faults::Mistake;
use super::types::{Kinds, kinds};
use crate::ir::{Schema, Type};
use crate::json;

/// Who allows a field to be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presence {
    /// serde does.
    pub by_serde: bool,
    /// An attribute does.
    pub by_attribute: bool,
}

/// Finds attributes that contradict serde. `own` is the schema of the field's type without the attributes, `presence`
/// is who allows the field to be missing.
pub fn contradictions(own: &Schema, presence: Presence, patch: &Patch) -> Vec<Mistake> {
    let Presence { by_serde: optional, by_attribute } = presence;
    let mut out = Vec::new();
    if by_attribute && !optional {
        out.push(
            Mistake::new("the server would accept objects without this field, but serde would not")
                .key("optional")
                .help("add #[serde(default)], or make it an Option"),
        );
    }
    if !patch.computed.is_empty() {
        return out;
    }
    let is = kinds(own);
    let set = &patch.set;
    if set.nullable && !optional && !own.nullable && is != Kinds::ANY {
        out.push(
            Mistake::new("the server would keep a null here, but serde cannot read it")
                .key("nullable")
                .help("make it an Option, or remove `nullable`"),
        );
    }
    let key = if set.ext.int_or_string { "int_or_string" } else { "ty" };
    // An invalid type is a separate error.
    let is_type = !matches!(set.ty, Some(Type::Other(_)));
    if is_type && (set.ext.int_or_string || patch.overrides_type) {
        let mut after = own.clone();
        patch.apply(&mut after, &mut |_| {});
        let more = kinds(&after) & !is;
        if more != 0 {
            out.push(takes_more(is, more, key));
        }
    }
    // If the type is overridden, its own values do not matter.
    let values = &own.limits.enumeration;
    let odd = |value: &&crate::value::Value| !value.is_null() && !values.contains(value);
    if !patch.overrides_type
        && !values.is_empty()
        && let Some(value) = set.limits.enumeration.iter().find(odd)
    {
        out.push(not_a_value(&json::to_string(value)));
    }
    for (key, inner, own) in [("items", &patch.items, own.item()), ("values", &patch.values, own.value())] {
        if let (Some(inner), Some(own)) = (inner, own) {
            let presence = Presence { by_serde: own.nullable, by_attribute: false };
            out.extend(contradictions(own, presence, inner).into_iter().map(|m| m.key(key)));
        }
    }
    out
}

/// Whether a patch contains attributes that can contradict serde.
pub fn is_override(patch: &Patch) -> bool {
    let inside = [&patch.items, &patch.values].into_iter().flatten().any(|inner| is_override(inner));
    let set = &patch.set;
    inside
        || set.nullable
        || set.ext.int_or_string
        || patch.overrides_type
        || !set.limits.enumeration.is_empty()
}

/// Checks a schema that replaces the one of the type. Returns the mistake if it allows types of values that serde does
/// not read.
pub fn replaced(own: &Schema, given: &Schema, key: &'static str) -> Option<Mistake> {
    if let Some(Type::Other(name)) = &given.ty {
        let help = "a type is one of array, boolean, integer, number, object and string";
        return Some(Mistake::new(format!("the server does not know the type `{name}`")).key(key).help(help));
    }
    let (is, more) = (kinds(own), kinds(given) & !kinds(own));
    let mistake = (more != 0).then(|| takes_more(is, more, key))?;
    match opaque_items(own).filter(|_| key == "opaque") {
        Some(instead) => {
            Some(mistake.help(format!("did you mean `{instead}`? `opaque` is for a whole object")))
        }
        None => Some(mistake),
    }
}

/// The attribute that makes the items of a list opaque, if they may be objects.
fn opaque_items(own: &Schema) -> Option<String> {
    let (mut at, mut out) = (own.item()?, "items(opaque)".to_owned());
    while let Some(item) = at.item() {
        (at, out) = (item, format!("items({out})"));
    }
    (kinds(at) & Kinds::OBJECT != 0).then_some(out)
}

fn takes_more(is: u8, more: u8, key: &'static str) -> Mistake {
    let message =
        format!("the server would accept {}, but serde reads {} here", Kinds::words(more), Kinds::words(is));
    Mistake::new(message)
        .key(key)
        .help("remove it, use a type that reads all such values, or add #[serde(deserialize_with = \"…\")]")
}

/// Creates the mistake for an allowed value that serde does not read.
pub fn not_a_value(value: &str) -> Mistake {
    Mistake::new(format!("the allowed value {value} is not a value of the field's type"))
        .key("one_of_values")
        .help("the server would accept values that serde rejects. List only values that the type has in the document")
}
