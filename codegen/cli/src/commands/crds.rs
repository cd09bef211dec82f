//! `crdgen crds`: a folder with CRDs of others, so that CI needs neither a cluster nor a network.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crdgen_core::decode::Written;
use crdgen_core::ir::Crd;
use crdgen_core::{decode, encode, json, listed, yaml};

use crate::arguments::selection::Selection;
use crate::input::{self, Options, cluster, stream};
use crate::outcome::Outcome;
use crate::outcome::no_definition;
use crate::output::folders;
use crate::terminal;
use crdgen::__cli::files::{self, Shown};
use crdgen::__cli::generated;
use crdgen::Error;
use crdgen::output::Document;

/// The list of where each CRD comes from. Commands do not read files with this extension.
const ORIGINS: &str = "origins.toml";

/// Keep CRDs of other projects in a folder, for crdgen validate --crd-dir
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen crds add charts/cert-manager --out-dir crds    keep the CRDs of a chart
  crdgen crds add git:v1.2.0:deploy --out-dir crds      keep the CRDs at a revision of git
  crdgen crds pull --out-dir crds                       keep the CRDs of the cluster that kubectl uses
  crdgen validate manifests --crd-dir crds              use them

origins.toml in the folder lists where each CRD comes from.")]
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
            let mut kept = Kept::default();
            for argument in from {
                kept.add(argument, &input::find(std::slice::from_ref(argument), &options)?)?;
            }
            kept.write(to)
        }
        Action::Pull(Pull { names, context, to }) => {
            let bytes = cluster::definitions(names, context.as_deref())?;
            let of = match context {
                Some(context) => format!("the cluster of the context {context}"),
                None => "the cluster of the current context".to_owned(),
            };
            let source = input::Source::new("<cluster>".to_owned(), bytes.into());
            let mut kept = Kept::default();
            kept.source(&of, &source)?;
            kept.write(to)
        }
    }
}

/// The name that controller-gen and `crdgen emit` give the file of a CRD.
fn file_name(crd: &Crd) -> String {
    crdgen_core::file_name(&format!("{}_{}", crd.spec.group, crd.spec.names.plural), "yaml")
}

/// The CRDs by the names of their files, with their origins.
#[derive(Default)]
struct Kept(BTreeMap<String, (String, String)>);

impl Kept {
    fn add(&mut self, argument: &str, found: &input::Inventory) -> Result<(), Error> {
        let before = self.0.len();
        for input in found.iter() {
            if let Some(source) = found.read(input)? {
                let origin = source.name.clone();
                self.source(&origin, &source)?;
            }
        }
        found.say_skipped(false);
        match self.0.len() == before {
            true => Err(no_definition(&[argument.to_owned()])),
            false => Ok(()),
        }
    }

    /// Adds the CRDs of a source. A CRD that is there already stays.
    fn source(&mut self, origin: &str, source: &input::Source) -> Result<(), Error> {
        let texts = |group: crate::input::definitions::Group| Ok(group.texts());
        stream::groups(source, texts, |texts: Vec<String>| {
            for text in texts {
                let value = json::read(text.as_bytes()).unwrap_or_default();
                let (Some(mut crd), _) = decode::crd_as_written(value, Written::default()) else { continue };
                // What a server adds is not part of the CRD.
                crd.status = Default::default();
                let text = format!("{}{}", generated::mark(), yaml::write_object(&encode::crd(&crd)));
                self.0.entry(file_name(&crd)).or_insert_with(|| (text, origin.to_owned()));
            }
            Ok(())
        })
    }

    fn write(self, to: &To) -> Result<Outcome, Error> {
        let list = to.out_dir.join(ORIGINS);
        let mut origins: BTreeMap<String, String> = match files::read_to_string(&list) {
            Ok(text) if generated::is_marked(&text) => toml::from_str(&text)
                .map_err(|why| Error::Argument(format!("{}: {}", list.shown(), why.message())))?,
            // A list of others is not replaced, except with --force.
            Ok(_) | Err(_) => BTreeMap::new(),
        };
        let mut documents: Vec<Document> = Vec::new();
        for (name, (text, origin)) in self.0 {
            origins.insert(name.clone(), origin);
            documents.push(Document { name, text });
        }
        let names: Vec<&String> = documents.iter().map(|document| &document.name).collect();
        terminal::say(format_args!(
            "{} CRDs: {}",
            documents.len(),
            listed::first(names.iter(), listed::NAMED)
        ));
        let text = toml::to_string(&origins).map_err(|why| Error::Argument(why.to_string()))?;
        documents.push(Document { name: ORIGINS.into(), text: format!("{}{text}", generated::mark()) });
        folders::write(&to.out_dir, &documents, to.force)?;
        Ok(Outcome::Fine)
    }
}
