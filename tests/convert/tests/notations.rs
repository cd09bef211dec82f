//! Both notations of a kind give the same CRD and the same conversions.

#![allow(deprecated, reason = "the variants of some enums have different types")]

mod common;

use crdgen::value::Value;
use crdgen_convert_tests::history::sites::v1::Site;
use crdgen_convert_tests::versions;

#[test]
fn both_have_one_definition() {
    let crds = (versions().crd().expect("a definition"), Site::versions().crd().expect("a definition"));
    assert_eq!(crds.0, crds.1);
}

#[test]
fn both_convert_to_the_same_json() {
    let (by_hand, by_history) = (versions(), Site::versions());
    let mut count = 0;
    for (from, object) in common::objects(&by_hand, 300) {
        for to in ["v1alpha1", "v1beta1", "v1"] {
            let api_version = format!("example.com/{to}");
            let converted = by_hand.convert(&object, &api_version);
            assert_eq!(by_history.convert(&object, &api_version), converted, "{from} to {to}: {object:?}");
            let Ok(converted) = converted else { continue };
            // The converted object also contains what is kept for other versions.
            let api_version = format!("example.com/{from}");
            let back: Result<Value, _> = by_hand.convert(&converted, &api_version);
            assert_eq!(by_history.convert(&converted, &api_version), back, "{to} to {from}: {converted:?}");
            count += 1;
        }
    }
    assert!(count > 1000, "{count} objects");
}

#[test]
fn no_object_is_lost() {
    Site::versions().lossless(100).unwrap_or_else(|lossy| panic!("{lossy}"));
}
