//! Untagged enums. serde takes the first variant that it can read, and ignores fields that this variant does not have.

use super::super::facts;
use super::Lower;
use crate::diag::codes::rust as codes;
use crate::recipe::{Field, Node, Variant};
use quote::ToTokens;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// What serde reads as a variant.
enum Content {
    /// An object with these fields.
    Fields(HashMap<String, Part>),
    /// A value, with the attributes of its variant.
    Value(Part, Vec<String>),
}

/// A field: its type and its attributes, as texts.
#[derive(PartialEq, Eq, Hash)]
struct Part {
    ty: String,
    attrs: Vec<String>,
    /// Whether serde reads objects without it.
    may_lack: bool,
}

/// How many fields are compared for an enum. Enums of real code need less. Of larger ones, not all variants are compared.
const MOST_COMPARED: usize = 200_000;

impl Lower<'_> {
    /// Reports variants that serde never reads, because an earlier one accepts all their values.
    pub(super) fn order(&mut self, variants: &[(&syn::Variant, &Variant)]) {
        let known: Vec<(&syn::Ident, Content)> = variants
            .iter()
            .filter_map(|(written, lowered)| Some((&written.ident, content(written, lowered)?)))
            .collect();
        let mut left = MOST_COMPARED;
        // The first variant with a value of each type, and all variants with fields.
        let mut values = HashMap::new();
        let mut structs: Vec<(&&syn::Ident, &Content)> = Vec::new();
        for (later, its) in &known {
            let found = match its {
                Content::Value(part, attrs) => match values.entry((part, attrs)) {
                    Entry::Occupied(earlier) => Some(*earlier.get()),
                    Entry::Vacant(free) => {
                        free.insert((later, its));
                        None
                    }
                },
                // Otherwise the budget is the limit, so a search would find nothing.
                Content::Fields(_) if left == 0 => None,
                Content::Fields(_) => {
                    let found = structs.iter().copied().find(|(_, first)| accepts(first, its, &mut left));
                    structs.push((later, its));
                    found
                }
            };
            let Some((earlier, first)) = found else { continue };
            let help = if accepts(its, first, &mut left) {
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
fn content(written: &syn::Variant, lowered: &Variant) -> Option<Content> {
    if let syn::Fields::Unnamed(parts) = &written.fields {
        let mut parts = parts.unnamed.iter();
        let (Some(field), None) = (parts.next(), parts.next()) else { return None };
        return Some(Content::Value(part(field), of_serde(&written.attrs)));
    }
    fields(written, lowered).map(Content::Fields)
}

/// The fields of a variant by their names in documents, if all of them are known.
fn fields(written: &syn::Variant, lowered: &Variant) -> Option<HashMap<String, Part>> {
    let syn::Fields::Named(named) = &written.fields else { return None };
    let node = match lowered.payload.as_ref()? {
        Node::Patched(node, _) => node,
        node => node,
    };
    let Node::Struct(it) = node else { return None };
    let plain = |field: &Field| !field.flatten && field.aliases.is_empty();
    let seen = !it.deny_unknown && it.fields.len() == named.named.len() && it.fields.iter().all(plain);
    let parts = named.named.iter().zip(&it.fields);
    seen.then(|| parts.map(|(written, lowered)| (lowered.name.to_string(), part(written))).collect())
}

fn part(field: &syn::Field) -> Part {
    let attrs = of_serde(&field.attrs);
    Part { ty: text(&field.ty), may_lack: facts::is_option(&field.ty) && attrs.is_empty(), attrs }
}

/// Whether serde reads all values of the second variant as the first one. Anything unknown counts as a difference, also if
/// no more fields may be compared.
fn accepts(first: &Content, second: &Content, left: &mut usize) -> bool {
    match (first, second) {
        (Content::Fields(first), Content::Fields(second)) => first.iter().all(|(name, part)| {
            let Some(rest) = left.checked_sub(1) else { return false };
            *left = rest;
            second.get(name).map_or(part.may_lack, |other| part == other)
        }),
        (Content::Value(first, its), Content::Value(second, others)) => first == second && its == others,
        (Content::Fields(_), Content::Value(..)) | (Content::Value(..), Content::Fields(_)) => false,
    }
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
