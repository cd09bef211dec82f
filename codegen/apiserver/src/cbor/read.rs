//! Reads CBOR as the server reads objects. Fields have no types in Go for custom resources, and those of Kubernetes' own kinds
//! only matter where they are bytes.

use super::head::{Head, Input, type_name};
use super::item::{self, Later, has_more, scalar, wrong};
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
/// Fails if the bytes are not an object.
pub(crate) fn type_meta(bytes: &[u8]) -> Result<TypeMeta, Problem> {
    Reader { input: Input::of(bytes), fields: None, top: "".into() }.type_meta()
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

    /// The type in Go that cannot have the value of an item with this head.
    fn wrong_type(self, head: Head) -> Option<&'static str> {
        let schema = self.schema?;
        let is_one_of = |infos: &[u8]| head.major == major::SIMPLE && infos.contains(&head.info);
        // Every field can be null, and no field can have what the server does not recognize.
        if head.major == major::SIMPLE && !is_one_of(&[20, 21, 25, 26, 27]) {
            return None;
        }
        let (ty, is_right) = match schema.ty.as_ref()? {
            Type::String => ("string", matches!(head.major, major::BYTES | major::TEXT)),
            Type::Boolean => ("bool", is_one_of(&[20, 21])),
            Type::Integer => {
                let ty = if schema.limits.format == "int32" { "int32" } else { "int64" };
                (ty, matches!(head.major, major::POSITIVE | major::NEGATIVE))
            }
            _ => return None,
        };
        (!is_right).then_some(ty)
    }
}

struct Reader<'b, 's> {
    input: Input<'b>,
    fields: Option<Fields<'s>>,
    /// The member of the object in which the reader is.
    top: Cow<'b, str>,
}

impl<'b, 's> Reader<'b, 's> {
    /// Why an item cannot become a value of a type in Go.
    fn mismatch(&self, major: u8, ty: &str) -> String {
        mismatch(self.fields, &self.top, major, ty)
    }

    fn value(&mut self, mut context: Context<'s>) -> Result<Value, Problem> {
        if context.depth > MAX_DEPTH {
            return Err(wrong(format!("cbor: exceeded max nested level {MAX_DEPTH}")));
        }
        if context.is_bytes() {
            return bytes::field(&mut self.input, context.later, &|major, ty| {
                mismatch(self.fields, &self.top, major, ty)
            });
        }
        loop {
            let head = self.input.head()?;
            if let Some(ty) = context.wrong_type(head).filter(|_| head.major != major::TAG) {
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

    fn list(&mut self, head: Head, context: Context<'s>) -> Result<Value, Problem> {
        let mut items = Vec::new();
        while has_more(&mut self.input, head, items.len())? {
            items.push(self.value(context.item())?);
        }
        Ok(Value::List(items))
    }

    fn map(&mut self, head: Head, context: Context<'s>) -> Result<Value, Problem> {
        let (mut members, mut names) = (Vec::new(), HashSet::new());
        while has_more(&mut self.input, head, members.len())? {
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

    fn text(&mut self, head: Head, later: Option<Later>) -> Result<Cow<'b, str>, Problem> {
        let bytes = item::bytes(&mut self.input, head)?;
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
        while has_more(&mut self.input, head, count)? {
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

fn mismatch(fields: Option<Fields<'_>>, top: &str, major: u8, ty: &str) -> String {
    let place = match fields {
        Some(Fields { version, kind, .. }) => {
            format!("Go struct field {version}.{kind}.{top} of type {ty}")
        }
        None => format!("Go value of type {ty}"),
    };
    format!("cbor: cannot unmarshal {} into {place}", type_name(major))
}

fn name_of(head: Head) -> Problem {
    wrong(format!("cbor: cannot unmarshal {} into Go value of type string", type_name(head.major)))
}
