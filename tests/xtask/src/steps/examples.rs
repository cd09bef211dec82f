//! The examples that are workspaces of their own.

use crate::machine::Machine;
use crate::output::{Failed, Outcome, Output};
use std::fs;
use std::process::Command;

/// Cargo for an example, in a target folder apart, so that cargo does not wait for the other lane.
fn of_example(machine: &Machine, folder: &str, arguments: &[&str]) -> Command {
    let mut command = machine.cargo_in(folder, arguments);
    command.env("CARGO_TARGET_DIR", machine.target.join("examples"));
    command
}

/// Cargo for the programs on kube-rs.
fn of_kube(machine: &Machine, arguments: &[&str]) -> Command {
    of_example(machine, "examples/kube", arguments)
}

/// Programs on kube-rs, in a workspace of their own. To lint them, Clippy compiles them: their many dependencies are then
/// built, as the tests need them, and `cargo clippy` would only check them. The tests compile the programs again, without
/// Clippy.
pub(super) fn kube(machine: &Machine, output: &mut Output) -> Outcome {
    let cargo = |arguments: &[&str]| of_kube(machine, arguments);
    output.run(&mut cargo(&["fmt", "--all", "--check"]))?;
    let mut lint = cargo(&["-q", "build", "--all-targets"]);
    output.run_silent(lint.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"))?;
    output.run(&mut cargo(&["test"]))?;
    output.run(&mut machine.command("examples/kube/messages.sh"))
}

/// The same types with other versions of kube: the oldest, and the one that the commit selects. `CI_PARTS=all` runs all versions. If
/// there is an oracle, some of them also run the controller's live test. `controller` runs it with the newest version.
pub(super) fn kube_versions(machine: &Machine, output: &mut Output) -> Outcome {
    let mut command = machine.command("examples/kube/versions.sh");
    if machine.oracle().is_some() {
        command.env("CRDGEN_LIVE", "1");
    }
    output.run(command.env("CRDGEN", machine.program("crdgen")))
}

pub(super) fn controller(machine: &Machine, output: &mut Output) -> Outcome {
    output.run(of_kube(machine, &["test", "--test", "live"]).env("CRDGEN_LIVE", "1"))
}

/// A crate whose build script writes its CRDs. They are in the repository, and CI must find them up to date.
pub(super) fn build_script(machine: &Machine, output: &mut Output) -> Outcome {
    let cargo = |arguments: &[&str]| machine.cargo_in("examples/build", arguments);
    output.run(&mut cargo(&["fmt", "--all", "--check"]))?;
    output.run(&mut cargo(&["test"]))?;
    output.run(cargo(&["build"]).env_remove("CI"))?;
    output.run(machine.command("git").args(["diff", "--exit-code", "examples/build"]))?;
    for file in ["volumes.yaml", "snapshots.yaml"] {
        rebuilds(machine, output, file)?;
    }
    Ok(())
}

/// After an edit of a CRD, cargo must build the crate that imports it again.
fn rebuilds(machine: &Machine, output: &mut Output, file: &str) -> Outcome {
    let path = machine.root.join("examples/build/imports").join(file);
    let text = fs::read_to_string(&path).map_err(|_| Failed)?;
    let edited = text.replace("description: ", "description: Edited, ");
    fs::write(&path, edited).map_err(|_| Failed)?;
    let mut command = machine.cargo_in("examples/build", &["build"]);
    let built = command.env_remove("CI").output();
    fs::write(&path, text).map_err(|_| Failed)?;
    let printed = built.map(|built| String::from_utf8_lossy(&built.stderr).into_owned()).unwrap_or_default();
    if printed.contains("Compiling backups") && printed.contains("Finished") {
        return Ok(());
    }
    output.line(&format!("error: an edit of {file} does not build the crate again:\n{printed}"));
    Err(Failed)
}

/// Cargo for the example with three versions.
fn of_versions(machine: &Machine, arguments: &[&str]) -> Command {
    let mut command = of_example(machine, "examples/versions", arguments);
    command.env("CRDGEN", machine.program("crdgen"));
    command
}

/// A kind with three versions and its webhook. It is a workspace of its own because TLS takes long to build. Its README shows
/// what the command prints.
pub(super) fn versions(machine: &Machine, output: &mut Output) -> Outcome {
    output.run(&mut of_versions(machine, &["fmt", "--all", "--check"]))?;
    output.run(&mut of_versions(machine, &["clippy", "--all-targets", "--", "-D", "warnings"]))?;
    output.run(&mut of_versions(machine, &["test"]))
}

/// The same kind on a live server. The command migrates its objects.
pub(super) fn conversion(machine: &Machine, output: &mut Output) -> Outcome {
    output.run(of_versions(machine, &["test", "--test", "live"]).env("CRDGEN_LIVE", "1"))
}

/// Upstream's tests of conversion webhooks.
pub(super) fn upstream_conversion(machine: &Machine, output: &mut Output) -> Outcome {
    output.run(
        of_versions(machine, &["test", "--test", "upstream", "--", "--nocapture"]).env("CRDGEN_LIVE", "1"),
    )
}
