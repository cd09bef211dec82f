//! The code, its dependencies and its documentation.

use super::builds::PUBLISHED;
use crate::machine::Machine;
use crate::output::{Failed, Outcome, Output};
use std::path::Path;

pub(super) fn format(machine: &Machine, output: &mut Output) -> Outcome {
    output.run(&mut machine.cargo(&["fmt", "--all", "--check"]))
}

pub(super) fn typos(machine: &Machine, output: &mut Output) -> Outcome {
    let typos = machine.typos().ok_or(Failed)?;
    output.run(machine.command(typos).args(["--format", "brief"]))
}

pub(super) fn clippy(machine: &Machine, output: &mut Output) -> Outcome {
    let arguments = ["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"];
    output.run(&mut machine.cargo(&arguments))
}

pub(super) fn docs(machine: &Machine, output: &mut Output) -> Outcome {
    let mut command = machine.cargo(&["doc", "--no-deps", "--all-features"]);
    output
        .run(command.args(PUBLISHED.iter().flat_map(|name| ["-p", name])).env("RUSTDOCFLAGS", "-D warnings"))
}

/// The tests check the links of its pages.
pub(super) fn site(machine: &Machine, output: &mut Output) -> Outcome {
    crate::site::make(machine, Some(&machine.target.join("site/book")), output)
}

/// Other builds add missing entries to the lock files of the examples. Here the lock files must be complete.
pub(super) fn locks(machine: &Machine, output: &mut Output) -> Outcome {
    for manifest in manifests(machine, output)? {
        let arguments = ["metadata", "-q", "--locked", "--format-version", "1", "--manifest-path", &manifest];
        output.read(&mut machine.cargo(&arguments))?;
    }
    Ok(())
}

pub(super) fn deny(machine: &Machine, output: &mut Output) -> Outcome {
    audit(machine, output, &["bans", "licenses", "sources"])
}

pub(super) fn advisories(machine: &Machine, output: &mut Output) -> Outcome {
    audit(machine, output, &["--disable-fetch", "advisories"])
}

/// Checks the dependencies of all workspaces, as deny.toml says.
fn audit(machine: &Machine, output: &mut Output, checks: &[&str]) -> Outcome {
    let deny = machine.deny().ok_or(Failed)?;
    let mut outcome = Ok(());
    for manifest in manifests(machine, output)? {
        output.line(&manifest);
        let mut command = machine.command(&deny);
        command.args([
            "--manifest-path",
            &manifest,
            "--config",
            "deny.toml",
            "check",
            "--hide-inclusion-graph",
        ]);
        outcome = outcome.and(output.run(command.args(checks)));
    }
    outcome
}

/// The manifests of all workspaces.
fn manifests(machine: &Machine, output: &mut Output) -> Result<Vec<String>, Failed> {
    let mut command = machine.command("git");
    let locks = output.read(command.args(["ls-files", "*Cargo.lock"]))?;
    let manifest = |lock: &str| Path::new(lock).with_file_name("Cargo.toml").to_string_lossy().into_owned();
    Ok(locks.lines().map(manifest).collect())
}

pub(super) fn clean(machine: &Machine, output: &mut Output) -> Outcome {
    output.run(machine.command("git").args(["diff", "--exit-code", "--stat"]))
}
