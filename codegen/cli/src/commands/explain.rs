//! `crdgen explain CODE`, `crdgen explain KIND.field --crd FILES`, and the same for Kubernetes' own kinds without CRDs.

use crdgen_core::diag::codes;
use crdgen_core::inert::InertLine;
use crdgen_core::ir::{Crd, Names};
use crdgen_core::nearest::did_you_mean;
use crdgen_kubernetes::kinds::{self, Row};
use crdgen_publish::docs::page;
use crdgen_publish::explain::{Explainer, Extent, beyond};

use crate::arguments::selection;
use crate::arguments::values;
use crate::crds::accepted::{self, Also};
use crate::input;
use crate::outcome::Outcome;
use crate::outcome::no_definition;
use crate::outcome::no_such_kind;
use crate::terminal::{Ready, print};
use crdgen_files::Error;

/// Explain an error code, or a field of a kind
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen explain CRD012
  crdgen explain deployment.spec.strategy
  crdgen explain CronTab.spec.replicas --crd crds
  crdgen explain crontabs.example.com --crd crds
  crdgen explain --crd crds                         list the kinds")]
pub(crate) struct Args {
    /// An error code such as CRD012, or a kind or field such as deployment.spec.replicas, or with --crd CronTab.spec.replicas.
    /// Without it, crdgen lists all codes, or with --crd all kinds
    #[arg(value_name = "CODE|KIND.FIELD", value_parser = values::CODES, hide_possible_values = true)]
    what: Option<String>,
    /// The CRDs: files, folders, glob patterns, or - for standard input
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::AnyPath, num_args = 1..)]
    crd: Vec<String>,
    #[command(flatten)]
    from: selection::Crds,
    /// The version of the kind [default: the one that the server prefers]
    #[arg(long, visible_alias = "api-version", value_name = "NAME", requires = "what")]
    version: Option<String>,
    /// List all fields inside, with only their types
    #[arg(short = 'R', long, requires = "what")]
    recursive: bool,
    /// How many levels --recursive lists; 0 lists all
    #[arg(long, value_name = "LEVELS", value_parser = values::whole, default_value_t = 0, requires = "recursive")]
    max_depth: usize,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    match &args.what {
        Some(code) if codes::find(code).is_some() => explain_code(code),
        Some(field) if args.has_crds() => explain_field(field, args),
        Some(field) => match own_kind(field) {
            Some((row, path)) => explain_own(row, &path, args),
            None => explain_code(field),
        },
        None if args.has_crds() => list_kinds(args),
        None => {
            let lines: String = codes::TABLES
                .iter()
                .flat_map(|table| table.iter())
                .map(|code| format!("{}  {}\n", code.id, code.title))
                .collect();
            print(&Ready::text(&lines))?;
            Ok(Outcome::Fine)
        }
    }
}

impl Args {
    /// Whether the user says where CRDs are.
    fn has_crds(&self) -> bool {
        self.from.cluster || !self.crd.is_empty()
    }

    fn extent(&self) -> Extent {
        match self.recursive {
            true => Extent::Recursive { max_depth: self.max_depth },
            false => Extent::Described,
        }
    }
}

fn explain_code(id: &str) -> Result<Outcome, Error> {
    let no_code = || {
        Error::Nothing(format!(
            "there is no code {id}; `crdgen explain` lists all of them; to explain a kind or field of a CRD, pass the CRD with --crd"
        ))
    };
    let code = codes::find(id).ok_or_else(no_code)?;
    print(&Ready::text(&format!("{}: {}\n\n{}\n", code.id, code.title, code.explain)))?;
    Ok(Outcome::Fine)
}

fn list_kinds(args: &Args) -> Result<Outcome, Error> {
    let mut found = false;
    let outcome = accepted::each(&args.crd, &args.from.options()?, Also::UNIONS, |crds| {
        found = true;
        let line = |crd: &Crd| {
            let Names { kind, plural, .. } = &crd.spec.names;
            format!("{}  {}\n", InertLine(kind), InertLine(&format!("{plural}.{}", crd.spec.group)))
        };
        print(&Ready::text(&crds.iter().map(line).collect::<String>()))
    })?;
    if !found && outcome == Outcome::Fine {
        return Err(no_definition(&args.crd));
    }
    Ok(outcome)
}

/// The steps of a path. Users may write the brackets of lists, or leave them out.
fn steps(what: &str) -> Vec<&str> {
    what.split('.').map(|part| part.split('[').next().unwrap_or(part)).collect()
}

/// Finds one of Kubernetes' own kinds, and the rest of the path. As in kubectl, the group may follow the kind.
fn own_kind(what: &str) -> Option<(&'static Row, Vec<&str>)> {
    let mut path = steps(what);
    let kind = path.remove(0);
    let named = |row: &&Row| crdgen_tasks::inputs::is_named(&row.outline().names, kind);
    let group = |row: &Row| {
        let group: Vec<&str> = row.group.split('.').collect();
        if path.starts_with(&group) { group.len() } else { 0 }
    };
    // Of events, those without a group.
    let row = kinds::rows().iter().filter(named).max_by_key(|row| (group(row), row.group.is_empty()))?;
    let rest = path.split_off(group(row));
    Some((row, rest))
}

fn explain_own(row: &'static Row, path: &[&str], args: &Args) -> Result<Outcome, Error> {
    let versions = || row.versions().map(|(name, _)| name);
    let wanted = args.version.as_deref().map(|name| name.rsplit('/').next().unwrap_or(name));
    let version = wanted.unwrap_or(row.version);
    let no_version = || {
        let known: Vec<&str> = versions().collect();
        Error::Nothing(format!("{} has no version {version}; it has {}", row.kind, known.join(", ")))
    };
    let version = versions().find(|name| *name == version).ok_or_else(no_version)?;
    let published = kinds::published(&kinds::api_version(row.group, version), row.kind, false);
    let explainer = published
        .and_then(|it| Explainer::of_models([row.group, version, row.kind], it.model, it.schemas))
        .ok_or_else(no_version)?;
    let text = explainer.explain(path, args.extent()).ok_or_else(|| no_field(row.kind, &explainer, path))?;
    print(&Ready::text(&text))?;
    Ok(Outcome::Fine)
}

fn explain_field(what: &str, args: &Args) -> Result<Outcome, Error> {
    let path = steps(what);
    let (kind, path) = path.split_first().unwrap_or((&"", &[]));
    let (mut found, mut known): (Option<(Crd, usize)>, Vec<String>) = (None, Vec::new());
    // A CRD without a kind, which no server accepts, may be the one that is meant.
    let wanted = |crd: &Crd| {
        let names = &crd.spec.names;
        names.kind.is_empty() || crdgen_tasks::inputs::is_named(names, kind)
    };
    let outcome =
        accepted::each_of(&args.crd, &args.from.options()?, Also::UNIONS, wanted, |crds, others| {
            known.extend(others);
            for crd in crds {
                // As in kubectl: `crontabs.example.com`.
                let group: Vec<&str> = crd.spec.group.split('.').collect();
                let length = if path.starts_with(&group) { group.len() } else { 0 };
                if found.as_ref().is_none_or(|(_, other)| length > *other) {
                    found = Some((crd, length));
                }
            }
            Ok(())
        })?;
    let (crd, group) = &found.ok_or_else(|| match (known.first(), outcome) {
        (None, Outcome::Findings | Outcome::Errors) => Error::Nothing(format!(
            "no kind {kind}; a server rejects all CRDs in {}. `crdgen check` shows why",
            input::names(&args.crd)
        )),
        (None, Outcome::Fine) => no_definition(&args.crd),
        (Some(first), _) if kind.is_empty() => {
            Error::Argument(format!("{what}: write the kind first, such as {first}{what}"))
        }
        (Some(_), _) => no_such_kind(kind, &input::names(&args.crd), &known),
    })?;
    let path = &path[*group..];
    let page = &page(crd);
    let version = match &args.version {
        // kubectl uses the version that the server prefers, which comes first.
        None => page.versions.iter().find(|v| v.served).or_else(|| page.main_version()),
        Some(name) => page.versions.iter().find(|v| v.name == *name),
    };
    let version = version.ok_or_else(|| {
        let known: Vec<&str> = page.versions.iter().map(|v| v.name.as_str()).collect();
        Error::Nothing(format!(
            "{} has no version {}; it has {}",
            page.kind,
            args.version.as_deref().unwrap_or_default(),
            known.join(", ")
        ))
    })?;
    let field = version.field(path);
    let index = crd.spec.versions.iter().position(|v| v.name == version.name).unwrap_or_default();
    let explainer = Explainer::new(crd, index).ok_or_else(|| no_definition(&args.crd))?;
    let text = explainer.explain(path, args.extent());
    let mut text = text.ok_or_else(|| no_field(&page.kind, &explainer, path))?;
    if !args.recursive && (path.is_empty() || field.is_some()) {
        text.push_str(&beyond(version, field));
    }
    print(&Ready::text(&text))?;
    Ok(outcome)
}

/// Returns an error that reports how far the path exists, and which fields there are.
fn no_field(kind: &str, explainer: &Explainer<'_>, path: &[&str]) -> Error {
    let known = (0..path.len()).rev().find_map(|n| Some((n, explainer.fields(&path[..n])?)));
    let (at, names) = known.unwrap_or_default();
    let place = [kind].iter().chain(&path[..at]).copied().collect::<Vec<_>>().join(".");
    let there = if names.is_empty() {
        "it has no fields".to_owned()
    } else {
        did_you_mean(path[at], names.iter().copied())
            .unwrap_or_else(|| format!("its fields are {}", names.join(", ")))
    };
    Error::Nothing(format!("{place} has no field {}; {there}", path[at]))
}
