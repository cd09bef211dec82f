//! Which Scales the server accepts: those of `autoscaling/v1`, and objects that it defaults to them.

use crdgen_core::value::Value;
use crdgen_tests::ours;

const DEFINITION: &str = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ws.e.x"},"spec":{"group":"e.x","scope":"Namespaced","names":{"plural":"ws","kind":"W"},"versions":[{"name":"v1","served":true,"storage":true,"subresources":{"scale":{"specReplicasPath":".spec.r","statusReplicasPath":".status.r"}},"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"r":{"type":"integer"}}}}}}}]}}"#;

/// Writes a Scale. Returns the replicas that are set, or why the server rejects it.
fn write(scale: &str) -> Result<i64, String> {
    let request: Value = Value::Map(
        [
            ("op", Value::from("scale")),
            ("crd", DEFINITION.into()),
            ("object", r#"{"apiVersion":"e.x/v1","kind":"W","metadata":{"name":"a"},"spec":{"r":1}}"#.into()),
            ("scale", scale.into()),
        ]
        .into_iter()
        .collect(),
    );
    let answer = ours::answer(&request);
    if let Some(error) = answer.get("decodeError").and_then(Value::as_str) {
        return Err(error.to_owned());
    }
    let spec = answer.get("result").and_then(|result| result.get("spec"));
    Ok(spec.and_then(|spec| spec.get("r")).and_then(Value::as_int).unwrap_or_default())
}

#[test]
fn scales_of_autoscaling_v1_are_taken() {
    for head in [
        r#""apiVersion":"autoscaling/v1","kind":"Scale","#,
        r#""apiVersion":"autoscaling/","#,
        r#""apiVersion":"","kind":"","#,
        "",
    ] {
        assert_eq!(write(&format!(r#"{{{head}"spec":{{"replicas":3}}}}"#)), Ok(3), "{head}");
    }
    // The server's internal type has Go's field names.
    assert_eq!(write(r#"{"apiVersion":"autoscaling/__internal","spec":{"replicas":3}}"#), Ok(0));
}

#[test]
fn rejects_scales_of_other_versions() {
    for (head, wanted) in [
        (r#""apiVersion":"autoscaling/v2""#, r#"no kind "Scale" is registered for version "autoscaling/v2""#),
        (r#""apiVersion":"apps/v1""#, r#"no kind "Scale" is registered for version "apps/v1""#),
        (r#""apiVersion":"v1""#, r#"no kind "Scale" is registered for version "v1""#),
        (r#""kind":"Foo""#, r#"no kind "Foo" is registered for version "autoscaling/v1""#),
        (
            r#""apiVersion":"extensions/v1beta1""#,
            "converting (v1beta1.Scale) to (v1.Scale): unknown conversion",
        ),
        (r#""apiVersion":"apps/v1beta2""#, "converting (v1beta2.Scale) to (v1.Scale): unknown conversion"),
        (r#""apiVersion":"a/b/c""#, "unexpected GroupVersion string: a/b/c"),
        (r#""apiVersion":"foo/""#, "Object 'apiVersion' is missing"),
    ] {
        assert_eq!(
            write(&format!(r#"{{{head},"spec":{{"replicas":3}}}}"#)),
            Err(wanted.to_owned()),
            "{head}"
        );
    }
}

#[test]
fn rejects_scales_with_fields_of_wrong_types() {
    for scale in [
        r#"{"apiVersion":5}"#,
        r#"{"kind":5}"#,
        r#"{"spec":5}"#,
        r#"{"spec":{"replicas":"2"}}"#,
        r#"{"spec":{"replicas":2.5}}"#,
        r#"{"spec":{"replicas":4294967296}}"#,
        r#"{"status":5}"#,
        r#"{"status":{"replicas":"1"}}"#,
        r#"{"status":{"selector":{"a":"b"}}}"#,
        r#"{"metadata":5}"#,
        r#"{"metadata":{"labels":5}}"#,
    ] {
        assert!(write(scale).is_err(), "{scale}");
    }
}
