//! Makes CRDs smaller without changing what they mean.

use super::{definition, with_schema};
use crdgen_core::check;
use crdgen_core::descriptions::limit_all;
use crdgen_core::ir::{Crd, Schema};
use crdgen_core::size::{applied, fit_annotation, report};
use crdgen_core::value::{Map, Value};
use crdgen_core::{decode, encode, json};
use crdgen_tests::corpus;
use crdgen_tests::oracle::or_skip;

/// Counts bytes as in kubectl's copy: HTML is escaped, `annotations` is present, and a line break follows.
#[test]
fn the_copy_that_kubectl_keeps() {
    let crd = definition(&with_schema("{type: object, description: 'a < b & c'}"));
    let text = json::to_html_safe(&encode::crd(&crd));
    let kept = text.replace(r#""metadata":{"#, r#""metadata":{"annotations":{},"#) + "\n";
    assert_eq!(applied(&crd).bytes, kept.len());
    assert_eq!(applied(&crd).room, 262_144 - "kubectl.kubernetes.io/last-applied-configuration".len());
}

/// Returns a CRD with a root, a middle and a leaf, each with a description of `n` bytes.
fn three(n: usize) -> Crd {
    let text = "x".repeat(n);
    definition(&with_schema(&format!(
        "{{type: object, description: {text}, properties: {{spec: {{type: object, description: {text}, properties: \
         {{a: {{type: string, description: {text}}}, b: {{type: string, description: short}}}}}}}}}}"
    )))
}

#[test]
fn the_deepest_and_longest_go_first() {
    let paths = |crd: &Crd| {
        let schema = crd.spec.schema_of(0).unwrap_or_else(|| panic!("no schema"));
        let at = |schema: &Schema, name: &str| schema.properties.get(name).cloned().unwrap_or_default();
        let spec = at(schema, "spec");
        [schema, &spec, &at(&spec, "a"), &at(&spec, "b")].map(|s| !s.description.is_empty())
    };
    for (n, left, removed) in [
        (50_000, [true, true, true, true], 0),
        (100_000, [true, true, false, true], 1),
        (200_000, [true, false, false, false], 3),
        (300_000, [false, false, false, false], 4),
    ] {
        let mut crd = three(n);
        let fit = fit_annotation(&mut crd);
        assert_eq!((paths(&crd), fit.removed), (left, removed), "{n}");
        assert!(fit.after.is_small_enough());
        assert_eq!(fit.after, applied(&crd));
    }
}

#[test]
fn removes_all_descriptions_if_that_is_not_enough() {
    let names: Vec<String> =
        (0..3000).map(|i| format!("n{i:0100}: {{type: string, description: short}}")).collect();
    let mut crd =
        definition(&with_schema(&format!("{{type: object, properties: {{{}}}}}", names.join(", "))));
    let fit = fit_annotation(&mut crd);
    assert!(!fit.after.is_small_enough());
    assert_eq!(fit.removed, 3000);
}

/// If all versions share a schema, they still do afterwards: a server rejects selectable fields of all versions if the
/// schemas of the versions differ.
#[test]
fn versions_with_one_schema_keep_it() {
    let text = "x".repeat(100_000);
    let schema = format!(
        "{{type: object, properties: {{a: {{type: string, description: {text}}}, b: {{type: string, description: {text}}}}}}}"
    );
    let fields = "    selectableFields: [{jsonPath: .a}]\n";
    let second = format!(
        "  - name: v2\n    served: true\n    storage: false\n    schema: {{openAPIV3Schema: {schema}}}\n"
    );
    let mut crd = definition(&(with_schema(&schema) + fields + &second + fields));
    let errors = |crd: &Crd| check::create(crd, &check::Options::default()).errors;
    assert_eq!(errors(&crd), []);
    let fit = fit_annotation(&mut crd);
    assert_eq!((fit.after.is_small_enough(), fit.removed), (true, 2));
    assert_eq!(errors(&crd), []);
    assert_eq!(crd.spec.schema_of(0), crd.spec.schema_of(1));
}

#[test]
fn a_report_names_the_biggest_parts() {
    let text = report(&three(100_000));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "crontabs.example.com: 300588 bytes; more than the 262096 that `kubectl apply` allows",
            "   300189 bytes,  300013 of descriptions   v1",
            "   200132 bytes,  200011 of descriptions     .spec",
            "   100034 bytes,  100002 of descriptions       .a",
        ]
    );
}

/// CRDs that are too large even without descriptions. Everything else in them is checked, so it cannot be removed.
const HOPELESS: [&str; 1] = ["applicationsets.argoproj.io.yaml"];

/// Every CRD that is too large becomes small enough, and only its descriptions change.
#[test]
fn the_corpus_becomes_small_enough() {
    let Some(seeds) = corpus::shared_crds() else {
        return crdgen_tests::skip("definitions::size", "no shared corpus; set $CRDGEN_CORPUS");
    };
    let (mut count, mut requests) = (0, Vec::new());
    // The YAML is longer than the JSON because of its indentation.
    for seed in seeds.into_iter().filter(|s| s.text.len() > 200_000) {
        let (Some(crd), _) = decode::crd(seed.value) else { continue };
        if applied(&crd).is_small_enough() {
            continue;
        }
        count += 1;
        let mut fitted = crd.clone();
        let fit = fit_annotation(&mut fitted);
        let bare = |crd: &Crd| {
            let mut crd = crd.clone();
            limit_all(&mut crd, 0);
            crd
        };
        let hopeless = HOPELESS.iter().any(|name| seed.name.ends_with(name));
        assert_eq!(fit.after.is_small_enough(), !hopeless, "{}: {fit:?}", seed.name);
        assert!(bare(&fitted) == bare(&crd), "{} is another one", seed.name);
        let errors = |crd: &Crd| check::create(crd, &check::Options::default()).errors;
        assert_eq!(errors(&fitted), errors(&crd), "{}", seed.name);
        let request: Map<Value> =
            [("op", Value::from("crd")), ("crd", Value::Str(json::to_string(&encode::crd(&fitted))))]
                .into_iter()
                .collect();
        requests.push((seed.name, json::to_string(&request.into())));
    }
    assert!(count > 5, "only {count} definitions are too big");
    let Some(oracle) = or_skip("the server's answers in definitions::size") else { return };
    let texts: Vec<String> = requests.iter().map(|(_, text)| text.clone()).collect();
    let answers = oracle.ask(&texts, 1).unwrap_or_else(|e| panic!("{e}"));
    for ((name, _), answer) in requests.iter().zip(answers) {
        assert!(answer.contains(r#""valid":true"#), "{name}: {}", &answer[..answer.len().min(500)]);
    }
}
