//! Untagged enums. serde takes the first variant that it can read, and ignores fields that this variant does not have.

use super::super::facts;
use super::Lower;
use crate::diag::codes::rust as codes;
use crate::recipe::{Field, Node, Variant};
use quote::ToTokens;

/// The fields of a variant, in the source and as they are in documents.
type Fields<'a> = Vec<(&'a syn::Field, &'a Field)>;

impl Lower<'_> {
    /// Reports variants that serde never reads, because an earlier one accepts all their objects.
    pub(super) fn order(&mut self, variants: &[(&syn::Variant, &Variant)]) {
        let known: Vec<(&syn::Ident, Fields<'_>)> = variants
            .iter()
            .filter_map(|(written, lowered)| Some((&written.ident, fields(written, lowered)?)))
            .collect();
        for (number, (later, its)) in known.iter().enumerate() {
            let Some((earlier, first)) = known[..number].iter().find(|(_, first)| takes(first, its)) else {
                continue;
            };
            let help = if takes(its, first) {
                "remove one of the two, or add a tag that distinguishes them: #[serde(tag = \"…\")] instead of untagged".to_owned()
            } else {
                format!("put `{later}` before `{earlier}`")
            };
            self.report.error(
                later.span(),
                &codes::VALUE,
                format!("serde never reads `{later}`: it tries `{earlier}` first, which accepts all objects of `{later}`"),
                help,
            );
        }
    }
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

/// Whether serde reads all objects with the fields `others` as `these`. Anything unknown counts as a difference.
fn takes(these: &Fields<'_>, others: &Fields<'_>) -> bool {
    these.iter().all(|(written, lowered)| match others.iter().find(|(_, other)| other.name == lowered.name) {
        Some((other, _)) => text(&written.ty) == text(&other.ty) && of_serde(written) == of_serde(other),
        None => facts::is_option(&written.ty) && of_serde(written).is_empty(),
    })
}

/// The attributes of a field that may change how serde reads it.
fn of_serde(field: &syn::Field) -> Vec<String> {
    let others = ["doc", "schema"];
    let attrs = field.attrs.iter().filter(|attr| !others.iter().any(|name| attr.path().is_ident(name)));
    attrs.map(text).collect()
}

fn text(it: &impl ToTokens) -> String {
    it.to_token_stream().to_string()
}
