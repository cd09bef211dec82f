//! The `crdgen` command: arguments, files and terminals around the pure core.

mod arguments;
mod commands;
mod crds;
mod input;
mod outcome;
mod output;
mod terminal;

use crate::arguments::settings::{self, Added, AsArguments, UserArguments};
use crate::commands::{
    cel, check, completions, config, convert, diff, discover, docs, emit, expand, explain, fit, get, import,
    lsp, man, mcp, migrate, migrate_check, openapi, rpc, test, upgrade, validate,
};
use crate::outcome::Outcome;
use crdgen_files::Error;
use crdgen_files::error::Meaning;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use crdgen_core::{inert, listed};
use crdgen_import::Unreadable;

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

Exit codes:
  0  success
  1  crdgen found problems, such as a CRD that the server rejects, or YAML with syntax errors
  2  wrong usage, nothing to work on, or a file that cannot be read or written

crdgen reads defaults for its options from crdgen.toml. See `crdgen help config`.
The documentation, with a page for each error code: https://crdgen.github.io/crdgen/"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Let git read objects from the folders outside of a checkout that its repository names, as after `git clone --reference`.
    /// Use it only if you trust the checkout
    #[arg(long, global = true, hide_short_help = true)]
    git_alternates: bool,
}

#[derive(Subcommand)]
enum Command {
    // Definitions.
    Check(check::Args),
    Diff(diff::Args),
    Upgrade(upgrade::Args),
    Discover(discover::Args),
    Fit(fit::Args),
    Explain(explain::Args),
    Docs(docs::Args),
    Migrate(migrate::Args),
    Openapi(openapi::Args),
    Cel(cel::Args),
    Crds(commands::crds::Args),
    // Objects.
    Validate(validate::Args),
    Apply(commands::apply::Args),
    Get(get::Args),
    Convert(convert::Args),
    Test(test::Args),
    Serve(commands::serve::Args),
    // Rust.
    Emit(emit::Args),
    Import(import::Args),
    Expand(expand::Args),
    MigrateCheck(migrate_check::Args),
    // The command itself.
    Config(config::Args),
    Completions(completions::Args),
    Man(man::Args),
    Lsp(lsp::Args),
    Mcp(mcp::Args),
    Rpc(rpc::Args),
}

/// Runs the command with the arguments of the process.
pub fn main() -> ExitCode {
    if let Some(code) = commands::serve::run_by_name() {
        return code;
    }
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(Usage::Wrong(usage)) => return wrong_usage(&with_own_tip(usage)),
        Err(Usage::Settings(failure)) => {
            terminal::say_error(&failure);
            return ExitCode::from(2);
        }
    };
    let Arguments { cli: arguments, added, unused } = arguments;
    terminal::interrupt::watch();
    if arguments.git_alternates {
        crdgen_tasks::inputs::git::trust_alternates();
    }
    let outcome = match arguments.command {
        Command::Check(args) => check::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Upgrade(args) => upgrade::run(&args),
        Command::Discover(args) => discover::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Docs(args) => docs::run(&args),
        Command::Migrate(args) => migrate::run(&args),
        Command::Openapi(args) => openapi::run(&args),
        Command::Cel(args) => cel::run(&args),
        Command::Crds(args) => commands::crds::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Apply(args) => commands::apply::run(&args),
        Command::Get(args) => get::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Emit(args) => emit::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Expand(args) => expand::run(&args),
        Command::MigrateCheck(args) => migrate_check::run(&args),
        Command::Config(args) => config::run(&args, &command()),
        Command::Completions(args) => completions::run(&args, command()),
        Command::Man(args) => man::run(&args, &command()),
        Command::Lsp(args) => lsp::run(&args, unused.as_ref()),
        Command::Mcp(args) => mcp::run(&args),
        Command::Rpc(args) => rpc::run(&args),
        Command::Serve(args) => commands::serve::run(&args),
    };
    match outcome {
        Ok(_) if input::has_unread() => ExitCode::from(2),
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Ok(Outcome::Errors) => ExitCode::from(2),
        Err(failure) => {
            terminal::say_error(&failure);
            if let Error::NoDefinitions { name, why: Unreadable::Definition(_) } = &failure
                && std::path::Path::new(name).is_file()
            {
                terminal::say(format_args!("note: `crdgen check {name}` shows the lines"));
            }
            let Meaning { code, is_of_arguments } = Meaning::of(&failure);
            // The cause may be a setting.
            if let Some(added) = added.filter(|_| is_of_arguments) {
                terminal::say(format_args!("note: {added}"));
            }
            ExitCode::from(code)
        }
    }
}

/// Why there are no arguments to run with.
enum Usage {
    /// The arguments are wrong, or request help.
    Wrong(clap::Error),
    /// The settings cannot be read, or are wrong.
    Settings(Error),
}

/// The arguments of the process together with those that settings add.
struct Arguments {
    cli: Cli,
    /// The added ones alone.
    added: Option<Added>,
    /// Why settings are not used. Only an editor starts the command nevertheless.
    unused: Option<Error>,
}

fn arguments() -> Result<Arguments, Usage> {
    let mut command = command();
    let given = UserArguments::new(&command, std::env::args_os());
    let mut matches = match command.try_get_matches_from_mut(&given.all) {
        // A setting may provide what is missing.
        Err(e) if e.kind() == ErrorKind::MissingRequiredArgument => Err(e),
        other => Ok(other.map_err(Usage::Wrong)?),
    };
    let known = match &matches {
        Ok(matches) => matches.clone(),
        Err(_) => tolerant().try_get_matches_from(&given.all).map_err(Usage::Wrong)?,
    };
    let (mut added, mut unused) = (None, None);
    // Other tools run these commands and expect no settings.
    if !matches!(known.subcommand_name(), Some("completions" | "config" | "man" | "mcp" | "rpc")) {
        match with_settings(&mut command, &given, &known) {
            Ok(None) => {}
            Ok(Some(completed)) => (matches, added) = (completed.matches, Some(completed.added)),
            Err(why) if known.subcommand_name() == Some("lsp") => unused = Some(why),
            Err(why) => return Err(Usage::Settings(why)),
        }
    }
    let cli = Cli::from_arg_matches(&matches.map_err(Usage::Wrong)?).map_err(Usage::Wrong)?;
    Ok(Arguments { cli, added, unused })
}

/// All arguments, and what settings add to them.
struct WithSettings {
    matches: Result<ArgMatches, clap::Error>,
    added: Added,
}

/// Adds what the settings have for the arguments. `None` if they have nothing.
fn with_settings(
    command: &mut clap::Command,
    given: &UserArguments,
    known: &ArgMatches,
) -> Result<Option<WithSettings>, Error> {
    let Some(settings) = settings::read(command)? else { return Ok(None) };
    let settings = AsArguments(&settings);
    let Some(completed) = settings.complete(command, given, known)? else { return Ok(None) };
    match command.try_get_matches_from_mut(completed.all) {
        Err(e) if e.kind() != ErrorKind::MissingRequiredArgument => Err(settings.located(&e)),
        matches => Ok(Some(WithSettings { matches, added: completed.added })),
    }
}

/// Returns the command line without required arguments.
fn tolerant() -> clap::Command {
    let mut command = Cli::command().ignore_errors(true);
    command.build();
    command
}

/// Returns the command line as clap describes it.
fn command() -> clap::Command {
    let mut command = Cli::command();
    command.build();
    command
}

/// clap suggests that an unknown option is the name of a file, which is rare. This tip lists the commands that have the
/// option instead.
fn with_own_tip(mut usage: clap::Error) -> clap::Error {
    let option = match usage.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) if usage.kind() == ErrorKind::UnknownArgument => option.clone(),
        _ => return usage,
    };
    let is_it = |arg: &clap::Arg| {
        let is_long = arg.get_long().is_some_and(|long| option.strip_prefix("--") == Some(long));
        let is_short = arg.get_short().is_some_and(|short| option == format!("-{short}"));
        !arg.is_hide_set() && (is_long || is_short)
    };
    let whole = command();
    let owners: Vec<String> = whole
        .get_subcommands()
        .filter(|command| !command.is_hide_set() && command.get_arguments().any(is_it))
        .map(|command| format!("`crdgen {}`", command.get_name()))
        .collect();
    if !owners.is_empty() || option.starts_with("--") {
        usage.remove(ContextKind::Suggested);
    }
    if !owners.is_empty() {
        let have = if owners.len() == 1 { "has" } else { "have" };
        let tip = format!("{} {have} this option", listed::first(owners.iter(), listed::NAMED));
        usage.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    usage
}

/// Prints clap's text: help, the version, or what is wrong with the arguments. The arguments may be file names that a
/// shell has inserted.
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

#[cfg(test)]
mod tests {
    #[test]
    fn arguments_are_consistent() {
        <super::Cli as clap::CommandFactory>::command().debug_assert();
    }
}
