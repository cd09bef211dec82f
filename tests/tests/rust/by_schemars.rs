//! Types of dependencies that derive schemars' `JsonSchema`: the schema that is read from their sources is the one that
//! schemars generates when the program runs.

use super::dependency;
use crdgen::{Schema, Schemars};
use crdgen_core::diag::Diags;
use crdgen_core::read::rust::resolve::{CrateSource, Program, Sources};
use crdgen_core::{encode, json, recipe};

const DEPENDENCY: &str = include_str!("dependency.rs");

/// A project, and a crate that it depends on.
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
            _ => None,
        }
    }
    fn extern_crate(&mut self, _: &CrateSource, name: &str) -> Option<CrateSource> {
        match name {
            "dependency" => Some(source(name, Some("0.1.0"))),
            "schemars" => Some(source(name, Some(self.schemars))),
            _ => None,
        }
    }
}

fn source(name: &str, version: Option<&str>) -> CrateSource {
    CrateSource {
        name: name.to_owned(),
        id: name.to_owned(),
        root: format!("{name}.rs"),
        cfgs: Default::default(),
        dependency: version.map(str::to_owned),
    }
}

/// The schema of a field of this type in a project that still uses kube's derive, or what is wrong.
fn from_source(ty: &str, dependency: &str, schemars: &str) -> String {
    let root = format!(
        "use kube::CustomResource;\nuse schemars::JsonSchema;\n#[derive(CustomResource, JsonSchema)]\n\
         #[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\")]\npub struct FooSpec {{\n    pub value: {ty},\n}}\n"
    );
    let mut project = Project { root: &root, dependency, schemars };
    let program = Program::new(&mut project, source("lib", None));
    let kinds = program.kinds(&|_, _| true);
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

/// The same from the compiled type.
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

/// The same types as they are used in fields, where the project's own types are around them.
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

#[test]
fn what_sources_do_not_show_is_reported() {
    let derive = "use schemars::JsonSchema;\n#[derive(JsonSchema)]\n";
    for (dependency, schemars, why) in [
        (
            "pub struct T { #[schemars(range(min = 1))] pub a: i32 }",
            "1.2.3",
            "`T` has an attribute of schemars",
        ),
        ("#[serde(default)] pub struct T { pub a: i32 }", "1.2.3", "`T` has a default for the whole struct"),
        (
            "pub struct T { pub a: Missing }",
            "1.2.3",
            "`T` has a type that crdgen cannot find, or that has no schema",
        ),
        (
            "pub struct T { #[serde(with = \"m\")] pub a: i32 }",
            "1.2.3",
            "`T` has an attribute `with` of serde",
        ),
        (
            "pub struct T { pub a: i32 }",
            "0.8.22",
            "`T` has a schema of schemars 0.8.22; crdgen knows only those of schemars 1",
        ),
    ] {
        let message = from_source("dependency::T", &format!("{derive}{dependency}"), schemars);
        let start =
            "lib.rs:6: crdgen cannot determine the schema that schemars generates for `dependency::T`: ";
        assert_eq!(message.strip_prefix(start), Some(why), "{message}");
    }
}
