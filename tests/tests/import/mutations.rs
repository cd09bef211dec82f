//! Imports mutations of CRDs that the server accepts, and gets the same CRDs from the Rust code. Mutations that failed
//! once have tests of their own.

use std::path::PathBuf;

use crdgen_tests::corpus;
use crdgen_tests::imports::{self, comes_back};
use crdgen_tests::mutate::Mutator;

fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("crdgen-{name}-{}.rs", std::process::id()))
}

/// `CRDGEN_MUTATIONS` sets the number. The program `imports` of this package tests many more, and compiles the code.
#[test]
fn accepted_mutations_come_back() {
    let count = std::env::var("CRDGEN_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let seeds = corpus::own_crds();
    let mutator = Mutator::new(&seeds, 1);
    let file = scratch("mutations");
    let mut failures = Vec::new();
    for (number, one) in imports::mutations(&mutator, 0).take(count) {
        if let Err(why) = comes_back(&one, &Default::default(), &file) {
            failures.push(format!("{number} {}: {why}", one.name));
        }
    }
    _ = std::fs::remove_file(&file);
    assert!(failures.is_empty(), "{} of {count} do not come back:\n{}", failures.len(), failures.join("\n"));
}

/// Schemas of one property. A server accepts each of them.
const ODD: &[&str] = &[
    "{type: integer, minimum: 5, maximum: 1}",
    "{type: string, minLength: 5, maxLength: 1}",
    "{type: array, items: {type: string}, minItems: -1}",
    "{type: object, maxProperties: -3}",
    "{type: string, maxLength: 9223372036854775807}",
    "{type: integer, exclusiveMaximum: true}",
    "{type: integer, exclusiveMinimum: true, minimum: 1, maximum: 1}",
    "{type: number, multipleOf: -2}",
    "{type: string, enum: [a, b, a]}",
    "{type: array, items: {type: string, items: {type: string}}}",
    "{type: array, items: {description: A text., type: string, properties: {a: {type: string}}}}",
    "{type: object, additionalProperties: {type: string, properties: {a: {type: string}}}}",
    "{type: array, items: {type: string, nullable: true, items: {type: string}}}",
    "{type: array, items: {type: string, nullable: true, enum: [a, b]}}",
    "{type: array, items: {type: string, nullable: true, enum: [a, null]}}",
    "{type: object, additionalProperties: {type: string, nullable: true, enum: [a, b, null]}}",
    "{type: object, oneOf: [{required: [a]}, {required: [b]}], properties: {a: {type: string}, b: {type: object}, c: {type: integer}}}",
    "{type: object, required: [a], oneOf: [{required: [a]}, {required: [b]}], properties: {a: {type: string}, b: {type: object}, c: {type: integer}}}",
    "{type: object, oneOf: [{required: [b]}, {required: [a]}], anyOf: [{required: [c]}, {required: [a]}], minProperties: 2, description: D., \
      properties: {a: {type: string, pattern: x, description: An a.}, b: {type: object, properties: {c: {type: string}}}, c: {type: integer}, choice: {type: boolean}}}",
    // These alternatives contain their property, as in Strimzi's CRDs.
    "{type: object, oneOf: [{properties: {a: {}}, required: [a]}, {properties: {b: {}}, required: [b]}], properties: {a: {type: string}, b: {type: object}}}",
    "{type: object, oneOf: [{properties: {a: {}}, required: [a]}, {required: [b]}], properties: {a: {type: string}, b: {type: object}, c: {type: integer}}}",
    "{type: object, oneOf: [{properties: {a: {}, b: {}}, required: [a]}, {required: [b]}], properties: {a: {type: string}, b: {type: object}}}",
    "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], allOf: [{minimum: 1}, {pattern: a}]}",
];

/// Parts of a CRD around its schemas may have no effect, but a server keeps them all the same.
#[test]
fn an_empty_list_for_no_webhook_comes_back() {
    let text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
        metadata: {name: odds.example.com}\n\
        spec:\n  group: example.com\n  scope: Namespaced\n  names: {plural: odds, kind: Odd}\n  \
        conversion: {strategy: None, webhook: {conversionReviewVersions: []}}\n  versions:\n  \
        - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n";
    let one = imports::accepted("odds", text).expect("a server takes it");
    let file = scratch("conversion");
    comes_back(&one, &Default::default(), &file).unwrap_or_else(|why| panic!("{why}"));
    _ = std::fs::remove_file(&file);
}

#[test]
fn duplicate_names_come_back() {
    let text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
        metadata: {name: odds.example.com}\n\
        spec:\n  group: example.com\n  scope: Namespaced\n  \
        names: {plural: odds, kind: Odd, shortNames: [o, p, o], categories: [all, all]}\n  versions:\n  \
        - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n";
    let one = imports::accepted("odds", text).expect("a server takes it");
    let file = scratch("names");
    comes_back(&one, &Default::default(), &file).unwrap_or_else(|why| panic!("{why}"));
    _ = std::fs::remove_file(&file);
}

#[test]
fn odd_schemas_come_back() {
    let file = scratch("odd");
    for schema in ODD {
        // The schema is there twice: as the schema of a type, and at a field of this type.
        let text = format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
             metadata: {{name: odds.example.com}}\n\
             spec:\n  group: example.com\n  scope: Namespaced\n  names: {{plural: odds, kind: Odd}}\n  versions:\n  \
             - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
             properties:\n          spec:\n            type: object\n            properties:\n              \
             odd: {schema}\n              more: {{type: array, items: {schema}}}\n"
        );
        let Some(one) = imports::accepted(schema, &text) else { panic!("a server does not take {schema}") };
        if let Err(why) = comes_back(&one, &Default::default(), &file) {
            panic!("{schema}: {why}");
        }
    }
    _ = std::fs::remove_file(&file);
}
