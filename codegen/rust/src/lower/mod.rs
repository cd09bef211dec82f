//! Turns one item into its recipe, as serde sees the item.

mod across;
mod alone;
mod defaults;
mod fields;
mod known;
mod named_field;
mod order;
mod types;
mod variants;

pub use across::{Ask, Assertion};
pub(super) use alone::no_object;

use super::attrs::{self, Attrs, Cfg, Code, Serde, place};
use super::facts;
pub use super::names::plain;
use super::report::Report;
use super::rules;
use super::written::Written;
use crate::diag::codes::rust as codes;
use crate::ir::{Limits, Schema, SchemaOf, Type};
use crate::recipe::{Field, Need, Node, Patch, faults};
use crate::value::Value;
use fields::FieldAttributes;
use named_field::Given;
use proc_macro2::Span;
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::spanned::Spanned;

/// An item's recipe, with the types and the code to which the recipe refers by number.
pub struct Item {
    /// The name of the item.
    pub name: syn::Ident,
    /// The recipe of the item.
    pub node: Node,
    /// The types to which the recipe refers.
    pub refs: Vec<syn::Type>,
    /// The text of each of these types, if all names in it are those of well-known types.
    pub texts: Vec<Option<String>>,
    /// The code whose values the recipe needs.
    pub code: Vec<Code>,
    /// The generics of the item.
    pub generics: syn::Generics,
    /// The bounds of the item's type parameters. By default, each parameter must have a schema.
    pub bounds: Option<Vec<syn::WherePredicate>>,
    /// The path at which crdgen is re-exported.
    pub krate: Option<syn::Path>,
    /// The places of the parts of the recipe: their names in the document, and their spans.
    pub places: Vec<(String, Span)>,
    /// The places of defaults that are written in attributes, by the names of their fields.
    pub defaults: Vec<(String, Span)>,
    /// The place of the first field that is a path of the scale subresource.
    pub scale: Option<Span>,
    /// The requirements of the item's attributes on other types.
    pub assertions: Vec<Assertion>,
    /// The rules of the item, as they are written.
    pub rules: Vec<Written>,
    /// Whether `#[x_kube(cel)]` generates helpers that check values against the rules.
    pub cel: bool,
    /// Whether the attributes request schemars' `JsonSchema` or switch it off. `None` if they do neither.
    pub schemars: Option<bool>,
}

/// Reads an item and its attributes into its recipe.
pub fn item(input: &syn::DeriveInput, cfg: Cfg<'_>, report: &mut Report) -> Item {
    let before = report.findings.len();
    let mut lower = Lower {
        name: input.ident.clone(),
        named_everyday: types::is_everyday(&plain(&input.ident)),
        way: String::new(),
        refs: Vec::new(),
        texts: Vec::new(),
        numbers: BTreeMap::new(),
        code: Vec::new(),
        report,
        cfg,
        places: Vec::new(),
        defaults: Vec::new(),
        scale: None,
        assertions: Vec::new(),
        rules: Vec::new(),
        markdown: false,
        as_is: false,
    };
    let is_root = input.attrs.iter().any(|a| a.path().is_ident("kube"));
    let place = if is_root { place::ROOT } else { place::TYPE };
    let attributes: Vec<syn::Attribute> =
        input.attrs.iter().filter(|a| !a.path().is_ident("kube")).cloned().collect();
    let mut attrs = lower.read(&attributes, place);
    lower.as_is = attrs.as_is;
    if attrs.as_is {
        attrs.patch = attrs.patch.taken_as_is();
    }
    if attrs.markdown {
        lower.markdown = true;
        attrs.doc = attrs.markdown_text();
    }
    let krate = attrs.krate.take().or_else(|| is_root.then(|| crate_of_kind(input, cfg)).flatten());
    let cel = attrs.kube.as_ref().is_some_and(|kube| kube.cel);
    let schemars = attrs.schemars;
    let bounds = attrs.bounds.take();
    let allow = attrs.patch.allow.clone();
    if is_root {
        // The kind allows them everywhere in its CRD.
        attrs.patch.allow.clear();
    }
    let node = lower.container(input, attrs);
    let Lower { refs, texts, code, places, defaults, scale, assertions, rules, report, .. } = lower;
    rules::check(&rules, &node, &refs, SchemaOf::resource_if(is_root), report);
    report.hide(before, &allow);
    Item {
        name: input.ident.clone(),
        node,
        refs,
        texts,
        code,
        generics: input.generics.clone(),
        bounds,
        krate,
        places,
        defaults,
        scale,
        assertions,
        rules,
        cel,
        schemars,
    }
}

struct Lower<'a> {
    /// The name of the item.
    name: syn::Ident,
    named_everyday: bool,
    /// The path of the current node in the item's document: `.a[]`.
    way: String,
    refs: Vec<syn::Type>,
    texts: Vec<Option<String>>,
    /// The index of each type in `refs`, by its spelling.
    numbers: BTreeMap<String, usize>,
    code: Vec<Code>,
    report: &'a mut Report,
    cfg: Cfg<'a>,
    places: Vec<(String, Span)>,
    defaults: Vec<(String, Span)>,
    /// Whether doc comments are Markdown that was generated from descriptions.
    markdown: bool,
    /// Whether keywords that do not apply are kept as they are.
    as_is: bool,
    scale: Option<Span>,
    assertions: Vec<Assertion>,
    rules: Vec<Written>,
}

impl Lower<'_> {
    fn read(&mut self, attributes: &[syn::Attribute], place: u8) -> Attrs {
        let mut attrs = attrs::read(
            attributes,
            place,
            self.cfg,
            attrs::Target { report: self.report, code: &mut self.code, as_is: self.as_is },
        );
        if self.markdown {
            attrs.doc = attrs.markdown_text();
        }
        if self.as_is {
            attrs.patch = attrs.patch.taken_as_is();
        }
        attrs.rules.iter_mut().for_each(|rule| rule.allow.clone_from(&attrs.patch.allow));
        self.rules.append(&mut attrs.rules);
        attrs
    }

    fn container(&mut self, input: &syn::DeriveInput, mut attrs: Attrs) -> Node {
        let key = Given::of(&attrs);
        let given = self.given(&mut attrs);
        if let (Some(node), syn::Data::Struct(data)) = (&given, &input.data) {
            self.replaces_parts(key, node, &data.fields, &attrs);
        }
        let serde = std::mem::take(&mut attrs.serde);
        let mut patch = self.described(&mut attrs);
        if let Some((default, _)) = attrs.default.take() {
            patch.set.default = Some(default);
        }
        if let Some(node) = given {
            return node.patched(patch);
        }
        // schemars' attribute describes what is written, too.
        let is_of_serde = attrs.is_written("serde", "from") || attrs.is_written("serde", "try_from");
        if let Some((from, span)) = &serde.from {
            if serde.into.is_none() && is_of_serde && !self.as_is {
                self.report.error(
                    *span,
                    &codes::UNREADABLE,
                    "serde reads the type as another type, but writes it as itself",
                    format!(
                        "the server would reject what your program writes. Add #[serde(into = \"{}\")]. If you implement \
                         Serialize yourself, the attribute only shows what you write",
                        spelled(from)
                    ),
                );
            }
            return self.reference(&from.clone()).patched(patch);
        }
        if let Some((_, span)) = &serde.into {
            self.report.error(*span, &codes::SERDE, "serde writes the type as another type, but reads it as itself", "add #[serde(from = \"…\")] or #[serde(try_from = \"…\")], or give the schema: #[schema(as = \"…\")]");
        }
        if matches!(input.data, syn::Data::Struct(_)) && serde.tag.is_some() && serde.deny_unknown {
            self.report.error(
                attrs.span_of("tag").unwrap_or_else(|| input.ident.span()),
                &codes::SERDE,
                "serde writes this tag, but cannot read it because of deny_unknown_fields",
                "remove one of the two, or make it a field",
            );
        }
        if serde.deny_unknown && patch.set.ext.preserve_unknown_fields == Some(true) && !self.as_is {
            self.report.error(
                attrs.span_of("preserve_unknown_fields").unwrap_or_else(|| input.ident.span()),
                &codes::MISFIT,
                "the server would keep unknown fields, but serde rejects them",
                "remove preserve_unknown_fields or #[serde(deny_unknown_fields)]",
            );
        }
        match &input.data {
            syn::Data::Struct(data) => self.structure(input, data, &serde, patch, &attrs),
            syn::Data::Enum(data) => {
                let mut it = self.enumeration(data, &serde);
                if it.variants.is_empty() {
                    self.mistake(input.ident.span(), faults::empty_enum());
                }
                self.mixed(&it, input, &patch, &|key| attrs.span_of(key));
                it.description = std::mem::take(&mut patch.set.description);
                Node::Enum(Box::new(it)).patched(patch)
            }
            syn::Data::Union(data) => {
                self.report.error(
                    data.union_token.span,
                    &codes::ROOT,
                    "neither serde nor a schema can describe a union",
                    "make it an enum",
                );
                Node::plain(Schema::of(Type::Object))
            }
        }
    }

    fn structure(
        &mut self,
        input: &syn::DeriveInput,
        data: &syn::DataStruct,
        serde: &Serde,
        patch: Patch,
        attrs: &Attrs,
    ) -> Node {
        match &data.fields {
            syn::Fields::Named(fields) if serde.transparent => {
                self.transparent(fields.named.iter(), input).patched(patch)
            }
            syn::Fields::Named(fields) => {
                let default = serde.default.as_ref().map(|d| self.container_default(d, input));
                let (mut it, mut rules) = self.fields(fields, FieldAttributes::of(serde));
                it.default = default;
                if let Some(tag) = &serde.tag {
                    let name = serde.rename.clone().unwrap_or_else(|| plain(&input.ident));
                    it.fields.insert(0, tag_field(tag, &name));
                }
                self.names(&attrs.names, &it, &patch);
                let span_of = |key: &str| attrs.span_of(key).unwrap_or_else(|| input.ident.span());
                self.fits_fields(&it, &patch, &span_of);
                self.bypassed(&it, &patch);
                let mut patch = patch;
                patch.set.rules.append(&mut rules);
                Node::Struct(Box::new(it)).patched(patch)
            }
            syn::Fields::Unnamed(fields) if serde.transparent => {
                self.transparent(fields.unnamed.iter(), input).patched(patch)
            }
            syn::Fields::Unnamed(fields) => {
                let mut parts = self.parts(fields);
                let node = if parts.len() == 1 && fields.unnamed.len() == 1 {
                    Node::Newtype(Box::new(parts.remove(0)))
                } else {
                    self.parts_differ(&parts, fields.span());
                    Node::Tuple(parts)
                };
                node.patched(patch)
            }
            syn::Fields::Unit => Node::Tuple(Vec::new()).patched(patch),
        }
    }

    fn transparent<'f>(
        &mut self,
        fields: impl Iterator<Item = &'f syn::Field>,
        input: &syn::DeriveInput,
    ) -> Node {
        let mut out = None;
        for field in fields {
            let attrs = self.read(&field.attrs, place::FIELD);
            if attrs.serde.skip_deserializing || facts::is_phantom(&field.ty) {
                continue;
            }
            if out.is_some() {
                self.report.error(
                    field.span(),
                    &codes::SERDE,
                    "a transparent struct must have exactly one field",
                    "mark the other fields with #[serde(skip)]",
                );
                break;
            }
            out = Some(self.field_node(field, attrs));
        }
        out.unwrap_or_else(|| {
            let (why, help) =
                ("a transparent struct must have exactly one field", "add a field, or remove `transparent`");
            self.report.error(input.ident.span(), &codes::SERDE, why, help);
            Node::Tuple(Vec::new())
        })
    }
}

/// A type as users write it.
fn spelled(ty: &syn::Type) -> String {
    let text = ty.to_token_stream().to_string();
    text.replace(" :: ", "::").replace(" < ", "<").replace(" > ", ">").replace(" >", ">").replace(" ,", ",")
}

/// Whether the item is compiled. A derive only sees items that are.
pub fn cfg_enabled(attributes: &[syn::Attribute], cfg: Cfg<'_>) -> bool {
    if !cfg!(feature = "source") {
        return true;
    }
    attributes.iter().filter(|a| a.path().is_ident("cfg")).all(|a| match &a.meta {
        syn::Meta::List(list) => cfg(&list.tokens),
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => true,
    })
}

/// The path of this crate, if the kind's attributes set it: `#[kube(crates(crdgen = "…"))]`.
fn crate_of_kind(input: &syn::DeriveInput, cfg: Cfg<'_>) -> Option<syn::Path> {
    let is_crates =
        |t: proc_macro2::TokenTree| matches!(t, proc_macro2::TokenTree::Ident(i) if i == "crates");
    let says = |a: &&syn::Attribute| match &a.meta {
        syn::Meta::List(list) => a.path().is_ident("kube") && list.tokens.clone().into_iter().any(is_crates),
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => false,
    };
    let own: Vec<syn::Attribute> = input.attrs.iter().filter(says).cloned().collect();
    if own.is_empty() {
        return None;
    }
    let kube = attrs::peek(&own, place::ROOT, cfg).kube;
    kube?.krate("crdgen").cloned()
}

fn tag_field(tag: &str, name: &str) -> Field {
    let limits = Limits { enumeration: vec![Value::from(name)], ..Limits::default() };
    let node = Node::plain(Schema { limits, ..Schema::of(Type::String) });
    Field { name: tag.to_owned(), node, need: Need::Optional, ..Field::default() }
}
