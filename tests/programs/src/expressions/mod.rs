//! Generates thousands of rules: mutations of real ones and expressions from a grammar, in CRDs so that the oracle
//! compiles them.

mod generate;
mod mutate;

use crdgen_core::json::to_string;
use crdgen_core::value::{Map, Value};

use crdgen_tests::corpus::Seed;
use crdgen_tests::rng::Rng;
pub use generate::generate;
pub use mutate::mutate;

/// How many rules a node gets.
const RULES: usize = 40;

/// Returns requests with rules from a grammar, for a schema of our own.
pub fn generated(seed: u64, rules: usize) -> Vec<String> {
    let requests = rules.div_ceil(RULES);
    (0..requests)
        .map(|n| {
            let mut rng = Rng::of_case(seed, n as u64);
            let rules = (0..RULES).map(|_| generate(&mut rng)).collect();
            let mut schema = crdgen_tests::json::json(generate::SCHEMA);
            set_rules(&mut schema, rules);
            request(&definition(schema))
        })
        .collect()
}

/// Returns requests with mutations of the rules of real CRDs.
pub fn mutated(seeds: &[Seed], seed: u64, rules: usize) -> Vec<String> {
    let mut out = Vec::new();
    let mut count = 0;
    let with_rules: Vec<&Seed> = seeds
        .iter()
        .filter(|s| s.text.contains("x-kubernetes-validations") && s.text.len() < 300_000)
        .collect();
    let mut number = 0;
    while count < rules && !with_rules.is_empty() {
        let mut rng = Rng::of_case(seed, number);
        number += 1;
        let mut value = rng.pick(&with_rules).value.clone();
        let mut nodes = Vec::new();
        collect(&mut value, &mut nodes);
        let some = rng.below(nodes.len().max(1));
        for (i, node) in nodes.into_iter().enumerate() {
            let texts = rules_of(node);
            if i != some || texts.is_empty() {
                node.remove("x-kubernetes-validations");
                continue;
            }
            let mutated = (0..RULES)
                .map(|_| {
                    let mut text = rng.pick(&texts).clone();
                    for _ in 0..=rng.below(2) {
                        text = mutate(&text, &texts, &mut rng);
                    }
                    text
                })
                .collect();
            count += RULES;
            set_node_rules(node, mutated);
        }
        out.push(request(&value));
    }
    out
}

fn request(crd: &Value) -> String {
    let fields = [("op", Value::from("cel")), ("crd", Value::Str(to_string(crd)))];
    to_string(&Value::Map(fields.into_iter().collect()))
}

/// Collects the schema nodes with rules that are closest to the root.
fn collect<'v>(value: &'v mut Value, out: &mut Vec<&'v mut Map<Value>>) {
    match value {
        Value::List(items) => items.iter_mut().for_each(|item| collect(item, out)),
        Value::Map(map) => {
            if map.contains_key("x-kubernetes-validations") {
                out.push(map);
            } else {
                map.values_mut().for_each(|v| collect(v, out));
            }
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
    }
}

fn rules_of(node: &Map<Value>) -> Vec<String> {
    let rules = node.get("x-kubernetes-validations").and_then(Value::as_list).unwrap_or_default();
    let rules = rules.iter().filter_map(|r| r.get("rule").and_then(Value::as_str));
    rules.filter(|r| r.len() < 2000).map(str::to_owned).collect()
}

fn set_rules(schema: &mut Value, rules: Vec<String>) {
    if let Value::Map(map) = schema {
        set_node_rules(map, rules);
    }
}

fn set_node_rules(node: &mut Map<Value>, rules: Vec<String>) {
    let rules = rules.into_iter().map(|rule| {
        Value::Map([("rule", Value::Str(rule)), ("message", Value::from("m"))].into_iter().collect())
    });
    node.insert("x-kubernetes-validations", Value::List(rules.collect()));
}

fn definition(schema: Value) -> Value {
    let mut crd = crdgen_tests::json::json(
        r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
        "metadata":{"name":"things.example.com"},
        "spec":{"group":"example.com","scope":"Cluster",
        "names":{"plural":"things","singular":"thing","kind":"Thing","listKind":"ThingList"},
        "versions":[{"name":"v1","served":true,"storage":true,"schema":{}}]}}"#,
    );
    if let Some(Value::List(versions)) = crd
        .as_map_mut()
        .and_then(|m| m.get_mut("spec"))
        .and_then(Value::as_map_mut)
        .and_then(|s| s.get_mut("versions"))
    {
        for version in versions.iter_mut().filter_map(Value::as_map_mut) {
            let open: Map<Value> = [("openAPIV3Schema", schema.clone())].into_iter().collect();
            version.insert("schema", Value::Map(open));
        }
    }
    crd
}
