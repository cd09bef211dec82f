//! Schemas and rules.

use super::object::{Object, all, float};
use crate::ir::{Dependency, ExternalDocs, KeywordValue, Rule, Schema};
use crate::value::{Map, Value};

/// Encodes a schema as it is written in a CRD.
pub fn schema(schema: &Schema) -> Value {
    let mut out = Vec::new();
    schema.each_keyword(&mut |keyword, set| out.extend(value(set).map(|it| (keyword.name().to_owned(), it))));
    Value::Map(Map::sorted(out))
}

/// A keyword as a CRD contains it. Some values are never written.
fn value(value: KeywordValue<'_>) -> Option<Value> {
    Some(match value {
        KeywordValue::Flag(flag) => flag.into(),
        KeywordValue::Text(text) => text.into(),
        KeywordValue::Number(number) => float(number),
        KeywordValue::Count(count) => count.into(),
        KeywordValue::Texts(texts) => all(texts, |text| text.as_str().into()),
        KeywordValue::Value(value) => value.clone(),
        KeywordValue::Values(values) => Value::List(values.to_vec()),
        KeywordValue::Schema(below) => schema(below),
        // An empty list represents `items` that could not be read.
        KeywordValue::Schemas([]) => return None,
        KeywordValue::Schemas(below) => all(below, schema),
        KeywordValue::Fields(fields) => named(fields, schema),
        KeywordValue::Dependencies(dependencies) => named(dependencies, dependency),
        KeywordValue::Rules(rules) => all(rules, rule),
        // Servers do not know unions.
        KeywordValue::Unions(_) => return None,
        KeywordValue::Docs(it) => docs(it),
    })
}

/// Encodes a validation rule as it is written in a CRD.
pub fn rule(rule: &Rule) -> Value {
    let Rule { rule, message, message_expression, reason, field_path, optional_old_self } = rule;
    Object::new()
        .text("fieldPath", field_path)
        .text("message", message)
        .text("messageExpression", message_expression)
        .some("optionalOldSelf", *optional_old_self)
        .some("reason", reason.as_deref())
        .set("rule", rule.as_str())
        .build()
}

fn named<T>(map: &Map<T>, write: impl Fn(&T) -> Value) -> Value {
    Value::Map(map.iter().map(|(name, item)| (name, write(item))).collect())
}

fn dependency(dependency: &Dependency) -> Value {
    match dependency {
        Dependency::Schema(value) => schema(value),
        Dependency::Properties(names) if names.is_empty() => Value::Null,
        Dependency::Properties(names) => Value::from(names.clone()),
        Dependency::Nothing => Value::Null,
    }
}

fn docs(docs: &ExternalDocs) -> Value {
    let ExternalDocs { description, url } = docs;
    Object::new().text("description", description).text("url", url).build()
}
