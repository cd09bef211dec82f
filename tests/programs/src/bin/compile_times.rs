//! Measures how long the compiler takes for the derives, on the same types: with plain serde (the baseline), schemars,
//! kube-rs and crdgen. The first column is the time for serde, and the next ones are what is added to it. The last
//! column is the ratio of crdgen's addition to kube-rs's. `convert` has the types in two versions, and measures what
//! conversions between them add to the derives of both.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crdgen_programs::compile::emit;
use crdgen_programs::compile::types::{self, FLAVOURS, Flavour, SIZES, Size};
use crdgen_tests::corpus;
use crdgen_tests::cost::{Cost, least, median, run};

const USAGE: &str = "\
usage: compile_times [--dir FOLDER] [--rounds N] [STEP...]
  --dir FOLDER  where the crates are made and built (default: a folder of the system's for such things);
                what is built there already is not built again, except for the step deps
  --rounds N    how often each command is run (default 5)
  STEP          deps check build passes expanded convert emit; all but deps, convert and emit by default. emit is the
                command's: how long it takes to definitions, beside kube-rs and controller-gen; $CRDGEN, or the crdgen
                beside this program, is measured";

fn main() -> ExitCode {
    match Bench::read().and_then(|bench| bench.run()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("compile_times: {e}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

struct Bench {
    dir: PathBuf,
    rounds: usize,
    steps: Vec<String>,
}

impl Bench {
    fn read() -> io::Result<Bench> {
        let mut bench =
            Bench { dir: std::env::temp_dir().join("crdgen-compile-times"), rounds: 5, steps: Vec::new() };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| io::Error::other(format!("{arg} needs a value")));
            match arg.as_str() {
                "--dir" => bench.dir = value()?.into(),
                "--rounds" => bench.rounds = value()?.parse().map_err(io::Error::other)?,
                "deps" | "check" | "build" | "passes" | "expanded" | "convert" | "emit" => {
                    bench.steps.push(arg)
                }
                _ => return Err(io::Error::other(format!("unknown: {arg}"))),
            }
        }
        if bench.steps.is_empty() {
            bench.steps = ["check", "build", "passes", "expanded"].map(str::to_owned).to_vec();
        }
        Ok(bench)
    }

    fn run(&self) -> io::Result<()> {
        let wanted = |step: &str| self.steps.iter().any(|s| s == step);
        if wanted("emit") {
            emit::bench(&self.dir, self.rounds, SIZES[1])?;
            if self.steps.len() == 1 {
                return Ok(());
            }
            println!();
        }
        if wanted("convert") {
            self.conversions()?;
            if self.steps.len() == 1 {
                return Ok(());
            }
            println!();
        }
        for flavour in FLAVOURS {
            for size in SIZES {
                self.write(flavour, size, 0)?;
            }
        }
        println!(
            "{:34} {:>10} {:>10} {:>10} {:>10} {:>8}",
            "", "serde", "+schemars", "+kube", "+crdgen", "of kube"
        );
        if wanted("deps") {
            let cost = |flavour: Flavour| {
                let target = self.dir.join(format!("deps-{}", flavour.name()));
                _ = fs::remove_dir_all(&target);
                let target = target.display().to_string();
                // Builds the dependencies, with a crate of three types.
                let vars = [("CARGO_TARGET_DIR", target.as_str()), ("CARGO_INCREMENTAL", "0")];
                Ok(run(&self.folder(flavour, SIZES[0]), "cargo build -q", &vars)?.cpu)
            };
            row("dependencies, clean build, CPU s", cost)?;
        }
        for size in SIZES {
            for (step, line) in [("check", "cargo check -q"), ("build", "cargo build -q")] {
                if wanted(step) {
                    self.edits(size, step, line)?;
                }
            }
            if wanted("passes") {
                self.passes(size)?;
            }
            if wanted("expanded") {
                row(&format!("{}: expanded, kB", size.name), |flavour| {
                    let line = "cargo rustc -q --profile check -- -Zunpretty=expanded";
                    let cost = self.cargo(&self.folder(flavour, size), line, &[("RUSTC_BOOTSTRAP", "1")])?;
                    Ok(cost.output.len() as f64 / 1000.0)
                })?;
            }
        }
        Ok(())
    }

    /// Measures how long it takes to check or build the crate again after an edit.
    fn edits(&self, size: Size, step: &str, line: &str) -> io::Result<()> {
        let mut all = vec![Vec::new(); FLAVOURS.len()];
        for round in 0..=self.rounds {
            // The flavours take turns, so that other processes disturb all of them equally.
            for (flavour, all) in FLAVOURS.into_iter().zip(&mut all) {
                self.write(flavour, size, round + 1)?;
                let cost = self.cargo(&self.folder(flavour, size), line, &[("CARGO_INCREMENTAL", "1")])?;
                if round > 0 {
                    all.push(cost.cpu);
                }
            }
        }
        let mut all = all.into_iter();
        row(&format!("{}: incremental {step}, CPU s", size.name), |_| {
            Ok(median(all.next().unwrap_or_default()))
        })
    }

    /// Measures two versions of the types: with serde alone, with our derives, and with conversions between them.
    fn conversions(&self) -> io::Result<()> {
        println!(
            "{:34} {:>10} {:>10} {:>10} {:>8}",
            "two versions", "serde", "+crdgen", "+Convert", "of both"
        );
        let all = [(Flavour::Serde, false), (Flavour::Crdgen, false), (Flavour::Crdgen, true)];
        // The dependencies are the same, apart from this feature.
        let features = ["", "", ", features = [\"convert\"]"];
        for size in SIZES {
            let mut figures = [const { [const { Vec::new() }; 3] }; 3];
            for round in 0..=self.rounds {
                for (i, (flavour, converts)) in all.into_iter().enumerate() {
                    let name = format!("versions-{i}-{}", size.name);
                    let text = types::versions(flavour, converts, size, round);
                    let folder =
                        self.package(&name, &flavour.dependencies(&crdgen()?, features[i]), &text)?;
                    let vars = [("CARGO_INCREMENTAL", "1")];
                    let check = self.cargo(&folder, "cargo check -q", &vars)?.cpu;
                    let build = self.cargo(&folder, "cargo build -q", &vars)?.cpu;
                    write(
                        &folder.join("src/lib.rs"),
                        &types::versions(flavour, converts, size, 1000 + round),
                    )?;
                    let vars = [("RUSTC_BOOTSTRAP", "1"), ("CARGO_INCREMENTAL", "0")];
                    let passes = self.cargo(&folder, "cargo rustc -q -- -Ztime-passes", &vars)?;
                    if round > 0 {
                        let all = [check, build, seconds(&passes.output, "total")];
                        for (of_step, figure) in figures.iter_mut().zip(all) {
                            of_step[i].push(figure);
                        }
                    }
                }
            }
            let steps = ["incremental check, CPU s", "incremental build, CPU s", "rustc total, s"];
            for (step, [serde, crdgen, convert]) in steps.into_iter().zip(figures) {
                let (serde, crdgen, convert) = (median(serde), median(crdgen), median(convert));
                let (derives, conversions) = (crdgen - serde, convert - crdgen);
                let ratio = conversions / derives;
                let name = format!("{}: {step}", size.name);
                println!("{name:34} {serde:>10.3} {derives:>10.3} {conversions:>10.3} {ratio:>8.2}");
            }
        }
        Ok(())
    }

    /// Prints the compiler's own report about its time.
    fn passes(&self, size: Size) -> io::Result<()> {
        let passes = ["macro_expand_crate", "total"];
        let mut all = vec![vec![Vec::new(); FLAVOURS.len()]; passes.len()];
        for round in 0..self.rounds {
            for (i, flavour) in FLAVOURS.into_iter().enumerate() {
                self.write(flavour, size, 1000 + round)?;
                let vars = [("RUSTC_BOOTSTRAP", "1"), ("CARGO_INCREMENTAL", "0")];
                let cost =
                    self.cargo(&self.folder(flavour, size), "cargo rustc -q -- -Ztime-passes", &vars)?;
                for (pass, all) in passes.iter().zip(&mut all) {
                    all[i].push(seconds(&cost.output, pass));
                }
            }
        }
        for (pass, all) in passes.iter().zip(all) {
            let mut all = all.into_iter();
            row(&format!("{}: rustc {pass}, s", size.name), |_| Ok(least(&all.next().unwrap_or_default())))?;
        }
        Ok(())
    }

    fn folder(&self, flavour: Flavour, size: Size) -> PathBuf {
        self.dir.join(format!("{}-{}", flavour.name(), size.name))
    }

    fn cargo(&self, folder: &Path, line: &str, vars: &[(&str, &str)]) -> io::Result<Cost> {
        let target = self.dir.join("target").display().to_string();
        let mut all = vec![("CARGO_TARGET_DIR", target.as_str())];
        all.extend(vars);
        run(folder, line, &all)
    }

    fn write(&self, flavour: Flavour, size: Size, edit: usize) -> io::Result<()> {
        let name = format!("{}-{}", flavour.name(), size.name);
        let dependencies = flavour.dependencies(&crdgen()?, "");
        self.package(&name, &dependencies, &types::rust(flavour, size, edit)).map(drop)
    }

    /// Writes a package with one library. Returns its folder.
    fn package(&self, name: &str, dependencies: &str, text: &str) -> io::Result<PathBuf> {
        let folder = self.dir.join(name);
        fs::create_dir_all(folder.join("src"))?;
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{dependencies}"
        );
        write(&folder.join("Cargo.toml"), &manifest)?;
        write(&folder.join("src/lib.rs"), text)?;
        Ok(folder)
    }
}

/// Returns the folder of the crate `crdgen`.
fn crdgen() -> io::Result<String> {
    Ok(corpus::tests_dir().join("../codegen/crdgen").canonicalize()?.display().to_string())
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|found| found == text) { Ok(()) } else { fs::write(path, text) }
}

/// Parses lines such as `time:   0.123; rss: …  macro_expand_crate`.
fn seconds(output: &str, pass: &str) -> f64 {
    let line = output.lines().rev().find(|l| l.split_whitespace().last() == Some(pass));
    let number = line.and_then(|l| l.trim().strip_prefix("time:")?.split(';').next()?.trim().parse().ok());
    number.unwrap_or(f64::NAN)
}

fn row(name: &str, mut of: impl FnMut(Flavour) -> io::Result<f64>) -> io::Result<()> {
    let mut figures = Vec::new();
    for flavour in FLAVOURS {
        figures.push(of(flavour)?);
    }
    let added: Vec<f64> = figures.iter().map(|f| f - figures[0]).collect();
    println!(
        "{name:34} {:>10.3} {:>10.3} {:>10.3} {:>10.3} {:>8.2}",
        figures[0],
        added[1],
        added[2],
        added[3],
        added[3] / added[2]
    );
    Ok(())
}
