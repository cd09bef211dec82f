//! Compares what crdgen answers to writes of Kubernetes' own kinds with what the server's code answers: the operation `native`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::{fs, io};

use crdgen_core::compare::proof::unsearched;
use crdgen_core::json::to_string;
use crdgen_core::rpc::{Above, handle_with};
use crdgen_core::value::Value;
use crdgen_kubernetes::kinds;
use crdgen_kubernetes::rpc::NATIVE;
use crdgen_tests::json::parse;
use crdgen_tests::oracle::Program;
use crdgen_tests::ours::with_a_big_stack;

const USAGE: &str = "\
usage: native --judge PROGRAM --requests FILE [--show N]
  --judge     a program with the server's registries that answers the operation `native`
  --requests  the requests, a line of JSON each. Those for kinds that crdgen does not have are left out
  --show      how many differences of each sort to print (default 20)";

/// How many answers of a sort there are, and how many differ.
#[derive(Clone, Copy, Default)]
struct Share {
    all: usize,
    differ: usize,
}

impl Share {
    fn add(&mut self, is_same: bool) {
        self.all += 1;
        self.differ += usize::from(!is_same);
    }

    #[expect(clippy::cast_precision_loss, reason = "it is printed with two digits")]
    fn percent(self) -> f64 {
        100.0 - 100.0 * self.differ as f64 / self.all.max(1) as f64
    }
}

/// What was compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Verdicts,
    Errors,
    Stored,
    Warnings,
}

impl Sort {
    const ALL: [(Sort, &str); 4] = [
        (Sort::Verdicts, "verdicts"),
        (Sort::Errors, "errors"),
        (Sort::Stored, "stored objects"),
        (Sort::Warnings, "warnings"),
    ];
}

/// The comparison, by the sort of answers and by kind.
#[derive(Default)]
struct Comparison {
    shares: BTreeMap<(Sort, String), Share>,
    differences: BTreeMap<Sort, Vec<String>>,
}

fn main() -> ExitCode {
    match with_a_big_stack(run) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("native: {e}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// Returns whether all answers are the same.
fn run() -> io::Result<bool> {
    let (mut judge, mut requests, mut show) = (None, None, 20);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let value = args.next().ok_or_else(|| io::Error::other(format!("{arg} needs a value")))?;
        match arg.as_str() {
            "--judge" => judge = Some(PathBuf::from(value)),
            "--requests" => requests = Some(PathBuf::from(value)),
            "--show" => show = value.parse().map_err(io::Error::other)?,
            _ => return Err(io::Error::other(format!("unknown argument {arg}"))),
        }
    }
    let (Some(judge), Some(requests)) = (judge, requests) else {
        return Err(io::Error::other("--judge and --requests are needed"));
    };
    let text = fs::read_to_string(requests)?;
    let lines = text.lines().filter_map(|line| Some((line.to_owned(), kind(&parse(line).ok()?)?)));
    let (lines, kinds): (Vec<String>, Vec<String>) = lines.unzip();
    let theirs = Program::new(judge, &[]).ask(&lines, 1)?;
    let mut comparison = Comparison::default();
    for ((line, kind), theirs) in lines.iter().zip(&kinds).zip(&theirs) {
        let ours = handle_with(line, Above { operations: &[NATIVE], changes: &unsearched });
        let read = |text: &str| parse(text).map_err(io::Error::other);
        comparison.add(line, kind, &read(&ours)?, &read(theirs)?);
    }
    Ok(comparison.print(show))
}

/// The kind of the object of a request, if crdgen has it.
fn kind(request: &Value) -> Option<String> {
    let text = |name| request.get(name).and_then(Value::as_str);
    let object = text("old").or_else(|| text("object")).and_then(|text| parse(text).ok())?;
    let field = |name| object.get(name).and_then(Value::as_str);
    let row = kinds::find(field("apiVersion")?, field("kind")?).filter(|row| row.has_code())?;
    Some(row.kind.to_owned())
}

impl Comparison {
    fn add(&mut self, request: &str, kind: &str, ours: &Value, theirs: &Value) {
        let accepted = |answer: &Value| answer.get("accepted").and_then(Value::as_bool);
        let Some(is_accepted) = accepted(theirs) else { return };
        let is_same = accepted(ours) == Some(is_accepted);
        self.note(Sort::Verdicts, (request, kind), is_same, [ours, theirs]);
        if !is_same {
            return;
        }
        if is_accepted {
            self.note(
                Sort::Stored,
                (request, kind),
                ours.get("stored") == theirs.get("stored"),
                [ours, theirs],
            );
        } else {
            self.note(Sort::Errors, (request, kind), errors(ours) == errors(theirs), [ours, theirs]);
        }
        self.note(Sort::Warnings, (request, kind), warnings(ours) == warnings(theirs), [ours, theirs]);
    }

    fn note(&mut self, sort: Sort, (request, kind): (&str, &str), is_same: bool, answers: [&Value; 2]) {
        self.shares.entry((sort, kind.to_owned())).or_default().add(is_same);
        if !is_same {
            let [ours, theirs] = answers.map(to_string);
            let text = format!("{request}\n  ours:   {ours}\n  theirs: {theirs}");
            self.differences.entry(sort).or_default().push(text);
        }
    }

    /// Prints the differences and the shares. Returns whether nothing differs.
    fn print(&self, show: usize) -> bool {
        for (sort, name) in Sort::ALL {
            let differences = self.differences.get(&sort).map(Vec::as_slice).unwrap_or_default();
            differences.iter().take(show).for_each(|difference| println!("{name}: {difference}"));
        }
        for (sort, name) in Sort::ALL {
            let of_sort = self.shares.iter().filter(|((of, _), _)| *of == sort);
            let mut total = Share::default();
            for ((_, kind), share) in of_sort {
                (total.all, total.differ) = (total.all + share.all, total.differ + share.differ);
                if share.differ > 0 {
                    println!("  {kind}: {} of {} {name} differ", share.differ, share.all);
                }
            }
            println!("{name}: {} of {} differ, {:.2} % agree", total.differ, total.all, total.percent());
        }
        self.differences.is_empty()
    }
}

fn texts<'v>(answer: &'v Value, list: &str) -> &'v [Value] {
    answer.get(list).and_then(Value::as_list).unwrap_or_default()
}

/// The code and the errors of an answer, in a fixed order: the server goes through maps in any order.
fn errors(answer: &Value) -> (Option<i64>, Vec<&str>) {
    let code = answer.get("code").and_then(Value::as_int);
    let found = texts(answer, "errors").iter().filter_map(|error| error.get("text")?.as_str());
    let mut found: Vec<&str> = found.collect();
    if found.is_empty() {
        found.extend(answer.get("error").and_then(Value::as_str));
    }
    found.sort_unstable();
    (code, found)
}

fn warnings(answer: &Value) -> Vec<&str> {
    let mut found: Vec<&str> = texts(answer, "warnings").iter().filter_map(Value::as_str).collect();
    found.sort_unstable();
    found
}
