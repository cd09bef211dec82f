//! The `crdgen` command: arguments, files and terminals around the pure core.

mod accepted;
mod against;
mod cel;
mod check;
mod cluster;
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
mod manifests;
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
mod stream;
mod suite;
mod terminal;
mod types;
mod validate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use crdgen_core::inert;

use crate::Error;

/// Rust types to Kubernetes CustomResourceDefinitions and back, checked exactly as the API server
/// checks them.
#[derive(Parser)]
#[command(name = "crdgen", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Docs(docs::Args),
    Emit(emit::Args),
    Cel(cel::Args),
    Check(check::Args),
    Expand(expand::Args),
    Explain(explain::Args),
    Fit(fit::Args),
    Get(get::Args),
    Import(import::Args),
    MigrateCheck(migrate::Args),
    Openapi(openapi::Args),
    Rpc(rpc::Args),
    Test(suite::Args),
    Validate(validate::Args),
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
    Error::Nothing(format!("no kind in {}: no type derives CustomResource", sources.display()))
}

/// Runs the command with the arguments of the process.
pub fn main() -> ExitCode {
    let arguments = match Cli::try_parse() {
        Ok(arguments) => arguments,
        Err(usage) => return wrong_usage(&usage),
    };
    let outcome = match arguments.command {
        Command::Docs(args) => docs::run(&args),
        Command::Emit(args) => emit::run(&args),
        Command::Cel(args) => cel::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Expand(args) => expand::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::Get(args) => get::run(&args),
        Command::Import(args) => import::run(&args),
        Command::MigrateCheck(args) => migrate::run(&args),
        Command::Openapi(args) => openapi::run(&args),
        Command::Rpc(args) => rpc::run(&args),
        Command::Test(args) => suite::run(&args),
        Command::Validate(args) => validate::run(&args),
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
    let minor = text.strip_prefix("1.").and_then(|minor| minor.parse().ok());
    minor.ok_or_else(|| Error::Argument(format!("--kube {text}: write a version such as 1.28")))
}

#[cfg(test)]
mod tests {
    #[test]
    fn arguments_are_consistent() {
        <super::Cli as clap::CommandFactory>::command().debug_assert();
    }
}
