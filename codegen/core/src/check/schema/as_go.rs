//! Schemas as the server prints them in messages: its internal type, with Go's names and with every field, whether it
//! is set or not.

use crate::diag::BadValue;
use crate::ir::{Additional, Dependency, Empty, ExternalDocs, Items, Keyword, KeywordValue, Rule, Schema};
use crate::value::{Map, Value};

/// The value of a missing keyword in Go.
#[derive(Clone, Copy)]
enum Zero {
    /// A nil pointer, list or map.
    Null,
    /// The empty text.
    Text,
    /// `false`
    False,
}

/// The fields of the Go type, in order.
const FIELDS: &[(&str, Keyword, Zero)] = &[
    ("ID", Keyword::Id, Zero::Text),
    ("Schema", Keyword::SchemaUrl, Zero::Text),
    ("Ref", Keyword::Ref, Zero::Null),
    ("Description", Keyword::Description, Zero::Text),
    ("Type", Keyword::Type, Zero::Text),
    ("Nullable", Keyword::Nullable, Zero::False),
    ("Format", Keyword::Format, Zero::Text),
    ("Title", Keyword::Title, Zero::Text),
    ("Default", Keyword::Default, Zero::Null),
    ("Maximum", Keyword::Maximum, Zero::Null),
    ("ExclusiveMaximum", Keyword::ExclusiveMaximum, Zero::False),
    ("Minimum", Keyword::Minimum, Zero::Null),
    ("ExclusiveMinimum", Keyword::ExclusiveMinimum, Zero::False),
    ("MaxLength", Keyword::MaxLength, Zero::Null),
    ("MinLength", Keyword::MinLength, Zero::Null),
    ("Pattern", Keyword::Pattern, Zero::Text),
    ("MaxItems", Keyword::MaxItems, Zero::Null),
    ("MinItems", Keyword::MinItems, Zero::Null),
    ("UniqueItems", Keyword::UniqueItems, Zero::False),
    ("MultipleOf", Keyword::MultipleOf, Zero::Null),
    ("Enum", Keyword::Enum, Zero::Null),
    ("MaxProperties", Keyword::MaxProperties, Zero::Null),
    ("MinProperties", Keyword::MinProperties, Zero::Null),
    ("Required", Keyword::Required, Zero::Null),
    ("Items", Keyword::Items, Zero::Null),
    ("AllOf", Keyword::AllOf, Zero::Null),
    ("OneOf", Keyword::OneOf, Zero::Null),
    ("AnyOf", Keyword::AnyOf, Zero::Null),
    ("Not", Keyword::Not, Zero::Null),
    ("Properties", Keyword::Properties, Zero::Null),
    ("AdditionalProperties", Keyword::AdditionalProperties, Zero::Null),
    ("PatternProperties", Keyword::PatternProperties, Zero::Null),
    ("Dependencies", Keyword::Dependencies, Zero::Null),
    ("AdditionalItems", Keyword::AdditionalItems, Zero::Null),
    ("Definitions", Keyword::Definitions, Zero::Null),
    ("ExternalDocs", Keyword::ExternalDocs, Zero::Null),
    ("Example", Keyword::Example, Zero::Null),
    ("XPreserveUnknownFields", Keyword::PreserveUnknownFields, Zero::Null),
    ("XEmbeddedResource", Keyword::EmbeddedResource, Zero::False),
    ("XIntOrString", Keyword::IntOrString, Zero::False),
    ("XListMapKeys", Keyword::ListMapKeys, Zero::Null),
    ("XListType", Keyword::ListType, Zero::Null),
    ("XMapType", Keyword::MapType, Zero::Null),
    ("XValidations", Keyword::Validations, Zero::Null),
];

/// A schema.
pub(super) fn schema(s: &Schema) -> BadValue {
    BadValue::Struct(FIELDS.iter().map(|&(name, keyword, zero)| (name, field(s, keyword, zero))).collect())
}

fn field(s: &Schema, keyword: Keyword, zero: Zero) -> BadValue {
    let there = s.empty.has(keyword);
    match (keyword, s.get(keyword)) {
        (Keyword::Items, _) => items(s.items.as_ref(), s.empty),
        (Keyword::AdditionalProperties, _) => additional(s.additional_properties.as_ref()),
        (Keyword::AdditionalItems, _) => {
            additional(s.foreign.as_deref().and_then(|foreign| foreign.additional_items.as_ref()))
        }
        // An empty map differs from an empty list.
        (
            Keyword::Properties | Keyword::PatternProperties | Keyword::Definitions | Keyword::Dependencies,
            None,
        ) if there => BadValue::Map(Map::new()),
        (_, None) if there => BadValue::List(Vec::new()),
        (_, None) => match zero {
            Zero::Null => NULL,
            Zero::Text => "".into(),
            Zero::False => false.into(),
        },
        (_, Some(value)) => match value {
            KeywordValue::Flag(flag) => flag.into(),
            KeywordValue::Text(text) => text.into(),
            KeywordValue::Number(number) => BadValue::Json(number.into()),
            KeywordValue::Count(count) => BadValue::Json(count.into()),
            KeywordValue::Texts(texts) => list(texts, |text| text.as_str().into()),
            KeywordValue::Value(value) => value.clone().into(),
            KeywordValue::Values(values) => list(values, |value| value.clone().into()),
            KeywordValue::Schema(below) => schema(below),
            KeywordValue::Schemas(all) => list(all, schema),
            KeywordValue::Fields(fields) => map(fields, schema),
            KeywordValue::Dependencies(all) => map(all, dependency),
            KeywordValue::Rules(rules) => list(rules, rule),
            KeywordValue::Docs(it) => docs(it),
            // The server does not have this keyword.
            KeywordValue::Unions(_) => NULL,
        },
    }
}

/// `items`
pub(super) fn items(items: Option<&Items>, empty: Empty) -> BadValue {
    match items {
        None => NULL,
        Some(Items::One(one)) => object([("Schema", schema(one)), ("JSONSchemas", NULL)]),
        Some(Items::Many(many)) => {
            // A missing list is nil in Go, and prints as `null`.
            let is_missing = many.is_empty() && !empty.has(Keyword::Items);
            let many = if is_missing { NULL } else { list(many, schema) };
            object([("Schema", NULL), ("JSONSchemas", many)])
        }
    }
}

/// Returns a rule of `x-kubernetes-validations` as the server prints it.
pub fn rule(r: &Rule) -> BadValue {
    let Rule { rule, message, message_expression, reason, field_path, optional_old_self } = r;
    object([
        ("Rule", rule.as_str().into()),
        ("Message", message.as_str().into()),
        ("MessageExpression", message_expression.as_str().into()),
        ("Reason", or_null(reason.as_deref())),
        ("FieldPath", field_path.as_str().into()),
        ("OptionalOldSelf", or_null(*optional_old_self)),
    ])
}

fn additional(additional: Option<&Additional>) -> BadValue {
    let (allows, schema) = match additional {
        None => return NULL,
        Some(Additional::Allow(allows)) => (*allows, NULL),
        Some(Additional::Schema(s)) => (true, schema(s)),
    };
    object([("Allows", allows.into()), ("Schema", schema)])
}

fn dependency(d: &Dependency) -> BadValue {
    let (schema, property) = match d {
        Dependency::Schema(s) => (schema(s), NULL),
        Dependency::Properties(names) => (NULL, list(names, |n| n.as_str().into())),
        Dependency::Nothing => (NULL, NULL),
    };
    object([("Schema", schema), ("Property", property)])
}

fn docs(ExternalDocs { description, url }: &ExternalDocs) -> BadValue {
    object([("Description", description.as_str().into()), ("URL", url.as_str().into())])
}

const NULL: BadValue = BadValue::Plain(Value::Null);

fn object<const N: usize>(fields: [(&'static str, BadValue); N]) -> BadValue {
    BadValue::Struct(fields.into())
}

fn or_null<T: Into<Value>>(value: Option<T>) -> BadValue {
    value.map_or(NULL, |value| BadValue::Json(value.into()))
}

fn list<T>(items: &[T], to_value: impl Fn(&T) -> BadValue) -> BadValue {
    BadValue::List(items.iter().map(to_value).collect())
}

fn map<T>(entries: &Map<T>, to_value: impl Fn(&T) -> BadValue) -> BadValue {
    BadValue::Map(entries.iter().map(|(name, value)| (name, to_value(value))).collect())
}

#[cfg(test)]
mod tests {
    use super::FIELDS;
    use crate::ir::{Keyword, Position};

    #[test]
    fn every_keyword_of_a_server_has_a_field() {
        let is_there = |keyword: &Keyword| FIELDS.iter().any(|(_, field, _)| field == keyword);
        let missing: Vec<_> =
            Keyword::ALL.iter().filter(|k| k.position() != Position::Author && !is_there(k)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
