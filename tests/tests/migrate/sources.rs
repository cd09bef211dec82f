//! Sources of real projects, which were not written for crdgen: what `emit` understands, and what it reports about the
//! rest.

use crate::console::arguments::{folder, shell};

/// Returns a kind of kube-rs with this spec, these attributes next to its group, and other items around it.
pub(crate) fn kind(name: &str, attributes: &str, fields: &str) -> String {
    let lower = name.to_lowercase();
    format!(
        "#[derive(kube::CustomResource, Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]\n\
         #[kube(group = \"{lower}.example.com\", version = \"v1\", kind = \"{name}\"{attributes})]\n\
         pub struct {name}Spec {{ {fields} }}\n"
    )
}

/// Runs `crdgen emit` for one file. Returns the exit code and both outputs.
pub(crate) fn emit(name: &str, text: &str, options: &str) -> (Option<i32>, String, String) {
    let folder = folder(&format!("sources-{name}"), &[("lib.rs", text)]);
    shell(&folder, &format!("crdgen emit lib.rs {options}"))
}

#[track_caller]
pub(crate) fn emits(name: &str, text: &str, parts: &[&str]) {
    let (code, stdout, stderr) = emit(name, text, "-o json");
    assert!(code == Some(0) && stderr.is_empty(), "{text}\n{stderr}");
    for part in parts {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
}

/// A type that cannot be found is reported once. Attributes, defaults and other types that depend on it are unknown.
#[test]
fn reports_an_unknown_type_once() {
    let derives =
        "#[derive(Clone, Debug, Default, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]";
    let more = format!(
        "{derives} pub struct Part {{ pub name: Gone }}\n\
         {derives} #[serde(untagged)] pub enum Choice {{ #[default] A(Gone), B {{ b: i32 }} }}\n\
         {derives} #[serde(tag = \"t\", content = \"c\")] pub enum Tagged {{ #[default] A(#[schema(minimum = 1)] Gone), B }}\n\
         {derives} #[serde(default)] pub struct Filled {{ pub name: Gone }}\n\
         fn made() -> Gone {{ Gone::new() }}\n"
    );
    for field in [
        "#[schema(minimum = 1)] pub a: Gone",
        "#[schema(min_length = 1, pattern = \"a\")] pub a: Option<Gone>",
        "#[schema(items(min_length = 1))] pub a: Vec<Gone>",
        "#[schema(override(\".x\", minimum = 1))] pub a: Gone",
        "#[schema(int_or_string)] pub a: Gone",
        "#[schema(metadata = \"full\")] pub a: Gone",
        "#[schema(exactly_one_of = [\"a\", \"b\"])] pub a: Part",
        "#[serde(default)] pub a: Gone",
        "#[serde(default = \"made\")] pub a: Gone",
        "#[serde(default)] pub a: Part",
        "#[serde(flatten)] pub a: Part",
        "pub a: Choice",
        "pub a: Tagged",
        "pub a: Filled",
        "pub a: std::collections::BTreeMap<Gone, i32>",
        "pub a: (Gone, String)",
    ] {
        let (code, _, stderr) = emit("unknown-once", &(kind("One", "", field) + &more), "");
        let errors: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error")).collect();
        let only = "error[RST021]: crdgen cannot find the type `Gone` in the sources";
        assert!(code == Some(1) && !errors.is_empty(), "{field}: {stderr}");
        assert!(errors.iter().all(|error| *error == only), "{field}: {stderr}");
    }
}

/// A status has no field that could have the attribute.
#[test]
fn names_the_attribute_for_the_schema_of_a_status() {
    let (code, _, stderr) = emit("unknown-status", &kind("One", ", status = \"Gone\"", "pub a: i32"), "");
    let help = "write #[schema(status_as = \"Type\")] next to #[kube(…)]";
    assert!(code == Some(1) && stderr.contains("`Gone` in the sources") && stderr.contains(help), "{stderr}");
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

/// A type is read once, and an error in it affects all kinds that use it.
#[test]
fn withholds_every_kind_with_an_unknown_type() {
    let inner = "#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]\npub struct Inner { pub a: Unseen }\n";
    let text = kind("One", "", "pub a: Inner") + &kind("Two", "", "pub a: Vec<Inner>") + inner;
    let (code, stdout, stderr) = emit("shared", &text, "");
    assert!(code == Some(1) && stdout.is_empty(), "{stdout}");
    assert!(stderr.matches("\nnot emitted: ").count() == 2, "{stderr}");
}

/// A missing type is reported where its name is written, which may be in an alias.
#[test]
fn withholds_kinds_with_unknown_types_in_aliases() {
    let text =
        kind("One", "", "pub a: Names") + &kind("Two", "", "pub a: i32") + "pub type Names = Vec<Unseen>;\n";
    let (code, stdout, stderr) = emit("alias", &text, "");
    assert!(code == Some(1) && stdout.contains("kind: Two") && !stdout.contains("kind: One"), "{stdout}");
    assert!(stderr.contains("not emitted: ones.one.example.com: "), "{stderr}");
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
    // crdgen's own kinds match controller-gen's, unless they request something else.
    let text = text
        .replace("kube::CustomResource", "crdgen::CustomResource")
        .replace("schemars::JsonSchema", "crdgen::Schema");
    let (code, stdout, stderr) = emit("bare", &text, "-o json");
    assert!(code == Some(0) && stdout.contains(r#""metadata":{"type":"object"}"#), "{stdout}\n{stderr}");
    assert!(stderr.contains("warning[LNT015]"), "{stderr}");
}

#[test]
fn needs_no_review_of_types_without_a_schema() {
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
    // The parts of a pattern are joined. A pattern that code computes is not guessed.
    let parts = statics.replace("r\"^[a-z]+$\"", "concat!(r\"^[a-z]+\", \"x$\")");
    emits("parts", &(one.clone() + &parts), &[r#""pattern":"^[a-z]+x$""#]);
    let made = statics.replace("r\"^[a-z]+$\"", "&format!(\"^{}$\", \"a\")");
    // What another type is made from need not be a pattern.
    let other = statics.replace("regex::Regex", "RegexFile");
    for (name, statics) in [("made", made), ("other", other)] {
        let (code, _, stderr) = emit(name, &(one.clone() + &statics), "");
        assert!(
            code == Some(1) && stderr.contains("crdgen cannot evaluate `NAME` without running code"),
            "{name}: {stderr}"
        );
    }
}

#[test]
fn reads_a_kind_that_is_declared_twice_only_once() {
    let one = kind("One", "", "pub a: i32");
    emits("twice", &format!("pub mod a {{ {one} }}\npub mod b {{ {one} }}\n"), &[r#""kind":"One""#]);
    let other = kind("One", "", "pub b: i32");
    let text = format!("pub mod a {{ {one} }}\npub mod b {{ {other} }}\n") + &kind("Two", "", "pub a: i32");
    let (code, stdout, stderr) = emit("differ", &text, "");
    assert!(
        code == Some(1) && stdout.contains("kind: Two") && stderr.contains("two types are the version v1"),
        "{stderr}"
    );
    // One module at a time, since its path may start inside or outside of the crate.
    for (module, field) in [("a", "a"), ("crate::b", "b"), ("lib::b", "b")] {
        let (code, stdout, stderr) = emit("differ", &text, &format!("--module {module} -o json"));
        let field = format!("\"{field}\":{{\"format\":\"int32\"");
        assert!(code == Some(0) && stdout.contains(&field) && !stdout.contains("Two"), "{stdout}{stderr}");
    }
    let (code, _, stderr) = emit("differ", &text, "--module c");
    assert!(
        code == Some(2) && stderr.contains("no kind in the module c in lib.rs; there are: Two"),
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

/// Features of dependencies that one package turns on are on in another package, too.
#[test]
fn turns_on_the_features_of_dependencies_where_cargo_gives_no_answer() {
    let workspace = "[workspace]\nmembers = [\"a\", \"b\"]\n[workspace.dependencies]\nb = { path = \"b\", features = [\"shared\"] }\n";
    let a = "[package]\nname = \"a\"\nversion = \"0.1.0\"\n[dependencies]\nb = { workspace = true, features = [\"own\"] }\nq = { path = \"../missing\" }\n";
    let b = "[package]\nname = \"b\"\nversion = \"0.1.0\"\n[features]\nshared = []\nown = []\nother = []\n";
    let one = kind("One", "", "pub a: b::Shared, pub b: b::Own");
    let ty = |name: &str| {
        let feature = name.to_lowercase();
        format!(
            "#[cfg(feature = \"{feature}\")]\n#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]\npub struct {name};\n"
        )
    };
    let types = ty("Shared") + &ty("Own") + &ty("Other");
    for (name, lib, exit) in
        [("given", one.clone(), 0), ("other", one + &kind("Two", "", "pub a: b::Other"), 1)]
    {
        let files = [
            ("Cargo.toml", workspace),
            ("a/Cargo.toml", a),
            ("b/Cargo.toml", b),
            ("a/src/lib.rs", lib.as_str()),
            ("b/src/lib.rs", types.as_str()),
        ];
        let folder = folder(&format!("sources-features-{name}"), &files);
        let (code, stdout, stderr) = shell(&folder, "crdgen emit");
        assert!(code == Some(exit) && stdout.contains("kind: One"), "{stdout}{stderr}");
    }
}

/// Other crates implement the schemas of these types with a feature for schemars.
#[test]
fn knows_types_of_other_crates() {
    let fields = "pub net: ipnet::IpNet, pub price: rust_decimal::Decimal, pub load: ordered_float::OrderedFloat<f64>, \
                  pub at: k8s_openapi::chrono::DateTime<k8s_openapi::chrono::Utc>";
    let wanted = [
        r#""net":{"format":"cidr","type":"string"}"#,
        r#""price":{"pattern":"^-?[0-9]{1,28}(\\.[0-9]{1,28})?$","type":"string"}"#,
        r#""load":{"format":"double","type":"number"}"#,
        r#""at":{"format":"date-time","type":"string"}"#,
    ];
    emits("known", &kind("One", "", fields), &wanted);
}

/// kube 0.98 and 0.99 had other names for the attribute of rules.
#[test]
fn reads_rules_as_older_kube_spelled_them() {
    let text = kind(
        "One",
        ", rule = Rule::new(\"self.metadata.name == 'one'\").message(\"one only\")",
        "#[cel_validate(rule = Rule::new(\"self != ''\"), rule = \"self != 'b'\".into())] pub a: String",
    );
    let wanted = [
        r#""x-kubernetes-validations":[{"message":"one only","rule":"self.metadata.name == 'one'"}]"#,
        r#""x-kubernetes-validations":[{"rule":"self != ''"},{"rule":"self != 'b'"}]"#,
    ];
    emits("rules", &text, &wanted);
}

#[test]
fn reads_kinds_with_parameters() {
    let text = kind("One", "", "pub a: A, pub b: Vec<B>").replace("OneSpec", "OneSpec<A = String, B = i64>");
    emits(
        "parameters",
        &text,
        &[r#""a":{"type":"string"}"#, r#""items":{"format":"int64","type":"integer"}"#],
    );
}

/// Functions of the struct that the derive generates, and of a type whose schema is written by hand.
#[test]
fn reads_functions_of_types() {
    let function = "impl One { fn open(_: &mut SchemaGenerator) -> Schema { json_schema!({ \"type\": \"string\" }) } fn start() -> i32 { 3 } }\n";
    let fields = "#[schemars(schema_with = \"One::open\")] pub a: serde_json::Value, #[serde(default = \"One::start\")] pub b: i32";
    emits("own", &(kind("One", "", fields) + function), &[r#""a":{"type":"string"}"#, r#""default":3"#]);
    let other = kind("One", "", fields).replace("One::", "inner::One::");
    emits(
        "elsewhere",
        &format!(
            "{}\nmod inner {{ {} {function} }}",
            other.replace("One\"", "Two\""),
            kind("One", "", "pub a: i32")
        ),
        &[r#""a":{"type":"string"}"#],
    );
    let name = "pub struct Name(String);\nimpl Name { const PATTERN: &'static str = \"^[a-z]+$\"; }\n\
                impl schemars::JsonSchema for Name { fn json_schema(_: &mut SchemaGenerator) -> Schema { json_schema!({ \"type\": \"string\", \"pattern\": Self::PATTERN }) } }\n";
    emits("constant", &(kind("One", "", "pub a: Name") + name), &[r#""pattern":"^[a-z]+$""#]);
}

/// These functions create their own generator and remove something from its result.
#[test]
fn reads_schemas_of_root_generators() {
    let function = "fn f(_: &mut SchemaGenerator) -> Schema {\n\
        let gen = SchemaSettings::openapi3().with(|s| { s.inline_subschemas = true; }).into_generator();\n\
        let mut root = gen.into_root_schema_for::<Part>();\n\
        root.schema.object.as_mut().unwrap().required = BTreeSet::new();\n\
        root.schema.into()\n}\n\
        #[derive(schemars::JsonSchema)] pub struct Part { pub name: String }\n";
    let text = kind("One", "", "#[schemars(schema_with = \"f\")] pub a: serde_json::Value") + function;
    emits("root", &text, &[r#""a":{"properties":{"name":{"type":"string"}},"type":"object"}"#]);
    // A variable with an unknown value does not become the schema. Nor does the schema that k8s-openapi writes for a
    // type of Kubernetes: only a reference has the name by which the program knows the type.
    let part = "k8s_openapi::api::core::v1::LocalObjectReference";
    for made in [
        function.replace("root.schema.into()", "gen"),
        function.replace("<Part>", &format!("<{part}>")),
        format!("fn f(g: &mut SchemaGenerator) -> Schema {{ {part}::json_schema(g) }}\n"),
        format!("fn f(g: &mut SchemaGenerator) -> Schema {{ <Box<{part}>>::json_schema(g) }}\n"),
    ] {
        let (code, _, stderr) = emit("made-root", &text.replace(function, &made), "");
        assert!(
            code == Some(1) && stderr.contains("crdgen cannot evaluate `f` without running code"),
            "{made}: {stderr}"
        );
    }
    let list = format!("fn f(g: &mut SchemaGenerator) -> Schema {{ <Vec<{part}>>::json_schema(g) }}\n");
    emits("made-list", &text.replace(function, &list), &[r#""a":{"items":{"properties":{"name":"#]);
}

/// Once the kinds of a project use crdgen, a type that only schemars knows has no schema for them.
#[test]
fn does_not_read_types_that_only_schemars_knows_as_its_own() {
    let part = "#[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]\npub struct Part { pub name: String }\n";
    let one = kind("One", "", "pub a: Part");
    emits("before", &(one.clone() + part), &[r#""a":{"properties":{"name":{"type":"string"}}"#]);
    let one = one.replace("kube::CustomResource", "crdgen::kube::CustomResource");
    let wrong = "derives `JsonSchema` of schemars";
    for (name, text) in [
        ("field", one.replace("schemars::JsonSchema", "crdgen::kube::JsonSchema") + part),
        ("root", one.replace("pub a: Part", "pub a: String")),
    ] {
        let (code, _, stderr) = emit(&format!("only-schemars-{name}"), &text, "");
        assert!(code == Some(1) && stderr.contains(wrong), "{name}: {stderr}");
    }
    let one = one.replace("schemars::JsonSchema", "crdgen::kube::JsonSchema");
    let both = part.replace("schemars::JsonSchema", "crdgen::Schema, schemars::JsonSchema");
    emits("both", &(one.clone() + &both), &[r#""a":{"properties":{"name":{"type":"string"}}"#]);
    // The field itself names schemars.
    let one = one.replace("pub a: Part", "#[schema(as = \"crdgen::Schemars<Part>\")] pub a: Part");
    let (code, _, stderr) = emit("only-schemars-as", &(one + part), "");
    assert!(code == Some(1) && !stderr.contains(wrong), "{stderr}");
}

#[test]
fn evaluates_more_defaults() {
    let derive = "#[derive(Clone, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]\n";
    let resources = "fn f() -> R { let limits: BTreeMap<String, Quantity> = BTreeMap::from([(\"cpu\".to_owned(), Quantity(\"2\".to_string()))]); R { limits: Some(limits), requests: None, ..Default::default() } }\n\
                     use k8s_openapi::api::core::v1::ResourceRequirements as R;\nuse k8s_openapi::apimachinery::pkg::api::resource::Quantity;\nuse std::collections::BTreeMap;\n";
    for (name, field, code, wanted) in [
        (
            "kubernetes",
            "#[serde(default = \"f\")] pub a: R",
            resources.to_owned(),
            r#""default":{"limits":{"cpu":"2"}}"#,
        ),
        (
            "json",
            "#[serde(default = \"f\")] pub a: serde_json::Value",
            "fn f() -> serde_json::Value { serde_json::json!({ \"a\": [1, true] }) }".to_owned(),
            r#""default":{"a":[1,true]}"#,
        ),
        (
            "variant",
            "#[serde(default)] pub a: E",
            format!(
                "{derive}pub enum E {{ A {{}}, B {{}} }}\nimpl Default for E {{ fn default() -> Self {{ Self::A {{}} }} }}"
            ),
            r#""default":{"A":{}}"#,
        ),
        (
            "option",
            "#[serde(default)] pub a: S<T>",
            format!(
                "{derive}pub struct T {{ pub b: i32 }}\n{derive}pub struct S<I> {{ pub t: Option<I>, pub n: i32 }}\nimpl<I> Default for S<I> {{ fn default() -> Self {{ Self {{ t: Default::default(), n: 2 }} }} }}"
            ),
            r#""default":{"n":2"#,
        ),
    ] {
        emits(name, &(kind("One", "", field) + &code), &[wanted]);
    }
}

/// stackable-versioned has more arguments than crdgen's macro. They do not affect the schema.
#[test]
fn reads_versions_of_stackable() {
    let text = "#[versioned(version(name = \"v1alpha1\"), version(name = \"v1\"), crates(kube_core = \"kube::core\"), skip(from))]\n\
                pub mod versioned {\n#[versioned(crd(group = \"a.example.com\", kind = \"A\", namespaced))]\n\
                #[derive(kube::CustomResource, Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]\npub struct ASpec { pub a: i32 }\n}\n";
    emits("stackable", text, &[r#""name":"v1alpha1""#, r#""name":"v1""#]);
}

/// It does not matter in which order a module imports others.
#[test]
fn follows_globs_of_modules_that_import_each_other() {
    let derives = "#[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]";
    let instance =
        |used: &str| format!("pub mod instance {{ {used} {} }}\n", kind("One", "", "pub a: Backend"));
    let profile = format!("pub mod profile {{ {derives} pub enum Backend {{ A, B }} }}\n");
    for (i, (globs, used)) in [
        ("pub use instance::*; pub use profile::*;", "use super::Backend;"),
        ("pub use profile::*; pub use instance::*;", "use super::Backend;"),
        ("pub use instance::*; pub use profile::*;", "pub use super::Backend;"),
        ("pub use instance::*; pub use profile::*;", "use super::*;"),
        ("pub use instance::*; pub use profile::*;", "pub use super::*;"),
        ("pub use instance::*; pub use profile::*;", "use crate::crd::Backend;"),
        ("pub use instance::*; pub use profile::*;", "use super::Backend as Other; use Other as Backend;"),
    ]
    .into_iter()
    .enumerate()
    {
        let text = format!("pub mod crd {{ {globs}\n{}{profile} }}\n", instance(used));
        emits(&format!("globs-{i}"), &text, &[r#""a":{"enum":["A","B"],"type":"string"}"#]);
    }
}

/// A glob imports only what is public.
#[test]
fn does_not_import_private_names_with_globs() {
    let derives = "#[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]";
    let text = format!(
        "mod first {{ {derives} struct Size {{ own: bool }} }}\n\
         mod second {{ {derives} pub(crate) enum Size {{ A, B }} }}\n\
         use first::*; use second::*;\n{}",
        kind("One", "", "pub a: Size")
    );
    emits("private", &text, &[r#""a":{"enum":["A","B"],"type":"string"}"#]);
}

/// A static may have a type without a schema. The code of its crate can be read.
#[test]
fn reports_no_types_of_evaluated_code() {
    let code = "mod own { pub struct Regex(String); pub struct Error; impl Regex { pub fn new(re: &str) -> Result<Regex, Error> { build(re) } } }\n\
                static NAME: LazyLock<own::Regex> = LazyLock::new(|| own::Regex::new(\"^a$\").unwrap());\n\
                fn made() -> String { own::Regex::new(\"a\").unwrap().to_string() }\n";
    let field = "#[validate(regex = \"NAME\")] pub a: String, #[serde(default = \"made\")] pub b: String";
    let (code, _, stderr) = emit("quiet", &(kind("One", "", field) + code), "");
    assert!(code == Some(1) && stderr.contains("RST012") && !stderr.contains("RST021"), "{stderr}");
}

/// kube-derive ignores such keys.
#[test]
fn warns_about_unknown_keys_of_columns() {
    let column =
        r##", printcolumn = r#"{"name":"A", "type":"integer", "minimum":"0", "jsonPath":".spec.a"}"#"##;
    let (code, stdout, stderr) = emit("columns-keys", &kind("One", column, "pub a: i64"), "-o json");
    assert!(
        code == Some(0) && stdout.contains(r#""name":"A""#) && !stdout.contains("\"minimum\":\"0\""),
        "{stderr}"
    );
    assert!(stderr.contains("warning[RST002]: unknown key `minimum` in printcolumn"), "{stderr}");
}

/// Schemas as real projects build them.
#[test]
fn reads_schemas_with_parameters_and_fallbacks() {
    let fields = "#[schemars(schema_with = \"fallback\")] pub a: Vec<String>, #[schemars(schema_with = \"set_of::<i32>\")] pub b: Vec<i32>, pub c: Option<Store>";
    let code = r#"
        fn fallback(_: &mut SchemaGenerator) -> Schema {
            serde_json::from_value(serde_json::json!({"type": "array", "items": {"type": "string"}})).unwrap_or(Schema::default())
        }
        fn set_of<T: JsonSchema>(g: &mut SchemaGenerator) -> Schema {
            schemars::json_schema!({"type": "array", "x-kubernetes-list-type": "set", "items": g.subschema_for::<T>()})
        }
        #[derive(Clone, Debug, serde::Deserialize, serde::Serialize)]
        pub enum Store { A, B }
        impl schemars::JsonSchema for Store {
            fn schema_name() -> std::borrow::Cow<'static, str> { "Store".into() }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let v = serde_json::json!({"type": "string", "enum": ["A", "B"]});
                Schema::try_from(v).unwrap_or_else(|_| panic!("no"))
            }
        }
    "#;
    let wanted = [
        r#""a":{"items":{"type":"string"},"type":"array"}"#,
        r#""b":{"items":{"format":"int32","type":"integer"},"type":"array","x-kubernetes-list-type":"set"}"#,
        r#""c":{"enum":["A","B"],"type":"string"}"#,
    ];
    emits("built", &(kind("One", "", fields) + code), &wanted);
}
