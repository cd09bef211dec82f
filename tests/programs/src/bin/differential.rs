//! Sends the same requests to the oracle and to crdgen, and counts the differences.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use crdgen_core::json::to_string;
use crdgen_core::value::Value;
use crdgen_tests::case::{self, Case};
use crdgen_tests::compare::{Category, Options, Outcome, compare};
use crdgen_tests::corpus::{self, Seed};
use crdgen_tests::evaluations::Grammar;
use crdgen_tests::histories::History;
use crdgen_tests::json::parse;
use crdgen_tests::mutate::{Mutator, object};
use crdgen_tests::{older, oracle, ours, vectors};

/// How many steps a history has.
const STEPS: u64 = 15;
/// How many histories take each step together.
const TOGETHER: u64 = 400;
/// How often to send a request to the server again if its answer differs from ours.
const REPEATS: usize = 16;
const USAGE: &str = "\
usage: differential [options]
  --op OP         crd (default), structural, openapi, cel, object, apply (random histories) or smd (the recorded calls)
  --updates       op crd: update pairs
  --kube 1.NN     as another server than the newest one; its oracle is $CRDGEN_ORACLE_1_NN
  --count N       how many mutations (default 2000)
  --seed S        of the mutations (default 1)
  --corpus        over the shared corpus instead of our own definitions
  --files         the definitions as they are, no mutations
  --cases         the hand-written cases
  --requests F    the requests in a file of JSON lines
  --no-cel        leave out errors that come from compiling rules and from their costs
  --max-bytes N   only definitions up to this size (default 60000; with --files all)
  --seconds T     stop after this time
  --jobs N        processes per side (default 1)
  --only N        mutation number N alone, with both answers
  --examples N    how many examples per category (default 5)
  --report F      writes all differences to a file";

struct Args {
    op: String,
    updates: bool,
    kube: Option<u32>,
    count: u64,
    seed: u64,
    corpus: bool,
    files: bool,
    cases: bool,
    requests: Option<PathBuf>,
    options: Options,
    max_bytes: Option<usize>,
    seconds: Option<u64>,
    jobs: usize,
    only: Option<u64>,
    examples: usize,
    report: Option<PathBuf>,
}

impl Args {
    fn read() -> Result<Args, String> {
        let mut args = Args {
            op: "crd".to_owned(),
            updates: false,
            kube: None,
            count: 2000,
            seed: 1,
            corpus: false,
            files: false,
            cases: false,
            requests: None,
            options: Options::default(),
            max_bytes: None,
            seconds: None,
            jobs: 1,
            only: None,
            examples: 5,
            report: None,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            let number = |text: String| text.parse::<u64>().map_err(|e| format!("{word}: {e}"));
            match word.as_str() {
                "--op" => args.op = value()?,
                "--updates" => args.updates = true,
                "--kube" => {
                    let version = value()?;
                    let minor = version.strip_prefix("1.").and_then(|minor| minor.parse().ok());
                    let minor = minor.filter(|minor| older::versions().any(|known| known == *minor));
                    let minor = minor.ok_or(format!("--kube {version}: not another server"))?;
                    args.kube = Some(minor);
                    args.options.addresses = older::options(minor).addresses;
                }
                "--count" => args.count = number(value()?)?,
                "--seed" => args.seed = number(value()?)?,
                "--corpus" => args.corpus = true,
                "--files" => args.files = true,
                "--cases" => args.cases = true,
                "--requests" => args.requests = Some(value()?.into()),
                "--no-cel" => args.options.without_cel = true,
                "--max-bytes" => args.max_bytes = Some(number(value()?)? as usize),
                "--seconds" => args.seconds = Some(number(value()?)?),
                "--jobs" => args.jobs = number(value()?)? as usize,
                "--only" => args.only = Some(number(value()?)?),
                "--examples" => args.examples = number(value()?)? as usize,
                "--report" => args.report = Some(value()?.into()),
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(args)
    }
}

fn main() -> ExitCode {
    let args = match Args::read() {
        Ok(args) => args,
        Err(usage) => {
            eprintln!("{usage}");
            return ExitCode::from(2);
        }
    };
    // Answers can be nested as deeply as their requests.
    let run = thread::Builder::new().stack_size(256 << 20).spawn(move || run(&args));
    match run.map(thread::JoinHandle::join) {
        Ok(Ok(Ok(true))) => ExitCode::SUCCESS,
        Ok(Ok(Ok(false))) => ExitCode::FAILURE,
        Ok(Ok(Err(e))) | Err(e) => {
            eprintln!("differential: {e}");
            ExitCode::from(2)
        }
        Ok(Err(_)) => ExitCode::from(2),
    }
}

/// Where cases come from. They are generated by number, so that only a batch is in memory.
struct Source<'a> {
    args: &'a Args,
    seeds: &'a [Seed],
    objects: Vec<Seed>,
    mutator: Mutator<'a>,
    grammar: Grammar,
    fixed: Option<Vec<Case>>,
}

impl<'a> Source<'a> {
    fn new(args: &'a Args, seeds: &'a [Seed]) -> io::Result<Source<'a>> {
        let of_op = |text: &str, name: &str| Case::crd(name, text, None).with_op(&args.op);
        let fixed = if let Some(path) = &args.requests {
            let text = std::fs::read_to_string(path)?;
            let mut cases = Vec::new();
            for (i, line) in text.lines().filter(|l| !l.trim().is_empty()).enumerate() {
                cases.push(Case {
                    name: format!("line {}", i + 1),
                    request: parse(line).map_err(io::Error::other)?,
                });
            }
            Some(cases)
        } else if args.op == "smd" {
            let vectors = vectors::load("smd")?.into_iter();
            Some(vectors.map(|vector| Case { name: vector.name, request: vector.request }).collect())
        } else if args.cases {
            let is_object = args.op == "object";
            let mut cases = case::own_cases(&corpus::own_crds());
            cases.retain(|c| c.request.get("object").is_some() == is_object);
            Some(cases.into_iter().map(|c| c.with_op(&args.op)).collect())
        } else if args.files && args.op != "object" {
            Some(seeds.iter().map(|s| of_op(&s.text, &s.name)).collect())
        } else {
            None
        };
        let objects = if args.op == "object" && args.corpus {
            corpus::shared_objects().unwrap_or_default()
        } else {
            Vec::new()
        };
        let fixed = if args.files && args.op == "object" {
            Some(objects.iter().filter_map(|o| object::of_seed(seeds, o, None)).collect())
        } else {
            fixed
        };
        Ok(Source {
            args,
            seeds,
            objects,
            mutator: Mutator::new(seeds, args.seed),
            grammar: Grammar::load(),
            fixed,
        })
    }

    fn count(&self) -> u64 {
        self.fixed.as_ref().map_or(self.args.count, |f| f.len() as u64)
    }

    fn case(&self, number: u64) -> Option<Case> {
        if let Some(fixed) = &self.fixed {
            return fixed.get(number as usize).cloned().map(|case| self.varied(case, number));
        }
        let args = self.args;
        let case = match args.op.as_str() {
            "object" if !self.objects.is_empty() && number.is_multiple_of(2) => {
                return object::of_corpus(self.seeds, &self.objects, args.seed, number);
            }
            "object" => return object::case(self.seeds, args.seed, number),
            "eval" => return Some(self.grammar.case(args.seed, number)),
            _ if args.updates => self.mutator.update(number),
            _ => self.mutator.create(number),
        };
        // A cluster only publishes CRDs that it has accepted.
        if args.op == "openapi" {
            let answer = ours::answer(&case.request);
            if answer.get("valid").and_then(Value::as_bool) != Some(true) {
                return None;
            }
        }
        Some(self.varied(case.with_op(&args.op), number))
    }

    /// Uses all sets of options for documents in turn.
    fn varied(&self, case: Case, number: u64) -> Case {
        if self.args.op != "openapi" || self.args.requests.is_some() {
            return case;
        }
        case.with_builder_options(number)
    }
}

/// The results.
#[derive(Default)]
struct Tally {
    compared: u64,
    valid: u64,
    no_judge: u64,
    by_chance: u64,
    differing: u64,
    found: BTreeMap<Category, Vec<String>>,
    their_time: Duration,
    our_time: Duration,
}

/// Whether a server accepts a new CRD.
fn is_accepted(crd: &str) -> bool {
    let request = Value::Map([("op", Value::from("crd")), ("crd", crd.into())].into_iter().collect());
    ours::answer(&request).get("valid").and_then(Value::as_bool) == Some(true)
}

fn run(args: &Args) -> io::Result<bool> {
    let theirs = args.kube.map_or_else(oracle::oracle, oracle::older).map_err(io::Error::other)?;
    let ours = ours::program().map_err(io::Error::other)?;
    let mut seeds = if args.corpus {
        corpus::shared_crds().ok_or_else(|| io::Error::other("no shared corpus; set $CRDGEN_CORPUS"))?
    } else {
        corpus::own_crds()
    };
    if let Some(max) = args.max_bytes.or((!args.files).then_some(60_000)) {
        seeds.retain(|s| s.text.len() <= max);
    }
    let start = Instant::now();
    let mut tally = Tally::default();
    if args.op == "apply" && args.requests.is_none() {
        // Objects can only be written after a server has accepted their CRD.
        seeds.retain(|seed| is_accepted(&seed.text));
        histories(args, &seeds, &theirs, &ours, &mut tally)?;
        tally.print(args, start.elapsed());
        return tally.report(args);
    }
    let source = Source::new(args, &seeds)?;
    let numbers: Vec<u64> = match args.only {
        Some(number) => vec![number],
        None => (0..source.count()).collect(),
    };
    for batch in numbers.chunks(1000) {
        if args.seconds.is_some_and(|s| start.elapsed().as_secs() >= s) {
            println!("stopped after {} s", start.elapsed().as_secs());
            break;
        }
        let cases: Vec<Case> = batch.iter().filter_map(|&n| source.case(n)).collect();
        let lines: Vec<String> = cases.iter().map(|c| to_string(&c.request)).collect();
        let our_lines: Vec<String> = match args.kube {
            None => lines.clone(),
            Some(minor) => cases.iter().map(|c| to_string(&older::asked(&c.request, minor))).collect(),
        };
        let timed = |program: &oracle::Program, lines: &[String]| {
            let start = Instant::now();
            program.ask(lines, args.jobs).map(|answers| (answers, start.elapsed()))
        };
        let (their, our) = thread::scope(|scope| {
            let their = scope.spawn(|| timed(&theirs, &lines));
            let our = if args.op == "smd" {
                // Only tests answer this operation.
                Ok((cases.iter().map(|c| to_string(&ours::answer(&c.request))).collect(), Duration::ZERO))
            } else {
                timed(&ours, &our_lines)
            };
            (their.join(), our)
        });
        let (their_answers, their_time) = their.map_err(|_| io::Error::other("a thread died"))??;
        let (our_answers, our_time) = our?;
        tally.their_time += their_time;
        tally.our_time += our_time;
        for ((case, answer), ours) in cases.iter().zip(&their_answers).zip(&our_answers) {
            if args.only.is_some() {
                println!(
                    "{}\nrequest: {}\noracle: {answer}\nours:   {ours}",
                    case.name,
                    to_string(&case.request)
                );
            }
            tally.judge(case, answer, ours, args, &theirs)?;
        }
    }
    tally.print(args, start.elapsed());
    tally.report(args)
}

/// Compares random histories, one step of many histories at once. Each continues with the oracle's answer.
fn histories(
    args: &Args,
    seeds: &[Seed],
    theirs: &oracle::Program,
    ours: &oracle::Program,
    tally: &mut Tally,
) -> io::Result<()> {
    let start = Instant::now();
    let count = args.count.div_ceil(STEPS);
    let numbers: Vec<u64> = (0..count).filter(|n| args.only.is_none_or(|only| only == *n)).collect();
    for batch in numbers.chunks(TOGETHER as usize) {
        let started = |number: &u64| {
            // With the corpus, every second history has one of its CRDs.
            let of_corpus = args.corpus && number.is_multiple_of(2) && !seeds.is_empty();
            let seed = of_corpus.then(|| &seeds[*number as usize % seeds.len()].value);
            (*number, History::new(args.seed, *number, seed))
        };
        let mut histories: Vec<_> = batch.iter().map(started).collect();
        for step in 0..STEPS {
            if args.seconds.is_some_and(|s| start.elapsed().as_secs() >= s) {
                println!("stopped after {} s", start.elapsed().as_secs());
                return Ok(());
            }
            let case = |(number, history): &mut (u64, History)| Case {
                name: format!("history {number} step {step}"),
                request: history.request(),
            };
            let cases: Vec<Case> = histories.iter_mut().map(case).collect();
            let lines: Vec<String> = cases.iter().map(|c| to_string(&c.request)).collect();
            let (their, our) = thread::scope(|scope| {
                let their = scope.spawn(|| theirs.ask(&lines, args.jobs));
                let our = ours.ask(&lines, args.jobs);
                (their.join(), our)
            });
            let (their, our) = (their.map_err(|_| io::Error::other("a thread died"))??, our?);
            for (at, case) in cases.iter().enumerate() {
                tally.judge(case, &their[at], &our[at], args, theirs)?;
                histories[at].1.continue_with(&parse(&their[at]).map_err(io::Error::other)?);
            }
        }
    }
    Ok(())
}

/// Whether the server also gives this answer when it gets the request again: a few of its answers depend on the order
/// of a Go map.
fn gives(server: &oracle::Program, case: &Case, op: &str, ours: &Value, args: &Args) -> io::Result<bool> {
    let lines = vec![to_string(&case.request); REPEATS];
    for answer in server.ask(&lines, 1)? {
        let answer = parse(&answer).map_err(io::Error::other)?;
        if matches!(compare(op, &answer, ours, args.options), Outcome::Compared(list) if list.is_empty()) {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Tally {
    fn judge(
        &mut self,
        case: &Case,
        theirs: &str,
        ours: &str,
        args: &Args,
        server: &oracle::Program,
    ) -> io::Result<()> {
        let theirs = parse(theirs).map_err(io::Error::other)?;
        let ours = parse(ours).map_err(io::Error::other)?;
        // Requests of a file have their own op.
        let op = case.request.get("op").and_then(Value::as_str).unwrap_or(&args.op);
        match compare(op, &theirs, &ours, args.options) {
            Outcome::NoJudge(_) => self.no_judge += 1,
            Outcome::Compared(differences)
                if !differences.is_empty() && gives(server, case, op, &ours, args)? =>
            {
                self.by_chance += 1;
            }
            Outcome::Compared(differences) => {
                self.compared += 1;
                self.valid += u64::from(theirs.get("valid").and_then(Value::as_bool) == Some(true));
                self.differing += u64::from(!differences.is_empty());
                for difference in differences {
                    let list = self.found.entry(difference.category).or_default();
                    list.push(format!("{}\t{}", case.name, difference.text));
                }
            }
        }
        Ok(())
    }

    /// Writes the report, if there is to be one. Returns whether enough answers are equal.
    fn report(&self, args: &Args) -> io::Result<bool> {
        if let Some(path) = &args.report {
            let mut text = String::new();
            for (category, examples) in &self.found {
                for example in examples {
                    let _ = writeln!(text, "{}\t{example}", category.name());
                }
            }
            std::fs::write(path, text)?;
        }
        Ok(Category::ALL.iter().all(|c| self.share(*c) >= c.wanted()))
    }

    /// Returns the share of equal answers in a part, in percent.
    fn share(&self, category: Category) -> f64 {
        self.equal(self.found.get(&category).map_or(0, Vec::len) as u64)
    }

    fn equal(&self, differing: u64) -> f64 {
        100.0 * (1.0 - differing as f64 / self.compared.max(1) as f64)
    }

    fn print(&self, args: &Args, elapsed: Duration) {
        for (category, examples) in &self.found {
            println!("── {}", category.name());
            for example in examples.iter().take(args.examples) {
                let cut: String = example.chars().take(700).collect();
                println!("  {cut}");
            }
        }
        println!(
            "\nop {}: {} compared ({} valid), {} without judge, {} of several answers, {:.1} s (oracle {:.1} s, crdgen {:.1} s)",
            args.op,
            self.compared,
            self.valid,
            self.no_judge,
            self.by_chance,
            elapsed.as_secs_f64(),
            self.their_time.as_secs_f64(),
            self.our_time.as_secs_f64()
        );
        for category in Category::ALL {
            let n = self.found.get(&category).map_or(0, Vec::len) as u64;
            println!("{:>12} {:>8} differ   {:>8.3} % equal", category.name(), n, self.share(category));
        }
        println!("{:>12} {:>8} differ   {:>8.3} % equal", "any", self.differing, self.equal(self.differing));
    }
}
