//! `--baseline`: known findings in files that have moved.

use std::fs;

use super::arguments::{folder, shell};
use crdgen_tests::corpus::GOOD as CRD;

#[test]
fn baselines_follow_files() {
    let wrong = CRD.replace("type: object", "type: objekt");
    let other = wrong.replace("good", "other").replace("Good", "Other");
    let folder = folder("baselines", &[("old/crd.yaml", &wrong), ("old/kept.yaml", &other)]);
    let (code, _, err) = shell(&folder, "crdgen check old --write-baseline known.json");
    assert!(code == Some(0) && err.contains("wrote "), "{err}");
    let check = |line: &str, code: i32| {
        let (found, out, err) = shell(&folder, line);
        assert_eq!(found, Some(code), "{line}: {out}{err}");
        assert!(!err.contains("not found any more"), "{line}: {err}");
        out
    };
    let is_quiet = |line: &str| assert_eq!(check(line, 0), "", "{line}");
    // The same files under other names.
    for path in [".", "./old", "old/../old", "\"$PWD\"", "old/crd.yaml old/kept.yaml"] {
        is_quiet(&format!("crdgen check {path} --baseline known.json"));
    }
    fs::create_dir_all(folder.join("new")).unwrap_or_else(|e| panic!("{e}"));
    fs::rename(folder.join("old/crd.yaml"), folder.join("new/goods.yaml")).unwrap_or_else(|e| panic!("{e}"));
    is_quiet("crdgen check . --baseline known.json");
    is_quiet("crdgen check new --baseline known.json");
    // A copy has what is known, too, but there is one more of it.
    fs::copy(folder.join("new/goods.yaml"), folder.join("new/copy.yaml")).unwrap_or_else(|e| panic!("{e}"));
    assert!(check("crdgen check new --baseline known.json", 1).contains("goods.yaml"));
    fs::remove_file(folder.join("new/copy.yaml")).unwrap_or_else(|e| panic!("{e}"));
    // Of a file that is still there, no other has the findings.
    fs::write(folder.join("new/other.yaml"), &other).unwrap_or_else(|e| panic!("{e}"));
    assert!(check("crdgen check new --baseline known.json", 1).contains("new/other.yaml"));
    // What is wrong in another way is new.
    fs::remove_file(folder.join("new/other.yaml")).unwrap_or_else(|e| panic!("{e}"));
    let more = wrong.replace("type: objekt", "type: objeckt");
    fs::write(folder.join("new/goods.yaml"), more).unwrap_or_else(|e| panic!("{e}"));
    let (code, out, err) = shell(&folder, "crdgen check new --baseline known.json");
    assert!(code == Some(1) && out.contains("objeckt") && err.contains("not found any more"), "{out}{err}");
}
