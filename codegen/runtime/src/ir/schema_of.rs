//! Whether a schema is that of a resource.

use super::Schema;

/// What a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaOf {
    /// A resource, which has `apiVersion`, `kind` and `metadata`, whether the schema lists them or not.
    Resource,
    /// Any other value.
    Value,
}

impl SchemaOf {
    /// Returns what a schema inside of another one describes: only its own keyword can make it that of a resource.
    pub fn nested(schema: &Schema) -> SchemaOf {
        SchemaOf::resource_if(schema.ext.embedded_resource)
    }

    /// Returns `Resource` if a condition is true.
    pub fn resource_if(is_resource: bool) -> SchemaOf {
        if is_resource { SchemaOf::Resource } else { SchemaOf::Value }
    }

    /// Returns whether a value of this schema is a resource, because of its place or of its own keyword.
    #[must_use]
    pub fn or_nested(self, schema: &Schema) -> SchemaOf {
        SchemaOf::resource_if(self.is_resource() || schema.ext.embedded_resource)
    }

    /// Returns whether it is a resource.
    pub fn is_resource(self) -> bool {
        self == SchemaOf::Resource
    }
}
