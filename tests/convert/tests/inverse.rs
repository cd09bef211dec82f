//! Functions that are not the inverse of each other are found, although the annotation keeps what they lose.

use crdgen_convert_tests::{right, wrong};

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
