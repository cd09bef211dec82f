//! Functions that are not the inverse of each other are found, although the annotation keeps what they lose.

use crdgen_convert_tests::{empty, panics, ranges, right, wrong};

#[test]
fn finds_a_function_that_is_not_the_inverse() {
    let lossy = wrong::versions().lossless(300).expect_err("1000 is not 1024").to_string();
    assert!(lossy.contains("not inverse to each other"), "{lossy}");
}

/// One version cannot express all of the other: the host of an address. And large numbers are cut.
#[test]
fn accepts_what_the_other_version_cannot_express() {
    right::versions().lossless(300).unwrap_or_else(|lossy| panic!("{lossy}"));
}

/// The test names the object and the version, and shows no more of the object than needed.
#[test]
fn shows_the_object_whose_conversion_panics() {
    let lossy = panics::versions().lossless(300).expect_err("the function panics").to_string();
    let mut lines = lossy.lines();
    let what = lines.next().unwrap_or_default();
    assert!(what.starts_with("the conversion of the last object panics: no number: "), "{lossy}");
    let object = lines.next().unwrap_or_default();
    assert!(object.starts_with("  v1: {\"apiVersion\":\"example.com/v1\""), "{lossy}");
    assert!(object.contains("port") && !object.contains("labels"), "{lossy}");
    assert_eq!(lines.next(), None);
}

#[test]
fn fails_if_there_is_no_object_to_convert() {
    let lossy = empty::versions().lossless(5).expect_err("no object was converted").to_string();
    assert!(lossy.starts_with("no conversion from v1 was tested"), "{lossy}");
    empty::versions().lossless(0).unwrap_or_else(|lossy| panic!("{lossy}"));
}

/// What is kept for another version may not go together with an edit. The webhook then does not restore it.
#[test]
fn an_edit_may_make_what_is_kept_invalid() {
    ranges::versions().lossless(300).unwrap_or_else(|lossy| panic!("{lossy}"));
}
