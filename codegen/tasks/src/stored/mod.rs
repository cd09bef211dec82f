//! The migration of stored objects, as `crdgen migrate` does it: what must happen before a version of a CRD can be removed,
//! and writing all objects of a CRD again, so that the server stores them in the current storage version.
//!
//! All requests go through `kubectl proxy`, because kubectl knows every way to log in to a cluster.
//!
//! **Unstable**: any release may change what is in this module.

mod api;
pub mod ask;
mod facts;
pub mod finish;
mod pages;
mod resume;
mod rewrite;

pub use api::Api;
pub use facts::{Facts, Live, Step, Writer};
pub use resume::{File, Position, Subject};
pub use rewrite::{Rewrite, Rewritten, may_drop_fields};

use api::{JSON, Request};
use crdgen_core::value::Value;
use crdgen_files::Error;
use std::fmt;

/// Who watches a migration.
pub trait Watch: Sync {
    /// Gets a note for the user, such as why an object cannot be written.
    fn note(&self, note: fmt::Arguments<'_>);

    /// Gets the number of objects before the first one is written.
    fn total(&self, objects: usize);

    /// Is called for each object that was tried. Several threads call it.
    fn step(&self);
}

const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// Reads these CRDs of a cluster, or all of them.
pub fn of_cluster(api: &Api, names: &[String]) -> Result<Vec<Facts>, Error> {
    let read = |path: &str| {
        let answer = api.get(path)?;
        match (answer.status, answer.value()) {
            (200, Some(value)) => Ok(value),
            _ => {
                let request = Request { method: "GET", path, accept: JSON, body: None };
                Err(api::failed(&request, answer.message()))
            }
        }
    };
    if !names.is_empty() {
        let one = |name: &String| Facts::of(read(&format!("{CRDS}/{}", api::escaped(name)))?);
        return names.iter().map(one).collect();
    }
    let Value::Map(mut list) = read(CRDS)? else { return Ok(Vec::new()) };
    let Some(Value::List(items)) = list.remove("items") else { return Ok(Vec::new()) };
    let of_item = |mut item: Value| {
        // Items of lists have neither `apiVersion` nor `kind`.
        if let Value::Map(members) = &mut item {
            members.insert("apiVersion", Value::from("apiextensions.k8s.io/v1"));
            members.insert("kind", Value::from("CustomResourceDefinition"));
        }
        Facts::of(item)
    };
    items.into_iter().map(of_item).collect()
}
