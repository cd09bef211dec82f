//! `crdgen migrate-check`: what would change in the definitions of a project on kube-derive and schemars.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

use crdgen_core::ir::Crd;
use crdgen_core::migrate::{self, Change, Reason, Sort};
use crdgen_core::value::{Map, Value};

use super::definitions::Group;
use super::inputs;
use super::terminal::{Ready, print};
use super::{Outcome, emit, stream};
use crate::Error;
use crate::source::{self, Options};

/// Show what changes in the definitions of a project on kube-derive when it moves over to crdgen, and why
///
/// The sources are read as they are, with `use kube::CustomResource` and `use schemars::JsonSchema`, and
/// compared with the definitions that the project has in YAML or JSON.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen migrate-check . --against crds
  cargo run -- crd | crdgen migrate-check --against -")]
pub(crate) struct Args {
    /// A folder of a package or workspace, its Cargo.toml, or one .rs file
    #[arg(default_value = ".")]
    path: PathBuf,
    /// The old definitions: files, directories, or - for standard input (`cargo run -- crd | crdgen
    /// migrate-check --against -`); those in the project when missing. May be repeated
    #[arg(long, value_name = "FILE|DIR", value_hint = clap::ValueHint::AnyPath)]
    against: Vec<String>,
    /// This package of a workspace; may be repeated
    #[arg(short, long, value_name = "NAME")]
    package: Vec<String>,
    /// Only this kind; may be repeated
    #[arg(long, value_name = "NAME")]
    kind: Vec<String>,
    /// Turn on these features
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    features: Vec<String>,
    /// Turn on all features
    #[arg(long)]
    all_features: bool,
    /// How the differences are printed
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Form,
    /// Show at most so many places of one reason; 0 for all
    #[arg(long, value_name = "N", default_value_t = 10)]
    places: usize,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Form {
    Human,
    Json,
}

/// What became of one definition.
struct Moved {
    name: String,
    /// What the server says against the old one; none if there is no old one.
    refused: Option<Vec<String>>,
    changes: Vec<Change>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let options = Options {
        path: args.path.clone(),
        packages: args.package.clone(),
        features: args.features.clone(),
        all_features: args.all_features,
        kinds: args.kind.clone(),
        // What cannot be told of one kind is no reason to say nothing of the others.
        force: true,
        ..Options::default()
    };
    let read = source::read(&options)?;
    let counts = emit::show(read.found, read.crds.len(), read.cargo.as_ref());
    if read.crds.is_empty() && counts.errors == 0 {
        return Err(Error::Nothing(format!("no kind in {}", args.path.display())));
    }
    let names: BTreeSet<&str> = read.crds.iter().map(|crd| crd.metadata.name.as_str()).collect();
    let old = old(args, &names)?;
    let moved: Vec<Moved> = read.crds.iter().map(|new| compare(old.get(&new.metadata.name), new)).collect();
    match args.output {
        Form::Human => print(&Ready::text(&human(&moved, args.places)))?,
        Form::Json => print(&Ready::json(&json(&moved)))?,
    }
    let look = |m: &Moved| m.refused.is_none() || m.changes.iter().any(|c| c.reason.sort == Sort::Look);
    Ok(if counts.errors > 0 || moved.iter().any(look) { Outcome::Findings } else { Outcome::Fine })
}

/// The old definitions of these names.
fn old(args: &Args, names: &BTreeSet<&str>) -> Result<BTreeMap<String, Crd>, Error> {
    let mut out = BTreeMap::new();
    let own = args.against.is_empty();
    let folder = if args.path.is_dir() { args.path.display().to_string() } else { ".".to_owned() };
    let places = if own { vec![folder] } else { args.against.clone() };
    for input in inputs::find(&places, &["yaml", "yml", "json"])? {
        let source = match input.read() {
            Ok(source) => source,
            // Among a project's files there may be anything.
            Err(_) if own => continue,
            Err(failure) => return Err(failure),
        };
        if !String::from_utf8_lossy(&source.bytes).contains("CustomResourceDefinition") {
            continue;
        }
        let wanted = |group: Group| {
            let crds = group.read().definitions.into_iter().map(|definition| definition.crd);
            Ok(crds.filter(|crd| names.contains(crd.metadata.name.as_str())).collect())
        };
        stream::groups(&source, wanted, |crds: Vec<Crd>| {
            for crd in crds {
                out.entry(crd.metadata.name.clone()).or_insert(crd);
            }
            Ok(())
        })?;
    }
    Ok(out)
}

fn compare(old: Option<&Crd>, new: &Crd) -> Moved {
    let name = new.metadata.name.clone();
    let Some(old) = old else { return Moved { name, refused: None, changes: Vec::new() } };
    let mut alone = old.clone();
    if let [only] = alone.spec.versions.as_mut_slice() {
        // A version that is not stored stands beside another one, which is.
        only.storage = true;
    }
    let refused = crate::check(&alone).errors.iter().map(|e| e.shown()).collect();
    Moved { name, refused: Some(refused), changes: migrate::changes(old, new) }
}

fn human(moved: &[Moved], places: usize) -> String {
    let mut out = String::new();
    for Moved { name, refused, changes } in moved {
        match refused {
            None => {
                let _ = writeln!(out, "{name}: no old definition to compare with; give it with --against\n");
                continue;
            }
            Some(_) if changes.is_empty() => {
                let _ = writeln!(out, "{name}: stays as it is");
            }
            Some(_) => {
                let plural = if changes.len() == 1 { "" } else { "s" };
                let _ = writeln!(out, "{name}: {} difference{plural}", changes.len());
            }
        }
        for text in refused.iter().flatten() {
            let _ = writeln!(out, "  the server refuses the old definition: {text}");
        }
        let mut by_reason: Vec<(&Reason, Vec<&Change>)> = Vec::new();
        for change in changes {
            match by_reason.iter_mut().find(|(reason, _)| *reason == change.reason) {
                Some((_, all)) => all.push(change),
                None => by_reason.push((change.reason, vec![change])),
            }
        }
        let mut heading = None;
        for (reason, all) in by_reason {
            if heading != Some(reason.sort) {
                heading = Some(reason.sort);
                let _ = writeln!(out, "\n  {}", reason.sort.heading());
            }
            let _ = writeln!(out, "  - {}: {}", reason.name, reason.text);
            let shown = if places == 0 { all.len() } else { places.min(all.len()) };
            for Change { at, old, new, .. } in &all[..shown] {
                let _ = match (old.as_str(), new.as_str()) {
                    ("", new) => writeln!(out, "      {at}: + {new}"),
                    (old, "") => writeln!(out, "      {at}: - {old}"),
                    (old, new) => writeln!(out, "      {at}: {old} → {new}"),
                };
            }
            if shown < all.len() {
                let _ = writeln!(out, "      and {} more", all.len() - shown);
            }
        }
        out.push('\n');
    }
    out
}

fn json(moved: &[Moved]) -> String {
    let text = |s: &str| Value::from(s);
    let object = |pairs: Vec<(&str, Value)>| Value::Map(pairs.into_iter().collect::<Map<Value>>());
    let all: Vec<Value> = moved
        .iter()
        .map(|Moved { name, refused, changes }| {
            let changes = changes.iter().map(|Change { at, reason, old, new }| {
                object(vec![
                    ("at", text(at)),
                    ("old", text(old)),
                    ("new", text(new)),
                    ("reason", text(reason.name)),
                    ("sort", text(reason.sort.heading())),
                    ("text", text(reason.text)),
                ])
            });
            let refused = match refused {
                Some(texts) => Value::List(texts.iter().map(|t| text(t)).collect()),
                None => Value::Null,
            };
            object(vec![
                ("name", text(name)),
                ("refused", refused),
                ("changes", Value::List(changes.collect())),
            ])
        })
        .collect();
    let mut out = crdgen_core::json::to_string(&Value::List(all));
    out.push('\n');
    out
}
