//! What validating admission policies decide, compared with the recorded answers of the server's own code.

use crdgen_core::json::to_string;
use crdgen_tests::json::parse;
use crdgen_tests::policies::decision;

#[test]
fn decisions_are_those_of_the_server() {
    let path = super::here("policies/answers.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let mut differing = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let recorded = parse(line).unwrap_or_else(|why| panic!("line {}: {why}", number + 1));
        let [request, theirs] = ["request", "decision"].map(|name| recorded.get(name).expect("both parts"));
        let ours = decision(&to_string(request));
        if ours != *theirs {
            let [ours, theirs] = [&ours, theirs].map(to_string);
            differing.push(format!("line {}:\n  ours:   {ours}\n  theirs: {theirs}", number + 1));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    assert!(text.lines().count() > 90);
}
