//! Writes of Kubernetes' own kinds: the answers that the server's registries have given, without admission and with privileged pods.

use crdgen_core::json::to_string;
use crdgen_tests::json::parse;
use crdgen_tests::natives::{Sort, answer, compare};

#[test]
fn answers_are_those_of_the_server() {
    let path = super::here("natives/answers.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let mut differing = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let recorded = parse(line).unwrap_or_else(|why| panic!("line {}: {why}", number + 1));
        let [request, theirs] = ["request", "answer"].map(|name| recorded.get(name).expect("both parts"));
        let ours = answer(&to_string(request));
        let compared = compare(&ours, theirs);
        let differs: Vec<Sort> =
            compared.iter().filter(|(_, is_same)| !is_same).map(|(sort, _)| *sort).collect();
        if compared.is_empty() || !differs.is_empty() {
            let [ours, theirs] = [&ours, theirs].map(to_string);
            differing.push(format!("line {}: {differs:?}\n  ours:   {ours}\n  theirs: {theirs}", number + 1));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    assert!(text.lines().count() > 40);
}
