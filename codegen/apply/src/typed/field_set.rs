//! The paths of all leaves and list items of a value.

use super::form::{Form, element};
use super::{Mismatch, Type};
use crate::path::{Locate, PathElement, Step};
use crate::schema::{List, Map, Relation};
use crate::set::Set;
use crdgen_text::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) fn of(ty: Type<'_>, value: &Value, found: &mut Vec<Mismatch>) -> Set {
    node(ty, value, found).below
}

/// The paths at a value.
#[derive(Default)]
struct Node {
    /// Whether a path ends at the value.
    ends: bool,
    /// The paths that continue in it.
    below: Set,
}

impl Node {
    fn leaf() -> Node {
        Node { ends: true, below: Set::new() }
    }
}

fn node(ty: Type<'_>, value: &Value, found: &mut Vec<Mismatch>) -> Node {
    match (ty.form(value), value) {
        (Ok(Form::Scalar(_)), _) => Node::leaf(),
        (Ok(Form::List(List { relation: Relation::Atomic, .. })), _) => Node::leaf(),
        (Ok(Form::Map(Map { relation: Relation::Atomic, .. })), _) => Node::leaf(),
        (Ok(Form::List(list)), Value::List(items)) => {
            Node { ends: false, below: of_items(ty, list, items, found) }
        }
        (Ok(Form::Map(map)), Value::Map(members)) => {
            let mut below = Set::new();
            for (name, value) in members.iter() {
                let mut child = node(ty.of(map.type_of(name)), value, found);
                let is_empty = value.is_null() || value.as_map().is_some_and(|map| map.is_empty());
                child.ends |= is_empty || !map.fields.contains_key(name);
                below.push(PathElement::field(name), child);
            }
            Node { ends: false, below }
        }
        (Ok(Form::List(_) | Form::Map(_)), _) => Node::default(),
        (Err(why), _) => {
            found.push(why);
            Node::default()
        }
    }
}

fn of_items(ty: Type<'_>, list: &List, items: &[Value], found: &mut Vec<Mismatch>) -> Set {
    // Items with the same element are owned as a whole, all together.
    let mut of: BTreeMap<Step<'_>, Option<&Value>> = BTreeMap::new();
    for item in items {
        if let Ok(element) = element(ty, list, item) {
            of.entry(element).and_modify(|first| *first = None).or_insert(Some(item));
        }
    }
    let mut set = Set::new();
    for (element, item) in of {
        let below = item.map_or(Set::new(), |item| node(ty.of(list.items), item, found).below);
        set.push(element.element(), Node { ends: true, below });
    }
    set
}

impl Set {
    /// Adds an element that is greater than all others.
    fn push(&mut self, element: PathElement, Node { ends, below }: Node) {
        if !below.members.is_empty() || !below.children.is_empty() {
            self.children.push((element.clone(), Arc::new(below)));
        }
        if ends {
            self.members.push(element);
        }
    }
}
