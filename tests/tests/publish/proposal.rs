//! The litmus tests of the structural-schema proposal: each schema as an author writes it, as it is published in v3 and
//! in v2, and without its value validations.

use crdgen_core::encode;
use crdgen_publish::openapi::{Options, publish};
use crdgen_publish::unfold::served_unions;
use crdgen_tests::json::json;

use super::{crd, same};

struct Litmus {
    name: &'static str,
    specified: &'static str,
    v3: &'static str,
    v2: &'static str,
    without_validations: &'static str,
}

const UNION: &str = r#"[{"discriminator":"type","fields":{"emptyDir":"EmptyDir","hostPath":"HostPath"}}]"#;

const LITMUS: &[Litmus] = &[
    Litmus {
        name: "discriminated union",
        specified: r#"{"type":"object","x-kubernetes-unions":UNION,"properties":{
            "type":{"type":"string","enum":["EmptyDir","HostPath"]},"emptyDir":{"type":"object"},
            "hostPath":{"type":"object","properties":{"path":{"type":"string","pattern":"/.*"}},"required":["path"]},
            "sharedField":{"type":"string"}},"required":["sharedField"]}"#,
        v3: r#"{"type":"object","x-kubernetes-unions":UNION,"properties":{
            "type":{"type":"string","enum":["EmptyDir","HostPath"]},"emptyDir":{"type":"object"},
            "hostPath":{"type":"object","properties":{"path":{"type":"string","pattern":"/.*"}},"required":["path"]},
            "sharedField":{"type":"string"}},"required":["sharedField"],
            "oneOf":[{"required":["emptyDir"]},{"required":["hostPath"]}]}"#,
        v2: r#"{"type":"object","x-kubernetes-unions":UNION,"properties":{
            "type":{"type":"string","enum":["EmptyDir","HostPath"]},"emptyDir":{"type":"object"},
            "hostPath":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},
            "sharedField":{"type":"string"}},"required":["sharedField"]}"#,
        without_validations: r#"{"type":"object","x-kubernetes-unions":UNION,"properties":{
            "type":{"type":"string"},"emptyDir":{"type":"object"},
            "hostPath":{"type":"object","properties":{"path":{"type":"string"}}},
            "sharedField":{"type":"string"}}}"#,
    },
    Litmus {
        name: "one type with one of two patterns",
        specified: r#"{"type":"string","anyOf":[{"pattern":"^4"},{"pattern":"^6"}]}"#,
        v3: r#"{"type":"string","anyOf":[{"pattern":"^4"},{"pattern":"^6"}]}"#,
        v2: r#"{"type":"string"}"#,
        without_validations: r#"{"type":"string"}"#,
    },
    Litmus {
        name: "raw extension",
        specified: r#"{"type":"object","nullable":true,"x-kubernetes-embedded-resource":true,
            "x-kubernetes-preserve-unknown-fields":true,"properties":{"apiVersion":{"pattern":"v1"}}}"#,
        v3: r#"{"type":"object","nullable":true,"x-kubernetes-embedded-resource":true,
            "x-kubernetes-preserve-unknown-fields":true,"required":["kind","apiVersion"],"properties":{
            "apiVersion":{"allOf":[{"type":"string","pattern":"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[a-z0-9]([-a-z0-9]*[a-z0-9])?$"},
            {"pattern":"v1"}]},"kind":{"type":"string"},"metadata":{"type":"object"}}}"#,
        // In v2, a value that may be null or may have any field has neither type nor fields, because kubectl could not
        // read them.
        v2: r#"{"x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}"#,
        without_validations: r#"{"type":"object","nullable":true,"x-kubernetes-embedded-resource":true,
            "x-kubernetes-preserve-unknown-fields":true,"properties":{"apiVersion":{"type":"string"},
            "kind":{"type":"string"},"metadata":{"type":"object"}}}"#,
    },
    Litmus {
        name: "embedded JSON",
        specified: r#"{"type":"object","properties":{"json":{"type":"object",
            "x-kubernetes-preserve-unknown-fields":true,"nullable":true}}}"#,
        v3: r#"{"type":"object","properties":{"json":{"type":"object",
            "x-kubernetes-preserve-unknown-fields":true,"nullable":true}}}"#,
        v2: r#"{"type":"object","properties":{"json":{"x-kubernetes-preserve-unknown-fields":true}}}"#,
        without_validations: r#"{"type":"object","properties":{"json":{"type":"object",
            "x-kubernetes-preserve-unknown-fields":true,"nullable":true}}}"#,
    },
    Litmus {
        name: "map",
        specified: r#"{"type":"object","additionalProperties":{"type":"integer","minimum":42}}"#,
        v3: r#"{"type":"object","additionalProperties":{"type":"integer","minimum":42}}"#,
        v2: r#"{"type":"object","additionalProperties":{"type":"integer","minimum":42}}"#,
        without_validations: r#"{"type":"object","additionalProperties":{"type":"integer"}}"#,
    },
    Litmus {
        name: "int or string",
        specified: r#"{"x-kubernetes-int-or-string":true,"pattern":"abc",
            "anyOf":[{"minimum":42,"maximum":50},{"minimum":52,"maximum":60}]}"#,
        v3: r#"{"x-kubernetes-int-or-string":true,"pattern":"abc","allOf":[
            {"anyOf":[{"type":"integer"},{"type":"string"}]},
            {"anyOf":[{"minimum":42,"maximum":50},{"minimum":52,"maximum":60}]}]}"#,
        v2: r#"{"x-kubernetes-int-or-string":true}"#,
        without_validations: r#"{"x-kubernetes-int-or-string":true}"#,
    },
    Litmus {
        name: "int or string, written out",
        specified: r#"{"x-kubernetes-int-or-string":true,"allOf":[{"anyOf":[{"type":"integer"},{"type":"string"}]},
            {"pattern":"abc","anyOf":[{"minimum":42,"maximum":50},{"minimum":52,"maximum":60}]}]}"#,
        v3: r#"{"x-kubernetes-int-or-string":true,"allOf":[{"anyOf":[{"type":"integer"},{"type":"string"}]},
            {"pattern":"abc","anyOf":[{"minimum":42,"maximum":50},{"minimum":52,"maximum":60}]}]}"#,
        v2: r#"{"x-kubernetes-int-or-string":true}"#,
        without_validations: r#"{"x-kubernetes-int-or-string":true}"#,
    },
    Litmus {
        name: "union without discriminator, beside a oneOf",
        specified: r#"{"type":"object","x-kubernetes-unions":[{"fields":{"a":"","b":""}}],"properties":{
            "a":{"type":"string"},"b":{"type":"string"}},"oneOf":[{"minProperties":1}]}"#,
        v3: r#"{"type":"object","x-kubernetes-unions":[{"fields":{"a":"","b":""}}],"properties":{
            "a":{"type":"string"},"b":{"type":"string"}},"oneOf":[{"minProperties":1}],
            "allOf":[{"oneOf":[{"required":["a"]},{"required":["b"]}]}]}"#,
        v2: r#"{"type":"object","x-kubernetes-unions":[{"fields":{"a":"","b":""}}],"properties":{
            "a":{"type":"string"},"b":{"type":"string"}}}"#,
        without_validations: r#"{"type":"object","x-kubernetes-unions":[{"fields":{"a":"","b":""}}],"properties":{
            "a":{"type":"string"},"b":{"type":"string"}}}"#,
    },
];

#[test]
fn litmus_tests() {
    for Litmus { name, specified, v3, v2, without_validations } in LITMUS {
        eprintln!("{name}");
        let crd = crd(&specified.replace("UNION", UNION));
        // The raw extension has a field without a type, which servers reject today.
        let unfolded = Options { unfold: true, allow_non_structural: true, ..Options::default() };
        for (options, wanted) in [
            (unfolded.clone(), v3),
            (Options { v2: true, ..unfolded.clone() }, v2),
            (Options { strip_value_validation: true, ..unfolded }, without_validations),
        ] {
            let published = publish(&crd, 0, &options).expect("there is a version");
            let spec = published.schema.get("properties").and_then(|p| p.get("spec"));
            // crdgen and Go read bounds as floats, but their text is as written here.
            same(spec, &wanted.replace("UNION", UNION));
        }
    }
}

/// Servers do not know unions, so they do not publish them.
#[test]
fn servers_drop_unions() {
    let with = crd(&LITMUS[0].specified.replace("UNION", UNION));
    let without = crd(&LITMUS[0].specified.replace("\"x-kubernetes-unions\":UNION,", ""));
    for v2 in [false, true] {
        let text = |crd| publish(crd, 0, &Options { v2, ..Options::default() }).map(|p| p.text());
        assert_eq!(text(&with), text(&without));
    }
}

/// A CRD that a server accepts has a rule for what `oneOf` and `enum` do not express.
#[test]
fn unions_for_servers() {
    let mut unfolded = crd(&LITMUS[0].specified.replace("UNION", UNION));
    served_unions(&mut unfolded);
    let schema = unfolded.spec.schema_of(0).and_then(|s| s.properties.get("spec")).expect("a schema");
    same(
        Some(&encode::schema(schema)),
        r#"{"type":"object","properties":{
        "type":{"type":"string","enum":["EmptyDir","HostPath"]},"emptyDir":{"type":"object"},
        "hostPath":{"type":"object","properties":{"path":{"type":"string","pattern":"/.*"}},"required":["path"]},
        "sharedField":{"type":"string"}},"required":["sharedField"],
        "oneOf":[{"required":["emptyDir"]},{"required":["hostPath"]}],
        "x-kubernetes-validations":[{"message":"\"type\" must name the field that is set",
        "rule":"!has(self.type) || self.type == \"EmptyDir\" && has(self.emptyDir) || self.type == \"HostPath\" && has(self.hostPath)"}]}"#,
    );
    let request = json(&format!(
        r#"{{"op":"crd","crd":{}}}"#,
        crdgen_core::json::to_string(&crdgen_core::json::to_string(&encode::crd(&unfolded)).into())
    ));
    same(crdgen_tests::ours::answer(&request).get("errors"), "[]");
}
