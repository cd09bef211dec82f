//! What merging must know about types: which lists are sets or maps, what is replaced as a whole, and which fields are
//! declared.

mod builder;
mod openapi;

pub use builder::Builder;
pub use openapi::{Undeclared, from_openapi};

use crate::message::Message;
use crdgen_text::value::{Map as Fields, Value};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Types that refer to each other.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    types: Vec<Type>,
    names: HashMap<String, TypeId>,
}

/// The number of a type in its [`Schema`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(u32);

/// A type with its name, if it is not declared where it is used.
#[derive(Clone, Debug, Default)]
struct Type {
    name: Option<String>,
    /// None if no type has this name.
    atom: Option<Atom>,
}

/// The forms that values of a type may have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Atom {
    /// The type may be this kind of scalar.
    pub scalar: Option<Scalar>,
    /// The type may be a list.
    pub list: Option<List>,
    /// The type may be an object.
    pub map: Option<Map>,
}

/// A kind of scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// An integer or a float.
    Numeric,
    /// A string.
    String,
    /// A boolean.
    Boolean,
    /// Any scalar.
    Untyped,
    /// A kind that the server does not know. Only null has it.
    Unknown,
}

/// How the parts of a list or object belong together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Relation {
    /// Each part has its own owner.
    #[default]
    Separable,
    /// The items are identified by keys or values. Each has its own owner.
    Associative,
    /// The whole has one owner, and is replaced at once.
    Atomic,
}

/// A type of lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct List {
    /// The type of the items.
    pub items: Option<TypeId>,
    /// How the items belong together.
    pub relation: Relation,
    /// The fields that identify an item. Without keys, an associative list is a set of scalars.
    pub keys: Vec<String>,
}

/// A type of objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// The declared fields.
    pub fields: Fields<Field>,
    /// The type of all other fields. Without it there may be none.
    pub others: Option<TypeId>,
    /// How the fields belong together.
    pub relation: Relation,
}

/// A declared field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Field {
    /// The type.
    pub ty: Option<TypeId>,
    /// The default. It identifies items of list maps in which a key is missing.
    pub default: Option<Value>,
}

impl Map {
    /// Returns the type of a field.
    pub fn type_of(&self, name: &str) -> Option<TypeId> {
        self.fields.get(name).map_or(self.others, |field| field.ty)
    }
}

/// The name of the type whose values are replaced as a whole.
pub(crate) const ATOMIC: &str = "__untyped_atomic_";
/// The name of the type that is deduced from each value: fields of objects have owners, lists are atomic.
pub(crate) const DEDUCED: &str = "__untyped_deduced_";

static NO_FORM: Atom = Atom { scalar: None, list: None, map: None };

impl Schema {
    /// Returns the type with a name.
    pub fn named(&self, name: &str) -> Option<TypeId> {
        self.names.get(name).copied().filter(|id| self.ty(*id).atom.is_some())
    }

    /// Returns the schema for objects without a schema, and its type, which is deduced from each value.
    pub fn deduced() -> (&'static Schema, TypeId) {
        static SCHEMA: OnceLock<(Schema, TypeId)> = OnceLock::new();
        let (schema, ty) = SCHEMA.get_or_init(|| {
            let mut builder = Builder::default();
            let ty = builder.named(DEDUCED);
            (builder.finish(), ty)
        });
        (schema, *ty)
    }

    fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    pub(crate) fn name(&self, id: TypeId) -> Option<&str> {
        self.ty(id).name.as_deref()
    }

    /// The forms of a type. A missing or unknown type has none.
    pub(crate) fn atom(&self, ty: Option<TypeId>) -> &Atom {
        ty.and_then(|id| self.ty(id).atom.as_ref()).unwrap_or(&NO_FORM)
    }

    /// The forms of a type, or the message that there is none.
    pub(crate) fn resolve(&self, ty: Option<TypeId>) -> Result<&Atom, Message> {
        let Some(id) = ty else { return Ok(&NO_FORM) };
        let Type { name, atom } = self.ty(id);
        atom.as_ref().ok_or_else(|| {
            let name = name.as_deref().unwrap_or("inlined type");
            Message(format!("schema error: no type found matching: {name}"))
        })
    }

    /// The message about a type without any form.
    pub(crate) fn no_form(&self, ty: Option<TypeId>) -> String {
        let name = ty.and_then(|id| self.ty(id).name.as_ref());
        let name = name.map_or("inlined".to_owned(), |name| format!("named type: {name}"));
        format!("schema error: invalid atom: {name}")
    }

    /// Whether values of any form may be in a place of this type.
    pub(crate) fn is_deduced(&self, ty: Option<TypeId>) -> bool {
        ty.is_some_and(|id| match self.ty(id) {
            Type { name: Some(name), .. } => name == DEDUCED,
            Type { name: None, atom } => {
                atom.as_ref().is_some_and(|atom| atom.scalar == Some(Scalar::Untyped))
            }
        })
    }
}
