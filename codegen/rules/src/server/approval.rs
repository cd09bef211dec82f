//! The approval that APIs in the groups of the Kubernetes community need.

use crate::go;

/// The annotation with the approval.
pub const APPROVAL_ANNOTATION: &str = "api-approved.kubernetes.io";

/// What the author of types can do.
pub const APPROVAL_HELP: &str = "use a group of your own domain, or write annotation(\"api-approved.kubernetes.io\", \"unapproved, \
     experimental-only\") in #[kube(…)]";

/// What the approval annotation contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approval {
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
pub fn is_protected(group: &str) -> bool {
    ["k8s.io", "kubernetes.io"]
        .iter()
        .any(|domain| group.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

/// What the text of the annotation means, and the server's message about it. An empty text means that there is none.
pub fn approval(text: &str) -> (Approval, String) {
    let see = "see https://github.com/kubernetes/enhancements/pull/1111";
    let must = format!("protected groups must have approval annotation {}", go::quote(APPROVAL_ANNOTATION));
    if text.is_empty() {
        (Approval::Missing, format!("{must}, {see}"))
    } else if text.starts_with("unapproved") {
        (Approval::Bypassed, format!("not approved: {}", go::quote(text)))
    } else if is_url(text) {
        (Approval::Approved, format!("approved in {text}"))
    } else {
        let form = "with either a URL or a reason starting with \"unapproved\"";
        (Approval::Invalid, format!("{must} {form}, {see}"))
    }
}

#[cfg(feature = "eval")]
fn is_url(text: &str) -> bool {
    go::Url::parse_request_uri(text).is_ok_and(|url| !url.host.is_empty() && !url.scheme.is_empty())
}

/// A derive cannot read URLs as Go does. The checks of the whole CRD reject the others.
#[cfg(not(feature = "eval"))]
fn is_url(text: &str) -> bool {
    text.contains("://")
}
