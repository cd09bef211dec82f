//! Edits that make the server report an error about one of its own structs: a version, a schema, a rule, an owner. The
//! message shows the struct with all its fields, in their order in Go.

use crdgen_core::value::{Map, Value};

use super::Edit::{self, Definition, Schema};
use super::definition::versions;
use super::member;
use crate::json::json;
use crate::rng::Rng;

/// Fields of a version, each with values that show how the type of the field is printed.
const VERSION_FIELDS: &[(&str, &str)] = &[
    ("deprecated", "true"),
    ("deprecationWarning", r#""use <v2> & \"others\"\u007f""#),
    ("deprecationWarning", r#""""#),
    ("subresources", "{}"),
    ("subresources", r#"{"status":{}}"#),
    ("subresources", r#"{"scale":{"specReplicasPath":".spec.a","statusReplicasPath":".status.b"}}"#),
    (
        "subresources",
        r#"{"status":{},"scale":{"specReplicasPath":".spec.a","statusReplicasPath":".status.b","labelSelectorPath":".status.<&>"}}"#,
    ),
    ("additionalPrinterColumns", r#"[{"name":"<a>","type":"string","jsonPath":".spec.a","priority":2}]"#),
    ("additionalPrinterColumns", "[]"),
    ("selectableFields", r#"[{"jsonPath":".spec.a"},{"jsonPath":".spec.b"}]"#),
    ("selectableFields", "[]"),
    ("schema", r#"{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}"#),
    ("schema", "{}"),
    ("schema", "-"),
];

/// Keywords of a schema, each in a form that no other keyword has.
const KEYWORDS: &[(&str, &str)] = &[
    ("id", r#""a<b""#),
    ("$schema", r#""http://json-schema.org/schema""#),
    ("$ref", r##""#/a""##),
    ("title", r#""<&>""#),
    ("default", r#"{"b":1,"a":[1.5,"x",null,true,1e30]}"#),
    ("example", r#"{"z":"<","y":{}}"#),
    ("externalDocs", r#"{"url":"http://a?b&c","description":"d"}"#),
    ("maximum", "1e25"),
    ("minimum", "-0.0000001"),
    ("multipleOf", "2.5"),
    ("maxLength", "9223372036854775807"),
    ("minProperties", "1"),
    ("enum", r#"[1,"a",{"k":[]}]"#),
    ("enum", "[]"),
    ("required", r#"["b","a"]"#),
    ("required", "[]"),
    ("items", r#"{"type":"string"}"#),
    ("items", r#"[{"type":"string"},{"type":"integer"}]"#),
    ("allOf", r#"[{"minLength":1}]"#),
    ("not", r#"{"required":["a"]}"#),
    ("properties", r#"{"z":{"type":"string"},"a":{"nullable":true,"type":"integer","format":"int32"}}"#),
    ("additionalProperties", "false"),
    ("additionalProperties", r#"{"type":"string"}"#),
    ("patternProperties", r#"{"b":{"type":"string"},"^a":{}}"#),
    ("dependencies", r#"{"b":["x","y"],"a":{"type":"object"},"c":[]}"#),
    ("additionalItems", "true"),
    ("definitions", r#"{"b":{},"a":{"type":"string"}}"#),
    ("uniqueItems", "true"),
    ("nullable", "true"),
    ("x-kubernetes-preserve-unknown-fields", "true"),
    ("x-kubernetes-embedded-resource", "true"),
    ("x-kubernetes-list-type", r#""map""#),
    ("x-kubernetes-list-map-keys", r#"["b","a"]"#),
    ("x-kubernetes-map-type", r#""granular""#),
];

/// Rules that do not compile, with and without every other field.
const RULES: &[&str] = &[
    r#"{"rule":"self.nope == 1"}"#,
    r#"{"rule":"self +","message":"a<b & c","reason":"FieldValueForbidden"}"#,
    r#"{"rule":"1","messageExpression":"'a' + 'b'","optionalOldSelf":true}"#,
    r#"{"rule":"true","messageExpression":"self.nope","fieldPath":".spec","reason":"FieldValueRequired"}"#,
    r#"{"rule":"true","messageExpression":"1","message":"m","optionalOldSelf":false}"#,
    r#"{"rule":"'<' in self","reason":"Field<Value>"}"#,
    r#"{"rule":"oldSelf.hasValue()","message":"\u00e9\u2028"}"#,
];

fn set(map: &mut Map<Value>, key: &str, text: &str) {
    if text == "-" {
        map.remove(key);
    } else {
        map.insert(key, json(text));
    }
}

/// Changes some of the fields of all versions.
fn vary(versions: &mut [Value], rng: &mut Rng) {
    for version in versions.iter_mut().filter_map(Value::as_map_mut) {
        for _ in 0..rng.below(4) {
            let (key, text) = *rng.pick(VERSION_FIELDS);
            set(version, key, text);
        }
    }
}

fn keywords(schema: &mut Map<Value>, rng: &mut Rng) {
    for _ in 0..1 + rng.below(5) {
        let (key, text) = *rng.pick(KEYWORDS);
        set(schema, key, text);
    }
}

fn root(version: &mut Map<Value>) -> Option<&mut Map<Value>> {
    member(member(version, "schema")?, "openAPIV3Schema")
}

/// The table of edits.
pub(super) const EDITS: &[Edit] = &[
    Definition("versions of one name", |top, rng| {
        let Some(versions) = versions(top) else { return false };
        let copy = versions[0].clone();
        versions.push(copy);
        vary(versions, rng);
        true
    }),
    Definition("two storage versions, or none", |top, rng| {
        let Some(versions) = versions(top) else { return false };
        let storage = rng.chance(50);
        let mut copy = versions[0].clone();
        if let Some(copy) = copy.as_map_mut() {
            copy.insert("name", Value::from("v2extra1"));
        }
        versions.push(copy);
        vary(versions, rng);
        for version in versions.iter_mut().filter_map(Value::as_map_mut) {
            version.insert("storage", Value::Bool(storage));
        }
        true
    }),
    Definition("v1beta1 with versions that are alike", |top, rng| {
        top.insert("apiVersion", Value::from("apiextensions.k8s.io/v1beta1"));
        if let Some(spec) = top.get_mut("spec").and_then(Value::as_map_mut) {
            spec.insert("preserveUnknownFields", Value::Bool(false));
        }
        let Some(versions) = versions(top) else { return false };
        vary(&mut versions[..1], rng);
        let mut copy = versions[0].clone();
        if let Some(copy) = copy.as_map_mut() {
            copy.insert("name", Value::from("v2extra1"));
            copy.insert("storage", Value::Bool(false));
        }
        versions.truncate(1);
        versions.push(copy);
        true
    }),
    Definition("keywords at the root of a version with status", |top, rng| {
        let Some(versions) = versions(top) else { return false };
        let i = rng.below(versions.len());
        let Some(version) = versions[i].as_map_mut() else { return false };
        version.insert("subresources", json(r#"{"status":{}}"#));
        let Some(root) = root(version) else { return false };
        keywords(root, rng);
        true
    }),
    Definition("keywords below twin versions", |top, rng| {
        let Some(versions) = versions(top) else { return false };
        let Some(root) = versions[0].as_map_mut().and_then(root) else { return false };
        keywords(root, rng);
        let copy = versions[0].clone();
        versions.push(copy);
        true
    }),
    Definition("owners that are none", |top, rng| {
        let Some(metadata) = member(top, "metadata") else { return false };
        let owners = [
            r#"[{"apiVersion":"v1","kind":"Event","name":"a<b","uid":"1","blockOwnerDeletion":true}]"#,
            r#"[{"apiVersion":"v1","kind":"A","name":"a","uid":"1","controller":true},{"apiVersion":"b/v1","kind":"B","name":"b","uid":"2","controller":true,"blockOwnerDeletion":false}]"#,
            r#"[{"apiVersion":"a/b/c","kind":"","name":"","uid":""}]"#,
        ];
        metadata.insert("ownerReferences", json(rng.pick::<&str>(&owners)));
        true
    }),
    Schema("rules that do not compile", |node, rng| {
        let count = 1 + rng.below(2);
        let rules = (0..count).map(|_| json(rng.pick::<&str>(RULES))).collect();
        node.insert("x-kubernetes-validations", Value::List(rules));
        true
    }),
    Schema("a list map with a tuple of items", |node, _| {
        node.insert("type", Value::from("array"));
        node.insert(
            "items",
            json(r#"[{"type":"object","properties":{"b":{"type":"string"},"a":{}}},{"type":"string"}]"#),
        );
        node.insert("x-kubernetes-list-type", Value::from("map"));
        node.insert("x-kubernetes-list-map-keys", json(r#"["b"]"#));
        true
    }),
    Schema("a set of sets", |node, rng| {
        node.insert("type", Value::from("array"));
        let items = [
            r#"{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"se<t"}"#,
            r#"{"type":"object","x-kubernetes-map-type":"granular","x-kubernetes-list-type":"a&b"}"#,
            r#"{"type":"object"}"#,
        ];
        node.insert("items", json(rng.pick::<&str>(&items)));
        node.insert("x-kubernetes-list-type", Value::from("set"));
        true
    }),
    Schema("an embedded resource whose default has unknown metadata", |node, rng| {
        *node = json(r#"{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"spec":{"type":"object"}}}"#)
            .as_map()
            .cloned()
            .unwrap_or_default();
        let defaults = [
            r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","nope":1},"nope":2}"#,
            r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"a":"b"},"zzz":{}},"spec":{"x":1}}"#,
            r#"{"apiVersion":"v1","kind":"Pod","metadata":{"unknown":1}}"#,
        ];
        node.insert("default", json(rng.pick::<&str>(&defaults)));
        true
    }),
];
