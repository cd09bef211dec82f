//! Values from everything that serde can serialize, and results as everything that it can deserialize.

use super::{Environment, Objects};
use crate::library::Type;
use crate::value::{Error, Key, Map, Opaque, Outcome, Val, Work};
use crdgen_text::go::{duration, time::Time};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Number, Value};
use std::collections::BTreeMap;

impl Environment {
    /// Returns the values of the variables, for [`Program::eval`](crate::eval::Program::eval). They are the fields of `values`: a struct,
    /// a map, or a JSON object. A variable without a field has no value.
    ///
    /// # Errors
    /// Fails if a value does not have the type of its variable.
    pub fn values(&self, values: &impl Serialize) -> Result<Vec<Option<Outcome<'static>>>, Error> {
        let json = serde_json::to_value(values).map_err(|why| Error::new(why.to_string()))?;
        let value = |((name, _), ty): (&(String, _), &Type)| match json.get(name) {
            Some(value) => from_json(value, ty, &self.objects)
                .map(|value| Some(Ok(value)))
                .map_err(|why| Error::new(format!("variable '{name}': {why}"))),
            None => Ok(None),
        };
        self.variables.iter().zip(&self.declared).map(value).collect()
    }
}

/// The value of a type that is given as JSON.
fn from_json(json: &Value, ty: &Type, objects: &Objects) -> Result<Val<'static>, Error> {
    let inner = |json: &Value, ty: &Type| from_json(json, ty, objects);
    let value = match (ty, json) {
        (Type::Dyn | Type::A | Type::B, _) => Some(as_it_looks(json)),
        (Type::Bool, Value::Bool(value)) => Some(Val::Bool(*value)),
        (Type::Int, Value::Number(n)) => n.as_i64().map(Val::Int),
        (Type::Uint, Value::Number(n)) => n.as_u64().map(Val::Uint),
        (Type::Double, Value::Number(n)) => n.as_f64().map(Val::Double),
        (Type::String, Value::String(text)) => Some(Val::text(text.clone())),
        (Type::Bytes, Value::Array(items)) => {
            let byte = |item: &Value| u8::try_from(item.as_u64()?).ok();
            items.iter().map(byte).collect::<Option<Vec<u8>>>().map(|bytes| Val::Bytes(bytes.into()))
        }
        (Type::Duration, Value::String(text)) => duration::parse_lenient(text).ok().map(Val::Duration),
        (Type::Timestamp, Value::String(text)) => Time::parse(text).map(Val::Timestamp),
        (Type::List(of), Value::Array(items)) => {
            Some(Val::list(items.iter().map(|item| inner(item, of)).collect::<Result<_, _>>()?))
        }
        (Type::Map(keys, values), Value::Object(members)) => {
            let key = |name: &String| match **keys {
                Type::Int => name.parse().map(Val::Int).ok(),
                Type::Uint => name.parse().map(Val::Uint).ok(),
                Type::Bool => name.parse().map(Val::Bool).ok(),
                _ => Some(Val::text(name.clone())),
            };
            let mut entries = BTreeMap::new();
            for (name, value) in members {
                let key =
                    key(name).ok_or_else(|| Error::new(format!("the map cannot have the key '{name}'")))?;
                entries.insert(Key::of(&key, &Work::default())?, inner(value, values)?);
            }
            Some(Val::Map(Map::own(entries)))
        }
        (Type::Optional(_), Value::Null) => Some(Val::Optional(None)),
        (Type::Optional(of), json) => Some(Val::some(inner(json, of)?)),
        (Type::Object(decl, _), Value::Object(members)) => {
            let mut entries = BTreeMap::new();
            for (name, ty) in objects.fields_of(*decl) {
                if let Some(value) = members.get(name).filter(|value| !value.is_null()) {
                    let value =
                        inner(value, ty).map_err(|why| Error::new(format!("field '{name}': {why}")))?;
                    entries.insert(Key::Str(name.clone().into()), value);
                }
            }
            Some(Val::Map(Map::own(entries)))
        }
        _ => None,
    };
    value.ok_or_else(|| Error::new(format!("the value does not have the declared type: {json}")))
}

fn as_it_looks(json: &Value) -> Val<'static> {
    match json {
        Value::Null => Val::Null,
        Value::Bool(value) => Val::Bool(*value),
        Value::Number(n) => match (n.as_i64(), n.as_u64()) {
            (Some(i), _) => Val::Int(i),
            (None, Some(u)) => Val::Uint(u),
            (None, None) => Val::Double(n.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(text) => Val::text(text.clone()),
        Value::Array(items) => Val::list(items.iter().map(as_it_looks).collect()),
        Value::Object(members) => {
            let entry =
                |(name, value): (&String, &Value)| (Key::Str(name.clone().into()), as_it_looks(value));
            Val::Map(Map::own(members.iter().map(entry).collect()))
        }
    }
}

impl Val<'_> {
    /// Converts the value to JSON. Times and durations become texts, and bytes numbers. An optional without a value is null.
    ///
    /// # Errors
    /// Fails for numbers that are not finite, and for objects of the program.
    pub fn to_json(&self) -> Result<Value, Error> {
        Ok(match self {
            Val::Null | Val::Optional(None) => Value::Null,
            Val::Bool(value) => Value::Bool(*value),
            Val::Int(i) => Value::from(*i),
            Val::Uint(u) => Value::from(*u),
            Val::Double(d) => Number::from_f64(*d)
                .map(Value::Number)
                .ok_or_else(|| Error::new(format!("JSON has no number for {self}")))?,
            Val::Bytes(bytes) => Value::from(bytes.to_vec()),
            Val::Timestamp(time) => Value::from(time.rfc3339_nano()),
            Val::List(list) => {
                Value::Array(list.iter().map(|item| item?.to_json()).collect::<Result<_, _>>()?)
            }
            Val::Map(map) => {
                let member = |(key, value): (Val<'_>, Outcome<'_>)| Ok((key.to_string(), value?.to_json()?));
                Value::Object(map.entries().into_iter().map(member).collect::<Result<_, Error>>()?)
            }
            Val::Optional(Some(value)) => value.to_json()?,
            Val::Opaque(Opaque::Object(object)) => {
                return Err(Error::new(format!("JSON has no value for a {}", object.type_name())));
            }
            Val::Opaque(Opaque::Error(why)) => return Err((**why).clone()),
            Val::Str(_) | Val::Duration(_) | Val::Type(_) | Val::Opaque(_) => Value::from(self.to_string()),
            Val::Preserved(value) => {
                serde_json::to_value(value).map_err(|why| Error::new(why.to_string()))?
            }
        })
    }

    /// Converts the value to a Rust type.
    ///
    /// # Errors
    /// Fails if the value does not have that type.
    pub fn to<T: DeserializeOwned>(&self) -> Result<T, Error> {
        serde_json::from_value(self.to_json()?).map_err(|why| Error::new(why.to_string()))
    }
}
