//! Checks that the layers in `tests/layers.txt` are the layers of the code: reads every `use` and every path, and compares
//! them with the table.

use crate::public_api::flatten;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The crates that have layers, from the bottom to the top.
const CRATES: [&str; 22] = [
    "text",
    "apply",
    "cel",
    "runtime",
    "rules",
    "rust",
    "source",
    "publish",
    "import",
    "core",
    "kubernetes",
    "apiserver",
    "diff",
    "files",
    "kinds",
    "build",
    "crdgen",
    "tasks",
    "report",
    "serve",
    "lsp",
    "cli",
];

/// The crates that have one row in the table. Their top-level modules are compared with each other.
const ONE_ROW: [&str; 12] = [
    "cel",
    "rules",
    "rust",
    "source",
    "publish",
    "import",
    "kubernetes",
    "files",
    "tasks",
    "report",
    "serve",
    "lsp",
];

/// A module: its crate, and its path inside the crate.
type Module = (&'static str, Vec<String>);

/// The modules that a module names, and where it names them.
type Imports = BTreeMap<Module, BTreeMap<Module, String>>;

fn codegen() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../codegen")
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") && path.file_stem().is_none_or(|s| s != "tests")
        {
            out.push(path);
        }
    }
}

/// The names that the root of each crate imports or exports, with the paths behind them. Inside of the crate, all modules can
/// use them as `crate::name`.
static ROOTS: LazyLock<BTreeMap<(&str, String), Vec<String>>> = LazyLock::new(roots);

fn roots() -> BTreeMap<(&'static str, String), Vec<String>> {
    let mut out = BTreeMap::new();
    for krate in CRATES {
        let path = codegen().join(krate).join("src/lib.rs");
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let file = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        for item in file.items {
            let syn::Item::Use(item) = item else { continue };
            let mut paths = Vec::new();
            flatten(&item.tree, &[], &mut paths);
            out.extend(paths.into_iter().map(|(path, name)| ((krate, name), path)));
        }
    }
    out
}

/// All modules of all crates with the modules that they name, without test code.
static IMPORTS: LazyLock<Imports> = LazyLock::new(imports);

fn imports() -> Imports {
    let mut files = Vec::new();
    for krate in CRATES {
        let base = codegen().join(krate).join("src");
        let mut paths = Vec::new();
        sources(&base, &mut paths);
        files.extend(paths.into_iter().map(|path| {
            let inside = path.strip_prefix(&base).expect("below src").with_extension("");
            let mut module: Vec<String> =
                inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
                module.pop();
            }
            ((krate, module), path)
        }));
    }
    let known: BTreeSet<Module> = files.iter().map(|(module, _)| module.clone()).collect();
    let mut out = Imports::new();
    for (module, path) in files {
        let text = fs::read_to_string(&path).expect("a source can be read");
        let tokens = text.parse().unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut names = Vec::new();
        paths_in(tokens, &mut names);
        let found = out.entry(module.clone()).or_default();
        for name in names {
            if let Some(target) = resolve(&module, &name, &known).filter(|target| *target != module) {
                found.entry(target).or_insert_with(|| name.join("::"));
            }
        }
    }
    out
}

/// Collects all paths with several segments in some code. Writes out groups of `use`, and leaves out test code.
fn paths_in(tokens: TokenStream, out: &mut Vec<Vec<String>>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Ident(_) => {
                let (path, group, end) = path_at(&tokens, at);
                if let Some(group) = group {
                    each_of(&path, group, out);
                } else if path.len() > 1 {
                    out.push(path);
                }
                at = end;
            }
            TokenTree::Group(group) => {
                paths_in(group.stream(), out);
                let is_test =
                    group.delimiter() == Delimiter::Bracket && group.stream().to_string() == "cfg (test)";
                at = if is_test { behind_item(&tokens, at + 1) } else { at + 1 };
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => at += 1,
        }
    }
}

/// Returns the path that starts at an identifier, the group at its end, and the index after it.
fn path_at(tokens: &[TokenTree], mut at: usize) -> (Vec<String>, Option<TokenStream>, usize) {
    let is_colon = |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == ':');
    let mut path = Vec::new();
    while let Some(TokenTree::Ident(ident)) = tokens.get(at) {
        path.push(ident.to_string());
        at += 1;
        if !(is_colon(at) && is_colon(at + 1)) {
            return (path, None, at);
        }
        at += 2;
        match tokens.get(at) {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                return (path, Some(group.stream()), at + 1);
            }
            _ => {}
        }
    }
    (path, None, at)
}

/// Adds the paths of `front::{…}`.
fn each_of(front: &[String], group: TokenStream, out: &mut Vec<Vec<String>>) {
    let tokens: Vec<TokenTree> = group.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        if !matches!(tokens[at], TokenTree::Ident(_)) {
            at += 1;
            continue;
        }
        let (path, group, end) = path_at(&tokens, at);
        let whole = [front, &path].concat();
        match group {
            Some(group) => each_of(&whole, group, out),
            None => out.push(whole),
        }
        // The new name in `as` is not part of the path.
        at = end;
        while at < tokens.len() && !matches!(&tokens[at], TokenTree::Punct(p) if p.as_char() == ',') {
            at += 1;
        }
    }
}

/// Returns the index after the item that follows an attribute.
fn behind_item(tokens: &[TokenTree], from: usize) -> usize {
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return at + 1,
            TokenTree::Punct(p) if p.as_char() == ';' => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// Returns the crate that a path begins with. Only the command, its tasks and its reports use `crdgen`: in core, this is a path of generated code.
fn crate_named(name: &str, from: &str) -> Option<&'static str> {
    let short = name
        .strip_prefix("crdgen_")
        .or((name == "crdgen" && matches!(from, "cli" | "report" | "tasks")).then_some(name));
    CRATES.into_iter().find(|krate| Some(*krate) == short)
}

/// Returns the module at the start of a path, as far as its segments are modules.
fn resolve((krate, from): &Module, path: &[String], known: &BTreeSet<Module>) -> Option<Module> {
    let mut rest = path;
    let (first, tail) = rest.split_first()?;
    rest = tail;
    let (mut krate, mut at) = (*krate, from.clone());
    match first.as_str() {
        "crate" => at.clear(),
        "self" => {}
        "super" => {
            at.pop();
            while let Some(("super", tail)) = rest.split_first().map(|(s, tail)| (s.as_str(), tail)) {
                at.pop();
                rest = tail;
            }
        }
        other => match crate_named(other, krate) {
            Some(other) => (krate, at) = (other, Vec::new()),
            None => {
                // This is a child of the current module.
                at.push(first.clone());
                if !known.contains(&(krate, at.clone())) {
                    return None;
                }
            }
        },
    }
    for segment in rest {
        at.push(segment.clone());
        if !known.contains(&(krate, at.clone())) {
            at.pop();
            let behind = at.is_empty().then(|| ROOTS.get(&(krate, segment.clone()))).flatten();
            let behind = behind.and_then(|path| resolve(&(krate, Vec::new()), path, known));
            let Some(behind) = behind else { break };
            (krate, at) = behind;
        }
    }
    Some((krate, at))
}

/// Returns the rows of the table, split at `<-`.
fn table() -> Vec<(String, BTreeSet<String>)> {
    let text = fs::read_to_string(codegen().join("../tests/layers.txt")).expect("the table can be read");
    let row = |line: &str| {
        let (module, names) = line.split_once("<-").unwrap_or_else(|| panic!("no `<-` in {line}"));
        (module.trim().to_owned(), names.split_whitespace().map(str::to_owned).collect())
    };
    text.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

/// Returns the name of a module's row, such as `core::check`. For a module of another crate, this is the name of the
/// crate.
fn row((krate, module): &Module, from: &str) -> String {
    match module.first() {
        Some(first) if *krate == from && !ONE_ROW.contains(krate) => format!("{krate}::{first}"),
        _ => (*krate).to_owned(),
    }
}

#[test]
fn imports_are_those_of_the_table() {
    let table = table();
    let mut problems = Vec::new();
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, targets) in IMPORTS.clone() {
        // The root of a crate only declares its modules.
        if module.1.is_empty() && !ONE_ROW.contains(&module.0) {
            continue;
        }
        let from = row(&module, module.0);
        let entry = used.entry(from.clone()).or_default();
        for (target, path) in targets {
            let to = row(&target, module.0);
            if to == from || to == "text" || (target.1.is_empty() && target.0 == module.0) {
                continue;
            }
            entry.insert(to.clone());
            let allowed = table.iter().any(|(name, allowed)| *name == from && allowed.contains(&to));
            if !allowed {
                let place = [&[module.0.to_owned()], &module.1[..]].concat().join("/");
                problems.push(format!("{place} names {path}: {from} may not import {to}"));
            }
        }
    }
    for (name, imports) in &used {
        if !table.iter().any(|(row, _)| row == name) {
            problems
                .push(format!("no row for {name}; it imports {}", Vec::from_iter(imports.clone()).join(" ")));
        }
    }
    for (at, (name, allowed)) in table.iter().enumerate() {
        for target in allowed {
            let is_crate = CRATES.contains(&target.as_str());
            if !is_crate && !table[..at].iter().any(|(row, _)| row == target) {
                problems.push(format!("{name} imports {target}, which has no row above it"));
            }
            if !used.get(name).is_some_and(|used| used.contains(target)) {
                problems.push(format!("{name} does not import {target}: take it out of its row"));
            }
        }
    }
    assert!(problems.is_empty(), "tests/layers.txt:\n{}", problems.join("\n"));
}

#[test]
fn modules_of_the_second_level_have_no_cycles() {
    let mut graphs: BTreeMap<(&str, String), BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for ((krate, module), targets) in IMPORTS.clone() {
        if let (true, [first, ..]) = (ONE_ROW.contains(&krate), &module[..]) {
            let edges = graphs.entry((krate, "*".to_owned())).or_default().entry(first.clone()).or_default();
            let others = targets.keys().filter(|(k, to)| *k == krate && !to.is_empty() && to[0] != *first);
            edges.extend(others.map(|(_, to)| to[0].clone()));
        }
        // In `crate::a::b::…`, `b` is a module of the second level.
        let [first, second, ..] = &module[..] else { continue };
        let edges = graphs.entry((krate, first.clone())).or_default().entry(second.clone()).or_default();
        let below = targets.into_keys().filter(|(k, to)| *k == krate && to.len() > 1 && to[0] == *first);
        edges.extend(below.map(|(_, to)| to[1].clone()).filter(|to| to != second));
    }
    let mut cycles = Vec::new();
    for ((krate, first), graph) in &graphs {
        for start in graph.keys() {
            if let Some(way) = way_back(graph, start) {
                cycles.push(format!("{krate}::{first}: {}", way.join(" -> ")));
            }
        }
    }
    assert!(cycles.is_empty(), "modules that import each other:\n{}", cycles.join("\n"));
}

/// Returns a shortest path from a module back to itself.
fn way_back(graph: &BTreeMap<String, BTreeSet<String>>, start: &str) -> Option<Vec<String>> {
    let mut ways = vec![vec![start.to_owned()]];
    let mut seen = BTreeSet::new();
    while let Some(way) = (!ways.is_empty()).then(|| ways.remove(0)) {
        for next in graph.get(way.last()?)? {
            let longer = [&way[..], std::slice::from_ref(next)].concat();
            if next == start {
                return Some(longer);
            }
            if graph.contains_key(next) && seen.insert(next.clone()) {
                ways.push(longer);
            }
        }
    }
    None
}

/// No files import each other, except a module and the modules inside of it.
#[test]
fn files_do_not_import_each_other() {
    let graph = &*IMPORTS;
    let is_inside = |a: &Module, b: &Module| a.0 == b.0 && (a.1.starts_with(&b.1) || b.1.starts_with(&a.1));
    let next = |from: &Module| -> Vec<Module> {
        let targets = graph.get(from).into_iter().flat_map(BTreeMap::keys);
        targets.filter(|to| !is_inside(from, to)).cloned().collect()
    };
    let reachable = |start: &Module| {
        let (mut seen, mut open) = (BTreeSet::new(), next(start));
        while let Some(at) = open.pop() {
            if seen.insert(at.clone()) {
                open.extend(next(&at));
            }
        }
        seen
    };
    let all: BTreeMap<Module, BTreeSet<Module>> =
        graph.keys().map(|module| (module.clone(), reachable(module))).collect();
    let circle = |module: &Module| -> Vec<Module> {
        let is_back = |to: &&Module| all.get(*to).is_some_and(|back| back.contains(module));
        all[module].iter().filter(is_back).cloned().collect()
    };
    let name = |module: &Module| [&[module.0.to_owned()], &module.1[..]].concat().join("::");
    let found: BTreeSet<String> = all
        .keys()
        .map(|module| circle(module).iter().map(name).collect::<Vec<_>>().join(" "))
        .filter(|circle| !circle.is_empty())
        .collect();
    assert!(found.is_empty(), "files that import each other:\n{}", Vec::from_iter(found).join("\n"));
}

/// If a package turns off documentation tests, its documentation has no examples, and rustdoc need not read it.
#[test]
fn examples_in_documentation_are_run() {
    let folders = CRATES.map(|krate| codegen().join(krate)).into_iter();
    for folder in folders.chain([codegen().join("playground"), codegen().join("../derive")]) {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        if !manifest.contains("doctest = false") {
            continue;
        }
        let mut files = Vec::new();
        sources(&folder.join("src"), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).expect("a source");
            let is_example = |line: &str| {
                let line = line.trim_start();
                line.starts_with("/// ```") || line.starts_with("//! ```")
            };
            let example = text.lines().position(is_example);
            assert_eq!(example, None, "{}: remove `doctest = false` from Cargo.toml", file.display());
        }
    }
}
