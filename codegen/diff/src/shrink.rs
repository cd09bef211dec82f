//! Removes from a witness what it does not need.

use std::collections::VecDeque;

use crdgen_core::path::Step;
use crdgen_core::value::Value;

/// How many smaller objects are tried.
const QUESTIONS: usize = 120;

/// A list is long if it has more items.
const FEW: usize = 8;

/// Removes fields and items, the largest first, while `is_witness` accepts what is left.
pub(crate) fn shrink(object: Value, is_witness: &mut dyn FnMut(&Value) -> bool) -> Value {
    let mut questions = 0;
    let mut object = shorten(object, &mut questions, is_witness);
    let mut at = 0;
    // The places change with each removal, but those before it have been tried.
    while let Some(place) = places(&object).into_iter().nth(at) {
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

/// Makes long lists short: an object with a large list takes long to check, and its errors may be as many as its items.
fn shorten(mut object: Value, questions: &mut usize, is_witness: &mut dyn FnMut(&Value) -> bool) -> Value {
    for place in places(&object) {
        for most in [1, FEW] {
            let mut shorter = object.clone();
            match shorter.at_mut(&place) {
                Some(Value::List(items)) if items.len() > FEW => items.truncate(most),
                _ => break,
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

/// The places of all fields and items, from the outside to the inside, except of those that all objects have.
fn places(object: &Value) -> Vec<Vec<Step>> {
    let mut out: Vec<Vec<Step>> = Vec::new();
    let mut next = VecDeque::from([Vec::new()]);
    while let Some(place) = next.pop_front() {
        let mut add = |step: Step| {
            let mut inner = place.clone();
            inner.push(step);
            let is_frame = matches!(&*inner, [Step::Key(name)] if matches!(&**name, "apiVersion" | "kind" | "metadata"))
                || matches!(&*inner, [Step::Key(around), Step::Key(name)] if around == "metadata" && name == "name");
            if !is_frame {
                out.push(inner.clone());
            }
            next.push_back(inner);
        };
        match object.at(&place) {
            Some(Value::Map(map)) => map.keys().for_each(|key| add(Step::Key(key.to_owned()))),
            // All items of a long list are alike.
            Some(Value::List(items)) => (0..items.len().min(FEW)).rev().for_each(|at| add(Step::Index(at))),
            _ => {}
        }
        if out.len() > QUESTIONS {
            break;
        }
    }
    out
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
