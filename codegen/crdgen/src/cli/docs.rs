//! `crdgen docs`: pages of documentation.

use std::path::PathBuf;

use super::terminal::{Ready, print};
use super::{Failure, Outcome, accepted};
use crate::docs::{self, Form};
use crate::emit;

/// Write pages of documentation for definitions
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files, directories, glob patterns, or - for standard input
    #[arg(default_value = ".")]
    paths: Vec<String>,
    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "html")]
    format: Form,
    /// Write a page per definition here, and an index, instead of one page to standard output
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
    /// The title of the index
    #[arg(long, value_name = "TEXT", default_value = "Custom resources", requires = "out_dir")]
    title: String,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let (crds, outcome) = accepted::read(&args.paths, true, false)?;
    match &args.out_dir {
        _ if crds.is_empty() && outcome == Outcome::Findings => {}
        _ if crds.is_empty() => {
            return Err(Failure::new(format!("no CustomResourceDefinition in {}", args.paths.join(" "))));
        }
        None => print(&Ready::text(&docs::joined(&crds, args.format)))?,
        Some(dir) => {
            let mut documents = docs::documents(&crds, args.format);
            documents.push(docs::index(&crds, &args.title, args.format));
            emit::write(dir, &documents).map_err(|e| Failure::new(format!("{}: {e}", dir.display())))?;
        }
    }
    Ok(outcome)
}
