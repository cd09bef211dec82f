//! `vectors record` sends requests to the oracle and writes tests/vectors. `vectors check` fails if the oracle's
//! answers differ from the recorded ones. `vectors requests` prints the recorded requests, and `vectors print AREA` the vectors
//! of an area, as JSON with a line each.
//!
//! `vectors record-older [NN…]` and `vectors check-older [NN…]` do the same for the servers of Kubernetes 1.NN. Without
//! arguments they include all recorded versions. `vectors replay-older` sends the requests to crdgen.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{self, Write};
use std::process::ExitCode;

use crdgen_core::json::to_string;
use crdgen_core::value::{Map, Value};
use crdgen_tests::case::Case;
use crdgen_tests::compare::{Options, Outcome, compare};
use crdgen_tests::json::parse;
use crdgen_tests::older::{self, Answers};
use crdgen_tests::oracle::{self, Program};
use crdgen_tests::ours;
use crdgen_tests::vectors::{self, Novelty, Vector, normalized};

/// How often the same shape of answer is recorded.
const OFTEN: usize = 3;
/// How often a request is sent to the server again before its answer is recorded.
const REPEATS: usize = 5;
const BATCH: usize = 2000;
const JOBS: usize = 2;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.first().map(String::as_str) {
        Some("record") => record(&args[1..]),
        Some("check") => check(),
        Some("requests") => requests(),
        Some("print") => print(&args[1..]),
        Some("record-older") => each_older(&args[1..], record_older),
        Some("check-older") => each_older(&args[1..], check_older),
        Some("replay-older") => each_older(&args[1..], replay_older),
        _ => {
            eprintln!(
                "usage: vectors record [AREA…] | check | requests | print AREA… | record-older [NN…] | check-older [NN…] | replay-older [NN…]"
            );
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(code) => code,
        Err(e) => {
            eprintln!("vectors: {e}");
            ExitCode::from(2)
        }
    }
}

fn ask(oracle: &Program, cases: &[Case]) -> io::Result<Vec<Value>> {
    let lines: Vec<String> = cases.iter().map(|c| to_string(&c.request)).collect();
    oracle.ask(&lines, JOBS)?.iter().map(|a| parse(a).map_err(io::Error::other)).collect()
}

fn record(only: &[String]) -> io::Result<ExitCode> {
    let oracle = oracle::oracle().map_err(io::Error::other)?;
    for area in vectors::areas() {
        if !only.is_empty() && !only.contains(&area.name) {
            continue;
        }
        let mut kept = Vec::new();
        let mut novelty = Novelty::default();
        let mut unstable = 0;
        for (cases, always) in [(&area.always, true), (&area.candidates, false)] {
            for batch in cases.chunks(BATCH) {
                let answers = ask(&oracle, batch)?;
                let mut new = Vec::new();
                for (case, answer) in batch.iter().zip(answers) {
                    let keep = novelty.is_new(&answer, OFTEN) || always;
                    if keep && answer.get("panic").is_none() {
                        new.push((case.clone(), answer));
                    }
                }
                // A case does not become a vector if the server ever answers it differently: some answers depend on the
                // order of a Go map, which often has only two outcomes.
                let chosen: Vec<Case> = new.iter().map(|(case, _)| case.clone()).collect();
                let again = (0..REPEATS).map(|_| ask(&oracle, &chosen)).collect::<io::Result<Vec<_>>>()?;
                for (number, (case, first)) in new.into_iter().enumerate() {
                    let op = case.request.get("op").and_then(|o| o.as_str()).unwrap_or("").to_owned();
                    let is_same = |answers: &Vec<Value>| match compare(
                        &op,
                        &first,
                        &answers[number],
                        Options::default(),
                    ) {
                        Outcome::Compared(list) => list.is_empty(),
                        Outcome::NoJudge(_) => false,
                    };
                    if again.iter().all(is_same) {
                        kept.push(Vector {
                            name: case.name,
                            request: case.request,
                            answer: normalized(&first),
                        });
                    } else {
                        unstable += 1;
                    }
                }
            }
        }
        vectors::save(&area.name, &kept)?;
        let tried = area.always.len() + area.candidates.len();
        println!("{}: {} of {tried} recorded, {unstable} without a stable answer", area.name, kept.len());
    }
    Ok(ExitCode::SUCCESS)
}

fn check() -> io::Result<ExitCode> {
    let oracle = oracle::oracle().map_err(io::Error::other)?;
    let mut stale = 0;
    let mut total = 0;
    let mut names: HashMap<String, HashSet<String>> = HashMap::new();
    for area in vectors::recorded()? {
        let recorded = vectors::load(&area)?;
        for batch in recorded.chunks(BATCH) {
            let cases: Vec<Case> =
                batch.iter().map(|v| Case { name: v.name.clone(), request: v.request.clone() }).collect();
            for (vector, answer) in batch.iter().zip(ask(&oracle, &cases)?) {
                total += 1;
                match compare(vector.op(), &normalized(&answer), &vector.answer, Options::default()) {
                    Outcome::Compared(list) if list.is_empty() => {}
                    outcome => {
                        stale += 1;
                        println!("stale: {area}/{}: {outcome:?}", vector.name);
                    }
                }
            }
        }
        names.insert(area, recorded.into_iter().map(|v| v.name).collect());
    }
    // Cases that are written by hand must all be recorded.
    for area in vectors::areas() {
        let recorded = names.get(&area.name);
        let missing: Vec<&Case> =
            area.always.iter().filter(|c| !recorded.is_some_and(|names| names.contains(&c.name))).collect();
        for case in missing {
            let answer = ask(&oracle, std::slice::from_ref(case))?;
            if answer.iter().all(|a| a.get("panic").is_none()) {
                stale += 1;
                println!("not recorded: {}/{}", area.name, case.name);
            }
        }
    }
    println!("{total} vectors, {stale} stale");
    Ok(if stale == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Calls a function for older servers: for the given ones, or otherwise for all of them.
fn each_older(only: &[String], run: fn(u32) -> io::Result<bool>) -> io::Result<ExitCode> {
    let named: Vec<u32> = only.iter().filter_map(|text| text.parse().ok()).collect();
    let mut good = named.len() == only.len();
    let wanted = |minor: &u32| match named.is_empty() {
        true => older::RECORDED.contains(minor),
        false => named.contains(minor),
    };
    for minor in older::versions().filter(wanted) {
        good &= run(minor)?;
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Calls a function with each answer of `ask` to a recorded request, and its vector.
fn each_answer(
    minor: u32,
    ask: &dyn Fn(&[Case]) -> io::Result<Vec<Value>>,
    run: &mut dyn FnMut(&str, &Vector, Value),
) -> io::Result<()> {
    for area in older::areas(minor) {
        let recorded = vectors::load(area)?;
        for batch in recorded.chunks(BATCH) {
            let cases: Vec<Case> =
                batch.iter().map(|v| Case { name: v.name.clone(), request: v.request.clone() }).collect();
            for (vector, answer) in batch.iter().zip(ask(&cases)?) {
                run(area, vector, answer);
            }
        }
    }
    Ok(())
}

fn is_same(minor: u32, vector: &Vector, one: &Value, other: &Value) -> bool {
    match compare(vector.op(), one, other, older::options(minor)) {
        Outcome::Compared(list) => list.is_empty(),
        Outcome::NoJudge(_) => false,
    }
}

fn record_older(minor: u32) -> io::Result<bool> {
    let oracle = oracle::older(minor).map_err(io::Error::other)?;
    let mut own = Answers::default();
    each_answer(minor, &|cases| ask(&oracle, cases), &mut |area, vector, answer| {
        let answer = normalized(&answer);
        if !is_same(minor, vector, &answer, &vector.answer) {
            own.insert(area, vector, answer);
        }
    })?;
    own.save(minor)?;
    println!("1.{minor}: {} answers of its own", own.len());
    Ok(true)
}

fn check_older(minor: u32) -> io::Result<bool> {
    let oracle = oracle::older(minor).map_err(io::Error::other)?;
    compare_older(minor, "stale", BTreeSet::new(), &|cases| ask(&oracle, cases))
}

/// Compares crdgen's answers with those of an older server.
fn replay_older(minor: u32) -> io::Result<bool> {
    let ours = |cases: &[Case]| {
        Ok(cases.iter().map(|case| ours::answer(&older::asked(&case.request, minor))).collect())
    };
    compare_older(minor, "different", older::skipped(minor)?, &ours)
}

fn compare_older(
    minor: u32,
    word: &str,
    mut skipped: BTreeSet<String>,
    ask: &dyn Fn(&[Case]) -> io::Result<Vec<Value>>,
) -> io::Result<bool> {
    let recorded = Answers::load(minor)?;
    let (mut total, mut wrong) = (0, 0);
    each_answer(minor, ask, &mut |area, vector, answer| {
        total += 1;
        let wanted = recorded.of(area, vector);
        let judged = compare(vector.op(), wanted, &normalized(&answer), older::options(minor));
        let differs = !matches!(&judged, Outcome::Compared(list) if list.is_empty());
        // If an answer agrees, its entry remains in the list of skipped vectors.
        if differs && !skipped.remove(&format!("{area}/{}", vector.name)) {
            wrong += 1;
            println!("{word}: 1.{minor} {area}/{}: {judged:?}", vector.name);
        }
    })?;
    for vector in &skipped {
        println!("skipped, but nothing differs: 1.{minor} {vector}");
    }
    println!("1.{minor}: {total} vectors, {} of its own, {wrong} {word}", recorded.len());
    Ok(wrong == 0 && skipped.is_empty())
}

fn requests() -> io::Result<ExitCode> {
    let mut out = io::stdout().lock();
    for area in vectors::recorded()? {
        for vector in vectors::load(&area)? {
            writeln!(out, "{}", to_string(&vector.request))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn print(areas: &[String]) -> io::Result<ExitCode> {
    let mut out = io::stdout().lock();
    for area in areas {
        for Vector { name, request, answer } in vectors::load(area)? {
            let line =
                Map::from_iter([("name", Value::from(name)), ("request", request), ("answer", answer)]);
            writeln!(out, "{}", to_string(&Value::Map(line)))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
