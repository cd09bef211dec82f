//! Our own lints.

use super::{definition, with_schema};
use crdgen_core::check::lints::{Lints, run};

fn advice(text: &str, lints: &Lints) -> Vec<String> {
    let mut out: Vec<String> =
        run(&definition(text), lints).iter().map(|d| format!("{} {}", d.code.id, d.field)).collect();
    out.sort();
    out
}

const SCHEMA: &str = "
type: object
description: d
properties:
  metadata: {type: object}
  spec:
    type: object
    description: d
    properties:
      open: {type: boolean, description: d}
      size: {type: number, description: d}
      count: {type: integer, format: uint32}
      names:
        type: array
        description: d
        items: {type: string, x-kubernetes-validations: [{rule: 'self != \"\"', reason: FieldValueInvalid}]}
  status: {type: object, description: d}
";

#[test]
fn each_kind() {
    let at = "spec.versions[0].schema.openAPIV3Schema.properties";
    let mut all = Lints::all();
    all.kube = Some(27);
    let expected = [
        format!("LNT002 {at}[spec].properties[names]"),
        format!("LNT003 {at}[spec].properties[names]"),
        format!("LNT003 {at}[spec].properties[names].items"),
        format!("LNT004 {at}[spec].properties[count]"),
        "LNT006 spec.versions[0]".to_owned(),
        format!("LNT007 {at}[spec].properties[size]"),
        format!("LNT008 {at}[spec].properties[count]"),
        format!("LNT009 {at}[spec].properties[open]"),
        format!("LNT010 {at}[spec].properties[names].items.x-kubernetes-validations[0].reason"),
        format!("LNT011 {at}[spec].properties[names].items.x-kubernetes-validations[0].rule"),
        format!("LNT104 {at}[spec].properties[count]"),
        format!("LNT105 {at}[spec].properties[names]"),
        format!("LNT105 {at}[spec].properties[names].items"),
        format!("LNT106 {at}[spec].properties[names].items"),
    ];
    assert_eq!(advice(&with_schema(SCHEMA), &all), expected);
}

#[test]
fn only_the_size_by_default() {
    assert!(advice(&with_schema(SCHEMA), &Lints::default()).is_empty());
    let big = |n: usize| {
        let text = "x".repeat(n);
        with_schema(&format!(
            "{{type: object, properties: {{spec: {{type: object, properties: {{a: {{type: string, description: {text}}}, b: \
             {{type: string}}}}}}}}}}"
        ))
    };
    assert!(advice(&big(100_000), &Lints::default()).is_empty());
    let found = run(&definition(&big(262_000)), &Lints::default());
    assert_eq!(found.len(), 1);
    assert!(found[0].detail.contains("properties[spec].properties[a] (262"), "{}", found[0].detail);
    assert!(advice(&big(262_000), &Lints::none()).is_empty());
}

#[test]
fn rules_that_repeat_a_keyword() {
    let mut lints = Lints::none();
    assert!(lints.set("LNT116", true));
    for (schema, rule, expected) in [
        ("type: string", "self.size() <= 5", "maxLength: 5"),
        ("type: string", "5 >= size(self)", "maxLength: 5"),
        ("type: string", "self.size() != 0", "minLength: 1"),
        ("type: array, items: {type: string}", "1 < self.size()", "minItems: 2"),
        ("type: integer", "0 < self", "minimum: 1"),
        // The bytes are fewer than the characters of their text.
        ("type: string, format: byte", "self.size() <= 5", ""),
        // This needs two keywords.
        ("type: string", "self.size() == 5", ""),
        ("type: integer", "self != 0", ""),
        ("type: string", "self.size() < size('abc')", ""),
    ] {
        let text = with_schema(&format!(
            "{{type: object, properties: {{a: {{{schema}, x-kubernetes-validations: [{{rule: \"{rule}\"}}]}}}}}}"
        ));
        let found = run(&definition(&text), &lints);
        let found: Vec<&str> = found.iter().map(|diag| diag.detail.as_str()).collect();
        match expected {
            "" => assert!(found.is_empty(), "{rule}: {found:?}"),
            keyword => assert_eq!(found, [format!("the rule says the same as `{keyword}`")], "{rule}"),
        }
    }
}

#[test]
fn a_status_and_its_subresource_belong_together() {
    let mut lints = Lints::none();
    assert!(lints.set("LNT006", true));
    let of = |root: &str, subresources: &str| {
        let schema = format!("{{type: object, {root}}}");
        let text = with_schema(&schema)
            .replace("storage: true", &format!("storage: true\n    subresources: {subresources}"));
        advice(&text, &lints).len()
    };
    let status = "properties: {status: {type: object}}";
    assert_eq!(of(status, "{}"), 1);
    assert_eq!(of(status, "{status: {}}"), 0);
    assert_eq!(of("properties: {spec: {type: object}}", "{status: {}}"), 1);
    assert_eq!(of("x-kubernetes-preserve-unknown-fields: true", "{status: {}}"), 0);
    assert_eq!(of("properties: {spec: {type: object}}", "{}"), 0);
}

#[test]
fn switches() {
    let mut lints = Lints::none();
    assert!(lints.set("lnt007", true));
    assert!(!lints.set("LNT999", true));
    assert_eq!(advice(&with_schema(SCHEMA), &lints).len(), 1);
    assert!(lints.set("all", false));
    assert!(advice(&with_schema(SCHEMA), &lints).is_empty());
}

#[test]
fn expressions_that_older_servers_cannot_compile() {
    let text = with_schema(
        "{type: object, properties: {a: {type: string, maxLength: 50, x-kubernetes-validations: [{rule: isIP(self)}, {rule:          'self.size() > 1'}]}}}",
    );
    let at = "spec.versions[0].schema.openAPIV3Schema.properties[a].x-kubernetes-validations[0].rule";
    let mut lints = Lints::none();
    lints.kube = Some(30);
    assert_eq!(advice(&text, &lints), [format!("LNT010 {at}")]);
    lints.kube = Some(31);
    assert!(advice(&text, &lints).is_empty());
}

#[test]
fn versions_that_change_nothing() {
    let text = with_schema("{type: object}")
        + "  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}\n";
    let mut lints = Lints::none();
    lints.set("LNT005", true);
    assert_eq!(advice(&text, &lints), ["LNT005 spec.versions[1]"]);
}

#[test]
fn embedded_metadata_that_is_dropped() {
    let mut lints = Lints::none();
    lints.set("LNT015", true);
    let template = |metadata: &str| {
        with_schema(&format!(
            "{{type: object, properties: {{metadata: {{type: object}}, spec: {{type: object, properties: {{template: \
             {{type: object, properties: {{metadata: {metadata}, spec: {{type: object}}}}}}}}}}}}}}"
        ))
    };
    let found = advice(&template("{type: object}"), &lints);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("LNT015") && found[0].ends_with("properties[template].properties[metadata]"),
        "{found:?}"
    );
    for kept in [
        "{type: object, properties: {labels: {type: object, additionalProperties: {type: string}}}}",
        "{type: object, x-kubernetes-preserve-unknown-fields: true}",
        "{type: object, additionalProperties: {type: string}}",
    ] {
        assert_eq!(advice(&template(kept), &lints), [""; 0], "{kept}");
    }
}

#[test]
fn versions_that_lose_data_without_conversion() {
    let mut lints = Lints::none();
    lints.set("LNT014", true);
    let two = |first: &str, second: &str| {
        let root = |spec: &str| format!("{{type: object, properties: {{spec: {spec}}}}}");
        with_schema(&root(first))
            + &format!(
                "  - {{name: v2, served: true, storage: false, schema: {{openAPIV3Schema: {}}}}}\n",
                root(second)
            )
    };
    let detail = |first: &str, second: &str| {
        let found = run(&definition(&two(first, second)), &lints);
        found.first().map(|found| format!("{}: {}", found.field, found.detail))
    };
    let object = |fields: &str| format!("{{type: object, properties: {{{fields}}}}}");
    let (a, b) =
        (object("a: {type: string}, c: {type: string}"), object("b: {type: string}, c: {type: integer}"));
    assert_eq!(
        detail(&a, &b).as_deref(),
        Some(
            "spec.versions[1]: v2 does not keep all data without a webhook: spec.b is only in v2; spec.a is only in v1, the \
             storage version; spec.c is of another type"
        )
    );
    let list = |items: &str| object(&format!("l: {{type: array, items: {items}}}"));
    assert_eq!(
        detail(&list(&object("")), &list(&a)).as_deref(),
        Some(
            "spec.versions[1]: v2 does not keep all data without a webhook: spec.l[].a, spec.l[].c are only in v2"
        )
    );
    assert_eq!(detail(&a, &a), None);
    assert_eq!(detail("{type: object, x-kubernetes-preserve-unknown-fields: true}", &a), None);
    let webhook = two(&a, &b).replace(
        "  versions:",
        "  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://a'}}}\n  versions:",
    );
    assert!(advice(&webhook, &lints).is_empty());
}

/// An unquoted key may become a boolean. A quoted key stays a string.
#[test]
fn keys_that_are_booleans() {
    let mut lints = Lints::none();
    assert!(lints.set("LNT012", true));
    let with_key = |key: &str| {
        with_schema(&format!(
            "{{type: object, properties: {{spec: {{type: object, properties: {{{key}: {{type: string}}}}}}}}}}"
        ))
    };
    let at = "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties";
    for (key, name) in [("n", "false"), ("off", "false"), ("Yes", "true"), ("y", "true"), ("true", "true")] {
        assert_eq!(advice(&with_key(key), &lints), [format!("LNT012 {at}[{name}]")], "{key}");
    }
    for key in ["'n'", "'on'", "maybe", "o"] {
        assert!(advice(&with_key(key), &lints).is_empty(), "{key}");
    }
}
