//! The `crdgen` command: arguments, files and terminals around the pure core.

mod accepted;
mod against;
mod api;
mod cel;
mod check;
mod cluster;
mod completions;
mod config;
mod convert;
mod definitions;
mod docs;
mod emit;
mod expand;
mod explain;
mod fit;
mod get;
mod git;
mod import;
mod inputs;
mod interrupt;
mod junit;
mod kinds;
mod kustomize;
mod man;
mod migrate;
mod openapi;
mod outputs;
mod piped;
mod progress;
mod publishing;
mod report;
mod rpc;
mod size;
mod skipped;
mod stored;
mod stream;
mod suite;
mod terminal;
mod types;
mod validate;
mod values;

use crate::input::Shown;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use config::Settings;
use crdgen_core::inert;

use crate::Error;

/// Generates Kubernetes CRDs from Rust types, and Rust types from CRDs, and checks both exactly as the API server does.
#[derive(Parser)]
#[command(
    name = "crdgen",
    version,
    about,
    after_help = "Examples:
  crdgen check deploy/crds                check the CRDs in a folder
  helm template . | crdgen check          check the CRDs in a chart
  crdgen docs deploy/crds --out-dir docs  write a documentation site
  crdgen emit . --out-dir deploy/crds     write CRDs for Rust types
  crdgen import crds/ --out-dir src/api   write Rust types for CRDs
  crdgen explain CRD012                   explain an error and how to fix it

crdgen reads defaults for its options from crdgen.toml. See `crdgen help config`."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    // Definitions.
    Check(check::Args),
    Fit(fit::Args),
    Explain(explain::Args),
    Docs(docs::Args),
    Migrate(stored::Args),
    Openapi(openapi::Args),
    Cel(cel::Args),
    // Objects.
    Validate(validate::Args),
    Get(get::Args),
    Convert(convert::Args),
    Test(suite::Args),
    // Rust.
    Emit(emit::Args),
    Import(import::Args),
    Expand(expand::Args),
    MigrateCheck(migrate::Args),
    // The command itself.
    Config(config::Args),
    Completions(completions::Args),
    Man(man::Args),
    Rpc(rpc::Args),
}

/// How a run ended that did what it was asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing to complain about.
    Fine,
    /// There are findings that fail the run.
    Findings,
}

/// No definition in any of the places.
pub(crate) fn no_definition(paths: &[String]) -> Error {
    Error::Nothing(format!("no CustomResourceDefinition in {}", inputs::names(paths)))
}

/// No kind in the sources.
pub(crate) fn no_kind(sources: &std::path::Path) -> Error {
    Error::Nothing(format!("no kind in {}: no type derives CustomResource", sources.shown()))
}

/// Runs the command with the arguments of the process.
pub fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(Usage::Wrong(usage)) => return wrong_usage(&usage),
        Err(Usage::Settings(failure)) => {
            terminal::say_error(&failure);
            return ExitCode::from(2);
        }
    };
    let outcome = match arguments.command {
        Command::Check(args) => check::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Docs(args) => docs::run(&args),
        Command::Migrate(args) => stored::run(&args),
        Command::Openapi(args) => openapi::run(&args),
        Command::Cel(args) => cel::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Get(args) => get::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Test(args) => suite::run(&args),
        Command::Emit(args) => emit::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Expand(args) => expand::run(&args),
        Command::MigrateCheck(args) => migrate::run(&args),
        Command::Config(args) => config::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
        Command::Rpc(args) => rpc::run(&args),
    };
    match outcome {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(failure) => {
            terminal::say_error(&failure);
            ExitCode::from(2)
        }
    }
}

/// Why there are no arguments to run with.
enum Usage {
    /// They are wrong, or ask for help.
    Wrong(clap::Error),
    /// The settings cannot be read, or are wrong.
    Settings(Error),
}

/// The arguments of the process, and those that settings add.
fn arguments() -> Result<Cli, Usage> {
    let command = command();
    let given: Vec<OsString> = std::env::args_os().collect();
    let mut matches = command.clone().try_get_matches_from(&given).map_err(Usage::Wrong)?;
    // Other tools call it with no setting in mind.
    let is_plain = matches!(matches.subcommand_name(), Some("completions" | "config" | "man" | "rpc"));
    if let Some(settings) = if is_plain { None } else { Settings::find(&command).map_err(Usage::Settings)? } {
        let added = settings.arguments(&command, &matches).map_err(Usage::Settings)?;
        if !added.is_empty() {
            let name = matches.subcommand_name().map(OsString::from);
            let at = given.iter().position(|arg| Some(arg) == name.as_ref()).map_or(given.len(), |at| at + 1);
            let mut all = given;
            all.splice(at..at, added.into_iter().map(OsString::from));
            matches = command.try_get_matches_from(all).map_err(|e| Usage::Settings(settings.located(&e)))?;
        }
    }
    Cli::from_arg_matches(&matches).map_err(Usage::Wrong)
}

/// The command line, as clap knows it.
fn command() -> clap::Command {
    let mut command = Cli::command();
    command.build();
    command
}

/// Prints what clap says: help, the version, or what is wrong with the arguments. These may be names of files
/// that a shell has put in.
fn wrong_usage(usage: &clap::Error) -> ExitCode {
    let active = |arg: std::ffi::OsString| inert::has_active(&arg.to_string_lossy(), "");
    if std::env::args_os().skip(1).any(active) && usage.use_stderr() {
        terminal::say_ready(&terminal::Ready::text(&usage.to_string()));
    } else if let Err(e) = usage.print()
        && !usage.use_stderr()
        && e.kind() != std::io::ErrorKind::BrokenPipe
    {
        terminal::say_error(&Error::Output(e));
        return ExitCode::from(2);
    }
    ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(2))
}

/// The minor version in `1.NN`.
pub(crate) fn kube(text: &str) -> Result<u32, Error> {
    /// The first with CRDs of `apiextensions.k8s.io/v1`. Anything older is a typo.
    const OLDEST: u32 = 16;
    let minor = text.strip_prefix("1.").and_then(|minor| minor.parse().ok());
    let minor =
        minor.ok_or_else(|| Error::Argument(format!("--kube {text}: write a version such as 1.28")))?;
    if minor < OLDEST {
        return Err(Error::Argument(format!("--kube {text}: the oldest version is 1.{OLDEST}")));
    }
    Ok(minor)
}

#[cfg(test)]
mod tests {
    #[test]
    fn arguments_are_consistent() {
        <super::Cli as clap::CommandFactory>::command().debug_assert();
    }
}
