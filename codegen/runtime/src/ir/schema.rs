//! The schema: a node has generic parts, extensions, value validations and rules, as in the structural-schema
//! proposal. One type serves for all positions, also inside `allOf`, `anyOf`, `oneOf` and `not`, where most parts
//! are forbidden. Forbidden parts are kept, so that the message can name them and nothing is lost between reading
//! and writing.

use super::keyword::Keyword;
use crate::value::{Map, Value};

/// A schema node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// `type`
    pub ty: Option<Type>,
    /// `nullable`
    pub nullable: bool,
    /// `title`
    pub title: String,
    /// `description`
    pub description: String,
    /// `default`; `null` is the same as absent.
    pub default: Option<Value>,
    /// `example`
    pub example: Option<Value>,
    /// `externalDocs`
    pub external_docs: Option<ExternalDocs>,
    /// `properties`
    pub properties: Map<Schema>,
    /// `items`
    pub items: Option<Items>,
    /// `additionalProperties`
    pub additional_properties: Option<Additional>,
    /// All `x-kubernetes-*` keywords except the rules.
    pub ext: Extensions,
    /// `x-kubernetes-validations`
    pub rules: Vec<Rule>,
    /// Constraints, and `allOf`, `anyOf`, `oneOf` and `not`.
    pub limits: Limits,
    /// Keywords that no structural schema can have.
    pub foreign: Option<Box<Foreign>>,
    /// The lists and maps that are present, but empty.
    pub empty: Empty,
}

/// Which lists and maps of a schema are written, but empty. They mean the same as absent ones, so crdgen does not write them
/// again, and ignores them when it compares schemas. But the server checks some of them, and shows them in messages.
#[derive(Clone, Copy, Debug, Default, Eq)]
pub struct Empty(u64);

impl Empty {
    /// Adds a keyword to the set.
    pub fn add(&mut self, keyword: Keyword) {
        self.0 |= Self::bit(keyword);
    }

    /// Whether the keyword is present, but empty.
    pub fn has(self, keyword: Keyword) -> bool {
        self.0 & Self::bit(keyword) != 0
    }

    fn bit(keyword: Keyword) -> u64 {
        1 << keyword as u64
    }
}

/// Absent and empty values are equal.
impl PartialEq for Empty {
    fn eq(&self, _: &Empty) -> bool {
        true
    }
}

/// `type`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `object`
    Object,
    /// `array`
    Array,
    /// `string`
    String,
    /// `integer`
    Integer,
    /// `number`
    Number,
    /// `boolean`
    Boolean,
    /// A type that structural schemas cannot have.
    Other(String),
}

impl Type {
    /// Returns the type with this name, which must not be empty.
    pub fn new(name: &str) -> Type {
        match name {
            "object" => Type::Object,
            "array" => Type::Array,
            "string" => Type::String,
            "integer" => Type::Integer,
            "number" => Type::Number,
            "boolean" => Type::Boolean,
            other => Type::Other(other.to_owned()),
        }
    }

    /// Returns the name of the type.
    pub fn as_str(&self) -> &str {
        match self {
            Type::Object => "object",
            Type::Array => "array",
            Type::String => "string",
            Type::Integer => "integer",
            Type::Number => "number",
            Type::Boolean => "boolean",
            Type::Other(name) => name,
        }
    }
}

/// `items`
#[derive(Clone, Debug, PartialEq)]
pub enum Items {
    /// One schema for all items.
    One(Box<Schema>),
    /// A schema per position, which no structural schema can have.
    Many(Vec<Schema>),
}

/// `additionalProperties`
#[derive(Clone, Debug, PartialEq)]
pub enum Additional {
    /// `true` or `false`
    Allow(bool),
    /// A schema for the values.
    Schema(Box<Schema>),
}

/// All `x-kubernetes-*` keywords except the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extensions {
    /// `x-kubernetes-preserve-unknown-fields`; `false` is forbidden, so it differs from absent.
    pub preserve_unknown_fields: Option<bool>,
    /// `x-kubernetes-embedded-resource`
    pub embedded_resource: bool,
    /// `x-kubernetes-int-or-string`
    pub int_or_string: bool,
    /// `x-kubernetes-list-type`
    pub list_type: Option<String>,
    /// `x-kubernetes-list-map-keys`
    pub list_map_keys: Vec<String>,
    /// `x-kubernetes-map-type`
    pub map_type: Option<String>,
    /// `x-kubernetes-unions`. Servers do not know this keyword: crdgen can replace it by keywords that they know.
    pub unions: Vec<FieldUnion>,
}

/// One of `x-kubernetes-unions`: fields of which exactly one is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldUnion {
    /// `discriminator`: the field that names the one that is set. Empty if there is none.
    pub discriminator: String,
    /// `fields`: the fields, each with the value that the discriminator has for it.
    pub fields: Map<String>,
}

/// One of `x-kubernetes-validations`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// `rule`
    pub rule: String,
    /// `message`
    pub message: String,
    /// `messageExpression`
    pub message_expression: String,
    /// `reason`
    pub reason: Option<String>,
    /// `fieldPath`
    pub field_path: String,
    /// `optionalOldSelf`
    pub optional_old_self: Option<bool>,
}

/// Constraints, and `allOf`, `anyOf`, `oneOf` and `not`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// `format`
    pub format: String,
    /// `maximum`
    pub maximum: Option<f64>,
    /// `exclusiveMaximum`
    pub exclusive_maximum: bool,
    /// `minimum`
    pub minimum: Option<f64>,
    /// `exclusiveMinimum`
    pub exclusive_minimum: bool,
    /// `multipleOf`
    pub multiple_of: Option<f64>,
    /// `maxLength`
    pub max_length: Option<i64>,
    /// `minLength`
    pub min_length: Option<i64>,
    /// `pattern`
    pub pattern: String,
    /// `maxItems`
    pub max_items: Option<i64>,
    /// `minItems`
    pub min_items: Option<i64>,
    /// `uniqueItems`
    pub unique_items: bool,
    /// `maxProperties`
    pub max_properties: Option<i64>,
    /// `minProperties`
    pub min_properties: Option<i64>,
    /// `required`
    pub required: Vec<String>,
    /// `enum`
    pub enumeration: Vec<Value>,
    /// `allOf`
    pub all_of: Vec<Schema>,
    /// `anyOf`
    pub any_of: Vec<Schema>,
    /// `oneOf`
    pub one_of: Vec<Schema>,
    /// `not`
    pub not: Option<Box<Schema>>,
}

/// Keywords that a CRD may contain, but that are forbidden in structural schemas.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Foreign {
    /// `id`
    pub id: String,
    /// `$schema`
    pub schema: String,
    /// `$ref`
    pub reference: Option<String>,
    /// `patternProperties`
    pub pattern_properties: Map<Schema>,
    /// `dependencies`
    pub dependencies: Map<Dependency>,
    /// `additionalItems`
    pub additional_items: Option<Additional>,
    /// `definitions`
    pub definitions: Map<Schema>,
}

/// One of `dependencies`.
#[derive(Clone, Debug, PartialEq)]
pub enum Dependency {
    /// A schema that applies if the property is present.
    Schema(Box<Schema>),
    /// Properties that are then required.
    Properties(Vec<String>),
    /// `null`, or any other value, which the server treats like `null`.
    Nothing,
}

/// `externalDocs`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExternalDocs {
    /// `description`
    pub description: String,
    /// `url`
    pub url: String,
}

impl Schema {
    /// Creates a schema that has only a type.
    pub fn of(ty: Type) -> Schema {
        Schema { ty: Some(ty), ..Schema::default() }
    }

    /// Returns the name of the type, or an empty string if the schema has no type.
    pub fn type_name(&self) -> &str {
        self.ty.as_ref().map_or("", Type::as_str)
    }

    /// Returns the schema of the items, if there is one schema for all items.
    pub fn item(&self) -> Option<&Schema> {
        match &self.items {
            Some(Items::One(s)) => Some(s),
            Some(Items::Many(_)) | None => None,
        }
    }

    /// Returns the schema of a map's values.
    pub fn value(&self) -> Option<&Schema> {
        match &self.additional_properties {
            Some(Additional::Schema(s)) => Some(s),
            Some(Additional::Allow(_)) | None => None,
        }
    }

    /// Returns the schema inside all lists and maps.
    pub fn innermost(&self) -> &Schema {
        let mut schema = self;
        while let Some(next) = schema.item().or(schema.value()) {
            schema = next;
        }
        schema
    }

    /// Removes the keyword `x-kubernetes-unions` everywhere in the schema, because servers do not know it.
    pub fn drop_unions(&mut self) {
        // Nearly no schema has it, and what does not change stays shared with copies.
        if self.has_unions() {
            self.drop_all_unions();
        }
    }

    fn has_unions(&self) -> bool {
        !self.ext.unions.is_empty() || self.children().any(|(_, child)| child.has_unions())
    }

    fn drop_all_unions(&mut self) {
        self.ext.unions.clear();
        self.children_mut().for_each(|(_, child)| child.drop_all_unions());
    }

    /// Whether unknown fields are kept here.
    pub fn preserves_unknown_fields(&self) -> bool {
        self.ext.preserve_unknown_fields == Some(true)
    }
}
