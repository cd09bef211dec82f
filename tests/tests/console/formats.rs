//! Reports for other programs, with names of files that need encoding.

use super::arguments::{folder, shell};
use crdgen_tests::corpus::GOOD as CRD;
use serde_json::Value;

/// Every place that a finding can be at, with and without a field.
const COMMANDS: [&str; 8] = [
    "crdgen check . -o FORMAT",
    "crdgen check - -o FORMAT < 'a b%41ä.yaml'",
    "crdgen check \"$PWD/a b%41ä.yaml\" -o FORMAT",
    "crdgen check empty.yaml --against old.yaml -o FORMAT",
    "crdgen validate . --crd empty.yaml -o FORMAT",
    "crdgen cel 'self.x +' -o FORMAT",
    "crdgen test suites -o FORMAT",
    "crdgen diff old.yaml new.yaml -o FORMAT",
];

/// All formats for other programs.
const FORMATS: [&str; 6] = ["json", "sarif", "github", "gitlab", "junit", "markdown"];

/// A suite with a test that passes, and one that fails.
const SUITE: &str = "\
apiVersion: apiextensions.k8s.io/v1
name: goods
crdName: goods.example.com
tests:
  onCreate:
  - name: a text is fine
    initial: |
      apiVersion: example.com/v1
      kind: Good
      metadata: {name: a}
      spec: {a: x}
  - name: <a number> is fine
    initial: |
      apiVersion: example.com/v1
      kind: Good
      metadata: {name: a}
      spec: {a: 1}
";

/// Writes the files that all tests need, for one of them. The tests run at once, and each writes its folder anew.
fn files(test: &str) -> std::path::PathBuf {
    let wrong = CRD.replace("type: object", "type: objekt").replace("Namespaced", "Nowhere");
    // Other broken files of a folder are not for a server.
    let broken = "# CustomResourceDefinition\napiVersion: v1\nkind: [1\n";
    folder(
        &format!("formats-{test}"),
        &[
            ("a b%41ä.yaml", &wrong),
            ("x:y.yaml", broken),
            ("old.yaml", CRD),
            ("new.yaml", &CRD.replace("{a: {type: string}", "{b: {type: string}")),
            ("suites/crd.yaml", CRD),
            ("suites/goods.testsuite.yaml", SUITE),
            ("empty.yaml", &CRD.replace("good", "other").replace("Good", "Other")),
        ],
    )
}

#[test]
fn sarif_is_valid() {
    let schema = include_str!("../../sarif/sarif-schema-2.1.0.json");
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let schema = jsonschema::options()
        .should_validate_formats(true)
        .with_format("uri-reference", is_reference)
        .with_format("uri", |text: &str| text.starts_with("https://") && is_reference(text))
        .build(&schema)
        .expect("a schema");
    let folder = files("sarif");
    for command in COMMANDS {
        let (code, out, err) = shell(&folder, &command.replace("FORMAT", "sarif"));
        // An expression that fails is not false.
        assert_eq!(code == Some(2), command.contains(" cel "), "{command}: {err}");
        let document: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{command}: {e}: {out}"));
        let errors: Vec<String> =
            schema.iter_errors(&document).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(errors.is_empty(), "{command}: {errors:#?}");
        assert!(!out.contains("<nil>"), "{command}: {out}");
        let runs = document["runs"][0].as_object().expect("a run");
        let results = runs["results"].as_array().expect("results");
        assert!(!results.is_empty(), "{command}");
        let rules = runs["tool"]["driver"]["rules"].as_array().expect("rules");
        assert!(rules.iter().all(|rule| rule["helpUri"].is_string()), "{command}");
        for result in results {
            assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{command}: {result}");
        }
    }
    // The test would find a reference that is wrong.
    for wrong in ["a b", "a%b", "ä", "<stdin>", "x:y/ä"] {
        assert!(!is_reference(wrong), "{wrong}");
    }
}

/// Whether a text is a `URI-reference` of RFC 3986, as far as its characters go.
fn is_reference(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_hex = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
    let is_fine = |(at, byte): (usize, &u8)| match byte {
        b'%' => is_hex(at + 1) && is_hex(at + 2),
        byte => byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=".contains(byte),
    };
    bytes.iter().enumerate().all(is_fine)
}

#[test]
fn gitlab_gets_what_it_requires() {
    let folder = files("gitlab");
    for command in COMMANDS {
        let (_, out, err) = shell(&folder, &command.replace("FORMAT", "gitlab"));
        let document: Value =
            serde_json::from_str(&out).unwrap_or_else(|e| panic!("{command}: {e}: {out}{err}"));
        let findings = document.as_array().expect("a list");
        assert!(!findings.is_empty(), "{command}");
        for finding in findings {
            for name in ["description", "check_name", "fingerprint", "severity"] {
                assert!(finding[name].as_str().is_some_and(|text| !text.is_empty()), "{command}: {finding}");
            }
            assert!(finding["location"]["path"].is_string(), "{command}: {finding}");
            assert!(finding["location"]["lines"]["begin"].as_u64().is_some_and(|line| line > 0), "{finding}");
        }
    }
}

#[test]
fn junit_has_a_case_per_object() {
    let folder = files("junit");
    for (command, failures) in [
        ("crdgen check old.yaml empty.yaml -o junit", 0),
        ("crdgen check . -o junit", 2),
        ("crdgen validate old.yaml -o junit", 0),
    ] {
        let (code, out, err) = shell(&folder, command);
        assert_eq!(code, Some(i32::from(failures > 0)), "{command}: {out}{err}");
        assert!(out.starts_with("<?xml") && out.ends_with("</testsuites>\n"), "{command}: {out}");
        assert_eq!(out.matches("<failure ").count(), failures, "{command}: {out}");
        assert!(
            out.contains("<testcase name=\"goods.example.com\"") || command.contains("validate"),
            "{out}"
        );
    }
}

/// Every command with findings has every format, and each of them has the finding.
#[test]
fn all_commands_have_all_formats() {
    let folder = files("all");
    for command in COMMANDS {
        let (_, json, err) = shell(&folder, &command.replace("FORMAT", "json"));
        let document: Value =
            serde_json::from_str(&json).unwrap_or_else(|e| panic!("{command}: {e}: {json}{err}"));
        for format in FORMATS {
            let (_, out, err) = shell(&folder, &command.replace("FORMAT", format));
            assert!(!err.contains("error:") && !out.is_empty(), "{command} {format}: {out}{err}");
        }
        // A test that fails has no code in JSON.
        let Some(findings) = document["findings"].as_array() else {
            assert!(command.contains(" test "), "{command}: {json}");
            continue;
        };
        for finding in findings {
            let id = finding["code"].as_str().expect("a code");
            for format in ["sarif", "github", "gitlab", "markdown"] {
                let (_, out, _) = shell(&folder, &command.replace("FORMAT", format));
                assert!(out.contains(id), "{command} {format}: {id}: {out}");
            }
        }
    }
    for (format, wanted) in [
        ("sarif", "\"ruleId\":\"TST001\""),
        ("github", "::error file=suites/goods.testsuite.yaml,line=12,"),
        ("gitlab", "\"check_name\":\"TST001\""),
        ("junit", "tests=\"2\" failures=\"1\""),
        ("markdown", "### `crdgen test`: 2 tests in 1 file: 1 error\n"),
    ] {
        let (_, out, _) = shell(&folder, &format!("crdgen test suites -o {format}"));
        assert!(out.contains(wanted), "{format}: {out}");
    }
}
