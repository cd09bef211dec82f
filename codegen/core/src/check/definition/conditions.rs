//! The conditions that the server's controllers set on an accepted definition.

use super::approval;
use crate::diag::Diags;
use crate::ir::{ApiVersion, Crd, Schema};
use crate::path::Path;
use crate::server::Server;
use crate::server::{Approval, is_protected};
use crate::structural;
use std::collections::BTreeSet;

/// A condition in the status of a CRD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// `type`
    pub ty: &'static str,
    /// `status`
    pub status: &'static str,
    /// `reason`
    pub reason: &'static str,
    /// `message`
    pub message: String,
}

/// The conditions `NonStructuralSchema` (unless the schemas are known to be structural) and
/// `KubernetesAPIApprovalPolicyConformant`.
pub(crate) fn of(crd: &Crd, structural: bool, server: Server) -> Vec<Condition> {
    let mut out = Vec::new();
    if !structural || crd.spec.preserve_unknown_fields == Some(true) {
        out.extend(non_structural(crd, server));
    }
    if is_protected(&crd.spec.group) {
        let (state, message) = approval::of(crd);
        let (status, reason) = match state {
            Approval::Invalid => ("False", "InvalidAnnotation"),
            Approval::Missing => ("False", "MissingAnnotation"),
            Approval::Approved => ("True", "ApprovedAnnotation"),
            Approval::Bypassed => ("False", "UnapprovedAnnotation"),
        };
        out.push(Condition { ty: "KubernetesAPIApprovalPolicyConformant", status, reason, message });
    }
    out
}

/// The schema of a version once the CRD is stored as v1. A schema that all versions share overrides the version's own.
pub(crate) fn stored_schema(crd: &Crd, version: usize) -> Option<&Schema> {
    let shared = match crd.api_version {
        ApiVersion::V1 => None,
        ApiVersion::V1beta1 => crd.spec.shared.schema.as_ref(),
    };
    shared.or(crd.spec.versions.get(version)?.body.schema.as_ref())?.open_api_v3_schema.as_ref()
}

/// Why a schema is not structural, with the place in the stored definition.
pub(crate) fn violations(schema: &Schema, version: usize, server: Server) -> Diags {
    let spec = Path::ROOT.child("spec");
    let versions = spec.child("versions");
    let version = versions.index(version);
    let at = version.child("schema");
    structural::validate(&at.child("openAPIV3Schema"), schema, server)
}

fn non_structural(crd: &Crd, server: Server) -> Option<Condition> {
    const TYPE: &str = "NonStructuralSchema";
    let mut messages = BTreeSet::new();
    let mut all = Vec::new();
    let mut note = |message: String| {
        if messages.insert(message.clone()) {
            all.push(message);
        }
    };
    if crd.spec.preserve_unknown_fields == Some(true) {
        note("spec.preserveUnknownFields: Invalid value: true: must be false".to_owned());
    }
    for (i, version) in crd.spec.versions.iter().enumerate() {
        let Some(schema) = stored_schema(crd, i) else { continue };
        if let Err(why) = structural::convertible(schema) {
            let message = format!("failed to check validation schema for version {}: {why}", version.name);
            return Some(Condition { ty: TYPE, status: "Unknown", reason: "StructuralError", message });
        }
        violations(schema, i, server).iter().for_each(|d| note(d.text()));
    }
    let message = match &all[..] {
        [] => return None,
        [one] => one.clone(),
        several => format!("[{}]", several.join(", ")),
    };
    Some(Condition { ty: TYPE, status: "True", reason: "Violations", message })
}
