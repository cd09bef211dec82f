//! Published documents for unions from Rust. In the server's form they are what the server publishes, and unfolded they
//! are what the proposal makes of that.

use super::ui::definitions;
use crdgen_core::{encode, json};
use crdgen_tests::oracle::or_skip;
use crdgen_tests::{ours, random_types};
use serde_json::{Value as Json, json};

/// Returns CRDs with all representations in all containers, and random ones.
fn documents() -> Vec<(String, String)> {
    let matrix = super::matrix::fields().into_iter().map(|kind| {
        let crd = (kind.definition)().unwrap_or_else(|p| panic!("{}: {p}", kind.about));
        (kind.about.to_owned(), json::to_string(&encode::crd(&crd)))
    });
    let random = (0..200).filter_map(|number| {
        let kind = random_types::kind(11, number);
        Some((kind.name, definitions(&kind.source).1.pop()?))
    });
    matrix.chain(random).collect()
}

fn request(document: &str, unfold: bool) -> String {
    let mut request = json!({"op": "openapi", "crd": document, "version": "v1", "brief": true});
    if unfold {
        request["unfold"] = true.into();
    }
    request.to_string()
}

fn ours(request: &str) -> Json {
    let request = json::read(request.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    serde_json::from_str(&json::to_string(&ours::answer(&request))).unwrap_or_default()
}

/// Removes patterns: the unfolded v2 has none.
fn without_patterns(schema: &mut Json) {
    match schema {
        Json::Object(members) => {
            if members.get("pattern").is_some_and(Json::is_string) {
                members.remove("pattern");
            }
            members.values_mut().for_each(without_patterns);
        }
        Json::Array(items) => items.iter_mut().for_each(without_patterns),
        _ => {}
    }
}

#[test]
fn unions_are_published_as_servers_do_and_unfold() {
    let Some(oracle) = or_skip("rust::published") else { return };
    let documents = documents();
    let requests: Vec<String> = documents.iter().map(|(_, document)| request(document, false)).collect();
    let answers = oracle.ask(&requests, 2).unwrap_or_else(|e| panic!("{e}"));
    let mut apart = 0;
    for (((about, document), request_text), answer) in documents.iter().zip(&requests).zip(&answers) {
        let mut published: Json = serde_json::from_str(answer).unwrap_or_default();
        assert!(published["schemaV3"].is_object(), "{about}: {answer}");
        assert_eq!(ours(request_text), published, "{about}");
        for key in ["schemaV2", "schemaV3", "listSchemaV2", "listSchemaV3"] {
            apart += usize::from(set_apart(&mut published[key]));
        }
        without_patterns(&mut published["schemaV2"]);
        let unfolded = ours(&request(document, true));
        for key in ["schemaV2", "schemaV3"] {
            assert_eq!(unfolded[key], published[key], "{about}: {key}");
        }
    }
    println!("{} definitions, {apart} schemas with clauses beside an int-or-string", documents.len());
    assert!(documents.len() > 500 && apart > 0);
}

/// Moves the content of `anyOf` of an int-or-string next to its two types, as in the proposal. Returns whether there
/// was any.
fn set_apart(node: &mut Json) -> bool {
    let Some(node) = node.as_object_mut() else { return false };
    let mut found = false;
    if node.get("x-kubernetes-int-or-string") == Some(&Json::Bool(true))
        && node.contains_key("allOf")
        && let Some(own) = node.remove("anyOf")
        && let Some(all) = node.get_mut("allOf").and_then(Json::as_array_mut)
    {
        all.insert(1, json!({ "anyOf": own }));
        found = true;
    }
    for (key, child) in node {
        match key.as_str() {
            "properties" => {
                child.as_object_mut().into_iter().flatten().for_each(|(_, child)| found |= set_apart(child));
            }
            "items" | "additionalProperties" => found |= set_apart(child),
            _ => {}
        }
    }
    found
}
