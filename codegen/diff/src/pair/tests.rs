use super::{diff, established};
use crate::{Class, Finding, Options, Proof, Report, Request};
use crdgen_core::decode;
use crdgen_core::ir::{Conversion, Crd, Scale, Subresources};
use crdgen_core::json::{self, to_string};
use crdgen_core::value::Value;

/// A CRD with one field, `spec.f`.
fn crd(field: &str) -> Crd {
    let spec = format!(r#"{{"type":"object","properties":{{"f":{field}}}}}"#);
    of_spec(&spec)
}

fn of_spec(spec: &str) -> Crd {
    let text = format!(
        r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"ws.example.com"}},
        "spec":{{"group":"example.com","scope":"Cluster","names":{{"kind":"W","plural":"ws","singular":"w","listKind":"WList"}},
        "versions":[{{"name":"v1","served":true,"storage":true,"schema":{{"openAPIV3Schema":
        {{"type":"object","properties":{{"spec":{spec}}}}}}}}}]}},"status":{{"storedVersions":["v1"]}}}}"#
    );
    decode::crd(json::read(text.as_bytes()).expect("JSON")).0.expect("a CRD")
}

/// The worst finding: its class, and the value of `spec` in its witness.
fn worst(old: &Crd, new: &Crd) -> String {
    let report = diff(old, new, &Options { budget: 300, ..Options::default() });
    let Some(finding) = report.findings.iter().min_by_key(|finding| finding.class) else {
        return "nothing".to_owned();
    };
    let spec = |object: &Value| object.get("spec").map_or_else(|| "nothing".to_owned(), to_string);
    let class = finding.class.name();
    match &finding.proof {
        Proof::Witness(witness) => match &witness.request {
            Request::Create { object } => format!("{class} {}", spec(object)),
            Request::Update { stored, object }
            | Request::UpdateStatus { stored, object }
            | Request::Convert { stored, object } => {
                format!("{class} {} {}", spec(stored), spec(object))
            }
        },
        Proof::Document | Proof::Searched { .. } => class.to_owned(),
    }
}

/// A CRD with these versions, which all have the same schema of whole objects.
fn of_versions(names: &[&str], schema: &str) -> Crd {
    let version = |name: &&str| {
        let is_storage = *name == names[0];
        format!(
            r#"{{"name":"{name}","served":true,"storage":{is_storage},"schema":{{"openAPIV3Schema":{schema}}}}}"#
        )
    };
    let versions: Vec<String> = names.iter().map(version).collect();
    let text = format!(
        r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"ws.example.com"}},
        "spec":{{"group":"example.com","scope":"Cluster","names":{{"kind":"W","plural":"ws","singular":"w","listKind":"WList"}},
        "versions":[{}]}},"status":{{"storedVersions":{names:?}}}}}"#,
        versions.join(",")
    );
    decode::crd(json::read(text.as_bytes()).expect("JSON")).0.expect("a CRD")
}

#[test]
fn versions_with_the_same_schemas_have_the_same_proofs() {
    let of = |most: u8| {
        let spec =
            format!(r#"{{"type":"object","properties":{{"f":{{"type":"string","maxLength":{most}}}}}}}"#);
        of_versions(&["v1", "v2", "v3"], &format!(r#"{{"type":"object","properties":{{"spec":{spec}}}}}"#))
    };
    let found = diff(&of(9), &of(5), &Options::default()).findings;
    let of_version = |finding: &Finding| {
        let Proof::Witness(witness) = &finding.proof else { panic!("{finding:?}") };
        let versions = witness.objects().into_iter().filter_map(|object| object.get("apiVersion"));
        let versions: Vec<&str> = versions.filter_map(Value::as_str).collect();
        (finding.class.name(), witness.tried, format!("{} {}", finding.path, versions.join(" ")))
    };
    let path =
        |at| format!("spec.versions[{at}].schema.openAPIV3Schema.properties[spec].properties[f].maxLength");
    let expected = |at| ("breaking", 2, format!("{} example.com/v{}", path(at), at + 1));
    assert_eq!(found.iter().map(of_version).collect::<Vec<_>>(), [expected(0), expected(1), expected(2)]);
}

#[test]
fn a_rule_about_the_version_is_searched_in_each_version() {
    let of = |rules: &str| {
        let schema = r#"{"type":"object","properties":{"spec":{"type":"object"}}"#;
        of_versions(&["v1", "v2"], &format!("{schema}{rules}}}"))
    };
    let rule = r#","x-kubernetes-validations":[{"rule":"self.apiVersion != 'example.com/v2'"}]"#;
    let found = diff(&of(""), &of(rule), &Options { budget: 300, ..Options::default() }).findings;
    let classes: Vec<&str> = found.iter().map(|it| it.class.name()).collect();
    assert_eq!(classes, ["may-break", "stuck"]);
}

/// The server drops the status of a new object after it has filled in the default.
#[test]
fn a_default_does_not_meet_a_required_status() {
    let of = |required: &str| {
        let status = r#"{"type":"object","default":{"a":1},"properties":{"a":{"type":"integer"}}}"#;
        let schema = format!(
            r#"{{"type":"object",{required}"properties":{{"spec":{{"type":"object"}},"status":{status}}}}}"#
        );
        let text = format!(
            r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"ws.example.com"}},
            "spec":{{"group":"example.com","scope":"Cluster","names":{{"kind":"W","plural":"ws","singular":"w","listKind":"WList"}},
            "versions":[{{"name":"v1","served":true,"storage":true,"subresources":{{"status":{{}}}},"schema":{{"openAPIV3Schema":{schema}}}}}]}}}}"#
        );
        decode::crd(json::read(text.as_bytes()).expect("JSON")).0.expect("a CRD")
    };
    assert_eq!(worst(&of(""), &of(r#""required":["status"],"#)), "breaking nothing");
}

/// Items that differed only in a field that the server drops now.
#[test]
fn items_of_a_set_become_equal() {
    let list = |fields: &str| {
        let item =
            format!(r#"{{"type":"object","x-kubernetes-map-type":"atomic","properties":{{{fields}}}}}"#);
        crd(&format!(r#"{{"type":"array","x-kubernetes-list-type":"set","items":{item}}}"#))
    };
    let a = r#""a":{"type":"string"}"#;
    let (flat, nested) = (
        format!(r#"{a},"b":{{"type":"string"}}"#),
        format!(r#"{a},"c":{{"type":"object","properties":{{"b":{{"type":"string"}}}}}}"#),
    );
    for (old, new) in
        [(&*flat, a), (&*nested, a), (&*nested, r#""a":{"type":"string"},"c":{"type":"object"}"#)]
    {
        let found = worst(&list(old), &list(new));
        assert!(found.starts_with("breaking "), "{new}: {found}");
    }
}

#[test]
fn finds_the_smallest_objects_that_are_rejected_now() {
    for (old, new, expected) in [
        (r#"{"type":"string"}"#, r#"{"type":"string","maxLength":2}"#, r#"breaking {"f":"example"}"#),
        (r#"{"type":"string","maxLength":2}"#, r#"{"type":"string"}"#, "looser"),
        (
            r#"{"type":"string","pattern":"^[a-z]+$"}"#,
            r#"{"type":"string","pattern":"^[a-z]{3,}$"}"#,
            r#"breaking {"f":"a"}"#,
        ),
        (r#"{"type":"integer","maximum":9}"#, r#"{"type":"integer","maximum":8}"#, r#"breaking {"f":9}"#),
        (
            r#"{"type":"string","enum":["a","b"]}"#,
            r#"{"type":"string","enum":["b"]}"#,
            r#"breaking {"f":"a"}"#,
        ),
        (
            r#"{"type":"array","items":{"type":"integer"}}"#,
            r#"{"type":"array","items":{"type":"integer"},"x-kubernetes-list-type":"set"}"#,
            r#"breaking {"f":[1,1]}"#,
        ),
        (
            r#"{"type":"integer"}"#,
            r#"{"type":"integer","x-kubernetes-validations":[{"rule":"self != 4711"}]}"#,
            r#"breaking {"f":4711}"#,
        ),
        (
            r#"{"type":"array","maxItems":9,"items":{"type":"integer"}}"#,
            r#"{"type":"array","maxItems":9,"items":{"type":"integer"},"x-kubernetes-validations":[{"rule":"self.all(x, x < 70)"}]}"#,
            r#"breaking {"f":[100]}"#,
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}"#,
            r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"not":{"required":["a","b"]}}"#,
            r#"breaking {"f":{"a":"example","b":"example"}}"#,
        ),
        (
            r#"{"type":"object","x-kubernetes-preserve-unknown-fields":true}"#,
            r#"{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"a":{"type":"integer"}}}"#,
            r#"breaking {"f":{"a":"text"}}"#,
        ),
    ] {
        assert_eq!(worst(&crd(old), &crd(new)), expected, "{old} {new}");
    }
}

#[test]
fn knows_what_happens_to_stored_objects() {
    let field = r#"{"type":"object","properties":{"f":{"type":"integer"}}"#;
    let old = of_spec(&format!("{field}}}"));
    let rule = r#","x-kubernetes-validations":[{"rule":"self == oldSelf"}]}"#;
    let immutable = of_spec(&format!("{field}{rule}"));
    assert_eq!(worst(&old, &immutable), r#"on-edit {"f":1} {}"#);
    let mut required = old.clone();
    let schema = required.spec.versions[0].body.schema.as_mut().and_then(|it| it.open_api_v3_schema.as_mut());
    schema.expect("a schema").limits.required.push("spec".to_owned());
    assert_eq!(worst(&old, &required), "stuck nothing nothing");
}

#[test]
fn knows_what_happens_to_objects_that_are_stored_in_another_version() {
    let field =
        |keywords: &str| format!(r#"{{"type":"object","properties":{{"f":{{"type":"string"{keywords}}}}}}}"#);
    let old = of_spec(&field(""));
    let and_v2 = |crd: &Crd, spec: &str| {
        let mut out = crd.clone();
        let mut version = of_spec(spec).spec.versions.remove(0);
        (version.name, version.storage) = ("v2".to_owned(), false);
        out.spec.versions.push(version);
        out
    };
    // Objects of v1 are not valid in the new version, or lose a field.
    let shorter = and_v2(&old, &field(r#","maxLength":2"#));
    assert_eq!(worst(&old, &shorter), r#"breaking {"f":"example"} {"f":"example"}"#);
    let other = and_v2(&old, r#"{"type":"object","properties":{"g":{"type":"string"}}}"#);
    let report = diff(&old, &other, &Options::default());
    let lost = report.findings.iter().find(|it| it.class == Class::DataLoss).expect("a field is lost");
    assert_eq!(lost.message, "objects are stored as v1, and v2 does not have the field `f`");
    // This was so before the update.
    assert_eq!(worst(&shorter, &and_v2(&old, &field(r#","maxLength":2,"description":"x""#))), "cosmetic");
    // A webhook converts objects.
    let mut by_webhook = shorter.clone();
    by_webhook.spec.conversion = Some(Conversion { strategy: "Webhook".to_owned(), ..Conversion::default() });
    let found = super::changes(&old, &by_webhook, &Options::default());
    assert!(found.iter().all(|it| it.class > Class::DataLoss), "{found:?}");
}

/// What breaks in a version by itself is reported for it alone, so it proves nothing about objects that are stored in another one.
#[test]
fn a_rule_of_another_version_is_proved_by_its_own_errors() {
    let of_versions = |second: &str| {
        let spec = |keywords: &str| {
            let fields = r#""a":{"type":"string"},"b":{"type":"string"},"m":{"type":"string"}"#;
            of_spec(&format!(r#"{{"type":"object","properties":{{{fields}}}{keywords}}}"#))
        };
        let mut out = spec("");
        let mut version = spec(second).spec.versions.remove(0);
        (version.name, version.storage) = ("v2".to_owned(), false);
        out.spec.versions.push(version);
        out
    };
    let rules = |rules: &str| format!(r#","x-kubernetes-validations":[{rules}]"#);
    let old = of_versions(&rules(r#"{"rule":"!has(self.b)"}"#));
    for (other, looser) in [
        (r#","required":["m"]"#, r#"{"rule":"!has(self.b) || has(self.a)"}"#),
        ("", r#"{"rule":"self.a != 'x'"},{"rule":"!has(self.b) || has(self.a)"}"#),
    ] {
        let new = of_versions(&format!("{other}{}", rules(looser)));
        let found = diff(&old, &new, &Options::default()).findings;
        let of_stored: Vec<&Finding> = found.iter().filter(|it| it.stored.is_some()).collect();
        assert_eq!(of_stored.len(), 1, "{found:?}");
        assert_eq!(of_stored[0].class, Class::MayBreak, "{of_stored:?}");
        assert!(found.iter().any(|it| it.class <= Class::OnEdit), "{found:?}");
    }
}

#[test]
fn searches_where_rules_require_more_than_the_smallest_object_has() {
    let spec = |keywords: &str| {
        of_spec(&format!(
            r#"{{"type":"object","properties":{{"a":{{"type":"object","properties":{{"b":{{"type":"integer"}}}}}},
            "f":{{"type":"string"{keywords}}}}},
            "x-kubernetes-validations":[{{"rule":"has(self.a) && has(self.a.b) && self.a.b > 0"}}]}}"#
        ))
    };
    assert!(worst(&spec(""), &spec(r#","maxLength":2"#)).starts_with("breaking"));
}

/// The server fills in defaults before it counts which alternatives an object matches.
#[test]
fn a_default_changes_what_junctors_and_rules_around_it_count() {
    let spec = |default: &str, keywords: &str| {
        of_spec(&format!(
            r#"{{"type":"object","properties":{{"a":{{"type":"object","properties":{{
            "b":{{"type":"string"{default}}},"c":{{"type":"string"}}}}{keywords}}}}}}}"#
        ))
    };
    let default = r#","default":"x""#;
    for keywords in [
        r#","oneOf":[{"required":["b"]},{"required":["c"]}]"#,
        r#","not":{"required":["b","c"]}"#,
        r#","not":{"required":["b"]}"#,
        r#","maxProperties":1"#,
        r#","x-kubernetes-validations":[{"rule":"has(self.b) != has(self.c)"}]"#,
        r#","x-kubernetes-validations":[{"rule":"!has(self.b) || !has(self.c) || self.b != self.c"}]"#,
    ] {
        let (old, new) = (spec("", keywords), spec(default, keywords));
        let found = worst(&old, &new);
        assert!(found.starts_with("breaking "), "{keywords}: {found}");
    }
}

/// The server checks the replicas that the subresource reads.
#[test]
fn a_new_subresource_scale_rejects_replicas() {
    let old = crd(r#"{"type":"integer"}"#);
    let mut new = old.clone();
    let scale = Scale {
        spec_replicas_path: ".spec.f".to_owned(),
        status_replicas_path: ".status.f".to_owned(),
        label_selector_path: None,
    };
    new.spec.versions[0].body.subresources = Some(Subresources { status: false, scale: Some(scale) });
    let report = diff(&old, &new, &Options::default());
    let [finding] = &*report.findings else { panic!("{report:?}") };
    assert_eq!(finding.message, "the subresource scale was added");
    assert_eq!(worst(&old, &new), r#"stuck {"f":-1} {"f":-1}"#);
    assert_eq!(worst(&new, &old), "breaking");
}

#[test]
fn combines_a_value_with_what_rules_and_junctors_require_next_to_it() {
    let spec = |image: &str| {
        of_spec(&format!(
            r#"{{"type":"object","required":["source"],"properties":{{"source":{{"type":"object","required":["type"],"properties":{{
            "type":{{"type":"string","enum":["Git","Image","None"]}},
            "git":{{"type":"object","required":["url"],"properties":{{"url":{{"type":"string"}}}}}},
            "image":{{"type":"object","required":["name"],"properties":{{"name":{{"type":"string"{image}}}}}}}}},
            "x-kubernetes-validations":[
            {{"rule":"self.type == 'Git' ? has(self.git) : !has(self.git)"}},
            {{"rule":"self.type == 'Image' ? has(self.image) : !has(self.image)"}}]}}}}}}"#
        ))
    };
    let found = worst(&spec(""), &spec(r#","maxLength":2"#));
    assert!(found.starts_with("breaking "), "{found}");
    // The field may be in either of two places.
    let either = |required: &str| {
        let part = r#""properties":{"a":{"type":"string"}}"#;
        of_spec(&format!(
            r#"{{"type":"object","required":["first"],"properties":{{"first":{{"type":"object",{required}{part}}},"second":{{"type":"object",{part}}}}},
            "x-kubernetes-validations":[{{"rule":"has(self.first.a) || has(self.second) && has(self.second.a)"}}]}}"#
        ))
    };
    let found = worst(&either(""), &either(r#""required":["a"],"#));
    assert!(found.starts_with("breaking "), "{found}");
}

#[test]
fn tries_texts_that_only_one_of_two_patterns_in_rules_matches() {
    let field = |pattern: &str| {
        crd(&format!(
            r#"{{"type":"array","maxItems":9,"items":{{"type":"string","maxLength":40}},
            "x-kubernetes-validations":[{{"rule":"self.all(x, x.matches('{pattern}'))"}}]}}"#
        ))
    };
    let found = worst(&field("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"), &field("^[a-z1-9]([-a-z0-9]*[a-z0-9])?$"));
    assert_eq!(found, r#"breaking {"f":["0"]}"#);
}

/// The server rejects each integer where a bound is a fraction.
#[test]
fn integers_with_a_fraction_as_bound_are_rejected() {
    let integer = |keywords: &str| crd(&format!(r#"{{"type":"integer"{keywords}}}"#));
    for (old, new) in [
        (r#","minimum":5"#, r#","minimum":4.5"#),
        (r#","maximum":5,"exclusiveMaximum":true"#, r#","maximum":4.5"#),
        (r#","multipleOf":1000,"minimum":0,"maximum":100"#, r#","maximum":4.5"#),
        (r#","multipleOf":3"#, r#","multipleOf":1.5"#),
        ("", r#","format":"int32","maximum":3000000000"#),
    ] {
        assert!(worst(&integer(old), &integer(new)).starts_with("breaking "), "{old} {new}");
        assert!(!worst(&integer(new), &integer(new)).starts_with("breaking"), "{new}");
    }
}

#[test]
fn tries_numbers_as_keys() {
    let field = |least: i64| {
        format!(
            r#"{{"type":"object","maxProperties":9,"additionalProperties":{{"type":"string"}},
            "x-kubernetes-validations":[{{"rule":"self.all(key, {least} < int(key))"}}]}}"#
        )
    };
    let (old, new) = (crd(&field(4710)), crd(&field(4711)));
    assert!(worst(&old, &new).starts_with(r#"breaking {"f":{"4711":"#), "{}", worst(&old, &new));
}

/// Each finding with its witness is rejected by its own change alone: `spec` in the witness, by the message of the finding.
fn witnesses(old: &Crd, new: &Crd) -> Vec<(String, Vec<String>, String)> {
    let report = diff(old, new, &Options { budget: 1000, ..Options::default() });
    let one = |finding: &Finding| {
        let witness = finding.proof.witness()?;
        let spec = witness.objects().last().and_then(|it| it.get("spec")).map(to_string);
        Some((finding.message.clone(), witness.words.clone(), spec.unwrap_or_default()))
    };
    report.findings.iter().filter_map(one).collect()
}

#[test]
fn a_witness_is_rejected_because_of_its_own_change() {
    let rule = |rule: &str| format!(r#"{{"rule":"{rule}"}}"#);
    for (old, new, expected) in [
        // Two keywords of one field.
        (
            r#"{"type":"string"}"#.to_owned(),
            r#"{"type":"string","maxLength":3,"pattern":"^[a-z]*$"}"#.to_owned(),
            vec![
                ("pattern was not set, now `^[a-z]*$`", "should match", r#"{"f":"A"}"#),
                ("maxLength was not set, now 3", "may not be more than 3", r#"{"f":"example"}"#),
            ],
        ),
        // Two rules of one field.
        (
            r#"{"type":"string"}"#.to_owned(),
            format!(
                r#"{{"type":"string","maxLength":30,"x-kubernetes-validations":[{},{}]}}"#,
                rule("self.size() < 5"),
                rule("!self.contains('7')")
            ),
            vec![
                ("maxLength was not set, now 30", "may not be more than 30", ""),
                ("the rule `self.size() < 5` was added", "self.size() < 5", r#"{"f":"aaaaa"}"#),
                ("the rule `!self.contains('7')` was added", "!self.contains('7')", r#"{"f":"7"}"#),
            ],
        ),
        // Two rules that reject all objects together.
        (
            r#"{"type":"object","properties":{"a":{"type":"string"}}}"#.to_owned(),
            format!(
                r#"{{"type":"object","properties":{{"a":{{"type":"string"}}}},"x-kubernetes-validations":[{},{}]}}"#,
                rule("has(self.a)"),
                rule("!has(self.a)")
            ),
            vec![
                ("the rule `has(self.a)` was added", ": has(self.a)", r#"{"f":{}}"#),
                ("the rule `!has(self.a)` was added", "!has(self.a)", r#"{"f":{"a":"example"}}"#),
            ],
        ),
    ] {
        let found = witnesses(&crd(&old), &crd(&new));
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for ((message, words, spec), (of, part, object)) in found.iter().zip(expected) {
            assert_eq!(message, of);
            assert!(words[0].contains(part), "{message}: {words:?}");
            if !object.is_empty() {
                assert_eq!((words.len(), spec.as_str()), (1, object), "{message}: {words:?}");
            }
        }
    }
}

#[test]
fn many_changes_that_fail_for_another_one_leave_objects_for_the_last() {
    let fields: Vec<String> =
        (0..90).map(|number| format!(r#""f{number:02}":{{"type":"string"}}"#)).collect();
    let old = crd(r#"{"type":"object","x-kubernetes-preserve-unknown-fields":true}"#);
    let new =
        crd(&format!(r#"{{"type":"object","required":["f00"],"properties":{{{}}}}}"#, fields.join(",")));
    let report = diff(&old, &new, &Options { budget: 1000, ..Options::default() });
    let without = report.findings.iter().filter(|it| it.class == Class::MayBreak).count();
    assert_eq!(without, 0);
}

#[test]
fn a_value_of_an_enum_is_rejected_because_of_a_pattern_in_all_of() {
    let old = crd(r#"{"type":"string","enum":["a","b"]}"#);
    let new = crd(r#"{"type":"string","enum":["a","b"],"allOf":[{"pattern":"a"}],"maxLength":9}"#);
    assert_eq!(worst(&old, &new), r#"breaking {"f":"b"}"#);
    // Another change, so that this one is taken back alone.
    let new = crd(
        r#"{"type":"string","enum":["a","b"],"allOf":[{"pattern":"a"}],"description":"x","default":"a"}"#,
    );
    assert_eq!(worst(&old, &new), r#"breaking {"f":"b"}"#);
}

/// All objects that break one of the changes break the other one, too.
#[test]
fn changes_that_reject_the_same_objects_have_witnesses() {
    let old = crd(r#"{"type":"integer"}"#);
    let new = crd(r#"{"type":"integer","maximum":9,"x-kubernetes-validations":[{"rule":"self < 10"}]}"#);
    let found = witnesses(&old, &new);
    let messages: Vec<&str> = found.iter().map(|(message, ..)| message.as_str()).collect();
    assert_eq!(messages, ["maximum was not set, now 9", "the rule `self < 10` was added"]);
    assert!(found[0].1[0].contains("less than or equal to 9"), "{found:?}");
    assert!(found[1].1[0].contains("self < 10"), "{found:?}");
}

#[test]
fn many_fields_that_become_required_each_have_a_witness_of_their_own() {
    let fields = |keywords: &str| -> Vec<String> {
        (0..60).map(|at| format!(r#""f{at:02}":{{"type":"string"{keywords}}}"#)).collect()
    };
    let names: Vec<String> = (0..60).map(|at| format!(r#""f{at:02}""#)).collect();
    let old = format!(r#"{{"type":"object","properties":{{{}}}}}"#, fields(r#","nullable":true"#).join(","));
    let (fields, names) = (fields("").join(","), names.join(","));
    let new = format!(r#"{{"type":"object","required":[{names}],"properties":{{{fields}}}}}"#);
    let found = witnesses(&of_spec(&old), &of_spec(&new));
    assert_eq!(found.len(), 120);
    for (message, words, _) in &found {
        assert_eq!(words.len(), 1, "{message}: {words:?}");
    }
}

#[test]
fn starts_from_what_rules_ask_of_required_texts() {
    for rule in [
        "self.name == 'primary'",
        "'primary' == self.name",
        "self.name in ['blue', 'green']",
        "self.name.size() == 12",
        "self.name.contains('/v2/')",
        "self.name.startsWith('s3://') && self.name.size() > 20",
        "self.name.matches('^v[0-9]+[.][0-9]+$')",
        "self.name.startsWith('a-') && self.name.endsWith('-z') && self.name.contains('mid')",
        "self.n == 4711 && self.name.size() == 3",
        "self.name != '1' && self.name != 'example'",
        "!(self.name == 'example')",
        "!(self.name in ['example', '1'] || self.n == 1)",
        "self.n != 1 && !(self.n < 100)",
        "!(size(self.name) <= 30)",
    ] {
        let spec = |keywords: &str| {
            of_spec(&format!(
                r#"{{"type":"object","required":["name","n"],"properties":{{"name":{{"type":"string","maxLength":99}},
                "n":{{"type":"integer"}},"f":{{"type":"string"{keywords}}}}},"x-kubernetes-validations":[{{"rule":"{rule}"}}]}}"#
            ))
        };
        let required = |crd: Crd| {
            let mut crd = crd;
            let schema =
                crd.spec.versions[0].body.schema.as_mut().and_then(|it| it.open_api_v3_schema.as_mut());
            schema.expect("a schema").limits.required.push("spec".to_owned());
            crd
        };
        let (old, new) = (required(spec("")), required(spec(r#","maxLength":2"#)));
        assert!(worst(&old, &new).starts_with("breaking "), "{rule}: {}", worst(&old, &new));
    }
}

#[test]
fn objects_have_no_more_fields_than_the_old_schema_lists() {
    let object = |fields: &str, most: &str| {
        crd(&format!(r#"{{"type":"object"{most},"properties":{{"a":{{"type":"string"}}{fields}}}}}"#))
    };
    let old = object("", "");
    for (field, expected) in [
        (r#","b":{"type":"string"}"#, "compatible"),
        (r#","b":{"type":"string","default":"x"}"#, r#"breaking {"f":{"a":"example"}}"#),
    ] {
        assert_eq!(worst(&old, &object(field, r#","maxProperties":1"#)), expected, "{field}");
    }
}

#[test]
fn repairs_what_rules_of_lists_ask_of_their_items() {
    let spec = |most: i64| {
        of_spec(&format!(
            r#"{{"type":"object","required":["terms"],"properties":{{
            "terms":{{"type":"array","maxItems":9,"items":{{"type":"object","properties":{{
            "id":{{"type":"string"}},"tags":{{"type":"object","additionalProperties":{{"type":"string"}}}}}}}},
            "x-kubernetes-validations":[{{"rule":"self.size() != 0"}},{{"rule":"self.all(x, has(x.tags) || has(x.id))"}},
            {{"rule":"!self.all(x, has(x.id) && has(x.tags))"}}]}},
            "f":{{"type":"array","maxItems":{most},"items":{{"type":"string"}}}}}}}}"#
        ))
    };
    let found = worst(&spec(9), &spec(2));
    assert!(found.starts_with("breaking "), "{found}");
}

/// The example of a number is 1.0, which is an integer as soon as it is written.
#[test]
fn whole_numbers_are_integers() {
    let spec = |ty: &str| {
        of_spec(&format!(
            r#"{{"type":"object","required":["a","b"],"properties":{{"a":{{"type":"{ty}"}},"b":{{"type":"{ty}"}}}},
            "x-kubernetes-validations":[{{"rule":"self.a <= self.b"}}]}}"#
        ))
    };
    assert_eq!(worst(&spec("number"), &spec("integer")), r#"stuck {"a":0.5,"b":1} {"a":0.5,"b":1}"#);
}

#[test]
fn items_of_a_set_differ_and_match_patterns() {
    let spec = |most: i64, keywords: &str| {
        crd(&format!(
            r#"{{"type":"array","maxItems":{most},"x-kubernetes-list-type":"set","items":{{"type":"string","maxLength":40{keywords}}}}}"#
        ))
    };
    for keywords in
        [r#","pattern":"^[a-z]+$""#, r#","x-kubernetes-validations":[{"rule":"self.matches('^[a-z]+$')"}]"#]
    {
        let found = worst(&spec(30, keywords), &spec(29, keywords));
        assert!(found.starts_with("breaking "), "{keywords}: {found}");
    }
}

/// The server fills in the default, and then rejects it.
#[test]
fn finds_another_value_than_a_default_that_a_rule_rejects() {
    for rule in [r#"self.name != \"\""#, r#"!(self.name == \"\")"#, "size(self.name) > 0"] {
        let spec = |keywords: &str| {
            crd(&format!(
                r#"{{"type":"object","properties":{{"name":{{"type":"string","default":""}},
                "namespace":{{"type":"string"{keywords}}}}},"x-kubernetes-validations":[{{"rule":"{rule}"}}]}}"#
            ))
        };
        let found = worst(&spec(""), &spec(r#","enum":["x"]"#));
        assert!(found.starts_with("breaking "), "{rule}: {found}");
    }
}

#[test]
fn a_rule_may_escape_names_of_fields() {
    let of = |rule: &str| {
        crd(&format!(
            r#"{{"type":"object","properties":{{"continue":{{"type":"boolean"}}}},"x-kubernetes-validations":[{{"rule":"{rule}"}}]}}"#
        ))
    };
    assert_eq!(worst(&of("!has(self.continue)"), &of("!has(self.__continue__)")), "nothing");
    let of = |rule: &str| {
        crd(&format!(
            r#"{{"type":"object","additionalProperties":{{"type":"string"}},"x-kubernetes-validations":[{{"rule":"{rule}"}}]}}"#
        ))
    };
    // Keys of maps are not escaped.
    assert_ne!(worst(&of("!has(self.continue)"), &of("!has(self.__continue__)")), "nothing");
}

#[test]
fn tries_items_of_unions_twice() {
    let list = |keywords: &str| {
        crd(&format!(
            r#"{{"type":"array","maxItems":9{keywords},"items":{{"type":"object","required":["type"],"properties":{{
            "type":{{"type":"string","enum":["Path","Cors"]}},"path":{{"type":"string"}},
            "cors":{{"type":"object","required":["origin"],"properties":{{"origin":{{"type":"string"}}}}}}}},
            "x-kubernetes-validations":[{{"rule":"has(self.path) == (self.type == 'Path')"}},
            {{"rule":"has(self.cors) == (self.type == 'Cors')"}}]}}}}"#
        ))
    };
    let rule = |rule: &str| format!(r#","x-kubernetes-validations":[{{"rule":"{rule}"}}]"#);
    for keywords in [
        rule("self.filter(f, f.type == 'Cors').size() <= 1"),
        r#","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["type"]"#.to_owned(),
    ] {
        let found = worst(&list(""), &list(&keywords));
        assert!(found.starts_with("breaking "), "{keywords}: {found}");
    }
    let texts = |keywords: &str| {
        crd(&format!(
            r#"{{"type":"array","maxItems":9{keywords},"items":{{"type":"string","maxLength":9}}}}"#
        ))
    };
    let found = worst(&texts(""), &texts(&rule("!('*' in self && self.size() > 1)")));
    assert_eq!(found, r#"breaking {"f":["*","*"]}"#);
    let set = r#","x-kubernetes-list-type":"set""#;
    let both = format!("{set}{}", rule("!('*' in self && self.size() > 1)"));
    let found = worst(&texts(set), &texts(&both));
    assert!(found.starts_with("breaking "), "{found}");
}

/// A rule about the old value says nothing about new objects.
#[test]
fn a_rule_of_updates_does_not_replace_one_of_all_requests() {
    let field = |rule: &str| {
        crd(&format!(r#"{{"type":"integer","x-kubernetes-validations":[{{"rule":"{rule}"}}]}}"#))
    };
    let (old, new) = (field("self > 5 && self >= oldSelf"), field("self > 5"));
    assert_eq!(worst(&old, &new), r#"breaking {"f":5}"#);
    assert_eq!(worst(&field("self > 5"), &field("self > 5 || self >= oldSelf")), "looser");
}

/// An object that breaks one of many rules is found among those near its own constants.
#[test]
fn each_of_many_rules_has_a_witness_of_its_own() {
    let spec = |of: &str| {
        let all = || 0..250;
        let fields: Vec<String> =
            all().map(|at| format!(r#""f{at}":{{"type":"string","maxLength":9}}"#)).collect();
        let rules: Vec<String> =
            all().map(|at| format!(r#"{{"rule":"!has(self.f{at}) || self.f{at} != '{of}{at}'"}}"#)).collect();
        of_spec(&format!(
            r#"{{"type":"object","properties":{{{}}},"x-kubernetes-validations":[{}]}}"#,
            fields.join(","),
            rules.join(",")
        ))
    };
    let found = witnesses(&spec("x"), &spec("y"));
    assert_eq!(found.len(), 250);
    for (message, words, _) in &found {
        assert_eq!(words.len(), 1, "{message}: {words:?}");
    }
}

#[test]
fn what_no_object_shows_may_break() {
    // No number is between the two bounds.
    let old = crd(r#"{"type":"integer","x-kubernetes-validations":[{"rule":"self < 10"}]}"#);
    let new = crd(r#"{"type":"integer","x-kubernetes-validations":[{"rule":"self - 1 < 9"}]}"#);
    assert_eq!(worst(&old, &new), "may-break");
}

#[test]
fn an_error_of_the_server_is_a_refusal() {
    let old = crd(r#"{"type":"integer"}"#);
    let mut new = old.clone();
    new.spec.scope = "Namespaced".to_owned();
    assert_eq!(diff(&old, &new, &Options::default()).verdict(), Class::Refused);
    assert_eq!(diff(&old, &old, &Options::default()).verdict(), Class::Compatible);
    // What the server has accepted once stays, also if it is not valid any more.
    let mut invalid = old.clone();
    invalid.spec.versions[0].body.schema = None;
    let unchanged = diff(&established(invalid.clone()), &invalid, &Options::default());
    assert_eq!(unchanged, Report::default());
}
