//! Imports CRDs as Rust. The code matches the golden and compiles. Its sources and its derives give the same CRDs
//! again, and its types lose nothing of an object.

mod choices;
mod corpus;
mod layout;
mod macros;
mod mutations;
mod names;
mod needs;
mod schemas;
mod sources;
mod texts;

use crdgen::CustomResource;
use crdgen::import::{self, Import};
use crdgen::source::{self, Options};
use crdgen_core::ir::Crd;
use crdgen_core::json;
use crdgen_core::value::Value;
use crdgen_tests::imports::normal;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

#[path = "../../goldens/import/widgets.rs"]
#[rustfmt::skip]
#[allow(unreachable_pub)]
mod widgets;

#[path = "../../goldens/import/odd.rs"]
#[rustfmt::skip]
#[allow(unreachable_pub)]
mod odd;

mod of_macro {
    crdgen::import!("corpus/crds/crontab.yaml");
}

#[test]
fn the_macro_gives_the_definition_again() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/crds/crontab.yaml");
    let (_, crds) = import("crontab.yaml", &std::fs::read(path).unwrap_or_default());
    assert_eq!(normal(&of_macro::v1::CronTab::crd()), normal(&crds[0]));
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens/import").join(name)
}

fn text(name: &str) -> Vec<u8> {
    std::fs::read(golden(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Imports CRDs. Returns the code and the CRDs.
fn import(name: &str, text: &[u8]) -> (String, Vec<Crd>) {
    import_as(name, text, &Default::default())
}

fn import_as(name: &str, text: &[u8], options: &import::Options) -> (String, Vec<Crd>) {
    let mut import = Import::default();
    import.options = options.clone();
    import.read(name, text).unwrap_or_else(|e| panic!("{e}"));
    let crds = import.crds.clone();
    let code = import.run().file();
    (code, crds)
}

/// Returns the CRDs of a Rust file.
fn emitted(path: &Path) -> Result<Vec<Crd>, String> {
    let options = Options { path: path.to_owned(), unchecked: true, ..Options::default() };
    let out = source::read(&options).map_err(|e| e.to_string())?;
    if out.has_errors() { Err(source::render(&out.found)) } else { Ok(out.crds) }
}

/// The files with CRDs, and the files with their code.
const GOLDENS: [(&str, &str); 2] = [("widgets.yaml", "widgets.rs"), ("odd.yaml", "odd.rs")];

#[test]
fn the_code_is_as_it_was() {
    for (yaml, rust) in GOLDENS {
        let (code, _) = import(yaml, &text(yaml));
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(golden(rust), &code).unwrap_or_else(|e| panic!("{e}"));
        }
        let old = String::from_utf8(text(rust)).unwrap_or_default();
        assert!(old == code, "goldens/import/{rust} is not what import gives: run with UPDATE=1 and look");
    }
}

#[test]
fn the_known_types_are_those_of_kubernetes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../codegen/import/src/structs/known.rs");
    let wanted = crdgen_tests::kubernetes::known().unwrap_or_else(|e| panic!("{e}"));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &wanted).unwrap_or_else(|e| panic!("{e}"));
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "structs/known.rs is stale: run with UPDATE=1");
}

/// Returns the CRDs in a file, by name.
fn definitions(yaml: &str) -> Vec<String> {
    let (_, mut crds) = import(yaml, &text(yaml));
    crds.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
    crds.iter().map(normal).collect()
}

#[test]
fn the_sources_give_the_definitions_again() {
    for (yaml, rust) in GOLDENS {
        let back = emitted(&golden(rust)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(back.iter().map(normal).collect::<Vec<_>>(), definitions(yaml), "{yaml}");
    }
}

#[test]
fn the_derives_give_the_definitions_again() {
    let widgets = [
        widgets::v1::Note::crd(),
        widgets::v1::OptionKind::crd(),
        widgets::v1::Widget::crd(),
        widgets::v1beta1::Widget::crd(),
    ];
    let odd = [
        odd::v1::BoxKind::crd(),
        odd::v1::Crate::crd(),
        odd::v1::CustomResourceKind::crd(),
        odd::v1::DefaultKind::crd(),
        odd::v1::Property::crd(),
        odd::v1::ResultKind::crd(),
        odd::v1::SchemaKind::crd(),
        odd::v1::SelfKind::crd(),
        odd::v1::StringKind::crd(),
        odd::v1::Text::crd(),
    ];
    for (yaml, all) in [("widgets.yaml", widgets.to_vec()), ("odd.yaml", odd.to_vec())] {
        let back = crdgen::merge(all).unwrap_or_else(|e| panic!("{e}"));
        let mut back: Vec<String> = back.iter().map(normal).collect();
        back.sort_unstable();
        let mut wanted = definitions(yaml);
        wanted.sort_unstable();
        assert_eq!(back, wanted, "{yaml}");
    }
}

#[track_caller]
fn keeps<T: DeserializeOwned + serde::Serialize>(object: &str) {
    let value: serde_json::Value = serde_json::from_str(object).unwrap_or_else(|e| panic!("{e}"));
    let typed: T = serde_json::from_value(value.clone()).unwrap_or_else(|e| panic!("{e}"));
    let again = serde_json::to_value(&typed).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(again, value);
}

#[test]
fn objects_lose_nothing() {
    use widgets::v1::*;
    keeps::<WidgetSpec>(r#"{"zeta": "a", "mode": "Auto"}"#);
    // A required field with a default may be missing in an object that a user sends.
    keeps::<WidgetSpec>(r#"{"zeta": "a"}"#);
    keeps::<WidgetSpec>(
        r#"{"zeta": "a", "mode": "", "replicas": 0, "weight": 1, "count": -2, "type": null, "$ref": "r",
        "x-odd.name": null, "fooBar": "x", "foo_bar": null, "3d": 3, "self": {}, "größe": "10%", "tags": null}"#,
    );
    keeps::<WidgetSpec>(
        r#"{"zeta": "a", "mode": "off", "weight": 1.0, "limits": {}, "matrix": {"a": [{"b": null}, {}], "": []},
        "anything": [null, 1, {"a": 1.5}], "config": {"x": null}, "template": {"name": "n", "more": {"a": []}},
        "resource": {"apiVersion": "v1", "kind": "K", "metadata": {"name": "n"}, "spec": {"a": "b"}},
        "ports": [{"port": 1, "protocol": "UDP"}], "mainPort": {"port": 2}, "choice": {"right": 5}, "tags": []}"#,
    );
    for choice in [r#"{"left": ""}"#, r#"{"right": -1}"#] {
        keeps::<widgets::shared::Choice>(choice);
    }
    keeps::<WidgetStatus>(r#"{"replicas": 3, "conditions": []}"#);
    keeps::<Note>(
        r#"{"apiVersion": "example.com/v1", "kind": "Note", "metadata": {"name": "n", "labels": {"a": "b"}}, "text": "t"}"#,
    );
    keeps::<OptionKindStatus>(r#"{"a": null, "b": {"c": []}}"#);
}

#[test]
fn reports_what_cannot_be_expressed() {
    let crd = r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "as.example.com"}, "spec": {"group": "example.com", "scope": "Cluster",
        "names": {"plural": "as", "kind": "A"}, "versions": [{"name": "v1", "served": true, "storage": true, "schema":
        {"openAPIV3Schema": {"type": "object", "required": ["spec"], "properties": {"spec": {"type": "object", "properties":
        {"odd": {"type": "object", "items": {"type": "string"}}}}}}}}]}}"#;
    let mut import = Import::default();
    import.read("a.json", crd.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    let out = import.run();
    let places: Vec<&str> = out.fallbacks.iter().map(|f| f.place.as_str()).collect();
    assert_eq!(places, ["v1 A.spec.odd"]);
    let Value::Map(_) = json::read(crd.as_bytes()).unwrap_or_default() else { panic!("no JSON") };
}
