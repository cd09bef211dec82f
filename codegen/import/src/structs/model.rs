//! The decisions that `import` makes before it writes any code: modules, types and fields, and the attributes for
//! everything that the Rust types do not express by themselves.

use std::hash::{Hash, Hasher};

use super::options::Options;
use crate::value::Value;

/// The plan of the generated code.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// All named types. Modules refer to them by index.
    pub types: Vec<TypeDef>,
    /// The modules in order, with `shared` modules first.
    pub modules: Vec<Module>,
    /// The schemas that have no Rust type of their own.
    pub fallbacks: Vec<Fallback>,
    /// The names from [`Options::names`](super::Options::names) that no type got: there is no such path or name, it
    /// belongs to a kind, or the name is already used.
    pub unused_names: Vec<String>,
    /// The keys among them that are neither a path nor a name, each with the nearest existing one.
    pub unknown_names: Vec<(String, Option<String>)>,
}

/// A module of the generated code.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The path from the root of the generated code, such as `["cert_manager_io", "v1"]`.
    pub path: Vec<String>,
    /// The text of the module's documentation.
    pub docs: String,
    /// The API group; empty for the root's `shared`.
    pub group: String,
    /// The names of the kinds that the module defines, sorted.
    pub kinds: Vec<String>,
    /// The types that are defined in it, sorted by name within each kind.
    pub types: Vec<TypeId>,
    /// The types that the module imports from `shared` modules: how many modules up, and which types.
    pub imports: Vec<(usize, Vec<TypeId>)>,
}

/// An index into [`Plan::types`].
pub type TypeId = usize;

/// A named type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeDef {
    /// The name of the type, which is set once all types are known.
    pub name: String,
    /// The description, which is set once all uses are known.
    pub docs: String,
    /// The form of the type.
    pub body: Body,
    /// The keywords of the schema that the body does not express.
    pub keywords: Vec<Keyword>,
    /// The CRD around the type, if the type is the root of a kind.
    pub root: Option<Box<Root>>,
}

/// The form of a named type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// An object with properties.
    Struct(Struct),
    /// A string with a fixed set of values.
    Enum(Enum),
    /// An object that has exactly one of some properties.
    Union(Union),
    /// An integer or a string.
    IntOrString {
        /// Whether the schema has the pattern of quantities.
        quantity: bool,
    },
}

/// An object with properties.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Struct {
    /// The fields, sorted by property name.
    pub fields: Vec<Field>,
    /// What the struct keeps in addition to its fields.
    pub rest: Rest,
    /// Whether the struct has `rename_all = "camelCase"`, because this saves attributes on its fields.
    pub camel_case: bool,
    /// The [`Union`] that is flattened into the fields, if exactly one of some further properties must be set.
    pub choice: Option<TypeId>,
}

/// What a struct keeps in addition to its fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rest {
    /// Nothing, because the server drops unknown fields.
    #[default]
    None,
    /// Unknown fields, because the schema preserves them.
    Preserved,
    /// The fields `apiVersion`, `kind` and `metadata` of an embedded resource, which the schema need not list.
    Embedded,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// The name of the property.
    pub property: String,
    /// The name of the Rust field. Raw identifiers are without `r#`.
    pub ident: String,
    /// Whether the property is required.
    pub required: bool,
    /// Whether the field only contains data that the schema does not name.
    pub unnamed: bool,
    /// The type of the field.
    pub usage: Use,
}

impl Field {
    /// Whether the objects that clients send may lack the property: it is optional, or the schema has a default.
    /// (kopium ignores defaults.)
    pub(super) fn may_be_absent(&self, options: &Options) -> bool {
        !self.required || !options.kopium && self.usage.keywords.iter().any(|k| k.key == "default")
    }

    /// Whether `null` is another value than an absent property. kopium does not distinguish them. Neither do the types for
    /// server-side apply if the value is an object: who applies a part of it needs the partner of its type.
    pub(super) fn has_null(&self, options: &Options) -> bool {
        let is_same = options.kopium || options.apply && matches!(self.usage.ty, Ty::Named(_));
        self.usage.nullable && self.may_be_absent(options) && !is_same
    }
}

/// An object that has exactly one of some properties, and no others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Union {
    /// One field per property, in the order of the schema. Its identifier is the name of the variant.
    pub variants: Vec<Field>,
}

/// A string with a fixed set of values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Enum {
    /// The identifier and the string of each variant, in the order of the schema.
    pub variants: Vec<(String, String)>,
    /// The index of the variant that is the default at every use that has a default.
    pub default: Option<usize>,
}

/// A type where it is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Use {
    /// The type.
    pub ty: Ty,
    /// Whether `null` is allowed.
    pub nullable: bool,
    /// The description at this use.
    pub description: String,
    /// The keywords of the schema at this use that the type does not express.
    pub keywords: Vec<Keyword>,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// `bool`
    Bool,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `serde_json::Number`, which distinguishes 1 from 1.0, or `f64` on request.
    Number,
    /// `String`
    String,
    /// A point in time, if the options choose another type than `String` for it.
    Time,
    /// Any JSON: `serde_json::Value`
    Json,
    /// Any JSON object: `serde_json::Map<String, serde_json::Value>`
    JsonObject,
    /// The metadata of a whole object for kube-rs: `ObjectMeta`, which is never absent.
    ObjectMeta,
    /// A list.
    List(Box<Use>),
    /// A map with strings as keys.
    Map(Box<Use>),
    /// A named type.
    Named(TypeId),
    /// A type of the crate `k8s_openapi`, by its name in [`k8s`](crate::k8s).
    Kubernetes(&'static str),
}

/// One key of a `#[schema(…)]` attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Keyword {
    /// The name of the key.
    pub key: &'static str,
    /// The argument of the key.
    pub arg: Arg,
}

/// The argument of a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Arg {
    /// No argument: `key`
    Flag,
    /// `key = json`
    Json(Json),
    /// `key(key…)`
    Nested(Vec<Keyword>),
    /// `key("name", json)`
    Named(String, Json),
    /// `key("path", key…)`
    At(String, Vec<Keyword>),
}

/// A JSON value that can be compared and hashed. Floats are compared by their bits.
#[derive(Clone, Debug)]
pub struct Json(pub Value);

impl PartialEq for Json {
    fn eq(&self, other: &Json) -> bool {
        same(&self.0, &other.0)
    }
}

impl Eq for Json {}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|((k, a), (l, b))| k == l && same(a, b))
        }
        (a, b) => a == b,
    }
}

impl Hash for Json {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(&self.0, state);
    }
}

fn hash<H: Hasher>(value: &Value, state: &mut H) {
    std::mem::discriminant(value).hash(state);
    match value {
        Value::Null => {}
        Value::Bool(b) => b.hash(state),
        Value::Int(i) => i.hash(state),
        Value::Float(f) => f.to_bits().hash(state),
        Value::Str(s) => s.hash(state),
        Value::List(items) => {
            items.len().hash(state);
            items.iter().for_each(|v| hash(v, state));
        }
        Value::Map(members) => {
            members.len().hash(state);
            for (k, v) in members.iter() {
                k.hash(state);
                hash(v, state);
            }
        }
    }
}

/// The CRD around a root type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Root {
    /// The name of the kind.
    pub kind: String,
    /// The keys of `kube(…)`.
    pub kube: Vec<Keyword>,
    /// The keys of `schema(root(…))`: what the schema of the root has in addition to `spec` and `status`.
    pub schema: Vec<Keyword>,
    /// The type of `status`, if it is a type of its own.
    pub status: Option<TypeId>,
}

/// A schema for which there is no Rust type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fallback {
    /// The version, kind and path, such as `v1 Widget.spec.size`.
    pub place: String,
    /// Why there is no type.
    pub reason: &'static str,
}

impl Keyword {
    /// Returns the keyword `key`.
    pub fn flag(key: &'static str) -> Keyword {
        Keyword { key, arg: Arg::Flag }
    }

    /// Returns the keyword `key = json`.
    pub fn json(key: &'static str, value: impl Into<Value>) -> Keyword {
        Keyword { key, arg: Arg::Json(Json(value.into())) }
    }

    /// Returns the keyword `key(key…)`.
    pub fn nested(key: &'static str, inner: Vec<Keyword>) -> Keyword {
        Keyword { key, arg: Arg::Nested(inner) }
    }
}

impl Root {
    /// Whether `kube(…)` has this key without a value.
    pub(super) fn has(&self, key: &str) -> bool {
        self.kube.iter().any(|k| k.key == key && k.arg == Arg::Flag)
    }

    /// Returns the text of a key of `kube(…)`.
    pub(super) fn text(&self, key: &str) -> &str {
        let found = self.kube.iter().find(|k| k.key == key);
        match found.map(|k| &k.arg) {
            Some(Arg::Json(Json(Value::Str(text)))) => text,
            Some(Arg::Json(_) | Arg::Flag | Arg::Nested(_) | Arg::Named(..) | Arg::At(..)) | None => "",
        }
    }
}

impl Struct {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.rest == Rest::None && self.choice.is_none()
    }
}

impl Ty {
    /// Returns the type of the items of a list or the values of a map.
    pub(super) fn inner(&self) -> Option<&Use> {
        match self {
            Ty::List(inner) | Ty::Map(inner) => Some(inner),
            Ty::Bool
            | Ty::I32
            | Ty::I64
            | Ty::Number
            | Ty::String
            | Ty::Time
            | Ty::Json
            | Ty::JsonObject
            | Ty::ObjectMeta
            | Ty::Named(_)
            | Ty::Kubernetes(_) => None,
        }
    }
}

impl Use {
    /// Returns a use of a type without any description or keywords.
    pub fn of(ty: Ty) -> Use {
        Use { ty, nullable: false, description: String::new(), keywords: Vec::new() }
    }
}
