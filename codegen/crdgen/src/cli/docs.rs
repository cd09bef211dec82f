//! `crdgen docs`: pages of documentation.

use std::path::PathBuf;

use rayon::prelude::*;

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
    let mut folder = args.out_dir.as_deref().map(|dir| outputs::folder(dir, args.force));
    let mut index = docs::Index::new(args.output);
    let mut pages = docs::Pages::new(args.output);
    let outcome = accepted::each(&args.paths, true, false, |crds| {
        for some in crds.chunks(accepted::CHUNK) {
            match &mut folder {
                None => print(&Ready::text(&pages.add(some)))?,
                Some(folder) => {
                    index.add(some);
                    let one = |crd| docs::documents(std::slice::from_ref(crd), args.output);
                    outputs::write_to(folder, &some.par_iter().flat_map_iter(one).collect::<Vec<_>>())?;
                }
            }
        }
        Ok(())
    })?;
    match &mut folder {
        None if pages.is_empty() && outcome == Outcome::Fine => {
            return Err(super::no_definition(&args.paths));
        }
        Some(_) if index.is_empty() && outcome == Outcome::Fine => {
            return Err(super::no_definition(&args.paths));
        }
        None => print(&Ready::text(&pages.end()))?,
        Some(_) if index.is_empty() => {}
        Some(folder) => outputs::write_to(folder, &[index.document(&args.title)])?,
    }
    Ok(outcome)
}
