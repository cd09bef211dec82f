//! `crdgen validate`: what the server would answer when these objects are written.

use crdgen_core::diag::{Code, Level, codes};
use crdgen_core::documents::objects;
use crdgen_core::listed;
use crdgen_core::value::{Map, Value};

use crate::arguments::values;
use crate::crds::kinds;
use crate::input::{self, Inventory, Options, Source, Unwanted, stream};
use crate::outcome::Outcome;
use crate::output::report::{self, Counts, FailOn, Finding, Findings, Format, Report};
use crate::terminal;
use crate::terminal::progress::Progress;
use crdgen_files::Error;
use crdgen_report::exceptions::{self, Exceptions};
use crdgen_report::{Folders, validation};
use crdgen_tasks::validate::{
    self, CheckOptions, CheckedObject, Missings, ObjectChecker, Olds, Policies, Repeated, Severity, Tally,
    Validity, WriteResult,
};
use glob::Pattern;

/// Check objects as the API server would when they are created, or updated with --old
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen validate manifests --crd crds                     check files and folders
  kustomize build . | crdgen validate --crd git:main       check what is piped in, with the CRDs on main
  crdgen validate manifests --crd . --old git:main         check updates of the objects on main
  crdgen validate object.yaml --cluster --show-result      show what the server would store
  crdgen validate manifests --crd crds --kube 1.35..1.37   check for all servers of a fleet
  crdgen validate manifests --crd crds -o junit > out.xml  write a report for CI")]
pub(crate) struct Args {
    /// Files, folders, glob patterns, or - for standard input. By default crdgen reads what is piped in, or
    /// otherwise the current folder
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    objects: Vec<String>,
    #[command(flatten)]
    kinds: kinds::Args,
    /// Check each object as an update of the same object here: a file, a folder, or git:REV for the same paths at a git
    /// revision. An object that is not here is checked as created
    #[arg(long, value_name = "FILE|DIR|git:REV", value_hint = clap::ValueHint::AnyPath)]
    old: Option<String>,
    /// Judge the objects by the admission policies here, with their bindings, parameters and namespaces: files or folders. crdgen
    /// also uses those among the objects. May be repeated
    #[arg(long, value_name = "FILE|DIR", value_hint = clap::ValueHint::AnyPath)]
    policies: Vec<String>,
    /// Check a write to this subresource
    #[arg(long, value_name = "NAME")]
    subresource: Option<Subresource>,
    /// How to treat unknown and duplicate fields
    #[arg(long, value_name = "HOW", default_value = "strict")]
    field_validation: FieldValidation,
    /// How to treat objects of a kind without a CRD: error, warn or ignore, or GROUP=HOW for the kinds of some groups, such
    /// as '*.toolkit.fluxcd.io=ignore'. May be repeated [default: error if you pass CRDs, otherwise warn]
    #[arg(long, value_name = "[GROUP=]HOW", value_parser = missing)]
    missing: Vec<(Option<Pattern>, Missing)>,
    /// Do not check objects of a kind or group, such as Secret or '*.toolkit.fluxcd.io'. May be repeated
    #[arg(long, value_name = "KIND|GROUP")]
    skip: Vec<String>,
    /// Remove a field that another program removes before it applies an object, such as Secret:/sops. May be repeated.
    /// crdgen always removes the field of SOPS
    #[arg(long, value_name = "KIND:/FIELD")]
    skip_field: Vec<String>,
    /// How to treat two objects with the same name in one kustomization, folder or file (OBJ030)
    #[arg(long, value_name = "HOW", default_value = "error")]
    duplicates: Missing,
    /// Show the object that the server would store, and how it differs from the file
    #[arg(long)]
    show_result: bool,
    /// The output format for errors and warnings
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Format,
    /// Fail on warnings
    #[arg(long)]
    deny_warnings: bool,
    #[command(flatten)]
    exceptions: exceptions::Args,
    /// Succeed if there is nothing to check, as in a project that has not generated its CRDs yet
    #[arg(long)]
    allow_empty: bool,
    /// Show the line of the CRD that causes each error or warning, and which files with CRDs could not be read
    #[arg(short, long)]
    verbose: bool,
    /// How many files to process in parallel [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = values::whole)]
    jobs: Option<usize>,
}

impl Args {
    fn fail_on(&self) -> FailOn {
        if self.deny_warnings { FailOn::Warning } else { FailOn::Error }
    }
}

/// A part of an object that is written alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Subresource {
    /// The status: an update of the object in --old, or the first status if there is no old object
    Status,
    /// The number of replicas in the object
    Scale,
}

impl From<Subresource> for validate::Subresource {
    fn from(of: Subresource) -> validate::Subresource {
        match of {
            Subresource::Status => validate::Subresource::Status,
            Subresource::Scale => validate::Subresource::Scale,
        }
    }
}

/// As kubectl's `--validate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FieldValidation {
    /// As errors
    Strict,
    /// As warnings
    Warn,
    /// Accept them silently
    Ignore,
}

impl From<FieldValidation> for validate::FieldValidation {
    fn from(how: FieldValidation) -> validate::FieldValidation {
        match how {
            FieldValidation::Strict => validate::FieldValidation::Strict,
            FieldValidation::Warn => validate::FieldValidation::Warn,
            FieldValidation::Ignore => validate::FieldValidation::Ignore,
        }
    }
}

/// How to report something that may be a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Missing {
    /// As errors
    Error,
    /// As warnings
    Warn,
    /// Only count them
    Ignore,
}

impl From<Missing> for Severity {
    fn from(how: Missing) -> Severity {
        match how {
            Missing::Error => Severity::Error,
            Missing::Warn => Severity::Warn,
            Missing::Ignore => Severity::Ignore,
        }
    }
}

/// How to report objects whose kind has no CRD, by group.
fn missings(args: &Args) -> Missings {
    let all = &args.missing;
    let default = if args.kinds.are_given() { Missing::Error } else { Missing::Warn };
    let others = all.iter().rev().find(|(group, _)| group.is_none()).map_or(default, |(_, how)| *how);
    let of_groups = all.iter().rev().filter_map(|(group, how)| Some((group.clone()?, (*how).into())));
    Missings { of_groups: of_groups.collect(), others: others.into() }
}

/// Reads a value of `--missing`.
fn missing(text: &str) -> Result<(Option<Pattern>, Missing), Error> {
    let (group, how) = match text.rsplit_once('=') {
        Some((group, how)) => {
            (Some(Pattern::new(group).map_err(|why| Error::Argument(why.to_string()))?), how)
        }
        None => (None, text),
    };
    let how = <Missing as clap::ValueEnum>::from_str(how, false).map_err(|_| {
        Error::Argument("write error, warn or ignore, or one of these for a group: GROUP=ignore".to_owned())
    })?;
    Ok((group, how))
}

/// The stack of a thread that checks objects, whose schemas and expressions nest.
const STACK: usize = 64 << 20;

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let rules = args.kinds.selection.rules()?;
    let unwanted = Unwanted::new(&args.skip, &args.skip_field)?;
    let inputs = input::find(&args.objects, &Options { unwanted, ..Options::objects(&rules) })?;
    let threads =
        rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0)).stack_size(STACK).build();
    let threads = threads.map_err(|e| Error::Thread(std::io::Error::other(e)))?;
    let broken = if args.verbose { kinds::ShowBroken::Reasons } else { kinds::ShowBroken::No };
    let kinds = threads.install(|| args.kinds.kinds(&inputs, broken))?;
    let olds = Olds::new(args.old.as_deref(), &args.objects, &rules, &kinds)?;
    let progress = Progress::new("validating", inputs.len());
    let wanted = CheckOptions {
        subresource: args.subresource.map(Into::into),
        fields: args.field_validation.into(),
        missing: missings(args),
        explains: args.verbose,
        keeps_result: args.show_result,
    };
    let policies = threads.install(|| Policies::find(&args.policies, &rules, &inputs))?;
    let checker = ObjectChecker::new(&kinds, &olds, &wanted, &policies);
    let mut run = Run::new(args, &inputs)?;
    threads.install(|| {
        let work = |source: &Source, group| {
            let (objects, unreadable) = objects(group);
            let judge = |object| checker.check(object, &source.name, &source.origin.root);
            let judged: Vec<CheckedObject> = objects.iter().map(judge).collect();
            Ok((source.clone(), unreadable, judged))
        };
        let take = |(source, unreadable, judged)| run.add(source, unreadable, judged);
        stream::each_group(&inputs, &progress, work, take)
    })?;
    drop(progress);
    for (source, policy) in policies.given() {
        let findings = checker.check(policy, &source.name, &source.origin.root).findings;
        let findings = run.exceptions.filter(source, findings);
        run.report_findings(Findings { source: source.clone(), findings })?;
    }
    for Findings { source, findings } in kinds.rejected() {
        let findings = run.exceptions.filter(&source, findings);
        run.report_findings(Findings { source, findings })?;
    }
    match run.finish(&olds)? {
        Outcome::Fine if kinds.is_incomplete() => Ok(Outcome::Findings),
        outcome => Ok(outcome),
    }
}

/// The results so far.
struct Run<'a> {
    args: &'a Args,
    inputs: &'a Inventory,
    report: Report,
    exceptions: Exceptions,
    results: Vec<Value>,
    counts: Counts,
    tally: Tally,
    folders: Folders,
    repeated: Repeated,
}

impl<'a> Run<'a> {
    fn new(args: &'a Args, inputs: &'a Inventory) -> Result<Run<'a>, Error> {
        Ok(Run {
            args,
            inputs,
            report: report::start(args.output, "crdgen validate"),
            exceptions: Exceptions::new(&args.exceptions)?,
            results: Vec::new(),
            counts: Counts { sources: inputs.len(), ..Counts::default() },
            tally: Tally::default(),
            folders: Folders::default(),
            repeated: Repeated::default(),
        })
    }

    /// Adds the objects of some documents, in the order of the inputs.
    fn add(
        &mut self,
        source: Source,
        unreadable: Vec<Finding>,
        judged: Vec<CheckedObject>,
    ) -> Result<(), Error> {
        let is_junit = self.args.output == Format::Junit;
        // What is wrong with the exceptions of the file.
        let malformed = self.exceptions.filter(&source, Vec::new());
        let unreadable = self.exceptions.filter(&source, unreadable);
        if is_junit {
            unreadable
                .iter()
                .for_each(|finding| self.report.case(validation::unreadable(&source.name, finding)));
        }
        self.tally.unreadable += unreadable.len();
        let mut findings = unreadable;
        for mut object in judged {
            if let Some(class) = source.origin.part.filter(|_| object.lacks_only_fields) {
                self.inputs.skipped().add(class, &source.name);
                continue;
            }
            self.repeated.report_twice(&source, &mut object, self.args.duplicates.into());
            self.except(&source, &mut object);
            // `notChecked` and the summary count the other objects of the kind.
            if !self.args.verbose {
                self.repeated.warn_once_per_kind(&mut object);
            }
            self.tally.add(&source.name, &object);
            self.counts.objects += 1;
            if let Some(stored) = &object.written {
                self.show(&source.name, &object, stored)?;
            }
            if is_junit {
                self.report.case(validation::case(&source.name, &object, self.args.fail_on()));
            }
            if source.is_built() {
                object.findings.iter_mut().for_each(|finding| finding.place = finding.place.or(object.place));
            }
            findings.append(&mut object.findings);
        }
        findings.sort_by_key(|f| f.place.map(|p| p.start.offset));
        if source.is_built() {
            self.repeated.keep_new(&source, &mut findings);
        }
        self.folders.add(&source, &findings);
        self.count(&findings);
        if !is_junit {
            self.report.add(self.args.output.render(&Findings { source: source.clone(), findings }))?;
        }
        self.report_findings(Findings { source, findings: malformed })
    }

    /// Removes the findings that exceptions allow.
    fn except(&mut self, source: &Source, object: &mut CheckedObject) {
        object.findings = self.exceptions.filter(source, std::mem::take(&mut object.findings));
        let is_wrong = object.findings.iter().any(|finding| finding.diag.level == Level::Error);
        if object.result == Validity::Invalid && !is_wrong {
            object.result = Validity::Allowed;
        }
    }

    /// Reports findings that do not belong to an object of the inputs.
    fn report_findings(&mut self, findings: Findings) -> Result<(), Error> {
        self.count(&findings.findings);
        self.report.add(self.args.output.render(&findings))
    }

    fn count(&mut self, findings: &[Finding]) {
        self.counts += Counts::of_part(0, findings);
    }

    fn show(&mut self, file: &str, object: &CheckedObject, stored: &WriteResult) -> Result<(), Error> {
        match self.args.output {
            Format::Human => {
                let line = object.place.map_or(0, |place| place.start.line);
                terminal::print(&validation::human(stored, file, line, &object.kind, &object.name))
            }
            Format::Json => {
                self.results.push(stored.json(file, &object.kind, &object.name));
                Ok(())
            }
            Format::Sarif | Format::Github | Format::Gitlab | Format::Junit | Format::Markdown => Ok(()),
        }
    }

    fn finish(mut self, olds: &Olds) -> Result<Outcome, Error> {
        if self.counts.objects > 0 {
            for findings in self.exceptions.rest(may_find) {
                self.report_findings(findings)?;
            }
        }
        let Run { args, inputs, report, exceptions, results, counts, tally, folders, repeated } = self;
        let seen = repeated.into_seen();
        if counts.objects == 0 && counts.errors == 0 && !args.allow_empty {
            let places = input::names(&args.objects);
            inputs.say_skipped(args.verbose);
            return Err(Error::Nothing(format!("no objects in {places}")));
        }
        let (created, removed) = (olds.created(&seen), olds.removed(&seen));
        let mut more = Map::from_iter([
            ("kinds", tally.json()),
            ("notChecked", tally.not_checked()),
            ("created", Value::from(created.clone())),
            ("removed", Value::from(removed.clone())),
        ]);
        if args.show_result {
            more.insert("results", Value::List(results));
        }
        for (name, number) in exceptions.numbers(may_find) {
            more.insert(name, number);
        }
        report.finish_with(&counts, "object", more)?;
        exceptions.finish(may_find)?.iter().for_each(terminal::say);
        if args.output == Format::Human {
            terminal::say_lines(format_args!("{tally}"));
            folders.note().iter().for_each(terminal::say);
            if !inputs.built.is_empty() {
                let named = listed::first(inputs.built.iter(), listed::NAMED);
                terminal::say(format_args!("built kustomizations: {named}"));
            }
            if !inputs.rendered.is_empty() {
                let named = listed::first(inputs.rendered.iter(), listed::NAMED);
                terminal::say(format_args!("rendered charts: {named}"));
            }
            inputs.say_skipped(args.verbose);
            if !created.is_empty() {
                // If `--old` is a single file, most other objects are created.
                let first = listed::first(created.iter(), listed::NAMED);
                terminal::say(format_args!("created (not in --old): {first}"));
            }
            removed.iter().for_each(|object| terminal::say(format_args!("removed: {object}")));
        }
        Ok(if args.fail_on().fails(&counts) { Outcome::Findings } else { Outcome::Fine })
    }
}

/// Whether the command looks for a code.
fn may_find(code: &Code) -> bool {
    [codes::yaml::ALL, codes::object::ALL].iter().any(|table| table.contains(&code))
}
