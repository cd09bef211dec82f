//! `crdgen migrate`: what must happen before a version of a CRD can be removed, and the migration of stored objects.

use std::path::PathBuf;

use crdgen_core::json;

use crate::arguments::selection;
use crate::input::{self, stream};
use crate::outcome::Outcome;
use crate::outcome::no_definition;
use crate::terminal::progress::Progress;
use crate::terminal::{self, Terminal};
use crdgen_core::documents::Group;
use crdgen_files::Error;
use crdgen_report::stored::{self, Form, StoredReport};
use crdgen_tasks::inputs::expect_accepted;
use crdgen_tasks::stored::{
    Api, Facts, File, Rewrite, Subject, Watch, ask, finish, may_drop_fields, of_cluster,
};
use std::fmt;
use std::sync::OnceLock;

/// Show what must happen before a version of a CRD can be removed, and migrate stored objects
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen migrate --check --cluster                       show what is left to do for all CRDs
  crdgen migrate --cluster sites.example.com --dry-run   try to write all objects in the storage version
  crdgen migrate --cluster sites.example.com             migrate them
  crdgen migrate crd.yaml -o manifest | kubectl create -f -

After a change of the storage version, wait a minute before you migrate, so that all API servers of the cluster use it.")]
pub(crate) struct Args {
    /// Files, folders, glob patterns, or - for standard input. By default crdgen reads what is piped in, or
    /// otherwise the current folder. With --cluster, the names of CRDs
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<String>,
    #[command(flatten)]
    selection: selection::Selection,
    /// Read from the cluster that kubectl uses, and migrate its objects
    #[arg(long)]
    cluster: bool,
    #[command(flatten)]
    context: selection::Context,
    /// Change nothing. Fail if there are objects to migrate, or something else prevents the removal of an --api-version
    #[arg(long)]
    check: bool,
    /// Report what prevents the removal of this version. May be repeated [default: all but the storage version]
    #[arg(long, value_name = "NAME")]
    api_version: Vec<String>,
    /// Let the server convert and check every object, but store nothing
    #[arg(long, requires = "cluster", conflicts_with = "check")]
    dry_run: bool,
    /// Let crdgen write the objects itself, even if the server has StorageVersionMigration (by default since 1.37)
    #[arg(long, requires = "cluster")]
    own: bool,
    /// Keep the progress in this file, and continue from there in the next run. Implies --own
    #[arg(long, value_name = "FILE", requires = "cluster")]
    resume: Option<PathBuf>,
    /// How many objects to read at once
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    page_size: u64,
    /// The output format of the report
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Form,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let mut report = StoredReport::new(args.output, &args.api_version, Terminal::Output);
    if !args.cluster {
        read_files(args, &mut report)?;
        return args.end(report);
    }
    let is_report = args.check || args.output != Form::Human;
    if args.paths.is_empty() && !is_report {
        let why = "name the CRDs to migrate; --check shows which have objects to migrate";
        return Err(Error::Argument(why.to_owned()));
    }
    if args.resume.is_some() && args.paths.len() > 1 {
        return Err(Error::Argument("--resume: migrate one CRD at a time".to_owned()));
    }
    let api = Api::open(args.context.name())?;
    let all = of_cluster(&api, &args.paths)?;
    if is_report {
        for mut facts in all {
            facts.ask(&api, args.page_size)?;
            report.add(&facts)?;
        }
        return args.end(report);
    }
    let mut outcome = Outcome::Fine;
    for facts in all {
        if migrate(args, &api, &facts)? == Outcome::Findings {
            outcome = Outcome::Findings;
        }
    }
    Ok(outcome)
}

impl Args {
    /// Ends the report. With --check, remaining steps are findings.
    fn end(&self, report: StoredReport<'_, Terminal>) -> Result<Outcome, Error> {
        Ok(if report.end()? && self.check { Outcome::Findings } else { Outcome::Fine })
    }
}

/// Reports on the CRDs in files, some at a time.
fn read_files(args: &Args, report: &mut StoredReport<'_, Terminal>) -> Result<(), Error> {
    let inputs = input::find(&args.paths, &input::Options::crds(&args.selection.rules()?))?;
    for input in inputs.iter() {
        let Some(source) = inputs.read(input)? else { continue };
        let work = |group: Group| {
            let texts = group.texts();
            expect_accepted(&mut group.read(), &source)?;
            let facts = |text: &String| Facts::of(json::read(text.as_bytes()).unwrap_or_default());
            texts.iter().map(facts).collect::<Result<Vec<_>, _>>()
        };
        stream::groups(&source, work, |some| some.iter().try_for_each(|facts| report.add(facts)))?;
    }
    if report.is_empty() { Err(no_definition(&args.paths)) } else { Ok(()) }
}

/// Migrates the objects of a CRD, then removes the old versions from its status.
fn migrate(args: &Args, api: &Api, facts: &Facts) -> Result<Outcome, Error> {
    let (name, storage) = (facts.crd.metadata.name.clone(), facts.storage().to_owned());
    let left_over = facts.left_over().join(", ");
    if left_over.is_empty() {
        terminal::say(format_args!("{name}: nothing to migrate: all objects are stored in {storage}"));
        return Ok(Outcome::Fine);
    }
    let own = args.own || args.resume.is_some() || args.dry_run || may_drop_fields(&facts.crd);
    let watched = Watched::default();
    let served = if own { None } else { ask::served(api)? };
    if let Some(version) = served {
        if let Some(why) = ask::run(api, &facts.crd, version, &watched)? {
            terminal::say(format_args!("{name}: the migration failed: {why}"));
            return Ok(Outcome::Findings);
        }
        terminal::say(format_args!("{name}: the server has migrated all objects to {storage}"));
    } else {
        let file = File::at(args.resume.as_deref());
        let rewrite = Rewrite {
            api,
            crd: &facts.crd,
            limit: args.page_size,
            dry_run: args.dry_run,
            file,
            watch: &watched,
        };
        let done = rewrite.run()?;
        // Its line must go before the next one is printed.
        drop(watched);
        let would = if args.dry_run { "would write" } else { "wrote" };
        terminal::say(format_args!(
            "{name}: {would} {} in {storage}; {} deleted meanwhile, {} failed; {}",
            stored::count(done.position.written, "object"),
            done.position.gone,
            done.failed,
            stored::count(done.conflicts as u64, "conflict")
        ));
        if done.stopped {
            terminal::say("stopped: too many failures in a row. A second run begins where this one failed");
        }
        if done.failed > 0 {
            return Ok(Outcome::Findings);
        }
        if args.dry_run {
            return Ok(Outcome::Fine);
        }
    }
    finish::run(api, &Subject::of(&facts.crd), &storage)?;
    terminal::say(format_args!("{name}: removed {left_over} from status.storedVersions"));
    Ok(Outcome::Fine)
}

/// Prints notes, and shows how many objects were tried.
#[derive(Default)]
struct Watched {
    progress: OnceLock<Progress>,
}

impl Watch for Watched {
    fn note(&self, note: fmt::Arguments<'_>) {
        terminal::say(note);
    }

    fn total(&self, objects: usize) {
        self.progress.get_or_init(|| Progress::new("migrating", objects));
    }

    fn step(&self) {
        if let Some(progress) = self.progress.get() {
            progress.step();
        }
    }
}
