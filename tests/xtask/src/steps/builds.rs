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

pub(super) fn programs(machine: &Machine, output: &mut Output) -> Outcome {
    let mut command = machine.cargo(&["build", "--release", "-p", "crdgen-cli", "-p", "crdgen-programs"]);
    let programs = ["crdgen", "diff", "differential", "fuzz", "imports", "tables", "vectors"];
    output.run(command.args(programs.iter().flat_map(|name| ["--bin", name])))
}

/// Packs the crates that are published, and builds each from the package: a file may be missing there.
pub(super) fn package(machine: &Machine, output: &mut Output) -> Outcome {
    remove_unpacked(output)?;
    // For the same reason, it would use what it compiled in an earlier run.
    let target = machine.target.join("packages");
    if target.exists() {
        fs::remove_dir_all(&target).map_err(|_| Failed)?;
    }
    let mut command = machine.cargo(&["package", "--allow-dirty"]);
    command.args(PUBLISHED.iter().flat_map(|name| ["-p", name])).env("CARGO_TARGET_DIR", &target);
    let outcome = output.run(&mut command);
    // It is not used again.
    _ = fs::remove_dir_all(&target);
    outcome
}

/// Cargo unpacks the packages that others depend on into its home, from a registry in the target folder. It never replaces
/// them there, so it would build with the crates of an earlier run.
fn remove_unpacked(output: &mut Output) -> Outcome {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo"))).ok_or(Failed)?;
    let Ok(registries) = fs::read_dir(home.join("registry/src")) else { return Ok(()) };
    for registry in registries.flatten().filter(|it| it.file_name().as_encoded_bytes().starts_with(b"-")) {
        for package in fs::read_dir(registry.path()).into_iter().flatten().flatten() {
            if package.file_name().as_encoded_bytes().starts_with(b"crdgen-")
                && let Err(error) = fs::remove_dir_all(package.path())
            {
                output.line(&format!("error: cannot remove {}: {error}", package.path().display()));
                return Err(Failed);
            }
        }
    }
    Ok(())
}

pub(super) fn msrv(machine: &Machine, output: &mut Output) -> Outcome {
    let manifest = fs::read_to_string(machine.root.join("Cargo.toml")).map_err(|_| Failed)?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    let version = version.ok_or(Failed)?;
    let installed = output.read(machine.command("rustup").args(["toolchain", "list"]))?;
    if !installed.lines().any(|line| line.starts_with(version)) {
        output.run(machine.command("rustup").args([
            "toolchain",
            "install",
            version,
            "--profile",
            "minimal",
        ]))?;
    }
    let mut command = machine.command("cargo");
    command.args([&format!("+{version}"), "check", "--workspace", "--all-features"]);
    output.run(command.env("CARGO_TARGET_DIR", machine.target.join("msrv")))
}

/// Checks the published crates with the oldest versions of all dependencies that their manifests allow.
pub(super) fn minimal(machine: &Machine, output: &mut Output) -> Outcome {
    // Only the manifests of members are taken at their oldest versions, and the tools for tests need newer ones.
    let copy = machine.target.join("minimal");
    copy_published(machine, output, &copy)?;
    let mut update = machine.cargo(&["update", "-q", "-Z", "direct-minimal-versions"]);
    output.run(update.current_dir(&copy).env("RUSTC_BOOTSTRAP", "1"))?;
    let mut check = machine.cargo(&["check", "-q", "--workspace", "--all-features"]);
    output.run(check.current_dir(&copy).env("CARGO_TARGET_DIR", copy.join("target")))
}

/// Copies what git has in its index, as a workspace of the published crates alone.
fn copy_published(machine: &Machine, output: &mut Output, to: &Path) -> Outcome {
    for old in ["codegen", "derive"] {
        _ = fs::remove_dir_all(to.join(old));
    }
    let prefix = format!("--prefix={}/", to.display());
    output.run(machine.command("git").args(["checkout-index", "--all", "--force", &prefix]))?;
    let members: Vec<String> = PUBLISHED.iter().map(|name| format!("\"{}\"", folder_of(name))).collect();
    let manifest = fs::read_to_string(to.join("Cargo.toml")).map_err(|_| Failed)?;
    let manifest = manifest.lines().map(|line| match line.split_once(" = ") {
        Some(("members", _)) => format!("members = [{}]\n", members.join(", ")),
        Some(("exclude", _)) => String::new(),
        _ => format!("{line}\n"),
    });
    fs::write(to.join("Cargo.toml"), manifest.collect::<String>()).map_err(|_| Failed)
}

/// Where the sources of a published crate are.
fn folder_of(name: &str) -> String {
    match name.strip_prefix("crdgen-") {
        Some("derive") => "derive".to_owned(),
        Some(part) => format!("codegen/{part}"),
        None => format!("codegen/{name}"),
    }
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
