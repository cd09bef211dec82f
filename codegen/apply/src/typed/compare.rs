//! What is different in a new value.

use super::form::{Form, Forms, check_scalar, element};
use super::{Dotted, Mismatch, Type, below};
use crate::order;
use crate::path::Step;
use crate::schema::{List, Map, Relation};
use crate::set::Set;
use crdgen_text::value::{Map as Members, Value};
use std::collections::BTreeMap;
use std::fmt;

/// The differences between two values. No path is in more than one set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// What only the old value has.
    pub removed: Set,
    /// What both have, with different values.
    pub modified: Set,
    /// What only the new value has.
    pub added: Set,
}

impl Comparison {
    /// Whether there is no difference.
    pub fn is_same(&self) -> bool {
        self.removed.is_empty() && self.modified.is_empty() && self.added.is_empty()
    }

    /// Returns the differences outside of these paths.
    pub fn without(self, ignored: &Set) -> Comparison {
        Comparison {
            removed: self.removed.recursive_difference(ignored),
            modified: self.modified.recursive_difference(ignored),
            added: self.added.recursive_difference(ignored),
        }
    }
}

/// The sets that are not empty, one path per line.
impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, set) in [("Modified", &self.modified), ("Added", &self.added), ("Removed", &self.removed)]
        {
            if !set.is_empty() {
                write!(f, "- {name} Fields:\n{set}\n")?;
            }
        }
        Ok(())
    }
}

pub(super) fn compare<'v>(ty: Type<'v>, old: &'v Value, new: &'v Value) -> (Comparison, Vec<Mismatch>) {
    let mut walk = Walk { path: Vec::new(), out: Comparison::default() };
    let found = walk.value(ty, Some(old), Some(new));
    (walk.out, found)
}

struct Walk<'v> {
    path: Vec<Step<'v>>,
    out: Comparison,
}

/// Whether a value was compared as a whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    Yes,
    No,
}

impl<'v> Walk<'v> {
    fn value(&mut self, ty: Type<'v>, old: Option<&'v Value>, new: Option<&'v Value>) -> Vec<Mismatch> {
        let forms = match ty.forms() {
            Ok(forms) => forms,
            Err(why) => return vec![why],
        };
        let (old_forms, new_forms) = (forms.of(old), forms.of(new));
        let mut found = Vec::new();
        let whole = if new.is_none() {
            self.form(ty, old_forms, old, new, &mut found)
        } else if old.is_none() || old_forms == new_forms {
            self.form(ty, new_forms, old, new, &mut found)
        } else {
            self.form(ty, old_forms, old, new, &mut found);
            self.form(ty, new_forms, old, new, &mut found)
        };
        match (old, new) {
            (None, _) if whole == Whole::No => self.out.added.insert_at(&self.path),
            (_, None) if whole == Whole::No => self.out.removed.insert_at(&self.path),
            _ => {}
        }
        found
    }

    fn form(
        &mut self,
        ty: Type<'v>,
        forms: Forms<'v>,
        old: Option<&'v Value>,
        new: Option<&'v Value>,
        found: &mut Vec<Mismatch>,
    ) -> Whole {
        match ty.first(forms) {
            Ok(Form::Scalar(scalar)) => {
                let check = |value: Option<&Value>, side| {
                    value.map_or(Ok(()), |value| check_scalar(scalar, value, side))
                };
                if let (Err(old), Err(new)) = (check(old, "lhs: "), check(new, "rhs: ")) {
                    found.extend([old, new]);
                    return Whole::No;
                }
                self.leaf(old, new)
            }
            Ok(Form::List(list)) => {
                // A value of another form counts as empty.
                let [left, right] = [old, new].map(|it| it.and_then(Value::as_list).unwrap_or_default());
                if list.relation == Relation::Atomic || left.is_empty() && right.is_empty() {
                    return self.leaf(old, new);
                }
                self.items(ty, list, left, right, found);
                Whole::No
            }
            Ok(Form::Map(map)) => {
                let [left, right] =
                    [old, new].map(|it| it.and_then(Value::as_map).filter(|it| !it.is_empty()));
                if map.relation == Relation::Atomic || left.is_none() && right.is_none() {
                    return self.leaf(old, new);
                }
                self.members(ty, map, left, right, found);
                Whole::No
            }
            Err(why) => {
                found.push(why);
                Whole::No
            }
        }
    }

    fn leaf(&mut self, old: Option<&Value>, new: Option<&Value>) -> Whole {
        match (old, new) {
            (None, _) => self.out.added.insert_at(&self.path),
            (_, None) => self.out.removed.insert_at(&self.path),
            (Some(old), Some(new)) if !order::equal(old, new) => self.out.modified.insert_at(&self.path),
            (Some(_), Some(_)) => {}
        }
        Whole::Yes
    }

    fn members(
        &mut self,
        ty: Type<'v>,
        map: &'v Map,
        old: Option<&'v Members<Value>>,
        new: Option<&'v Members<Value>>,
        found: &mut Vec<Mismatch>,
    ) {
        for (name, old, new) in zip(old, new) {
            self.path.push(Step::Field(name));
            let inside = self.value(ty.of(map.type_of(name)), old, new);
            self.path.pop();
            found.extend(below(inside, &Dotted(name)));
        }
    }

    fn items(
        &mut self,
        ty: Type<'v>,
        list: &'v List,
        old: &'v [Value],
        new: &'v [Value],
        found: &mut Vec<Mismatch>,
    ) {
        let mut sides: BTreeMap<Step<'v>, [Vec<&'v Value>; 2]> = BTreeMap::new();
        for (side, items) in [old, new].into_iter().enumerate() {
            for (i, item) in items.iter().enumerate() {
                match element(ty, list, item) {
                    Ok(element) => sides.entry(element).or_default()[side].push(item),
                    Err(why) => found.push(Mismatch::here(format!("element {i}: {why}"))),
                }
            }
        }
        for (element, [old, new]) in sides {
            self.path.push(element);
            let inside = self.item(ty.of(list.items), &old, &new);
            if let Some(element) = self.path.pop() {
                found.extend(below(inside, &element));
            }
        }
    }

    /// Compares the items with the same element. Several items are compared as a whole.
    fn item(&mut self, ty: Type<'v>, old: &[&'v Value], new: &[&'v Value]) -> Vec<Mismatch> {
        match (old, new) {
            ([] | [_], [] | [_]) => self.value(ty, old.first().copied(), new.first().copied()),
            ([_, _, ..], [_, _, ..]) => {
                let equal = old.len() == new.len() && old.iter().zip(new).all(|(a, b)| order::equal(a, b));
                if !equal {
                    self.out.modified.insert_at(&self.path);
                }
                Vec::new()
            }
            ([_, _, ..], _) => {
                let found = new.first().map(|new| self.value(ty, None, Some(new)));
                self.out.removed.insert_at(&self.path);
                found.unwrap_or_default()
            }
            (_, [_, _, ..]) => {
                let found = old.first().map(|old| self.value(ty, Some(old), None));
                self.out.added.insert_at(&self.path);
                found.unwrap_or_default()
            }
        }
    }
}

/// The members of two objects in the order of their names.
pub(super) fn zip<'v>(
    old: Option<&'v Members<Value>>,
    new: Option<&'v Members<Value>>,
) -> impl Iterator<Item = (&'v str, Option<&'v Value>, Option<&'v Value>)> {
    let mut old = old.into_iter().flat_map(Members::iter).peekable();
    let mut new = new.into_iter().flat_map(Members::iter).peekable();
    std::iter::from_fn(move || {
        let (from_old, from_new) = match (old.peek(), new.peek()) {
            (None, None) => return None,
            (Some(_), None) => (true, false),
            (None, Some(_)) => (false, true),
            (Some((a, _)), Some((b, _))) => (a <= b, a >= b),
        };
        let old = if from_old { old.next() } else { None };
        let new = if from_new { new.next() } else { None };
        let name = old.or(new)?.0;
        Some((name, old.map(|(_, value)| value), new.map(|(_, value)| value)))
    })
}
