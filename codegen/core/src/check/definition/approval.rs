//! The approval of APIs in the groups of the Kubernetes community.

use crate::diag::codes::crd::APPROVAL;
use crate::diag::{Diag, Diags};
use crate::ir::Crd;
use crate::path::Path;
use crate::server::{APPROVAL_ANNOTATION, Approval, approval, is_protected};

/// An update that does not change the approval is accepted.
pub(super) fn check(crd: &Crd, old: Option<&Crd>, out: &mut Diags) {
    if !is_protected(&crd.spec.group) {
        return;
    }
    let (now, why) = of(crd);
    if old.is_some_and(|old| of(old).0 == now) {
        return;
    }
    let metadata = Path::ROOT.child("metadata");
    let annotations = metadata.child("annotations");
    let path = annotations.key(APPROVAL_ANNOTATION);
    let diag = match now {
        Approval::Approved | Approval::Bypassed => return,
        Approval::Missing => Diag::required(&APPROVAL, &path, why),
        Approval::Invalid => {
            let text = text(crd);
            Diag::invalid(&APPROVAL, &path, text, why)
        }
    };
    out.push(diag.help("use a group of your own domain, or add the annotation `api-approved.kubernetes.io: \"unapproved, experimental-only\"`"));
}

fn text(crd: &Crd) -> &str {
    crd.metadata.annotations.get(APPROVAL_ANNOTATION).map_or("", String::as_str)
}

/// What the annotation of a CRD contains, and the server's message about it.
pub(super) fn of(crd: &Crd) -> (Approval, String) {
    approval(text(crd))
}
