//! Operations on two sets. Each is one walk through both, or a search in one of them if it is much larger, and shares the subtrees
//! that it keeps.

use super::Set;
use crate::path::PathElement;
use crate::schema::{Schema, TypeId};
use std::cmp::Ordering;
use std::sync::Arc;

type Child = (PathElement, Arc<Set>);

/// An item of two sorted lists: in the left one, in the right one, or in both.
enum Zipped<'a, T> {
    Left(&'a T),
    Right(&'a T),
    Both(&'a T, &'a T),
}

/// Walks through two sorted lists at once.
fn zip<'a, A, B>(
    left: &'a [A],
    right: &'a [B],
    compare: impl Fn(&A, &B) -> Ordering,
    mut visit: impl FnMut(Option<&'a A>, Option<&'a B>),
) {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    loop {
        let order = match (left.peek(), right.peek()) {
            (None, None) => return,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => compare(a, b),
        };
        visit(
            if order.is_le() { left.next() } else { None },
            if order.is_ge() { right.next() } else { None },
        );
    }
}

fn each<'a, T>(
    left: &'a [T],
    right: &'a [T],
    compare: impl Fn(&T, &T) -> Ordering,
    mut visit: impl FnMut(Zipped<'a, T>),
) {
    zip(left, right, compare, |a, b| match (a, b) {
        (Some(a), Some(b)) => visit(Zipped::Both(a, b)),
        (Some(a), None) => visit(Zipped::Left(a)),
        (None, Some(b)) => visit(Zipped::Right(b)),
        (None, None) => {}
    });
}

/// How many times as long as the other list a list must be, so that it is searched and not walked through. An object may have
/// many managers, each with only a few of its fields.
const MUCH_LONGER: usize = 16;

/// Visits the items that are in both lists.
fn common<'a, T>(
    left: &'a [T],
    right: &'a [T],
    compare: impl Fn(&T, &T) -> Ordering,
    mut visit: impl FnMut(&'a T, &'a T),
) {
    let find = |wanted: &T, all: &'a [T]| all.get(all.binary_search_by(|it| compare(it, wanted)).ok()?);
    if left.len() > right.len().saturating_mul(MUCH_LONGER) {
        right.iter().for_each(|b| _ = find(b, left).map(|a| visit(a, b)));
    } else if right.len() > left.len().saturating_mul(MUCH_LONGER) {
        left.iter().for_each(|a| _ = find(a, right).map(|b| visit(a, b)));
    } else {
        each(left, right, compare, |it| {
            if let Zipped::Both(a, b) = it {
                visit(a, b);
            }
        });
    }
}

/// Visits the items of a list, each with the equal one of the other list.
fn against<'a, T>(
    left: &'a [T],
    right: &'a [T],
    compare: impl Fn(&T, &T) -> Ordering,
    mut visit: impl FnMut(&'a T, Option<&'a T>),
) {
    if right.len() > left.len().saturating_mul(MUCH_LONGER) {
        for a in left {
            visit(a, right.binary_search_by(|b| compare(b, a)).ok().and_then(|index| right.get(index)));
        }
        return;
    }
    each(left, right, compare, |it| match it {
        Zipped::Left(a) => visit(a, None),
        Zipped::Both(a, b) => visit(a, Some(b)),
        Zipped::Right(_) => {}
    });
}

/// The order of children.
fn by_element((a, _): &Child, (b, _): &Child) -> Ordering {
    a.cmp(b)
}

impl Set {
    /// Returns the paths in either set.
    pub fn union(&self, other: &Set) -> Set {
        let mut out = Set { members: Vec::with_capacity(self.members.len()), children: Vec::new() };
        // Of equal elements, the server keeps that of the right set among members, and of the left one among children.
        each(&self.members, &other.members, PathElement::cmp, |it| match it {
            Zipped::Left(a) => out.members.push(a.clone()),
            Zipped::Right(b) | Zipped::Both(_, b) => out.members.push(b.clone()),
        });
        each(&self.children, &other.children, by_element, |it| match it {
            Zipped::Left(child) | Zipped::Right(child) => out.children.push(child.clone()),
            Zipped::Both((element, a), (_, b)) => {
                out.children.push((element.clone(), Arc::new(a.union(b))));
            }
        });
        out
    }

    /// Returns the paths in both sets.
    pub fn intersection(&self, other: &Set) -> Set {
        let mut out = Set::new();
        common(&self.members, &other.members, PathElement::cmp, |a, _| out.members.push(a.clone()));
        common(&self.children, &other.children, by_element, |(element, a), (_, b)| {
            out.push_child(element, a.intersection(b));
        });
        out
    }

    /// Returns the paths in this set that are not in the other one.
    pub fn difference(&self, other: &Set) -> Set {
        let mut out = Set { members: self.members_without(other), children: Vec::new() };
        against(&self.children, &other.children, by_element, |child, same| match same {
            None => out.children.push(child.clone()),
            Some((_, b)) => out.push_child(&child.0, child.1.difference(b)),
        });
        out
    }

    /// Returns the paths in this set that are neither in the other set nor below a path in it.
    pub fn recursive_difference(&self, other: &Set) -> Set {
        let mut out = Set { members: self.members_without(other), children: Vec::new() };
        against(&self.children, &other.children, by_element, |child, same| match same {
            _ if other.has(&child.0) => {}
            None => out.children.push(child.clone()),
            Some((_, b)) => out.push_child(&child.0, child.1.recursive_difference(b)),
        });
        out
    }

    fn members_without(&self, other: &Set) -> Vec<PathElement> {
        let mut out = Vec::new();
        against(&self.members, &other.members, PathElement::cmp, |a, same| {
            if same.is_none() {
                out.push(a.clone());
            }
        });
        out
    }

    fn push_child(&mut self, element: &PathElement, set: Set) {
        if !set.is_empty() {
            self.children.push((element.clone(), Arc::new(set)));
        }
    }

    /// Returns the paths that no other path continues.
    pub fn leaves(&self) -> Set {
        let mut out = Set::new();
        zip(
            &self.members,
            &self.children,
            |a, (b, _)| a.cmp(b),
            |member, child| {
                if let (Some(member), None) = (member, child) {
                    out.members.push(member.clone());
                }
            },
        );
        out.children = self.children.iter().map(|(e, set)| (e.clone(), Arc::new(set.leaves()))).collect();
        out
    }

    /// Returns the set with the fields that contain its paths, as far as the schema declares these fields.
    pub fn with_declared_fields(&self, schema: &Schema, ty: Option<TypeId>) -> Set {
        let atom = schema.atom(ty);
        let mut out = Set { members: Vec::with_capacity(self.members.len()), children: Vec::new() };
        let declared = |element: &PathElement| match (element, &atom.map) {
            (PathElement::Field(name), Some(map)) => map.fields.contains_key(name),
            _ => false,
        };
        zip(
            &self.members,
            &self.children,
            |a, (b, _)| a.cmp(b),
            |member, child| match (member, child) {
                (Some(member), _) => out.members.push(member.clone()),
                (None, Some((element, _))) if declared(element) => out.members.push(element.clone()),
                (None, _) => {}
            },
        );
        for (element, set) in &self.children {
            let ty = match element {
                PathElement::Field(name) => atom.map.as_ref().and_then(|map| map.type_of(name)),
                PathElement::Key(_) => atom.list.as_ref().and_then(|list| list.items),
                PathElement::Value(_) | PathElement::Index(_) => None,
            };
            out.children.push((element.clone(), Arc::new(set.with_declared_fields(schema, ty))));
        }
        out
    }
}
