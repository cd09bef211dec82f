//! A CRD that cannot be decoded is rejected, with all reasons at once and their places.

use super::{CRON_TAB, definition, with_schema};
use crdgen_core::diag::Diags;
use crdgen_core::path::{Path, Step};
use crdgen_core::{decode, yaml};

fn diags(text: &str) -> (bool, Diags) {
    let document = yaml::read_one(text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    let (crd, diags) = decode::crd(document.value);
    (crd.is_some(), diags)
}

/// Returns the reasons, one per line.
fn reasons(text: &str) -> Vec<String> {
    diags(text).1.iter().map(|d| format!("{}: {}", d.field, d.detail)).collect()
}

#[test]
fn all_reasons_at_once() {
    let text = with_schema(
        "
type: object
properties:
  a: {type: 5, maxLength: x, nullable: \"true\", minimum: {}, enum: {}}
  b: [1]
  c: {maxItems: 1.5, additionalProperties: 1, items: 7}
",
    );
    let at = "spec.versions[0].schema.openAPIV3Schema.properties";
    let mut found = reasons(&text);
    found.sort();
    assert_eq!(
        found,
        [
            format!("{at}.a.enum: expected a list, found an object"),
            format!("{at}.a.maxLength: expected a whole number, found the string \"x\""),
            format!("{at}.a.minimum: expected a number, found an object"),
            format!("{at}.a.nullable: expected a boolean, found the string \"true\""),
            format!("{at}.a.type: expected a string, found the number 5"),
            format!("{at}.b: expected an object, found a list"),
            format!("{at}.c.additionalProperties: expected a boolean or a schema, found the number 1"),
            format!("{at}.c.maxItems: expected a whole number of 64 bits, found the number 1.5"),
        ]
        .map(|s| s.replace("found the number 1.5", "found 1.5"))
    );
}

#[test]
fn numbers_as_the_server_reads_them() {
    let port = |port: &str| {
        let conversion = format!(
            "  conversion: {{strategy: Webhook, webhook: {{conversionReviewVersions: [v1], clientConfig: {{service: \
             {{name: a, namespace: b, port: {port}}}}}}}}}\n"
        );
        diags(&format!("{}{conversion}", with_schema("type: object"))).0
    };
    for (text, good) in [
        ("443", true),
        ("443.0", true),
        ("0x1bb", true),
        ("null", true),
        ("443.5", false),
        ("\"443\"", false),
        ("2147483648", false),
        ("true", false),
    ] {
        assert_eq!(port(text), good, "{text}");
    }
}

#[test]
fn unknown_fields_have_places_and_proposals() {
    let text = with_schema("{type: object, Properties: {}, items: {tpye: string}, foo: 1}");
    let (read, diags) = diags(&text);
    assert!(read, "unknown fields are no reason not to read");
    let found: Vec<_> =
        diags.iter().map(|d| (d.detail.as_str(), d.help.as_deref().unwrap_or_default())).collect();
    assert_eq!(
        found[0],
        (
            "unknown field \"spec.versions[0].schema.openAPIV3Schema.Properties\"",
            "did you mean `properties`?"
        )
    );
    assert_eq!(found[1].0, "unknown field \"spec.versions[0].schema.openAPIV3Schema.foo\"");
    assert_eq!(found.len(), 2, "nothing is looked for below items");
    let last = Step::Key("Properties".to_owned());
    assert_eq!(diags[0].steps.last(), Some(&last));
}

#[test]
fn other_kinds() {
    for (text, why) in [
        ("kind: Pod", "kind: kind is \"Pod\""),
        ("KIND: Pod", "kind: kind is \"Pod\""),
        ("apiVersion: v1", "apiVersion: apiVersion is \"v1\""),
        ("kind: 5", "kind: expected a string, found the number 5"),
        ("[]", "<nil>: expected an object, found a list"),
    ] {
        assert_eq!(reasons(text), [why], "{text}");
    }
    assert!(diags("").0, "nothing is an empty definition of v1");
}

/// The depth of nesting is limited, so that a thread with a stack of the usual size can read and check every CRD.
#[test]
fn deep_schemas() {
    let nested = |depth: usize| {
        let inner = (0..depth).fold("{\"type\":\"string\"}".to_owned(), |inner, _| {
            format!("{{\"type\":\"object\",\"properties\":{{\"a\":{inner}}}}}")
        });
        CRON_TAB.trim_end().to_owned() + " " + &inner
    };
    let work = move || {
        let (crd, diags) = diags(&nested(95));
        assert!(diags.is_empty(), "{diags:?}");
        let crd = crd.then(|| definition(&nested(95))).expect("it was read");
        let report = crdgen_core::check::create(&crd, &crdgen_core::check::Options::default());
        assert!(report.is_accepted(), "{:?}", report.errors);
        let (read, found) = self::diags(&nested(150));
        assert!(!read);
        assert_eq!(found.len(), 1, "said once");
        assert!(found[0].detail.contains("levels deep"), "{}", found[0].detail);
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work);
    thread.expect("a thread").join().expect("no overflow");
}

#[test]
fn paths_of_hoisted_parts_lead_to_the_version() {
    let text = with_schema(
        "{type: object, properties: {spec: {type: string, nullable: true, maximum: 1, uniqueItems: true}}}",
    );
    let crd = definition(&text);
    let report = crdgen_core::check::create(&crd, &crdgen_core::check::Options::default());
    let diag = report.errors.first().expect("uniqueItems is forbidden");
    assert!(diag.field.starts_with("spec.validation.openAPIV3Schema.properties[spec]"), "{}", diag.field);
    let versions = Path::ROOT.child("spec");
    assert!(
        diag.steps.starts_with(&versions.child("versions").index(0).child("schema").steps()),
        "{:?}",
        diag.steps
    );
}
