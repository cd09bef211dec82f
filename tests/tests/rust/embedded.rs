//! Kinds as the types of fields of other kinds.

use crdgen::{CustomResource, Schema};
use crdgen_core::{encode, json};
use serde::{Deserialize, Serialize};
use std::path::Path;

mod inner {
    use super::*;

    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "embedded.example.com", version = "v1", kind = "Inner", status = "InnerStatus")]
    pub(crate) struct InnerSpec {
        pub(crate) a: String,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub(crate) struct InnerStatus {
        pub(crate) ready: bool,
    }
}

use inner::*;

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "embedded.example.com", version = "v1", kind = "Flat", no_spec)]
pub(crate) struct FlatFields {
    pub(crate) b: i32,
}

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "embedded.example.com", version = "v1", kind = "Outer")]
pub(crate) struct OuterSpec {
    pub(crate) inners: Vec<Inner>,
    #[schema(metadata = "full")]
    pub(crate) one: Option<inner::Inner>,
    pub(crate) flat: Flat,
}

#[test]
fn a_kind_is_the_type_of_a_field() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rust/embedded.rs");
    let kinds = vec!["Outer".to_owned()];
    let options = crdgen::source::Options { path, kinds, unchecked: true, ..Default::default() };
    let read = crdgen::source::read(&options).unwrap_or_else(|e| panic!("{e}"));
    assert!(!read.has_errors(), "{}", crdgen::source::render(&read.found));
    let texts: Vec<String> = read.crds.iter().map(|crd| json::to_string(&encode::crd(crd))).collect();
    assert_eq!(texts, [Outer::crd_json()]);
    let crd: serde_json::Value = serde_json::from_str(&texts[0]).unwrap_or_else(|e| panic!("{e}"));
    let spec = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"];
    let inner = &spec["inners"]["items"];
    assert_eq!(inner["required"], serde_json::json!(["metadata", "spec"]));
    assert_eq!(inner["properties"]["spec"]["properties"]["a"]["type"], "string");
    assert_eq!(inner["properties"]["status"]["properties"]["ready"]["type"], "boolean");
    assert_eq!(spec["one"]["properties"]["metadata"]["properties"]["uid"]["type"], "string");
    assert_eq!(spec["flat"]["required"], serde_json::json!(["metadata", "b"]));
}

/// The same without a compiler, for the derive of kube-rs.
#[test]
fn sources_of_kube_rs_contain_kinds_as_types() {
    let kind = |name: &str, fields: &str| crate::migrate::sources::kind(name, "", fields);
    let text = format!(
        "pub mod a {{ {} }}\nuse a::One;\n{}",
        kind("One", "pub a: i32"),
        kind("Two", "pub one: Vec<One>, pub other: crate::a::One")
    );
    let wanted = [
        r#""one":{"items":{"properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"properties":{"annotations""#,
        r#""other":{"properties":{"apiVersion""#,
    ];
    crate::migrate::sources::emits("embedded", &text, &wanted);
    let (code, _, stderr) =
        crate::migrate::sources::emit("embedded-itself", &kind("One", "pub a: Vec<One>"), "");
    assert!(code == Some(1) && stderr.contains("recurs"), "{stderr}");
}
