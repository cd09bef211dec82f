//! Tests, also of the optimized programs.

use crate::machine::{Machine, setting};
use crate::output::{Failed, Outcome, Output};
use std::fs;
use std::process::Command;
use std::thread;

/// The command that README.md names. It goes on after a program that fails, so that a run shows all that is wrong.
pub(super) fn all(machine: &Machine, output: &mut Output) -> Outcome {
    output.run(&mut machine.optimized(&["test", "--workspace", "--no-fail-fast"]))
}

/// Some of the tests, with the features of the whole run. With other features, cargo would build the crates once more.
fn some(machine: &Machine, target: &str, filters: &[&str]) -> Command {
    let mut command = machine.optimized(&["test", "--workspace", "--test", target, "--"]);
    command.args(filters);
    command
}

/// Tests the optimized program with larger hostile inputs. `tests` does the same with small ones, for which the sizes of `growth` are
/// right. `CI_HOSTILE_KB=100000` uses a hundred megabytes, which takes half an hour.
pub(super) fn hostile(machine: &Machine, output: &mut Output) -> Outcome {
    output.run(&mut machine.cargo(&["build", "--release", "-p", "crdgen-cli"]))?;
    let mut command = some(machine, "main", &["hostile::", "--skip", "hostile::growth"]);
    command.env("CRDGEN_HOSTILE_KB", setting("CI_HOSTILE_KB", "4000"));
    output.run(command.env("CRDGEN_HOSTILE_TOOL", machine.target.join("release/crdgen")))
}

/// Values in serde and the server, several times as many as in a run of the tests, and more meaningless attributes.
pub(super) fn values(machine: &Machine, output: &mut Output) -> Outcome {
    let mut command = some(machine, "main", &["serde_matrix", "random", "no_attributes"]);
    command.env("CRDGEN_VALUES", "300").env("CRDGEN_TYPES", "200").env("CRDGEN_FUZZ", "20000");
    output.run(command.env("CRDGEN_SEED", &machine.seed))
}

/// Random objects, converted by cluster-api's own code.
pub(super) fn cluster_api(machine: &Machine, output: &mut Output) -> Outcome {
    output.run(some(machine, "go", &[]).env("CRDGEN_CLUSTER_API", "1"))
}

/// Compares the commands with kubectl and the server.
pub(super) fn live(machine: &Machine, output: &mut Output) -> Outcome {
    output.run(some(machine, "main", &["live::"]).env("CRDGEN_LIVE", "1"))
}

pub(super) fn playground(machine: &Machine, output: &mut Output) -> Outcome {
    let page = machine.target.join("playground/index.html");
    if !page.is_file() {
        super::builds::playground_page(machine, output)?;
    }
    output.run(some(machine, "main", &["publish::playground", "--nocapture"]).env("CRDGEN_PLAYGROUND", page))
}

/// Checks real objects in yaml-language-server, with the schemas that crdgen writes.
pub(super) fn editors(machine: &Machine, output: &mut Output) -> Outcome {
    let (from, to) = (machine.root.join("tests/editors"), machine.target.join("editors"));
    fs::create_dir_all(&to).map_err(|_| Failed)?;
    for file in ["package.json", "language-server.js", "constructs.yaml", "messages.json"] {
        fs::copy(from.join(file), to.join(file)).map_err(|_| Failed)?;
    }
    let mut install = machine.command("npm");
    output.run(install.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]).arg(&to))?;
    let corpus = machine.corpus.clone().unwrap_or_else(|| machine.root.join("tests/corpus"));
    let mut run = machine.command("node");
    run.arg(to.join("language-server.js")).arg(machine.program("crdgen"));
    output.run(run.args([corpus.join("crds"), corpus.join("objects")]))
}

/// Runs the extension for Visual Studio Code with a stub of the editor.
pub(super) fn vscode(machine: &Machine, output: &mut Output) -> Outcome {
    let (from, to) = (machine.root.join("editors/vscode"), machine.target.join("vscode"));
    // What npm installs stays out of the repository.
    for folder in ["", "src", "test"] {
        fs::create_dir_all(to.join(folder)).map_err(|_| Failed)?;
        for entry in fs::read_dir(from.join(folder)).map_err(|_| Failed)?.flatten() {
            if entry.path().is_file() {
                fs::copy(entry.path(), to.join(folder).join(entry.file_name())).map_err(|_| Failed)?;
            }
        }
    }
    let npm = |arguments: &[&str]| {
        let mut command = machine.command("npm");
        command.args(arguments).arg("--prefix").arg(&to).env("CRDGEN", machine.program("crdgen"));
        command
    };
    output.run(&mut npm(&["ci", "--silent", "--no-audit", "--no-fund"]))?;
    output.run(&mut npm(&["test"]))
}

/// Imports CRDs (with the shared corpus, real ones too) and accepted mutations, and gets the same CRDs from the Rust code.
/// The code compiles as kube-rs users write it, and in one of the other styles. The commit selects one part of the CRDs and the other
/// style: `CI_PARTS=all` takes all of them.
pub(super) fn imports(machine: &Machine, output: &mut Output) -> Outcome {
    let imports = |arguments: &str| {
        let mut command = machine.command(machine.program("imports"));
        command.args(arguments.split_whitespace());
        command
    };
    let mut outcome = output.run(&mut imports("--mutations 500"));
    if machine.corpus.is_none() {
        return outcome;
    }
    outcome = outcome.and(output.run(&mut imports("--corpus")));
    outcome = outcome.and(output.run(&mut imports("--corpus --mutations 500 --seed 11")));
    let turns = if machine.tries_all { 1 } else { 12 };
    let others: [&[&str]; 3] =
        [&["kube", "client-only", "k8s"], &["kopium", "kube"], &["kopium", "kube", "client-only"]];
    let turn = (machine.turn / turns) as usize % others.len();
    let others = if turns == 1 { &others[..] } else { &others[turn..=turn] };
    for style in [&["kube"][..]].iter().chain(others) {
        let mut command = imports("--corpus --turn");
        command.arg(turns.to_string()).args(style.iter().flat_map(|name| ["--as", name]));
        command.arg("--dir").arg(machine.target.join("imports")).arg("check");
        outcome = outcome.and(output.run(&mut command));
    }
    outcome
}

/// Fuzzes all parsers, and at the same time expressions alone.
pub(super) fn fuzz(machine: &Machine, output: &mut Output) -> Outcome {
    let seconds = setting("CI_FUZZ_SECONDS", "45");
    let fuzz = |targets: &str| {
        let mut command = machine.command(machine.program("fuzz"));
        command.args(["--seconds", &seconds, "--jobs", "1", "--target", targets]);
        command
    };
    let path = output.path().with_extension("expressions.log");
    let mut apart = Output::new(path, false).map_err(|_| Failed)?;
    let (expressions, others) = thread::scope(|scope| {
        let expressions = scope.spawn(|| apart.run(&mut fuzz("cel,rule,expression,pattern")));
        let others = output.run(&mut fuzz("json,yaml,crd,rpc,object,rust"));
        (expressions.join().unwrap_or(Err(Failed)), others)
    });
    output.line(&fs::read_to_string(apart.path()).unwrap_or_default());
    expressions.and(others)
}
