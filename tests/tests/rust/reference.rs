//! The reference of the attributes is made of the table that reads them.

use std::path::Path;

const HEAD: &str = "# Attributes\n\nEverything that can stand on types, fields and variants, made of the table that reads it\n\
(`UPDATE=1 cargo test -p crdgen-tests reference`). Canonical is `#[schema(…)]`; the others are read as the crates\n\
they come from write them. JSON is written as Rust literals: `{ \"a\": [1, true, null] }`; SCHEMA is a schema in\n\
that form, with the keywords of a definition. An unknown key, a key in the wrong place, a contradiction, and a rule\n\
that cannot land in the schema are errors.\n\
A rule that reads an optional field without `has()` is a warning, as the use of a deprecated constant:\n\
`#[allow(deprecated)]` on the type silences it.\n\n\
Documentation comments become descriptions as they stand. An `Option` may be missing; it is `nullable` where serde\n\
writes `null` for `None`, that is, without `skip_serializing_if`, and never in a union, where null would count as set. `#[serde(default)]` makes a field optional and puts\n\
the value into the schema, unless `skip_serializing_if` would leave it out.\n\n\
Enums are closed, however they are tagged: the server rejects the fields of another variant, also where serde would\n\
ignore them. Fields that no variant has are dropped, as everywhere.\n\n\
Kubernetes' own types (`k8s_openapi::…`, feature `k8s-openapi`) have the schemas that controller-gen gives for the\n\
same Go types, of Kubernetes {NEWEST} whichever version of k8s-openapi there is, and no descriptions. Like there, the metadata\n\
of an embedded PodTemplateSpec is a bare object, of which the server keeps nothing: say `metadata = \"subset\"` where\n\
labels matter. Kinds by `crdgen::kube::CustomResource` keep what users set in it. `override(\".spec.containers[].name\", …)` reaches inside.\n\n";

#[test]
fn the_reference_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../codegen/ATTRIBUTES.md");
    let newest = format!("1.{}", crdgen_core::server::Server::NEWEST.minor());
    let head = HEAD.replace("{NEWEST}", &newest);
    let wanted = format!("{head}{}", crdgen_core::read::rust::attrs::reference().trim_end()) + "\n";
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &wanted).unwrap_or_else(|e| panic!("{e}"));
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == wanted,
        "codegen/ATTRIBUTES.md is out of date: UPDATE=1 cargo test -p crdgen-tests reference"
    );
}
