//! The playground without a browser.

use crdgen_core::json;
use crdgen_core::value::{Map, Value};

use super::answer;

const CRD: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, listKind: WidgetList }
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
              x-kubernetes-validations:
                - rule: self.size <= 10
                  message: too large
              properties:
                size: { type: integer, default: 1 }
";

const RUST: &str = r#"
/// A widget.
#[derive(crdgen::CustomResource, crdgen::Schema, serde::Deserialize, serde::Serialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Widget", namespaced)]
pub struct WidgetSpec {
    /// How large it is.
    pub size: i32,
}
"#;

fn ask(fields: &[(&str, &str)]) -> Value {
    let request = fields.iter().map(|(name, value)| (*name, Value::from(*value)));
    let request: Map<Value> = request.collect();
    json::read(answer(&json::to_string(&request.into())).as_bytes()).expect("the answer is JSON")
}

fn at<'v>(value: &'v Value, way: &[&str]) -> &'v Value {
    way.iter().fold(value, |value, name| value.get(name).unwrap_or(&Value::Null))
}

fn texts(answer: &Value, field: &str) -> Vec<String> {
    let findings = at(answer, &["findings"]).as_list().unwrap_or_default();
    findings.iter().map(|f| at(f, &[field]).as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_definition_and_its_objects() {
    let objects = "apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: a }\nspec: { size: 11 }\n---\n\
                   apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: b }\nspec: {}\n";
    let answer = ask(&[("definitions", CRD), ("objects", objects), ("view", "stored")]);
    assert_eq!(texts(&answer, "file"), ["objects"]);
    let found = texts(&answer, "text");
    assert_eq!(found, [r#"spec: Invalid value: too large"#], "{answer:?}");
    assert_eq!(at(&answer, &["summary", "valid"]), &Value::Int(1));
    let shown = at(&answer, &["shown"]).as_str().unwrap_or_default();
    assert!(shown.contains("size: 1"), "{shown}");
}

#[test]
fn own_kinds_need_no_definition() {
    let objects = "apiVersion: v1\nkind: Service\nmetadata: { name: a }\nspec: { ports: [{ port: 80 }] }\n---\n\
                   apiVersion: v1\nkind: Service\nmetadata: { name: b }\nspec: { ports: [{ port: 80, targetPort: 70000 }] }\n---\n\
                   apiVersion: v1\nkind: Servicer\nmetadata: { name: b }\n";
    let answer = ask(&[("objects", objects), ("view", "stored")]);
    let found = texts(&answer, "text");
    let wanted = [
        "spec.ports[0].targetPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
        "kind: no CRD for Servicer of v1, or the server rejects it",
    ];
    assert_eq!(found, wanted, "{answer:?}");
    assert_eq!(at(&answer, &["summary", "valid"]), &Value::Int(1));
    let shown = at(&answer, &["shown"]).as_str().unwrap_or_default();
    assert!(shown.contains("type: ClusterIP") && !shown.contains("clusterIP:"), "{shown}");
}

#[test]
fn rust_types() {
    let answer = ask(&[("definitions", RUST), ("language", "rust"), ("view", "yaml")]);
    assert_eq!(texts(&answer, "text"), [""; 0]);
    let shown = at(&answer, &["shown"]).as_str().unwrap_or_default();
    assert!(shown.contains("name: widgets.example.com"), "{shown}");
    let broken = RUST.replace("size: i32", "size: Nope");
    let answer = ask(&[("definitions", &broken), ("language", "rust")]);
    assert_eq!(texts(&answer, "file").first().map(String::as_str), Some("definitions"));
}

#[test]
fn every_view() {
    let objects = "apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: a }\nspec: { size: 3 }\n";
    for view in ["yaml", "rust", "docs", "rules", "stored", "table"] {
        let answer = ask(&[("definitions", CRD), ("objects", objects), ("view", view)]);
        let shown = at(&answer, &["shown"]);
        let is_empty =
            shown.as_str().is_none_or(str::is_empty) && shown.as_list().is_none_or(<[_]>::is_empty);
        assert!(!is_empty, "{view}");
    }
}

#[test]
fn a_rule() {
    let objects = "apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: a }\nspec: { size: 3 }\n";
    let rule = |rule| ask(&[("definitions", CRD), ("objects", objects), ("rule", rule), ("path", ".spec")]);
    let answer = rule("self.size + 1");
    assert_eq!(at(&answer, &["rule", "type"]).as_str(), Some("int"));
    assert_eq!(at(&answer, &["rule", "value"]).as_str(), Some("4"));
    assert_eq!(texts(&rule("self.sise"), "file"), ["rule"]);
}

#[test]
fn no_request_panics() {
    for request in
        ["", "{", "[]", "{\"view\":\"x\"}", "{\"language\":\"go\"}", "{\"kube\":1,\"definitions\":1}"]
    {
        let answer = answer(request);
        assert!(json::read(answer.as_bytes()).is_ok(), "{request}: {answer}");
    }
}
