//! Judges `crdgen diff` on random updates of CRDs: whether each witness is one by the server's own code, whether what is
//! called compatible is, and how much is found.

mod causes;
mod forms;
mod pairs;
mod replay;
mod search;

use std::collections::BTreeMap;
use std::io;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use crdgen_core::check::{self, Options};
use crdgen_core::compare::changes::Class;
use crdgen_core::decode;
use crdgen_core::ir::{Crd, Keyword};
use crdgen_core::json::to_string;
use crdgen_core::path::Step;
use crdgen_core::value::Value;
use crdgen_diff::Report;
use crdgen_programs::updates::forms::{Change, GROUPS, Group};
use crdgen_programs::updates::{self, Edit};
use crdgen_tests::corpus::{self, Seed};
use crdgen_tests::json::parse;
use crdgen_tests::rng::Rng;
use crdgen_tests::{oracle, processor_time, witness};
use search::Effort;

const USAGE: &str = "\
usage: diff [--count N] [--seed N] [--only N] [--objects N] [--budget N] [--max-bytes N] [--seconds N] [--jobs N] [--corpus] [--no-oracle] [--replay FILE] [--forms [TEXT]]
  --objects N    how many random objects are tried for each update that is called harmless (default 300)
  --budget N     how many objects the comparison tries for each change (default 1000)
  --max-bytes N  leaves out larger CRDs (default 60000)
  --seconds N    stops after this time
  --only N       judges one update, and prints it
  --forms TEXT   judges all changes of a node from one form to another one whose name contains the text; with --only N, one of N
  --list         prints the findings for which no witness was found
  --pairs FILE   compares with what another checker reports about the updates of a file, which tests/judges/run makes
  --replay FILE  compares what is found with the record in a file, without the oracle, and prints the differences as
                 Markdown; UPDATE=1 writes the file
  --corpus       also CRDs of the shared corpus";

struct Args {
    count: u64,
    seed: u64,
    only: Option<u64>,
    objects: usize,
    budget: usize,
    max_bytes: usize,
    seconds: u64,
    jobs: usize,
    pairs: Option<String>,
    replay: Option<String>,
    forms: Option<String>,
    list: bool,
    corpus: bool,
    oracle: bool,
}

fn main() -> ExitCode {
    // Schemas and objects can be nested deeply.
    let run = thread::Builder::new().stack_size(256 << 20).spawn(|| read().and_then(|args| run(&args)));
    match run.map(thread::JoinHandle::join) {
        Ok(Ok(Ok(true))) => ExitCode::SUCCESS,
        Ok(Ok(Ok(false))) => ExitCode::FAILURE,
        Ok(Ok(Err(e))) | Err(e) => {
            eprintln!("diff: {e}\n{USAGE}");
            ExitCode::from(2)
        }
        Ok(Err(_)) => ExitCode::from(2),
    }
}

fn read() -> io::Result<Args> {
    let mut out = Args {
        count: 1000,
        seed: 1,
        only: None,
        objects: 300,
        budget: 1000,
        max_bytes: 60_000,
        seconds: u64::MAX,
        jobs: 2,
        pairs: None,
        replay: None,
        forms: None,
        list: false,
        corpus: false,
        oracle: true,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || {
            let value = args.next().ok_or_else(|| io::Error::other(format!("{arg} needs a number")))?;
            value.parse::<u64>().map_err(io::Error::other)
        };
        match arg.as_str() {
            "--count" => out.count = number()?,
            "--seed" => out.seed = number()?,
            "--only" => out.only = Some(number()?),
            "--objects" => out.objects = number()? as usize,
            "--budget" => out.budget = number()? as usize,
            "--max-bytes" => out.max_bytes = number()? as usize,
            "--seconds" => out.seconds = number()?,
            "--jobs" => out.jobs = number()? as usize,
            "--pairs" => out.pairs = args.next(),
            "--replay" => out.replay = args.next(),
            "--forms" => out.forms = Some(args.next().unwrap_or_default()),
            "--list" => out.list = true,
            "--corpus" => out.corpus = true,
            "--no-oracle" => out.oracle = false,
            _ => return Err(io::Error::other(format!("unknown argument {arg}"))),
        }
    }
    Ok(out)
}

/// An update, and what makes it.
struct Pair {
    name: String,
    edit: &'static str,
    old: Crd,
    new: Crd,
    /// The node that becomes another one, if it is such an update.
    change: Option<Change>,
}

/// What is counted.
#[derive(Default)]
struct Counts {
    updates: usize,
    refused: usize,
    proved: usize,
    may_break: usize,
    may_break_of_rules: usize,
    rules: usize,
    breaking: usize,
    harmless: usize,
    missed: usize,
    objects: usize,
}

fn run(args: &Args) -> io::Result<bool> {
    if let Some(filter) = &args.forms {
        return forms::run(args, filter);
    }
    if let Some(file) = &args.pairs {
        return pairs::run(file, args.budget, args.objects);
    }
    let mut seeds = corpus::own_crds();
    if args.corpus {
        seeds.extend(
            corpus::shared_crds().ok_or_else(|| io::Error::other("no shared corpus; set $CRDGEN_CORPUS"))?,
        );
    }
    seeds.retain(|seed| seed.text.len() <= args.max_bytes);
    let edits: Vec<&'static Edit> = updates::edits().collect();
    if let Some(file) = &args.replay {
        let random = (0..args.count).filter_map(|number| {
            let Pair { name, old, new, .. } = pair(&seeds, &edits, args.seed, number)?;
            Some((name, old, new))
        });
        return replay::run(file, &seeds, random, args.budget);
    }
    let start = Instant::now();
    let mut by_edit: BTreeMap<&str, Counts> = BTreeMap::new();
    let (mut requests, mut expected) = (Vec::new(), Vec::new());
    let (mut taken_back, mut causes) = (Vec::new(), Vec::new());
    let mut times: Vec<(Duration, String)> = Vec::new();
    let mut is_fine = true;
    for number in 0..args.count {
        if args.only.is_some_and(|only| only != number) {
            continue;
        }
        if start.elapsed().as_secs() >= args.seconds {
            println!("stopped after {number} updates");
            break;
        }
        let Some(pair) = pair(&seeds, &edits, args.seed, number) else { continue };
        let counts = by_edit.entry(pair.edit).or_default();
        counts.updates += 1;
        if !check::update(&pair.new, &pair.old, &Options::default()).is_accepted() {
            counts.refused += 1;
            continue;
        }
        let before = processor_time();
        let report = crdgen_diff::diff(
            &pair.old,
            &pair.new,
            &crdgen_diff::Options { budget: args.budget, ..crdgen_diff::Options::default() },
        );
        times.push((processor_time().saturating_sub(before), pair.name.clone()));
        if args.only.is_some() {
            show(&pair, &report);
        }
        count(&report, counts);
        if args.list {
            list(&pair, &report);
        }
        for finding in &report.findings {
            let (Some(witness), Some(version)) = (finding.proof.witness(), &finding.version) else {
                continue;
            };
            let both = witness::requests(&pair.old, &pair.new, version, &witness.request);
            for (request, is_valid) in both.iter().zip([true, false]) {
                requests.push(to_string(request));
                expected.push((pair.name.clone(), is_valid));
            }
            if let Some(request) = causes::without(&pair.old, &pair.new, finding) {
                taken_back.push(to_string(&request));
                let words = witness.words.first().cloned().unwrap_or_default();
                causes.push((pair.name.clone(), words));
            }
        }
        if report.verdict() > Class::OnEdit {
            counts.harmless += usize::from(report.verdict() > Class::MayBreak);
            let verdict = report.verdict();
            let tries = pair.change.as_ref().map(|it| (&*it.place, &*it.values));
            let (objects, seed, keeps) = (args.objects, args.seed ^ number, verdict > Class::DataLoss);
            let effort = Effort { objects, seed, tries, keeps };
            let found = search::counterexample(&pair.old, &pair.new, &effort, &mut counts.objects);
            if let Some((effect, object)) = found {
                counts.missed += 1;
                let (name, effect) = (verdict.name(), effect.name());
                println!("{}: {name} but {effect}: {}", pair.name, to_string(&object));
                is_fine &= verdict == Class::MayBreak;
            }
        }
    }
    print(&by_edit, times);
    if args.oracle {
        is_fine &= judge(&requests, &expected, args.jobs)?;
        is_fine &= causes::judge(&taken_back, &causes, args.jobs)?;
    }
    Ok(is_fine)
}

/// How many CRDs are tried for an update.
const TRIES: usize = 40;

/// How many of a hundred updates change several rules of one object.
const OF_RULES: usize = 25;

/// How many of the others change the form of a node.
const OF_FORMS: usize = 20;

/// What makes the seeds of these updates, so that the others stay the same.
const RULES: u64 = 0x7275_6c65;
const FORMS: u64 = 0x666f_726d;

/// Update `number` of a seed: one to three changes, in one direction or the other.
fn pair(seeds: &[Seed], edits: &[&'static Edit], seed: u64, number: u64) -> Option<Pair> {
    let mut of_rules = Rng::of_case(seed ^ RULES, number);
    if of_rules.chance(OF_RULES) {
        return pair_of_rules(seeds, number, &mut of_rules);
    }
    let mut of_forms = Rng::of_case(seed ^ FORMS, number);
    if of_forms.chance(OF_FORMS) {
        return pair_of_forms(seeds, number, &mut of_forms);
    }
    let mut rng = Rng::of_case(seed, number);
    // Each kind of change comes equally often.
    let first = edits[(number % edits.len() as u64) as usize];
    for _ in 0..TRIES {
        let of = rng.pick(seeds);
        let mut changed = of.value.clone();
        if !updates::apply(first, &mut changed, &mut rng) {
            continue;
        }
        let more = if rng.chance(30) { 1 + rng.below(2) } else { 0 };
        for _ in 0..more {
            let other = *rng.pick(edits);
            updates::apply(other, &mut changed, &mut rng);
        }
        let (mut old, mut new) = (decode::crd(of.value.clone()).0?, decode::crd(changed).0?);
        if rng.chance(20) {
            std::mem::swap(&mut old, &mut new);
        }
        if !check::create(&old, &Options::default()).is_accepted() {
            continue;
        }
        let name = format!("{number}: {} of {}", first.name, of.name);
        return Some(Pair { name, edit: first.name, old, new, change: None });
    }
    None
}

/// An update that changes several rules of one object.
fn pair_of_rules(seeds: &[Seed], number: u64, rng: &mut Rng) -> Option<Pair> {
    for _ in 0..TRIES {
        let of = rng.pick(seeds);
        let mut before = of.value.clone();
        let Some(after) = updates::rules::change(&mut before, rng) else { continue };
        let (old, new) = (decode::crd(before).0?, decode::crd(after).0?);
        if [&old, &new].iter().all(|crd| check::create(crd, &Options::default()).is_accepted()) {
            let edit = "several rules";
            let name = format!("{number}: {edit} of {}", of.name);
            return Some(Pair { name, edit, old, new, change: None });
        }
    }
    None
}

/// An update that gives a node of a schema another form.
fn pair_of_forms(seeds: &[Seed], number: u64, rng: &mut Rng) -> Option<Pair> {
    for _ in 0..TRIES {
        let of = rng.pick(seeds);
        let mut before = of.value.clone();
        let Some((after, change)) = updates::forms::change(&mut before, rng) else { continue };
        let (old, new) = (decode::crd(before).0?, decode::crd(after).0?);
        if [&old, &new].iter().all(|crd| check::create(crd, &Options::default()).is_accepted()) {
            let name = format!("{number}: {} of {}", change.name, of.name);
            return Some(Pair { name, edit: change.group, old, new, change: Some(change) });
        }
    }
    None
}

fn show(pair: &Pair, report: &Report) {
    println!("{}", pair.name);
    for finding in &report.findings {
        println!("{}", to_string(&finding.to_value()));
    }
}

/// Prints the findings for which no witness was found.
fn list(pair: &Pair, report: &Report) {
    for finding in report.findings.iter().filter(|finding| finding.class == Class::MayBreak) {
        let field = finding.field.as_deref().unwrap_or("-");
        println!("{}: without a witness: {field}: {}", pair.name, finding.message);
    }
}

fn count(report: &Report, counts: &mut Counts) {
    for finding in &report.findings {
        let is_rule = finding
            .steps
            .iter()
            .any(|step| matches!(step, Step::Key(key) if key == Keyword::Validations.name()));
        counts.rules += usize::from(is_rule && finding.class <= Class::MayBreak);
        match finding.class {
            Class::MayBreak if is_rule => counts.may_break_of_rules += 1,
            Class::MayBreak => counts.may_break += 1,
            _ if finding.proof.witness().is_some() => counts.proved += 1,
            _ => {}
        }
    }
    counts.breaking += usize::from(report.verdict() <= Class::OnEdit);
}

/// Asks the server's own code about all witnesses.
fn judge(requests: &[String], expected: &[(String, bool)], jobs: usize) -> io::Result<bool> {
    let oracle = oracle::oracle().map_err(io::Error::other)?;
    let answers = oracle.ask(requests, jobs)?;
    let mut wrong = 0;
    for ((answer, (name, is_valid)), request) in answers.iter().zip(expected).zip(requests) {
        let valid = parse(answer).ok().and_then(|answer| answer.get("valid").and_then(Value::as_bool));
        if valid != Some(*is_valid) {
            wrong += 1;
            println!("{name}: the server's code answers {answer}, to {request}");
        }
    }
    println!("witnesses: {}, of which {} wrong answers by the server's code", requests.len() / 2, wrong);
    Ok(wrong == 0)
}

fn print(by_edit: &BTreeMap<&str, Counts>, mut times: Vec<(Duration, String)>) {
    println!("| change | updates | refused | breaking | witnesses | may break | harmless | missed |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut all = Counts::default();
    for (name, it) in by_edit {
        let may_break = it.may_break + it.may_break_of_rules;
        println!(
            "| {name} | {} | {} | {} | {} | {may_break} | {} | {} |",
            it.updates, it.refused, it.breaking, it.proved, it.harmless, it.missed
        );
        all.updates += it.updates;
        all.refused += it.refused;
        all.breaking += it.breaking;
        all.proved += it.proved;
        all.may_break += it.may_break;
        all.may_break_of_rules += it.may_break_of_rules;
        all.rules += it.rules;
        all.harmless += it.harmless;
        all.missed += it.missed;
        all.objects += it.objects;
    }
    let forms: usize = GROUPS.iter().map(Group::kinds).sum();
    println!(
        "{} kinds of change: {} edits, and {forms} pairs of forms of a node",
        updates::edits().count() + forms,
        updates::edits().count()
    );
    println!(
        "{} rows, {} updates, {} refused, {} breaking, {} harmless, {} missed in {} random objects",
        by_edit.len(),
        all.updates,
        all.refused,
        all.breaking,
        all.harmless,
        all.missed,
        all.objects
    );
    println!(
        "witnesses {}, without one: {} (not rules), {} of {} rules",
        all.proved, all.may_break, all.may_break_of_rules, all.rules
    );
    times.sort();
    let at = |share: usize| {
        times
            .get((times.len() * share / 100).min(times.len().saturating_sub(1)))
            .map(|(time, _)| *time)
            .unwrap_or_default()
    };
    println!("processor time: median {:?}, 95% {:?}, most {:?}", at(50), at(95), at(100));
    for (time, name) in times.iter().rev().take(3) {
        println!("{time:?} for {name}");
    }
}
