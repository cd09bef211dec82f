//! Types with fields that an embedder declares.

use crate::check::Declarations;
use crate::library::Type;
use crate::types::{Ty, Types};
use std::sync::Arc;

/// A type with fields.
#[derive(Debug)]
struct Object {
    name: Arc<str>,
    fields: Vec<(String, Type)>,
}

/// The types of an environment, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Objects(Vec<Object>);

impl Objects {
    pub(super) fn add(&mut self, name: &str) -> Type {
        let decl = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        let name: Arc<str> = name.into();
        self.0.push(Object { name: name.clone(), fields: Vec::new() });
        Type::Object(decl, name)
    }

    pub(super) fn add_field(&mut self, of: &Type, name: String, ty: Type) {
        if let Type::Object(decl, of) = of
            && let Some(object) = self.0.get_mut(*decl as usize)
            && object.name == *of
        {
            object.fields.retain(|(known, _)| *known != name);
            object.fields.push((name, ty));
        }
    }

    /// The fields of a type.
    pub(super) fn fields_of(&self, decl: u32) -> &[(String, Type)] {
        self.0.get(decl as usize).map_or(&[], |object| &object.fields)
    }
}

impl Declarations for Objects {
    fn field(&self, types: &mut Types, decl: u32, _: &str, field: &str) -> Option<Ty> {
        let (_, ty) = self.fields_of(decl).iter().find(|(name, _)| name == field)?;
        Some(ty.intern(types, [Ty::DYN; 2]))
    }

    fn fields(&self, decl: u32) -> Vec<String> {
        self.fields_of(decl).iter().map(|(name, _)| name.clone()).collect()
    }

    fn is_untyped(&self, _: u32, _: &str) -> bool {
        false
    }
}
