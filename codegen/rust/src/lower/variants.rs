//! Enums: how serde distinguishes variants, and their content.

use super::fields::FieldAttributes;
use super::named_field::Given;
use super::{Lower, cfg_enabled, plain};
use crate::attrs::{Attrs, NamedBy, Serde, place};
use crate::diag::codes::rust as codes;
use crate::facts;
use crate::ir::Schema;
use crate::recipe::{Enum, Node, Patch, Tagging, Variant, faults, outline};
use proc_macro2::Span;
use std::collections::HashSet;
use syn::spanned::Spanned;

impl Lower<'_> {
    pub(super) fn enumeration(&mut self, data: &syn::DataEnum, serde: &Serde) -> Enum {
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
                    "these serde attributes contradict each other",
                    "use `tag`, `tag` and `content`, `untagged`, or none of them",
                );
                Tagging::External
            }
        };
        let mut out = Enum { tagging, deny_unknown: serde.deny_unknown, ..Enum::default() };
        let (mut written, mut taken) = (Vec::new(), HashSet::new());
        for variant in &data.variants {
            if !cfg_enabled(&variant.attrs, self.cfg) {
                continue;
            }
            let attrs = self.read(&variant.attrs, place::VARIANT);
            if attrs.serde.skip_deserializing && !attrs.serde.skip_serializing && !attrs.skip && !self.as_is {
                let span = attrs.span_of("skip_deserializing").unwrap_or_else(|| variant.ident.span());
                self.report.error(
                    span,
                    &codes::UNREADABLE,
                    "serde writes this variant, but cannot read it",
                    "the server would reject what your program writes, because the variant is not in the schema. Remove \
                     `skip_deserializing`, or write #[serde(skip)]",
                );
            }
            if attrs.serde.skip_deserializing || attrs.skip {
                continue;
            }
            let lowered = self.variant(variant, attrs, serde);
            self.places.push((lowered.name.clone(), variant.ident.span()));
            if out.tagging != Tagging::Untagged && !taken.insert(lowered.name.clone()) {
                self.report.error(
                    variant.ident.span(),
                    &codes::SAME_NAME,
                    format!("two variants have the name `{}` in the document", lowered.name),
                    "rename one of them",
                );
                continue;
            }
            out.variants.push(lowered);
            written.push(variant);
        }
        if out.tagging == Tagging::Untagged {
            let variants: Vec<_> = written.into_iter().zip(&out.variants).collect();
            self.order(&variants);
        }
        out
    }

    /// Warns about an enum whose variants have different types. Rules cannot read it.
    pub(super) fn mixed(
        &mut self,
        it: &Enum,
        input: &syn::DeriveInput,
        patch: &Patch,
        span: &dyn Fn(&str) -> Option<Span>,
    ) {
        if self.as_is
            || patch.as_is
            || patch.overrides_type
            || !outline::is_mixed(it, &|node| facts::types(node, &self.refs))
        {
            return;
        }
        if let Some(key) = patch.rule_key() {
            let mistake = faults::unreadable(key);
            return self.mistake(span(key).unwrap_or_else(|| input.ident.span()), mistake);
        }
        let help = match it.tagging {
            Tagging::External => {
                "write the variants without content as empty structs, such as `Off {}`, or add a tag with #[serde(tag = \"…\")]. \
                 Both change how objects look"
            }
            _ => "use variants of one type, or a tag: #[serde(tag = \"…\")]. Both change how objects look",
        };
        self.report.warning(
            input.ident.span(),
            &codes::MIXED,
            "the variants of this enum have different types, and a structural schema has only one. If users write a wrong \
             value, the server's message does not show what is allowed",
            help,
        );
    }

    fn variant(&mut self, variant: &syn::Variant, mut attrs: Attrs, container: &Serde) -> Variant {
        let ident = plain(&variant.ident);
        let key = Given::of(&attrs);
        let given = self.given(&mut attrs);
        if let Some(node) = &given {
            self.replaces_parts(key, node, &variant.fields, &attrs);
        }
        let serde = std::mem::take(&mut attrs.serde);
        let name = serde
            .rename
            .clone()
            .unwrap_or_else(|| container.rename_all.map_or(ident.clone(), |c| c.variant(&ident)));
        let step = match (&container.tag, &container.content) {
            _ if container.untagged || serde.untagged => String::new(),
            (None, _) => format!(".{name}"),
            (Some(_), Some(content)) => format!(".{content}"),
            (Some(_), None) => String::new(),
        };
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
                let mut parts = self.at(&step, |l| l.parts(fields));
                if let Some(part) = parts.first().filter(|_| !serde.untagged && !attrs.patch.overrides_type) {
                    self.tags(&name, part, container, fields.span());
                }
                (!parts.is_empty()).then(|| parts.remove(0))
            }
            syn::Fields::Unnamed(fields) => {
                let parts = self.at(&step, |l| l.parts(fields));
                self.parts_differ(&parts, fields.span());
                Some(Node::Tuple(parts))
            }
            syn::Fields::Named(fields) => {
                let case = serde.rename_all.or(container.rename_all_fields);
                let around = FieldAttributes { case, deny_unknown: container.deny_unknown, defaulted: false };
                let (it, rules) = self.at(&step, |l| l.fields(fields, around));
                // A rule moves to the enum, where the tag is also a field.
                attrs.names.retain(|name| !matches!(name.by, NamedBy::FieldPath(_)));
                self.names(&attrs.names, &it, &attrs.patch);
                self.bypassed(&it, &attrs.patch);
                let set = Schema { rules, ..Schema::default() };
                Some(Node::Struct(Box::new(it)).patched(Patch { set, ..Patch::default() }))
            }
        };
        if serde.other && payload.is_some() {
            self.report.error(
                variant.ident.span(),
                &codes::SERDE,
                "#[serde(other)] is for a unit variant",
                "remove the fields",
            );
        }
        let mut patch = self.described(&mut attrs);
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
