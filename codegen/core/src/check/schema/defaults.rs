//! Defaults are values that a user would write: without unknown fields, with valid metadata, and as
//! their schema demands.

use super::Rules;
use crate::diag::codes::schema as codes;
use crate::diag::{Diag, Diags};
use crate::ir::Schema;
use crate::object::{embedded, prune, validate::Validator};
use crate::path::Path;
use crate::value::{Map, Value};

/// Checks the defaults of a structural schema. Those below `additionalProperties` are not looked at,
/// as on the server.
pub(super) fn validate(path: &Path<'_>, schema: &Schema, pruned: bool, rules: &mut dyn Rules) -> Diags {
    let mut walk = Walk { pruned, rules, out: Diags::new() };
    walk.visit(schema, path, &Around { resource: schema, step: None }, true, false);
    walk.out
}

struct Walk<'w> {
    pruned: bool,
    rules: &'w mut dyn Rules,
    out: Diags,
}

/// The way from the nearest resource (the root or an embedded one) to a node.
struct Around<'a> {
    resource: &'a Schema,
    step: Option<(&'a Around<'a>, Into<'a>)>,
}

#[derive(Clone, Copy)]
enum Into<'a> {
    Child(&'a str),
    Item,
}

impl Around<'_> {
    /// The resource that has a value here and nothing else but a type.
    fn resource_with(&self, value: Value) -> Value {
        let mut value = value;
        let mut at = self;
        while let Some((up, step)) = &at.step {
            value = match step {
                Into::Child(name) => Value::Map(std::iter::once((*name, value)).collect()),
                Into::Item => Value::List(vec![value]),
            };
            at = up;
        }
        if let Value::Map(map) = &mut value {
            map.entry_or_insert_with("kind", || Value::from("Validation"));
            map.entry_or_insert_with("apiVersion", || Value::from("validation/v1"));
        }
        value
    }
}

impl Walk<'_> {
    fn visit(&mut self, schema: &Schema, path: &Path<'_>, around: &Around<'_>, is_root: bool, in_metadata: bool) {
        let is_resource = is_root || schema.ext.embedded_resource;
        let own = Around { resource: schema, step: None };
        let (around, in_metadata) = if is_resource { (&own, false) } else { (around, in_metadata) };
        if let Some(default) = &schema.default {
            let path = path.child("default");
            let before = self.out.len();
            if in_metadata {
                self.metadata(default, around, &path);
            } else {
                self.value(default, schema, is_resource, &path);
            }
            if self.out.len() == before || self.out[before..].iter().all(|d| d.code == &codes::DEFAULT_UNPRUNED) {
                self.limits(schema, is_resource, default, &path);
            }
        }
        if let Some(item) = schema.item() {
            let inner = Around { resource: around.resource, step: Some((around, Into::Item)) };
            self.visit(item, &path.child("items"), &inner, false, in_metadata);
        }
        let properties = path.child("properties");
        for (name, property) in schema.properties.iter() {
            let inner = Around { resource: around.resource, step: Some((around, Into::Child(name))) };
            let in_metadata = in_metadata || is_resource && matches!(name, "metadata" | "apiVersion" | "kind");
            self.visit(property, &properties.key(name), &inner, false, in_metadata);
        }
    }

    /// A default inside the metadata of an embedded resource: what it makes is looked at.
    fn metadata(&mut self, default: &Value, around: &Around<'_>, path: &Path<'_>) {
        let mut resource = around.resource_with(default.clone());
        let why = match embedded::coerce(&mut resource, Some(around.resource), true, false, &Path::ROOT) {
            Err(error) => error.text(),
            Ok(_) => {
                let mut errors = Diags::new();
                embedded::validate(&resource, Some(around.resource), true, &Path::ROOT, &mut errors);
                if errors.is_empty() {
                    return;
                }
                aggregate(&errors)
            }
        };
        self.out.push(
            Diag::invalid(
                &codes::DEFAULT_METADATA,
                path,
                default.clone(),
                format!("must result in valid metadata: {why}"),
            )
            .help("write a default that the server would take as metadata, or remove it"),
        );
    }

    fn value(&mut self, default: &Value, schema: &Schema, is_resource: bool, path: &Path<'_>) {
        if self.pruned && has_unknown_fields(default, schema, is_resource) {
            self.out.push(
                Diag::invalid(&codes::DEFAULT_UNPRUNED, path, default.clone(), "must not have unknown fields")
                    .help("add the fields to the schema, or take them out of the default"),
            );
        }
        if !embedded::has_resources(schema, is_resource) {
            return;
        }
        let mut copy = default.clone();
        match embedded::coerce(&mut copy, Some(schema), is_resource, false, path) {
            Err(error) => self.out.push(error),
            Ok(_) => embedded::validate(&copy, Some(schema), is_resource, path, &mut self.out),
        }
    }

    fn limits(&mut self, schema: &Schema, is_root: bool, default: &Value, path: &Path<'_>) {
        let mut errors = Validator::of_structural(schema).validate(default, path);
        if errors.is_empty() {
            if !schema.rules.is_empty() || crate::check::schema::any_schema(schema, &mut |s| !s.rules.is_empty()) {
                self.rules.check_default(schema, is_root, default, path, &mut self.out);
            }
            return;
        }
        for error in &mut errors {
            error.code = &codes::DEFAULT_INVALID;
        }
        self.out.append(&mut errors);
    }
}

/// Several errors as one text: each once, in brackets if there are more than one.
fn aggregate(errors: &Diags) -> String {
    let mut texts: Vec<String> = Vec::with_capacity(errors.len());
    for text in errors.iter().map(Diag::text) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    match &texts[..] {
        [one] => one.clone(),
        all => format!("[{}]", all.join(", ")),
    }
}

fn has_unknown_fields(value: &Value, schema: &Schema, is_resource: bool) -> bool {
    prune::has_unknown_fields(value, Some(schema), is_resource)
}

/// Whether a default anywhere would lose something by being pruned and coerced as a part of the resource.
pub(super) fn any_unpruned(schema: &Schema) -> bool {
    let mut changed = false;
    each_default(schema, &Around { resource: schema, step: None }, &mut |default, around| {
        let Value::Map(map) = default else {
            if around.step.is_none() {
                return; // The root's default is an object, or the check fails elsewhere.
            }
            changed |= loses(default, around, schema);
            return;
        };
        let _: &Map<Value> = map;
        changed |= loses(default, around, schema);
    });
    changed
}

fn loses(default: &Value, around: &Around<'_>, root: &Schema) -> bool {
    let wrapped = around.wrap(default.clone());
    let mut copy = wrapped.clone();
    if embedded::coerce(&mut copy, Some(root), true, true, &Path::ROOT).is_err() {
        return false;
    }
    prune::prune(&mut copy, Some(root), true);
    copy != wrapped
}
