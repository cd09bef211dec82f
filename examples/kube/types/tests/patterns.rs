//! Tests attributes of public projects: the server accepts the CRDs, and the attributes have the right effect.

use crdgen::CustomResource;
use kube_types::patterns::{
    conditional, defaults, framework, functions, generated, rare, rules, statics, unions,
};
use serde_json::{Value, json};

/// Returns the schema of the spec. The server must accept the CRD.
fn spec<K: CustomResource>() -> Value {
    let crd = K::crd();
    let report = crdgen::check(&crd);
    let texts: Vec<String> = report.errors.iter().map(|e| e.text()).collect();
    assert!(texts.is_empty(), "{}: {texts:?}", K::KIND);
    let crd: Value = serde_json::from_str(&K::crd_json()).expect("JSON");
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"].clone()
}

#[test]
fn schemas() {
    let cases = [
        (spec::<statics::NodeShadow>(), "/properties/version/pattern", json!(r"^\d+\.\d+\.\d+$")),
        (spec::<statics::NodeShadow>(), "/properties/state/enum", json!(["Idle", "Staged", "Rebooted"])),
        (spec::<defaults::Fleet>(), "/properties/redis/properties/port/default", json!(6379)),
        (spec::<defaults::Fleet>(), "/properties/nodeSelector/additionalProperties/type", json!("string")),
        (spec::<defaults::Fleet>(), "/properties/tags/pattern", json!(r"^[a-z0-9\-]+$")),
        (spec::<generated::GrpcRoute>(), "/properties/type/enum", json!(["Exact", "HTTP"])),
        (spec::<generated::GrpcRoute>(), "/properties/parentRefs/items/required", json!(["name"])),
        (
            spec::<unions::MeshServer>(),
            "/properties/selector/oneOf",
            json!([{"required": ["pod"]}, {"required": ["externalWorkload"]}]),
        ),
        (spec::<unions::MeshServer>(), "/properties/port/x-kubernetes-int-or-string", json!(true)),
        (
            spec::<unions::MeshServer>(),
            "/properties/filters/items/properties/type/enum",
            json!(["RequestHeaderModifier", "RequestRedirect"]),
        ),
        (spec::<unions::MeshServer>(), "/properties/weight/default", json!(0)),
        (
            spec::<conditional::Person>(),
            "/properties/login/x-kubernetes-validations/0/message",
            json!("name cannot be changed."),
        ),
        (spec::<conditional::Person>(), "/properties/minimum/allOf/0/enum", json!(["any", "passkey"])),
        (
            spec::<conditional::Person>(),
            "/properties/attributes/properties/displayname/maxLength",
            json!(100),
        ),
        (spec::<conditional::Person>(), "/properties/attributes/properties/mail/maxItems", json!(100)),
        (spec::<functions::Configuration>(), "/properties/broker/pattern", json!("^(pod|job)/")),
        (spec::<functions::Configuration>(), "/properties/capacity/default", json!(1)),
        (
            spec::<functions::Configuration>(),
            "/properties/properties/x-kubernetes-preserve-unknown-fields",
            json!(true),
        ),
        (spec::<rules::Store>(), "/properties/replicas/minimum", json!(1)),
        (spec::<rules::Store>(), "/properties/env/items/additionalProperties/type", json!("string")),
        (spec::<rules::Store>(), "/x-kubernetes-validations/0/message", json!("autoscaling needs mode Auto")),
        (spec::<rules::Shop>(), "/properties/rooms/minimum", json!(1)),
        (spec::<framework::Cluster>(), "/properties/servers/properties/replicas/maximum", json!(65535)),
        (
            spec::<framework::Cluster>(),
            "/properties/servers/properties/groups/additionalProperties/type",
            json!("object"),
        ),
        (spec::<framework::Cluster>(), "/properties/host/type", json!("string")),
        (spec::<framework::Cluster>(), "/properties/cache/default", json!({"maxEntries": 1000})),
        (
            spec::<framework::Cluster>(),
            "/properties/cache/description",
            json!("Least recently used (LRU) cache."),
        ),
        (
            spec::<framework::Cluster>(),
            "/properties/hook/oneOf",
            json!([{"required": ["raw"]}, {"required": ["inTree"]}]),
        ),
        (
            spec::<rare::Rarity>(),
            "/properties/oldField/description",
            json!("Deprecated: This field is deprecated and it is no longer used"),
        ),
        (spec::<rare::Rarity>(), "/properties/described/description", json!("Words about it.")),
        (
            spec::<rare::Rarity>(),
            "/properties/fixed/x-kubernetes-validations/0/rule",
            json!("self == oldSelf"),
        ),
        (spec::<rare::Rarity>(), "/properties/named/required", json!(["firstName"])),
        (spec::<rare::Rarity>(), "/properties/raw/x-kubernetes-preserve-unknown-fields", json!(true)),
        (spec::<rare::Rarity>(), "/properties/limits/required", json!(["maxEntries", "least"])),
        (spec::<rare::Rarity>(), "/properties/wrapped/additionalProperties/type", json!("string")),
        (spec::<rare::Rarity>(), "/properties/kind/enum", json!(["One", "Two"])),
    ];
    for (schema, at, expected) in cases {
        assert_eq!(schema.pointer(at), Some(&expected), "{at} in {schema}");
    }
}

/// The client checks rules before a server sees the object, with the server's messages.
#[test]
fn rules_in_the_client() {
    let store = |mode: Option<&str>| {
        let spec = rules::StoreSpec {
            replicas: 1,
            port: None,
            autoscaling: Some(true),
            mode: mode.map(str::to_owned),
            env: None,
            class: "a".to_owned(),
        };
        rules::Store::new("one", spec)
    };
    assert_eq!(store(Some("Auto")).validate_cel(), Ok(()));
    assert_eq!(store(Some("Auto")).validate_cel_update(&store(Some("Auto"))), Ok(()));
    let errors = store(Some("Hand")).validate_cel().expect_err("it is against a rule");
    assert_eq!(errors.errors[0].field_path, "spec");
    assert_eq!(errors.errors[0].message, "autoscaling needs mode Auto");
    let errors =
        store(Some("Auto")).validate_cel_update(&store(Some("Hand"))).expect_err("it is against a rule");
    assert_eq!(errors.to_string(), r#"spec.mode: Invalid value: "Auto": mode is immutable"#);
}

/// Checks values against the rules of a type, as serde writes them.
#[test]
fn rules_of_a_type() {
    #[derive(serde::Serialize, crdgen::kube::KubeSchema)]
    #[x_kube(cel, validation = ("self.from <= self.to", "it ends before it starts"))]
    struct Span {
        #[x_kube(validation = "self >= oldSelf")]
        from: i32,
        to: i32,
    }
    let value = |from, to| serde_json::to_value(Span { from, to }).expect("JSON");
    assert_eq!(Span::validate_cel(&value(1, 2), None), Ok(()));
    let errors = Span::validate_cel(&value(3, 2), None).expect_err("it is against a rule").to_string();
    assert!(errors.ends_with("it ends before it starts"), "{errors}");
    assert!(Span::validate_cel(&value(1, 2), Some(&value(2, 2))).is_err());
}
