//! Random types: the server accepts what serde accepts, and the other way round. The sources give the same CRDs as the
//! compiled types.

use super::serde_matrix::{Judged, judge, rounds};
use super::ui::definitions;
use crdgen_core::decode;
use crdgen_core::diag::Level;
use crdgen_tests::random_types::{Kind, kind};
use serde_json::Value as Json;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Returns the number in a variable.
fn number(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn random_types_are_what_serde_makes_of_them() {
    let seed = number("CRDGEN_SEED", 1) as u64;
    let (mut kinds, mut refused) = (Vec::new(), Vec::new());
    for n in 0..number("CRDGEN_TYPES", 24) {
        let kind = kind(seed, n);
        let (found, documents) = definitions(&kind.source);
        let mistake = found.iter().find(|found| found.diag.level == Level::Error);
        match (mistake, documents.into_iter().next()) {
            (None, Some(document)) => kinds.push((kind, document)),
            (mistake, _) => {
                let why = mistake.map_or_else(String::new, |f| f.diag.text());
                refused.push(format!("{why}\n{}", kind.source));
            }
        }
    }
    let whys: Vec<&str> = refused.iter().filter_map(|r: &String| r.lines().next()).collect();
    println!("seed {seed}: {} kinds, {} more have no schema: {whys:?}", kinds.len(), whys.len());
    // A few kinds cannot be expressed, for example rules for keys in lists without bounds.
    assert!(refused.len() * 10 <= kinds.len(), "{}", refused.join("\n\n"));
    let sources: Vec<&Kind> = kinds.iter().map(|(kind, _)| kind).collect();
    let program = RefCell::new(Types::compiled(&sources));
    for (at, (kind, document)) in kinds.iter().enumerate() {
        let asked = program.borrow_mut().ask(at, "");
        assert_eq!(asked.as_ref(), Ok(document), "{}: by source and by the types", kind.source);
    }
    let rounds_of = |at: usize| {
        let program = &program;
        move |spec: &Json| -> Result<Json, String> {
            let written = program.borrow_mut().ask(at, &spec.to_string())?;
            serde_json::from_str(&written).map_err(|e| e.to_string())
        }
    };
    let rounds_of: Vec<_> = (0..kinds.len()).map(rounds_of).collect();
    let judged: Vec<Judged<'_>> = kinds
        .iter()
        .zip(&rounds_of)
        .map(|((kind, document), round)| Judged {
            about: format!("{} of seed {seed}", kind.name),
            crd: read(document),
            round,
        })
        .collect();
    judge(&judged, rounds());
}

fn read(document: &str) -> crdgen::ir::Crd {
    let value = crdgen_core::json::read(document.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    decode::crd(value).0.unwrap_or_default()
}

/// A program with all types. It prints their CRDs, and reads and writes values with serde.
struct Types {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Types {
    fn compiled(kinds: &[&Kind]) -> Types {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(PathBuf::from).unwrap_or_default();
        let manifest = format!(
            "[package]\nname = \"random\"\nedition = \"2024\"\n[workspace]\n[profile.dev]\ndebug = false\n[dependencies]\n\
             crdgen = {{ path = {:?}, features = [\"convert\", \"serde_json\"] }}\nserde = {{ version = \"1\", features = [\"derive\"] }}\nserde_json = \"1\"\n",
            root.join("codegen/crdgen")
        );
        let (mut main, mut table) = (String::from("#![allow(dead_code)]\n"), String::new());
        for kind in kinds {
            let module = kind.name.to_lowercase();
            _ = writeln!(main, "mod {module} {{\n{}}}", kind.source);
            _ = writeln!(
                table,
                "    (<{module}::{0} as crdgen::CustomResource>::crd_json, round::<{module}::{0}Spec>),",
                kind.name
            );
        }
        _ = write!(
            main,
            "{MAIN}static KINDS: &[(fn() -> String, fn(&str) -> Result<String, String>)] = &[\n{table}];\n"
        );
        for (path, text) in [("Cargo.toml", manifest), ("src/main.rs", main)] {
            let path = folder.join(path);
            let parent = path.parent().unwrap_or(&folder);
            std::fs::create_dir_all(parent)
                .and_then(|()| std::fs::write(&path, text))
                .unwrap_or_else(|e| panic!("{e}"));
        }
        // Uses the same versions of dependencies as all other builds.
        std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap_or_else(|e| panic!("{e}"));
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "-q"]).current_dir(&folder);
        let built = crate::builds_packages(&mut cargo).output().unwrap_or_else(|e| panic!("{e}"));
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let mut child = Command::new(crate::packages().join("debug/random"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("{e}"));
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => Types { child, input, output: BufReader::new(output) },
            _ => panic!("no pipes"),
        }
    }

    /// Returns the CRD of a kind, or a spec of it after serde has read and written it.
    fn ask(&mut self, kind: usize, spec: &str) -> Result<String, String> {
        let mut answer = String::new();
        writeln!(self.input, "{kind} {spec}").unwrap_or_else(|e| panic!("{e}"));
        self.output.read_line(&mut answer).unwrap_or_else(|e| panic!("{e}"));
        let answer = answer.trim_end_matches('\n');
        match answer.split_once(' ') {
            Some(("ok", text)) => Ok(text.to_owned()),
            Some(("no", why)) => Err(why.to_owned()),
            _ => panic!("{kind} {spec}: {answer}"),
        }
    }
}

impl Drop for Types {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// Reads lines with a number and a spec. Without a spec, it prints the CRD.
const MAIN: &str = r#"
fn main() {
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let (number, spec) = line.split_once(' ').unwrap();
        let (definition, round) = KINDS[number.parse::<usize>().unwrap()];
        let answer = if spec.is_empty() { Ok(definition()) } else { round(spec) };
        match answer {
            Ok(text) => println!("ok {text}"),
            Err(why) => println!("no {}", why.replace('\n', " ")),
        }
    }
}

fn round<T: serde::de::DeserializeOwned + serde::Serialize>(spec: &str) -> Result<String, String> {
    let it: T = serde_json::from_str(spec).map_err(|e| e.to_string())?;
    serde_json::to_string(&it).map_err(|e| e.to_string())
}

"#;
