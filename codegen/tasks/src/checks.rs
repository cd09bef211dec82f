//! Checks CRDs: as new ones, or as updates of the old ones.
//!
//! **Unstable**: any release may change what is in this module.

use std::cell::OnceCell;
use std::collections::HashSet;

use crdgen_core::check::lints::{self, Lints};
use crdgen_core::diag::codes;
use crdgen_core::documents::{Definitions, Finding};
use crdgen_core::ir::Crd;
use crdgen_core::server::Server;

use crate::inputs::Source;
use crate::project::{InFile, Project, start};
use crate::rust_types::RustTypes;
use crate::servers;
use crate::updates::Updates;
use crdgen_files::Error;

/// What is checked, and how.
pub struct Checks {
    /// The lints that are on.
    pub lints: Lints,
    /// The servers that the CRDs must support, newest first. None for the newest one.
    pub servers: Vec<Server>,
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
        read.report_removed(Server::NEWEST.minor());
        project.of_text(source, read, |crd, old| {
            // What changes is the same for all servers.
            let changed = OnceCell::new();
            let changes =
                |old: &Crd, new: &Crd| changed.get_or_init(|| self.updates.reported(old, new)).clone();
            self.on_servers(|lints| match &old {
                Some(old) => lints::on_update(crd, old, lints, &changes),
                None => lints::on_create(crd, lints).into_iter().map(Finding::from).collect(),
            })
        })
    }

    /// What is found for each of the servers, each finding once.
    fn on_servers(&self, find: impl Fn(&Lints) -> Vec<Finding>) -> Vec<Finding> {
        if self.servers.is_empty() {
            return find(&self.lints);
        }
        let found = |server: &Server| (*server, find(&self.lints.on(server.minor())));
        servers::checked(self.servers.iter().map(found).collect())
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
