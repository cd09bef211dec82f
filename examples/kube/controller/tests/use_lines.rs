//! The two copies differ only in `use` lines.

#[test]
fn only_use_lines_differ() {
    let ours = include_str!("../src/site/kinds.rs");
    let theirs = include_str!("../src/site_kube_rs/kinds.rs");
    let rest =
        |text: &'static str| -> Vec<&str> { text.lines().filter(|line| !line.starts_with("use ")).collect() };
    assert_eq!(rest(ours), rest(theirs));
    assert!(ours.contains("use crdgen::kube::") && !ours.contains("use schemars::"));
    assert!(theirs.contains("use schemars::") && !theirs.contains("crdgen"));
}
