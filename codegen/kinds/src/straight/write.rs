//! Serializes objects as JSON text with serde.

use super::{OF_ALL, Unusual};
use crate::compounds::compounds;
use crdgen_runtime::json;
use crdgen_runtime::value::Value;
use serde::ser::{self, Serialize, Serializer};

/// Appends the members of an object to others, without `apiVersion`, `kind` and metadata. Returns `None` if anything
/// about them is unusual. Then what was written is useless.
pub fn write_members<T: Serialize>(object: &T, out: &mut String) -> Option<()> {
    object.serialize(Writer { out, is_root: true }).ok()
}

struct Writer<'a> {
    out: &'a mut String,
    is_root: bool,
}

type Done = Result<(), Unusual>;

impl<'a> Writer<'a> {
    fn int(self, v: i64) -> Done {
        // Avoids `fmt`, which takes as long as everything else together.
        let mut digits = [0; 20];
        let mut start = digits.len();
        let mut rest = v.unsigned_abs();
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if v < 0 {
            self.out.push('-');
        }
        self.out.push_str(std::str::from_utf8(&digits[start..]).map_err(|_| Unusual)?);
        Ok(())
    }

    fn float(self, v: f64) -> Done {
        if !v.is_finite() {
            return Err(Unusual);
        }
        json::write(&Value::Float(v), self.out);
        Ok(())
    }

    fn text(self, v: &str) -> Done {
        json::write_str(v, self.out);
        Ok(())
    }

    /// Opens brackets. If there is a name of a variant, opens the object of the variant around them.
    fn open(self, variant: Option<&str>, open: char, close: &'static str) -> Compound<'a> {
        let Writer { out, is_root } = self;
        if let Some(variant) = variant {
            out.push('{');
            json::write_str(variant, out);
            out.push(':');
        }
        if !is_root {
            out.push(open);
        }
        Compound { out, is_root, is_first: !is_root, close, last: None, skips: false }
    }
}

impl<'a> Serializer for Writer<'a> {
    type Ok = ();
    type Error = Unusual;
    type SerializeSeq = Compound<'a>;
    type SerializeTuple = Compound<'a>;
    type SerializeTupleStruct = Compound<'a>;
    type SerializeTupleVariant = Compound<'a>;
    type SerializeMap = Compound<'a>;
    type SerializeStruct = Compound<'a>;
    type SerializeStructVariant = Compound<'a>;

    fn serialize_bool(self, v: bool) -> Done {
        self.out.push_str(if v { "true" } else { "false" });
        Ok(())
    }
    fn serialize_i8(self, v: i8) -> Done {
        self.int(v.into())
    }
    fn serialize_i16(self, v: i16) -> Done {
        self.int(v.into())
    }
    fn serialize_i32(self, v: i32) -> Done {
        self.int(v.into())
    }
    fn serialize_i64(self, v: i64) -> Done {
        self.int(v)
    }
    fn serialize_u8(self, v: u8) -> Done {
        self.int(v.into())
    }
    fn serialize_u16(self, v: u16) -> Done {
        self.int(v.into())
    }
    fn serialize_u32(self, v: u32) -> Done {
        self.int(v.into())
    }
    fn serialize_u64(self, v: u64) -> Done {
        i64::try_from(v).map_err(|_| Unusual).and_then(|v| self.int(v))
    }
    fn serialize_f32(self, v: f32) -> Done {
        // Converts the text of the number, so that 0.1 stays 0.1.
        self.float(v.to_string().parse().unwrap_or(f64::from(v)))
    }
    fn serialize_f64(self, v: f64) -> Done {
        self.float(v)
    }
    fn serialize_char(self, v: char) -> Done {
        self.text(v.encode_utf8(&mut [0; 4]))
    }
    fn serialize_str(self, v: &str) -> Done {
        self.text(v)
    }
    fn serialize_bytes(self, v: &[u8]) -> Done {
        self.collect_seq(v)
    }
    fn serialize_none(self) -> Done {
        self.serialize_unit()
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Done {
        self.out.push_str("null");
        Ok(())
    }
    fn serialize_unit_struct(self, _: &'static str) -> Done {
        self.serialize_unit()
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Done {
        self.text(variant)
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Done {
        self.out.push('{');
        json::write_str(variant, self.out);
        self.out.push(':');
        value.serialize(Writer { out: self.out, is_root: false })?;
        self.out.push('}');
        Ok(())
    }
    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'a>, Unusual> {
        Ok(self.open(None, '[', "]"))
    }
    fn serialize_tuple(self, _: usize) -> Result<Compound<'a>, Unusual> {
        Ok(self.open(None, '[', "]"))
    }
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound<'a>, Unusual> {
        Ok(self.open(None, '[', "]"))
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'a>, Unusual> {
        Ok(self.open(Some(variant), '[', "]}"))
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'a>, Unusual> {
        Ok(self.open(None, '{', "}"))
    }
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Compound<'a>, Unusual> {
        Ok(self.open(None, '{', "}"))
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'a>, Unusual> {
        Ok(self.open(Some(variant), '{', "}}"))
    }
}

/// A list or an object that is being written.
struct Compound<'a> {
    out: &'a mut String,
    is_root: bool,
    is_first: bool,
    close: &'static str,
    /// The last key of a map. If keys are not sorted, or are repeated, the caller falls back to values, which are
    /// sorted.
    last: Option<String>,
    /// Whether to skip the next value of the map.
    skips: bool,
}

impl Compound<'_> {
    fn comma(&mut self) {
        if !std::mem::take(&mut self.is_first) {
            self.out.push(',');
        }
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        if self.is_root {
            return Err(Unusual);
        }
        self.comma();
        value.serialize(Writer { out: self.out, is_root: false })
    }

    fn name(&mut self, name: &str) {
        self.comma();
        json::write_str(name, self.out);
        self.out.push(':');
    }

    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Done {
        if self.is_root && OF_ALL.contains(&name) {
            return Ok(());
        }
        self.name(name);
        value.serialize(Writer { out: self.out, is_root: false })
    }

    fn close(self) -> Done {
        if !self.is_root {
            self.out.push_str(self.close);
        }
        Ok(())
    }
}

compounds!(Compound<'_>, Compound<'_> => (), Unusual);

impl ser::SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = Unusual;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        let name = match crate::to_value::to_value(key) {
            Some(Value::Str(name)) => name,
            Some(Value::Int(name)) => name.to_string(),
            Some(Value::Bool(name)) => name.to_string(),
            _ => return Err(Unusual),
        };
        if self.last.as_ref().is_some_and(|last| *last >= name) {
            return Err(Unusual);
        }
        self.skips = self.is_root && OF_ALL.contains(&&*name);
        if !self.skips {
            self.name(&name);
        }
        self.last = Some(name);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        if self.skips {
            return Ok(());
        }
        value.serialize(Writer { out: self.out, is_root: false })
    }

    fn end(self) -> Done {
        self.close()
    }
}
