//! The shape that rules see for the values of a schema at run time.

use std::sync::Arc;

use crate::cel::escape;
use crate::cel::value::{Alphabet, ListType, Shape, ShapeKind, TextFormat};
use crate::declare::is_resource;
use crate::ir::{Schema, SchemaOf, Type};
use crate::server::Server;
use crate::value::Map;

/// Returns the shape of a schema's values. Resources, including embedded ones, have `apiVersion`, `kind` and names
/// whether the schema declares them or not.
pub fn shape(schema: &Schema, of: SchemaOf, server: Server) -> Shape {
    Shape { nullable: schema.nullable, kind: kind(schema, of.or_nested(schema), server) }
}

fn kind(schema: &Schema, of: SchemaOf, server: Server) -> ShapeKind {
    if schema.ext.int_or_string {
        return ShapeKind::IntOrString;
    }
    let unknown = |name: &str| match schema.ext.preserve_unknown_fields {
        Some(true) => ShapeKind::Preserved,
        Some(false) | None => ShapeKind::Unknown(name.to_owned()),
    };
    match &schema.ty {
        None => unknown(""),
        Some(Type::Other(name)) => unknown(name),
        Some(Type::Object) => object(schema, of, server),
        Some(Type::Array) => match schema.item() {
            Some(items) => ShapeKind::List {
                items: Arc::new(shape(items, SchemaOf::Value, server)),
                kind: list_type(schema),
            },
            None => ShapeKind::Unknown("array".to_owned()),
        },
        Some(Type::String) => ShapeKind::String(match schema.limits.format.as_str() {
            "duration" => TextFormat::Duration,
            "date" => TextFormat::Date,
            "date-time" => TextFormat::DateTime,
            "byte" => TextFormat::Byte(if server.is_before(38) { Alphabet::Url } else { Alphabet::Standard }),
            _ => TextFormat::None,
        }),
        Some(Type::Number) => ShapeKind::Number,
        Some(Type::Integer) => ShapeKind::Integer,
        Some(Type::Boolean) => ShapeKind::Boolean,
    }
}

fn list_type(schema: &Schema) -> ListType {
    match schema.ext.list_type.as_deref() {
        Some("set") => ListType::Set,
        Some("map") => {
            let keys = schema.ext.list_map_keys.iter();
            ListType::Map(
                keys.map(|k| escape::escape(k).map_or_else(|| k.clone(), |k| k.into_owned())).collect(),
            )
        }
        Some(_) | None => ListType::Plain,
    }
}

fn object(schema: &Schema, of: SchemaOf, server: Server) -> ShapeKind {
    if schema.properties.is_empty() && !of.is_resource() {
        return match schema.value() {
            Some(values) => ShapeKind::Map(Arc::new(shape(values, SchemaOf::Value, server))),
            None => ShapeKind::Opaque,
        };
    }
    let mut fields: Map<Arc<Shape>> = schema
        .properties
        .iter()
        .map(|(name, property)| (name, Arc::new(shape(property, SchemaOf::Value, server))))
        .collect();
    if of.is_resource() && !is_resource(schema) {
        let text = Arc::new(Shape::of(ShapeKind::String(TextFormat::None)));
        let names = [("generateName", text.clone()), ("name", text.clone())];
        let metadata = Shape::of(ShapeKind::Object(names.into_iter().collect()));
        fields.insert("apiVersion", text.clone());
        fields.insert("kind", text);
        fields.insert("metadata", Arc::new(metadata));
    }
    ShapeKind::Object(fields)
}
