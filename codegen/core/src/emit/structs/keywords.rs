//! The difference between the schema that a Rust type has by itself and the one that is wanted, as
//! keys of `#[schema(…)]`. What [`difference`] says, laid over the base, is the wanted schema: that is
//! all there is to exactness.

use super::model::{Arg, Json, Keyword};
use crate::encode;
use crate::ir::{Additional, Extensions, ExternalDocs, Limits, Rule, Schema, Type};
use crate::value::{Map, Value};

/// The keys that make `wanted` of `base`. Descriptions, and properties, items and values with a
/// schema, are the business of the caller: here they are taken to be equal.
pub(super) fn difference(base: &Schema, wanted: &Schema) -> Vec<Keyword> {
    if wanted.ext.int_or_string && !base.ext.int_or_string && base.ty.is_some() {
        // The key takes the type and its format away.
        let limits = Limits { format: String::new(), ..base.limits.clone() };
        return difference(&Schema { ty: None, limits, ..base.clone() }, wanted);
    }
    let mut out = Out::default();
    let Schema {
        ty,
        nullable,
        title,
        description: _,
        default,
        example,
        external_docs,
        properties: _,
        items: _,
        additional_properties,
        ext,
        rules,
        limits,
        foreign: _,
        empty: _,
    } = wanted;
    out.text("title", &base.title, title);
    out.value("ty", base.ty.as_ref().map(Type::as_str), ty.as_ref().map(Type::as_str));
    match (base.nullable, *nullable) {
        (true, false) => out.push(Keyword::json("nullable", false)),
        (base, wanted) => out.flag("nullable", base, wanted),
    }
    out.json("default", base.default.as_ref(), default.as_ref());
    out.json("example", base.example.as_ref(), example.as_ref());
    if base.external_docs != *external_docs {
        match external_docs {
            Some(docs) => out.push(Keyword::nested("external_docs", external(docs))),
            None => out.gone("external_docs"),
        }
    }
    out.value("additional_properties", allowed(base), allowed_of(additional_properties.as_ref()));
    extensions(&mut out, &base.ext, ext);
    values(&mut out, &base.limits, limits);
    if base.rules.is_empty() {
        rules.iter().for_each(|r| out.push(rule(r)));
    }
    out.finish()
}

fn allowed(schema: &Schema) -> Option<bool> {
    allowed_of(schema.additional_properties.as_ref())
}

fn allowed_of(additional: Option<&Additional>) -> Option<bool> {
    match additional {
        Some(Additional::Allow(allowed)) => Some(*allowed),
        Some(Additional::Schema(_)) | None => None,
    }
}

fn extensions(out: &mut Out, base: &Extensions, wanted: &Extensions) {
    let Extensions {
        preserve_unknown_fields,
        embedded_resource,
        int_or_string,
        list_type,
        list_map_keys,
        map_type,
        unions: _, // unfolded before anything is written
    } = wanted;
    match preserve_unknown_fields {
        Some(true) if base.preserve_unknown_fields != Some(true) => {
            out.push(Keyword::flag("preserve_unknown_fields"));
        }
        Some(true) => {}
        Some(false) | None => {
            out.value("preserve_unknown_fields", base.preserve_unknown_fields, *preserve_unknown_fields);
        }
    }
    out.flag("embedded_resource", base.embedded_resource, *embedded_resource);
    out.flag("int_or_string", base.int_or_string, *int_or_string);
    out.value("list_type", base.list_type.as_deref(), list_type.as_deref());
    out.list("list_map_keys", &base.list_map_keys, list_map_keys, |k| k.as_str().into());
    out.value("map_type", base.map_type.as_deref(), map_type.as_deref());
}

fn values(out: &mut Out, base: &Limits, wanted: &Limits) {
    let Limits {
        format,
        maximum,
        exclusive_maximum,
        minimum,
        exclusive_minimum,
        multiple_of,
        max_length,
        min_length,
        pattern,
        max_items,
        min_items,
        unique_items,
        max_properties,
        min_properties,
        required,
        enumeration,
        all_of,
        any_of,
        one_of,
        not,
    } = wanted;
    out.text("format", &base.format, format);
    out.value("minimum", base.minimum.map(number), minimum.map(number));
    out.flag("exclusive_minimum", base.exclusive_minimum, *exclusive_minimum);
    out.value("maximum", base.maximum.map(number), maximum.map(number));
    out.flag("exclusive_maximum", base.exclusive_maximum, *exclusive_maximum);
    out.value("multiple_of", base.multiple_of.map(number), multiple_of.map(number));
    out.value("min_length", base.min_length, *min_length);
    out.value("max_length", base.max_length, *max_length);
    out.text("pattern", &base.pattern, pattern);
    out.value("min_items", base.min_items, *min_items);
    out.value("max_items", base.max_items, *max_items);
    out.flag("unique_items", base.unique_items, *unique_items);
    out.value("min_properties", base.min_properties, *min_properties);
    out.value("max_properties", base.max_properties, *max_properties);
    out.list("required", &base.required, required, |n| n.as_str().into());
    out.list("one_of_values", &base.enumeration, enumeration, Value::clone);
    out.junctor("all_of", &base.all_of, all_of);
    out.junctor("any_of", &base.any_of, any_of);
    out.junctor("one_of", &base.one_of, one_of);
    if base.not.is_some() && base.not != *not {
        out.gone("not");
    }
    if base.not != *not {
        out.value("not", None, not.as_deref().map(encode::schema));
    }
}

/// A whole number is written as one.
fn number(f: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if f.fract() == 0.0 && f.abs() <= EXACT { Value::Int(f as i64) } else { Value::Float(f) }
}

fn external(docs: &ExternalDocs) -> Vec<Keyword> {
    let ExternalDocs { description, url } = docs;
    let mut out = Out::default();
    out.text("url", "", url);
    out.text("description", "", description);
    out.finish()
}

/// A rule: `rule = "…"` if there is nothing else about it.
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

/// `raw = {…}`: a whole schema but for its description.
pub(super) fn raw(schema: &Schema) -> Keyword {
    let plain = Schema { description: String::new(), ..schema.clone() };
    Keyword::json("raw", encode::schema(&plain))
}

/// `property("name", {…})`
pub(super) fn property(name: &str, schema: &Schema) -> Keyword {
    Keyword { key: "property", arg: Arg::Named(name.to_owned(), Json(encode::schema(schema))) }
}

/// The keys found so far, and those of the base that have to go.
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

    fn flag(&mut self, key: &'static str, base: bool, wanted: bool) {
        match (base, wanted) {
            (false, true) => self.push(Keyword::flag(key)),
            (true, false) => self.gone(key),
            (false, false) | (true, true) => {}
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

    fn json(&mut self, key: &'static str, base: Option<&Value>, wanted: Option<&Value>) {
        self.value(key, base.cloned(), wanted.cloned());
    }

    fn list<T: PartialEq>(
        &mut self,
        key: &'static str,
        base: &[T],
        wanted: &[T],
        value: impl Fn(&T) -> Value,
    ) {
        if base == wanted {
        } else if wanted.is_empty() {
            self.gone(key);
        } else {
            self.push(Keyword::json(key, Value::List(wanted.iter().map(value).collect())));
        }
    }

    /// What is said of them joins what is there, which has to go first.
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

/// The members of a map as keys that the language spells with their own names, such as labels.
pub(super) fn pairs(key: &'static str, map: &Map<String>) -> Vec<Keyword> {
    let named =
        |(k, v): (&str, &String)| Keyword { key, arg: Arg::Named(k.to_owned(), Json(v.as_str().into())) };
    map.iter().map(named).collect()
}
