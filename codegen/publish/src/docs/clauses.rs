//! Schemas inside `allOf`, `anyOf`, `oneOf` and `not`, in words. The variants of Rust enums are such schemas.

use std::cell::OnceCell;
use std::collections::HashSet;

use crate::ir::{Additional, Items, Junctors, Limits, Schema};
use crate::recipe::{type_words, types_of};

use super::constraints::{extensions, shown, validations};
use crate::possible::Possible;

/// Describes what a schema inside a junctor of `whole` requires.
pub(super) fn clause(node: &Schema, whole: &Schema) -> String {
    let mut out = Phrases::default();
    out.of(node, Some(&Whole::new(whole)), "");
    out.join()
}

/// The alternatives that objects can match which match the schema around them.
pub(super) fn possible<'s>(clauses: &'s [Schema], whole: &'s Schema) -> impl Iterator<Item = &'s Schema> {
    let is_always = |schema: &Schema| {
        let Schema { properties, limits: Limits { required, .. }, .. } = schema;
        let limits = Limits { required: required.clone(), ..Limits::default() };
        let is_listed = |(name, own): (&str, &Schema)| {
            let Limits { enumeration, .. } = &own.limits;
            let limits = Limits { enumeration: enumeration.clone(), ..Limits::default() };
            let all = whole.properties.get(name).map(|property| &property.limits.enumeration);
            *own == Schema { limits, ..Schema::default() }
                && all
                    .is_some_and(|all| !all.is_empty() && all.iter().all(|value| enumeration.contains(value)))
        };
        *schema == Schema { properties: properties.clone(), limits, ..Schema::default() }
            && required.iter().all(|name| whole.limits.required.contains(name))
            && properties.iter().all(is_listed)
    };
    clauses.iter().filter(move |clause| {
        let not = clause.limits.not.as_deref();
        !not.is_some_and(|not| **clause == Schema::opposite(not.clone()) && is_always(not))
    })
}

/// A schema outside of junctors. All clauses of a junctor look up the names of its required fields.
struct Whole<'s> {
    schema: &'s Schema,
    required: OnceCell<HashSet<&'s str>>,
}

impl<'s> Whole<'s> {
    fn new(schema: &'s Schema) -> Whole<'s> {
        Whole { schema, required: OnceCell::new() }
    }

    fn requires(&self, name: &str) -> bool {
        let names = || self.schema.limits.required.iter().map(String::as_str).collect();
        self.required.get_or_init(names).contains(name)
    }
}

#[derive(Default)]
struct Phrases(Vec<String>);

impl Phrases {
    fn join(self) -> String {
        let mut seen = HashSet::new();
        let phrases: Vec<&str> =
            self.0.iter().map(String::as_str).filter(|phrase| seen.insert(*phrase)).collect();
        if phrases.is_empty() { "anything".to_owned() } else { phrases.join(" and ") }
    }

    /// Adds what the value at a path must be. `whole` is the schema outside of the junctor for the same value. Its
    /// requirements are not repeated.
    fn of(&mut self, node: &Schema, whole: Option<&Whole<'_>>, at: &str) {
        let node = node.case();
        let Schema {
            ty,
            nullable,
            // An object cannot violate these.
            title: _,
            description: _,
            default: _,
            example: _,
            external_docs: _,
            empty: _,
            // The server rejects rules in junctors, and keywords that structural schemas do not have.
            rules: _,
            foreign: _,
            properties,
            items,
            additional_properties,
            ext,
            limits,
        } = node;
        if let Some(ty) = ty {
            self.say(at, &format!("is of type {}", ty.as_str()));
        }
        let possible = Possible::of(node);
        if let Some(types) = possible.types {
            let types = types & whole.map_or(types, |whole| types_of(whole.schema));
            self.say(at, &format!("is {}", type_words(types)));
        }
        if !limits.format.is_empty() {
            self.say(at, &format!("has the format {}", limits.format));
        }
        self.values(node, at, "is", "is one of");
        let own: HashSet<&str> = limits.required.iter().map(String::as_str).collect();
        let is_required = |name: &str| own.contains(name) || whole.is_some_and(|whole| whole.requires(name));
        // If a field must have a value, the text does not repeat that it is set. The value comes first because it
        // distinguishes the variants.
        let has_value = |name: &str| properties.get(name).is_some_and(|p| !p.limits.enumeration.is_empty());
        let (tags, others): (Vec<_>, Vec<_>) = properties.iter().partition(|(name, _)| has_value(name));
        let property = |out: &mut Phrases, name: &str, property: &Schema| {
            let path = step(at, name);
            let whole = whole.and_then(|w| w.schema.properties.get(name)).map(Whole::new);
            let before = out.0.len();
            out.of(property, whole.as_ref(), &path);
            if !is_required(name) && out.0.len() > before {
                let asked = out.0.split_off(before).join(" and ");
                out.0.push(format!("{asked} (if set)"));
            }
        };
        tags.into_iter().for_each(|(name, it)| property(self, name, it));
        let set: Vec<String> =
            limits.required.iter().filter(|name| !has_value(name)).map(|name| step(at, name)).collect();
        match set.as_slice() {
            [] => {}
            [one] => self.0.push(format!("{one} is set")),
            all => self.0.push(format!("{} are set", all.join(" and "))),
        }
        let (forbidden, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|(_, it)| it.forbids());
        others.into_iter().for_each(|(name, it)| property(self, name, it));
        self.0.extend(forbidden.into_iter().map(|(name, _)| format!("{} is not set", step(at, name))));
        match items {
            Some(Items::One(item)) => {
                let whole = whole.and_then(|w| w.schema.item()).map(Whole::new);
                self.of(item, whole.as_ref(), &format!("{at}[]"));
            }
            Some(Items::Many(_)) | None => {}
        }
        match additional_properties {
            Some(Additional::Schema(value)) => {
                let whole = whole.and_then(|w| w.schema.value()).map(Whole::new);
                self.of(value, whole.as_ref(), &step(at, "*"));
            }
            Some(Additional::Allow(false)) => self.say(at, "has no other fields"),
            Some(Additional::Allow(true)) | None => {}
        }
        let mut facts = Vec::new();
        let mut add = |text: &str, values: Vec<String>| {
            facts.push(format!("{text} {}", values.join(", ")).trim_end().to_owned());
        };
        if *nullable {
            add("may be null", Vec::new());
        }
        extensions(ext, &mut add);
        validations(&possible.limits, &mut add);
        for fact in facts {
            self.0.push(if at.is_empty() { fact } else { format!("{at}: {fact}") });
        }
        self.junctors(&possible.limits, whole, at);
    }

    fn junctors(&mut self, limits: &Limits, whole: Option<&Whole<'_>>, at: &str) {
        let Junctors { all_of, any_of, one_of, not } = limits.junctors();
        for (clauses, words) in [(all_of, "all of"), (any_of, "any of"), (one_of, "exactly one of")] {
            let inside = |node: &Schema| {
                let mut out = Phrases::default();
                out.of(node, whole, at);
                format!("({})", out.join())
            };
            if !clauses.is_empty() {
                self.0.push(format!("{words} {}", clauses.iter().map(inside).collect::<Vec<_>>().join(", ")));
            }
        }
        if let Some(not) = not {
            self.none_of(not, whole, at);
        }
    }

    /// Adds the opposite of what a schema requires.
    fn none_of(&mut self, node: &Schema, whole: Option<&Whole<'_>>, at: &str) {
        let Limits { required, enumeration, any_of, .. } = &node.limits;
        let only = |limits: Limits| *node == Schema { limits, ..Schema::default() };
        if !any_of.is_empty() && only(Limits { any_of: any_of.clone(), ..Limits::default() }) {
            any_of.iter().for_each(|clause| self.none_of(clause, whole, at));
        } else if !enumeration.is_empty()
            && only(Limits { enumeration: enumeration.clone(), ..Limits::default() })
        {
            self.values(node, at, "is not", "is none of");
        } else if let [name] = required.as_slice()
            && only(Limits { required: required.clone(), ..Limits::default() })
        {
            self.0.push(format!("{} is not set", step(at, name)));
        } else {
            let mut out = Phrases::default();
            out.of(node, whole, at);
            self.0.push(format!("not ({})", out.join()));
        }
    }

    fn values(&mut self, node: &Schema, at: &str, one: &str, several: &str) {
        let values: Vec<String> = node.limits.enumeration.iter().map(shown).collect();
        match values.as_slice() {
            [] => {}
            [value] => self.say(at, &format!("{one} {value}")),
            values => self.say(at, &format!("{several} {}", values.join(", "))),
        }
    }

    fn say(&mut self, at: &str, text: &str) {
        self.0.push(if at.is_empty() { text.to_owned() } else { format!("{at} {text}") });
    }
}

fn step(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") }
}
