//! Errors that a server would report only after the first ones are fixed are shown as well, without changing the first
//! ones.

use crdgen_core::check::{self, Options};
use crdgen_core::diag::Level;
use crdgen_core::yaml;
use crdgen_core::{decode, ir::Crd};
use crdgen_tests::corpus;

fn definition(properties: &str, rule: &str) -> Crd {
    let text = format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: goods.example.com}}
spec:
  group: example.com
  scope: Namespaced
  names: {{plural: goods, kind: Good}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties: {properties}
            x-kubernetes-validations:
            - rule: {rule}
"
    );
    decode::crd(yaml::read_one(text.as_bytes()).expect("it is YAML").value).0.expect("a definition")
}

fn codes(crd: &Crd) -> (Vec<&'static str>, Vec<&'static str>) {
    let errors = check::create(crd, &Options::default()).errors;
    let next = check::next(crd, &errors, &Options::default());
    assert!(next.iter().all(|diag| diag.level == Level::Note));
    (errors.iter().map(|diag| diag.code.id).collect(), next.iter().map(|diag| diag.code.id).collect())
}

#[test]
fn rules_are_checked_together_with_what_hides_them() {
    for (properties, rule, errors, next) in [
        ("{a: {type: string}}", "self.b == 1", &["CEL001"][..], &[][..]),
        // A property has no type, and a default has the wrong type.
        ("{a: {type: string}, c: {description: x}}", "self.b == 1", &["SCH004"], &["CEL001"]),
        ("{a: {type: string, default: 3}}", "self.b == 1", &["SCH026"], &["CEL001"]),
        // A required keyword is missing.
        ("{a: {type: string}, c: {type: array}}", "self.b == 1", &["SCH005"], &["CEL001"]),
        (
            "{c: {type: array, x-kubernetes-list-type: map, items: {type: object}}}",
            "self.b == 1",
            &["SCH020"],
            &["CEL001"],
        ),
        // No item has this key. The list of keys is not empty, but it is wrong.
        (
            "{c: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b], items: {type: object, properties: {a: {type: string}}}}}",
            "self.b == 1",
            &["SCH020"],
            &["CEL001"],
        ),
        // First structure, then defaults, then rules.
        (
            "{a: {type: string, default: 3}, c: {description: x}}",
            "self.b == 1",
            &["SCH004"],
            &["SCH026", "CEL001"],
        ),
        // What is wrong inside of a default is a value. Nothing is put in its place, so no field of it is unknown.
        (
            "{a: {type: object, default: {b: {}}, properties: {b: {type: object, required: [c], properties: {c: {type: string}}}}}}",
            "self.d == 1",
            &["SCH026"],
            &["CEL001"],
        ),
        (
            "{a: {type: object, default: {b: {c: 1}}, properties: {b: {type: object, required: [c], properties: {c: {type: string}}}}}}",
            "self.d == 1",
            &["SCH026"],
            &["CEL001"],
        ),
        // A property may have the name of the keyword.
        ("{default: {description: x}, a: {type: string}}", "self.d == 1", &["SCH004"], &["CEL001"]),
        // Rules that read a property without a type are not checked.
        ("{a: {type: string}, c: {description: x}}", "self.c == 1", &["SCH004"], &[]),
        ("{a: {type: string}, c: {description: x}}", "self.a == 'x'", &["SCH004"], &[]),
    ] {
        assert_eq!(
            codes(&definition(properties, rule)),
            (errors.to_vec(), next.to_vec()),
            "{properties} {rule}"
        );
    }
}

/// If nothing is wrong, nothing follows, and nothing is reported twice.
#[test]
fn nothing_is_reported_twice() {
    let seeds = corpus::own_crds()
        .into_iter()
        .chain(corpus::shared_crds().unwrap_or_default().into_iter().step_by(9));
    for seed in seeds {
        let Some(crd) = decode::crd(seed.value).0 else { continue };
        let errors = check::create(&crd, &Options::default()).errors;
        let next = check::next(&crd, &errors, &Options::default());
        assert!(!errors.is_empty() || next.is_empty(), "{}: {next:?}", seed.name);
        for diag in &next {
            let is_new = errors
                .iter()
                .all(|it| (it.code, &it.steps, &it.detail) != (diag.code, &diag.steps, &diag.detail));
            assert!(is_new, "{}: {diag:?}", seed.name);
        }
    }
}
