//! Compares what crdgen answers to writes of Kubernetes' own kinds with what the server's code answers: the operation `native`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::{fs, io};

use crdgen_core::json::to_string;
use crdgen_core::value::Value;
use crdgen_kubernetes::kinds;
use crdgen_tests::json::parse;
use crdgen_tests::natives::{Sort, answer, compare};
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

const SORTS: [(Sort, &str); 4] = [
    (Sort::Verdicts, "verdicts"),
    (Sort::Errors, "errors"),
    (Sort::Stored, "stored objects"),
    (Sort::Warnings, "warnings"),
];

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
        comparison.add(line, kind, &answer(line), &parse(theirs).map_err(io::Error::other)?);
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
        for (sort, is_same) in compare(ours, theirs) {
            self.shares.entry((sort, kind.to_owned())).or_default().add(is_same);
            if !is_same {
                let [ours, theirs] = [ours, theirs].map(to_string);
                let text = format!("{request}\n  ours:   {ours}\n  theirs: {theirs}");
                self.differences.entry(sort).or_default().push(text);
            }
        }
    }

    /// Prints the differences and the shares. Returns whether nothing differs.
    fn print(&self, show: usize) -> bool {
        for (sort, name) in SORTS {
            let differences = self.differences.get(&sort).map(Vec::as_slice).unwrap_or_default();
            differences.iter().take(show).for_each(|difference| println!("{name}: {difference}"));
        }
        for (sort, name) in SORTS {
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
