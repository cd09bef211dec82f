//! Values as messages show them, which is as Go prints them.

use std::fmt;

use crate::go;

use super::{Map, Opaque, Val};

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
            Val::Preserved(json) => f.write_str(&crate::json::to_string(json)),
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
