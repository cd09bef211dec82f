//! Checks CRDs: as new ones, or as updates of the old ones.
//!
//! **Unstable**: any release may change what is in this module.

use std::collections::HashSet;

use crdgen_core::check::lints::{self, Lints};
use crdgen_core::diag::codes;
use crdgen_core::documents::{Definitions, Finding};
use crdgen_core::ir::Crd;
use crdgen_core::server::Server;

use crate::inputs::Source;
use crate::project::{InFile, Project, start};
use crate::rust_types::RustTypes;
use crate::updates::Updates;
use crdgen_files::Error;

/// What is checked, and how.
pub struct Checks {
    /// The lints that are on.
    pub lints: Lints,
    /// How new CRDs are compared with old ones.
    pub updates: Updates,
}

impl Checks {
    /// The findings about the CRDs in a text, in its order. Of what a kustomization builds, those that are not about the file itself,
    /// which is checked too.
    pub fn of_text(&self, project: &Project, source: &Source, mut read: Definitions) -> Vec<Finding> {
        project.skip(source, &mut read);
        let mut findings = self.findings(project, source, read);
        if source.is_built() {
            let written = source.as_written();
            let own = written.group().read();
            let key = |finding: &Finding| {
                // A label that a kustomization adds changes the number of bytes.
                let is_size = *finding.diag.code == codes::lint::SIZE;
                let text = (!is_size).then(|| finding.diag.shown());
                (start(finding), finding.object.clone(), finding.diag.code.id, text)
            };
            let own: HashSet<_> = self.findings(project, &written, own).iter().map(key).collect();
            findings.retain(|finding| !own.contains(&key(finding)));
        }
        findings
    }

    fn findings(&self, project: &Project, source: &Source, mut read: Definitions) -> Vec<Finding> {
        let changes = |old: &Crd, new: &Crd| self.updates.reported(old, new);
        read.report_removed(Server::NEWEST.minor());
        project.of_text(source, read, |crd, old| match old {
            Some(old) => lints::on_update(crd, &old, &self.lints, &changes),
            None => lints::on_create(crd, &self.lints).into_iter().map(Finding::from).collect(),
        })
    }

    /// The findings about the CRDs of Rust types, file by file.
    pub fn of_types(&self, project: &mut Project, types: &RustTypes) -> Result<Vec<InFile>, Error> {
        project.of_types(types, |crd, old| {
            let mut changes = self.updates.reported(&old, crd);
            changes.retain(|it| self.lints.is_on(it.diag.code));
            self.updates.without_allowed(crd, changes)
        })
    }
}
