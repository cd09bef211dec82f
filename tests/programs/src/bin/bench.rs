//! Measures how fast `crdgen check` is, as ratios to the oracle and to reading YAML alone, in one run over the same
//! files: the shared corpus, or our own CRDs if it is missing.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crdgen_core::json::to_string;
use crdgen_core::yaml;
use crdgen_programs::{judging, speed};
use crdgen_tests::case::Case;
use crdgen_tests::{corpus, oracle, ours};

/// The allocator of the command, so that reading alone is measured with the same one.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let run = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => run().and_then(|()| expressions()),
        ["expressions"] => expressions(),
        ["objects"] => judging::check(10_000).map(objects),
        ["apply"] => judging::apply(2_000).map(objects),
        ["diff"] => diff(),
        _ => Err(io::Error::other("usage: bench [expressions | objects | apply | diff]")),
    };
    match run {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("bench: {e}");
            ExitCode::from(2)
        }
    }
}

fn run() -> io::Result<()> {
    let (dir, seeds) = match (corpus::shared_dir(), corpus::shared_crds()) {
        (Some(dir), Some(seeds)) => (dir.join("crds"), seeds),
        _ => {
            println!("the shared corpus is not there: our own definitions");
            (corpus::tests_dir().join("corpus/crds"), corpus::own_crds())
        }
    };
    let bytes: usize = seeds.iter().map(|s| s.text.len()).sum();
    println!("{} files, {:.1} MB", seeds.len(), bytes as f64 / 1e6);

    let parsing = best(7, || {
        for seed in &seeds {
            let text = Arc::new(fs::read(dir.join(&seed.name))?);
            std::hint::black_box(yaml::read_shared(&text));
        }
        Ok(())
    })?;
    row("reading files and YAML", parsing, None);

    let crdgen = ours::program().map_err(io::Error::other)?;
    let mut memory = 0;
    let checking = best(7, || {
        let mut command = Command::new(crdgen.path());
        command.args(["check", "--jobs", "1", "-o", "json"]).arg(&dir);
        memory = memory.max(peak(command)?);
        Ok(())
    })?;
    row("crdgen check", checking, Some(("reading", ratio(checking, parsing))));
    println!("{:>24} {:>9} MiB at most", "", memory >> 20);

    let requests: Vec<String> =
        seeds.iter().map(|s| to_string(&Case::crd("", s.text.clone(), None).request)).collect();
    let rpc = best(1, || crdgen.ask(&requests, 1).map(|_| ()))?;
    row("crdgen rpc, op crd", rpc, Some(("reading", ratio(rpc, parsing))));
    match oracle::oracle() {
        Ok(oracle) => {
            let theirs = best(1, || oracle.ask(&requests, 1).map(|_| ()))?;
            row("oracle, op crd", theirs, Some(("crdgen check", ratio(theirs, checking))));
        }
        Err(why) => println!("no oracle to compare with: {why}"),
    }
    rules(&seeds)?;
    publishing(&seeds)
}

/// Measures the evaluation of the most common rules, compared with two peers.
fn expressions() -> io::Result<()> {
    let rows = speed::run(Duration::from_millis(60))?;
    let factor = |a: Option<Duration>, b: Duration| a.map(|a| ratio(a, b));
    let shown = |factor: Option<f64>| factor.map_or_else(|| "-".to_owned(), |f| format!("{f:.2}"));
    println!("{:>10} {:>8} {:>8}", "ns", "× cel", "× cel-go");
    for row in &rows {
        let (cel, go) = (factor(row.cel, row.ours), factor(row.cel_go, row.ours));
        println!("{:>10} {:>8} {:>8}  {}", row.ours.as_nanos(), shown(cel), shown(go), row.expression);
    }
    // All rules have the same weight, however long they take: this is the geometric mean of the factors.
    let mean = |of: &dyn Fn(&speed::Row) -> Option<f64>| {
        let logs: Vec<f64> = rows.iter().filter_map(of).map(f64::ln).collect();
        (logs.len(), (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp())
    };
    for (peer, (count, mean)) in [
        ("the cel crate", mean(&|row| factor(row.cel, row.ours))),
        ("cel-go", mean(&|row| factor(row.cel_go, row.ours))),
    ] {
        println!("{count} of {} shapes that both run: {mean:.2} times as fast as {peer}", rows.len());
    }
    Ok(())
}

/// Prints the processor time for an object of each kind, here and in the server's library.
fn objects(rows: Vec<judging::Row>) {
    println!("{:>9} {:>9} {:>7}", "ns", "library", "×");
    for row in &rows {
        let theirs = row.theirs.map_or_else(|| "-".to_owned(), |theirs| theirs.as_nanos().to_string());
        let factor =
            row.theirs.map_or_else(|| "-".to_owned(), |theirs| format!("{:.1}", ratio(theirs, row.ours)));
        println!(
            "{:>9} {theirs:>9} {factor:>7}  {} ({} objects)",
            row.ours.as_nanos(),
            row.kind,
            row.objects
        );
    }
    let factors: Vec<f64> = rows.iter().filter_map(|row| Some(ratio(row.theirs?, row.ours))).collect();
    let mean = (factors.iter().map(|f| f.ln()).sum::<f64>() / factors.len().max(1) as f64).exp();
    let least = factors.iter().copied().fold(f64::INFINITY, f64::min);
    println!("{} kinds: {mean:.1} times as fast as the library, at least {least:.1}", factors.len());
}

/// Measures compiling rules and computing their costs, for each CRD with rules.
fn rules(seeds: &[corpus::Seed]) -> io::Result<()> {
    let with_rules = seeds.iter().filter(|s| s.text.contains("x-kubernetes-validations"));
    let requests: Vec<String> =
        with_rules.map(|s| to_string(&Case::crd("", s.text.clone(), None).with_op("cel").request)).collect();
    both("cel", &requests)
}

/// Measures both documents of a version of each CRD.
fn publishing(seeds: &[corpus::Seed]) -> io::Result<()> {
    let case =
        |s: &corpus::Seed| Case::crd("", s.text.clone(), None).with_op("openapi").with_builder_options(1);
    let requests: Vec<String> = seeds.iter().map(|s| to_string(&case(s).request)).collect();
    both("openapi", &requests)
}

/// Sends the same requests to crdgen and to the oracle.
fn both(op: &str, requests: &[String]) -> io::Result<()> {
    let crdgen = ours::program().map_err(io::Error::other)?;
    let mine = best(3, || crdgen.ask(requests, 1).map(|_| ()))?;
    row(&format!("crdgen rpc, op {op}"), mine, None);
    if let Ok(oracle) = oracle::oracle() {
        let theirs = best(1, || oracle.ask(requests, 1).map(|_| ()))?;
        row(&format!("oracle, op {op}"), theirs, Some(("crdgen rpc", ratio(theirs, mine))));
    }
    Ok(())
}

/// How many CRDs are compared.
const COMPARED: usize = 560;

/// Compares CRDs with copies of themselves: `crdgen diff` on both folders, and crdify, which compares two files, if `$CRDIFY` is
/// its program.
fn diff() -> io::Result<()> {
    let seeds = corpus::shared_crds().unwrap_or_else(corpus::own_crds);
    let folder = std::env::temp_dir().join(format!("crdgen-bench-{}", std::process::id()));
    let sides = ["old", "new"].map(|side| folder.join(side));
    let mut files = Vec::new();
    for (number, seed) in seeds.iter().take(COMPARED).enumerate() {
        for side in &sides {
            fs::create_dir_all(side)?;
            fs::write(side.join(format!("{number}.yaml")), &seed.text)?;
        }
        files.push(format!("{number}.yaml"));
    }
    let crdgen = ours::program().map_err(io::Error::other)?;
    let comparing = best(3, || {
        let mut command = Command::new(crdgen.path());
        command.arg("diff").args(&sides).stdout(Stdio::null()).stderr(Stdio::null());
        match command.status()?.success() {
            true => Ok(()),
            false => Err(io::Error::other("crdgen diff finds changes in equal files")),
        }
    })?;
    println!("{} pairs of equal files", files.len());
    row("crdgen diff", comparing, None);
    if let Some(crdify) = std::env::var_os("CRDIFY") {
        let theirs = best(1, || {
            for file in &files {
                let sides = sides.iter().map(|side| format!("file://{}", side.join(file).display()));
                let mut command = Command::new(&crdify);
                command.args(sides).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
            }
            Ok(())
        })?;
        row("crdify", theirs, Some(("crdgen diff", ratio(theirs, comparing))));
    }
    fs::remove_dir_all(&folder)
}

fn best(times: usize, mut work: impl FnMut() -> io::Result<()>) -> io::Result<Duration> {
    let mut least = Duration::MAX;
    for _ in 0..times {
        let start = Instant::now();
        work()?;
        least = least.min(start.elapsed());
    }
    Ok(least)
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64().max(1e-9)
}

fn row(what: &str, time: Duration, against: Option<(&str, f64)>) {
    let against = against.map_or_else(String::new, |(other, ratio)| format!("{ratio:.1} × {other}"));
    println!("{what:>24} {:>9.3} s   {against}", time.as_secs_f64());
}

/// Runs a command to its end. Returns its peak memory in bytes, if the system reports it.
fn peak(mut command: Command) -> io::Result<u64> {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut most = 0;
    while child.try_wait()?.is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
        let now = line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0);
        most = most.max(now << 10);
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(most)
}
