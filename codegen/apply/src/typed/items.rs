//! Removes fields and items from a value, or everything else.

use super::Type;
use super::form::{Form, element};
use crate::path::{Path, PathElement};
use crate::schema::{List, Map, Relation};
use crate::set::Set;
use crdgen_text::value::{Map as Members, Value};

/// Returns the set with the keys of all items that its paths pass through and that are in `own`.
pub(super) fn with_keys(set: &Set, own: &Set) -> Set {
    let mut keys = Set::new();
    set.each(&mut |path| {
        if !own.contains(path) {
            return;
        }
        for (i, element) in path.0.iter().enumerate() {
            let PathElement::Key(fields) = element else { continue };
            for (name, _) in fields.iter() {
                let mut path = Path(path.0[..=i].to_vec());
                path.0.push(PathElement::field(name));
                keys.insert(&path);
            }
        }
    });
    set.union(&keys)
}

/// What of a value is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// The paths of a set.
    Set,
    /// All others.
    Others,
}

/// Returns a value without what is not kept. Where the server has no value left, it writes null.
pub(super) fn walk(ty: Type<'_>, value: &Value, set: &Set, keep: Keep) -> Value {
    match (ty.form(value), value) {
        (Ok(Form::Scalar(_)), value) => value.clone(),
        (Ok(Form::List(list)), Value::List(items)) => match whole(items.is_empty(), list.relation) {
            true if keep == Keep::Set => value.clone(),
            true => Value::Null,
            false => of_items(ty, list, items, set, keep),
        },
        (Ok(Form::Map(map)), Value::Map(members)) => match whole(members.is_empty(), map.relation) {
            true if keep == Keep::Set => value.clone(),
            true => Value::Null,
            false => of_members(ty, map, members, set, keep),
        },
        (Ok(Form::List(_) | Form::Map(_)) | Err(_), _) => Value::Null,
    }
}

fn whole(is_empty: bool, relation: Relation) -> bool {
    is_empty || relation == Relation::Atomic
}

fn of_items(ty: Type<'_>, list: &List, items: &[Value], set: &Set, keep: Keep) -> Value {
    let mut out = Vec::new();
    for item in items {
        let element = element(ty, list, item).ok();
        let is_member = element.as_ref().is_some_and(|element| set.has(element));
        let below = element.as_ref().and_then(|element| set.below(element)).filter(|set| !set.is_empty());
        match (below, keep) {
            (None, Keep::Set) if !is_member => {}
            (_, Keep::Others) if is_member => {}
            (Some(below), _) => out.push(walk(ty.of(list.items), item, below, keep)),
            (None, _) => out.push(item.clone()),
        }
    }
    if out.is_empty() { Value::Null } else { Value::List(out) }
}

fn of_members(ty: Type<'_>, map: &Map, members: &Members<Value>, set: &Set, keep: Keep) -> Value {
    let mut out = Vec::new();
    for (name, value) in members.iter() {
        let ty = ty.of(map.type_of(name));
        let below = set.below(name).filter(|set| !set.is_empty());
        let kept = match (set.has(name), below, keep) {
            (true, _, Keep::Others) | (false, None, Keep::Set) => continue,
            // The server continues with the same set here.
            (true, _, Keep::Set) => walk(ty, value, set, keep),
            (false, Some(below), _) => walk(ty, value, below, keep),
            (false, None, Keep::Others) => value.clone(),
        };
        out.push((name.to_owned(), kept));
    }
    if out.is_empty() { Value::Null } else { Value::Map(Members::sorted(out)) }
}
