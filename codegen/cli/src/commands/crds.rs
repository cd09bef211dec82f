//! `crdgen crds`: a folder with CRDs of others, so that CI needs neither a cluster nor a network.

use std::path::PathBuf;

use crdgen_core::listed;

use crate::arguments::selection::Selection;
use crate::input::{self, Options, cluster};
use crate::outcome::Outcome;
use crate::output::folders;
use crate::terminal;
use crdgen_files::Error;
use crdgen_tasks::inputs::KeptCrds;

/// Keep CRDs of other projects in a folder, for crdgen validate --crd-dir
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen crds add charts/cert-manager --out-dir crds    keep the CRDs of a chart
  crdgen crds add git:v1.2.0:deploy --out-dir crds      keep the CRDs at a revision of git
  crdgen crds pull --out-dir crds                       keep the CRDs of the cluster that kubectl uses
  crdgen validate manifests --crd-dir crds              use them

origins.toml in the folder lists where each CRD comes from. Paths are relative to that folder.")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Add the CRDs of charts, folders, files or revisions of git
    Add(Add),
    /// Add the CRDs of the cluster that kubectl uses
    Pull(Pull),
}

#[derive(clap::Args)]
struct Add {
    /// Charts, folders, files, git:REV or git:REV:PATH, or - for standard input
    #[arg(required = true, value_hint = clap::ValueHint::AnyPath)]
    from: Vec<String>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    to: To,
}

#[derive(clap::Args)]
struct Pull {
    /// The names of CRDs. By default all of them
    names: Vec<String>,
    /// The kubeconfig context to use
    #[arg(long, value_name = "NAME")]
    context: Option<String>,
    #[command(flatten)]
    to: To,
}

#[derive(clap::Args)]
struct To {
    /// The folder
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    out_dir: PathBuf,
    /// Also replace files that crdgen did not write
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    match &args.action {
        Action::Add(Add { from, selection, to }) => {
            let options = Options::crds(&selection.rules()?);
            let mut kept = KeptCrds::default();
            for argument in from {
                kept.add(argument, &input::find(std::slice::from_ref(argument), &options)?, &to.out_dir)?;
            }
            to.write(kept)
        }
        Action::Pull(Pull { names, context, to }) => {
            let bytes = cluster::definitions(names, context.as_deref())?;
            let of = match context {
                Some(context) => format!("the cluster of the context {context}"),
                None => "the cluster of the current context".to_owned(),
            };
            let source = input::Source::new("<cluster>".to_owned(), bytes.into());
            let mut kept = KeptCrds::default();
            kept.source(&of, &source)?;
            to.write(kept)
        }
    }
}

impl To {
    fn write(&self, kept: KeptCrds) -> Result<Outcome, Error> {
        let documents = kept.documents(&self.out_dir)?;
        let names = kept.names();
        let plural = if names.len() == 1 { "" } else { "s" };
        let first = listed::first(names.iter(), listed::NAMED);
        terminal::say(format_args!("{} CRD{plural}: {first}", names.len()));
        folders::write(&self.out_dir, &documents, self.force)?;
        Ok(Outcome::Fine)
    }
}
