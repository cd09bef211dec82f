//! Tests the tests' own tools: mistakes in them would make all other tests worthless.

use std::collections::BTreeSet;

use crdgen_core::json::to_string;
use crdgen_tests::compare::{Category, Options, Outcome, compare};
use crdgen_tests::json::{json, parse};
use crdgen_tests::ours::with_a_big_stack;
use crdgen_tests::{case, corpus, mutate};

#[test]
fn json_reads_what_json_writes() {
    for text in
        ["null", "-1", "9223372036854775807", "1.5", "1e+21", "1e-7", r#"{"a":[1,{"b":"\u2028\n"}],"c":{}}"#]
    {
        assert_eq!(to_string(&json(text)), text);
    }
    assert_eq!(to_string(&json("18446744073709551615")), "18446744073709552000");
    assert!(parse("{} x").is_err());
    let deep = "[".repeat(5000) + &"]".repeat(5000);
    assert!(with_a_big_stack(|| parse(&deep).is_ok()));
}

/// There are at least 150 kinds of edits. Each has a unique name, and finds something to edit.
#[test]
fn every_edit_has_a_name() {
    let names: Vec<String> = mutate::edits().iter().map(mutate::Edit::name).collect();
    let different: BTreeSet<&String> = names.iter().collect();
    let twins: Vec<&&String> =
        different.iter().filter(|n| names.iter().filter(|m| m == *n).count() > 1).collect();
    assert!(twins.is_empty(), "edits share names: {twins:?}");
    assert!(names.len() >= 150, "only {} kinds of edits", names.len());
}

#[test]
fn the_same_seed_gives_the_same_cases() {
    let seeds = corpus::own_crds();
    let (one, two) = (mutate::Mutator::new(&seeds, 7), mutate::Mutator::new(&seeds, 7));
    let mut different = BTreeSet::new();
    for number in 0..200 {
        assert_eq!(one.create(number).request, two.create(number).request);
        assert_eq!(one.update(number).request, two.update(number).request);
        different.insert(to_string(&one.create(number).request));
    }
    assert!(different.len() > 190, "only {} different cases of 200", different.len());
}

#[test]
fn own_cases_have_names_of_their_own() {
    let cases = case::own_cases(&corpus::own_crds());
    let names: BTreeSet<&str> = cases.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names.len(), cases.len(), "two cases share a name");
}

#[track_caller]
fn differences(op: &str, oracle: &str, ours: &str) -> Vec<Category> {
    match compare(op, &json(oracle), &json(ours), Options::default()) {
        Outcome::NoJudge(why) => panic!("no judge: {why}"),
        Outcome::Compared(list) => list.iter().map(|d| d.category).collect(),
    }
}

#[test]
fn comparing() {
    let valid = r#"{"valid":true,"errors":[],"warnings":[],"strict":[],"conditions":[],"stored":{"a":1}}"#;
    let error = |detail: &str, bad: &str| {
        format!(
            r#"{{"valid":false,"strict":[],"errors":[{{"type":"T","field":"f","detail":"{detail}","badValue":{bad},"text":"x"}}]}}"#
        )
    };
    assert_eq!(differences("crd", valid, valid), []);
    assert_eq!(differences("crd", valid, &valid.replace("1", "2")), [Category::Stored]);
    assert_eq!(differences("crd", valid, &error("d", "1")), [Category::Verdict]);
    assert_eq!(differences("crd", &error("d", "1"), &error("e", "1")), [Category::Errors]);
    assert_eq!(differences("crd", &error("d", "1"), &error("d", "2")), [Category::BadValue]);
    assert_eq!(differences("crd", &error("selfType12.a", "1"), &error("selfType3.a", "1")), []);
    assert_eq!(differences("crd", r#"{"error":"no"}"#, r#"{"error":"not so"}"#), []);
    assert_eq!(differences("crd", r#"{"error":"no"}"#, valid), [Category::Decode]);
    assert_eq!(
        differences("priority", r#"{"versions":["b","a"]}"#, r#"{"versions":["a","b"]}"#),
        [Category::Other]
    );
}
