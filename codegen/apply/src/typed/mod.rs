//! Values with a type: what the server does with an object when it knows its schema.

mod atomics;
mod compare;
mod field_set;
mod form;
mod items;
mod merge;
mod reconcile;
mod validate;

pub use compare::Comparison;

use crate::path::Step;
use crate::schema::{Schema, TypeId};
use crate::set::Set;
use crdgen_text::value::Value;
use std::fmt;
use std::sync::Arc;

/// A type in its schema.
#[derive(Clone, Copy, Debug)]
pub struct Type<'s> {
    schema: &'s Schema,
    id: Option<TypeId>,
}

impl<'s> Type<'s> {
    /// Creates the type with this number.
    pub fn new(schema: &'s Schema, id: TypeId) -> Type<'s> {
        Type { schema, id: Some(id) }
    }

    /// Returns the type that is deduced from each value.
    pub fn deduced() -> Type<'static> {
        let (schema, id) = Schema::deduced();
        Type::new(schema, id)
    }

    /// Returns the name of the type, if it has one.
    pub fn name(self) -> Option<&'s str> {
        self.schema.name(self.id?)
    }

    /// The type with another number in the same schema.
    fn of(self, id: Option<TypeId>) -> Type<'s> {
        Type { id, ..self }
    }
}

/// A value and its type.
#[derive(Clone, Debug)]
pub struct Typed<'s> {
    ty: Type<'s>,
    value: Arc<Value>,
}

/// Whether sets and list maps may have several items with the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duplicates {
    /// As in stored objects, which may be older than the list type.
    Allowed,
    /// As in objects that are applied.
    Forbidden,
}

/// What happens to the keys of list maps when a value is reduced to the fields of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKeys {
    /// Each item keeps them.
    Kept,
    /// They are dropped, unless the set contains them.
    OnlyInSet,
}

impl<'s> Typed<'s> {
    /// Creates a value of a type.
    ///
    /// # Errors
    /// Fails with all places where the value is not of the type, or where a field is not declared.
    pub fn new(value: Value, ty: Type<'s>, duplicates: Duplicates) -> Result<Typed<'s>, Mismatches> {
        let found = validate::validate(ty, &value, duplicates);
        if found.is_empty() { Ok(Typed::unchecked(value, ty)) } else { Err(Mismatches(found)) }
    }

    /// Creates a value that is known to be of this type.
    fn unchecked(value: Value, ty: Type<'s>) -> Typed<'s> {
        Typed { ty, value: Arc::new(value) }
    }

    /// Returns the type.
    pub fn ty(&self) -> Type<'s> {
        self.ty
    }

    /// Returns the value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Returns the value without its type.
    pub fn into_value(self) -> Value {
        Arc::unwrap_or_clone(self.value)
    }

    /// Returns the paths of all leaves and list items.
    ///
    /// # Errors
    /// Fails if the schema lacks a type.
    pub fn field_set(&self) -> Result<Set, Mismatches> {
        let mut found = Vec::new();
        let set = field_set::of(self.ty, &self.value, &mut found);
        if found.is_empty() { Ok(set) } else { Err(Mismatches(found)) }
    }

    /// Returns this value with everything that `config` contains. Items are in the order of `config` if it has any.
    ///
    /// # Errors
    /// Fails if both values are wrong at the same place, or if a list map cannot be indexed.
    pub fn merge(&self, config: &Typed<'_>) -> Result<Typed<'s>, Mismatches> {
        let (value, found) = merge::merge(self.ty, Some(&self.value), Some(&config.value));
        if !found.is_empty() {
            return Err(Mismatches(found));
        }
        Ok(Typed::unchecked(value.unwrap_or_default(), self.ty))
    }

    /// Returns what is different in `new`.
    ///
    /// # Errors
    /// As [`Typed::merge`].
    pub fn compare(&self, new: &Typed<'_>) -> Result<Comparison, Mismatches> {
        let (comparison, found) = compare::compare(self.ty, &self.value, &new.value);
        if found.is_empty() { Ok(comparison) } else { Err(Mismatches(found)) }
    }

    /// Returns the value without these fields and items.
    pub fn remove(&self, set: &Set) -> Typed<'s> {
        Typed::unchecked(items::remove(self.ty, &self.value, set), self.ty)
    }

    /// Returns the paths of the lists and objects that are only replaced as a whole.
    pub fn atomics(&self) -> Vec<String> {
        let mut out = Vec::new();
        atomics::find(self.ty, &self.value, &mut String::new(), &mut out);
        out
    }

    /// Returns the value with only these fields and items.
    pub fn extract(&self, set: &Set, keys: ItemKeys) -> Typed<'s> {
        let with_keys = match keys {
            ItemKeys::Kept => self.field_set().ok().map(|own| items::with_keys(set, &own)),
            ItemKeys::OnlyInSet => None,
        };
        let set = with_keys.as_ref().unwrap_or(set);
        Typed::unchecked(items::extract(self.ty, &self.value, set), self.ty)
    }

    /// Returns a set whose paths have been written for another schema, changed for the schema of this value: where a list
    /// or object has become atomic, the owner of a part owns the whole. `None` if nothing changes.
    ///
    /// # Errors
    /// Fails if the schema lacks a type.
    pub fn reconcile(&self, set: &Set) -> Result<Option<Set>, Mismatches> {
        reconcile::reconcile(self.ty, set).map_err(Mismatches)
    }

    /// Returns the set with the declared fields that contain its paths.
    pub fn with_declared_fields(&self, set: &Set) -> Set {
        set.with_declared_fields(self.ty.schema, self.ty.id)
    }
}

/// Where a value is not of its type, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The path, as the server prints it.
    pub path: String,
    /// The server's message.
    pub message: String,
}

impl Mismatch {
    fn here(message: impl Into<String>) -> Mismatch {
        Mismatch { path: String::new(), message: message.into() }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            return f.write_str(&self.message);
        }
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// All places where a value is not of its type. There is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatches(pub Vec<Mismatch>);

impl fmt::Display for Mismatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [one] = &self.0[..] {
            return write!(f, "{one}");
        }
        f.write_str("errors:")?;
        self.0.iter().try_for_each(|mismatch| write!(f, "\n  {mismatch}"))
    }
}

impl std::error::Error for Mismatches {}

/// Moves mismatches below an element.
fn below(found: Vec<Mismatch>, element: &dyn fmt::Display) -> impl Iterator<Item = Mismatch> {
    let prefix = if found.is_empty() { String::new() } else { element.to_string() };
    found.into_iter().map(move |it| Mismatch { path: format!("{prefix}{}", it.path), ..it })
}

/// A field as an element, for messages.
struct Dotted<'n>(&'n str);

impl fmt::Display for Dotted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.0)
    }
}

/// The message about two items with the same element.
fn duplicate(element: &Step<'_>) -> Mismatch {
    Mismatch::here(format!("duplicate entries for key {element}"))
}
