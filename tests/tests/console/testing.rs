//! Which CRDs `crdgen test` uses, what it reports about suites, and what `--update` writes.

use super::arguments::{Ran, folder, kind, shell};
use crdgen_tests::corpus::GOOD as CRD;
use std::fs;
use std::path::{Path, PathBuf};

const SUITE: &str = "name: Goods
crdName: goods.example.com
tests:
  onCreate:
  - name: good
    initial: |
      apiVersion: example.com/v1
      kind: Good
      spec: {a: x, b: y}
    expected: |
      apiVersion: example.com/v1
      kind: Good
      spec: {a: x}
";

/// The manifest of a package, whose CRDs a run may use.
const MANIFEST: &str = "[workspace]\n[package]\nname = \"p\"\nversion = \"0.1.0\"\n";

/// Returns the suite with a wrong expectation.
fn wrong() -> String {
    SUITE.replace("spec: {a: x}\n", "spec: {a: z}\n")
}

/// Creates a new folder with the CRD and a suite.
fn with_suite(name: &str, suite: &str) -> PathBuf {
    folder(name, &[("crd.yaml", CRD), ("s.yaml", suite)])
}

/// Runs `crdgen test --update`. Returns the changed suite.
fn update(folder: &Path) -> String {
    let (code, out, err) = shell(folder, "crdgen test s.yaml --update");
    let text = fs::read_to_string(folder.join("s.yaml")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(code, Some(0), "{out}{err}{text}");
    text
}

/// Asserts that a run ends with this exit code and prints this text.
#[track_caller]
fn assert_prints((found, out, err): Ran, code: i32, wanted: &str) {
    let printed = format!("{out}{err}");
    assert!(found == Some(code) && printed.contains(wanted), "{wanted}: {found:?} {printed}");
}

#[test]
fn given_crds_are_the_only_ones() {
    let others = CRD.replace("goods", "others").replace("Good", "Other");
    let files = [
        ("crds/a.yaml", CRD),
        ("crds/b.yaml", CRD),
        ("crd.yaml", CRD),
        ("mention.yaml", "# Not a CustomResourceDefinition.\na: 1\n"),
        ("other.yaml", &others),
        ("s/s.yaml", SUITE),
    ];
    let folder = folder("given", &files);
    for (command, code, wanted) in [
        ("test s", 0, "1 passed"),
        // An identical copy is tested only once.
        ("test s --crd crds", 0, "1 passed"),
        ("test s --crd mention.yaml", 2, "no CustomResourceDefinition in mention.yaml"),
        ("test s --crd crd.yaml mention.yaml", 2, "no CustomResourceDefinition in mention.yaml"),
        ("test s --crd other.yaml", 1, "no CRD goods.example.com in other.yaml"),
    ] {
        assert_prints(shell(&folder, &format!("crdgen {command}")), code, wanted);
    }
}

#[test]
fn files_next_to_a_package_are_read_too() {
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", ""), ("crd.yaml", CRD), ("s/s.yaml", SUITE)];
    assert_prints(shell(&folder("next-to", &files), "crdgen test s"), 0, "1 passed");
}

#[test]
fn coverage_of_a_package_has_no_file() {
    let code = kind("Good").replace("pub a", "#[schema(minimum = 1)] pub a");
    let suite = SUITE.replace("a: x, b: y", "a: 1").replace("a: x", "a: 1");
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", &code), ("s/s.yaml", &suite)];
    let ran = shell(&folder("package-coverage", &files), "crdgen test s --crd . --coverage");
    assert_prints(ran, 0, "\n  v1.spec.a: minimum 1\n");
}

#[test]
fn unknown_keys_of_suites_are_tests_that_fail() {
    for (old, new, wanted) in [
        (
            "crdName",
            "crdNam",
            "---- s.yaml:2: crdNam ----\nunknown key crdNam in a suite; did you mean `crdName`?",
        ),
        (
            "onCreate",
            "onCreat",
            "---- s.yaml:4: onCreat ----\nunknown list tests.onCreat; did you mean `onCreate`?",
        ),
        ("tests:", "tests: [", "s.yaml:"),
    ] {
        let folder = with_suite("keys", &SUITE.replace(old, new));
        assert_prints(shell(&folder, "crdgen test s.yaml"), 1, wanted);
    }
}

#[test]
fn objects_that_a_case_lacks_are_named() {
    for (old, new, wanted) in [
        (
            "    initial: |\n      apiVersion: example.com/v1\n      kind: Good\n      spec: {a: x, b: y}\n",
            "",
            "`initial` is missing: write `initial: |`, and the object below it",
        ),
        ("onCreate", "onUpdate", "`updated` is missing: write `updated: |`, and the object below it"),
        ("initial: |", "initial:", "`initial` must be a text: write `initial: |`, and the object below it"),
    ] {
        let folder = with_suite("lacks", &SUITE.replace(old, new));
        assert_prints(shell(&folder, "crdgen test s.yaml"), 1, wanted);
    }
}

#[test]
fn update_corrects_all_expectations() {
    let wrong = wrong()
        + "    expectedPruned: [spec.c]\n    expectedWarnings:\n    - none\n    expectedColumns: {Age: 5d}\n    now: 2026-01-31T12:00:00Z\n";
    let folder = with_suite("update", &wrong);
    assert_eq!(shell(&folder, "crdgen test s.yaml").0, Some(1));
    let text = update(&folder);
    assert!(text.contains("expectedPruned: [\"spec.b\"]\n    expectedWarnings: []\n"), "{text}");
}

#[test]
fn tests_of_folders_have_the_file_and_line_of_the_object() {
    let object = "\n# a comment\napiVersion: example.com/v1\nkind: Good\nmetadata: {name: a}\nspec: {a: 1}\n";
    let folder = folder("lines", &[("crd.yaml", CRD), ("goods/valid/a.yaml", object)]);
    let (code, out, _) = shell(&folder, "crdgen test goods -o github");
    assert!(code == Some(1) && out.starts_with("::error file=goods/valid/a.yaml,line=3,"), "{out}");
    let (_, out, _) = shell(&folder, "crdgen test goods -o json");
    assert!(out.contains("\"file\":\"goods/valid/a.yaml\",\"line\":3,"), "{out}");
}

#[test]
fn broken_crds_are_tests_that_fail() {
    let other = CRD.replace("goods", "others").replace("Good", "Other");
    let rejected = other.replace("{type: string}", "{type: strin}");
    let undecodable = other.replace("versions:\n", "versions: none\n  more:\n");
    let broken = other.replace("plural: others", "plural: [others");
    for (text, line, case, wanted) in [
        (&rejected, 13, "the server accepts others.example.com", "Unsupported value: \"strin\""),
        (&undecodable, 8, "the server accepts others.example.com", "versions"),
        (&broken, 7, "the file can be read", "broken.yaml:7:"),
    ] {
        let files = [("crd.yaml", CRD), ("s.yaml", SUITE), ("broken.yaml", text)];
        let folder = folder("broken", &files);
        for command in ["test", "test s.yaml --crd ."] {
            let (code, out, err) = shell(&folder, &format!("crdgen {command}"));
            let heading = format!("broken.yaml:{line}: {case} ----");
            assert!(code == Some(1) && out.contains("1 passed; 1 failed"), "{command}: {out}{err}");
            assert!(out.contains(&heading) && out.contains(wanted), "{command}: {out}{err}");
        }
    }
    // The suite of a rejected CRD reports the error.
    let own = CRD.replace("{type: string}", "{type: strin}");
    let folder = folder("broken", &[("crd.yaml", &own), ("s.yaml", SUITE)]);
    assert_prints(shell(&folder, "crdgen test"), 1, "0 passed; 1 failed");
}

#[test]
fn all_unknown_keys_of_a_case_are_reported() {
    let suite = SUITE.replace("    expected:", "    expectedErrors: x\n    expectedPrune: []\n    expected:");
    let folder = with_suite("two-keys", &suite);
    let (code, out, err) = shell(&folder, "crdgen test");
    assert!(code == Some(1) && out.contains("unknown key expectedErrors"), "{out}{err}");
    assert!(out.contains("unknown key expectedPrune "), "{out}{err}");
}

#[test]
fn update_keeps_line_ends() {
    let text = update(&with_suite("crlf", &wrong().replace('\n', "\r\n")));
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
}

#[test]
fn tests_for_newer_servers_are_ignored() {
    let rule = "x-kubernetes-validations: [{rule: \"isIP(self)\"}]";
    let crd = CRD.replace("a: {type: string}", &format!("a: {{type: string, maxLength: 45, {rule}}}"));
    assert!(crd.contains(rule));
    let ip = SUITE.replace("a: x", "a: 10.0.0.1");
    let newer = |suite: &str| suite.replace("tests:", "minKube: \"1.31\"\ntests:");
    let of_case = ip.replace("- name: good\n", "- name: good\n    minKube: \"1.31\"\n");
    let rejected = "the server rejects goods.example.com";
    for (name, suite, kube, code, wanted) in [
        ("any", ip.clone(), "1.30", 1, "test the server accepts goods.example.com ... FAILED"),
        ("newer", newer(&ip), "1.30", 0, "test onCreate: good ... ignored, needs Kubernetes 1.31"),
        ("of-case", of_case, "1.30", 0, "0 passed; 0 failed; 1 ignored; 0 filtered out"),
        ("both", newer(&ip), "1.30..1.31", 0, "1 passed; 0 failed; 0 filtered out"),
        (
            "number",
            ip.replace("tests:", "minKube: 1.30\ntests:"),
            "1.37",
            1,
            "minKube: write the version in quotes",
        ),
        ("wrong", newer(&wrong()), "1.30..1.31", 1, "on Kubernetes 1.31: "),
    ] {
        let folder = folder(&format!("newer-{name}"), &[("crd.yaml", &crd), ("s.yaml", &suite)]);
        assert_prints(shell(&folder, &format!("crdgen test s.yaml --kube {kube}")), code, wanted);
        if name == "newer" {
            let (_, json, _) = shell(&folder, "crdgen test s.yaml --kube 1.30 -o json");
            assert!(json.contains("\"ignored\":1") && !json.contains(rejected), "{json}");
        }
    }
}
