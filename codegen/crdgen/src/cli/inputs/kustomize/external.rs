//! `kustomize` itself, for what crdgen does not apply.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use crdgen_core::documents::Group;
use crdgen_core::value::Value;

use super::super::charts::NO_NETWORK;

/// Returns what kustomize builds for a folder, or `None` if it is not installed or fails. It must not be called for
/// folders that name anything remote.
pub(super) fn build(folder: &Path) -> Option<Vec<Value>> {
    let commands: [(&str, &[&str]); 2] = [("kustomize", &["build"]), ("kubectl", &["kustomize"])];
    let run = |(program, args): (&str, &[&str])| {
        let mut command = Command::new(program);
        command.args(args).arg(folder).envs(NO_NETWORK).env("KUBECONFIG", "").stdin(Stdio::null());
        command.output().ok()
    };
    let out = commands.into_iter().find_map(run).filter(|out| out.status.success())?;
    let mut objects = Vec::new();
    for part in Group::of(&Arc::new(out.stdout)).parts() {
        objects.extend(part.ok()?.objects.into_iter().map(|(_, object)| object));
    }
    Some(objects)
}
