//! Structural schemas as the published documents contain them. Inside junctors, only the keywords are written that
//! structural schemas allow there.

use crate::ir::{ExternalDocs, FieldUnion, Keyword, KeywordValue, Position, Rule, Schema};
use crate::json;
use crate::value::{Map, Value};

/// The members of an object under construction. They are sorted once, when it is complete.
pub(super) type Members = Vec<(&'static str, Value)>;

/// A schema at a structural position.
pub(super) fn structural(schema: &Schema) -> Value {
    write(schema, structural, |_| true)
}

/// A schema inside `allOf`, `anyOf`, `oneOf` or `not`; `additionalProperties` is not published there.
fn nested(schema: &Schema) -> Value {
    write(schema, nested, |keyword| keyword != Keyword::AdditionalProperties)
}

/// Writes the wanted keywords of a schema. `below` writes the schemas of fields, items and values.
fn write(schema: &Schema, below: fn(&Schema) -> Value, wanted: fn(Keyword) -> bool) -> Value {
    // Structural schemas do not have the other keywords.
    let published = |keyword: Keyword| keyword.position() != Position::Nowhere && wanted(keyword);
    let mut out = Members::new();
    schema.each_keyword(&mut |keyword, set| {
        let below = if is_junctor(keyword) { nested } else { below };
        if published(keyword)
            && let Some(value) = value(keyword, set, below)
        {
            out.push((keyword.name(), value));
        }
    });
    finish(out)
}

fn is_junctor(keyword: Keyword) -> bool {
    matches!(keyword, Keyword::AllOf | Keyword::AnyOf | Keyword::OneOf | Keyword::Not)
}

/// A keyword as the server publishes it, or none if the server leaves it out.
fn value(keyword: Keyword, value: KeywordValue<'_>, below: fn(&Schema) -> Value) -> Option<Value> {
    Some(match value {
        KeywordValue::Flag(false) if keyword != Keyword::AdditionalProperties => return None,
        KeywordValue::Flag(flag) => flag.into(),
        KeywordValue::Text(text) => text.into(),
        KeywordValue::Number(number) => Value::Float(number),
        KeywordValue::Count(count) => count.into(),
        KeywordValue::Texts(texts) => strings(texts),
        KeywordValue::Value(value) if keyword == Keyword::Example && is_empty(value) => return None,
        KeywordValue::Value(value) => stored(value),
        KeywordValue::Values(values) => Value::List(values.iter().map(stored).collect()),
        KeywordValue::Schema(schema) => below(schema),
        KeywordValue::Schemas(_) if keyword == Keyword::Items => return None,
        KeywordValue::Schemas(schemas) => Value::List(schemas.iter().map(below).collect()),
        KeywordValue::Fields(fields) => {
            fields.iter().map(|(n, s)| (n, below(s))).collect::<Map<Value>>().into()
        }
        KeywordValue::Rules(rules) => Value::List(rules.iter().map(rule).collect()),
        KeywordValue::Unions(unions) => Value::List(unions.iter().map(union).collect()),
        KeywordValue::Docs(it) => docs(it),
        KeywordValue::Dependencies(_) => return None,
    })
}

/// An object of these members.
pub(super) fn finish(members: Members) -> Value {
    Value::Map(members.into_iter().collect())
}

fn docs(docs: &ExternalDocs) -> Value {
    let ExternalDocs { description, url } = docs;
    let mut out = Members::new();
    text("description", description, &mut out);
    text("url", url, &mut out);
    finish(out)
}

fn union(union: &FieldUnion) -> Value {
    let FieldUnion { discriminator, fields } = union;
    let fields: Map<Value> = fields.iter().map(|(name, value)| (name, value.as_str().into())).collect();
    let mut out: Members = vec![("fields", fields.into())];
    text("discriminator", discriminator, &mut out);
    finish(out)
}

fn rule(rule: &Rule) -> Value {
    let Rule { rule, message, message_expression, reason, field_path, optional_old_self } = rule;
    let mut out: Members = vec![("rule", rule.as_str().into())];
    text("message", message, &mut out);
    text("messageExpression", message_expression, &mut out);
    if let Some(reason) = reason {
        out.push(("reason", reason.as_str().into()));
    }
    text("fieldPath", field_path, &mut out);
    if let Some(optional) = optional_old_self {
        out.push(("optionalOldSelf", Value::Bool(*optional)));
    }
    finish(out)
}

fn text(key: &'static str, text: &str, out: &mut Members) {
    if !text.is_empty() {
        out.push((key, text.into()));
    }
}

fn strings(items: &[String]) -> Value {
    Value::List(items.iter().map(|s| s.as_str().into()).collect())
}

/// A value after the server has stored it and read it back: minus zero becomes 0.
fn stored(value: &Value) -> Value {
    let mut value = value.clone();
    json::read_back(&mut value);
    value
}

/// Whether Go's `omitempty` leaves the value out of an example.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Str(s) => s.is_empty(),
        Value::List(items) => items.is_empty(),
        Value::Map(members) => members.is_empty(),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => false,
    }
}
