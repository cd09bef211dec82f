//! Rules that read optional fields without a guard: each one is found, and evaluating it really fails.

use crdgen_core::check::lints::unguarded::{Unguarded, of_node};
use crdgen_core::decode;
use crdgen_core::diag::codes::cel::RULE_ERROR;
use crdgen_core::ir::{Additional, Items, Schema, SchemaOf};
use crdgen_core::path::Path;
use crdgen_core::rules::run::Rules;
use crdgen_core::server::Server;
use crdgen_tests::corpus::{own_crds, shared_crds};
use crdgen_tests::ours::with_a_big_stack;

/// `a`, `b`, `o`, `l`, `m` and `s` are optional; `r` is required, and `d` has a default.
const PROPERTIES: &str = r#"
  a: {type: integer}
  b: {type: integer}
  r: {type: integer}
  d: {type: integer, default: 1}
  s: {type: string}
  o: {type: object, properties: {x: {type: integer}, "y": {type: integer}}, required: ["y"]}
  p: {type: object, properties: {x: {type: integer}}}
  l: {type: array, maxItems: 5, items: {type: object, properties: {x: {type: integer}, "y": {type: integer}}, required: ["y"]}}
  m: {type: object, maxProperties: 5, additionalProperties: {type: object, properties: {x: {type: integer}}}}
"#;

fn schema(rules: &[&str]) -> Schema {
    let rules: String = rules.iter().map(|rule| format!("- {{rule: {rule:?}}}\n")).collect();
    let text =
        format!("type: object\nrequired: [r, p]\nproperties:{PROPERTIES}x-kubernetes-validations:\n{rules}");
    let value = crdgen_core::yaml::read_one(text.as_bytes()).unwrap_or_else(|e| panic!("{e}")).value;
    let (schema, diags) = decode::schema(value);
    schema.unwrap_or_else(|| panic!("{text}{diags:?}"))
}

fn fields(rules: &[&str]) -> Vec<String> {
    of_node(&schema(rules), false).into_iter().map(|found| found.field).collect()
}

#[test]
fn unguarded_reads_are_found() {
    for (rule, expected) in [
        ("self.a > 1", &["self.a"][..]),
        ("self.a > self.b", &["self.a", "self.b"]),
        ("self.r > 1 && self.a > 1", &["self.a"]),
        ("self.a > 1 && self.r > 1", &["self.a"]),
        ("self.o.y > 1", &["self.o"]),
        ("self.o.x > 1", &["self.o", "self.o.x"]),
        ("!has(self.o) || self.o.x > 1", &["self.o.x"]),
        ("has(self.o) && self.o.x > 1", &["self.o.x"]),
        ("self.p.x > 1", &["self.p.x"]),
        ("!has(self.b) || self.a > 1", &[]),
        ("has(self.b) ? self.a > 1 : self.a > 2", &["self.a"]),
        ("size(self.s) > 1", &["self.s"]),
        ("!has(self.l) || self.l.all(e, e.x > 1)", &["self.l[].x"]),
        ("self.l.all(e, e.y > 1)", &["self.l"]),
        ("!has(self.m) || self.m.all(k, self.m[k].x > 1)", &["self.m[].x"]),
        ("!has(self.m) || has(self.m['k'].x)", &["self.m['k']"]),
        ("self.a == oldSelf.a", &["self.a"]),
        ("self.r > 1 ? true : self.a > 1", &[]),
        ("[self.a].exists(x, x > 1)", &["self.a"]),
    ] {
        assert_eq!(fields(&[rule]), expected, "{rule}");
    }
}

#[test]
fn guarded_reads_are_not_found() {
    for rule in [
        "!has(self.a) || self.a > 1",
        "has(self.a) && self.a > 1",
        "has(self.a) == true && self.a > 1",
        "has(self.a) ? self.a > 1 : true",
        "!has(self.a) ? true : self.a > 1",
        "!(has(self.a) && self.a > 1)",
        "self.?a.orValue(2) > 1",
        "self.?a.hasValue() && self.a > 1",
        "self.?a.optMap(v, v > 1).orValue(true)",
        "optional.of(1).hasValue() || self.a > 1",
        "self.r > 1 || self.a > 1",
        "self.d > 1",
        "self.r > 1",
        "!has(self.a) || !has(self.b) || self.a > self.b",
        "has(self.a) && has(self.b) ? self.a > self.b : true",
        "!has(self.o) || self.o.y > 1",
        "!has(self.o) || !has(self.o.x) || self.o.x > 1",
        "!has(self.l) || self.l.all(e, !has(e.x) || e.x > 1)",
        "!has(self.l) || self.l.exists(e, e.y > 1 || has(e.x) && e.x > 1)",
        "!has(self.l) || self.l.filter(e, has(e.x)).all(e, e.x > 1)",
        "!has(self.m) || !('k' in self.m) || !has(self.m['k'].x) || self.m['k'].x > 1",
        "!has(self.m) || self.m.all(k, !has(self.m[k].x) || self.m[k].x > 1)",
        "!has(oldSelf.a) || !has(self.a) || self.a == oldSelf.a",
        "has(self.a) == has(oldSelf.a)",
        "[1, 2].all(i, !has(self.a) || self.a > i)",
    ] {
        assert_eq!(fields(&[rule]), <[&str; 0]>::default(), "{rule}");
    }
}

#[test]
fn a_field_that_another_rule_demands_is_there() {
    assert!(fields(&["self.a > 1", "has(self.a)"]).is_empty());
    assert_eq!(fields(&["self.a > 1", "has(self.b)"]), ["self.a"]);
}

/// Checks that each finding fails when the rule is evaluated for the object of the finding.
fn check(schema: &Schema, resource: bool, name: &str, count: &mut usize) {
    let found = of_node(schema, resource);
    for Unguarded { rule, field, witness, .. } in &found {
        *count += 1;
        let mut alone = schema.clone();
        alone.rules = vec![schema.rules[*rule].clone()];
        strip(&mut alone);
        let transition = alone.rules[0].rule.contains("oldSelf");
        let old = transition.then_some(witness);
        let findings = Rules::of(&alone, SchemaOf::resource_if(resource), Server::NEWEST).validate(
            &alone,
            witness,
            old,
            &Path::ROOT,
        );
        let failed =
            findings.errors.iter().any(|d| d.code == &RULE_ERROR && d.detail.contains("no such key"));
        assert!(failed, "{name}: {field}: {} says {:?}", alone.rules[0].rule, findings.errors);
    }
    if std::env::var_os("SHOW").is_some() {
        for found in &found {
            println!("{name}: {}: {}", found.field, schema.rules[found.rule].rule);
        }
    }
    let below = |schema: &Schema, count: &mut usize| {
        check(schema, schema.ext.embedded_resource, name, count);
    };
    schema.properties.values().for_each(|s| below(s, count));
    if let Some(Items::One(items)) = &schema.items {
        below(items, count);
    }
    if let Some(Additional::Schema(values)) = &schema.additional_properties {
        below(values, count);
    }
}

/// Removes the rules from the nodes below.
fn strip(schema: &mut Schema) {
    for property in schema.properties.values_mut() {
        property.rules.clear();
        strip(property);
    }
    if let Some(Items::One(items)) = &mut schema.items {
        items.rules.clear();
        strip(items);
    }
    if let Some(Additional::Schema(values)) = &mut schema.additional_properties {
        values.rules.clear();
        strip(values);
    }
}

#[test]
fn every_finding_is_real() {
    let mut seeds = own_crds();
    match shared_crds() {
        Some(shared) => seeds.extend(shared),
        None => crdgen_tests::skip("real CRDs in cel::unguarded", "no shared corpus; set $CRDGEN_CORPUS"),
    }
    let mut count = 0;
    with_a_big_stack(|| {
        for seed in &seeds {
            let (crd, _) = decode::crd(seed.value.clone());
            let Some(crd) = crd else { continue };
            for version in 0..crd.spec.versions.len() {
                if let Some(schema) = crd.spec.schema_of(version) {
                    check(schema, true, &seed.name, &mut count);
                }
            }
        }
    });
    println!("{count} rules read an optional field without a guard");
}
