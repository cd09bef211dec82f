//! JSON Schema from schemars, converted to structural form: `tests/schemars/cases.txt` contains schemas and documents,
//! and `cases.out` the results. `UPDATE=1` writes the results again.

use crdgen::{CustomResource, Schema, Schemars};
use crdgen_core::object::validate::Validator;
use crdgen_core::path::Path;
use crdgen_core::recipe::json_schema::read as reader;
use crdgen_core::value::Value;
use crdgen_core::{encode, json, recipe};
use std::fmt::Write;

fn read(text: &str) -> Value {
    json::read(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Returns the server's errors for a CRD with this schema.
fn refused(schema: &crdgen::ir::Schema) -> Vec<String> {
    let mut crd = Plain::crd();
    let body = &mut crd.spec.versions[0].body;
    if let Some(root) = body.schema.as_mut().and_then(|s| s.open_api_v3_schema.as_mut()) {
        root.properties.insert("f", schema.clone());
    }
    crdgen::check(&crd).errors.iter().map(|e| e.text()).collect()
}

#[derive(CustomResource, Clone, Debug, Schema, serde::Deserialize, serde::Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Plain")]
struct PlainSpec {}

#[test]
fn cases() {
    let folder = crdgen_tests::corpus::tests_dir().join("schemars");
    let text = std::fs::read_to_string(folder.join("cases.txt")).expect("the cases");
    let (mut out, mut documents) = (String::new(), 0);
    for case in text.split("\n## ").skip(1) {
        let (name, body) = case.split_once('\n').expect("a name and more");
        let (schema, docs) = body.split_once('\n').unwrap_or((body, ""));
        let (linked, diags) = recipe::link_node(&reader::read("Case", &read(schema)));
        let _ = writeln!(out, "## {name}");
        for diag in &diags {
            let _ = writeln!(out, "error[{}]: {}: {}", diag.code.id, diag.field, diag.detail);
            let _ = writeln!(out, "  = help: {}", diag.help.as_deref().unwrap_or_default());
        }
        if !diags.is_empty() {
            out.push('\n');
            assert!(docs.trim().is_empty(), "{name}: documents for what has no schema");
            continue;
        }
        let _ = writeln!(out, "{}\n", json::to_string(&encode::schema(&linked.schema)));
        assert_eq!(refused(&linked.schema), Vec::<String>::new(), "{name}");
        let judge = jsonschema::options()
            .should_validate_formats(true)
            .build(&serde_json::from_str(schema).expect("JSON"))
            .ok();
        let validator = Validator::new(&linked.schema, crdgen_core::server::Server::NEWEST);
        for line in docs.lines().filter(|l| !l.trim().is_empty()) {
            documents += 1;
            let (is_match, doc) = (line.starts_with("+ "), &line[2..]);
            if let Some(judge) = &judge {
                let judged = judge.is_valid(&serde_json::from_str(doc).expect("JSON"));
                assert!(
                    judged == is_match || schema.contains("x-kubernetes-int-or"),
                    "{name}: {line}: the judge says {judged}"
                );
            }
            let found = validator.validate(&read(doc), &Path::ROOT);
            let texts: Vec<String> = found.iter().map(|d| d.text()).collect();
            assert_eq!(
                texts.is_empty(),
                is_match,
                "{name}: {line}: {texts:?}\n{}",
                json::to_string(&encode::schema(&linked.schema))
            );
        }
    }
    assert!(documents > 80, "{documents} documents");
    let golden = folder.join("cases.out");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&golden, &out).expect("written");
    }
    let there = std::fs::read_to_string(&golden).unwrap_or_default();
    assert!(there == out, "differs from {}: run with UPDATE=1 and look", golden.display());
}

/// Truncated and damaged schemas cause no panic, whatever they contain.
#[test]
fn nothing_panics() {
    let text = include_str!("../../schemars/cases.txt");
    let schemas: Vec<&str> = text.split("\n## ").skip(1).filter_map(|c| c.lines().nth(1)).collect();
    let words = ["null", "true", "3", "\"$ref\"", "[]", "{}", "\"#\"", "\"object\"", "[{}]"];
    let mut read_ones = 0;
    for (i, schema) in schemas.iter().enumerate() {
        let tokens: Vec<usize> =
            schema.char_indices().filter(|(_, c)| "\"[{:,".contains(*c)).map(|(i, _)| i).collect();
        for (n, &at) in tokens.iter().enumerate() {
            let word = words[(i + n) % words.len()];
            let end = schema[at + 1..].find([',', '}', ']', ':']).map_or(schema.len(), |e| at + 1 + e);
            let bent = format!("{}{word}{}", &schema[..at], &schema[end..]);
            for bent in [bent, format!("{}{word}{}", &schema[..=at], &schema[end..])] {
                if let Ok(value) = json::read(bent.as_bytes()) {
                    read_ones += 1;
                    let _ = recipe::link_node(&reader::read("Bent", &value));
                }
            }
        }
    }
    assert!(read_ones > 200, "{read_ones}");
}

mod theirs {
    use schemars::JsonSchema;

    /// A type whose schema comes from schemars.
    #[derive(Clone, Debug, JsonSchema, serde::Deserialize, serde::Serialize)]
    pub(super) struct Foreign {
        pub(super) name: String,
        pub(super) size: Option<u16>,
        pub(super) way: Way,
    }

    #[derive(Clone, Debug, JsonSchema, serde::Deserialize, serde::Serialize)]
    #[serde(tag = "by")]
    pub(super) enum Way {
        Foot,
        Bus { line: String },
    }

    #[derive(Clone, Debug, JsonSchema, serde::Deserialize, serde::Serialize)]
    pub(super) struct Tree {
        pub(super) kids: Vec<Tree>,
    }

    pub(super) fn even(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "multipleOf": 2 })
    }

    pub(super) fn foreign(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<Foreign>()
    }

    pub(super) fn conditional(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object", "if": { "required": ["a"] }, "then": false })
    }
}

crdgen::from_schemars!(theirs::Way);

#[derive(CustomResource, Clone, Debug, Schema, serde::Deserialize, serde::Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Mixed")]
struct MixedSpec {
    #[schema(as = "Schemars<theirs::Foreign>")]
    foreign: theirs::Foreign,
    way: Vec<theirs::Way>,
    #[schemars(schema_with = "theirs::even")]
    #[schema(minimum = 2)]
    even: i64,
    #[schemars(schema_with = "theirs::foreign")]
    made: Option<theirs::Foreign>,
    #[schemars(schema_with = "ours")]
    ours: String,
}

fn ours() -> crdgen::ir::Schema {
    crdgen::ir::Schema::of(crdgen::ir::Type::String)
}

#[derive(CustomResource, Clone, Debug, Schema, serde::Deserialize, serde::Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Bad")]
#[schema(test = false)]
struct BadSpec {
    #[schema(as = "Schemars<theirs::Tree>")]
    tree: theirs::Tree,
    #[schemars(schema_with = "theirs::conditional")]
    conditional: serde_json::Value,
}

/// Types and functions in a program give their schema to a CRD.
#[test]
fn in_a_program() {
    let crd = json::to_string(&encode::crd(&Mixed::crd()));
    let spec = read(&crd);
    let spec = ["spec", "versions"].iter().fold(&spec, |v, k| v.get(k).expect("it is there"));
    let schema = spec.as_list().expect("a list")[0].get("schema").expect("a schema");
    let properties =
        schema.get("openAPIV3Schema").and_then(|s| s.get("properties")?.get("spec")?.get("properties"));
    let properties = properties.and_then(Value::as_map).expect("properties");
    let text = |name: &str| json::to_string(properties.get(name).expect("a property"));
    assert_eq!(text("even"), r#"{"minimum":2,"multipleOf":2,"type":"integer"}"#);
    assert_eq!(text("ours"), r#"{"type":"string"}"#);
    assert!(
        text("foreign").contains(
            r#""size":{"format":"int32","maximum":65535,"minimum":0,"nullable":true,"type":"integer"}"#
        ),
        "{}",
        text("foreign")
    );
    assert!(text("made").contains(r#""by":{"enum":["Foot","Bus"],"type":"string"}"#), "{}", text("made"));
    assert!(text("way").contains(r#""by":{"enum":["Foot","Bus"]"#), "{}", text("way"));
}

/// A schema without a structural form is an error with the type's name and the place.
#[test]
fn in_words() {
    let problems = Bad::definition().expect_err("it has no definition").to_string();
    let has = |text: &str| assert!(problems.contains(text), "{problems}");
    has(".spec.tree.kids[]: the schemars schema of `Tree` has no structural form");
    has("contains itself");
    has("theirs::conditional` has no structural form: it uses `if`");
}

/// Converts in both directions: the JSON Schema of a schema is read back as the same schema.
#[track_caller]
fn back(schema: &crdgen::ir::Schema, name: &str) -> serde_json::Value {
    let written = crdgen_core::recipe::json_schema::write::json_schema(schema);
    let (linked, diags) = recipe::link_node(&reader::read(name, &written));
    let problems: Vec<&str> = diags.iter().map(|d| d.detail.as_str()).collect();
    let text = json::to_string(&written);
    assert!(problems.is_empty(), "{name}: {problems:?}");
    let (wanted, found) =
        (json::to_string(&encode::schema(schema)), json::to_string(&encode::schema(&linked.schema)));
    if wanted != found {
        // The first difference.
        let at = wanted.bytes().zip(found.bytes()).take_while(|(a, b)| a == b).count();
        let around = |text: &str| {
            String::from_utf8_lossy(&text.as_bytes()[at.saturating_sub(300)..text.len().min(at + 300)])
                .into_owned()
        };
        panic!("{name}:\n{}\n{}", around(&wanted), around(&found));
    }
    serde_json::from_str(&text).expect("JSON")
}

/// For each type of the matrix, validators of JSON Schema accept what serde writes.
#[test]
fn of_types() {
    let mut values = 0;
    for (number, kind) in super::matrix::fields().iter().enumerate() {
        let crd = (kind.definition)().unwrap_or_else(|p| panic!("{}: {p}", kind.about));
        let spec = crd.spec.schema_of(0).and_then(|s| s.properties.get("spec")).expect("a spec");
        let schema = back(spec, kind.about);
        let judge = jsonschema::validator_for(&schema).unwrap_or_else(|e| panic!("{}: {e}", kind.about));
        let spec = serde_json::from_str(&json::to_string(&encode::schema(spec))).expect("JSON");
        let mut rng = crdgen_tests::rng::Rng::of_case(11, number as u64);
        for _ in 0..20 {
            let value = super::serde_matrix::instance(&spec, &mut rng, 0);
            if let Ok(written) = (kind.round)(&value) {
                values += 1;
                assert!(judge.is_valid(&written), "{}: {written} against {schema}", kind.about);
            }
        }
    }
    assert!(values > 2000, "{values} values");
}

/// The same for each CRD of the corpus.
#[test]
fn of_definitions() {
    let Some(seeds) = crdgen_tests::corpus::shared_crds() else {
        return crdgen_tests::skip("rust::schemars::of_definitions", "no shared corpus; set $CRDGEN_CORPUS");
    };
    let mut count = 0;
    for seed in seeds {
        let (Some(crd), _) = crdgen_core::decode::crd(seed.value) else { continue };
        for version in 0..crd.spec.versions.len() {
            let Some(schema) = crd.spec.schema_of(version) else { continue };
            // Formats that schemars uses for Rust's integers are read as those. A schema that a server would reject
            // cannot be converted back.
            let text = json::to_string(&encode::schema(schema));
            if !text.contains(r#""format":"uint"#)
                && crdgen_core::check::create(&crd, &Default::default()).errors.is_empty()
            {
                count += 1;
                back(schema, &seed.name);
            }
        }
    }
    assert!(count > 200, "{count} schemas");
}

mod both {
    use super::theirs;
    use crdgen::JsonSchema;
    use serde::{Deserialize, Serialize};
    use std::borrow::Cow;

    /// A type of ours, under our trait's name.
    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    #[serde(tag = "kind")]
    pub(super) enum Shape {
        Circle { radius: u32 },
        Square { side: Option<u32>, corner: Pair<Corner> },
    }

    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    pub(super) enum Corner {
        Round,
        Sharp,
    }

    /// A type of ours that has their trait only because it requests this.
    #[derive(Clone, Debug, Deserialize, Serialize, crdgen::Schema)]
    #[schema(schemars)]
    pub(super) struct Pair<T> {
        pub(super) first: T,
        #[schema(exclusive_minimum = 0)]
        pub(super) second: Option<i32>,
    }

    /// A type of ours without their trait.
    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    #[schema(schemars = false)]
    pub(super) struct Alone {
        pub(super) names: Vec<String>,
    }

    impl schemars::JsonSchema for Alone {
        fn schema_name() -> Cow<'static, str> {
            "Alone".into()
        }

        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            schemars::json_schema!({ "type": "string" })
        }
    }

    /// A type of theirs with ours inside.
    #[derive(Clone, Debug, Deserialize, schemars::JsonSchema, Serialize)]
    pub(super) struct Around {
        pub(super) shape: Shape,
        pub(super) shapes: Option<Vec<Shape>>,
        pub(super) one: Pair<Corner>,
        pub(super) two: Pair<String>,
        pub(super) alone: Alone,
    }

    /// An impl by hand. It was written for schemars, when the name meant its trait.
    pub(super) struct Even;

    impl JsonSchema for Even {
        fn schema_name() -> Cow<'static, str> {
            "Even".into()
        }

        fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
            _ = generator.subschema_for::<theirs::Foreign>();
            schemars::json_schema!({ "type": "integer", "multipleOf": 2 })
        }
    }

    pub(super) struct Holds;

    impl JsonSchema for Holds {
        fn schema_name() -> Cow<'static, str> {
            "Holds".into()
        }

        fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
            generator.subschema_for::<Vec<Shape>>()
        }
    }

    /// Says nothing.
    pub(super) struct Silent;

    impl JsonSchema for Silent {}

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is wanted")]
    pub(super) struct Tuple {
        pub(super) pair: (i32, Alone),
    }
}

fn schema_of<T: Schema + ?Sized>() -> String {
    let (linked, diags) = recipe::link_type::<T>();
    assert!(diags.is_empty(), "{diags:?}");
    json::to_string(&encode::schema(&linked.schema))
}

/// Types of ours inside of theirs, and the other way round.
#[test]
fn types_of_both() {
    let around = read(&schema_of::<Schemars<both::Around>>());
    let text =
        |name: &str| json::to_string(around.get("properties").expect("some").get(name).expect("a field"));
    assert_eq!(text("shape"), schema_of::<both::Shape>());
    let list = schema_of::<Vec<both::Shape>>();
    assert_eq!(text("shapes"), list.replace(r#""type":"array"}"#, r#""nullable":true,"type":"array"}"#));
    assert_eq!(text("one"), schema_of::<both::Pair<both::Corner>>());
    assert_eq!(text("two"), schema_of::<both::Pair<String>>());
    assert_eq!(text("alone"), r#"{"type":"string"}"#);
    assert_eq!(schema_of::<both::Even>(), r#"{"multipleOf":2,"type":"integer"}"#);
    assert_eq!(schema_of::<both::Holds>(), schema_of::<Vec<both::Shape>>());
    assert_eq!(recipe::link_type::<both::Silent>().1.len(), 1);
    // Validators accept what serde writes.
    let schema = schemars::schema_for!(both::Around);
    let judge = jsonschema::validator_for(schema.as_value()).expect("a schema");
    let document = serde_json::json!({
        "shape": { "kind": "Square", "side": null, "corner": { "first": "Round", "second": null } },
        "shapes": null,
        "one": { "first": "Sharp", "second": 1 },
        "two": { "first": "a", "second": 2 },
        "alone": "x"
    });
    assert!(judge.is_valid(&document), "{schema:?}");
    let mut wrong = document.clone();
    wrong["one"]["second"] = 0.into();
    assert!(!judge.is_valid(&wrong), "{schema:?}");
    // A type without a structural schema accepts anything, and its description explains why.
    let tuple = schemars::schema_for!(both::Tuple);
    assert!(tuple.get("$comment").is_some_and(|c| c.to_string().contains("a tuple of different types")));
}

/// Functions and impls that do nothing but write a schema.
#[derive(CustomResource, Clone, Debug, Schema, serde::Deserialize, serde::Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Written")]
struct WrittenSpec {
    #[schemars(schema_with = "theirs::even")]
    even: i64,
    #[schemars(schema_with = "Color::list")]
    colors: Vec<Color>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<Color>,
}

#[derive(Clone, Debug, serde::Deserialize, serde::Serialize)]
struct Color(String);

impl Color {
    fn list(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        serde_json::from_value(serde_json::json!({
            "type": "array",
            "items": { "type": "string", "maxLength": 7 },
            "x-kubernetes-list-type": "set",
        }))
        .unwrap()
    }
}

impl crdgen::JsonSchema for Color {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Color".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^#" })
    }
}

/// The source route reads them with the same result as the program.
#[test]
fn in_the_source() {
    let path = crdgen_tests::corpus::tests_dir().join("tests/rust/schemars.rs");
    let read = |kind: &str| {
        let options = crdgen::source::Options {
            path: path.clone(),
            kinds: vec![kind.to_owned()],
            ..crdgen::source::Options::default()
        };
        crdgen::source::read(&options).unwrap_or_else(|e| panic!("{e}"))
    };
    let written = read("Written");
    assert!(!written.has_errors(), "{}", crdgen::source::render(&written.found));
    assert_eq!(encode::crd(&written.crds[0]), encode::crd(&Written::crd()));
    // Schemas that code computes are not guessed.
    let mixed = crdgen::source::render(&read("Mixed").found);
    assert!(mixed.contains("crdgen cannot evaluate `theirs::foreign` without running code"), "{mixed}");
    assert!(!mixed.contains("theirs::even"), "{mixed}");
}
