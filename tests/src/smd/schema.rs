//! Reads the form in which structured-merge-diff, the library of the server, writes schemas.

use crdgen_apply::schema::{Atom, Builder, Field, List, Map, Relation, Scalar, Schema, TypeId};
use crdgen_core::value::Value;

/// Reads a schema with a list `types`. Fails if a type has no name, or if a relation is unknown.
pub(super) fn schema(schema: &Value) -> Result<Schema, String> {
    let mut builder = Builder::default();
    for ty in list(schema, "types") {
        let name = text(ty, "name").ok_or("each type needs a name")?;
        let atom = atom(&mut builder, ty)?;
        builder.define(name, atom);
    }
    Ok(builder.finish())
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_list).unwrap_or_default()
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

fn atom(builder: &mut Builder, value: &Value) -> Result<Atom, String> {
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

fn map(builder: &mut Builder, value: &Value) -> Result<Map, String> {
    let mut fields = Vec::new();
    for field in list(value, "fields") {
        let name = text(field, "name").ok_or("each field needs a name")?;
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

fn relation(value: &Value) -> Result<Option<Relation>, String> {
    match text(value, "elementRelationship") {
        None | Some("") => Ok(None),
        Some("separable") => Ok(Some(Relation::Separable)),
        Some("associative") => Ok(Some(Relation::Associative)),
        Some("atomic") => Ok(Some(Relation::Atomic)),
        Some(other) => Err(format!("unknown elementRelationship {other}")),
    }
}

fn reference(builder: &mut Builder, value: Option<&Value>) -> Result<Option<TypeId>, String> {
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
