//! `crdgen discover`: what crdgen finds in folders, and what it skips and why.

use std::collections::{BTreeMap, BTreeSet};

use crdgen_core::documents::{is_definition, objects};
use crdgen_core::inert::InertLine;
use crdgen_core::json;
use crdgen_core::listed::{self, NAMED};
use crdgen_core::value::{Map, Value};

use crate::arguments::selection::Selection;
use crate::input::{self, Build, Inventory, Options, Source, may_define, stream};
use crate::outcome::Outcome;
use crate::terminal::progress::Progress;
use crate::terminal::{Ready, print};
use crdgen::__cli::files::{self, Shown};
use crdgen::Error;

/// List what crdgen finds in folders: charts, kustomizations, CRDs and objects, and what it skips
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen discover                    list what is in the current folder
  crdgen discover -v                 also list the files that crdgen skips
  crdgen discover deploy -o json     for programs")]
pub(crate) struct Args {
    /// Files, folders, glob patterns, git:REV, or - for standard input. By default crdgen reads what is piped in, or
    /// otherwise the current folder
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<String>,
    #[command(flatten)]
    selection: Selection,
    /// The output format
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Output,
    /// List all files
    #[arg(short, long)]
    verbose: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Output {
    /// For people
    Human,
    /// One JSON document
    Json,
}

/// What some documents have.
#[derive(Default)]
struct Contents {
    /// The CRDs by name, each with its files.
    crds: BTreeMap<String, BTreeSet<String>>,
    /// The objects by kind, each with its files and their numbers of objects.
    kinds: BTreeMap<String, BTreeMap<String, usize>>,
    /// The files that cannot be read.
    broken: BTreeSet<String>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let rules = args.selection.rules()?;
    let found = input::find(&args.paths, &Options { build: Build::Not, ..Options::objects(&rules) })?;
    found.serve(kinds_of_crds(&found)?);
    let mut all = Contents::default();
    let progress = Progress::new("reading", found.len());
    let work = |source: &Source, group| {
        let (objects, unreadable) = objects(group);
        let of = |object: &crdgen_core::documents::Manifest| {
            let (group, kind) = (object.group_version().0, object.text("kind"));
            let dot = if group.is_empty() { "" } else { "." };
            (is_definition(&object.value), object.metadata("name").to_owned(), format!("{kind}{dot}{group}"))
        };
        Ok((source.name.clone(), objects.iter().map(of).collect::<Vec<_>>(), !unreadable.is_empty()))
    };
    stream::each_group(&found, &progress, work, |(file, objects, is_broken)| {
        for (is_crd, name, kind) in objects {
            match is_crd {
                true => drop(all.crds.entry(name).or_default().insert(file.clone())),
                false => *all.kinds.entry(kind).or_default().entry(file.clone()).or_default() += 1,
            }
        }
        all.broken.extend(is_broken.then_some(file));
        Ok(())
    })?;
    drop(progress);
    let text = match args.output {
        Output::Human => human(&found, &all, args.verbose),
        Output::Json => format!("{}\n", json::to_string(&for_programs(&found, &all))),
    };
    print(&match args.output {
        Output::Human => Ready::text(&text),
        Output::Json => Ready::json(&text),
    })?;
    Ok(Outcome::Fine)
}

/// The groups and kinds of the CRDs.
fn kinds_of_crds(found: &Inventory) -> Result<BTreeSet<(String, String)>, Error> {
    let mut out = BTreeSet::new();
    for input in found.iter() {
        let Some(source) = found.read(input)?.filter(may_define) else { continue };
        let (objects, _) = objects(source.group());
        let crds = objects.iter().map(|object| &object.value).filter(|it| is_definition(it));
        out.extend(crds.filter_map(|crd| {
            let spec = crd.get("spec")?;
            let kind = spec.get("names")?.get("kind")?;
            Some((spec.get("group")?.as_str()?.to_owned(), kind.as_str()?.to_owned()))
        }));
    }
    Ok(out)
}

fn human(found: &Inventory, all: &Contents, verbose: bool) -> String {
    let mut out = String::new();
    let most = if verbose { usize::MAX } else { NAMED };
    let mut section = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            out.push_str(&format!("{title}: {}\n", lines.len()));
            lines.iter().for_each(|line| out.push_str(&format!("  {}\n", InertLine(line))));
        }
    };
    let folder = |path: &std::path::Path| files::or_here(path).shown().to_string();
    section("Helm charts", found.layout.charts.iter().map(|chart| folder(chart)).collect());
    let roots = found.layout.roots().map(|(path, root)| match root.includes() {
        0 => folder(path),
        included => format!("{} (includes {included} others)", folder(path)),
    });
    section("kustomizations that no other one includes", roots.collect());
    let files = |files: &mut dyn ExactSizeIterator<Item = &String>| listed::first(files, most);
    let crds = all.crds.iter().map(|(name, of)| format!("{name}  {}", files(&mut of.iter())));
    section("CRDs", crds.collect());
    let kinds = all.kinds.iter().map(|(kind, of)| {
        let count: usize = of.values().sum();
        let kind = if kind.is_empty() { "(no kind)" } else { kind };
        format!("{count} × {kind}  {}", files(&mut of.keys()))
    });
    section("kinds of objects", kinds.collect());
    section("files that crdgen cannot read", all.broken.iter().cloned().collect());
    let skipped = found.skipped().by_class().into_iter().map(|(class, of)| {
        let (one, many) = class.names();
        let name = if of.len() == 1 { one } else { many };
        format!("{} {name}  {}", of.len(), listed::first(of.iter(), most))
    });
    section("skipped", skipped.collect());
    if out.is_empty() { "nothing for Kubernetes\n".to_owned() } else { out }
}

fn for_programs(found: &Inventory, all: &Contents) -> Value {
    let texts = |texts: &mut dyn Iterator<Item = String>| Value::List(texts.map(Value::from).collect());
    let map = |pairs: Vec<(&str, Value)>| Value::Map(Map::from_iter(pairs));
    let named = |(name, files): (&String, &BTreeSet<String>)| {
        map(vec![("name", name.as_str().into()), ("files", texts(&mut files.iter().cloned()))])
    };
    let kind = |(kind, files): (&String, &BTreeMap<String, usize>)| {
        let count: usize = files.values().sum();
        map(vec![
            ("kind", kind.as_str().into()),
            ("count", Value::Int(i64::try_from(count).unwrap_or(i64::MAX))),
            ("files", texts(&mut files.keys().cloned())),
        ])
    };
    let skipped = |(class, files): (input::Class, Vec<String>)| {
        map(vec![("class", class.id().into()), ("files", texts(&mut files.into_iter()))])
    };
    let charts = found.layout.charts.iter().map(|chart| chart.shown().to_string());
    let roots = found.layout.roots().map(|(_, root)| root.file().shown().to_string());
    map(vec![
        ("charts", texts(&mut { charts })),
        ("kustomizations", texts(&mut { roots })),
        ("crds", Value::List(all.crds.iter().map(named).collect())),
        ("kinds", Value::List(all.kinds.iter().map(kind).collect())),
        ("unreadable", texts(&mut all.broken.iter().cloned())),
        ("skipped", Value::List(found.skipped().by_class().into_iter().map(skipped).collect())),
    ])
}
