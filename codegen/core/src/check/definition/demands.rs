//! What a CRD must meet to be accepted.

use crate::check::schema::SchemaOptions;

/// What a CRD must meet to be accepted. An update may keep some mistakes of the old CRD.
#[derive(Clone, Debug)]
pub(crate) struct Demands {
    /// Every version must have a schema. Otherwise, only served versions need one, and those that drop unknown fields.
    pub(crate) schemas: bool,
    /// The server must recognize one of the ConversionReview versions.
    pub(crate) recognized_review_version: bool,
    /// The scope and the kind must not change.
    pub(crate) immutable_names: bool,
    /// The CA bundle must contain a certificate.
    pub(crate) ca_bundle: bool,
    /// The versions that may have too many selectable fields, because the old CRD has the same ones. `""` means all
    /// versions.
    pub(crate) many_selectable_fields: Vec<String>,
    /// The versions whose schemas did not change.
    pub(crate) same_schemas: Vec<String>,
    /// What schemas must meet.
    pub(crate) schema: SchemaOptions,
}
