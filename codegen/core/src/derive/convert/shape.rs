//! The shape of a type: what is inside of it, and how it converts. The shapes are types of `crdgen::convert`, which
//! convert the values: code for each field would take the compiler much longer.

use super::{To, Writer, here};
use crate::derive::tokens::Tokens;
use crate::read::rust::convert::{How, Move};
use crate::read::rust::facts;
use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;

impl<'a> Writer<'a> {
    /// The shape of a type: containers item by item, and everything else by its own conversion. With `omit_empty`, it is an
    /// `Option` that is left out if nothing is in its value.
    pub(super) fn shape(&self, out: &mut Tokens<'a>, ty: &syn::Type, omit_empty: bool) {
        let span = first_span(ty);
        let named = facts::name_of(ty).filter(|_| omit_empty || !is_plain(ty));
        let (name, args) = named.unwrap_or_default();
        let (container, inside) = match (name.as_str(), args.as_slice()) {
            ("Option", [inner]) if omit_empty => ("UnlessEmpty", inner),
            ("Option", [inner]) => ("Optional", inner),
            ("Box", [inner]) => ("Boxed", inner),
            ("Vec", [item]) => ("Items", item),
            ("BTreeMap", [_, value]) => ("Entries", value),
            ("HashMap", [_, value]) => ("Hashed", value),
            _ => return self.path(out, "Own", span),
        };
        self.path(out, container, span);
        out.punct("<", span);
        self.shape(out, inside, false);
        out.punct(">", span);
    }

    /// The value of a part by its shape. The compiler reports a missing conversion at the shape; both directions have the same
    /// bounds, so that it reports it once.
    pub(super) fn part(
        &self,
        out: &mut Tokens<'a>,
        part: &Part<'_>,
        to: To,
        fallible: bool,
        value: impl FnOnce(&mut Tokens<'a>),
    ) {
        let &Part { label, span, ty, keys, omit_empty } = part;
        out.punct("<", span);
        match ty {
            Some(ty) => self.shape(out, ty, omit_empty),
            None => self.path(out, "Own", span),
        }
        out.tree(Ident::new("as", span));
        self.path(out, if fallible { "TryPart" } else { "Part" }, span);
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
            (To::New, false) => "up",
            (To::Old, false) => "down",
            (To::New, true) => "try_up",
            (To::Old, true) => "try_down",
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
        if fallible {
            out.punct("?", span);
        }
    }

    /// The same on its own.
    pub(super) fn part_of(&self, part: &Part<'_>, to: To, fallible: bool, value: TokenStream) -> TokenStream {
        let mut out = self.tokens();
        self.part(&mut out, part, to, fallible, |out| out.tokens(&value));
        out.finish()
    }
}

/// A part of a value that converts by its shape.
pub(super) struct Part<'a> {
    /// Its name, in the annotation and in errors.
    pub(super) label: &'a str,
    /// Where errors about it belong.
    pub(super) span: Span,
    /// Its type in the newer version, if the derive knows it.
    pub(super) ty: Option<&'a syn::Type>,
    /// The keys of the items of a list.
    pub(super) keys: &'a [String],
    /// Whether an `Option` becomes `None` if nothing is in its value.
    pub(super) omit_empty: bool,
}

/// Where errors about a type belong: at its first token. `Spanned` collects all tokens to give the same.
pub(super) fn first_span(ty: &syn::Type) -> Span {
    match ty {
        syn::Type::Path(path) if path.qself.is_none() && path.path.leading_colon.is_none() => {
            path.path.segments.first().map_or_else(Span::call_site, |segment| segment.ident.span())
        }
        _ => ty.span(),
    }
}

/// Whether a move leaves a value as it is.
pub(super) fn is_unchanged(it: &Move) -> bool {
    matches!(it.how, How::Own { omit_empty: false, .. })
        && it.old.len() == 1
        && matches!(it.new.as_slice(), [new] if is_plain(&new.ty))
}

/// Whether a type is made of the language's and the standard library's own types only: then it is one value.
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
