//! One field with a name: its type, and what its attributes change.

use super::defaults::GIVEN;
use super::types::inside;
use super::{Lower, plain};
use crate::attrs::{Attrs, SerDefault, Serde};
use crate::diag::codes::rust as codes;
use crate::facts;
use crate::ir::Keyword;
use crate::names::Case;
use crate::recipe::contradict::{is_override, replaced};
use crate::recipe::faults;
use crate::recipe::{DefaultValue, Field, Mark, Metadata, Need, Node, Patch};
use crate::value::Value;
use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;

/// What is around a field of a struct.
#[derive(Clone, Copy)]
pub(super) struct Around {
    /// The case of the names of all fields.
    pub(super) case: Option<Case>,
    /// Whether the default of the struct has the fields that are missing.
    pub(super) defaulted: bool,
    /// Whether the struct has other fields.
    pub(super) has_others: bool,
    /// The number of findings before those about the field.
    pub(super) findings_before: usize,
}

/// The attribute that gives another type or schema. It decides what applies, and not the type of the field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    None,
    /// Its key.
    One(&'static str),
    /// This is a separate error.
    Several,
}

impl Given {
    pub(super) fn of(attrs: &Attrs) -> Given {
        let all = [
            ("as", attrs.as_type.is_some()),
            ("with", attrs.with.is_some()),
            ("raw", attrs.raw.is_some()),
            ("opaque", attrs.opaque.is_some()),
        ];
        let mut given = all.iter().filter(|(_, is_given)| *is_given).map(|(key, _)| *key);
        match (given.next(), given.next()) {
            (None, _) => Given::None,
            (Some(key), None) => Given::One(key),
            (Some(_), Some(_)) => Given::Several,
        }
    }

    pub(super) fn is_none(self) -> bool {
        self == Given::None
    }
}

/// A field with a name while it is read.
struct NamedField<'f> {
    field: &'f syn::Field,
    /// Its name in the document.
    name: String,
    attrs: Attrs,
    serde: Serde,
    given: Given,
    node: Node,
    patch: Patch,
    /// Whether serde reads an object without the field.
    has_default: bool,
    /// The result of serde's function for a missing field, if an attribute gives another default.
    by_serde: Option<DefaultValue>,
}

impl NamedField<'_> {
    /// Whether the field is required.
    fn need(&self) -> Need {
        self.attrs.need.unwrap_or({
            if self.has_default || self.serde.skip_deserializing {
                Need::Optional
            } else if self.serde.deserialize_with.is_some() {
                Need::Required
            } else {
                Need::Auto
            }
        })
    }
}

impl Lower<'_> {
    /// Reads a field of a struct.
    pub(super) fn field(&mut self, field: &syn::Field, mut attrs: Attrs, around: Around) -> Field {
        let name = name_of(field, &attrs.serde, around.case);
        let step = if attrs.serde.flatten { String::new() } else { format!(".{name}") };
        let given = Given::of(&attrs);
        let node = self.at(&step, |l| l.type_node(&field.ty, &mut attrs));
        let node = inside(&field.ty, node, &mut attrs);
        let patch = self.described(&mut attrs);
        let serde = std::mem::take(&mut attrs.serde);
        // serde ignores the default of a flattened field.
        let has_default = !serde.flatten && (serde.default.is_some() || around.defaulted);
        let by_serde = None;
        let mut it = NamedField { field, name, attrs, serde, given, node, patch, has_default, by_serde };
        let default = self.default_of(&mut it);
        self.assert_limits(&it);
        self.find_scale(&it.attrs);
        let said_optional = self.is_read_by_serde(&it)
            && it.attrs.need == Some(Need::Optional)
            && !has_default
            && default.is_none();
        self.check_replacement(&it);
        let strict = self.check_contradictions(&it, said_optional);
        let written = it.attrs.span_of("skip_serializing_if");
        let left_out = self.left_out(field, &it.serde, has_default, it.attrs.need, written);
        self.check_schema(&it, around.findings_before);
        if it.serde.flatten {
            self.check_flattened(&it, around.has_others);
        }
        let need = it.need();
        if it.patch.metadata.is_none() && it.given.is_none() && facts::is_metadata(&field.ty) {
            it.patch.metadata = Some(Metadata::AsKind);
        }
        let NamedField { name, attrs, serde, node, patch, by_serde, .. } = it;
        Field {
            name,
            aliases: serde.aliases,
            node,
            need,
            writes_null: serde.skip_if.is_none() && !serde.skip_serializing,
            default,
            by_serde,
            flatten: serde.flatten,
            patch,
            marks: attrs.marks.into_iter().map(|(mark, _)| mark).collect(),
            once: attrs.once,
            strict,
            said_optional,
            left_out,
        }
    }

    /// The default of a field, from its attributes or else from serde's. `null` removes the one from serde.
    fn default_of(&mut self, it: &mut NamedField<'_>) -> Option<DefaultValue> {
        let ty = &it.field.ty;
        match it.attrs.default.take() {
            Some((Value::Null, span)) => {
                if !it.has_default && !self.as_is && !it.patch.set.nullable && !facts::is_option(ty) {
                    self.mistake(span, faults::no_default_to_remove());
                }
                it.patch.clear.push(Keyword::Default);
                None
            }
            Some((value, span)) => {
                if it.given.is_none() {
                    self.default_matches(ty, &it.patch, &value, span, GIVEN);
                    self.asks_enum(ty, &it.patch, &value, span);
                }
                if let Some(SerDefault::Path(path)) = it.serde.default.clone()
                    && !self.as_is
                    && !it.serde.flatten
                {
                    it.by_serde = Some(self.computed(Some(path), ty, &it.serde));
                }
                self.defaults.push((it.name.clone(), span));
                Some(DefaultValue::Value(value))
            }
            None => {
                let default = self.default(it.field, &it.serde)?;
                if !it.patch.clear.contains(&Keyword::Default) {
                    self.default_of_type_matches(it.field, &it.patch, &default);
                }
                Some(default)
            }
        }
    }

    /// Checks what the attributes demand of the values and items of the field's type.
    fn assert_limits(&mut self, it: &NamedField<'_>) {
        if !it.given.is_none() || it.patch.overrides_type {
            return;
        }
        let (ty, attrs) = (&it.field.ty, &it.attrs);
        self.assert_items(ty, &it.patch, &|key| attrs.span_of(key));
        self.assert_readable(ty, &it.patch, &|key| attrs.span_of(key));
        self.values_fit(ty, &it.patch, &|key| attrs.span_of(key).unwrap_or_else(|| it.field.span()));
    }

    /// Keeps the place of the first attribute for the scale subresource.
    fn find_scale(&mut self, attrs: &Attrs) {
        let scales =
            |mark: &Mark| matches!(mark, Mark::SpecReplicas | Mark::StatusReplicas | Mark::LabelSelector);
        if self.scale.is_none() && attrs.marks.iter().any(|(mark, _)| scales(mark)) {
            self.scale = attrs.span_of("scale");
        }
    }

    /// Whether serde reads the field as its type says. A function of the user may read any value.
    fn is_read_by_serde(&self, it: &NamedField<'_>) -> bool {
        !self.as_is
            && !it.patch.as_is
            && !it.serde.flatten
            && !it.serde.skip_deserializing
            && it.serde.deserialize_with.is_none()
    }

    /// Reports a schema in place of the field's own one that allows what serde cannot read.
    fn check_replacement(&mut self, it: &NamedField<'_>) {
        if self.is_read_by_serde(it) {
            self.replaces(it.given, &it.node, &it.field.ty, &|key| it.attrs.span_of(key));
        }
    }

    /// Reports a schema in place of that of a type that allows what serde cannot read.
    pub(super) fn replaces(
        &mut self,
        given: Given,
        node: &Node,
        ty: &syn::Type,
        span: &dyn Fn(&str) -> Option<Span>,
    ) {
        if let Given::One(key) = given
            && let (Some(own), Some(schema)) = (facts::surely(ty), self.known(node))
            && let Some(mistake) = replaced(&own, &schema, key)
        {
            let help = if facts::is_tuple(ty) { faults::tuple().help } else { mistake.help };
            self.report.error(span(key).unwrap_or_else(|| ty.span()), &codes::MISFIT, mistake.message, help);
        }
    }

    /// The same for a tuple struct or variant whose schema attributes give.
    pub(super) fn replaces_parts(&mut self, given: Given, node: &Node, fields: &syn::Fields, attrs: &Attrs) {
        let syn::Fields::Unnamed(parts) = fields else { return };
        let ty = match parts.unnamed.first() {
            Some(only) if parts.unnamed.len() == 1 => only.ty.clone(),
            _ => {
                let elems = parts.unnamed.iter().map(|part| part.ty.clone()).collect();
                syn::Type::Tuple(syn::TypeTuple { attrs: Vec::new(), paren_token: parts.paren_token, elems })
            }
        };
        if !self.as_is && attrs.serde.deserialize_with.is_none() && attrs.serde.from.is_none() {
            self.replaces(given, node, &ty, &|key| attrs.span_of(key));
        }
    }

    /// Reports attributes that allow what serde cannot read. Returns whether the attributes change what is allowed.
    fn check_contradictions(&mut self, it: &NamedField<'_>, said_optional: bool) -> bool {
        let is_override = self.is_read_by_serde(it) && it.given.is_none() && is_override(&it.patch);
        let strict = said_optional || is_override;
        if strict {
            let need = said_optional.then_some(Need::Optional);
            self.contradictions(it.field, &it.patch, need, &|key| it.attrs.span_of(key));
        }
        strict
    }

    /// Checks the schema of the field alone. `before` is the number of findings before those about the field.
    fn check_schema(&mut self, it: &NamedField<'_>, before: usize) {
        let NamedField { field, attrs, given, node, patch, .. } = it;
        if self.report.one_item && given.is_none() && patch.computed.is_empty() {
            self.marks_fit(node, patch, &attrs.marks);
            self.format_fits(node, patch, attrs.span_of("format"));
        }
        if given.is_none() {
            self.old_items(&field.ty, patch);
        }
        if self.report.one_item && self.report.findings.len() == before {
            self.structural(node, patch, attrs, field.ty.span());
        }
    }

    /// Reports a type that cannot be flattened, and attributes that need a field in the document.
    fn check_flattened(&mut self, it: &NamedField<'_>, has_others: bool) {
        let ty = &it.field.ty;
        self.flattens(&it.node, &it.patch, ty.span());
        if has_others && it.given.is_none() {
            self.flattens_map(ty);
        }
        for (_, span) in &it.attrs.marks {
            self.report.error(
                *span,
                &codes::PLACE,
                "a flattened field is not a field in the document",
                "put the attribute on a field inside",
            );
        }
    }

    /// The function of `skip_serializing_if` if serde cannot read an object without the field, but nothing shows yet whether
    /// the field's type is an `Option`. If it is clearly none, this is reported.
    fn left_out(
        &mut self,
        field: &syn::Field,
        serde: &Serde,
        has_default: bool,
        need: Option<Need>,
        span: Option<Span>,
    ) -> Option<String> {
        let function = serde.skip_if.as_ref()?;
        // If the schema says that the field is optional, that is reported.
        if has_default || serde.flatten || serde.skip_deserializing || need == Some(Need::Optional) {
            return None;
        }
        let function = function.to_token_stream().to_string().replace(' ', "");
        // serde's derive does not ask for a missing value of type `Option` if a function reads it.
        let is_read_by_code = serde.deserialize_with.is_some();
        let is_no_option = facts::surely(&field.ty).is_some() && !facts::is_option(&field.ty);
        if is_read_by_code || is_no_option {
            let by = if is_read_by_code { faults::ReadBy::Function } else { faults::ReadBy::Type };
            self.mistake(span.unwrap_or_else(|| field.span()), faults::left_out(&function, by));
            return None;
        }
        (!facts::is_option(&field.ty)).then_some(function)
    }
}

/// The name of a field in the document.
pub(super) fn name_of(field: &syn::Field, serde: &Serde, case: Option<Case>) -> String {
    let ident = field.ident.as_ref().map(plain).unwrap_or_default();
    serde.rename.clone().unwrap_or_else(|| case.map_or(ident.clone(), |c| c.field(&ident)))
}
