//! Operations on two sets. Each is one walk through both, and shares the subtrees that it keeps.

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

fn members<'a>(
    left: &'a [PathElement],
    right: &'a [PathElement],
    visit: impl FnMut(Zipped<'a, PathElement>),
) {
    each(left, right, PathElement::cmp, visit);
}

fn children<'a>(left: &'a [Child], right: &'a [Child], visit: impl FnMut(Zipped<'a, Child>)) {
    each(left, right, |(a, _), (b, _)| a.cmp(b), visit);
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

impl Set {
    /// Returns the paths in either set.
    pub fn union(&self, other: &Set) -> Set {
        let mut out = Set { members: Vec::with_capacity(self.members.len()), children: Vec::new() };
        // Of equal elements, the server keeps that of the right set among members, and of the left one among children.
        members(&self.members, &other.members, |it| match it {
            Zipped::Left(a) => out.members.push(a.clone()),
            Zipped::Right(b) | Zipped::Both(_, b) => out.members.push(b.clone()),
        });
        children(&self.children, &other.children, |it| match it {
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
        members(&self.members, &other.members, |it| {
            if let Zipped::Both(a, _) = it {
                out.members.push(a.clone());
            }
        });
        children(&self.children, &other.children, |it| {
            if let Zipped::Both((element, a), (_, b)) = it {
                out.push_child(element, a.intersection(b));
            }
        });
        out
    }

    /// Returns the paths in this set that are not in the other one.
    pub fn difference(&self, other: &Set) -> Set {
        let mut out = Set { members: self.members_without(other), children: Vec::new() };
        children(&self.children, &other.children, |it| match it {
            Zipped::Left(child) => out.children.push(child.clone()),
            Zipped::Both((element, a), (_, b)) => out.push_child(element, a.difference(b)),
            Zipped::Right(_) => {}
        });
        out
    }

    /// Returns the paths in this set that are neither in the other set nor below a path in it.
    pub fn recursive_difference(&self, other: &Set) -> Set {
        let mut out = Set { members: self.members_without(other), children: Vec::new() };
        children(&self.children, &other.children, |it| match it {
            Zipped::Left(child) if !other.has(&child.0) => out.children.push(child.clone()),
            Zipped::Both((element, a), (_, b)) if !other.has(element) => {
                out.push_child(element, a.recursive_difference(b));
            }
            Zipped::Left(_) | Zipped::Both(..) | Zipped::Right(_) => {}
        });
        out
    }

    fn members_without(&self, other: &Set) -> Vec<PathElement> {
        let mut out = Vec::new();
        members(&self.members, &other.members, |it| {
            if let Zipped::Left(a) = it {
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
