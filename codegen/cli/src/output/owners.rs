//! The fields of an object with their owners, as a tree.

use crdgen_core::apply::library::managed::{Identity, Managed};
use crdgen_core::apply::library::path::PathElement;
use crdgen_core::apply::library::set::Set;
use crdgen_core::inert::InertLine;
use crdgen_core::json;
use crdgen_core::value::Value;

use crate::terminal::Lines;
use std::collections::BTreeSet;

/// How far to the right owners are written.
const MOST: usize = 60;

/// Writes the fields, each on a line with the managers that own it.
pub(crate) fn write(object: &Value, out: &mut Lines) {
    let entries = object.get("metadata").and_then(|m| m.get("managedFields")).and_then(Value::as_list);
    let managed = Managed::read(entries.unwrap_or_default()).unwrap_or_default();
    let owners: Vec<Owner<'_>> = managed
        .managers
        .iter()
        .map(|(identity, owned)| Owner { name: words(&Identity::read(identity)), set: &owned.set })
        .collect();
    let mut rows = Vec::new();
    children(object, 1, &owners, &mut rows);
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
    name: String,
    set: &'s Set,
}

struct Row {
    text: String,
    owners: Vec<String>,
}

fn children(value: &Value, depth: usize, owners: &[Owner<'_>], rows: &mut Vec<Row>) {
    match value {
        Value::Map(map) => {
            for (name, member) in map.iter() {
                let is_hidden = match depth {
                    1 => matches!(name, "apiVersion" | "kind"),
                    2 => name == "managedFields",
                    _ => false,
                };
                if !is_hidden {
                    child(&format!("{name}:"), &[PathElement::field(name)], member, depth, owners, rows);
                }
            }
        }
        Value::List(items) => {
            let keys = keys(owners);
            for item in items {
                let key = keys.iter().filter_map(|key| Some((key.clone(), item.get(key)?.clone()))).collect();
                let elements = [PathElement::key(key), PathElement::value(item.clone())];
                child("-", &elements, item, depth, owners, rows);
            }
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
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

/// Writes a field or an item. `elements` are how a set may name it.
fn child(
    name: &str,
    elements: &[PathElement],
    value: &Value,
    depth: usize,
    owners: &[Owner<'_>],
    rows: &mut Vec<Row>,
) {
    let indent = "  ".repeat(depth);
    let text = match value {
        Value::Map(map) if !map.is_empty() => format!("{indent}{name}"),
        Value::List(items) if !items.is_empty() => format!("{indent}{name}"),
        scalar => format!("{indent}{name} {}", json::to_string(scalar)),
    };
    let own = owners.iter().filter(|owner| elements.iter().any(|element| owner.set.ends_at(element)));
    rows.push(Row { text, owners: own.map(|owner| owner.name.clone()).collect() });
    let below: Vec<Owner<'_>> = owners
        .iter()
        .filter_map(|owner| {
            let set = elements.iter().find_map(|element| owner.set.child(element))?;
            Some(Owner { name: owner.name.clone(), set })
        })
        .collect();
    children(value, depth + 1, &below, rows);
}
