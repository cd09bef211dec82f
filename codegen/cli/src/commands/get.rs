//! `crdgen get`: objects in files, as kubectl prints those of a cluster.

use std::collections::BTreeSet;
use std::time::SystemTime;

use crdgen_core::documents::{Finding, Manifest, objects};
use crdgen_core::go::time::Time;
use crdgen_core::inert::InertLine;
use crdgen_core::value::Value;

use crate::crds::kinds::{self, Kinds};
use crate::input::{self, Inventory, stream};
use crate::outcome::Outcome;
use crate::terminal::progress::Progress;
use crate::terminal::{self, Lines, Ready, print};
use crdgen_core::object::selector::{FieldSelector, LabelSelector};
use crdgen_files::Error;
use crdgen_files::error;
use crdgen_files::input::Shown;
use crdgen_report::listing::{Layout, json, names, yaml};
use crdgen_report::owners;
use crdgen_tasks::listing::{ListedKind, ListedObject, Listing, choose, is_named, mistake};
use crdgen_tasks::project::Skipped;

/// Print custom resources as `kubectl get` prints them
#[derive(clap::Args)]
#[command(
    after_help = "Objects are shown as a server returns them: in the version that it prefers, with defaults and with `metadata.generation`.
Kinds without a CRD are skipped. `crdgen validate` checks whether a server accepts the objects; `get` does not.
For JSONPath, custom columns or another order, pipe `-o json` to a program such as jq.

Examples:
  crdgen get manifests --crd crds                     print tables, as kubectl does
  crdgen get manifests --crd crds -o wide -l app=web  print all columns of the objects with a label
  kubectl get crontabs -o yaml | crdgen get --crd .   print objects of a cluster with the columns of a package"
)]
pub(crate) struct Args {
    /// Files, folders, glob patterns, or - for standard input. By default crdgen reads what is piped in, or
    /// otherwise the current folder
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    objects: Vec<String>,
    #[command(flatten)]
    kinds: kinds::Args,
    /// Print only these kinds, in this order. Accepts kinds, plural and singular names, short names and categories
    #[arg(short, long, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<String>,
    /// Print only objects with this name. May be repeated
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// Print only objects in this namespace
    #[arg(short, long, value_name = "NAME", conflicts_with = "all_namespaces")]
    namespace: Option<String>,
    /// Always show the namespace column. By default it is shown if there is more than one namespace
    #[arg(short = 'A', long)]
    all_namespaces: bool,
    /// Print only objects with these labels, such as `app=web,tier!=cache,env in (a,b),!old`
    #[arg(short = 'l', long, value_name = "SELECTOR")]
    selector: Option<String>,
    /// Print only objects with these fields, such as `metadata.name=x`, or a selectable field of the kind
    #[arg(long, value_name = "SELECTOR")]
    field_selector: Option<String>,
    /// The output format [default: a table]
    #[arg(short, long, value_name = "FORMAT")]
    output: Option<Output>,
    /// The time from which ages are computed, such as 2026-01-31T12:00:00Z [default: now]
    #[arg(long, value_name = "TIME")]
    now: Option<String>,
    /// Print tables without a header
    #[arg(long)]
    no_headers: bool,
    /// Show all labels in the last column
    #[arg(long)]
    show_labels: bool,
    /// Print the fields of each object with the managers that own them, as its managed fields record them
    #[arg(long, conflicts_with_all = ["output", "show_labels", "label_columns", "no_headers"])]
    show_owners: bool,
    /// Show this label in its own column. May be repeated
    #[arg(short = 'L', long, value_name = "LABEL", value_delimiter = ',')]
    label_columns: Vec<String>,
}

/// How objects are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Output {
    /// A table with all columns
    Wide,
    /// YAML
    Yaml,
    /// JSON
    Json,
    /// Kind and name
    Name,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let now = args.now()?;
    let labels = args.labels()?;
    let fields = args.fields()?;
    let inputs = input::find(&args.objects, &input::Options::objects(&args.kinds.selection.rules()?))
        .map_err(with_kind)?;
    let kinds = args.kinds.kinds(&inputs, kinds::ShowBroken::Names)?;
    let Read { objects, mut owned, skipped, unreadable } =
        read(&inputs, &kinds, args.show_owners && fields.is_none())?;
    unreadable.iter().for_each(|why| terminal::say(format_args!("error: {why}")));
    let is_whole = unreadable.is_empty() && !kinds.is_incomplete();
    let outcome = if is_whole { Outcome::Fine } else { Outcome::Findings };
    let is_without_kinds = objects.is_empty() && owned.is_empty() && unreadable.is_empty();
    // Other groups may have a kind of this name, with a CRD.
    let is_owned = |name: &str| owned.iter().any(|object| name.eq_ignore_ascii_case(object.kind()));
    let has_definition = |name: &str| kinds.iter().any(|entry| is_named(&entry.heading, name));
    let wanted: Vec<&String> =
        args.kind.iter().filter(|name| has_definition(name) || !is_owned(name)).collect();
    let chosen = match wanted.is_empty() && !args.kind.is_empty() {
        true => Listing::default(),
        false => choose(&kinds, objects, &wanted)?,
    };
    let Listing { mut groups, rejected } = chosen;
    let is_wanted = |object: &ListedObject| {
        labels.as_ref().is_none_or(|labels| labels.matches(&object.0))
            && args.namespace.as_deref().is_none_or(|namespace| object.namespace() == namespace)
            && (args.name.is_empty() || args.name.iter().any(|name| name == object.name()))
    };
    owned.retain(|object| {
        let is_named = |kind: &&String| kind.eq_ignore_ascii_case(object.kind());
        is_wanted(object) && (args.kind.is_empty() || args.kind.iter().any(|it| is_named(&it)))
    });
    for group in &mut groups {
        group.objects.retain(&is_wanted);
        if let Some(fields) = &fields {
            let fields =
                fields.of(group.served, group.version).map_err(|why| Error::Argument(why.to_string()))?;
            group.objects.retain(|object| fields.matches(&object.0));
        }
    }
    groups.retain(|group| !group.objects.is_empty());
    if !skipped.is_empty() {
        terminal::say(format_args!("skipped (no CRD): {skipped}"));
    }
    if groups.is_empty() && owned.is_empty() && rejected.is_empty() {
        if is_without_kinds && !skipped.is_empty() {
            return Err(kinds::none_for_any());
        }
        terminal::say("No resources found");
        return Ok(outcome);
    }
    match args.output {
        _ if args.show_owners => print(&owners_of(&groups, &owned).ready())?,
        _ if groups.is_empty() => {}
        Some(Output::Yaml) => print(&Ready::document(&yaml(&groups, !args.name.is_empty())))?,
        Some(Output::Json) => print(&Ready::json(&json(&groups, !args.name.is_empty())))?,
        Some(Output::Name) => print(&Ready::text(&names(&groups)))?,
        None | Some(Output::Wide) => print(&Ready::text(&args.tables(&groups, now)?))?,
    }
    // The other kinds are printed.
    let mut rejected = rejected.into_iter();
    let last = rejected.next_back();
    rejected.for_each(|failure| terminal::say_error(&failure));
    last.map_or(Ok(outcome), Err)
}

/// The fields of all objects with their owners.
fn owners_of(groups: &[ListedKind<'_>], owned: &[ListedObject]) -> Lines {
    let mut out = Lines::default();
    for object in groups.iter().flat_map(|group| &group.objects).chain(owned) {
        out.add(InertLine(format_args!("{} {}", object.kind(), object.full_name())));
        owners::write(&object.0, &mut out);
    }
    out
}

/// kubectl's first argument is a kind. In crdgen it is a file, so the help explains this.
fn with_kind(failure: Error) -> Error {
    match failure {
        Error::Missing(path) if path.components().count() == 1 && path.extension().is_none() => {
            let name = path.shown();
            Error::Nothing(format!(
                "{name}: no such file or directory; to print only a kind, write -k {name}"
            ))
        }
        other => other,
    }
}

/// The content of the inputs.
struct Read {
    /// All objects of known kinds that a server could store.
    objects: Vec<Manifest>,
    /// Objects of other kinds with managed fields, which are all that is needed to show their owners.
    owned: Vec<ListedObject>,
    /// Other objects of other kinds.
    skipped: Skipped,
    /// Why documents cannot be read, each with its place.
    unreadable: Vec<String>,
}

fn read(inputs: &Inventory, kinds: &Kinds, with_owned: bool) -> Result<Read, Error> {
    let skipped = Skipped::default();
    let (mut all, mut all_owned, mut unreadable) = (Vec::new(), Vec::new(), Vec::new());
    let progress = Progress::new("reading", inputs.len());
    let work = |source: &input::Source, group| {
        let (objects, mut unreadable) = objects(group);
        if let Some(finding) = unreadable.pop() {
            return Err(Error::document(&source.name, finding.place, finding.diag));
        }
        let is_known = |object: &Manifest| kinds.get(object.group_version().0, object.text("kind")).is_some();
        let (known, others): (Vec<Manifest>, Vec<Manifest>) = objects.into_iter().partition(is_known);
        let has_owners = |object: &Manifest| with_owned && managed_fields(&object.value).is_some();
        let (owned, others): (Vec<Manifest>, Vec<Manifest>) = others.into_iter().partition(has_owners);
        let owned: Vec<ListedObject> = owned.into_iter().map(|object| ListedObject(object.value)).collect();
        let is_other = |object: &&Manifest| object.text("kind") != "CustomResourceDefinition";
        let kind = |object: &Manifest| Some(object.text("kind").to_owned()).filter(|kind| !kind.is_empty());
        skipped.add(&source.name, others.iter().filter(is_other).map(kind).collect());
        let (mut good, mut bad) = (Vec::new(), Vec::new());
        for object in known {
            match mistake(&object, kinds) {
                Some(diag) => bad.push(located(&source.name, &object.finding(diag))),
                None => good.push(object),
            }
        }
        Ok((good, owned, bad))
    };
    stream::each_group(inputs, &progress, work, |(good, owned, bad)| {
        all.extend(good);
        all_owned.extend(owned);
        unreadable.extend(bad);
        Ok(())
    })?;
    drop(progress);
    Ok(Read { objects: all, owned: all_owned, skipped, unreadable })
}

fn managed_fields(object: &Value) -> Option<&[Value]> {
    object.get("metadata")?.get("managedFields")?.as_list()
}

/// `file:line:column: what is wrong; help`
fn located(file: &str, finding: &Finding) -> String {
    let help = finding.diag.help.as_ref().map_or_else(String::new, |help| format!("; {help}"));
    let (at, text) = (error::at(finding.place), finding.diag.shown());
    InertLine(&format!("{file}{at}: {text}{help}")).to_string()
}

impl Args {
    fn labels(&self) -> Result<Option<LabelSelector>, Error> {
        let Some(text) = &self.selector else { return Ok(None) };
        let read = LabelSelector::parse(text).map(Some);
        read.map_err(|why| Error::Argument(format!("--selector {text}: {why}")))
    }

    fn fields(&self) -> Result<Option<FieldSelector>, Error> {
        let Some(text) = &self.field_selector else { return Ok(None) };
        let read = FieldSelector::parse(text).map(Some);
        read.map_err(|why| Error::Argument(format!("--field-selector {text}: {why}")))
    }

    /// Seconds since 1970.
    fn now(&self) -> Result<i64, Error> {
        let Some(text) = &self.now else {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            return Ok(now.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX)));
        };
        let time = Time::parse(text).map(|time| time.instant().0);
        time.ok_or_else(|| {
            Error::Argument(format!("--now {text}: write a time such as 2026-01-31T12:00:00Z"))
        })
    }

    /// Returns the tables of all kinds, with an empty line between them.
    fn tables(&self, groups: &[ListedKind], now: i64) -> Result<String, Error> {
        let objects = groups.iter().flat_map(|group| &group.objects);
        let namespaces: BTreeSet<&str> =
            objects.map(ListedObject::namespace).filter(|namespace| !namespace.is_empty()).collect();
        let wants_namespace = self.all_namespaces || namespaces.len() > 1;
        let mut layout = Layout {
            wide: self.output == Some(Output::Wide),
            headers: !self.no_headers,
            with_kind: groups.len() > 1,
            with_namespace: false,
            label_columns: &self.label_columns,
            show_labels: self.show_labels,
        };
        let mut tables = Vec::new();
        for group in groups {
            // Once kubectl has printed namespaces, kinds of the whole cluster have an empty column too.
            layout.with_namespace |= wants_namespace && group.served.crd.spec.scope == "Namespaced";
            tables.push(layout.table(group, now)?);
        }
        Ok(tables.join(if self.no_headers { "" } else { "\n" }))
    }
}
