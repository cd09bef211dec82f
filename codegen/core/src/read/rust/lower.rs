//! One item, as serde sees it, into its recipe.

use super::attrs::{self, Attrs, Cfg, Code, SerDefault, Serde, place};
use super::facts;
use super::names::Case;
use super::report::Report;
use super::rules::{self, Written};
use crate::diag::codes::rust as codes;
use crate::ir::{Limits, Rule, Schema, Type};
use crate::shape::{DefaultValue, Enum, Field, Need, Node, Patch, Struct, Tagging, Variant};
use crate::value::Value;
use proc_macro2::Span;
use quote::quote;
use std::collections::BTreeMap;
use syn::spanned::Spanned;

/// An item's recipe, with the types and the code it refers to by number.
pub struct Item {
    /// The item's own name.
    pub name: syn::Ident,
    /// Its recipe.
    pub node: Node,
    /// The types it refers to.
    pub refs: Vec<syn::Type>,
    /// The code whose values it needs.
    pub code: Vec<Code>,
    /// Its generics.
    pub generics: syn::Generics,
    /// What its parameters must be; to have a schema, if nothing is said.
    pub bounds: Option<Vec<syn::WherePredicate>>,
    /// Where this crate is re-exported.
    pub krate: Option<syn::Path>,
    /// Where the parts of the recipe stand: names in the document and their spans.
    pub places: Vec<(String, Span)>,
    /// Its rules as they are written.
    pub rules: Vec<Written>,
    /// `#[x_kube(cel)]`: whether it gets helpers that check values against its rules.
    pub cel: bool,
    /// Whether it is said that schemars' `JsonSchema` is wanted too, or not.
    pub schemars: Option<bool>,
}

/// Reads what an item says of its schema.
pub fn item(input: &syn::DeriveInput, cfg: Cfg<'_>, report: &mut Report) -> Item {
    let mut lower = Lower {
        refs: Vec::new(),
        numbers: BTreeMap::new(),
        code: Vec::new(),
        report,
        cfg,
        places: Vec::new(),
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
    let cel = attrs.kube.cel;
    let schemars = attrs.schemars;
    let bounds = attrs.bounds.take();
    let node = lower.container(input, attrs);
    let Lower { refs, code, places, rules, report, .. } = lower;
    rules::check(&rules, &node, &refs, is_root, report);
    Item {
        name: input.ident.clone(),
        node,
        refs,
        code,
        generics: input.generics.clone(),
        bounds,
        krate,
        places,
        rules,
        cel,
        schemars,
    }
}

struct Lower<'a> {
    refs: Vec<syn::Type>,
    /// Where in `refs` a type is, by its spelling.
    numbers: BTreeMap<String, usize>,
    code: Vec<Code>,
    report: &'a mut Report,
    cfg: Cfg<'a>,
    places: Vec<(String, Span)>,
    /// Whether documentation is Markdown made of descriptions.
    markdown: bool,
    /// Whether keywords that do not fit are taken as they stand.
    as_is: bool,
    rules: Vec<Written>,
}

/// Writes a type that is made of paths alone, as nearly all are; says whether it is.
fn spell(ty: &syn::Type, out: &mut String) -> bool {
    let syn::Type::Path(syn::TypePath { qself: None, path, .. }) = ty else { return false };
    for segment in &path.segments {
        out.push_str("::");
        out.push_str(&segment.ident.to_string());
        match &segment.arguments {
            syn::PathArguments::None => (),
            syn::PathArguments::AngleBracketed(list) => {
                out.push('<');
                for argument in &list.args {
                    let syn::GenericArgument::Type(ty) = argument else { return false };
                    if !spell(ty, out) {
                        return false;
                    }
                    out.push(',');
                }
                out.push('>');
            }
            syn::PathArguments::Parenthesized(_) => return false,
        }
    }
    path.leading_colon.is_none()
}

impl Lower<'_> {
    fn read(&mut self, attributes: &[syn::Attribute], place: u8) -> Attrs {
        let mut attrs = attrs::read(attributes, place, self.report, &mut self.code, self.cfg, self.as_is);
        if self.markdown {
            attrs.doc = attrs.markdown_text();
        }
        if self.as_is {
            attrs.patch = attrs.patch.taken_as_is();
        }
        self.rules.append(&mut attrs.rules);
        attrs
    }

    fn reference(&mut self, ty: &syn::Type) -> Node {
        let mut ty = ty;
        while let syn::Type::Group(syn::TypeGroup { elem, .. })
        | syn::Type::Paren(syn::TypeParen { elem, .. }) = ty
        {
            ty = elem;
        }
        let next = self.refs.len();
        let mut spelling = String::new();
        if spell(ty, &mut spelling) {
            let number = *self.numbers.entry(spelling).or_insert(next);
            if number < next {
                return Node::Ref(number);
            }
        }
        self.refs.push(ty.clone());
        Node::Ref(next)
    }

    fn container(&mut self, input: &syn::DeriveInput, mut attrs: Attrs) -> Node {
        let given = self.given(&mut attrs);
        let serde = std::mem::take(&mut attrs.serde);
        let mut patch = self.described(&mut attrs, &input.attrs);
        if let Some((default, _)) = attrs.default.take() {
            patch.set.default = Some(default);
        }
        if let Some(node) = given {
            return node.patched(patch);
        }
        if let Some((from, _)) = &serde.from {
            return self.reference(&from.clone()).patched(patch);
        }
        if let Some((_, span)) = &serde.into {
            self.report.error(*span, &codes::SERDE, "the type is written as another one, and read as itself", "add #[serde(from = \"…\")] or #[serde(try_from = \"…\")], or give the schema: #[schema(as = \"…\")]");
        }
        match &input.data {
            syn::Data::Struct(data) => self.structure(input, data, &serde, patch),
            syn::Data::Enum(data) => {
                let mut it = self.enumeration(data, &serde);
                it.description = std::mem::take(&mut patch.set.description);
                Node::Enum(Box::new(it)).patched(patch)
            }
            syn::Data::Union(data) => {
                self.report.error(
                    data.union_token.span,
                    &codes::ROOT,
                    "serde cannot read a union, and neither can a schema",
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
    ) -> Node {
        match &data.fields {
            syn::Fields::Named(fields) if serde.transparent => {
                self.transparent(fields.named.iter(), input).patched(patch)
            }
            syn::Fields::Named(fields) => {
                let default = serde.default.as_ref().map(|d| self.container_default(d, input));
                let (mut it, mut rules) =
                    self.fields(fields, serde.rename_all, serde.deny_unknown, serde.default.is_some());
                it.default = default;
                if let Some(tag) = &serde.tag {
                    let name = serde.rename.clone().unwrap_or_else(|| plain(&input.ident));
                    it.fields.insert(0, tag_field(tag, &name));
                }
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
                    "a transparent struct has one field",
                    "skip the others with #[serde(skip)]",
                );
                break;
            }
            out = Some(self.field_node(field, attrs));
        }
        out.unwrap_or_else(|| {
            self.report.error(input.ident.span(), &codes::SERDE, "a transparent struct has one field", "");
            Node::Tuple(Vec::new())
        })
    }

    /// The parts of a tuple.
    fn parts(&mut self, fields: &syn::FieldsUnnamed) -> Vec<Node> {
        let mut out = Vec::new();
        for field in &fields.unnamed {
            let attrs = self.read(&field.attrs, place::FIELD);
            if attrs.serde.skip_deserializing && attrs.serde.skip_serializing {
                continue;
            }
            out.push(self.field_node(field, attrs));
        }
        out
    }

    /// A field without a name.
    fn field_node(&mut self, field: &syn::Field, mut attrs: Attrs) -> Node {
        let node = self.type_node(&field.ty, &mut attrs);
        for (_, span) in &attrs.marks {
            self.report.error(*span, &codes::PLACE, "this needs a field with a name", "name the field");
        }
        let mut patch = self.described(&mut attrs, &field.attrs);
        if let Some((default, span)) = attrs.default.take() {
            self.default_fits(&field.ty, &patch, &default, span);
            patch.set.default = Some(default);
        }
        node.patched(patch)
    }

    /// What is set on the schema, with the documentation.
    fn described(&mut self, attrs: &mut Attrs, attributes: &[syn::Attribute]) -> Patch {
        let mut patch = std::mem::take(&mut attrs.patch);
        patch.discriminator = attrs.discriminator.take().map(|(d, _)| d);
        if !patch.set.description.is_empty() || patch.clear.iter().any(|k| k == "description") {
            return patch;
        }
        let deprecated = attributes.iter().find(|a| a.path().is_ident("deprecated"));
        let note = deprecated.map(|d| deprecation(&d.meta));
        if !attrs.doc_code.is_empty() {
            let lines = attrs.doc_code.drain(..).chain(note.map(|note| quote!("", #note)));
            let lines = lines.flat_map(|line| [line, quote!("\n")]);
            self.code.push(Code::Text(quote!(::core::concat!(#(#lines),*))));
            patch.computed.push(("description".to_owned(), self.code.len() - 1));
            return patch;
        }
        patch.set.description = std::mem::take(&mut attrs.doc);
        if let Some(note) = note {
            if !patch.set.description.is_empty() {
                patch.set.description.push_str("\n\n");
            }
            patch.set.description.push_str(&note);
        }
        patch
    }

    /// The schema that attributes give, whatever the type.
    fn given(&mut self, attrs: &mut Attrs) -> Option<Node> {
        if let Some((raw, _)) = attrs.raw.take() {
            return Some(Node::plain(raw));
        }
        if let Some((ty, _)) = attrs.as_type.take() {
            return Some(self.reference(&ty));
        }
        if attrs.opaque.is_some() {
            let mut schema = Schema::of(Type::Object);
            schema.ext.preserve_unknown_fields = Some(true);
            return Some(Node::plain(schema));
        }
        if let Some((path, _)) = attrs.with.take() {
            self.code.push(Code::Schema(path));
            let computed = vec![("schema".to_owned(), self.code.len() - 1)];
            let patch = Patch { computed, ..Patch::default() };
            return Some(Node::plain(Schema::default()).patched(patch));
        }
        None
    }

    /// The node of a field's type.
    fn type_node(&mut self, ty: &syn::Type, attrs: &mut Attrs) -> Node {
        let optional = facts::is_option(ty);
        if let Some(node) = self.given(attrs) {
            // The schema is given for what is inside.
            return if optional { Node::Option(Box::new(node)) } else { node };
        }
        let overridden = attrs.patch.overrides_type || attrs.patch.set.ext.int_or_string;
        if let Some((path, span)) =
            attrs.serde.deserialize_with.as_ref().or(attrs.serde.serialize_with.as_ref())
        {
            match foreign_module(path) {
                Some(Some(schema)) if !overridden => {
                    let node = Node::plain(schema);
                    return if optional { Node::Option(Box::new(node)) } else { node };
                }
                // A function that keeps null apart from absent reads the inner type.
                None if facts::is_double_option(ty) => {}
                None if !overridden => {
                    let module =
                        path.segments.iter().map(|s| s.ident.to_string()).collect::<Vec<_>>().join("::");
                    self.report.error(*span, &codes::SERDE, format!("`{module}` decides how this field is read or written, and the schema cannot see it"), "give the schema: #[schema(as = \"String\")] for a type it looks like, #[schema(ty = \"string\")], #[schema(raw = { … })] or #[schema(opaque)]");
                }
                _ => {}
            }
        }
        if overridden && attrs.patch.set.ty.is_some() {
            let node = Node::plain(Schema::default());
            return if optional { Node::Option(Box::new(node)) } else { node };
        }
        self.fits(ty, attrs);
        self.reference(ty)
    }

    /// Says at the attribute what does not fit a type that is plain to see.
    fn fits(&mut self, ty: &syn::Type, attrs: &Attrs) {
        let Some(mut schema) = facts::guess(ty) else { return };
        let span = ty.span();
        let mut patch = attrs.patch.clone();
        // These are told with the whole in view.
        patch.at.clear();
        patch.unions.clear();
        patch.discriminator = None;
        if matches!(schema.ty, Some(Type::Object | Type::Array)) {
            patch.metadata = None;
        }
        let report = &mut *self.report;
        patch.apply(&mut schema, &mut |misfit| {
            let span = attrs.span_of(misfit.key).unwrap_or(span);
            report.error(span, &codes::MISFIT, misfit.message, misfit.help);
        });
    }

    fn fields(
        &mut self,
        fields: &syn::FieldsNamed,
        case: Option<Case>,
        deny_unknown: bool,
        defaulted: bool,
    ) -> (Struct, Vec<Rule>) {
        let mut out = Struct { deny_unknown, ..Struct::default() };
        let (mut names, mut pairs) = (Vec::new(), Vec::new());
        for field in &fields.named {
            if !cfg_holds(&field.attrs, self.cfg) {
                continue;
            }
            let mut attrs = self.read(&field.attrs, place::FIELD);
            let skipped = attrs.serde.skip_serializing && attrs.serde.skip_deserializing;
            if skipped || attrs.skip {
                continue;
            }
            let equal_to = std::mem::take(&mut attrs.equal_to);
            let lowered = self.field(field, attrs, case, defaulted);
            if let Some(ident) = &field.ident {
                self.places.push((lowered.name.clone(), ident.span()));
                names.push((ident, lowered.name.clone()));
            }
            pairs.extend(equal_to.into_iter().map(|(other, span)| (lowered.name.clone(), other, span)));
            if out.fields.iter().any(|f| !f.flatten && !lowered.flatten && f.name == lowered.name) {
                self.report.error(
                    field.span(),
                    &codes::SAME_NAME,
                    format!("two fields have the name `{}` in the document", lowered.name),
                    "rename one of them",
                );
                continue;
            }
            out.fields.push(lowered);
        }
        let rules = self.equalities(&names, pairs);
        (out, rules)
    }

    fn field(&mut self, field: &syn::Field, mut attrs: Attrs, case: Option<Case>, defaulted: bool) -> Field {
        let ident = field.ident.as_ref().map(plain).unwrap_or_default();
        let name =
            attrs.serde.rename.clone().unwrap_or_else(|| case.map_or(ident.clone(), |c| c.field(&ident)));
        let node = self.type_node(&field.ty, &mut attrs);
        let mut patch = self.described(&mut attrs, &field.attrs);
        let serde = std::mem::take(&mut attrs.serde);
        let default = match attrs.default.take() {
            Some((Value::Null, _)) => {
                patch.clear.push("default".to_owned());
                None
            }
            Some((value, span)) => {
                self.default_fits(&field.ty, &patch, &value, span);
                Some(DefaultValue::Value(value))
            }
            None => self.default(field, &serde),
        };
        let has_default = serde.default.is_some() || defaulted;
        let need = attrs.need.unwrap_or({
            if has_default || serde.skip_deserializing {
                Need::Optional
            } else if serde.deserialize_with.is_some() {
                Need::Required
            } else {
                Need::Auto
            }
        });
        if serde.flatten {
            for (_, span) in &attrs.marks {
                self.report.error(
                    *span,
                    &codes::PLACE,
                    "a flattened field is no field of the document",
                    "put the attribute on a field inside",
                );
            }
        }
        Field {
            name,
            aliases: serde.aliases,
            node,
            need,
            writes_null: serde.skip_if.is_none() && !serde.skip_serializing,
            default,
            flatten: serde.flatten,
            patch,
            marks: attrs.marks.into_iter().map(|(mark, _)| mark).collect(),
            once: attrs.once,
        }
    }

    /// What serde puts into a missing field, if it would write it too.
    fn default(&mut self, field: &syn::Field, serde: &Serde) -> Option<DefaultValue> {
        let default = serde.default.as_ref()?;
        if serde.flatten || serde.skip_serializing {
            return None;
        }
        let skips_empty = serde
            .skip_if
            .as_ref()
            .and_then(|p| p.segments.last())
            .is_some_and(|s| s.ident == "is_none" || s.ident == "is_empty");
        let plain = serde.serialize_with.is_none();
        match default {
            SerDefault::Default if skips_empty => None,
            SerDefault::Default if facts::is_option(&field.ty) => None,
            SerDefault::Default
                if plain && serde.skip_if.is_none() && facts::default_of(&field.ty).is_some() =>
            {
                facts::default_of(&field.ty).map(DefaultValue::Value)
            }
            SerDefault::Default => Some(self.computed(None, &field.ty, serde)),
            SerDefault::Path(path) => Some(self.computed(Some(path.clone()), &field.ty, serde)),
        }
    }

    fn computed(&mut self, path: Option<syn::Path>, ty: &syn::Type, serde: &Serde) -> DefaultValue {
        self.code.push(Code::Default {
            path,
            ty: Box::new(ty.clone()),
            skip_if: serde.skip_if.clone(),
            serialize_with: serde.serialize_with.as_ref().map(|(p, _)| p.clone()),
        });
        DefaultValue::Computed(self.code.len() - 1)
    }

    fn container_default(&mut self, default: &SerDefault, input: &syn::DeriveInput) -> DefaultValue {
        let path = match default {
            SerDefault::Default => None,
            SerDefault::Path(path) => Some(path.clone()),
        };
        let (ident, (_, generics, _)) = (&input.ident, input.generics.split_for_impl());
        self.computed(path, &syn::parse_quote!(#ident #generics), &Serde::default())
    }

    /// Says at the default what is wrong with it as far as the type is plain to see.
    fn default_fits(&mut self, ty: &syn::Type, patch: &Patch, default: &Value, span: Span) {
        if self.as_is {
            return;
        }
        let Some(mut schema) = facts::guess(ty) else { return };
        patch.apply(&mut schema, &mut |_| {});
        if let Some(why) = unfit(&schema, default) {
            self.report.error(
                span,
                &codes::VALUE,
                format!("the default {} {why}", crate::json::to_string(default)),
                "the server refuses a default that its own schema does not take",
            );
        }
    }

    /// Rules for fields that must be equal: each with the Rust name of another one.
    fn equalities(
        &mut self,
        names: &[(&syn::Ident, String)],
        pairs: Vec<(String, String, Span)>,
    ) -> Vec<Rule> {
        let mut out = Vec::new();
        for (name, other, span) in pairs {
            let Some((_, other)) = names.iter().find(|(ident, _)| plain(ident) == other) else {
                self.report.error(
                    span,
                    &codes::VALUE,
                    format!("there is no field `{other}`"),
                    "name a field of this struct",
                );
                continue;
            };
            let (a, b) = (crate::shape::cel_name(&name), crate::shape::cel_name(other));
            out.push(Rule {
                rule: format!("!has(self.{a}) || !has(self.{b}) || self.{a} == self.{b}"),
                message: format!("{name} must be equal to {other}"),
                ..Rule::default()
            });
        }
        out
    }

    fn enumeration(&mut self, data: &syn::DataEnum, serde: &Serde) -> Enum {
        let tagging = match (&serde.tag, &serde.content, serde.untagged) {
            (None, None, false) => Tagging::External,
            (Some(tag), None, false) => Tagging::Internal(tag.clone()),
            (Some(tag), Some(content), false) => Tagging::Adjacent(tag.clone(), content.clone()),
            (None, None, true) => Tagging::Untagged,
            _ => {
                let span = data.enum_token.span;
                self.report.error(
                    span,
                    &codes::SERDE,
                    "these serde attributes do not go together",
                    "an enum has tag, or tag and content, or untagged, or none of them",
                );
                Tagging::External
            }
        };
        let mut out = Enum { tagging, deny_unknown: serde.deny_unknown, ..Enum::default() };
        for variant in &data.variants {
            if !cfg_holds(&variant.attrs, self.cfg) {
                continue;
            }
            let attrs = self.read(&variant.attrs, place::VARIANT);
            if attrs.serde.skip_deserializing || attrs.skip {
                continue;
            }
            let lowered = self.variant(variant, attrs, serde);
            self.places.push((lowered.name.clone(), variant.ident.span()));
            if out.tagging != Tagging::Untagged && out.variants.iter().any(|v| v.name == lowered.name) {
                self.report.error(
                    variant.ident.span(),
                    &codes::SAME_NAME,
                    format!("two variants have the name `{}` in the document", lowered.name),
                    "rename one of them",
                );
                continue;
            }
            out.variants.push(lowered);
        }
        out
    }

    fn variant(&mut self, variant: &syn::Variant, mut attrs: Attrs, container: &Serde) -> Variant {
        let ident = plain(&variant.ident);
        let serde = std::mem::take(&mut attrs.serde);
        let name = serde
            .rename
            .clone()
            .unwrap_or_else(|| container.rename_all.map_or(ident.clone(), |c| c.variant(&ident)));
        let given = self.given(&mut attrs);
        let payload = match &variant.fields {
            _ if given.is_some() => given,
            _ if serde.deserialize_with.is_some() => {
                if let Some((_, span)) = &serde.deserialize_with {
                    self.report.error(
                        *span,
                        &codes::SERDE,
                        "a function decides how this variant is read, and the schema cannot see it",
                        "give the schema: #[schema(as = \"…\")], #[schema(raw = { … })] or #[schema(opaque)]",
                    );
                }
                None
            }
            syn::Fields::Unit => None,
            syn::Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                let mut parts = self.parts(fields);
                (!parts.is_empty()).then(|| parts.remove(0))
            }
            syn::Fields::Unnamed(fields) => Some(Node::Tuple(self.parts(fields))),
            syn::Fields::Named(fields) => {
                let case = serde.rename_all.or(container.rename_all_fields);
                let (it, rules) = self.fields(fields, case, container.deny_unknown, false);
                let set = Schema { rules, ..Schema::default() };
                Some(Node::Struct(Box::new(it)).patched(Patch { set, ..Patch::default() }))
            }
        };
        if serde.other && payload.is_some() {
            self.report.error(
                variant.ident.span(),
                &codes::SERDE,
                "#[serde(other)] is for a unit variant",
                "take the fields away",
            );
        }
        let mut patch = self.described(&mut attrs, &variant.attrs);
        let description = std::mem::take(&mut patch.set.description);
        Variant {
            name,
            aliases: serde.aliases,
            description,
            payload,
            other: serde.other,
            untagged: serde.untagged,
            patch,
        }
    }
}

/// An attribute set as a patch, with the documentation as its description.
fn deprecation(meta: &syn::Meta) -> String {
    let note = match meta {
        syn::Meta::NameValue(pair) => attrs::string_of(quote::ToTokens::to_token_stream(&pair.value)),
        syn::Meta::List(list) => {
            let mut note = None;
            // What cannot be read here, the compiler reports.
            _ = list.parse_nested_meta(|meta| {
                let value = meta.value()?.parse::<syn::LitStr>()?;
                if meta.path.is_ident("note") {
                    note = Some(value.value());
                }
                Ok(())
            });
            note
        }
        syn::Meta::Path(_) => None,
    };
    note.map_or_else(|| "Deprecated.".to_owned(), |note| format!("Deprecated: {note}"))
}

/// Whether the item is compiled at all.
pub(super) fn cfg_holds(attributes: &[syn::Attribute], cfg: Cfg<'_>) -> bool {
    attributes.iter().filter(|a| a.path().is_ident("cfg")).all(|a| match &a.meta {
        syn::Meta::List(list) => cfg(&list.tokens),
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => true,
    })
}

/// Where the kind around an item says that this crate is: `#[kube(crates(crdgen = "…"))]`.
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
    let kube = attrs::read(&own, place::ROOT, &mut Report::default(), &mut Vec::new(), cfg, false).kube;
    kube.krate("crdgen").cloned()
}

pub(super) fn plain(ident: &syn::Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map_or(text.clone(), str::to_owned)
}

fn tag_field(tag: &str, name: &str) -> Field {
    let limits = Limits { enumeration: vec![Value::from(name)], ..Limits::default() };
    let node = Node::plain(Schema { limits, ..Schema::of(Type::String) });
    Field { name: tag.to_owned(), node, need: Need::Optional, ..Field::default() }
}

/// Modules for `#[serde(with = …)]` that are in wide use: some leave JSON as it is (none inside), the others
/// have a fixed form.
fn foreign_module(path: &syn::Path) -> Option<Option<Schema>> {
    let name: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let name = name.join("::");
    let integer = || {
        let limits = Limits { format: "int64".into(), ..Limits::default() };
        Schema { limits, ..Schema::of(Type::Integer) }
    };
    if name.contains("with::singleton_map") {
        return Some(None);
    }
    if name.starts_with("humantime_serde") {
        return Some(Some(Schema::of(Type::String)));
    }
    let seconds = ["ts_seconds", "ts_milliseconds", "ts_microseconds", "ts_nanoseconds"];
    if name.starts_with("chrono::serde::") && seconds.iter().any(|s| name.contains(s)) {
        return Some(Some(integer()));
    }
    None
}

/// Why a value is not what a plain schema takes.
fn unfit(schema: &Schema, value: &Value) -> Option<String> {
    let l = &schema.limits;
    let expected = |what: &str| Some(format!("is not {what}"));
    if !l.enumeration.is_empty() && !l.enumeration.contains(value) {
        return Some("is none of the allowed values".to_owned());
    }
    match (&schema.ty, value) {
        (_, Value::Null) if schema.nullable => None,
        (Some(Type::String), Value::Str(s)) => {
            let len = s.chars().count() as i64;
            if l.min_length.is_some_and(|min| len < min) || l.max_length.is_some_and(|max| len > max) {
                return Some(format!("has {len} characters, which the length bounds exclude"));
            }
            None
        }
        (Some(Type::String), _) => expected("a string"),
        (Some(Type::Integer), Value::Int(_)) | (Some(Type::Number), Value::Int(_) | Value::Float(_)) => {
            let f = value.as_float()?;
            if l.minimum.is_some_and(|min| f < min) || l.maximum.is_some_and(|max| f > max) {
                return Some("is outside of the bounds".to_owned());
            }
            None
        }
        (Some(Type::Integer), _) => expected("an integer"),
        (Some(Type::Number), _) => expected("a number"),
        (Some(Type::Boolean), Value::Bool(_)) => None,
        (Some(Type::Boolean), _) => expected("a boolean"),
        (Some(Type::Array), Value::List(items)) => {
            let len = items.len() as i64;
            if l.min_items.is_some_and(|min| len < min) || l.max_items.is_some_and(|max| len > max) {
                return Some(format!("has {len} items, which the bounds exclude"));
            }
            items.iter().find_map(|item| unfit(schema.item()?, item))
        }
        (Some(Type::Array), _) => expected("a list"),
        (Some(Type::Object), Value::Map(_)) => None,
        (Some(Type::Object), _) => expected("an object"),
        (Some(Type::Other(_)) | None, _) => None,
    }
}
