//! Keywords that do not fit their type: a server takes them and never looks at them. Authors are told
//! of them, so that a type which has some is marked.

use super::foreign;
use super::model::*;

const NUMBERS: &[&str] = &["minimum", "maximum", "exclusive_minimum", "exclusive_maximum", "multiple_of"];
const STRINGS: &[&str] = &["min_length", "max_length", "pattern"];
const LISTS: &[&str] = &["min_items", "max_items", "unique_items", "list_type", "list_map_keys"];
const OBJECTS: &[&str] = &["min_properties", "max_properties", "map_type"];

/// Whether there are such keywords on a type or its fields.
pub(super) fn misfits(def: &TypeDef, types: &[TypeDef]) -> bool {
    match &def.body {
        Body::Struct(body) => {
            odd(&def.keywords, &[NUMBERS, STRINGS, LISTS])
                || body.fields.iter().any(|f| of_use(&f.usage, types))
        }
        Body::Enum(_) | Body::IntOrString { .. } => false,
    }
}

fn of_use(usage: &Use, types: &[TypeDef]) -> bool {
    let unfit: &[&[&str]] = match &usage.ty {
        Ty::Bool => &[NUMBERS, STRINGS, LISTS, OBJECTS],
        Ty::I32 | Ty::I64 | Ty::Number => &[STRINGS, LISTS, OBJECTS],
        Ty::String | Ty::Time => &[NUMBERS, LISTS, OBJECTS],
        Ty::Json => &[],
        Ty::JsonObject | Ty::Map(_) => &[NUMBERS, STRINGS, LISTS],
        Ty::List(_) => &[NUMBERS, STRINGS, OBJECTS],
        Ty::Kubernetes(foreign::INT_OR_STRING | foreign::QUANTITY) => &[LISTS, OBJECTS],
        Ty::Kubernetes(_) => &[NUMBERS, STRINGS, LISTS],
        Ty::Named(id) => match &types[*id].body {
            Body::Struct(_) => &[NUMBERS, STRINGS, LISTS],
            Body::Enum(_) => &[NUMBERS, LISTS, OBJECTS],
            Body::IntOrString { .. } => &[LISTS, OBJECTS],
        },
    };
    let inside = match &usage.ty {
        Ty::List(inner) | Ty::Map(inner) => of_use(inner, types),
        Ty::Bool
        | Ty::I32
        | Ty::I64
        | Ty::Number
        | Ty::String
        | Ty::Time
        | Ty::Json
        | Ty::JsonObject
        | Ty::Named(_)
        | Ty::Kubernetes(_) => false,
    };
    inside || odd(&usage.keywords, unfit)
}

/// Whether there are such keywords on the root of a kind.
pub(super) fn at_root(keywords: &[Keyword]) -> bool {
    odd(keywords, &[NUMBERS, STRINGS, LISTS])
}

fn odd(keywords: &[Keyword], unfit: &[&[&str]]) -> bool {
    keywords.iter().any(|k| unfit.iter().any(|keys| keys.contains(&k.key)))
}
