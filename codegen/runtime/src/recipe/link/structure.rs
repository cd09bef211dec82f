//! Structs: their fields, and what flattened fields add.

use super::super::apply::junctor;
use super::super::contradict::{Presence, contradictions};
use super::super::faults;
use super::super::node::{Default as DefaultValue, Field, Need, Once, Struct};
use super::super::patch::Patch;
use super::super::types::{self, Kinds, kinds};
use super::super::words::escape;
use super::{Id, Linked, Linker, below, nullable, without_nulls};
use crate::diag::codes;
use crate::ir::{Additional, Limits, Rule, Schema, Type};
use crate::path::Step;
use crate::value::{Map, Value};
use std::collections::{HashMap, HashSet};

/// The properties of a struct while it is read. A [`Map`] would move half of the others for each of them.
#[derive(Default)]
struct Properties {
    all: Vec<(String, Schema)>,
    /// Where the property of a name is.
    places: HashMap<String, usize>,
}

impl Properties {
    fn contains(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// Sets a property, and returns the old one.
    fn insert(&mut self, name: String, schema: Schema) -> Option<Schema> {
        if let Some((_, old)) = self.places.get(&name).and_then(|at| self.all.get_mut(*at)) {
            return Some(std::mem::replace(old, schema));
        }
        self.places.insert(name.clone(), self.all.len());
        self.all.push((name, schema));
        None
    }

    fn into_map(self) -> Map<Schema> {
        Map::sorted(self.all)
    }
}

impl Linker<'_> {
    pub(super) fn structure(&mut self, it: &Struct, id: Id) -> Linked {
        let Struct { fields, deny_unknown: _, default } = it;
        let before = self.unknown_so_far();
        let (defaults, why) = match default.as_ref().map(|d| self.value(d, id)) {
            Some(Ok(value)) => (value, None),
            Some(Err(why)) => (None, Some(why)),
            None => (None, None),
        };
        let mut out = Linked { schema: Schema::of(Type::Object), ..Linked::default() };
        let mut properties = Properties::default();
        for field in fields.iter().filter(|f| !f.flatten) {
            let filled = defaults.as_ref().and_then(|d| d.get(&field.name)).filter(|v| !v.is_null());
            self.field(field, filled, id, &mut out, &mut properties);
        }
        for field in fields.iter().filter(|f| f.flatten) {
            let before = self.unknown_so_far();
            if let Some(map) = self.flattened(field, fields.len() == 1, id, &mut out, &mut properties) {
                if let Some(why) = why {
                    self.default_unknown(&why, before);
                }
                out.schema = map;
                return out;
            }
        }
        if fields.iter().any(|f| f.flatten) {
            let mut seen = HashSet::new();
            out.schema.limits.required.retain(|name| seen.insert(name.clone()));
        }
        out.schema.properties = properties.into_map();
        if let Some(why) = why {
            self.default_unknown(&why, before);
        }
        out
    }

    /// Adds what a flattened field contains. If it is a map without properties next to it, returns the schema of the map.
    fn flattened(
        &mut self,
        field: &Field,
        is_alone: bool,
        id: Id,
        out: &mut Linked,
        properties: &mut Properties,
    ) -> Option<Schema> {
        let before = self.unknown_so_far();
        let (mut linked, _) = self.under(&field.patch, &field.node, id);
        self.patch(&field.patch, &mut linked.schema, id, before);
        out.marks.append(&mut linked.marks);
        let optional = linked.optional || field.need == Need::Optional;
        if is_alone && !linked.optional && is_map(&linked.schema) {
            let Schema { additional_properties, limits, rules, .. } = linked.schema;
            return Some(Schema { additional_properties, limits, rules, ..Schema::of(Type::Object) });
        }
        self.flatten(&mut out.schema, properties, linked.schema, optional);
        None
    }

    fn field(
        &mut self,
        field: &Field,
        filled: Option<&Value>,
        id: Id,
        out: &mut Linked,
        properties: &mut Properties,
    ) {
        let linked = self.within(&["properties", &field.name], |l| l.value_of(field, filled, id));
        self.add(field, linked, filled.is_some(), out, properties);
    }

    /// Reads what a field contains.
    fn value_of(&mut self, field: &Field, filled: Option<&Value>, id: Id) -> Linked {
        let Field { node, writes_null, default, by_serde, patch, strict, said_optional, left_out, .. } =
            field;
        let before = self.unknown_so_far();
        let (mut linked, is_known) = self.under(patch, node, id);
        if *strict && is_known && self.unknown_so_far() == before {
            let own = &linked.schema;
            let presence = Presence { by_serde: linked.optional, by_attribute: *said_optional };
            for mistake in contradictions(own, presence, patch) {
                self.mistake(mistake);
            }
        }
        if let Some(function) = left_out
            && !linked.optional
            && self.unknown_so_far() == before
        {
            self.mistake(faults::left_out(function, faults::ReadBy::Type));
        }
        let own = match default.as_ref().map(|d| self.value(d, id)) {
            Some(Ok(value)) => value,
            Some(Err(why)) => {
                self.default_unknown(&why, before);
                None
            }
            None => None,
        };
        let own = own.map(|value| match default {
            Some(DefaultValue::Computed(_)) => without_nulls(value, &linked.schema),
            Some(DefaultValue::Value(_)) | None => value,
        });
        if let (Some(given), Some(Ok(Some(by_serde)))) = (&own, by_serde.as_ref().map(|d| self.value(d, id)))
        {
            let by_serde = without_nulls(by_serde, &linked.schema);
            if *given != by_serde {
                self.mistake(faults::two_defaults(given, &by_serde));
            }
        }
        // serde writes floats without a number as null.
        if own.is_none()
            && !linked.optional
            && kinds(&linked.schema) & !(Kinds::NUMBER | Kinds::INTEGER) == 0
            && !linked.schema.nullable
            && default.as_ref().is_some_and(|default| self.is_null(default, id))
        {
            self.mistake(faults::null_default());
        }
        if let Some(default) = own.or_else(|| Some(without_nulls(filled?.clone(), &linked.schema))) {
            linked.schema.default = Some(default);
        }
        // A field with an enum does not become nullable, because the server never accepts null for an enum. It
        // drops the null of a field that is not nullable, which has the same effect. But if there is a default,
        // that would replace the null.
        let enumeration = !linked.schema.limits.enumeration.is_empty() && linked.schema.default.is_none();
        if linked.optional && *writes_null && !enumeration {
            nullable(&mut linked.schema);
        }
        self.patch(patch, &mut linked.schema, id, before);
        linked
    }

    /// Adds a field to its struct.
    fn add(
        &mut self,
        field: &Field,
        linked: Linked,
        is_filled: bool,
        out: &mut Linked,
        properties: &mut Properties,
    ) {
        let Field { name, aliases, need, marks, once, .. } = field;
        let Linked { mut schema, optional, marks: inner } = linked;
        if *once != Once::No {
            schema.rules.push(Rule {
                rule: "self == oldSelf".into(),
                message: format!("{name} is immutable"),
                ..Rule::default()
            });
        }
        let required = match need {
            Need::Auto => !optional && !is_filled,
            Need::Required => true,
            Need::Optional => false,
        };
        self.immutable(name, *once, required || schema.default.is_some(), &mut out.schema);
        out.marks.extend(below(&Step::Key(name.clone()), inner));
        for mark in marks {
            out.marks.push((vec![Step::Key(name.clone())], mark.clone(), schema.clone()));
        }
        if aliases.is_empty() {
            if required {
                out.schema.limits.required.push(name.clone());
            }
        } else {
            let spellings = Spellings { name, aliases, required };
            aliased(&spellings, &schema, &mut out.schema.limits, properties);
        }
        if properties.insert(name.clone(), schema).is_some() {
            self.report(
                &codes::rust::SAME_NAME,
                format!("two fields have the name `{name}` in the document"),
                "rename one of them with #[serde(rename = \"…\")]",
            );
        }
    }

    /// Adds the rules for immutability that cannot be at the field itself, because rules about changes only run if
    /// there are an old and a new value.
    fn immutable(&mut self, name: &str, once: Once, always: bool, owner: &mut Schema) {
        if always {
            return;
        }
        let has = escape(name);
        let (rule, message) = match once {
            Once::No => return,
            Once::Immutable => (
                format!("has(self.{has}) == has(oldSelf.{has})"),
                format!("{name} is immutable: it can neither be added nor removed"),
            ),
            Once::Once => (
                format!("!has(oldSelf.{has}) || has(self.{has})"),
                format!("{name} cannot be removed once set"),
            ),
        };
        owner.rules.push(Rule { rule, message, ..Rule::default() });
    }

    /// Adds the fields of a flattened value to its owner.
    fn flatten(&mut self, owner: &mut Schema, fields: &mut Properties, inner: Schema, optional: bool) {
        let is = kinds(&inner);
        if is & Kinds::OBJECT == 0 && !types::is_null(&inner) {
            self.mistake(faults::flattened(is));
            return;
        }
        if is != Kinds::OBJECT {
            owner.ext.preserve_unknown_fields = Some(true);
        }
        if let Some(values) = inner.value().filter(|values| !optional && kinds(values) != Kinds::ANY) {
            self.warn(faults::flattened_map(kinds(values)));
        }
        if inner.additional_properties.is_some() {
            // A schema cannot have properties and additionalProperties, so unknown fields are kept unchecked.
            owner.ext.preserve_unknown_fields = Some(true);
        }
        if inner.ext.preserve_unknown_fields == Some(true) {
            owner.ext.preserve_unknown_fields = Some(true);
        }
        let Schema { properties, mut limits, rules, .. } = inner;
        if optional {
            limits = or_none(limits, properties.keys());
        }
        for (name, mut property) in properties {
            if fields.contains(&name) {
                self.report(
                    &codes::rust::SAME_NAME,
                    format!("the struct already has the flattened field `{name}`"),
                    "serde sets only one of the two. Rename or remove the other",
                );
                continue;
            }
            if optional {
                property.default = None;
            }
            fields.insert(name, property);
        }
        if is != Kinds::OBJECT {
            return;
        }
        owner.rules.extend(rules);
        let Limits { required, all_of, any_of, one_of, not, .. } = limits;
        owner.limits.required.extend(required);
        let add = Limits { all_of, any_of, one_of, not, ..Limits::default() };
        let patch = Patch { set: Schema { limits: add, ..Schema::default() }, ..Patch::default() };
        patch.apply(owner, &mut |_| {});
    }
}

/// The constraints of a flattened `Option`: all of them, or none of the fields. serde reads an object with only some fields
/// of a struct as `None`, so only those of an enum apply, which select a variant.
fn or_none<'n>(limits: Limits, names: impl Iterator<Item = &'n str>) -> Limits {
    if limits.one_of.is_empty() && limits.any_of.is_empty() {
        return Limits::default();
    }
    let any_of = names.map(with).collect();
    let any = Schema { limits: Limits { any_of, ..Limits::default() }, ..Schema::default() };
    let none = Limits { not: Some(Box::new(any)), ..Limits::default() };
    let Limits { required, all_of, any_of, one_of, not, .. } = limits;
    let all = Limits { required, all_of, any_of, one_of, not, ..Limits::default() };
    let any_of = [all, none].map(|limits| Schema { limits, ..Schema::default() });
    Limits { any_of: any_of.into(), ..Limits::default() }
}

/// The schema of objects with this field.
fn with(name: &str) -> Schema {
    let limits = Limits { required: vec![name.to_owned()], ..Limits::default() };
    Schema { limits, ..Schema::default() }
}

fn is_map(schema: &Schema) -> bool {
    kinds(schema) == Kinds::OBJECT && matches!(schema.additional_properties, Some(Additional::Schema(_)))
}

/// The names of a field that serde reads under several.
struct Spellings<'s> {
    name: &'s str,
    aliases: &'s [String],
    required: bool,
}

/// Adds a field under all its names: exactly one of them must be set, or none if it is optional.
fn aliased(spellings: &Spellings<'_>, schema: &Schema, limits: &mut Limits, properties: &mut Properties) {
    let Spellings { name, aliases, required } = *spellings;
    let names: Vec<&str> = std::iter::once(name).chain(aliases.iter().map(String::as_str)).collect();
    for alias in aliases {
        let mut copy = schema.clone();
        copy.default = None;
        properties.insert(alias.clone(), copy);
    }
    let mut alternatives: Vec<Schema> = names.into_iter().map(with).collect();
    if !required {
        let none = Limits {
            not: Some(Box::new(Schema {
                limits: Limits { any_of: alternatives.clone(), ..Limits::default() },
                ..Schema::default()
            })),
            ..Limits::default()
        };
        alternatives.push(Schema { limits: none, ..Schema::default() });
    }
    junctor(limits, |l| &mut l.one_of, &alternatives);
}
