//! The attributes of a kind as a whole.

use super::metadata::Metadata;
use super::patch::{Allow, Patch};
use super::types::opaque;
use super::{Field, Need, Node, Struct};
use crate::ir::{Column, Conversion, Scale, Schema, Type};
use crate::value::Map;

/// The attributes of a kind, from `#[kube(…)]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Root {
    /// `group`
    pub group: String,
    /// `version`
    pub version: String,
    /// `kind`
    pub kind: String,
    /// `plural`; derived from the kind if empty.
    pub plural: String,
    /// `singular`; derived from the kind if empty.
    pub singular: String,
    /// `shortname`
    pub short_names: Vec<String>,
    /// `category`
    pub categories: Vec<String>,
    /// `list_kind`
    pub list_kind: String,
    /// `namespaced`
    pub namespaced: bool,
    /// `served = false`
    pub unserved: bool,
    /// `storage = false`
    pub unstored: bool,
    /// `deprecated`
    pub deprecated: bool,
    /// `deprecated = "…"`
    pub deprecation_warning: Option<String>,
    /// `annotation`
    pub annotations: Map<String>,
    /// `label`
    pub labels: Map<String>,
    /// `printcolumn`
    pub columns: Vec<Column>,
    /// `selectable`
    pub selectable: Vec<String>,
    /// `scale`
    pub scale: Option<Scale>,
    /// The attributes of the root's schema: rules and description.
    pub patch: Patch,
    /// `conversion`
    pub conversion: Option<Conversion>,
    /// `preserve_unknown_fields`
    pub preserve_unknown_fields: Option<bool>,
    /// Whether the type is the whole object instead of its `spec`.
    pub whole: bool,
    /// The recipe of the spec, or of the whole object.
    pub spec: Node,
    /// The recipe of the status.
    pub status: Option<Node>,
    /// The schema with the constraints for `metadata.name`.
    pub metadata_name: Option<Schema>,
    /// The schema with the constraints for `metadata.generateName`.
    pub metadata_generate_name: Option<Schema>,
    /// `schema = "disabled"`: the CRD accepts any fields.
    pub schemaless: bool,
    /// `spec_optional`
    pub spec_optional: bool,
    /// `as_is`: skips the checks for bad paths and duplicate names.
    pub as_is: bool,
    /// `no_subresources`
    pub no_subresources: bool,
    /// `subresource_status`. If absent, the type of the status decides.
    pub subresource_status: Option<bool>,
    /// The schema for the metadata of embedded objects, unless a field has another one.
    pub metadata: Option<Metadata>,
    /// The warnings about the whole kind that are not reported.
    pub allow: Vec<Allow>,
    /// `max_description`
    pub max_description: Option<i64>,
}

impl Root {
    /// Returns the plural: the given one, or the one that is derived from the kind.
    pub fn plural_name(&self) -> String {
        if self.plural.is_empty() { plural_of(&self.kind) } else { self.plural.clone() }
    }

    /// Returns the recipe of an object of this kind as the type of a field. It refers to the same types as the root. Other
    /// than in the root, the server knows only the fields in the schema, so `apiVersion`, `kind` and `metadata` are in
    /// it. Metadata becomes that of the kind around it.
    pub fn embedded(&self) -> Node {
        if self.schemaless {
            return Node::plain(opaque());
        }
        let field = |name: &str, node: Node, need: Need| Field {
            name: name.to_owned(),
            node,
            need,
            flatten: name.is_empty(),
            ..Field::default()
        };
        let plain = |ty: Type| Node::plain(Schema::of(ty));
        let mut fields = vec![
            field("apiVersion", plain(Type::String), Need::Optional),
            field("kind", plain(Type::String), Need::Optional),
            field("metadata", plain(Type::Object), Need::Required),
        ];
        let spec = if self.whole { "" } else { "spec" };
        let need = if self.spec_optional { Need::Optional } else { Need::Auto };
        fields.push(field(spec, self.spec.clone(), need));
        fields.extend(self.status.iter().map(|status| field("status", status.clone(), Need::Optional)));
        Node::Struct(Box::new(Struct { fields, ..Struct::default() }))
    }
}

/// Derives the plural from a kind, like kube-rs.
pub fn plural_of(kind: &str) -> String {
    let word = kind.to_lowercase();
    if word == "endpoints" || word == "endpointslices" {
        return word;
    }
    if ["s", "x", "z", "ch", "sh"].iter().any(|end| word.ends_with(end)) {
        return format!("{word}es");
    }
    match word.strip_suffix('y') {
        Some(stem) if stem.chars().last().is_some_and(|c| !"aeiou".contains(c)) => format!("{stem}ies"),
        _ => format!("{word}s"),
    }
}
