//! Recognizes the types of Kubernetes that projects embed, such as a pod template: their schemas are copied into CRDs, and the
//! authors of a CRD cannot change them.
//!
//! A schema is that of such a type if all its fields are fields of the type, with the same types, and if it requires the same ones.
//! CRDs of older projects lack the newer fields. Constraints do not count: not every tool writes them. Some tools write neither formats
//! nor what is required; a schema without both must have more of the fields. Types of a project can have the same few fields as a type
//! of Kubernetes, so small ones must have all fields of the type.
//!
//! The table of the types needs the feature `k8s`. Whoever can turn on the lints about design has it.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::ir::{Schema, Type};
use crate::k8s;
use crate::recipe::Metadata;
use crate::walk::Node;

/// Types that projects embed and that are not parts of those in [`k8s::EMBEDDED`].
const TEMPLATES: [&str; 3] =
    ["batch/v1.JobTemplateSpec", "core/v1.PersistentVolumeClaim", "core/v1.PodTemplateSpec"];

/// Its conditions have the fields that conditions of projects often have.
const CLAIM_STATUS: &str = "core/v1.PersistentVolumeClaimStatus";

/// With fewer fields, counting those of its parts, a type of a project can have the same ones.
const ENOUGH_FIELDS: usize = 4;

/// The same for a schema without formats and required fields.
const ENOUGH_BARE_FIELDS: usize = 5;

/// What a tool writes about fields, besides their types.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Their formats, and which ones are required.
    Complete,
    /// Nothing.
    Bare,
}

/// The schemas of the types by the names of their fields. References in them are not resolved.
type ByField = HashMap<&'static str, Vec<&'static Schema>>;

/// Whether a schema is that of a type of Kubernetes.
pub(super) fn is_of_kubernetes(node: &Node<'_>) -> bool {
    let found = node.schema;
    let rarest = || {
        let types = found.properties.keys().map(|name| all().get(name).map_or(&[][..], Vec::as_slice));
        types.min_by_key(|types| types.len()).unwrap_or_default()
    };
    !is_of_the_whole_object(node)
        && rarest().iter().any(|known| {
            is_enough(found, known) && has_form(found, known, Style::Complete)
                || is_enough_if_bare(found, known) && has_form(found, known, Style::Bare)
        })
}

/// Whether this is the schema of the whole object, or that of its spec or status.
fn is_of_the_whole_object(node: &Node<'_>) -> bool {
    node.parent().is_none_or(|up| up.up.is_none() && matches!(node.name(), Some("spec" | "status")))
}

fn all() -> &'static ByField {
    static ALL: OnceLock<ByField> = OnceLock::new();
    static METADATA: OnceLock<[Schema; 3]> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut schemas: Vec<&Schema> = METADATA.get_or_init(Metadata::with_fields).iter().collect();
        let mut open: Vec<&str> = k8s::EMBEDDED.into_iter().chain(TEMPLATES).collect();
        let mut seen = vec![CLAIM_STATUS];
        while let Some(name) = open.pop() {
            if let Some(ty) = k8s::find(name).filter(|ty| !seen.contains(&ty.name)) {
                seen.push(ty.name);
                schemas.push(ty.shallow());
                add_references(ty.shallow(), &mut open);
            }
        }
        let mut out = ByField::new();
        for schema in schemas {
            schema.properties.keys().for_each(|name| out.entry(name).or_default().push(schema));
        }
        out
    })
}

fn reference(schema: &Schema) -> Option<&str> {
    schema.foreign.as_ref()?.reference.as_deref()
}

fn add_references(schema: &'static Schema, out: &mut Vec<&'static str>) {
    out.extend(reference(schema));
    schema.children().for_each(|(_, child)| add_references(child, out));
}

/// Follows the references of a schema of the table.
fn resolved(mut schema: &'static Schema) -> &'static Schema {
    while let Some(ty) = reference(schema).and_then(k8s::find) {
        schema = ty.shallow();
    }
    schema
}

/// Whether a schema has so many fields of a type that a type of the project hardly has the same ones by chance.
fn is_enough(found: &Schema, known: &Schema) -> bool {
    let (own, all_fields) = (found.properties.len(), known.properties.len());
    let is_flat = !found.properties.values().any(|field| !field.innermost().properties.is_empty());
    let same_merge = found.ext.map_type == known.ext.map_type;
    if own == all_fields {
        return has_fields(found, ENOUGH_FIELDS) || same_merge && known.ext.map_type.is_some();
    }
    // An older version of the type. If no field has fields, more of them must be there.
    let is_most = if is_flat { same_merge && own * 3 >= all_fields * 2 } else { own * 2 >= all_fields };
    own < all_fields && own >= ENOUGH_FIELDS && is_most
}

/// The same for a schema without formats and required fields, so that less of it is the same.
fn is_enough_if_bare(found: &Schema, known: &Schema) -> bool {
    let (own, all_fields) = (found.properties.len(), known.properties.len());
    let is_flat = !found.properties.values().any(|field| !field.innermost().properties.is_empty());
    let is_most = own == all_fields || !is_flat && own < all_fields && own * 2 >= all_fields;
    is_most && has_fields(found, ENOUGH_BARE_FIELDS)
}

/// Whether a schema has so many fields, counting those of its parts.
fn has_fields(schema: &Schema, enough: usize) -> bool {
    fields(schema, enough) >= enough
}

/// The number of fields in a schema. It does not count further if there are enough.
fn fields(schema: &Schema, enough: usize) -> usize {
    let mut count = schema.properties.len();
    for (_, child) in schema.children().filter(|(edge, _)| edge.is_structural()) {
        if count >= enough {
            break;
        }
        // The pattern of a quantity is as rare as a field.
        count +=
            fields(child, enough) + usize::from(child.ext.int_or_string && !child.limits.pattern.is_empty());
    }
    count
}

/// Whether a schema has the fields of a type, or some of them.
fn has_form(found: &Schema, known: &'static Schema, style: Style) -> bool {
    let known = resolved(known);
    if is_any_object(known) {
        return found.ty == Some(Type::Object);
    }
    let has_type = match (known.ext.int_or_string, found.ext.int_or_string) {
        (true, true) => true,
        // kube-derive writes quantities as texts.
        (true, false) => found.ty == Some(Type::String),
        (false, true) => false,
        (false, false) => found.ty == known.ty && has_format(found, known, style),
    };
    let same = |found: Option<&Schema>, known: Option<&'static Schema>| match (found, known) {
        (Some(found), Some(known)) => has_form(found, known, style),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    has_type
        && found.properties.is_empty() == known.properties.is_empty()
        && requires_the_same(found, known, style)
        && same(found.item(), known.item())
        && same(found.value(), known.value())
        && found.properties.iter().all(|(name, field)| {
            known.properties.get(name).is_some_and(|known| has_form(field, known, style))
        })
}

/// Whether a schema of the table says nothing about its fields. The metadata of embedded objects has several forms.
fn is_any_object(known: &Schema) -> bool {
    known.ty == Some(Type::Object) && known.properties.is_empty() && known.value().is_none()
}

fn has_format(found: &Schema, known: &Schema, style: Style) -> bool {
    let format = &found.limits.format;
    match style {
        Style::Complete => *format == known.limits.format,
        Style::Bare => format.is_empty(),
    }
}

fn requires_the_same(found: &Schema, known: &Schema, style: Style) -> bool {
    let (found, known) = (&found.limits.required, &known.limits.required);
    match style {
        Style::Complete => found.len() == known.len() && found.iter().all(|name| known.contains(name)),
        Style::Bare => found.is_empty(),
    }
}
