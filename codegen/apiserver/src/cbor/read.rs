//! Reads CBOR as the server reads objects. Fields have no types in Go for custom resources, and those of Kubernetes' own kinds
//! only matter where they are bytes.

use super::head::{Head, Input, not_accepted, type_name};
use super::{Problem, bytes, major, scan};
use crdgen_core::go;
use crdgen_core::go::time::{Layout, Time, why_not};
use crdgen_core::ir::{Additional, Items, Schema, Type};
use crdgen_core::value::{MAX_DEPTH, Map, Value};
use std::borrow::Cow;
use std::collections::HashSet;

/// The fields of one of Kubernetes' own kinds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'s> {
    pub(crate) schema: &'s Schema,
    /// The name of the type in Go, with its package.
    pub(crate) version: &'s str,
    pub(crate) kind: &'s str,
}

/// What an object says that it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TypeMeta {
    pub(crate) api_version: String,
    pub(crate) kind: String,
}

/// Reads a document.
///
/// # Errors
/// Fails if the bytes are not one item of CBOR, or if the item cannot be an object in JSON.
pub(crate) fn read(bytes: &[u8], fields: Option<Fields<'_>>) -> Result<Value, Problem> {
    scan::document(bytes)?;
    let mut reader = Reader { input: Input::of(bytes), fields, top: "".into() };
    reader.value(Context { depth: 0, later: None, schema: fields.map(|fields| fields.schema) })
}

/// What an object says that it is. The rest of the object does not matter.
///
/// # Errors
/// Fails if the bytes are no object.
pub(crate) fn type_meta(bytes: &[u8]) -> Result<TypeMeta, Problem> {
    Reader { input: Input::of(bytes), fields: None, top: "".into() }.type_meta()
}

/// The text that bytes become, by the tags of RFC 8949, section 3.4.5.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Later {
    Base64Url,
    Base64,
    Base16,
}

impl Later {
    pub(super) fn of_tag(tag: u64) -> Option<Later> {
        match tag {
            21 => Some(Later::Base64Url),
            22 => Some(Later::Base64),
            23 => Some(Later::Base16),
            _ => None,
        }
    }

    fn text(self, bytes: &[u8]) -> String {
        match self {
            Later::Base64Url => go::base64_raw_url_encode(bytes),
            Later::Base64 => go::base64_encode(bytes),
            Later::Base16 => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }
}

/// Where a value is.
#[derive(Clone, Copy)]
struct Context<'s> {
    depth: usize,
    /// What the tags around the value make of bytes.
    later: Option<Later>,
    schema: Option<&'s Schema>,
}

impl<'s> Context<'s> {
    fn item(self) -> Context<'s> {
        let schema = self.schema.and_then(|schema| match &schema.items {
            Some(Items::One(items)) => Some(&**items),
            _ => None,
        });
        Context { depth: self.depth + 1, schema, ..self }
    }

    fn member(self, name: &str) -> Context<'s> {
        let schema = self.schema.and_then(|schema| match &schema.additional_properties {
            Some(Additional::Schema(values)) => Some(&**values),
            _ => schema.properties.get(name),
        });
        Context { depth: self.depth + 1, schema, ..self }
    }

    /// Whether the field is `[]byte` in Go.
    fn is_bytes(self) -> bool {
        self.schema.is_some_and(|schema| schema.limits.format == "byte")
    }

    /// The type in Go into which an item with this head does not fit.
    fn unfit(self, head: Head) -> Option<&'static str> {
        let schema = self.schema?;
        let is_one_of = |infos: &[u8]| head.major == major::SIMPLE && infos.contains(&head.info);
        // Null fits everywhere, and what is no value at all is wrong everywhere.
        if head.major == major::SIMPLE && !is_one_of(&[20, 21, 25, 26, 27]) {
            return None;
        }
        let (ty, is_fit) = match schema.ty.as_ref()? {
            Type::String => ("string", matches!(head.major, major::BYTES | major::TEXT)),
            Type::Boolean => ("bool", is_one_of(&[20, 21])),
            Type::Integer => {
                let ty = if schema.limits.format == "int32" { "int32" } else { "int64" };
                (ty, matches!(head.major, major::POSITIVE | major::NEGATIVE))
            }
            _ => return None,
        };
        (!is_fit).then_some(ty)
    }
}

pub(super) struct Reader<'b, 's> {
    pub(super) input: Input<'b>,
    fields: Option<Fields<'s>>,
    /// The member of the object in which the reader is.
    top: Cow<'b, str>,
}

pub(super) fn wrong(why: impl Into<String>) -> Problem {
    Problem::Value(why.into())
}

impl<'b, 's> Reader<'b, 's> {
    /// Why an item cannot become a value of a type in Go.
    pub(super) fn mismatch(&self, major: u8, ty: &str) -> String {
        let place = match self.fields {
            Some(Fields { version, kind, .. }) => {
                format!("Go struct field {version}.{kind}.{} of type {ty}", self.top)
            }
            None => format!("Go value of type {ty}"),
        };
        format!("cbor: cannot unmarshal {} into {place}", type_name(major))
    }

    fn value(&mut self, mut context: Context<'s>) -> Result<Value, Problem> {
        if context.depth > MAX_DEPTH {
            return Err(wrong(format!("cbor: exceeded max nested level {MAX_DEPTH}")));
        }
        if context.is_bytes() {
            return bytes::field(self, context.later);
        }
        loop {
            let head = self.input.head()?;
            if let Some(ty) = context.unfit(head).filter(|_| head.major != major::TAG) {
                return Err(wrong(self.mismatch(head.major, ty)));
            }
            match (head.major, head.number) {
                (major::TAG, 0) => return self.date(),
                (major::TAG, 1) => return self.moment(),
                (major::TAG, tag) => context.later = Later::of_tag(tag).or(context.later),
                (major::BYTES | major::TEXT, _) => {
                    return Ok(Value::Str(self.text(head, context.later)?.into_owned()));
                }
                (major::LIST, _) => return self.list(head, context),
                (major::MAP, _) => return self.map(head, context),
                _ => return scalar(head),
            }
        }
    }

    /// Whether an item with this head has another part after `count` ones.
    pub(super) fn has_more(&mut self, head: Head, count: usize) -> Result<bool, Problem> {
        if head.is_open() { Ok(!self.input.take_break()?) } else { Ok((count as u64) < head.number) }
    }

    fn list(&mut self, head: Head, context: Context<'s>) -> Result<Value, Problem> {
        let mut items = Vec::new();
        while self.has_more(head, items.len())? {
            items.push(self.value(context.item())?);
        }
        Ok(Value::List(items))
    }

    fn map(&mut self, head: Head, context: Context<'s>) -> Result<Value, Problem> {
        let (mut members, mut names) = (Vec::new(), HashSet::new());
        while self.has_more(head, members.len())? {
            let name = self.name(context.later)?;
            if context.depth == 0 {
                self.top = name.clone();
            }
            if !names.insert(name.clone()) {
                let (name, index) = (go::quote(&name), members.len());
                let why = format!("cbor: found duplicate map key {name} at map element index {index}");
                return Err(wrong(why));
            }
            let value = self.value(context.member(&name))?;
            members.push((name.into_owned(), value));
        }
        Ok(Value::Map(Map::sorted(members)))
    }

    /// The name of a member. Null is a name without characters.
    fn name(&mut self, mut later: Option<Later>) -> Result<Cow<'b, str>, Problem> {
        loop {
            let head = self.input.head()?;
            return match (head.major, head.info) {
                (major::TAG, _) => {
                    later = Later::of_tag(head.number).or(later);
                    continue;
                }
                (major::BYTES | major::TEXT, _) => self.text(head, later),
                (major::SIMPLE, 22) => Ok("".into()),
                (major::SIMPLE, 20 | 21 | 25..=27) => Err(name_of(head)),
                (major::SIMPLE, _) => scalar(head).and(Err(name_of(head))),
                _ => Err(name_of(head)),
            };
        }
    }

    /// The bytes of a text or of bytes, which may be in several parts.
    pub(super) fn bytes(&mut self, head: Head) -> Result<Cow<'b, [u8]>, Problem> {
        if !head.is_open() {
            return scan::chunk(&mut self.input, head).map(Cow::Borrowed);
        }
        let mut out = Vec::new();
        while !self.input.take_break()? {
            let part = self.input.head()?;
            let bytes = scan::chunk(&mut self.input, part)?;
            if head.major == major::TEXT && std::str::from_utf8(bytes).is_err() {
                return Err(wrong("cbor: invalid UTF-8 string"));
            }
            out.extend(bytes);
        }
        Ok(Cow::Owned(out))
    }

    fn text(&mut self, head: Head, later: Option<Later>) -> Result<Cow<'b, str>, Problem> {
        let bytes = self.bytes(head)?;
        match later {
            Some(later) if head.major == major::BYTES => return Ok(later.text(&bytes).into()),
            _ => {}
        }
        let is_text = head.major == major::TEXT;
        match bytes {
            // Whoever reads such bytes as JSON gets the same.
            bytes if is_text && std::str::from_utf8(&bytes).is_err() => {
                Err(wrong("cbor: invalid UTF-8 string"))
            }
            Cow::Borrowed(bytes) => Ok(String::from_utf8_lossy(bytes)),
            Cow::Owned(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned().into()),
        }
    }

    /// A moment as text.
    fn date(&mut self) -> Result<Value, Problem> {
        let head = self.input.head()?;
        if head.major != major::TEXT {
            let found = type_name(head.major);
            return Err(wrong(format!("cbor: tag number 0 must be followed by text string, got {found}")));
        }
        let text = self.text(head, None)?;
        match Time::parse(&text) {
            Some(time) => Ok(time.rfc3339_nano().into()),
            None => {
                let why = why_not(&text, Layout::Zoned);
                Err(wrong(format!("cbor: cannot set {text} for time.Time: {why}")))
            }
        }
    }

    /// A moment in seconds.
    fn moment(&mut self) -> Result<Value, Problem> {
        let head = self.input.head()?;
        let (seconds, nanos) = match (head.major, head.float()) {
            (major::POSITIVE | major::NEGATIVE, _) => (scalar(head)?.as_int().unwrap_or_default(), 0),
            (_, Some(seconds)) => {
                let nanos = (seconds.fract() * 1e9).round() as i64;
                let moment = i128::from(seconds.trunc() as i64) * 1_000_000_000 + i128::from(nanos);
                let seconds = i64::try_from(moment.div_euclid(1_000_000_000)).unwrap_or(i64::MAX);
                (seconds, moment.rem_euclid(1_000_000_000) as u32)
            }
            (found, None) => {
                let found = type_name(found);
                return Err(wrong(format!(
                    "cbor: tag number 1 must be followed by integer or floating-point number, got {found}"
                )));
            }
        };
        // Years have four digits in texts.
        if !(-62_167_219_200..253_402_300_800).contains(&seconds) {
            return Err(wrong(
                "cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: \
                 Time.MarshalText: year outside of range [0,9999]",
            ));
        }
        Ok(Time { seconds, nanos, offset: 0 }.rfc3339_nano().into())
    }

    fn type_meta(&mut self) -> Result<TypeMeta, Problem> {
        let mut head = self.input.head()?;
        while head.major == major::TAG {
            head = self.input.head()?;
        }
        let mut found = TypeMeta::default();
        if head.major != major::MAP {
            let more = match head.major {
                major::LIST => " (cannot decode CBOR array to struct without toarray option)",
                major::SIMPLE if scalar(head)?.is_null() => return Ok(found),
                _ => "",
            };
            return Err(wrong(self.mismatch(head.major, "v1.TypeMeta") + more));
        }
        let mut count = 0;
        while self.has_more(head, count)? {
            count += 1;
            let field = match &*self.name(None)? {
                "apiVersion" => &mut found.api_version,
                "kind" => &mut found.kind,
                _ => {
                    scan::item(&mut self.input)?;
                    continue;
                }
            };
            if let Value::Str(text) = self.value(Context { depth: 1, later: None, schema: None })? {
                *field = text;
            }
        }
        Ok(found)
    }
}

fn name_of(head: Head) -> Problem {
    wrong(format!("cbor: cannot unmarshal {} into Go value of type string", type_name(head.major)))
}

/// A number, a bool or null.
pub(super) fn scalar(head: Head) -> Result<Value, Problem> {
    let number = head.number;
    let overflow = |sign: &str, number: &str| {
        wrong(format!(
            "cbor: cannot unmarshal {sign} integer into Go value of type int64 ({number} overflows Go's int64)"
        ))
    };
    match (head.major, head.info) {
        (major::POSITIVE, _) => {
            i64::try_from(number).map(Value::Int).map_err(|_| overflow("positive", &number.to_string()))
        }
        (major::NEGATIVE, _) => i64::try_from(number)
            .map(|number| Value::Int(!number))
            .map_err(|_| overflow("negative", &format!("-{}", u128::from(number) + 1))),
        (major::SIMPLE, 20) => Ok(Value::Bool(false)),
        (major::SIMPLE, 21) => Ok(Value::Bool(true)),
        (major::SIMPLE, 22) => Ok(Value::Null),
        _ => match head.float() {
            Some(float) => Ok(Value::Float(float)),
            None => {
                let why = format!("simple value {number} is not recognized");
                Err(wrong(not_accepted("primitives", &why)))
            }
        },
    }
}
