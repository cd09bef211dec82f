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
fn rules_that_fail_for_one_type() {
    let mut lints = Lints::none();
    assert!(lints.set("LNT021", true));
    for (rule, is_found) in [
        ("quantity(self.x).isGreaterThan(quantity('1'))", true),
        ("self.x > 1", true),
        ("self.x.contains('%')", true),
        ("!has(self.x) || isQuantity(self.x)", true),
        ("self.l.all(x, x.endsWith('%'))", true),
        ("quantity(string(self.x)).isGreaterThan(quantity('1'))", false),
        ("isQuantity(string(self.x))", false),
        ("type(self.x) == int ? self.x > 1 : self.x.contains('%')", false),
        ("self.x == 1 || self.x == '1'", false),
        ("self.x in [1, '1']", false),
        ("type(self.x) != string || self.x.endsWith('%')", false),
        ("self.s.contains('%')", false),
        ("self.s == oldSelf.s && self.x == oldSelf.x", false),
        ("self.any.a > 1", false),
    ] {
        let schema = format!(
            "type: object\nproperties:\n  spec:\n    type: object\n    properties:\n      x: {{x-kubernetes-int-or-string: true}}\n      \
             any: {{type: object, x-kubernetes-preserve-unknown-fields: true}}\n      s: {{type: string}}\n      l: {{type: array, items: \
             {{x-kubernetes-int-or-string: true}}}}\n    x-kubernetes-validations: [{{rule: {rule:?}}}]\n"
        );
        let at = "spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule";
        let wanted = is_found.then(|| format!("LNT021 {at}"));
        assert_eq!(advice(&with_schema(&schema), &lints), Vec::from_iter(wanted), "{rule}");
    }
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

#[test]
fn types_of_kubernetes_are_left_out() {
    let selector = |values: &str| {
        format!(
            "{{type: object, properties: {{matchExpressions: {{type: array, items: {{type: object, required: [key, operator], properties: \
             {{key: {{type: string}}, operator: {{type: string}}, values: {{type: array, items: {{type: {values}}}}}}}}}}}, \
             matchLabels: {{type: object, additionalProperties: {{type: string}}}}}}}}"
        )
    };
    let object = |fields: &str, more: &str| format!("{{type: object, properties: {{{fields}}}{more}}}");
    let text = "{type: string}";
    let spread = |more: &str| {
        let fields = format!(
            "labelSelector: {}, maxSkew: {{type: integer, format: int32}}, topologyKey: {text}, whenUnsatisfiable: {text}{more}",
            selector("string")
        );
        object(&fields, ", required: [maxSkew, topologyKey, whenUnsatisfiable]")
    };
    let toleration = |seconds: &str| {
        let fields = format!(
            "effect: {text}, key: {text}, operator: {text}, tolerationSeconds: {{type: integer{seconds}}}, value: {text}"
        );
        object(&fields, "")
    };
    // An affinity, with the terms of a node selector.
    let term = |weight: &str| {
        let expression =
            object(&format!("key: {text}, operator: {text}, values: {{type: array, items: {text}}}"), "");
        let list = format!("{{type: array, items: {expression}}}");
        let preference = object(&format!("matchExpressions: {list}, matchFields: {list}"), "");
        object(&format!("preference: {preference}{weight}"), "")
    };
    let condition = |generation: &str, required: &str| {
        let fields = format!(
            "lastTransitionTime: {{type: string, format: date-time}}, message: {text}, reason: {text}, status: {text}, type: {text}{generation}"
        );
        let required = if required.is_empty() { String::new() } else { format!(", required: [{required}]") };
        object(&fields, &required)
    };
    let generation = ", observedGeneration: {type: integer, format: int64}";
    let limits = |of: &str| {
        let map = format!("{{type: object, additionalProperties: {of}}}");
        object(&format!("limits: {map}, requests: {map}"), "")
    };
    let quantity =
        "{x-kubernetes-int-or-string: true, pattern: '^1$', anyOf: [{type: integer}, {type: string}]}";
    let any = "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}";
    let atomic = ", x-kubernetes-map-type: atomic";
    for (is_left_out, schema) in [
        (true, selector("string")),
        // Other types.
        (false, selector("integer")),
        // As Kubernetes had it before 1.25.
        (true, spread("")),
        (true, spread(", minDomains: {type: integer, format: int32}")),
        (false, spread(", own: {type: string}")),
        (true, toleration(", format: int64")),
        // As tools write it that have neither formats nor required fields.
        (true, toleration("")),
        (true, term(", weight: {type: integer}")),
        (false, term(", weight: {type: integer}, own: {type: string}")),
        (false, object(&format!("effect: {text}, key: {text}, value: {text}"), "")),
        (false, condition(generation, "")),
        (true, condition(generation, "lastTransitionTime, message, reason, status, type")),
        // Many projects have conditions of their own.
        (false, condition(generation, "status, type")),
        (false, condition("", "status, type")),
        (true, limits(quantity)),
        (false, limits(any)),
        (false, limits(text)),
        (true, object("name: {type: string}", atomic)),
        (false, object("name: {type: string}", "")),
        (
            true,
            object(
                "key: {type: string}, name: {type: string}, optional: {type: boolean}",
                &format!("{atomic}, required: [key]"),
            ),
        ),
        (false, object("key: {type: string}, name: {type: string}", &format!("{atomic}, required: [key]"))),
        (
            true,
            object(
                "metadata: {type: object, properties: {labels: {type: object}}}, spec: {type: object, properties: {volumeName: {type: string}, volumeMode: {type: string}, storageClassName: {type: string}, accessModes: {type: array, items: {type: string}}, dataSource: {type: object, required: [kind, name], properties: {apiGroup: {type: string}, kind: {type: string}, name: {type: string}}}}}",
                ", required: [spec]",
            ),
        ),
    ] {
        let found = advice(
            &with_schema(&object(&format!("spec: {{type: object, properties: {{it: {schema}}}}}"), "")),
            &api(),
        );
        let inside = found.iter().filter(|found| found.contains("[it].")).count();
        assert_eq!(inside == 0, is_left_out, "{schema}: {found:?}");
        // The list is the project's, but what its items require is not.
        let list = object(
            &format!("spec: {{type: object, properties: {{list: {{type: array, items: {schema}}}}}}}"),
            "",
        );
        let found = advice(&with_schema(&list), &api());
        let of_the_list = found.iter().filter(|found| found.ends_with("[list]"));
        let codes: Vec<&str> = of_the_list.filter_map(|found| found.split(' ').next()).collect();
        let requires = schema.ends_with("]}");
        let expected: &[&str] =
            if is_left_out || requires { &["LNT002", "LNT105"] } else { &["LNT002", "LNT101", "LNT105"] };
        assert_eq!(codes, expected, "{schema}");
    }
    // The spec is the project's, whatever its fields are.
    let own = with_schema(&object(&format!("spec: {}", toleration(", format: int64")), ""));
    assert!(advice(&own, &api()).iter().any(|found| found.starts_with("LNT105 ")));
}

#[test]
fn all_fields_of_types_of_kubernetes_are_left_out() {
    for name in ["core/v1.PodTemplateSpec", "core/v1.PersistentVolumeClaim", "core/v1.EphemeralContainer"] {
        let schema = crdgen_core::k8s::schema(name).expect("a type");
        let schema = crdgen_core::json::to_string(&crdgen_core::encode::schema(&schema));
        let text = with_schema(&format!(
            "{{type: object, properties: {{spec: {{type: object, properties: {{it: {schema}}}}}}}}}"
        ));
        assert_eq!(advice(&text, &api()), [""; 0], "{name}");
        // Other lints still report there.
        let mut lints = Lints::none();
        assert!(lints.set("LNT004", true));
        assert!(advice(&text, &lints).len() > 10, "{name}");
    }
}

fn api() -> Lints {
    let mut lints = Lints::none();
    assert!(lints.set("api", true));
    lints
}
