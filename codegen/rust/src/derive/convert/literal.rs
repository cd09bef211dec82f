//! Writes the literal of a value of the older version. It names all fields, so the compiler reports those that the plan
//! lacks.

use super::place::{Value, set_span};
use super::{To, Writer, here};
use crate::convert::Old;
use crate::derive::tokens::Tokens;
use proc_macro2::{Delimiter, Span};
use syn::Member;
use syn::spanned::Spanned;

/// What the literal of an older struct has.
#[derive(Clone, Copy)]
pub(super) struct OldFields<'f> {
    /// The fields with their values, also those of inner structs.
    pub(super) members: &'f [(&'f Old, Value<'f>)],
    /// The inner structs whose fields are converted one by one.
    pub(super) inside: &'f [(Vec<Member>, syn::Path)],
}

/// The body of the literal of an older struct. It contains the literals of inner structs whose fields are converted one
/// by one.
pub(super) fn literal<'a>(
    writer: &Writer<'a>,
    out: &mut Tokens<'a>,
    span: Span,
    at: &[Member],
    fields: OldFields<'_>,
) {
    let OldFields { members, inside } = fields;
    let mut done: Vec<&Member> = Vec::new();
    out.group_at(Delimiter::Brace, span, |out| {
        for (old, value) in members.iter().filter(|(old, _)| old.path.starts_with(at)) {
            let Some((member, rest)) = old.path.get(at.len()..).and_then(<[Member]>::split_first) else {
                continue;
            };
            if done.contains(&member) {
                continue;
            }
            done.push(member);
            let below = &old.path[..=at.len()];
            let inner = inside.iter().find(|(path, _)| path == below);
            if !rest.is_empty() && inner.is_none() {
                continue;
            }
            let mut name = member.clone();
            set_span(&mut name, old.span);
            out.member(&name);
            out.punct(":", Span::call_site());
            match inner.filter(|_| !rest.is_empty()) {
                None => writer.value(out, value, To::Old, here(old.span)),
                Some((_, ty)) => {
                    out.tokens(ty);
                    literal(writer, out, ty.span(), below, fields);
                }
            }
            out.punct(",", Span::call_site());
        }
    });
}
