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

/// What a schema must keep. An update of a definition that broke a rule before may go on breaking it,
/// so that each demand can be dropped; see the predicates of this module.
#[derive(Clone, Debug)]
pub struct SchemaOptions {
    /// The version has the status subresource, which restricts the root.
    pub status: bool,
    /// The schema must be structural.
    pub structural: bool,
    /// Types must be known ones.
    pub valid_types: bool,
    /// Defaults must have no unknown fields.
    pub pruned_defaults: bool,
    /// Items of sets must be atomic.
    pub atomic_sets: bool,
    /// Keys of list maps must be required or have defaults; items of sets and list maps must not be null.
    pub list_keys: bool,
    /// The environments that rules are compiled in.
    pub environments: Arc<Environments>,
    /// The schema is the one the definition had, so that single expressions may cost what they cost.
    pub any_cost: bool,
}

impl SchemaOptions {
    /// The server that checks.
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

/// Checks a schema that is the `openAPIV3Schema` below `path`.
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

/// The schema as the server's messages show it. They are printed after all checks, and the check of the
/// defaults brings the metadata in them into its types.
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
