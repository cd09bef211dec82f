//! Crates of imported code, and what is asked of them: no warning from the compiler, from clippy and from
//! rustdoc, also with the oldest compiler; the same definitions from the derives; nothing lost of objects.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crdgen::import::{Imported, Kind, Layout};
use crdgen_core::json::to_string;

use super::objects::Object;
use super::{Accepted, normal, rust, same};
use crate::compile::cost::run;
use crate::corpus::tests_dir;

/// Definitions whose code stands in one module, and their objects.
#[derive(Clone, Debug, Default)]
pub struct Set {
    /// The definitions.
    pub definitions: Vec<Accepted>,
    /// Their objects.
    pub objects: Vec<Object>,
}

/// A workspace of crates.
#[derive(Debug)]
pub struct Workspace {
    folder: PathBuf,
    target: PathBuf,
    /// How many crates there are.
    pub crates: usize,
    /// How many lines of imported code.
    pub lines: usize,
}

/// What can be asked of the crates.
pub const STEPS: [&str; 5] = ["check", "clippy", "doc", "msrv", "run"];

/// The manifest of a crate.
const MANIFEST: &str = r#"[package]
name = "NAME"
version = "0.0.0"
edition = "2024"
rust-version = "MSRV"

[dependencies]
crdgen = { path = "CRDGEN", features = ["serde_json"] }
crdgen-core = { path = "CORE", default-features = false }
serde = { version = "1", features = ["derive"] }
serde_json = "1"
"#;

/// The program of a crate: prints its definitions and judges objects. `KINDS` and `OBJECTS` are lines.
const PROGRAM: &str = r#"use std::io::BufRead;

fn keeps<T: serde::de::DeserializeOwned + serde::Serialize>(object: serde_json::Value) -> Result<(), String> {
    let typed: T = serde_json::from_value(object.clone()).map_err(|e| e.to_string())?;
    let again = serde_json::to_value(&typed).map_err(|e| e.to_string())?;
    if again == object { Ok(()) } else { Err(format!("wanted {object}\n    found  {again}")) }
}

fn object(kind: &str, object: serde_json::Value) -> Result<(), String> {
    match kind {
OBJECTS        _ => Err("no such kind".to_owned()),
    }
}

fn definitions(set: &str, all: Vec<crdgen::ir::Crd>) {
    match crdgen::merge(all) {
        Ok(all) => all.iter().for_each(|crd| println!("crd {set} {}", crdgen_core::json::to_string(&crdgen_core::emit::crd(crd)))),
        Err(why) => println!("wrong {set}: {}", why.to_string().replace('\n', " ")),
    }
}

fn main() {
    use crdgen::CustomResource as _;
KINDS    for line in std::io::stdin().lock().lines() {
        let line = line.expect("stdin is text");
        let [name, kind, text] = line.splitn(3, '\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        if let Err(why) = object(kind, serde_json::from_str(text).expect("objects are JSON")) {
            println!("wrong {name}: {why}");
        }
    }
}
"#;

impl Workspace {
    /// Writes the crates into a folder; each holds some of the sets, a module each.
    ///
    /// # Errors
    /// Where files cannot be written, or a set gives no code.
    pub fn write(folder: &Path, target: &Path, crates: &[Vec<Set>]) -> io::Result<Workspace> {
        let root = tests_dir().join("..").canonicalize()?;
        let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
        let msrv = manifest.lines().find_map(|l| l.strip_prefix("rust-version = ")).unwrap_or_default();
        let mut members = String::new();
        let mut lines = 0;
        for (i, sets) in crates.iter().enumerate() {
            let name = format!("c{i}");
            let to = folder.join(&name);
            fs::create_dir_all(to.join("src"))?;
            let path = |name: &str| root.join(name).display().to_string();
            let own = MANIFEST.replace("NAME", &name).replace("CRDGEN", &path("codegen/crdgen"));
            let own = own.replace("CORE", &path("codegen/core"));
            fs::write(to.join("Cargo.toml"), own.replace("MSRV", msrv.trim_matches('"')))?;
            lines += one(&to, &name, sets)?;
            writeln!(members, "    \"{name}\",").map_err(io::Error::other)?;
        }
        let workspace = format!(
            "[workspace]\nresolver = \"3\"\nmembers = [\n{members}]\n\n[profile.dev]\ndebug = false\nincremental = false\n"
        );
        fs::write(folder.join("Cargo.toml"), workspace)?;
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        Ok(Workspace { folder: folder.to_owned(), target: target.to_owned(), crates: crates.len(), lines })
    }

    /// Takes one step with all crates. Gives the processor time it took.
    ///
    /// # Errors
    /// When the step finds something wrong.
    pub fn step(&self, step: &str, crates: &[Vec<Set>]) -> io::Result<f64> {
        let target = self.target.display().to_string();
        let vars = [("CARGO_TARGET_DIR", target.as_str()), ("CARGO_INCREMENTAL", "0")];
        let line = match step {
            "check" => "RUSTFLAGS='-D warnings' cargo check -q --workspace",
            "clippy" => "cargo clippy -q --workspace -- -D warnings",
            "doc" => "RUSTDOCFLAGS='-D warnings' cargo doc -q --workspace --lib --no-deps",
            "msrv" => {
                "RUSTFLAGS='-D warnings' cargo +$(sed -n 's/^rust-version = \"\\(.*\\)\"/\\1/p' c0/Cargo.toml) check -q --workspace"
            }
            "run" => "RUSTFLAGS='-D warnings' cargo build -q --workspace",
            _ => return Err(io::Error::other(format!("no such step: {step}"))),
        };
        let mut cpu = run(&self.folder, line, &vars)?.cpu;
        if step == "run" {
            let mut wrong = String::new();
            for (i, sets) in crates.iter().enumerate() {
                let line = format!("{target}/debug/c{i} < c{i}/objects.tsv");
                let cost = run(&self.folder, &line, &vars)?;
                cpu += cost.cpu;
                if let Err(why) = judged(sets, &cost.output) {
                    writeln!(wrong, "c{i}: {why}").map_err(io::Error::other)?;
                }
            }
            if !wrong.is_empty() {
                return Err(io::Error::other(wrong));
            }
        }
        Ok(cpu)
    }
}

/// Writes a crate and gives the number of lines of imported code.
fn one(folder: &Path, name: &str, sets: &[Set]) -> io::Result<usize> {
    let (mut modules, mut kinds, mut match_arms) = (String::new(), String::new(), String::new());
    let mut objects = String::new();
    let mut lines = 0;
    let text = |e: std::fmt::Error| io::Error::other(e);
    for (i, set) in sets.iter().enumerate() {
        let imported: Imported = rust(&set.definitions, Layout::Groups).map_err(io::Error::other)?;
        let code = imported.file().map_err(io::Error::other)?;
        lines += code.lines().count();
        fs::write(folder.join(format!("src/m{i}.rs")), code)?;
        writeln!(modules, "pub mod m{i};").map_err(text)?;
        let mut all = String::new();
        for Kind { group, version, kind, path } in imported.kinds() {
            let path = format!("{name}::m{i}::{path}");
            write!(all, "{path}::crd(), ").map_err(text)?;
            let key = format!("m{i} {group}/{version}/{kind}");
            writeln!(match_arms, "        {key:?} => keeps::<{path}>(object),").map_err(text)?;
        }
        writeln!(kinds, "    definitions(\"m{i}\", vec![{all}]);").map_err(text)?;
        for Object { name, definition, version, value } in &set.objects {
            let spec = &set.definitions[*definition].crd.spec;
            let key = format!("m{i} {}/{version}/{}", spec.group, spec.names.kind);
            writeln!(objects, "{}\t{key}\t{}", name.replace('\t', " "), to_string(value)).map_err(text)?;
        }
    }
    fs::write(folder.join("src/lib.rs"), modules)?;
    fs::write(folder.join("objects.tsv"), objects)?;
    fs::write(folder.join("src/main.rs"), PROGRAM.replace("KINDS", &kinds).replace("OBJECTS", &match_arms))?;
    Ok(lines)
}

/// Whether what a program printed is what was wanted.
fn judged(sets: &[Set], output: &str) -> Result<(), String> {
    let mut wrong: Vec<String> = Vec::new();
    let mut found = vec![Vec::new(); sets.len()];
    let mut lines = output.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(rest) = line.strip_prefix("crd m")
            && let Some((number, text)) = rest.split_once(' ')
            && let Some(of_set) = number.parse().ok().and_then(|n: usize| found.get_mut(n))
        {
            of_set.push(super::definition(text).map(|crd| normal(&crd)).unwrap_or_default());
            continue;
        }
        let mut why = line.to_owned();
        while let Some(more) = lines.next_if(|l| l.starts_with("    ")) {
            why.push('\n');
            why.push_str(more);
        }
        wrong.push(why);
    }
    for (set, mut found) in sets.iter().zip(found) {
        let mut wanted: Vec<(String, &str)> =
            set.definitions.iter().map(|a| (normal(&a.crd), a.name.as_str())).collect();
        wanted.sort();
        found.sort();
        if wanted.len() != found.len() {
            wrong.push(format!("{} of {} definitions", found.len(), wanted.len()));
        }
        for ((wanted, name), found) in wanted.iter().zip(&found) {
            wrong.extend(same(wanted, found).err().map(|why| format!("{name}: {why}")));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let shown: Vec<&str> = wrong.iter().take(10).map(String::as_str).collect();
    Err(format!("{} wrong:\n{}", wrong.len(), shown.join("\n")))
}
