//! Whether a value is of its type.

use super::form::{Form, check_scalar, element, items, members};
use super::{Dotted, Duplicates, Mismatch, Type, below, duplicate};
use crate::path::PathElement;
use crate::schema::{List, Map, Relation};
use crdgen_text::value::{Map as Members, Value};
use std::collections::BTreeSet;

pub(super) fn validate(ty: Type<'_>, value: &Value, duplicates: Duplicates) -> Vec<Mismatch> {
    let result = match ty.form(value) {
        Ok(Form::Scalar(scalar)) => check_scalar(scalar, value, "").map(|()| Vec::new()),
        Ok(Form::List(list)) => {
            items(value).map(|it| it.map_or(Vec::new(), |it| validate_items(ty, list, it, duplicates)))
        }
        Ok(Form::Map(map)) => {
            members(value).map(|it| it.map_or(Vec::new(), |it| validate_members(ty, map, it, duplicates)))
        }
        Err(why) => Err(why),
    };
    result.unwrap_or_else(|why| vec![why])
}

fn validate_items(ty: Type<'_>, list: &List, items: &[Value], duplicates: Duplicates) -> Vec<Mismatch> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for (i, item) in items.iter().enumerate() {
        let inside = validate(ty.of(list.items), item, duplicates);
        if list.relation != Relation::Associative {
            found.extend(below(inside, &PathElement::Index(i as i64)));
            continue;
        }
        match element(ty, list, item) {
            Ok(element) => {
                if seen.contains(&element) && duplicates == Duplicates::Forbidden {
                    found.push(duplicate(&element));
                }
                found.extend(below(inside, &element));
                seen.insert(element);
            }
            // Without an element, nothing inside of the item can be named, and the server stops.
            Err(why) => {
                found.push(Mismatch::here(format!("element {i}: {why}")));
                return found;
            }
        }
    }
    found
}

fn validate_members(
    ty: Type<'_>,
    map: &Map,
    members: &Members<Value>,
    duplicates: Duplicates,
) -> Vec<Mismatch> {
    let mut found = Vec::new();
    for (name, value) in members.iter() {
        if map.others.is_none() && !map.fields.contains_key(name) {
            let path = Dotted(name).to_string();
            found.push(Mismatch { path, message: "field not declared in schema".to_owned() });
            // The server stops at the first such field. It finds the fields in a random order.
            return found;
        }
        found.extend(below(validate(ty.of(map.type_of(name)), value, duplicates), &Dotted(name)));
    }
    found
}
