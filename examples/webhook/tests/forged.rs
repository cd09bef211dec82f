//! What a webhook restores of an annotation that a user has written.

#![expect(unreachable_pub, reason = "the modules belong to a library")]

use crdgen::convert::Versions;
use crdgen::webhook::Webhook;
use serde_json::{Value, json};

#[path = "../../versions/src/v1.rs"]
mod v1;
#[path = "../../versions/src/v1alpha1.rs"]
mod v1alpha1;
#[path = "../../versions/src/v1beta1.rs"]
mod v1beta1;

const ANNOTATION: &str = "example.com/conversion";

fn versions() -> Versions {
    Versions::new().pair::<v1alpha1::Site, v1beta1::Site>().pair::<v1beta1::Site, v1::Site>()
}

fn convert(versions: Versions, object: &Value, to: &str) -> Value {
    let review = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "ConversionReview",
        "request": {"uid": "u", "desiredAPIVersion": to, "objects": [object]},
    });
    let answer = Webhook::new().versions(versions).answer(review.to_string().as_bytes()).expect("a review");
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(answer["response"]["result"], json!({"status": "Success"}));
    answer["response"]["convertedObjects"][0].clone()
}

/// The fingerprint in an annotation, which users can compute too.
fn fingerprint(value: &Value) -> String {
    let hash = value.to_string().bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// An object of v1beta1 with an annotation.
fn site(spec: &Value, kept: &Value) -> Value {
    let text = json!({"format": 1, "versions": {"v1": {"fields": kept}}}).to_string();
    json!({
        "apiVersion": "example.com/v1beta1",
        "kind": "Site",
        "metadata": {"name": "a", "uid": "1", "annotations": {ANNOTATION: text}},
        "spec": spec,
        "status": {"replicas": 3},
    })
}

fn spec() -> Value {
    json!({"hosts": ["a"], "replicas": 3, "timeoutSeconds": 30, "paused": false,
        "backends": [{"name": "b", "port": 80, "protocol": "H2c"}]})
}

#[test]
fn values_that_the_schema_rejects_are_not_restored() {
    let kept = json!({
        "spec": {"fields": {
            "scaling": {"value": {"replicas": 2_000_000_000, "max": -5}, "for": fingerprint(&json!(3))},
            "timeoutMillis": {"value": -1, "for": fingerprint(&json!(30))},
            "state": {"value": "Maintenance", "for": fingerprint(&json!(false))},
        }},
        "status": {"fields": {"seen": {"value": "forged"}}},
    });
    let converted = convert(versions(), &site(&spec(), &kept), "example.com/v1");
    let good = json!({"hosts": ["a"], "scaling": {"replicas": 3}, "timeoutMillis": 30000, "state": "Maintenance",
        "backends": [{"name": "b", "target_port": 80, "protocol": "Http2"}]});
    assert_eq!((&converted["spec"], &converted["status"]), (&good, &json!({"replicas": 3})));
    assert_eq!(converted["metadata"], json!({"name": "a", "uid": "1"}));
}

#[test]
fn an_object_that_is_invalid_anyway_keeps_its_values() {
    let kept = json!({"spec": {"fields": {
        "state": {"value": "Maintenance", "for": fingerprint(&json!(false))},
        "timeoutMillis": {"value": 30500, "for": fingerprint(&json!(30))},
    }}});
    // It was stored when more replicas were allowed.
    let mut spec = spec();
    spec["replicas"] = json!(1000);
    let converted = convert(versions(), &site(&spec, &kept), "example.com/v1");
    assert_eq!(converted["spec"]["scaling"]["replicas"], 1000);
    assert_eq!(
        (&converted["spec"]["state"], &converted["spec"]["timeoutMillis"]),
        (&json!("Maintenance"), &json!(30500))
    );
}

#[test]
fn the_status_comes_back_only_with_a_secret() {
    let object = json!({
        "apiVersion": "example.com/v1",
        "kind": "Site",
        "metadata": {"name": "a", "uid": "1"},
        "spec": {"hosts": ["a"], "scaling": {"replicas": 3, "max": 4}, "timeoutMillis": 1, "state": "Running", "backends": []},
        "status": {"replicas": 3, "seen": "today"},
    });
    let there = |versions: Versions| convert(versions, &object, "example.com/v1beta1");
    let back = |versions: Versions, object: &Value| convert(versions, object, "example.com/v1");
    let mut unseen = object.clone();
    unseen["status"] = json!({"replicas": 3});

    // Without a secret, the rest of the object comes back.
    let old = there(versions());
    assert!(!old["metadata"]["annotations"][ANNOTATION].as_str().expect("it is kept").contains("today"));
    assert_eq!(back(versions(), &old), unseen);

    let with = |secret: &str| versions().secret(secret.as_bytes());
    let old = there(with("a"));
    assert_eq!(back(with("a"), &old), object);
    for stranger in [with("b"), versions()] {
        assert_eq!(back(stranger, &old), unseen);
    }
    // The seal is for this text and this object.
    let mut edited = old.clone();
    let annotation = &mut edited["metadata"]["annotations"][ANNOTATION];
    *annotation = json!(annotation.as_str().expect("it is kept").replace("today", "now"));
    assert_eq!(back(with("a"), &edited), unseen);
    let mut other = old.clone();
    other["metadata"]["uid"] = json!("2");
    unseen["metadata"]["uid"] = json!("2");
    assert_eq!(back(with("a"), &other), unseen);
    // It passes through the first version.
    let oldest = convert(with("a"), &old, "example.com/v1alpha1");
    assert_eq!(back(with("a"), &oldest), object);
}
