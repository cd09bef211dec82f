//! Rules on old values that do not match the schema, as after an update of the CRD. Equality with such a value is an
//! error for some values, and others are only unequal to it. The errors are those of Kubernetes 1.37.

use crdgen_core::value::Value;
use crdgen_tests::ours::answer;

struct Case {
    /// The schema of `spec.a`.
    schema: &'static str,
    /// The rule on `spec`.
    rule: &'static str,
    old: &'static str,
    new: &'static str,
    error: Option<&'static str>,
}

const CASES: &[Case] = &[
    Case {
        schema: r#"{"type": "string"}"#,
        rule: "self == oldSelf",
        old: r#"1"#,
        new: r#""x""#,
        error: Some("is immutable"),
    },
    Case {
        schema: r#"{"type": "string"}"#,
        rule: "oldSelf == self",
        old: r#"1"#,
        new: r#""x""#,
        error: Some("invalid data, expected string, got int64 evaluating rule: is immutable"),
    },
    Case {
        schema: r#"{"type": "string"}"#,
        rule: "self != oldSelf",
        old: r#"1"#,
        new: r#""x""#,
        error: None,
    },
    Case {
        schema: r#"{"type": "object", "properties": {"b": {"type": "string"}}}"#,
        rule: "self == oldSelf",
        old: r#"{"b": 1}"#,
        new: r#"{"b": "x"}"#,
        error: Some("is immutable"),
    },
    Case {
        schema: r#"{"type": "object", "properties": {"b": {"type": "string"}}}"#,
        rule: "oldSelf == self",
        old: r#"{"b": 1}"#,
        new: r#"{"b": "x"}"#,
        error: Some("invalid data, expected string, got int64 evaluating rule: is immutable"),
    },
    Case {
        schema: r#"{"type": "object", "properties": {"b": {"type": "string"}}}"#,
        rule: "self != oldSelf",
        old: r#"{"b": 1}"#,
        new: r#"{"b": "x"}"#,
        error: None,
    },
    Case {
        schema: r#"{"type": "array", "items": {"type": "string"}}"#,
        rule: "self == oldSelf",
        old: r#"[1]"#,
        new: r#"["x"]"#,
        error: Some("is immutable"),
    },
    Case {
        schema: r#"{"type": "array", "items": {"type": "string"}}"#,
        rule: "oldSelf == self",
        old: r#"[1]"#,
        new: r#"["x"]"#,
        error: Some("invalid data, expected string, got int64 evaluating rule: is immutable"),
    },
    Case {
        schema: r#"{"type": "array", "items": {"type": "string"}}"#,
        rule: "self != oldSelf",
        old: r#"[1]"#,
        new: r#"["x"]"#,
        error: None,
    },
    Case {
        schema: r#"{"type": "object", "additionalProperties": {"type": "string"}}"#,
        rule: "self == oldSelf",
        old: r#"{"b": 1}"#,
        new: r#"{"b": "x"}"#,
        error: Some("is immutable"),
    },
    Case {
        schema: r#"{"type": "object", "additionalProperties": {"type": "string"}}"#,
        rule: "oldSelf == self",
        old: r#"{"b": 1}"#,
        new: r#"{"b": "x"}"#,
        error: Some("invalid data, expected string, got int64 evaluating rule: is immutable"),
    },
    Case {
        schema: r#"{"type": "object", "additionalProperties": {"type": "string"}}"#,
        rule: "self != oldSelf",
        old: r#"{"b": 1}"#,
        new: r#"{"b": "x"}"#,
        error: None,
    },
    Case {
        schema: r#"{"type": "array", "items": {"type": "string"}}"#,
        rule: "self == oldSelf",
        old: r#"1"#,
        new: r#"["x"]"#,
        error: Some(
            "invalid data, expected an array for the provided schema with type=array evaluating rule: is immutable",
        ),
    },
    Case {
        schema: r#"{"type": "array", "items": {"type": "string"}}"#,
        rule: "oldSelf == self",
        old: r#"1"#,
        new: r#"["x"]"#,
        error: Some(
            "invalid data, expected an array for the provided schema with type=array evaluating rule: is immutable",
        ),
    },
    Case {
        schema: r#"{"type": "array", "items": {"type": "string"}}"#,
        rule: "self != oldSelf",
        old: r#"1"#,
        new: r#"["x"]"#,
        error: None,
    },
    Case {
        schema: r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}, "b": {"type": "string"}}}}"#,
        rule: "self == oldSelf",
        old: r#"[1]"#,
        new: r#"[{"k": "x"}]"#,
        error: Some("is immutable"),
    },
    Case {
        schema: r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}, "b": {"type": "string"}}}}"#,
        rule: "oldSelf == self",
        old: r#"[1]"#,
        new: r#"[{"k": "x"}]"#,
        error: Some("is immutable"),
    },
    Case {
        schema: r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}, "b": {"type": "string"}}}}"#,
        rule: "self != oldSelf",
        old: r#"[1]"#,
        new: r#"[{"k": "x"}]"#,
        error: None,
    },
    Case {
        schema: r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}, "b": {"type": "string"}}}}"#,
        rule: "self == oldSelf",
        old: r#"[{"k": "x", "b": 1}]"#,
        new: r#"[{"k": "x", "b": "y"}]"#,
        error: Some("is immutable"),
    },
    Case {
        schema: r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}, "b": {"type": "string"}}}}"#,
        rule: "oldSelf == self",
        old: r#"[{"k": "x", "b": 1}]"#,
        new: r#"[{"k": "x", "b": "y"}]"#,
        error: Some("invalid data, expected string, got int64 evaluating rule: is immutable"),
    },
    Case {
        schema: r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}, "b": {"type": "string"}}}}"#,
        rule: "self != oldSelf",
        old: r#"[{"k": "x", "b": 1}]"#,
        new: r#"[{"k": "x", "b": "y"}]"#,
        error: None,
    },
    Case {
        schema: r#"{"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}"#,
        rule: "self == oldSelf",
        old: r#"[1]"#,
        new: r#"["x"]"#,
        error: Some("is immutable"),
    },
    Case {
        schema: r#"{"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}"#,
        rule: "oldSelf == self",
        old: r#"[1]"#,
        new: r#"["x"]"#,
        error: Some("is immutable"),
    },
    Case {
        schema: r#"{"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}"#,
        rule: "self != oldSelf",
        old: r#"[1]"#,
        new: r#"["x"]"#,
        error: None,
    },
    Case {
        schema: r#"{"type": "array", "items": {"type": "string"}}"#,
        rule: "self.a + oldSelf.a == self.a",
        old: r#"[1]"#,
        new: r#"["x"]"#,
        error: Some("is immutable"),
    },
    Case {
        schema: r#"{"type": "array", "items": {"type": "string"}}"#,
        rule: "size(self.a + oldSelf.a) == 2",
        old: r#"[1]"#,
        new: r#"["x"]"#,
        error: None,
    },
    Case {
        schema: r#"{"type": "array", "items": {"type": "string"}}"#,
        rule: "[self.a] == [oldSelf.a]",
        old: r#"[1]"#,
        new: r#"["x"]"#,
        error: Some("is immutable"),
    },
    Case {
        schema: r#"{"type": "array", "items": {"type": "string"}}"#,
        rule: "'x' in (self.a + oldSelf.a)",
        old: r#"[1]"#,
        new: r#"["x"]"#,
        error: None,
    },
    Case {
        schema: r#"{"type": "array", "items": {"type": "string"}}"#,
        rule: "'y' in (['z'] + oldSelf.a)",
        old: r#"[1]"#,
        new: r#"["x"]"#,
        error: Some("invalid data, expected string, got int64 evaluating rule: is immutable"),
    },
];

/// A CRD whose `spec.a` has this schema.
fn definition(schema: &str, rule: &str) -> String {
    format!(
        "---\n{{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {{name: ks.example.com}}, spec: \
         {{group: example.com, scope: Namespaced, names: {{plural: ks, kind: K}}, versions: [{{name: v1, served: true, storage: \
         true, schema: {{openAPIV3Schema: {{type: object, properties: {{spec: {{type: object, properties: {{a: {schema}}}, \
         x-kubernetes-validations: [{{rule: \"{rule}\", message: is immutable}}]}}}}}}}}}}]}}}}"
    )
}

#[test]
fn an_old_value_of_the_wrong_type() {
    for Case { schema, rule, old, new, error } in CASES {
        let object = |a: &str| {
            format!(
                "---\n{{apiVersion: example.com/v1, kind: K, metadata: {{name: a, namespace: a}}, spec: {{a: {a}}}}}"
            )
        };
        let request = [
            ("op", "object".to_owned()),
            ("crd", definition(schema, rule)),
            ("object", object(new)),
            ("old", object(old)),
        ];
        let answer = answer(&Value::Map(request.into_iter().map(|(k, v)| (k, Value::from(v))).collect()));
        let errors = answer.get("errors").and_then(Value::as_list).unwrap_or_else(|| panic!("{answer:?}"));
        let details: Vec<&str> = errors.iter().filter_map(|error| error.get("detail")?.as_str()).collect();
        assert_eq!(details, Vec::from_iter(*error), "{schema}: {rule}: {old} -> {new}");
    }
}
