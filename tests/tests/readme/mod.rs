//! The README and the pages of the guide are true: the tests run their commands, their Rust code is part of an example that
//! compiles, and their links lead somewhere.

mod codes;
mod picture;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The pages with code that the tests try.
const PAGES: [&str; 6] = [
    "README.md",
    "codegen/COMMANDS.md",
    "codegen/OBJECTS.md",
    "codegen/VERSIONS.md",
    "codegen/CI.md",
    "codegen/PAGES.md",
];

/// Returns the code blocks of a language in all pages, those of the README first.
fn blocks(language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let of_page = |page: &str| -> Vec<String> {
        let text = read(page);
        let rests = text.split(&fence).skip(1);
        rests.filter_map(|rest| rest.split("```").next()).map(str::to_owned).collect()
    };
    PAGES.into_iter().flat_map(of_page).collect()
}

/// The documents in the root of the repository, and those of `codegen`.
fn documents() -> Vec<PathBuf> {
    let of_folder = |folder: &str| -> Vec<PathBuf> {
        let entries = fs::read_dir(root().join(folder)).expect("the folder can be read");
        entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|e| e == "md"))
            .collect()
    };
    ["", "codegen"].into_iter().flat_map(of_folder).collect()
}

#[test]
fn links_lead_to_files() {
    let mut links = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).expect("the document can be read");
        let folder = document.parent().expect("a file has a folder");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or(link);
            if path.is_empty() || path.contains([':', ' ', '`']) {
                continue;
            }
            links += 1;
            assert!(folder.join(path).exists(), "{}: nothing at {link}", document.display());
        }
    }
    assert!(links > 50, "only {links} links");
}

#[test]
fn rust_blocks_are_part_of_an_example() {
    const EXAMPLES: [&str; 2] = ["examples/crontab/examples/first.rs", "examples/versions/src/v1beta1.rs"];
    let examples = EXAMPLES.map(read);
    let blocks = blocks("rust");
    assert!(!blocks.is_empty());
    for block in blocks {
        let found = examples.iter().any(|example| example.contains(&block));
        assert!(found, "not in {}:\n{block}", EXAMPLES.join(" or "));
    }
}

/// Readers copy the first program, so it must be a whole example except for the example's heading.
#[test]
fn the_first_program_is_complete() {
    let example = read("examples/crontab/examples/first.rs");
    let program = example.find("use crdgen").map(|at| &example[at..]);
    assert_eq!(blocks("rust").first().map(String::as_str), program);
}

/// Runs each command of a console block at the root of the repository, or in `tests/readme`. It must print the lines below it, in that order.
/// `…` matches any lines.
#[test]
fn console_blocks_print_what_they_show() {
    let mut commands = 0;
    for block in blocks("console") {
        for part in block.split("$ ").skip(1) {
            let (command, expected) = part.split_once('\n').unwrap_or((part, ""));
            commands += 1;
            let words = command.trim_start_matches("cargo run -q -p crdgen-cli -- ");
            let words: Vec<&str> = words.trim_start_matches("crdgen ").split_whitespace().collect();
            // Files of the reader are in a folder of their own.
            let own = crdgen_tests::corpus::tests_dir().join("readme");
            let is_own = words.iter().any(|word| word.ends_with(".yaml") && own.join(word).exists());
            let folder = if is_own { own } else { root() };
            let out = Command::new(env!("CARGO_BIN_EXE_tool")).args(&words).current_dir(folder).output();
            let out = out.expect("the command starts");
            let text = String::from_utf8_lossy(&out.stdout) + String::from_utf8_lossy(&out.stderr);
            assert!(out.status.code().is_some_and(|c| c < 2), "{command}: {text}");
            let mut rest = text.as_ref();
            for line in expected.lines().filter(|l| !l.is_empty() && *l != "…") {
                let at = rest.find(line).unwrap_or_else(|| panic!("{command}: no line {line:?} in\n{text}"));
                rest = &rest[at + line.len()..];
            }
        }
    }
    assert!(commands >= 2);
}
