//! The fields of an object with their owners, as a tree.

use crdgen_core::apply::library::managed::{Identity, Managed};
use crdgen_core::apply::library::path::PathElement;
use crdgen_core::apply::library::set::Set;
use crdgen_core::inert::InertLine;
use crdgen_core::json;
use crdgen_core::value::Value;

use crate::Lines;
use std::collections::{BTreeMap, BTreeSet};

/// How far to the right owners are written.
const MOST: usize = 60;

/// Writes the fields, each on a line with the managers that own it.
pub fn write(object: &Value, out: &mut Lines) {
    let entries = object.get("metadata").and_then(|m| m.get("managedFields")).and_then(Value::as_list);
    let managed = Managed::read(entries.unwrap_or_default()).unwrap_or_default();
    let named = |(identity, _): (&String, _)| words(&Identity::read(identity));
    let names: Vec<String> = managed.managers.iter().map(named).collect();
    let sets = managed.managers.values().map(|owned| &owned.set);
    let owners: Vec<Owner<'_>> = names.iter().zip(sets).map(|(name, set)| Owner { name, set }).collect();
    let mut rows = Vec::new();
    Level { depth: 1, owners: &owners }.children(object, &mut rows);
    let width = rows.iter().map(|row: &Row| row.text.chars().count()).max().unwrap_or_default().min(MOST);
    for Row { text, owners } in rows {
        let line = if owners.is_empty() { text } else { format!("{text:width$}  {}", owners.join(", ")) };
        out.add(InertLine(&line));
    }
}

/// `helm`, or `hpa (status, update)`
fn words(identity: &Identity) -> String {
    let update = (identity.operation == "Update").then_some("update");
    let subresource = Some(identity.subresource.as_str()).filter(|it| !it.is_empty());
    let more: Vec<&str> = subresource.into_iter().chain(update).collect();
    if more.is_empty() {
        identity.manager.clone()
    } else {
        format!("{} ({})", identity.manager, more.join(", "))
    }
}

/// A manager, and what it owns below a place.
struct Owner<'s> {
    name: &'s str,
    set: &'s Set,
}

struct Row<'s> {
    text: String,
    owners: Vec<&'s str>,
}

/// What a manager owns of a field or an item.
#[derive(Clone, Copy)]
struct Owned<'s> {
    /// The number of the manager.
    owner: usize,
    /// Whether it owns the field or item itself.
    is_own: bool,
    /// What it owns below.
    set: Option<&'s Set>,
}

/// What managers own below a place, by field or item: an object may have many managers, and each may own only a few fields.
#[derive(Default)]
struct Places<'s>(BTreeMap<&'s PathElement, Vec<Owned<'s>>>);

impl<'s> Places<'s> {
    fn of(owners: &[Owner<'s>]) -> Places<'s> {
        let mut places = Places::default();
        for (owner, Owner { set, .. }) in owners.iter().enumerate() {
            set.members().for_each(|element| places.add(element, Owned { owner, is_own: true, set: None }));
            let mut add =
                |(element, set)| places.add(element, Owned { owner, is_own: false, set: Some(set) });
            set.children().for_each(&mut add);
        }
        places
    }

    fn add(&mut self, element: &'s PathElement, owned: Owned<'s>) {
        let all = self.0.entry(element).or_default();
        match all.last_mut().filter(|last| last.owner == owned.owner) {
            Some(last) => {
                last.is_own |= owned.is_own;
                last.set = last.set.or(owned.set);
            }
            None => all.push(owned),
        }
    }

    /// What each manager owns of a field or an item, which a set may name in several ways.
    fn get(&self, elements: &[PathElement]) -> Vec<Owned<'s>> {
        let mut out: Vec<Owned<'s>> =
            elements.iter().filter_map(|it| self.0.get(it)).flatten().copied().collect();
        out.sort_by_key(|owned| owned.owner);
        out.dedup_by(|owned, first| {
            let is_same = owned.owner == first.owner;
            if is_same {
                first.is_own |= owned.is_own;
                first.set = first.set.or(owned.set);
            }
            is_same
        });
        out
    }
}

/// The managers that own something at a depth.
struct Level<'o, 's> {
    depth: usize,
    owners: &'o [Owner<'s>],
}

impl<'s> Level<'_, 's> {
    fn children(&self, value: &Value, rows: &mut Vec<Row<'s>>) {
        let Level { depth, owners } = *self;
        let places = Places::of(owners);
        match value {
            Value::Map(map) => {
                for (name, member) in map.iter() {
                    let is_hidden = match depth {
                        1 => matches!(name, "apiVersion" | "kind"),
                        2 => name == "managedFields",
                        _ => false,
                    };
                    if !is_hidden {
                        let owned = places.get(&[PathElement::field(name)]);
                        self.child(&format!("{name}:"), &owned, member, rows);
                    }
                }
            }
            Value::List(items) => {
                let keys = keys(owners);
                for item in items {
                    let key =
                        keys.iter().filter_map(|key| Some((key.clone(), item.get(key)?.clone()))).collect();
                    let owned = places.get(&[PathElement::key(key), PathElement::value(item.clone())]);
                    self.child("-", &owned, item, rows);
                }
            }
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
        }
    }

    /// Writes a field or an item.
    fn child(&self, name: &str, owned: &[Owned<'s>], value: &Value, rows: &mut Vec<Row<'s>>) {
        let Level { depth, owners } = *self;
        let indent = "  ".repeat(depth);
        let text = match value {
            Value::Map(map) if !map.is_empty() => format!("{indent}{name}"),
            Value::List(items) if !items.is_empty() => format!("{indent}{name}"),
            scalar => format!("{indent}{name} {}", json::to_string(scalar)),
        };
        let name_of = |it: &Owned<'s>| owners.get(it.owner).map(|owner| owner.name);
        let own = owned.iter().filter(|it| it.is_own).filter_map(name_of).collect();
        rows.push(Row { text, owners: own });
        let below = |it: &Owned<'s>| Some(Owner { name: name_of(it)?, set: it.set? });
        let below: Vec<Owner<'s>> = owned.iter().filter_map(below).collect();
        Level { depth: depth + 1, owners: &below }.children(value, rows);
    }
}

/// The names of the keys that identify the items of a list.
fn keys(owners: &[Owner<'_>]) -> BTreeSet<String> {
    let elements = owners
        .iter()
        .flat_map(|owner| owner.set.members().chain(owner.set.children().map(|(element, _)| element)));
    let mut names = BTreeSet::new();
    for element in elements {
        if let PathElement::Key(keys) = element {
            names.extend(keys.iter().map(|(name, _)| name.clone()));
        }
    }
    names
}
