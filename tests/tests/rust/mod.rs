//! Rust types to definitions: both routes, the judge, and serde.

#[rustfmt::skip]
mod matrix;
mod builder;
mod by_schemars;
mod defaults;
#[allow(dead_code, missing_docs, unreachable_pub, reason = "test data")]
mod dependency;
mod exact;
mod foreign;
mod fuzz;
#[allow(dead_code, missing_docs, unreachable_pub, reason = "test data")]
mod hygiene;
mod keys;
mod messages;
mod nesting;
mod patterns;
mod published;
mod random;
mod reference;
mod routes;
mod rules;
mod schemars;
mod serde_matrix;
mod ui;
mod unions;
mod watch;

use crdgen::CustomResource;
use crdgen::ir::Crd;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A kind that was compiled: its definition, and what serde makes of its spec.
pub(crate) struct Kind {
    /// What it is about.
    pub(crate) about: &'static str,
    /// Its definition.
    pub(crate) definition: fn() -> Result<Crd, crdgen::Problems>,
    /// Reads a spec and writes it again.
    pub(crate) round: fn(&serde_json::Value) -> Result<serde_json::Value, String>,
}

/// A kind by its types.
pub(crate) fn kind<K: CustomResource, S: Serialize + DeserializeOwned>(about: &'static str) -> Kind {
    Kind {
        about,
        definition: K::definition,
        round: |value| {
            let spec: S = serde_json::from_value(value.clone()).map_err(|e| e.to_string())?;
            serde_json::to_value(&spec).map_err(|e| e.to_string())
        },
    }
}
