//! Validates values against a schema as the server's OpenAPI validator does, with its messages and its peculiarities.

mod at;
mod enums;
mod findings;
mod junctors;
mod numbers;
mod types;

use crate::correlate;
use crate::diag::codes::object as codes;
use crate::diag::{BadValue, Diag, Diags, Kind};
use crate::format::Format;
use crate::go;
use crate::go::regexp::{self, Regexp};
use crate::ir::{Additional, Items, Junctors, Schema, Type};
use crate::path::Path;
use crate::recipe::{type_words, types_of};
use crate::server::Server;
use crate::server::is_supported;
use crate::value::{Map, Value, yaml_bool};
use at::At;
use enums::Enums;
pub(super) use enums::go_int;
use findings::{Finding, Findings};
pub(crate) use numbers::number_size;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use types::Types;

/// The first version that reports values below a minimum of characters, items or properties like those above a maximum.
const LIKE_MAXIMA_SINCE: u32 = 38;

/// Validates values against one schema.
#[derive(Debug)]
pub struct Validator<'s> {
    schema: &'s Schema,
    dialect: Dialect,
    server: Server,
    patterns: Arc<Patterns>,
    enums: Enums<'s>,
}

/// The compiled patterns. Each is compiled when it is first needed.
#[derive(Debug, Default)]
pub struct Patterns(Mutex<HashMap<String, Arc<Result<Regexp, regexp::Error>>>>);

impl Patterns {
    pub(crate) fn get(&self, pattern: &str) -> Arc<Result<Regexp, regexp::Error>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(compiled) = known.get(pattern) {
            return Arc::clone(compiled);
        }
        let compiled = Arc::new(Regexp::parse(pattern));
        known.insert(pattern.to_owned(), Arc::clone(&compiled));
        compiled
    }
}

/// The server creates a validator from a schema in two ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    /// For objects: int-or-string is a type, unknown formats are left out.
    Served,
    /// For defaults, from the structural schema: int-or-string has no type, and unknown formats stay.
    Structural,
}

impl<'s> Validator<'s> {
    /// Creates a validator for objects.
    pub fn new(schema: &'s Schema, server: Server) -> Validator<'s> {
        Validator::sharing(schema, server, &Arc::default())
    }

    /// A validator that shares its compiled patterns with others.
    pub fn sharing(schema: &'s Schema, server: Server, patterns: &Arc<Patterns>) -> Validator<'s> {
        let patterns = Arc::clone(patterns);
        Validator { schema, dialect: Dialect::Served, server, patterns, enums: Enums::default() }
    }

    /// Creates a validator for defaults.
    pub fn of_structural(schema: &'s Schema, server: Server) -> Validator<'s> {
        let (patterns, enums) = (Arc::default(), Enums::default());
        Validator { schema, dialect: Dialect::Structural, server, patterns, enums }
    }

    /// Returns the errors in the value at `path`.
    pub fn validate(&self, value: &Value, path: &Path<'_>) -> Diags {
        self.run(value, None, path)
    }

    /// Returns the errors in a value that replaces `old`. Invalid parts that did not change are accepted.
    pub fn validate_update(&self, value: &Value, old: &Value, path: &Path<'_>) -> Diags {
        self.run(value, Some(old), path)
    }

    fn run(&self, value: &Value, old: Option<&Value>, path: &Path<'_>) -> Diags {
        let mut out = Findings::default();
        self.node(ValidatedNode { schema: self.schema, nested: false }, value, &At::START, old, &mut out);
        out.into_diags(path)
    }

    /// Validates one node. Returns how many checks applied and passed, as the server counts them to find the
    /// alternative that came closest. `old` is the previous value at this place, if it can be matched.
    fn node(
        &self,
        node: ValidatedNode<'s>,
        value: &Value,
        at: &At<'_>,
        old: Option<&Value>,
        out: &mut Findings,
    ) -> usize {
        let before = out.len();
        let count = self.checks(node, value, at, old, out);
        if out.len() > before
            && !node.nested
            && let Some(help) = wrong_type(node.schema, value)
        {
            out.advise(before, at, &help);
        }
        if out.len() > before
            && let Some(old) = old
            && correlate::same(value, old, node.schema)
        {
            out.truncate(before);
        }
        count
    }

    fn checks(
        &self,
        node: ValidatedNode<'s>,
        value: &Value,
        at: &At<'_>,
        old: Option<&Value>,
        out: &mut Findings,
    ) -> usize {
        let schema = node.schema;
        let types = self.types(schema);
        if value.is_null() {
            let count = types::null(&types, schema.nullable, at, out);
            enums::check(&schema.limits.enumeration, &self.enums, value, at, out);
            return count;
        }
        let format = self.format(schema, &types);
        // One for each check that applies, and in addition what these checks count.
        let mut count = 1;
        if types != Types::Any || !format.is_empty() {
            count += 1 + types::check(&types, format, value, at, out);
        }
        count += 1 + self.junctors(node, value, at, out);
        match value {
            Value::Str(text) => {
                count += 1;
                self.string(schema, text, at, out);
                if let Some(known) = Format::find(format, u32::MAX) {
                    count += 1;
                    if !known.matches(text) {
                        types::wrong_format(format, text, at, out);
                    }
                }
            }
            Value::Int(_) | Value::Float(_) => {
                count += 2;
                let size = numbers::size_of(&types, format, self.server);
                numbers::check(&schema.limits, size, value, at, out);
            }
            Value::List(items) => count += 2 + self.list(node, items, at, old, out),
            Value::Bool(_) | Value::Map(_) | Value::Null => {}
        }
        count += 1;
        enums::check(&schema.limits.enumeration, &self.enums, value, at, out);
        if let Value::Map(map) = value {
            count += 1 + self.object(node, map, at, old, out);
        }
        count
    }

    fn types(&self, schema: &'s Schema) -> Types<'s> {
        match (self.dialect, &schema.ty) {
            (Dialect::Served, _) if schema.ext.int_or_string => Types::IntOrString,
            (Dialect::Served | Dialect::Structural, Some(ty)) => Types::One(ty),
            (Dialect::Served | Dialect::Structural, None) => Types::Any,
        }
    }

    /// The format to check. Empty if there is none.
    fn format(&self, schema: &'s Schema, types: &Types<'s>) -> &'s str {
        let format = schema.limits.format.as_str();
        let ty = match types {
            Types::One(ty) => Some(*ty),
            Types::Any | Types::IntOrString => None,
        };
        match self.dialect {
            Dialect::Structural => format,
            Dialect::Served if is_supported(format, ty, self.server) => format,
            Dialect::Served => "",
        }
    }

    fn string(&self, schema: &'s Schema, text: &str, at: &At<'_>, out: &mut Findings) {
        let limits = &schema.limits;
        if limits.max_length.is_some() || limits.min_length.is_some() {
            let length = text.chars().count() as i64;
            if let Some(max) = limits.max_length.filter(|max| length > *max) {
                let Diag { bad, mut detail, .. } = Diag::too_long(&codes::LENGTH, &Path::ROOT, max);
                if max == 1 && self.server.is_before(34) {
                    detail.push('s');
                }
                let (bad, help) = (bad.unwrap_or(BadValue::Plain(Value::Null)), counted(length, "character"));
                out.add(at, Finding { code: &codes::LENGTH, kind: Kind::TooLong, bad, detail, help });
                return;
            }
            if let Some(min) = limits.min_length.filter(|min| length < *min) {
                if out.count_instead(at) {
                    return;
                }
                let (kind, detail) = match self.server.is_before(LIKE_MAXIMA_SINCE) {
                    true => {
                        (Kind::Invalid, format!("{} in body should be at least {min} chars long", at.name()))
                    }
                    false => (Kind::TooShort, format!("must be at least {}", number_of(min, "character"))),
                };
                let (bad, help) = (Value::from(text).into(), counted(length, "character"));
                out.add(at, Finding { code: &codes::LENGTH, kind, bad, detail, help });
                return;
            }
        }
        if limits.pattern.is_empty() {
            return;
        }
        let pattern = &limits.pattern;
        let detail = match &*self.patterns.get(pattern) {
            Ok(regexp) if regexp.is_match(text) => return,
            _ if out.count_instead(at) => return,
            Ok(_) => format!("{} in body should match '{pattern}'", at.name()),
            Err(error) => {
                format!("{} in body should match '{pattern}, but pattern is invalid: {error}'", at.name())
            }
        };
        let (bad, help) = (Value::from(text).into(), "change the value to match the pattern".to_owned());
        out.add(at, Finding { code: &codes::PATTERN, kind: Kind::Invalid, bad, detail, help });
    }

    fn list(
        &self,
        node: ValidatedNode<'s>,
        items: &[Value],
        at: &At<'_>,
        old: Option<&Value>,
        out: &mut Findings,
    ) -> usize {
        let schema = node.schema;
        let mut count = 0;
        let mut of_tuple: &[Schema] = &[];
        match &schema.items {
            Some(Items::One(item_schema)) => {
                let olds = correlate::Items::new(old, schema);
                for (i, item) in items.iter().enumerate() {
                    count += self.node(node.child(item_schema), item, &at.item(i), olds.get(item), out);
                }
            }
            Some(Items::Many(all)) => {
                of_tuple = all;
                for (i, (item_schema, item)) in all.iter().zip(items).enumerate() {
                    count += self.node(node.child(item_schema), item, &at.item(i), None, out);
                }
            }
            None => {}
        }
        let additional = schema.foreign.as_deref().and_then(|f| f.additional_items.as_ref());
        if let Some(additional) = additional.filter(|_| of_tuple.len() < items.len()) {
            match additional {
                Additional::Allow(false) if !of_tuple.is_empty() => {
                    let detail = "array doesn't allow for additional items".to_owned();
                    out.add_plain(&codes::ITEMS, at, detail, "remove the items that no schema is for");
                }
                Additional::Allow(_) => {}
                Additional::Schema(item_schema) => {
                    // The server counts them in this way.
                    let end = (items.len() + 1).saturating_sub(of_tuple.len()).min(items.len());
                    for (i, item) in items.iter().enumerate().take(end).skip(of_tuple.len()) {
                        count += self.node(node.child(item_schema), item, &at.item(i), None, out);
                    }
                }
            }
        }
        let size = items.len() as i64;
        if let Some(min) = schema.limits.min_items.filter(|min| size < *min && !out.count_instead(at)) {
            let (kind, detail) = self.too_few(min, "items", at);
            let (bad, help) = (Value::Int(size).into(), counted(size, "item"));
            out.add(at, Finding { code: &codes::ITEMS, kind, bad, detail, help });
        }
        if let Some(max) = schema.limits.max_items.filter(|max| size > *max) {
            let (bad, help) = (Value::Int(size).into(), counted(size, "item"));
            let detail = at_most(max, self.server);
            out.add(at, Finding { code: &codes::ITEMS, kind: Kind::TooMany, bad, detail, help });
        }
        if schema.limits.unique_items {
            let mut seen = HashSet::new();
            if !items.iter().all(|item| seen.insert(format!("{item:?}"))) && !out.count_instead(at) {
                let detail = format!("{} in body shouldn't contain duplicates", at.name());
                let (bad, help) = (Value::from("").into(), "remove the duplicates".to_owned());
                out.add(at, Finding { code: &codes::REPEATED_ITEM, kind: Kind::Invalid, bad, detail, help });
            }
        }
        count
    }

    fn object(
        &self,
        node: ValidatedNode<'s>,
        map: &Map<Value>,
        at: &At<'_>,
        old: Option<&Value>,
        out: &mut Findings,
    ) -> usize {
        let schema = node.schema;
        let size = map.len() as i64;
        if let Some(min) = schema.limits.min_properties.filter(|min| size < *min && !out.count_instead(at)) {
            let (kind, detail) = self.too_few(min, "properties", at);
            let (bad, help) = (Value::Int(size).into(), counted(size, "field"));
            out.add(at, Finding { code: &codes::PROPERTIES, kind, bad, detail, help });
        }
        if let Some(max) = schema.limits.max_properties.filter(|max| size > *max) {
            let (bad, help) = (Value::Int(size).into(), counted(size, "field"));
            let detail = at_most(max, self.server);
            out.add(at, Finding { code: &codes::PROPERTIES, kind: Kind::TooMany, bad, detail, help });
        }
        let old = old.and_then(Value::as_map);
        // The server always checks apiVersion and kind of a resource, even if they have not changed.
        let old_of = |name: &str| {
            let of_resource = at.is_start() && matches!(name, "apiVersion" | "kind");
            old.and_then(|old| old.get(name)).filter(|_| !of_resource)
        };
        let mut count = 0;
        let additional = match (&schema.additional_properties, self.dialect) {
            // Structural schemas do not have these in junctors.
            (_, Dialect::Structural) if node.nested => None,
            (additional, Dialect::Structural | Dialect::Served) => additional.as_ref(),
        };
        let others = map.iter().filter(|(name, _)| !schema.properties.contains_key(name));
        match additional {
            None | Some(Additional::Allow(true)) => {}
            Some(Additional::Allow(false)) => {
                for (name, _) in others {
                    if out.count_instead(at) {
                        continue;
                    }
                    let detail = format!("{}.{name} in body is a forbidden property", at.name());
                    let (bad, help) = (Value::from(name).into(), format!("remove `{name}`"));
                    out.add(at, Finding { code: &codes::FORBIDDEN, kind: Kind::Invalid, bad, detail, help });
                }
            }
            Some(Additional::Schema(value_schema)) => {
                for (name, value) in others {
                    count += self.node(node.child(value_schema), value, &at.member(name), old_of(name), out);
                }
            }
        }
        // Only the fields of the value are visited, because many schemas have hundreds of properties.
        for (name, value) in map.iter() {
            if let Some(property) = schema.properties.get(name) {
                count += self.node(node.child(property), value, &at.property(name), old_of(name), out);
            }
        }
        for name in schema.limits.required.iter().filter(|name| !map.contains_key(name)) {
            let (bad, help) = (Value::from("").into(), format!("add `{name}`"));
            out.add(
                &at.member(name),
                Finding { code: &codes::REQUIRED, kind: Kind::Required, bad, detail: String::new(), help },
            );
        }
        count
    }

    /// The error for a list or an object with fewer than `min` items or properties.
    fn too_few(&self, min: i64, things: &str, at: &At<'_>) -> (Kind, String) {
        match self.server.is_before(LIKE_MAXIMA_SINCE) {
            true => (Kind::Invalid, format!("{} in body should have at least {min} {things}", at.name())),
            false => (Kind::TooFew, format!("must have at least {}", number_of(min, "item"))),
        }
    }
}

/// The help for a value of a type that a schema without a type excludes by contradictory bounds, as schemas of Rust enums
/// do. The bounds themselves mean nothing, so the help must not repeat them.
fn wrong_type(schema: &Schema, value: &Value) -> Option<String> {
    if schema.ty.is_some() || schema.ext.int_or_string {
        return None;
    }
    let allowed = types_of(schema);
    let with_type = |ty: Type| types_of(&Schema::of(ty));
    let (found, plural) = match value {
        Value::Null => return None,
        Value::Bool(_) => (with_type(Type::Boolean), "booleans"),
        Value::Int(_) => (with_type(Type::Integer), "numbers"),
        Value::Float(_) => (with_type(Type::Number), "numbers"),
        Value::Str(_) => (with_type(Type::String), "strings"),
        Value::List(_) => (with_type(Type::Array), "lists"),
        Value::Map(_) => (with_type(Type::Object), "objects"),
    };
    if allowed & found != 0 {
        return None;
    }
    let Junctors { all_of, any_of, one_of, not: _ } = schema.limits.junctors();
    let branches = any_of.iter().chain(one_of).chain(all_of);
    let mut names = branches.chain([schema]).flat_map(|it| &it.limits.enumeration).filter_map(Value::as_str);
    Some(match value.as_bool().and_then(|found| names.find(|word| yaml_bool(word) == Some(found))) {
        Some(text) => enums::quote(text),
        None => format!("{plural} are not allowed here: write {}", type_words(allowed)),
    })
}

/// A schema node during the walk.
#[derive(Clone, Copy)]
struct ValidatedNode<'s> {
    schema: &'s Schema,
    /// Whether this is inside a junctor.
    nested: bool,
}

impl<'s> ValidatedNode<'s> {
    fn child(self, schema: &'s Schema) -> ValidatedNode<'s> {
        ValidatedNode { schema, ..self }
    }

    /// A branch of a junctor.
    fn branch(schema: &'s Schema) -> ValidatedNode<'s> {
        ValidatedNode { schema, nested: true }
    }
}

fn at_most(max: i64, server: Server) -> String {
    match max {
        1 if !server.is_before(34) => "must have at most 1 item".to_owned(),
        max if max < 0 => "has too many items".to_owned(),
        max => format!("must have at most {max} items"),
    }
}

/// A number of things, in words: `it has 1 character`, `it has 2 fields`.
fn counted(count: i64, of: &str) -> String {
    format!("it has {}", number_of(count, of))
}

fn number_of(count: i64, of: &str) -> String {
    format!("{count} {of}{}", if count == 1 { "" } else { "s" })
}

/// A float as messages contain it.
fn number(f: f64) -> String {
    go::number::format_g(f)
}

/// The name of the JSON type of a value in the server's messages.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Int(_) => "integer",
        Value::Float(_) => "number",
        Value::Str(_) => "string",
        Value::List(_) => "array",
        Value::Map(_) => "object",
    }
}

/// Whether the server considers a float a whole number: nearly one, and small enough for floats to count exactly.
fn is_whole(f: f64) -> bool {
    const MAX: f64 = 9_007_199_254_740_991.0;
    if !f.is_finite() || !(-MAX..=MAX).contains(&f) {
        return false;
    }
    let rounded = f.round();
    f == rounded || rounded != 0.0 && (f - rounded).abs() < 1e-9 * rounded.abs()
}
