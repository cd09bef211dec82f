//! What must happen before versions of CRDs can be removed: what `crdgen migrate` reports.

use crdgen_core::ir::Version;
use crdgen_core::value::{Map, Value};
use crdgen_core::{json, yaml};

use crate::{Lines, Printer, Ready};
use crdgen_files::Error;
use crdgen_tasks::stored::ask;
use crdgen_tasks::stored::{Facts, Step};

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// For people
    Human,
    /// One JSON document
    Json,
    /// StorageVersionMigrations to create, and no report
    Manifest,
}

/// A report, which is printed CRD by CRD.
pub struct StoredReport<'a, P> {
    printer: P,
    form: Form,
    /// The versions to report on; none for all that could be removed.
    versions: &'a [String],
    count: usize,
    printed: usize,
    /// Whether something is left to do.
    is_to_do: bool,
}

impl<'a, P: Printer> StoredReport<'a, P> {
    /// Starts a report about these versions; without any, about all that could be removed.
    pub fn new(form: Form, versions: &'a [String], printer: P) -> StoredReport<'a, P> {
        StoredReport { printer, form, versions, count: 0, printed: 0, is_to_do: false }
    }

    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Prints the report about a CRD.
    pub fn add(&mut self, facts: &Facts) -> Result<(), Error> {
        let left_over = facts.left_over();
        let is_to_do =
            !left_over.is_empty() || self.versions.iter().any(|version| !facts.steps(version).is_empty());
        self.is_to_do |= is_to_do;
        self.count += 1;
        let between = |first: &'static str, next: &'static str| if self.printed == 0 { first } else { next };
        match self.form {
            Form::Human => self.printer.print(&human(facts, self.versions).ready())?,
            Form::Json => {
                let text = between("[", ",").to_owned() + &json::to_string(&value(facts, is_to_do));
                self.printer.print(&Ready::json(&text))?;
            }
            // A file may not list all versions that are stored.
            Form::Manifest if facts.stored.is_none() || !left_over.is_empty() => {
                let text = between("", "---\n").to_owned() + &yaml::write_object(&ask::newest(&facts.crd));
                self.printer.print(&Ready::document(&text))?;
            }
            Form::Manifest => return Ok(()),
        }
        self.printed += 1;
        Ok(())
    }

    /// Prints the end. Returns whether something is left to do.
    pub fn end(mut self) -> Result<bool, Error> {
        if self.form == Form::Json {
            self.printer.print(&Ready::json(if self.printed == 0 { "[]\n" } else { "]\n" }))?;
        }
        Ok(self.is_to_do)
    }
}

/// A report for people about these versions, or about all that could be removed.
fn human(facts: &Facts, versions: &[String]) -> Lines {
    let mut out = Lines::default();
    let name = &facts.crd.metadata.name;
    let objects = facts.live.as_ref().map_or_else(String::new, |live| format!(", {}", objects(live.objects)));
    let stored = match &facts.stored {
        Some(stored) => format!("objects may be stored in {}", stored.join(", ")),
        None => "only the cluster knows in which versions objects are stored".to_owned(),
    };
    out.add(format_args!("{name}: the storage version is {}{objects}; {stored}", facts.storage()));
    let named: Vec<&str> = versions.iter().map(String::as_str).collect();
    let all: Vec<&str> = facts.removable().map(|version| version.name.as_str()).collect();
    for version in if named.is_empty() { all } else { named } {
        let found = facts.crd.spec.versions.iter().find(|it| it.name == version);
        out.add(format_args!("  {version}{}", found.map_or_else(String::new, traits)));
        let steps = facts.steps(version);
        for step in &steps {
            out.add(format_args!("    - {}", sentence(facts, version, step)));
        }
        match found {
            Some(_) if steps.is_empty() => out.add("    nothing prevents its removal"),
            Some(_) => out.add("    - remove it from spec.versions"),
            None => {}
        }
        for note in notes(facts, version) {
            out.add(format_args!("    note: {note}"));
        }
    }
    out
}

fn traits(version: &Version) -> String {
    let all = [
        (version.served, "served"),
        (version.storage, "storage version"),
        (version.deprecated, "deprecated"),
    ];
    let all: Vec<&str> = all.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
    if all.is_empty() { ": not served".to_owned() } else { format!(": {}", all.join(", ")) }
}

fn sentence(facts: &Facts, version: &str, step: &Step) -> String {
    let name = &facts.crd.metadata.name;
    match step {
        Step::StoreAnother(Some(other)) => {
            format!("set `storage: true` on another version, such as {other}, and `storage: false` here")
        }
        Step::StoreAnother(None) => "add another version with `served: true` and `storage: true`".to_owned(),
        Step::AskCluster => {
            format!(
                "ask the cluster whether objects are stored in it: crdgen migrate --check --cluster {name}"
            )
        }
        Step::Migrate => {
            let what = match &facts.live {
                Some(live) => objects(live.objects),
                None => "all objects".to_owned(),
            };
            format!("migrate {what}, some of which may be stored in it: crdgen migrate --cluster {name}")
        }
        Step::StopServing => "set `served: false` once no client uses it".to_owned(),
        Step::Unknown => match &facts.stored {
            Some(stored) if stored.iter().any(|it| it == version) => {
                format!("add it to spec.versions again: status.storedVersions of {name} has it")
            }
            _ => format!("{name} has no such version"),
        },
    }
}

/// Lists who uses a version.
fn notes(facts: &Facts, version: &str) -> Vec<String> {
    let Some(live) = &facts.live else { return Vec::new() };
    let mut out = Vec::new();
    for ((_, manager), writer) in live.writers.iter().filter(|((of, _), _)| of == version) {
        let last = if writer.last.is_empty() { String::new() } else { format!(", last at {}", writer.last) };
        out.push(format!("{manager} wrote {} in it{last}", objects(writer.objects)));
    }
    match &live.requests {
        Some(requests) => {
            let requests = count(requests.get(version).copied().unwrap_or_default(), "request");
            out.push(format!("the API server has answered {requests} in it since it started"));
        }
        None => out.push(
            "the server does not show you /metrics, which counts the requests for each version".to_owned(),
        ),
    }
    out
}

/// A number with its noun: `1 object`, `2 objects`.
pub fn count(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn objects(number: u64) -> String {
    count(number, "object")
}

/// Returns the same report as JSON.
fn value(facts: &Facts, is_to_do: bool) -> Value {
    let map = |members: Vec<(&str, Value)>| Value::Map(Map::from_iter(members));
    let number = |count: u64| Value::Int(count.try_into().unwrap_or(i64::MAX));
    let versions = facts.crd.spec.versions.iter().map(|version| {
        let steps = facts.steps(&version.name);
        let steps = steps.iter().map(|step| {
            Value::from(match step {
                Step::StoreAnother(_) => "store-another",
                Step::AskCluster => "ask-cluster",
                Step::Migrate => "migrate",
                Step::StopServing => "stop-serving",
                Step::Unknown => "unknown",
            })
        });
        let mut members = vec![
            ("name", Value::from(&*version.name)),
            ("served", Value::Bool(version.served)),
            ("storage", Value::Bool(version.storage)),
            ("deprecated", Value::Bool(version.deprecated)),
            ("steps", Value::List(steps.collect())),
        ];
        if let Some(live) = &facts.live {
            let of_version = live.writers.iter().filter(|((of, _), _)| *of == version.name);
            let writers = of_version.map(|((_, manager), writer)| {
                map(vec![
                    ("manager", Value::from(&**manager)),
                    ("objects", number(writer.objects)),
                    ("last", Value::from(&*writer.last)),
                ])
            });
            members.push(("writers", Value::List(writers.collect())));
            let requests = live.requests.as_ref();
            let requests = requests.map(|all| number(all.get(&version.name).copied().unwrap_or_default()));
            members.push(("requests", requests.unwrap_or_default()));
        }
        map(members)
    });
    let stored = facts.stored.as_ref();
    let stored = stored.map(|all| Value::List(all.iter().map(|version| Value::from(&**version)).collect()));
    map(vec![
        ("name", Value::from(&*facts.crd.metadata.name)),
        ("storageVersion", Value::from(facts.storage())),
        ("storedVersions", stored.unwrap_or_default()),
        ("objects", facts.live.as_ref().map(|live| number(live.objects)).unwrap_or_default()),
        ("toDo", Value::Bool(is_to_do)),
        ("versions", Value::List(versions.collect())),
    ])
}
