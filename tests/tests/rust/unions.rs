//! Unions are closed: the server accepts a document only if serde reads it and writes all of its fields back, for every
//! representation. serde alone would often ignore the fields of another variant. The server cannot prune these fields,
//! because it knows them, so the next program that writes the object would lose them.

use crdgen::{CustomResource, Schema};
use crdgen_core::ir::Crd;
use crdgen_core::{encode, json, rpc};
use crdgen_tests::oracle::or_skip;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// Declares a kind with one field of each union, each kind in a module of its own.
macro_rules! unions {
    ($($module:ident $(#[$attribute:meta])* { $($variants:tt)* } $($flatten:ident)?;)*) => {
        $(
            #[allow(dead_code, reason = "what a kind has beside its definition")]
            #[allow(deprecated, reason = "the variants of some enums have different types")]
            mod $module {
                use super::*;

                #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
                $(#[$attribute])*
                pub(super) enum Union { $($variants)* }

                unions!(spec $($flatten)?);
            }
        )*
        fn all() -> Vec<Union> {
            vec![$(Union::of::<$module::FooSpec>(stringify!($module), $module::Foo::crd())),*]
        }
    };
    (spec) => {
        #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
        #[kube(group = "unions.example.com", version = "v1", kind = "Foo", namespaced)]
        #[schema(test = false)]
        pub(super) struct FooSpec {
            pub(super) u: Union,
        }
    };
    (spec maybe) => {
        #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
        #[kube(group = "unions.example.com", version = "v1", kind = "Foo", namespaced)]
        #[schema(test = false)]
        pub(super) struct FooSpec {
            #[serde(flatten)]
            pub(super) u: Option<Union>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub(super) own: Option<bool>,
        }
    };
    (spec flatten) => {
        #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
        #[kube(group = "unions.example.com", version = "v1", kind = "Foo", namespaced)]
        #[schema(test = false)]
        pub(super) struct FooSpec {
            #[serde(flatten)]
            pub(super) u: Union,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub(super) own: Option<bool>,
        }
    };
}

unions! {
    external { A { a: String }, B { b: i32 }, C };
    external_strict #[serde(deny_unknown_fields)] { A { a: String }, B { b: i32 }, C };
    external_flattened { A { a: String }, B { b: i32 } } flatten;
    internal #[serde(tag = "type")] { A { a: String }, B { b: i32 }, C };
    internal_strict #[serde(tag = "type", deny_unknown_fields)] { A { a: String }, B { b: i32 }, C };
    internal_flattened #[serde(tag = "type")] { A { a: String }, B { b: i32 }, C } flatten;
    internal_shared #[serde(tag = "type")] { A { a: String }, B { a: String, b: i32 } };
    internal_optional
        #[serde(tag = "type")]
        {
            A { #[serde(skip_serializing_if = "Option::is_none")] a: Option<String> },
            B { #[serde(skip_serializing_if = "Option::is_none")] b: Option<i32> }
        };
    internal_rest
        #[serde(tag = "type")]
        { A { a: String, #[serde(flatten)] rest: std::collections::BTreeMap<String, Json> }, C };
    adjacent #[serde(tag = "type", content = "c")] { A { a: String }, B { b: i32 }, C };
    adjacent_strict #[serde(tag = "type", content = "c", deny_unknown_fields)] { A { a: String }, B { b: i32 }, C };
    adjacent_flattened #[serde(tag = "type", content = "c")] { A { a: String }, B { b: i32 }, C } flatten;
    untagged #[serde(untagged)] { A { a: String }, B { b: i32 } };
    untagged_strict #[serde(untagged, deny_unknown_fields)] { A { a: String }, B { b: i32 } };
    untagged_flattened #[serde(untagged)] { A { a: String }, B { b: i32 } } flatten;
    internal_wide
        #[serde(tag = "type", rename_all_fields = "camelCase")]
        {
            Store { #[schema(min_length = 1)] bucket: String, prefix: Option<String>, names: Option<Vec<String>> },
            Volume { claim_name: String, #[schema(minimum = 1)] size: Option<i32> },
            List { #[schema(min_items = 1, items(max_length = 3))] names: Vec<String>, size: i32 },
            Nothing {}
        };
    adjacent_wide
        #[serde(tag = "type", content = "c", rename_all_fields = "camelCase")]
        {
            Store { #[schema(min_length = 1)] bucket: String, prefix: Option<String>, names: Option<Vec<String>> },
            Volume { claim_name: String, #[schema(minimum = 1)] size: Option<i32> },
            List { #[schema(min_items = 1, items(max_length = 3))] names: Vec<String>, size: i32 },
            Nothing {}
        };
    external_wide
        #[serde(rename_all_fields = "camelCase")]
        {
            Store { #[schema(min_length = 1)] bucket: String, prefix: Option<String>, names: Option<Vec<String>> },
            Volume { claim_name: String, #[schema(minimum = 1)] size: Option<i32> },
            List { #[schema(min_items = 1, items(max_length = 3))] names: Vec<String>, size: i32 },
            Nothing {}
        };
    external_flattened_maybe { A { a: String }, B { b: i32 } } maybe;
    internal_flattened_maybe #[serde(tag = "type")] { A { a: String }, B { b: i32 }, C } maybe;
    adjacent_flattened_maybe #[serde(tag = "type", content = "c")] { A { a: String }, B { b: i32 }, C } maybe;
    untagged_flattened_maybe #[serde(untagged)] { A { a: String }, B { b: i32 } } maybe;
}

struct Union {
    about: &'static str,
    crd: Crd,
    /// Reads a spec, and writes it again.
    round: fn(&Json) -> Option<Json>,
}

impl Union {
    fn of<S: DeserializeOwned + Serialize>(about: &'static str, crd: Crd) -> Union {
        let round = |spec: &Json| {
            let spec: S = serde_json::from_value(spec.clone()).ok()?;
            serde_json::to_value(&spec).ok()
        };
        Union { about, crd, round }
    }
}

/// Returns all small objects, with the values that identify a variant.
fn documents() -> Vec<Json> {
    let objects = |names: &[(&str, &[Json])]| {
        let mut out = vec![serde_json::Map::new()];
        for (name, values) in names {
            let with = out.iter().flat_map(|map| {
                values.iter().map(move |value| {
                    let mut map = map.clone();
                    map.insert((*name).to_owned(), value.clone());
                    map
                })
            });
            let with: Vec<_> = with.collect();
            out.extend(with);
        }
        out.into_iter().map(Json::Object).collect::<Vec<_>>()
    };
    let fields = [("a", &[json!("x"), json!(1)][..]), ("b", &[json!(1), json!("x")]), ("z", &[json!(true)])];
    let inner = objects(&fields);
    let tags = [json!("A"), json!("B"), json!("C"), json!("D")];
    let mut out = vec![json!("A"), json!("C"), json!(null)];
    out.extend(objects(&[fields[0], fields[1], fields[2], ("type", &tags)]));
    out.extend(objects(&[
        ("A", &inner),
        ("B", &[json!({ "b": 1 }), json!({ "a": "x" })]),
        ("z", &[json!(1)]),
    ]));
    out.extend(objects(&[("type", &tags), ("c", &inner), ("a", &[json!("x")])]));
    out
}

/// Returns what the server has stored after it accepted a document. `None` if it rejected the document.
fn stored(answer: &str) -> Option<Json> {
    let answer: Json = serde_json::from_str(answer).unwrap_or_default();
    (answer["valid"] == true).then(|| answer["result"]["spec"].clone())
}

#[test]
fn the_server_accepts_what_serde_reads_and_writes_back() {
    let (mut requests, mut asked) = (Vec::new(), Vec::new());
    let all = all();
    for union in &all {
        let crd = json::to_string(&encode::crd(&union.crd));
        for document in documents() {
            let spec = match (union.about.contains("flattened"), document) {
                (true, Json::Object(map)) => Json::Object(map),
                (true, _) => continue,
                (false, document) => json!({ "u": document }),
            };
            let object = json!({ "apiVersion": "unions.example.com/v1", "kind": "Foo", "metadata": { "name": "a" }, "spec": spec });
            requests.push(json!({ "op": "object", "crd": crd, "object": object.to_string() }).to_string());
            asked.push((union, spec));
        }
    }
    let ours: Vec<String> = requests.iter().map(|request| rpc::handle(request)).collect();
    let theirs = match or_skip("the server's answers in rust::unions") {
        Some(oracle) => oracle.ask(&requests, 2).unwrap_or_else(|e| panic!("{e}")),
        None => ours.clone(),
    };
    let (mut taken, mut refused, mut wrong) = (0, 0, Vec::new());
    for (((union, spec), ours), theirs) in asked.iter().zip(&ours).zip(&theirs) {
        let about = union.about;
        let (ours, server) = (stored(ours), stored(theirs));
        assert_eq!(ours, server, "{about}: {spec}");
        match (server, (union.round)(spec)) {
            (Some(kept), _) => {
                taken += 1;
                // serde must read everything that the server keeps, and write all of it back.
                let written = (union.round)(&kept);
                // If a variant keeps fields with any name, the server does not prune the fields of other variants
                // either.
                let keeps_any = union.about == "internal_rest" && spec["u"]["type"] != "A";
                if !written.is_some_and(|written| keeps_any || written == kept) {
                    wrong.push(format!("{about}: {spec}: the server takes it as {kept}"));
                }
            }
            (None, Some(written)) => {
                refused += 1;
                // If serde reads what the server rejects, serde must not write it back, so it would be lost.
                if written == *spec {
                    wrong.push(format!("{about}: {spec}: the server refuses what serde writes"));
                }
            }
            (None, None) => {}
        }
    }
    println!("{} documents, {taken} taken, {refused} refused that serde would read in part", asked.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(taken > 100 && refused > 50);
}

/// Wrong contents of a variant, and the fields that are wrong. `type` is the tag.
const WRONG: &[(&str, &str, &[&str])] = &[
    ("Volume", "{}", &["claimName"]),
    ("Store", "{}", &["bucket"]),
    ("List", "{}", &["names", "size"]),
    ("List", r#"{"names":["a"]}"#, &["size"]),
    ("Store", r#"{"names":["aaaa","bbbb","cccc","dddd"]}"#, &["bucket"]),
    ("Store", r#"{"bucket":""}"#, &["bucket"]),
    ("Volume", r#"{"claimName":5}"#, &["claimName"]),
    ("Volume", r#"{"claimName":"a","size":0}"#, &["size"]),
    ("List", r#"{"names":["a","long"],"size":1}"#, &["names[1]"]),
    ("List", r#"{"names":[],"size":1}"#, &["names"]),
    // Fields of other variants.
    ("Volume", r#"{"claimName":"a","bucket":"b"}"#, &["bucket"]),
    ("Volume", r#"{"bucket":"b"}"#, &["bucket", "claimName"]),
    ("Volume", r#"{"claimName":"a","names":["x"]}"#, &["names"]),
    ("Store", r#"{"bucket":"b","size":3}"#, &["size"]),
    ("Store", r#"{"bucket":"b","claimName":"x","size":1}"#, &["claimName", "size"]),
    ("Nothing", r#"{"bucket":"b"}"#, &["bucket"]),
    ("Nothing", r#"{"claimName":"b","prefix":"c"}"#, &["claimName", "prefix"]),
    ("Volme", r#"{"claimName":"a"}"#, &["type"]),
];

/// The places that an answer names. Errors that only say that no branch matches name none.
fn places(answer: &str) -> Vec<String> {
    let answer: Json = serde_json::from_str(answer).unwrap_or_default();
    let text = |error: &Json| error["text"].as_str().unwrap_or_default().to_owned();
    let place = |text: String| {
        let (place, rest) = text.split_once(": ")?;
        let quoted = rest.split('"').nth(3).unwrap_or_default();
        let is_noise = ["(anyOf)", "(oneOf)", "(allOf)"].iter().any(|word| rest.contains(word));
        // "must not validate the schema (not)" of the union itself comes with an error that names the field, unless the value is null.
        let place = if place == "<nil>" { quoted } else { place };
        (!is_noise && !matches!(place, "spec.u" | "spec.u.c")).then(|| place.to_owned())
    };
    let mut out: Vec<String> =
        answer["errors"].as_array().into_iter().flatten().map(text).filter_map(place).collect();
    out.sort();
    out.dedup();
    out
}

#[test]
fn errors_name_the_field_that_is_wrong() {
    let all = all();
    let (mut requests, mut wanted) = (Vec::new(), Vec::new());
    for union in all.iter().filter(|union| union.about.ends_with("_wide")) {
        for (variant, content, fields) in WRONG {
            let content: Json = serde_json::from_str(content).unwrap_or_default();
            let (value, inside) = match union.about {
                "internal_wide" => {
                    let mut value = content.clone();
                    value["type"] = json!(variant);
                    (value, "spec.u.".to_owned())
                }
                "adjacent_wide" => (json!({ "type": variant, "c": content }), "spec.u.c.".to_owned()),
                _ => (json!({ *variant: content }), format!("spec.u.{variant}.")),
            };
            let is_external = union.about == "external_wide";
            let place = |field: &&str| {
                if *field == "type" { "spec.u.type".to_owned() } else { format!("{inside}{field}") }
            };
            let mut places: Vec<String> = fields.iter().map(place).collect();
            places.sort();
            // There the server drops fields of other variants, since it does not know them.
            if is_external
                && (*variant == "Nothing" || *variant == "Volme" || fields.len() > 1 && content["size"] == 1)
            {
                continue;
            }
            let object = json!({ "apiVersion": "unions.example.com/v1", "kind": "Foo", "metadata": { "name": "a" }, "spec": { "u": value } });
            let crd = json::to_string(&encode::crd(&union.crd));
            requests.push(json!({ "op": "object", "crd": crd, "object": object.to_string() }).to_string());
            wanted.push((union.about, value, places));
        }
    }
    let ours: Vec<String> = requests.iter().map(|request| rpc::handle(request)).collect();
    if let Some(oracle) = or_skip("the server's words in rust::unions") {
        let theirs = oracle.ask(&requests, 2).unwrap_or_else(|e| panic!("{e}"));
        assert!(ours.iter().zip(&theirs).all(|(ours, theirs)| places(ours) == places(theirs)));
    }
    for ((about, value, wanted), answer) in wanted.iter().zip(&ours) {
        let found = places(answer);
        let is_dropped = *about == "external_wide" && found.iter().all(|place| wanted.contains(place));
        assert!(found == *wanted || is_dropped, "{about}: {value}: {found:?} and not {wanted:?}");
    }
}
