//! Imported code is formatted like rustfmt's output, so that it can be part of other code.

use std::path::Path;
use std::process::Command;

use super::{import_as, text};
use crdgen::import::{KubernetesTypes, Options, TimeType};
use crdgen_tests::{corpus, imports};

/// Asserts that rustfmt would not change any of these files.
#[track_caller]
fn are_formatted(name: &str, all: &[String]) {
    let folder = std::env::temp_dir().join(format!("crdgen-layout-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    // An own configuration replaces those in the folders above.
    std::fs::write(folder.join("rustfmt.toml"), "").expect("a file can be written");
    let write = |(i, code): (usize, &String)| {
        let file = format!("{i}.rs");
        std::fs::write(folder.join(&file), code).expect("a file can be written");
        file
    };
    let files: Vec<String> = all.iter().enumerate().map(write).collect();
    let found = rustfmt(&folder, &files);
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    match found {
        Some(differences) => assert!(differences.is_empty(), "{differences}"),
        None => crdgen_tests::skip("import::layout", "no rustfmt"),
    }
}

/// Returns what rustfmt would change. `None` if rustfmt is not installed.
fn rustfmt(folder: &Path, files: &[String]) -> Option<String> {
    let mut command = Command::new("rustfmt");
    command.args(["--edition", "2024", "--check", "--color", "never"]).args(files).current_dir(folder);
    let output = command.output().ok().filter(|o| !o.stderr.starts_with(b"error: 'rustfmt"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    // If rustfmt cannot format a line, for example because of a long literal, it prints this to standard error and
    // continues.
    let differs = !output.stdout.is_empty() || output.status.code().is_none();
    Some(if differs { text(&output.stdout) + &text(&output.stderr) } else { String::new() })
}

fn styles() -> [Options; 3] {
    let foreign = Options {
        schema: false,
        kube: true,
        open_enums: true,
        kubernetes: KubernetesTypes::All,
        time: TimeType::Chrono,
        ..Options::default()
    };
    [Options::default(), foreign, Options::like_kopium()]
}

#[test]
fn code_is_laid_out_as_rustfmt_does_it() {
    let widgets = |style: &Options| import_as("widgets.yaml", &text("widgets.yaml"), style).0;
    are_formatted("widgets", &styles().each_ref().map(widgets));
    let Some(seeds) = corpus::shared_crds() else {
        return crdgen_tests::skip("real CRDs in import::layout", "no shared corpus; set $CRDGEN_CORPUS");
    };
    // Without optimization, all of them would take long. So this takes every n-th one, unless the variable asks for
    // all.
    let step = if std::env::var_os("CRDGEN_ALL").is_some() { 1 } else { 12 };
    let some = imports::all(&seeds).into_iter().step_by(step).enumerate();
    let code =
        |(i, one): (usize, imports::Accepted)| import_as(&one.name, one.text.as_bytes(), &styles()[i % 3]).0;
    let all: Vec<String> = some.map(code).collect();
    assert!(all.len() > 20, "the corpus is empty");
    are_formatted("corpus", &all);
}

/// There is a line of each length, so that the long ones must be broken.
#[test]
fn long_lines_are_broken() {
    let crd = |schema: &str| {
        let all: Vec<String> = (1..60)
            .map(|n| format!(r#""a{}": {}"#, "b".repeat(n), schema.replace("LENGTH", &format!("x{n}"))))
            .collect();
        format!(
            r#"{{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {{"name": "as.example.com"}}, "spec": {{"group": "example.com", "scope": "Cluster",
            "names": {{"plural": "as", "kind": "A"}}, "versions": [{{"name": "v1", "served": true, "storage": true,
            "schema": {{"openAPIV3Schema": {{"type": "object", "properties": {{"spec": {{"type": "object", "properties":
            {{{}}}}}}}}}}}}}]}}}}"#,
            all.join(", ")
        )
    };
    let map = |inner: &str| format!(r#"{{"type": "object", "additionalProperties": {inner}}}"#);
    let list = |inner: &str| format!(r#"{{"type": "array", "nullable": true, "items": {inner}}}"#);
    // If the name of a type contains the length, each use has a type of its own.
    let object = r#"{"type": "object", "properties": {"LENGTH": {"type": "string"}}}"#;
    let schemas = [object.to_owned(), map(object), list(object), list(&map(&list(&map(&map(object)))))];
    let union = |inner: &str| {
        format!(
            r#"{{"type": "object", "properties": {{"x": {{"type": "string"}}, "theOtherOneOfTheTwoThatIsRatherLong": {inner}}},
            "oneOf": [{{"required": ["x"]}}, {{"required": ["theOtherOneOfTheTwoThatIsRatherLong"]}}]}}"#
        )
    };
    let of = |schema: &str| import_as("a.json", crd(schema).as_bytes(), &Options::default()).0;
    let all: Vec<String> = schemas.iter().flat_map(|schema| [of(schema), of(&union(schema))]).collect();
    are_formatted("long", &all);
}

/// The group and the names of fields have each length.
#[test]
fn constructors_are_broken() {
    let all = (1..70).step_by(3).flat_map(|n| {
        let long = "x".repeat(n);
        let crd = format!(
            r#"{{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {{"name": "as.{long}.com"}}, "spec": {{"group": "{long}.com", "scope": "Cluster",
            "names": {{"plural": "as", "kind": "A"}}, "versions": [{{"name": "v1", "served": true, "storage": true,
            "schema": {{"openAPIV3Schema": {{"type": "object", "required": ["{long}"], "properties": {{"{long}":
            {{"type": "object", "properties": {{"a": {{"type": "string"}}}}}}, "z": {{"type": "string"}}}}}}}}}}]}}}}"#
        );
        [true, false].map(|schema| {
            let style = Options { kube: true, schema, ..Options::default() };
            import_as("a.json", crd.as_bytes(), &style).0
        })
    });
    are_formatted("constructors", &all.collect::<Vec<_>>());
}

/// There are attributes of each length: with one key, with several keys, and with nested keys.
#[test]
fn long_attributes_are_broken() {
    let schemas = [
        r#"{"type": "string", "pattern": "FILL"}"#,
        r#"{"type": "string", "pattern": "FILL", "maxLength": 9}"#,
        r#"{"type": "array", "items": {"type": "string", "pattern": "FILL"}}"#,
        r#"{"type": "array", "items": {"type": "string", "pattern": "FILL", "maxLength": 9}}"#,
        r#"{"type": "array", "maxItems": 3, "items": {"type": "array", "items": {"type": "string", "pattern": "FILL", "maxLength": 9}}}"#,
        r#"{"type": "string", "title": "FILL\nFILL"}"#,
        r#"{"type": "object", "properties": {"a": {"type": "string"}}, "x-kubernetes-validations": [{"rule": "FILL", "message": "no"}]}"#,
    ];
    let all = schemas.iter().map(|schema| {
        let properties: Vec<String> =
            (1..100).map(|n| format!(r#""a{n}": {}"#, schema.replace("FILL", &"x".repeat(n)))).collect();
        let crd = format!(
            r#"{{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {{"name": "as.example.com"}}, "spec": {{"group": "example.com", "scope": "Cluster",
            "names": {{"plural": "as", "kind": "A"}}, "versions": [{{"name": "v1", "served": true, "storage": true,
            "schema": {{"openAPIV3Schema": {{"type": "object", "properties": {{"spec": {{"type": "object", "properties":
            {{{}}}}}}}}}}}}}]}}}}"#,
            properties.join(", ")
        );
        import_as("a.json", crd.as_bytes(), &Options::default()).0
    });
    are_formatted("attributes", &all.collect::<Vec<_>>());
}
