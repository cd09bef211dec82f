//! The fields of a version, and the types that several of them have.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::shared::{Shared, item_or_value};
use super::{Fact, Field, SharedType, TypeLink, User, anchor, facts, is_deprecated, rules, type_of};
use crate::ir::Schema;
use crate::json;

/// How many fields a shared type lists that have it.
const MOST_USERS: usize = 4;

/// The facts about the fields that all objects have.
pub(super) struct Frame {
    pub(super) api_version: Vec<Fact>,
    pub(super) kind: Vec<Fact>,
}

/// The fields of a version.
pub(super) struct Fields {
    /// All fields.
    pub(super) all: Vec<Field>,
    /// Those that a page shows in the tree of the version.
    pub(super) shown: Vec<Field>,
    /// The types that several fields have.
    pub(super) types: Vec<SharedType>,
}

/// Collects the fields of a version. `base` is its anchor.
pub(super) fn of(schema: Option<&Schema>, base: &str, frame: Frame) -> Fields {
    let nothing = Schema::default();
    let schema = schema.unwrap_or(&nothing);
    let metadata = schema.properties.get("metadata");
    let is_own = |name: &str| !matches!(name, "apiVersion" | "kind" | "metadata");
    let own: Vec<(&str, &Schema)> = schema.properties.iter().filter(|(name, _)| is_own(name)).collect();
    let all: Vec<(&str, &Schema)> =
        metadata.map(|it| ("metadata", it)).into_iter().chain(own.clone()).collect();
    let shared = Shared::of(&all);
    let mut page = Page::new(base, &shared);
    let walk = |shown: Shown, page: &mut Page<'_, '_>| {
        let mut tree = Tree { page, out: Vec::new(), all: shown == Shown::Everywhere };
        tree.fixed("apiVersion", "string", frame.api_version.clone());
        tree.fixed("kind", "string", frame.kind.clone());
        let at = tree.fixed("metadata", "ObjectMeta", Vec::new());
        if let Some(metadata) = metadata {
            let base = tree.out[at].anchor.clone();
            tree.children(metadata, At { path: "metadata", depth: 1, base: &base, is_found: true });
        }
        tree.out[at].is_parent = tree.out.len() > at + 1;
        let root = At { path: "", depth: 0, base, is_found: true };
        let required = required(schema);
        own.iter().for_each(|(name, field)| tree.field(name, field, required.contains(name), &root));
        tree.finish()
    };
    let shown = walk(Shown::Once, &mut page);
    let mut fields = Vec::new();
    for (at, ty) in shared.types.iter().enumerate() {
        let TypeLink { name, anchor } = page.links[at].clone();
        let mut tree = Tree { page: &mut page, out: Vec::new(), all: false };
        let root = At { path: &format!("{name}."), depth: 0, base: &anchor, is_found: true };
        tree.fields(ty.schema, &root);
        fields.push(tree.finish());
    }
    let all = walk(Shown::Everywhere, &mut page);
    let types = shared.types.iter().zip(page.links).zip(page.users).zip(fields);
    let types = types.map(|(((ty, TypeLink { name, anchor }), (users, count)), fields)| SharedType {
        name,
        anchor,
        description: ty.description.to_owned(),
        facts: facts::of_type(ty.schema, ""),
        rules: rules(ty.schema),
        more_users: count - users.len(),
        users,
        fields,
    });
    Fields { all, shown, types: types.collect() }
}

/// The names of required fields.
fn required(schema: &Schema) -> HashSet<&str> {
    schema.limits.required.iter().map(String::as_str).collect()
}

/// Places on a page.
struct Page<'p, 's> {
    /// The anchor of the version.
    base: &'p str,
    shared: &'p Shared<'s>,
    links: Vec<TypeLink>,
    /// For each shared type, some of the fields that have it, and the number of all.
    users: Vec<(Vec<User>, usize)>,
    anchors: BTreeSet<String>,
    numbers: HashMap<String, usize>,
    /// The anchor of each field that is shown, and whether it follows from the path.
    shown: HashMap<*const Schema, (String, bool)>,
}

impl<'p, 's> Page<'p, 's> {
    fn new(base: &'p str, shared: &'p Shared<'s>) -> Page<'p, 's> {
        let (links, users) = (Vec::new(), vec![(Vec::new(), 0); shared.types.len()]);
        let (anchors, numbers, shown) = (BTreeSet::new(), HashMap::new(), HashMap::new());
        let mut page = Page { base, shared, links, users, anchors, numbers, shown };
        for ty in &shared.types {
            // Names of versions have no underscores, so this cannot be a field.
            let anchor = page.anchor(&format!("{base}_{}", anchor(&ty.name)));
            page.links.push(TypeLink { name: ty.name.clone(), anchor });
        }
        page
    }

    fn anchor(&mut self, wanted: &str) -> String {
        let mut out = wanted.to_owned();
        // Counting continues at the last number, so that a thousand fields with the same anchor do not try all numbers
        // again.
        let number = self.numbers.entry(out.clone()).or_insert(1);
        while !self.anchors.insert(out.clone()) {
            *number += 1;
            out = format!("{wanted}-{number}");
        }
        out
    }
}

/// Whether the fields of shared types are listed wherever the types are used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// They are listed once, and the places where the types are used are links.
    Once,
    Everywhere,
}

/// The fields of an object or of a shared type.
struct Tree<'t, 'p, 's> {
    page: &'t mut Page<'p, 's>,
    out: Vec<Field>,
    /// Whether the tree includes the fields of shared types. Otherwise these are links.
    all: bool,
}

/// Where fields are.
struct At<'a> {
    /// The start of their paths.
    path: &'a str,
    depth: usize,
    /// The start of their anchors.
    base: &'a str,
    /// Whether their anchors follow from their paths so far.
    is_found: bool,
}

impl Tree<'_, '_, '_> {
    /// Adds a field that all objects have, and returns its index.
    fn fixed(&mut self, name: &str, ty: &str, facts: Vec<Fact>) -> usize {
        let anchor = format!("{}.{}", self.page.base, anchor(name));
        self.page.anchors.insert(anchor.clone());
        self.out.push(Field {
            name: name.to_owned(),
            path: name.to_owned(),
            anchor,
            is_found: true,
            ty: ty.to_owned(),
            required: true,
            facts,
            ..Field::default()
        });
        self.out.len() - 1
    }

    /// Adds the fields of an object.
    fn fields(&mut self, schema: &Schema, around: &At<'_>) {
        let required = required(schema);
        schema
            .properties
            .iter()
            .for_each(|(name, field)| self.field(name, field, required.contains(name), around));
    }

    fn field(&mut self, name: &str, schema: &Schema, required: bool, around: &At<'_>) {
        let at = self.out.len();
        let path = format!("{}{name}", around.path);
        let inner = schema.innermost();
        let shared = self.page.shared.find(inner).filter(|_| !self.all);
        let mut facts = facts::of_place(schema, "");
        let mut all_rules = Vec::new();
        // Facts about items and values are shown at their list or map, except those of a shared type.
        let (mut next, mut each) = (schema, String::new());
        loop {
            if shared.is_none() || !std::ptr::eq(next, inner) {
                facts.extend(facts::of_type(next, &each));
                all_rules.extend(rules(next));
            }
            let Some((inside, word)) = item_or_value(next) else { break };
            each = if each.is_empty() { word.to_owned() } else { format!("{word} of each {each}") };
            facts.extend(facts::of_place(inside, &each));
            next = inside;
        }
        let described = if schema.description.is_empty() { inner } else { schema };
        let mut description = described.description.clone();
        let deprecated = is_deprecated(&description);
        facts::describe_values(&mut facts, &mut description);
        let mut ty = type_of(schema);
        let mut link = None;
        if let Some(shared) = shared {
            let target = &self.page.links[shared];
            let words = ty.strip_suffix(&type_of(inner)).unwrap_or_default().len();
            ty.truncate(words);
            link = Some(target.clone());
            if description == self.page.shared.types[shared].description {
                description.clear();
            }
        }
        let (anchor, is_found) = self.place(name, schema, around);
        if let Some(shared) = shared {
            let (users, count) = &mut self.page.users[shared];
            *count += 1;
            if users.len() < MOST_USERS {
                users.push(User { path: path.clone(), anchor: anchor.clone() });
            }
        }
        self.out.push(Field {
            name: name.to_owned(),
            path: path.clone(),
            anchor: anchor.clone(),
            is_found,
            depth: around.depth,
            ty,
            link,
            required,
            deprecated,
            description,
            default: schema.default.as_ref().map(json::to_string),
            example: schema.example.as_ref().or(inner.example.as_ref()).map(json::to_string),
            facts,
            rules: all_rules,
            ..Field::default()
        });
        if shared.is_none() {
            self.children(schema, At { path: &path, depth: around.depth + 1, base: &anchor, is_found });
            self.out[at].is_parent = self.out.len() > at + 1;
        }
    }

    /// The fields inside a field, or inside its items or values.
    fn children(&mut self, schema: &Schema, at: At<'_>) {
        let mut inner = schema;
        let mut path = at.path.to_owned();
        while let Some((next, _)) = item_or_value(inner) {
            path.push_str(if inner.item().is_some() { "[]" } else { ".*" });
            inner = next;
        }
        path.push('.');
        let at = At { path: &path, ..at };
        // All fields with a shared type have the same places.
        let shared = self.page.shared.find(inner).map(|shared| self.page.shared.types[shared].schema);
        let inner = shared.unwrap_or(inner);
        self.fields(inner, &at);
    }

    /// The anchor of a field, and whether it follows from the path.
    fn place(&mut self, name: &str, schema: &Schema, around: &At<'_>) -> (String, bool) {
        let key = std::ptr::from_ref(schema);
        if let Some((anchor, is_found)) = self.page.shown.get(&key).filter(|_| self.all) {
            return (anchor.clone(), *is_found && around.is_found);
        }
        let wanted = format!("{}.{}", around.base, anchor(name));
        let out = self.page.anchor(&wanted);
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
        let is_found = around.is_found && out == wanted && name.bytes().all(is_plain);
        self.page.shown.insert(key, (out.clone(), is_found));
        (out, is_found)
    }

    fn finish(mut self) -> Vec<Field> {
        let depths: Vec<usize> = self.out.iter().map(|f| f.depth).skip(1).chain([0]).collect();
        for (field, next) in self.out.iter_mut().zip(depths) {
            field.ends = field.depth.saturating_sub(next);
        }
        self.out
    }
}
