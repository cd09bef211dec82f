//! The keywords of a schema, one per row: its names in CRDs and in attributes, what it is about, where it may be
//! used, and its field in the model. Everything that walks over all keywords uses [`Keyword::ALL`], so a new row is
//! read, written, compared and removed without further changes.

/// The type of values that a keyword constrains. It does not apply to values of other types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Values of any type.
    All,
    /// Integers and numbers.
    Numbers,
    /// Strings.
    Strings,
    /// Lists.
    Lists,
    /// Objects and maps.
    Objects,
}

/// Where a keyword may be used in a structural schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Everywhere.
    Anywhere,
    /// Not inside `allOf`, `anyOf`, `oneOf` and `not`.
    OutsideJunctors,
    /// Nowhere.
    Nowhere,
    /// Only in the input of crdgen. Servers do not know the keyword, but crdgen can replace it by keywords that they
    /// know.
    Author,
}

/// The table: name, variant, key in attributes, what it is about, where it may be used, and the field of the model. The
/// keywords that structural schemas cannot have come last. Passes the rows to another macro.
macro_rules! with_keywords {
    ($to:ident) => {
        $to! {
            "title" Title "title" All OutsideJunctors title;
            "description" Description "description" All OutsideJunctors description;
            "type" Type "ty" All OutsideJunctors ty;
            "nullable" Nullable "nullable" All OutsideJunctors nullable;
            "default" Default "default" All OutsideJunctors default;
            "example" Example "example" All Anywhere example;
            "externalDocs" ExternalDocs "external_docs" All Anywhere external_docs;
            "properties" Properties "properties" Objects Anywhere properties;
            "items" Items "items" Lists Anywhere items;
            "additionalProperties" AdditionalProperties "additional_properties" Objects OutsideJunctors additional_properties;
            "x-kubernetes-preserve-unknown-fields" PreserveUnknownFields "preserve_unknown_fields" All OutsideJunctors
            ext.preserve_unknown_fields;
            "x-kubernetes-embedded-resource" EmbeddedResource "embedded_resource" Objects OutsideJunctors
            ext.embedded_resource;
            "x-kubernetes-int-or-string" IntOrString "int_or_string" All OutsideJunctors ext.int_or_string;
            "x-kubernetes-list-type" ListType "list_type" Lists OutsideJunctors ext.list_type;
            "x-kubernetes-list-map-keys" ListMapKeys "list_map_keys" Lists OutsideJunctors ext.list_map_keys;
            "x-kubernetes-map-type" MapType "map_type" Objects OutsideJunctors ext.map_type;
            "format" Format "format" All Anywhere limits.format;
            "minimum" Minimum "minimum" Numbers Anywhere limits.minimum;
            "exclusiveMinimum" ExclusiveMinimum "exclusive_minimum" Numbers Anywhere limits.exclusive_minimum;
            "maximum" Maximum "maximum" Numbers Anywhere limits.maximum;
            "exclusiveMaximum" ExclusiveMaximum "exclusive_maximum" Numbers Anywhere limits.exclusive_maximum;
            "multipleOf" MultipleOf "multiple_of" Numbers Anywhere limits.multiple_of;
            "minLength" MinLength "min_length" Strings Anywhere limits.min_length;
            "maxLength" MaxLength "max_length" Strings Anywhere limits.max_length;
            "pattern" Pattern "pattern" Strings Anywhere limits.pattern;
            "minItems" MinItems "min_items" Lists Anywhere limits.min_items;
            "maxItems" MaxItems "max_items" Lists Anywhere limits.max_items;
            "uniqueItems" UniqueItems "unique_items" Lists Anywhere limits.unique_items;
            "minProperties" MinProperties "min_properties" Objects Anywhere limits.min_properties;
            "maxProperties" MaxProperties "max_properties" Objects Anywhere limits.max_properties;
            "required" Required "required" Objects Anywhere limits.required;
            "enum" Enum "one_of_values" All Anywhere limits.enumeration;
            "allOf" AllOf "all_of" All Anywhere limits.all_of;
            "anyOf" AnyOf "any_of" All Anywhere limits.any_of;
            "oneOf" OneOf "one_of" All Anywhere limits.one_of;
            "not" Not "not" All Anywhere limits.not;
            "x-kubernetes-validations" Validations "rule" All OutsideJunctors rules;
            "x-kubernetes-unions" Unions _ Objects Author ext.unions;
            foreign:
            "id" Id id;
            "$schema" SchemaUrl schema;
            "$ref" Ref reference;
            "patternProperties" PatternProperties pattern_properties;
            "dependencies" Dependencies dependencies;
            "additionalItems" AdditionalItems additional_items;
            "definitions" Definitions definitions;
        }
    };
}
pub(super) use with_keywords;

/// The properties of a keyword.
struct Facts {
    name: &'static str,
    key: Option<&'static str>,
    about: About,
    position: Position,
}

macro_rules! key {
    (_) => {
        None
    };
    ($key:literal) => {
        Some($key)
    };
}

macro_rules! keywords {
    ($($name:literal $keyword:ident $key:tt $about:ident $position:ident $($field:ident).+;)*
     foreign: $($foreign_name:literal $foreign:ident $foreign_field:ident;)*) => {
        /// A keyword of a schema.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Keyword {
            $(#[doc = concat!("`", $name, "`")] $keyword,)*
            $(#[doc = concat!("`", $foreign_name, "`")] $foreign,)*
        }

        impl Keyword {
            /// All of them, in the order in which attributes are written.
            pub const ALL: &'static [Keyword] = &[$(Keyword::$keyword,)* $(Keyword::$foreign,)*];

            fn facts(self) -> &'static Facts {
                const FACTS: &[Facts] = &[
                    $(Facts {
                        name: $name,
                        key: key!($key),
                        about: About::$about,
                        position: Position::$position,
                    },)*
                    $(Facts { name: $foreign_name, key: None, about: About::All, position: Position::Nowhere },)*
                ];
                &FACTS[self as usize]
            }
        }
    };
}

with_keywords!(keywords);

impl Keyword {
    /// Finds a keyword by its name in CRDs.
    pub fn of(name: &str) -> Option<Keyword> {
        Self::ALL.iter().copied().find(|keyword| keyword.name() == name)
    }

    /// Finds a keyword by its key in attributes.
    pub fn of_key(key: &str) -> Option<Keyword> {
        Self::ALL.iter().copied().find(|keyword| keyword.key() == Some(key))
    }

    /// Returns the name in CRDs.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Returns the key in attributes, if there is one.
    pub fn key(self) -> Option<&'static str> {
        self.facts().key
    }

    /// Returns the type of values that the keyword constrains.
    pub fn about(self) -> About {
        self.facts().about
    }

    /// Returns where the keyword may be used.
    pub fn position(self) -> Position {
        self.facts().position
    }
}
