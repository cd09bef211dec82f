//! `crdgen docs`: pages of documentation.

mod samples;

use std::path::{Path, PathBuf};

use crdgen_core::{decode, encode, json};
use rayon::prelude::*;

use crate::arguments::forms::Pages;
use crate::arguments::selection;
use crate::crds::accepted::{self, Also};
use crate::outcome::Outcome;
use crate::outcome::no_definition;
use crate::output::folders;
use crate::terminal::{Ready, print};
use crdgen_build::docs;
use crdgen_files::Error;
use samples::Examples;

/// Write documentation pages for CRDs
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen docs deploy/crds --out-dir site         a site with an index and a search
  crdgen docs crd.yaml > crd.html                one page
  crdgen docs crds --examples config/samples --out-dir site   show the samples of a project
  crdgen docs crds -o markdown --out-dir docs    for MkDocs, Docusaurus and mdBook")]
pub(crate) struct Args {
    /// Files, folders, glob patterns, or - for standard input. By default crdgen reads what is piped in, or
    /// otherwise the current folder
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<String>,
    #[command(flatten)]
    from: selection::Crds,
    /// The output format
    #[arg(short, long, alias = "format", value_name = "FORMAT", default_value = "html")]
    output: Pages,
    /// Write one page per CRD and an index to this folder, instead of one page to standard output
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
    /// Also replace files in --out-dir that crdgen did not write
    #[arg(long, requires = "out_dir")]
    force: bool,
    /// Show the objects in these files and folders as examples, if the server accepts them
    #[arg(long, value_name = "FILE|DIR", value_hint = clap::ValueHint::AnyPath, num_args = 1..)]
    examples: Vec<String>,
    /// The title of the index
    #[arg(long, value_name = "TEXT", default_value = "Custom resources", requires = "out_dir")]
    title: String,
}

impl Args {
    fn examples(&self) -> Result<Examples, Error> {
        Examples::read(&self.examples, &self.from.objects()?)
    }
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    match &args.out_dir {
        None => one_page(args),
        Some(folder) => site(args, folder),
    }
}

/// Prints all pages, one after the other.
fn one_page(args: &Args) -> Result<Outcome, Error> {
    let mut pages = docs::Pages::new(args.output.into());
    let mut examples = args.examples()?;
    let outcome = accepted::each(&args.paths, &args.from.options()?, Also::UNIONS, |crds| {
        crds.iter().for_each(|crd| examples.check(crd));
        let given = examples.given();
        crds.chunks(accepted::CHUNK).try_for_each(|some| print(&Ready::document(&pages.add(some, given))))
    })?;
    if pages.is_empty() && outcome == Outcome::Fine {
        return Err(no_definition(&args.paths));
    }
    print(&Ready::document(&pages.end()))?;
    Ok(outcome.and(examples.finish()))
}

/// Writes a page per CRD. The pages link to each other, so all CRDs are read before the first page is written. Until
/// then they are kept as JSON, because models take many times as much memory.
fn site(args: &Args, folder: &Path) -> Result<Outcome, Error> {
    let mut site = docs::Site::new(args.output.into());
    let mut texts = Vec::new();
    let mut examples = args.examples()?;
    let outcome = accepted::each(&args.paths, &args.from.options()?, Also::UNIONS, |crds| {
        crds.iter().for_each(|crd| {
            site.add(crd);
            examples.check(crd);
        });
        texts.par_extend(crds.par_iter().map(|crd| json::to_string(&encode::crd(crd))));
        Ok(())
    })?;
    if site.is_empty() {
        return if outcome == Outcome::Fine { Err(no_definition(&args.paths)) } else { Ok(outcome) };
    }
    let mut folder = folders::folder(folder, args.force);
    let given = examples.given();
    let page = |text: &String| Some(site.document(&decode::crd(json::read(text.as_bytes()).ok()?).0?, given));
    for some in texts.chunks(accepted::CHUNK) {
        folders::stage(&mut folder, &some.par_iter().filter_map(page).collect::<Vec<_>>())?;
    }
    folders::stage(&mut folder, &[site.index(&args.title)])?;
    folders::finish(&mut folder)?;
    Ok(outcome.and(examples.finish()))
}
