//! Recognizes Kubernetes' own types by their schemas: new CRDs have them as in the table. The metadata of embedded
//! objects has several forms.

use crate::ir::Schema;

/// Whether this is the schema of one of Kubernetes' own types. The description at the field is ignored.
#[cfg(feature = "k8s")]
pub(super) fn is_kubernetes(schema: &Schema) -> bool {
    use crate::recipe::Metadata;
    use std::collections::HashSet;
    use std::sync::OnceLock;

    static ALL: OnceLock<HashSet<String>> = OnceLock::new();
    let all = || {
        let schemas = crate::k8s::all().iter().map(|ty| ty.schema()).chain(Metadata::with_fields());
        schemas.filter(|schema| !schema.properties.is_empty()).map(|schema| text(&schema)).collect()
    };
    !schema.properties.is_empty() && ALL.get_or_init(all).contains(&text(schema))
}

/// Without the table, no type is recognized.
#[cfg(not(feature = "k8s"))]
pub(super) fn is_kubernetes(_: &Schema) -> bool {
    false
}

/// The schema as text, without the description of the field and the metadata of embedded objects, which has many forms.
#[cfg(feature = "k8s")]
fn text(schema: &Schema) -> String {
    let mut schema = Schema {
        title: String::new(),
        description: String::new(),
        default: None,
        example: None,
        nullable: false,
        ..schema.clone()
    };
    bare_metadata(&mut schema);
    crate::json::to_string(&crate::encode::schema(&schema))
}

#[cfg(feature = "k8s")]
fn bare_metadata(schema: &mut Schema) {
    use crate::ir::{Additional, Items, Type};
    for (name, property) in schema.properties.iter_mut() {
        match name {
            "metadata" => *property = Schema::of(Type::Object),
            _ => bare_metadata(property),
        }
    }
    if let Some(Items::One(item)) = &mut schema.items {
        bare_metadata(item);
    }
    if let Some(Additional::Schema(value)) = &mut schema.additional_properties {
        bare_metadata(value);
    }
}
