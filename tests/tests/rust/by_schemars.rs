//! Types of dependencies that derive schemars' `JsonSchema`: crdgen reads the same schema from their sources as
//! schemars generates when the program runs.

use super::dependency;
use crdgen::{Schema, Schemars};
use crdgen_core::diag::{Diags, Level};
use crdgen_core::{encode, json, recipe};
use crdgen_source::{CrateSource, Program, Sources};

const DEPENDENCY: &str = include_str!("dependency.rs");

/// A project and a crate on which it depends.
struct Project<'a> {
    root: &'a str,
    dependency: &'a str,
    /// The version of schemars.
    schemars: &'a str,
}

impl Sources for Project<'_> {
    fn read(&mut self, path: &str) -> Option<String> {
        match path {
            "lib.rs" => Some(self.root.to_owned()),
            "dependency.rs" => Some(self.dependency.to_owned()),
            "k8s_openapi.rs" => Some(K8S_OPENAPI.to_owned()),
            _ => None,
        }
    }
    fn extern_crate(&mut self, _: &CrateSource, name: &str) -> Option<CrateSource> {
        match name {
            "dependency" => Some(source(name, Some("0.1.0"))),
            "schemars" => Some(source(name, Some(self.schemars))),
            "k8s_openapi" => Some(source(name, Some("0.20.0"))),
            _ => None,
        }
    }
}

pub(super) fn source(name: &str, version: Option<&str>) -> CrateSource {
    CrateSource {
        name: name.to_owned(),
        id: name.to_owned(),
        root: format!("{name}.rs"),
        cfgs: Default::default(),
        environment: Vec::new(),
        dependency: version.map(str::to_owned),
    }
}

/// An impl as k8s-openapi writes it.
const K8S_OPENAPI: &str = r#"
pub mod api { pub mod core { pub mod v1 {
    pub struct PodSpec;
    impl crate::schemars::JsonSchema for PodSpec {
        fn schema_name() -> String {
            "io.k8s.api.core.v1.PodSpec".to_owned()
        }
        fn json_schema(__gen: &mut crate::schemars::gen::SchemaGenerator) -> crate::schemars::schema::Schema {
            crate::schemars::schema::Schema::Object(crate::schemars::schema::SchemaObject {
                instance_type: Some(crate::schemars::schema::SingleOrVec::Single(Box::new(crate::schemars::schema::InstanceType::Object))),
                object: Some(Box::new(crate::schemars::schema::ObjectValidation {
                    properties: [
                        ("os".to_owned(), {
                            let mut schema_obj = __gen.subschema_for::<crate::api::core::v1::PodOS>().into_object();
                            schema_obj.metadata = Some(Box::new(crate::schemars::schema::Metadata {
                                description: Some("Of the field.".to_owned()),
                                ..Default::default()
                            }));
                            crate::schemars::schema::Schema::Object(schema_obj)
                        }),
                    ].into(),
                    required: ["os".to_owned()].into(),
                    ..Default::default()
                })),
                ..Default::default()
            })
        }
    }
    pub struct PodOS;
    impl crate::schemars::JsonSchema for PodOS {
        fn schema_name() -> String {
            "io.k8s.api.core.v1.PodOS".to_owned()
        }
        fn json_schema(__gen: &mut crate::schemars::gen::SchemaGenerator) -> crate::schemars::schema::Schema {
            crate::schemars::schema::Schema::Object(crate::schemars::schema::SchemaObject {
                metadata: Some(Box::new(crate::schemars::schema::Metadata {
                    description: Some("Of the type.".to_owned()),
                    ..Default::default()
                })),
                instance_type: Some(crate::schemars::schema::SingleOrVec::Single(Box::new(crate::schemars::schema::InstanceType::String))),
                ..Default::default()
            })
        }
    }
} } }
"#;

/// Returns the schema of a field of this type in a project that still uses kube's derive, or the errors.
fn from_source(ty: &str, dependency: &str, schemars: &str) -> String {
    read(&format!("pub value: {ty},"), "", dependency, schemars)
}

/// Like [`from_source`], for a field with attributes, and with code after the kind.
fn read(field: &str, after: &str, dependency: &str, schemars: &str) -> String {
    let root = format!(
        "use kube::CustomResource;\nuse schemars::JsonSchema;\n#[derive(CustomResource, JsonSchema)]\n\
         #[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\")]\npub struct FooSpec {{\n    {field}\n}}\n{after}"
    );
    schema(&root, dependency, schemars)
}

/// Returns the schema of the field `value` of the kind in a source, or the errors.
fn schema(root: &str, dependency: &str, schemars: &str) -> String {
    let mut project = Project { root, dependency, schemars };
    let program = Program::new(&mut project, source("lib", None));
    let kinds = program.kinds(&|_, _| true).known;
    let found = program.found();
    if let Some(found) = found.first() {
        let at = found.at.as_ref().map(|at| format!("{}:{}", at.file, at.start.line));
        return format!("{}: {}", at.unwrap_or_default(), found.diag.detail);
    }
    let version = kinds.first().and_then(|kind| kind.crd.spec.versions.first());
    let schema = version.and_then(|it| it.body.schema.as_ref()?.open_api_v3_schema.as_ref());
    let value = schema.and_then(|it| it.properties.get("spec")?.properties.get("value"));
    value.map(|value| json::to_string(&encode::schema(value))).unwrap_or_default()
}

/// Returns the schema from the compiled type.
fn compiled<T: Schema>() -> String {
    let (linked, diags): (_, Diags) = recipe::link_type::<T>();
    match diags.first() {
        Some(diag) => diag.detail.clone(),
        None => json::to_string(&encode::schema(&linked.schema)),
    }
}

macro_rules! types {
    ($($ty:ty),* $(,)?) => {
        &[$((stringify!($ty), compiled::<Schemars<$ty>>())),*]
    };
}

#[test]
fn types_of_dependencies_have_the_schemas_that_schemars_generates() {
    use dependency::*;
    let types: &[(&str, String)] = types![
        Simple,
        Optional,
        Small,
        Plain,
        Documented,
        External,
        Internal,
        Adjacent,
        Untagged,
        Collections,
        Newtype,
        Wrapper,
        Transparent,
        Wrappers,
        Generics,
        Flattened,
        FlattenedOption,
        FlattenedChoice,
        FlattenedChoices,
        FlattenedMap,
        Closed,
        Recursive,
        inner::Small,
    ];
    let mut wrong = Vec::new();
    for (name, compiled) in types {
        let source = from_source(&format!("dependency::{}", name.replace(' ', "")), DEPENDENCY, "1.2.3");
        if source != *compiled && !source.ends_with(compiled) {
            wrong.push(format!("{name}\n  compiled {compiled}\n  source   {source}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Fields use these types inside of the project's own types.
#[test]
fn they_are_inside_of_other_types() {
    use dependency::*;
    for (source, compiled) in [
        ("Vec<dependency::Optional>", compiled::<Vec<Schemars<Optional>>>()),
        (
            "std::collections::BTreeMap<String, dependency::Documented>",
            compiled::<std::collections::BTreeMap<String, Schemars<Documented>>>(),
        ),
    ] {
        assert_eq!(from_source(source, DEPENDENCY, "1.0.0"), compiled, "{source}");
    }
}

/// If the sources do not show which schema schemars generates, crdgen reads the type as it reads the project's own types.
#[test]
fn other_types_are_read_as_the_projects_own() {
    let derive = "use schemars::JsonSchema;\n#[derive(JsonSchema)]\n";
    for (dependency, schemars, expected) in [
        (
            "pub struct T { #[schemars(range(min = 1))] pub a: i32 }",
            "1.2.3",
            r#"{"properties":{"a":{"format":"int32","minimum":1,"type":"integer"}},"required":["a"],"type":"object"}"#,
        ),
        (
            "pub struct T { #[schemars(schema_with = \"any\")] pub a: Vec<Dynamic> }\n\
             fn any(_: &mut schemars::SchemaGenerator) -> schemars::Schema { \
             schemars::json_schema!({\"type\": \"array\", \"items\": {\"type\": \"string\"}}) }",
            "1.2.3",
            r#"{"properties":{"a":{"items":{"type":"string"},"type":"array"}},"required":["a"],"type":"object"}"#,
        ),
        (
            "#[serde(default)] pub struct T { pub a: i32 }\nimpl Default for T { fn default() -> Self { T { a: 5 } } }",
            "1.2.3",
            r#"{"properties":{"a":{"default":5,"format":"int32","type":"integer"}},"type":"object"}"#,
        ),
        (
            "pub struct T { #[serde(flatten)] pub a: U }\n#[derive(JsonSchema)] pub struct U { b: i32 }",
            "1.1.0",
            r#"{"properties":{"b":{"format":"int32","type":"integer"}},"required":["b"],"type":"object"}"#,
        ),
        (
            "pub struct T { pub a: i32 }",
            "0.8.22",
            r#"{"properties":{"a":{"format":"int32","type":"integer"}},"required":["a"],"type":"object"}"#,
        ),
        (
            "pub struct T { pub a: Missing }",
            "1.2.3",
            "dependency.rs:3: crdgen cannot find the type `Missing` in the sources",
        ),
    ] {
        let found = from_source("dependency::T", &format!("{derive}{dependency}"), schemars);
        assert_eq!(found, expected, "{dependency}");
    }
}

/// A type with code of its own for `Serialize` has the default that this code writes, or crdgen does not know it.
#[test]
fn defaults_are_what_serialize_writes() {
    let own = |body: &str| {
        format!(
            "#[derive(Clone, Default, JsonSchema)]\npub struct Own(Vec<String>);\nimpl serde::Serialize for Own {{\n\
             fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {{ {body} }}\n}}\n\
             #[derive(Default, JsonSchema, Serialize)]\npub struct Outer {{ pub own: Own }}"
        )
    };
    let field = "#[serde(default)]\n    pub value: Outer,";
    let found = read(field, &own("self.0.serialize(s)"), "", "1.2.3");
    assert!(found.contains(r#""default":{"own":[]}"#), "{found}");
    let found = read(field, &own("s.collect_str(self)"), "", "1.2.3");
    assert!(found.contains("s.collect_str(self)"), "{found}");
    // An enum.
    let by_hand =
        own("s.collect_str(self)").replace("struct Own(Vec<String>);", "enum Own { #[default] Less, More }");
    let found = read(field, &by_hand, "", "1.2.3");
    assert!(found.contains("s.collect_str(self)"), "{found}");
}

/// The structs that the derive `Fragment` of stackable-operator generates.
#[test]
fn fragments() {
    let code = r#"
pub trait Atomic {}
impl Atomic for u32 {}
impl Atomic for String {}
pub trait FromFragment { type Fragment; type RequiredFragment; }
impl<T: Atomic> FromFragment for T { type Fragment = Option<T>; type RequiredFragment = T; }
impl<T: FromFragment> FromFragment for Option<T> {
    type Fragment = Option<T::RequiredFragment>;
    type RequiredFragment = Option<T::RequiredFragment>;
}
impl<V: FromFragment> FromFragment for std::collections::BTreeMap<String, V> {
    type Fragment = std::collections::BTreeMap<String, V::RequiredFragment>;
    type RequiredFragment = std::collections::BTreeMap<String, V::RequiredFragment>;
}
/// All limits.
#[derive(Fragment)]
#[fragment(path_overrides(fragment = "crate"))]
#[fragment_attrs(derive(JsonSchema, Serialize), serde(rename_all = "camelCase"))]
pub struct Limits<T> {
    /// In cores.
    pub cpu_max: u32,
    #[fragment_attrs(serde(default))]
    pub more: Option<String>,
    pub inner: Inner,
    pub each: std::collections::BTreeMap<String, u32>,
    pub given: T,
}
#[derive(Fragment)]
#[fragment(path_overrides(fragment = "crate"))]
#[fragment_attrs(derive(JsonSchema, Serialize))]
pub struct Inner { a: u32 }
#[derive(Fragment)]
#[fragment(path_overrides(fragment = "crate"))]
#[fragment_attrs(derive(JsonSchema, Serialize))]
pub struct Outer { limits: Limits<Inner> }
"#;
    let found = read("pub value: OuterFragment,", code, "", "1.2.3");
    let number = r#"{"format":"int64","maximum":4294967295,"minimum":0,"type":"integer"}"#;
    let optional = r#"{"format":"int64","maximum":4294967295,"minimum":0,"nullable":true,"type":"integer"}"#;
    for part in [
        r#""description":"All limits.""#,
        r#""cpuMax":{"description":"In cores.","format":"int64","#,
        r#""more":{"nullable":true,"type":"string"}"#,
        &format!(r#""each":{{"additionalProperties":{number},"type":"object"}}"#),
        &format!(r#""inner":{{"properties":{{"a":{optional}}},"type":"object"}}"#),
        &format!(r#""given":{{"properties":{{"a":{optional}}},"type":"object"}}"#),
    ] {
        assert!(found.contains(part), "{part}\n{found}");
    }
    assert!(!found.contains(r#"["a"]"#) && !found.contains(r#""cpuMax","#), "{found}");
}

/// The expected schemas were compared with a real project: `examples/kube/projects.sh wasmcloud-operator`.
#[test]
fn functions_write_types_of_k8s_openapi_inline() {
    let function = |settings: &str| {
        format!(
            "use k8s_openapi::api::core::v1::PodSpec;\n\
             fn pod_schema(_: &mut schemars::gen::SchemaGenerator) -> schemars::schema::Schema {{\n\
             let gen = schemars::gen::SchemaSettings::openapi3().with(|s| {{ {settings} s.meta_schema = None; }}).into_generator();\n\
             let mut val = gen.into_root_schema_for::<PodSpec>();\n\
             val.schema.object.as_mut().unwrap().required = std::collections::BTreeSet::new();\n\
             val.schema.into()\n}}\n"
        )
    };
    let field = "#[schemars(schema_with = \"pod_schema\")] pub value: PodSpec,";
    let inline = read(field, &function("s.inline_subschemas = true;"), "", "0.8.22");
    let wanted = r#"{"properties":{"os":{"description":"Of the field.","type":"string"}},"title":"io.k8s.api.core.v1.PodSpec","type":"object"}"#;
    assert_eq!(inline, wanted);
    // References identify k8s-openapi's types by name, but this type has no name.
    let by_name = read(field, &function(""), "", "0.8.22");
    assert!(by_name.contains("crdgen cannot evaluate `pod_schema` without running code"), "{by_name}");
}

/// A project that moves needs an attribute for types that only schemars knows.
#[test]
fn lines_to_change_are_listed() {
    let root = "use kube::CustomResource;\nuse schemars::JsonSchema;\nuse dependency::Small;\n\
                #[derive(CustomResource, JsonSchema)]\n\
                #[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\", status = \"Small\")]\n\
                pub struct FooSpec {\n    pub own: Own,\n    pub small: Small,\n    #[serde(skip)]\n    pub skipped: Small,\n}\n\
                #[derive(JsonSchema)]\npub struct Own {\n    pub list: Option<Vec<dependency::Small>>,\n}\n";
    let list = |root: &str| {
        let mut project = Project { root, dependency: DEPENDENCY, schemars: "1.2.3" };
        let program = Program::new(&mut project, source("lib", None));
        program.kinds(&|_, _| true);
        let line = |(at, old, new)| {
            let at: crdgen_source::At = at;
            format!("{}: {old} → {new}", at.start.line)
        };
        program.by_path().into_iter().map(line).collect::<Vec<String>>()
    };
    assert_eq!(
        list(root),
        [
            "5: status = \"Small\" → add #[schema(status_as = \"crdgen::Schemars<Small>\")]",
            "8: small: Small → add #[schema(as = \"crdgen::Schemars<Small>\")]",
            "14: list: Option<Vec<dependency::Small>> → add #[schema(as = \"Option<Vec<crdgen::Schemars<dependency::Small>>>\")]",
        ]
    );
    // After the move, the compiler reports what is missing.
    let moved = root.replace("kube::CustomResource", "crdgen::kube::CustomResource");
    assert_eq!(list(&moved), [""; 0]);
}

/// After the move, projects use crdgen's wrapper type.
#[test]
fn moved_projects_have_the_same_schemas() {
    use dependency::*;
    let read = |field: &str| {
        let root = format!(
            "use crdgen::kube::{{CustomResource, JsonSchema}};\n#[derive(CustomResource, JsonSchema)]\n\
             #[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\")]\npub struct FooSpec {{\n    {field}\n}}\n"
        );
        schema(&root, DEPENDENCY, "1.2.3")
    };
    for (ty, compiled) in types![Simple, Optional, External, Generics, Vec<Small>] {
        let ty = ty.replace(' ', "");
        let path = if ty.starts_with("Vec") {
            "Vec<dependency::Small>".to_owned()
        } else {
            format!("dependency::{ty}")
        };
        let field = format!("#[schema(as = \"crdgen::Schemars<{path}>\")] pub value: {path},");
        assert_eq!(read(&field), *compiled, "{ty}");
    }
    let message = read("pub value: dependency::Small,");
    assert!(message.contains("`dependency::Small` derives `JsonSchema` of schemars"), "{message}");
}

/// kube-derive and schemars accept some mistakes, and the CRD is known. For a project that has not moved these are warnings,
/// and after the move they are errors.
#[test]
fn what_other_derives_accept_is_a_warning() {
    const CASES: [(&str, &str, &str); 4] = [
        ("RST040", "#[serde(skip_serializing_if = \"Vec::is_empty\")] value: Vec<String>,", ""),
        ("RST040", "#[serde(rename(deserialize = \"read\"))] value: String,", ""),
        ("RST043", "#[validate(rule = \"self == oldSelf\")] value: String,", ""),
        (
            "RST018",
            "value: Vec<String>,",
            ", printcolumn = r#\"{\"name\":\"A\", \"type\":\"string\", \"jsonPath\":\".spec.value.a\"}\"#",
        ),
    ];
    for (code, field, column) in CASES {
        for (uses, level) in [
            ("use kube::CustomResource;\nuse schemars::JsonSchema;", Level::Warning),
            ("use crdgen::kube::{CustomResource, JsonSchema};", Level::Error),
        ] {
            let root = format!(
                "{uses}\nuse serde::{{Deserialize, Serialize}};\n#[derive(CustomResource, Deserialize, JsonSchema, Serialize)]\n\
                 #[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\"{column})]\npub struct FooSpec {{\n    {field}\n}}\n"
            );
            let mut project = Project { root: &root, dependency: "", schemars: "1.2.3" };
            let program = Program::new(&mut project, source("lib", None));
            let kinds = program.kinds(&|_, _| true);
            let found: Vec<_> =
                program.found().into_iter().map(|it| (it.diag.code.id, it.diag.level)).collect();
            assert!(!found.is_empty() && found.iter().all(|it| *it == (code, level)), "{root}{found:?}");
            assert_eq!(kinds.known.is_empty(), level == Level::Error, "{root}");
        }
    }
}

/// The type of a field does not matter if a function gives its schema, also if the field is part of a default.
#[test]
fn defaults_need_no_schemas() {
    let own = "#[derive(Default, JsonSchema)]\npub struct Own(#[schemars(schema_with = \"list\")] Vec<kube::api::DynamicObject>);\n\
               fn list(_: &mut schemars::SchemaGenerator) -> schemars::Schema {\n    schemars::json_schema!({\"type\": \"array\", \
               \"items\": {\"type\": \"object\", \"x-kubernetes-preserve-unknown-fields\": true}})\n}\n";
    let schema = read("#[serde(default)] pub value: Own,", own, "", "1.2.3");
    let wanted = r#"{"default":[],"items":{"type":"object","x-kubernetes-preserve-unknown-fields":true},"type":"array"}"#;
    assert_eq!(schema, wanted);
}

/// A function of schemars 0.8 that changes the schema of another type.
#[test]
fn functions_change_schemas() {
    let function = "use schemars::{gen::SchemaGenerator, schema::Schema};\n\
         fn nullable<T: JsonSchema>(g: &mut SchemaGenerator) -> Schema {\n\
             let mut schema = match T::json_schema(g) {\n\
                 Schema::Bool(x) => return Schema::Bool(x),\n\
                 Schema::Object(object) => object,\n\
             };\n\
             if let Some(values) = &mut schema.enum_values {\n\
                 values.push(serde_json::Value::String(\"null\".to_owned()))\n\
             }\n\
             schema.extensions.insert(\"nullable\".to_owned(), serde_json::Value::Bool(true));\n\
             schema.into()\n\
         }\n#[derive(JsonSchema)]\npub enum Policy { Always, Never }\n";
    let field = "#[schemars(schema_with = \"nullable::<Policy>\")] pub value: Policy,";
    let schema = read(field, function, "", "0.8.22");
    let wanted = r#"{"enum":["Always","Never","null"],"nullable":true,"type":"string"}"#;
    assert_eq!(schema, wanted);
    // Other code is not read.
    let other = function.replace("values.push", "values.clear(); values.push");
    let schema = read(field, &other, "", "0.8.22");
    assert!(schema.contains("crdgen cannot evaluate"), "{schema}");
}
