//! The texts of a finding.

use crdgen_core::listed;

use crate::Finding;
use crdgen_files::error;

/// Where else the same was found and which servers say it, as notes.
pub(crate) fn notes(finding: &Finding) -> impl Iterator<Item = String> {
    let servers = (!finding.servers.is_empty())
        .then(|| format!("only on Kubernetes {}", listed::first(finding.servers.iter(), usize::MAX)));
    servers.into_iter().chain(copies(finding))
}

fn copies(finding: &Finding) -> Option<String> {
    if !finding.versions.is_empty() {
        let versions = finding.versions.iter().map(|(version, stored)| match stored {
            Some(stored) => format!("{version} of objects that are stored as {stored}"),
            None => version.clone(),
        });
        return Some(format!("the same in other versions: {}", listed::first(versions, listed::NAMED)));
    }
    if !finding.others.is_empty() {
        let others = listed::first(finding.others.iter(), listed::NAMED);
        return Some(format!("the same in other CRDs with this type: {others}"));
    }
    let copies = finding.copies.iter().map(|(file, place)| format!("{file}{}", error::at(*place)));
    (copies.len() > 0)
        .then(|| format!("the same in copies of the CRD: {}", listed::first(copies, listed::NAMED)))
}

/// The message of a finding with its help and notes, a line each.
pub fn text(finding: &Finding) -> String {
    let mut out = finding.diag.shown();
    let help = finding.diag.help.iter().map(|help| format!("\nhelp: {help}"));
    let notes = notes(finding).map(|note| format!("\nnote: {note}"));
    out.extend(help.chain(notes));
    out
}
