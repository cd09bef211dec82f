//! Decodes and checks apiVersion, kind and metadata of embedded resources.

use super::metadata::WrongTypes;
use super::{Unknown, metadata, unknown};
use crate::diag::codes::object as codes;
use crate::diag::{BadValue, Diag, Diags};
use crate::go;
use crate::ir::{Additional, Schema, SchemaOf};
use crate::metadata::{self as rules, MetadataRules, Scope};
use crate::names;
use crate::path::Path;
use crate::server::Server;
use crate::value::Value;

/// Converts the metadata of embedded resources to its types, and that of the value itself if it is a resource. Drops
/// unknown fields in metadata and returns them.
pub fn coerce(
    value: &mut Value,
    schema: Option<&Schema>,
    of: SchemaOf,
    wrong_types: WrongTypes,
    path: &Path<'_>,
) -> Result<Vec<Unknown>, Box<Diag>> {
    let mut coercer = Coercer { wrong_types, unknown: Vec::new() };
    coercer.visit(value, schema, of, path)?;
    Ok(unknown::sorted(coercer.unknown))
}

struct Coercer {
    wrong_types: WrongTypes,
    unknown: Vec<Unknown>,
}

impl Coercer {
    fn visit(
        &mut self,
        value: &mut Value,
        schema: Option<&Schema>,
        of: SchemaOf,
        path: &Path<'_>,
    ) -> Result<(), Box<Diag>> {
        let Some(schema) = schema else {
            return if of.is_resource() { self.resource(value, path) } else { Ok(()) };
        };
        if of.or_nested(schema).is_resource() {
            self.resource(value, path)?;
        }
        match value {
            Value::Map(map) => {
                for (name, value) in map.iter_mut() {
                    match (schema.properties.get(name), &schema.additional_properties) {
                        (Some(property), _) => {
                            self.visit(value, Some(property), SchemaOf::Value, &path.child(name))?
                        }
                        (None, Some(Additional::Schema(s))) => {
                            self.visit(value, Some(s), SchemaOf::Value, &path.key(name))?;
                        }
                        (None, Some(Additional::Allow(_)) | None) => {}
                    }
                }
            }
            Value::List(items) => {
                let item_schema = schema.item();
                for (i, item) in items.iter_mut().enumerate() {
                    self.visit(item, item_schema, SchemaOf::Value, &path.index(i))?;
                }
            }
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
        }
        Ok(())
    }

    fn resource(&mut self, value: &mut Value, path: &Path<'_>) -> Result<(), Box<Diag>> {
        let Value::Map(map) = value else { return Ok(()) };
        for name in ["apiVersion", "kind"] {
            match map.get(name) {
                None | Some(Value::Str(_)) => {}
                Some(_) if self.wrong_types == WrongTypes::Dropped => {
                    map.remove(name);
                }
                Some(other) => {
                    let diag =
                        Diag::invalid(&codes::META, &path.child(name), other.clone(), "must be a string");
                    return Err(Box::new(diag.help("put it in quotes")));
                }
            }
        }
        let Some(found) = map.get_mut("metadata") else { return Ok(()) };
        let at = path.child("metadata");
        match metadata::decode(found, self.wrong_types, &at) {
            Ok(mut decoded) => {
                self.unknown.append(&mut decoded.unknown);
                *found = Value::Map(decoded.fields);
            }
            Err(_) if self.wrong_types == WrongTypes::Dropped => {}
            Err(error) => {
                let diag = Diag::invalid(&codes::METADATA, &at, found.clone(), error.to_string());
                return Err(Box::new(diag.help("write metadata as in any other object")));
            }
        }
        Ok(())
    }
}

/// Checks apiVersion, kind and metadata of embedded resources.
pub struct Validation<'o> {
    /// The server whose messages are wanted.
    pub server: Server,
    /// The errors.
    pub out: &'o mut Diags,
}

impl Validation<'_> {
    /// Checks the embedded resources in a value, and the value itself if it is a resource.
    pub fn check(&mut self, value: &Value, schema: &Schema, of: SchemaOf, path: &Path<'_>) {
        match value {
            Value::Map(map) => {
                if of.or_nested(schema).is_resource() && path.has_room(self.out.len()) {
                    resource(value, path, self.server, self.out);
                }
                for (name, value) in map.iter() {
                    match (schema.properties.get(name), &schema.additional_properties) {
                        (Some(property), _) => {
                            self.check(value, property, SchemaOf::Value, &path.child(name));
                        }
                        (None, Some(Additional::Schema(s))) => {
                            self.check(value, s, SchemaOf::Value, &path.key(name));
                        }
                        (None, Some(Additional::Allow(_)) | None) => {}
                    }
                }
            }
            Value::List(items) => {
                let Some(item_schema) = schema.item() else { return };
                for (i, item) in items.iter().enumerate() {
                    self.check(item, item_schema, SchemaOf::Value, &path.index(i));
                }
            }
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
        }
    }
}

fn resource(value: &Value, path: &Path<'_>, server: Server, out: &mut Diags) {
    for name in ["apiVersion", "kind"] {
        let at = path.child(name);
        let mut wrong = |bad: &Value, detail: String, help: &str| {
            out.push(Diag::invalid(&codes::META, &at, bad.clone(), detail).help(help));
        };
        match value.get(name) {
            None => out.push(
                Diag::required(
                    &codes::META,
                    &at,
                    if server.is_before(34) { "must not be empty" } else { "" },
                )
                .help(format!("an embedded resource has `{name}` like any object")),
            ),
            Some(bad @ Value::Str(text)) if text.is_empty() => {
                wrong(bad, "must not be empty".to_owned(), "fill it in");
            }
            Some(bad @ Value::Str(text)) if name == "apiVersion" => {
                if text.matches('/').count() > 1 {
                    let detail = format!("unexpected GroupVersion string: {text}");
                    wrong(bad, detail, "write `group/version`, or `v1` for the core group");
                }
            }
            Some(bad @ Value::Str(text)) => {
                let errors = names::dns1035_label(&text.to_lowercase());
                if !errors.is_empty() {
                    let errors = errors.join(",");
                    let detail = format!("may have mixed case, but should otherwise match: {errors}");
                    wrong(bad, detail, "a kind is letters and digits, such as `ConfigMap`");
                }
            }
            Some(other) => wrong(other, "must be a string".to_owned(), "put it in quotes"),
        }
    }
    let Some(found) = value.get("metadata") else { return };
    let at = path.child("metadata");
    let decoded = match metadata::decode(found, WrongTypes::Rejected, &at) {
        Ok(decoded) => decoded,
        Err(error) => {
            let diag = Diag::invalid(&codes::METADATA, &at, found.clone(), error.to_string());
            out.push(diag.help("write metadata as in any other object"));
            return;
        }
    };
    let mut typed = metadata::typed(&decoded.fields);
    if typed.name.is_empty() {
        // Embedded resources need no name, so the check gets one.
        typed.name = "fakename".to_owned();
    }
    let scope = Scope::namespaced_if(!typed.namespace.is_empty());
    let of_segment = MetadataRules { scope, name: &rules::path_segment };
    rules::distinct(server, out, |out| rules::validate(&typed, of_segment, &at, server, out));
    managed_fields(&typed.managed_fields, &at.child("managedFields"), server, out);
}

/// The longest name of a field manager, and of a subresource.
const MAX_MANAGER: usize = 128;
const MAX_SUBRESOURCE: usize = 256;

/// Checks managed fields that a client has sent.
pub fn managed_fields(entries: &[Value], path: &Path<'_>, server: Server, out: &mut Diags) {
    let help = "leave managedFields to the server";
    for (i, entry) in entries.iter().enumerate() {
        let path = path.index(i);
        let at = path.child("operation");
        match entry.text("operation") {
            "Apply" | "Update" => {}
            other if server.is_before(37) => {
                let bad = BadValue::Json(other.into());
                let diag = Diag::invalid(&codes::MANAGED_FIELDS, &at, bad, "must be `Apply` or `Update`");
                out.push(diag.help(help));
            }
            "" => out.push(Diag::required(&codes::MANAGED_FIELDS, &at, "must not be empty").help(help)),
            other => {
                let diag = Diag::not_supported(
                    &codes::MANAGED_FIELDS,
                    &at,
                    BadValue::Json(other.into()),
                    &["Apply", "Update"],
                );
                out.push(diag.help(help));
            }
        }
        let fields_type = entry.text("fieldsType");
        if !matches!(fields_type, "" | "FieldsV1") {
            let at = path.child("fieldsType");
            out.push(
                Diag::invalid(&codes::MANAGED_FIELDS, &at, fields_type, "must be `FieldsV1`").help(help),
            );
        }
        let at = path.child("manager");
        let manager = entry.text("manager");
        if manager.len() > MAX_MANAGER {
            out.push(Diag::too_long(&codes::MANAGED_FIELDS, &at, MAX_MANAGER as i64).help(help));
        }
        for (position, c) in manager.char_indices().filter(|(_, c)| c.is_control() || !go::is_print(*c)) {
            let detail = format!("invalid character U+{:04X} (at position {position})", c as u32);
            out.push(Diag::invalid(&codes::MANAGED_FIELDS, &at, manager, detail).help(help));
        }
        if entry.text("subresource").len() > MAX_SUBRESOURCE {
            let at = path.child("subresource");
            out.push(Diag::too_long(&codes::MANAGED_FIELDS, &at, MAX_SUBRESOURCE as i64).help(help));
        }
    }
}
