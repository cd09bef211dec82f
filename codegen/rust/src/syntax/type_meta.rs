//! The schemas of `apiVersion`, `kind` and `metadata` that generators write at the root of nearly every CRD. They are
//! too long to repeat on every type, so they have names: `type_meta = "go"`.

use crate::ir::{Schema, Type};

/// The properties that every root object has.
pub const NAMES: [&str; 3] = ["apiVersion", "kind", "metadata"];

const API_VERSION: [&str; 4] = [
    "APIVersion defines the versioned schema of this representation of an object.",
    "Servers should convert recognized schemas to the latest internal value, and",
    "may reject unrecognized values.",
    "More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources",
];

const KIND: [&str; 5] = [
    "Kind is a string value representing the REST resource this object represents.",
    "Servers may infer this from the endpoint the client submits requests to.",
    "Cannot be updated.",
    "In CamelCase.",
    "More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds",
];

/// The names of all forms: the current output of controller-gen, its older output without line breaks, and schemas
/// with only a type.
pub const FORMS: [&str; 3] = ["go", "go-single-line", "plain"];

/// Returns the schemas of `apiVersion`, `kind` and `metadata` in a form.
pub fn find(form: &str) -> Option<[(&'static str, Schema); 3]> {
    let (api_version, kind) = match form {
        "go" => (API_VERSION.join("\n"), KIND.join("\n")),
        "go-single-line" => (API_VERSION.join(" "), KIND.join(" ")),
        "plain" => (String::new(), String::new()),
        _ => return None,
    };
    let text = |description| Schema { description, ..Schema::of(Type::String) };
    let [a, k, m] = NAMES;
    Some([(a, text(api_version)), (k, text(kind)), (m, Schema::of(Type::Object))])
}

/// Returns the form in which a schema contains `apiVersion`, `kind` and `metadata`. `None` if they have no known form.
pub fn form_of(schema: &Schema) -> Option<&'static str> {
    FORMS.into_iter().find(|form| {
        find(form).is_some_and(|all| all.iter().all(|(n, s)| schema.properties.get(n) == Some(s)))
    })
}
