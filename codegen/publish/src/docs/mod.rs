//! The information about a CRD that documentation pages and `crdgen explain` show, in the words and the order in which
//! they show it.

mod changes;
mod clauses;
mod constraints;
mod facts;
mod fields;
mod sentence;
mod shared;

pub use changes::{Change, Changes};
pub use facts::{Documented, Fact};
use fields::{Fields, Frame};

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
    /// Whether the objects are namespaced.
    pub namespaced: bool,
    /// All versions, served or not, in the order of discovery: `v2`, `v1`, `v1beta1`.
    pub versions: Vec<Version>,
    /// The differences between each version and the next older one.
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
    /// The fields that a page shows in the tree of the version: those that are not in `types`. Each field comes before
    /// the fields inside it.
    pub shown: Vec<Field>,
    /// The types that several fields have, sorted by name. A page shows each of them once.
    pub types: Vec<SharedType>,
}

/// A type that several fields have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedType {
    /// The name, made from the names of the fields or from their descriptions. It is unique in the version.
    pub name: String,
    /// The anchor of the type on a page.
    pub anchor: String,
    /// What the type is for. Usually the fields describe this instead.
    pub description: String,
    /// The facts about its values.
    pub facts: Vec<Fact>,
    /// Rules for its values.
    pub rules: Vec<Rule>,
    /// Some of the fields that have this type.
    pub users: Vec<User>,
    /// The number of further fields that have this type.
    pub more_users: usize,
    /// Its fields. Their paths begin with the name of the type.
    pub fields: Vec<Field>,
}

/// A field that has a shared type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct User {
    /// The path of the field, from the root of the object or from the name of its type.
    pub path: String,
    /// The anchor of the field.
    pub anchor: String,
}

/// A link to a shared type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeLink {
    /// The name of the type.
    pub name: String,
    /// The anchor of the type on a page.
    pub anchor: String,
}

/// An object to start from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    /// What the example shows.
    pub title: String,
    /// The object, as YAML.
    pub text: String,
    /// What the example lacks. Usually empty.
    pub note: String,
}

/// A field of a version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// The name of the field.
    pub name: String,
    /// The path from the root of the object, such as `spec.items[].name`. `*` means any key of a map.
    pub path: String,
    /// The anchor of the place on a page that shows the field. The same fields of a shared type have one anchor.
    pub anchor: String,
    /// Whether the script of pages finds the place by the path of the field. Otherwise links need the anchor.
    pub is_found: bool,
    /// The number of fields around this one.
    pub depth: usize,
    /// The number of fields that end with this one, if no fields are inside it.
    pub ends: usize,
    /// Whether there are fields inside this one.
    pub is_parent: bool,
    /// The type, in words. If there is a link, these are the words before it.
    pub ty: String,
    /// The link to the type of the field, or of its items or values, if a page shows this type in another place.
    pub link: Option<TypeLink>,
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
    if let Some(schema) = schema {
        out.facts = facts::of(schema, "");
        out.rules = rules(schema);
    }
    let always =
        |value: &str| vec![Fact { what: "always".to_owned(), values: vec![value.to_owned().into()] }];
    let frame = Frame { api_version: always(&out.api_version), kind: always(kind) };
    let Fields { all, shown, types } = fields::of(schema, &out.anchor, frame);
    (out.fields, out.shown, out.types) = (all, shown, types);
    out
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
