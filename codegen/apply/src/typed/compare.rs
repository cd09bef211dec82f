//! What is different in a new value.

use super::form::{Form, Forms, check_scalar, element};
use super::{Found, Mismatch, Mismatches, Type};
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

pub(super) fn compare(ty: Type<'_>, old: &Value, new: &Value) -> Result<Comparison, Mismatches> {
    let mut walk = Walk { found: Found::default(), out: Comparison::default() };
    walk.value(ty, Some(old), Some(new));
    walk.found.result(walk.out)
}

struct Walk<'v> {
    found: Found<'v>,
    out: Comparison,
}

/// Whether a value was compared as a whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    Yes,
    No,
}

impl<'v> Walk<'v> {
    fn value(&mut self, ty: Type<'v>, old: Option<&'v Value>, new: Option<&'v Value>) {
        let forms = match ty.forms() {
            Ok(forms) => forms,
            Err(why) => return self.found.push(why),
        };
        let (old_forms, new_forms) = (forms.of(old), forms.of(new));
        let whole = if new.is_none() {
            self.form(ty, old_forms, old, new)
        } else if old.is_none() || old_forms == new_forms {
            self.form(ty, new_forms, old, new)
        } else {
            self.form(ty, old_forms, old, new);
            self.form(ty, new_forms, old, new)
        };
        match (old, new) {
            (None, _) if whole == Whole::No => self.out.added.insert_at(&self.found.path),
            (_, None) if whole == Whole::No => self.out.removed.insert_at(&self.found.path),
            _ => {}
        }
    }

    fn form(
        &mut self,
        ty: Type<'v>,
        forms: Forms<'v>,
        old: Option<&'v Value>,
        new: Option<&'v Value>,
    ) -> Whole {
        match ty.first(forms) {
            Ok(Form::Scalar(scalar)) => {
                let check = |value: Option<&Value>, side| {
                    value.map_or(Ok(()), |value| check_scalar(scalar, value, side))
                };
                if let (Err(old), Err(new)) = (check(old, "lhs: "), check(new, "rhs: ")) {
                    self.found.push(old);
                    self.found.push(new);
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
                self.items(ty, list, left, right);
                Whole::No
            }
            Ok(Form::Map(map)) => {
                let [left, right] =
                    [old, new].map(|it| it.and_then(Value::as_map).filter(|it| !it.is_empty()));
                if map.relation == Relation::Atomic || left.is_none() && right.is_none() {
                    return self.leaf(old, new);
                }
                self.members(ty, map, left, right);
                Whole::No
            }
            Err(why) => {
                self.found.push(why);
                Whole::No
            }
        }
    }

    fn leaf(&mut self, old: Option<&Value>, new: Option<&Value>) -> Whole {
        match (old, new) {
            (None, _) => self.out.added.insert_at(&self.found.path),
            (_, None) => self.out.removed.insert_at(&self.found.path),
            (Some(old), Some(new)) if !order::equal(old, new) => {
                self.out.modified.insert_at(&self.found.path)
            }
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
    ) {
        for (name, old, new) in zip(old, new) {
            self.found.path.push(Step::Field(name));
            self.value(ty.of(map.type_of(name)), old, new);
            self.found.path.pop();
        }
    }

    fn items(&mut self, ty: Type<'v>, list: &'v List, old: &'v [Value], new: &'v [Value]) {
        let mut sides: BTreeMap<Step<'v>, [Vec<&'v Value>; 2]> = BTreeMap::new();
        for (side, items) in [old, new].into_iter().enumerate() {
            for (i, item) in items.iter().enumerate() {
                match element(ty, list, item) {
                    Ok(element) => sides.entry(element).or_default()[side].push(item),
                    Err(why) => self.found.push(Mismatch::here(format!("element {i}: {why}"))),
                }
            }
        }
        for (element, [old, new]) in sides {
            self.found.path.push(element);
            self.item(ty.of(list.items), &old, &new);
            self.found.path.pop();
        }
    }

    /// Compares the items with the same element. Several items are compared as a whole.
    fn item(&mut self, ty: Type<'v>, old: &[&'v Value], new: &[&'v Value]) {
        match (old, new) {
            ([] | [_], [] | [_]) => self.value(ty, old.first().copied(), new.first().copied()),
            ([_, _, ..], [_, _, ..]) => {
                let equal = old.len() == new.len() && old.iter().zip(new).all(|(a, b)| order::equal(a, b));
                if !equal {
                    self.out.modified.insert_at(&self.found.path);
                }
            }
            ([_, _, ..], _) => {
                new.iter().for_each(|new| self.value(ty, None, Some(new)));
                self.out.removed.insert_at(&self.found.path);
            }
            (_, [_, _, ..]) => {
                old.iter().for_each(|old| self.value(ty, Some(old), None));
                self.out.added.insert_at(&self.found.path);
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
