//! Paths to fields, as in columns and scale.

use super::types::{Kinds, kinds};
use crate::ir::{Schema, Type};
use crate::nearest::did_you_mean;

/// The end of a plain path (`.a.b`).
enum End<'s> {
    /// The schema of a field.
    At(&'s Schema),
    /// No field: the name that does not exist, and help.
    Nowhere(String, String),
    /// Unknown: the path is not plain, or goes into a value that may have any fields.
    Anywhere,
}

fn follow<'s>(schema: &'s Schema, path: &str) -> End<'s> {
    let Some(names) = path.strip_prefix('.') else { return End::Anywhere };
    if !names.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.') {
        return End::Anywhere;
    }
    let mut at = schema;
    let mut way = String::new();
    for (depth, name) in names.split('.').enumerate() {
        if depth == 0 && matches!(name, "metadata" | "apiVersion" | "kind") {
            return End::Anywhere;
        }
        if at.ext.preserve_unknown_fields.is_some() || at.ext.embedded_resource {
            return End::Anywhere;
        }
        if let Some(value) = at.value() {
            at = value;
        } else if let Some(next) = at.properties.get(name) {
            at = next;
        } else {
            return End::Nowhere(name.to_owned(), help(at, &way, name));
        }
        way.push('.');
        way.push_str(name);
    }
    End::At(at)
}

fn help(at: &Schema, way: &str, name: &str) -> String {
    let known: Vec<&str> = at.properties.keys().collect();
    if at.ty == Some(Type::Array) {
        format!(
            "`{way}` is a list: write `{way}[*].{name}` for all its items, `{way}[0].{name}` for the first"
        )
    } else if way.is_empty() && name == "status" {
        "the kind has no status: write status = \"YourStatus\" in #[kube(…)]".to_owned()
    } else if known.is_empty() {
        format!("`{way}` has no fields")
    } else {
        let near = did_you_mean(name, known.iter().copied());
        near.unwrap_or_else(|| format!("expected one of: {}", known.join(", ")))
    }
}

/// Finds the first name in a plain path that does not exist in the schema. Returns it with help.
pub fn dead_end(schema: &Schema, path: &str) -> Option<(String, String)> {
    match follow(schema, path) {
        End::Nowhere(name, help) => Some((name, help)),
        End::At(_) | End::Anywhere => None,
    }
}

/// Checks the type of the field to which a path leads. `wanted` is the type of a column, `replicas` or `selector`.
/// Returns the types of the field as a set if a reader of `wanted` shows nothing for it.
pub fn odd_end(schema: &Schema, path: &str, wanted: &str) -> Option<u8> {
    let End::At(field) = follow(schema, path) else { return None };
    (!can_be_read(field, wanted)).then(|| kinds(field))
}

/// Whether a path leads to a field with any values, as one of an unknown type has.
pub(super) fn leads_to_opaque(schema: &Schema, path: &str) -> bool {
    matches!(follow(schema, path), End::At(field) if field.ext.preserve_unknown_fields.is_some())
}

/// Whether values of a field can be read as `wanted`, which is as in [`odd_end`].
pub fn can_be_read(field: &Schema, wanted: &str) -> bool {
    let readable = match wanted {
        "integer" | "number" | "replicas" => Kinds::INTEGER | Kinds::NUMBER,
        "boolean" => Kinds::BOOLEAN,
        "date" | "selector" => Kinds::STRING,
        _ => return true,
    };
    kinds(field) & readable != 0
}

/// Describes what is read for the type that [`odd_end`] checks.
pub fn read_as(wanted: &str) -> &'static str {
    match wanted {
        "replicas" => "a number of replicas",
        "selector" => "a selector as text",
        "boolean" => "a boolean",
        "date" => "a date as text",
        _ => "a number",
    }
}
