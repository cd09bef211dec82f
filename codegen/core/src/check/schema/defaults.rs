//! Checks defaults like values that a user writes: they must have no unknown fields, their metadata must be valid, and
//! they must match their schema.

use super::Rules;
use crate::diag::codes::schema as codes;
use crate::diag::{Diag, Diags};
use crate::ir::{Schema, SchemaOf};
use crate::object::metadata::WrongTypes;
use crate::object::{Surrounding, embedded, prune, validate::Validator};
use crate::path::Path;
use crate::rules::reads::is_built_in;
use crate::server::Server;
use crate::value::Value;

/// Checks the defaults of a structural schema. Like the server, it does not check those below `additionalProperties`.
pub(crate) fn validate(
    path: &Path<'_>,
    schema: &Schema,
    pruned: bool,
    server: Server,
    rules: &mut dyn Rules,
) -> Diags {
    let mut walk = Walk { pruned, server, rules, out: Diags::new() };
    let top = Around { resource: schema, way: Surrounding::NONE, in_metadata: false };
    walk.visit(schema, path, &top, SchemaOf::Resource);
    walk.out
}

struct Walk<'w> {
    pruned: bool,
    server: Server,
    rules: &'w mut dyn Rules,
    out: Diags,
}

/// The resource that contains a node (the root or an embedded one), and the path from the resource to the node.
struct Around<'a> {
    resource: &'a Schema,
    way: Surrounding<'a>,
    in_metadata: bool,
}

impl Walk<'_> {
    fn visit(&mut self, schema: &Schema, path: &Path<'_>, around: &Around<'_>, of: SchemaOf) {
        let of = of.or_nested(schema);
        let own = Around { resource: schema, way: Surrounding::NONE, in_metadata: false };
        let around = if of.is_resource() { &own } else { around };
        if let Some(default) = &schema.default {
            self.default(default, schema, of, around, &path.child("default"));
        }
        if let Some(item) = schema.item() {
            self.visit(
                item,
                &path.child("items"),
                &Around { way: around.way.item(), ..*around },
                SchemaOf::Value,
            );
        }
        let properties = path.child("properties");
        for (name, property) in schema.properties.iter() {
            let in_metadata = around.in_metadata || of.is_resource() && is_built_in(name);
            let inner = Around { resource: around.resource, way: around.way.member(name), in_metadata };
            self.visit(property, &properties.key(name), &inner, SchemaOf::Value);
        }
    }

    fn default(
        &mut self,
        default: &Value,
        schema: &Schema,
        of: SchemaOf,
        around: &Around<'_>,
        path: &Path<'_>,
    ) {
        if around.in_metadata {
            if let Some(why) = not_metadata(default, around, self.server) {
                let detail = format!("must result in valid metadata: {why}");
                self.out.push(
                    Diag::invalid(&codes::DEFAULT_METADATA, path, default.clone(), detail)
                        .help("write a default that is valid metadata, or remove it"),
                );
                return;
            }
            return self.is_valid(default, schema, of, path);
        }
        let mut coerced = default.clone();
        let result = embedded::coerce(&mut coerced, Some(schema), of, WrongTypes::Rejected, path);
        if self.pruned && prune::has_unknown_fields(default, Some(schema), of) {
            // The server prints this error after it has coerced the same value in place, so that the
            // message shows the metadata without its unknown fields.
            let bad = coerced.clone();
            self.out.push(
                Diag::invalid(&codes::DEFAULT_UNPRUNED, path, bad, "must not have unknown fields")
                    .help("add the fields to the schema, or remove them from the default"),
            );
        }
        if let Err(error) = result {
            self.out.push(*error);
            return;
        }
        let before = self.out.len();
        embedded::Validation { server: self.server, out: &mut self.out }.check(&coerced, schema, of, path);
        if self.out.len() == before {
            self.is_valid(&coerced, schema, of, path);
        }
    }

    /// Validates the default with its schema.
    fn is_valid(&mut self, default: &Value, schema: &Schema, of: SchemaOf, path: &Path<'_>) {
        let mut errors = Validator::of_structural(schema, self.server).validate(default, path);
        if errors.is_empty() {
            self.rules.check_default(schema, of, default, path, &mut self.out);
        }
        for error in &mut errors {
            error.code = &codes::DEFAULT_INVALID;
        }
        self.out.append(&mut errors);
    }
}

/// Why a default inside the metadata of an embedded resource is invalid.
fn not_metadata(default: &Value, around: &Around<'_>, server: Server) -> Option<String> {
    let mut resource = around.way.around(default.clone());
    if let Value::Map(map) = &mut resource {
        map.entry_or_insert_with("kind", || Value::from("Validation"));
        map.entry_or_insert_with("apiVersion", || Value::from("validation/v1"));
    }
    if let Err(error) = embedded::coerce(
        &mut resource,
        Some(around.resource),
        SchemaOf::Resource,
        WrongTypes::Rejected,
        &Path::ROOT,
    ) {
        return Some(aggregate(&server.printed(vec![*error])));
    }
    let mut errors = Diags::new();
    let mut validation = embedded::Validation { server, out: &mut errors };
    validation.check(&resource, around.resource, SchemaOf::Resource, &Path::ROOT);
    (!errors.is_empty()).then(|| aggregate(&server.printed(errors)))
}

/// Several errors as one text: each once, in brackets if there is more than one.
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
