//! `crdgen migrate-check`: how the CRDs of a project on kube-derive and schemars would change.

use crate::arguments::package::{Features, Package};
use crate::arguments::selection;
use crate::crds::sources;
use crate::input;
use crate::outcome::Outcome;
use crate::terminal::{self, Ready, print};
use crdgen_files::Error;
use crdgen_files::input::Shown;
use crdgen_files::source::{self, Options};
use crdgen_tasks::inputs::NotYaml;
use crdgen_tasks::rust_types;
use std::collections::{BTreeMap, BTreeSet};

use crdgen_core::ir::Crd;
use crdgen_import::definitions;
use crdgen_report::migration::{self, HUMAN, MARKDOWN, Moved, Old, Style};

/// Show how the CRDs of a project on kube-derive change when it moves to crdgen, and why
///
/// crdgen reads the sources as they are, with `use kube::CustomResource` and `use schemars::JsonSchema`, and compares
/// them with the CRDs that the project has in YAML or JSON.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen migrate-check . --against crds
  cargo run -- crd | crdgen migrate-check --against -")]
pub(crate) struct Args {
    #[command(flatten)]
    selection: selection::Selection,
    /// The old CRDs: files, folders, or - for standard input. May be repeated. For a folder with a kustomization, these are
    /// the CRDs that `kustomize build` would print [default: the YAML and JSON files of the project]
    #[arg(long, value_name = "FILE|DIR", value_hint = clap::ValueHint::AnyPath)]
    against: Vec<String>,
    #[command(flatten)]
    package: Package,
    #[command(flatten)]
    features: Features,
    /// The output format
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Form,
    /// How many places to show for a difference that you need not review; 0 shows all. For a difference that you must
    /// review, crdgen always shows all
    #[arg(long, value_name = "N", default_value_t = 3)]
    places: usize,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Form {
    Human,
    Json,
    Markdown,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let options = Options {
        // The report shows the server's errors for the new CRDs, and what these CRDs change all the same.
        refused: true,
        ..args.package.options(&args.features)
    };
    sources::note_ignored(&options);
    let read = source::read(&options)?;
    let counts = sources::show(read.found, read.crds.len(), read.cargo.as_ref());
    if read.crds.is_empty() && read.withheld.is_empty() && counts.errors == 0 {
        return Err(rust_types::nothing(&options));
    }
    let names: BTreeSet<&str> = read.crds.iter().map(|crd| crd.metadata.name.as_str()).collect();
    let old = old(args, &names)?;
    let mut moved: Vec<Moved> =
        read.crds.iter().map(|new| Moved::of(old.get(&new.metadata.name), new, &args.against)).collect();
    moved.extend(read.withheld.iter().map(|it| Moved {
        name: it.name.clone(),
        old: Old::Unknown(it.why.diag.text()),
        changes: Vec::new(),
    }));
    let report = |style: &Style| {
        migration::by_path(&read.by_path, style) + migration::written(&moved, args.places, style).as_str()
    };
    match args.output {
        Form::Human => print(&Ready::text(&report(&HUMAN)))?,
        Form::Markdown => print(&Ready::document(&report(&MARKDOWN)))?,
        Form::Json => print(&Ready::json(&migration::json(&moved)))?,
    }
    Ok(if counts.errors > 0 || moved.iter().any(Moved::needs_review) {
        Outcome::Findings
    } else {
        Outcome::Fine
    })
}

/// The old definitions of these names.
fn old(args: &Args, names: &BTreeSet<&str>) -> Result<BTreeMap<String, Crd>, Error> {
    let mut out = BTreeMap::new();
    let own = args.against.is_empty();
    let folder =
        if args.package.path.is_dir() { args.package.path.shown().to_string() } else { ".".to_owned() };
    let rules = args.selection.rules()?;
    let sources = match own {
        true => input::as_written(&folder, &rules)?,
        false => input::old(&args.against, &rules)?,
    };
    let mut skipped = NotYaml::default();
    for source in sources {
        let source = match source {
            Ok(source) => source,
            Err(_) if own => continue,
            Err(failure) => return Err(failure),
        };
        if !input::may_define(&source) {
            // The files of a project may contain anything.
            if !own {
                skipped.add(&source);
            }
            continue;
        }
        // Templates of charts, and files with several documents, are read as `crdgen import` reads them.
        match definitions::named(&source.bytes, &|name| names.contains(name)) {
            Ok(crds) => {
                for crd in crds {
                    out.entry(crd.metadata.name.clone()).or_insert(crd);
                }
            }
            Err(why) => terminal::say(format_args!("skipped {}: {why}", source.name)),
        }
    }
    skipped.say(input::NOTES);
    Ok(out)
}
