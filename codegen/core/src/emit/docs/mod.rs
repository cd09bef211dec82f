//! What readers want to know about a CRD, in the words and the order in which it is shown. Documentation pages and the
//! output of `crdgen explain` are made from it.

mod changes;
mod clauses;
mod constraints;
mod facts;
mod sentence;

pub use changes::{Change, Changes};
pub use facts::{Documented, Fact};

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Column, Crd, Schema, Type};
use crate::json;
use crate::names::compare_versions;

/// A definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// `names.kind`
    pub kind: String,
    /// `group`
    pub group: String,
    /// `names.plural`
    pub plural: String,
    /// `names.singular`
    pub singular: String,
    /// `names.shortNames`
    pub short_names: Vec<String>,
    /// `names.categories`
    pub categories: Vec<String>,
    /// Whether its objects are in namespaces.
    pub namespaced: bool,
    /// All versions, served or not, in the order of discovery: `v2`, `v1`, `v1beta1`.
    pub versions: Vec<Version>,
    /// How each version differs from the one before it, the newest first.
    pub changes: Vec<Changes>,
}

/// A version of a definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Version {
    /// Its name.
    pub name: String,
    /// Group and version, as an object has them.
    pub api_version: String,
    /// The anchor on a page.
    pub anchor: String,
    /// Whether it is served.
    pub served: bool,
    /// Whether objects are stored in it.
    pub storage: bool,
    /// The warning that the server sends to users of a deprecated version.
    pub deprecated: Option<String>,
    /// What the kind is for.
    pub description: String,
    /// What an object may look like, as JSON.
    pub example: Option<String>,
    /// Objects of this version; none here, since they need the server's checks.
    pub examples: Vec<Example>,
    /// Whether there is a status subresource.
    pub status: bool,
    /// Whether there is a scale subresource.
    pub scale: bool,
    /// What `kubectl get` shows.
    pub columns: Vec<Column>,
    /// The fields that can be selected by.
    pub selectable: Vec<String>,
    /// Facts about whole objects.
    pub facts: Vec<Fact>,
    /// Rules for objects as a whole.
    pub rules: Vec<Rule>,
    /// All fields, each before those inside it.
    pub fields: Vec<Field>,
}

/// An object to start from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    /// What it shows.
    pub title: String,
    /// The object, as YAML.
    pub text: String,
}

/// A field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// How to get there from the object: `spec.items[].name`, `*` being any key of a map.
    pub path: String,
    /// The anchor on a page. No two fields of a page share one.
    pub anchor: String,
    /// How many fields it is inside.
    pub depth: usize,
    /// How many fields end with this one, if it has no fields inside.
    pub ends: usize,
    /// Whether there are fields inside it.
    pub is_parent: bool,
    /// Its type in words.
    pub ty: String,
    /// Whether it must be there.
    pub required: bool,
    /// What it is for.
    pub description: String,
    /// Whether its description says that it is deprecated.
    pub deprecated: bool,
    /// What the server sets where it is missing, as JSON.
    pub default: Option<String>,
    /// What it may look like, as JSON.
    pub example: Option<String>,
    /// The facts about its value.
    pub facts: Vec<Fact>,
    /// Rules for its value.
    pub rules: Vec<Rule>,
}

/// A rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// The expression that must be true.
    pub rule: String,
    /// What it means, in its author's words or else in ours; empty if there are none.
    pub message: String,
    /// Whether it is about changes.
    pub on_update: bool,
}

/// What there is to know of a definition.
pub fn page(crd: &Crd) -> Page {
    let names = &crd.spec.names;
    let mut versions: Vec<Version> = (0..crd.spec.versions.len()).map(|index| version(crd, index)).collect();
    versions.sort_by(|a, b| compare_versions(&b.name, &a.name));
    Page {
        kind: names.kind.clone(),
        group: crd.spec.group.clone(),
        plural: names.plural.clone(),
        singular: names.singular.clone(),
        short_names: names.short_names.clone(),
        categories: names.categories.clone(),
        namespaced: crd.spec.scope == "Namespaced",
        changes: changes::between(&versions),
        versions,
    }
}

impl Page {
    /// The version that is shown by default: the stored one, or else the first.
    pub fn main_version(&self) -> Option<&Version> {
        self.versions.iter().find(|v| v.storage).or(self.versions.first())
    }
}

impl Version {
    /// The field of a path, which may leave out `[]` and `*`.
    pub fn field(&self, path: &[&str]) -> Option<&Field> {
        let is_name = |part: &&str| !part.is_empty() && *part != "*";
        let wanted: Vec<&str> = path.iter().copied().filter(is_name).collect();
        self.fields.iter().find(|field| {
            field.depth + 1 == wanted.len()
                && field
                    .path
                    .split('.')
                    .map(|part| part.trim_end_matches("[]"))
                    .filter(is_name)
                    .eq(wanted.iter().copied())
        })
    }

    /// The fields directly inside a field, or those of the object itself.
    pub fn inside<'a>(&'a self, field: Option<&Field>) -> impl Iterator<Item = &'a Field> {
        let (start, depth) = match field.and_then(|f| self.fields.iter().position(|g| g.path == f.path)) {
            Some(at) => (at + 1, self.fields[at].depth + 1),
            None => (0, 0),
        };
        self.fields[start..].iter().take_while(move |f| f.depth >= depth).filter(move |f| f.depth == depth)
    }
}

fn version(crd: &Crd, index: usize) -> Version {
    let version = &crd.spec.versions[index];
    let api_version = format!("{}/{}", crd.spec.group, version.name);
    let kind = &crd.spec.names.kind;
    let subresources = crd.spec.subresources_of(index);
    let schema = crd.spec.schema_of(index);
    let mut out = Version {
        name: version.name.clone(),
        anchor: anchor(&format!("{kind}.{}", version.name)),
        served: version.served,
        storage: version.storage,
        deprecated: version.deprecated.then(|| {
            let usual = || format!("{api_version} {kind} is deprecated");
            version.deprecation_warning.clone().unwrap_or_else(usual)
        }),
        description: schema.map(|s| s.description.clone()).unwrap_or_default(),
        example: schema.and_then(|s| s.example.as_ref()).map(json::to_string),
        status: subresources.is_some_and(|s| s.status),
        scale: subresources.is_some_and(|s| s.scale.is_some()),
        columns: crd.spec.columns_of(index).to_vec(),
        selectable: crd.spec.selectable_fields_of(index).iter().map(|f| f.json_path.clone()).collect(),
        api_version,
        ..Version::default()
    };
    let mut fields = Fields {
        out: Vec::new(),
        anchors: BTreeSet::new(),
        numbers: BTreeMap::new(),
        base: out.anchor.clone(),
    };
    let always =
        |value: &str| vec![Fact { what: "always".to_owned(), values: vec![value.to_owned().into()] }];
    fields.fixed("apiVersion", "string", always(&out.api_version));
    fields.fixed("kind", "string", always(kind));
    let own = schema.and_then(|s| s.properties.get("metadata"));
    let meta = fields.fixed("metadata", "ObjectMeta", Vec::new());
    if let Some(own) = own {
        fields.children(own, "metadata", 1);
    }
    fields.out[meta].is_parent = fields.out.len() > meta + 1;
    if let Some(schema) = schema {
        out.facts = facts::of(schema, "");
        out.rules = rules(schema);
        for (name, property) in schema.properties.iter() {
            if !matches!(name, "apiVersion" | "kind" | "metadata") {
                fields.field(name, property, "", schema, 0);
            }
        }
    }
    out.fields = fields.finish();
    out
}

struct Fields {
    out: Vec<Field>,
    anchors: BTreeSet<String>,
    numbers: BTreeMap<String, usize>,
    base: String,
}

impl Fields {
    /// Adds a field that all objects have, and returns its index.
    fn fixed(&mut self, name: &str, ty: &str, facts: Vec<Fact>) -> usize {
        let anchor = self.anchor(name);
        self.out.push(Field {
            name: name.to_owned(),
            path: name.to_owned(),
            anchor,
            ty: ty.to_owned(),
            required: true,
            facts,
            ..Field::default()
        });
        self.out.len() - 1
    }

    fn field(&mut self, name: &str, schema: &Schema, prefix: &str, parent: &Schema, depth: usize) {
        let path = format!("{prefix}{name}");
        let at = self.out.len();
        let mut facts = facts::of(schema, "");
        let mut all_rules = rules(schema);
        // Facts about items and values are shown at their list or map.
        let mut inner = schema;
        let mut each = String::new();
        while let Some((next, word)) = item_or_value(inner) {
            each = if each.is_empty() { word.to_owned() } else { format!("{word} of each {each}") };
            facts.extend(facts::of(next, &each));
            all_rules.extend(rules(next));
            inner = next;
        }
        let mut description = schema.description.clone();
        if description.is_empty() {
            description.clone_from(&inner.description);
        }
        let deprecated = is_deprecated(&description);
        facts::describe_values(&mut facts, &mut description);
        let anchor = self.anchor(&path);
        self.out.push(Field {
            name: name.to_owned(),
            anchor,
            depth,
            ty: type_of(schema),
            required: parent.limits.required.iter().any(|r| r == name),
            deprecated,
            description,
            default: schema.default.as_ref().map(json::to_string),
            example: schema.example.as_ref().or(inner.example.as_ref()).map(json::to_string),
            facts,
            rules: all_rules,
            path: path.clone(),
            ..Field::default()
        });
        self.children(schema, &path, depth + 1);
        self.out[at].is_parent = self.out.len() > at + 1;
    }

    /// The fields inside a field, or inside its items or values.
    fn children(&mut self, schema: &Schema, path: &str, depth: usize) {
        let mut inner = schema;
        let mut path = path.to_owned();
        while let Some((next, _)) = item_or_value(inner) {
            path.push_str(if inner.item().is_some() { "[]" } else { ".*" });
            inner = next;
        }
        path.push('.');
        for (name, property) in inner.properties.iter() {
            self.field(name, property, &path, inner, depth);
        }
    }

    fn anchor(&mut self, path: &str) -> String {
        let wanted = anchor(&format!("{}.{path}", self.base));
        let mut out = wanted.clone();
        // Counting continues at the last number, so that a thousand fields with the same anchor do not try all numbers
        // again.
        let number = self.numbers.entry(wanted.clone()).or_insert(1);
        while !self.anchors.insert(out.clone()) {
            *number += 1;
            out = format!("{wanted}-{number}");
        }
        out
    }

    fn finish(mut self) -> Vec<Field> {
        let depths: Vec<usize> = self.out.iter().map(|f| f.depth).skip(1).chain([0]).collect();
        for (field, next) in self.out.iter_mut().zip(depths) {
            field.ends = field.depth.saturating_sub(next);
        }
        self.out
    }
}

/// The schema of a list's items or of a map's values, with the word for one of them.
fn item_or_value(schema: &Schema) -> Option<(&Schema, &'static str)> {
    match (schema.item(), schema.value()) {
        (Some(item), _) => Some((item, "item")),
        (None, Some(value)) => Some((value, "value")),
        (None, None) => None,
    }
}

/// A name for a place on a page that is safe in a link without escapes.
pub fn anchor(text: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let text: String = text.replace("[]", "").chars().map(|c| if safe(c) { c } else { '-' }).collect();
    text.to_lowercase().replace(".-.", ".")
}

/// A type in words.
fn type_of(schema: &Schema) -> String {
    let any = "any".to_owned();
    if schema.ext.int_or_string {
        return "integer or string".to_owned();
    }
    match &schema.ty {
        Some(Type::Array) => format!("list of {}", schema.item().map_or(any, type_of)),
        Some(Type::Object) => match schema.value() {
            Some(value) => format!("map of {}", type_of(value)),
            None if schema.ext.embedded_resource => "embedded resource".to_owned(),
            None => "object".to_owned(),
        },
        Some(ty @ (Type::String | Type::Integer | Type::Number | Type::Boolean | Type::Other(_))) => {
            match schema.limits.format.as_str() {
                "" => ty.as_str().to_owned(),
                format => format!("{} ({format})", ty.as_str()),
            }
        }
        None if schema.ext.embedded_resource => "embedded resource".to_owned(),
        None => any,
    }
}

fn rules(schema: &Schema) -> Vec<Rule> {
    let rules = schema.rules.iter().map(|rule| Rule {
        rule: rule.rule.trim().to_owned(),
        message: match rule.message.as_str() {
            "" => sentence::of(&rule.rule).unwrap_or_default(),
            message => message.to_owned(),
        },
        on_update: rule.rule.contains("oldSelf"),
    });
    rules.collect()
}

/// By Go's convention, a paragraph that begins with this word.
fn is_deprecated(description: &str) -> bool {
    description.lines().any(|line| {
        let start = line.trim_start().get(.."deprecated".len()).unwrap_or_default();
        let rest = line.trim_start().get("deprecated".len()..).unwrap_or_default();
        start.eq_ignore_ascii_case("deprecated") && (rest.is_empty() || rest.starts_with([':', '.', ',']))
    })
}
