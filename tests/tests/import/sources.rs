//! Sources of CRDs other than files with CRDs: published documents and Helm charts.

use crdgen::import::Import;
use crdgen_core::ir::Crd;
use crdgen_core::json;
use crdgen_core::value::Value;
use crdgen_publish::openapi;
use crdgen_tests::corpus;

fn crds(text: &str) -> Vec<Crd> {
    let mut import = Import::default();
    import.read("crds.yaml", text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    import.crds
}

fn published(crd: &Crd) -> Vec<Value> {
    let options = openapi::Options::default();
    let served = (0..crd.spec.versions.len()).filter(|&i| crd.spec.versions[i].served);
    served.filter_map(|i| Some(openapi::publish(crd, i, &options)?.document())).collect()
}

/// Kinds that are read from a published document are published as the same document.
#[test]
fn published_documents_come_back() {
    let mut count = 0;
    for seed in corpus::own_crds() {
        for crd in crds(&seed.text) {
            for document in published(&crd) {
                let mut import = Import::default();
                let text = json::to_string(&document);
                let found =
                    import.read_openapi(&seed.name, text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
                assert_eq!(found, 1, "{}", seed.name);
                let back = &import.crds[0];
                let of = |document: &Value| {
                    let name = &back.spec.versions[0].name;
                    let model = openapi::model_name(&crd.spec.group, name, &crd.spec.names.kind);
                    document
                        .get("components")
                        .and_then(|c| c.get("schemas")?.get(&model))
                        .map(json::to_string)
                };
                assert_eq!(of(&published(back)[0]), of(&document), "{}", seed.name);
                assert!(of(&document).is_some(), "{}", seed.name);
                count += 1;
            }
        }
    }
    assert!(count > 5, "{count}");
}

/// Schemas of the server's own kinds refer to each other, and have another form for integers or strings.
#[test]
fn references_are_followed() {
    let text = r##"{"openapi": "3.0.0", "paths": {
        "/apis/apps/v1/namespaces/{namespace}/things": {
            "get": {"x-kubernetes-group-version-kind": {"group": "apps", "version": "v1", "kind": "Thing"}},
            "post": {"x-kubernetes-group-version-kind": {"group": "apps", "version": "v1", "kind": "Thing"}}},
        "/apis/apps/v1/namespaces/{namespace}/things/{name}/status": {
            "get": {"x-kubernetes-group-version-kind": {"group": "apps", "version": "v1", "kind": "Thing"}}}},
    "components": {"schemas": {
        "Meta.ObjectMeta": {"type": "object"},
        "Port": {"description": "a port", "format": "int-or-string", "oneOf": [{"type": "integer"}, {"type": "string"}]},
        "Tree": {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}}},
        "ThingList": {"type": "object", "properties": {"metadata": {"$ref": "#/components/schemas/ListMeta"}},
            "x-kubernetes-group-version-kind": [{"group": "apps", "version": "v1", "kind": "ThingList"}]},
        "Thing": {"type": "object", "properties": {
            "apiVersion": {"type": "string"}, "kind": {"type": "string"},
            "metadata": {"allOf": [{"$ref": "#/components/schemas/Meta.ObjectMeta"}], "default": {}},
            "spec": {"type": "object", "properties": {
                "port": {"allOf": [{"$ref": "#/components/schemas/Port"}], "description": "this port"},
                "tree": {"$ref": "#/components/schemas/Tree"}}}},
            "x-kubernetes-group-version-kind": [{"group": "apps", "version": "v1", "kind": "Thing"}]}}}}"##;
    let mut import = Import::default();
    assert_eq!(import.read_openapi("apps", text.as_bytes()).ok(), Some(1));
    let crd = &import.crds[0];
    assert_eq!((crd.metadata.name.as_str(), crd.spec.names.plural.as_str()), ("things.apps", "things"));
    let schema = crd.spec.schema_of(0).map(|s| json::to_string(&crdgen_core::encode::schema(s)));
    let wanted = concat!(
        r#"{"properties":{"metadata":{"type":"object"},"spec":{"properties":{"#,
        r#""port":{"description":"this port","x-kubernetes-int-or-string":true},"#,
        r#""tree":{"properties":{"kids":{"items":{"x-kubernetes-preserve-unknown-fields":true},"type":"array"}},"#,
        r#""type":"object"}},"type":"object"}},"type":"object"}"#
    );
    assert_eq!(schema.as_deref(), Some(wanted));
    let code = import.run().file();
    assert!(code.contains("status") && code.contains("pub struct ThingSpec"), "{code}");
}

#[test]
fn templates_of_charts_are_read() {
    let seed = corpus::own_crds().into_iter().find(|s| s.name == "crontab.yaml").expect("it is there");
    let chart = format!("{{{{- if .Values.crds.install }}}}\n{}\n{{{{- end }}}}\n", seed.text)
        .replace("metadata:\n", "metadata:\n  labels:\n    {{- include \"chart.labels\" . | nindent 4 }}\n");
    assert!(crdgen_core::yaml::read(chart.as_bytes()).1.iter().any(|d| !d.text.is_empty()));
    let (of_chart, plain) = (crds(&chart), crds(&seed.text));
    assert_eq!(of_chart.len(), 1);
    assert_eq!(of_chart[0].spec, plain[0].spec);
}

#[test]
fn reports_what_is_not_a_document() {
    let mut import = Import::default();
    let why = import.read_openapi("a.json", b"{\"swagger\": \"2.0\"}").expect_err("v2 is refused");
    assert!(why.to_string().contains("/openapi/v3"), "{why}");
    assert!(import.read("a.yaml", b"a: {{ b\n  - c").is_err());
}

/// A chart and the folder from which it was made have the same CRDs.
#[test]
fn duplicate_definitions_are_imported_once() {
    let seed = corpus::own_crds().into_iter().find(|s| s.name == "crontab.yaml").expect("it is there");
    let other = seed.text.replace("crontabs", "cronjobs");
    assert_ne!(seed.text, other);
    for (second, types, contested) in [
        (&seed.text, ["CronTab"].as_slice(), [].as_slice()),
        (&other, &["CronTab", "CronTab2"], &["CronTab"]),
    ] {
        let mut import = Import::default();
        for (name, text) in [("chart.yaml", &seed.text), ("crds.yaml", second)] {
            import.read(name, text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
        }
        let imported = import.run();
        let kinds = imported.kinds();
        let mut found: Vec<&str> = kinds.iter().filter_map(|k| k.path.rsplit("::").next()).collect();
        found.sort_unstable();
        assert_eq!(found, types);
        let several: Vec<&str> = imported.contested.iter().filter_map(|k| k.split(' ').next()).collect();
        assert_eq!(several, contested);
    }
}
