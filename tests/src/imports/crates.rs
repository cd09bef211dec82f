//! Crates with imported code. The compiler, clippy and rustdoc must report no warnings for them, also with the oldest
//! compiler. The derives must give the same CRDs, and objects must lose nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crdgen::import::{Imported, Kind, Layout, Options};
use crdgen_core::json::to_string;

use super::objects::Object;
use super::{Accepted, normal, rust, same};
use crate::corpus::tests_dir;
use crate::cost::run;

/// CRDs whose code is in one module, and their objects.
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
    /// Whether the code can give CRDs.
    definitions: bool,
    /// How many crates there are.
    pub crates: usize,
    /// How many lines of imported code there are.
    pub lines: usize,
}

/// The steps that check the crates.
pub const STEPS: [&str; 5] = ["check", "clippy", "doc", "msrv", "run"];

/// The manifest of a crate.
const MANIFEST: &str = r#"[package]
name = "NAME"
version = "0.0.0"
edition = "2024"
rust-version = "MSRV"

[dependencies]
"#;

/// The program of a crate. It prints its CRDs and checks objects. `KINDS` and `OBJECTS` are lines of it.
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

"#;

/// Additional code of a program whose kinds are for kube-rs: what `Api` requires of them. Its own crate feature would build
/// a client.
const RESOURCES: &str = r#"
fn resource<K>(_: Option<K>)
where
    K: kube::Resource<DynamicType = ()> + Clone + std::fmt::Debug + serde::de::DeserializeOwned + serde::Serialize,
{
}
"#;

/// Additional code of a program whose types have schemas.
const DEFINITIONS: &str = r#"
use crdgen::CustomResource as _;

fn definitions(set: &str, all: Vec<crdgen::ir::Crd>) {
    match crdgen::merge(all) {
        Ok(all) => all.iter().for_each(|crd| println!("crd {set} {}", crdgen_runtime::json::to_string(&crdgen_runtime::encode::crd(crd)))),
        Err(why) => println!("wrong {set}: {}", why.to_string().replace('\n', " ")),
    }
}
"#;

/// The end of the program.
const MAIN: &str = r#"
fn main() {
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
    /// Writes the crates into a folder. Each contains some of the sets, each in its own module.
    ///
    /// # Errors
    /// Returns an error if files cannot be written, or if a set gives no code.
    pub fn write(
        folder: &Path,
        target: &Path,
        crates: &[Vec<Set>],
        style: &Options,
    ) -> io::Result<Workspace> {
        let style = &Options { layout: Layout::Groups, ..style.clone() };
        let root = tests_dir().join("..").canonicalize()?;
        let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
        let msrv = manifest.lines().find_map(|l| l.strip_prefix("rust-version = ")).unwrap_or_default();
        let mut members = String::new();
        let mut lines = 0;
        for (i, sets) in crates.iter().enumerate() {
            let name = format!("c{i}");
            let to = folder.join(&name);
            fs::create_dir_all(to.join("src"))?;
            let (own, needs) = one(&to, &name, sets, style)?;
            lines += own;
            let manifest = MANIFEST.replace("NAME", &name).replace("MSRV", msrv.trim_matches('"'));
            write(to.join("Cargo.toml"), manifest + &dependencies(&needs, &root))?;
            writeln!(members, "    \"{name}\",").map_err(io::Error::other)?;
        }
        let workspace = format!(
            "[workspace]\nresolver = \"3\"\nmembers = [\n{members}]\n\n[profile.dev]\ndebug = false\nincremental = false\n"
        );
        write(folder.join("Cargo.toml"), workspace)?;
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        let (folder, target) = (folder.to_owned(), target.to_owned());
        Ok(Workspace { folder, target, definitions: style.schema, crates: crates.len(), lines })
    }

    /// Runs one step for all crates. Returns its processor time.
    ///
    /// # Errors
    /// Returns an error if the step finds a problem.
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
                if let Err(why) = judged(sets, self.definitions, &cost.output) {
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

/// Writes a file unless it already has this text, so that cargo does not build it again.
fn write(path: impl AsRef<Path>, text: impl AsRef<str>) -> io::Result<()> {
    let (path, text) = (path.as_ref(), text.as_ref());
    if fs::read(path).is_ok_and(|old| old == text.as_bytes()) { Ok(()) } else { fs::write(path, text) }
}

/// Crates by name, with a version and features.
type Needs = BTreeMap<String, (String, BTreeSet<String>)>;

/// Parses a line of `Cargo.toml` that imported code needs, such as `name = "1"` or
/// `name = { version = "1", features = ["a"] }`.
fn need(line: &str, needs: &mut Needs) {
    let Some((name, rest)) = line.split_once(" = ") else { return };
    let mut words = rest.split('"').skip(1).step_by(2);
    let version = words.next().unwrap_or_default().to_owned();
    let (_, features) = needs.entry(name.to_owned()).or_insert((version, BTreeSet::new()));
    features.extend(words.map(str::to_owned));
}

/// Formats lines for `[dependencies]`. Our own crates are those of the repository. kube's client is not needed.
fn dependencies(needs: &Needs, root: &Path) -> String {
    let mut out = String::new();
    for (name, (version, features)) in needs {
        let from = match name.as_str() {
            "crdgen" => format!("path = {:?}", root.join("codegen/crdgen")),
            "crdgen-runtime" => format!("path = {:?}", root.join("codegen/runtime")),
            "kube" => format!("version = {version:?}, default-features = false"),
            _ => format!("version = {version:?}"),
        };
        let features: Vec<&String> = features.iter().collect();
        out.push_str(&format!("{name} = {{ {from}, features = {features:?} }}\n"));
    }
    out
}

/// Writes a crate. Returns the number of lines of imported code, and its dependencies.
fn one(folder: &Path, name: &str, sets: &[Set], style: &Options) -> io::Result<(usize, Needs)> {
    let (mut modules, mut kinds, mut match_arms) = (String::new(), String::new(), String::new());
    let mut objects = String::new();
    let mut lines = 0;
    let mut needs = Needs::new();
    // The program itself needs these.
    needs.insert("serde".to_owned(), ("1".to_owned(), BTreeSet::from(["derive".to_owned()])));
    needs.insert("serde_json".to_owned(), ("1".to_owned(), BTreeSet::new()));
    if style.schema {
        needs.insert("crdgen-runtime".to_owned(), Default::default());
    }
    let text = |e: std::fmt::Error| io::Error::other(e);
    for (i, set) in sets.iter().enumerate() {
        let imported: Imported = rust(&set.definitions, style).map_err(io::Error::other)?;
        imported.needs().iter().for_each(|line| need(line, &mut needs));
        let code = imported.file();
        lines += code.lines().count();
        write(folder.join(format!("src/m{i}.rs")), code)?;
        writeln!(modules, "pub mod m{i};").map_err(text)?;
        let mut all = String::new();
        for Kind { group, version, kind, path } in imported.kinds() {
            let path = format!("{name}::m{i}::{path}");
            write!(all, "{path}::crd(), ").map_err(text)?;
            if style.kube {
                writeln!(kinds, "    resource(None::<{path}>);").map_err(text)?;
            }
            let key = format!("m{i} {group}/{version}/{kind}");
            writeln!(match_arms, "        {key:?} => keeps::<{path}>(object),").map_err(text)?;
        }
        if style.schema {
            writeln!(kinds, "    definitions(\"m{i}\", vec![{all}]);").map_err(text)?;
        }
        for Object { name, definition, version, value } in &set.objects {
            let spec = &set.definitions[*definition].crd.spec;
            let key = format!("m{i} {}/{version}/{}", spec.group, spec.names.kind);
            writeln!(objects, "{}\t{key}\t{}", name.replace('\t', " "), to_string(value)).map_err(text)?;
        }
    }
    write(folder.join("src/lib.rs"), modules)?;
    write(folder.join("objects.tsv"), objects)?;
    let mut middle = String::new();
    for (wanted, part) in [(style.schema, DEFINITIONS), (style.kube, RESOURCES)] {
        middle.push_str(if wanted { part } else { "" });
    }
    let program =
        format!("{}{middle}{}", PROGRAM.replace("OBJECTS", &match_arms), MAIN.replace("KINDS", &kinds));
    write(folder.join("src/main.rs"), program)?;
    Ok((lines, needs))
}

/// Checks that a program printed what was expected.
fn judged(sets: &[Set], definitions: bool, output: &str) -> Result<(), String> {
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
    for (set, mut found) in sets.iter().zip(found).filter(|_| definitions) {
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
