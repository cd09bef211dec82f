//! Documents of several kinds, merged into one.

use crdgen_core::decode;
use crdgen_core::json::{self, to_string};
use crdgen_core::value::Value;
use crdgen_publish::openapi::{Merged, Options, publish};
use crdgen_tests::corpus;
use crdgen_tests::json::parse;

/// With all options, the text of a document is equal to the text of its value.
#[test]
fn text_and_value_agree() {
    for (name, v2, keep_defaults) in
        [("v3", false, false), ("v2", true, false), ("v2 with defaults", true, true)]
    {
        let options = Options { v2, keep_defaults, ..Options::default() };
        for document in documents(&options) {
            let text = document.text();
            assert_eq!(text, to_string(&document.document()), "{name}");
            assert!(parse(&text).is_ok(), "{name}");
        }
    }
}

/// Merging loses nothing, and does not depend on the order.
#[test]
fn merging() {
    for v2 in [false, true] {
        let options = Options { v2, ..Options::default() };
        let all = || documents(&options).into_iter().map(|p| p.document());
        let merge = |documents: Vec<Value>| {
            let mut merged = Merged::new(v2);
            documents.into_iter().for_each(|document| merged.add(document));
            let text = merged.text();
            json::read(text.as_bytes()).unwrap_or_else(|e| panic!("{e}"))
        };
        let merged = merge(all().collect());
        assert_eq!(to_string(&merged), to_string(&merge(all().rev().collect())));
        for mut document in all() {
            json::read_back(&mut document);
            contains(&merged, &document);
        }
    }
}

#[track_caller]
fn contains(all: &Value, part: &Value) {
    match (all, part) {
        (Value::Map(all), Value::Map(part)) => {
            for (key, value) in part.iter() {
                contains(all.get(key).unwrap_or_else(|| panic!("{key} is missing")), value);
            }
        }
        _ => assert_eq!(all, part),
    }
}

fn documents(options: &Options) -> Vec<crdgen_publish::openapi::Published> {
    let crds = corpus::own_crds().into_iter().filter_map(|seed| decode::crd(seed.value).0);
    crds.flat_map(|crd| {
        (0..crd.spec.versions.len()).filter_map(|i| publish(&crd, i, options)).collect::<Vec<_>>()
    })
    .collect()
}
