//! Compares the table of keywords with the code that uses it.

use super::{definition, with_schema};
use crdgen_core::check::{self, Options};
use crdgen_core::decode;
use crdgen_core::encode;
use crdgen_core::ir::{About, Keyword, KeywordValue, Position, Schema};
use crdgen_core::json;
use crdgen_core::value::{Map, Value};
use crdgen_rust::attrs::FAMILIES;

/// Returns a value for a keyword, as JSON, and the keywords that it needs next to it.
fn sample(keyword: Keyword) -> (&'static str, &'static str) {
    match keyword {
        Keyword::Title | Keyword::Description => (r#""a""#, r#""type":"string""#),
        Keyword::Type => (r#""string""#, ""),
        Keyword::Nullable => ("true", r#""type":"string""#),
        Keyword::Default | Keyword::Example => (r#""a""#, r#""type":"string""#),
        Keyword::ExternalDocs => (r#"{"url":"https://example.com"}"#, r#""type":"string""#),
        Keyword::Properties => (r#"{"a":{"type":"string"}}"#, r#""type":"object""#),
        Keyword::Items => (r#"{"type":"string"}"#, r#""type":"array""#),
        Keyword::AdditionalProperties => (r#"{"type":"string"}"#, r#""type":"object""#),
        Keyword::PreserveUnknownFields => ("true", r#""type":"object""#),
        Keyword::EmbeddedResource => {
            ("true", r#""type":"object","x-kubernetes-preserve-unknown-fields":true"#)
        }
        Keyword::IntOrString => ("true", ""),
        Keyword::ListType => (r#""set""#, r#""type":"array","items":{"type":"string"}"#),
        Keyword::ListMapKeys => (
            r#"["a"]"#,
            r#""type":"array","x-kubernetes-list-type":"map","items":{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}"#,
        ),
        Keyword::MapType => (r#""atomic""#, r#""type":"object""#),
        Keyword::Format => (r#""date""#, r#""type":"string""#),
        Keyword::Minimum | Keyword::Maximum | Keyword::MultipleOf => ("3", r#""type":"integer""#),
        Keyword::ExclusiveMinimum => ("true", r#""type":"integer","minimum":3"#),
        Keyword::ExclusiveMaximum => ("true", r#""type":"integer","maximum":3"#),
        Keyword::MinLength | Keyword::MaxLength => ("3", r#""type":"string""#),
        Keyword::Pattern => (r#""^a$""#, r#""type":"string""#),
        Keyword::MinItems | Keyword::MaxItems => ("3", r#""type":"array","items":{"type":"string"}"#),
        Keyword::UniqueItems => ("true", r#""type":"array","items":{"type":"string"}"#),
        Keyword::MinProperties | Keyword::MaxProperties => ("3", r#""type":"object""#),
        Keyword::Required => (r#"["a"]"#, r#""type":"object","properties":{"a":{"type":"string"}}"#),
        Keyword::Enum => (r#"["a"]"#, r#""type":"string""#),
        Keyword::AllOf | Keyword::AnyOf | Keyword::OneOf => (r#"[{"minLength":3}]"#, r#""type":"string""#),
        Keyword::Not => (r#"{"minLength":3}"#, r#""type":"string""#),
        Keyword::Validations => (r#"[{"rule":"self != 'a'"}]"#, r#""type":"string","maxLength":3"#),
        Keyword::Unions => {
            (r#"[{"fields":{"a":"A"}}]"#, r#""type":"object","properties":{"a":{"type":"string"}}"#)
        }
        Keyword::Id | Keyword::SchemaUrl | Keyword::Ref => (r##""#/a""##, r#""type":"string""#),
        Keyword::PatternProperties | Keyword::Definitions => {
            (r#"{"a":{"type":"string"}}"#, r#""type":"object""#)
        }
        Keyword::Dependencies => (r#"{"a":["b"]}"#, r#""type":"object""#),
        Keyword::AdditionalItems => (r#"{"type":"string"}"#, r#""type":"array","items":{"type":"string"}"#),
    }
}

fn read(text: &str) -> Value {
    json::read(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {}", e.text))
}

fn value_of(keyword: Keyword) -> Value {
    read(sample(keyword).0)
}

fn schema_of(keyword: Keyword) -> Schema {
    let document: Map<Value> = [(keyword.name(), value_of(keyword))].into_iter().collect();
    decode::schema(Value::Map(document)).0.unwrap_or_else(|| panic!("{keyword:?} is not read"))
}

#[test]
fn each_is_read_stored_copied_written_and_removed() {
    for keyword in Keyword::ALL.iter().copied() {
        assert_eq!(Keyword::of(keyword.name()), Some(keyword));
        let mut schema = schema_of(keyword);
        let value: Vec<Keyword> =
            Keyword::ALL.iter().copied().filter(|other| schema.get(*other).is_some()).collect();
        assert_eq!(value, [keyword], "the keywords that have a value after one is set");
        let mut copy = Schema::default();
        copy.copy(keyword, &schema);
        assert_eq!(copy, schema, "{keyword:?}");
        let written = encode::schema(&schema).get(keyword.name()).cloned();
        let author = keyword.position() == Position::Author;
        assert_eq!(written, (!author).then(|| value_of(keyword)), "{keyword:?}");
        schema.remove(keyword);
        assert_eq!(schema.get(keyword), None, "{keyword:?}");
    }
}

#[test]
fn attributes_name_each_once() {
    for keyword in Keyword::ALL.iter().copied() {
        let can_stand = keyword.position() != Position::Nowhere && keyword.position() != Position::Author;
        assert_eq!(keyword.key().is_some(), can_stand, "{keyword:?}");
        if let Some(key) = keyword.key() {
            assert_eq!(Keyword::of_key(key), Some(keyword));
            // Properties are set one by one, with `property("name", …)`.
            let key = if keyword == Keyword::Properties { "property" } else { key };
            let is_listed = FAMILIES
                .iter()
                .any(|(family, keys)| *family == "schema" && keys.iter().any(|k| k.name == key));
            assert!(is_listed, "no attribute says `{key}`");
        }
    }
}

/// Returns the errors of a CRD with a property that has this schema.
fn errors(schema: &str) -> Vec<String> {
    let text = with_schema(&format!("{{type: object, properties: {{p: {schema}}}}}"));
    let report = check::create(&definition(&text), &Options::default());
    report.errors.iter().map(|d| d.text()).collect()
}

/// The table lists where a keyword may be used, and the checks agree.
#[test]
fn each_is_used_where_the_checks_allow_it() {
    // Servers only accept `uniqueItems: false`, which has no effect.
    let judged = |k: &Keyword| k.position() != Position::Author && *k != Keyword::UniqueItems;
    for keyword in Keyword::ALL.iter().copied().filter(judged) {
        let (value, with_it) = sample(keyword);
        let name = keyword.name();
        let comma = if with_it.is_empty() { "" } else { "," };
        let at_node = errors(&format!("{{{with_it}{comma}{name:?}:{value}}}"));
        assert_eq!(at_node.is_empty(), keyword.position() != Position::Nowhere, "{name}: {at_node:?}");
        if keyword.position() == Position::Nowhere {
            continue;
        }
        // The keywords that this one needs are outside of the junctor.
        let outside = if with_it.is_empty() { r#""type":"string""# } else { with_it };
        let in_junctor = errors(&format!("{{{outside},\"allOf\":[{{{name:?}:{value}}}]}}"));
        let at = format!("allOf[0].{name}: Forbidden");
        let forbidden = in_junctor.iter().any(|e| e.contains(&at));
        assert_eq!(forbidden, keyword.position() == Position::OutsideJunctors, "{name}: {in_junctor:?}");
    }
}

/// A bound applies to values of one type, and ignores values of other types.
#[test]
fn counts_and_numbers_are_about_one_type() {
    for keyword in Keyword::ALL.iter().copied() {
        let schema = schema_of(keyword);
        if let Some(KeywordValue::Number(_) | KeywordValue::Count(_)) = schema.get(keyword) {
            assert_ne!(keyword.about(), About::All, "{keyword:?}");
        }
    }
}
