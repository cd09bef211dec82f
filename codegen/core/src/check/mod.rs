//! Checks CRDs that are created or updated as the API server does, with one module per topic.

pub mod attributes;
mod definition;
pub mod lints;
mod next;
pub mod schema;
pub mod upgrade;
pub mod validations;

pub use definition::conditions::Condition;
pub use definition::webhook;
pub use next::next;

use crate::diag::Diags;
use crate::ir::{Crd, Metadata, Status};
use crate::object::defaults::coerce_defaults;
use crate::rules::Environments;
use crate::server::Server;
use crate::structural::{self, NotStructural};
use definition::Sent;
use definition::conditions;
use definition::demands::Demands;
use definition::hoist::Hoisted;

/// The options for checking a CRD.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The server whose checks are used.
    pub server: Server,
}

impl Options {
    /// Returns the options for the checks of Kubernetes 1.`minor`.
    pub fn of_server(minor: u32) -> Options {
        Options { server: Server::of(minor) }
    }

    /// The environments of expressions.
    fn environments(&self) -> Environments {
        Environments::of_server(self.server)
    }
}

/// The result of checking a CRD.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Why the server would reject the CRD, if it would.
    pub errors: Diags,
    /// What the server would warn about. It does so only if there are no errors.
    pub warnings: Diags,
    /// The conditions that the server's controllers would set. None if there are errors.
    pub conditions: Vec<Condition>,
    /// The metadata that would be stored.
    metadata: Metadata,
    /// The status that would be stored.
    status: Status,
}

impl Report {
    /// Returns whether the server would accept the CRD.
    pub fn is_accepted(&self) -> bool {
        self.errors.is_empty()
    }

    /// Returns the name of the CRD. If it has only `generateName`, the name is a generated one.
    pub fn name(&self) -> &str {
        &self.metadata.name
    }

    /// Returns the CRD `checked` as the server would store it.
    pub fn stored(&self, checked: &Crd) -> Crd {
        let mut spec = checked.spec.clone();
        let bodies = spec.versions.iter_mut().map(|v| &mut v.body).chain([&mut spec.shared]);
        let schemas = bodies.filter_map(|body| body.schema.as_mut()?.open_api_v3_schema.as_mut());
        schemas.for_each(coerce_defaults);
        Crd {
            api_version: checked.api_version,
            metadata: self.metadata.clone(),
            spec,
            status: self.status.clone(),
        }
    }
}

/// Returns the conditions that the server's controllers set in a stored CRD, which they do not check again.
pub fn conditions(crd: &Crd, options: &Options) -> Vec<Condition> {
    conditions::of(crd, true, options.server)
}

/// Returns the errors that the server reports if a CRD is created.
pub fn errors_on_create(crd: &Crd, options: &Options) -> Diags {
    let metadata = definition::prepare::metadata_on_create(&crd.metadata);
    let status = definition::prepare::status_on_create(&crd.spec);
    on_create(&Hoisted::new(crd), &metadata, &status, options)
}

fn on_create(view: &Hoisted<'_>, metadata: &Metadata, status: &Status, options: &Options) -> Diags {
    let mut errors = Diags::new();
    let demands = Demands::on_create(options.environments());
    definition::check(&Sent { view, metadata }, status, None, &demands, &mut errors);
    options.server.printed(errors)
}

/// Checks a CRD that is created.
pub fn create(crd: &Crd, options: &Options) -> Report {
    create_hoisted(&Hoisted::new(crd), options)
}

fn create_hoisted(view: &Hoisted<'_>, options: &Options) -> Report {
    let crd = view.crd;
    let metadata = definition::prepare::metadata_on_create(&crd.metadata);
    let status = definition::prepare::status_on_create(&crd.spec);
    let errors = on_create(view, &metadata, &status, options);
    let accepted = errors.is_empty();
    Report {
        errors,
        warnings: if accepted { definition::warnings::on_create(view, options.server) } else { Diags::new() },
        conditions: if accepted { conditions::of(crd, true, options.server) } else { Vec::new() },
        metadata,
        status,
    }
}

/// Checks a CRD that replaces an old one.
pub fn update(crd: &Crd, old: &Crd, options: &Options) -> Report {
    let (view, before) = (Hoisted::new(crd), Hoisted::new(old));
    let old_metadata = definition::prepare::metadata_as_stored(&old.metadata);
    let metadata =
        definition::prepare::metadata_on_update(&crd.metadata, &old_metadata, view.same_spec(&before));
    let status = definition::prepare::status_on_update(&crd.spec, &old.status, options.server);
    let demands = Demands::on_update(&view, &before, options.environments());
    let mut errors = Diags::new();
    let (new, old) =
        (Sent { view: &view, metadata: &metadata }, Sent { view: &before, metadata: &old_metadata });
    definition::check(&new, &status, Some(&old), &demands, &mut errors);
    let accepted = errors.is_empty();
    Report {
        errors: options.server.printed(errors),
        warnings: if accepted {
            definition::warnings::on_update(&view, &before, options.server)
        } else {
            Diags::new()
        },
        conditions: if accepted {
            conditions::of(crd, demands.schema.structural, options.server)
        } else {
            Vec::new()
        },
        metadata,
        status,
    }
}

/// Checks whether the schema of each version of a stored CRD is structural. The result for a version is `None` without
/// a schema, an error if the schema cannot be converted, and otherwise the rules that it violates.
pub fn structural_versions(crd: &Crd, server: Server) -> Vec<(&str, Option<Result<Diags, NotStructural>>)> {
    let result = |i: usize| {
        let schema = conditions::stored_schema(crd, i)?;
        Some(structural::convertible(schema).map(|()| conditions::violations(schema, i, server)))
    };
    crd.spec.versions.iter().enumerate().map(|(i, v)| (v.name.as_str(), result(i))).collect()
}
