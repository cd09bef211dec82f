//! A plan as tokens.

use std::cell::RefCell;
use std::collections::BTreeMap;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::attributes::{self, Attribute, Content};
use super::complexity;
use super::derives::{self, Abilities};
use super::docs;
use super::fit;
use super::foreign;
use super::model::*;
use super::names;
use super::options::{Builders, MapType, Numbers, Options, TimeType};
use crate::syntax::doc;

/// Lints that doc comments of other people's words run into; one takes keys of several columns for twins.
const LINTS: [&str; 8] = [
    "clippy::doc_lazy_continuation",
    "clippy::doc_overindented_list_items",
    "clippy::doc_suspicious_footnotes",
    "clippy::duplicated_attributes",
    "clippy::large_enum_variant",
    "clippy::tabs_in_doc_comments",
    "rustdoc::bare_urls",
    "rustdoc::invalid_rust_codeblocks",
];

/// All of it as tokens, for a compiler: a module in a module for each path.
///
/// # Errors
/// If an attribute is no Rust, which would be a mistake of ours.
pub fn tokens(plan: &Plan, options: &Options) -> Result<TokenStream, proc_macro2::LexError> {
    let context = Context::new(plan, options);
    let mut out = TokenStream::new();
    for (i, module) in plan.modules.iter().enumerate() {
        let [group, _] = &module.path[..] else {
            out.extend(context.module(module));
            continue;
        };
        let of_group = |m: &&Module| m.path.len() == 2 && m.path[0] == *group;
        // All modules of a group stand where the first of them does.
        if plan.modules.iter().position(|m| of_group(&m)) == Some(i) {
            let inner = plan.modules.iter().filter(of_group).map(|m| context.module(m));
            let head = context.group(module);
            out.extend(quote! { #head { #(#inner)* } });
        }
    }
    attributes::put(out, &context.attributes.take())
}

/// What types are rendered from. Attributes are numbers in the tokens, and collected here.
pub(super) struct Context<'a> {
    plan: &'a Plan,
    options: &'a Options,
    abilities: Vec<Abilities>,
    pub(super) attributes: RefCell<Vec<Attribute>>,
}

/// What the items of a module need from outside.
#[derive(Default)]
pub(super) struct Needs {
    map: bool,
    pub(super) present: bool,
    root: bool,
    /// Modules of `k8s_openapi`, and the names they get.
    kubernetes: BTreeMap<String, String>,
}

impl<'a> Context<'a> {
    pub(super) fn new(plan: &'a Plan, options: &'a Options) -> Context<'a> {
        let attributes = RefCell::new(Vec::new());
        Context { plan, options, abilities: derives::all(plan, options), attributes }
    }

    /// The number of an attribute.
    fn attribute(&self, name: &'static str, content: Content) -> TokenStream {
        let mut attributes = self.attributes.borrow_mut();
        let number = format_ident!("__{}", attributes.len());
        attributes.push(Attribute { name, content });
        quote! { #[#number] }
    }

    /// `#[name(key, …)]`, if there is anything to say.
    fn keys(&self, name: &'static str, keywords: Vec<Keyword>) -> Option<TokenStream> {
        (!keywords.is_empty()).then(|| self.attribute(name, Content::Keywords(keywords)))
    }

    /// `#[schema(…)]`, if there is anything to say and attributes are wanted.
    fn schema(&self, keywords: Vec<Keyword>) -> Option<TokenStream> {
        self.keys("schema", keywords).filter(|_| self.options.schema)
    }

    /// The condition under which there is a module of a group.
    fn feature(&self, module: &Module) -> Option<TokenStream> {
        let feature = feature(&module.group);
        self.options.features.then(|| quote! { #[cfg(feature = #feature)] })
    }

    fn module(&self, module: &Module) -> TokenStream {
        let head = self.head(module);
        let items = self.items(module);
        quote! { #head { #items } }
    }

    pub(super) fn declaration(&self, module: &Module) -> TokenStream {
        let head = self.head(module);
        quote! { #head; }
    }

    pub(super) fn head(&self, module: &Module) -> TokenStream {
        let lints = LINTS.iter().map(|l| (*l).to_owned()).collect();
        let allow = self.attribute("allow", Content::Words(lints));
        let docs = doc_lines(std::slice::from_ref(&module.docs));
        let name = ident(module.path.last().map_or("", String::as_str));
        quote! { #docs #allow pub mod #name }
    }

    fn items(&self, module: &Module) -> TokenStream {
        let mut needs = Needs::default();
        let types: Vec<TokenStream> = module.types.iter().map(|&id| self.type_def(id, &mut needs)).collect();
        let uses = self.uses(module, &needs);
        let present = needs.present.then(Context::present);
        quote! { #uses #(#types)* #present }
    }

    /// What reads a field that may be `null`.
    pub(super) fn present() -> TokenStream {
        let docs =
            doc_lines(&["Reads a field that may be `null`, which is not the same as absent.".to_owned()]);
        quote! {
            #docs
            fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
            where
                D: serde::Deserializer<'de>,
                T: Deserialize<'de>,
            {
                T::deserialize(deserializer).map(Some)
            }
        }
    }

    /// The module of a group, without what is in it.
    pub(super) fn group(&self, module: &Module) -> TokenStream {
        let name = ident(&module.path[0]);
        let (docs, feature) = (doc_lines(&[format!("`{}`", module.group)]), self.feature(module));
        quote! { #docs #feature pub mod #name }
    }

    /// The lints for a file without modules.
    pub(super) fn lints() -> TokenStream {
        let lints = LINTS.iter().map(|lint| path(lint));
        quote! { #![allow(#(#lints),*)] }
    }

    pub(super) fn uses(&self, module: &Module, needs: &Needs) -> TokenStream {
        let mut out = TokenStream::new();
        for (up, ids) in &module.imports {
            let supers = std::iter::repeat_n(quote!(super::), *up);
            let names = ids.iter().map(|id| ident(&self.plan.types[*id].name));
            // For those who use the module, not all of it for the module itself.
            let vis = (!module.kinds.is_empty()).then(|| quote!(#[allow(unused_imports)] pub));
            out.extend(quote! { #vis use #(#supers)* shared::{#(#names),*}; });
        }
        let Options { schema, kube, .. } = *self.options;
        let krate = path(&self.options.crate_path);
        out.extend(match (schema, kube, needs.root) {
            (true, true, true) => quote! { use #krate::kube::CustomResource; use #krate::Schema; },
            (true, false, true) => quote! { use #krate::{CustomResource, Schema}; },
            (true, _, false) => quote! { use #krate::Schema; },
            (false, true, true) => quote! { use kube::CustomResource; },
            (false, _, _) => TokenStream::new(),
        });
        for (path_of, alias) in &needs.kubernetes {
            let (module, alias) = (path(&format!("k8s_openapi::{path_of}")), ident(alias));
            let renamed = (!path_of.ends_with(&format!("::{alias}"))).then(|| quote!(as #alias));
            out.extend(quote! { use #module #renamed; });
        }
        out.extend(quote! { use serde::{Deserialize, Serialize}; });
        if needs.map {
            let map = ident(map_name(self.options.map));
            out.extend(quote! { use std::collections::#map; });
        }
        out
    }

    pub(super) fn type_def(&self, id: TypeId, needs: &mut Needs) -> TokenStream {
        let def = &self.plan.types[id];
        match &def.body {
            Body::Struct(body) => self.structure(id, def, body, needs),
            Body::Union(body) => self.union(id, def, body, needs),
            Body::Enum(body) => self.enumeration(id, def, body),
            Body::IntOrString { quantity } => self.int_or_string(id, def, *quantity),
        }
    }

    /// Whether something is derived from the root of a kind: kube itself knows no other root than a spec.
    fn is_resource(&self, def: &TypeDef) -> bool {
        let whole = |root: &Root| root.kube.iter().any(|k| k.key == "whole");
        self.options.schema || (self.options.kube && !def.root.as_deref().is_some_and(whole))
    }

    fn derive(&self, id: TypeId, def: &TypeDef) -> TokenStream {
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
        self.attribute("derive", Content::Words(all.into_iter().map(str::to_owned).collect()))
    }

    fn structure(&self, id: TypeId, def: &TypeDef, body: &Struct, needs: &mut Needs) -> TokenStream {
        let derive = self.derive(id, def);
        let name = ident(&def.name);
        let mut markdown = false;
        let (docs, unfaithful) = self.docs(&def.docs, None, &mut markdown);
        let fields: Vec<TokenStream> =
            body.fields.iter().map(|f| self.field(f, body.camel_case, needs, &mut markdown)).collect();
        let rest = names::rest(body).map(|name| {
            let name = ident(&name);
            let embedded =
                (body.rest == Rest::Embedded && self.options.schema).then(|| quote! { #[schema(skip)] });
            let default = match self.options.builders {
                Builders::None => None,
                Builders::TypedBuilder => Some(quote! { #[builder(default)] }),
                Builders::Bon => Some(quote! { #[builder(default)] }),
            };
            quote! {
                #[serde(flatten)] #embedded #default
                pub #name: serde_json::Map<String, serde_json::Value>,
            }
        });
        let choice = body.choice.map(|id| {
            let (field, ty) = (ident(&names::choice(body)), ident(&self.plan.types[id].name));
            let docs = self.options.docs.then(|| doc_lines(&[self.one_of(id)]));
            quote! { #docs #[serde(flatten)] pub #field: #ty, }
        });
        let rename = body.camel_case.then(|| Keyword::json("rename_all", "camelCase"));
        let rename = self.keys("serde", rename.into_iter().collect());
        let mut keywords: Vec<Keyword> = Vec::new();
        keywords.extend(markdown.then(|| Keyword::flag("markdown")));
        if fit::misfits(def, &self.plan.types) {
            keywords.push(Keyword::flag("as_is"));
        }
        keywords.extend(unfaithful);
        keywords.extend(def.keywords.iter().cloned());
        let mut root = None;
        if let Some(found) = &def.root {
            needs.root |= self.is_resource(def);
            root = match (self.options.schema, self.is_resource(def)) {
                (true, _) => self.keys("kube", found.kube.clone()),
                (false, true) => self.keys("kube", self.for_kube(found)),
                (false, false) => None,
            };
            // Whoever wrote the definition has tested it.
            keywords.push(Keyword::json("test", false));
            if !found.schema.is_empty() {
                keywords.push(Keyword::nested("root", found.schema.clone()));
            }
        }
        let schema = self.schema(keywords);
        let allow =
            complexity::is_complex(&body.fields).then(|| quote! { #[allow(clippy::type_complexity)] });
        quote! { #docs #derive #root #schema #rename #allow pub struct #name { #(#fields)* #choice #rest } }
    }

    /// What the documentation of a choice says.
    fn one_of(&self, id: TypeId) -> String {
        let Body::Union(Union { variants }) = &self.plan.types[id].body else { return String::new() };
        let names: Vec<String> = variants.iter().map(|v| format!("`{}`", v.property)).collect();
        format!("Exactly one of {}.", names.join(", "))
    }

    /// What kube's own derive has to know.
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

    fn field(&self, field: &Field, camel: bool, needs: &mut Needs, markdown: &mut bool) -> TokenStream {
        let Field { property, ident: name, required, unnamed, usage } = field;
        let mut serde = Vec::new();
        let given = if camel { names::camel_case(name) } else { name.clone() };
        if given != *property {
            serde.push(Keyword::json("rename", property.as_str()));
        }
        let mut ty = self.ty(usage, needs);
        let mut keywords = Vec::new();
        match (*required, usage.nullable) {
            (true, false) => {}
            (true, true) => {
                ty = quote! { Option<#ty> };
                keywords.extend([Keyword::flag("required"), Keyword::flag("nullable")]);
            }
            (false, false) => {
                ty = quote! { Option<#ty> };
                serde.push(Keyword::json("skip_serializing_if", "Option::is_none"));
            }
            // kopium does not tell `null` from absent.
            (false, true) if self.options.kopium => {
                ty = quote! { Option<#ty> };
                keywords.push(Keyword::flag("nullable"));
                serde.push(Keyword::json("skip_serializing_if", "Option::is_none"));
            }
            (false, true) => {
                ty = quote! { Option<Option<#ty>> };
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
        let schema = self.schema(keywords);
        let serde = self.keys("serde", serde);
        let optional = !*required || usage.nullable;
        let builder = match self.options.builders {
            Builders::TypedBuilder if optional => Some(quote! { #[builder(default, setter(strip_option))] }),
            Builders::TypedBuilder | Builders::Bon | Builders::None => None,
        };
        let name = ident(name);
        quote! { #docs #serde #schema #builder pub #name: #ty, }
    }

    /// What a use has beyond its type, with what its items or values have.
    fn keywords(&self, usage: &Use) -> Vec<Keyword> {
        let mut out = usage.keywords.clone();
        let (key, inner) = match &usage.ty {
            Ty::List(inner) => ("items", inner),
            Ty::Map(inner) => ("values", inner),
            Ty::Bool
            | Ty::I32
            | Ty::I64
            | Ty::Number
            | Ty::String
            | Ty::Time
            | Ty::Json
            | Ty::JsonObject
            | Ty::Named(_)
            | Ty::Kubernetes(_) => return out,
        };
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
        match ty {
            Ty::Named(id) => &self.plan.types[*id].docs,
            Ty::Bool
            | Ty::I32
            | Ty::I64
            | Ty::Number
            | Ty::String
            | Ty::Time
            | Ty::Json
            | Ty::JsonObject
            | Ty::Kubernetes(_)
            | Ty::List(_)
            | Ty::Map(_) => "",
        }
    }

    fn has_docs(&self, ty: &Ty) -> bool {
        !self.docs_of(ty).is_empty()
    }

    /// The doc comment of a description and a note, and the attribute for a description that the
    /// comment cannot say exactly.
    fn docs(
        &self,
        description: &str,
        note: Option<&str>,
        markdown: &mut bool,
    ) -> (TokenStream, Option<Keyword>) {
        let exact = || Keyword::json("description", description);
        if !self.options.docs {
            return (TokenStream::new(), (!description.is_empty()).then(exact));
        }
        let mut lines = doc::lines(description);
        let mut faithful = doc::faithful(description);
        let plain = lines.iter().map(String::as_str).eq(description.lines());
        // A plain comment begins and ends with words.
        let plain = plain && faithful && description.trim_matches('\n') == description;
        *markdown |= !(description.is_empty() || plain);
        if let Some(note) = note {
            *markdown = true;
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.push(doc::note(note));
            // A description can end in what swallows a note, such as an open fence, or in empty lines.
            let written: Vec<String> = lines.iter().map(|l| format!(" {l}")).collect();
            faithful &= doc::text(&written) == description;
        }
        let docs = (!lines.is_empty()).then(|| self.attribute("doc", Content::Docs(lines)));
        (docs.unwrap_or_default(), (!faithful).then(exact))
    }

    fn union(&self, id: TypeId, def: &TypeDef, body: &Union, needs: &mut Needs) -> TokenStream {
        let derive = self.derive(id, def);
        let name = ident(&def.name);
        let mut markdown = false;
        let (docs, unfaithful) = self.docs(&def.docs, None, &mut markdown);
        let names: Vec<(String, String)> =
            body.variants.iter().map(|v| (v.ident.clone(), v.property.clone())).collect();
        let rule = names::variant_rule(&names);
        let rename_all = rule.map(|r| Keyword::json("rename_all", r.name()));
        let rename_all = self.keys("serde", rename_all.into_iter().collect());
        let variants: Vec<TokenStream> = body
            .variants
            .iter()
            .map(|Field { property, ident: variant, required: _, unnamed: _, usage }| {
                let given = rule.map_or_else(|| variant.clone(), |r| r.apply(variant));
                let rename = (given != *property).then(|| quote! { #[serde(rename = #property)] });
                let note = docs::note(usage).filter(|_| self.options.notes);
                let (docs, keywords) = self.described(usage, note.as_deref(), &mut markdown);
                let schema = self.schema(keywords);
                let (variant, ty) = (ident(variant), self.ty(usage, needs));
                quote! { #docs #rename #schema #variant(#ty), }
            })
            .collect();
        let mut keywords: Vec<Keyword> = Vec::new();
        keywords.extend(markdown.then(|| Keyword::flag("markdown")));
        if fit::misfits(def, &self.plan.types) {
            keywords.push(Keyword::flag("as_is"));
        }
        keywords.extend(unfaithful);
        keywords.extend(def.keywords.iter().cloned());
        let schema = self.schema(keywords);
        let allow =
            complexity::is_complex(&body.variants).then(|| quote! { #[allow(clippy::type_complexity)] });
        quote! { #docs #derive #schema #rename_all #allow pub enum #name { #(#variants)* } }
    }

    /// The doc comment of a use, and everything that its schema has beyond its type.
    fn described(&self, usage: &Use, note: Option<&str>, markdown: &mut bool) -> (TokenStream, Vec<Keyword>) {
        let (docs, unfaithful) = self.docs(&usage.description, note, markdown);
        let mut keywords: Vec<Keyword> = unfaithful.into_iter().collect();
        if usage.description.is_empty() && self.has_docs(&usage.ty) {
            keywords.push(Keyword::json("description", ""));
        }
        keywords.extend(self.keywords(usage));
        (docs, keywords)
    }

    fn enumeration(&self, id: TypeId, def: &TypeDef, body: &Enum) -> TokenStream {
        let derive = self.derive(id, def);
        let name = ident(&def.name);
        let mut markdown = false;
        let (docs, unfaithful) = self.docs(&def.docs, None, &mut markdown);
        let rule = names::variant_rule(&body.variants);
        let rename_all = rule.map(|r| Keyword::json("rename_all", r.name()));
        let rename_all = self.keys("serde", rename_all.into_iter().collect());
        let variants = body.variants.iter().enumerate().map(|(i, (variant, value))| {
            let given = rule.map_or_else(|| variant.clone(), |r| r.apply(variant));
            let rename = (given != *value).then(|| quote! { #[serde(rename = #value)] });
            let default = (body.default == Some(i) && self.options.default).then(|| quote! { #[default] });
            let variant = ident(variant);
            quote! { #rename #default #variant, }
        });
        let other = self.options.open_enums.then(|| {
            let skip = self.options.schema.then(|| quote! { #[schema(skip)] });
            let docs = doc_lines(&["Any other string, from a newer server perhaps.".to_owned()]);
            let other = ident(&names::other_variant(&body.variants));
            quote! { #docs #[serde(untagged)] #skip #other(String), }
        });
        let mut keywords: Vec<Keyword> = Vec::new();
        keywords.extend(markdown.then(|| Keyword::flag("markdown")));
        keywords.extend(unfaithful);
        let schema = self.schema(keywords);
        quote! { #docs #derive #schema #rename_all pub enum #name { #(#variants)* #other } }
    }

    fn int_or_string(&self, id: TypeId, def: &TypeDef, quantity: bool) -> TokenStream {
        let derive = self.derive(id, def);
        let name = ident(&def.name);
        let mut markdown = false;
        let (docs, unfaithful) = self.docs(&def.docs, None, &mut markdown);
        let mut keywords: Vec<Keyword> = Vec::new();
        keywords.extend(markdown.then(|| Keyword::flag("markdown")));
        keywords.extend(unfaithful);
        keywords.push(super::keywords::raw(&super::lower::int_or_string(quantity)));
        let schema = self.schema(keywords);
        let says = |text: &str| doc_lines(&[text.to_owned()]);
        let (int, string) = (says("An integer."), says("A string."));
        quote! {
            #docs #derive #[serde(untagged)] #schema
            pub enum #name { #int Int(i64), #string String(String) }

            impl From<i64> for #name {
                fn from(value: i64) -> Self {
                    Self::Int(value)
                }
            }

            impl From<&str> for #name {
                fn from(value: &str) -> Self {
                    Self::String(value.to_owned())
                }
            }
        }
    }

    /// The Rust type of a use, without what its absence needs.
    fn ty(&self, usage: &Use, needs: &mut Needs) -> TokenStream {
        match &usage.ty {
            Ty::Bool => quote!(bool),
            Ty::I32 => quote!(i32),
            Ty::I64 => quote!(i64),
            Ty::Number => match self.options.numbers {
                Numbers::Json => quote!(serde_json::Number),
                Numbers::F64 => quote!(f64),
            },
            Ty::String => quote!(String),
            Ty::Time => match self.options.time {
                TimeType::String => quote!(String),
                TimeType::Chrono => quote!(chrono::DateTime<chrono::Utc>),
                TimeType::Jiff => quote!(jiff::Timestamp),
            },
            Ty::Json => quote!(serde_json::Value),
            Ty::JsonObject if self.options.kopium => {
                needs.map = true;
                let map = ident(map_name(self.options.map));
                quote!(#map<String, serde_json::Value>)
            }
            Ty::JsonObject => quote!(serde_json::Map<String, serde_json::Value>),
            Ty::List(item) => {
                let item = self.inner(item, needs);
                quote!(Vec<#item>)
            }
            Ty::Map(value) => {
                needs.map = true;
                let value = self.inner(value, needs);
                let map = ident(map_name(self.options.map));
                quote!(#map<String, #value>)
            }
            Ty::Named(id) => {
                let name = ident(&self.plan.types[*id].name);
                quote!(#name)
            }
            Ty::Kubernetes(name) => {
                let (path, alias, name) = foreign::rust(name);
                let (name, module) = (ident(name), ident(&alias));
                needs.kubernetes.insert(path, alias);
                quote!(#module::#name)
            }
        }
    }

    fn inner(&self, usage: &Use, needs: &mut Needs) -> TokenStream {
        let ty = self.ty(usage, needs);
        if usage.nullable { quote!(Option<#ty>) } else { ty }
    }
}

/// The Cargo feature of a group.
pub(super) fn feature(group: &str) -> String {
    group.replace('.', "-")
}

fn map_name(map: MapType) -> &'static str {
    match map {
        MapType::BTreeMap => "BTreeMap",
        MapType::HashMap => "HashMap",
    }
}

/// Doc comments for lines.
fn doc_lines(lines: &[String]) -> TokenStream {
    let lines = lines.iter().map(|l| {
        let text = Literal::string(&if l.is_empty() { String::new() } else { format!(" {l}") });
        quote! { #[doc = #text] }
    });
    quote! { #(#lines)* }
}

/// An identifier, raw if it is a keyword.
fn ident(name: &str) -> Ident {
    if names::is_keyword(name) { Ident::new_raw(name, Span::call_site()) } else { format_ident!("{name}") }
}

/// A path of identifiers that comes from us or from the options; what is no path becomes nothing.
fn path(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}
