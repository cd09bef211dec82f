//! Finds types that several fields have. A CRD has no references, so a type that a program uses in many places is written
//! in each of them. Pages show it once.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use crate::ir::{Keyword, KeywordValue, Schema};
use crdgen_text::singular;

/// A type with less text is easier to read where it is used.
const LEAST_TEXT: usize = 160;

/// The text that a field has besides its name and description, for [`LEAST_TEXT`].
const FIELD_TEXT: usize = 30;

/// With how many differently described types one is compared, so that the time stays linear.
const MOST_VARIANTS: usize = 8;

/// The shared types of a version.
#[derive(Default)]
pub(super) struct Shared<'s> {
    /// The types, sorted by name.
    pub(super) types: Vec<Type<'s>>,
    /// The index of the type of each schema.
    by_schema: HashMap<*const Schema, usize>,
}

/// A shared type.
pub(super) struct Type<'s> {
    pub(super) name: String,
    pub(super) description: &'s str,
    /// Its best described schema. The others are the same except for descriptions that they lack.
    pub(super) schema: &'s Schema,
}

impl<'s> Shared<'s> {
    /// Finds the types that several of these fields, or of the fields inside them, have.
    pub(super) fn of(fields: &[(&'s str, &'s Schema)]) -> Shared<'s> {
        let mut interned = Interned::default();
        fields.iter().for_each(|(_, field)| _ = interned.place(field));
        let merged = interned.merged();
        let uses = Uses::count(&interned, &merged, fields);
        let mut types: Vec<(usize, Type<'s>)> = uses.shared(&interned);
        types.sort_by(|(_, a), (_, b)| a.name.cmp(&b.name));
        let index: HashMap<usize, usize> = types.iter().enumerate().map(|(at, (id, _))| (*id, at)).collect();
        let by_schema = interned.by_schema.iter();
        let by_schema = by_schema.filter_map(|(schema, id)| Some((*schema, *index.get(&merged[*id])?)));
        Shared { by_schema: by_schema.collect(), types: types.into_iter().map(|(_, it)| it).collect() }
    }

    /// The index of the shared type of a schema.
    pub(super) fn find(&self, schema: &Schema) -> Option<usize> {
        self.by_schema.get(&std::ptr::from_ref(schema)).copied()
    }
}

/// What is the same for equal schemas. Places also have a description, a default, and more, that types do not have.
#[derive(Clone, Copy)]
struct Ids {
    /// The same for schemas that differ at most in descriptions.
    shape: usize,
    /// The same for equal schemas.
    exact: usize,
}

/// All types, each once. A type is a schema with fields.
#[derive(Default)]
struct Interned<'s> {
    keys: HashMap<String, usize>,
    /// The index in `types` of each exact id.
    by_exact: HashMap<usize, usize>,
    by_schema: HashMap<*const Schema, usize>,
    types: Vec<Found<'s>>,
}

/// A type, as it is first found.
struct Found<'s> {
    schema: &'s Schema,
    shape: usize,
    /// How many descriptions are in it.
    described: usize,
    /// The length of its text.
    text: usize,
}

impl<'s> Interned<'s> {
    fn id(&mut self, key: String) -> usize {
        let next = self.keys.len();
        *self.keys.entry(key).or_insert(next)
    }

    /// Reads a schema with what belongs only to its place.
    fn place(&mut self, schema: &'s Schema) -> Ids {
        let Ids { shape, exact } = self.ty(schema);
        let mut shape = format!("place {shape} ");
        let mut exact = format!("place {exact} {:?} ", schema.description);
        schema.each_keyword(&mut |keyword, value| {
            if is_of_place(keyword) && keyword != Keyword::Description {
                let text = format!("{keyword:?} {value:?} ");
                shape.push_str(&text);
                exact.push_str(&text);
            }
        });
        Ids { shape: self.id(shape), exact: self.id(exact) }
    }

    /// Reads a schema without what belongs only to its place.
    fn ty(&mut self, schema: &'s Schema) -> Ids {
        let (mut shape, mut exact) = ("type ".to_owned(), "type ".to_owned());
        let (mut described, mut text) = (0_usize, 0_usize);
        schema.each_keyword(&mut |keyword, value| {
            if is_of_place(keyword) {
                return;
            }
            let mut below = |name: &str, schema: &'s Schema| {
                let ids = self.place(schema);
                _ = write!(shape, "{keyword:?} {name:?} {} ", ids.shape);
                _ = write!(exact, "{keyword:?} {name:?} {} ", ids.exact);
                let inner = self.by_schema.get(&std::ptr::from_ref(schema.innermost()));
                let inner = inner.map(|id| &self.types[*id]);
                let own = usize::from(!schema.description.is_empty());
                described = described.saturating_add(own + inner.map_or(0, |it| it.described));
                text = text.saturating_add(name.len() + schema.description.len() + FIELD_TEXT);
                text = text.saturating_add(inner.map_or(0, |it| it.text));
            };
            match (keyword, value) {
                (Keyword::Properties, KeywordValue::Fields(fields)) => {
                    fields.iter().for_each(|(name, field)| below(name, field));
                }
                (Keyword::Items | Keyword::AdditionalProperties, KeywordValue::Schema(schema)) => {
                    below("", schema);
                }
                _ => {
                    _ = write!(shape, "{keyword:?} {value:?} ");
                    _ = write!(exact, "{keyword:?} {value:?} ");
                }
            }
        });
        let ids = Ids { shape: self.id(shape), exact: self.id(exact) };
        if !schema.properties.is_empty() {
            let next = self.types.len();
            let id = *self.by_exact.entry(ids.exact).or_insert(next);
            if id == next {
                self.types.push(Found { schema, shape: ids.shape, described, text });
            }
            self.by_schema.insert(std::ptr::from_ref(schema), id);
        }
        ids
    }

    /// The index of the type of the values in a field.
    fn inside(&self, field: &Schema) -> Option<usize> {
        self.by_schema.get(&std::ptr::from_ref(field.innermost())).copied()
    }

    /// For each type, the type that replaces it: one that is the same, and has descriptions where the other has none.
    /// Generators leave out descriptions below some depth.
    fn merged(&self) -> Vec<usize> {
        let mut merged: Vec<usize> = (0..self.types.len()).collect();
        let mut order = merged.clone();
        order.sort_by_key(|id| Reverse(self.types[*id].described));
        let mut kept: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut known = HashMap::new();
        for id in order {
            let same = kept.entry(self.types[id].shape).or_default();
            let mut better = same.iter().filter(|other| self.includes(**other, id, &mut known));
            match (better.next(), better.next()) {
                (Some(only), None) => merged[id] = *only,
                // Which one it is cannot be decided.
                _ if same.len() < MOST_VARIANTS => same.push(id),
                _ => {}
            }
        }
        merged
    }

    /// Whether a type has all descriptions of another one with the same shape.
    fn includes(&self, this: usize, other: usize, known: &mut HashMap<(usize, usize), bool>) -> bool {
        if this == other {
            return true;
        }
        if let Some(answer) = known.get(&(this, other)) {
            return *answer;
        }
        let fields = |id: usize| self.types[id].schema.properties.values();
        let answer = fields(this).zip(fields(other)).all(|(mut a, mut b)| {
            loop {
                if !b.description.is_empty() && a.description != b.description {
                    return false;
                }
                match (item_or_value(a), item_or_value(b)) {
                    (Some((in_a, _)), Some((in_b, _))) => (a, b) = (in_a, in_b),
                    _ => break,
                }
            }
            match (self.inside(a), self.inside(b)) {
                (Some(a), Some(b)) => self.includes(a, b, known),
                _ => true,
            }
        });
        known.insert((this, other), answer);
        answer
    }
}

/// Whether a keyword belongs to the place where a type is used.
fn is_of_place(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Title
            | Keyword::Description
            | Keyword::Default
            | Keyword::Example
            | Keyword::ExternalDocs
            | Keyword::Nullable
    )
}

/// The fields that have each type, if pages show each type once.
#[derive(Default)]
struct Uses<'s> {
    of: HashMap<usize, Use<'s>>,
    order: Vec<usize>,
}

/// The fields that have a type.
#[derive(Default)]
struct Use<'s> {
    count: usize,
    /// The names of the fields, and how many have each of them.
    names: Vec<(String, usize)>,
    /// The name of the field around the first one.
    around: &'s str,
    /// The descriptions of items and values. Those of fields may be only about the field.
    descriptions: Vec<&'s str>,
}

impl<'s> Uses<'s> {
    fn count(interned: &Interned<'s>, merged: &[usize], fields: &[(&'s str, &'s Schema)]) -> Uses<'s> {
        let mut out = Uses::default();
        let mut waiting: Vec<(&str, &str, &Schema)> =
            fields.iter().rev().map(|(name, field)| ("", *name, *field)).collect();
        while let Some((around, name, field)) = waiting.pop() {
            let Some(id) = interned.inside(field).map(|id| merged[id]) else { continue };
            let inner = field.innermost();
            let is_list = !std::ptr::eq(inner, field);
            let of = out.of.entry(id).or_default();
            of.count += 1;
            let name_of_one = pascal(&if is_list { singular(name) } else { name.to_owned() });
            let is_full = of.names.len() == MOST_VARIANTS;
            match of.names.iter_mut().find(|(known, _)| *known == name_of_one) {
                Some((_, count)) => *count += 1,
                None if is_full => {}
                None => of.names.push((name_of_one, 1)),
            }
            if is_list && of.descriptions.len() < MOST_VARIANTS && !inner.description.is_empty() {
                of.descriptions.push(&inner.description);
            }
            if of.count == 1 {
                of.around = around;
                out.order.push(id);
                let inside = interned.types[id].schema.properties.iter();
                let at = waiting.len();
                waiting.extend(inside.map(|(inner, field)| (name, inner, field)));
                waiting[at..].reverse();
            }
        }
        out
    }

    /// Returns the types to share, with names.
    fn shared(self, interned: &Interned<'s>) -> Vec<(usize, Type<'s>)> {
        let Uses { of, mut order } = self;
        order.retain(|id| of[id].count > 1 && interned.types[*id].text >= LEAST_TEXT);
        // If two types could have one name, the one with more uses has it.
        order.sort_by_key(|id| Reverse(of[id].count));
        let mut names = HashSet::from([String::new()]);
        let typed = |id: usize| {
            let (mut candidates, description) = of[&id].names();
            let most = candidates.pop().unwrap_or_default();
            let around = format!("{}{most}", pascal(&singular(of[&id].around)));
            candidates.extend([most, around.clone()]);
            let mut number = 1;
            let name = candidates.into_iter().find(|name| names.insert(name.to_lowercase()));
            let name = name.unwrap_or_else(|| {
                loop {
                    number += 1;
                    let name = format!("{around}{number}");
                    if names.insert(name.to_lowercase()) {
                        break name;
                    }
                }
            });
            (id, Type { name, description, schema: interned.types[id].schema })
        };
        order.into_iter().map(typed).collect()
    }
}

impl<'s> Use<'s> {
    /// Names for the type, the best one first, and its description. The best name is that of the program's type, if a
    /// description begins with it. The next one is the end that the names of all fields have. The last one is the most
    /// frequent name of a field, or else the shortest.
    fn names(&self) -> (Vec<String>, &'s str) {
        let described =
            self.descriptions.iter().find_map(|text| Some((self.name_in(text)?.to_owned(), *text)));
        let (name, description) = described.map_or((None, ""), |(name, text)| (Some(name), text));
        let most = self.names.iter().max_by_key(|(name, count)| (*count, Reverse(name.len())));
        let most = most.map_or_else(|| "Type".to_owned(), |(name, _)| name.clone());
        let end = self.common_end().filter(|end| end.len() > 3).map(str::to_owned);
        (name.into_iter().chain(end).chain([most]).collect(), description)
    }

    /// The last words that the names of all fields have.
    fn common_end(&self) -> Option<&str> {
        let (first, _) = self.names.first()?;
        let is_start = |at: &usize| first.as_bytes()[*at].is_ascii_uppercase();
        let mut starts = (0..first.len()).filter(is_start).map(|at| &first[at..]);
        starts.find(|end| self.names.iter().all(|(name, _)| name.ends_with(end)))
    }

    /// The name at the start of a description like "EnvVar represents an environment variable", by Go's convention.
    fn name_in<'t>(&self, description: &'t str) -> Option<&'t str> {
        let mut words = description.split_ascii_whitespace();
        let (name, verb) = (words.next()?, words.next()?);
        let is_verb = verb.bytes().all(|b| b.is_ascii_lowercase()) && verb.ends_with('s');
        let is_name = name.len() <= 48
            && name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.bytes().all(|b| b.is_ascii_alphanumeric())
            && name.bytes().any(|b| b.is_ascii_lowercase());
        let is_compound = name.bytes().skip(1).any(|b| b.is_ascii_uppercase());
        let is_field = || self.names.iter().any(|(field, _)| field.eq_ignore_ascii_case(name));
        (is_verb && is_name && (is_compound || is_field())).then_some(name)
    }
}

/// A name as that of a type: only ASCII letters and digits, each word with a capital letter.
fn pascal(name: &str) -> String {
    let mut out = String::new();
    for word in name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        out.extend(word[..1].chars().map(|c| c.to_ascii_uppercase()));
        out.push_str(&word[1..]);
    }
    out
}

/// The schema of a list's items or of a map's values, with the word for one of them.
pub(super) fn item_or_value(schema: &Schema) -> Option<(&Schema, &'static str)> {
    match (schema.item(), schema.value()) {
        (Some(item), _) => Some((item, "item")),
        (None, Some(value)) => Some((value, "value")),
        (None, None) => None,
    }
}
