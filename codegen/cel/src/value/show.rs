//! Values in messages, as Go prints them.

use std::fmt;

use crdgen_text::go;

use super::work::Work;
use super::{Error, Map, Opaque, Outcome, Val};

impl fmt::Display for Val<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Val::Null => f.write_str("NULL_VALUE"),
            Val::Bool(b) => write!(f, "{b}"),
            Val::Int(i) => write!(f, "{i}"),
            Val::Uint(u) => write!(f, "{u}"),
            Val::Double(d) => f.write_str(&go::number::format_g(*d)),
            Val::Str(s) => f.write_str(s),
            Val::Bytes(b) => {
                f.write_str("[")?;
                for (i, byte) in b.iter().enumerate() {
                    write!(f, "{}{byte}", if i > 0 { " " } else { "" })?;
                }
                f.write_str("]")
            }
            Val::Duration(d) => f.write_str(&go::duration::format(*d)),
            Val::Timestamp(t) => write!(f, "{t}"),
            Val::List(list) => {
                f.write_str("[")?;
                for (i, item) in list.iter().enumerate() {
                    f.write_str(if i > 0 { ", " } else { "" })?;
                    match item {
                        Ok(item) => write!(f, "{item}")?,
                        Err(e) => write!(f, "{e}")?,
                    }
                }
                f.write_str("]")
            }
            Val::Map(map) => show_map(map, f),
            Val::Optional(None) => f.write_str("optional.none()"),
            Val::Optional(Some(v)) => write!(f, "optional({v})"),
            Val::Type(name) => f.write_str(name),
            Val::Opaque(Opaque::Ip(ip)) => write!(f, "{ip}"),
            Val::Opaque(Opaque::Cidr(prefix)) => write!(f, "{prefix}"),
            Val::Opaque(Opaque::Url(url)) => write!(f, "{url}"),
            Val::Opaque(Opaque::Quantity { quantity, computed: _ }) => write!(f, "{quantity}"),
            Val::Opaque(Opaque::Semver(version)) => write!(f, "{version}"),
            Val::Opaque(Opaque::Format(format)) => f.write_str(format.name),
            Val::Opaque(Opaque::Message(_)) => f.write_str("*types.protoObj"),
            Val::Opaque(Opaque::Object(object)) => f.write_str(object.type_name()),
            Val::Opaque(Opaque::Error(error)) => write!(f, "{error}"),
            Val::Preserved(json) => f.write_str(&crdgen_text::json::to_string(json)),
        }
    }
}

fn show_map(map: &Map<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("{")?;
    for (i, (key, value)) in map.entries().into_iter().enumerate() {
        write!(f, "{}{key}: ", if i > 0 { ", " } else { "" })?;
        match value {
            Ok(value) => write!(f, "{value}")?,
            Err(e) => write!(f, "{e}")?,
        }
    }
    f.write_str("}")
}

impl Val<'_> {
    /// Returns a text for the value, similar to a CEL literal. Values with the same text are equal and have the same
    /// type. Fails if the text is too long.
    pub fn literal(&self) -> Result<String, Error> {
        self.literal_within(&Work::default())
    }

    fn literal_within(&self, work: &Work) -> Result<String, Error> {
        let text = match self {
            Val::Null => "null".to_owned(),
            Val::Bool(b) => b.to_string(),
            Val::Int(i) => i.to_string(),
            Val::Uint(u) => format!("{u}u"),
            Val::Double(d) if d.is_finite() => go::number::format_f(*d) + "d",
            Val::Double(d) => format!("double({})", go::number::format_g(*d)),
            Val::Str(s) => {
                work.bytes(s.len())?;
                quoted(s)
            }
            Val::Bytes(b) => b.iter().fold("b".to_owned(), |out, byte| out + &format!("{byte:02x}")),
            Val::Duration(d) => format!("duration({d})"),
            Val::Timestamp(t) => format!("timestamp({})", t.rfc3339_nano()),
            Val::Optional(None) => "none".to_owned(),
            Val::Optional(Some(v)) => format!("some({})", v.literal_within(work)?),
            Val::Type(name) => format!("type({})", &**name),
            Val::Opaque(Opaque::Ip(ip)) => format!("ip({ip})"),
            Val::Opaque(Opaque::Cidr(prefix)) => format!("cidr({prefix})"),
            Val::Opaque(Opaque::Url(url)) => format!("url({url})"),
            Val::Opaque(Opaque::Quantity { quantity, computed: _ }) => {
                format!("quantity({})", go::number::format_g(quantity.as_float()))
            }
            Val::Opaque(Opaque::Semver(version)) => format!("semver({version})"),
            Val::Opaque(Opaque::Format(format)) => format!("format({})", format.name),
            Val::Opaque(Opaque::Message(_)) => "*types.protoObj".to_owned(),
            Val::Opaque(Opaque::Object(object)) => object.type_name().to_owned(),
            Val::Opaque(Opaque::Error(error)) => error.to_string(),
            Val::List(list) => {
                let items: Result<Vec<_>, _> = list.iter().map(|item| shown(item, work)).collect();
                format!("[{}]", items?.join(", "))
            }
            Val::Map(map) => {
                let entry = |(k, v): (Val<'_>, Outcome<'_>)| {
                    Ok(format!("{}: {}", k.literal_within(work)?, shown(v, work)?))
                };
                let entries: Result<Vec<_>, Error> = map.entries().into_iter().map(entry).collect();
                let mut entries = entries?;
                entries.sort();
                format!("{{{}}}", entries.join(", "))
            }
            Val::Preserved(_) => "*common.unknownPreserved".to_owned(),
        };
        work.bytes(text.len())?;
        Ok(text)
    }
}

fn shown(value: Outcome<'_>, work: &Work) -> Result<String, Error> {
    match value {
        Ok(value) => value.literal_within(work),
        Err(e) => Ok(format!("error({e})")),
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    crdgen_text::json::write_str(text, &mut out);
    out
}
