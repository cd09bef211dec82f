//! Searches whole schemas, because what the old schema of a CRD contains decides which checks apply to an update.

use super::lists::{is_loose_set, loose_keys};
use crate::diag::Diags;
use crate::ir::Schema;
use crate::object::defaults;
use crate::path::Path;
use crate::server::Server;
use crate::structural;
use crate::walk::any_schema;
use std::borrow::Cow;

/// Returns whether a schema contains a default anywhere.
pub fn has_defaults(schema: &Schema) -> bool {
    any_schema(schema, &mut |s| s.default.is_some())
}

/// Returns whether a schema contains an extension anywhere that only structural schemas can have.
pub fn has_extensions(schema: &Schema) -> bool {
    any_schema(schema, &mut |s| {
        s.ext.embedded_resource
            || s.ext.preserve_unknown_fields.is_some()
            || s.ext.int_or_string
            || !s.ext.list_map_keys.is_empty()
            || s.ext.list_type.is_some()
            || !s.rules.is_empty()
    })
}

/// Returns whether a schema contains a set anywhere whose items are not atomic.
pub fn has_loose_sets(schema: &Schema) -> bool {
    any_schema(schema, &mut is_loose_set)
}

/// Returns whether a schema contains a list map or set anywhere whose keys can be missing or whose items can be null.
pub fn has_loose_list_keys(schema: &Schema) -> bool {
    any_schema(schema, &mut |s| {
        let mut found = Diags::new();
        loose_keys(s, &Path::ROOT, &mut found);
        !found.is_empty()
    })
}

/// Returns whether a structural schema has a default with unknown fields.
pub fn has_unpruned_defaults(schema: &Schema, server: Server) -> bool {
    has_defaults(schema)
        && structural::is_structural(schema, server)
        && defaults::with_pruned_defaults(schema).is_ok_and(|pruned| matches!(pruned, Cow::Owned(_)))
}
