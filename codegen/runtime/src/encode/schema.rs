//! Schemas and rules.

use super::object::{Object, all, float};
use crate::ir::{Dependency, ExternalDocs, Held, Keyword, Rule, Schema};
use crate::value::{Map, Value};

/// A schema as it stands in a definition.
pub fn schema(schema: &Schema) -> Value {
    let mut out = Object::new();
    for keyword in Keyword::ALL.iter().copied() {
        if let Some(value) = schema.held(keyword).and_then(held) {
            out = out.set(keyword.name(), value);
        }
    }
    out.build()
}

/// What is held for a keyword, as it stands in a definition. Not all of it does.
fn held(held: Held<'_>) -> Option<Value> {
    Some(match held {
        Held::Flag(flag) => flag.into(),
        Held::Text(text) => text.into(),
        Held::Number(number) => float(number),
        Held::Count(count) => count.into(),
        Held::Texts(texts) => all(texts, |text| text.as_str().into()),
        Held::Value(value) => value.clone(),
        Held::Values(values) => Value::List(values.to_vec()),
        Held::Schema(below) => schema(below),
        // Such `items` only stand for what could not be read.
        Held::Schemas([]) => return None,
        Held::Schemas(below) => all(below, schema),
        Held::Fields(fields) => named(fields, schema),
        Held::Dependencies(dependencies) => named(dependencies, dependency),
        Held::Rules(rules) => all(rules, rule),
        // No server knows them.
        Held::Unions(_) => return None,
        Held::Docs(it) => docs(it),
    })
}

/// A validation rule as it stands in a definition.
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
