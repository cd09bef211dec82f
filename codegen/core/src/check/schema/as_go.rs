//! Schemas as the server shows them in messages: its internal type, with Go's names and with every
//! field, set or not.

use crate::ir::{
    Additional, Dependency, Empty, Extensions, ExternalDocs, Foreign, Items, Limits, Rule, Schema,
};
use crate::value::{Map, Value};

/// A schema.
pub fn schema(s: &Schema) -> Value {
    let Schema {
        ty: _,
        nullable,
        title,
        description,
        default,
        example,
        external_docs,
        properties,
        items: all_items,
        additional_properties,
        ext,
        rules,
        limits,
        foreign,
        empty,
    } = s;
    let Limits {
        format,
        maximum,
        exclusive_maximum,
        minimum,
        exclusive_minimum,
        multiple_of,
        max_length,
        min_length,
        pattern,
        max_items,
        min_items,
        unique_items,
        max_properties,
        min_properties,
        required,
        enumeration,
        all_of,
        any_of,
        one_of,
        not,
    } = limits;
    let Extensions {
        preserve_unknown_fields,
        embedded_resource,
        int_or_string,
        list_type,
        list_map_keys,
        map_type,
        unions: _, // the server has none
    } = ext;
    let none = Foreign::default();
    let Foreign {
        id,
        schema: url,
        reference,
        pattern_properties,
        dependencies,
        additional_items,
        definitions,
    } = foreign.as_deref().unwrap_or(&none);
    [
        ("ID", id.as_str().into()),
        ("Schema", url.as_str().into()),
        ("Ref", or_null(reference.as_deref())),
        ("Description", description.as_str().into()),
        ("Type", s.type_name().into()),
        ("Nullable", Value::from(*nullable)),
        ("Format", format.as_str().into()),
        ("Title", title.as_str().into()),
        ("Default", default.clone().unwrap_or_default()),
        ("Maximum", or_null(*maximum)),
        ("ExclusiveMaximum", Value::from(*exclusive_maximum)),
        ("Minimum", or_null(*minimum)),
        ("ExclusiveMinimum", Value::from(*exclusive_minimum)),
        ("MaxLength", or_null(*max_length)),
        ("MinLength", or_null(*min_length)),
        ("Pattern", pattern.as_str().into()),
        ("MaxItems", or_null(*max_items)),
        ("MinItems", or_null(*min_items)),
        ("UniqueItems", Value::from(*unique_items)),
        ("MultipleOf", or_null(*multiple_of)),
        ("Enum", list(empty.has("enum"), enumeration, Value::clone)),
        ("MaxProperties", or_null(*max_properties)),
        ("MinProperties", or_null(*min_properties)),
        ("Required", list(empty.has("required"), required, |r| r.as_str().into())),
        ("Items", items(all_items.as_ref(), *empty)),
        ("AllOf", list(empty.has("allOf"), all_of, schema)),
        ("OneOf", list(empty.has("oneOf"), one_of, schema)),
        ("AnyOf", list(empty.has("anyOf"), any_of, schema)),
        ("Not", not.as_deref().map_or(Value::Null, schema)),
        ("Properties", map(empty.has("properties"), properties, schema)),
        ("AdditionalProperties", additional(additional_properties.as_ref())),
        ("PatternProperties", map(empty.has("patternProperties"), pattern_properties, schema)),
        ("Dependencies", map(empty.has("dependencies"), dependencies, dependency)),
        ("AdditionalItems", additional(additional_items.as_ref())),
        ("Definitions", map(empty.has("definitions"), definitions, schema)),
        ("ExternalDocs", external_docs.as_ref().map_or(Value::Null, docs)),
        ("Example", example.clone().unwrap_or_default()),
        ("XPreserveUnknownFields", or_null(*preserve_unknown_fields)),
        ("XEmbeddedResource", Value::from(*embedded_resource)),
        ("XIntOrString", Value::from(*int_or_string)),
        ("XListMapKeys", list(empty.has("x-kubernetes-list-map-keys"), list_map_keys, |k| k.as_str().into())),
        ("XListType", or_null(list_type.as_deref())),
        ("XMapType", or_null(map_type.as_deref())),
        ("XValidations", list(empty.has("x-kubernetes-validations"), rules, rule)),
    ]
    .into_iter()
    .collect::<Map<Value>>()
    .into()
}

/// `items`
pub(super) fn items(items: Option<&Items>, empty: Empty) -> Value {
    match items {
        None => Value::Null,
        Some(Items::One(one)) => object([("Schema", schema(one)), ("JSONSchemas", Value::Null)]),
        Some(Items::Many(many)) => {
            let many = list(empty.has("items"), many, schema);
            object([("Schema", Value::Null), ("JSONSchemas", many)])
        }
    }
}

/// One of `x-kubernetes-validations`.
pub fn rule(r: &Rule) -> Value {
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

fn additional(additional: Option<&Additional>) -> Value {
    let (allows, schema) = match additional {
        None => return Value::Null,
        Some(Additional::Allow(allows)) => (*allows, Value::Null),
        Some(Additional::Schema(s)) => (true, schema(s)),
    };
    object([("Allows", Value::from(allows)), ("Schema", schema)])
}

fn dependency(d: &Dependency) -> Value {
    let (schema, property) = match d {
        Dependency::Schema(s) => (schema(s), Value::Null),
        Dependency::Properties(names) => (Value::Null, list(true, names, |n| n.as_str().into())),
        Dependency::Nothing => (Value::Null, Value::Null),
    };
    object([("Schema", schema), ("Property", property)])
}

fn docs(ExternalDocs { description, url }: &ExternalDocs) -> Value {
    object([("Description", description.as_str().into()), ("URL", url.as_str().into())])
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    fields.into_iter().collect::<Map<Value>>().into()
}

fn or_null<T: Into<Value>>(value: Option<T>) -> Value {
    value.map_or(Value::Null, Into::into)
}

/// What is not there is a nil list or map in Go, which is `null`.
fn list<T>(is_there: bool, items: &[T], to_value: impl Fn(&T) -> Value) -> Value {
    if items.is_empty() && !is_there {
        Value::Null
    } else {
        Value::List(items.iter().map(to_value).collect())
    }
}

fn map<T>(is_there: bool, entries: &Map<T>, to_value: impl Fn(&T) -> Value) -> Value {
    if entries.is_empty() && !is_there {
        return Value::Null;
    }
    entries.iter().map(|(name, value)| (name, to_value(value))).collect::<Map<Value>>().into()
}
