//! `crdgen diff`: what an update of CRDs breaks, with objects that prove it.

mod driver;
mod objects;
mod types;

use std::collections::HashMap;

use crdgen_core::check::lints;
use crdgen_core::compare::changes::Class;
use crdgen_core::compare::proof::Reported;
use crdgen_core::diag::{Code, Level, codes};
use crdgen_core::ir::Crd;
use crdgen_core::value::Value;
use crdgen_diff::{Options, Step};

use crate::arguments::selection;
use crate::crds::against::Against;
use crate::crds::sources::{self, What};
use crate::input::definitions::Definitions;
use crate::input::skipped::Skipped;
use crate::input::{self, Source, stream};
use crate::outcome::Outcome;
use crate::output::report::{self, Counts, FailOn, Finding, Findings, Format};
use crate::terminal;
use crdgen::Error;
use crdgen::source;
use crdgen_report::exceptions::{self, Exceptions};

/// Show what an update of CRDs breaks, with objects that prove it
///
/// A breaking change comes with an object that the server accepts with the old CRD and rejects with the new one. For changes
/// without one, crdgen says how many objects it tried.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen diff git:main              compare the CRDs in this folder with those on main
  crdgen diff git:v1.2.0 deploy     compare the CRDs in a folder with those of a release
  crdgen diff old.yaml new.yaml     compare two files
  crdgen diff --cluster deploy/crds compare with what is installed
  crdgen diff --cluster src         compare the CRDs of Rust types with what is installed, and show what a program with
                                    these types meets until they are updated
  crdgen diff git:main --fail-on client -o sarif > diff.sarif
  crdgen diff git:main --objects prod
                                    also show what happens to these objects
  kubectl get widgets -A -o yaml | crdgen diff --cluster crds --objects -
  crdgen diff git:main -o markdown  write a comment for a pull request
  git config diff.crd.command 'crdgen diff --git-driver'
                                    let git show what changes mean, in files with the attribute diff=crd

Classes, the worst first: `refused` (the server rejects the new CRD), stuck (a stored object cannot be updated any more),
breaking (an object that was accepted is rejected), on-edit (an edit of an object is rejected), may-break (no object
was found), data-loss, meaning (the same YAML means something else), client (programs may not read new objects), usage,
looser, compatible, cosmetic. `crdgen explain CHG002` explains a class.")]
pub(crate) struct Args {
    /// The old CRDs: a file, a folder, or git:REV for the same paths at a git revision. Then the new CRDs: files, folders, glob
    /// patterns, Rust files or folders of sources such as src, or - for standard input. Without these, crdgen reads what is piped in, or otherwise the current folder.
    /// With --cluster, all of them are new
    #[arg(value_name = "OLD [NEW]", value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<String>,
    #[command(flatten)]
    selection: selection::Selection,
    /// Compare with the CRDs in the cluster that kubectl uses
    #[arg(long)]
    cluster: bool,
    #[command(flatten)]
    context: selection::Context,
    /// The output format
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Format,
    /// Fail if there is a change of this class or of a worse one
    #[arg(long, value_name = "CLASS", default_value = "data-loss", value_parser = class)]
    fail_on: Class,
    /// Also fail on changes of alpha and beta versions
    #[arg(long)]
    unstable: bool,
    /// Also show what happens to these objects: files, folders, git:REV, or - for standard input. May be repeated. The run
    /// fails if the update changes or rejects one of them
    #[arg(long, value_name = "PATH|git:REV", value_hint = clap::ValueHint::AnyPath)]
    objects: Vec<String>,
    #[command(flatten)]
    exceptions: exceptions::Args,
    /// Work as git's external diff driver: show what a change of a file means, instead of its lines. Git passes the paths
    #[arg(long, conflicts_with_all = ["cluster", "output", "fail_on", "unstable", "objects", "allow", "baseline", "write_baseline"])]
    git_driver: bool,
    /// How many objects to try for each change
    #[arg(long, value_name = "N", default_value_t = Options::default().budget)]
    budget: usize,
    /// List what was skipped
    #[arg(short, long)]
    verbose: bool,
}

fn class(name: &str) -> Result<Class, Error> {
    let reported = |class: &Class| *class == Class::Refused || class.reported().is_some();
    let known: Vec<Class> = Class::ALL.into_iter().filter(reported).collect();
    known.iter().copied().find(|class| class.name() == name).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|class| class.name()).collect();
        Error::Argument(format!("the classes are {}", names.join(", ")))
    })
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    if args.git_driver {
        return driver::run(&args.paths, &args.options());
    }
    let rules = args.selection.rules()?;
    let (old, new) = match (args.cluster, args.paths.split_first()) {
        (true, _) => (None, args.paths.as_slice()),
        (false, Some((old, new))) => (Some(old), new),
        (false, None) => {
            let why =
                "name the old CRDs: a file, a folder, git:REV or --cluster, as in `crdgen diff git:main`";
            return Err(Error::Argument(why.to_owned()));
        }
    };
    let (mut rust, files): (Vec<String>, Vec<String>) =
        new.iter().cloned().partition(|path| sources::is_rust(path));
    let has_files = rust.is_empty() || !files.is_empty();
    let mut against = match old {
        None => Against::of_cluster(args.context.name())?,
        Some(old) => Against::new(Some(old), &files, &rules)?,
    };
    if let Some(rejected) = against.take_rejected() {
        report::stop(args.output, COMMAND, rejected, "CRD")?;
        return Ok(Outcome::Findings);
    }
    let inputs = has_files.then(|| input::find(&files, &input::Options::crds(&rules))).transpose()?;
    let skipped = Skipped::default();
    let mut exceptions = Exceptions::new(&args.exceptions)?;
    let mut report = report::start(args.output, COMMAND);
    let mut counts = Counts::default();
    let mut fails = false;
    let (mut steps, mut updates): (Vec<Step>, Vec<(Crd, Crd)>) = Default::default();
    let mut left = Left::default();
    let mut add = |exceptions: &mut Exceptions, source: Source, found: Found| {
        let findings = exceptions.filter(&source, found.findings);
        fails |= findings.iter().any(|finding| args.fails_on(finding));
        findings.iter().for_each(|finding| left.add(finding));
        let mut some = Counts { objects: found.names.len(), ..Counts::default() };
        some.add(&findings);
        counts += Counts { sources: 0, ..some };
        steps.extend(found.steps);
        updates.extend(found.updates);
        report.add(args.output.render_of(&Findings { source, findings }, &found.names, FailOn::Breaking))
    };
    let compare = |crd: &Crd, source: &Source, types: Option<&types::Types>, found: &mut Found| {
        let Some(old) = against.get(&crd.metadata.name, source) else { return Vec::new() };
        let mut changes = crdgen_diff::diff(&old, crd, &args.options()).findings;
        if let Some(converted) = types.and_then(|types| types.converted(&old, crd, &args.options())) {
            // The types convert objects, whatever their CRD says until the webhook is added to it.
            changes.retain(|finding| finding.stored.is_none());
            changes.extend(converted);
        }
        found.steps.extend(crdgen_diff::steps(crd, &changes));
        let (mut reported, in_vain) = lints::without_allowed(crd, args.reported(&changes));
        reported.extend(in_vain.into_iter().map(|it| Reported::from(source::allows_nothing(it))));
        found.updates.extend(args.needs_updates().then(|| (old, crd.clone())));
        reported
    };
    let mut has_definitions = false;
    if let Some(inputs) = &inputs {
        let work = |source: &Source, mut read: Definitions| {
            if !source.origin.is_found {
                skipped.add(&source.name, std::mem::take(&mut read.skipped));
            }
            let names = read.named().iter().map(|named| named.name.clone()).collect();
            let mut found = Found { names, ..Found::default() };
            read.check(|crd| compare(crd, source, None, &mut found));
            read.findings.sort_by_key(|finding| finding.place.map(|place| place.start.offset));
            Ok((source.clone(), Found { findings: read.findings, ..found }))
        };
        stream::each(inputs, work, |(source, found)| {
            has_definitions |= !found.names.is_empty();
            add(&mut exceptions, source, found)
        })?;
    }
    // Without YAML, the types of a package are all that there is.
    let here = [".".to_owned()];
    let packages = if files.is_empty() && has_files { here.as_slice() } else { &files };
    let packages = packages.iter().filter(|path| sources::may_be_in(path));
    let asked = rust.len();
    match has_definitions {
        true => packages.for_each(|path| sources::say_not_read(path, WHAT)),
        false => rust.extend(packages.cloned()),
    }
    let mut skews = types::Skews::default();
    for (number, path) in rust.iter().enumerate() {
        let types = match types::read(path) {
            Ok(types) => types,
            // A package that happens to be there need not have types for CRDs.
            Err(why) if number >= asked => {
                terminal::say(format_args!("not compared: the Rust types of this package: {why}"));
                continue;
            }
            Err(why) => return Err(why),
        };
        let (mut of_path, mut findings) = (Found::default(), Vec::new());
        for crd in &types.crds {
            let name = crd.metadata.name.clone();
            if let Some(old) = against.get(&name, &types.source) {
                skews.add(&old, crd);
            }
            let reported = compare(crd, &types.source, Some(&types), &mut of_path);
            let finding =
                |Reported { diag, change }| Finding { change, ..Finding::new(name.clone(), None, diag) };
            findings.push(reported.into_iter().map(finding).collect::<Vec<_>>());
            of_path.names.push(name);
        }
        for Findings { source, findings } in types.in_files(findings)? {
            // Each CRD is counted once, where its first finding is.
            let is_here = |name: &mut String| findings.iter().any(|finding| finding.object == *name);
            let names = of_path.names.extract_if(.., is_here).collect();
            add(&mut exceptions, source, Found { names, findings, ..Found::default() })?;
        }
        add(&mut exceptions, types.source, of_path)?;
    }
    for Findings { source, findings } in against.finish(has_files) {
        add(&mut exceptions, source, Found { findings, ..Found::default() })?;
    }
    if counts.objects == 0 && !report.found {
        return Err(Error::Nothing(format!("no CustomResourceDefinition in {}", input::names(new))));
    }
    let may_find = |code: &Code| codes::change::ALL.contains(&code) || codes::is_error(code.id);
    for Findings { source, findings } in exceptions.rest(may_find) {
        let mut some = Counts::default();
        some.add(&findings);
        counts += Counts { sources: 0, ..some };
        fails |= findings.iter().any(|finding| args.fails_on(finding));
        report.add(args.output.render(&Findings { source, findings }))?;
    }
    counts.sources += inputs.as_ref().map_or(0, |inputs| inputs.len()) + rust.len();
    steps.retain_mut(|step| left.still_requires(step));
    steps.iter().for_each(|step| report.note(step.to_string()));
    let mut numbers = exceptions.numbers(may_find);
    if !steps.is_empty() {
        numbers.insert("steps", Value::List(steps.iter().map(Step::to_value).collect()));
    }
    if !args.objects.is_empty() {
        let seen = objects::judge(&args.objects, &rules, &updates)?;
        fails |= seen.values().any(|tally| tally.fine < tally.objects);
        objects::report(&seen, &mut report, &mut numbers);
    }
    if !rust.is_empty() {
        skews.report(&mut report, &mut numbers);
    }
    report.finish_with(&counts, "CRD", numbers)?;
    exceptions.finish(may_find)?.iter().for_each(terminal::say);
    inputs.iter().for_each(|inputs| inputs.say_skipped(args.verbose));
    Ok(if fails { Outcome::Findings } else { Outcome::Fine })
}

/// The command, for reports.
const COMMAND: &str = "crdgen diff";
const WHAT: What = What { done: "compared", to_do: "compare" };

/// The CRDs of a source, or of a part of it, and what changes in them.
#[derive(Default)]
struct Found {
    names: Vec<String>,
    findings: Vec<Finding>,
    steps: Vec<Step>,
    /// The old and the new CRDs, if objects are judged.
    updates: Vec<(Crd, Crd)>,
}

/// The changes that no exception allows: the worst class for each CRD and version.
#[derive(Default)]
struct Left(HashMap<(String, String), Class>);

impl Left {
    fn add(&mut self, finding: &Finding) {
        let Some(change) = &finding.change else { return };
        if let Some(version) = &change.version {
            let worst = self.0.entry((finding.object.clone(), version.clone())).or_insert(change.class);
            *worst = change.class.min(*worst);
        }
    }

    /// Whether changes still require a new version. Sets the worst class of them.
    fn still_requires(&self, step: &mut Step) -> bool {
        let worst = self.0.get(&(step.crd.clone(), step.version.clone()));
        step.worst = *worst.unwrap_or(&step.worst);
        worst.is_some_and(|class| *class <= Class::Meaning)
    }
}

impl Args {
    /// Whether the CRDs are needed after they were compared: for questions about objects.
    fn needs_updates(&self) -> bool {
        !self.objects.is_empty()
    }

    fn options(&self) -> Options {
        Options { budget: self.budget }
    }

    /// The changes that are reported.
    fn reported(&self, found: &[crdgen_diff::Finding]) -> Vec<Reported> {
        let reported = |finding: &crdgen_diff::Finding| {
            let mut out = finding.reported()?;
            if !self.unstable && finding.version.as_deref().is_some_and(crdgen_diff::is_unstable) {
                out.diag.level = Level::Note;
            }
            Some(out)
        };
        found.iter().filter_map(reported).collect()
    }

    /// Whether a finding fails the run.
    fn fails_on(&self, finding: &Finding) -> bool {
        let class = Class::of(finding.diag.code).unwrap_or(Class::Refused);
        let level = class.reported().map_or(Level::Error, |(_, level)| level);
        class <= self.fail_on && finding.diag.level >= level
    }
}
