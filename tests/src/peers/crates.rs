//! Crates of what was made: which modules compile, what that costs the compiler, and what comes of real
//! objects and of the definitions in a program.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crdgen_core::json::to_string;
use crdgen_core::object::Served;
use crdgen_core::value::Value;
use crdgen_core::{emit, read};

use super::{Definition, Maker, without_metadata};
use crate::compile::cost::run;
use crate::corpus::{Seed, tests_dir};

/// What the compiler said.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// The definitions whose modules have errors.
    pub broken: BTreeSet<usize>,
    /// What `cargo check` of the crate took without its dependencies, in seconds of processor time.
    pub cpu: f64,
}

/// What came of objects and definitions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ran {
    /// Objects of kinds that there is a type for.
    pub objects: usize,
    /// Those of them that came back as they were.
    pub same: usize,
    /// Definitions that a program gave.
    pub definitions: usize,
    /// Those of them that are as they were.
    pub exact: usize,
}

/// A crate in a workspace of its own, with a module for each definition.
#[derive(Debug)]
pub struct Crate {
    maker: Maker,
    folder: PathBuf,
    target: PathBuf,
    files: PathBuf,
}

impl Crate {
    /// The crate of a maker; what it made is in `dir`.
    pub fn new(maker: Maker, dir: &Path) -> io::Result<Crate> {
        let folder = dir.join("crates").join(maker.folder());
        fs::create_dir_all(folder.join("src"))?;
        let crdgen = tests_dir().join("../codegen/crdgen").canonicalize()?;
        let serde = "serde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\n";
        let kube = "kube = { version = \"5\", default-features = false, features = [\"derive\"] }\n\
                    k8s-openapi = { version = \"0.29\", features = [\"v1_37\", \"schemars\"] }\nschemars = \"1\"\n";
        let dependencies = match maker {
            Maker::Kopium | Maker::Client | Maker::Compatible => format!("{serde}{kube}"),
            Maker::Exact => format!("{serde}crdgen = {{ path = {crdgen:?}, features = [\"serde_json\"] }}\n"),
        };
        let manifest = format!(
            "[package]\nname = \"peer-{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [dependencies]\n{dependencies}\n[profile.dev]\ndebug = 0\nincremental = false\n",
            maker.folder()
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        let files = dir.join("each").join(maker.folder());
        Ok(Crate { maker, folder, target: dir.join("target"), files })
    }

    fn cargo(&self, command: &str) -> io::Result<crate::compile::cost::Cost> {
        let target = self.target.display().to_string();
        run(&self.folder, command, &[("CARGO_TARGET_DIR", &target), ("RUSTFLAGS", "-Awarnings")])
    }

    /// Compiles the modules of these definitions; those with errors are left out one after the other.
    pub fn check(&self, chosen: &[usize]) -> io::Result<Compiled> {
        fs::write(self.folder.join("src/lib.rs"), "")?;
        self.cargo("cargo check -q --lib -j1")?;
        let mut out = Compiled::default();
        // An error of one phase hides those of the next.
        for _ in 0..8 {
            let left: Vec<usize> = chosen.iter().copied().filter(|i| !out.broken.contains(i)).collect();
            self.modules("lib.rs", &left, "")?;
            let line = "cargo check -q --lib -j1 --message-format=short > errors.txt 2>&1 || true";
            let cost = self.cargo(line)?;
            let before = out.broken.len();
            let errors = fs::read_to_string(self.folder.join("errors.txt"))?;
            for at in errors.lines().filter_map(|l| l.trim_start().strip_prefix("src/m")) {
                out.broken.extend(at.split('.').next().and_then(|n| n.parse::<usize>().ok()));
            }
            if out.broken.len() == before {
                if errors.lines().any(|l| l.starts_with("error")) {
                    return Err(io::Error::other(errors));
                }
                out.cpu = cost.cpu;
                break;
            }
        }
        Ok(out)
    }

    /// Compiles one file of all definitions.
    pub fn check_all(&self, file: &Path) -> io::Result<Compiled> {
        fs::write(self.folder.join("src/lib.rs"), "")?;
        self.cargo("cargo check -q --lib -j1")?;
        fs::copy(file, self.folder.join("src/lib.rs"))?;
        Ok(Compiled { cpu: self.cargo("cargo check -q --lib -j1")?.cpu, ..Compiled::default() })
    }

    fn modules(&self, root: &str, chosen: &[usize], more: &str) -> io::Result<()> {
        let mut text = String::new();
        for i in chosen {
            fs::copy(self.files.join(format!("{i}.rs")), self.folder.join(format!("src/m{i}.rs")))?;
            _ = writeln!(text, "pub mod m{i};");
        }
        fs::write(self.folder.join("src").join(root), text + more)
    }

    /// Builds a program of the modules, sends it the objects that the server would give, and compares.
    pub fn run(&self, chosen: &[usize], all: &[Definition], objects: &[Seed]) -> io::Result<Ran> {
        let mut arms = String::new();
        let mut lines = String::new();
        let mut sent = Vec::new();
        let mut out = Ran::default();
        for &i in chosen {
            let code = fs::read_to_string(self.files.join(format!("{i}.rs")))?;
            for (j, version) in all[i].crd.spec.versions.iter().enumerate() {
                let Some(ty) = self.root(&code, &all[i], &version.name) else { continue };
                _ = writeln!(arms, "        \"{i} {j}\" => again::<m{i}::{ty}>(text),");
                for object in given(&all[i], &version.name, objects) {
                    _ = writeln!(lines, "{i} {j}\t{}", to_string(&object));
                    sent.push(object);
                }
            }
            if self.maker == Maker::Kopium && code.contains("derive(CustomResource") {
                let Some(ty) = self.root(&code, &all[i], "") else { continue };
                _ = writeln!(arms, "        \"{i} crd\" => crd::<m{i}::{ty}>(),");
                _ = writeln!(lines, "{i} crd\t");
                sent.push(emit::crd(&all[i].crd));
            }
        }
        let crd = if self.maker == Maker::Kopium { CRD } else { "" };
        self.modules("main.rs", chosen, &format!("{MAIN}{crd}\nfn one(which: &str, text: &str) -> Option<String> {{\n    match which {{\n{arms}        _ => None,\n    }}\n}}\n"))?;
        fs::write(self.folder.join("objects.txt"), &lines)?;
        self.cargo("cargo build -q --bins -j1")?;
        let program = self.target.join("debug").join(format!("peer-{}", self.maker.folder()));
        let answers =
            run(&self.folder, &format!("{} < objects.txt 2> /dev/null", program.display()), &[])?.output;
        for ((line, sent), answer) in lines.lines().zip(sent).zip(answers.lines()) {
            let back = crdgen_core::json::read(answer.as_bytes()).unwrap_or_default();
            if line.split('\t').next().is_some_and(|which| which.ends_with("crd")) {
                out.definitions += 1;
                out.exact += usize::from(same_definition(&sent, back));
            } else {
                out.objects += 1;
                out.same += usize::from(
                    to_string(&sorted(&without_metadata(back)))
                        == to_string(&sorted(&without_metadata(sent))),
                );
            }
        }
        Ok(out)
    }

    /// The path of a kind's type in its module; `version` is empty for the one that kopium chose.
    fn root(&self, code: &str, definition: &Definition, version: &str) -> Option<String> {
        let value = |key: &str| {
            let at = code.find(&format!("{key} = \""))? + key.len() + 4;
            Some(code[at..].split('"').next().unwrap_or_default())
        };
        let kind = value(", root").or(value("kind")).unwrap_or(&definition.crd.spec.names.kind);
        match self.maker {
            Maker::Kopium | Maker::Compatible => {
                let chosen = value("version")?;
                (code.contains("CustomResource") && (version.is_empty() || version == chosen))
                    .then(|| kind.to_owned())
            }
            Maker::Exact | Maker::Client => Some(format!("{version}::{kind}")),
        }
    }
}

/// What the server makes of those objects that are of a version of a definition.
fn given(definition: &Definition, version: &str, objects: &[Seed]) -> Vec<Value> {
    let spec = &definition.crd.spec;
    let api = format!("{}/{version}", spec.group);
    let text =
        |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let Ok(served) = Served::new(definition.crd.clone()) else { return Vec::new() };
    let ours = objects
        .iter()
        .filter(|o| text(&o.value, "apiVersion") == api && text(&o.value, "kind") == spec.names.kind);
    ours.filter_map(|seed| {
        let version = served.version(version).ok()?;
        let mut object = served.decode(seed.value.clone(), &version.name).ok()?.object;
        served.put_into_namespace(&mut object, "").ok()?;
        served.handler(version).create(object).result
    })
    .collect()
}

/// Whether two definitions say the same, but for what the server fills in.
fn same_definition(wanted: &Value, found: Value) -> bool {
    let normal = |value: Value| read::crd(value).0.map(|crd| to_string(&emit::crd(&crd)));
    normal(wanted.clone()) == normal(found)
}

fn sorted(value: &Value) -> Value {
    match value {
        // A map is sorted when it is collected.
        Value::Map(members) => Value::Map(members.iter().map(|(k, v)| (k.to_owned(), sorted(v))).collect()),
        Value::List(items) => Value::List(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

const MAIN: &str = r#"
fn main() {
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let (which, text) = line.split_once('\t').unwrap_or((&line, ""));
        let back = std::panic::catch_unwind(|| one(which, text)).ok().flatten();
        println!("{}", back.unwrap_or_else(|| "null".to_owned()));
    }
}

fn again<T: serde::de::DeserializeOwned + serde::Serialize>(text: &str) -> Option<String> {
    serde_json::to_string(&serde_json::from_str::<T>(text).ok()?).ok()
}
"#;

const CRD: &str = r#"
fn crd<T: kube::CustomResourceExt>() -> Option<String> {
    serde_json::to_string(&T::crd()).ok()
}
"#;
