//! Removes from an object what a witness does not need.

use std::collections::{HashSet, VecDeque};

use crate::ir::Schema;
use crate::path::Step;
use crate::value::Value;

/// How many smaller objects are tried.
const QUESTIONS: usize = 120;

/// A list is long if it has more items.
const FEW: usize = 8;

/// Removes fields and items, the largest first, while `is_witness` accepts what is left. `schemas` are those of both sides.
pub fn shrink(
    object: Value,
    schemas: [Option<&Schema>; 2],
    is_witness: &mut dyn FnMut(&Value) -> bool,
) -> Value {
    let mut questions = 0;
    let mut object = shortened(object, &mut questions, is_witness);
    let mut at = 0;
    // The places change with each removal, but those before it have been tried.
    while let Some(place) = places(&object, schemas).into_iter().nth(at) {
        questions += 1;
        if questions > QUESTIONS {
            break;
        }
        match without(&object, &place).filter(|smaller| is_witness(smaller)) {
            Some(smaller) => object = smaller,
            None => at += 1,
        }
    }
    object
}

fn has_long_list(value: &Value) -> bool {
    match value {
        Value::Map(map) => map.values().any(has_long_list),
        Value::List(items) => items.len() > FEW || items.iter().any(has_long_list),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => false,
    }
}

/// Makes long lists short: an object with a large list takes long to check, and its errors may be as many as its items.
pub(super) fn shortened(
    mut object: Value,
    questions: &mut usize,
    is_witness: &mut dyn FnMut(&Value) -> bool,
) -> Value {
    if !has_long_list(&object) {
        return object;
    }
    for place in places(&object, [None; 2]) {
        let is_long =
            |object: &Value| matches!(object.at(&place), Some(Value::List(items)) if items.len() > FEW);
        for most in [1, FEW] {
            // Copying a large object for each of its places would take long.
            if !is_long(&object) {
                break;
            }
            let mut shorter = object.clone();
            if let Some(Value::List(items)) = shorter.at_mut(&place) {
                items.truncate(most);
            }
            *questions += 1;
            if *questions > QUESTIONS / 2 {
                return object;
            }
            if is_witness(&shorter) {
                object = shorter;
                break;
            }
        }
    }
    object
}

/// The places of all fields and items, from the outside to the inside, except of those that all objects have and that one of the schemas
/// requires: an object may have thousands of them, and the question would be the same for each of thousands of changes. Without a field
/// that only the new schema requires, an object is rejected for another reason.
fn places<'o>(object: &'o Value, schemas: [Option<&'o Schema>; 2]) -> Vec<Vec<Step>> {
    let mut out: Vec<Vec<Step>> = Vec::new();
    let mut next = VecDeque::from([(Vec::new(), object, schemas)]);
    while let Some((place, value, schemas)) = next.pop_front() {
        let required: HashSet<&String> = schemas.into_iter().flatten().flat_map(required).collect();
        let mut add = |step: Step, inner: &'o Value, below: [Option<&'o Schema>; 2]| {
            // Other values have no places.
            let has_places = matches!(inner, Value::Map(_) | Value::List(_));
            let is_required = matches!(&step, Step::Key(name) if required.contains(name));
            if is_required && !has_places {
                return;
            }
            let mut at = place.clone();
            at.push(step);
            let is_frame = matches!(&*at, [Step::Key(name)] if matches!(&**name, "apiVersion" | "kind" | "metadata"))
                || matches!(&*at, [Step::Key(around), Step::Key(name)] if around == "metadata" && name == "name");
            if !is_frame && !is_required {
                out.push(at.clone());
            }
            if has_places {
                next.push_back((at, inner, below));
            }
        };
        match value {
            Value::Map(map) => map.iter().for_each(|(key, inner)| {
                let below = schemas.map(|schema| schema.and_then(|it| it.properties.get(key).or(it.value())));
                add(Step::Key(key.to_owned()), inner, below);
            }),
            // All items of a long list are alike.
            Value::List(items) => {
                let below = schemas.map(|schema| schema.and_then(Schema::item));
                let few = items.iter().enumerate().take(FEW).rev();
                few.for_each(|(at, inner)| add(Step::Index(at), inner, below));
            }
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
        }
        if out.len() > QUESTIONS {
            break;
        }
    }
    out
}

/// The fields without which a schema rejects all objects.
fn required(schema: &Schema) -> impl Iterator<Item = &String> {
    let has_default =
        |name: &String| schema.properties.get(name).is_some_and(|field| field.default.is_some());
    schema.limits.required.iter().filter(move |name| !has_default(name))
}

fn without(object: &Value, place: &[Step]) -> Option<Value> {
    let (last, around) = place.split_last()?;
    let mut out = object.clone();
    match (out.at_mut(around)?, last) {
        (Value::Map(map), Step::Key(name)) => _ = map.remove(name)?,
        (Value::List(items), Step::Index(at)) if *at < items.len() => _ = items.remove(*at),
        _ => return None,
    }
    Some(out)
}
