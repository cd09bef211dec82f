//! Imported code is laid out as prettyplease does it, item by item and but for attributes, which no formatter
//! lays out.

use super::{golden, import_as, text};
use crdgen::import::{KubernetesTypes, Options, TimeType};
use crdgen_tests::{corpus, imports};
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Attribute, Fields, Item};

/// Takes the attributes of an item away, and gives their places.
fn attributes(item: &mut Item) -> Vec<Span> {
    let mut found: Vec<Attribute> = Vec::new();
    let of_fields = |fields: &mut Fields, found: &mut Vec<Attribute>| {
        fields.iter_mut().for_each(|field| found.append(&mut field.attrs));
    };
    match item {
        Item::Struct(item) => {
            found.append(&mut item.attrs);
            of_fields(&mut item.fields, &mut found);
        }
        Item::Enum(item) => {
            found.append(&mut item.attrs);
            for variant in &mut item.variants {
                found.append(&mut variant.attrs);
                of_fields(&mut variant.fields, &mut found);
            }
        }
        Item::Use(item) => found.append(&mut item.attrs),
        Item::Fn(item) => found.append(&mut item.attrs),
        Item::Impl(item) => found.append(&mut item.attrs),
        _ => panic!("no such items are written"),
    }
    found.iter().map(Spanned::span).collect()
}

/// Compares items with what prettyplease makes of them; gives their number.
fn compare(items: Vec<Item>, lines: &[&str], name: &str) -> usize {
    let mut count = 0;
    for mut item in items {
        if let Item::Mod(module) = item {
            count += compare(module.content.unwrap_or_default().1, lines, name);
            continue;
        }
        let span = item.span();
        let taken: Vec<(usize, usize)> =
            attributes(&mut item).iter().map(|s| (s.start().line, s.end().line)).collect();
        let (from, to) = (span.start(), span.end().line);
        let left = (from.line..=to).filter(|n| !taken.iter().any(|(a, b)| (*a..=*b).contains(n)));
        let found: Vec<&str> = left.map(|n| lines[n - 1].get(from.column..).unwrap_or_default()).collect();
        let mut alone = syn::parse_file("").unwrap_or_else(|e| panic!("{e}"));
        alone.items.push(item);
        let wanted = prettyplease::unparse(&alone);
        assert_eq!(found, wanted.lines().collect::<Vec<_>>(), "{name}");
        count += 1;
    }
    count
}

#[track_caller]
fn is_pretty(name: &str, code: &str) -> usize {
    let file = syn::parse_file(code).unwrap_or_else(|e| panic!("{name}: {e}"));
    compare(file.items, &code.lines().collect::<Vec<_>>(), name)
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
fn code_is_laid_out_as_prettyplease_does_it() {
    for style in styles() {
        let (code, _) = import_as("widgets.yaml", &text("widgets.yaml"), &style);
        assert!(is_pretty(&golden("widgets.yaml").display().to_string(), &code) > 10);
    }
    let Some(seeds) = corpus::shared_crds() else {
        eprintln!("skipped: no corpus; set CRDGEN_CORPUS");
        return;
    };
    // All of them take a while in an unoptimised build: a stride through them, unless asked for more.
    let step = if std::env::var_os("CRDGEN_ALL").is_some() { 1 } else { 12 };
    let mut count = 0;
    for (i, one) in imports::all(&seeds).iter().step_by(step).enumerate() {
        let (code, _) = import_as(&one.name, one.text.as_bytes(), &styles()[i % 3]);
        count += is_pretty(&one.name, &code);
    }
    assert!(count > 100, "the corpus is empty");
}

/// What long lines need: each is one that prettyplease breaks.
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
    // With the length of the name of a type in it, each use has a type of its own.
    let object = r#"{"type": "object", "properties": {"LENGTH": {"type": "string"}}}"#;
    let schemas = [object.to_owned(), map(object), list(object), list(&map(&list(&map(&map(object)))))];
    let union = |inner: &str| {
        format!(
            r#"{{"type": "object", "properties": {{"x": {{"type": "string"}}, "theOtherOneOfTheTwoThatIsRatherLong": {inner}}},
            "oneOf": [{{"required": ["x"]}}, {{"required": ["theOtherOneOfTheTwoThatIsRatherLong"]}}]}}"#
        )
    };
    for schema in &schemas {
        for schema in [schema.clone(), union(schema)] {
            let (code, _) = import_as("a.json", crd(&schema).as_bytes(), &Options::default());
            is_pretty("a.json", &code);
        }
    }
}
