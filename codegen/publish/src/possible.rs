//! Schemas without a type that exclude some types by bounds that no value satisfies, as those of Rust enums do. Documents
//! for people and editors name the types instead.

use crate::ir::{Limits, Schema, Type};
use crate::recipe::types_of;
use std::borrow::Cow;

/// The limits of a schema without those that only exclude types, as schemas of Rust enums have them: bounds that no value
/// satisfies. `types` are the types that are left, if some are excluded.
pub(super) struct Possible<'s> {
    pub(super) limits: Cow<'s, Limits>,
    pub(super) types: Option<u8>,
}

/// The types that a schema may have. Every number may be an integer.
const TYPES: [Type; 5] = [Type::Object, Type::Array, Type::String, Type::Number, Type::Boolean];

impl<'s> Possible<'s> {
    pub(super) fn of(schema: &'s Schema) -> Possible<'s> {
        let (all, limits) = (types_of(&Schema::default()), &schema.limits);
        let types = types_of(schema);
        if schema.ty.is_some() || schema.ext.int_or_string || types == all {
            return Possible { limits: Cow::Borrowed(limits), types: None };
        }
        let mut limits = limits.clone();
        let excludes = |ty: Type| types & types_of(&Schema::of(ty)) == 0;
        if excludes(Type::Number) {
            (limits.minimum, limits.maximum) = (None, None);
        }
        if excludes(Type::String) {
            (limits.min_length, limits.max_length) = (None, None);
        }
        if excludes(Type::Array) {
            (limits.min_items, limits.max_items) = (None, None);
        }
        if excludes(Type::Object) {
            (limits.min_properties, limits.max_properties) = (None, None);
        }
        if excludes(Type::Boolean) {
            limits.not = None;
        }
        Possible { limits: Cow::Owned(limits), types: Some(types) }
    }
}

/// Returns the names of the types in a set.
pub(super) fn names(types: u8) -> Vec<&'static str> {
    let has = |ty: &&Type| types & types_of(&Schema::of((*ty).clone())) != 0;
    TYPES.iter().filter(has).map(Type::as_str).collect()
}
