//! `crdgen mcp`: the server for assistants, which runs the commands of crdgen as tools.

mod call;
mod session;
mod tools;

use std::io::{BufReader, stdin, stdout};
use std::path::PathBuf;

use crate::outcome::Outcome;
use crdgen_files::Error;

/// Serve an assistant over standard input and output (Model Context Protocol)
///
/// Assistants get the tools check, validate, explain, diff, test, convert and cel, which do what the commands of these names do. The tools
/// read only files of one folder, take texts that are not in a file yet, and run no code of the folder.
#[derive(clap::Args)]
#[command(after_help = r#"Examples:
  crdgen mcp                    what an assistant starts, in the folder of a project
  crdgen mcp --root deploy      only for the files in this folder

The settings of most assistants:
  {"mcpServers": {"crdgen": {"command": "crdgen", "args": ["mcp"]}}}"#)]
pub(crate) struct Args {
    /// The folder whose files the tools may read
    #[arg(long, value_name = "DIR", default_value = ".", value_hint = clap::ValueHint::DirPath)]
    root: PathBuf,
}

/// Serves an assistant until it closes the input.
pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let workspace = tools::Workspace::new(&args.root).map_err(Error::file(&args.root))?;
    let runner = call::Runner::new(workspace).map_err(Error::Output)?;
    session::serve(BufReader::new(stdin().lock()), stdout(), &runner).map_err(Error::Thread)?;
    Ok(Outcome::Fine)
}
