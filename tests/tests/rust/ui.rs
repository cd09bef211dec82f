//! Every diagnostic as its reader sees it: `tests/ui/*.txt` are the cases, `tests/ui/*.out` what is said of
//! them. A case without findings shows the schema instead. `UPDATE=1` writes the answers anew.

use crdgen_core::diag::Level;
use crdgen_core::read::rust::resolve::{CrateSource, Found, FoundKind, Located, Program, Sources};
use crdgen_core::{emit, json, shape};
use std::path::Path;

struct Memory(String);

impl Sources for Memory {
    fn read(&mut self, path: &str) -> Option<String> {
        (path == "lib.rs").then(|| self.0.clone())
    }
    fn extern_crate(&mut self, _: &CrateSource, _: &str) -> Option<CrateSource> {
        None
    }
}

/// The source of a case.
fn source(body: &str) -> String {
    if let Some(full) = body.strip_prefix("full\n") {
        return full.to_owned();
    }
    let mut kube = "group = \"ui.example.com\", version = \"v1\", kind = \"Foo\"";
    let (mut on_type, mut fields, mut more) = (String::new(), String::new(), String::new());
    for line in body.lines() {
        if let Some(rest) = line.strip_prefix("kube ") {
            kube = rest;
        } else if let Some(rest) = line.strip_prefix("type ") {
            on_type.push_str(rest);
            on_type.push('\n');
        } else if let Some(rest) = line.strip_prefix("+ ") {
            more.push_str(rest);
            more.push('\n');
        } else {
            fields.push_str(line);
            fields.push('\n');
        }
    }
    format!(
        "use std::collections::*;\n#[derive(CustomResource, Schema)]\n#[kube({kube})]\n{on_type}pub struct FooSpec {{\n{fields}}}\n{more}"
    )
}

fn findings(text: &str) -> (Vec<Found>, Vec<String>) {
    let mut sources = Memory(text.to_owned());
    let root =
        CrateSource { name: "ui".into(), id: "ui".into(), root: "lib.rs".into(), cfgs: Default::default() };
    let program = Program::new(&mut sources, root);
    let kinds = program.kinds();
    let mut found = program.found();
    let mut schemas = Vec::new();
    if !program.has_errors() {
        let (crds, diags) = shape::merge(kinds.iter().map(|k| k.crd.clone()).collect());
        found.extend(diags.into_iter().map(|diag| Found { diag, at: None }));
        for crd in crds {
            let document = emit::crd(&crd);
            let report = crdgen::check(&crd);
            let of = |k: &&FoundKind| k.crd.spec.names.kind == crd.spec.names.kind;
            for diag in report.errors.into_iter().chain(report.warnings) {
                let at =
                    kinds.iter().find(of).and_then(|k| Located::new(&program, k).at_in(&document, &diag));
                found.push(Found { diag, at });
            }
            let spec = |v: &crdgen_core::ir::Version| {
                let schema = v.body.schema.as_ref()?.open_api_v3_schema.as_ref()?;
                Some(json::to_string(&emit::schema(schema.properties.get("spec").unwrap_or(schema))))
            };
            schemas.extend(crd.spec.versions.iter().filter_map(spec));
        }
    }
    (found, schemas)
}

fn show(text: &str, found: &Found) -> String {
    let Found { diag, at } = found;
    let level = match diag.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    };
    let mut out = format!("{level}[{}]: {}\n", diag.code.id, diag.text());
    if let Some(at) = at {
        let line = text.lines().nth(at.start.line as usize - 1).unwrap_or_default();
        let end = if at.end.line == at.start.line { at.end.column } else { line.chars().count() as u32 + 1 };
        let carets = "^".repeat((end.saturating_sub(at.start.column)).max(1) as usize);
        out.push_str(&format!("  | {line}\n  | {}{carets}\n", " ".repeat(at.start.column as usize - 1)));
    }
    if let Some(help) = &diag.help {
        out.push_str(&format!("  = help: {help}\n"));
    }
    out
}

#[test]
fn every_case_says_what_it_said() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{e}"))
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "txt"))
        .collect();
    files.sort();
    let (mut cases, mut diagnostics) = (0, 0);
    let mut stale = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{e}"));
        let mut out = String::new();
        for case in text.split("\n## ").skip(1) {
            let (name, body) = case.split_once('\n').unwrap_or((case, ""));
            let body: String =
                body.lines().filter(|l| !l.starts_with("# ")).map(|l| format!("{l}\n")).collect();
            let source = source(&body);
            let (found, schemas) = findings(&source);
            cases += 1;
            diagnostics += found.len();
            out.push_str(&format!("## {name}\n"));
            let mut shown: Vec<String> = found.iter().map(|f| show(&source, f)).collect();
            shown.sort();
            shown.dedup();
            out.extend(shown);
            if found.is_empty() {
                out.extend(schemas.iter().map(|s| format!("{s}\n")));
            }
            out.push('\n');
        }
        let golden = file.with_extension("out");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&golden, &out).unwrap_or_else(|e| panic!("{e}"));
        } else if std::fs::read_to_string(&golden).unwrap_or_default() != out {
            stale.push(golden.display().to_string());
        }
    }
    println!("{cases} cases, {diagnostics} diagnostics");
    assert!(stale.is_empty(), "differ, run with UPDATE=1 and look at the difference: {}", stale.join(", "));
}
