//! Deserializes JSON text with serde.

use super::scan::Scan;
use super::{OF_ALL, Unusual};
use crate::from_value::{Key, keeps_all_members};
use crdgen_runtime::json;
use crdgen_runtime::value::{MAX_DEPTH, Value};
use serde::de::value::{MapDeserializer, StrDeserializer};
use serde::de::{self, DeserializeOwned, DeserializeSeed, Visitor};
use std::borrow::Cow;

/// Deserializes an object with empty metadata. Returns `None` if anything about it is unusual.
pub fn from_text<T: DeserializeOwned>(text: &str) -> Option<T> {
    let mut reader = Reader { scan: Scan::new(text), depth: 0, place: NextPlace::Root };
    let typed = T::deserialize(&mut reader).ok()?;
    reader.scan.end()?;
    Some(typed)
}

struct Reader<'t> {
    scan: Scan<'t>,
    depth: usize,
    place: NextPlace,
}

/// The place of the next value.
#[derive(Clone, Copy, PartialEq)]
enum NextPlace {
    Root,
    /// `apiVersion` or `kind` of the root.
    TypeMeta,
    Inside,
}

type Done<T> = Result<T, Unusual>;

impl<'t> Reader<'t> {
    fn expect(&mut self, c: u8) -> Done<()> {
        self.scan.expect(c).ok_or(Unusual)
    }

    /// Reads a string. It borrows from the text unless it has escapes.
    fn string(&mut self) -> Done<Cow<'t, str>> {
        self.scan.peek();
        let start = self.scan.at + 1;
        let bytes = self.scan.text.as_bytes();
        let rest = bytes.get(start..).ok_or(Unusual)?;
        let is_end = |c: &u8| matches!(c, b'"' | b'\\' | 0..b' ');
        let end = start + rest.iter().position(is_end).ok_or(Unusual)?;
        if bytes[end] == b'"' {
            self.scan.at = end + 1;
            return self.scan.text.get(start..end).map(Cow::Borrowed).ok_or(Unusual);
        }
        let text = self.scan.value().ok_or(Unusual)?;
        match json::read(text.as_bytes()) {
            // The replacement character is in place of what could not be read.
            Ok(Value::Str(text)) if !text.contains(char::REPLACEMENT_CHARACTER) => Ok(Cow::Owned(text)),
            _ => Err(Unusual),
        }
    }

    fn word(&mut self, word: &str) -> Done<()> {
        if self.scan.value() == Some(word) { Ok(()) } else { Err(Unusual) }
    }

    fn number<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Done<V::Value> {
        let text = self.scan.value().ok_or(Unusual)?.as_bytes();
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        let is_plain =
            digits.iter().all(u8::is_ascii_digit) && (digits.len() == 1 || digits.first() != Some(&b'0'));
        // A number of 18 digits is less than 2^63.
        if is_plain && (1..=18).contains(&digits.len()) {
            let number = digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0'));
            return visitor.visit_i64(if digits.len() < text.len() { -number } else { number });
        }
        match json::read(text) {
            Ok(Value::Int(it)) => visitor.visit_i64(it),
            Ok(Value::Float(it)) => visitor.visit_f64(it),
            _ => Err(Unusual),
        }
    }

    /// Reads the content of brackets.
    fn within<T>(&mut self, open: u8, close: u8, read: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        self.expect(open)?;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Unusual);
        }
        let out = read(self)?;
        self.depth -= 1;
        self.expect(close)?;
        Ok(out)
    }
}

impl<'de> de::Deserializer<'de> for &mut Reader<'_> {
    type Error = Unusual;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Done<V::Value> {
        match self.scan.peek() {
            Some(b'"') => visitor.visit_str(&self.string()?),
            Some(b'[') => {
                self.place = NextPlace::Inside;
                self.within(b'[', b']', |reader| visitor.visit_seq(Items { reader, is_first: true }))
            }
            Some(b'{') => {
                let is_root = self.place == NextPlace::Root;
                self.place = NextPlace::Inside;
                let read = |reader: &mut Reader<'_>| {
                    visitor.visit_map(Members {
                        reader,
                        is_first: true,
                        is_root,
                        of_all: None,
                        seen: [false; 3],
                    })
                };
                self.within(b'{', b'}', read)
            }
            Some(b'n') => self.word("null").and_then(|()| visitor.visit_unit()),
            Some(b't') => self.word("true").and_then(|()| visitor.visit_bool(true)),
            Some(b'f') => self.word("false").and_then(|()| visitor.visit_bool(false)),
            Some(b'-' | b'0'..=b'9') => self.number(visitor),
            _ => Err(Unusual),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Done<V::Value> {
        // The object has this field, but the type may not write a null again.
        if self.scan.peek() == Some(b'n') { Err(Unusual) } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Done<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Done<V::Value> {
        match self.scan.peek() {
            Some(b'"') => visitor.visit_enum(StrDeserializer::new(&self.string()?)),
            Some(b'{') => {
                self.place = NextPlace::Inside;
                self.within(b'{', b'}', |reader| visitor.visit_enum(Variant(reader)))
            }
            _ => Err(Unusual),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Done<V::Value> {
        if keeps_all_members::<V::Value>() { self.deserialize_any(visitor) } else { Err(Unusual) }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Done<V::Value> {
        if self.place == NextPlace::TypeMeta { self.deserialize_any(visitor) } else { Err(Unusual) }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct struct identifier
    }
}

struct Items<'a, 't> {
    reader: &'a mut Reader<'t>,
    is_first: bool,
}

impl<'de> de::SeqAccess<'de> for Items<'_, '_> {
    type Error = Unusual;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Done<Option<S::Value>> {
        if self.reader.scan.peek() == Some(b']') {
            return Ok(None);
        }
        if !std::mem::take(&mut self.is_first) {
            self.reader.expect(b',')?;
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

struct Members<'a, 't> {
    reader: &'a mut Reader<'t>,
    is_first: bool,
    is_root: bool,
    /// Which of the members that all kinds have is next.
    of_all: Option<usize>,
    /// Which of these members were already read.
    seen: [bool; 3],
}

impl<'de> de::MapAccess<'de> for Members<'_, '_> {
    type Error = Unusual;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Done<Option<S::Value>> {
        if self.reader.scan.peek() == Some(b'}') {
            return Ok(None);
        }
        if !std::mem::take(&mut self.is_first) {
            self.reader.expect(b',')?;
        }
        if self.reader.scan.peek() != Some(b'"') {
            return Err(Unusual);
        }
        let name = self.reader.string()?;
        self.reader.expect(b':')?;
        self.of_all = OF_ALL.iter().position(|it| self.is_root && *it == name);
        if let Some(which) = self.of_all
            && std::mem::replace(&mut self.seen[which], true)
        {
            return Err(Unusual);
        }
        self.reader.place =
            if let Some(0 | 1) = self.of_all { NextPlace::TypeMeta } else { NextPlace::Inside };
        seed.deserialize(Key::new(&name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Done<S::Value> {
        // Metadata does not go through the type.
        if self.of_all == Some(2) {
            self.reader.scan.value().ok_or(Unusual)?;
            return seed.deserialize(MapDeserializer::new(std::iter::empty::<(&str, &str)>()));
        }
        let value = seed.deserialize(&mut *self.reader);
        self.reader.place = NextPlace::Inside;
        value
    }
}

/// A variant with a value: an object with one member.
struct Variant<'a, 't>(&'a mut Reader<'t>);

impl<'de, 'a, 't> de::EnumAccess<'de> for Variant<'a, 't> {
    type Error = Unusual;
    type Variant = Variant<'a, 't>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Done<(S::Value, Variant<'a, 't>)> {
        if self.0.scan.peek() != Some(b'"') {
            return Err(Unusual);
        }
        let name = self.0.string()?;
        self.0.expect(b':')?;
        Ok((seed.deserialize(Key::new(&name))?, self))
    }
}

impl<'de> de::VariantAccess<'de> for Variant<'_, '_> {
    type Error = Unusual;

    fn unit_variant(self) -> Done<()> {
        self.0.word("null")
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Done<S::Value> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Done<V::Value> {
        de::Deserializer::deserialize_any(self.0, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Done<V::Value> {
        de::Deserializer::deserialize_any(self.0, visitor)
    }
}
