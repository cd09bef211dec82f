//! Schemas that crdgen lost once: each is unchanged after an import as the schema of a field.

use super::{emitted, import, normal};

const SCHEMAS: &[&str] = &[
    // The server accepts a type next to int-or-string.
    r#"{"type": "integer", "x-kubernetes-int-or-string": true, "pattern": "^.*"}"#,
    r#"{"type": "integer", "format": "int32", "x-kubernetes-int-or-string": true}"#,
    r#"{"type": "string", "x-kubernetes-int-or-string": true}"#,
];

#[test]
fn schemas_come_back() {
    let scratch = std::env::temp_dir().join(format!("crdgen-import-schemas-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("a folder can be made");
    let path = scratch.join("one.rs");
    for schema in SCHEMAS {
        let text = format!(
            r#"{{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {{"name": "as.example.com"}},
            "spec": {{"group": "example.com", "scope": "Namespaced", "names": {{"plural": "as", "kind": "A"}},
                "versions": [{{"name": "v1", "served": true, "storage": true, "schema": {{"openAPIV3Schema":
                    {{"type": "object", "properties": {{"spec": {{"type": "object",
                        "properties": {{"field": {schema}}}}}}}}}}}}}]}}}}"#
        );
        let (code, crds) = import("a.json", text.as_bytes());
        assert!(crdgen_core::check::create(&crds[0], &Default::default()).is_accepted(), "{schema}");
        std::fs::write(&path, &code).expect("a file can be written");
        let back = emitted(&path).unwrap_or_else(|why| panic!("{schema}: {why}\n{code}"));
        assert_eq!(normal(&back[0]), normal(&crds[0]), "{code}");
    }
    std::fs::remove_dir_all(&scratch).expect("the folder can be removed");
}
