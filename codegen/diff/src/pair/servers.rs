//! What another server makes of the same CRD.

use std::collections::HashSet;
use std::rc::Rc;

use crdgen_core::check;
use crdgen_core::check::lints::{self, Lints};
use crdgen_core::compare::changes::{self, Class};
use crdgen_core::diag::{Diag, Diags, codes};
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
    let stored = stored(crd, from);
    let again = |server| check::update(crd, &stored, &check::Options { server }).errors;
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
    let known: HashSet<_> = out.iter().map(|finding| finding.steps.clone()).collect();
    for lacking in lacking(crd, from, to).iter().filter(|diag| !known.contains(&diag.steps)) {
        let (class, finding) = (Class::Meaning, Finding::refused(name, lacking));
        let code = class.reported().map(|(code, _)| code);
        out.push(Finding { class, code, ..finding });
    }
    out
}

/// The CRD as a server has it when it gets the same file again. Programs that manage certificates replace the placeholder of the CA bundle,
/// which the oldest servers do not check.
fn stored(crd: &Crd, server: Server) -> Crd {
    let mut stored = established(crd.clone());
    let config = stored.spec.conversion.as_mut().and_then(|it| it.client_config.as_mut());
    if let Some(config) = config.filter(|_| server.is_before(31)) {
        config.ca_bundle.clear();
    }
    stored
}

/// What the CRD has that only the new server ignores, because it is too old.
fn lacking(crd: &Crd, from: Server, to: Server) -> Vec<Diag> {
    if to > from {
        return Vec::new();
    }
    let of = |server: Server| {
        let mut found = lints::run(crd, &Lints::none().on(server.minor()));
        found.retain(|diag| *diag.code == codes::lint::KUBE);
        found
    };
    let known: HashSet<_> = of(from).iter().map(identity).collect();
    of(to).into_iter().filter(|diag| !known.contains(&identity(diag))).collect()
}

/// What makes an error the same for both servers, which may use other words.
fn identity(error: &Diag) -> (&'static str, Vec<Step>) {
    (error.code.id, error.steps.clone())
}
