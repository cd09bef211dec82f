//! `crdgen test`: suites of objects that the server must accept or reject.

mod given;
mod servers;
mod update;

use crate::arguments::{selection, values};
use crate::input::{self, Source};
use crate::outcome::Outcome;
use crate::output::report::{self, Format};
use crate::terminal::progress::Progress;
use crate::terminal::{self, Ready, print};
use crdgen_build::suites::{self, Case, Constraint, Options, Outcome as Ended, Suite, Test};
use crdgen_files::Error;
use crdgen_files::input::{Shown, read};
use crdgen_report::coverage;
use crdgen_report::suites::{self as results, Ran, Shows};
use crdgen_tasks::inputs::NotYaml;
use servers::OnServers;
use std::path::PathBuf;
use std::time::Instant;

use crdgen_core::inert::InertLine;
use crdgen_core::server::Server;
use rayon::prelude::*;

/// Test CRDs: run suites of objects that the server must accept or reject
#[derive(Clone, clap::Args)]
#[command(after_help = "Examples:
  crdgen test                                 run all suites in the current folder
  crdgen test tests/suites --crd deploy/crds  run suites with the CRDs of a folder
  crdgen test tests/suites -f replicas        run only tests with this in their name
  crdgen test tests/suites --update           write the server's answers into the suites
  crdgen test --crd charts/box git:main       run suites with the CRDs of a chart and of another revision
  crdgen test tests/suites --coverage         also list constraints that no test depends on")]
pub(crate) struct Args {
    /// The suites: files and folders in the format of openshift/api, and folders with `valid` and `invalid` objects
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,
    /// The CRDs: files, folders, charts, kustomizations, Rust packages, git:REV, or - for standard input. By default crdgen looks in the folder of each suite and in the folders
    /// above, up to one with a Cargo.toml or .git; and, as in openshift/api, first in ../../zz_generated.crd-manifests
    #[arg(long, value_name = "PATH", num_args = 1.., value_hint = clap::ValueHint::AnyPath)]
    crd: Vec<String>,
    /// A Rust package whose declared conversions convert objects between versions, as the webhook of the CRD does. By default the
    /// one in --crd. Without one, each object stays in its own version
    #[arg(long, value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    types: Option<PathBuf>,
    /// Use the CRDs of the cluster that kubectl uses
    #[arg(long)]
    cluster: bool,
    #[command(flatten)]
    context: selection::Context,
    /// Run only tests with this text in their name, suite or file. May be repeated
    #[arg(short, long, value_name = "TEXT")]
    filter: Vec<String>,
    /// The version of Kubernetes, or several: 1.35,1.37 or 1.35..1.37. A test passes if it passes on all of them [default: the newest
    /// one]
    #[arg(long, value_name = "1.NN", value_parser = values::KUBES, hide_possible_values = true)]
    kube: Option<String>,
    /// Fail tests that expect the error messages of an older server than --kube. Before 1.35, messages contain the type of a
    /// value ("object") instead of the value
    #[arg(long)]
    exact_words: bool,
    /// Correct the expectations in the suites to what the server does, the newest one of several. In folders with `valid` and `invalid` objects
    /// crdgen corrects nothing
    #[arg(long)]
    update: bool,
    /// How often expectations were corrected: a test may have several.
    #[arg(skip)]
    rounds: u8,
    /// List which rules, enum values, bounds and defaults of the CRDs are tested, and which are not. A constraint
    /// is tested if a test fails without it
    #[arg(long, conflicts_with_all = ["update", "list"])]
    coverage: bool,
    /// The output format. `human` is that of cargo test
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Format,
    /// Print only tests that fail
    #[arg(short, long)]
    quiet: bool,
    /// List the tests without running them
    #[arg(long)]
    list: bool,
    /// How many tests to run in parallel [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = values::whole)]
    jobs: Option<usize>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let start = Instant::now();
    let servers = args.servers()?;
    let cluster = args.cluster.then(|| input::Cluster { context: args.context.name().map(str::to_owned) });
    let given::All { packages, given } = given::read(&args.crd, cluster)?;
    let on = |server: &Server| {
        let (kube, exact_words) = (Some(server.minor()), args.exact_words);
        let options = Options { crds: packages.clone(), types: args.types.clone(), kube, exact_words };
        Ok((*server, suites::find_with(&args.paths, &options, &given)?))
    };
    let on_servers = servers.iter().map(on).collect::<Result<Vec<(Server, Vec<Suite>)>, Error>>()?;
    // Corrected suites are read again.
    if args.rounds == 0 {
        for (path, why) in suites::special(args.paths.iter())? {
            terminal::say(format_args!("skipped {}: {}", path.shown(), input::why_skipped(why)));
        }
    }
    let all = servers::tests(&on_servers);
    if all.is_empty() {
        let mut broken = NotYaml::default();
        for path in args.paths.iter().filter(|path| path.is_file()) {
            let bytes = read(path).map_err(Error::file(path))?;
            broken.add(&Source::new(path.shown().to_string(), bytes.into()));
        }
        broken.say_reasons(input::NOTES);
        let places: Vec<String> = args.paths.iter().map(|path| path.shown().to_string()).collect();
        return Err(Error::Nothing(format!(
            "no suites in {}; a suite is a YAML file with `tests`, or a folder with folders `valid` and `invalid`",
            places.join(" ")
        )));
    }
    let chosen: Vec<&OnServers<'_>> = all.iter().filter(|test| args.wants(test.suite, test.case)).collect();
    let filtered = all.len() - chosen.len();
    if args.list {
        let line = |OnServers { suite, case, .. }: &&OnServers<'_>| {
            format!("{}: {}: {}\n", suite.path.shown(), InertLine(&suite.crd), InertLine(&case.name))
        };
        print(&Ready::text(&chosen.iter().map(line).collect::<String>()))?;
        return Ok(Outcome::Fine);
    }
    let progress = Progress::new("testing", chosen.len());
    let threads =
        rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0)).stack_size(STACK).build();
    let threads = threads.map_err(|e| Error::Thread(std::io::Error::other(e)))?;
    let one = |test: &&OnServers<'_>| {
        let ended = test.run(servers.len());
        progress.step();
        ended
    };
    let ended: Vec<Ended> = threads.install(|| chosen.par_iter().map(one).collect());
    drop(progress);
    let ran: Vec<Ran<'_>> = chosen
        .iter()
        .zip(ended)
        .map(|(test, ended)| Ran { suite: test.suite, case: test.case, ended })
        .collect();
    if args.update {
        let is_changed = update::write(&ran)?;
        let rounds = args.rounds + 1;
        return run(&Args { update: is_changed && rounds < MAX_ROUNDS, rounds, ..args.clone() });
    }
    let passed = ran.iter().filter(|ran| ran.is_passed());
    let passed: Vec<(&Suite, &Case)> = passed.map(|ran| (ran.suite, ran.case)).collect();
    let covered = args.coverage.then(|| threads.install(|| coverage_of(&passed)));
    match args.output {
        Format::Human => {
            print(&results::human(&ran, args.shows(), filtered, start.elapsed()))?;
            if let Some(covered) = &covered {
                print(&Ready::text(&coverage::human(covered)))?;
            }
        }
        Format::Json => print(&Ready::json(&results::json(&ran, filtered, covered.as_deref())))?,
        format @ (Format::Sarif | Format::Github | Format::Gitlab | Format::Junit | Format::Markdown) => {
            results::report_failures(&ran, format, report::start(format, "crdgen test"))?;
        }
    }
    Ok(if ran.iter().all(Ran::is_fine) { Outcome::Fine } else { Outcome::Findings })
}

/// A test has no more expectations to correct after this many rounds.
const MAX_ROUNDS: u8 = 6;

/// The stack of a thread that checks objects, whose schemas and expressions nest.
const STACK: usize = 64 << 20;

impl Args {
    /// The servers that the tests run on, newest first. Only the newest one corrects expectations.
    fn servers(&self) -> Result<Vec<Server>, Error> {
        let mut servers = values::servers(self.kube.as_deref())?;
        servers.truncate(if self.update { 1 } else { servers.len() });
        Ok(if servers.is_empty() { vec![Server::NEWEST] } else { servers })
    }

    fn shows(&self) -> Shows {
        if self.quiet { Shows::Failures } else { Shows::All }
    }

    fn wants(&self, suite: &Suite, case: &Case) -> bool {
        let path = suite.path.shown().to_string();
        let names = [case.name.as_str(), suite.name.as_str(), suite.crd.as_str(), path.as_str()];
        self.filter.is_empty()
            || self.filter.iter().any(|text| names.iter().any(|name| name.contains(text.as_str())))
    }
}

/// Runs the tests without each constraint, on all cores.
fn coverage_of(passed: &[Test<'_>]) -> Vec<Constraint> {
    let judged = suites::trials(passed).into_par_iter().map(|trial| {
        let is_tested = trial.run();
        (trial, is_tested)
    });
    suites::coverage(judged.collect())
}
