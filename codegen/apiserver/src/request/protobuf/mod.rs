//! Reads and writes protobuf, in which clients in Go send and get Kubernetes' own kinds. What is read becomes the same JSON that they would
//! send otherwise.

mod table;
mod wire;
mod write;

pub(crate) use write::{around_items, event, item, write};

use super::Expected;
use crdgen_core::go::{self, time::Time};
use crdgen_core::json;
use crdgen_core::value::{Map, Value};
use std::fmt;
use table::{Field, Message, Shape, Type};
use wire::{Fields, Tag, WireError, text, wire_type};

/// What a body in protobuf begins with.
const MAGIC: &[u8] = b"k8s\0";

/// How deep messages may be nested. Those of Kubernetes are far below.
const DEPTH: usize = 64;

/// Why a body is not read, in the words of the server where it has such.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// The body is not the envelope of an object.
    Envelope(EnvelopeError),
    /// The message is broken.
    Message { api_version: String, kind: String, why: MessageError },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EnvelopeError {
    NoData,
    /// It does not begin as all such bodies do.
    Prefix,
    /// It has nothing but its beginning.
    NoBody,
    Wire(WireError),
}

impl fmt::Display for EnvelopeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EnvelopeError::NoData => f.write_str("empty data"),
            EnvelopeError::Prefix => f.write_str(
                "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
            ),
            EnvelopeError::NoBody => f.write_str("empty body"),
            EnvelopeError::Wire(why) => why.fmt(f),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MessageError {
    Wire(WireError),
    /// JSON in the message is none.
    Json(String),
    TooDeep,
    /// A time outside of the years that JSON can say.
    Time,
    /// The table of messages contradicts itself.
    Table,
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MessageError::Wire(why) => why.fmt(f),
            MessageError::Json(why) => f.write_str(why),
            MessageError::TooDeep => write!(f, "proto: messages are nested more than {DEPTH} levels deep"),
            MessageError::Time => f.write_str("Time.MarshalJSON: year outside of range [0,9999]"),
            MessageError::Table => f.write_str("proto: crdgen does not know the type of a field"),
        }
    }
}

impl From<WireError> for MessageError {
    fn from(why: WireError) -> MessageError {
        MessageError::Wire(why)
    }
}

type Result<T> = std::result::Result<T, MessageError>;

/// What is around each object.
struct Envelope<'b> {
    api_version: String,
    kind: String,
    raw: &'b [u8],
}

fn envelope(bytes: &[u8]) -> std::result::Result<Envelope<'_>, EnvelopeError> {
    if bytes.is_empty() {
        return Err(EnvelopeError::NoData);
    }
    let body = bytes.strip_prefix(MAGIC).ok_or(EnvelopeError::Prefix)?;
    if body.is_empty() {
        return Err(EnvelopeError::NoBody);
    }
    let mut out = Envelope { api_version: String::new(), kind: String::new(), raw: &[] };
    read_envelope(Fields::of("Unknown", body), &mut out).map_err(EnvelopeError::Wire)?;
    Ok(out)
}

fn read_envelope<'b>(mut fields: Fields<'b>, out: &mut Envelope<'b>) -> std::result::Result<(), WireError> {
    while let Some(tag) = fields.tag()? {
        match tag.number {
            1 => {
                Fields::check(tag, wire_type::BYTES, || "TypeMeta".to_owned())?;
                let mut of_type = Fields::of("TypeMeta", fields.bytes()?);
                while let Some(tag) = of_type.tag()? {
                    let (name, place) = match tag.number {
                        1 => ("APIVersion", &mut out.api_version),
                        2 => ("Kind", &mut out.kind),
                        _ => {
                            of_type.skip(tag)?;
                            continue;
                        }
                    };
                    Fields::check(tag, wire_type::BYTES, || name.to_owned())?;
                    *place = text(of_type.bytes()?);
                }
            }
            2 => {
                Fields::check(tag, wire_type::BYTES, || "Raw".to_owned())?;
                out.raw = fields.bytes()?;
            }
            // The encoding and the type of the content, which the server ignores.
            3 | 4 => {
                let name = if tag.number == 3 { "ContentEncoding" } else { "ContentType" };
                Fields::check(tag, wire_type::BYTES, || name.to_owned())?;
                fields.bytes()?;
            }
            _ => fields.skip(tag)?,
        }
    }
    Ok(())
}

/// Reads an object. One of an unknown kind has only its type.
pub(super) fn read(bytes: &[u8], expected: Expected<'_>) -> std::result::Result<Value, Problem> {
    let Envelope { mut api_version, mut kind, raw } = envelope(bytes).map_err(Problem::Envelope)?;
    // The decoder knows what it expects.
    if api_version.is_empty() {
        expected.api_version.clone_into(&mut api_version);
    }
    if kind.is_empty() {
        expected.kind.clone_into(&mut kind);
    }
    let mut object = Map::new();
    object.insert("apiVersion", Value::from(api_version.as_str()));
    object.insert("kind", Value::from(kind.as_str()));
    let read = match table::of_kind(&api_version, &kind) {
        Some(message) => members(message, Fields::of(&kind, raw), &mut object, DEPTH),
        None => Ok(()),
    };
    match read {
        Ok(()) => Ok(Value::Map(object)),
        Err(why) => Err(Problem::Message { api_version, kind, why }),
    }
}

/// A message with a name, of which some fields may have been read before.
fn message(name: &str, bytes: &[u8], before: Option<Value>, depth: usize) -> Result<Value> {
    let of = table::message(name).ok_or(MessageError::Table)?;
    let is_wrapper = of.iter().all(|field| field.name == "=") && !of.is_empty();
    let mut out = match before {
        Some(Value::Map(map)) if !is_wrapper => map,
        _ => Map::new(),
    };
    members(of, Fields::of(last(name), bytes), &mut out, depth)?;
    // A message that only wraps a list is this list in JSON, and one that is one of several things is this thing.
    if is_wrapper {
        let has_list = of.iter().any(|field| field.shape == Shape::List);
        let nothing = if has_list { Value::List(Vec::new()) } else { Value::Null };
        return Ok(out.remove("=").unwrap_or(nothing));
    }
    Ok(Value::Map(out))
}

/// The name without its package.
fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The name of a field in Go, as far as the name in JSON shows it.
fn go_name(field: &Field) -> String {
    const WORDS: [(&str, &str); 5] = [
        ("metadata", "ObjectMeta"),
        ("apiVersion", "APIVersion"),
        ("uid", "UID"),
        ("url", "URL"),
        ("ip", "IP"),
    ];
    match (WORDS.iter().find(|(name, _)| *name == field.name), field.ty) {
        (Some((_, name)), _) => (*name).to_owned(),
        (None, Type::Message(name)) if matches!(field.name, "" | "=") => last(name).to_owned(),
        (None, _) => {
            let (first, rest) = field.name.split_at_checked(1).unwrap_or((field.name, ""));
            first.to_uppercase() + rest
        }
    }
}

/// Reads the fields of a message.
fn members(of: &Message, mut fields: Fields<'_>, out: &mut Map<Value>, depth: usize) -> Result<()> {
    let depth = depth.checked_sub(1).ok_or(MessageError::TooDeep)?;
    while let Some(tag) = fields.tag()? {
        let Some(field) = of.iter().find(|field| field.number == tag.number) else {
            fields.skip(tag)?;
            continue;
        };
        match field.shape {
            Shape::One if field.name.is_empty() => {
                let Type::Message(name) = field.ty else { return Err(MessageError::Table) };
                Fields::check(tag, wire_type::BYTES, || go_name(field))?;
                let of = table::message(name).ok_or(MessageError::Table)?;
                members(of, Fields::of(last(name), fields.bytes()?), out, depth)?;
            }
            Shape::One => {
                Fields::check(tag, field.ty.wire(), || go_name(field))?;
                let before = if matches!(field.ty, Type::Message(_)) { out.remove(field.name) } else { None };
                out.insert(field.name, value(field.ty, &mut fields, before, depth)?);
            }
            Shape::List => list(field, tag, &mut fields, out, depth)?,
            Shape::Map => {
                Fields::check(tag, wire_type::BYTES, || go_name(field))?;
                let (key, found) = entry(field.ty, Fields::of("", fields.bytes()?), depth)?;
                let map = out.entry_or_insert_with(field.name, || Value::Map(Map::new()));
                map.as_map_mut().ok_or(MessageError::Table)?.insert(key, found);
            }
        }
    }
    Ok(())
}

fn list(field: &Field, tag: Tag, fields: &mut Fields<'_>, out: &mut Map<Value>, depth: usize) -> Result<()> {
    let list = out.entry_or_insert_with(field.name, || Value::List(Vec::new()));
    let Value::List(list) = list else { return Err(MessageError::Table) };
    // Numbers can be packed into one field.
    if field.ty.wire() == wire_type::NUMBER && tag.wire == wire_type::BYTES {
        let mut packed = Fields::of("", fields.bytes()?);
        while !packed.is_empty() {
            list.push(value(field.ty, &mut packed, None, depth)?);
        }
        return Ok(());
    }
    Fields::check(tag, field.ty.wire(), || go_name(field))?;
    list.push(value(field.ty, fields, None, depth)?);
    Ok(())
}

/// A member of a map. Go's code does not look at the wire types.
fn entry(ty: Type, mut fields: Fields<'_>, depth: usize) -> Result<(String, Value)> {
    let (mut key, mut found) = (String::new(), None);
    while let Some(tag) = fields.tag()? {
        match tag.number {
            1 => key = text(fields.bytes()?),
            2 => found = Some(value(ty, &mut fields, None, depth)?),
            _ => fields.skip(tag)?,
        }
    }
    // A value that is not there is the zero of its type, which is an empty message.
    let found = match found {
        Some(found) => found,
        None => value(ty, &mut Fields::of("", &[0]), None, depth)?,
    };
    Ok((key, found))
}

/// A value in the form that it has in JSON.
fn value(ty: Type, fields: &mut Fields<'_>, before: Option<Value>, depth: usize) -> Result<Value> {
    Ok(match ty {
        Type::Text => text(fields.bytes()?).into(),
        Type::Bytes => go::base64_encode(fields.bytes()?).into(),
        Type::Int => Value::Int(fields.number()?.cast_signed()),
        Type::Bool => Value::Bool(fields.number()? != 0),
        Type::Double => double(f64::from_bits(fields.eight()?)),
        Type::Time => time(fields.bytes()?, Precision::Seconds)?,
        Type::MicroTime => time(fields.bytes()?, Precision::Micros)?,
        Type::Quantity => {
            let found = texts("Quantity", "String_", fields.bytes()?)?;
            if found.is_empty() { "0".into() } else { text(found).into() }
        }
        Type::IntOrString => int_or_string(fields.bytes()?)?,
        Type::Json => match texts("RawExtension", "Raw", fields.bytes()?)? {
            [] => Value::Null,
            found => json::read(found).map_err(|why| MessageError::Json(why.text))?,
        },
        Type::Message(name) => message(name, fields.bytes()?, before, depth)?,
    })
}

/// The bytes in the first field of a message that has only one.
fn texts<'b>(message: &'b str, field: &str, bytes: &'b [u8]) -> Result<&'b [u8]> {
    let (mut fields, mut found) = (Fields::of(message, bytes), &[][..]);
    while let Some(tag) = fields.tag()? {
        if tag.number == 1 {
            Fields::check(tag, wire_type::BYTES, || field.to_owned())?;
            found = fields.bytes()?;
        } else {
            fields.skip(tag)?;
        }
    }
    Ok(found)
}

/// A number as JSON has it: without a fraction if it has none.
fn double(number: f64) -> Value {
    json::read(number.to_string().as_bytes()).unwrap_or_default()
}

/// How exactly JSON says a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Precision {
    Seconds,
    Micros,
}

/// A time. The zero of Go's type is an empty message.
fn time(bytes: &[u8], precision: Precision) -> Result<Value> {
    let (mut fields, mut seconds, mut nanos) = (Fields::of("Timestamp", bytes), 0, 0);
    while let Some(tag) = fields.tag()? {
        let (name, place) = match tag.number {
            1 => ("Seconds", &mut seconds),
            2 => ("Nanos", &mut nanos),
            _ => {
                fields.skip(tag)?;
                continue;
            }
        };
        Fields::check(tag, wire_type::NUMBER, || name.to_owned())?;
        *place = fields.number()?.cast_signed();
    }
    // The field has 32 bits in Go.
    let nanos = i64::from(nanos as i32);
    if (seconds, nanos) == (0, 0) {
        return Ok(Value::Null);
    }
    let seconds = seconds.saturating_add(nanos.div_euclid(1_000_000_000));
    // Years with four digits.
    if !(-62_167_219_200..253_402_300_800).contains(&seconds) {
        return Err(MessageError::Time);
    }
    let text = Time { seconds, nanos: 0, offset: 0 }.rfc3339_nano();
    Ok(match precision {
        Precision::Seconds => text.into(),
        Precision::Micros => {
            let (whole, micros) = (text.trim_end_matches('Z'), nanos.rem_euclid(1_000_000_000) / 1000);
            format!("{whole}.{micros:06}Z").into()
        }
    })
}

fn int_or_string(bytes: &[u8]) -> Result<Value> {
    let mut fields = Fields::of("IntOrString", bytes);
    let (mut ty, mut number, mut found) = (0, 0, String::new());
    while let Some(tag) = fields.tag()? {
        match tag.number {
            1 => {
                Fields::check(tag, wire_type::NUMBER, || "Type".to_owned())?;
                ty = fields.number()?;
            }
            2 => {
                Fields::check(tag, wire_type::NUMBER, || "IntVal".to_owned())?;
                number = fields.number()?.cast_signed();
            }
            3 => {
                Fields::check(tag, wire_type::BYTES, || "StrVal".to_owned())?;
                found = text(fields.bytes()?);
            }
            _ => fields.skip(tag)?,
        }
    }
    Ok(if ty == 1 { found.into() } else { Value::Int(number) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> std::result::Result<Value, Problem> {
        super::read(bytes, Expected { api_version: "v1", kind: "ConfigMap" })
    }

    /// A field with bytes.
    fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
        let length = u8::try_from(bytes.len()).expect("a short field");
        [&[number << 3 | 2, length][..], bytes].concat()
    }

    fn body(api_version: &str, kind: &str, raw: &[u8]) -> Vec<u8> {
        let of_type = [field(1, api_version.as_bytes()), field(2, kind.as_bytes())].concat();
        [MAGIC.to_vec(), field(1, &of_type), field(2, raw)].concat()
    }

    #[test]
    fn reads_the_forms_of_fields() {
        let metadata =
            [field(1, b"a"), field(8, &[]), field(11, &[field(1, b"k"), field(2, b"v")].concat())].concat();
        let port = [field(1, b"p"), vec![3 << 3, 80], field(4, &[1 << 3, 0, 2 << 3, 80])].concat();
        let named = [field(1, b"q"), field(4, &[vec![1 << 3, 1], field(3, b"http")].concat())].concat();
        let spec = [field(1, &port), field(1, &named)].concat();
        let raw = [field(1, &metadata), field(2, &spec)].concat();
        assert_eq!(
            json::to_string(&read(&body("v1", "Service", &raw)).expect("a service")),
            r#"{"apiVersion":"v1","kind":"Service","metadata":{"creationTimestamp":null,"labels":{"k":"v"},"name":"a"},"#
                .to_owned()
                + r#""spec":{"ports":[{"name":"p","port":80,"targetPort":80},{"name":"q","targetPort":"http"}]}}"#
        );
        let raw = field(2, &[field(1, b"k"), field(2, b"value")].concat());
        let secret = read(&body("v1", "Secret", &raw)).expect("a secret");
        assert_eq!(json::to_string(secret.get("data").expect("data")), r#"{"k":"dmFsdWU="}"#);
        let volume = [field(1, b"v"), field(2, &field(2, &[]))].concat();
        let pod = read(&body("v1", "Pod", &field(2, &field(1, &volume)))).expect("a pod");
        assert_eq!(
            json::to_string(pod.get("spec").expect("a spec")),
            r#"{"volumes":[{"emptyDir":{},"name":"v"}]}"#
        );
    }

    #[test]
    fn reads_schemas() {
        let of_schema = |schema: &[u8]| {
            let version = field(7, &field(4, &field(1, schema)));
            let crd = read(&body("apiextensions.k8s.io/v1", "CustomResourceDefinition", &field(2, &version)));
            let crd = crd.expect("a CRD");
            let versions = crd.get("spec").and_then(|spec| spec.get("versions")?.as_list());
            let first = versions.and_then(<[Value]>::first).expect("a version");
            let schema = first.get("schema").and_then(|schema| schema.get("openAPIV3Schema"));
            json::to_string(schema.expect("a schema"))
        };
        let bounded =
            [vec![9 << 3 | 1], 1.5f64.to_le_bytes().to_vec(), vec![11 << 3 | 1], 2f64.to_le_bytes().to_vec()];
        assert_eq!(of_schema(&bounded.concat()), r#"{"maximum":1.5,"minimum":2}"#);
        let text = field(5, b"string");
        let allowed = |allows: u8| {
            [vec![1 << 3, allows], if allows == 2 { field(2, &text) } else { Vec::new() }].concat()
        };
        for (allows, expected) in [(0, "false"), (1, "true"), (2, r#"{"type":"string"}"#)] {
            let found = of_schema(
                &[vec![30 << 3 | 2 & 0x7f | 0x80, 1], vec![allowed(allows).len() as u8], allowed(allows)]
                    .concat(),
            );
            assert_eq!(found, format!(r#"{{"additionalProperties":{expected}}}"#));
        }
        let default = field(8, &field(1, b"[1]"));
        assert_eq!(of_schema(&default), r#"{"default":[1]}"#);
    }

    #[test]
    fn rejects_everything_else_without_a_panic() {
        let good = body("v1", "ConfigMap", &field(2, &[field(1, b"k"), field(2, b"v")].concat()));
        assert!(read(&good).is_ok());
        for end in 0..good.len() {
            _ = read(&good[..end]);
        }
        for index in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[index] ^= 1 << bit;
                _ = read(&bad);
            }
        }
    }

    /// The words are those of kube-apiserver.
    #[test]
    fn says_what_is_broken() {
        let metadata = field(1, &field(1, b"a"));
        let with = |more: &[u8]| body("v1", "ConfigMap", &[metadata.clone(), more.to_vec()].concat());
        let why = |bytes: &[u8]| match read(bytes).expect_err("broken") {
            Problem::Envelope(why) => format!("envelope: {why}"),
            Problem::Message { api_version, kind, why } => format!("{api_version} {kind}: {why}"),
        };
        for (bytes, expected) in [
            (Vec::new(), "envelope: empty data"),
            (
                b"{}".to_vec(),
                "envelope: provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
            ),
            (MAGIC.to_vec(), "envelope: empty body"),
            ([MAGIC, &[0xff, 0xff]].concat(), "envelope: unexpected EOF"),
            ([&with(b""), &[1][..]].concat(), "envelope: proto: Unknown: illegal tag 0 (wire type 1)"),
            ([MAGIC, &[1 << 3, 1]].concat(), "envelope: proto: wrong wireType = 0 for field TypeMeta"),
            ([MAGIC, &[2 << 3, 3]].concat(), "envelope: proto: wrong wireType = 0 for field Raw"),
            (with(&[0x0a, 0x7f]), "v1 ConfigMap: unexpected EOF"),
            (with(&[0x0e]), "v1 ConfigMap: proto: wrong wireType = 6 for field ObjectMeta"),
            (with(&[4 << 3 | 2, 0]), "v1 ConfigMap: proto: wrong wireType = 2 for field Immutable"),
            (with(&[0x9f, 0x06]), "v1 ConfigMap: proto: illegal wireType 7"),
            (with(&[0x9c, 0x06]), "v1 ConfigMap: proto: ConfigMap: wiretype end group for non-group"),
            (with(&[0, 1]), "v1 ConfigMap: proto: ConfigMap: illegal tag 0 (wire type 0)"),
            (with(&[0xff; 11]), "v1 ConfigMap: proto: integer overflow"),
            (
                with(&[&[0x0a][..], &[0xff; 9], &[1]].concat()),
                "v1 ConfigMap: proto: negative length found during unmarshaling",
            ),
            (with(&[2 << 3 | 2, 2, 1 << 3, 3]), "v1 ConfigMap: unexpected EOF"),
            (
                body("v1", "ConfigMap", &field(1, &[7 << 3 | 2, 0])),
                "v1 ConfigMap: proto: wrong wireType = 2 for field Generation",
            ),
        ] {
            assert_eq!(why(&bytes), expected, "{bytes:x?}");
        }
    }

    #[test]
    fn reads_what_go_reads() {
        let metadata = field(1, &field(1, b"a"));
        let good = read(&body("v1", "ConfigMap", &metadata)).expect("a body");
        for more in [
            // A group, an unknown field of four bytes, and the metadata in two parts.
            vec![0x9b, 0x06, 0x08, 1, 0x9c, 0x06],
            vec![0x9d, 0x06, 1, 2, 3, 4],
            field(1, &[]),
        ] {
            assert_eq!(read(&body("v1", "ConfigMap", &[metadata.clone(), more].concat())), Ok(good.clone()));
        }
        // The type is that of the path, and an encoding means nothing.
        for (api_version, kind) in [("", "ConfigMap"), ("v1", ""), ("", "")] {
            assert_eq!(read(&body(api_version, kind, &metadata)), Ok(good.clone()));
        }
        let encoded = [body("v1", "ConfigMap", &metadata), field(3, b"gzip")].concat();
        assert_eq!(read(&encoded), Ok(good));
        let other = json::read(br#"{"apiVersion":"example.com/v1","kind":"Thing"}"#).expect("JSON");
        assert_eq!(read(&body("example.com/v1", "Thing", &metadata)), Ok(other));
        let data = read(&body("v1", "ConfigMap", &field(2, &field(1, b"k")))).expect("a body");
        assert_eq!(json::to_string(data.get("data").expect("data")), r#"{"k":""}"#);
        let text = read(&body("v1", "ConfigMap", &field(2, &field(2, b"\xff")))).expect("a body");
        assert_eq!(json::to_string(text.get("data").expect("data")), "{\"\":\"\u{fffd}\"}");
    }

    #[test]
    fn reads_options_and_reviews() {
        let options =
            read(&body("meta.k8s.io/v1", "DeleteOptions", &field(4, b"Foreground"))).expect("options");
        assert_eq!(options.get("propagationPolicy").and_then(Value::as_str), Some("Foreground"));
        let extra = [field(1, b"k"), field(2, &field(1, b"v"))].concat();
        let review = body("authorization.k8s.io/v1", "SubjectAccessReview", &field(2, &field(5, &extra)));
        let review = read(&review).expect("a review");
        assert_eq!(json::to_string(review.get("spec").expect("a spec")), r#"{"extra":{"k":["v"]}}"#);
    }

    #[test]
    fn the_table_has_every_message_that_it_names() {
        for (name, fields) in table::all() {
            for field in fields {
                if let Type::Message(inner) = field.ty {
                    assert!(table::message(inner).is_some(), "{name}: {inner}");
                }
            }
        }
    }
}
