//! Gives broken inputs to every parser, with a stable toolchain. No input may cause a panic or a stack overflow, take
//! longer than two seconds (one for an expression), or need more than a gibibyte of memory.
//!
//! Inputs with a new outcome are added to the corpus and mutated further. Each process keeps its current input in a
//! file, so that the cause of a crash is known.

mod mutate;
mod seeds;
mod targets;
mod watch;

use crdgen_tests::rng::Rng;
use mutate::{LENGTH, mutate};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use targets::{TARGETS, Target, hash};
use watch::{memory, watch};

const USAGE: &str = "usage: fuzz [--seconds N] [--seed S] [--jobs N] [--target NAME,…] [--input FILE]";
const JOBS: u64 = 2;
/// How many bytes of an input are printed.
const EXCERPT: usize = 4000;

/// The corpus of a target: the inputs that gave a new outcome.
struct Corpus {
    inputs: Vec<Vec<u8>>,
    seen: HashSet<u64>,
}

struct Args {
    seconds: u64,
    seed: u64,
    jobs: u64,
    target: Option<String>,
    input: Option<PathBuf>,
    child: Option<PathBuf>,
}

fn args() -> Option<Args> {
    let mut args = Args { seconds: 60, seed: 1, jobs: JOBS, target: None, input: None, child: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next()?;
        match word.as_str() {
            "--seconds" => args.seconds = value.parse().ok()?,
            "--seed" => args.seed = value.parse().ok()?,
            "--jobs" => args.jobs = value.parse().ok()?,
            "--target" => args.target = Some(value),
            "--input" => args.input = Some(value.into()),
            "--child" => args.child = Some(value.into()),
            _ => return None,
        }
    }
    Some(args)
}

fn main() -> ExitCode {
    let Some(args) = args() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let result = if args.child.is_some() || args.input.is_some() {
        // The stack has the same size as in the command.
        let work = thread::Builder::new().stack_size(256 << 20).spawn(move || child(&args));
        work.and_then(|thread| {
            thread.join().unwrap_or_else(|_| Err(io::Error::other("the harness panicked")))
        })
    } else {
        parent(&args)
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("fuzz: {e}");
            ExitCode::from(2)
        }
    }
}

/// Starts the worker processes, and keeps the input if one of them dies.
fn parent(args: &Args) -> io::Result<bool> {
    let target_dir = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let dir = PathBuf::from(target_dir).join("fuzz");
    fs::create_dir_all(&dir)?;
    let mut children = Vec::new();
    for job in 0..args.jobs {
        let seed = args.seed.wrapping_mul(1000).wrapping_add(job);
        let file = dir.join(format!("current-{}-{job}", args.target.as_deref().unwrap_or("all")));
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(["--seconds", &args.seconds.to_string(), "--seed", &seed.to_string()])
            .arg("--child")
            .arg(&file);
        if let Some(target) = &args.target {
            command.args(["--target", target]);
        }
        children.push((file, command.stdin(Stdio::null()).spawn()?));
    }
    let mut fine = true;
    for (file, mut child) in children {
        let status = child.wait()?;
        if status.success() {
            continue;
        }
        fine = false;
        // The process itself saves the input that causes a panic. After any other crash, the current input is in its
        // file.
        if status.code() != Some(1) {
            let input = fs::read(&file)?;
            let kept = keep(&dir, "crash", &input)?;
            println!("{status} on {}: {}", kept.display(), excerpt(&input));
        }
    }
    println!("{}", if fine { "nothing found" } else { "found something: see above" });
    Ok(fine)
}

/// Returns the start of an input, or all of it if it is short. This helps if the file is out of reach.
fn excerpt(input: &[u8]) -> String {
    let shown = &input[..input.len().min(EXCERPT)];
    format!("{} bytes, \"{}\"", input.len(), shown.escape_ascii())
}

fn keep(dir: &Path, what: &str, input: &[u8]) -> io::Result<PathBuf> {
    let path = dir.join(format!("{what}-{:016x}", hash(input)));
    fs::write(&path, input)?;
    Ok(path)
}

fn targets(args: &Args) -> Vec<&'static Target> {
    TARGETS
        .iter()
        .filter(|t| args.target.as_deref().is_none_or(|names| names.split(',').any(|n| n == t.name)))
        .collect()
}

fn child(args: &Args) -> io::Result<bool> {
    if let Some(input) = &args.input {
        let input = fs::read(input)?;
        for target in targets(args) {
            let start = Instant::now();
            (target.run)(&input);
            println!("{}: {:?}", target.name, start.elapsed());
        }
        return Ok(true);
    }
    let file = args.child.clone().unwrap_or_else(|| "current".into());
    let dir = file.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut at_hand = File::create(&file)?;
    let (mut number, at_work) = (0, Arc::new(AtomicU64::new(0)));
    let current = Arc::new(AtomicUsize::new(0));
    watch(targets(args), Arc::clone(&at_work), Arc::clone(&current));
    std::panic::set_hook(Box::new(|_| {}));
    let clock = Instant::now();
    let mut rng = Rng::new(args.seed);
    let mut fine = true;
    let targets = targets(args);
    let mut corpora: Vec<Corpus> =
        targets.iter().map(|t| Corpus { inputs: (t.seeds)(), seen: HashSet::new() }).collect();
    let mut counts = vec![0u64; targets.len()];
    let mut slowest = (Duration::ZERO, "");
    let end = Duration::from_secs(args.seconds);
    while clock.elapsed() < end {
        for (i, target) in targets.iter().enumerate() {
            let slice = Instant::now();
            current.store(i, Ordering::Relaxed);
            while slice.elapsed() < Duration::from_millis(200) {
                let corpus = &mut corpora[i];
                let other = rng.pick(&corpus.inputs).clone();
                let one = rng.pick(&corpus.inputs).clone();
                let input = mutate(&one, &other, &mut rng);
                at_hand.set_len(input.len() as u64)?;
                at_hand.rewind()?;
                at_hand.write_all(&input)?;
                let start = Instant::now();
                number += 1;
                at_work.store(number, Ordering::Relaxed);
                let result = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
                at_work.store(0, Ordering::Relaxed);
                let took = start.elapsed();
                if took > slowest.0 {
                    slowest = (took, target.name);
                    // An input that comes close to the limit would exceed it on a slower machine.
                    if took > target.longest / 2 {
                        println!("{} took {took:?}: {}", target.name, excerpt(&input));
                    }
                }
                counts[i] += 1;
                match result {
                    Ok(outcome) => {
                        if corpus.seen.insert(outcome) && input.len() <= LENGTH && corpus.inputs.len() < 4000
                        {
                            corpus.inputs.push(input);
                        }
                    }
                    Err(panic) => {
                        fine = false;
                        let text = panic.downcast_ref::<String>().map(String::as_str);
                        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("");
                        let text: String = text.chars().take(300).collect();
                        let kept = keep(&dir, &format!("panic-{}", target.name), &input)?;
                        println!(
                            "{} panicked on {}: {text}: {}",
                            target.name,
                            kept.display(),
                            excerpt(&input)
                        );
                    }
                }
            }
        }
    }
    let each: Vec<String> = targets
        .iter()
        .zip(&counts)
        .zip(&corpora)
        .map(|((t, n), c)| format!("{} {n} ({} kept)", t.name, c.inputs.len()))
        .collect();
    println!(
        "{} inputs in {} s: {}; slowest {:?} ({}); {} MiB at most",
        counts.iter().sum::<u64>(),
        clock.elapsed().as_secs(),
        each.join(", "),
        slowest.0,
        slowest.1,
        memory("VmHWM:") >> 20
    );
    Ok(fine)
}
