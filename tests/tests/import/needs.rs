//! The header of imported code lists everything that the code needs: packages whose `Cargo.toml` contains exactly that
//! compile.

use super::{GOLDENS, import_as, text, texts};
use crdgen::import::{Numbers, Options, TimeType};
use crdgen_tests::{corpus, turn};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns our own CRDs, by names.
fn own() -> Vec<(String, Vec<u8>)> {
    let mut out: Vec<(String, Vec<u8>)> =
        GOLDENS.iter().map(|(yaml, _)| ((*yaml).to_owned(), text(yaml))).collect();
    out.extend(corpus::own_crds().into_iter().map(|source| (source.name, source.text.into_bytes())));
    for (number, odd) in texts::ODD.iter().enumerate() {
        // A CRD that a server rejects would be a compile error.
        let definition = texts::definition(number, odd);
        let (_, crds) = import_as("text.json", definition.as_bytes(), &Options::default());
        if crdgen::check(&crds[0]).is_accepted() {
            out.push((format!("text {odd:?}"), definition.into_bytes()));
        }
    }
    out
}

/// Returns some CRDs of the shared corpus.
fn shared() -> Vec<(String, Vec<u8>)> {
    let all = corpus::shared_crds().unwrap_or_default().into_iter();
    all.step_by(197).map(|source| (source.name, source.text.into_bytes())).collect()
}

/// Converts a header into the end of a `Cargo.toml`.
fn manifest(code: &str) -> String {
    let header = code.lines().take_while(|line| line.starts_with("//"));
    let lines = header.skip_while(|line| *line != "// [dependencies]");
    lines.map(|line| line.trim_start_matches("// ").to_owned() + "\n").collect()
}

#[test]
fn code_compiles_with_what_its_header_names() {
    // The packages of all styles take minutes.
    let other = match turn() % 4 {
        0 => ("client", Options { schema: false, ..Options::default() }),
        1 => ("apply", Options { apply: true, ..Options::default() }),
        2 => ("chrono", Options { time: TimeType::Chrono, ..Options::default() }),
        _ => ("jiff", Options { time: TimeType::Jiff, numbers: Numbers::F64, ..Options::default() }),
    };
    let styles = [("exact", Options::default()), other];
    // Packages are grouped by what they need, so that none has a dependency only because another one needs it.
    let (own, shared) = (own(), shared());
    let mut packages: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (style, options) in &styles {
        let corpus = if matches!(options.time, TimeType::String) { &shared[..] } else { &[] };
        for (name, text) in own.iter().chain(corpus) {
            let (code, crds) = import_as(name, text, options);
            if crds.iter().any(|crd| !crdgen::check(crd).is_accepted()) {
                continue;
            }
            let needs = manifest(&code);
            assert!(needs.starts_with("[dependencies]\n"), "{name}, {style}:\n{code}");
            // Styles give the same code if a CRD has nothing that they write differently.
            let codes = packages.entry(needs).or_default();
            codes.entry(code).or_insert_with(|| format!("// {style}: {name}"));
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(PathBuf::from).unwrap_or_default();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("needs");
    let own = format!("path = {:?}", root.join("codegen/crdgen"));
    for (number, (needs, codes)) in packages.iter().enumerate() {
        let at = folder.join(number.to_string());
        let needs = needs.replace("crdgen = \"0.1\"", &format!("crdgen = {{ {own} }}"));
        let needs = needs.replace("crdgen = { version = \"0.1\"", &format!("crdgen = {{ {own}"));
        let manifest = format!(
            "[package]\nname = \"needs\"\nedition = \"2024\"\n[workspace]\n[profile.dev]\ndebug = false\n{needs}"
        );
        let mut lib = String::from("#![allow(dead_code)]\n");
        std::fs::create_dir_all(at.join("src")).unwrap_or_else(|e| panic!("{e}"));
        for (i, (code, about)) in codes.iter().enumerate() {
            _ = writeln!(lib, "pub mod m{i};");
            std::fs::write(at.join(format!("src/m{i}.rs")), format!("{about}\n{code}"))
                .unwrap_or_else(|e| panic!("{e}"));
        }
        for (path, text) in [("Cargo.toml", manifest), ("src/lib.rs", lib)] {
            std::fs::write(at.join(path), text).unwrap_or_else(|e| panic!("{e}"));
        }
        // Uses the same versions of dependencies as all other builds.
        std::fs::copy(root.join("Cargo.lock"), at.join("Cargo.lock")).unwrap_or_else(|e| panic!("{e}"));
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["check", "-q"]).current_dir(&at);
        let checked = crate::builds_packages(&mut cargo).output().unwrap_or_else(|e| panic!("{e}"));
        let message = String::from_utf8_lossy(&checked.stderr);
        assert!(checked.status.success(), "{needs}\n{}", message.chars().take(6000).collect::<String>());
    }
    println!("{} packages, {} files", packages.len(), packages.values().map(BTreeMap::len).sum::<usize>());
}
