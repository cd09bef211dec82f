//! The approval of APIs in the groups of the Kubernetes community.

use crate::diag::codes::crd::APPROVAL;
use crate::diag::{Diag, Diags};
use crate::go::{self, Url};
use crate::ir::Crd;
use crate::path::Path;

const ANNOTATION: &str = "api-approved.kubernetes.io";

/// What the approval annotation contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Approval {
    /// Neither a URL nor a reason.
    Invalid,
    /// The URL of an approval.
    Approved,
    /// A reason why the API is not approved.
    Bypassed,
    /// There is no annotation.
    Missing,
}

/// Whether a group belongs to the Kubernetes community.
pub(super) fn is_protected(group: &str) -> bool {
    ["k8s.io", "kubernetes.io"]
        .iter()
        .any(|domain| group.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

/// What the annotation contains, and the server's message about it.
pub(super) fn approval(crd: &Crd) -> (Approval, String) {
    let text = crd.metadata.annotations.get(ANNOTATION).map_or("", String::as_str);
    let see = "see https://github.com/kubernetes/enhancements/pull/1111";
    let must = format!("protected groups must have approval annotation {}", go::quote(ANNOTATION));
    if text.is_empty() {
        (Approval::Missing, format!("{must}, {see}"))
    } else if text.starts_with("unapproved") {
        (Approval::Bypassed, format!("not approved: {}", go::quote(text)))
    } else if Url::parse_request_uri(text).is_ok_and(|url| !url.host.is_empty() && !url.scheme.is_empty()) {
        (Approval::Approved, format!("approved in {text}"))
    } else {
        let form = "with either a URL or a reason starting with \"unapproved\"";
        (Approval::Invalid, format!("{must} {form}, {see}"))
    }
}

/// An update that does not change the approval is accepted.
pub(super) fn check(crd: &Crd, old: Option<&Crd>, out: &mut Diags) {
    if !is_protected(&crd.spec.group) {
        return;
    }
    let (now, why) = approval(crd);
    if old.is_some_and(|old| approval(old).0 == now) {
        return;
    }
    let metadata = Path::ROOT.child("metadata");
    let annotations = metadata.child("annotations");
    let path = annotations.key(ANNOTATION);
    let diag = match now {
        Approval::Approved | Approval::Bypassed => return,
        Approval::Missing => Diag::required(&APPROVAL, &path, why),
        Approval::Invalid => {
            let text = crd.metadata.annotations.get(ANNOTATION).map_or("", String::as_str);
            Diag::invalid(&APPROVAL, &path, text, why)
        }
    };
    out.push(diag.help("use a group of your own domain, or add the annotation `api-approved.kubernetes.io: \"unapproved, experimental-only\"`"));
}
