//! `crdgen check`: what the server would answer to CRDs.

mod fix;
mod rust;
mod types;

use std::path::PathBuf;

use crdgen_core::check::lints::Lints;
use crdgen_core::diag::{Code, Level, codes};
use crdgen_core::server::Server;
use crdgen_diff::Unstable;

use crate::arguments::search;
use crate::arguments::selection;
use crate::arguments::values;
use crate::input::{self, Build, Options, Source, stream};
use crate::outcome::Outcome;
use crate::output::report::{self, Counts, FailOn, Finding, Findings, Format, Report};
use crate::terminal;
use crate::terminal::progress::Progress;
use crdgen_core::documents::{Group, Named};
use crdgen_files::Error;
use crdgen_report::Checked;
use crdgen_report::Folders;
use crdgen_report::copies::{Copies, Distinct, share};
use crdgen_report::exceptions::{self, Exceptions};
use crdgen_report::junit::{self, Case};
use crdgen_tasks::checks::Checks;
use crdgen_tasks::project::{InFile, Old, Project, Request, Skipped, Words};
use crdgen_tasks::updates::Updates;

/// Check CustomResourceDefinitions as the API server would on create, or on update with --against
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen check deploy/crds                  check the CRDs in a folder
  helm template . | crdgen check            check what is piped in
  crdgen check crd.yaml --against git:main  check an update of the CRD on main
  crdgen check crds --against git:main      fail if an update breaks objects or requests
  crdgen check crds --lint api              review the design of an API
  crdgen check src --lint api               the same for the types of a Rust package
  crdgen check crds --lint api --fix        also fix what has only one right answer
  crdgen check crds --lint api --fix --dry-run  show what this would change
  crdgen check crds --lint all --kube 1.33  turn on all lints, and support Kubernetes 1.33
  crdgen check crds -o sarif > check.sarif  write a report for code scanning")]
pub(crate) struct Args {
    /// Files, folders, glob patterns, Rust files or folders of sources such as src, or - for standard input. By default crdgen reads
    /// what is piped in, or otherwise the current folder. In the folder of a package without CRDs, it reads the Rust types
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<String>,
    #[command(flatten)]
    selection: selection::Selection,
    /// Check each CRD as an update of the CRD with the same name here: a file, a folder, or git:REV for the same paths
    /// at a git revision. A CRD that is not here is checked as new
    #[arg(long, value_name = "FILE|git:REV", value_hint = clap::ValueHint::AnyPath)]
    against: Option<String>,
    /// Check each CRD as an update of the CRD with the same name in the cluster that kubectl uses
    #[arg(long, conflicts_with_all = ["against", "types"])]
    cluster: bool,
    #[command(flatten)]
    context: selection::Context,
    /// Compare the CRDs with the Rust types of a package or .rs file: report valid objects that the types cannot
    /// read, and data that the server would drop or reject
    #[arg(long, value_name = "PATH", conflicts_with_all = ["against", "lint", "kube", "costs"])]
    types: Option<PathBuf>,
    #[command(flatten)]
    search: search::Args,
    #[command(flatten)]
    unstable: selection::Unstable,
    /// The output format for errors and warnings
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Format,
    /// What fails the run
    #[arg(long, value_name = "WHAT", default_value = "breaking")]
    fail_on: FailOn,
    /// Fail on warnings: the same as --fail-on warning
    #[arg(long, conflicts_with = "fail_on")]
    deny_warnings: bool,
    #[command(flatten)]
    exceptions: exceptions::Args,
    /// Turn on a lint, such as LNT002, those about the design of an API with api, or all of them with all. May be repeated. By default LNT001 (size), LNT013 (rules
    /// that read absent fields), LNT016 (empty columns), LNT018 (kinds in lower case), LNT019 (bounds that no number matches), LNT021 (rules for one type of a
    /// field) and LNT022 (rules that never run) are on, with --against also CHG001 to CHG008 (changes that break objects or clients), and with --kube also LNT010
    #[arg(long, value_name = "CODE", value_parser = values::LINTS, hide_possible_values = true)]
    lint: Vec<String>,
    /// Turn off a lint, or all of them with all. May be repeated
    #[arg(long, value_name = "CODE", value_parser = values::LINTS, hide_possible_values = true)]
    no_lint: Vec<String>,
    /// Fix what lints report in the files themselves, YAML or Rust, where only one answer is right, and report the rest.
    /// Everything else in the files stays as it is
    #[arg(long, conflicts_with = "types")]
    fix: bool,
    /// With --fix, write nothing: print how the files would change, for `git apply` or `patch -p1`. Errors are reported on
    /// standard error. The run fails if a file would change
    #[arg(long, requires = "fix", conflicts_with = "output")]
    dry_run: bool,
    /// The oldest Kubernetes to support, or several: 1.35,1.37 or 1.35..1.37. Rules that one of them cannot compile are errors;
    /// other features that the oldest one does not have are warnings
    #[arg(long, value_name = "1.NN", value_parser = values::KUBES, hide_possible_values = true)]
    kube: Option<String>,
    /// Show the most expensive rules, and why they are expensive (LNT011)
    #[arg(long)]
    costs: bool,
    /// Succeed if there is nothing to check, as in a project that has not generated its CRDs yet
    #[arg(long)]
    allow_empty: bool,
    /// List what was skipped
    #[arg(short, long)]
    verbose: bool,
    /// How many files to process in parallel [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = values::whole)]
    jobs: Option<usize>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let mut project = Project::open(Request {
        paths: &args.paths,
        options: Options { build: Build::Each, ..Options::crds(&args.selection.rules()?) },
        old: args.old(),
        // CRDs in YAML are compared with types, not with other types.
        has_types: args.types.is_none(),
        words: Words { done: "checked", to_do: "check" },
    })?;
    let search = args.search.options();
    let unstable = Unstable::failing(args.unstable.fails());
    let checks = Checks {
        lints: args.lints()?,
        servers: args.servers()?,
        updates: Updates::new(search, unstable).on(&args.servers()?),
    };
    let mut fixed = Outcome::Fine;
    if args.fix {
        let fixes = args.fixes(&checks.lints, &project)?;
        if fixes.is_any() {
            project.find_again()?;
        }
        if fixes.has_input || !args.dry_run {
            fixed = fixes.finish();
        }
    }
    let mut exceptions = Exceptions::new(&args.exceptions)?;
    let mut report = match args.dry_run {
        true => report::start_on_errors(COMMAND),
        false => report::start(args.output, COMMAND),
    };
    if let (Some(types), Some(inputs)) = (&args.types, project.inputs()) {
        let counts = types::run(
            types,
            inputs,
            &project.skipped,
            types::Reporting { format: args.output, exceptions: &mut exceptions, report: &mut report },
        )?;
        let may_find = |code: &Code| is_in(code, &[codes::yaml::ALL, codes::types::ALL]);
        let unfinished = Unfinished { report, counts, exceptions };
        return finish(args, unfinished, &project, may_find);
    }
    let count = project.inputs().map_or(0, |inputs| inputs.len());
    let progress = Progress::new("checking", count);
    let threads = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0)).build();
    let threads = threads.map_err(|e| Error::Thread(std::io::Error::other(e)))?;
    let mut counts = Counts { sources: count, ..Counts::default() };
    let (mut late, mut folders) = (None, Folders::default());
    threads.install(|| {
        let (mut copies, mut distinct) = (Copies::default(), Distinct::new(args.fail_on()));
        let mut add = |mut checked: Checked| {
            let objects = std::mem::take(&mut checked.objects);
            folders.add(&checked.found.source, &checked.found.findings);
            counts += Counts::of_part(objects.len(), &checked.found.findings);
            let (here, others): (Vec<String>, Vec<String>) =
                objects.into_iter().partition(|object| !checked.elsewhere.contains(object));
            for name in others {
                let why = "the same findings as in another file".to_owned();
                let suite = checked.found.source.name.clone();
                report.case(Case { suite, name, outcome: junit::Outcome::Skipped(why) });
            }
            report.add(args.output.render_checked(&checked, &here, args.fail_on()))
        };
        let take = |(source, named, findings): (Source, Vec<Named>, Vec<Finding>)| {
            let objects: Vec<String> = named.iter().map(|named| named.name.clone()).collect();
            let mut findings = exceptions.filter(&source, findings);
            findings.extend(exceptions.filter(&source, copies.notes(&source.name, named)));
            let mut findings = args.reported(findings);
            findings.sort_by_key(|f| f.place.map(|p| p.start.offset));
            distinct.add(Findings { source, findings }, objects).into_iter().try_for_each(&mut add)
        };
        let work = |source: &Source, group: Group| {
            let read = group.read();
            // The file itself is checked too, and its CRDs are the ones that are counted.
            let named = if source.is_built() { Vec::new() } else { read.named() };
            Ok((source.clone(), named, checks.of_text(&project, source, read)))
        };
        project.inputs().map_or(Ok(()), |inputs| stream::each_group(inputs, &progress, work, take))?;
        distinct.take().into_iter().try_for_each(&mut add)?;
        late = distinct.note();
        Ok::<(), Error>(())
    })?;
    drop(progress);
    let has_definitions = counts.objects > 0;
    let mut add = |Findings { source, findings }: Findings, names: &[String]| {
        let mut findings = args.reported(exceptions.filter(&source, findings));
        share(&mut findings, args.output);
        counts += Counts::of_part(names.len(), &findings);
        report.add(args.output.render_of(&Findings { source, findings }, names, args.fail_on()))
    };
    let mut files = 0;
    let has_types = 0 < project.each_types(
        has_definitions,
        |sources| rust::read(sources, args),
        |project, types| {
            files += types.files;
            let found = checks.of_types(project, &types)?;
            found.into_iter().try_for_each(|InFile { found, names }| add(found, &names))
        },
    )?;
    let is_on = checks.lints.is_on(&codes::change::DATA_LOSS);
    project.rest(is_on, is_on)?.into_iter().try_for_each(|found| add(found, &[]))?;
    if let Some(inputs) = project.inputs().filter(|_| checks.lints.is_on(&codes::lint::RELEASE)) {
        inputs.large_charts().into_iter().try_for_each(|found| add(found, &[]))?;
    }
    counts.sources += files;
    let (lints, has_old) = (&checks.lints, args.against.is_some() || args.cluster);
    let may_find = |code: &Code| match code {
        code if is_in(code, &[codes::lint::ALL, codes::api::ALL]) => lints.is_on(code),
        code if is_in(code, &[codes::change::ALL]) => has_old && lints.is_on(code),
        code if *code == codes::object::REMOVED_KIND => true,
        code if is_in(code, &[codes::rust::ALL]) => has_types,
        code => is_in(code, &[codes::yaml::ALL, codes::crd::ALL, codes::schema::ALL, codes::cel::ALL]),
    };
    let unfinished = Unfinished { report, counts, exceptions };
    let outcome = finish(args, unfinished, &project, may_find)?;
    project.say_partly_checked();
    late.iter().for_each(terminal::say);
    folders.note().iter().for_each(terminal::say);
    Ok(fixed.and(outcome))
}

/// The command, for reports.
const COMMAND: &str = "crdgen check";

/// Whether a code is in one of some tables.
fn is_in(code: &Code, tables: &[&[&'static Code]]) -> bool {
    tables.iter().any(|table| table.contains(&code))
}

/// A report of which the end is missing: what is counted, and exceptions that allow nothing.
struct Unfinished {
    report: Report,
    counts: Counts,
    exceptions: Exceptions,
}

fn finish(
    args: &Args,
    unfinished: Unfinished,
    project: &Project,
    may_find: impl Fn(&Code) -> bool,
) -> Result<Outcome, Error> {
    let Unfinished { mut report, mut counts, exceptions } = unfinished;
    if counts.objects == 0 && !report.found && !args.allow_empty {
        return Err(nothing(args, project));
    }
    if args.dry_run && !report.found {
        return Ok(Outcome::Fine);
    }
    for findings in exceptions.rest(&may_find) {
        counts += Counts::of_part(0, &findings.findings);
        report.add(args.output.render_of(&findings, &[], args.fail_on()))?;
    }
    report.finish_with(&counts, "CRD", exceptions.numbers(&may_find))?;
    exceptions.finish(may_find)?.iter().for_each(terminal::say);
    project.inputs().into_iter().for_each(|inputs| inputs.say_skipped(args.verbose));
    Ok(outcome(args, &counts, &project.skipped))
}

fn nothing(args: &Args, project: &Project) -> Error {
    let (places, skipped) = (input::names(&args.paths), &project.skipped);
    let there = if skipped.is_empty() { String::new() } else { format!("; there is {skipped}") };
    project.inputs().into_iter().for_each(|inputs| inputs.say_skipped(args.verbose));
    Error::Nothing(format!(
        "no CustomResourceDefinition in {places}{there}. To check objects, use crdgen validate"
    ))
}

fn outcome(args: &Args, counts: &Counts, skipped: &Skipped) -> Outcome {
    if !skipped.is_empty() {
        terminal::say(format_args!("not checked (no CustomResourceDefinition): {skipped}"));
    }
    if args.fail_on().fails(counts) { Outcome::Findings } else { Outcome::Fine }
}

impl Args {
    /// What is reported. A run that shows how files would change reports only errors.
    fn reported(&self, mut findings: Vec<Finding>) -> Vec<Finding> {
        findings.retain(|finding| !self.dry_run || finding.diag.level == Level::Error);
        findings
    }

    fn fail_on(&self) -> FailOn {
        if self.deny_warnings { FailOn::Warning } else { self.fail_on }
    }

    /// Where the old CRDs are.
    fn old(&self) -> Old<'_> {
        match (self.cluster, self.against.as_deref()) {
            (true, _) => Old::Cluster(self.context.name()),
            (false, Some(old)) => Old::At(old),
            (false, None) => Old::Nowhere,
        }
    }

    /// Fixes the files of the inputs, and the types. Without CRDs in YAML, the types of packages that happen to be there count too.
    fn fixes<'a>(&'a self, lints: &'a Lints, project: &Project) -> Result<fix::FixRun<'a>, Error> {
        if self.paths.iter().any(|path| path == "-") {
            return Err(Error::Argument("--fix changes files, and standard input is not one".to_owned()));
        }
        let mut fixes = fix::FixRun::new(self, lints)?;
        if let Some(inputs) = project.inputs() {
            fixes.fix_documents(inputs)?;
        }
        let is_only_types = !fixes.has_input;
        project.sources().iter().try_for_each(|sources| fixes.fix_types(sources))?;
        if is_only_types {
            // They need not have types for CRDs. The check reports why they cannot be read.
            project.packages()?.iter().for_each(|sources| _ = fixes.fix_types(sources));
        }
        Ok(fixes)
    }

    fn lints(&self) -> Result<Lints, Error> {
        let mut lints = Lints::default();
        lints.set(codes::lint::COST.id, self.costs);
        lints.switch(&self.lint, &self.no_lint).map_err(|why| Error::Argument(why.to_string()))?;
        lints.kube = self.servers()?.last().map(|oldest| oldest.minor());
        Ok(lints)
    }

    /// The servers to support, newest first.
    fn servers(&self) -> Result<Vec<Server>, Error> {
        values::servers(self.kube.as_deref())
    }
}
