//! `crdgen apply`: what a server-side apply stores, who owns the fields afterwards, and which conflicts it has.

mod places;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use crdgen_core::apply::library::managed::Identity;
use crdgen_core::apply::library::manager::Rejection;
use crdgen_core::apply::library::update::Conflict;
use crdgen_core::apply::{self, Answer, BuiltIn, Rejected, Verb, Writer, as_stored, with_owners_only};
use crdgen_core::documents::{Manifest, objects};
use crdgen_core::go;
use crdgen_core::inert::InertLine;
use crdgen_core::json;
use crdgen_core::object::{Refusal, Served};
use crdgen_core::value::Value;
use crdgen_core::yaml;
use crdgen_kubernetes::kinds::{self as own, Row};
use crdgen_kubernetes::{self as kubernetes, Write, without_given};

use crate::crds::kinds::{self, Kinds};
use crate::input::{self, Options, Source, stream};
use crate::outcome::Outcome;
use crate::terminal::progress::Progress;
use crate::terminal::{self, Lines, Ready, print};
use crdgen_files::Error;
use crdgen_files::error;
use crdgen_kinds::objects::CompiledKind;
use crdgen_report::owners;
use crdgen_tasks::project::Skipped;
use places::steps;

/// Show what a server-side apply stores, without a cluster
///
/// Prints each object as the server would store it, and who owns its fields afterwards. Kubernetes' own kinds need no CRD. Fields that another manager owns
/// are conflicts, as with `kubectl apply --server-side`.
#[derive(clap::Args)]
#[command(after_help = "Nothing is written: pass what is printed with `-o yaml` as --live of the next apply.
The objects of --live need their managed fields: `kubectl get --show-managed-fields -o yaml` prints them.

Examples:
  crdgen apply web.yaml --crd crds --live live.yaml               show who owns what afterwards
  crdgen apply web.yaml --crd crds --live live.yaml --manager ci  apply as the manager ci
  crdgen apply web.yaml --crd crds -o yaml > live.yaml            create an object with managed fields
  crdgen apply manifests --crd crds --live git:main               show what changes since a revision")]
pub(crate) struct Args {
    /// The configurations to apply: files, folders, glob patterns, or - for standard input. By default crdgen reads what is
    /// piped in, or otherwise the current folder
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    objects: Vec<String>,
    /// The objects as they are stored: files, folders, glob patterns, or git:REV for the same paths at a git revision. Objects
    /// that are not there are created
    #[arg(long, value_name = "FILE|DIR|git:REV", value_hint = clap::ValueHint::AnyPath, num_args = 1..)]
    live: Vec<String>,
    #[command(flatten)]
    kinds: kinds::Args,
    /// The name of the manager that applies
    #[arg(long, value_name = "NAME", default_value = "kubectl", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    manager: String,
    /// Apply only this part of each object, which has a request of its own. The objects must be in --live
    #[arg(long, value_name = "NAME", requires = "live")]
    subresource: Option<Subresource>,
    /// Take fields from other managers instead of reporting conflicts
    #[arg(long, visible_alias = "force")]
    force_conflicts: bool,
    /// The output format
    #[arg(short, long, value_name = "FORMAT", default_value = "tree")]
    output: Output,
    /// The time of the apply, such as 2026-01-31T12:00:00Z [default: now]
    #[arg(long, value_name = "TIME")]
    now: Option<String>,
}

/// How many conflicts of an object are printed.
const MOST_CONFLICTS: usize = 50;

/// How objects are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Output {
    /// The fields with their owners
    Tree,
    /// YAML, with managed fields
    Yaml,
    /// JSON, with managed fields
    Json,
}

/// What is applied in a request of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Subresource {
    /// The status
    Status,
}

/// An object with the file that contains it.
struct Located {
    file: String,
    manifest: Manifest,
}

impl Located {
    /// Group, kind, namespace and name.
    fn key(&self) -> [String; 4] {
        let of = &self.manifest;
        let namespace = Some(of.metadata("namespace")).filter(|it| !it.is_empty()).unwrap_or("default");
        [of.group_version().0, of.text("kind"), namespace, of.metadata("name")].map(str::to_owned)
    }

    /// `CronTab default/my-crontab`
    fn name(&self) -> String {
        InertLine(format_args!("{} {}", self.manifest.text("kind"), self.manifest.name())).to_string()
    }

    /// The place of a value, or of the innermost part of the object around it that is in the file: what is missing has no place,
    /// and other managers have set other parts.
    fn nearest(&self, steps: &[crdgen_core::path::Step]) -> String {
        let known = (0..=steps.len()).rev().find(|count| self.manifest.value.at(&steps[..*count]).is_some());
        self.at(&steps[..known.unwrap_or_default()])
    }

    /// `file:line:column` of a value.
    fn at(&self, steps: &[crdgen_core::path::Step]) -> String {
        InertLine(format_args!("{}{}", self.file, error::at(places::place(&self.manifest, steps))))
            .to_string()
    }
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let now = args.now()?;
    let options = Options::objects(&args.kinds.selection.rules()?);
    let inputs = input::find(&args.objects, &options)?;
    let kinds = args.kinds.kinds(&inputs, kinds::ShowBroken::Names)?;
    let configs = read(&inputs)?;
    let live: BTreeMap<[String; 4], Located> =
        args.stored(&options)?.into_iter().map(|it| (it.key(), it)).collect();
    let mut out = Applied::default();
    let mut writers = Writers { kinds: &kinds, by_entry: BTreeMap::new() };
    let skipped = Skipped::default();
    for config in configs {
        let live = live.get(&config.key());
        let kind = config.manifest.text("kind");
        match kinds.for_object(&config.file, config.manifest.group_version(), kind) {
            Some(entry) => args.apply(Target::Custom(writers.of(entry)?), &config, live, &now, &mut out)?,
            None if kind == "CustomResourceDefinition" => {}
            None => match Target::own(config.manifest.text("apiVersion"), kind) {
                Some(target) => args.apply(target, &config, live, &now, &mut out)?,
                None => {
                    skipped.add(&config.file, vec![Some(kind.to_owned()).filter(|kind| !kind.is_empty())])
                }
            },
        }
    }
    if !skipped.is_empty() {
        terminal::say(format_args!("skipped (no CRD): {skipped}"));
        if !out.has_applied {
            return Err(kinds::none_for_any());
        }
    }
    let outcome = out.outcome;
    out.print(args.output)?;
    Ok(outcome)
}

fn read(inputs: &input::Inventory) -> Result<Vec<Located>, Error> {
    let mut all = Vec::new();
    let progress = Progress::new("reading", inputs.len());
    let work = |source: &Source, group| {
        let (objects, mut unreadable) = objects(group);
        if let Some(finding) = unreadable.pop() {
            return Err(Error::document(&source.name, finding.place, finding.diag));
        }
        let located = |manifest| Located { file: source.name.clone(), manifest };
        Ok(objects.into_iter().map(located).collect::<Vec<_>>())
    };
    stream::each_group(inputs, &progress, work, |objects| {
        all.extend(objects);
        Ok(())
    })?;
    Ok(all)
}

/// The CRDs that objects needed so far, prepared for writes.
struct Writers<'k> {
    kinds: &'k Kinds,
    /// By address: two sources may have a CRD with the same name.
    by_entry: BTreeMap<*const kinds::Entry, Writer<&'k Served>>,
}

impl<'k> Writers<'k> {
    fn of(&mut self, entry: &'k kinds::Entry) -> Result<&Writer<&'k Served>, Error> {
        let name = &entry.heading.name;
        Ok(match self.by_entry.entry(entry) {
            Slot::Occupied(slot) => slot.into_mut(),
            Slot::Vacant(slot) => {
                let served = self.kinds.compiled(entry).and_then(CompiledKind::served).ok_or_else(|| {
                    Error::Argument(format!("{name}: the server rejects this CRD; `crdgen check` shows why"))
                })?;
                let writer = Writer::new(served)
                    .map_err(|mistakes| Error::Argument(format!("{name}: {}", mistakes.join("; "))))?;
                slot.insert(writer)
            }
        })
    }
}

/// What answers writes of a kind.
enum Target<'k> {
    Custom(&'k Writer<&'k Served>),
    /// One of Kubernetes' own kinds, and the version.
    Own(&'static Row, &'static str),
    /// One of them whose checks crdgen does not have.
    Unchecked(BuiltIn),
}

impl Target<'_> {
    /// Finds one of Kubernetes' own kinds.
    fn own(api_version: &str, kind: &str) -> Option<Target<'static>> {
        let unchecked = || BuiltIn::find(api_version, kind).map(Target::Unchecked);
        let found = own::find_with_code(api_version, kind);
        found.map(|(row, version)| Target::Own(row, version)).or_else(unchecked)
    }

    /// Returns the server's answer to an apply of an object.
    fn write(
        &self,
        config: &Manifest,
        live: Option<&Value>,
        subresource: Option<Subresource>,
        by: kubernetes::Applied<'_>,
    ) -> Result<Answer, Refusal> {
        let write = || apply::Write {
            verb: Verb::Apply { force: by.force },
            manager: by.manager,
            body: config.value.clone(),
            live: live.cloned().map(|mut live| {
                as_stored(&mut live);
                live
            }),
            subresource: subresource.map_or("", |Subresource::Status| "status"),
            namespace: "",
            now: by.now,
        };
        match *self {
            Target::Custom(writer) => {
                writer.write(writer.served().version(config.group_version().1)?, write())
            }
            Target::Unchecked(of) => of.write(write()),
            Target::Own(row, version) => {
                let subresource = subresource.map(|Subresource::Status| own::Subresource::Status);
                let (object, old, applied) = (config.value.clone(), live.cloned(), Some(by));
                let write = Write {
                    row,
                    version,
                    subresource,
                    object,
                    old,
                    namespace: "",
                    applied,
                    server: crdgen_core::server::Server::NEWEST,
                };
                let kubernetes::Answer { stored, rejected, warnings, .. } = write.answer();
                Ok(Answer {
                    object: stored.map(|stored| without_given(&config.value, live, stored)),
                    rejected,
                    warnings: warnings.iter().map(|warning| warning.warning_text().into()).collect(),
                    ..Answer::default()
                })
            }
        }
    }

    /// Whether the status of an object has a request of its own.
    fn has_status(&self, object: &Located) -> bool {
        match self {
            Target::Custom(writer) => {
                let served = writer.served();
                let version = served.version(object.manifest.group_version().1);
                version.is_ok_and(|version| served.has_status(version))
            }
            Target::Own(row, _) => row.subresources.contains(&own::Subresource::Status),
            Target::Unchecked(of) => of.subresources().any(|name| name == "status"),
        }
    }
}

/// What was applied so far.
#[derive(Default)]
struct Applied {
    outcome: Outcome,
    /// Whether there was an object of a known kind.
    has_applied: bool,
    /// The trees.
    lines: Lines,
    /// The objects, for the other formats.
    objects: Vec<Value>,
}

impl Applied {
    fn print(self, output: Output) -> Result<(), Error> {
        match output {
            Output::Tree => print(&self.lines.ready()),
            Output::Yaml => {
                let documents: Vec<String> = self.objects.iter().map(yaml::write).collect();
                print(&Ready::document(&documents.join("---\n")))
            }
            Output::Json => {
                let lines: String =
                    self.objects.iter().map(|it| format!("{}\n", json::to_string(it))).collect();
                print(&Ready::json(&lines))
            }
        }
    }
}

impl Args {
    /// The objects of `--live`.
    fn stored(&self, options: &Options) -> Result<Vec<Located>, Error> {
        let mut all = Vec::new();
        for arg in &self.live {
            all.extend(read(&input::find_with(&self.objects, arg, options)?)?);
        }
        Ok(all)
    }

    fn now(&self) -> Result<String, Error> {
        let Some(text) = &self.now else {
            let now = std::time::SystemTime::now().duration_since(std::time::SystemTime::UNIX_EPOCH);
            let seconds = now.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX));
            return Ok(go::time::Time { seconds, nanos: 0, offset: 0 }.rfc3339_nano());
        };
        go::rfc3339(text).ok_or_else(|| {
            Error::Argument(format!("--now {text}: write a time such as 2026-01-31T12:00:00Z"))
        })
    }

    fn apply(
        &self,
        target: Target<'_>,
        config: &Located,
        live: Option<&Located>,
        now: &str,
        out: &mut Applied,
    ) -> Result<(), Error> {
        let refused = |why| Error::Refused { name: format!("{}: {}", config.at(&[]), config.name()), why };
        let by = kubernetes::Applied { manager: &self.manager, force: self.force_conflicts, now };
        out.has_applied = true;
        if self.subresource.is_none()
            && target.has_status(config)
            && config.manifest.value.get("status").is_some()
        {
            terminal::say(format_args!(
                "note: {}: the status is not applied with the rest; apply it with --subresource status",
                config.name()
            ));
        }
        if self.subresource.is_some() && live.is_none() {
            out.outcome = Outcome::Findings;
            terminal::say(format_args!(
                "error: {}: {}: its status cannot be applied, because it is not in --live",
                config.at(&[]),
                config.name()
            ));
            return Ok(());
        }
        if let Target::Unchecked(_) = target {
            terminal::say(format_args!(
                "note: {}: crdgen does not have the server's checks of this kind, and only merges it",
                config.name()
            ));
        }
        let stored = live.map(|live| &live.manifest.value);
        let Answer { object, rejected, warnings, .. } =
            target.write(&config.manifest, stored, self.subresource, by).map_err(refused)?;
        for warning in warnings {
            terminal::say(format_args!("warning: {}", InertLine(&warning.text)));
        }
        if let Some(rejected) = rejected {
            out.outcome = Outcome::Findings;
            self.reject(config, live, &rejected);
        }
        if let Some(object) = object.map(with_owners_only) {
            if self.output == Output::Tree {
                let what = if live.is_some() { "applied" } else { "created" };
                out.lines.add(format_args!("{} ({what} by {})", config.name(), InertLine(&self.manager)));
                owners::write(&object, &mut out.lines);
            }
            out.objects.push(object);
        }
        Ok(())
    }

    /// Prints why the server does not apply a configuration, with the places of conflicts in both files.
    fn reject(&self, config: &Located, live: Option<&Located>, rejected: &Rejected) {
        let conflicts = match rejected {
            Rejected::Request(Rejection::Conflicts(conflicts)) => conflicts,
            Rejected::Invalid { errors, .. } => {
                for diag in errors {
                    let at = config.nearest(&diag.steps);
                    terminal::say(format_args!("error: {at}: {}: {}", config.name(), InertLine(diag.text())));
                }
                return;
            }
            _ => {
                let message = rejected.message();
                terminal::say(format_args!("error: {}: {}: {message}", config.at(&[]), config.name()));
                return;
            }
        };
        let number = conflicts.number();
        let plural = if number == 1 { "" } else { "s" };
        terminal::say(format_args!(
            "error: {}: {}: {number} conflict{plural}",
            config.at(&[]),
            config.name()
        ));
        let shown = conflicts.shown();
        let shown = &shown[..shown.len().min(MOST_CONFLICTS)];
        for Conflict { manager, path } in shown {
            let owner = Identity::read(manager).words();
            let here = steps(&config.manifest.value, path);
            let mut line = format!("  {path} is owned by {owner}");
            if let Some(steps) = &here {
                line += &format!("; you set it at {}", config.at(steps));
            }
            if let Some(live) = live
                && let Some(steps) = steps(&live.manifest.value, path)
            {
                line += &format!("; it is stored at {}", live.at(&steps));
            }
            terminal::say(InertLine(&line));
        }
        if number > shown.len() {
            terminal::say(format_args!("  and {} more", number - shown.len()));
        }
        terminal::say(
            "help: remove these fields, apply the same values, or take them with --force-conflicts",
        );
    }
}
