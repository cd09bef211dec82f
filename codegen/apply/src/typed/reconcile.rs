//! Changes sets for a schema in which lists or objects have become atomic. A change from atomic to granular needs
//! nothing: the owner of the whole keeps it until it applies again.

use super::form::Form;
use super::{Mismatch, Type};
use crate::path::PathElement;
use crate::schema::{Map, Relation, TypeId};
use crate::set::Set;

pub(super) fn reconcile(ty: Type<'_>, set: &Set) -> Result<Option<Set>, Vec<Mismatch>> {
    let mut walk = Walk { path: Vec::new(), atomic: Set::new(), found: false };
    let mismatches = walk.node(ty, Some(set));
    if !mismatches.is_empty() {
        return Err(mismatches);
    }
    // Everything at and below these paths goes, and the paths themselves come back.
    Ok(walk.found.then(|| set.recursive_difference(&walk.atomic).union(&walk.atomic)))
}

struct Walk {
    path: Vec<PathElement>,
    /// The paths of what has become atomic.
    atomic: Set,
    found: bool,
}

impl Walk {
    /// Visits a place of the set, with the paths that continue in it. Without them, a path ends here.
    fn node(&mut self, ty: Type<'_>, set: Option<&Set>) -> Vec<Mismatch> {
        let is_whole = set.is_none();
        let form = match ty.forms().and_then(|forms| ty.first(forms)) {
            Ok(form) => form,
            Err(why) => return vec![why],
        };
        match form {
            Form::Scalar(_) => Vec::new(),
            Form::List(list) => {
                if !is_whole && list.relation == Relation::Atomic {
                    self.note();
                    return Vec::new();
                }
                self.each(set, &|_| Some(ty.of(list.items)))
            }
            Form::Map(map) => {
                if map.fields.is_empty() && ty.schema.is_deduced(map.others) {
                    return Vec::new();
                }
                if !is_whole && map.relation == Relation::Atomic {
                    if set.is_some_and(|set| !set.is_empty()) {
                        self.note();
                    }
                    return Vec::new();
                }
                self.each(set, &|element| type_at(map, element).map(|id| ty.of(Some(id))))
            }
        }
    }

    fn note(&mut self) {
        self.found = true;
        self.atomic.insert_at(&self.path);
    }

    /// Visits what a set contains, as far as there are types for it.
    fn each<'s>(
        &mut self,
        set: Option<&Set>,
        type_of: &dyn Fn(&PathElement) -> Option<Type<'s>>,
    ) -> Vec<Mismatch> {
        let Some(set) = set else { return Vec::new() };
        let only_below = set.children.iter().map(|(element, _)| element).filter(|element| !set.has(*element));
        let mut found = Vec::new();
        for element in only_below.chain(&set.members) {
            let Some(ty) = type_of(element) else { continue };
            self.path.push(element.clone());
            found.extend(self.node(ty, set.below(element)));
            self.path.pop();
        }
        found
    }
}

fn type_at(map: &Map, element: &PathElement) -> Option<TypeId> {
    match element {
        PathElement::Field(name) => map.type_of(name),
        _ => map.others,
    }
}
