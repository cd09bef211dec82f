//! Prints exactly what `kubectl explain` prints about a kind, from what a server publishes about it.

mod beyond;
mod fields;
mod wrap;

use std::fmt::Write;

use super::openapi::{self, Form, Options, definitions};
use crate::go::number::format_g;
use crate::ir::Crd;
use crate::json;
use crate::value::{Map, Value};
pub use beyond::beyond;
pub use fields::Field;
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
pub struct Explainer<'n> {
    group: &'n str,
    version: &'n str,
    kind: &'n str,
    schema: Value,
    /// The schemas to which it refers, besides those that all documents share.
    models: Map<Value>,
}

impl<'n> Explainer<'n> {
    /// Publishes a version of a CRD. `None` if there is no such version.
    pub fn new(crd: &'n Crd, version: usize) -> Option<Explainer<'n>> {
        let schema = openapi::publish(crd, version, &Options::default())?.schema;
        let (spec, models) = (&crd.spec, Map::new());
        let version = &spec.versions.get(version)?.name;
        Some(Explainer { group: &spec.group, version, kind: &spec.names.kind, schema, models })
    }

    /// Explains a kind that has no CRD: its model, and those to which that refers. `None` if its model is not among them.
    pub fn of_models(
        [group, version, kind]: [&'n str; 3],
        model: &str,
        models: Map<Value>,
    ) -> Option<Explainer<'n>> {
        let schema = models.get(model)?.clone();
        Some(Explainer { group, version, kind, schema, models })
    }

    /// Returns the text for the kind, or for one of its fields. `None` if there is no such field. The path skips the
    /// items of lists and the keys of maps.
    pub fn explain(&self, path: &[&str], extent: Extent) -> Option<String> {
        let mut writer = self.writer(extent);
        let found = writer.find(&self.schema, path)?;
        if !self.group.is_empty() {
            _ = writeln!(writer.out, "GROUP:      {}", self.group);
        }
        _ = writeln!(writer.out, "KIND:       {}", self.kind);
        _ = writeln!(writer.out, "VERSION:    {}\n", self.version);
        writer.found(found);
        writer.out.push('\n');
        Some(writer.out)
    }

    /// Returns the names of the fields at a path. `None` if there is no such path.
    pub fn fields(&self, path: &[&str]) -> Option<Vec<&str>> {
        let writer = self.writer(Extent::Described);
        Some(writer.names(writer.find(&self.schema, path)?.schema))
    }

    fn writer(&self, extent: Extent) -> Writer<'_> {
        Writer { models: &self.models, extent, open: Vec::new(), out: String::new() }
    }
}

/// What a path leads to.
struct Found<'p, 's> {
    /// The last field of the path.
    field: Option<(&'p str, &'s Value)>,
    schema: &'s Value,
}

/// Writes an explanation.
struct Writer<'s> {
    models: &'s Map<Value>,
    extent: Extent,
    /// The references inside of which the writer is: types may contain themselves.
    open: Vec<&'s str>,
    out: String,
}

impl<'s> Writer<'s> {
    /// The schema that a reference refers to, or the schema itself.
    fn resolved(&self, schema: &'s Value) -> &'s Value {
        self.referenced(schema).unwrap_or(schema)
    }

    fn referenced(&self, schema: &Value) -> Option<&'s Value> {
        let name = schema.text("$ref").strip_prefix("#/components/schemas/")?;
        let shared =
            || definitions(Form::V3).iter().find_map(|(own, schema)| (own == name).then_some(schema));
        self.models.get(name).or_else(shared)
    }

    /// Follows a path.
    fn find<'p>(&self, schema: &'s Value, path: &[&'p str]) -> Option<Found<'p, 's>> {
        let schema = self.resolved(schema);
        let Some((name, rest)) = path.split_first() else { return Some(Found { field: None, schema }) };
        let property = below(schema, "properties").and_then(|properties| below(properties, name));
        if let Some(property) = property {
            let found = self.find(property, rest)?;
            return Some(Found { field: found.field.or(Some((name, property))), ..found });
        }
        match items(schema).or_else(|| values(schema)) {
            Some(below) => self.find(below, path),
            None => all_of(schema).iter().find_map(|one| self.find(one, path)),
        }
    }

    /// The names of the fields of a schema, and of its items and values.
    fn names(&self, schema: &'s Value) -> Vec<&'s str> {
        let schema = self.resolved(schema);
        let properties = schema.get("properties").and_then(Value::as_map);
        let inside = all_of(schema).iter().chain(items(schema)).chain(values(schema));
        let inside = inside.flat_map(|inside| self.names(inside));
        properties.into_iter().flat_map(Map::keys).chain(inside).collect()
    }

    fn found(&mut self, Found { field, schema }: Found<'_, 's>) {
        if let Some((name, property)) = field {
            _ = writeln!(self.out, "FIELD: {name} <{}>", self.type_of(property));
            for (i, value) in enumerated(property).iter().enumerate() {
                self.out.push_str(if i == 0 { "ENUM:\n    " } else { "\n    " });
                self.out.push_str(&shown(value));
            }
            self.out.push_str("\n\n");
        }
        self.whole(schema);
    }

    /// Writes the description of a schema, and its fields.
    fn whole(&mut self, schema: &'s Value) {
        let mut description = String::new();
        self.describe(schema, &mut description);
        let description = if description.is_empty() { "<empty>" } else { &description };
        _ = writeln!(self.out, "DESCRIPTION:\n{}", indented(&wrap(description, 76), 4));
        if let Some(docs) = below(schema, "externalDocs") {
            self.out.push('\n');
            external_docs(docs, 0, 0, &mut self.out);
        }
        let start = self.out.len();
        self.out.push_str("FIELDS:\n");
        let empty = self.out.len();
        self.fields(schema, 1);
        if self.out.len() == empty {
            self.out.truncate(start);
        }
    }

    /// Writes the descriptions of a schema, and of its items and values.
    fn describe(&self, schema: &'s Value, out: &mut String) {
        let schema = self.resolved(schema);
        match schema.text("description") {
            "" => {}
            text => _ = writeln!(out, "{text}"),
        }
        let inside = all_of(schema).iter().chain(items(schema)).chain(values(schema));
        inside.for_each(|inside| self.describe(inside, out));
    }

    /// Writes the fields of a schema, and of its items and values.
    fn fields(&mut self, schema: &'s Value, level: usize) {
        let reference = schema.text("$ref");
        if !reference.is_empty() && self.open.contains(&reference) {
            return;
        }
        self.open.push(reference);
        let schema = self.resolved(schema);
        let required = schema.get("required").and_then(Value::as_list).unwrap_or_default();
        let properties = schema.get("properties").and_then(Value::as_map);
        for (name, field) in properties.into_iter().flat_map(Map::iter) {
            let is_required = required.iter().any(|one| one.as_str() == Some(name));
            self.field(&Listed { name, field, is_required }, level);
            if let Extent::Recursive { max_depth } = self.extent
                && (max_depth == 0 || level < max_depth)
            {
                self.fields(field, level + 1);
            }
        }
        let inside = all_of(schema).iter().chain(items(schema)).chain(values(schema));
        inside.for_each(|inside| self.fields(inside, level));
        self.open.pop();
    }

    fn field(&mut self, listed: &Listed<'s>, level: usize) {
        /// How many values are listed.
        const MOST: usize = 4;
        let Listed { name, field, is_required } = *listed;
        let indent = 2 * level;
        _ = write!(self.out, "{}\t<{}>", indented(name, indent), self.type_of(field));
        if is_required {
            self.out.push_str(" -required-");
        }
        let all = enumerated(field);
        if !all.is_empty() {
            let values: Vec<String> = all.iter().take(MOST).map(shown).collect();
            let more = if all.len() > MOST { ", ...." } else { "" };
            _ = write!(self.out, "\n{:indent$}enum: {}{more}", "", values.join(", "));
        }
        self.out.push('\n');
        if self.extent != Extent::Described {
            return;
        }
        let description = match field.text("description") {
            "" => "<no description>",
            text => text,
        };
        let wrapped = wrap(description, 78_usize.saturating_sub(indent));
        _ = writeln!(self.out, "{}", indented(&wrapped, indent + 2));
        if let Some(docs) = below(field, "externalDocs") {
            self.out.push('\n');
            external_docs(docs, indent + 2, indent, &mut self.out);
        }
        self.out.push('\n');
    }

    /// The type of a value as kubectl prints it: `string`, `Object`, `[]Object`, `map[string]string`.
    fn type_of(&self, schema: &Value) -> String {
        if let Some(item) = items(schema) {
            return format!("[]{}", self.type_of(item));
        }
        if let Some(value) = values(schema) {
            return format!("map[string]{}", self.type_of(value));
        }
        if let ([one], None) = (all_of(schema), below(schema, "properties")) {
            return self.type_of(one);
        }
        let known = match schema.text("$ref") {
            "" => schema.text("type"),
            // References to objects are shown by name.
            name => match self.referenced(schema).map_or("", |schema| schema.text("type")) {
                "" | "object" => name.rsplit(['/', '.']).next().unwrap_or_default(),
                other => other,
            },
        };
        if known.is_empty() || known == "object" { "Object".to_owned() } else { known.to_owned() }
    }
}

/// A field in a list of fields.
struct Listed<'v> {
    name: &'v str,
    field: &'v Value,
    is_required: bool,
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

fn external_docs(docs: &Value, heading: usize, indent: usize, out: &mut String) {
    _ = writeln!(out, "{}", indented("EXTERNAL DOCS:", heading));
    match docs.text("description") {
        "" => {}
        text => _ = writeln!(out, "{}", indented(&wrap(text, 76_usize.saturating_sub(indent)), indent + 4)),
    }
    match docs.text("url") {
        "" => {}
        url => _ = writeln!(out, "{}", indented(&format!("URL: {url}"), indent + 4)),
    }
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
