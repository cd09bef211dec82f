//! Paths to fields, as columns and scale have them.

use crate::ir::Schema;

/// The first name of a plain path (`.a.b`) which the schema does not know, and those it does.
pub(crate) fn dead_end(schema: &Schema, path: &str) -> Option<(String, String)> {
    let names = path.strip_prefix('.')?;
    if !names.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.') {
        return None;
    }
    let mut at = schema;
    for (depth, name) in names.split('.').enumerate() {
        if depth == 0 && matches!(name, "metadata" | "apiVersion" | "kind") {
            return None;
        }
        if at.ext.preserve_unknown_fields.is_some() || at.ext.embedded_resource {
            return None;
        }
        if let Some(value) = at.value() {
            at = value;
            continue;
        }
        match at.properties.get(name) {
            Some(next) => at = next,
            None => {
                let known: Vec<&str> = at.properties.keys().collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                return Some((name.to_owned(), known));
            }
        }
    }
    None
}
