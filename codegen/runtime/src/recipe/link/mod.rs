//! Linking: a recipe and the types it refers to become a schema.

use super::contradict::contradictions;
use super::faults::{self, Mistake};
use super::metadata::Metadata;
use super::node::{Default as DefaultValue, Field, Mark, Need, Node, Once, Struct};
use super::patch::Patch;
use super::types::{self, Kinds, kinds, opaque};
use super::words::escape;
mod union;
mod unknown;
use crate::diag::{Code, Diag, Diags, Kind, Level, codes};
use crate::ir::{Additional, Limits, Rule, Schema, Type};
use crate::path::Step;
use crate::value::{Map, Value};
use std::borrow::Cow;

pub use unknown::Unknown;

/// Where the types are that recipes refer to: in the program itself, or in its sources.
pub trait Types {
    /// What the type says of itself.
    fn open(&self, id: Id) -> Opened<'_>;
    /// The type of a reference of this type; none if there is a diagnostic on it already.
    fn reference(&self, id: Id, number: usize) -> Option<Id>;
    /// The default of a number.
    fn default(&self, id: Id, number: usize) -> Result<Option<Value>, Unknown>;
    /// Whether two names are the same type's.
    fn same(&self, one: Id, other: Id) -> bool {
        one == other
    }
}

/// Names a type; a number, and no type of each kind of program, so that linking is compiled once.
pub type Id = usize;

/// What a type says of itself.
#[derive(Debug)]
pub struct Opened<'a> {
    /// The name of the Rust type.
    pub name: Cow<'a, str>,
    /// Its recipe; none if there is none to be had, with a diagnostic given elsewhere.
    pub node: Option<Cow<'a, Node>>,
}

/// A linked type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Linked {
    /// Its schema.
    pub schema: Schema,
    /// Whether serde lets it be missing.
    pub optional: bool,
    /// What fields inside are to the definition around the schema, with the way to them.
    pub marks: Vec<(Vec<Step>, Mark, Schema)>,
}

/// What is being linked.
pub struct Linker<'t> {
    types: &'t dyn Types,
    /// What was found on the way.
    pub diags: Diags,
    path: Vec<Step>,
    open: Vec<(Id, usize)>,
    budget: usize,
    /// What the metadata of embedded objects is where nothing else says it.
    pub(super) metadata: Option<Metadata>,
    /// How many lists and maps are around: there can be any number of what is inside.
    repeated: usize,
    /// How many types so far have a schema only in place of their own, with a mistake that is reported. What would be wrong
    /// with such a schema is not the user's mistake.
    unknown: usize,
}

/// More nodes than any CRD that a request can contain.
const MAX_NODES: usize = 1_000_000;
/// Deeper than any document the server reads.
const MAX_DEPTH: usize = 200;

impl<'t> Linker<'t> {
    /// A linker that reports under `path`, the steps to the schema in the definition.
    pub fn new(types: &'t dyn Types, path: Vec<Step>) -> Self {
        let (diags, open) = (Vec::new(), Vec::new());
        Linker { types, diags, path, open, budget: MAX_NODES, metadata: None, repeated: 0, unknown: 0 }
    }

    /// The schema of a type.
    pub fn link(&mut self, id: Id) -> Linked {
        let opened = self.types.open(id);
        let Some(node) = opened.node else { return self.unknown() };
        // Every circle leads through a type that someone wrote.
        if !is_item(&node) {
            return self.node(&node, id);
        }
        if let Some(at) = self.open.iter().position(|(open, _)| self.types.same(*open, id)) {
            let way = readable(&self.path[self.open[at].1..]);
            let name = opened.name;
            let mistake = faults::recursive(&name, if way == ROOT { "" } else { &way });
            self.mistake(mistake);
            return self.unknown();
        }
        if self.open.len() > MAX_DEPTH {
            let message = format!("the type `{}` is nested too deep", opened.name);
            self.report(&codes::rust::RECURSIVE, message, "write #[schema(opaque)] on a field on the way");
            return self.unknown();
        }
        self.open.push((id, self.path.len()));
        let linked = self.node(&node, id);
        self.open.pop();
        linked
    }

    /// What takes the place of a type whose schema is not known. Whoever calls this has reported the reason.
    fn unknown(&mut self) -> Linked {
        self.unknown += 1;
        Linked { schema: opaque(), ..Linked::default() }
    }

    /// The schema of a recipe that belongs to the type `id`.
    pub fn node(&mut self, node: &Node, id: Id) -> Linked {
        if self.budget == 0 {
            return self.unknown();
        }
        self.budget -= 1;
        if self.budget == 0 {
            self.report(
                &codes::rust::TOO_BIG,
                "the schema of this kind has more than a million nodes",
                "write #[schema(opaque)] on the biggest fields",
            );
        }
        match node {
            Node::Plain(schema) => Linked { schema: (**schema).clone(), ..Linked::default() },
            Node::Ref(number) => match self.types.reference(id, *number) {
                Some(target) => self.link(target),
                None => self.unknown(),
            },
            Node::Option(inner) => Linked { optional: true, ..self.node(inner, id) },
            Node::Newtype(inner) => {
                let mut linked = self.node(inner, id);
                if linked.optional {
                    nullable(&mut linked.schema);
                }
                linked.optional = false;
                linked
            }
            Node::List(item) => Linked { schema: types::list_of(self.item(item, id)), ..Linked::default() },
            Node::Set(item) => {
                let item = self.item(item, id);
                let scalar = kinds(&item) & (Kinds::OBJECT | Kinds::ARRAY) == 0;
                let mut schema = types::list_of(item);
                schema.ext.list_type = scalar.then(|| "set".to_owned());
                Linked { schema, ..Linked::default() }
            }
            Node::Array(item, len) => {
                let mut schema = types::list_of(self.item(item, id));
                let len = i64::try_from(*len).unwrap_or(i64::MAX);
                (schema.limits.min_items, schema.limits.max_items) = (Some(len), Some(len));
                Linked { schema, ..Linked::default() }
            }
            Node::Map(key, value) => self.map(key, value, id),
            Node::Struct(it) => self.structure(it, id),
            Node::Enum(it) => Linked { schema: union::lower(self, it, id), ..Linked::default() },
            Node::Tuple(parts) => self.tuple(parts, id),
            Node::Patched(inner, patch) => {
                let before = self.unknown;
                let mut linked = self.node(inner, id);
                if matches!(**inner, Node::Struct(_)) && !patch.set.properties.is_empty() {
                    any_fields(&mut linked.schema);
                }
                self.patch(patch, &mut linked.schema, id, before);
                linked
            }
            Node::Wrong(what, help) => {
                self.report(&codes::rust::NOT_STRUCTURAL, what.clone(), help.clone());
                self.unknown()
            }
        }
    }

    /// Runs `inner` with steps added to the path.
    pub(super) fn within<R>(&mut self, steps: &[&str], inner: impl FnOnce(&mut Self) -> R) -> R {
        let len = self.path.len();
        self.path.extend(steps.iter().map(|s| Step::Key((*s).to_owned())));
        let out = inner(self);
        self.path.truncate(len);
        out
    }

    fn item(&mut self, node: &Node, id: Id) -> Schema {
        self.repeating("items", node, id)
    }

    /// What a list or a map has any number of.
    fn repeating(&mut self, step: &str, node: &Node, id: Id) -> Schema {
        self.repeated += 1;
        let linked = self.within(&[step], |l| l.node(node, id));
        self.repeated -= 1;
        nullable_if_optional(linked)
    }

    fn map(&mut self, key: &Node, value: &Node, id: Id) -> Linked {
        let mut diags = std::mem::take(&mut self.diags);
        let before = self.unknown;
        let key = self.node(key, id).schema;
        let is_known = self.unknown == before;
        diags.append(&mut self.diags);
        self.diags = diags;
        let value = self.repeating("additionalProperties", value, id);
        let mut schema = Schema::of(Type::Object);
        let names: Vec<&str> = match kinds(&key) {
            Kinds::STRING => key.limits.enumeration.iter().filter_map(Value::as_str).collect(),
            Kinds::BOOLEAN => vec!["false", "true"],
            _ => Vec::new(),
        };
        if !names.is_empty() {
            // A closed set of keys: properties, which a structural schema can check.
            schema.properties = names.into_iter().map(|name| (name, value.clone())).collect();
            return Linked { schema, ..Linked::default() };
        }
        match kinds(&key) {
            Kinds::STRING | Kinds::INTEGER => {}
            other if other == Kinds::INTEGER | Kinds::STRING || other == Kinds::ANY => {}
            _ if !is_known => {}
            other => self.report(
                &codes::rust::MAP_KEY,
                format!("the keys of a map must be strings, but these are {}", Kinds::words(other)),
                "JSON objects have string keys only: use a string-like key type, or a list of structs with list_type = \"map\"",
            ),
        }
        // In a list without bounds the rule alone would cost more than the server lets a definition cost.
        if self.repeated == 0 {
            super::keys::of_type(&key, &mut schema.rules);
        }
        schema.additional_properties = Some(Additional::Schema(Box::new(value)));
        Linked { schema, ..Linked::default() }
    }

    fn tuple(&mut self, parts: &[Node], id: Id) -> Linked {
        let before = self.unknown;
        let items: Vec<Schema> = parts.iter().map(|p| self.item(p, id)).collect();
        let Some(first) = items.first() else {
            return Linked { schema: types::null(), ..Linked::default() };
        };
        if self.unknown == before && items.iter().any(|i| i != first) {
            self.mistake(faults::tuple());
        }
        let mut schema = types::list_of(first.clone());
        let len = i64::try_from(items.len()).unwrap_or(i64::MAX);
        (schema.limits.min_items, schema.limits.max_items) = (Some(len), Some(len));
        Linked { schema, ..Linked::default() }
    }

    fn structure(&mut self, it: &Struct, id: Id) -> Linked {
        let Struct { fields, deny_unknown: _, default } = it;
        let before = self.unknown;
        let (defaults, why) = match default.as_ref().map(|d| self.value(d, id)) {
            Some(Ok(value)) => (value, None),
            Some(Err(why)) => (None, Some(why)),
            None => (None, None),
        };
        let mut out = Linked { schema: Schema::of(Type::Object), ..Linked::default() };
        for field in fields.iter().filter(|f| !f.flatten) {
            let filled = defaults.as_ref().and_then(|d| d.get(&field.name)).filter(|v| !v.is_null());
            self.field(field, filled, id, &mut out);
        }
        for field in fields.iter().filter(|f| f.flatten) {
            let before = self.unknown;
            let mut linked = self.node(&field.node, id);
            self.patch(&field.patch, &mut linked.schema, id, before);
            out.marks.append(&mut linked.marks);
            let optional = linked.optional || field.need == Need::Optional;
            if fields.len() == 1 && !linked.optional && is_map(&linked.schema) {
                // There is no property next to it, so it can specify its values.
                let Schema { additional_properties, limits, rules, .. } = linked.schema;
                let map = Schema { additional_properties, limits, rules, ..Schema::of(Type::Object) };
                if let Some(why) = why {
                    self.default_unknown(&why, before);
                }
                return Linked { schema: map, ..out };
            }
            self.flatten(&mut out.schema, linked.schema, optional);
        }
        if let Some(why) = why {
            self.default_unknown(&why, before);
        }
        out
    }

    fn field(&mut self, field: &Field, filled: Option<&Value>, id: Id, out: &mut Linked) {
        let Field {
            name,
            aliases,
            node,
            need,
            writes_null,
            default,
            flatten: _,
            patch,
            marks,
            once,
            strict,
            said_optional,
        } = field;
        let linked = self.within(&["properties", name], |l| {
            let before = l.unknown;
            let mut linked = l.node(node, id);
            if *strict && l.unknown == before {
                let own = &linked.schema;
                for mistake in contradictions(own, linked.optional, patch, *said_optional) {
                    l.mistake(mistake);
                }
            }
            let own = match default.as_ref().map(|d| l.value(d, id)) {
                Some(Ok(value)) => value,
                Some(Err(why)) => {
                    l.default_unknown(&why, before);
                    None
                }
                None => None,
            };
            if let Some(default) = own.or(filled.cloned()) {
                linked.schema.default = Some(default);
            }
            // The server drops the null of a field that is not nullable, which is as good, unless a default
            // would take its place; and it never takes a null that an enumeration has.
            let enumeration = !linked.schema.limits.enumeration.is_empty() && linked.schema.default.is_none();
            if linked.optional && *writes_null && !enumeration {
                nullable(&mut linked.schema);
            }
            l.patch(patch, &mut linked.schema, id, before);
            linked
        });
        let Linked { mut schema, optional, marks: inner } = linked;
        if *once != Once::No {
            schema.rules.push(Rule {
                rule: "self == oldSelf".into(),
                message: format!("{name} is immutable"),
                ..Rule::default()
            });
        }
        let required = match need {
            Need::Auto => !optional && filled.is_none(),
            Need::Required => true,
            Need::Optional => false,
        };
        self.immutable(name, *once, required || schema.default.is_some(), &mut out.schema);
        for (mut way, mark, at) in inner {
            way.insert(0, Step::Key(name.clone()));
            out.marks.push((way, mark, at));
        }
        for mark in marks {
            out.marks.push((vec![Step::Key(name.clone())], mark.clone(), schema.clone()));
        }
        if aliases.is_empty() {
            if required {
                out.schema.limits.required.push(name.clone());
            }
        } else {
            aliased(name, aliases, required, &schema, &mut out.schema);
        }
        if out.schema.properties.insert(name.clone(), schema).is_some() {
            self.report(
                &codes::rust::SAME_NAME,
                format!("two fields have the name `{name}` in the document"),
                "rename one of them with #[serde(rename = \"…\")]",
            );
        }
    }

    /// The part of immutability that a rule on the field itself cannot say: rules about a change run
    /// only where there is an old and a new value.
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

    /// Puts the fields of a flattened value into its owner.
    pub(super) fn flatten(&mut self, owner: &mut Schema, inner: Schema, optional: bool) {
        let is = kinds(&inner);
        if is & Kinds::OBJECT == 0 && !types::is_null(&inner) {
            self.mistake(faults::flattened(is));
            return;
        }
        if is != Kinds::OBJECT {
            owner.ext.preserve_unknown_fields = Some(true);
        }
        if inner.additional_properties.is_some() {
            // Properties and additionalProperties exclude each other; unknown fields are kept unchecked.
            owner.ext.preserve_unknown_fields = Some(true);
        }
        if inner.ext.preserve_unknown_fields == Some(true) {
            owner.ext.preserve_unknown_fields = Some(true);
        }
        let Schema { properties, limits, rules, .. } = inner;
        for (name, mut property) in properties {
            if owner.properties.contains_key(&name) {
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
            owner.properties.insert(name, property);
        }
        if is != Kinds::OBJECT {
            return;
        }
        owner.rules.extend(rules);
        if optional {
            // serde ignores a flattened Option that does not match.
            return;
        }
        let Limits { required, all_of, any_of, one_of, not, .. } = limits;
        for name in required {
            if !owner.limits.required.contains(&name) {
                owner.limits.required.push(name);
            }
        }
        let add = Limits { all_of, any_of, one_of, not, ..Limits::default() };
        let patch =
            super::Patch { set: Schema { limits: add, ..Schema::default() }, ..super::Patch::default() };
        patch.apply(owner, &mut |_| {});
    }

    /// The value of a default or of code in an attribute, without nulls.
    fn value(&self, default: &DefaultValue, id: Id) -> Result<Option<Value>, Unknown> {
        match default {
            DefaultValue::Value(value) => Ok(Some(value.clone())),
            DefaultValue::Computed(number) => {
                let value = self.types.default(id, *number)?;
                Ok(value.map(without_nulls).filter(|v| !v.is_null()))
            }
        }
    }

    /// Reports that a value is not known, unless it is the value of a type that became unknown since `before`.
    fn default_unknown(&mut self, why: &Unknown, before: usize) {
        if self.unknown == before {
            self.report(
                &codes::rust::DEFAULT_UNKNOWN,
                why.to_string(),
                "write the value as a literal: a default with #[schema(default = …)], a schema with #[schema(raw = { … })]; or use --exact, which runs the code",
            );
        }
    }

    /// How many types so far are unknown, to compare with later.
    pub(super) fn unknown_so_far(&self) -> usize {
        self.unknown
    }

    /// Applies attributes, once the values that code computes are known. If a type in the schema became unknown since
    /// `before`, nothing is reported that may only be so because of that.
    pub(super) fn patch(&mut self, patch: &Patch, schema: &mut Schema, id: Id, before: usize) {
        #[cfg(feature = "json-schema")]
        if let Some(text) = self.schemars(patch, id) {
            let given = self.node(&super::json_schema::read::read_text(&text), id).schema;
            let given = Patch { set: given, overrides_type: true, ..Patch::default() };
            given.apply(schema, &mut |_| {});
        }
        let computed;
        let patch = if patch.needs_code() {
            let now = self.unknown;
            computed = patch.computed(&mut |n| {
                self.value(&DefaultValue::Computed(n), id).unwrap_or_else(|why| {
                    self.default_unknown(&why, now);
                    None
                })
            });
            &computed
        } else {
            patch
        };
        if patch.metadata == Some(Metadata::AsKind)
            && let Some(metadata) = self.metadata
        {
            metadata.put_into(schema);
        }
        let is_known = self.unknown == before;
        patch.apply(schema, &mut |mistake| {
            if is_known {
                self.mistake(mistake);
            }
        });
    }

    /// The schema of a function for schemars: text, where other functions give a schema.
    #[cfg(feature = "json-schema")]
    fn schemars(&self, patch: &Patch, id: Id) -> Option<String> {
        let (_, number) = patch.computed.iter().find(|(keyword, _)| keyword == "schema")?;
        match self.types.default(id, *number) {
            Ok(Some(Value::Str(text))) => Some(text),
            _ => None,
        }
    }

    pub(super) fn mistake(&mut self, Mistake { code, message, help, key: _ }: Mistake) {
        self.report(code, message, help);
    }

    pub(super) fn report(
        &mut self,
        code: &'static Code,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let help = help.into();
        self.diags.push(Diag {
            code,
            level: Level::Error,
            kind: None::<Kind>,
            field: readable(&self.path),
            bad: None,
            detail: message.into(),
            steps: self.path.clone(),
            inside: None,
            rule: None,
            help: (!help.is_empty()).then_some(help),
        });
    }
}

/// The way in the document of a resource to a place of its schema: `.spec.kids[].name`.
fn readable(path: &[Step]) -> String {
    let mut out = String::new();
    let schema = path.iter().position(|s| *s == Step::Key("openAPIV3Schema".into())).map_or(0, |i| i + 1);
    let mut steps = path[schema..].iter();
    while let Some(step) = steps.next() {
        match step {
            Step::Key(key) if key == "properties" => {
                if let Some(Step::Key(name)) = steps.next() {
                    out.push_str(&format!(".{name}"));
                }
            }
            Step::Key(key) if key == "items" => out.push_str("[]"),
            Step::Key(key) if key == "additionalProperties" => out.push_str("{}"),
            Step::Key(_) | Step::Index(_) => {}
        }
    }
    // The root is named as the server names it; texts then leave it out.
    if out.is_empty() { ROOT.to_owned() } else { out }
}

/// The root as the server names it.
const ROOT: &str = "<nil>";

/// Whether a recipe is of a type that someone wrote, not of one that only contains others.
fn is_item(node: &Node) -> bool {
    match node {
        Node::Struct(_) | Node::Enum(_) | Node::Newtype(_) | Node::Tuple(_) => true,
        Node::Patched(inner, _) => is_item(inner),
        Node::Plain(_)
        | Node::Ref(_)
        | Node::Option(_)
        | Node::List(_)
        | Node::Set(_)
        | Node::Array(..)
        | Node::Map(..)
        | Node::Wrong(..) => false,
    }
}

fn is_map(schema: &Schema) -> bool {
    kinds(schema) == Kinds::OBJECT && matches!(schema.additional_properties, Some(Additional::Schema(_)))
}

/// Properties and additionalProperties exclude each other: next to properties, unknown fields are kept unchecked.
pub(super) fn any_fields(schema: &mut Schema) {
    if schema.additional_properties.take().is_some() {
        schema.ext.preserve_unknown_fields = Some(true);
    }
}

fn nullable_if_optional(linked: Linked) -> Schema {
    let mut schema = linked.schema;
    if linked.optional {
        nullable(&mut schema);
    }
    schema
}

/// Lets null in. The server's check of an enumeration fails on null, even one that names it, but junctors are
/// not looked at for a null.
pub(super) fn nullable(schema: &mut Schema) {
    schema.nullable = true;
    let enumeration = std::mem::take(&mut schema.limits.enumeration);
    if !enumeration.is_empty() {
        let limits = Limits { enumeration, ..Limits::default() };
        schema.limits.all_of.push(Schema { limits, ..Schema::default() });
    }
}

/// A field that serde also takes under other names: exactly one of them, or none if it is optional.
fn aliased(name: &str, aliases: &[String], required: bool, schema: &Schema, out: &mut Schema) {
    let names: Vec<&str> = std::iter::once(name).chain(aliases.iter().map(String::as_str)).collect();
    for alias in aliases {
        let mut copy = schema.clone();
        copy.default = None;
        out.properties.insert(alias.clone(), copy);
    }
    let one = |name: &&str| {
        let limits = Limits { required: vec![(*name).to_owned()], ..Limits::default() };
        Schema { limits, ..Schema::default() }
    };
    let mut alternatives: Vec<Schema> = names.iter().map(one).collect();
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
    super::apply::junctor(&mut out.limits, |l| &mut l.one_of, &alternatives);
}

/// A default without members that are null: what serde writes for `None`, and the server would drop.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Map(map) => Value::Map(
            map.into_iter()
                .filter(|(_, v)| !v.is_null())
                .map(|(k, v)| (k, without_nulls(v)))
                .collect::<Map<_>>(),
        ),
        Value::List(items) => Value::List(items.into_iter().map(without_nulls).collect()),
        other => other,
    }
}
