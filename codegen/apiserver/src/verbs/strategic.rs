//! Strategic merge patches of Kubernetes' own kinds, as the server's library applies them, with its words.

use crate::status::Failure;
use crdgen_core::apply::FieldType;
use crdgen_core::json;
use crdgen_core::keyed::Keyed;
use crdgen_core::value::{Map, Value};
use std::collections::{HashMap, HashSet};
use std::fmt;

const DIRECTIVE: &str = "$patch";
const RETAIN: &str = "$retainKeys";
const DELETE: &str = "$deleteFromPrimitiveList";
const ORDER: &str = "$setElementOrder";

/// Why a patch cannot be applied.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Broken {
    /// `$patch` has another value than those that there are.
    Directive {
        found: Value,
        of: Map<Value>,
    },
    /// An item of a list has no key.
    NoKey {
        item: Value,
        key: String,
    },
    /// `$patch: merge` in a list.
    Merging,
    /// The items of a list are not of one type.
    Types {
        items: Vec<Value>,
        patch: Vec<Value>,
    },
    RetainKeys,
    /// `$deleteFromPrimitiveList` without the name of a list.
    PrimitiveList,
    /// `$setElementOrder` without the name of a list.
    ElementOrder,
    /// `$setElementOrder` has other items than the list.
    OtherOrder {
        patch: Vec<Value>,
        order: Vec<Value>,
    },
    /// A value has another type.
    Argument {
        wanted: &'static str,
        found: &'static str,
    },
    /// An item of `$setElementOrder` is not an object.
    NoMap(usize),
    /// The struct has no such field.
    NoField {
        of: &'static str,
        name: String,
    },
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Broken::Directive { found, of } => {
                let found = match found {
                    Value::Str(text) => text.clone(),
                    other => format!("%!s({}={})", other.go_type(), printed(other)),
                };
                write!(f, "unknown patch type: {found} in map: {}", printed(&Value::Map(of.clone())))
            }
            Broken::NoKey { item, key } => {
                write!(f, "map: {} does not contain declared merge key: {key}", printed(item))
            }
            Broken::Merging => f.write_str("merging lists cannot yet be specified in the patch"),
            Broken::Types { items, patch } => {
                let both = [items, patch].map(|list| Value::List(list.clone()));
                write!(f, "list element types are not identical: {}", printed(&Value::List(both.into())))
            }
            Broken::RetainKeys => f.write_str("invalid patch format of retainKeys"),
            Broken::PrimitiveList => f.write_str("invalid patch format of primitive list"),
            Broken::ElementOrder => f.write_str("invalid patch format of setElementOrder list"),
            Broken::OtherOrder { patch, order } => {
                let [patch, order] = [patch, order].map(|list| printed(&Value::List(list.clone())));
                write!(f, "The order in patch list:\n{patch}\n doesn't match {ORDER} list:\n{order}\n")
            }
            Broken::Argument { wanted, found } => write!(f, "expected a {wanted}, but received a {found}"),
            Broken::NoMap(index) => write!(f, "value for key {index} is not a map"),
            Broken::NoField { of, name } => {
                write!(f, "unable to find api field in struct {of} for the json field \"{name}\"")
            }
        }
    }
}

impl From<Broken> for Failure {
    fn from(why: Broken) -> Failure {
        let message = why.to_string();
        match why {
            Broken::RetainKeys | Broken::PrimitiveList | Broken::ElementOrder => {
                Failure::bad_request(message)
            }
            _ => Failure::new(500, "", message),
        }
    }
}

/// A value as Go prints it.
pub(super) fn printed(value: &Value) -> String {
    match value {
        Value::Null => "<nil>".to_owned(),
        Value::Str(text) => text.clone(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(printed).collect();
            format!("[{}]", items.join(" "))
        }
        Value::Map(map) => {
            let members: Vec<String> =
                map.iter().map(|(name, value)| format!("{name}:{}", printed(value))).collect();
            format!("map[{}]", members.join(" "))
        }
        other => json::to_string(other),
    }
}

/// Applies a patch to an object of a type.
pub(super) fn apply(object: &mut Value, patch: &Map<Value>, of: Option<FieldType>) -> Result<(), Broken> {
    if let Value::Map(members) = object {
        merge(members, patch, of)?;
    }
    if let Some(of) = of {
        of.convert_numbers(object);
    }
    Ok(())
}

/// The name of the list that a directive is about.
fn list_of<'n>(name: &'n str, directive: &str, without: Broken) -> Option<Result<&'n str, Broken>> {
    let rest = name.strip_prefix(directive)?;
    Some(rest.split_once('/').map(|(_, list)| list).ok_or(without))
}

fn merge(members: &mut Map<Value>, changes: &Map<Value>, of: Option<FieldType>) -> Result<(), Broken> {
    match changes.get(DIRECTIVE) {
        None => {}
        Some(Value::Str(text)) if *text == *"replace" => {
            let kept = changes.iter().filter(|(name, _)| *name != DIRECTIVE);
            *members = kept.map(|(name, value)| (name, value.clone())).collect();
            return Ok(());
        }
        Some(Value::Str(text)) if *text == *"delete" => {
            *members = Map::new();
            return Ok(());
        }
        Some(other) => return Err(Broken::Directive { found: other.clone(), of: changes.clone() }),
    }
    retain(members, changes)?;
    let mut done = HashSet::new();
    for (name, order) in changes.iter() {
        if let Some(list) = list_of(name, ORDER, Broken::ElementOrder) {
            let list = list?;
            merge_ordered(members, changes.get(list), (list, order), of)?;
            done.insert(list);
        }
    }
    for (name, change) in changes.iter() {
        if name == RETAIN || name.starts_with(ORDER) || done.contains(name) {
            continue;
        }
        let (name, deletes) = match list_of(name, DELETE, Broken::PrimitiveList) {
            Some(list) => (list?, true),
            None => (name, false),
        };
        let found = members.get_mut(name);
        match (found, change) {
            (_, Value::Null) => drop(members.remove(name)),
            (Some(Value::List(items)), Value::List(gone)) if deletes => {
                delete_from(items, gone, field(of, name)?)?;
            }
            _ if deletes => {}
            (Some(Value::Map(members)), Value::Map(changes)) => match field(of, name)? {
                Some(of) if of.replaces() => *members = changes.clone(),
                of => merge(members, changes, of)?,
            },
            (Some(Value::List(items)), Value::List(changes)) => {
                merge_list(items, changes, field(of, name)?)?;
            }
            (_, change) => match without_directives(change) {
                Some(change) => drop(members.insert(name, change)),
                None => drop(members.remove(name)),
            },
        }
    }
    Ok(())
}

/// The type of a field that is a list or an object on both sides.
fn field(of: Option<FieldType>, name: &str) -> Result<Option<FieldType>, Broken> {
    let Some(of) = of else { return Ok(None) };
    match of.field(name) {
        None => Err(Broken::NoField { of: of.name(), name: name.to_owned() }),
        found => Ok(found),
    }
}

/// A value that replaces nothing, or a value of another type.
fn without_directives(value: &Value) -> Option<Value> {
    match value {
        Value::Map(members) if members.get(DIRECTIVE).is_some() => None,
        Value::Map(members) => {
            let kept = members.iter().filter(|(_, member)| !member.is_null());
            Some(Value::Map(kept.filter_map(|(name, it)| Some((name, without_directives(it)?))).collect()))
        }
        Value::List(items) => Some(Value::List(items.iter().filter_map(without_directives).collect())),
        other => Some(other.clone()),
    }
}

/// Removes the fields that `$retainKeys` does not name.
fn retain(members: &mut Map<Value>, changes: &Map<Value>) -> Result<(), Broken> {
    let Some(kept) = changes.get(RETAIN) else { return Ok(()) };
    let kept: HashSet<&str> =
        kept.as_list().ok_or(Broken::RetainKeys)?.iter().filter_map(Value::as_str).collect();
    let is_named = |(name, change): (&str, &Value)| {
        let is_directive = name == RETAIN || name.starts_with(DELETE) || name.starts_with(ORDER);
        is_directive || change.is_null() || kept.contains(name)
    };
    if !changes.iter().all(is_named) {
        return Err(Broken::RetainKeys);
    }
    members.retain(|name, _| kept.contains(name));
    Ok(())
}

/// Merges a list, and sorts it as `$setElementOrder` says.
fn merge_ordered(
    members: &mut Map<Value>,
    patch: Option<&Value>,
    (list, order): (&str, &Value),
    of: Option<FieldType>,
) -> Result<(), Broken> {
    let as_list = |value: &Value| {
        let found = value.go_type();
        value.as_list().map(<[Value]>::to_vec).ok_or(Broken::Argument { wanted: "[]interface {}", found })
    };
    let order = as_list(order)?;
    let before = members.get(list).map(as_list).transpose()?;
    let patch = patch.map(as_list).transpose()?;
    let of = field(of, list)?;
    let key = of.and_then(FieldType::merge_key);
    if let Some(patch) = &patch {
        check_order(patch, &order, key)?;
    }
    let mut items = match (&before, &patch) {
        (None, None) => return Ok(()),
        (None, Some(patch)) => patch.iter().filter_map(without_directives).collect(),
        (Some(before), _) => before.clone(),
    };
    if let (Some(_), Some(patch)) = (&before, &patch) {
        merge_list(&mut items, patch, of)?;
    }
    if let Some(key) = key.filter(|_| !items.is_empty()) {
        for (index, item) in order.iter().enumerate() {
            match item {
                Value::Map(map) if map.get(key).is_some() => {}
                Value::Map(_) => return Err(Broken::NoKey { item: item.clone(), key: key.to_owned() }),
                _ => return Err(Broken::NoMap(index)),
            }
        }
    }
    in_order(&mut items, &order, &before.unwrap_or_default(), key);
    members.insert(list, Value::List(items));
    Ok(())
}

/// Checks that a list has its items in the order of `$setElementOrder`.
fn check_order(patch: &[Value], order: &[Value], key: Option<&str>) -> Result<(), Broken> {
    let of = |item: &Value| match (key, item) {
        (None, item) => Ok(json::to_string(item)),
        (Some(key), Value::Map(map)) => map
            .get(key)
            .map(json::to_string)
            .ok_or_else(|| Broken::NoKey { item: item.clone(), key: key.to_owned() }),
        (Some(_), other) => {
            Err(Broken::Argument { wanted: "map[string]interface {}", found: other.go_type() })
        }
    };
    let mut wanted = order.iter();
    for item in patch.iter().filter(|item| item.get(DIRECTIVE).is_none()) {
        let item = of(item)?;
        loop {
            match wanted.next() {
                None => return Err(Broken::OtherOrder { patch: patch.to_vec(), order: order.to_vec() }),
                Some(next) if of(next)? == item => break,
                Some(_) => {}
            }
        }
    }
    Ok(())
}

fn texts(items: &[Value]) -> HashSet<String> {
    items.iter().map(json::to_string).collect()
}

/// Removes items from a list. Those that are objects are merged instead.
fn delete_from(items: &mut Vec<Value>, gone: &[Value], of: Option<FieldType>) -> Result<(), Broken> {
    check_types(items, gone)?;
    match (items.first(), of.and_then(FieldType::merge_key)) {
        (Some(Value::Map(_)), Some(key)) => merge_keyed(items, gone, key, of.and_then(FieldType::item)),
        _ => {
            let gone = texts(gone);
            items.retain(|item| !gone.contains(&json::to_string(item)));
            Ok(())
        }
    }
}

/// Checks that the items of two lists have the same type.
fn check_types(items: &[Value], changes: &[Value]) -> Result<(), Broken> {
    let mut types = items.iter().chain(changes).map(Value::go_type);
    let first = types.next();
    if types.any(|ty| Some(ty) != first) {
        return Err(Broken::Types { items: items.to_vec(), patch: changes.to_vec() });
    }
    Ok(())
}

fn merge_list(items: &mut Vec<Value>, changes: &[Value], of: Option<FieldType>) -> Result<(), Broken> {
    let Some(of) = of.filter(|of| of.merges()) else {
        *items = changes.to_vec();
        return Ok(());
    };
    check_types(items, changes)?;
    let Some(first) = items.first().or(changes.first()) else { return Ok(()) };
    match (first, of.merge_key()) {
        (Value::Map(_), Some(key)) => merge_keyed(items, changes, key, of.item()),
        _ => {
            let old = items.clone();
            let mut seen = HashSet::new();
            items.extend(changes.iter().cloned());
            items.retain(|item| seen.insert(json::to_string(item)));
            in_order(items, changes, &old, None);
            Ok(())
        }
    }
}

fn merge_keyed(
    items: &mut Vec<Value>,
    changes: &[Value],
    key: &str,
    of: Option<FieldType>,
) -> Result<(), Broken> {
    let no_key = |item: &Value| Broken::NoKey { item: item.clone(), key: key.to_owned() };
    let old = items.clone();
    let mut keyed = Keyed::new(std::mem::take(items), key);
    let (mut kept, mut replaces) = (Vec::new(), false);
    for change in changes {
        match (change.get(DIRECTIVE), change) {
            (None, _) => kept.push(change.clone()),
            (Some(Value::Str(text)), _) if *text == *"delete" => {
                change.get(key).ok_or_else(|| no_key(change))?;
                keyed.remove(change);
            }
            (Some(Value::Str(text)), _) if *text == *"replace" => replaces = true,
            (Some(Value::Str(text)), _) if *text == *"merge" => return Err(Broken::Merging),
            (Some(other), Value::Map(map)) => {
                return Err(Broken::Directive { found: other.clone(), of: map.clone() });
            }
            (Some(_), _) => {}
        }
    }
    if replaces {
        *items = kept;
        return Ok(());
    }
    for change in &kept {
        change.get(key).ok_or_else(|| no_key(change))?;
        let merged = keyed.change(change, |item, change| match (item, change) {
            (Value::Map(members), Value::Map(changes)) => merge(members, changes, of),
            _ => Ok(()),
        });
        match merged {
            Ok(merged) => merged?,
            // What is new stays as it is.
            Err(change) => keyed.push(change.clone()),
        }
    }
    *items = keyed.into_items();
    in_order(items, &kept, &old, Some(key));
    Ok(())
}

/// Sorts a merged list: the items of the patch in their order, and between them the others, as far as the old order says.
fn in_order(items: &mut Vec<Value>, order: &[Value], old: &[Value], key: Option<&str>) {
    let text = |item: &Value| json::to_string(key.and_then(|key| item.get(key)).unwrap_or(item));
    let places = |list: &[Value]| -> HashMap<String, usize> {
        list.iter().enumerate().rev().map(|(at, item)| (text(item), at)).collect()
    };
    let (wanted, before) = (places(order), places(old));
    let (mut patched, mut others) = (Vec::new(), Vec::new());
    for item in items.drain(..) {
        let text = text(&item);
        let was = before.get(&text).copied();
        match wanted.get(&text) {
            Some(at) => patched.push((*at, was, item)),
            None => others.push((was, item)),
        }
    }
    patched.sort_by_key(|(at, ..)| *at);
    others.sort_by_key(|(at, _)| *at);
    let mut others = others.into_iter().peekable();
    for (_, at, item) in patched {
        while let Some((_, other)) =
            others.next_if(|(other, _)| at.is_some() && other.is_some() && *other < at)
        {
            items.push(other);
        }
        items.push(item);
    }
    items.extend(others.map(|(_, item)| item));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crdgen_core::apply::BuiltIn;

    #[test]
    fn containers_are_merged_by_name() {
        let pod = BuiltIn::find("v1", "Pod").and_then(BuiltIn::fields);
        let read = |text: &str| json::read(text.as_bytes()).expect("JSON");
        for (object, patch, expected) in [
            (
                r#"{"spec":{"containers":[{"name":"a","image":"1"},{"name":"b"}]}}"#,
                r#"{"spec":{"containers":[{"name":"a","image":"2"},{"name":"b","$patch":"delete"},{"name":"c"}]}}"#,
                r#"{"spec":{"containers":[{"image":"2","name":"a"},{"name":"c"}]}}"#,
            ),
            (
                r#"{"spec":{"containers":[{"name":"a","args":["x"]}]}}"#,
                r#"{"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"b"},{"name":"a","args":["y"]}]}}"#,
                r#"{"spec":{"containers":[{"name":"b"},{"args":["y"],"name":"a"}]}}"#,
            ),
            // New items come before others, unless the old order says something else.
            (
                r#"{"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}}"#,
                r#"{"spec":{"containers":[{"name":"n"},{"name":"b","image":"1"}]}}"#,
                r#"{"spec":{"containers":[{"name":"n"},{"name":"a"},{"image":"1","name":"b"},{"name":"c"}]}}"#,
            ),
            (r#"{"spec":{"a":1,"b":2}}"#, r#"{"spec":{"$retainKeys":["a"],"a":3}}"#, r#"{"spec":{"a":3}}"#),
            (r#"{"spec":{"a":1}}"#, r#"{"spec":{"a":null}}"#, r#"{"spec":{}}"#),
            (r#"{"spec":{"priority":1}}"#, r#"{"spec":{"priority":2e0}}"#, r#"{"spec":{"priority":2}}"#),
            (r#"{"spec":{}}"#, r#"{"spec":{"priority":3000000000}}"#, r#"{"spec":{"priority":-1294967296}}"#),
            (r#"{"spec":{}}"#, r#"{"spec":{"affinity":{"$patch":"replace"}}}"#, r#"{"spec":{}}"#),
        ] {
            let mut object = read(object);
            let patch_read = read(patch);
            apply(&mut object, patch_read.as_map().expect("a map"), pod).expect("a patch");
            assert_eq!(json::to_string(&object), expected, "{patch}");
        }
    }
}
