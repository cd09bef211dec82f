//! Crates with generated code: which modules compile, what this costs the compiler, and whether real objects and CRDs
//! are the same after they went through a program.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crdgen::import::{Import, Options};
use crdgen_core::ir::{Crd, Version};
use crdgen_core::json::to_string;
use crdgen_core::names::compare_versions;
use crdgen_core::value::Value;

use super::{Definition, Maker, without_metadata};
use crdgen_tests::corpus::tests_dir;
use crdgen_tests::cost::{Cost, run};
use crdgen_tests::imports::objects::Object;
use crdgen_tests::imports::{definition, normal};

/// The compiler's output.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// The CRDs whose modules have errors.
    pub broken: BTreeSet<usize>,
    /// The processor time of `cargo check` for the crate without its dependencies, in seconds.
    pub cpu: f64,
}

/// The results for objects and CRDs.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    /// Objects whose kinds have a type.
    pub objects: usize,
    /// Those of them that came back unchanged.
    pub same: usize,
    /// The CRDs with such objects.
    pub tried: BTreeSet<usize>,
    /// The CRDs with an object that was lost or changed.
    pub lossy: BTreeSet<usize>,
    /// CRDs that a program returned.
    pub definitions: usize,
    /// Those of them that are unchanged.
    pub exact: usize,
}

/// A crate in a workspace of its own, with a module for each CRD.
#[derive(Debug)]
pub struct Crate {
    maker: Maker,
    folder: PathBuf,
    target: PathBuf,
    files: PathBuf,
}

impl Crate {
    /// Creates the crate for a maker. The code that it made is in `dir`.
    pub fn new(maker: Maker, dir: &Path) -> io::Result<Crate> {
        let folder = dir.join("crates").join(maker.folder());
        fs::create_dir_all(folder.join("src"))?;
        let crdgen = tests_dir().join("../codegen/crdgen").canonicalize()?;
        let serde = "serde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\n";
        let kube = "kube = { version = \"5\", default-features = false, features = [\"derive\"] }\n\
                    k8s-openapi = { version = \"0.29\", features = [\"v1_37\", \"schemars\"] }\nschemars = \"1\"\n";
        let runtime = tests_dir().join("../codegen/runtime").canonicalize()?;
        let dependencies = match maker {
            Maker::Kopium | Maker::Client | Maker::Compatible => format!("{serde}{kube}"),
            Maker::Exact => format!(
                "{serde}crdgen = {{ path = {crdgen:?}, features = [\"serde_json\"] }}\n\
                 crdgen-runtime = {{ path = {runtime:?} }}\n"
            ),
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

    fn cargo(&self, command: &str) -> io::Result<Cost> {
        let target = self.target.display().to_string();
        run(&self.folder, command, &[("CARGO_TARGET_DIR", &target), ("RUSTFLAGS", "-Awarnings")])
    }

    /// Compiles the modules of these CRDs. Modules with errors are left out one after the other.
    pub fn check(&self, chosen: &[usize]) -> io::Result<Compiled> {
        fs::write(self.folder.join("src/lib.rs"), "")?;
        self.cargo("cargo check -q --lib -j1")?;
        let mut out = Compiled::default();
        // The errors of one phase of the compiler hide those of the next.
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

    /// Compiles a single file for all CRDs.
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

    /// Builds a program from the modules, sends it objects as the server returns them, and compares what it returns.
    /// Compares CRDs too.
    pub fn run(&self, chosen: &[usize], all: &[Definition], objects: &[Object]) -> io::Result<Ran> {
        let mut arms = String::new();
        let mut lines = String::new();
        let mut sent: Vec<(usize, Option<&Object>)> = Vec::new();
        for &i in chosen {
            let types = self.types(i, &all[i])?;
            for (j, (version, ty)) in types.iter().enumerate() {
                _ = writeln!(arms, "        \"{i} {j}\" => again::<m{i}::{ty}>(text),");
                for object in objects.iter().filter(|o| o.definition == i && o.version == *version) {
                    _ = writeln!(lines, "{i} {j}\t{}", to_string(&object.value));
                    sent.push((i, Some(object)));
                }
            }
            let all: Vec<String> = types.iter().map(|(_, ty)| format!("m{i}::{ty}::crd()")).collect();
            if self.maker.gives_definitions() && !all.is_empty() {
                _ = writeln!(arms, "        \"{i} crd\" => crd(vec![{}]),", all.join(", "));
                _ = writeln!(lines, "{i} crd\t");
                sent.push((i, None));
            }
        }
        let one = format!(
            "fn one(which: &str, text: &str) -> Option<String> {{\n    match which {{\n{arms}        _ => None,\n    }}\n}}\n"
        );
        let crd = match self.maker {
            Maker::Kopium => KUBE,
            Maker::Exact => MERGE,
            Maker::Client | Maker::Compatible => "",
        };
        self.modules("main.rs", chosen, &format!("{MAIN}{crd}\n{one}"))?;
        // Otherwise everything would be compiled twice.
        fs::remove_file(self.folder.join("src/lib.rs"))?;
        fs::write(self.folder.join("objects.txt"), &lines)?;
        self.cargo("cargo build -q --bins -j1")?;
        let program = self.target.join("debug").join(format!("peer-{}", self.maker.folder()));
        let line = format!("{} < objects.txt 2> panics.txt", program.display());
        let answers = run(&self.folder, &line, &[])?.output;
        let mut out = Ran::default();
        let mut lost = String::new();
        for ((i, object), answer) in sent.into_iter().zip(answers.lines()) {
            let Some(object) = object else {
                out.definitions += 1;
                out.exact += usize::from(definition(answer).is_some_and(|crd| same(&crd, &all[i].crd)));
                continue;
            };
            let back = crdgen_core::json::read(answer.as_bytes()).unwrap_or_default();
            let plain = |value: &Value| to_string(&sorted(&without_metadata(value.clone())));
            out.objects += 1;
            out.tried.insert(i);
            if plain(&back) == plain(&object.value) {
                out.same += 1;
            } else {
                out.lossy.insert(i);
                let (sent, back) = (plain(&object.value), plain(&back));
                _ = writeln!(lost, "{}\n    wanted {sent}\n    found  {back}", object.name);
            }
        }
        fs::write(self.folder.join("lost.txt"), lost)?;
        Ok(out)
    }

    /// Returns the types of the kind in the module of a CRD: versions and paths.
    fn types(&self, i: usize, definition: &Definition) -> io::Result<Vec<(String, String)>> {
        let options = match self.maker {
            Maker::Kopium => return self.types_of_kopium(i),
            Maker::Exact => Options::default(),
            Maker::Client => Options { schema: false, kube: true, ..Options::default() },
            Maker::Compatible => Options { schema: false, kube: true, ..Options::like_kopium() },
        };
        let mut crd = definition.crd.clone();
        if self.maker == Maker::Compatible {
            let newest = |a: &&Version, b: &&Version| compare_versions(&a.name, &b.name);
            crd.spec.versions = crd.spec.versions.iter().max_by(newest).cloned().into_iter().collect();
        }
        let mut import = Import::default();
        import.options = options;
        import.crds.push(crd);
        let made = import.run();
        Ok(made.kinds().into_iter().map(|kind| (kind.version, kind.path)).collect())
    }

    /// Returns the type of the kind in kopium's code, if there is one.
    fn types_of_kopium(&self, i: usize) -> io::Result<Vec<(String, String)>> {
        let code = fs::read_to_string(self.files.join(format!("{i}.rs")))?;
        let value = |key: &str| {
            let at = code.find(&format!("{key} = \""))? + key.len() + 4;
            Some(code[at..].split('"').next().unwrap_or_default().to_owned())
        };
        let kind = value(", root").or_else(|| value("kind"));
        let of_kind = code.contains("CustomResource,") || code.contains("CustomResource)");
        Ok(value("version").zip(kind).filter(|_| of_kind).into_iter().collect())
    }
}

/// Whether two CRDs are equal apart from what the server fills in.
fn same(a: &Crd, b: &Crd) -> bool {
    normal(a) == normal(b)
}

fn sorted(value: &Value) -> Value {
    match value {
        // Collecting a map sorts it.
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

const KUBE: &str = r#"
use kube::CustomResourceExt as _;

fn crd<T: serde::Serialize>(all: Vec<T>) -> Option<String> {
    serde_json::to_string(all.first()?).ok()
}
"#;

const MERGE: &str = r#"
use crdgen::CustomResource as _;

fn crd(all: Vec<crdgen::ir::Crd>) -> Option<String> {
    Some(crdgen_runtime::json::to_string(&crdgen_runtime::encode::crd(crdgen::merge(all).ok()?.first()?)))
}
"#;
