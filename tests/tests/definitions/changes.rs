//! What an update changes: the class and the words of every change of `tests/changes`.

use crdgen_core::check::{self, Options};
use crdgen_core::compare::changes;
use crdgen_core::decode;
use crdgen_core::ir::Crd;
use crdgen_core::value::Value;
use crdgen_tests::case::parse_cases;
use crdgen_tests::corpus::{Seed, tests_dir};
use crdgen_tests::json::parse;
use std::fmt::Write;

fn read(text: &str) -> Crd {
    decode::crd(parse(text).expect("JSON")).0.expect("a CRD")
}

pub(super) fn updates() -> Vec<(String, Crd, Crd)> {
    let folder = tests_dir().join("changes");
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file of the repository");
    let widget = text("widget.yaml");
    let value = crdgen_core::yaml::read_one(widget.as_bytes()).expect("YAML").value;
    let seeds = [Seed { name: "widget.yaml".to_owned(), text: widget, value }];
    let cases = parse_cases("changes", &text("cases.txt"), &seeds, &[]);
    cases
        .into_iter()
        .map(|case| {
            let get = |name: &str| case.request.get(name).and_then(Value::as_str).map(read).expect(name);
            let name = case.name.trim_start_matches("changes/").to_owned();
            let (old, new) = (get("old"), get("crd"));
            (name, old, new)
        })
        .collect()
}

#[test]
fn each_change_has_its_class() {
    let mut out = String::new();
    for (name, old, new) in updates() {
        let _ = writeln!(out, "## {name}");
        for error in check::update(&new, &old, &Options::default()).errors {
            let _ = writeln!(out, "the server rejects it: {}", error.text());
        }
        let all = changes::between(&old, &new);
        for change in &all {
            let version = change.version.as_deref().unwrap_or("-");
            let short = change.field.replace("schema.openAPIV3Schema", "$");
            let _ = writeln!(out, "{} {version} {short}: {}", change.class.name(), change.text());
        }
        if all.is_empty() {
            out.push_str("nothing\n");
        }
        out.push('\n');
    }
    let path = tests_dir().join("changes/cases.out");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &out).expect("the file can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == out, "differs, run with UPDATE=1 and look at the difference:\n{out}");
}

/// Everything that a change adds is removed on the way back, and what is stricter becomes looser.
#[test]
fn the_way_back_of_what_is_looser_is_stricter() {
    for (name, old, new) in updates() {
        let is_harmless = |change: &changes::Change| change.class >= changes::Class::Usage;
        let (there, back) = (changes::between(&old, &new), changes::between(&new, &old));
        assert_eq!(there.is_empty(), back.is_empty(), "{name}");
        let only_looser = !there.is_empty() && there.iter().all(|it| it.class == changes::Class::Looser);
        if only_looser {
            assert!(back.iter().any(|change| !is_harmless(change)), "{name}: {back:?}");
        }
    }
}
