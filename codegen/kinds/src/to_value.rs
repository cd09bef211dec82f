//! Serializes values as our own [`Value`], for defaults that only code can compute.

use crate::compounds::compounds;
use crdgen_runtime::value::{Map, Value};
use serde::ser::{self, Serialize, Serializer};
use std::fmt;

/// Serializes a value as [`Value`]. Returns `None` if it cannot be JSON.
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Option<Value> {
    value.serialize(Writer).ok()
}

/// A serializer that returns a [`Value`].
#[derive(Debug)]
pub struct Writer;

/// The error for a value that cannot be JSON.
#[derive(Debug)]
pub struct NoJson;

impl fmt::Display for NoJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value cannot be JSON")
    }
}
impl std::error::Error for NoJson {}
impl ser::Error for NoJson {
    fn custom<T: fmt::Display>(_: T) -> Self {
        NoJson
    }
}

type Written = Result<Value, NoJson>;

/// How many parts to reserve memory for. `len` is only a hint, and a type may claim any number.
fn room(len: Option<usize>) -> usize {
    len.unwrap_or(0).min(1024)
}

impl Serializer for Writer {
    type Ok = Value;
    type Error = NoJson;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Items;
    type SerializeMap = Members;
    type SerializeStruct = Members;
    type SerializeStructVariant = Members;

    fn serialize_bool(self, v: bool) -> Written {
        Ok(Value::Bool(v))
    }
    fn serialize_i8(self, v: i8) -> Written {
        Ok(Value::Int(v.into()))
    }
    fn serialize_i16(self, v: i16) -> Written {
        Ok(Value::Int(v.into()))
    }
    fn serialize_i32(self, v: i32) -> Written {
        Ok(Value::Int(v.into()))
    }
    fn serialize_i64(self, v: i64) -> Written {
        Ok(Value::Int(v))
    }
    fn serialize_u8(self, v: u8) -> Written {
        Ok(Value::Int(v.into()))
    }
    fn serialize_u16(self, v: u16) -> Written {
        Ok(Value::Int(v.into()))
    }
    fn serialize_u32(self, v: u32) -> Written {
        Ok(Value::Int(v.into()))
    }
    fn serialize_u64(self, v: u64) -> Written {
        Ok(i64::try_from(v).map_or(Value::Float(v as f64), Value::Int))
    }
    fn serialize_i128(self, v: i128) -> Written {
        Ok(i64::try_from(v).map_or(Value::Float(v as f64), Value::Int))
    }
    fn serialize_u128(self, v: u128) -> Written {
        Ok(i64::try_from(v).map_or(Value::Float(v as f64), Value::Int))
    }
    fn serialize_f32(self, v: f32) -> Written {
        // Converts the text of the number, so that 0.1 stays 0.1.
        Ok(Value::Float(v.to_string().parse().unwrap_or(f64::from(v))))
    }
    fn serialize_f64(self, v: f64) -> Written {
        Ok(Value::Float(v))
    }
    fn serialize_char(self, v: char) -> Written {
        Ok(Value::Str(v.to_string()))
    }
    fn serialize_str(self, v: &str) -> Written {
        Ok(Value::from(v))
    }
    fn serialize_bytes(self, v: &[u8]) -> Written {
        Ok(Value::List(v.iter().map(|b| Value::Int((*b).into())).collect()))
    }
    fn serialize_none(self) -> Written {
        Ok(Value::Null)
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(Writer)
    }
    fn serialize_unit(self) -> Written {
        Ok(Value::Null)
    }
    fn serialize_unit_struct(self, _: &'static str) -> Written {
        Ok(Value::Null)
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        Ok(Value::from(variant))
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Written {
        value.serialize(Writer)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        Ok(tagged(variant, value.serialize(Writer)?))
    }
    fn serialize_seq(self, len: Option<usize>) -> Result<Items, NoJson> {
        Ok(Items { variant: None, items: Vec::with_capacity(room(len)) })
    }
    fn serialize_tuple(self, len: usize) -> Result<Items, NoJson> {
        self.serialize_seq(Some(len))
    }
    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Items, NoJson> {
        self.serialize_seq(Some(len))
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items, NoJson> {
        Ok(Items { variant: Some(variant), items: Vec::new() })
    }
    fn serialize_map(self, len: Option<usize>) -> Result<Members, NoJson> {
        Ok(Members { variant: None, key: None, members: Vec::with_capacity(room(len)) })
    }
    fn serialize_struct(self, _: &'static str, len: usize) -> Result<Members, NoJson> {
        self.serialize_map(Some(len))
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Members, NoJson> {
        Ok(Members { variant: Some(variant), key: None, members: Vec::new() })
    }
}

fn tagged(variant: &str, value: Value) -> Value {
    Value::Map(std::iter::once((variant, value)).collect::<Map<_>>())
}

/// The serializer of lists.
#[derive(Debug)]
pub struct Items {
    variant: Option<&'static str>,
    items: Vec<Value>,
}

impl Items {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NoJson> {
        self.items.push(value.serialize(Writer)?);
        Ok(())
    }
    fn close(self) -> Written {
        let list = Value::List(self.items);
        Ok(match self.variant {
            Some(variant) => tagged(variant, list),
            None => list,
        })
    }
}

/// The serializer of objects.
#[derive(Debug)]
pub struct Members {
    variant: Option<&'static str>,
    key: Option<String>,
    members: Vec<(String, Value)>,
}

impl Members {
    fn member<T: Serialize + ?Sized>(&mut self, key: impl Into<String>, value: &T) -> Result<(), NoJson> {
        self.members.push((key.into(), value.serialize(Writer)?));
        Ok(())
    }
    fn close(self) -> Written {
        let map = Value::Map(Map::sorted(self.members));
        Ok(match self.variant {
            Some(variant) => tagged(variant, map),
            None => map,
        })
    }
}

compounds!(Items, Members => Value, NoJson);

impl ser::SerializeMap for Members {
    type Ok = Value;
    type Error = NoJson;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NoJson> {
        self.key = Some(match key.serialize(Writer)? {
            Value::Str(s) => s,
            Value::Int(i) => i.to_string(),
            Value::Bool(b) => b.to_string(),
            Value::Null | Value::Float(_) | Value::List(_) | Value::Map(_) => return Err(NoJson),
        });
        Ok(())
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NoJson> {
        let key = self.key.take().ok_or(NoJson)?;
        self.member(key, value)
    }
    fn end(self) -> Written {
        self.close()
    }
}
