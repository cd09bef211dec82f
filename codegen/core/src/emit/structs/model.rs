//! The decisions that `import` makes before it writes any code: modules, types and fields, and the attributes for
//! everything that the Rust types do not express by themselves.

use std::hash::{Hash, Hasher};

use super::options::Options;
use crate::value::Value;

/// Everything that is to be written.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// All named types; the modules point into them.
    pub types: Vec<TypeDef>,
    /// The modules in order: `shared` ones first.
    pub modules: Vec<Module>,
    /// What has no Rust form of its own.
    pub fallbacks: Vec<Fallback>,
    /// Those of the user's own names that are given to nothing: there is no such path or name, it belongs to a
    /// kind, or the name is taken.
    pub unused_names: Vec<String>,
    /// Those of them that are neither a path nor a name, with the nearest ones.
    pub unknown_names: Vec<(String, Option<String>)>,
}

/// A module of the generated code.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Its path from the root of the generated code, such as `["cert_manager_io", "v1"]`.
    pub path: Vec<String>,
    /// What its documentation says.
    pub docs: String,
    /// The API group; empty for the root's `shared`.
    pub group: String,
    /// The kinds it defines, by name.
    pub kinds: Vec<String>,
    /// The types that are defined in it, sorted by name within each kind.
    pub types: Vec<TypeId>,
    /// The types it takes from `shared` modules: how many modules up, then which.
    pub imports: Vec<(usize, Vec<TypeId>)>,
}

/// An index into [`Plan::types`].
pub type TypeId = usize;

/// A named type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeDef {
    /// Its name, set once all types are known.
    pub name: String,
    /// Its description, set once all uses are known.
    pub docs: String,
    /// What it is.
    pub body: Body,
    /// What its schema has beyond what the body says.
    pub keywords: Vec<Keyword>,
    /// The definition around it, if it is the root of a kind.
    pub root: Option<Box<Root>>,
}

/// What a named type is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// An object with properties.
    Struct(Struct),
    /// Some strings.
    Enum(Enum),
    /// An object that has exactly one of some properties.
    Union(Union),
    /// Integer or string.
    IntOrString {
        /// With the pattern of quantities.
        quantity: bool,
    },
}

/// An object with properties.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Struct {
    /// By property name.
    pub fields: Vec<Field>,
    /// What it keeps besides.
    pub rest: Rest,
    /// The `rename_all` of its fields, if one saves attributes.
    pub camel_case: bool,
    /// Exactly one of further properties is set: the [`Union`] that is flattened into the fields.
    pub choice: Option<TypeId>,
}

/// What a struct keeps besides its fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rest {
    /// Nothing: the server prunes it.
    #[default]
    None,
    /// Unknown fields, because the schema preserves them.
    Preserved,
    /// `apiVersion`, `kind` and `metadata` of an embedded resource, which the schema need not name.
    Embedded,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// The name of the property.
    pub property: String,
    /// The name of the field; raw identifiers without `r#`.
    pub ident: String,
    /// Whether the property has to be there.
    pub required: bool,
    /// Whether the field only carries data that the schema does not name.
    pub unnamed: bool,
    /// Its type.
    pub usage: Use,
}

impl Field {
    /// Whether the objects that clients send may lack the property: it is optional, or the schema has a default.
    /// (kopium ignores defaults.)
    pub(super) fn may_be_absent(&self, options: &Options) -> bool {
        !self.required || !options.kopium && self.usage.keywords.iter().any(|k| k.key == "default")
    }
}

/// An object that has exactly one of some properties, and no others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Union {
    /// A field for each, in the order of the schema; its identifier is that of a variant.
    pub variants: Vec<Field>,
}

/// Some strings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Enum {
    /// Identifier and string, in the order of the schema.
    pub variants: Vec<(String, String)>,
    /// The variant that is the default at every use that has one.
    pub default: Option<usize>,
}

/// A type where it is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Use {
    /// The type.
    pub ty: Ty,
    /// Whether `null` is allowed.
    pub nullable: bool,
    /// The description here.
    pub description: String,
    /// What the schema has here beyond what the type says.
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
    /// `serde_json::Number`, which keeps 1 apart from 1.0, or `f64` on request.
    Number,
    /// `String`
    String,
    /// A point in time, if it is to be more than a string.
    Time,
    /// Any JSON: `serde_json::Value`
    Json,
    /// Any JSON object: `serde_json::Map<String, serde_json::Value>`
    JsonObject,
    /// A list.
    List(Box<Use>),
    /// A map from strings.
    Map(Box<Use>),
    /// A type with a name.
    Named(TypeId),
    /// A type of the crate `k8s_openapi`, by its name in [`k8s`](crate::k8s).
    Kubernetes(&'static str),
}

/// One key of a `#[schema(…)]` attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Keyword {
    /// Its name.
    pub key: &'static str,
    /// What it is set to.
    pub arg: Arg,
}

/// What a keyword is set to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Arg {
    /// Nothing: `key`.
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

/// The definition around a root type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Root {
    /// The kind.
    pub kind: String,
    /// `kube(…)`
    pub kube: Vec<Keyword>,
    /// `schema(root(…))`: what the root's schema has beyond `spec` and `status`.
    pub schema: Vec<Keyword>,
    /// The type of `status`, if it is a type of its own.
    pub status: Option<TypeId>,
}

/// A schema without a Rust type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fallback {
    /// Where: version, kind and path, such as `v1 Widget.spec.size`.
    pub place: String,
    /// Why.
    pub reason: &'static str,
}

impl Keyword {
    /// `key`
    pub fn flag(key: &'static str) -> Keyword {
        Keyword { key, arg: Arg::Flag }
    }

    /// `key = json`
    pub fn json(key: &'static str, value: impl Into<Value>) -> Keyword {
        Keyword { key, arg: Arg::Json(Json(value.into())) }
    }

    /// `key(key…)`
    pub fn nested(key: &'static str, inner: Vec<Keyword>) -> Keyword {
        Keyword { key, arg: Arg::Nested(inner) }
    }
}

impl Struct {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.rest == Rest::None && self.choice.is_none()
    }
}

impl Use {
    /// A type with nothing beyond it.
    pub fn of(ty: Ty) -> Use {
        Use { ty, nullable: false, description: String::new(), keywords: Vec::new() }
    }
}
