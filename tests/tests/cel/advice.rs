//! The bounds that a diagnostic suggests are right: with them, a rule is within its budget, and with larger ones it is
//! not.

use crdgen_core::check::validations::{self, Report};
use crdgen_core::ir::{Additional, Items, Schema};
use crdgen_core::path::Path;
use crdgen_core::rules::{Bound, Environments, RULE_LIMIT};
use crdgen_core::{decode, yaml};

/// Schemas with a rule that is too expensive, and how many bounds it needs.
const CASES: &[(usize, &str)] = &[
    (
        1,
        "{type: array, items: {type: string, maxLength: 10}, x-kubernetes-validations: [{rule: 'self.all(x, self.exists_one(y, x == y))'}]}",
    ),
    (
        1,
        "{type: array, maxItems: 100, items: {type: string, x-kubernetes-validations: [{rule: \"self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')\"}]}}",
    ),
    (
        1,
        "{type: array, items: {type: string, maxLength: 63, x-kubernetes-validations: [{rule: \"self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')\"}]}}",
    ),
    (
        2,
        "{type: array, items: {type: string, x-kubernetes-validations: [{rule: \"self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')\"}]}}",
    ),
    (
        2,
        "{type: array, items: {type: string}, x-kubernetes-validations: [{rule: 'self.all(x, x.contains(\"abc\"))'}]}",
    ),
    (
        1,
        "{type: object, additionalProperties: {type: integer}, x-kubernetes-validations: [{rule: 'self.all(k, self.all(l, self[k] >= self[l] || k != l))'}]}",
    ),
    (
        2,
        "{type: object, properties: {a: {type: array, items: {type: integer}}, b: {type: array, items: {type: integer}}}, x-kubernetes-validations: [{rule: 'self.a.all(x, x in self.b)'}]}",
    ),
    (
        1,
        "{type: object, properties: {a: {type: array, maxItems: 10000, items: {type: integer}}}, x-kubernetes-validations: [{rule: 'self.a.all(x, self.a.all(y, self.a.all(z, x + y != z)))'}]}",
    ),
    (
        2,
        "{type: array, items: {type: object, additionalProperties: {type: object, properties: {s: {type: string, maxLength: 20, x-kubernetes-validations: [{rule: \"self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')\"}]}}}}}",
    ),
    (
        1,
        "{type: object, properties: {d: {type: string, format: byte}, e: {type: string, maxLength: 4}}, x-kubernetes-validations: [{rule: 'string(self.d).matches(self.e + \"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\")'}]}",
    ),
    (
        2,
        "{type: array, maxItems: 5, items: {type: array, items: {x-kubernetes-int-or-string: true}}, x-kubernetes-validations: [{rule: 'self.all(l, l.all(a, l.all(b, a == b)))'}]}",
    ),
    // No bound can help, because the rule itself is too expensive.
    (
        0,
        "{type: integer, x-kubernetes-validations: [{rule: '[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, [1,2,3,4,5,6,7,8,9,10].all(f, a+b+c+d+e+f > self))))))'}]}",
    ),
];

#[track_caller]
fn schema(text: &str) -> Schema {
    // A text that begins with a brace would be read as JSON.
    let document = yaml::read_one(format!("schema: {text}").as_bytes());
    let value = document.unwrap_or_else(|d| panic!("{text}: {}", d.text)).value;
    let schema = value.get("schema").cloned().unwrap_or_default();
    decode::schema(schema).0.unwrap_or_else(|| panic!("{text}"))
}

/// Returns the report about the only rule of a schema.
fn report(schema: &Schema) -> Report {
    let (mut reports, _, diags) = validations::check(schema, &Path::ROOT, &Environments::default());
    assert!(diags.iter().all(|d| d.code.id != "CEL001"), "{diags:?}");
    assert_eq!(reports.len(), 1);
    reports.remove(0)
}

/// Sets a bound. The path `self` is the place of the rule.
fn set(root: &mut Schema, bound: &Bound, value: u64) {
    let mut at = match bound.field.strip_prefix("self") {
        Some(_) => find_rule(root).unwrap_or_else(|| panic!("no rule")),
        None => root,
    };
    let mut rest = bound.field.strip_prefix("self").unwrap_or(&bound.field).trim_start_matches('.');
    while !rest.is_empty() {
        let end = rest.find(['.', '[', '{']).unwrap_or(rest.len());
        at = match (&rest[..end], &mut at.items, &mut at.additional_properties) {
            ("", Some(Items::One(items)), _) if rest.starts_with("[]") => {
                rest = &rest[2..];
                items
            }
            ("", _, Some(Additional::Schema(values))) if rest.starts_with("{}") => {
                rest = &rest[2..];
                values
            }
            (name, ..) => {
                rest = &rest[end..];
                at.properties.get_mut(name).unwrap_or_else(|| panic!("no {}", bound.field))
            }
        };
        rest = rest.strip_prefix('.').unwrap_or(rest);
    }
    let value = i64::try_from(value).ok();
    match bound.keyword {
        "maxItems" => at.limits.max_items = value,
        "maxProperties" => at.limits.max_properties = value,
        "maxLength" => at.limits.max_length = value,
        other => panic!("{other}"),
    }
}

fn find_rule(schema: &mut Schema) -> Option<&mut Schema> {
    if !schema.rules.is_empty() {
        return Some(schema);
    }
    if let Some(Items::One(items)) = &mut schema.items {
        return find_rule(items);
    }
    if let Some(Additional::Schema(values)) = &mut schema.additional_properties {
        return find_rule(values);
    }
    schema.properties.values_mut().find_map(find_rule)
}

#[test]
fn bounds_are_enough_and_no_more() {
    for (count, text) in CASES {
        let expensive = report(&schema(text));
        assert!(expensive.cost > RULE_LIMIT, "{} is cheap: {text}", expensive.cost);
        let advice = expensive.advice.unwrap_or_else(|| panic!("no advice: {text}"));
        assert_eq!(advice.bounds.len(), *count, "{advice}: {text}");
        if advice.bounds.is_empty() {
            continue;
        }
        let mut bounded = schema(text);
        advice.bounds.iter().for_each(|bound| set(&mut bounded, bound, bound.value));
        let cost = report(&bounded).cost;
        assert!(cost <= RULE_LIMIT, "{cost} with {advice}: {text}");
        if let [bound] = advice.bounds.as_slice() {
            set(&mut bounded, bound, bound.value + 1);
            assert!(report(&bounded).cost > RULE_LIMIT, "not the largest: {advice}: {text}");
        }
        let marked = expensive.rule.rule.get(advice.part.clone());
        assert!(marked.is_some_and(|part| !part.is_empty()), "{advice:?}: {text}");
    }
}
