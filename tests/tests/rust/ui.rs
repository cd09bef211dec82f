//! Every diagnostic as its reader sees it: `tests/ui/*.txt` contains the cases, and `tests/ui/*.out` the messages. For
//! a case without diagnostics, the output is the schema. `UPDATE=1` writes the messages again.

use crdgen_core::diag::Level;
use crdgen_core::recipe::outline;
use crdgen_core::{encode, json, recipe};
use crdgen_rust::derive::item;
use crdgen_source::{CrateSource, Found, FoundKind, Located, Program, Sources, once};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Files by their paths.
struct Memory<'f>(&'f [(&'f str, &'f str)]);

impl Sources for Memory<'_> {
    fn read(&mut self, path: &str) -> Option<String> {
        self.0.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned())
    }
    fn extern_crate(&mut self, _: &CrateSource, _: &str) -> Option<CrateSource> {
        None
    }
}

/// Returns the source of a case.
pub(super) fn source(body: &str) -> String {
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

/// Returns the diagnostics for a source. If there are none, returns the schemas of its kinds.
pub(super) fn findings(text: &str) -> (Vec<Found>, Vec<String>) {
    let (found, crds) = read(text);
    let spec = |v: &crdgen_core::ir::Version| {
        let schema = v.body.schema.as_ref()?.open_api_v3_schema.as_ref()?;
        Some(json::to_string(&encode::schema(schema.properties.get("spec").unwrap_or(schema))))
    };
    let schemas = crds.iter().flat_map(|crd| crd.spec.versions.iter().filter_map(spec)).collect();
    (found, schemas)
}

/// Like [`findings`], with whole CRDs instead of schemas.
pub(super) fn definitions(text: &str) -> (Vec<Found>, Vec<String>) {
    let (found, crds) = read(text);
    (found, crds.iter().map(|crd| json::to_string(&encode::crd(crd))).collect())
}

fn root() -> CrateSource {
    CrateSource {
        name: "ui".into(),
        id: "ui".into(),
        root: "lib.rs".into(),
        cfgs: Default::default(),
        environment: Vec::new(),
        dependency: None,
    }
}

/// Returns the diagnostics for the files of a crate. Its root is `lib.rs`.
pub(super) fn sources(files: &[(&str, &str)]) -> Vec<Found> {
    let mut sources = Memory(files);
    let program = Program::new(&mut sources, root());
    program.kinds(&|_, _| true);
    program.found()
}

fn read(text: &str) -> (Vec<Found>, Vec<crdgen::ir::Crd>) {
    let files = [("lib.rs", text)];
    let mut sources = Memory(&files);
    let program = Program::new(&mut sources, root());
    let kinds = program.kinds(&|_, _| true).known;
    let mut found = program.found();
    let mut schemas = Vec::new();
    if !program.has_errors() {
        let (crds, diags) = recipe::merge(kinds.iter().map(|k| k.crd.clone()).collect());
        let unmerged: Vec<String> = diags.iter().map(|diag| diag.field.clone()).collect();
        found.extend(diags.into_iter().map(|diag| Found { diag, at: None }));
        for crd in crds {
            if unmerged.contains(&crd.spec.names.kind) {
                continue;
            }
            let document = encode::crd(&crd);
            let report = crdgen::check(&crd);
            let of = |k: &&FoundKind| k.crd.spec.names.kind == crd.spec.names.kind;
            for diag in once(report.errors.into_iter().chain(report.warnings).collect()) {
                let at =
                    kinds.iter().find(of).and_then(|k| Located::new(&program, k).at_in(&document, &diag));
                if !program.is_reported(&diag, at.as_ref(), &found) {
                    found.push(Found { diag, at });
                }
            }
            schemas.push(crd);
        }
    }
    (found, schemas)
}

/// What something reports about a source: levels with codes. It is the same for the macro, the generated test and the build,
/// so that they can be compared.
pub(super) type Reports = BTreeSet<(Level, String)>;

/// Whether there is an error.
pub(super) fn has_error(reports: &Reports) -> bool {
    reports.iter().any(|(level, _)| *level == Level::Error)
}

/// Returns what the derives report about a source. They see one item at a time.
pub(super) fn reported_by_macro(source: &str) -> Reports {
    fn items(all: &[syn::Item], out: &mut Reports) {
        for item in all {
            match item {
                syn::Item::Struct(it) => derived(&it.attrs, item, out),
                syn::Item::Enum(it) => derived(&it.attrs, item, out),
                syn::Item::Mod(it) => items(it.content.as_ref().map_or(&[], |(_, all)| all), out),
                _ => {}
            }
        }
    }
    fn derived(attributes: &[syn::Attribute], item: &syn::Item, out: &mut Reports) {
        let derives = |name: &str| {
            let list = attributes.iter().filter(|a| a.path().is_ident("derive"));
            list.map(|a| a.meta.to_token_stream().to_string()).any(|list| list.contains(name))
        };
        // The compiler also removes these attributes before a derive runs.
        let mut item = item.clone();
        if let syn::Item::Struct(syn::ItemStruct { attrs, .. })
        | syn::Item::Enum(syn::ItemEnum { attrs, .. }) = &mut item
        {
            attrs.retain(|a| !a.path().is_ident("derive"));
        }
        let mut report = |name: &str, expand: fn(TokenStream) -> TokenStream| {
            if !derives(name) {
                return;
            }
            let code = expand(item.to_token_stream()).to_string();
            for (call, level) in [("compile_error", Level::Error), ("deprecated (note", Level::Warning)] {
                out.extend(code.split(call).skip(1).map(|text| (level, code_in(text))));
            }
        };
        report("Schema", item::schema);
        report("CustomResource", item::custom_resource);
    }
    let mut out = Reports::new();
    if let Ok(file) = syn::parse_file(source) {
        items(&file.items, &mut out);
        out.extend(failed_assertions(&file.items));
    }
    out
}

/// The first code in a message for the compiler, such as `… [RST001]`.
fn code_in(text: &str) -> String {
    let is_code = |text: &&str| {
        text.len() == 6
            && text.is_ascii()
            && text[..3].bytes().all(|b| b.is_ascii_uppercase())
            && text[3..].bytes().all(|b| b.is_ascii_digit())
    };
    text.split(['[', ']']).find(is_code).unwrap_or("syntax").to_owned()
}

/// Returns the assertions that fail, of those that the derives generate for the compiler to evaluate.
fn failed_assertions(all: &[syn::Item]) -> Reports {
    let mut items = Vec::new();
    for item in all {
        let Ok(input) = syn::parse2::<syn::DeriveInput>(item.to_token_stream()) else { continue };
        items.push(crdgen_rust::item(&input, &|_| true, &mut crdgen_rust::Report::default()));
    }
    let shape = |ty: &syn::Type| {
        let name = ty.to_token_stream().to_string();
        let text = items.iter().find(|it| it.name == name).map(item::text).unwrap_or_default();
        recipe::Shape::text("", text.leak(), &[], &[])
    };
    let fails = |assertion: &crdgen_rust::Assertion| {
        let shape = shape(&assertion.ty);
        !match &assertion.ask {
            crdgen_rust::Ask::CanBeInASet => outline::can_be_in_a_set(&shape),
            crdgen_rust::Ask::HasField(name) => outline::has_field(&shape, name),
            crdgen_rust::Ask::HasValue(name) => outline::has_value(&shape, name),
            crdgen_rust::Ask::HasNoNull(name) => outline::has_no_null(&shape, name),
            crdgen_rust::Ask::HasOneType => outline::has_one_type(&shape),
            crdgen_rust::Ask::CanBeANumber => outline::can_be_a_number(&shape),
            crdgen_rust::Ask::Takes(value) => outline::takes(&shape, value),
        }
    };
    let failed = items.iter().flat_map(|it| &it.assertions).filter(|assertion| fails(assertion));
    failed.map(|assertion| (Level::Error, assertion.code.id.to_owned())).collect()
}

/// Whether the generated test reports anything without crdgen's feature `check`.
fn reported_by_test(source: &str) -> bool {
    read(source).1.iter().any(|crd| !recipe::quick::check(crd).is_empty())
}

/// For the mistakes that were measured with other tools: which of them the macro alone reports, which the generated
/// test with default features, and which the build (or `crdgen emit`). Some are not mistakes here, because the schema
/// is right.
#[test]
fn every_mistake_is_reported_or_made_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let text = std::fs::read_to_string(folder.join("mistakes.txt")).unwrap_or_else(|e| panic!("{e}"));
    let mut counts = [0, 0, 0, 0];
    let mut out = String::new();
    for case in text.split("\n## ").skip(1) {
        let (name, body) = case.split_once('\n').unwrap_or((case, ""));
        let source = source(&body.lines().map(|l| format!("{l}\n")).collect::<String>());
        let refused = findings(&source).0.iter().any(|f| f.diag.level == Level::Error);
        let by_macro = reported_by_macro(&source);
        let (which, word) = match (has_error(&by_macro), refused) {
            (true, true) => (0, "macro"),
            (false, false) if !by_macro.is_empty() => (0, "macro"),
            (false, true) if reported_by_test(&source) => (1, "test"),
            (false, true) => (2, "build"),
            (false, false) => (3, "right"),
            (true, false) => panic!("{name}: the macro rejects what the build does not"),
        };
        counts[which] += 1;
        out.push_str(&format!("{word}  {name}\n"));
    }
    let [macros, tests, build, right] = counts;
    let out = format!(
        "# {macros} reported by the macro, {tests} more by the generated test with default features, {build} more by \
         the build, {right} made right\n{out}"
    );
    println!("{}", out.lines().next().unwrap_or_default());
    let golden = folder.join("mistakes.reported");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&golden, &out).unwrap_or_else(|e| panic!("{e}"));
    }
    let found = std::fs::read_to_string(&golden).unwrap_or_default();
    assert!(found == out, "differs, run with UPDATE=1 and look at the difference:\n{out}");
}

/// Calls `visit` with the name of the file, the name of the case and its source, for all cases.
pub(super) fn each_case(visit: &mut dyn FnMut(&str, &str, &str)) {
    for file in files() {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{e}"));
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        for (name, source) in cases(&text) {
            visit(&stem, name, &source);
        }
    }
}

/// The files with cases, sorted.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let all = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{e}"));
    let mut files: Vec<_> =
        all.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "txt")).collect();
    files.sort();
    files
}

/// The cases of a file: their names and sources.
fn cases(text: &str) -> impl Iterator<Item = (&str, String)> {
    text.split("\n## ").skip(1).map(|case| {
        let (name, body) = case.split_once('\n').unwrap_or((case, ""));
        let body: String = body.lines().filter(|l| !l.starts_with("# ")).map(|l| format!("{l}\n")).collect();
        (name, source(&body))
    })
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
fn every_case_prints_its_golden() {
    let (mut count, mut diagnostics) = (0, 0);
    let mut stale = Vec::new();
    for file in files() {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{e}"));
        let mut out = String::new();
        for (name, source) in cases(&text) {
            let (found, schemas) = findings(&source);
            count += 1;
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
    println!("{count} cases, {diagnostics} diagnostics");
    assert!(stale.is_empty(), "differ, run with UPDATE=1 and look at the difference: {}", stale.join(", "));
}
