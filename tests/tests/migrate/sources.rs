//! Sources as real projects have them, which are not made for crdgen: what `emit` understands, and what it says of the rest.

use crate::console::arguments::{folder, shell};

/// A kind of kube-rs with this spec, these attributes next to its group, and other items around it.
fn kind(name: &str, attributes: &str, fields: &str) -> String {
    let lower = name.to_lowercase();
    format!(
        "#[derive(kube::CustomResource, Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]\n\
         #[kube(group = \"{lower}.example.com\", version = \"v1\", kind = \"{name}\"{attributes})]\n\
         pub struct {name}Spec {{ {fields} }}\n"
    )
}

/// What `crdgen emit` gives for one file: the exit code, both outputs.
fn emit(name: &str, text: &str, options: &str) -> (Option<i32>, String, String) {
    let folder = folder(&format!("sources-{name}"), &[("lib.rs", text)]);
    shell(&folder, &format!("crdgen emit lib.rs {options}"))
}

#[track_caller]
fn emits(name: &str, text: &str, parts: &[&str]) {
    let (code, stdout, stderr) = emit(name, text, "-o json");
    assert!(code == Some(0) && stderr.is_empty(), "{text}\n{stderr}");
    for part in parts {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
}

#[test]
fn emits_the_kinds_that_are_known_and_lists_the_others() {
    let text = kind("One", "", "pub a: i32") + &kind("Two", "", "pub a: Unseen");
    let (code, stdout, stderr) = emit("partial", &text, "");
    assert!(code == Some(1) && stdout.contains("kind: One") && !stdout.contains("kind: Two"), "{stdout}");
    let line = "not emitted: twos.two.example.com: crdgen cannot find the type `Unseen` in the sources [RST021] (lib.rs:";
    assert!(stderr.contains(line) && stderr.contains("crdgen did not emit 1 of 2 kinds"), "{stderr}");
    let (code, stdout, _) = emit("nothing", &text, "--all-or-nothing");
    assert!(code == Some(1) && stdout.is_empty(), "{stdout}");
}

/// A type is read once, and what is wrong with it is in the way of all kinds that have it.
#[test]
fn withholds_every_kind_with_an_unknown_type() {
    let inner = "#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]\npub struct Inner { pub a: Unseen }\n";
    let text = kind("One", "", "pub a: Inner") + &kind("Two", "", "pub a: Vec<Inner>") + inner;
    let (code, stdout, stderr) = emit("shared", &text, "");
    assert!(code == Some(1) && stdout.is_empty(), "{stdout}");
    assert!(stderr.matches("\nnot emitted: ").count() == 2, "{stderr}");
}

#[test]
fn keeps_the_metadata_of_templates_for_kinds_of_kube() {
    for ty in [
        "kube::api::ObjectMeta",
        "kube::core::ObjectMeta",
        "k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta",
    ] {
        let text = kind("One", "", &format!("pub own: Option<{ty}>"));
        emits("metadata", &text, &[r#""generateName":{"type":"string"}"#, r#""ownerReferences""#]);
    }
    let text = kind("One", "", "pub pod: k8s_openapi::api::core::v1::PodTemplateSpec");
    emits("template", &text, &[r#""labels":{"additionalProperties":{"type":"string"}"#]);
    // crdgen's own kinds are as controller-gen's, unless they say otherwise.
    let text = text.replace("kube::CustomResource", "crdgen::CustomResource");
    let (code, stdout, stderr) = emit("bare", &text, "-o json");
    assert!(code == Some(0) && stdout.contains(r#""metadata":{"type":"object"}"#), "{stdout}\n{stderr}");
    assert!(stderr.contains("warning[LNT015]"), "{stderr}");
}

#[test]
fn asks_nothing_of_types_without_a_schema() {
    let text = "#[derive(kube::CustomResource, Clone, Debug, serde::Deserialize, serde::Serialize)]\n\
                #[kube(group = \"a.example.com\", version = \"v1\", kind = \"A\", status = \"AStatus\", schema = \"disabled\")]\n\
                pub struct ASpec { pub inner: Inner }\npub struct Inner;\npub struct AStatus;\n";
    emits("disabled", text, &[r#""x-kubernetes-preserve-unknown-fields":true"#, r#""status":{}"#]);
}

#[test]
fn reads_several_columns_in_one_string() {
    let columns = r##", printcolumn = r#"{"name": "A", "type": "string", "jsonPath": ".spec.a"}, {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}"#"##;
    let text = kind("One", columns, "pub a: String");
    emits(
        "columns",
        &text,
        &[
            r#"{"jsonPath":".spec.a","name":"A","type":"string"},{"jsonPath":".metadata.creationTimestamp","name":"Age","type":"date"}"#,
        ],
    );
}

#[test]
fn reads_functions_that_write_schemas() {
    let field = "#[schemars(schema_with = \"f\")] pub a: serde_json::Value";
    let set = r#""a":{"items":{"type":"string"},"type":"array","x-kubernetes-list-type":"set"}"#;
    let open = r#""a":{"type":"object","x-kubernetes-preserve-unknown-fields":true}"#;
    for (body, wanted) in [
        (
            "schemars::json_schema!({ \"type\": \"array\", \"items\": { \"type\": \"string\" }, \"x-kubernetes-list-type\": \"set\" })",
            set,
        ),
        (
            "let items = g.subschema_for::<String>(); schemars::json_schema!({ \"type\": \"array\", \"items\": items, \"x-kubernetes-list-type\": \"set\" })",
            set,
        ),
        (
            "let items = String::json_schema(g); serde_json::from_value(serde_json::json!({ \"type\": \"array\", \"items\": items, \"x-kubernetes-list-type\": LIST })).unwrap()",
            set,
        ),
        (
            "let mut s = SchemaObject { instance_type: Some(InstanceType::Object.into()), ..Default::default() }; s.extensions.insert(\"x-kubernetes-preserve-unknown-fields\".into(), true.into()); Schema::Object(s)",
            open,
        ),
        (
            "Schema::Object(SchemaObject { instance_type: Some(InstanceType::Object.into()), extensions: [(\"x-kubernetes-preserve-unknown-fields\".to_owned(), json!(true))].into_iter().collect(), ..SchemaObject::default() })",
            open,
        ),
        (
            "let mut s = schemars::schema::SchemaObject::default(); s.instance_type = Some(InstanceType::Object.into()); s.extensions.insert(\"x-kubernetes-preserve-unknown-fields\".to_string(), serde_json::json!(true)); s.into()",
            open,
        ),
    ] {
        let function =
            format!("const LIST: &str = \"set\";\nfn f(g: &mut SchemaGenerator) -> Schema {{ {body} }}\n");
        emits("functions", &(kind("One", "", field) + &function), &[wanted]);
    }
    let peers = "fn f(g: &mut SchemaGenerator) -> Schema { let item = g.subschema_for::<k8s_openapi::api::core::v1::LocalObjectReference>(); schemars::json_schema!({ \"type\": \"array\", \"items\": item }) }\n";
    emits("kubernetes", &(kind("One", "", field) + peers), &[r#""a":{"items":{"properties":{"name":"#]);
    let runs = "fn f(g: &mut SchemaGenerator) -> Schema { if cold() { a(g) } else { b(g) } }\n";
    let (code, _, stderr) = emit("runs", &(kind("One", "", field) + runs), "");
    assert!(
        code == Some(1) && stderr.contains("crdgen cannot evaluate `f` without running code"),
        "{stderr}"
    );
}

#[test]
fn reads_patterns_in_lazy_statics() {
    let statics = "lazy_static::lazy_static! { pub static ref NAME: regex::Regex = regex::Regex::new(r\"^[a-z]+$\").unwrap(); }\n";
    let one = kind("One", "", "#[validate(regex = \"NAME\")] pub a: String");
    emits("lazy", &(one.clone() + statics), &[r#""pattern":"^[a-z]+$""#]);
    // A pattern in parts is the whole of them, and one that code makes is not guessed.
    let parts = statics.replace("r\"^[a-z]+$\"", "concat!(r\"^[a-z]+\", \"x$\")");
    emits("parts", &(one.clone() + &parts), &[r#""pattern":"^[a-z]+x$""#]);
    let made = statics.replace("r\"^[a-z]+$\"", "&format!(\"^{}$\", \"a\")");
    let (code, _, stderr) = emit("made", &(one + &made), "");
    assert!(
        code == Some(1) && stderr.contains("crdgen cannot evaluate `NAME` without running code"),
        "{stderr}"
    );
}

#[test]
fn takes_a_kind_that_is_declared_twice_once() {
    let one = kind("One", "", "pub a: i32");
    emits("twice", &format!("pub mod a {{ {one} }}\npub mod b {{ {one} }}\n"), &[r#""kind":"One""#]);
    let other = kind("One", "", "pub b: i32");
    let text = format!("pub mod a {{ {one} }}\npub mod b {{ {other} }}\n") + &kind("Two", "", "pub a: i32");
    let (code, stdout, stderr) = emit("differ", &text, "");
    assert!(
        code == Some(1) && stdout.contains("kind: Two") && stderr.contains("two types are the version v1"),
        "{stderr}"
    );
}

#[test]
fn reads_the_package_itself_where_cargo_gives_no_answer() {
    let manifest = "[package]\nname = \"p\"\nversion = \"0.1.0\"\n[features]\ndefault = [\"more\"]\nmore = []\n[dependencies]\nq = { path = \"../missing\" }\n";
    let lib = kind("One", "", "pub a: i32")
        + "#[cfg(feature = \"more\")]\npub mod more { "
        + &kind("Two", "", "pub a: q::Thing")
        + "}\n";
    let folder = folder("sources-offline", &[("Cargo.toml", manifest), ("src/lib.rs", &lib)]);
    let (code, stdout, stderr) = shell(&folder, "crdgen emit --features more");
    assert!(code == Some(1) && stdout.contains("kind: One"), "{stdout}{stderr}");
    assert!(
        stderr.contains("not emitted: twos.two.example.com") && stderr.contains("`cargo metadata` failed:"),
        "{stderr}"
    );
}
