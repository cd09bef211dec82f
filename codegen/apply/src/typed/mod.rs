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
use crdgen_text::path::has_room;
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
        validate::validate(ty, &value, duplicates)?;
        Ok(Typed::unchecked(value, ty))
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
        let value = merge::merge(self.ty, &self.value, &config.value)?;
        Ok(Typed::unchecked(value.unwrap_or_default(), self.ty))
    }

    /// Returns what is different in `new`.
    ///
    /// # Errors
    /// As [`Typed::merge`].
    pub fn compare(&self, new: &Typed<'_>) -> Result<Comparison, Mismatches> {
        compare::compare(self.ty, &self.value, &new.value)
    }

    /// Returns the value without these fields and items.
    pub fn remove(&self, set: &Set) -> Typed<'s> {
        Typed::unchecked(items::walk(self.ty, &self.value, set, items::Keep::Others), self.ty)
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
        Typed::unchecked(items::walk(self.ty, &self.value, set, items::Keep::Set), self.ty)
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

/// The places where a value is not of its type. There is at least one, and no more than there is room for.
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

/// The mismatches that a walk has found, and the place where it is.
#[derive(Debug, Default)]
struct Found<'v> {
    path: Vec<Step<'v>>,
    all: Vec<Mismatch>,
    /// The number of mismatches that were left out because of their size.
    left_out: usize,
    /// Whether only the number of mismatches is needed.
    is_counting: bool,
}

impl<'v> Found<'v> {
    /// Only counts mismatches.
    fn counting() -> Found<'v> {
        Found { is_counting: true, ..Found::default() }
    }

    fn len(&self) -> usize {
        self.all.len() + self.left_out
    }

    /// Adds a mismatch at this place, if there is room for its path.
    fn push(&mut self, mismatch: Mismatch) {
        let lengths = self.path.iter().map(Step::length).chain([mismatch.message.len()]);
        if self.is_counting || self.left_out > 0 || !has_room(self.all.len(), lengths) {
            self.left_out += 1;
            return;
        }
        let path = self.path.iter().map(Step::to_string).collect();
        self.all.push(Mismatch { path, ..mismatch });
    }

    /// The result of a walk without mismatches.
    fn result<T>(self, result: T) -> Result<T, Mismatches> {
        if self.all.is_empty() { Ok(result) } else { Err(Mismatches(self.all)) }
    }
}

/// The message about two items with the same element.
fn duplicate(element: &Step<'_>) -> Mismatch {
    Mismatch::here(format!("duplicate entries for key {element}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Undeclared, from_openapi};
    use crdgen_text::json;

    /// Each of many mismatches may be below the same long path.
    #[test]
    fn mismatches_have_a_largest_size() {
        let model = br#"{"type":"object","additionalProperties":{"type":"array","items":{"type":"object",
            "properties":{"name":{"type":"string"},"a":{"type":"string"}}},
            "x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"]}}"#;
        let model = json::read(model).expect("JSON");
        let schema = from_openapi([("T", &model)], Undeclared::Declared).expect("a schema");
        let ty = Type::new(&schema, schema.named("T").expect("the type"));
        let key = "k".repeat(100_000);
        let of = |a: &str| {
            let items: Vec<String> = (0..1_000).map(|i| format!(r#"{{"name":"{i}","a":{a}}}"#)).collect();
            json::read(format!(r#"{{"{key}":[{}]}}"#, items.join(",")).as_bytes()).expect("JSON")
        };
        let size = |Mismatches(all): &Mismatches| {
            all.iter().map(|it| it.path.len() + it.message.len()).sum::<usize>()
        };
        let why = Typed::new(of("1"), ty, Duplicates::Forbidden).expect_err("mismatches");
        assert!(
            why.0[1]
                .to_string()
                .ends_with(r#"[name="1"].a: expected string, got &value.valueUnstructured{Value:1}"#)
        );
        assert!((10 << 20..17 << 20).contains(&size(&why)), "{}", size(&why));
        let [old, new] = ["1", "2"].map(|a| Typed::unchecked(of(a), ty));
        let why = old.compare(&new).expect_err("mismatches");
        assert!((10 << 20..17 << 20).contains(&size(&why)), "{}", size(&why));
    }
}
