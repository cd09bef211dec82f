//! Options for imported code: foreign types, names, derives, features.

use super::{emitted, import_as, normal};
use crdgen::import::{KubernetesTypes, Options, TimeType};

fn crd(version: &str, properties: &str) -> String {
    format!(
        r#"{{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {{"name": "vmthings.example.com"}},
        "spec": {{"group": "example.com", "scope": "Namespaced", "names": {{"plural": "vmthings", "kind": "VMThing"}},
            "versions": [{{"name": "{version}", "served": true, "storage": true, "schema": {{"openAPIV3Schema":
                {{"type": "object", "required": ["spec"], "properties": {{"spec": {{"type": "object",
                    "properties": {{{properties}}}}}}}}}}}}}]}}}}"#
    )
}

#[track_caller]
fn code(properties: &str, options: &Options) -> String {
    import_as("vmthings.json", crd("v1", properties).as_bytes(), options).0
}

/// A schema, and its type with three options: generated types, foreign types without loss, all foreign types.
const FOREIGN: &[(&str, [&str; 3])] = &[
    (
        r#""a": {"type": "object", "x-kubernetes-map-type": "atomic", "properties": {"name": {"type": "string", "default": ""}}}"#,
        ["A", "corev1::LocalObjectReference", "corev1::LocalObjectReference"],
    ),
    // Without the default, an object could lack the name.
    (
        r#""a": {"type": "object", "x-kubernetes-map-type": "atomic", "properties": {"name": {"type": "string"}}}"#,
        ["A", "A", "corev1::LocalObjectReference"],
    ),
    (
        r#""a": {"type": "object", "x-kubernetes-map-type": "atomic", "required": ["name"], "properties": {"name": {"type": "string"}}}"#,
        ["A", "corev1::LocalObjectReference", "corev1::LocalObjectReference"],
    ),
    (
        r#""a": {"type": "object", "properties": {"name": {"type": "string", "default": ""}}}"#,
        ["A", "A", "A"],
    ),
    // A null would be lost, and unknown fields would be lost too.
    (
        r#""toleration": {"type": "object", "properties": {"effect": {"type": "string"}, "key": {"type": "string", "nullable": true}, "operator": {"type": "string"},
        "tolerationSeconds": {"type": "integer", "format": "int64"}, "value": {"type": "string"}}}"#,
        ["Toleration", "Toleration", "Toleration"],
    ),
    (
        r#""toleration": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"effect": {"type": "string"}, "key": {"type": "string"},
        "operator": {"type": "string"}, "tolerationSeconds": {"type": "integer", "format": "int64"}, "value": {"type": "string"}}}"#,
        ["Toleration", "Toleration", "Toleration"],
    ),
    (
        r#""toleration": {"type": "object", "properties": {"effect": {"type": "string"}, "key": {"type": "string"},
        "operator": {"type": "string"}, "tolerationSeconds": {"type": "integer"}, "value": {"type": "string"}}}"#,
        ["Toleration", "corev1::Toleration", "corev1::Toleration"],
    ),
    // An i32 is too small for integers of any size.
    (
        r#""port": {"type": "object", "required": ["containerPort"], "properties": {"containerPort": {"type": "integer"}, "hostIP": {"type": "string"},
        "hostPort": {"type": "integer", "format": "int32"}, "name": {"type": "string"}, "protocol": {"type": "string"}}}"#,
        ["ContainerPort", "ContainerPort", "ContainerPort"],
    ),
    (
        r#""port": {"type": "object", "required": ["containerPort"], "properties": {"containerPort": {"type": "integer", "minimum": 1, "maximum": 65535}, "hostIP": {"type": "string"},
        "hostPort": {"type": "integer", "format": "int32"}, "name": {"type": "string"}, "protocol": {"type": "string"}}}"#,
        ["ContainerPort", "corev1::ContainerPort", "corev1::ContainerPort"],
    ),
    // These types write another form than the one that they read.
    (r#""a": {"x-kubernetes-int-or-string": true}"#, ["IntOrString", "IntOrString", "intstr::IntOrString"]),
    (
        r#""condition": {"type": "object", "required": ["lastTransitionTime", "message", "reason", "status", "type"], "properties": {
        "lastTransitionTime": {"type": "string", "format": "date-time"}, "message": {"type": "string"}, "observedGeneration": {"type": "integer", "format": "int64"},
        "reason": {"type": "string"}, "status": {"type": "string"}, "type": {"type": "string"}}}"#,
        ["Condition", "Condition", "metav1::Condition"],
    ),
];

#[test]
fn foreign_types_are_used_where_they_represent_everything() {
    let ways = [KubernetesTypes::Own, KubernetesTypes::Lossless, KubernetesTypes::All];
    for (schema, wanted) in FOREIGN {
        for (kubernetes, wanted) in ways.iter().zip(wanted) {
            let options = Options { schema: false, kubernetes: *kubernetes, ..Options::default() };
            let code = code(schema, &options);
            assert!(code.contains(&format!(": Option<{wanted}>,")), "{kubernetes:?} {wanted}:\n{code}");
            let foreign = wanted.contains("::");
            assert_eq!(code.contains("use k8s_openapi::"), foreign, "{code}");
            assert_eq!(
                code.contains(r#"// k8s-openapi = { version = "0.29", features = ["latest"] }"#),
                foreign,
                "{code}"
            );
        }
    }
}

/// If a foreign type's schema differs in a few keys, the field has these keys as attributes. If it differs in more, the
/// type is not used.
#[test]
fn exact_code_has_attributes_where_foreign_types_differ() {
    let options = Options { kubernetes: KubernetesTypes::All, ..Options::default() };
    let few = r#""a": {"type": "object", "description": "Which.", "required": ["key"], "x-kubernetes-map-type": "atomic", "properties": {
        "key": {"type": "string", "minLength": 1}, "name": {"type": "string", "default": ""}, "optional": {"type": "boolean"}}}"#;
    let few = few.replace("\"a\"", "\"secretKey\"");
    let found = code(&few, &options);
    assert!(found.contains(r#"#[schema(override(".key", min_length = 1))]"#), "{found}");
    assert!(found.contains("pub secret_key: Option<corev1::SecretKeySelector>"), "{found}");
    let many = few.replace(
        "\"type\": \"string\"",
        r#""type": "string", "maxLength": 9, "description": "d", "title": "t""#,
    );
    assert!(code(&many, &options).contains("pub secret_key: Option<SecretKey"), "{}", code(&many, &options));
    comes_back(&few, &options);
    comes_back(&many, &options);
    comes_back(
        &format!(r#""secretKeys": {{"type": "array", "items": {}}}"#, &few["\"secretKey\": ".len()..]),
        &options,
    );
}

#[track_caller]
fn comes_back(properties: &str, options: &Options) {
    let (code, crds) = import_as("vmthings.json", crd("v1", properties).as_bytes(), options);
    let folder = format!("crdgen-choices-{}-{:?}", std::process::id(), std::thread::current().id());
    let folder = std::env::temp_dir().join(folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let path = folder.join(format!("{}.rs", properties.len()));
    std::fs::write(&path, &code).expect("a file can be written");
    let back = emitted(&path).unwrap_or_else(|why| panic!("{why}\n{code}"));
    assert_eq!(normal(&back[0]), normal(&crds[0]), "{code}");
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}

const NAMED: &str = r#""mode": {"type": "string", "enum": ["a-b", "", "3", "-"]},
    "spec": {"type": "object", "properties": {"modes": {"type": "array", "items": {"type": "string", "enum": ["x"]}}}},
    "rules": {"type": "array", "items": {"type": "object", "properties": {"from": {"type": "object"}, "URL": {"type": "string", "nullable": true}}}},
    "others": {"type": "object", "additionalProperties": {"type": "object", "properties": {"from": {"type": "object"}, "URL": {"type": "string", "nullable": true}}}}"#;

#[test]
fn names_are_those_of_kopium() {
    let options = Options::like_kopium();
    let code = code(NAMED, &options);
    let mut names: Vec<&str> = code
        .lines()
        .filter_map(|l| l.strip_prefix("pub struct ").or(l.strip_prefix("pub enum ")))
        .map(|l| l.split(' ').next().unwrap_or_default())
        .collect();
    names.sort_unstable();
    // There is one type for each path. Enums inside of lists are strings.
    let wanted = [
        "VmThingMode",
        "VmThingOthers",
        "VmThingOthersFrom",
        "VmThingRules",
        "VmThingRulesFrom",
        "VmThingSpec",
        "VmThingSpecX",
    ];
    assert_eq!(names, wanted, "{code}");
    for part in [
        "    AB,",
        "    KopiumEmpty,",
        "    _3,",
        "    KopiumDash,",
        "pub modes: Option<Vec<String>>",
        "pub url: Option<String>",
        r#"root = "VmThing""#,
        "pub others: Option<BTreeMap<String, VmThingOthers>>",
    ] {
        assert!(code.contains(part), "{part}:\n{code}");
    }
    comes_back(NAMED, &options);
}

/// Without schemas, none of our derives needs the name `Schema`.
#[test]
fn a_kind_named_schema_gets_another_name() {
    let text = crd("v1", r#""a": {"type": "string"}"#).replace("VMThing", "Schema");
    for (schema, wanted) in [(true, "SchemaKindSpec"), (false, "SchemaSpec")] {
        let options = Options { schema, ..Options::like_kopium() };
        let (code, _) = import_as("schemas.json", text.as_bytes(), &options);
        assert!(code.contains(&format!("pub struct {wanted} {{")), "{code}");
    }
}

#[test]
fn times_have_the_type_that_was_asked_for() {
    let schema = r#""at": {"type": "string", "format": "date-time", "nullable": true}, "on": {"type": "string", "format": "date"}"#;
    for (time, wanted) in [
        (TimeType::String, "Option<Option<String>>"),
        (TimeType::Chrono, "Option<Option<chrono::DateTime<chrono::Utc>>>"),
        (TimeType::Jiff, "Option<Option<jiff::Timestamp>>"),
    ] {
        let options = Options { time, ..Options::default() };
        let code = code(schema, &options);
        assert!(
            code.contains(&format!("pub at: {wanted}")) && code.contains("pub on: Option<String>"),
            "{code}"
        );
        comes_back(schema, &options);
    }
}

#[test]
fn kinds_are_for_kube_by_either_derive() {
    let schema = r#""a": {"type": "string"}"#;
    let exact = code(schema, &Options { kube: true, schemars: true, ..Options::default() });
    for part in [
        "use crdgen::kube::CustomResource;",
        "use crdgen::Schema;",
        "CustomResource,",
        "schemars::JsonSchema",
    ] {
        assert!(exact.contains(part), "{part}:\n{exact}");
    }
    let client = Options { kube: true, schema: false, ..Options::default() };
    let plain = code(schema, &client);
    for part in [
        "use kube::CustomResource;",
        r#"plural = "vmthings""#,
        r#"schema = "disabled""#,
        r#"// kube = { version = "5", features = ["derive"] }"#,
    ] {
        assert!(plain.contains(part), "{part}:\n{plain}");
    }
    assert!(!plain.contains("crdgen::"), "{plain}");
    let with_schema = code(schema, &Options { schemars: true, ..client });
    assert!(
        !with_schema.contains("disabled") && with_schema.contains("schemars::JsonSchema"),
        "{with_schema}"
    );
}

/// A CRD whose root has more fields than spec and status.
fn whole(metadata: &str, required: &str) -> String {
    crd("v1", r#""a": {"type": "string"}"#).replace(
        r#""required": ["spec"], "properties": {"#,
        &format!(
            r#""required": [{required}], "properties": {{{metadata} "operation": {{"type": "object",
            "properties": {{"b": {{"type": "string"}}}}}}, "#
        ),
    )
}

#[test]
fn whole_objects_are_resources() {
    let metadata =
        r#""metadata": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 9}}},"#;
    let exact = Options { kube: true, ..Options::default() };
    let client = Options { schema: false, ..exact.clone() };
    let kopium = Options { kube: true, schema: false, ..Options::like_kopium() };
    for (metadata, required) in
        [("", r#""spec""#), (metadata, r#""metadata", "spec""#), (metadata, r#""spec""#)]
    {
        let text = whole(metadata, required);
        let write = |options: &Options| import_as("vmthings.json", text.as_bytes(), options);
        for options in [&exact, &client, &kopium] {
            let code = write(options).0;
            for part in
                ["pub metadata: metav1::ObjectMeta,", "pub fn new(name: &str, spec: ", "operation: None,"]
            {
                assert!(code.contains(part), "{part}:\n{code}");
            }
            // The derive of `crdgen::kube` writes the impl.
            assert_eq!(code.contains("impl kube::Resource for V"), !options.schema, "{code}");
            assert!(code.contains(r#"api_version: Some("example.com/v1".to_owned()),"#), "{code}");
        }
        let (code, crds) = write(&exact);
        let folder = format!("crdgen-whole-{}-{}", std::process::id(), text.len());
        let folder = std::env::temp_dir().join(folder);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let path = folder.join("one.rs");
        std::fs::write(&path, &code).expect("a file can be written");
        let back = emitted(&path).unwrap_or_else(|why| panic!("{why}\n{code}"));
        assert_eq!(normal(&back[0]), normal(&crds[0]), "{code}");
        std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    }
}

#[test]
fn groups_are_features() {
    let options = Options { features: true, ..Options::default() };
    let code = code(r#""a": {"type": "string"}"#, &options);
    let found = code.find("#[cfg(feature = \"example-com\")]\npub mod example_com {");
    assert!(found.is_some(), "{code}");
    for line in [
        "// [dependencies]",
        "// [features]",
        "// example-com = []",
        r#"// serde = { version = "1", features = ["derive"] }"#,
    ] {
        assert!(code.lines().any(|l| l == line), "{line}:\n{code}");
    }
}

/// Who applies a part of an object needs the partner of its type.
#[test]
fn objects_that_may_be_null_can_be_applied_in_parts() {
    let properties = r#""kept": {"type": "object", "nullable": true, "properties": {"days": {"type": "integer", "format": "int32"}}},
        "note": {"type": "string", "nullable": true}"#;
    let of = |apply| code(properties, &Options { apply, ..Options::default() });
    assert!(of(false).contains("pub kept: Option<Option<Kept>>"), "{}", of(false));
    let applied = of(true);
    assert!(applied.contains("pub kept: Option<Kept>"), "{applied}");
    assert!(applied.contains("pub note: Option<Option<String>>"), "{applied}");
}
