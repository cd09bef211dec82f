//! Connects crdgen with schemars: types that implement `schemars::JsonSchema` get a shape, and crdgen's types get a
//! JSON Schema.

use super::json_schema;
use super::{Node, Recipe, Schema, Shape, link_type};
use crate::{ir, json};
use schemars::SchemaGenerator;

/// The shape of a type whose impl has only a JSON Schema.
pub(super) const fn written<T: Schema + ?Sized>() -> &'static Shape {
    const {
        &Shape {
            name: "a schema by hand",
            recipe: Recipe::Written(by_hand::<T>),
            refs: &[],
            defaults: &[],
            places: "",
        }
    }
}

fn by_hand<T: Schema + ?Sized>() -> Node {
    let mut generator = SchemaGenerator::default();
    let schema = T::json_schema(&mut generator);
    json_schema::read::read_text(&text(&T::schema_name(), schema, &mut generator))
}

/// Returns the text of a schema for the linker: its name, a line break, and the JSON with its definitions.
pub fn text(name: &str, mut schema: schemars::Schema, generator: &mut SchemaGenerator) -> String {
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), definitions.into());
    }
    format!("{}\n{}", name.lines().next().unwrap_or_default(), schema.as_value())
}

/// Returns the JSON Schema of a type whose impl has a shape. It accepts what the type accepts. If the type has no
/// schema that a server would accept, the JSON Schema accepts anything and has the reason as its comment.
pub fn described<T: Schema + ?Sized>() -> schemars::Schema {
    if matches!(T::shape().recipe, Recipe::Written(_)) {
        // The impl has neither a shape nor a JSON Schema.
        return false.into();
    }
    let (linked, problems) = link_type::<T>();
    if let Some(problem) = problems.first() {
        return schemars::json_schema!({ "$comment": problem.detail });
    }
    json_schema(&linked.schema)
}

/// Converts a schema to one of schemars.
pub fn json_schema(schema: &ir::Schema) -> schemars::Schema {
    let text = json::to_string(&json_schema::write::json_schema(schema));
    serde_json::from_str(&text).unwrap_or_default()
}
