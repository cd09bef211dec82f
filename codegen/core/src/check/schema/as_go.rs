//! Schemas as the server shows them in messages: its internal type, with Go's names and with every
//! field, set or not.

use crate::diag::BadValue;
use crate::ir::{
    Additional, Dependency, Empty, Extensions, ExternalDocs, Foreign, Items, Limits, Rule, Schema,
};
use crate::value::{Map, Value};

/// A schema.
pub(super) fn schema(s: &Schema) -> BadValue {
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
    BadValue::Struct(vec![
        ("ID", id.as_str().into()),
        ("Schema", url.as_str().into()),
        ("Ref", or_null(reference.as_deref())),
        ("Description", description.as_str().into()),
        ("Type", s.type_name().into()),
        ("Nullable", (*nullable).into()),
        ("Format", format.as_str().into()),
        ("Title", title.as_str().into()),
        ("Default", default.clone().unwrap_or_default().into()),
        ("Maximum", or_null(*maximum)),
        ("ExclusiveMaximum", (*exclusive_maximum).into()),
        ("Minimum", or_null(*minimum)),
        ("ExclusiveMinimum", (*exclusive_minimum).into()),
        ("MaxLength", or_null(*max_length)),
        ("MinLength", or_null(*min_length)),
        ("Pattern", pattern.as_str().into()),
        ("MaxItems", or_null(*max_items)),
        ("MinItems", or_null(*min_items)),
        ("UniqueItems", (*unique_items).into()),
        ("MultipleOf", or_null(*multiple_of)),
        ("Enum", list(empty.has("enum"), enumeration, |e| e.clone().into())),
        ("MaxProperties", or_null(*max_properties)),
        ("MinProperties", or_null(*min_properties)),
        ("Required", list(empty.has("required"), required, |r| r.as_str().into())),
        ("Items", items(all_items.as_ref(), *empty)),
        ("AllOf", list(empty.has("allOf"), all_of, schema)),
        ("OneOf", list(empty.has("oneOf"), one_of, schema)),
        ("AnyOf", list(empty.has("anyOf"), any_of, schema)),
        ("Not", not.as_deref().map_or(NULL, schema)),
        ("Properties", map(empty.has("properties"), properties, schema)),
        ("AdditionalProperties", additional(additional_properties.as_ref())),
        ("PatternProperties", map(empty.has("patternProperties"), pattern_properties, schema)),
        ("Dependencies", map(empty.has("dependencies"), dependencies, dependency)),
        ("AdditionalItems", additional(additional_items.as_ref())),
        ("Definitions", map(empty.has("definitions"), definitions, schema)),
        ("ExternalDocs", external_docs.as_ref().map_or(NULL, docs)),
        ("Example", example.clone().unwrap_or_default().into()),
        ("XPreserveUnknownFields", or_null(*preserve_unknown_fields)),
        ("XEmbeddedResource", (*embedded_resource).into()),
        ("XIntOrString", (*int_or_string).into()),
        ("XListMapKeys", list(empty.has("x-kubernetes-list-map-keys"), list_map_keys, |k| k.as_str().into())),
        ("XListType", or_null(list_type.as_deref())),
        ("XMapType", or_null(map_type.as_deref())),
        ("XValidations", list(empty.has("x-kubernetes-validations"), rules, rule)),
    ])
}

/// `items`
pub(super) fn items(items: Option<&Items>, empty: Empty) -> BadValue {
    match items {
        None => NULL,
        Some(Items::One(one)) => object([("Schema", schema(one)), ("JSONSchemas", NULL)]),
        Some(Items::Many(many)) => {
            let many = list(empty.has("items"), many, schema);
            object([("Schema", NULL), ("JSONSchemas", many)])
        }
    }
}

/// One of `x-kubernetes-validations`.
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
        Dependency::Properties(names) => (NULL, list(true, names, |n| n.as_str().into())),
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

/// What is not there is a nil list or map in Go, which is `null`.
fn list<T>(is_there: bool, items: &[T], to_value: impl Fn(&T) -> BadValue) -> BadValue {
    if items.is_empty() && !is_there { NULL } else { BadValue::List(items.iter().map(to_value).collect()) }
}

fn map<T>(is_there: bool, entries: &Map<T>, to_value: impl Fn(&T) -> BadValue) -> BadValue {
    if entries.is_empty() && !is_there {
        return NULL;
    }
    BadValue::Map(entries.iter().map(|(name, value)| (name, to_value(value))).collect())
}
