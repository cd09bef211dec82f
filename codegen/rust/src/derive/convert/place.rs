//! How generated code accesses the fields of both types.

use super::here;
use crate::convert::{Move, Old};
use crate::derive::tokens::Tokens;
use proc_macro2::{Ident, Punct, Spacing, Span};
use quote::format_ident;
use syn::Member;

/// How fields are accessed.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Access {
    /// In a struct: `self` or `__old`.
    Struct,
    /// In a variant, whose pattern binds each of its fields.
    Variant,
}

/// The value of a field.
pub(super) enum Value<'m> {
    /// A conversion by the field's own type, as for most fields. It needs no statement and no variable.
    Own(&'m Move, Access),
    /// A variable that a statement has set.
    Variable(Ident),
}

/// Writes the access to a field of the older version.
pub(super) fn old_place(out: &mut Tokens<'_>, old: &Old, place: Access) {
    let span = here(old.span);
    let rest = match (place, old.path.split_first()) {
        (Access::Struct, _) => {
            out.tree(Ident::new("__old", span));
            &*old.path
        }
        (Access::Variant, Some((first, rest))) => {
            out.tree(bound("old", first));
            rest
        }
        (Access::Variant, None) => return,
    };
    for member in rest {
        out.punct(".", span);
        out.member(member);
    }
}

/// Writes the access to a field of the newer version, with the given span if there is one.
pub(super) fn new_place(out: &mut Tokens<'_>, member: &Member, place: Access, span: Option<Span>) {
    match place {
        Access::Struct => {
            let at = span.unwrap_or_else(Span::call_site);
            out.tree(Ident::new("self", at));
            out.punct(".", at);
            let mut member = member.clone();
            if let Some(span) = span {
                set_span(&mut member, span);
            }
            out.member(&member);
        }
        Access::Variant => {
            let mut name = bound("new", member);
            if let Some(span) = span {
                name.set_span(span);
            }
            out.tree(name);
        }
    }
}

/// The variable of a field of a variant.
pub(super) fn bound(side: &str, member: &Member) -> Ident {
    let mut name = match member {
        Member::Named(name) => format_ident!("__{side}_of_{name}"),
        Member::Unnamed(index) => format_ident!("__{side}_of_{}", index.index),
    };
    name.set_span(here(name.span()));
    name
}

pub(super) fn set_span(member: &mut Member, span: Span) {
    match member {
        Member::Named(name) => name.set_span(span),
        Member::Unnamed(index) => index.span = span,
    }
}

impl Tokens<'_> {
    /// Adds the name or number of a field.
    pub(super) fn member(&mut self, it: &Member) {
        match it {
            Member::Named(name) => self.tree(name.clone()),
            Member::Unnamed(index) => self.tokens(index),
        }
    }

    /// Adds punctuation with a span.
    pub(super) fn punct(&mut self, text: &str, span: Span) {
        for (i, c) in text.char_indices() {
            let spacing = if i + 1 < text.len() { Spacing::Joint } else { Spacing::Alone };
            let mut punct = Punct::new(c, spacing);
            punct.set_span(span);
            self.tree(punct);
        }
    }
}
