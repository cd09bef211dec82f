//! The difference between the schema that a Rust type has by itself and the wanted schema, as keys of `#[schema(…)]`.
//! If the result of [`difference`] is applied to the base, the result is the wanted schema. This makes the generated
//! types exact.

use super::model::{Arg, Json, Keyword};
use crate::encode;
use crate::ir::{self, Additional, ExternalDocs, KeywordValue, Limits, Rule, Schema};
use crate::value::{Map, Value, whole};

/// The keys that turn `base` into `wanted`. The caller handles descriptions and the schemas of properties, items and
/// values, so they are assumed to be equal.
pub(super) fn difference(base: &Schema, wanted: &Schema) -> Vec<Keyword> {
    if wanted.ext.int_or_string && !base.ext.int_or_string && base.ty.is_some() {
        // The key removes the type and its format.
        let limits = Limits { format: String::new(), ..base.limits.clone() };
        return difference(&Schema { ty: None, limits, ..base.clone() }, wanted);
    }
    let mut out = Out::default();
    for keyword in ir::Keyword::ALL.iter().copied() {
        out.difference(keyword, base, wanted);
    }
    out.finish()
}

fn allowed(schema: &Schema) -> Option<bool> {
    match schema.additional_properties {
        Some(Additional::Allow(allowed)) => Some(allowed),
        Some(Additional::Schema(_)) | None => None,
    }
}

/// A whole number is written as an integer.
fn number(f: f64) -> Value {
    whole(f).map_or(Value::Float(f), Value::Int)
}

fn external(docs: &ExternalDocs) -> Vec<Keyword> {
    let ExternalDocs { description, url } = docs;
    let mut out = Out::default();
    out.text("url", "", url);
    out.text("description", "", description);
    out.finish()
}

/// A rule. If it has nothing but the expression: `rule = "…"`.
pub(super) fn rule(rule: &Rule) -> Keyword {
    let Rule { rule, message, message_expression, reason, field_path, optional_old_self } = rule;
    let mut out = Out::default();
    out.text("message", "", message);
    out.text("message_expression", "", message_expression);
    out.value("reason", None, reason.as_deref());
    out.text("field_path", "", field_path);
    out.value("optional_old_self", None, *optional_old_self);
    let more = out.finish();
    let expression = Keyword::json("rule", rule.as_str());
    if more.is_empty() {
        return expression;
    }
    Keyword::nested("rule", std::iter::once(expression).chain(more).collect())
}

/// `raw = {…}`: a whole schema except its description.
pub(super) fn raw(schema: &Schema) -> Keyword {
    let plain = Schema { description: String::new(), ..schema.clone() };
    Keyword::json("raw", encode::schema(&plain))
}

/// `property("name", {…})`
pub(super) fn property(name: &str, schema: &Schema) -> Keyword {
    Keyword { key: "property", arg: Arg::Named(name.to_owned(), Json(encode::schema(schema))) }
}

/// The keys found so far, and the keys of the base that must be removed.
#[derive(Default)]
struct Out {
    keys: Vec<Keyword>,
    gone: Vec<Keyword>,
}

impl Out {
    fn push(&mut self, keyword: Keyword) {
        self.keys.push(keyword);
    }

    fn gone(&mut self, key: &'static str) {
        self.gone.push(Keyword::flag(key));
    }

    /// Adds the keys for one keyword.
    fn difference(&mut self, keyword: ir::Keyword, base: &Schema, wanted: &Schema) {
        // Structural schemas do not have keywords that attributes cannot express. Unions are unfolded before.
        let Some(key) = keyword.key() else { return };
        match keyword {
            // The caller handles these.
            ir::Keyword::Description | ir::Keyword::Properties | ir::Keyword::Items => return,
            ir::Keyword::AdditionalProperties => return self.value(key, allowed(base), allowed(wanted)),
            ir::Keyword::Nullable if base.nullable && !wanted.nullable => {
                return self.push(Keyword::json(key, false));
            }
            ir::Keyword::AllOf => return self.junctor(key, &base.limits.all_of, &wanted.limits.all_of),
            ir::Keyword::AnyOf => return self.junctor(key, &base.limits.any_of, &wanted.limits.any_of),
            ir::Keyword::OneOf => return self.junctor(key, &base.limits.one_of, &wanted.limits.one_of),
            // A second `not` would be joined with the first, so that is removed first.
            ir::Keyword::Not
                if base.limits.not.is_some()
                    && wanted.limits.not.is_some()
                    && base.limits.not != wanted.limits.not =>
            {
                self.gone(key);
            }
            ir::Keyword::Validations if !base.rules.is_empty() => return,
            _ => {}
        }
        match (base.get(keyword), wanted.get(keyword)) {
            (base, wanted) if base == wanted => {}
            (_, None) => self.gone(key),
            (_, Some(value)) => match value {
                KeywordValue::Flag(true) => self.push(Keyword::flag(key)),
                KeywordValue::Flag(false) => self.push(Keyword::json(key, false)),
                KeywordValue::Text(text) => self.push(Keyword::json(key, text)),
                KeywordValue::Number(f) => self.push(Keyword::json(key, number(f))),
                KeywordValue::Count(count) => self.push(Keyword::json(key, count)),
                KeywordValue::Texts(texts) => self.push(Keyword::json(key, texts.to_vec())),
                KeywordValue::Value(value) => self.push(Keyword::json(key, value.clone())),
                KeywordValue::Values(values) => self.push(Keyword::json(key, Value::List(values.to_vec()))),
                KeywordValue::Schema(schema) => self.push(Keyword::json(key, encode::schema(schema))),
                KeywordValue::Rules(rules) => rules.iter().for_each(|r| self.push(rule(r))),
                KeywordValue::Docs(docs) => self.push(Keyword::nested(key, external(docs))),
                // Handled above, or never written.
                KeywordValue::Schemas(_)
                | KeywordValue::Fields(_)
                | KeywordValue::Dependencies(_)
                | KeywordValue::Unions(_) => {}
            },
        }
    }

    fn text(&mut self, key: &'static str, base: &str, wanted: &str) {
        let some = |s: &str| (!s.is_empty()).then(|| Value::from(s));
        self.value(key, some(base), some(wanted));
    }

    fn value<T: Into<Value>>(&mut self, key: &'static str, base: Option<T>, wanted: Option<T>) {
        match (base.map(Into::into), wanted.map(Into::into)) {
            (Some(base), Some(wanted)) if base == wanted => {}
            (_, Some(wanted)) => self.push(Keyword::json(key, wanted)),
            (Some(_), None) => self.gone(key),
            (None, None) => {}
        }
    }

    /// The keys append to the schemas that the base has, so those are removed first.
    fn junctor(&mut self, key: &'static str, base: &[Schema], wanted: &[Schema]) {
        let schemas = |all: &[Schema]| Value::List(all.iter().map(encode::schema).collect());
        if schemas(base) == schemas(wanted) {
            return;
        }
        if !base.is_empty() {
            self.gone(key);
        }
        if !wanted.is_empty() {
            self.push(Keyword::json(key, schemas(wanted)));
        }
    }

    fn finish(self) -> Vec<Keyword> {
        let Out { mut keys, gone } = self;
        if !gone.is_empty() {
            keys.push(Keyword::nested("remove", gone));
        }
        keys
    }
}

/// The members of a map as keys that have the members' names, such as labels.
pub(super) fn pairs(key: &'static str, map: &Map<String>) -> Vec<Keyword> {
    let named =
        |(k, v): (&str, &String)| Keyword { key, arg: Arg::Named(k.to_owned(), Json(v.as_str().into())) };
    map.iter().map(named).collect()
}
