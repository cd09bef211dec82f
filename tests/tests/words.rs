//! Retired words stay out of what users read: `codegen/GLOSSARY.md` lists them with what to write instead.

use crdgen_core::diag::{Code, codes};
use proc_macro2::{TokenStream, TokenTree};
use regex::Regex;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Each retired word as the glossary lists it, and the pattern that finds it.
const RETIRED: &[(&str, &str)] = &[
    ("hold", r"\b(?:holds?|held|holding)\b"),
    ("fit", r"\b(?:fits?|fitted|fitting)\b"),
    ("settle", r"\bsettle[sd]?\b"),
    ("said", r"\bsaid\b"),
    ("tell", r"\b(?:tells?|told)\b"),
    ("blame", r"\bblame[sd]?\b"),
    ("stand", r"\b(?:stands?|stood|standing)\b"),
    ("refuse", r"\brefuse[sd]?\b"),
    ("lead nowhere", r"\bleads? nowhere\b"),
    ("take away", r"\btak(?:e|es|en) (?:[^ .;]+ ){0,6}?away\b"),
    ("is no", r"\b(?:is|are|was) no [a-z]"),
    ("beside", r"\bbeside\b"),
    ("mend", r"\bmend(?:s|ed)?\b"),
    ("nobody", r"\bnobody\b"),
];

/// Names and phrases that contain a retired word and are fine.
const ALLOWED: &[&str] = &[
    "crdgen fit",
    "tool fit",
    "--fit-annotation",
    "`fit`",
    "assert_refused!",
    "refused.yaml",
    "connection refused",
    // The server's messages.
    "not currently held",
    "may only hold up to 2 values",
    "here is no ",
    "here are no ",
    "is no longer ",
    "are no longer ",
    "`said`",
    "`beside`",
    "`mend`",
    "`refused`",
];

/// The documents that users and contributors read.
const DOCUMENTS: &[&str] = &[
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "codegen/ARCHITECTURE.md",
    "codegen/ATTRIBUTES.md",
    "codegen/text/DESIGN.md",
    "codegen/cel/DESIGN.md",
    "codegen/runtime/DESIGN.md",
    "codegen/rules/DESIGN.md",
    "codegen/rust/DESIGN.md",
    "codegen/source/DESIGN.md",
    "codegen/publish/DESIGN.md",
    "codegen/import/DESIGN.md",
    "codegen/core/DESIGN.md",
    "codegen/apply/DESIGN.md",
    "codegen/apiserver/DESIGN.md",
    "codegen/diff/DESIGN.md",
    "codegen/crdgen/DESIGN.md",
    "codegen/cli/DESIGN.md",
    "codegen/playground/DESIGN.md",
    "codegen/APPLY.md",
    "codegen/CI.md",
    "codegen/COMMANDS.md",
    "codegen/COMPARISON.md",
    "codegen/EDITORS.md",
    "codegen/IMPORT.md",
    "codegen/MIGRATION.md",
    "codegen/OBJECTS.md",
    "codegen/PAGES.md",
    "codegen/UPGRADING.md",
    "codegen/VERSIONS.md",
    "examples/cluster-api/README.md",
    "examples/versions/README.md",
    "templates/README.md",
    "tests/README.md",
    "tests/oracle/FACTS.md",
    "tests/oracle/README.md",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Compiled once, since that takes longer than a search.
static PATTERNS: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    let compiled = |(word, pattern): &(&'static str, &str)| {
        (*word, Regex::new(&format!("(?i){pattern}")).expect("a pattern"))
    };
    RETIRED.iter().map(compiled).collect()
});

/// Reports each retired word in a text, with its line.
fn search(name: &str, text: &str, found: &mut Vec<String>) {
    let mut text = text.to_owned();
    for phrase in ALLOWED {
        text = text.replace(phrase, "… ");
    }
    for (word, pattern) in PATTERNS.iter() {
        let lines = text.lines().filter(|line| pattern.is_match(line));
        found.extend(lines.map(|line| format!("{name}: `{word}`: {}", line.trim())));
    }
}

fn assert_none(found: &[String]) {
    assert!(
        found.is_empty(),
        "retired words; see codegen/GLOSSARY.md for what to write instead:\n{}",
        found.join("\n")
    );
}

#[test]
fn the_glossary_lists_retired_words() {
    let glossary = read(&root().join("codegen/GLOSSARY.md"));
    let (_, table) = glossary.split_once("| Retired |").expect("the table of retired words");
    let (table, _) = table.split_once("\n\n").expect("the end of the table");
    let listed: Vec<&str> =
        table.lines().skip(2).filter_map(|row| row.split(" | ").next()?.strip_prefix("| ")).collect();
    let retired: Vec<&str> = RETIRED.iter().map(|(word, _)| *word).collect();
    assert_eq!(listed, retired);
}

/// Comments, with the names in backticks that they mention.
#[test]
fn comments_have_no_retired_words() {
    let mut found = Vec::new();
    for path in sources() {
        let text = read(&root().join(&path));
        let comments: Vec<&str> = text.lines().filter_map(comment).collect();
        search(&path, &comments.join("\n"), &mut found);
    }
    assert_none(&found);
}

/// The comment of a line, also behind code.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    if line.starts_with("//") { Some(line) } else { line.split_once(" // ").map(|(_, comment)| comment) }
}

/// Sentences in string literals: messages and help.
#[test]
fn sentences_in_literals_have_no_retired_words() {
    let mut found = Vec::new();
    for path in sources().into_iter().filter(|path| path.starts_with("codegen") || path.starts_with("derive"))
    {
        // Go's own words.
        if path.starts_with("codegen/text/src/go/") {
            continue;
        }
        let tokens = read(&root().join(&path)).parse().unwrap_or_else(|e| panic!("{path}: {e}"));
        let mut literals = Vec::new();
        sentences(tokens, &mut literals);
        search(&path, &literals.join("\n"), &mut found);
    }
    assert_none(&found);
}

/// The string literals that have several words, each on one line.
fn sentences(tokens: TokenStream, out: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => sentences(group.stream(), out),
            TokenTree::Literal(literal) => {
                let text = syn::parse_str::<syn::LitStr>(&literal.to_string()).map(|text| text.value());
                out.extend(text.ok().filter(|text| text.contains(' ')).map(|text| text.replace('\n', " ")));
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// Every Rust file of ours.
fn sources() -> Vec<String> {
    let listed = Command::new("git").args(["ls-files", "*.rs"]).current_dir(root()).output();
    let listed = listed.ok().filter(|output| output.status.success());
    let listed = listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let all: Vec<String> = listed.unwrap_or_default().lines().map(str::to_owned).collect();
    if all.is_empty() {
        crdgen_tests::skip("words", "without git the sources cannot be listed");
    }
    all.into_iter().filter(|path| path != "tests/tests/words.rs" && root().join(path).is_file()).collect()
}

#[test]
fn documents_have_no_retired_words() {
    let mut found = Vec::new();
    for path in DOCUMENTS {
        search(path, &read(&root().join(path)), &mut found);
    }
    assert_none(&found);
}

#[test]
fn the_guide_has_no_retired_words() {
    let mut found = Vec::new();
    let guide = root().join("codegen/crdgen/src/guide");
    for entry in std::fs::read_dir(&guide).expect("the guide").flatten() {
        search(&entry.file_name().to_string_lossy(), &read(&entry.path()), &mut found);
    }
    assert_none(&found);
}

#[test]
fn help_has_no_retired_words() {
    let crdgen = |args: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_tool")).args(args).output().expect("the command starts");
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let overview = crdgen(&["--help"]);
    let commands = overview.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() > 10, "{overview}");
    let mut found = Vec::new();
    search("crdgen --help", &overview.replace("  fit  ", "  "), &mut found);
    for command in commands.into_iter().filter(|command| *command != "help") {
        search(&format!("crdgen {command} --help"), &crdgen(&[command, "--help"]), &mut found);
    }
    assert_none(&found);
}

#[test]
fn explanations_have_no_retired_words() {
    let mut found = Vec::new();
    for Code { id, title, explain } in codes::TABLES.iter().copied().flatten() {
        search(id, &format!("{title}\n{explain}"), &mut found);
    }
    for reason in crdgen_core::migrate::ALL {
        search(reason.name, reason.text, &mut found);
    }
    assert_none(&found);
}

/// The messages and the help of errors in Rust types. Other messages are the server's, whose words we never change.
#[test]
fn messages_have_no_retired_words() {
    let ours =
        Regex::new(r"^\s*= (?:help|note): |^(?:error|warning)\[(?:RST|TYP|LNT)\d+\]").expect("a pattern");
    let folder = root().join("tests/ui");
    let mut found = Vec::new();
    let mut files = 0;
    for entry in std::fs::read_dir(&folder).expect("tests/ui").flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "out") {
            files += 1;
            let text = read(&path);
            let lines: Vec<&str> = text.lines().filter(|line| ours.is_match(line)).collect();
            search(&entry.file_name().to_string_lossy(), &lines.join("\n"), &mut found);
        }
    }
    assert!(files > 5);
    assert_none(&found);
}
