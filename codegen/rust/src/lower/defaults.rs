//! Defaults of fields. Literals are compared with their types. Code is evaluated later.

use super::Lower;
use crate::attrs::{Code, SerDefault, Serde};
use crate::diag::codes::rust as codes;
use crate::facts;
use crate::ir::Schema;
use crate::recipe::Need;
use crate::recipe::contradict::{Presence, contradictions};
use crate::recipe::mismatch::mismatch;
use crate::recipe::{DefaultValue, Patch};
use crate::value::Value;
use proc_macro2::Span;
use syn::spanned::Spanned;

/// The help for a default that an attribute of the schema gives.
pub(super) const GIVEN: &str = "the server rejects it. Change the default or the constraint";

/// The help for a default that serde has.
pub(super) const OF_SERDE: &str = "the server rejects it. Change the default or the constraint, or leave the default out of the schema \
                                   with #[schema(remove(default))]";

impl Lower<'_> {
    /// The value that serde sets for a missing field, if serde would also write it.
    pub(super) fn default(&mut self, field: &syn::Field, serde: &Serde) -> Option<DefaultValue> {
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

    pub(super) fn computed(
        &mut self,
        path: Option<syn::Path>,
        ty: &syn::Type,
        serde: &Serde,
    ) -> DefaultValue {
        self.code.push(Code::Default {
            path,
            ty: Box::new(ty.clone()),
            skip_if: serde.skip_if.clone(),
            serialize_with: serde.serialize_with.as_ref().map(|(p, _)| p.clone()),
        });
        DefaultValue::Computed(self.code.len() - 1)
    }

    pub(super) fn container_default(
        &mut self,
        default: &SerDefault,
        input: &syn::DeriveInput,
    ) -> DefaultValue {
        let path = match default {
            SerDefault::Default => None,
            SerDefault::Path(path) => Some(path.clone()),
        };
        let (ident, (_, generics, _)) = (&input.ident, input.generics.split_for_impl());
        self.computed(path, &syn::parse_quote!(#ident #generics), &Serde::default())
    }

    /// Reports a default that does not match its type and constraints, as far as the type is known here.
    pub(super) fn default_matches(
        &mut self,
        ty: &syn::Type,
        patch: &Patch,
        default: &Value,
        span: Span,
        help: &str,
    ) {
        if self.as_is {
            return;
        }
        let Some(mut schema) = facts::guess(ty) else { return };
        patch.apply(&mut schema, &mut |_| {});
        if let Some(why) = mismatch(&schema, default) {
            self.report.error(
                span,
                &codes::VALUE,
                format!("the default {} {why}", crate::json::to_string(default)),
                help,
            );
        }
    }
}

impl Lower<'_> {
    /// Reports attributes that contradict serde if the type is known here. Otherwise it adds assertions.
    pub(super) fn contradictions(
        &mut self,
        field: &syn::Field,
        patch: &Patch,
        need: Option<Need>,
        span: &dyn Fn(&str) -> Option<Span>,
    ) {
        let ty = &field.ty;
        let Some(own) = facts::surely(ty) else { return self.asks_values(ty, patch, span) };
        let presence =
            Presence { by_serde: facts::is_option(ty), by_attribute: need == Some(Need::Optional) };
        for mistake in contradictions(&own, presence, patch) {
            let at = span(mistake.key).unwrap_or_else(|| ty.span());
            self.report.error(at, &codes::MISFIT, mistake.message, mistake.help);
        }
    }

    /// Reports bounds beyond the range of a small integer, and allowed values of another type. The server would accept
    /// values that serde rejects, or none at all.
    pub(super) fn values_fit(&mut self, ty: &syn::Type, patch: &Patch, span: &dyn Fn(&str) -> Span) {
        let set = &patch.set.limits;
        let asks = set.minimum.is_some() || set.maximum.is_some() || !set.enumeration.is_empty();
        if self.as_is || !asks {
            return;
        }
        let Some(own) = facts::guess(ty) else { return };
        let least = set.minimum.zip(own.limits.minimum).filter(|(set, own)| set < own);
        let most = set.maximum.zip(own.limits.maximum).filter(|(set, own)| set > own);
        for (key, word, beyond) in [("minimum", "less", least), ("maximum", "greater", most)] {
            if let Some((set, own)) = beyond {
                self.report.error(
                    span(key),
                    &codes::MISFIT,
                    format!("the bound is {set}, but the type has no values {word} than {own}"),
                    "the server would accept values that serde rejects. Remove the bound, or use a wider type",
                );
            }
        }
        let plain = Schema { ty: own.ty.clone(), ..Schema::default() };
        let odd = |value: &&Value| !value.is_null() && mismatch(&plain, value).is_some();
        if let Some(value) = set.enumeration.iter().find(odd) {
            let why = mismatch(&plain, value).unwrap_or_default();
            self.report.error(
                span("one_of_values"),
                &codes::VALUE,
                format!("the allowed value {} {why}", crate::json::to_string(value)),
                "no object could have this value. Write values of the field's type",
            );
        }
    }
}
