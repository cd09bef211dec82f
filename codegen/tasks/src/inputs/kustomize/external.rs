//! `kustomize` itself, for what crdgen does not apply.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use crdgen_core::documents::Group;
use crdgen_core::value::Value;

use super::super::limited::{self, Ran};
use crdgen_files::input;

/// What kustomize makes of a folder.
pub(super) enum External {
    /// It is not installed.
    Missing,
    /// Why there is no result.
    Failed(String),
    Built(Vec<Value>),
}

/// Returns what kustomize builds for a folder. It must not be called for folders that name anything remote.
pub(super) fn build(folder: &Path) -> External {
    let commands: [(&str, &[&str]); 2] = [("kustomize", &["build"]), ("kubectl", &["kustomize"])];
    let run = |(program, args): (&str, &[&str])| match limited::run(
        Command::new(program).args(args).arg(input::argument(folder)),
    ) {
        Ran::Missing => None,
        ran => Some(ran),
    };
    let out = match commands.into_iter().find_map(run) {
        None | Some(Ran::Missing) => return External::Missing,
        Some(Ran::Failed(why)) => return External::Failed(why),
        Some(Ran::Printed(out)) => out,
    };
    let mut objects = Vec::new();
    for part in Group::of(&Arc::new(out)).parts() {
        match part {
            Ok(part) => objects.extend(part.objects.into_iter().map(|(_, object)| object)),
            Err(finding) => return External::Failed(finding.diag.shown().to_string()),
        }
    }
    External::Built(objects)
}
