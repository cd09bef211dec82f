//! The information about a CRD that documentation pages and `crdgen explain` show, in the words and the order in which
//! they show it.

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

/// Everything that a documentation page shows about a CRD.
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
    /// Whether the objects are namespaced.
    pub versions: Vec<Version>,
    /// All versions, served or not, in the order of discovery: `v2`, `v1`, `v1beta1`.
    pub changes: Vec<Changes>,
}

/// A version of a CRD.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Version {
    /// The name of the version.
    pub name: String,
    /// The group and version in the form of the field `apiVersion`.
    pub api_version: String,
    /// The anchor of the version on a page.
    pub anchor: String,
    /// Whether the server serves the version.
    pub served: bool,
    /// Whether the server stores objects in this version.
    pub storage: bool,
    /// The warning that the server sends to users of a deprecated version.
    pub deprecated: Option<String>,
    /// What the kind is for.
    pub description: String,
    /// A possible object, as JSON.
    pub example: Option<String>,
    /// Objects of this version. [`page`] leaves this empty, because examples need the server's checks.
    pub examples: Vec<Example>,
    /// Whether there is a status subresource.
    pub status: bool,
    /// Whether there is a scale subresource.
    pub scale: bool,
    /// The columns that `kubectl get` shows.
    pub columns: Vec<Column>,
    /// The paths of the selectable fields.
    pub selectable: Vec<String>,
    /// Facts about whole objects.
    pub facts: Vec<Fact>,
    /// Rules for objects as a whole.
    pub rules: Vec<Rule>,
    /// All fields. Each field comes before the fields inside it.
    pub fields: Vec<Field>,
}

/// An object to start from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    /// What the example shows.
    pub title: String,
    /// The object, as YAML.
    pub text: String,
}

/// A field of a version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// The name of the field.
    pub name: String,
    /// The path from the root of the object, such as `spec.items[].name`. `*` means any key of a map.
    pub path: String,
    /// The anchor of the field on a page. It is unique on the page.
    pub anchor: String,
    /// The number of fields around this one.
    pub depth: usize,
    /// The number of fields that end with this one, if no fields are inside it.
    pub ends: usize,
    /// Whether there are fields inside this one.
    pub is_parent: bool,
    /// The type, in words.
    pub ty: String,
    /// Whether the field is required.
    pub required: bool,
    /// What the field is for.
    pub description: String,
    /// Whether the description marks the field as deprecated.
    pub deprecated: bool,
    /// The default that the server sets if the field is absent, as JSON.
    pub default: Option<String>,
    /// A possible value, as JSON.
    pub example: Option<String>,
    /// The facts about its value.
    pub facts: Vec<Fact>,
    /// Rules for its value.
    pub rules: Vec<Rule>,
}

/// A validation rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// The expression that must be true.
    pub rule: String,
    /// What the rule means: the author's message, or else a text that crdgen writes. Empty if there is neither.
    pub message: String,
    /// Whether the rule is about changes of the value.
    pub on_update: bool,
}

/// Collects everything that a page shows about a CRD.
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
    /// Returns the version that is shown by default: the stored one, or else the first.
    pub fn main_version(&self) -> Option<&Version> {
        self.versions.iter().find(|v| v.storage).or(self.versions.first())
    }
}

impl Version {
    /// Returns the field at a path. The path may omit `[]` and `*`.
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

    /// Returns the fields directly inside a field. Without a field, returns those of the object itself.
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

/// Returns the name of a place on a page. The name needs no escapes in a link.
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
