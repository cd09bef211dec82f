//! Compares two schemas. The habits of schemars and of kube's rewriting are recognized by their results.

use super::kubernetes::{ENOUGH_FIELDS, is_kubernetes};
use super::reason::{self, Reason};
use super::{Change, short};
use crate::ir::{About, Additional, Extensions, Items, Keyword, KeywordValue, Limits, Rule, Schema, Type};
use crate::json;
use crate::listed;
use crate::value::{Map, Value};

/// Adds the differences between two schemas, at this node and below.
pub(super) fn compare(old: &Schema, new: &Schema, at: String, out: &mut Vec<Change>) {
    let mut undocumented = Vec::new();
    let root = at.clone();
    Compare { out, undocumented: &mut undocumented, at, foreign: false }
        .node(&without_header(old), &without_header(new));
    if !undocumented.is_empty() {
        Compare { out, undocumented: &mut Vec::new(), at: root, foreign: false }.add(
            "description",
            &reason::UNDOCUMENTED,
            undocumented.join(", "),
            "",
        );
    }
}

/// The schema of an object without what the server knows about every object: that it has `apiVersion`, `kind` and
/// `metadata`.
fn without_header(root: &Schema) -> Schema {
    let mut root = root.clone();
    let is_known = |name: &str, schema: &Schema| {
        let described = Schema { description: schema.description.clone(), ..Schema::default() };
        match name {
            "apiVersion" | "kind" => *schema == Schema { ty: Some(Type::String), ..described },
            "metadata" => *schema == Schema { ty: Some(Type::Object), ..described },
            _ => false,
        }
    };
    let properties = std::mem::take(&mut root.properties).into_iter();
    root.properties = properties.filter(|(name, schema)| !is_known(name, schema)).collect();
    root.limits.required.retain(|name| !matches!(name.as_str(), "apiVersion" | "kind" | "metadata"));
    root
}

struct Compare<'o> {
    out: &'o mut Vec<Change>,
    /// The places where only the old schema has a description.
    undocumented: &'o mut Vec<String>,
    at: String,
    /// Whether this is inside one of Kubernetes' types, whose descriptions are left out.
    foreign: bool,
}

impl Compare<'_> {
    fn add(&mut self, what: &str, reason: &'static Reason, old: impl Into<String>, new: impl Into<String>) {
        let at = match (self.at.trim_end(), what) {
            (_, "") => self.place(),
            (at, what) => format!("{at} {what}").trim_start().to_owned(),
        };
        self.out.push(Change { at, reason, old: old.into(), new: new.into() });
    }

    /// The place in words.
    fn place(&self) -> String {
        match self.at.trim_end() {
            "" => "the whole object".to_owned(),
            at => at.to_owned(),
        }
    }

    fn within(&mut self, step: &str, foreign: bool, old: &Schema, new: &Schema) {
        let at = format!("{}{step}", self.at);
        Compare { out: self.out, undocumented: self.undocumented, at, foreign }.node(old, new);
    }

    fn node(&mut self, old: &Schema, new: &Schema) {
        let is_first = !self.foreign && is_kubernetes(new);
        self.foreign |= is_first;
        let start = self.out.len();
        self.parts(old, new);
        if is_first {
            self.bounds_together(start);
        }
    }

    /// Reports the bounds of one of Kubernetes' own types as one change of the type.
    fn bounds_together(&mut self, start: usize) {
        const MOST: usize = 12;
        let is_bound = |change: &mut Change| *change.reason == reason::FOREIGN_BOUND;
        let all: Vec<Change> = self.out.extract_if(start.., is_bound).collect();
        if all.len() < 2 {
            return self.out.extend(all);
        }
        let here = self.at.trim_end();
        let text = |change: &Change, value: &str| {
            let at = change.at.strip_prefix(here).unwrap_or(&change.at).trim_start_matches('.');
            format!("{at} {value}")
        };
        let texts = |value: fn(&Change) -> &str| {
            let shown: Vec<&Change> = all.iter().filter(|change| !value(change).is_empty()).collect();
            listed::first(shown.into_iter().map(|change| text(change, value(change))), MOST)
        };
        let (old, new) = (texts(|change| &change.old), texts(|change| &change.new));
        self.add("", &reason::FOREIGN_BOUND, old, new);
    }

    fn parts(&mut self, old: &Schema, new: &Schema) {
        let Schema {
            ty,
            nullable,
            title,
            description,
            default,
            example: _,
            external_docs: _,
            properties,
            items,
            additional_properties,
            ext,
            rules,
            limits,
            foreign: _,
            empty: _,
        } = new;
        // If the whole node becomes another one, only that is reported.
        if old.foreign.as_deref().is_some_and(|f| f.reference.is_some()) {
            return self.add("", &reason::REFERENCE, short(old), short(new));
        }
        if ext.int_or_string && !old.ext.int_or_string && old.ty == Some(Type::String) {
            // A quantity was any string.
            let is_bound = !new.limits.pattern.is_empty() && new.limits.pattern != old.limits.pattern;
            let reason = if is_bound { &reason::FOREIGN_BOUND } else { &reason::FOREIGN_RULE };
            return self.add("", reason, short(old), short(new));
        }
        if ext.int_or_string && !old.ext.int_or_string {
            return self.add("", &reason::INT_OR_STRING, short(old), short(new));
        }
        let says_nothing = old.ty.is_none() && old.properties.is_empty() && old.limits == Limits::default();
        let takes_anything = properties.is_empty() && ext.preserve_unknown_fields.is_some();
        if says_nothing
            && takes_anything
            && !old.ext.int_or_string
            && old.ext.preserve_unknown_fields.is_none()
        {
            return self.add("", &reason::ANYTHING, short(old), short(new));
        }
        if let Some(Items::Many(_)) = &old.items {
            return self.add("", &reason::TUPLE, short(old), short(new));
        }
        self.words(old, title, description, new);
        if old.ty != *ty {
            let name = |ty: &Option<Type>| ty.as_ref().map_or(String::new(), |t| t.as_str().to_owned());
            let reason = match (&old.ty, is_encoded_union(new)) {
                (None, _) => &reason::NO_TYPE,
                (Some(_), true) => &reason::UNION,
                (Some(_), false) => &reason::CHANGED,
            };
            self.add("type", reason, name(&old.ty), name(ty));
        }
        match (old.nullable, nullable) {
            // Reported together with the enum.
            (true, false) if !limits.enumeration.is_empty() => {}
            (true, false) => self.add("", &reason::NULLABLE_OFF, "nullable", ""),
            (false, true) => self.add("", &reason::NULLABLE_ON, "", "nullable"),
            _ => {}
        }
        self.default(old.default.as_ref(), default.as_ref());
        self.limits(old, new);
        self.extensions(&old.ext, ext, old, new);
        self.rules(&old.rules, rules);
        self.properties(old, new);
        if let (Some(Items::One(old)), Some(Items::One(new))) = (&old.items, items) {
            self.within("[]", self.foreign, old, new);
        }
        self.additional_properties(old, new, additional_properties.as_ref());
    }

    fn additional_properties(&mut self, old: &Schema, new: &Schema, now: Option<&Additional>) {
        match (&old.additional_properties, now) {
            (Some(Additional::Schema(old)), Some(Additional::Schema(new))) => {
                self.within("{}", self.foreign, old, new)
            }
            (Some(_), None)
                if !old.properties.is_empty() && new.ext.preserve_unknown_fields == Some(true) =>
            {
                self.add("additionalProperties", &reason::FLATTENED_MAP, "a map", "");
            }
            (Some(Additional::Allow(false)), None) => {
                self.add("additionalProperties", &reason::CLOSED, "false", "")
            }
            (Some(Additional::Allow(true) | Additional::Schema(_)), None) if !keeps_anything(new) => {
                self.add("", &reason::LOST, "any field", "");
            }
            (Some(_), None) => self.add("additionalProperties", &reason::REMOVED, "a map", ""),
            (None, Some(_)) if self.foreign => {
                self.add("additionalProperties", &reason::FOREIGN_FIELD, "", "a map");
            }
            (None | Some(Additional::Allow(true)), Some(Additional::Schema(value)))
                if keeps_anything(old) =>
            {
                self.add("", &reason::UNREADABLE, "any field", format!("a map of {}", short(value)));
            }
            (None, Some(_)) => self.add("additionalProperties", &reason::DROPPED_FIELD, "", "a map"),
            _ => {}
        }
    }

    fn words(&mut self, old: &Schema, title: &str, description: &str, new: &Schema) {
        if old.title != *title {
            let reason = if title.is_empty() { &reason::TITLE } else { &reason::CHANGED };
            self.add("title", reason, old.title.as_str(), title);
        }
        if old.description == *description {
            return;
        }
        let is_enum = !new.limits.enumeration.is_empty() || !new.limits.all_of.is_empty();
        let reason = if old.description.split_whitespace().eq(description.split_whitespace()) {
            &reason::LINES
        } else if old.description.starts_with("Auto-generated derived type for") {
            &reason::AUTO_DOC
        } else if description.is_empty() && self.foreign {
            &reason::FOREIGN_DOC
        } else if is_enum || description.contains("\n- ") || description.starts_with("- ") {
            &reason::VARIANT_DOC
        } else if description.is_empty() {
            return self.undocumented.push(self.place());
        } else {
            &reason::DOC
        };
        self.add("description", reason, cut(&old.description), cut(description));
    }

    fn default(&mut self, old: Option<&Value>, new: Option<&Value>) {
        let text = |v: Option<&Value>| v.map_or(String::new(), json::to_string);
        let is_same = |old: Option<&Value>| match (old, new) {
            (Some(old), Some(new)) => is_same(old, new),
            (old, new) => old.is_none() && new.is_none(),
        };
        if is_same(old) {
            return;
        }
        let reason = match (old, new) {
            (Some(old), _) if is_same(without_nulls(old).as_ref()) => &reason::NULL_DEFAULT,
            _ if self.foreign => &reason::FOREIGN_RULE,
            (None, _) => &reason::DEFAULT,
            _ => &reason::OTHER_DEFAULT,
        };
        self.add("default", reason, text(old), text(new));
    }

    fn limits(&mut self, old: &Schema, new: &Schema) {
        let Limits { required, enumeration, all_of, one_of, .. } = &new.limits;
        let was = &old.limits;
        let rust_format = was.format.starts_with("uint")
            || matches!(was.format.as_str(), "int8" | "int16" | "int128" | "int");
        let is_text_format = is_choice_of_formats(&new.limits) && new.ty == Some(Type::String);
        if is_text_format && was.any_of.is_empty() {
            self.add("format", &reason::TEXT_FORMAT, was.format.as_str(), formats(&new.limits));
        }
        let range = match () {
            () if rust_format => Some(&reason::NUMBER_FORMAT),
            () if self.foreign || new.ty == Some(Type::String) => None,
            () => another_range(was, &new.limits),
        };
        if let Some(reason) = range {
            self.add("", reason, bounds(was), bounds(&new.limits));
        }
        for keyword in Keyword::ALL.iter().copied().filter(|k| is_bound(*k)) {
            if range.is_some() && matches!(keyword, Keyword::Format | Keyword::Minimum | Keyword::Maximum) {
                continue;
            }
            if is_text_format && was.any_of.is_empty() && keyword == Keyword::Format {
                continue;
            }
            let text = |schema: &Schema| schema.get(keyword).map_or(String::new(), shown);
            // Enums get these bounds to reject types that no variant has. They are not in the source.
            if is_encoded_union(new) && text(old).is_empty() && !text(new).is_empty() {
                self.add(keyword.name(), &reason::UNION, "", text(new));
                continue;
            }
            self.bound(keyword.name(), &text(old), &text(new));
        }
        let all_want = |name: &String| {
            let each =
                |all: &[Schema]| !all.is_empty() && all.iter().all(|s| s.limits.required.contains(name));
            each(&was.any_of) || each(&was.one_of)
        };
        // Fields that all variants require are now required next to the variants.
        let (shared, more): (Vec<_>, Vec<_>) =
            required.iter().filter(|name| !was.required.contains(name)).partition(|name| all_want(name));
        // Reported together with the default.
        let more: Vec<_> = more.into_iter().filter(|name| !lost_its_default(name, old, new)).collect();
        // If a field is removed, only that is reported.
        let is_there = |name: &&String| new.properties.is_empty() || new.properties.contains_key(name);
        let fewer: Vec<&String> =
            was.required.iter().filter(|name| !required.contains(name)).filter(is_there).collect();
        let unless_foreign =
            |reason: &'static Reason| if self.foreign { &reason::FOREIGN_RULE } else { reason };
        let joined = unless_foreign(&reason::UNION);
        // With an alias, a required field becomes one of several.
        let gone = if one_of.is_empty() { unless_foreign(&reason::REQUIRED) } else { joined };
        // A type of the project may have the same few fields as one of Kubernetes' own.
        let is_certain = self.foreign && new.properties.len() >= ENOUGH_FIELDS;
        let bound = if is_certain { &reason::FOREIGN_BOUND } else { &reason::UNREADABLE };
        for (reason, old, new) in [(joined, vec![], shared), (bound, vec![], more), (gone, fewer, vec![])] {
            if !(old.is_empty() && new.is_empty()) {
                self.add("required", reason, names(&old), names(&new));
            }
        }
        let junctors = |l: &Limits| (l.all_of.clone(), l.any_of.clone(), l.one_of.clone(), l.not.clone());
        let differ = junctors(was) != junctors(&new.limits);
        self.enumeration(&was.enumeration, enumeration, all_of);
        if differ && was.enumeration.is_empty() && !(is_text_format && was.any_of.is_empty()) {
            let only = |l: &Limits| {
                let (all_of, any_of, one_of, not) = junctors(l);
                let limits = Limits { all_of, any_of, one_of, not, ..Limits::default() };
                short(&Schema { limits, ..Schema::default() })
            };
            self.add("", &reason::UNION, only(was), only(&new.limits));
        }
    }

    /// If only the new CRD has a bound, the bound is in the source, and the old tools dropped it.
    fn bound(&mut self, key: &str, old: &str, new: &str) {
        if old == new {
            return;
        }
        let reason = match (old, new) {
            (_, "") if self.foreign => &reason::FOREIGN_RULE,
            _ if self.foreign => &reason::FOREIGN_BOUND,
            ("", _) => &reason::LOST_RULE,
            _ => &reason::CONSTRAINT,
        };
        self.add(key, reason, old, new);
    }

    fn enumeration(&mut self, old: &[Value], new: &[Value], all_of: &[Schema]) {
        let inside: Vec<Value> = all_of.iter().flat_map(|s| s.limits.enumeration.iter().cloned()).collect();
        let new = if new.is_empty() { &inside } else { new };
        if old == new {
            return;
        }
        let list = |all: &[Value]| all.iter().map(json::to_string).collect::<Vec<_>>().join(", ");
        let kept: Vec<&Value> = old.iter().filter(|v| !v.is_null()).collect();
        let accepts_old = kept.iter().all(|v| new.contains(v));
        let reason = match kept.len() == new.len() && accepts_old {
            true if kept.len() != old.len() => &reason::NULL_ENUM,
            true => &reason::ORDER,
            false if new.is_empty() => &reason::CONSTRAINT,
            false if self.foreign => &reason::FOREIGN_BOUND,
            false if old.is_empty() => &reason::LOST_RULE,
            false if accepts_old => &reason::MORE_VALUES,
            false => &reason::CONSTRAINT,
        };
        self.add("enum", reason, list(old), list(new));
    }

    fn extensions(&mut self, old: &Extensions, new: &Extensions, was: &Schema, now: &Schema) {
        let Extensions {
            preserve_unknown_fields,
            embedded_resource,
            int_or_string: _,
            list_type,
            list_map_keys,
            map_type,
            unions: _,
        } = new;
        let text = |t: &Option<String>| t.clone().unwrap_or_default();
        if old.list_type != *list_type || old.list_map_keys != *list_map_keys {
            let reason = if old.list_type.is_none() { &reason::LIST_TYPE } else { &reason::CHANGED };
            let keys = |ext: &Extensions| {
                format!("{} {}", text(&ext.list_type), ext.list_map_keys.join(", ")).trim().to_owned()
            };
            self.add("x-kubernetes-list-type", reason, keys(old), keys(new));
        }
        if old.map_type != *map_type {
            let reason = if old.map_type.is_none() { &reason::MAP_TYPE } else { &reason::CHANGED };
            self.add("x-kubernetes-map-type", reason, text(&old.map_type), text(map_type));
        }
        if old.embedded_resource != *embedded_resource {
            let reason = if *embedded_resource { &reason::EMBEDDED } else { &reason::REMOVED };
            self.add(
                "x-kubernetes-embedded-resource",
                reason,
                old.embedded_resource.to_string(),
                embedded_resource.to_string(),
            );
        }
        let map = was.additional_properties.is_some();
        match (old.preserve_unknown_fields, preserve_unknown_fields) {
            (None, Some(_)) if map => {}
            (None, Some(_)) => {
                let is_union = !(now.limits.any_of.is_empty() && now.limits.one_of.is_empty());
                let reason = if is_union { &reason::UNION } else { &reason::ADDED };
                self.add("x-kubernetes-preserve-unknown-fields", reason, "", "true");
            }
            // Changes of a map are reported at its values.
            (Some(_), None) if map_of(now) => {}
            (Some(_), None) => self.add("", &reason::LOST, "any field", ""),
            _ => {}
        }
    }

    fn rules(&mut self, old: &[Rule], new: &[Rule]) {
        for rule in new.iter().filter(|r| !old.contains(r)) {
            self.add("rule", &reason::LOST_RULE, "", rule.rule.as_str());
        }
        for rule in old.iter().filter(|r| !new.contains(r)) {
            self.add("rule", &reason::CONSTRAINT, rule.rule.as_str(), "");
        }
    }

    fn properties(&mut self, was: &Schema, now: &Schema) {
        let (old, new) = (&was.properties, &now.properties);
        let mut more = Vec::new();
        for (name, schema) in new.iter() {
            match old.get(name) {
                Some(old) if lost_its_default(name, was, now) => {
                    let default = old.default.as_ref().map_or(String::new(), json::to_string);
                    let reason = if self.foreign { &reason::FOREIGN_BOUND } else { &reason::DEFAULTED };
                    let at = format!("{}.{name}", self.at);
                    let old = Schema { default: None, ..old.clone() };
                    let mut field =
                        Compare { out: self.out, undocumented: self.undocumented, at, foreign: self.foreign };
                    field.add("", reason, format!("default {default}"), "required");
                    field.node(&old, schema);
                }
                Some(old) => self.within(&format!(".{name}"), self.foreign, old, schema),
                // The old schema kept any field.
                None if keeps_anything(was) => {}
                None => more.push(name),
            }
        }
        if !more.is_empty() {
            let reason = if self.foreign { &reason::FOREIGN_FIELD } else { &reason::DROPPED_FIELD };
            self.add("", reason, "", more.join(", "));
        }
        let gone: Vec<&str> = old.keys().filter(|name| !new.contains_key(name)).collect();
        if gone.is_empty() {
            return;
        }
        let reason = match () {
            () if keeps_anything(now) => &reason::REMOVED,
            () if is_embedded_metadata(&self.at, now, &gone) => &reason::METADATA,
            () => &reason::LOST,
        };
        self.add("", reason, gone.join(", "), "");
    }
}

/// Whether the server set the field by a default that the new schema does not have.
fn lost_its_default(name: &str, old: &Schema, new: &Schema) -> bool {
    let has_default =
        |schema: &Schema| schema.properties.get(name).is_some_and(|field| field.default.is_some());
    let is_required = |schema: &Schema| schema.limits.required.iter().any(|required| required == name);
    is_required(new) && !is_required(old) && has_default(old) && !has_default(new)
}

/// Names in one line.
fn names(all: &[&String]) -> String {
    all.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Whether the server keeps fields of any name.
fn keeps_anything(schema: &Schema) -> bool {
    schema.ext.preserve_unknown_fields == Some(true) || map_of(schema)
}

/// Whether this is a map.
fn map_of(schema: &Schema) -> bool {
    matches!(schema.additional_properties, Some(Additional::Schema(_) | Additional::Allow(true)))
}

/// Whether this is metadata inside an object that has only lost fields that the server sets.
fn is_embedded_metadata(at: &str, new: &Schema, gone: &[&str]) -> bool {
    at.ends_with("etadata")
        && new.properties.contains_key("name")
        && gone.iter().all(|name| crate::recipe::SET_BY_SERVER.contains(name))
}

/// Whether a keyword bounds values by itself.
fn is_bound(keyword: Keyword) -> bool {
    match keyword.about() {
        About::Numbers | About::Strings => true,
        About::Lists => matches!(keyword, Keyword::MinItems | Keyword::MaxItems | Keyword::UniqueItems),
        About::Objects => matches!(keyword, Keyword::MinProperties | Keyword::MaxProperties),
        About::All => keyword == Keyword::Format,
    }
}

/// The value of a bound, as text.
fn shown(value: KeywordValue<'_>) -> String {
    match value {
        KeywordValue::Flag(flag) => flag.to_string(),
        KeywordValue::Text(text) => text.to_owned(),
        KeywordValue::Number(number) => number.to_string(),
        KeywordValue::Count(count) => count.to_string(),
        _ => String::new(),
    }
}

/// Why the range of a number differs, if the old CRD has a range that the new one does not have. If the new one has no
/// bounds, the old range is that of a Rust type.
fn another_range(old: &Limits, new: &Limits) -> Option<&'static Reason> {
    let differs = |old: Option<f64>, new: Option<f64>| old.is_some() && old != new;
    if differs(old.minimum, new.minimum) || differs(old.maximum, new.maximum) {
        Some(&reason::CONSTRAINT)
    } else if !old.format.is_empty() && old.format != new.format {
        Some(&reason::RANGE)
    } else {
        None
    }
}

/// Whether a schema is a choice of formats, as for addresses that may be of several kinds.
fn is_choice_of_formats(limits: &Limits) -> bool {
    let is_format = |schema: &Schema| {
        // A pattern leaves out what the server accepts and Rust does not read.
        let Limits { format, pattern, .. } = schema.limits.clone();
        let only = Limits { format, pattern, ..Limits::default() };
        !only.format.is_empty() && *schema == Schema { limits: only, ..Schema::default() }
    };
    !limits.any_of.is_empty() && limits.any_of.iter().all(is_format)
}

/// The formats of a choice.
fn formats(limits: &Limits) -> String {
    limits.any_of.iter().map(|schema| schema.limits.format.as_str()).collect::<Vec<_>>().join(" or ")
}

/// Whether two values are the same to a server, for which `1.0` is `1`.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(_), Value::Float(_)) | (Value::Float(_), Value::Int(_)) => a.as_float() == b.as_float(),
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b)),
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| is_same(a, b)))
        }
        (a, b) => a == b,
    }
}

/// The bounds of a number.
fn bounds(limits: &Limits) -> String {
    let mut out = vec![limits.format.clone()];
    out.extend(limits.minimum.map(|n| format!("minimum {n}")));
    out.extend(limits.maximum.map(|n| format!("maximum {n}")));
    out.retain(|s| !s.is_empty());
    out.join(", ")
}

fn cut(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None if line.len() < text.len() => format!("{line}…"),
        None => line.to_owned(),
    }
}

/// The value as the server stores it. None if it is null.
fn without_nulls(value: &Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::Map(map) => Some(Value::Map(
            map.iter().filter_map(|(k, v)| Some((k.to_owned(), without_nulls(v)?))).collect::<Map<Value>>(),
        )),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::List(_) => {
            Some(value.clone())
        }
    }
}

/// Whether crdgen writes a schema like this for an enum whose variants have different types.
fn is_encoded_union(schema: &Schema) -> bool {
    schema.ty.is_none()
        && schema.ext.preserve_unknown_fields == Some(true)
        && !(schema.limits.any_of.is_empty() && schema.limits.one_of.is_empty())
}
