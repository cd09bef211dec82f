//! The schemas in a schema. Everything that visits them starts here, so a keyword that contains schemas is added in one place.

use super::{Additional, Dependency, Foreign, Items, Keyword, Limits, Schema};

/// Where a schema is in the schema that contains it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge<'s> {
    /// The keyword that contains it.
    pub keyword: Keyword,
    /// Which one it is, if the keyword contains several schemas.
    pub which: Which<'s>,
}

/// One of the schemas in a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which<'s> {
    /// The keyword contains only this one.
    Only,
    /// The one with this name.
    Name(&'s str),
    /// The one at this position.
    Index(usize),
}

impl Edge<'_> {
    /// Whether the edge leads to the schema of fields, items or values, as opposed to a junctor or a keyword that structural
    /// schemas cannot have.
    pub fn is_structural(self) -> bool {
        match self.keyword {
            Keyword::Properties | Keyword::AdditionalProperties => true,
            Keyword::Items => self.which == Which::Only,
            _ => false,
        }
    }
}

fn edge<'s>(keyword: Keyword, which: Which<'s>) -> Edge<'s> {
    Edge { keyword, which }
}

/// Writes `children` and `children_mut`, which differ only in what they borrow. All fields are named, so a new keyword does
/// not compile until it is handled here.
macro_rules! children {
    ($(#[$doc:meta])* $name:ident, $additional:ident, $iter:ident, $deref:ident $(, $mut:tt)?) => {
        impl Schema {
            $(#[$doc])*
            pub fn $name(&$($mut)? self) -> impl Iterator<Item = (Edge<'_>, &$($mut)? Schema)> {
                let Schema {
                    ty: _,
                    nullable: _,
                    title: _,
                    description: _,
                    default: _,
                    example: _,
                    external_docs: _,
                    properties,
                    items,
                    additional_properties,
                    ext: _,
                    rules: _,
                    limits,
                    foreign,
                    empty: _,
                } = self;
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
                    all_of,
                    any_of,
                    one_of,
                    not,
                } = limits;
                let (item, items) = match items {
                    Some(Items::One(item)) => (Some(&$($mut)? **item), None),
                    Some(Items::Many(items)) => (None, Some(items)),
                    None => (None, None),
                };
                let of_foreign = foreign.$deref().map(|foreign| {
                    let Foreign {
                        id: _,
                        schema: _,
                        reference: _,
                        pattern_properties,
                        dependencies,
                        additional_items,
                        definitions,
                    } = foreign;
                    let patterns = pattern_properties.$iter().map(|(name, s)| (edge(Keyword::PatternProperties, Which::Name(name)), s));
                    let definitions = definitions.$iter().map(|(name, s)| (edge(Keyword::Definitions, Which::Name(name)), s));
                    let additional = $additional(additional_items).map(|s| (edge(Keyword::AdditionalItems, Which::Only), s));
                    let dependencies = dependencies.$iter().filter_map(|(name, dependency)| match dependency {
                        Dependency::Schema(s) => Some((edge(Keyword::Dependencies, Which::Name(name)), &$($mut)? **s)),
                        Dependency::Properties(_) | Dependency::Nothing => None,
                    });
                    patterns.chain(definitions).chain(additional).chain(dependencies)
                });
                let at = |keyword| move |(index, s)| (edge(keyword, Which::Index(index)), s);
                let only = |keyword| move |s| (edge(keyword, Which::Only), s);
                properties
                    .$iter()
                    .map(|(name, s)| (edge(Keyword::Properties, Which::Name(name)), s))
                    .chain(item.map(only(Keyword::Items)))
                    .chain(items.into_iter().flatten().enumerate().map(at(Keyword::Items)))
                    .chain($additional(additional_properties).map(only(Keyword::AdditionalProperties)))
                    .chain(all_of.$iter().enumerate().map(at(Keyword::AllOf)))
                    .chain(any_of.$iter().enumerate().map(at(Keyword::AnyOf)))
                    .chain(one_of.$iter().enumerate().map(at(Keyword::OneOf)))
                    .chain(not.$deref().map(only(Keyword::Not)))
                    .chain(of_foreign.into_iter().flatten())
            }
        }

        fn $additional(it: &$($mut)? Option<Additional>) -> Option<&$($mut)? Schema> {
            match it {
                Some(Additional::Schema(schema)) => Some(schema),
                Some(Additional::Allow(_)) | None => None,
            }
        }
    };
}

children! {
    /// Returns the schemas directly in this one, including those in junctors and in keywords that structural schemas cannot
    /// have.
    children, additional, iter, as_deref
}

children! {
    /// Returns the same as [`Schema::children`], to change them.
    children_mut, additional_mut, iter_mut, as_deref_mut, mut
}

/// The keywords that combine schemas. What treats each of them in its own way destructures this, so a new one does not
/// compile until it is handled there.
#[derive(Clone, Copy, Debug)]
pub struct Junctors<'s> {
    /// `allOf`
    pub all_of: &'s [Schema],
    /// `anyOf`
    pub any_of: &'s [Schema],
    /// `oneOf`
    pub one_of: &'s [Schema],
    /// `not`
    pub not: Option<&'s Schema>,
}

impl Limits {
    /// Returns the junctors.
    pub fn junctors(&self) -> Junctors<'_> {
        let Limits { all_of, any_of, one_of, not, .. } = self;
        Junctors { all_of, any_of, one_of, not: not.as_deref() }
    }
}

impl Schema {
    /// Returns the schemas of fields, of items and of a map's values.
    pub fn parts(&self) -> impl Iterator<Item = &Schema> {
        self.children().filter(|(edge, _)| edge.is_structural()).map(|(_, schema)| schema)
    }

    /// Returns the same as [`Schema::parts`], to change them.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut Schema> {
        self.children_mut().filter(|(edge, _)| edge.is_structural()).map(|(_, schema)| schema)
    }

    /// Whether the value or any part of it has rules.
    pub fn has_rules(&self) -> bool {
        !self.rules.is_empty() || self.parts().any(Schema::has_rules)
    }

    /// Returns the number of schemas in this one, including itself.
    pub fn nodes(&self) -> usize {
        1 + self.children().map(|(_, schema)| schema.nodes()).sum::<usize>()
    }
}
