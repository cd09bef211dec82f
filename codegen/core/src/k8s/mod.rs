//! Schemas of Kubernetes' own types, as controller-gen gives them for Go types that embed them.
//!
//! `types.json` is written by `tests/k8s-types`: a type a line, sorted by name, equal sub-schemas as
//! references. A type is found by bisection and read when it is asked for.

use crate::diag::Diags;
use crate::ir::{Additional, Items, Schema};
use crate::{json, read};

static TYPES: &str = include_str!("types.json");

/// The schema of a type such as `core/v1.PodSpec` or `resource.Quantity`.
pub fn schema(name: &str) -> Option<Schema> {
    let mut schema = raw(name)?;
    resolve(&mut schema, 0);
    Some(schema)
}

/// The name in the table of a type of the crate `k8s_openapi`, given the path inside the crate.
pub fn name_of_rust_path(path: &[&str]) -> Option<String> {
    match path {
        ["api", group, version, ty] => Some(format!("{group}/{version}.{ty}")),
        ["apimachinery", "pkg", "apis", "meta", "v1", ty] => Some(format!("meta/v1.{ty}")),
        ["apimachinery", "pkg", "api", "resource", ty] => Some(format!("resource.{ty}")),
        ["apimachinery", "pkg", "util", "intstr", ty] => Some(format!("intstr.{ty}")),
        ["apimachinery", "pkg", "runtime", ty] => Some(format!("runtime.{ty}")),
        _ => None,
    }
    .filter(|name| line(name).is_some())
}

/// All names in the table, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    TYPES.lines().filter_map(|line| line.strip_prefix('"')?.split('"').next())
}

/// No type of the table nests deeper; a guard against a table that refers to itself.
const MAX_DEPTH: usize = 64;

/// The schema of a type with its references as they stand: `$ref` names another type of the table.
pub fn shallow(name: &str) -> Option<Schema> {
    raw(name)
}

fn raw(name: &str) -> Option<Schema> {
    let text = line(name)?;
    let value = json::read(text.as_bytes()).ok()?;
    let (schema, diags): (_, Diags) = read::crd::schema(value);
    schema.filter(|_| diags.is_empty())
}

/// The JSON text of a type.
fn line(name: &str) -> Option<&'static str> {
    // Lines start with `"name":`; the first and the last one are the braces.
    let (mut low, mut high) = (TYPES.find('\n')? + 1, TYPES.trim_end().rfind('\n')? + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        let start = TYPES[low..middle].rfind('\n').map_or(low, |i| low + i + 1);
        let end = start + TYPES[start..].find('\n')?;
        let (key, text) = TYPES[start..end].strip_prefix('"')?.split_once("\":")?;
        match key.cmp(name) {
            std::cmp::Ordering::Equal => return Some(text.trim_end_matches(',')),
            std::cmp::Ordering::Less => low = end + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    None
}

/// Puts schemas in the place of references.
fn resolve(schema: &mut Schema, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    let target = schema.foreign.as_ref().and_then(|f| f.reference.clone());
    if let Some(found) = target.and_then(|target| raw(&target)) {
        *schema = found;
        return resolve(schema, depth + 1);
    }
    for field in schema.properties.values_mut() {
        resolve(field, depth + 1);
    }
    if let Some(Items::One(items)) = &mut schema.items {
        resolve(items, depth + 1);
    }
    if let Some(Additional::Schema(value)) = &mut schema.additional_properties {
        resolve(value, depth + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_found_and_has_no_references_left() {
        fn whole(schema: &Schema) -> bool {
            schema.foreign.is_none()
                && schema.properties.values().all(whole)
                && schema.item().is_none_or(whole)
                && schema.value().is_none_or(whole)
        }
        let mut count = 0;
        for name in names() {
            let schema = schema(name).unwrap_or_else(|| panic!("{name} is not found"));
            assert!(whole(&schema), "{name} has references left");
            count += 1;
        }
        assert!(count > 1000, "only {count} types");
        assert_eq!(line("core/v1.NoSuchType"), None);
    }
}
