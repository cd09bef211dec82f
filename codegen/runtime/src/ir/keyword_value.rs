//! Access to a schema's keywords by name, for code that treats all of them alike.

use super::keyword::{Keyword, with_keywords};
use super::schema::{
    Additional, Dependency, Extensions, ExternalDocs, FieldUnion, Foreign, Items, Limits, Rule, Schema, Type,
};
use crate::value::{Map, Value};

/// The value of a keyword.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeywordValue<'s> {
    /// A flag. `false` appears only where it differs from an absent flag.
    Flag(bool),
    /// A text.
    Text(&'s str),
    /// A number.
    Number(f64),
    /// A count.
    Count(i64),
    /// Texts.
    Texts(&'s [String]),
    /// A value.
    Value(&'s Value),
    /// Values.
    Values(&'s [Value]),
    /// A schema.
    Schema(&'s Schema),
    /// Schemas.
    Schemas(&'s [Schema]),
    /// Schemas with names.
    Fields(&'s Map<Schema>),
    /// `dependencies`
    Dependencies(&'s Map<Dependency>),
    /// `x-kubernetes-validations`
    Rules(&'s [Rule]),
    /// `x-kubernetes-unions`
    Unions(&'s [FieldUnion]),
    /// `externalDocs`
    Docs(&'s ExternalDocs),
}

/// A field of the model that stores a keyword.
trait HasValue: Default + Clone {
    /// Returns the keyword's value, if it is set.
    fn keyword_value(&self) -> Option<KeywordValue<'_>>;
}

macro_rules! values {
    ($($ty:ty: $it:ident => $value:expr;)*) => {
        $(impl HasValue for $ty {
            fn keyword_value(&self) -> Option<KeywordValue<'_>> {
                let $it = self;
                $value
            }
        })*
    };
}

values! {
    bool: it => it.then_some(KeywordValue::Flag(true));
    Option<bool>: it => it.map(KeywordValue::Flag);
    String: it => (!it.is_empty()).then_some(KeywordValue::Text(it));
    Option<String>: it => it.as_deref().map(KeywordValue::Text);
    Option<Type>: it => it.as_ref().map(|ty| KeywordValue::Text(ty.as_str()));
    Option<f64>: it => it.map(KeywordValue::Number);
    Option<i64>: it => it.map(KeywordValue::Count);
    Vec<String>: it => (!it.is_empty()).then_some(KeywordValue::Texts(it));
    Option<Value>: it => it.as_ref().map(KeywordValue::Value);
    Vec<Value>: it => (!it.is_empty()).then_some(KeywordValue::Values(it));
    Option<Box<Schema>>: it => it.as_deref().map(KeywordValue::Schema);
    Vec<Schema>: it => (!it.is_empty()).then_some(KeywordValue::Schemas(it));
    Map<Schema>: it => (!it.is_empty()).then_some(KeywordValue::Fields(it));
    Option<Items>: it => it.as_ref().map(|items| match items {
        Items::One(item) => KeywordValue::Schema(item),
        Items::Many(items) => KeywordValue::Schemas(items),
    });
    Option<Additional>: it => it.as_ref().map(|additional| match additional {
        Additional::Allow(allow) => KeywordValue::Flag(*allow),
        Additional::Schema(schema) => KeywordValue::Schema(schema),
    });
    Vec<Rule>: it => (!it.is_empty()).then_some(KeywordValue::Rules(it));
    Vec<FieldUnion>: it => (!it.is_empty()).then_some(KeywordValue::Unions(it));
    Option<ExternalDocs>: it => it.as_ref().map(KeywordValue::Docs);
    Map<Dependency>: it => (!it.is_empty()).then_some(KeywordValue::Dependencies(it));
}

macro_rules! access {
    ($($name:literal $keyword:ident $key:tt $about:ident $position:ident $($field:ident).+;)*
     foreign: $($foreign_name:literal $foreign:ident $foreign_field:ident;)*) => {
        impl Schema {
            /// A keyword's value, if it is set.
            pub fn get(&self, keyword: Keyword) -> Option<KeywordValue<'_>> {
                match keyword {
                    $(Keyword::$keyword => self.$($field).+.keyword_value(),)*
                    $(Keyword::$foreign => self.foreign.as_deref()?.$foreign_field.keyword_value(),)*
                }
            }

            /// Calls `visit` with each keyword that is set, in the order of [`Keyword::ALL`]. This is faster than calling
            /// [`Schema::get`] for each keyword.
            pub fn each_keyword<'s>(&'s self, visit: &mut dyn FnMut(Keyword, KeywordValue<'s>)) {
                $(if let Some(value) = self.$($field).+.keyword_value() {
                    visit(Keyword::$keyword, value);
                })*
                if let Some(foreign) = self.foreign.as_deref() {
                    $(if let Some(value) = foreign.$foreign_field.keyword_value() {
                        visit(Keyword::$foreign, value);
                    })*
                }
            }

            /// Removes a keyword.
            pub fn remove(&mut self, keyword: Keyword) {
                match keyword {
                    $(Keyword::$keyword => self.$($field).+ = Default::default(),)*
                    $(Keyword::$foreign => if let Some(foreign) = &mut self.foreign {
                        foreign.$foreign_field = Default::default();
                    },)*
                }
            }

            /// Copies a keyword from another schema.
            pub fn copy(&mut self, keyword: Keyword, from: &Schema) {
                match keyword {
                    $(Keyword::$keyword => self.$($field).+.clone_from(&from.$($field).+),)*
                    $(Keyword::$foreign => if let Some(foreign) = &from.foreign {
                        let own = self.foreign.get_or_insert_default();
                        own.$foreign_field.clone_from(&foreign.$foreign_field);
                    },)*
                }
            }
        }
    };
}

with_keywords!(access);

/// A field that is new here needs a row in the table.
const _: fn(&Schema, &Extensions, &Limits, &Foreign) = |schema, extensions, limits, foreign| {
    let Schema {
        ty: _,
        nullable: _,
        title: _,
        description: _,
        default: _,
        example: _,
        external_docs: _,
        properties: _,
        items: _,
        additional_properties: _,
        ext: _,
        rules: _,
        limits: _,
        foreign: _,
        empty: _,
    } = schema;
    let Extensions {
        preserve_unknown_fields: _,
        embedded_resource: _,
        int_or_string: _,
        list_type: _,
        list_map_keys: _,
        map_type: _,
        unions: _,
    } = extensions;
    let Limits {
        format: _,
        maximum: _,
        exclusive_maximum: _,
        minimum: _,
        exclusive_minimum: _,
        multiple_of: _,
        max_length: _,
        min_length: _,
        pattern: _,
        max_items: _,
        min_items: _,
        unique_items: _,
        max_properties: _,
        min_properties: _,
        required: _,
        enumeration: _,
        all_of: _,
        any_of: _,
        one_of: _,
        not: _,
    } = limits;
    let Foreign {
        id: _,
        schema: _,
        reference: _,
        pattern_properties: _,
        dependencies: _,
        additional_items: _,
        definitions: _,
    } = foreign;
};
