//! What is only built.

use crate::machine::Machine;
use crate::output::{Failed, Outcome, Output};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates that people depend on, in the order in which they are published.
pub(super) const PUBLISHED: &[&str] = &[
    "crdgen-text",
    "crdgen-apply",
    "crdgen-runtime",
    "crdgen-cel",
    "crdgen-rules",
    "crdgen-rust",
    "crdgen-source",
    "crdgen-publish",
    "crdgen-import",
    "crdgen-core",
    "crdgen-kubernetes",
    "crdgen-apiserver",
    "crdgen-diff",
    "crdgen-derive",
    "crdgen-files",
    "crdgen-kinds",
    "crdgen-build",
    "crdgen",
    "crdgen-tasks",
    "crdgen-report",
    "crdgen-serve",
    "crdgen-lsp",
    "crdgen-cli",
];

/// Features that only implement the traits for types of another crate. They are combined as if they were one.
const FOREIGN_TYPES: &str = "arrayvec,bigdecimal,bytes,camino,chrono,indexmap,ipnet,jiff,ordered-float,rust_decimal,semver,\
                             serde_json,smallvec,smol_str,time,url,uuid";

/// The crates that have these features. cargo-hack does not group features that a crate does not have.
const WITH_FOREIGN_TYPES: &[&str] = &["crdgen-runtime", "crdgen"];

/// Into how many parts the combinations of features are divided. The commit selects one of them, because a broken one is rare and all of
/// them take an hour. `CI_PARTS=all` checks all of them.
const PARTS_OF_FEATURES: usize = 20;

/// Checks no features, each feature, and each two of them. Users build them, and the tests build only all together.
pub(super) fn features(machine: &Machine, output: &mut Output) -> Outcome {
    let (with, without): (Vec<&str>, Vec<&str>) =
        PUBLISHED.iter().partition(|name| WITH_FOREIGN_TYPES.contains(name));
    let mut list = combinations(machine, output, &with, &["--group-features", FOREIGN_TYPES])?;
    list.push_str(&combinations(machine, output, &without, &[])?);
    let turns = if machine.tries_all { 1 } else { PARTS_OF_FEATURES };
    for command in list.lines().skip(machine.turn as usize % turns).step_by(turns) {
        let arguments = command.strip_prefix("cargo ").ok_or(Failed)?;
        output.line(arguments);
        output.run_silent(&mut machine.cargo(&arguments.split(' ').collect::<Vec<_>>()))?;
    }
    Ok(())
}

/// The commands that check some crates with each combination, one a line.
fn combinations(
    machine: &Machine,
    output: &mut Output,
    names: &[&str],
    more: &[&str],
) -> Result<String, Failed> {
    let mut list = machine.command(machine.hack().ok_or(Failed)?);
    list.args(["hack", "check", "-q", "--feature-powerset", "--depth", "2", "--exclude-all-features"]);
    list.arg("--print-command-list").args(more).args(names.iter().flat_map(|name| ["-p", name]));
    output.read(&mut list)
}

/// All tests and programs at once, so that they are made of the same crates.
pub(super) fn all(machine: &Machine, output: &mut Output) -> Outcome {
    output.run(&mut machine.optimized(&["build", "--workspace", "--bins", "--tests"]))
}

/// The published crates that no library needs. Their dependencies need newer versions of what the libraries need, too.
const OF_COMMAND: [&str; 2] = ["crdgen-cli", "crdgen-lsp"];

/// Checks the packages of the published crates as a workspace of their own, the libraries and those of the command in turn, with the oldest compiler and the oldest versions of all
/// dependencies that the manifests allow. So one build finds what a package lacks, what is too new for the compiler, and what the
/// manifests promise in vain. Only the manifests of members are taken at their oldest versions, and the tools for tests, which are
/// in no package, need newer ones.
pub(super) fn published(machine: &Machine, output: &mut Output) -> Outcome {
    let version = oldest_compiler(machine, output)?;
    // Files of an earlier run would be taken for those of this one.
    let folder = machine.target.join("published");
    _ = fs::remove_dir_all(&folder);
    let unpacked = folder.join("unpacked");
    fs::create_dir_all(&unpacked).map_err(|_| Failed)?;
    let mut package = machine.cargo(&["package", "-q", "--allow-dirty", "--no-verify"]);
    package.args(PUBLISHED.iter().flat_map(|name| ["-p", name])).env("CARGO_TARGET_DIR", &folder);
    output.run(&mut package)?;
    let packages = files_in(&folder.join("package"), "crate")?;
    if packages.len() != PUBLISHED.len() {
        output.line(&format!("error: {} packages of {} crates", packages.len(), PUBLISHED.len()));
        return Err(Failed);
    }
    let (mut patches, mut libraries, mut of_command) = (String::new(), Vec::new(), Vec::new());
    for package in &packages {
        output.run(machine.command("tar").arg("-xzf").arg(package).arg("-C").arg(&unpacked))?;
        let name = package.file_stem().unwrap_or_default().to_string_lossy();
        let (id, _) = name.rsplit_once('-').ok_or(Failed)?;
        patches.push_str(&format!("{id} = {{ path = \"{name}\" }}\n"));
        let is_of_command = OF_COMMAND.contains(&id);
        (if is_of_command { &mut of_command } else { &mut libraries }).push(name.into_owned());
    }
    let mut outcome = Ok(());
    for (members, others) in [(&libraries, &of_command), (&of_command, &libraries)] {
        let manifest = format!(
            "[workspace]\nmembers = {members:?}\nexclude = {others:?}\nresolver = \"3\"\n\n[patch.crates-io]\n{patches}"
        );
        fs::write(unpacked.join("Cargo.toml"), manifest).map_err(|_| Failed)?;
        _ = fs::remove_file(unpacked.join("Cargo.lock"));
        let cargo = |arguments: &[&str]| {
            let mut command = machine.cargo(&[&format!("+{version}")]);
            command.args(arguments).current_dir(&unpacked).env("CARGO_TARGET_DIR", folder.join("target"));
            command
        };
        let mut oldest = cargo(&["update", "-q", "-Z", "direct-minimal-versions"]);
        output.run(oldest.env("RUSTC_BOOTSTRAP", "1"))?;
        outcome = outcome.and(output.run(&mut cargo(&["check", "-q", "--workspace", "--all-features"])));
    }
    // It is not used again.
    _ = fs::remove_dir_all(folder.join("target"));
    outcome
}

/// The oldest compiler that the manifest promises, installed if it is missing.
fn oldest_compiler(machine: &Machine, output: &mut Output) -> Result<String, Failed> {
    let manifest = fs::read_to_string(machine.root.join("Cargo.toml")).map_err(|_| Failed)?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    let version = version.ok_or(Failed)?;
    let installed = output.read(machine.command("rustup").args(["toolchain", "list"]))?;
    if !installed.lines().any(|line| line.starts_with(version)) {
        let install = ["toolchain", "install", version, "--profile", "minimal"];
        output.run(machine.command("rustup").args(install))?;
    }
    Ok(version.to_owned())
}

/// The files in a folder with this extension.
fn files_in(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Failed> {
    let entries = fs::read_dir(folder).map_err(|_| Failed)?;
    let paths = entries.flatten().map(|entry| entry.path());
    Ok(paths.filter(|path| path.extension().is_some_and(|it| it == extension)).collect())
}

/// The tool that checks the accessibility of pages, which the tests then use.
pub(super) fn axe(machine: &Machine, output: &mut Output) -> Outcome {
    let mut command = machine.command("npm");
    command.args(["install", "--silent", "--no-save", "--prefix"]).arg(machine.target.join("axe"));
    output.run(command.arg("axe-core"))
}

/// Builds the playground as it is published.
pub(super) fn playground_page(machine: &Machine, output: &mut Output) -> Outcome {
    output.run(machine.command("rustup").args(["target", "add", "wasm32-unknown-unknown"]))?;
    output.run(&mut machine.cargo(&[
        "fmt",
        "--manifest-path",
        "codegen/playground/glue/Cargo.toml",
        "--check",
    ]))?;
    output.run(machine.command(".ci/playground").arg(machine.target.join("playground/index.html")))
}
