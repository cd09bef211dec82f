//! Reads the form in which structured-merge-diff, the library of the server, writes schemas.

use super::{Atom, Builder, Field, List, Map, Relation, Scalar, Schema, TypeId};
use crdgen_text::value::Value;
use std::fmt;

/// Why a value is not a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotSchema(pub String);

impl fmt::Display for NotSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotSchema {}

fn no(text: impl Into<String>) -> NotSchema {
    NotSchema(text.into())
}

impl Schema {
    /// Reads a schema with a list `types`, in the form of structured-merge-diff.
    ///
    /// # Errors
    /// Fails if a type has no name, or if a relation is unknown.
    pub fn from_value(schema: &Value) -> Result<Schema, NotSchema> {
        let mut builder = Builder::default();
        for ty in list(schema, "types") {
            let name = text(ty, "name").ok_or_else(|| no("each type needs a name"))?;
            let atom = atom(&mut builder, ty)?;
            builder.define(name, atom);
        }
        Ok(builder.finish())
    }
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_list).unwrap_or_default()
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

fn atom(builder: &mut Builder, value: &Value) -> Result<Atom, NotSchema> {
    let scalar = match text(value, "scalar") {
        None => None,
        Some("numeric") => Some(Scalar::Numeric),
        Some("string") => Some(Scalar::String),
        Some("boolean") => Some(Scalar::Boolean),
        Some("untyped") => Some(Scalar::Untyped),
        Some(_) => Some(Scalar::Unknown),
    };
    let list = match value.get("list") {
        None | Some(Value::Null) => None,
        Some(value) => Some(List {
            items: reference(builder, value.get("elementType"))?,
            relation: relation(value)?.unwrap_or_default(),
            keys: list(value, "keys").iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        }),
    };
    let map = match value.get("map") {
        None | Some(Value::Null) => None,
        Some(value) => Some(map(builder, value)?),
    };
    Ok(Atom { scalar, list, map })
}

fn map(builder: &mut Builder, value: &Value) -> Result<Map, NotSchema> {
    let mut fields = Vec::new();
    for field in list(value, "fields") {
        let name = text(field, "name").ok_or_else(|| no("each field needs a name"))?;
        let ty = reference(builder, field.get("type"))?;
        let default = field.get("default").filter(|default| !default.is_null()).cloned();
        fields.push((name.to_owned(), Field { ty, default }));
    }
    Ok(Map {
        fields: fields.into_iter().collect(),
        others: reference(builder, value.get("elementType"))?,
        relation: relation(value)?.unwrap_or_default(),
    })
}

fn relation(value: &Value) -> Result<Option<Relation>, NotSchema> {
    match text(value, "elementRelationship") {
        None | Some("") => Ok(None),
        Some("separable") => Ok(Some(Relation::Separable)),
        Some("associative") => Ok(Some(Relation::Associative)),
        Some("atomic") => Ok(Some(Relation::Atomic)),
        Some(other) => Err(no(format!("unknown elementRelationship {other}"))),
    }
}

fn reference(builder: &mut Builder, value: Option<&Value>) -> Result<Option<TypeId>, NotSchema> {
    let Some(value) = value.filter(|value| value.as_map().is_some_and(|map| !map.is_empty())) else {
        return Ok(None);
    };
    let ty = match text(value, "namedType") {
        Some(name) => builder.named(name),
        None => {
            let atom = atom(builder, value)?;
            builder.inline(atom)
        }
    };
    Ok(Some(match relation(value)? {
        Some(relation) => builder.related(ty, relation),
        None => ty,
    }))
}
