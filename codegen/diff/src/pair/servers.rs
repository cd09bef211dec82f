//! What another server makes of the same CRD.

use std::collections::HashSet;
use std::rc::Rc;

use crdgen_core::check;
use crdgen_core::compare::changes::{self, Class};
use crdgen_core::diag::{Diag, Diags};
use crdgen_core::ir::Crd;
use crdgen_core::path::Step;
use crdgen_core::server::Server;

use super::{established, searched};
use crate::Options;
use crate::finding::Finding;

/// What becomes worse if a cluster with a CRD gets another server: errors that only the new one has, if the CRD is applied again or
/// created, and what it does to objects.
pub fn between_servers(crd: &Crd, from: Server, to: Server, options: &Options) -> Vec<Finding> {
    let mut findings = judged(crd, from, to);
    let changes = changes::of_servers(crd, from, to);
    let found = searched(changes, [(crd, from), (crd, to)], Rc::default(), options);
    findings.extend(found.into_iter().map(|finding| match finding.class.breaks() {
        true => Finding { help: HELP.to_owned(), ..finding },
        false => finding,
    }));
    findings
}

const HELP: &str = "objects may exist with values that the new server rejects when they change. Before the upgrade, write a format that \
                    allows them, such as int64 instead of int32, or none, or change these objects";

/// The errors and warnings about a CRD that only the new server has.
fn judged(crd: &Crd, from: Server, to: Server) -> Vec<Finding> {
    let (name, server) = (&crd.metadata.name, format!("Kubernetes {to}"));
    let again = |server| check::update(crd, &established(crd.clone()), &check::Options { server }).errors;
    let anew = |server| check::create(crd, &check::Options { server });
    let mut out = Vec::new();
    // Servers say the same in other words, and at other places, so what one of them rejects is not compared.
    let is_rejected = !again(from).is_empty();
    let rejected = if is_rejected { Diags::new() } else { again(to) };
    for error in &rejected {
        let finding = Finding::refused(name, error);
        out.push(Finding { message: format!("{server} rejects it: {}", finding.message), ..finding });
    }
    let (was, now) = (anew(from), anew(to));
    if !was.errors.is_empty() {
        return out;
    }
    let known: HashSet<_> = rejected.iter().chain(&was.warnings).map(identity).collect();
    for error in now.errors.iter().filter(|error| !known.contains(&identity(error))) {
        let finding = Finding::refused(name, error);
        let message = format!("{server} rejects it as a new CRD: {}", finding.message);
        out.push(Finding { message, ..finding });
    }
    for warning in now.warnings.iter().filter(|warning| !known.contains(&identity(warning))) {
        let (class, finding) = (Class::Usage, Finding::refused(name, warning));
        let code = class.reported().map(|(code, _)| code);
        let message = format!("{server} warns about it: {}", finding.message);
        out.push(Finding { class, code, message, ..finding });
    }
    out
}

/// What makes an error the same for both servers, which may use other words.
fn identity(error: &Diag) -> (&'static str, Vec<Step>) {
    (error.code.id, error.steps.clone())
}
