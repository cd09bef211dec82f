//! Requests of `crdgen rpc` that the oracle does not answer: findings with their places and help, and lints.

use crdgen_core::json::{self, to_string};
use crdgen_core::value::{Map, Value};

const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              name: {type: string}
              list: {type: array, items: {type: string}}
            x-kubernetes-validations:
            - rule: self.name != 'x'
";

fn ask(op: &str, fields: &[(&str, Value)]) -> Value {
    let request: Map<Value> = [("op", Value::from(op))].into_iter().chain(fields.iter().cloned()).collect();
    let answer = crdgen_diff::rpc::handle(&to_string(&Value::Map(request)));
    json::read(answer.as_bytes()).expect("answers are JSON")
}

/// The code, level, line and column of each finding.
fn places(answer: &Value) -> Vec<(String, String, i64, i64)> {
    let findings = answer.get("findings").and_then(Value::as_list);
    let findings = findings.unwrap_or_else(|| panic!("{}", to_string(answer)));
    let place = |finding: &Value| {
        let text = |key: &str| finding.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let number = |key: &str| {
            let start = finding.get("start").and_then(|start| start.get(key));
            start.and_then(Value::as_int).unwrap_or_default()
        };
        (text("code"), text("level"), number("line"), number("column"))
    };
    findings.iter().map(place).collect()
}

fn found(code: &str, level: &str, line: i64, column: i64) -> (String, String, i64, i64) {
    (code.to_owned(), level.to_owned(), line, column)
}

#[test]
fn objects_have_findings_with_places() {
    let object = |text: &str| {
        let fields =
            [("crd", DEFINITION.into()), ("object", Value::from(text)), ("findings", Value::Bool(true))];
        ask("object", &fields)
    };
    let answer = object(
        "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec:\n  name: 5\n  more: 1\n  list: [a, 2]\n",
    );
    let all = places(&answer);
    for wanted in
        [found("OBJ001", "error", 5, 9), found("OBJ001", "error", 7, 13), found("OBJ019", "error", 6, 3)]
    {
        assert!(all.contains(&wanted), "{wanted:?}: {all:?}");
    }
    let help = answer.get("findings").and_then(Value::as_list).into_iter().flatten();
    let help: Vec<&str> = help.filter_map(|finding| finding.get("help")?.as_str()).collect();
    assert!(help.contains(&"put the value in quotes"), "{help:?}");
    // The server answers these with status 400.
    for (text, line, column) in [
        ("apiVersion: example.com/v2\nkind: Widget\nmetadata: {name: a}\n", 1, 13),
        ("apiVersion: example.com/v1\nkind: 1\n", 2, 7),
        ("apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  labels: {a: 1}\n", 4, 15),
    ] {
        assert_eq!(places(&object(text)), [found("OBJ021", "error", line, column)], "{text}");
    }
    let answer = object("apiVersion: [\n");
    assert_eq!(places(&answer).len(), 1, "{}", to_string(&answer));
    assert!(answer.get("decodeError").is_some(), "{}", to_string(&answer));
    // Only on request, because finding the places takes time.
    let answer = ask("object", &[("crd", DEFINITION.into()), ("object", "kind: Widget".into())]);
    assert!(answer.get("findings").is_none(), "{}", to_string(&answer));
}

#[test]
fn definitions_are_checked_with_lints() {
    let wrong = DEFINITION.replace("widgets", "gadgets").replace("name: {type: string}", "name: {}");
    let both = format!("{DEFINITION}---\n{wrong}---\nkind: ConfigMap\n");
    let answer = ask("check", &[("crd", Value::from(both.as_str()))]);
    assert_eq!(answer.get("definitions"), Some(&Value::Int(2)));
    assert_eq!(answer.get("valid"), Some(&Value::Bool(false)));
    let all = places(&answer);
    assert!(all.contains(&found("LNT013", "warning", 22, 21)), "{all:?}");
    assert!(all.iter().any(|(code, _, line, _)| code == "SCH004" && *line == 42), "{all:?}");
    let quiet = [("crd", DEFINITION.into()), ("noLints", vec!["all"].into())];
    assert_eq!(places(&ask("check", &quiet)), []);
    let more =
        [("crd", DEFINITION.into()), ("noLints", vec!["LNT013"].into()), ("lints", vec!["LNT002"].into())];
    assert_eq!(places(&ask("check", &more)), [found("LNT002", "warning", 20, 21)]);
    let unknown = ask("check", &[("crd", DEFINITION.into()), ("lints", vec!["LNT999"].into())]);
    assert_eq!(unknown.get("error").and_then(Value::as_str), Some("unknown lint \"LNT999\""));
    // An update is compared with the CRD before it.
    let next = DEFINITION.replace("              list: {type: array, items: {type: string}}\n", "");
    let update = [("crd", next.as_str().into()), ("old", DEFINITION.into())];
    let codes: Vec<String> = places(&ask("check", &update)).into_iter().map(|(code, ..)| code).collect();
    assert!(codes.len() > 1, "{codes:?}");
}

#[test]
fn lints_are_listed() {
    let on = |answer: &Value, id: &str| {
        let lints = answer.get("lints").and_then(Value::as_list).unwrap_or_default();
        let lint = lints.iter().find(|lint| lint.get("id").and_then(Value::as_str) == Some(id));
        lint.and_then(|lint| lint.get("on")).and_then(Value::as_bool)
    };
    let answer = ask("lints", &[]);
    assert_eq!((on(&answer, "LNT001"), on(&answer, "LNT002")), (Some(true), Some(false)));
    let answer = ask("lints", &[("lints", vec!["lnt002"].into()), ("kube", "1.30".into())]);
    assert_eq!((on(&answer, "LNT002"), on(&answer, "LNT010")), (Some(true), Some(true)));
}

/// An operation without something that it is about would answer about nothing: no CRD is invalid, and no object.
#[test]
fn fields_that_an_operation_needs_are_required() {
    let text = |text: &str| Value::from(text);
    let object = text("apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n");
    let (crd, list) = (text(DEFINITION), || Value::from(vec!["1"]));
    let operations: [(&str, Vec<(&str, Value)>); 15] = [
        ("apply", vec![("request", object.clone())]),
        ("cel", vec![("crd", crd.clone())]),
        ("eval", vec![("exprs", list())]),
        ("regexp", vec![("patterns", list())]),
        ("crd", vec![("crd", crd.clone())]),
        ("check", vec![("crd", crd.clone())]),
        ("structural", vec![("crd", crd.clone())]),
        ("object", vec![("crd", crd.clone()), ("object", object.clone())]),
        ("openapi", vec![("crd", crd.clone())]),
        ("scale", vec![("crd", crd.clone()), ("object", object.clone())]),
        ("table", vec![("crd", crd.clone()), ("objects", vec![object.as_str().unwrap_or_default()].into())]),
        ("priority", vec![("versions", list())]),
        ("diff", vec![("old", crd.clone()), ("new", crd.clone())]),
        ("yaml", vec![("text", text("a: 1"))]),
        ("yaml", vec![("base64", text("YQ=="))]),
    ];
    let error = |op: &str, fields: &[(&str, Value)]| {
        let answer = ask(op, fields);
        answer.get("error").and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    for (op, fields) in operations {
        assert!(!error(op, &fields).contains(" needs `"), "{op}: {}", error(op, &fields));
        for at in 0..fields.len() {
            let (mut without, mut null) = (fields.clone(), fields.clone());
            let (name, _) = without.remove(at);
            null[at].1 = Value::Null;
            let name = if op == "yaml" { "text` or `base64" } else { name };
            for fields in [without, null] {
                assert_eq!(error(op, &fields), format!("bad request: {op} needs `{name}`"));
            }
        }
    }
    // The text of an empty file is a text.
    assert_eq!(ask("check", &[("crd", text(""))]).get("valid"), Some(&Value::Bool(true)));
}
