//! `crdgen fit`: definitions that `kubectl apply` can hold.

use std::path::PathBuf;

use super::terminal::{Ready, print};
use super::{Outcome, accepted, outputs, size};
use crate::Error;
use crate::emit::{self, Form};

/// Take descriptions away, the deepest first, until `kubectl apply` can hold the definitions
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files, directories, glob patterns, or - for standard input; without any what is piped in, or else the
    /// current folder
    paths: Vec<String>,
    #[command(flatten)]
    size: size::Args,
    /// Write one file per definition here, instead of all of them to standard output
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
    /// Replace files in --out-dir that crdgen has not written
    #[arg(long, requires = "out_dir")]
    force: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let (mut crds, read) = accepted::read(&args.paths, false, true)?;
    if crds.is_empty() {
        return Err(super::no_definition(&args.paths));
    }
    if args.size.sizes {
        args.size.apply(&mut crds, false);
        print(&Ready::text(&size::Args::report(&crds)))?;
        return Ok(read);
    }
    let outcome = args.size.apply(&mut crds, true);
    let documents = emit::documents(&crds, Form::Yaml, None);
    match &args.out_dir {
        None => print(&Ready::text(&emit::joined(&documents, Form::Yaml)))?,
        Some(dir) => outputs::write(dir, &documents, args.force)?,
    }
    // What could not be read is told, and the others are written.
    Ok(if matches!(read, Outcome::Fine) { outcome } else { read })
}
