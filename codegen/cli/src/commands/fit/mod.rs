//! `crdgen fit`: CRDs that are small enough for `kubectl apply`, and charts for Helm.

mod helm;

use std::path::PathBuf;

use crate::arguments::selection;
use crate::arguments::size;
use crate::crds::accepted::{self, Also};
use crate::outcome::Outcome;
use crate::outcome::no_definition;
use crate::output::folders;
use crate::terminal::{Ready, print};
use crdgen_build::emit::{self, OutputFormat};
use crdgen_files::Error;

/// Make CRDs small enough for `kubectl apply`, or a chart for Helm: remove descriptions, deepest first
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen fit --sizes crd.yaml          show which parts are big
  crdgen fit crd.yaml --out-dir small  write a copy that is small enough
  crdgen fit --for helm --sizes chart  show what Helm stores of a chart in each release
  crdgen fit --for helm chart --out-dir small
                                       write the CRDs of a chart so that Helm can store it")]
pub(crate) struct Args {
    /// Files, folders, glob patterns, or - for standard input. By default crdgen reads what is piped in, or
    /// otherwise the current folder
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<String>,
    #[command(flatten)]
    from: selection::Crds,
    /// What the CRDs must be small enough for
    #[arg(long = "for", value_name = "WHAT", default_value = "kubectl")]
    of: For,
    #[command(flatten)]
    size: size::Args,
    /// Write one file per CRD to this folder, instead of all CRDs to standard output
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
    /// Also replace files in --out-dir that crdgen did not write
    #[arg(long, requires = "out_dir")]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum For {
    /// The annotation in which `kubectl apply` keeps a copy of each CRD
    Kubectl,
    /// The Secret in which Helm stores a release of a chart
    Helm,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    if args.of == For::Helm {
        return helm::run(args);
    }
    let mut folder = args.out_dir.as_deref().map(|dir| folders::folder(dir, args.force));
    let (mut found, mut outcome) = (false, Outcome::Fine);
    let read = accepted::each(
        &args.paths,
        &args.from.options()?.without_builds(),
        Also { refused: true, ..Also::NOTHING },
        |mut crds| {
            found = true;
            if args.size.sizes {
                args.size.apply(&mut crds, false);
                return print(&Ready::text(&size::Args::report(&crds)));
            }
            if args.size.apply(&mut crds, true) == Outcome::Findings {
                outcome = Outcome::Findings;
            }
            let documents = emit::documents(&crds, OutputFormat::Yaml, None);
            match &mut folder {
                None => print(&Ready::document(&emit::joined(&documents, OutputFormat::Yaml))),
                Some(folder) => folders::stage(folder, &documents),
            }
        },
    )?;
    if !found && read == Outcome::Fine {
        return Err(no_definition(&args.paths));
    }
    folder.iter_mut().try_for_each(folders::finish)?;
    // Files that could not be read are reported, and the other CRDs are written.
    Ok(if matches!(read, Outcome::Fine) { outcome } else { read })
}
