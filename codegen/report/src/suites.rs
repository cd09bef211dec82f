//! How the tests of suites ended: what `crdgen test` reports.

use std::time::Duration;

use crate::{Counts, Finding, Findings, Format, Printer, Ready, Report, coverage, junit};
use crdgen_build::suites::{Case, Constraint, Failure, Outcome as Ended, Suite};
use crdgen_core::diag::{Diag, Level, codes};
use crdgen_core::inert::{Inert, InertLine};
use crdgen_core::json;
use crdgen_core::path::Path;
use crdgen_core::server::Server;
use crdgen_core::span::{Place, Pos};
use crdgen_core::value::{Map, Value};
use crdgen_files::Error;
use crdgen_files::input::Shown;
use crdgen_tasks::inputs::Source;

/// Which tests are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// All of them.
    All,
    /// Those that fail.
    Failures,
}

/// A test and how it ended.
pub struct Ran<'s> {
    /// Its suite.
    pub suite: &'s Suite,
    /// The test.
    pub case: &'s Case,
    /// How it ended.
    pub ended: Ended,
}

impl Ran<'_> {
    /// Whether it passed.
    pub fn is_passed(&self) -> bool {
        matches!(self.ended, Ended::Passed | Ended::PassedInOlderWords)
    }

    /// Whether it passed, or is for newer servers.
    pub fn is_fine(&self) -> bool {
        self.is_passed() || matches!(self.ended, Ended::NeedsNewer(_))
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
                Ended::NeedsNewer(server) => junit::Outcome::Skipped(needs(*server)),
            },
        }
    }
}

/// Why a test for newer servers did not run.
fn needs(server: Server) -> String {
    format!("needs Kubernetes {server}")
}

const GREEN: anstyle::Style = anstyle::AnsiColor::Green.on_default();
const RED: anstyle::Style = anstyle::AnsiColor::Red.on_default();
const YELLOW: anstyle::Style = anstyle::AnsiColor::Yellow.on_default();
const RESET: anstyle::Reset = anstyle::Reset;

/// The results as `cargo test` prints them. `filtered` tests did not run, because the user does not want them.
pub fn human(ran: &[Ran<'_>], shown: Shows, filtered: usize, took: Duration) -> Ready<'static> {
    let mut out = String::new();
    let (mut passed, mut older, mut not_run, mut ignored) = (0, 0, 0, 0);
    for of_suite in ran.chunk_by(|a, b| std::ptr::eq(a.suite, b.suite)) {
        let Some(Ran { suite, .. }) = of_suite.first() else { continue };
        let shows = shown == Shows::All || of_suite.iter().any(|ran| matches!(ran.ended, Ended::Failed(_)));
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
                Ended::NeedsNewer(server) => {
                    ignored += 1;
                    if shown == Shows::All {
                        let (case, why) = (InertLine(&case.name), needs(*server));
                        out.push_str(&format!("test {case} ... {YELLOW}ignored, {why}{RESET}\n"));
                    }
                    continue;
                }
            };
            passed += usize::from(!matches!(ended, Ended::Failed(_)));
            older += usize::from(*ended == Ended::PassedInOlderWords);
            if shown == Shows::All || matches!(ended, Ended::Failed(_)) {
                out.push_str(&format!("test {} ... {colour}{word}{RESET}\n", InertLine(&case.name)));
            }
        }
    }
    let failed = ran.len() - passed - not_run - ignored;
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
    let ignored = if ignored == 0 { String::new() } else { format!(" {ignored} ignored;") };
    let older =
        if older == 0 { String::new() } else { format!(" ({older} with the message of an older server)") };
    out.push_str(&format!(
        "\ntest result: {colour}{word}{RESET}. {passed} passed{older}; {failed} failed;{not_run}{ignored} {filtered} filtered out; finished \
         in {:.2}s\n",
        took.as_secs_f64()
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

/// The results, for programs.
pub fn json(ran: &[Ran<'_>], filtered: usize, covered: Option<&[Constraint]>) -> String {
    let mut counts = [0_i64; 5];
    let tests: Vec<Value> = ran
        .iter()
        .map(|ran| {
            let Ran { suite, case, ended } = ran;
            let (index, word, why) = match ended {
                Ended::Passed => (0, "passed", None),
                Ended::PassedInOlderWords => (1, "passedInOlderWords", None),
                Ended::Failed(Failure { why, .. }) => (2, "failed", Some(why.clone())),
                Ended::NotRun(why) => (3, "notRun", Some(why.clone())),
                Ended::NeedsNewer(server) => (4, "ignored", Some(needs(*server))),
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
        ("ignored", Value::Int(counts[4])),
        ("filteredOut", Value::Int(i64::try_from(filtered).unwrap_or(i64::MAX))),
    ]);
    let mut all = Map::from_iter([("tests", Value::List(tests)), ("summary", Value::Map(summary))]);
    if let Some(covered) = covered {
        all.insert("coverage", coverage::json(covered));
    }
    format!("{}\n", json::to_string(&Value::Map(all)))
}

/// Reports the tests that fail as the findings of other commands.
pub fn report_failures(
    ran: &[Ran<'_>],
    format: Format,
    mut report: Report<impl Printer>,
) -> Result<(), Error> {
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
