//! Our code decides by types, and never by the text of a message.

use regex::Regex;
use std::path::{Path, PathBuf};

/// Texts that code may read although they have the name of a message: the file, the code, and the reason.
const ALLOWED: &[(&str, &str, &str)] = &[
    (
        "evaluate.rs",
        "message.contains('\\n')",
        "the value of a messageExpression, which the server wants in one line",
    ),
    (
        "values.rs",
        "message.trim().contains(['\\n'",
        "the author's own message, which the server wants in one line",
    ),
    ("warnings.rs", "d.detail != detail", "the server keeps its warnings by their text, each once"),
    (
        "lib.rs",
        "it.found.diag.detail == diag.detail",
        "one function writes both, of an item alone and of the whole",
    ),
    ("next.rs", "a.detail == b.detail", "one check writes both, before and after something was taken out"),
    ("rules.rs", "old.rule.message == *message", "the authors' own messages, by which they know their rules"),
    ("locate.rs", "one.message == message", "whether an expression makes a message, which is a bool"),
];

/// Patterns for code that reads a text.
fn looks() -> Vec<Regex> {
    let message = r"\b(?:detail|message|help|summary|words|why|problem\.text|text\(\)|(?:e|err|error|why)\.to_string\(\))";
    let same = r"(?:\.(?:as_str|as_deref|as_ref|clone|trim|to_lowercase|lines|next|unwrap_or_default)\(\))*";
    let look = r"\.(?:contains|starts_with|ends_with|find|rfind|split|rsplit|split_once|rsplit_once|split_at|strip_prefix|strip_suffix|match_indices|matches|eq|eq_ignore_ascii_case|parse)\b[^;,]*";
    let compared = r"\s*(?:==|!=)\s*[^;,&|{)]*";
    [format!("{message}{same}{look}"), format!("[a-z_.]*{message}{same}{compared}")]
        .iter()
        .map(|pattern| Regex::new(pattern).unwrap_or_else(|e| panic!("{e}")))
        .collect()
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
            out.push(path);
        }
    }
}

/// Returns the code of a file without comments and tests, with each chain of calls on one line.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let joined: Vec<&str> = lines.collect();
    Regex::new(r"\n\s*\.").unwrap_or_else(|e| panic!("{e}")).replace_all(&joined.join("\n"), ".").into_owned()
}

/// Returns the sources of all crates that users link or run.
fn all() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for krate in [
        "codegen/text",
        "codegen/apply",
        "codegen/cel",
        "codegen/runtime",
        "codegen/rules",
        "codegen/rust",
        "codegen/source",
        "codegen/publish",
        "codegen/import",
        "codegen/core",
        "codegen/apiserver",
        "codegen/diff",
        "codegen/files",
        "codegen/kinds",
        "codegen/build",
        "codegen/crdgen",
        "codegen/tasks",
        "codegen/report",
        "codegen/serve",
        "codegen/lsp",
        "codegen/cli",
        "codegen/playground",
        "derive",
    ] {
        sources(&root.join(krate).join("src"), &mut files);
    }
    files
}

#[test]
fn memory_is_given_back_and_threads_share_nothing_hidden() {
    for path in all() {
        let text =
            code(&std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())));
        for trick in ["Box::leak", ".leak()", "mem::forget", "ManuallyDrop", "thread_local!"] {
            assert!(!text.contains(trick), "{}: {trick}", path.display());
        }
    }
}

#[test]
fn messages_are_written_and_not_read() {
    let files = all();
    let looks = looks();
    let mut used = vec![false; ALLOWED.len()];
    let mut wrong = Vec::new();
    for path in files {
        let text =
            code(&std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())));
        for found in looks.iter().flat_map(|look| look.find_iter(&text)) {
            let found = found.as_str();
            let allowed =
                ALLOWED.iter().position(|(file, code, _)| path.ends_with(file) && found.contains(code));
            match allowed {
                Some(i) => used[i] = true,
                None => wrong.push(format!("{}: {found}", path.display())),
            }
        }
    }
    assert!(wrong.is_empty(), "give it a kind and decide on that:\n{}", wrong.join("\n"));
    for ((file, code, _), used) in ALLOWED.iter().zip(used) {
        assert!(used, "no longer needed: {file}: {code}");
    }
}

#[test]
fn errors_have_types() {
    // Types of a Result may have parameters, which may have parameters.
    let within = r"(?:[^;{=<>]|<(?:[^<>]|<[^<>]*>)*>)*";
    let text_as_error = Regex::new(&format!(r"Result<{within}, (?:String|Cow<[^>]*str>)>"));
    let text_as_error = text_as_error.unwrap_or_else(|e| panic!("{e}"));
    for path in all() {
        let text =
            code(&std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())));
        let found: Vec<&str> = text_as_error.find_iter(&text).map(|found| found.as_str()).collect();
        assert!(found.is_empty(), "{}: give the error a type: {found:?}", path.display());
    }
}
