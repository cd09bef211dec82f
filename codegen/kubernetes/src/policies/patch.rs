//! What the value of a mutation's expression says: fields to set, or the steps of a JSON patch.

use crate::meta::map;
use crdgen_core::cel::value::{Message, Opaque, Outcome, Val};
use crdgen_core::value::Value;
use crdgen_core::{go, json};

/// The type of the objects that expressions make.
const OBJECT: &str = "Object";

/// The fields to set, and whether they are JSON.
///
/// # Errors
/// Fails if the value has parts that objects cannot have.
pub(super) fn configuration(value: &Val<'_>) -> Result<(Value, bool), String> {
    let mut is_json = true;
    match plain(value, &mut is_json) {
        Some(fields) => Ok((fields, is_json)),
        None => Err("invalid return type: *dynamic.ObjectVal".to_owned()),
    }
}

/// Checks that the types of an object and of those inside of it are named by the paths of their fields.
///
/// # Errors
/// Fails if one is not.
pub(super) fn check_types(value: &Val<'_>) -> Result<(), String> {
    let mut found = Vec::new();
    if let Some((name, _)) = object(value) {
        find_names(value, name, &mut found);
    }
    if found.is_empty() { Ok(()) } else { Err(format!("type mismatch: {}", found.join("\n"))) }
}

/// The steps of a JSON patch, as JSON.
///
/// # Errors
/// Fails if a step has a value that is not JSON.
pub(super) fn steps(value: &Val<'_>) -> Result<Vec<Value>, String> {
    let Val::List(list) = value else {
        return Err("type mismatch: JSONPatchType.expression should evaluate to array".to_owned());
    };
    list.iter().map(|item| step(&item.map_err(|why| why.to_string())?)).collect()
}

fn step(value: &Val<'_>) -> Result<Value, String> {
    let Some((_, fields)) = object(value) else {
        let why = "type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch";
        return Err(format!("{why}: cannot convert to native type"));
    };
    let mut step = map([("op", "".into()), ("path", "".into())]);
    let Value::Map(members) = &mut step else { return Ok(step) };
    for (name, value) in fields {
        match (name, value) {
            ("value", value) => {
                check_types(&value)?;
                let json = as_json(&value).map_err(|why| {
                    format!(
                        "JSONPath valueExpression evaluated to a type that could not marshal to JSON: {why}"
                    )
                })?;
                members.insert("value", json);
            }
            ("from", Val::Str(text)) if text.is_empty() => {}
            (name, value) => drop(members.insert(name, Value::from(value.as_str().unwrap_or_default()))),
        }
    }
    Ok(step)
}

/// The name of the type and the fields of an object that an expression makes.
fn object<'v>(value: &'v Val<'_>) -> Option<(&'v str, Vec<(&'v str, Val<'static>)>)> {
    match value {
        Val::Opaque(Opaque::Message(message)) => match &**message {
            Message::Object { name, .. } => Some((name, message.set())),
            Message::Empty | Message::FieldsEntry { .. } => None,
        },
        _ => None,
    }
}

fn find_names(value: &Val<'_>, path: &str, found: &mut Vec<String>) {
    match value {
        Val::Opaque(_) => {
            let Some((name, fields)) = object(value) else { return };
            // Maps of objects have no name.
            if !name.is_empty() && name != path {
                found.push(format!(
                    "unexpected type name {}, expected {}, which matches field name path from root {OBJECT} type",
                    go::quote(name),
                    go::quote(path)
                ));
            }
            for (field, value) in fields {
                find_names(&value, &format!("{path}.{field}"), found);
            }
        }
        Val::List(list) => list.iter().flatten().for_each(|item| find_names(&item, path, found)),
        Val::Map(map) => {
            map.entries()
                .into_iter()
                .filter_map(|(_, it)| it.ok())
                .for_each(|it| find_names(&it, path, found));
        }
        _ => {}
    }
}

/// A value as Go has it. The server does not convert maps that an expression makes as items of lists: they are not JSON, and no
/// schema accepts them as maps.
fn plain(value: &Val<'_>, is_json: &mut bool) -> Option<Value> {
    Some(match value {
        // The name of null in protobuf is a number.
        Val::Null => Value::Int(0),
        Val::List(list) => {
            let mut items = Vec::with_capacity(list.len());
            for item in list.iter() {
                let item = item.ok()?;
                let made = plain(&item, is_json)?;
                if matches!(&item, Val::Map(map) if !map.is_json()) {
                    *is_json = false;
                    items.push(Value::from(json::go_plain(&made)));
                } else {
                    items.push(made);
                }
            }
            Value::List(items)
        }
        Val::Map(_) | Val::Opaque(_) => {
            let members = fields(value)?.into_iter();
            Value::Map(
                members.map(|(name, value)| Some((name, plain(&value, is_json)?))).collect::<Option<_>>()?,
            )
        }
        scalar => of_scalar(scalar)?,
    })
}

/// A value as protobuf writes it in JSON.
fn as_json(value: &Val<'_>) -> Result<Value, String> {
    /// The largest integer that every JSON reader reads exactly.
    const SAFE: u64 = (1 << 53) - 1;
    let unusable = || format!("type conversion error from '{}' to '*structpb.Value'", value.type_name());
    Ok(match value {
        Val::Int(it) if it.unsigned_abs() > SAFE => Value::from(it.to_string()),
        Val::Uint(it) if *it > SAFE => Value::from(it.to_string()),
        Val::List(list) => {
            let items = list.iter().map(|item| as_json(&item.map_err(|why| why.to_string())?));
            Value::List(items.collect::<Result<_, _>>()?)
        }
        Val::Map(_) | Val::Opaque(_) => {
            let members = fields(value).ok_or_else(unusable)?;
            let members = members.into_iter().map(|(name, value)| Ok((name, as_json(&value)?)));
            Value::Map(members.collect::<Result<_, String>>()?)
        }
        scalar => of_scalar(scalar).ok_or_else(unusable)?,
    })
}

fn of_scalar(value: &Val<'_>) -> Option<Value> {
    Some(match value {
        Val::Null => Value::Null,
        Val::Bool(it) => (*it).into(),
        Val::Int(it) => Value::Int(*it),
        Val::Uint(it) => Value::Int(i64::try_from(*it).ok()?),
        Val::Double(it) => Value::Float(*it),
        Val::Str(it) => Value::from(&**it),
        _ => return None,
    })
}

/// The fields of an object, or the entries of a map whose keys are texts.
fn fields<'v>(value: &Val<'v>) -> Option<Vec<(String, Val<'v>)>> {
    if let Val::Map(map) = value {
        let entry = |(key, value): (Val<'v>, Outcome<'v>)| Some((key.as_str()?.to_owned(), value.ok()?));
        return map.entries().into_iter().map(entry).collect();
    }
    let (_, fields) = object(value)?;
    Some(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}
