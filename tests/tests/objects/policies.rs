//! The expressions of admission policies.

use crdgen_tests::oracle::or_skip;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The texts of the errors in a list, in any order.
fn texts(list: &Value) -> Vec<String> {
    let text = |error: &Value| error["text"].as_str().unwrap_or_default().trim_end().to_owned();
    let mut all: Vec<String> = list.as_array().into_iter().flatten().map(text).collect();
    all.sort();
    all
}

#[test]
fn policies_have_the_errors_of_the_server() {
    let Some(oracle) = or_skip("objects::policies") else { return };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens/console/validate/policies.yaml");
    let policy = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{e}"));
    let request = serde_json::json!({"op": "policy", "policy": policy}).to_string();
    let answers = oracle.ask(&[request], 1).unwrap_or_else(|e| panic!("{e}"));
    let server: Value = serde_json::from_str(&answers[0]).unwrap_or_else(|e| panic!("{e}"));
    let ran = Command::new(env!("CARGO_BIN_EXE_tool")).args(["validate", "-o", "json"]).arg(&path).output();
    let ran = ran.unwrap_or_else(|e| panic!("{e}"));
    let ours: Value = serde_json::from_slice(&ran.stdout).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(texts(&ours["findings"]), texts(&server["errors"]));
}
