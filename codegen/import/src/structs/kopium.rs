//! Gives the same names as kopium, so that code which uses kopium's types still compiles.

use heck::{ToPascalCase, ToSnakeCase, ToUpperCamelCase};

use super::model::Struct;
use super::names;
use crdgen_rust::syntax::nesting;

/// The name of a type: kind and properties in camel case, joined, without `Spec`. Steps into lists and maps add
/// nothing.
pub(super) fn type_name(path: &[String], is_enum: bool) -> String {
    let mut steps = path.iter().filter(|step| *step != "[]" && *step != "{}");
    let kind = steps.next().map(|kind| kind.to_upper_camel_case()).unwrap_or_default();
    let mut name = kind.clone();
    for step in steps {
        // The joined name is converted to camel case again, which can change it: A and BTest become AbTest.
        name = name.to_upper_camel_case() + &step.to_upper_camel_case();
    }
    if !is_enum {
        name = name.to_upper_camel_case();
    }
    // The spec itself keeps its name.
    if !matches!(path, [_, spec] if spec == "spec") {
        name = name.replace(&format!("{kind}Spec"), &kind);
    }
    names::kind(&name)
}

/// The name, or if it is used already, the first free one with `X` appended.
pub(super) fn free_name(name: &str, free: impl Fn(&str) -> bool) -> String {
    let mut name = name.to_owned();
    while !free(&name) {
        name.push('X');
    }
    name
}

/// Names the fields of a struct.
pub(super) fn fields(body: &mut Struct) {
    // `rename_all` depends on these names.
    names::fields(body);
    let mut seen: Vec<String> = Vec::with_capacity(body.fields.len());
    for field in &mut body.fields {
        let name = match field.property.as_str() {
            "-" => Some("kopium_dash".to_owned()),
            "_" => Some("kopium_underscore".to_owned()),
            property => identifier(property.to_snake_case()),
        };
        let mut name = name.unwrap_or_else(|| field.ident.clone());
        while seen.contains(&name) {
            name.push_str("_x");
        }
        seen.push(name.clone());
        field.ident = name;
    }
}

/// The variants of an enum with their strings.
pub(super) fn variants(values: &[&str]) -> Vec<(String, String)> {
    let mut seen: Vec<String> = Vec::with_capacity(values.len());
    for (i, value) in values.iter().enumerate() {
        let name = match *value {
            "" => Some("KopiumEmpty".to_owned()),
            "-" => Some("KopiumDash".to_owned()),
            "_" => Some("KopiumUnderscore".to_owned()),
            value => identifier(value.to_pascal_case()),
        };
        let mut name = name.unwrap_or_else(|| format!("KopiumVariant{i}"));
        while seen.contains(&name) {
            name.push('X');
        }
        seen.push(name);
    }
    seen.into_iter().zip(values.iter().map(|v| (*v).to_owned())).collect()
}

/// A name as an identifier, with `_` before it if this makes it valid. Raw identifiers are returned without `r#`.
fn identifier(name: String) -> Option<String> {
    let valid = |name: &str| name.is_ascii() && nesting::is_identifier(&format!("r#{name}"));
    if valid(&name) {
        return Some(name);
    }
    let name = format!("_{name}");
    valid(&name).then_some(name)
}
