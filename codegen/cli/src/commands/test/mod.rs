//! `crdgen test`: suites of objects that the server must accept or reject.

mod coverage;
mod given;
mod update;

use crate::arguments::{selection, values};
use crate::input::{self, Source};
use crate::outcome::Outcome;
use crate::output::report::{self, Counts, Finding, Findings, Format};
use crate::terminal::progress::Progress;
use crate::terminal::{self, Ready, print};
use crdgen::__cli::files::{self, Shown};
use crdgen::Error;
use crdgen::inputs::NotYaml;
use crdgen::suites::{self, Case, Constraint, Failure, Options, Outcome as Ended, Suite};
use crdgen_report::junit;
use std::path::PathBuf;
use std::time::Instant;

use crdgen_core::diag::{Diag, Level, codes};
use crdgen_core::inert::{Inert, InertLine};
use crdgen_core::json;
use crdgen_core::path::Path;
use crdgen_core::span::{Place, Pos};
use crdgen_core::value::{Map, Value};
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
    /// Use the CRDs of the cluster that kubectl uses
    #[arg(long)]
    cluster: bool,
    #[command(flatten)]
    context: selection::Context,
    /// Run only tests with this text in their name, suite or file. May be repeated
    #[arg(short, long, value_name = "TEXT")]
    filter: Vec<String>,
    /// The version of Kubernetes [default: the newest one]
    #[arg(long, value_name = "1.NN", value_parser = values::KUBE, hide_possible_values = true)]
    kube: Option<String>,
    /// Fail tests that expect the error messages of an older server than --kube. Before 1.35, messages contain the type of a
    /// value ("object") instead of the value
    #[arg(long)]
    exact_words: bool,
    /// Correct the expectations in the suites to what the server does. In folders with `valid` and `invalid` objects
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

/// A test and how it ended.
struct Ran<'s> {
    suite: &'s Suite,
    case: &'s Case,
    ended: Ended,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let start = Instant::now();
    let kube = args.kube.as_deref().map(values::kube).transpose()?;
    let cluster = args.cluster.then(|| input::Cluster { context: args.context.name().map(str::to_owned) });
    let given::All { packages, given } = given::read(&args.crd, cluster)?;
    let options = Options { crds: packages, kube, exact_words: args.exact_words };
    let suites = suites::find_with(&args.paths, &options, &given)?;
    // Corrected suites are read again.
    if args.rounds == 0 {
        for (path, why) in suites::special(args.paths.iter())? {
            terminal::say(format_args!("skipped {}: {}", path.shown(), input::why_skipped(why)));
        }
    }
    let all: Vec<(&Suite, &Case)> =
        suites.iter().flat_map(|suite| suite.cases.iter().map(move |case| (suite, case))).collect();
    if all.is_empty() {
        let mut broken = NotYaml::default();
        for path in args.paths.iter().filter(|path| path.is_file()) {
            let bytes = files::read(path).map_err(Error::file(path))?;
            broken.add(&Source::new(path.shown().to_string(), bytes.into()));
        }
        broken.say_reasons(input::NOTES);
        let places: Vec<String> = args.paths.iter().map(|path| path.shown().to_string()).collect();
        return Err(Error::Nothing(format!(
            "no suites in {}; a suite is a YAML file with `tests`, or a folder with folders `valid` and `invalid`",
            places.join(" ")
        )));
    }
    let chosen: Vec<(&Suite, &Case)> =
        all.iter().filter(|(suite, case)| args.wants(suite, case)).copied().collect();
    let filtered = all.len() - chosen.len();
    if args.list {
        let line = |(suite, case): &(&Suite, &Case)| {
            format!("{}: {}: {}\n", suite.path.shown(), InertLine(&suite.crd), InertLine(&case.name))
        };
        print(&Ready::text(&chosen.iter().map(line).collect::<String>()))?;
        return Ok(Outcome::Fine);
    }
    let progress = Progress::new("testing", chosen.len());
    let threads =
        rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0)).stack_size(STACK).build();
    let threads = threads.map_err(|e| Error::Thread(std::io::Error::other(e)))?;
    let one = |(suite, case): &(&'_ Suite, &'_ Case)| {
        let ended = suite.run(case);
        progress.step();
        ended
    };
    let ended: Vec<Ended> = threads.install(|| chosen.par_iter().map(one).collect());
    drop(progress);
    let ran: Vec<Ran<'_>> =
        chosen.iter().zip(ended).map(|((suite, case), ended)| Ran { suite, case, ended }).collect();
    if args.update {
        let is_changed = update::write(&ran)?;
        let rounds = args.rounds + 1;
        return run(&Args { update: is_changed && rounds < MAX_ROUNDS, rounds, ..args.clone() });
    }
    let passed = ran.iter().filter(|ran| ran.is_passed());
    let passed: Vec<(&Suite, &Case)> = passed.map(|ran| (ran.suite, ran.case)).collect();
    let covered = args.coverage.then(|| threads.install(|| coverage::of(&passed)));
    match args.output {
        Format::Human => {
            print(&human(&ran, args.quiet, filtered, start))?;
            if let Some(covered) = &covered {
                print(&Ready::text(&coverage::human(covered)))?;
            }
        }
        Format::Json => print(&Ready::json(&document(&ran, filtered, covered.as_deref())))?,
        format @ (Format::Sarif | Format::Github | Format::Gitlab | Format::Junit | Format::Markdown) => {
            report_failures(&ran, format)?;
        }
    }
    Ok(if ran.iter().all(Ran::is_passed) { Outcome::Fine } else { Outcome::Findings })
}

impl Ran<'_> {
    fn is_passed(&self) -> bool {
        matches!(self.ended, Ended::Passed | Ended::PassedInOlderWords)
    }

    /// The file of the test: that of its suite, or that of the object.
    fn file(&self) -> String {
        self.case.file.as_ref().unwrap_or(&self.suite.path).shown().to_string()
    }

    /// The failure of the test, if it failed.
    fn finding(&self) -> Option<Finding> {
        let Ended::Failed(Failure { why, .. }) = &self.ended else { return None };
        let text = format!("{}: {why}", self.case.name);
        let diag = Diag::own(&codes::suite::FAILED, Level::Error, &Path::ROOT, text);
        let place = self.case.line.map(|line| {
            let start = Pos { line, column: 1, offset: 0 };
            Place { start, end: start }
        });
        Some(Finding::new(format!("{}: {}", self.suite.crd, self.case.name), place, diag))
    }

    /// The test for JUnit.
    fn case(&self) -> junit::Case {
        junit::Case {
            suite: format!("{}: {}", self.suite.path.shown(), self.suite.crd),
            name: self.case.name.clone(),
            outcome: match &self.ended {
                Ended::Passed | Ended::PassedInOlderWords => junit::Outcome::Passed,
                Ended::Failed(Failure { why, .. }) => junit::Outcome::Failed(why.clone()),
                Ended::NotRun(why) => junit::Outcome::Skipped(why.clone()),
            },
        }
    }
}

/// A test has no more expectations to correct after this many rounds.
const MAX_ROUNDS: u8 = 6;

/// The stack of a thread that checks objects, whose schemas and expressions nest.
const STACK: usize = 64 << 20;

impl Args {
    fn wants(&self, suite: &Suite, case: &Case) -> bool {
        let path = suite.path.shown().to_string();
        let names = [case.name.as_str(), suite.name.as_str(), suite.crd.as_str(), path.as_str()];
        self.filter.is_empty()
            || self.filter.iter().any(|text| names.iter().any(|name| name.contains(text.as_str())))
    }
}

const GREEN: anstyle::Style = anstyle::AnsiColor::Green.on_default();
const RED: anstyle::Style = anstyle::AnsiColor::Red.on_default();
const RESET: anstyle::Reset = anstyle::Reset;

/// Prints the results as `cargo test` does.
fn human(ran: &[Ran<'_>], quiet: bool, filtered: usize, start: Instant) -> Ready<'static> {
    let mut out = String::new();
    let (mut passed, mut older, mut not_run) = (0, 0, 0);
    for of_suite in ran.chunk_by(|a, b| std::ptr::eq(a.suite, b.suite)) {
        let Some(Ran { suite, .. }) = of_suite.first() else { continue };
        let shows = !quiet || of_suite.iter().any(|ran| matches!(ran.ended, Ended::Failed(_)));
        let is_rejected = suite.rejected().is_some();
        if shows || is_rejected {
            let count = of_suite.len();
            let plural = if count == 1 { "" } else { "s" };
            let path = suite.path.shown().to_string();
            let running = if is_rejected { "not running" } else { "running" };
            out.push_str(&format!("\n{running} {count} test{plural} of {}", InertLine(&path)));
            if !suite.crd.is_empty() {
                out.push_str(&format!(" on {}", InertLine(&suite.crd)));
            }
            out.push_str(if is_rejected { ": the server rejects the CRD\n" } else { "\n" });
        }
        for Ran { case, ended, .. } in of_suite {
            let (word, colour) = match ended {
                Ended::Passed => ("ok", GREEN),
                Ended::PassedInOlderWords => ("ok (expects the message of an older server)", GREEN),
                Ended::Failed(_) => ("FAILED", RED),
                Ended::NotRun(_) => {
                    not_run += 1;
                    continue;
                }
            };
            passed += usize::from(!matches!(ended, Ended::Failed(_)));
            older += usize::from(*ended == Ended::PassedInOlderWords);
            if !quiet || matches!(ended, Ended::Failed(_)) {
                out.push_str(&format!("test {} ... {colour}{word}{RESET}\n", InertLine(&case.name)));
            }
        }
    }
    let failed = ran.len() - passed - not_run;
    if failed > 0 {
        out.push_str("\nfailures:\n");
    }
    for ran in ran {
        let (path, case) = (ran.file(), ran.case);
        if let Ended::Failed(Failure { why, .. }) = &ran.ended {
            let line = case.line.map_or_else(String::new, |line| format!(":{line}"));
            out.push_str(&format!("\n---- {}{line}: {} ----\n", InertLine(&path), InertLine(&case.name)));
            out.push_str(&coloured(why));
        }
    }
    let (word, colour) = if failed + not_run == 0 { ("ok", GREEN) } else { ("FAILED", RED) };
    let not_run = if not_run == 0 { String::new() } else { format!(" {not_run} not run;") };
    let older =
        if older == 0 { String::new() } else { format!(" ({older} with the message of an older server)") };
    out.push_str(&format!(
        "\ntest result: {colour}{word}{RESET}. {passed} passed{older}; {failed} failed;{not_run} {filtered} filtered out; finished \
         in {:.2}s\n",
        start.elapsed().as_secs_f64()
    ));
    Ready::coloured(out)
}

/// Colours the lines of a difference.
fn coloured(text: &str) -> String {
    let line = |line: &str| match line.as_bytes().first() {
        Some(b'+') => format!("{GREEN}{}{RESET}\n", Inert(line)),
        Some(b'-') => format!("{RED}{}{RESET}\n", Inert(line)),
        _ => format!("{}\n", Inert(line)),
    };
    text.lines().map(line).collect()
}

fn document(ran: &[Ran<'_>], filtered: usize, covered: Option<&[Constraint]>) -> String {
    let mut counts = [0_i64; 4];
    let tests: Vec<Value> = ran
        .iter()
        .map(|ran| {
            let Ran { suite, case, ended } = ran;
            let (index, word, why) = match ended {
                Ended::Passed => (0, "passed", None),
                Ended::PassedInOlderWords => (1, "passedInOlderWords", None),
                Ended::Failed(Failure { why, .. }) => (2, "failed", Some(why.as_str())),
                Ended::NotRun(why) => (3, "notRun", Some(why.as_str())),
            };
            counts[index] += 1;
            let mut out = Map::from_iter([
                ("file", Value::from(ran.file())),
                ("suite", suite.name.as_str().into()),
                ("crd", suite.crd.as_str().into()),
                ("name", case.name.as_str().into()),
                ("result", word.into()),
            ]);
            if let Some(line) = case.line {
                out.insert("line", Value::Int(line.into()));
            }
            if let Some(why) = why {
                out.insert("why", why.into());
            }
            Value::Map(out)
        })
        .collect();
    let summary = Map::from_iter([
        ("passed", Value::Int(counts[0] + counts[1])),
        ("passedInOlderWords", Value::Int(counts[1])),
        ("failed", Value::Int(counts[2])),
        ("notRun", Value::Int(counts[3])),
        ("filteredOut", Value::Int(i64::try_from(filtered).unwrap_or(i64::MAX))),
    ]);
    let mut all = Map::from_iter([("tests", Value::List(tests)), ("summary", Value::Map(summary))]);
    if let Some(covered) = covered {
        all.insert("coverage", coverage::json(covered));
    }
    format!("{}\n", json::to_string(&Value::Map(all)))
}

/// Reports the tests that fail as the findings of other commands.
fn report_failures(ran: &[Ran<'_>], format: Format) -> Result<(), Error> {
    let mut report = report::start(format, "crdgen test");
    let mut counts = Counts { objects: ran.len(), ..Counts::default() };
    for of_file in ran.chunk_by(|a, b| a.file() == b.file()) {
        let Some(first) = of_file.first() else { continue };
        let findings: Vec<Finding> = of_file.iter().filter_map(Ran::finding).collect();
        counts.add(&findings);
        // The texts are not kept: these formats show none of their lines.
        let source = Source::new(first.file(), Vec::new().into());
        let mut rendered = format.render(&Findings { source, findings });
        rendered.keep_cases(of_file.iter().map(Ran::case));
        report.add(rendered)?;
    }
    let not_run = ran.iter().filter(|ran| matches!(ran.ended, Ended::NotRun(_))).count();
    if not_run > 0 {
        report.note(format!("tests that did not run, because the server rejects their CRD: {not_run}"));
    }
    report.finish(&counts, "test")
}
