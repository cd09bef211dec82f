//! Replays the recorded requests to the oracle, area by area, and compares the answers.

use std::collections::{BTreeMap, BTreeSet};

use crdgen_core::value::Value;
use crdgen_tests::compare::{Category, Options, Outcome, compare};
use crdgen_tests::ours::{answer, with_a_big_stack};
use crdgen_tests::vectors::{Skips, load, recorded};

/// Replays one area. The answers must differ for cases in the skip list, and be equal for all others.
#[track_caller]
fn replay(area: &str) {
    let vectors = load(area).unwrap_or_else(|e| panic!("tests/vectors/{area}.vectors: {e}"));
    let skips = Skips::load();
    let mut failures: BTreeMap<Category, Vec<String>> = BTreeMap::new();
    let mut differing: BTreeSet<&str> = BTreeSet::new();
    let mut failed = 0;
    with_a_big_stack(|| {
        for vector in &vectors {
            let ours = answer(&vector.request);
            let differences = match compare(vector.op(), &vector.answer, &ours, Options::default()) {
                Outcome::Compared(list) => list,
                Outcome::NoJudge(why) => panic!("{area}/{}: recorded without an answer: {why}", vector.name),
            };
            if differences.is_empty() {
                continue;
            }
            if let Some(entry) = skips.find(area, &vector.name) {
                differing.insert(entry);
                continue;
            }
            failed += 1;
            for difference in differences {
                failures
                    .entry(difference.category)
                    .or_default()
                    .push(format!("{area}/{}\n      {}", vector.name, difference.text));
            }
        }
    });
    let prefix = format!("{area}/");
    let agreeing: Vec<&str> =
        skips.entries().filter(|e| e.starts_with(&prefix) && !differing.contains(e)).collect();
    assert!(agreeing.is_empty(), "skipped, but nothing differs; take it out of skip.txt: {agreeing:?}");
    let mut report = String::new();
    for (category, list) in &failures {
        report += &format!("  {}: {}\n", category.name(), list.len());
        for text in list.iter().take(8) {
            report += &format!("    {}\n", text.chars().take(1500).collect::<String>());
        }
    }
    assert!(failed == 0, "{failed} of {} vectors differ\n{report}", vectors.len());
}

macro_rules! areas {
    ($($area:ident),* $(,)?) => {
        $(
            #[test]
            fn $area() {
                replay(stringify!($area));
            }
        )*

        /// Each file of vectors has a test.
        #[test]
        fn every_area_is_replayed() {
            let tested: BTreeSet<&str> = [$(stringify!($area)),*].into();
            let recorded = recorded().expect("tests/vectors can be read");
            let recorded: BTreeSet<&str> = recorded.iter().map(String::as_str).collect();
            assert_eq!(tested, recorded);
        }
    };
}

areas!(
    apply,
    calls,
    cel,
    conformance,
    costs,
    crd,
    eval,
    libraries,
    object,
    openapi,
    regexp,
    smd,
    structural,
    update,
    values,
    yaml
);

/// The server accepts the definitions that all mutations start from.
#[test]
fn own_definitions_are_accepted() {
    let vectors = load("crd").expect("tests/vectors/crd.vectors can be read");
    let refused: Vec<&str> = vectors
        .iter()
        .filter(|v| v.name.starts_with("seed "))
        .filter(|v| v.answer.get("valid").and_then(Value::as_bool) != Some(true))
        .map(|v| v.name.as_str())
        .collect();
    assert!(refused.is_empty(), "{refused:?}");
}
