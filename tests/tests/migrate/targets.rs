//! Packages with several targets that declare the same modules: each kind counts once, and a kind that crdgen cannot
//! determine in one of them is not written at all.

use super::sources::kind;
use crate::console::arguments::{folder, shell};

const MANIFEST: &str = "[workspace]\n[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
const MAIN: &str = "mod crd;\nfn main() {}\n";
const OTHER: &str = "#[path = \"../crd.rs\"]\nmod crd;\nfn main() {}\n";

/// Runs a command in a package whose two programs have these kinds.
fn run(name: &str, kinds: &str, line: &str) -> (Option<i32>, String, String) {
    let files =
        [("Cargo.toml", MANIFEST), ("src/main.rs", MAIN), ("src/bin/other.rs", OTHER), ("src/crd.rs", kinds)];
    shell(&folder(&format!("targets-{name}"), &files), line)
}

#[test]
fn counts_a_kind_of_two_targets_once() {
    let column = ", printcolumn = r#\"{\"name\":\"A\", \"type\":\"string\", \"jsonPath\":\".spec.a\", \"minimum\":\"0\"}\"#";
    let (code, stdout, stderr) = run("known", &kind("One", column, "pub a: String"), "crdgen emit");
    assert!(code == Some(0) && stdout.matches("kind: One").count() == 1, "{stdout}{stderr}");
    assert!(stderr.matches("warning[").count() == 1, "{stderr}");
    let (_, stdout, stderr) =
        run("paths", &kind("One", "", "pub a: String"), "crdgen migrate-check . --against .");
    assert!(stdout.matches("src/crd.rs").count() == 2, "one derive has two paths: {stdout}{stderr}");
}

#[test]
fn writes_nothing_unknown() {
    for (name, field) in [
        ("type", "pub a: Unseen"),
        ("default", "#[serde(default = \"f\")] pub a: i32 }\nfn f() -> i32 { compute() }\npub struct Rest {"),
    ] {
        let text = kind("One", "", field);
        for options in ["", "--force", "-o json", "--out-dir out"] {
            let line = format!("crdgen emit {options}; echo $?; ls out 2> /dev/null");
            let (_, stdout, stderr) = run(&format!("unknown-{name}"), &text, &line);
            assert!(stdout == "1\n", "{options}: {stdout}{stderr}");
            let missing = stderr.matches("not emitted: ones.one.example.com").count();
            assert!(missing == 1 && stderr.contains("did not emit 1 of 1 kind:"), "{stderr}");
            assert!(stderr.matches("error[").count() == 1, "{stderr}");
        }
        let (_, stdout, stderr) =
            run(&format!("migrate-{name}"), &text, "crdgen migrate-check . --against . -o json");
        let all: serde_json::Value =
            serde_json::from_str(&stdout).unwrap_or_else(|e| panic!("{e}: {stderr}"));
        let all = all.as_array().expect("a list");
        assert!(all.len() == 1 && all[0]["unknown"].is_string(), "{stdout}");
    }
}

/// The types of the program may be other ones, so the library's kind is not written either.
#[test]
fn writes_no_kind_that_is_unknown_in_another_target() {
    let size = "#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]\npub enum Size { A }\n";
    let files = [
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", &format!("pub mod crd;\n{size}")),
        ("src/bin/other.rs", OTHER),
        ("src/crd.rs", &(kind("One", "", "pub a: crate::Size") + &kind("Two", "", "pub a: i32"))),
    ];
    let folder = folder("targets-differ", &files);
    let (code, stdout, stderr) = shell(&folder, "crdgen emit");
    assert!(code == Some(1) && !stdout.contains("kind: One"), "{stdout}{stderr}");
    assert!(stdout.matches("kind: Two").count() == 1 && stderr.contains("1 of 2 kinds"), "{stdout}{stderr}");
}

/// The rest of a kind with a wrong attribute is written on request.
#[test]
fn writes_kinds_with_mistakes_on_request() {
    let text = kind("One", "", "#[schema(minimun = 1)] pub a: i32");
    let (code, stdout, _) = run("mistake", &text, "crdgen emit");
    assert!(code == Some(1) && stdout.is_empty(), "{stdout}");
    let (code, stdout, stderr) = run("mistake", &text, "crdgen emit --force");
    assert!(code == Some(0) && stdout.matches("kind: One").count() == 1, "{stdout}{stderr}");
}

/// A comparison with types reports each difference once.
#[test]
fn compares_a_kind_of_two_targets_once() {
    let line =
        "crdgen emit --out-dir out && sed -i 's/ a:/ b:/' out/*.yaml && crdgen check out --types . -o json";
    let (_, stdout, stderr) = run("compared", &kind("One", "", "pub a: i32"), line);
    assert!(stdout.matches(r#""code":"TYP005""#).count() == 1, "{stdout}\n{stderr}");
}

#[test]
fn reads_the_file_that_a_condition_chooses() {
    let lib = "#[cfg_attr(not(unix), path = \"missing.rs\")]\n#[cfg_attr(unix, path = \"unix.rs\")]\npub mod crd;\n";
    let files =
        [("Cargo.toml", MANIFEST), ("src/lib.rs", lib), ("src/unix.rs", &kind("One", "", "pub a: i32"))];
    let (code, stdout, stderr) = shell(&folder("targets-chosen", &files), "crdgen emit");
    assert!(code == Some(0) && stdout.contains("kind: One"), "{stdout}{stderr}");
}
