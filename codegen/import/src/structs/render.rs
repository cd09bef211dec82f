//! Writes the types of a plan as code.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::attributes::{Attribute, Content};
use super::code::Code;
use super::derives::{self, Abilities};
use super::docs;
use super::foreign;
use super::mismatch;
use super::model::*;
use super::names;
use super::options::{Builders, MapType, Numbers, Options, TimeType};
use super::partners::{self, Part, Partners};
use crate::value::Value;
use crdgen_rust::syntax::doc;

/// What types are rendered from.
pub(super) struct Context<'a> {
    pub(super) plan: &'a Plan,
    pub(super) options: &'a Options,
    abilities: Vec<Abilities>,
    partners: Partners,
}

/// What the items of a module use from outside.
#[derive(Default)]
pub(super) struct Needs {
    pub(super) map: bool,
    pub(super) present: bool,
    pub(super) root: bool,
    /// The modules of `k8s_openapi`, and the names under which they are imported.
    pub(super) kubernetes: BTreeMap<String, String>,
}

impl<'a> Context<'a> {
    pub(super) fn new(plan: &'a Plan, options: &'a Options) -> Context<'a> {
        Context { plan, options, abilities: derives::all(plan, options), partners: Partners::of(plan) }
    }

    /// `#[schema(…)]`, if there are keys and the options ask for attributes.
    fn schema(&self, keywords: Vec<Keyword>) -> Option<Attribute> {
        keys("schema", keywords).filter(|_| self.options.schema)
    }

    pub(super) fn type_def(&self, id: TypeId, code: &mut Code, needs: &mut Needs) {
        let def = &self.plan.types[id];
        match &def.body {
            Body::Struct(body) => self.structure(id, def, body, code, needs),
            Body::Union(body) => self.union(id, def, body, code, needs),
            Body::Enum(body) => self.enumeration(id, def, body, code),
            Body::IntOrString { quantity } => self.int_or_string(id, def, *quantity, code),
        }
    }

    /// Whether the root of a kind is derived. kube itself only derives roots that are specs.
    fn is_resource(&self, def: &TypeDef) -> bool {
        let is_whole = def.root.as_deref().is_some_and(|root| root.has("whole"));
        self.options.schema || (self.options.kube && !is_whole)
    }

    fn derive(&self, id: TypeId, def: &TypeDef) -> Attribute {
        let Abilities { default, eq, hash, copy } = self.abilities[id];
        let options = self.options;
        let mut all = vec!["Clone"];
        all.extend(copy.then_some("Copy"));
        all.push("Debug");
        all.extend((default && options.default).then_some("Default"));
        all.push("PartialEq");
        all.extend((eq && options.eq).then_some("Eq"));
        all.extend((hash && options.hash).then_some("Hash"));
        all.extend(["Serialize", "Deserialize"]);
        all.extend((def.root.is_some() && self.is_resource(def)).then_some("CustomResource"));
        all.extend(options.schema.then_some("Schema"));
        all.extend(options.apply.then_some("Apply"));
        all.extend(options.schemars.then_some("schemars::JsonSchema"));
        if matches!(def.body, Body::Struct(_)) {
            match options.builders {
                Builders::None => {}
                Builders::TypedBuilder => all.push("typed_builder::TypedBuilder"),
                Builders::Bon => all.push("bon::Builder"),
            }
        }
        for path in derives::chosen(&def.name, options) {
            if !all.contains(&path) {
                all.push(path);
            }
        }
        Attribute { name: "derive", content: Content::Words(all.into_iter().map(str::to_owned).collect()) }
    }

    fn structure(&self, id: TypeId, def: &TypeDef, body: &Struct, code: &mut Code, needs: &mut Needs) {
        let mut markdown = false;
        let (docs, unfaithful) = self.docs(&def.docs, None, &mut markdown);
        let mut members = code.members();
        for field in &body.fields {
            let part = self.partners.field(id, field, self.options);
            self.apply(part, &mut members);
            self.field(field, body.camel_case, &mut members, needs, &mut markdown);
        }
        if let Some(id) = body.choice {
            if self.options.docs {
                members.attribute(&Attribute::docs(&self.one_of(id)));
            }
            members.lines("#[serde(flatten)]");
            members.field(&ident(&names::choice(body)), &ident(&self.plan.types[id].name));
        }
        if let Some(name) = names::rest(body) {
            members.lines("#[serde(flatten)]");
            if body.rest == Rest::Embedded && self.options.schema {
                members.lines("#[schema(skip)]");
                self.apply(Part::Whole, &mut members);
            }
            match self.options.builders {
                Builders::None => {}
                Builders::TypedBuilder | Builders::Bon => members.lines("#[builder(default)]"),
            }
            members.field(&ident(&name), JSON_OBJECT);
        }
        let mut keywords: Vec<Keyword> = Vec::new();
        keywords.extend(markdown.then(|| Keyword::flag("markdown")));
        if mismatch::has_mismatch(def, &self.plan.types) {
            keywords.push(Keyword::flag("as_is"));
        }
        keywords.extend(unfaithful);
        keywords.extend(def.keywords.iter().cloned());
        let mut root = None;
        if let Some(found) = &def.root {
            needs.root |= self.is_resource(def);
            root = match (self.options.schema, self.is_resource(def)) {
                (true, _) => keys("kube", found.kube.clone()),
                (false, true) => keys("kube", self.for_kube(found)),
                (false, false) => None,
            };
            // The author of the CRD has tested it already.
            keywords.push(Keyword::json("test", false));
            if !found.schema.is_empty() {
                keywords.push(Keyword::nested("root", found.schema.clone()));
            }
        }
        let rename = body.camel_case.then(|| Keyword::json("rename_all", "camelCase"));
        code.attributes(docs.as_slice());
        code.attribute(&self.derive(id, def));
        code.attributes(root.as_slice());
        code.attributes(self.schema(keywords).as_slice());
        code.attributes(keys("serde", rename.into_iter().collect()).as_slice());
        code.braces(&format!("pub struct {}", ident(&def.name)), members);
        if let Some(found) = def.root.as_deref().filter(|root| self.options.kube && root.has("whole")) {
            self.resource(def, body, found, code, needs);
        }
    }

    /// Writes the attribute for the partner of a field, a variant or a type.
    fn apply(&self, part: Part, code: &mut Code) {
        if let Some(line) = part.line().filter(|_| self.options.apply) {
            code.lines(line);
        }
    }

    /// The documentation of a union.
    fn one_of(&self, id: TypeId) -> String {
        let Body::Union(Union { variants }) = &self.plan.types[id].body else { return String::new() };
        let names: Vec<String> = variants.iter().map(|v| format!("`{}`", v.property)).collect();
        format!("Exactly one of {}.", names.join(", "))
    }

    /// The keys for kube's own derive.
    fn for_kube(&self, root: &Root) -> Vec<Keyword> {
        let known = ["group", "version", "kind", "root", "plural", "singular", "shortname", "category"];
        let known = |key: &str| known.contains(&key) || ["namespaced", "status"].contains(&key);
        let mut keys: Vec<Keyword> = root.kube.iter().filter(|k| known(k.key)).cloned().collect();
        if !self.options.schemars {
            keys.push(Keyword::json("schema", "disabled"));
        }
        keys.push(Keyword::json("derive", "PartialEq"));
        keys
    }

    fn field(&self, field: &Field, camel: bool, code: &mut Code, needs: &mut Needs, markdown: &mut bool) {
        let Field { property, ident: name, required, unnamed, usage } = field;
        let mut serde = Vec::new();
        let given = if camel { names::is_camel_case(name, property) } else { name == property };
        if !given {
            serde.push(Keyword::json("rename", property.as_str()));
        }
        let mut ty = self.ty(usage, needs);
        let mut keywords = Vec::new();
        let may_be_absent = field.may_be_absent(self.options);
        let is_metadata = usage.ty == Ty::ObjectMeta;
        if *required && (may_be_absent || usage.nullable) {
            keywords.push(Keyword::flag("required"));
        }
        match (may_be_absent, usage.nullable) {
            (true, _) if is_metadata => {
                serde.push(Keyword::flag("default"));
                // The schema has no default.
                keywords.extend((!unnamed).then(|| Keyword::json("default", Value::Null)));
            }
            (false, false) => {}
            (false, true) => {
                ty = optional(&ty);
                keywords.push(Keyword::flag("nullable"));
            }
            (true, false) => {
                ty = optional(&ty);
                serde.push(Keyword::json("skip_serializing_if", "Option::is_none"));
            }
            (true, true) if !field.has_null(self.options) => {
                ty = optional(&ty);
                keywords.push(Keyword::flag("nullable"));
                serde.push(Keyword::json("skip_serializing_if", "Option::is_none"));
            }
            (true, true) => {
                ty = optional(&optional(&ty));
                needs.present = true;
                keywords.push(Keyword::flag("nullable"));
                serde.extend([
                    Keyword::flag("default"),
                    Keyword::json("deserialize_with", "present"),
                    Keyword::json("skip_serializing_if", "Option::is_none"),
                ]);
            }
        }
        if *unnamed {
            keywords.push(Keyword::flag("skip"));
        }
        let note = docs::note(usage).filter(|_| self.options.notes);
        let (docs, more) = self.described(usage, note.as_deref(), markdown);
        keywords.extend(more);
        code.attributes(docs.as_slice());
        code.attributes(keys("serde", serde).as_slice());
        code.attributes(self.schema(keywords).as_slice());
        match self.options.builders {
            Builders::TypedBuilder | Builders::Bon if is_metadata => code.lines("#[builder(default)]"),
            Builders::TypedBuilder if may_be_absent || usage.nullable => {
                code.lines("#[builder(default, setter(strip_option))]");
            }
            Builders::TypedBuilder | Builders::Bon | Builders::None => {}
        }
        code.field(&ident(name), &ty);
    }

    /// The keys of a use in addition to its type, including those of its items or values.
    fn keywords(&self, usage: &Use) -> Vec<Keyword> {
        let mut out = usage.keywords.clone();
        let Some(inner) = usage.ty.inner() else { return out };
        let key = if matches!(usage.ty, Ty::List(_)) { "items" } else { "values" };
        let mut nested = Vec::new();
        if inner.description != self.docs_of(&inner.ty) {
            nested.push(Keyword::json("description", inner.description.as_str()));
        }
        nested.extend(self.keywords(inner));
        if !nested.is_empty() {
            out.push(Keyword::nested(key, nested));
        }
        out
    }

    fn docs_of(&self, ty: &Ty) -> &str {
        if let Ty::Named(id) = ty { &self.plan.types[*id].docs } else { "" }
    }

    fn has_docs(&self, ty: &Ty) -> bool {
        !self.docs_of(ty).is_empty()
    }

    /// The doc comment with the description and a note. If the comment cannot contain the description exactly, also the
    /// attribute for it.
    fn docs(
        &self,
        description: &str,
        note: Option<&str>,
        markdown: &mut bool,
    ) -> (Option<Attribute>, Option<Keyword>) {
        let exact = || Keyword::json("description", description);
        if !self.options.docs {
            return (None, (!description.is_empty()).then(exact));
        }
        let quick = doc::is_plain(description);
        let mut lines: Vec<String> =
            if quick { description.lines().map(str::to_owned).collect() } else { doc::lines(description) };
        let mut faithful = quick || doc::says(&lines, description);
        // A plain comment has no white space at its ends.
        let plain = || lines.iter().map(String::as_str).eq(description.lines());
        *markdown |= !(quick || (faithful && description.trim_matches('\n') == description && plain()));
        if let Some(note) = note {
            *markdown = true;
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.push(doc::note(note));
            // The end of a description can change the note, for example with an open code fence or empty lines.
            faithful = faithful && (quick || doc::says(&lines, description));
        }
        let docs = (!lines.is_empty()).then_some(Attribute { name: "doc", content: Content::Docs(lines) });
        (docs, (!faithful).then(exact))
    }

    fn union(&self, id: TypeId, def: &TypeDef, body: &Union, code: &mut Code, needs: &mut Needs) {
        let mut markdown = false;
        let (docs, unfaithful) = self.docs(&def.docs, None, &mut markdown);
        let names: Vec<(String, String)> =
            body.variants.iter().map(|v| (v.ident.clone(), v.property.clone())).collect();
        let rule = names::variant_rule(&names);
        let mut members = code.members();
        for field in &body.variants {
            self.apply(partners::part(&field.usage, self.options), &mut members);
            let Field { property, ident: variant, required: _, unnamed: _, usage } = field;
            let note = docs::note(usage).filter(|_| self.options.notes);
            let (docs, keywords) = self.described(usage, note.as_deref(), &mut markdown);
            members.attributes(docs.as_slice());
            members.attributes(renamed(variant, property, rule).as_slice());
            members.attributes(self.schema(keywords).as_slice());
            members.variant(&ident(variant), &self.ty(usage, needs));
        }
        let mut keywords: Vec<Keyword> = Vec::new();
        keywords.extend(markdown.then(|| Keyword::flag("markdown")));
        if mismatch::has_mismatch(def, &self.plan.types) {
            keywords.push(Keyword::flag("as_is"));
        }
        keywords.extend(unfaithful);
        keywords.extend(def.keywords.iter().cloned());
        code.attributes(docs.as_slice());
        code.attribute(&self.derive(id, def));
        code.attributes(self.schema(keywords).as_slice());
        code.attributes(rename_all(rule).as_slice());
        code.braces(&format!("pub enum {}", ident(&def.name)), members);
    }

    /// The doc comment of a use, and all keys that its schema needs in addition to its type.
    fn described(
        &self,
        usage: &Use,
        note: Option<&str>,
        markdown: &mut bool,
    ) -> (Option<Attribute>, Vec<Keyword>) {
        let (docs, unfaithful) = self.docs(&usage.description, note, markdown);
        let mut keywords: Vec<Keyword> = unfaithful.into_iter().collect();
        if usage.description.is_empty() && self.has_docs(&usage.ty) {
            keywords.push(Keyword::json("description", ""));
        }
        keywords.extend(self.keywords(usage));
        (docs, keywords)
    }

    fn enumeration(&self, id: TypeId, def: &TypeDef, body: &Enum, code: &mut Code) {
        let mut markdown = false;
        let (docs, unfaithful) = self.docs(&def.docs, None, &mut markdown);
        let rule = names::variant_rule(&body.variants);
        let mut members = code.members();
        for (i, (variant, value)) in body.variants.iter().enumerate() {
            members.attributes(renamed(variant, value, rule).as_slice());
            if body.default == Some(i) && self.options.default {
                members.lines("#[default]");
            }
            members.lines(&format!("{},", ident(variant)));
        }
        if self.options.open_enums {
            members.lines("/// Any other string, from a newer server perhaps.\n#[serde(untagged)]");
            if self.options.schema {
                members.lines("#[schema(skip)]");
            }
            members.variant(&ident(&names::other_variant(&body.variants)), "String");
        }
        let mut keywords: Vec<Keyword> = Vec::new();
        keywords.extend(markdown.then(|| Keyword::flag("markdown")));
        keywords.extend(unfaithful);
        code.attributes(docs.as_slice());
        code.attribute(&self.derive(id, def));
        if self.options.open_enums {
            self.apply(Part::Whole, code);
        }
        code.attributes(self.schema(keywords).as_slice());
        code.attributes(rename_all(rule).as_slice());
        code.braces(&format!("pub enum {}", ident(&def.name)), members);
    }

    fn int_or_string(&self, id: TypeId, def: &TypeDef, quantity: bool, code: &mut Code) {
        let mut markdown = false;
        let (docs, unfaithful) = self.docs(&def.docs, None, &mut markdown);
        let mut keywords: Vec<Keyword> = Vec::new();
        keywords.extend(markdown.then(|| Keyword::flag("markdown")));
        keywords.extend(unfaithful);
        keywords.push(super::keywords::raw(&super::lower::int_or_string(quantity)));
        code.attributes(docs.as_slice());
        code.attribute(&self.derive(id, def));
        self.apply(Part::Whole, code);
        code.lines("#[serde(untagged)]");
        code.attributes(self.schema(keywords).as_slice());
        code.lines(&INT_OR_STRING.replace("NAME", &ident(&def.name)));
    }

    /// The Rust type of a use, without the `Option` of an optional field.
    pub(super) fn ty(&self, usage: &Use, needs: &mut Needs) -> Cow<'a, str> {
        match &usage.ty {
            Ty::Bool => "bool".into(),
            Ty::I32 => "i32".into(),
            Ty::I64 => "i64".into(),
            Ty::Number => match self.options.numbers {
                Numbers::Json => "serde_json::Number".into(),
                Numbers::F64 => "f64".into(),
            },
            Ty::String => "String".into(),
            Ty::Time => match self.options.time {
                TimeType::String => "String".into(),
                TimeType::Chrono => "chrono::DateTime<chrono::Utc>".into(),
                TimeType::Jiff => "jiff::Timestamp".into(),
            },
            Ty::Json => "serde_json::Value".into(),
            Ty::JsonObject if self.options.kopium => {
                needs.map = true;
                format!("{}<String, serde_json::Value>", map_name(self.options.map)).into()
            }
            Ty::JsonObject => JSON_OBJECT.into(),
            Ty::List(item) => format!("Vec<{}>", self.inner(item, needs)).into(),
            Ty::Map(value) => {
                needs.map = true;
                format!("{}<String, {}>", map_name(self.options.map), self.inner(value, needs)).into()
            }
            Ty::Named(id) => ident(&self.plan.types[*id].name),
            Ty::Kubernetes(name) => kubernetes(name, needs).into(),
            Ty::ObjectMeta => kubernetes(foreign::OBJECT_META, needs).into(),
        }
    }

    pub(super) fn inner(&self, usage: &Use, needs: &mut Needs) -> Cow<'a, str> {
        let ty = self.ty(usage, needs);
        if usage.nullable { optional(&ty) } else { ty }
    }
}

/// The Rust form of a type of Kubernetes.
fn kubernetes(name: &str, needs: &mut Needs) -> String {
    let (path, alias, name) = foreign::rust(name);
    let ty = format!("{}::{}", ident(&alias), ident(name));
    needs.kubernetes.insert(path, alias);
    ty
}

const JSON_OBJECT: &str = "serde_json::Map<String, serde_json::Value>";

const INT_OR_STRING: &str = "\
pub enum NAME {
    /// An integer.
    Int(i64),
    /// A string.
    String(String),
}

impl From<i64> for NAME {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for NAME {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}
";

/// The function that reads a field that may be `null`.
pub(super) const PRESENT: &str = "\
/// Reads a field that may be `null`, which is not the same as absent.
fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}
";

fn optional<'a>(ty: &str) -> Cow<'a, str> {
    format!("Option<{ty}>").into()
}

/// `#[name(key, …)]`, if there are keys.
fn keys(name: &'static str, keywords: Vec<Keyword>) -> Option<Attribute> {
    (!keywords.is_empty()).then_some(Attribute { name, content: Content::Keywords(keywords) })
}

fn rename_all(rule: Option<names::VariantRule>) -> Option<Attribute> {
    keys("serde", rule.map(|r| Keyword::json("rename_all", r.name())).into_iter().collect())
}

/// `#[serde(rename = …)]`, if the rule does not give the string of the variant.
fn renamed(variant: &str, value: &str, rule: Option<names::VariantRule>) -> Option<Attribute> {
    let given = rule.map_or(variant == value, |r| r.apply(variant) == value);
    keys("serde", (!given).then(|| Keyword::json("rename", value)).into_iter().collect())
}

/// The Cargo feature of a group.
pub(super) fn feature(group: &str) -> String {
    group.replace('.', "-")
}

pub(super) fn map_name(map: MapType) -> &'static str {
    match map {
        MapType::BTreeMap => "BTreeMap",
        MapType::HashMap => "HashMap",
    }
}

/// An identifier, raw if it is a keyword.
pub(super) fn ident(name: &str) -> Cow<'_, str> {
    if names::is_keyword(name) { format!("r#{name}").into() } else { name.into() }
}
