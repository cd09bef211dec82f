//! Checks the schema of one version as the server does: that it is structural, its defaults, the OpenAPI subset, list
//! and map types, and the texts of rules.

mod as_go;
pub(crate) mod defaults;
mod formats;
mod hook;
mod lists;
mod openapi;
mod presence;
mod root;
mod rule_texts;

pub use as_go::rule as rule_as_go;
pub use formats::{format_warning, set_warning};
pub use hook::{NoRules, Rules};
pub use presence::{
    has_defaults, has_extensions, has_loose_list_keys, has_loose_sets, has_unpruned_defaults,
};

use std::sync::Arc;

use crate::diag::codes::schema as codes;
use crate::diag::{BadValue, Diag, Diags};
use crate::ir::Schema;
use crate::object::defaults::coerce_defaults;
use crate::path::Path;
use crate::rules::Environments;
use crate::server::Server;
use crate::structural;
use crate::walk::any_schema;

/// The constraints that a schema must meet. An update may keep a mistake that the old CRD has too, so each constraint
/// can be switched off. The predicates of this module search the old CRD for such mistakes.
#[derive(Clone, Debug)]
pub struct SchemaOptions {
    /// Whether the version has the status subresource, which restricts the keywords at the root.
    pub status: bool,
    /// Whether the schema must be structural.
    pub structural: bool,
    /// Whether types must be known.
    pub valid_types: bool,
    /// Whether defaults must have no unknown fields.
    pub pruned_defaults: bool,
    /// Whether the items of sets must be atomic.
    pub atomic_sets: bool,
    /// Whether keys of list maps must be required or have defaults, and items of sets and list maps must not be null.
    pub list_keys: bool,
    /// The environments in which rules are compiled.
    pub environments: Arc<Environments>,
    /// Whether the cost of single expressions is unlimited, because the old CRD has the same schema.
    pub any_cost: bool,
}

impl SchemaOptions {
    /// Returns the server whose checks are used.
    pub fn server(&self) -> Server {
        self.environments.server
    }
}

impl Default for SchemaOptions {
    /// All checks that apply to a new CRD.
    fn default() -> Self {
        SchemaOptions {
            status: false,
            structural: true,
            valid_types: true,
            pruned_defaults: true,
            atomic_sets: true,
            list_keys: true,
            environments: Arc::default(),
            any_cost: false,
        }
    }
}

/// Checks the schema in `openAPIV3Schema` below `path`.
pub fn validate(path: &Path<'_>, schema: &Schema, options: &SchemaOptions, rules: &mut dyn Rules) -> Diags {
    let path = path.child("openAPIV3Schema");
    let mut out = Diags::new();
    root::check(schema, options, &path, &mut out);
    let mut not_convertible = None;
    let mut sound = false;
    if options.structural {
        match structural::convertible(schema) {
            // The checks below report the same mistakes, so this error is only shown if they find none.
            Err(why) => {
                let help = "remove what the message names from the schema";
                not_convertible =
                    Some(Diag::invalid(&codes::NOT_STRUCTURAL, &path, "", why.to_string()).help(help));
            }
            Ok(()) => {
                let mut errors = structural::validate(&path, schema, options.server());
                if errors.is_empty() {
                    errors =
                        defaults::validate(&path, schema, options.pruned_defaults, options.server(), rules);
                }
                sound = errors.is_empty();
                out.append(&mut errors);
            }
        }
    }
    openapi::check(schema, &path, options, sound.then_some(&mut *rules), &mut out);
    if out.is_empty() {
        out.extend(not_convertible);
    }
    if sound {
        rules.finish(&path, &mut out);
    }
    out
}

/// Returns the schema as the server's messages show it. The server prints messages after all checks, and the check of
/// defaults converts the metadata in them to its types.
pub fn shown(schema: &Schema, options: &SchemaOptions, path: &Path<'_>) -> BadValue {
    let checked = options.structural
        && any_schema(schema, &mut |node| node.default.is_some())
        && structural::convertible(schema).is_ok()
        && structural::validate(path, schema, options.server()).is_empty();
    if !checked {
        return as_go::schema(schema);
    }
    let mut coerced = schema.clone();
    coerce_defaults(&mut coerced);
    as_go::schema(&coerced)
}
