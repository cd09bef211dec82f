//! Builds a [`Schema`] from types that refer to each other by name.

use super::{ATOMIC, Atom, DEDUCED, List, Map, Relation, Scalar, Schema, Type, TypeId};
use crdgen_text::value::Map as Fields;

/// Collects the types of a [`Schema`]. It has the two untyped types from the start.
#[derive(Clone, Debug)]
pub struct Builder {
    schema: Schema,
    /// Types that differ from another one in their relation.
    changed: Vec<(TypeId, TypeId, Relation)>,
}

impl Default for Builder {
    fn default() -> Builder {
        let mut builder = Builder { schema: Schema::default(), changed: Vec::new() };
        let atomic = builder.named(ATOMIC);
        builder.define(ATOMIC, untyped(atomic, atomic, Relation::Atomic));
        let deduced = builder.named(DEDUCED);
        builder.define(DEDUCED, untyped(atomic, deduced, Relation::Separable));
        builder
    }
}

fn untyped(items: TypeId, others: TypeId, relation: Relation) -> Atom {
    Atom {
        scalar: Some(Scalar::Untyped),
        list: Some(List { items: Some(items), relation: Relation::Atomic, keys: Vec::new() }),
        map: Some(Map { fields: Fields::new(), others: Some(others), relation }),
    }
}

impl Builder {
    fn push(&mut self, ty: Type) -> TypeId {
        self.schema.types.push(ty);
        TypeId((self.schema.types.len() - 1) as u32)
    }

    /// Returns the type with a name, which may be defined later.
    pub fn named(&mut self, name: &str) -> TypeId {
        if let Some(id) = self.schema.names.get(name) {
            return *id;
        }
        let id = self.push(Type { name: Some(name.to_owned()), atom: None });
        self.schema.names.insert(name.to_owned(), id);
        id
    }

    /// Defines the type with a name.
    pub fn define(&mut self, name: &str, atom: Atom) -> TypeId {
        let id = self.named(name);
        self.schema.types[id.0 as usize].atom = Some(atom);
        id
    }

    /// Adds a type without a name.
    pub fn inline(&mut self, atom: Atom) -> TypeId {
        self.push(Type { name: None, atom: Some(atom) })
    }

    /// Adds a type that differs from another one only in how its parts belong together.
    pub fn related(&mut self, ty: TypeId, relation: Relation) -> TypeId {
        let name = self.schema.types[ty.0 as usize].name.clone();
        let id = self.push(Type { name, atom: None });
        self.changed.push((id, ty, relation));
        id
    }

    /// Returns the schema.
    pub fn finish(self) -> Schema {
        let Builder { mut schema, changed } = self;
        for (id, from, relation) in changed {
            let mut atom = schema.types[from.0 as usize].atom.clone();
            match &mut atom {
                Some(Atom { map: Some(map), .. }) => map.relation = relation,
                Some(Atom { list: Some(list), .. }) => list.relation = relation,
                // Scalars have no parts. Such a type does not exist for the server.
                Some(_) | None => atom = None,
            }
            schema.types[id.0 as usize].atom = atom;
        }
        schema
    }
}
