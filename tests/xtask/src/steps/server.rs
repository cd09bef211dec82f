//! The API server's own code, compared with ours.

use crate::machine::{Machine, setting};
use crate::output::{Failed, Outcome, Output};
use std::fs::{self, File};
use std::process::{Command, Stdio};

pub(super) fn build(machine: &Machine, output: &mut Output) -> Outcome {
    if !machine.builds_oracle {
        output.line("$CRDGEN_ORACLE names it");
        return Ok(());
    }
    output.run(machine.command("sh").arg("tests/oracle/build.sh").arg(machine.target.join("oracle")))
}

pub(super) fn vectors(machine: &Machine, output: &mut Output) -> Outcome {
    output.run(machine.command(machine.program("vectors")).arg("check"))
}

/// The tests replay a part of them.
pub(super) fn replay_older(machine: &Machine, output: &mut Output) -> Outcome {
    output.run(machine.command(machine.program("vectors")).arg("replay-older"))
}

pub(super) fn tables(machine: &Machine, output: &mut Output) -> Outcome {
    output.run(machine.command(machine.program("tables")).arg("check"))
}

/// The inputs of upstream's own tests for the server's functions.
pub(super) fn upstream(machine: &Machine, output: &mut Output) -> Outcome {
    let requests = machine.target.join("upstream.jsonl");
    let file = File::create(&requests).map_err(|_| Failed)?;
    let mut command = machine.command("go");
    command.args(["run", "./upstream"]).current_dir(machine.root.join("tests/oracle"));
    let status = command.stdin(Stdio::null()).stdout(file).status();
    if !status.is_ok_and(|status| status.success()) {
        output.line("error: go run ./upstream");
        return Err(Failed);
    }
    output.run(differ(machine, "--jobs 2 --requests").arg(requests))
}

/// Sets of random inputs. Each set runs for a limited time.
const SETS: &[&str] = &[
    "--count 20000",
    "--updates --count 8000",
    "--op structural --count 4000",
    "--op openapi --count 4000",
    "--op cel --count 4000",
    "--op eval --count 1000",
    "--op object --count 10000",
    "--op apply --count 15000",
    "--op smd",
];

/// Sets that need the shared corpus.
const CORPUS_SETS: &[&str] = &[
    "--corpus --count 3000",
    "--corpus --updates --count 1000",
    "--op object --corpus --count 4000",
    "--op apply --corpus --count 3000",
];

/// Sets for an older server.
const OLDER_SETS: &[&str] = &["--count 4000", "--updates --count 2000", "--op object --count 2000"];

pub(super) fn differential(machine: &Machine, output: &mut Output) -> Outcome {
    output.line("# hand-written cases");
    let mut outcome = output.run(&mut differ(machine, "--cases"));
    let of_corpus = if machine.corpus.is_some() { CORPUS_SETS } else { &[] };
    if of_corpus.is_empty() {
        output.line("the shared corpus is not there: our own CRDs alone");
    }
    for set in SETS.iter().chain(of_corpus) {
        outcome = outcome.and(random(machine, output, "differential", set));
    }
    // What an update breaks: the server's own code judges the witnesses.
    let of_corpus = if machine.corpus.is_some() { "--corpus" } else { "" };
    outcome.and(random(machine, output, "diff", of_corpus))
}

/// What `crdgen diff` finds in updates of our own CRDs, compared with what it found before.
pub(super) fn updates(machine: &Machine, output: &mut Output) -> Outcome {
    let record = machine.root.join("tests/changes/replay.txt");
    let mut command = run(machine, "diff", "--count 1000 --replay");
    output.run(command.arg(record))
}

/// Compares a set of random inputs.
fn random(machine: &Machine, output: &mut Output, program: &str, set: &str) -> Outcome {
    output.line(&format!("# {program} {set}"));
    let mut command = run(machine, program, set);
    command.args([
        "--jobs",
        "2",
        "--seed",
        &machine.seed,
        "--seconds",
        &setting("CI_DIFFERENTIAL_SECONDS", "20"),
    ]);
    output.run(&mut command)
}

fn differ(machine: &Machine, arguments: &str) -> Command {
    run(machine, "differential", arguments)
}

fn run(machine: &Machine, program: &str, arguments: &str) -> Command {
    let mut command = machine.command(machine.program(program));
    command.args(arguments.split_whitespace());
    command
}

/// The older server that the commit selects, because building a server takes minutes of processor time. `CI_PARTS=all` checks all
/// of them.
pub(super) fn older(machine: &Machine, output: &mut Output) -> Outcome {
    let mut versions: Vec<String> = fs::read_dir(machine.root.join("tests/oracle/versions"))
        .map_err(|_| Failed)?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".mod").map(str::to_owned))
        .collect();
    versions.sort();
    if !machine.tries_all {
        let turn = machine.turn as usize % versions.len().max(1);
        versions = versions.into_iter().skip(turn).take(1).collect();
    }
    let mut outcome = Ok(());
    for version in &versions {
        outcome = outcome.and(older_server(machine, output, version));
    }
    outcome
}

fn older_server(machine: &Machine, output: &mut Output, version: &str) -> Outcome {
    let oracle = machine.target.join(format!("oracle-{version}"));
    output.run(machine.command("sh").arg("tests/oracle/build.sh").arg(&oracle).arg(version))?;
    let variable = format!("CRDGEN_ORACLE_{}", version.replace('.', "_"));
    let mut outcome = Ok(());
    if machine.root.join(format!("tests/vectors/older/{version}.answers")).is_file() {
        let minor = version.split_once('.').map_or(version, |(_, minor)| minor);
        let mut command = machine.command(machine.program("vectors"));
        outcome = output.run(command.args(["check-older", minor]).env(&variable, &oracle));
    }
    for set in OLDER_SETS {
        output.line(&format!("# {version} {set}"));
        let mut command = differ(machine, set);
        command.args(["--kube", version, "--jobs", "2", "--seed", &machine.seed]);
        command.args(["--seconds", &setting("CI_DIFFERENTIAL_SECONDS", "20")]);
        outcome = outcome.and(output.run(command.env(&variable, &oracle)));
    }
    outcome
}
