//! What `crdgen upgrade` finds in public regressions: `tests/upgrades/cases.txt`.

use std::fmt::Write as _;

use crdgen_core::ir::Crd;
use crdgen_core::object::{Action, Admission, Served};
use crdgen_core::server::Server;
use crdgen_core::value::Value;
use crdgen_diff::{Finding, Options, Request, between_servers};
use crdgen_tests::corpus::tests_dir;

#[test]
fn public_regressions_are_found() {
    let folder = tests_dir().join("upgrades");
    let cases = std::fs::read_to_string(folder.join("cases.txt")).expect("the cases");
    let mut out = String::new();
    for case in cases.split("\n## ").skip(1) {
        let (head, spec) = case.split_once('\n').expect("a head and a spec");
        let [thread, from, to] = head.split(' ').collect::<Vec<_>>()[..] else { panic!("{head}") };
        let [from, to] = [from, to].map(|text| Server::of(text[2..].parse().expect("a version")));
        let crd = definition(spec);
        let _ = writeln!(out, "## {thread}");
        for finding in between_servers(&crd, from, to, &Options::default()) {
            let _ = writeln!(out, "{}", finding.line());
            check(&crd, from, to, &finding, &mut out);
        }
        out.push('\n');
    }
    let path = folder.join("cases.out");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &out).expect("the file can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == out, "differs, run with UPDATE=1 and look at the difference:\n{out}");
}

/// A CRD whose spec has these properties.
fn definition(spec: &str) -> Crd {
    let spec: String = spec.lines().map(|line| format!("            {line}\n")).collect();
    let text = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: cases.example.com}}\nspec:\n  \
         group: example.com\n  names: {{kind: Case, listKind: CaseList, plural: cases, singular: case}}\n  scope: Namespaced\n  \
         versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
         properties:\n          spec:\n            type: object\n{spec}"
    );
    super::definition(&text)
}

/// A witness is one: the old server accepts it, and the new one rejects it.
fn check(crd: &Crd, from: Server, to: Server, finding: &Finding, out: &mut String) {
    let Some(witness) = finding.proof.witness() else { return };
    let (object, action) = match &witness.request {
        Request::Create { object } => (object, Action::Create),
        Request::Update { stored, object } => (object, Action::Update(stored.clone())),
        Request::UpdateStatus { stored, object } => (object, Action::UpdateStatus(stored.clone())),
        Request::Convert { .. } => panic!("nothing is converted"),
    };
    let _ = writeln!(out, "  {}", crdgen_core::json::to_string(object.get("spec").unwrap_or(&Value::Null)));
    let accepts = |server: Server, action: Action| {
        let served = Served::on(server, crd.clone()).expect("a CRD");
        let version = served.version("v1").expect("a version");
        let Ok(Admission::Checked(checked)) = served.ask(version, object.clone(), action) else {
            return false;
        };
        checked.written.errors.is_empty()
    };
    assert!(accepts(from, action.clone()), "the old server rejects {object:?}");
    assert!(!accepts(to, action), "the new server accepts {object:?}");
}
