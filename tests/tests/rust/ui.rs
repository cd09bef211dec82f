//! Every diagnostic as its reader sees it: `tests/ui/*.txt` contains the cases, and `tests/ui/*.out` the messages. For
//! a case without diagnostics, the output is the schema. `UPDATE=1` writes the messages again.

use crdgen_core::derive::item;
use crdgen_core::diag::Level;
use crdgen_core::read::rust;
use crdgen_core::read::rust::resolve::{CrateSource, Found, FoundKind, Located, Program, Sources, once};
use crdgen_core::recipe::outline;
use crdgen_core::{encode, json, recipe};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::path::Path;

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
fn findings(text: &str) -> (Vec<Found>, Vec<String>) {
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

/// What the derives report about a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reported {
    Nothing,
    Warning,
    Error,
}

/// Returns what the derives report about a source. They see one item at a time.
fn reported_by_macro(source: &str) -> Reported {
    fn items(all: &[syn::Item]) -> Reported {
        let reported = all.iter().map(|item| match item {
            syn::Item::Struct(it) => derived(&it.attrs, item),
            syn::Item::Enum(it) => derived(&it.attrs, item),
            syn::Item::Mod(it) => it.content.as_ref().map_or(Reported::Nothing, |(_, all)| items(all)),
            _ => Reported::Nothing,
        });
        reported.max().unwrap_or(Reported::Nothing)
    }
    fn derived(attributes: &[syn::Attribute], item: &syn::Item) -> Reported {
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
        let reported = |name: &str, expand: fn(TokenStream) -> TokenStream| {
            if !derives(name) {
                return Reported::Nothing;
            }
            let code = expand(item.to_token_stream()).to_string();
            match (code.contains("compile_error"), code.contains("deprecated (note")) {
                (true, _) => Reported::Error,
                (false, true) => Reported::Warning,
                (false, false) => Reported::Nothing,
            }
        };
        reported("Schema", item::schema).max(reported("CustomResource", item::custom_resource))
    }
    syn::parse_file(source).map_or(Reported::Nothing, |file| {
        let assertions = if an_assertion_fails(&file.items) { Reported::Error } else { Reported::Nothing };
        items(&file.items).max(assertions)
    })
}

/// Whether an assertion fails that the derives generate for the compiler to evaluate.
fn an_assertion_fails(all: &[syn::Item]) -> bool {
    let mut items = Vec::new();
    for item in all {
        let Ok(input) = syn::parse2::<syn::DeriveInput>(item.to_token_stream()) else { continue };
        items.push(rust::item(&input, &|_| true, &mut rust::Report::default()));
    }
    let shape = |ty: &syn::Type| {
        let name = ty.to_token_stream().to_string();
        let text = items.iter().find(|it| it.name == name).map(item::text).unwrap_or_default();
        recipe::Shape::text("", text.leak(), &[], &[])
    };
    let fails = |assertion: &rust::Assertion| {
        let shape = shape(&assertion.ty);
        !match &assertion.ask {
            rust::Ask::CanBeInASet => outline::can_be_in_a_set(&shape),
            rust::Ask::HasField(name) => outline::has_field(&shape, name),
            rust::Ask::HasValue(name) => outline::has_value(&shape, name),
            rust::Ask::HasOneType => outline::has_one_type(&shape),
            rust::Ask::CanBeANumber => outline::can_be_a_number(&shape),
            rust::Ask::Takes(value) => outline::takes(&shape, value),
        }
    };
    items.iter().flat_map(|it| &it.assertions).any(fails)
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
        let (which, word) = match (reported_by_macro(&source), refused) {
            (Reported::Error, true) | (Reported::Warning, false) => (0, "macro"),
            (Reported::Nothing | Reported::Warning, true) if reported_by_test(&source) => (1, "test"),
            (Reported::Nothing | Reported::Warning, true) => (2, "build"),
            (Reported::Nothing, false) => (3, "right"),
            (Reported::Error, false) => panic!("{name}: the macro rejects what the build does not"),
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
