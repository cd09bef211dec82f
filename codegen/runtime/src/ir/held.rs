//! What a schema holds for its keywords: the way in for what treats them alike.

use super::keyword::{Keyword, with_keywords};
use super::schema::{
    Additional, Dependency, Extensions, ExternalDocs, FieldUnion, Foreign, Items, Limits, Rule, Schema, Type,
};
use crate::value::{Map, Value};

/// What a schema holds for a keyword.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Held<'s> {
    /// A flag. One that is `false` is held only where that differs from absent.
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

/// A field of the model that holds a keyword.
trait Holds: Default + Clone {
    /// What it holds; none if the keyword is not there.
    fn held(&self) -> Option<Held<'_>>;
}

macro_rules! holds {
    ($($ty:ty: $it:ident => $held:expr;)*) => {
        $(impl Holds for $ty {
            fn held(&self) -> Option<Held<'_>> {
                let $it = self;
                $held
            }
        })*
    };
}

holds! {
    bool: it => it.then_some(Held::Flag(true));
    Option<bool>: it => it.map(Held::Flag);
    String: it => (!it.is_empty()).then_some(Held::Text(it));
    Option<String>: it => it.as_deref().map(Held::Text);
    Option<Type>: it => it.as_ref().map(|ty| Held::Text(ty.as_str()));
    Option<f64>: it => it.map(Held::Number);
    Option<i64>: it => it.map(Held::Count);
    Vec<String>: it => (!it.is_empty()).then_some(Held::Texts(it));
    Option<Value>: it => it.as_ref().map(Held::Value);
    Vec<Value>: it => (!it.is_empty()).then_some(Held::Values(it));
    Option<Box<Schema>>: it => it.as_deref().map(Held::Schema);
    Vec<Schema>: it => (!it.is_empty()).then_some(Held::Schemas(it));
    Map<Schema>: it => (!it.is_empty()).then_some(Held::Fields(it));
    Option<Items>: it => it.as_ref().map(|items| match items {
        Items::One(item) => Held::Schema(item),
        Items::Many(items) => Held::Schemas(items),
    });
    Option<Additional>: it => it.as_ref().map(|additional| match additional {
        Additional::Allow(allow) => Held::Flag(*allow),
        Additional::Schema(schema) => Held::Schema(schema),
    });
    Vec<Rule>: it => (!it.is_empty()).then_some(Held::Rules(it));
    Vec<FieldUnion>: it => (!it.is_empty()).then_some(Held::Unions(it));
    Option<ExternalDocs>: it => it.as_ref().map(Held::Docs);
    Map<Dependency>: it => (!it.is_empty()).then_some(Held::Dependencies(it));
}

macro_rules! access {
    ($($name:literal $keyword:ident $key:tt $about:ident $position:ident $($field:ident).+;)*
     foreign: $($foreign_name:literal $foreign:ident $foreign_field:ident;)*) => {
        impl Schema {
            /// What is held for a keyword; none if it is not there.
            pub fn held(&self, keyword: Keyword) -> Option<Held<'_>> {
                match keyword {
                    $(Keyword::$keyword => self.$($field).+.held(),)*
                    $(Keyword::$foreign => self.foreign.as_deref()?.$foreign_field.held(),)*
                }
            }

            /// Takes a keyword away.
            pub fn remove(&mut self, keyword: Keyword) {
                match keyword {
                    $(Keyword::$keyword => self.$($field).+ = Default::default(),)*
                    $(Keyword::$foreign => if let Some(foreign) = &mut self.foreign {
                        foreign.$foreign_field = Default::default();
                    },)*
                }
            }

            /// Takes over what another schema holds for a keyword.
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
