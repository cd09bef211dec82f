//! The value in an error, as the server prints it.

use crate::go;
use crate::json;
use crate::value::{Map, Value};

/// The value of an error. Most are values of the document, but some are structs of the server's own
/// code, whose fields keep the order of the Go type.
#[derive(Clone, Debug, PartialEq)]
pub enum BadValue {
    /// A string, number, list or object as the document has it. Strings and floats are printed as
    /// Go's `%q` and `%v` print them.
    Plain(Value),
    /// A value behind a pointer, or of a named string type, in Go. It is printed as JSON.
    Json(Value),
    /// A struct, with its fields in the order of the Go type.
    Struct(Vec<(&'static str, BadValue)>),
    /// A slice of structs.
    List(Vec<BadValue>),
    /// A map to structs.
    Map(Map<BadValue>),
    /// A time, or `null`.
    Time(Value),
    /// Bytes, which are base64 in JSON.
    Bytes(Vec<u8>),
    /// A slice of strings, where [`BadValue::Plain`] would be a slice of any values; or a nil slice, `null`.
    Strings(Option<Vec<String>>),
    /// A value and the text that a server before 1.34 prints.
    Printed(Value, String),
}

impl BadValue {
    /// Returns the text in the server's message.
    pub fn text(&self) -> String {
        match self {
            BadValue::Plain(Value::Str(s)) => go::quote(s),
            BadValue::Plain(Value::Float(f)) => go::number::format_g(*f),
            BadValue::Plain(other) | BadValue::Json(other) | BadValue::Time(other) => {
                json::to_html_safe(other)
            }
            BadValue::Bytes(_) | BadValue::Strings(_) => json::to_html_safe(&self.to_value()),
            BadValue::Printed(_, text) => text.clone(),
            BadValue::Struct(_) | BadValue::List(_) | BadValue::Map(_) => {
                let mut out = String::new();
                self.write(&mut out);
                out
            }
        }
    }

    /// Returns the value as servers before 1.34 print it: the target of a pointer, `null` in quotes, and lists and maps as Go
    /// source. Structs stay as newer servers print them, because older ones print memory addresses.
    #[must_use]
    pub fn before_34(self) -> BadValue {
        let text = match &self {
            BadValue::Plain(Value::Null) | BadValue::Json(Value::Null) => go::quote("null"),
            BadValue::Plain(value @ (Value::List(_) | Value::Map(_))) => json::go_source(value),
            BadValue::Json(value @ (Value::List(_) | Value::Map(_))) => json::go_source(value),
            BadValue::Json(value) => return BadValue::Plain(value.clone()),
            BadValue::Time(time) => go_time(time),
            BadValue::Bytes(bytes) => {
                let bytes: Vec<String> = bytes.iter().map(|b| format!("{b:#x}")).collect();
                format!("[]byte{{{}}}", bytes.join(", "))
            }
            BadValue::Strings(None) => "[]string(nil)".to_owned(),
            BadValue::Strings(Some(items)) => {
                let items: Vec<String> = items.iter().map(|item| go::quote(item)).collect();
                format!("[]string{{{}}}", items.join(", "))
            }
            BadValue::Plain(_)
            | BadValue::Struct(_)
            | BadValue::List(_)
            | BadValue::Map(_)
            | BadValue::Printed(..) => return self,
        };
        BadValue::Printed(self.to_value(), text)
    }

    /// Whether this is a single string, number or boolean, or `null`.
    pub fn is_scalar(&self) -> bool {
        match self {
            BadValue::Plain(value)
            | BadValue::Json(value)
            | BadValue::Time(value)
            | BadValue::Printed(value, _) => !matches!(value, Value::List(_) | Value::Map(_)),
            BadValue::Bytes(_) => true,
            BadValue::Strings(_) | BadValue::Struct(_) | BadValue::List(_) | BadValue::Map(_) => false,
        }
    }

    /// Returns the value as plain JSON. The order of struct fields is lost.
    pub fn to_value(&self) -> Value {
        match self {
            BadValue::Plain(value)
            | BadValue::Json(value)
            | BadValue::Time(value)
            | BadValue::Printed(value, _) => value.clone(),
            BadValue::Bytes(bytes) => go::base64_encode(bytes).into(),
            BadValue::Strings(items) => items.clone().map_or(Value::Null, Value::from),
            BadValue::Struct(fields) => {
                fields.iter().map(|(name, value)| (*name, value.to_value())).collect::<Map<Value>>().into()
            }
            BadValue::List(items) => Value::List(items.iter().map(BadValue::to_value).collect()),
            BadValue::Map(entries) => {
                entries.iter().map(|(key, value)| (key, value.to_value())).collect::<Map<Value>>().into()
            }
        }
    }

    /// Appends the same text that Go's `encoding/json` writes.
    fn write(&self, out: &mut String) {
        match self {
            BadValue::Plain(_)
            | BadValue::Json(_)
            | BadValue::Time(_)
            | BadValue::Bytes(_)
            | BadValue::Strings(_)
            | BadValue::Printed(..) => out.push_str(&json::to_html_safe(&self.to_value())),
            BadValue::Struct(fields) => write_members(fields.iter().map(|(name, value)| (*name, value)), out),
            BadValue::Map(entries) => write_members(entries.iter(), out),
            BadValue::List(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
        }
    }
}

fn write_members<'a>(members: impl Iterator<Item = (&'a str, &'a BadValue)>, out: &mut String) {
    out.push('{');
    for (i, (key, value)) in members.enumerate() {
        if i > 0 {
            out.push(',');
        }
        out.push_str(&json::to_html_safe(&key.into()));
        out.push(':');
        value.write(out);
    }
    out.push('}');
}

/// A time in UTC, as Go prints it.
fn go_time(time: &Value) -> String {
    match time.as_str().and_then(|text| text.strip_suffix('Z')?.split_once('T')) {
        Some((day, clock)) => format!("{day} {clock} +0000 UTC"),
        None => go::quote("null"),
    }
}

impl<T: Into<Value>> From<T> for BadValue {
    fn from(value: T) -> BadValue {
        BadValue::Plain(value.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_keep_the_order_of_their_fields() {
        let rule = BadValue::Struct(vec![("Rule", "a < b".into()), ("Message", Value::Null.into())]);
        assert_eq!(rule.text(), r#"{"Rule":"a \u003c b","Message":null}"#);
        assert_eq!(BadValue::List(vec![rule.clone(), rule]).text().matches("Rule").count(), 2);
    }

    #[test]
    fn before_34_values_are_go_source() {
        let text = |bad: BadValue| bad.before_34().text();
        let map: Map<Value> =
            [("a", Value::Null), ("b", vec![Value::Int(1), 1e21.into(), "x".into()].into())]
                .into_iter()
                .collect();
        assert_eq!(
            text(Value::Map(map).into()),
            r#"map[string]interface {}{"a":interface {}(nil), "b":[]interface {}{1, 1e+21, "x"}}"#
        );
        assert_eq!(text(BadValue::Json("<a>".into())), r#""<a>""#);
        assert_eq!(text(BadValue::Json(Value::Null)), r#""null""#);
        assert_eq!(text(BadValue::Time("2025-01-01T00:00:00Z".into())), "2025-01-01 00:00:00 +0000 UTC");
        assert_eq!(text(BadValue::Bytes(vec![1, 255])), "[]byte{0x1, 0xff}");
        assert_eq!(text(BadValue::Strings(Some(vec!["v1".to_owned()]))), r#"[]string{"v1"}"#);
    }

    #[test]
    fn strings_behind_pointers_are_json() {
        assert_eq!(BadValue::from("a\u{7f}<b>").text(), r#""a\x7f<b>""#);
        assert_eq!(BadValue::Json("a\u{7f}<b>".into()).text(), "\"a\u{7f}\\u003cb\\u003e\"");
    }
}
