//! The JSON types that a schema allows, as a set.

use crate::ir::{Extensions, Items, Limits, Schema, Type};
use crate::value::Value;

/// Sets of JSON types are bits of a byte.
pub(super) struct Kinds;

impl Kinds {
    pub(super) const OBJECT: u8 = 1;
    pub(super) const ARRAY: u8 = 2;
    pub(super) const STRING: u8 = 4;
    pub(super) const INTEGER: u8 = 8;
    pub(super) const NUMBER: u8 = 16;
    pub(super) const BOOLEAN: u8 = 32;
    pub(super) const ANY: u8 = 63;

    /// The set in words, for messages.
    pub(super) fn words(set: u8) -> String {
        const NAMES: &[(u8, &str)] = &[
            (Kinds::OBJECT, "an object"),
            (Kinds::ARRAY, "a list"),
            (Kinds::STRING, "a string"),
            (Kinds::INTEGER, "an integer"),
            (Kinds::NUMBER, "a number"),
            (Kinds::BOOLEAN, "a boolean"),
        ];
        let names: Vec<&str> =
            NAMES.iter().filter(|(bit, _)| set & bit != 0).map(|(_, name)| *name).collect();
        if set == Kinds::ANY { "anything".to_owned() } else { names.join(" or ") }
    }
}

/// The JSON types that a schema allows, except `null`. A node without a type allows all types that its bounds do not
/// exclude.
pub(super) fn kinds(schema: &Schema) -> u8 {
    match &schema.ty {
        Some(Type::Object) => Kinds::OBJECT,
        Some(Type::Array) => Kinds::ARRAY,
        Some(Type::String) => Kinds::STRING,
        Some(Type::Integer) => Kinds::INTEGER,
        Some(Type::Number) => Kinds::NUMBER | Kinds::INTEGER,
        Some(Type::Boolean) => Kinds::BOOLEAN,
        Some(Type::Other(_)) => Kinds::ANY,
        None if schema.ext.int_or_string => Kinds::INTEGER | Kinds::STRING,
        None => Kinds::ANY & !excluded(&schema.limits),
    }
}

/// Whether rules can read a value with this schema, as the server decides it: the value and everything inside of its lists
/// and maps has one type.
pub(super) fn rules_can_read(schema: &Schema) -> bool {
    if schema.ext.int_or_string {
        return true;
    }
    match &schema.ty {
        Some(Type::Array) => schema.item().is_some_and(rules_can_read),
        Some(Type::Object) => schema.value().is_none_or(rules_can_read),
        Some(Type::String | Type::Boolean | Type::Number | Type::Integer) => true,
        Some(Type::Other(_)) | None => false,
    }
}

/// The types that are impossible because the bounds contradict each other.
fn excluded(limits: &Limits) -> u8 {
    fn empty<T: PartialOrd>(min: Option<T>, max: Option<T>) -> bool {
        matches!((min, max), (Some(min), Some(max)) if min > max)
    }
    let mut out = 0;
    if empty(limits.min_properties, limits.max_properties) {
        out |= Kinds::OBJECT;
    }
    if empty(limits.min_items, limits.max_items) {
        out |= Kinds::ARRAY;
    }
    if empty(limits.min_length, limits.max_length) {
        out |= Kinds::STRING;
    }
    if empty(limits.minimum, limits.maximum) {
        out |= Kinds::INTEGER | Kinds::NUMBER;
    }
    if limits.not.as_deref().is_some_and(|n| n.limits.enumeration == BOOLEANS) {
        out |= Kinds::BOOLEAN;
    }
    out
}

const BOOLEANS: [Value; 2] = [Value::Bool(true), Value::Bool(false)];

/// Adds bounds that no value of these types satisfies. A structural schema can have only one type, so if a schema
/// allows several types, the others are excluded in this way.
pub(super) fn never(types: u8, out: &mut Limits) {
    if types & Kinds::OBJECT != 0 {
        (out.min_properties, out.max_properties) = (Some(1), Some(0));
    }
    if types & Kinds::ARRAY != 0 {
        (out.min_items, out.max_items) = (Some(1), Some(0));
    }
    if types & Kinds::STRING != 0 {
        (out.min_length, out.max_length) = (Some(1), Some(0));
    }
    if types & Kinds::NUMBER != 0 && types & Kinds::INTEGER != 0 {
        (out.minimum, out.maximum) = (Some(1.0), Some(0.0));
    } else if types & Kinds::NUMBER != 0 {
        out.multiple_of = Some(1.0);
    } else if types & Kinds::INTEGER != 0 {
        // A set with numbers always includes integers.
        (out.minimum, out.maximum) = (Some(1.0), Some(0.0));
    }
    if types & Kinds::BOOLEAN != 0 {
        let limits = Limits { enumeration: BOOLEANS.to_vec(), ..Limits::default() };
        out.not = Some(Box::new(Schema { limits, ..Schema::default() }));
    }
}

/// A schema that allows these types.
pub(super) fn of_kinds(types: u8) -> Schema {
    let single = match types {
        Kinds::OBJECT => Some(Type::Object),
        Kinds::ARRAY => Some(Type::Array),
        Kinds::STRING => Some(Type::String),
        Kinds::INTEGER => Some(Type::Integer),
        Kinds::BOOLEAN => Some(Type::Boolean),
        t if t == Kinds::NUMBER | Kinds::INTEGER => Some(Type::Number),
        _ => None,
    };
    if let Some(ty) = single {
        return Schema::of(ty);
    }
    if types == Kinds::INTEGER | Kinds::STRING {
        return Schema {
            ext: Extensions { int_or_string: true, ..Extensions::default() },
            ..Schema::default()
        };
    }
    anything_of(types)
}

fn anything_of(types: u8) -> Schema {
    let mut out = anything();
    never(Kinds::ANY & !types, &mut out.limits);
    out
}

/// The schema that allows anything.
pub(super) fn anything() -> Schema {
    let ext = Extensions { preserve_unknown_fields: Some(true), ..Extensions::default() };
    Schema { ext, ..Schema::default() }
}

/// The schema that allows only `null`. CRDs have no such type, so it is an object that cannot exist.
pub(super) fn null() -> Schema {
    let mut out = Schema { nullable: true, ..Schema::of(Type::Object) };
    never(Kinds::OBJECT, &mut out.limits);
    out
}

/// Whether this is the schema that allows only `null`.
pub(super) fn is_null(schema: &Schema) -> bool {
    schema.nullable && schema.ty == Some(Type::Object) && excluded(&schema.limits) & Kinds::OBJECT != 0
}

/// A list of these items.
pub(super) fn list_of(item: Schema) -> Schema {
    Schema { items: Some(Items::One(Box::new(item))), ..Schema::of(Type::Array) }
}

/// An object with unknown content.
pub(super) fn opaque() -> Schema {
    let mut schema = anything();
    schema.ty = Some(Type::Object);
    schema
}
