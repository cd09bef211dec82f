//! What `crdgen discover` prints: what is in folders, and what is skipped.

use std::collections::{BTreeMap, BTreeSet};

use crdgen_core::inert::InertLine;
use crdgen_core::json;
use crdgen_core::listed::{self, NAMED};
use crdgen_core::value::{Map, Value};
use crdgen_files::input::{self, Shown};
use crdgen_tasks::inputs::{Class, Contents, Inventory};

/// Which files are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// All files.
    All,
    /// The first ones of each line.
    First,
}

/// The contents as lines for people.
pub fn human(found: &Inventory, all: &Contents, shows: Shows) -> String {
    let mut out = String::new();
    let most = match shows {
        Shows::All => usize::MAX,
        Shows::First => NAMED,
    };
    let mut section = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            out.push_str(&format!("{title}: {}\n", lines.len()));
            lines.iter().for_each(|line| out.push_str(&format!("  {}\n", InertLine(line))));
        }
    };
    let folder = |path: &std::path::Path| input::or_here(path).shown().to_string();
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

/// The contents as one JSON document.
pub fn json(found: &Inventory, all: &Contents) -> String {
    format!("{}\n", json::to_string(&value(found, all)))
}

fn value(found: &Inventory, all: &Contents) -> Value {
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
    let skipped = |(class, files): (Class, Vec<String>)| {
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
