//! From Rust types to CRDs: both routes, the oracle, and serde.

#[rustfmt::skip]
#[allow(deprecated, reason = "the variants of some enums have different types")]
mod matrix;
mod advice;
mod builder;
mod by_hand;
mod by_schemars;
mod defaults;
#[allow(dead_code, missing_docs, unreachable_pub, reason = "test data")]
mod dependency;
mod doors;
mod embedded;
mod exact;
mod foreign;
mod fuzz;
#[allow(dead_code, missing_docs, unreachable_pub, reason = "test data")]
mod hygiene;
mod keys;
mod messages;
mod modules;
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

use crdgen::__private::{Declared, Shape};
use crdgen::ir::Crd;
use crdgen::{CustomResource, Schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A compiled kind: its CRD, and how serde reads and writes its spec.
pub(crate) struct Kind {
    /// What the kind tests.
    pub(crate) about: &'static str,
    /// Its CRD.
    pub(crate) definition: fn() -> Result<Crd, crdgen::Problems>,
    /// Reads a spec and writes it again.
    pub(crate) round: fn(&serde_json::Value) -> Result<serde_json::Value, String>,
}

/// Returns a kind from its types.
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

/// A spec with one field.
#[derive(Deserialize, Schema, Serialize)]
struct Only<T> {
    v: T,
}

/// The kind for specs with one field. It replaces one kind per type, because deriving each of them takes long to
/// compile.
#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "field.example.com", version = "v1", kind = "One", namespaced)]
struct OneSpec {}

struct OneOf<T>(std::marker::PhantomData<T>);

impl<T: Schema> CustomResource for OneOf<T> {
    const GROUP: &'static str = One::GROUP;
    const VERSION: &'static str = One::VERSION;
    const KIND: &'static str = One::KIND;

    fn declared() -> Declared {
        let shape = const { &Shape::text("One", "", &[], &[<Only<T> as Schema>::shape]) };
        Declared { text: One::declared().text, shape }
    }
}

/// Returns the kind whose spec has only a field of this type.
pub(crate) fn one<T: Schema + Serialize + DeserializeOwned>(about: &'static str) -> Kind {
    kind::<OneOf<T>, Only<T>>(about)
}
