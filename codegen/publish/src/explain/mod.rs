//! Prints exactly what `kubectl explain` prints about a kind, from what a server publishes about it.

mod beyond;
mod wrap;

use std::fmt::Write;

use super::openapi::{self, Form, Options, definitions};
use crate::go::number::format_g;
use crate::ir::Crd;
use crate::json;
use crate::value::Value;
pub use beyond::beyond;
use wrap::wrap;

/// How much is printed about the fields inside of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The direct fields, with their descriptions.
    Described,
    /// The names and types of all fields down to a depth.
    Recursive {
        /// The maximum depth, where 0 means that there is no limit.
        max_depth: usize,
    },
}

/// A version of a kind, published once for any number of explanations.
pub struct Explainer<'c> {
    crd: &'c Crd,
    version: usize,
    schema: Value,
}

impl<'c> Explainer<'c> {
    /// Publishes a version of a CRD. `None` if there is no such version.
    pub fn new(crd: &'c Crd, version: usize) -> Option<Explainer<'c>> {
        let schema = openapi::publish(crd, version, &Options::default())?.schema;
        Some(Explainer { crd, version, schema })
    }

    /// Returns the text for the kind, or for one of its fields. `None` if there is no such field. The path skips the
    /// items of lists and the keys of maps.
    pub fn explain(&self, path: &[&str], extent: Extent) -> Option<String> {
        let spec = &self.crd.spec;
        let mut out = String::new();
        if !spec.group.is_empty() {
            _ = writeln!(out, "GROUP:      {}", spec.group);
        }
        _ = writeln!(out, "KIND:       {}", spec.names.kind);
        _ = writeln!(out, "VERSION:    {}\n", spec.versions.get(self.version)?.name);
        at_path(&self.schema, path, extent, &mut out)?;
        out.push('\n');
        Some(out)
    }
}

/// The schema that a reference refers to, or the schema itself.
fn resolved(schema: &Value) -> &Value {
    referenced(schema).unwrap_or(schema)
}

fn referenced(schema: &Value) -> Option<&'static Value> {
    let name = schema.get("$ref")?.as_str()?.strip_prefix("#/components/schemas/")?;
    definitions(Form::V3).iter().find_map(|(own, schema)| (own == name).then_some(schema))
}

/// The schema under a keyword, unless it is empty.
fn below<'s>(schema: &'s Value, keyword: &str) -> Option<&'s Value> {
    schema.get(keyword).filter(|below| below.as_map().is_some_and(|map| !map.is_empty()))
}

fn items(schema: &Value) -> Option<&Value> {
    below(schema, "items")
}

fn values(schema: &Value) -> Option<&Value> {
    below(schema, "additionalProperties")
}

fn all_of(schema: &Value) -> &[Value] {
    schema.get("allOf").and_then(Value::as_list).unwrap_or_default()
}

fn text<'s>(schema: &'s Value, keyword: &str) -> &'s str {
    schema.get(keyword).and_then(Value::as_str).unwrap_or_default()
}

/// Follows the path, and prints the field at its end.
fn at_path(schema: &Value, path: &[&str], extent: Extent, out: &mut String) -> Option<()> {
    let schema = resolved(schema);
    let Some((name, rest)) = path.split_first() else {
        whole(schema, extent, out);
        return Some(());
    };
    let property = below(schema, "properties").and_then(|properties| below(properties, name));
    if let Some(property) = property {
        if rest.is_empty() {
            _ = writeln!(out, "FIELD: {name} <{}>", type_of(property));
            for (i, value) in enumerated(property).iter().enumerate() {
                out.push_str(if i == 0 { "ENUM:\n    " } else { "\n    " });
                out.push_str(&shown(value));
            }
            out.push_str("\n\n");
        }
        at_path(property, rest, extent, out)
    } else if let Some(below) = items(schema).or_else(|| values(schema)) {
        at_path(below, path, extent, out)
    } else {
        all_of(schema).iter().find_map(|one| at_path(one, path, extent, out))
    }
}

/// Prints the description of a schema, and its fields.
fn whole(schema: &Value, extent: Extent, out: &mut String) {
    let mut description = String::new();
    describe(schema, &mut description);
    let description = if description.is_empty() { "<empty>" } else { &description };
    _ = writeln!(out, "DESCRIPTION:\n{}", indented(&wrap(description, 76), 4));
    if let Some(docs) = below(schema, "externalDocs") {
        out.push('\n');
        external_docs(docs, 0, 0, out);
    }
    let start = out.len();
    out.push_str("FIELDS:\n");
    let empty = out.len();
    fields(schema, 1, extent, out);
    if out.len() == empty {
        out.truncate(start);
    }
}

/// Prints the descriptions of a schema, and of its items and values.
fn describe(schema: &Value, out: &mut String) {
    let schema = resolved(schema);
    match text(schema, "description") {
        "" => {}
        text => _ = writeln!(out, "{text}"),
    }
    let inside = all_of(schema).iter().chain(items(schema)).chain(values(schema));
    inside.for_each(|inside| describe(inside, out));
}

fn external_docs(docs: &Value, heading: usize, indent: usize, out: &mut String) {
    _ = writeln!(out, "{}", indented("EXTERNAL DOCS:", heading));
    match text(docs, "description") {
        "" => {}
        text => _ = writeln!(out, "{}", indented(&wrap(text, 76_usize.saturating_sub(indent)), indent + 4)),
    }
    match text(docs, "url") {
        "" => {}
        url => _ = writeln!(out, "{}", indented(&format!("URL: {url}"), indent + 4)),
    }
}

/// Prints the fields of a schema, and of its items and values.
fn fields(schema: &Value, level: usize, extent: Extent, out: &mut String) {
    let schema = resolved(schema);
    let required = schema.get("required").and_then(Value::as_list).unwrap_or_default();
    for (name, field) in schema.get("properties").and_then(Value::as_map).into_iter().flat_map(|it| it.iter())
    {
        let is_required = required.iter().any(|one| one.as_str() == Some(name));
        one_field(&Listed { name, field, is_required }, level, extent, out);
        if let Extent::Recursive { max_depth } = extent
            && (max_depth == 0 || level < max_depth)
        {
            fields(field, level + 1, extent, out);
        }
    }
    let inside = all_of(schema).iter().chain(items(schema)).chain(values(schema));
    inside.for_each(|inside| fields(inside, level, extent, out));
}

/// A field in a list of fields.
struct Listed<'v> {
    name: &'v str,
    field: &'v Value,
    is_required: bool,
}

fn one_field(listed: &Listed<'_>, level: usize, extent: Extent, out: &mut String) {
    /// How many values are listed.
    const MOST: usize = 4;
    let Listed { name, field, is_required } = *listed;
    let indent = 2 * level;
    _ = write!(out, "{}\t<{}>", indented(name, indent), type_of(field));
    if is_required {
        out.push_str(" -required-");
    }
    let all = enumerated(field);
    if !all.is_empty() {
        let values: Vec<String> = all.iter().take(MOST).map(shown).collect();
        let more = if all.len() > MOST { ", ...." } else { "" };
        _ = write!(out, "\n{:indent$}enum: {}{more}", "", values.join(", "));
    }
    out.push('\n');
    if extent != Extent::Described {
        return;
    }
    let description = match text(field, "description") {
        "" => "<no description>",
        text => text,
    };
    _ = writeln!(out, "{}", indented(&wrap(description, 78_usize.saturating_sub(indent)), indent + 2));
    if let Some(docs) = below(field, "externalDocs") {
        out.push('\n');
        external_docs(docs, indent + 2, indent, out);
    }
    out.push('\n');
}

/// The type of a value as kubectl prints it: `string`, `Object`, `[]Object`, `map[string]string`.
fn type_of(schema: &Value) -> String {
    if let Some(item) = items(schema) {
        return format!("[]{}", type_of(item));
    }
    if let Some(value) = values(schema) {
        return format!("map[string]{}", type_of(value));
    }
    if let ([one], None) = (all_of(schema), below(schema, "properties")) {
        return type_of(one);
    }
    let known = match schema.get("$ref").and_then(Value::as_str) {
        // References to objects are shown by name.
        Some(name) => match referenced(schema).map_or("", |schema| text(schema, "type")) {
            "" | "object" => name.rsplit(['/', '.']).next().unwrap_or_default(),
            other => other,
        },
        None => text(schema, "type"),
    };
    if known.is_empty() || known == "object" { "Object".to_owned() } else { known.to_owned() }
}

fn enumerated(schema: &Value) -> &[Value] {
    schema.get("enum").and_then(Value::as_list).unwrap_or_default()
}

/// A value from JSON, as Go's templates print it.
fn shown(value: &Value) -> String {
    match value {
        Value::Str(text) if text.is_empty() => "\"\"".to_owned(),
        Value::Str(text) => text.clone(),
        Value::Int(number) => format_g(*number as f64),
        Value::Float(number) => format_g(*number),
        Value::Null => "<no value>".to_owned(),
        Value::Bool(_) | Value::List(_) | Value::Map(_) => json::to_string(value),
    }
}

/// Adds spaces before each line, including an empty last line.
fn indented(text: &str, spaces: usize) -> String {
    let pad = " ".repeat(spaces);
    format!("{pad}{}", text.replace('\n', &format!("\n{pad}")))
}
