//! Untagged enums. serde takes the first variant that it can read, and ignores fields that this variant does not have.

use super::super::facts;
use super::Lower;
use crate::diag::codes::rust as codes;
use crate::recipe::{Field, Node, Variant};
use quote::ToTokens;

/// The fields of a variant, in the source and as they are in documents.
type Fields<'a> = Vec<(&'a syn::Field, &'a Field)>;

/// What serde reads as a variant.
enum Content<'a> {
    /// An object.
    Fields(Fields<'a>),
    /// A value of this type.
    Value(&'a syn::Variant, &'a syn::Field),
}

impl Lower<'_> {
    /// Reports variants that serde never reads, because an earlier one accepts all their values.
    pub(super) fn order(&mut self, variants: &[(&syn::Variant, &Variant)]) {
        let known: Vec<(&syn::Ident, Content<'_>)> = variants
            .iter()
            .filter_map(|(written, lowered)| Some((&written.ident, content(written, lowered)?)))
            .collect();
        for (number, (later, its)) in known.iter().enumerate() {
            let Some((earlier, first)) = known[..number].iter().find(|(_, first)| accepts(first, its)) else {
                continue;
            };
            let help = if accepts(its, first) {
                "remove one of the two, or add a tag that distinguishes them: #[serde(tag = \"…\")] instead of untagged".to_owned()
            } else {
                format!("put `{later}` before `{earlier}`")
            };
            self.report.error(
                later.span(),
                &codes::VALUE,
                format!("serde never reads `{later}`: it tries `{earlier}` first, which accepts all values of `{later}`"),
                help,
            );
        }
    }
}

/// What serde reads as a variant, if this is known.
fn content<'a>(written: &'a syn::Variant, lowered: &'a Variant) -> Option<Content<'a>> {
    if let syn::Fields::Unnamed(parts) = &written.fields {
        let mut parts = parts.unnamed.iter();
        let (Some(part), None) = (parts.next(), parts.next()) else { return None };
        return Some(Content::Value(written, part));
    }
    fields(written, lowered).map(Content::Fields)
}

/// The fields of a variant, if all of them are known.
fn fields<'a>(written: &'a syn::Variant, lowered: &'a Variant) -> Option<Fields<'a>> {
    let syn::Fields::Named(named) = &written.fields else { return None };
    let node = match lowered.payload.as_ref()? {
        Node::Patched(node, _) => node,
        node => node,
    };
    let Node::Struct(it) = node else { return None };
    let plain = |field: &Field| !field.flatten && field.aliases.is_empty();
    let seen = !it.deny_unknown && it.fields.len() == named.named.len() && it.fields.iter().all(plain);
    seen.then(|| named.named.iter().zip(&it.fields).collect())
}

/// Whether serde reads all values of the second variant as the first one. Anything unknown counts as a difference.
fn accepts(first: &Content<'_>, second: &Content<'_>) -> bool {
    match (first, second) {
        (Content::Fields(first), Content::Fields(second)) => accepts_fields(first, second),
        (Content::Value(first, value), Content::Value(second, other)) => {
            text(&value.ty) == text(&other.ty)
                && of_serde(&value.attrs) == of_serde(&other.attrs)
                && of_serde(&first.attrs) == of_serde(&second.attrs)
        }
        _ => false,
    }
}

/// Whether serde reads all objects with the fields `others` as `these`.
fn accepts_fields(these: &Fields<'_>, others: &Fields<'_>) -> bool {
    these.iter().all(|(written, lowered)| match others.iter().find(|(_, other)| other.name == lowered.name) {
        Some((other, _)) => {
            text(&written.ty) == text(&other.ty) && of_serde(&written.attrs) == of_serde(&other.attrs)
        }
        None => facts::is_option(&written.ty) && of_serde(&written.attrs).is_empty(),
    })
}

/// The attributes that may change how serde reads a field or a variant.
fn of_serde(attrs: &[syn::Attribute]) -> Vec<String> {
    let others = ["doc", "schema"];
    let attrs = attrs.iter().filter(|attr| !others.iter().any(|name| attr.path().is_ident(name)));
    attrs.map(text).collect()
}

fn text(it: &impl ToTokens) -> String {
    it.to_token_stream().to_string()
}
