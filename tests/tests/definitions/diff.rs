//! What `crdgen diff` finds for every change of `tests/changes`, and whether its witnesses are some.

use crdgen_core::json::to_string;
use crdgen_core::value::Value;
use crdgen_diff::{Class, Finding, Options, Proof, Request, diff};
use crdgen_tests::corpus::tests_dir;
use crdgen_tests::{ours, witness};
use std::fmt::Write;

use super::changes::updates;

#[test]
fn each_breaking_change_has_a_witness() {
    let mut out = String::new();
    for (name, old, new) in updates() {
        let report = diff(&old, &new, &Options::default());
        let _ = writeln!(out, "## {name}: {}", report.verdict().name());
        for finding in &report.findings {
            show(finding, &mut out);
            if let Some(witness) = finding.proof.witness() {
                let version = finding.version.as_deref().expect("witnesses are objects of a version");
                let [before, after] = witness::requests(&old, &new, version, &witness.request);
                assert!(is_valid(&before), "{name}: the old CRD rejects {witness:?}");
                assert!(!is_valid(&after), "{name}: the new CRD accepts {witness:?}");
            }
        }
        out.push('\n');
    }
    let path = tests_dir().join("changes/diff.out");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &out).expect("the file can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == out, "differs, run with UPDATE=1 and look at the difference:\n{out}");
}

fn show(finding: &Finding, out: &mut String) {
    let field =
        finding.field.as_deref().map_or("-", |field| if field.is_empty() { "the object" } else { field });
    let _ = writeln!(out, "{} {field}: {}", finding.class.name(), finding.message);
    match &finding.proof {
        Proof::Document => {}
        Proof::Searched { tried, .. } => {
            // Some changes are only searched until the budget ends.
            assert!(*tried > 0, "{finding:?}");
            if finding.class == Class::MayBreak {
                out.push_str("  no witness found\n");
            }
        }
        Proof::Witness(witness) => {
            let spec = |object: &Value| object.get("spec").map_or_else(|| "no spec".to_owned(), to_string);
            let _ = match &witness.request {
                Request::Create { object } => writeln!(out, "  create {}", spec(object)),
                Request::UpdateStatus { object, .. } => {
                    writeln!(
                        out,
                        "  write status {}",
                        object.get("status").map_or_else(String::new, to_string)
                    )
                }
                Request::Update { stored, object } => {
                    writeln!(out, "  update {} to {}", spec(stored), spec(object))
                }
                Request::Convert { object, .. } => writeln!(out, "  convert {}", spec(object)),
            };
            let _ = writeln!(out, "  {}", witness.words.first().expect("a reason"));
        }
    }
}

/// Whether the server accepts a request, by the operation `object`.
fn is_valid(request: &Value) -> bool {
    let answer = ours::answer(request);
    answer.get("valid").and_then(Value::as_bool).expect("an answer")
}

#[test]
fn the_same_crds_have_the_same_report() {
    for (name, old, new) in updates().into_iter().take(20) {
        let report = || diff(&old, &new, &Options { budget: 50, ..Options::default() });
        assert_eq!(report(), report(), "{name}");
    }
}
