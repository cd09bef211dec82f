//! The schema for the metadata of embedded objects. In schemas of Go types it is an object without fields, of which the
//! server keeps nothing.

use crate::ir::{Schema, Type, Which};
use crate::{decode, json};

/// The schema that replaces a bare object for metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metadata {
    /// Any fields, which the server keeps and does not check.
    Preserve,
    /// Names, namespaces, labels, annotations and finalizers, as with controller-gen's `generateEmbeddedObjectMeta`.
    Subset,
    /// All fields of Kubernetes' ObjectMeta.
    Full,
    /// All fields except those that only the server sets.
    Settable,
    /// On a field whose type is Kubernetes' ObjectMeta: the same as for all metadata in the kind.
    AsKind,
}

/// The fields of an object's metadata that the server sets. In the metadata of templates, they are never set.
pub const SET_BY_SERVER: [&str; 8] = [
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "uid",
];

/// The schemas. The test program `tables` writes them.
const TABLE: &str = include_str!("metadata.json");

impl Metadata {
    /// Returns the schemas that list fields.
    pub fn with_fields() -> [Schema; 3] {
        [Metadata::Subset, Metadata::Settable, Metadata::Full].map(Metadata::schema)
    }

    fn schema(self) -> Schema {
        let mut out = Schema::of(Type::Object);
        let name = match self {
            Metadata::Settable => {
                let mut schema = Metadata::Full.schema();
                SET_BY_SERVER.iter().for_each(|name| _ = schema.properties.remove(name));
                return schema;
            }
            Metadata::Preserve => {
                out.ext.preserve_unknown_fields = Some(true);
                return out;
            }
            Metadata::Subset => "subset",
            Metadata::Full => "full",
            Metadata::AsKind => return out,
        };
        let table = json::read(TABLE.as_bytes()).ok();
        let schema = table.and_then(|t| decode::schema(t.get(name)?.clone()).0);
        // A test checks that both exist.
        schema.unwrap_or(out)
    }

    /// Replaces bare metadata below a schema.
    pub(super) fn put_below(self, schema: &mut Schema) {
        replace(&self.schema(), schema);
    }

    /// Replaces bare metadata here and below. Returns whether there is any.
    pub(super) fn put_into(self, schema: &mut Schema) -> bool {
        let new = self.schema();
        if is_bare(schema) {
            *schema = described(new, schema);
            return true;
        }
        replace(&new, schema)
    }
}

fn replace(new: &Schema, schema: &mut Schema) -> bool {
    let mut found = false;
    for (edge, part) in schema.children_mut().filter(|(edge, _)| edge.is_structural()) {
        if edge.which == Which::Name("metadata") && is_bare(part) {
            *part = described(new.clone(), part);
            found = true;
        } else {
            found |= replace(new, part);
        }
    }
    found
}

/// Whether this is an object without any constraint.
fn is_bare(schema: &Schema) -> bool {
    schema.ty == Some(Type::Object)
        && schema.properties.is_empty()
        && schema.additional_properties.is_none()
        && schema.ext.preserve_unknown_fields.is_none()
        && !schema.ext.embedded_resource
}

/// The new schema with the title, description and default of the old one.
fn described(new: Schema, old: &mut Schema) -> Schema {
    Schema {
        title: std::mem::take(&mut old.title),
        description: std::mem::take(&mut old.description),
        default: old.default.take(),
        nullable: old.nullable,
        ..new
    }
}

#[cfg(test)]
mod tests {
    use super::Metadata;

    #[test]
    fn both_tables_exist() {
        let names = |kind: Metadata| kind.schema().properties.keys().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(names(Metadata::Subset), ["annotations", "finalizers", "labels", "name", "namespace"]);
        let settable =
            ["annotations", "finalizers", "generateName", "labels", "name", "namespace", "ownerReferences"];
        assert_eq!(names(Metadata::Settable), settable);
        assert!(names(Metadata::Full).contains(&"ownerReferences".to_owned()));
    }
}
