//! Measures what it costs to get CRDs from types: `crdgen emit` on the sources, a program on kube-rs that is built and
//! prints them, and controller-gen on Go types of the same size.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crdgen_core::value::Value;

use super::types::{self, Flavour, Size};
use crdgen_tests::corpus::tests_dir;
use crdgen_tests::cost::{Cost, least, run};
use crdgen_tests::json::parse;
use crdgen_tests::ours;

/// A package as its authors wrote it, with its own CRDs in it.
const CERT_MANAGER: &str = "github.com/cert-manager/cert-manager@v1.20.0";

/// How many times one measurement runs something that takes milliseconds.
const TIMES: usize = 10;

/// One way to get CRDs, and its costs.
struct Row {
    name: &'static str,
    cost: Cost,
}

/// Measures in crates and modules below `dir`, and prints a table for each set of types.
pub fn bench(dir: &Path, rounds: usize, size: Size) -> io::Result<()> {
    let crdgen = ours::program().map_err(io::Error::other)?.path().display().to_string();
    let crdgen = &fs::canonicalize(crdgen)?.display().to_string();
    println!("definitions out of types; times in seconds, the least of {rounds}");
    let generator = controller_gen(dir);
    let generator = generator.inspect_err(|why| println!("controller-gen is left out: {why}")).ok();

    let sources = dir.join("emit-crdgen");
    package(&sources, Flavour::Crdgen, size, 0)?;
    let mut rows = vec![emit(crdgen, &sources, rounds)?];
    rows.extend(printer(dir, rounds, size)?);
    if let Some(generator) = &generator {
        rows.push(generate(generator, &module(dir, size)?, "paths=./v1", rounds)?);
    }
    table(&format!("{} fields in {} structs", size.fields, size.structs), &rows);

    match (&generator, downloaded(CERT_MANAGER)) {
        (Some(generator), Ok(theirs)) => {
            let ours = imported(crdgen, &theirs, dir)?;
            let rows =
                [emit(crdgen, &ours, rounds)?, generate(generator, &theirs, "paths=./pkg/apis/...", rounds)?];
            table(&format!("the API of {CERT_MANAGER}"), &rows);
        }
        (None, _) => println!("\n{CERT_MANAGER} is left out with it"),
        (_, Err(why)) => println!("\n{CERT_MANAGER} is left out: {why}"),
    }
    Ok(())
}

fn table(title: &str, rows: &[Row]) {
    println!("\n{title:44} {:>9} {:>9} {:>9} {:>9}", "CPU", "of emit", "wall", "of emit");
    let Some(first) = rows.first() else { return };
    for Row { name, cost } in rows {
        let (cpu, wall) = (cost.cpu / first.cost.cpu, cost.wall / first.cost.wall);
        println!("{name:44} {:>9.4} {cpu:>8.0}x {:>9.4} {wall:>8.0}x", cost.cpu, cost.wall);
    }
}

/// Returns the smallest cost of several runs of a command line.
fn measure(name: &'static str, folder: &Path, line: &str, rounds: usize, times: usize) -> io::Result<Row> {
    let line = if times == 1 { line.to_owned() } else { format!("for i in {{1..{times}}}; do {line}; done") };
    run(folder, &line, &[])?;
    let (mut cpu, mut wall) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let cost = run(folder, &line, &[])?;
        cpu.push(cost.cpu / times as f64);
        wall.push(cost.wall / times as f64);
    }
    Ok(Row { name, cost: Cost { cpu: least(&cpu), wall: least(&wall), output: String::new() } })
}

fn emit(crdgen: &str, package: &Path, rounds: usize) -> io::Result<Row> {
    measure("crdgen emit", package, &format!("{crdgen:?} emit > emitted.yaml"), rounds, TIMES)
}

fn generate(generator: &Path, module: &Path, paths: &str, rounds: usize) -> io::Result<Row> {
    let line = format!("{:?} crd {paths} output:crd:stdout > /dev/null", generator.display().to_string());
    measure("controller-gen", module, &line, rounds, 1)
}

/// Measures a program on kube-rs that prints the CRD: built from scratch, after an edit, and only run.
fn printer(dir: &Path, rounds: usize, size: Size) -> io::Result<Vec<Row>> {
    let folder = dir.join("emit-kube");
    let target = dir.join("emit-target").display().to_string();
    let vars = [("CARGO_TARGET_DIR", target.as_str())];
    let line = "cargo run -q > printed.json";
    package(&folder, Flavour::Kube, size, 0)?;
    run(&folder, "cargo fetch -q", &[])?;
    _ = fs::remove_dir_all(&target);
    let clean = run(&folder, line, &vars)?;
    let mut edits = Vec::new();
    for round in 0..=rounds {
        package(&folder, Flavour::Kube, size, round + 1)?;
        edits.push(run(&folder, line, &vars)?);
    }
    let cpu: Vec<f64> = edits.iter().map(|c| c.cpu).collect();
    let wall: Vec<f64> = edits.iter().map(|c| c.wall).collect();
    let edit = Cost { cpu: least(&cpu), wall: least(&wall), output: String::new() };
    Ok(vec![
        Row { name: "cargo run of a printer on kube-rs, clean", cost: clean },
        Row { name: "cargo run of a printer on kube-rs, edited", cost: edit },
    ])
}

/// Writes a package with the types. With kube-rs, it prints its CRD.
fn package(folder: &Path, flavour: Flavour, size: Size, edit: usize) -> io::Result<()> {
    fs::create_dir_all(folder.join("src"))?;
    let facade = tests_dir().join("../codegen/crdgen").canonicalize()?.display().to_string();
    let name = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let dependencies = flavour.dependencies(&facade, "");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{dependencies}"
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(folder.join("src/lib.rs"), types::rust(flavour, size, edit))?;
    if flavour == Flavour::Kube {
        let name = name.replace('-', "_");
        let main = format!(
            "use kube::CustomResourceExt as _;\n\nfn main() {{\n    let crd = {name}::Big::crd();\n    \
             println!(\"{{}}\", serde_json::to_string(&crd).unwrap());\n}}\n"
        );
        fs::write(folder.join("src/main.rs"), main)?;
    }
    Ok(())
}

/// Writes the types in Go, in a module with the dependencies of `tests/k8s-types`.
fn module(dir: &Path, size: Size) -> io::Result<PathBuf> {
    let folder = dir.join("emit-go");
    fs::create_dir_all(folder.join("v1"))?;
    for file in ["go.mod", "go.sum"] {
        fs::copy(tests_dir().join("k8s-types").join(file), folder.join(file))?;
    }
    fs::write(folder.join("v1/types.go"), types::go(size))?;
    Ok(folder)
}

/// Builds controller-gen from its module. Returns the program.
fn controller_gen(dir: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(dir)?;
    let path = dir.canonicalize()?.join("controller-gen");
    let mut command = Command::new("go");
    command.args(["build", "-o"]).arg(&path).arg("sigs.k8s.io/controller-tools/cmd/controller-gen");
    finish(command.current_dir(tests_dir().join("k8s-types")))?;
    Ok(path)
}

/// Returns the folder of a Go module, with its dependencies downloaded.
fn downloaded(module: &str) -> io::Result<PathBuf> {
    let mut command = Command::new("go");
    let answer =
        finish(command.args(["mod", "download", "-json", module]).current_dir(std::env::temp_dir()))?;
    let answer = parse(&answer).map_err(io::Error::other)?;
    let folder =
        answer.get("Dir").and_then(Value::as_str).ok_or_else(|| io::Error::other("no folder of it"))?;
    Ok(PathBuf::from(folder))
}

/// Imports the CRDs of a Go package as Rust types.
fn imported(crdgen: &str, theirs: &Path, dir: &Path) -> io::Result<PathBuf> {
    let folder = dir.join("emit-cert-manager");
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let mut command = Command::new(crdgen);
    finish(command.arg("import").arg(theirs.join("deploy/crds")).arg("-o").arg(folder.join("src")))?;
    fs::rename(folder.join("src/mod.rs"), folder.join("src/lib.rs"))?;
    let facade = tests_dir().join("../codegen/crdgen").canonicalize()?.display().to_string();
    let dependencies = Flavour::Crdgen.dependencies(&facade, "");
    let manifest = format!(
        "[package]\nname = \"cert-manager\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{dependencies}"
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    Ok(folder)
}

fn finish(command: &mut Command) -> io::Result<String> {
    let output = command.output()?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let line = format!("{command:?}: {}", output.status);
        Err(io::Error::other(format!("{line}\n{}", String::from_utf8_lossy(&output.stderr).trim())))
    }
}
