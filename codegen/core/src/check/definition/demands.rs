//! What is demanded of a definition.

use crate::check::schema::SchemaOptions;

/// What is demanded of a definition.
#[derive(Clone, Debug)]
pub(crate) struct Demands {
    /// Every version has a schema; otherwise only served ones, and those for the sake of pruning.
    pub(crate) schemas: bool,
    /// One of the ConversionReview versions is known.
    pub(crate) recognized_review_version: bool,
    /// Scope and kind cannot change.
    pub(crate) immutable_names: bool,
    /// A CA bundle has a certificate.
    pub(crate) ca_bundle: bool,
    /// The versions that may have too many selectable fields because they had them before. `""` means all versions.
    pub(crate) many_selectable_fields: Vec<String>,
    /// The versions whose schemas did not change.
    pub(crate) same_schemas: Vec<String>,
    /// What is demanded of schemas.
    pub(crate) schema: SchemaOptions,
}
