//! `crdgen docs`: pages of documentation.

use std::path::PathBuf;

use super::terminal::{Ready, print};
use super::{Outcome, accepted, outputs};
use crate::Error;
use crate::docs::{self, Form};

/// Write pages of documentation for definitions
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files, directories, glob patterns, or - for standard input; without any what is piped in, or else the
    /// current folder
    paths: Vec<String>,
    /// What to write
    #[arg(short, long, alias = "format", value_name = "FORMAT", default_value = "html")]
    output: Form,
    /// Write a page per definition here, and an index, instead of one page to standard output
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
    /// Replace files in --out-dir that crdgen has not written
    #[arg(long, requires = "out_dir")]
    force: bool,
    /// The title of the index
    #[arg(long, value_name = "TEXT", default_value = "Custom resources", requires = "out_dir")]
    title: String,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let (crds, outcome) = accepted::read(&args.paths, true, false)?;
    match &args.out_dir {
        _ if crds.is_empty() && outcome == Outcome::Findings => {}
        _ if crds.is_empty() => {
            return Err(super::no_definition(&args.paths));
        }
        None => print(&Ready::text(&docs::joined(&crds, args.output)))?,
        Some(dir) => {
            let mut documents = docs::documents(&crds, args.output);
            documents.push(docs::index(&crds, &args.title, args.output));
            outputs::write(dir, &documents, args.force)?;
        }
    }
    Ok(outcome)
}
