//! Calls say what they mean: `read(&file, Missing::Error)`, not `read(&file, true)`. Checks that no call of our own functions
//! has a bare `true` or `false` among its arguments.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates that are checked.
const CRATES: &[&str] = &[
    "text",
    "apply",
    "cel",
    "runtime",
    "rules",
    "rust",
    "source",
    "publish",
    "import",
    "kubernetes",
    "apiserver",
];

/// Functions whose argument is a value rather than a flag, and those of other crates.
const VALUES: &[(&str, &str)] = &[
    ("fold", "std: the first value"),
    ("get_or_insert", "std: the value instead of none"),
    ("invalid", "the value that an error is about"),
    ("otherwise", "the value instead of an error"),
    ("replace", "std: the new value"),
    ("set", "std: the new value"),
    ("set_nodelay", "tokio: a setter"),
    ("start_paused", "tokio: a setter"),
    ("store", "std: the new value"),
    ("take_definitions", "schemars: whether it transforms them"),
    ("unwrap_or", "std: the value instead of none"),
    ("json", "a keyword and its value"),
    ("onepass", "regex-automata: a setter"),
];

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|it| it == "rs")
            && path.file_stem().is_none_or(|it| it != "tests")
        {
            out.push(path);
        }
    }
}

fn is_bare(argument: &[TokenTree]) -> bool {
    matches!(argument, [TokenTree::Ident(it)] if it == "true" || it == "false")
}

fn has_bare(arguments: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = arguments.into_iter().collect();
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(it) if it.as_char() == ',');
    tokens.split(is_comma).any(is_bare)
}

/// Whether a name is that of a function. Types and variants contain values, and keywords have patterns.
fn is_function(name: &str) -> bool {
    name.starts_with(|c: char| c.is_lowercase()) && !["if", "in", "let", "match", "return"].contains(&name)
}

/// Adds the name of each function that is called with a bare boolean.
fn find(tokens: TokenStream, out: &mut Vec<String>) {
    let mut is_test = false;
    let mut name = None;
    for token in tokens {
        let before = name.take();
        match token {
            TokenTree::Ident(it) => name = Some(it.to_string()),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                is_test |= group.stream().to_string() == "cfg (test)";
                find(group.stream(), out);
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && is_test => is_test = false,
            TokenTree::Group(group) => {
                let called =
                    before.filter(|name| group.delimiter() == Delimiter::Parenthesis && is_function(name));
                if let Some(name) = called
                    && has_bare(group.stream())
                    && !VALUES.iter().any(|(value, _)| *value == name)
                {
                    out.push(name);
                }
                find(group.stream(), out);
            }
            TokenTree::Punct(it) => is_test &= it.as_char() != ';',
            TokenTree::Literal(_) => {}
        }
    }
}

fn found_in(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    find(text.parse().unwrap(), &mut out);
    out
}

#[test]
fn no_call_has_a_bare_boolean() {
    let mut found: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
    for name in CRATES {
        let mut files = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../codegen").join(name).join("src"), &mut files);
        for file in files {
            let calls = found_in(&fs::read_to_string(&file).unwrap());
            if !calls.is_empty() {
                found.insert(file, calls);
            }
        }
    }
    assert!(
        found.is_empty(),
        "use an enum or a struct instead of bare booleans, or add the function to VALUES: {found:#?}"
    );
}

#[test]
fn bare_booleans_are_found() {
    for (text, expected) in [
        ("read(&file, true)", &["read"][..]),
        ("self.read(false)", &["read"]),
        ("vec![read(a(true), 1)]", &["a"]),
        ("Some(true)", &[]),
        ("read(Flag { on: true }, x == true)", &[]),
        ("match (a, true) { (true, false) => read(1) }", &[]),
        ("#[cfg(test)] mod tests { read(true); } fn f() { write(true) }", &["write"]),
        ("#[cfg(test)] use a::b; mod c { read(true); }", &["read"]),
    ] {
        assert_eq!(found_in(text), expected, "{text}");
    }
}
