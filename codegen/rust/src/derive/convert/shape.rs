//! The shape of a type: its structure, and how each part converts. Shapes are types of `crdgen::convert` that convert
//! the values, because the compiler would take much longer for code for each field.

use super::{To, Writer, here};
use crate::convert::Plan;
use crate::convert::{How, Move};
use crate::derive::tokens::Tokens;
use crate::facts;
use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;

impl<'a> Writer<'a> {
    /// Writes the shape of a type: containers convert item by item, and all other types by their own conversion.
    pub(super) fn shape(&self, out: &mut Tokens<'a>, ty: &syn::Type, empty: Empty) {
        let span = first_span(ty);
        let named = facts::name_of(ty).filter(|_| empty == Empty::Omitted || !is_plain(ty));
        let (name, args) = named.unwrap_or_default();
        let (container, inside) = match (name.as_str(), args.as_slice()) {
            ("Option", [inner]) if empty == Empty::Omitted => ("UnlessEmpty", inner),
            ("Option", [inner]) => ("Optional", inner),
            ("Box", [inner]) => ("Boxed", inner),
            ("Vec", [item]) => ("Items", item),
            ("BTreeMap", [_, value]) => ("Entries", value),
            ("HashMap", [_, value]) => ("Hashed", value),
            _ => return self.path(out, "Own", span),
        };
        self.path(out, container, span);
        out.punct("<", span);
        self.shape(out, inside, Empty::Kept);
        out.punct(">", span);
    }

    /// Converts a part by its shape. The compiler reports a missing conversion at the shape. Both directions have the
    /// same bounds, so it reports this once.
    pub(super) fn part(
        &self,
        out: &mut Tokens<'a>,
        part: &Part<'_>,
        to: To,
        fallible: Fallible,
        value: impl FnOnce(&mut Tokens<'a>),
    ) {
        let &Part { label, span, ty, keys, omit_empty } = part;
        let empty = if omit_empty { Empty::Omitted } else { Empty::Kept };
        out.punct("<", span);
        match ty {
            Some(ty) => self.shape(out, ty, empty),
            None => self.path(out, "Own", span),
        }
        out.tree(Ident::new("as", span));
        self.path(out, if fallible == Fallible::Yes { "TryPart" } else { "Part" }, span);
        out.punct("<", span);
        out.tree(Ident::new("_", span));
        out.punct(",", span);
        match ty {
            Some(ty) => out.tokens(ty),
            None => out.tree(Ident::new("_", span)),
        }
        out.punct(">", span);
        out.punct(">", span);
        out.punct("::", span);
        let function = match (to, fallible) {
            (To::New, Fallible::No) => "up",
            (To::Old, Fallible::No) => "down",
            (To::New, Fallible::Yes) => "try_up",
            (To::Old, Fallible::Yes) => "try_down",
        };
        out.tree(Ident::new(function, span));
        out.group_at(Delimiter::Parenthesis, span, |out| {
            out.tree(Ident::new("__context", here(span)));
            if !keys.is_empty() {
                out.tokens(&quote_spanned!(span=> .keyed(&[#(#keys),*])));
            }
            out.punct(",", span);
            let mut label = Literal::string(label);
            label.set_span(span);
            out.tree(label);
            out.punct(",", span);
            value(out);
        });
        if fallible == Fallible::Yes {
            out.punct("?", span);
        }
    }

    /// The same, returned as tokens.
    pub(super) fn part_of(
        &self,
        part: &Part<'_>,
        to: To,
        fallible: Fallible,
        value: TokenStream,
    ) -> TokenStream {
        let mut out = self.tokens();
        self.part(&mut out, part, to, fallible, |out| out.tokens(&value));
        out.finish()
    }
}

/// Whether a conversion can fail.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fallible {
    Yes,
    No,
}

impl Fallible {
    pub(super) fn of(plan: &Plan) -> Fallible {
        if plan.fallible { Fallible::Yes } else { Fallible::No }
    }
}

/// What happens to the empty value of an `Option`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Empty {
    Kept,
    /// The `Option` becomes `None`.
    Omitted,
}

/// A part of a value that converts by its shape.
pub(super) struct Part<'a> {
    /// Its name, in the annotation and in errors.
    pub(super) label: &'a str,
    /// Where errors about it are reported.
    pub(super) span: Span,
    /// Its type in the newer version, if the derive knows it.
    pub(super) ty: Option<&'a syn::Type>,
    /// The keys of the items of a list.
    pub(super) keys: &'a [String],
    /// Whether an `Option` becomes `None` if its value is empty.
    pub(super) omit_empty: bool,
}

/// Where errors about a type are reported: at its first token. `Spanned` returns the same, but collects all tokens.
pub(super) fn first_span(ty: &syn::Type) -> Span {
    match ty {
        syn::Type::Path(path) if path.qself.is_none() && path.path.leading_colon.is_none() => {
            path.path.segments.first().map_or_else(Span::call_site, |segment| segment.ident.span())
        }
        _ => ty.span(),
    }
}

/// Whether a move does not change the value.
pub(super) fn is_unchanged(it: &Move) -> bool {
    matches!(it.how, How::Own { omit_empty: false, .. })
        && it.old.len() == 1
        && matches!(it.new.as_slice(), [new] if is_plain(&new.ty))
}

/// Whether a type consists only of types of the language and the standard library. Then it converts as one value.
fn is_plain(ty: &syn::Type) -> bool {
    let Some((name, args)) = facts::name_of(ty) else { return false };
    match args.as_slice() {
        [] => match name.as_str() {
            "String" | "bool" | "i32" | "i64" => true,
            _ => facts::surely(ty).is_some(),
        },
        args => {
            let is_container = matches!(
                name.as_str(),
                "Option" | "Box" | "Vec" | "VecDeque" | "BTreeMap" | "HashMap" | "BTreeSet" | "HashSet"
            );
            is_container && args.iter().all(|ty| is_plain(ty))
        }
    }
}
