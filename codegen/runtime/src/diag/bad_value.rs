//! The value that an error complains about, in the form in which the server prints it.

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
    /// A value that Go holds in a pointer or in a named string type. It is printed as JSON.
    Json(Value),
    /// A struct, with its fields in the order of the Go type.
    Struct(Vec<(&'static str, BadValue)>),
    /// A slice of structs.
    List(Vec<BadValue>),
    /// A map to structs.
    Map(Map<BadValue>),
}

impl BadValue {
    /// The text in the server's message.
    pub fn text(&self) -> String {
        match self {
            BadValue::Plain(Value::Str(s)) => go::quote(s),
            BadValue::Plain(Value::Float(f)) => go::float_g(&format!("{f:e}")),
            BadValue::Plain(other) | BadValue::Json(other) => json::to_html_safe(other),
            BadValue::Struct(_) | BadValue::List(_) | BadValue::Map(_) => {
                let mut out = String::new();
                self.write(&mut out);
                out
            }
        }
    }

    /// The same value as servers print it that make no difference between strings and pointers to them.
    #[must_use]
    pub fn dereferenced(self) -> BadValue {
        match self {
            BadValue::Json(value) => BadValue::Plain(value),
            other => other,
        }
    }

    /// Whether this is a single string, number or boolean, or `null`.
    pub fn is_scalar(&self) -> bool {
        match self {
            BadValue::Plain(value) | BadValue::Json(value) => {
                !matches!(value, Value::List(_) | Value::Map(_))
            }
            BadValue::Struct(_) | BadValue::List(_) | BadValue::Map(_) => false,
        }
    }

    /// The value without the order of struct fields.
    pub fn to_value(&self) -> Value {
        match self {
            BadValue::Plain(value) | BadValue::Json(value) => value.clone(),
            BadValue::Struct(fields) => {
                fields.iter().map(|(name, value)| (*name, value.to_value())).collect::<Map<Value>>().into()
            }
            BadValue::List(items) => Value::List(items.iter().map(BadValue::to_value).collect()),
            BadValue::Map(entries) => {
                entries.iter().map(|(key, value)| (key, value.to_value())).collect::<Map<Value>>().into()
            }
        }
    }

    /// Appends what Go's `encoding/json` writes.
    fn write(&self, out: &mut String) {
        match self {
            BadValue::Plain(value) | BadValue::Json(value) => out.push_str(&json::to_html_safe(value)),
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
    fn strings_behind_pointers_are_json() {
        assert_eq!(BadValue::from("a\u{7f}<b>").text(), r#""a\x7f<b>""#);
        assert_eq!(BadValue::Json("a\u{7f}<b>".into()).text(), "\"a\u{7f}\\u003cb\\u003e\"");
    }
}
