//! What `crdgen upgrade` finds in the manifests of public regressions: `tests/upgrades/manifests.txt`.

use super::arguments::{folder, shell};
use crdgen_tests::corpus::tests_dir;
use std::fmt::Write as _;

#[test]
fn regressions_of_manifests_are_found() {
    let upgrades = tests_dir().join("upgrades");
    let cases = std::fs::read_to_string(upgrades.join("manifests.txt")).expect("the cases");
    let mut out = String::new();
    for case in cases.split("\n## ").skip(1) {
        let (head, manifests) = case.split_once('\n').expect("a head and manifests");
        let [thread, from, to] = head.split(' ').collect::<Vec<_>>()[..] else { panic!("{head}") };
        let folder = folder("upgrades", &[("case.yaml", manifests)]);
        let line = format!("crdgen upgrade --from {from} --to {to} -o github case.yaml");
        let (code, printed, _) = shell(&folder, &line);
        let _ = writeln!(out, "## {thread} [{}]", code.expect("an exit code"));
        for line in printed.lines() {
            // The line, the code and the first line of the message.
            let at = line.split_once("line=").map_or("", |(_, at)| at.split(',').next().unwrap_or_default());
            let said = line.split_once("title=").map_or(line, |(_, said)| said);
            let said = said.split("%0A").next().unwrap_or_default();
            let _ = writeln!(out, "{at}: {said}");
        }
        out.push('\n');
    }
    let path = upgrades.join("manifests.out");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &out).expect("the file can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == out, "differs, run with UPDATE=1 and look at the difference:\n{out}");
}
