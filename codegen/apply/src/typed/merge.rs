//! Merges an applied configuration into an object.

use super::compare::zip;
use super::form::{Form, Forms, check_scalar, element};
use super::{Duplicates, Found, Mismatch, Mismatches, Type, duplicate};
use crate::path::Step;
use crate::schema::{List, Map, Relation};
use crdgen_text::value::{Map as Members, Value};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Merges two values. The result is none if there is nothing to keep.
pub(super) fn merge(ty: Type<'_>, live: &Value, config: &Value) -> Result<Option<Value>, Mismatches> {
    let mut found = Found::default();
    let merged = merge_value(ty, Some(live), Some(config), &mut found);
    found.result(merged)
}

/// Merges two values, of which one may be missing.
fn merge_value<'v>(
    ty: Type<'v>,
    live: Option<&'v Value>,
    config: Option<&'v Value>,
    found: &mut Found<'v>,
) -> Option<Value> {
    if live.is_none() && config.is_none() {
        found.push(Mismatch::here("at least one of lhs and rhs must be provided"));
        return None;
    }
    let forms = match ty.forms() {
        Ok(forms) => forms,
        Err(why) => {
            found.push(why);
            return None;
        }
    };
    let (of_live, of_config) = (forms.of(live), forms.of(config));
    if config.is_none() {
        return merge_form(ty, of_live, live, config, found);
    }
    if live.is_some() && of_live != of_config {
        // The live value has another form. It is checked too, but the configuration wins.
        merge_form(ty, of_live, live, config, found);
    }
    merge_form(ty, of_config, live, config, found)
}

fn merge_form<'v>(
    ty: Type<'v>,
    forms: Forms<'v>,
    live: Option<&'v Value>,
    config: Option<&'v Value>,
    found: &mut Found<'v>,
) -> Option<Value> {
    let whole = || config.or(live).cloned();
    match ty.first(forms) {
        Ok(Form::Scalar(scalar)) => {
            let check =
                |value: Option<&Value>, side| value.map_or(Ok(()), |value| check_scalar(scalar, value, side));
            if let (Err(live), Err(config)) = (check(live, "lhs: "), check(config, "rhs: ")) {
                found.push(live);
                found.push(config);
                return None;
            }
            whole()
        }
        Ok(Form::List(list)) => {
            // A value of another form counts as empty.
            let [left, right] = [live, config].map(|it| it.and_then(Value::as_list).unwrap_or_default());
            if list.relation == Relation::Atomic || left.is_empty() && right.is_empty() {
                return whole();
            }
            let items = merge_items(ty, list, left, right, found)?;
            (!items.is_empty()).then_some(Value::List(items))
        }
        Ok(Form::Map(map)) => {
            let [left, right] =
                [live, config].map(|it| it.and_then(Value::as_map).filter(|it| !it.is_empty()));
            if map.relation == Relation::Atomic || left.is_none() && right.is_none() {
                return whole();
            }
            let members = merge_members(ty, map, left, right, found);
            (!members.is_empty()).then_some(Value::Map(members))
        }
        Err(why) => {
            found.push(why);
            None
        }
    }
}

fn merge_members<'v>(
    ty: Type<'v>,
    map: &'v Map,
    live: Option<&'v Members<Value>>,
    config: Option<&'v Members<Value>>,
    found: &mut Found<'v>,
) -> Members<Value> {
    let mut out = Vec::new();
    for (name, live, config) in zip(live, config) {
        found.path.push(Step::Field(name));
        let merged = merge_value(ty.of(map.type_of(name)), live, config, found);
        found.path.pop();
        out.extend(merged.map(|merged| (name.to_owned(), merged)));
    }
    Members::sorted(out)
}

static NULL: Value = Value::Null;

/// The elements that identify the items of a list. If two items have the same one, this is a mistake, unless duplicates are
/// allowed.
fn elements<'v>(
    ty: Type<'v>,
    list: &'v List,
    items: &'v [Value],
    duplicates: Duplicates,
    found: &mut Found<'v>,
) -> Vec<(Step<'v>, &'v Value)> {
    let mut out = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        match element(ty, list, item) {
            Err(why) => found.push(Mismatch::here(format!("element {i}: {why}"))),
            Ok(element) => out.push((element, item)),
        }
    }
    if duplicates == Duplicates::Forbidden {
        let mut seen = BTreeSet::new();
        let repeated = out.iter().filter(|(element, _)| !seen.insert(element));
        repeated.for_each(|(element, _)| found.push(duplicate(element)));
    }
    out
}

/// The item of each element. Null if several items have the element.
fn items_of<'e, 'v>(elements: &'e [(Step<'v>, &'v Value)]) -> BTreeMap<&'e Step<'v>, &'v Value> {
    let mut out = BTreeMap::new();
    for (element, item) in elements {
        out.entry(element).and_modify(|first| *first = &NULL).or_insert(*item);
    }
    out
}

/// Merges two lists into one that keeps the order of both, as far as possible. Where they differ, the configuration wins.
fn merge_items<'v>(
    ty: Type<'v>,
    list: &'v List,
    live_items: &'v [Value],
    config_items: &'v [Value],
    found: &mut Found<'v>,
) -> Option<Vec<Value>> {
    let before = found.len();
    let config = elements(ty, list, config_items, Duplicates::Forbidden, found);
    let live = elements(ty, list, live_items, Duplicates::Allowed, found);
    if found.len() > before {
        return None;
    }
    let (of_config, of_live) = (items_of(&config), items_of(&live));
    let mut out = Vec::with_capacity(live_items.len().max(config_items.len()));
    // The server forgets mismatches inside of items.
    let mut put = |element: &Step<'v>, live: Option<&'v Value>| {
        let config = of_config.get(element).copied();
        out.extend(merge_value(ty.of(list.items), live, config, &mut Found::counting()));
    };
    // The elements of both lists that are still to come, in the order of the configuration.
    let mut shared: VecDeque<&Step<'_>> =
        config.iter().map(|(element, _)| element).filter(|it| of_live.contains_key(it)).collect();
    let mut next = shared.pop_front();
    let mut merged: BTreeSet<&Step<'_>> = BTreeSet::new();
    let (mut l, mut c) = (0, 0);
    while l < live.len() || c < config.len() {
        if let (Some((left, _)), Some((right, _))) = (live.get(l), config.get(c)) {
            if left == right {
                merged.insert(right);
                put(right, of_live.get(right).copied());
                l += 1;
                c += 1;
                next = shared.pop_front();
                continue;
            }
            if of_config.contains_key(left) && next.is_some_and(|next| next != left) {
                // Both lists have it, but it comes later.
                l += 1;
                continue;
            }
        }
        if let Some((left, item)) = live.get(l) {
            if !of_config.contains_key(left) {
                put(left, Some(item));
                l += 1;
                continue;
            }
            if merged.contains(left) {
                l += 1;
            }
        }
        if let Some((right, _)) = config.get(c) {
            merged.insert(right);
            put(right, of_live.get(right).copied());
            c += 1;
            if next == Some(right) {
                next = shared.pop_front();
            }
        }
    }
    Some(out)
}
