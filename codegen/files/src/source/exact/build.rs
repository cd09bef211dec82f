//! Builds programs that use the types of a package.

use super::NotRun;
use crate::source::Options;
use crate::source::cargo::Metadata;
use cargo_metadata::{Message, Package, PackageId};
use crdgen_core::inert::Inert;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What cargo has built.
pub(super) struct Built {
    /// The program, if cargo has built everything.
    pub(super) program: Option<PathBuf>,
    /// The packages that compile.
    pub(super) packages: Vec<PackageId>,
    /// The folder to which the build script of the user's package writes.
    pub(super) out_dir: Option<PathBuf>,
}

/// Builds a package as it is, and returns the folder to which its build script writes.
pub(super) fn out_dir(
    metadata: &Metadata,
    subject: &Package,
    options: &Options,
) -> Result<Option<PathBuf>, NotRun> {
    let mut command = cargo_command("build", subject.manifest_path.as_std_path(), metadata);
    add_features(&mut command, options);
    Ok(run_cargo(command, subject, true)?.out_dir)
}

/// Adds the features of the options to a command of cargo.
pub(super) fn add_features(command: &mut Command, options: &Options) {
    let Options { features, all_features, no_default_features, .. } = options;
    features.iter().for_each(|feature| _ = command.args(["--features", feature]));
    for (is_set, option) in [(all_features, "--all-features"), (no_default_features, "--no-default-features")]
    {
        if *is_set {
            command.arg(option);
        }
    }
}

/// Returns a command that builds a package into the target folder of the user's package.
pub(super) fn cargo_command(command: &str, manifest: &Path, metadata: &Metadata) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args([command, "--quiet", "--message-format", "json-render-diagnostics"]);
    // `cargo metadata` has already fetched everything.
    cargo.args(["--offline", "--manifest-path"]).arg(manifest);
    cargo.arg("--target-dir").arg(metadata.answer.target_directory.as_std_path());
    cargo
}

/// Runs cargo, whose messages are shown while it runs. The toolchain and the settings are those of the user's package.
pub(super) fn run_cargo(mut command: Command, subject: &Package, is_new: bool) -> Result<Built, NotRun> {
    if is_new {
        let name = Inert(&subject.name);
        let note = "and runs its code, as `cargo test` does. Use --exact only for packages that you trust";
        // If this cannot be printed, the errors of cargo cannot either.
        _ = writeln!(std::io::stderr(), "note: crdgen compiles the package {name} {note}");
    }
    let folder = subject.manifest_path.parent().map(|it| it.as_std_path());
    command.current_dir(folder.unwrap_or(Path::new("."))).stderr(Stdio::inherit());
    let output = command.output().map_err(|e| NotRun {
        what: format!("{}: {e}", command.get_program().to_string_lossy()),
        help: "install cargo, or leave --exact out",
    })?;
    let (mut program, mut packages, mut out_dir) = (None, Vec::new(), None);
    for message in Message::parse_stream(output.stdout.as_slice()) {
        match message {
            Ok(Message::CompilerArtifact(artifact)) => {
                packages.push(artifact.package_id);
                program = program.or(artifact.executable);
            }
            Ok(Message::BuildScriptExecuted(script)) if script.package_id == subject.id => {
                out_dir = Some(script.out_dir.into());
            }
            _ => {}
        }
    }
    let program = program.filter(|_| output.status.success()).map(Into::into);
    Ok(Built { program, packages, out_dir })
}

/// The error for what does not compile.
pub(super) fn failed(what: &str) -> NotRun {
    NotRun::new(
        what,
        "see the compiler's errors above. Without --exact, crdgen reads the sources without compiling them",
    )
}
