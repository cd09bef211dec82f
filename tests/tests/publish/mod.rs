//! Published documents that servers do not publish (vectors check the others): the forms of the structural-schema
//! proposal, and strict JSON Schemas.

mod browser;
mod command;
mod docs;
mod json_schemas;
mod markup;
mod merging;
mod pages;
mod playground;
mod proposal;

use crdgen_core::decode;
use crdgen_core::ir::Crd;
use crdgen_core::json::to_string;
use crdgen_core::value::Value;
use crdgen_tests::json::json;

/// Returns a CRD with this schema at `spec`.
fn crd(spec: &str) -> Crd {
    let text = format!(
        r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
        "metadata":{{"name":"as.example.com"}},"spec":{{"group":"example.com","scope":"Namespaced",
        "names":{{"plural":"as","kind":"A","singular":"a","listKind":"AList"}},"versions":[{{"name":"v1",
        "served":true,"storage":true,"schema":{{"openAPIV3Schema":{{"type":"object",
        "properties":{{"spec":{spec}}}}}}}}}]}}}}"#
    );
    decode::crd(json(&text)).0.unwrap_or_else(|| panic!("no definition: {text}"))
}

#[track_caller]
fn same(found: Option<&Value>, wanted: &str) {
    assert_eq!(to_string(found.unwrap_or(&Value::Null)), to_string(&json(wanted)));
}
