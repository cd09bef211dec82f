//! `crdgen discover`: what crdgen finds in folders, and what it skips and why.

use crate::arguments::selection::Selection;
use crate::input::{self, Build, Options};
use crate::outcome::Outcome;
use crate::terminal::progress::Progress;
use crate::terminal::{Ready, print};
use crdgen_files::Error;
use crdgen_report::contents;
use crdgen_tasks::inputs::Contents;

/// List what crdgen finds in folders: charts, kustomizations, CRDs and objects, and what it skips
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen discover                    list what is in the current folder
  crdgen discover -v                 also list the files that crdgen skips
  crdgen discover deploy -o json     for programs")]
pub(crate) struct Args {
    /// Files, folders, glob patterns, git:REV, or - for standard input. By default crdgen reads what is piped in, or
    /// otherwise the current folder
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<String>,
    #[command(flatten)]
    selection: Selection,
    /// The output format
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Output,
    /// List all files
    #[arg(short, long)]
    verbose: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Output {
    /// For people
    Human,
    /// One JSON document
    Json,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let rules = args.selection.rules()?;
    let found = input::find(&args.paths, &Options { build: Build::Not, ..Options::objects(&rules) })?;
    let progress = Progress::new("reading", found.len());
    let contents = Contents::read(&found, &|| progress.step())?;
    drop(progress);
    let shows = if args.verbose { contents::Shows::All } else { contents::Shows::First };
    match args.output {
        Output::Human => print(&Ready::text(&contents::human(&found, &contents, shows)))?,
        Output::Json => print(&Ready::json(&contents::json(&found, &contents)))?,
    }
    Ok(Outcome::Fine)
}
