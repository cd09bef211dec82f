//! `priority`: the order in which discovery lists versions. `version`: the version of crdgen and of the server.

use super::request::Request;
use super::{Answer, fields, texts};
use crate::names;

/// Sorts version names, highest priority first.
pub(super) fn priority(request: &Request) -> Answer {
    let mut versions = request.versions.clone();
    versions.sort_by(|a, b| names::compare_versions(b, a));
    Ok(fields([("versions", texts(versions))]))
}

/// The version of crdgen, and of the server whose answers it gives.
pub(super) fn version(request: &Request) -> Answer {
    let server = request.server()?;
    Ok(fields([
        ("crdgen", env!("CARGO_PKG_VERSION").into()),
        ("k8s.io/apiextensions-apiserver", format!("v0.{}", server.minor()).into()),
        ("celCompatibilityVersion", format!("1.{}", server.compatibility()).into()),
    ]))
}
