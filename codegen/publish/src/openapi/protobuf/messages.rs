//! The messages of gnostic's `openapiv2/OpenAPIv2.proto` that the documents of Kubernetes need.

use crate::value::Value;

/// How a value becomes a message.
pub(super) enum Message {
    /// An object: the members that have fields, numbered from 1, and the field of its extensions.
    Members { fields: Fields, extensions: Option<u32> },
    /// An object whose members have any names.
    Map(Named),
    /// One of several fields.
    Either(fn(&Value) -> (u32, Type)),
}

/// A member with its type.
type Field = (&'static str, Type);
type Fields = &'static [Field];

/// The field of the members of a map.
pub(super) struct Named {
    pub(super) number: u32,
    pub(super) ty: Type,
    /// The field of the members whose names begin with `x-`, if it is another one.
    pub(super) extensions: Option<u32>,
}

/// The type of a field.
#[derive(Clone, Copy)]
pub(super) enum Type {
    Text,
    Bool,
    Int,
    Double,
    Texts,
    /// A value of any type.
    Any,
    Anys,
    One(&'static Message),
    Each(&'static Message),
}

use Type::{Any, Anys, Bool, Double, Each, Int, One, Text, Texts};

/// An object whose members have the names of users.
const fn map(ty: Type) -> Message {
    Message::Map(Named { number: 1, ty, extensions: None })
}

/// The fields of several messages in one.
const fn joined<const N: usize>(parts: &[Fields]) -> [Field; N] {
    let (mut all, mut count, mut part) = ([("", Any); N], 0, 0);
    while part < parts.len() {
        let mut field = 0;
        while field < parts[part].len() {
            all[count] = parts[part][field];
            (count, field) = (count + 1, field + 1);
        }
        part += 1;
    }
    assert!(count == N);
    all
}

/// An object with extensions, whose field follows those of its members.
const fn members(fields: Fields) -> Message {
    Message::Members { fields, extensions: Some(fields.len() as u32 + 1) }
}

fn is_reference(value: &Value) -> bool {
    value.get("$ref").is_some()
}

pub(super) static DOCUMENT: Message = members(&[
    ("swagger", Text),
    ("info", One(&INFO)),
    ("host", Text),
    ("basePath", Text),
    ("schemes", Texts),
    ("consumes", Texts),
    ("produces", Texts),
    ("paths", One(&PATHS)),
    ("definitions", One(&SCHEMAS)),
    ("parameters", One(&PARAMETERS)),
    ("responses", One(&RESPONSE_DEFINITIONS)),
    ("security", Each(&REQUIREMENT)),
    ("securityDefinitions", One(&SECURITY_DEFINITIONS)),
    ("tags", Each(&TAG)),
    ("externalDocs", One(&EXTERNAL_DOCS)),
]);

static INFO: Message = members(&[
    ("title", Text),
    ("version", Text),
    ("description", Text),
    ("termsOfService", Text),
    ("contact", One(&CONTACT)),
    ("license", One(&LICENSE)),
]);

static CONTACT: Message = members(&[("name", Text), ("url", Text), ("email", Text)]);
static LICENSE: Message = members(&[("name", Text), ("url", Text)]);
static TAG: Message =
    members(&[("name", Text), ("description", Text), ("externalDocs", One(&EXTERNAL_DOCS))]);
static EXTERNAL_DOCS: Message = members(&[("description", Text), ("url", Text)]);

static PATHS: Message = Message::Map(Named { number: 2, ty: One(&PATH_ITEM), extensions: Some(1) });

static PATH_ITEM: Message = members(&[
    ("$ref", Text),
    ("get", One(&OPERATION)),
    ("put", One(&OPERATION)),
    ("post", One(&OPERATION)),
    ("delete", One(&OPERATION)),
    ("options", One(&OPERATION)),
    ("head", One(&OPERATION)),
    ("patch", One(&OPERATION)),
    ("parameters", Each(&PARAMETERS_ITEM)),
]);

static OPERATION: Message = members(&[
    ("tags", Texts),
    ("summary", Text),
    ("description", Text),
    ("externalDocs", One(&EXTERNAL_DOCS)),
    ("operationId", Text),
    ("produces", Texts),
    ("consumes", Texts),
    ("parameters", Each(&PARAMETERS_ITEM)),
    ("responses", One(&RESPONSES)),
    ("schemes", Texts),
    ("deprecated", Bool),
    ("security", Each(&REQUIREMENT)),
]);

static PARAMETERS_ITEM: Message =
    Message::Either(|value| if is_reference(value) { (2, One(&REFERENCE)) } else { (1, One(&PARAMETER)) });

static REFERENCE: Message =
    Message::Members { fields: &[("$ref", Text), ("description", Text)], extensions: None };

static PARAMETERS: Message = map(One(&PARAMETER));

static PARAMETER: Message = Message::Either(|value| match value.get("in").and_then(Value::as_str) {
    Some("body") => (1, One(&BODY_PARAMETER)),
    _ => (2, One(&OTHER_PARAMETER)),
});

static BODY_PARAMETER: Message = members(&[
    ("description", Text),
    ("name", Text),
    ("in", Text),
    ("required", Bool),
    ("schema", One(&SCHEMA)),
]);

static OTHER_PARAMETER: Message = Message::Either(|value| match value.get("in").and_then(Value::as_str) {
    Some("header") => (1, One(&PATH_PARAMETER)),
    Some("formData") => (2, One(&QUERY_PARAMETER)),
    Some("query") => (3, One(&QUERY_PARAMETER)),
    _ => (4, One(&PATH_PARAMETER)),
});

/// Parameters in queries and forms, which can be empty.
static QUERY_PARAMETER: Message = members(&QUERY_FIELDS);
static QUERY_FIELDS: [Field; 22] = joined(&[PARAMETER_FIELDS, &[("allowEmptyValue", Bool)], VALUE_FIELDS]);

/// Parameters in paths and headers.
static PATH_PARAMETER: Message = members(&PATH_FIELDS);
static PATH_FIELDS: [Field; 21] = joined(&[PARAMETER_FIELDS, VALUE_FIELDS]);

static PRIMITIVE: Message = members(VALUE_FIELDS);

static PARAMETER_FIELDS: Fields = &[("required", Bool), ("in", Text), ("description", Text), ("name", Text)];

/// What values in paths, queries and headers may be.
static VALUE_FIELDS: Fields = &[
    ("type", Text),
    ("format", Text),
    ("items", One(&PRIMITIVE)),
    ("collectionFormat", Text),
    ("default", Any),
    ("maximum", Double),
    ("exclusiveMaximum", Bool),
    ("minimum", Double),
    ("exclusiveMinimum", Bool),
    ("maxLength", Int),
    ("minLength", Int),
    ("pattern", Text),
    ("maxItems", Int),
    ("minItems", Int),
    ("uniqueItems", Bool),
    ("enum", Anys),
    ("multipleOf", Double),
];

static RESPONSES: Message = Message::Map(Named { number: 1, ty: One(&RESPONSE_VALUE), extensions: Some(2) });
static RESPONSE_DEFINITIONS: Message = map(One(&RESPONSE));

static RESPONSE_VALUE: Message =
    Message::Either(|value| if is_reference(value) { (2, One(&REFERENCE)) } else { (1, One(&RESPONSE)) });

/// Without the headers, which Kubernetes does not describe.
static RESPONSE: Message = Message::Members {
    fields: &[("description", Text), ("schema", One(&RESPONSE_SCHEMA))],
    extensions: Some(5),
};

static RESPONSE_SCHEMA: Message = Message::Either(|_| (1, One(&SCHEMA)));

static REQUIREMENT: Message = map(One(&TEXTS));
static TEXTS: Message = Message::Either(|_| (1, Texts));

static SECURITY_DEFINITIONS: Message = map(One(&SECURITY));

/// Kubernetes has no OAuth.
static SECURITY: Message = Message::Either(|value| match value.get("type").and_then(Value::as_str) {
    Some("basic") => (1, One(&BASIC)),
    _ => (2, One(&API_KEY)),
});

static BASIC: Message = members(&[("type", Text), ("description", Text)]);
static API_KEY: Message = members(&[("type", Text), ("name", Text), ("in", Text), ("description", Text)]);

static SCHEMAS: Message = map(One(&SCHEMA));

static SCHEMA: Message = members(&[
    ("$ref", Text),
    ("format", Text),
    ("title", Text),
    ("description", Text),
    ("default", Any),
    ("multipleOf", Double),
    ("maximum", Double),
    ("exclusiveMaximum", Bool),
    ("minimum", Double),
    ("exclusiveMinimum", Bool),
    ("maxLength", Int),
    ("minLength", Int),
    ("pattern", Text),
    ("maxItems", Int),
    ("minItems", Int),
    ("uniqueItems", Bool),
    ("maxProperties", Int),
    ("minProperties", Int),
    ("required", Texts),
    ("enum", Anys),
    ("additionalProperties", One(&SCHEMA_OR_BOOL)),
    ("type", One(&TEXTS)),
    ("items", One(&ITEMS)),
    ("allOf", Each(&SCHEMA)),
    ("properties", One(&SCHEMAS)),
    ("discriminator", Text),
    ("readOnly", Bool),
    ("xml", One(&XML)),
    ("externalDocs", One(&EXTERNAL_DOCS)),
    ("example", Any),
]);

static SCHEMA_OR_BOOL: Message = Message::Either(|value| match value {
    Value::Bool(_) => (2, Bool),
    _ => (1, One(&SCHEMA)),
});

static ITEMS: Message = Message::Either(|_| (1, One(&SCHEMA)));

static XML: Message =
    members(&[("name", Text), ("namespace", Text), ("prefix", Text), ("attribute", Bool), ("wrapped", Bool)]);
