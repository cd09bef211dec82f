//! Follows the paths in a kind's attributes within its own item. A column, selectable field or scale path to a field
//! that does not exist is reported at its literal. If another item determines the fields, nothing is reported.

use super::Kind;
use super::attrs::Cfg;
use super::lower::{self, no_object};
use super::report::Report;
use super::rules;
use crate::diag::codes::crd::SELECTABLE_PATH;
use crate::ir::{Schema, Type};
use crate::recipe::faults::{self, Mistake};
use crate::recipe::{dead_end, odd_end, read_as, types_of};
use proc_macro2::{Span, TokenTree};
use syn::spanned::Spanned;

/// Checks the paths in the attributes of a kind, and the type of its status.
pub fn check(kind: &Kind, input: &syn::DeriveInput, cfg: Cfg<'_>, report: &mut Report) {
    let root = &kind.kube.root;
    if let Some(status) = &kind.status
        && !root.whole
        && let Some(Mistake { code, message, help, .. }) = no_object("status", status)
    {
        report.error(status.span(), code, message, help);
    }
    if !root.whole && !root.schemaless && !kind.kube.no_spec {
        spec(input, report);
    }
    // Attributes may add fields around the spec.
    let patched = !root.patch.at.is_empty()
        || !root.patch.set.properties.is_empty()
        || !root.patch.computed.is_empty()
        || root.patch.overrides_type;
    if root.whole || root.schemaless || root.as_is || kind.kube.no_spec || patched {
        return;
    }
    if kind.status.is_none() {
        let scale = root.scale.as_ref().map(|_| kind.kube.span("scale")).or_else(|| scale(input, cfg));
        if let Some(span) = scale {
            let Mistake { code, message, help, .. } = faults::scale_without_status();
            report.error(span, code, message, help);
        }
    }
    // If there is no status, the scale subresource is reported instead of the paths into the status.
    let has_none = kind.status.is_none() && root.scale.is_none();
    let is_known = |path: &str| {
        path.starts_with(".spec.") || has_none && (path == ".status" || path.starts_with(".status."))
    };
    let mut paths = paths(kind);
    paths.retain(|(_, path, ..)| is_known(path));
    if paths.is_empty() {
        return;
    }
    // The derive of the schema reports the errors in the item itself.
    let own = lower::item(input, cfg, &mut Report::default());
    let mut schema = Schema::of(Type::Object);
    schema.properties.insert("spec", rules::guess(&own.node, &own.refs));
    for (what, path, wanted, span) in &paths {
        if let Some((missing, help)) = dead_end(&schema, path) {
            let Mistake { code, message, help, .. } = faults::dead_path(what, path, &missing, &help);
            let code = if *what == SELECTABLE { &SELECTABLE_PATH } else { code };
            report.error(*span, code, message, help);
        } else if let Some(is) = odd_end(&schema, path, wanted) {
            let Mistake { code, message, help, .. } = faults::odd_path(what, path, read_as(wanted), is);
            report.error(*span, code, message, help);
        }
    }
}

/// The span of a field of the spec that is marked as a path of the scale subresource.
fn scale(input: &syn::DeriveInput, cfg: Cfg<'_>) -> Option<Span> {
    let syn::Data::Struct(syn::DataStruct { fields, .. }) = &input.data else { return None };
    let is_scale = |t: TokenTree| matches!(t, TokenTree::Ident(ident) if ident == "scale");
    let says = |attribute: &syn::Attribute| match &attribute.meta {
        syn::Meta::List(list) => list.tokens.clone().into_iter().any(is_scale),
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => false,
    };
    // Reading the item again takes time, so it is avoided.
    let any = fields.iter().any(|field| field.attrs.iter().any(says));
    any.then(|| lower::item(input, cfg, &mut Report::default()).scale).flatten()
}

/// Reports a spec that is clearly not an object.
fn spec(input: &syn::DeriveInput, report: &mut Report) {
    let said = ["schema", "serde", "schemars"];
    let silent = |attrs: &[syn::Attribute]| !attrs.iter().any(|a| said.iter().any(|s| a.path().is_ident(s)));
    let syn::Data::Struct(syn::DataStruct { fields, .. }) = &input.data else { return };
    if !silent(&input.attrs) || !fields.iter().all(|field| silent(&field.attrs)) {
        return;
    }
    let mistake = match fields {
        syn::Fields::Named(_) => None,
        syn::Fields::Unnamed(parts) if parts.unnamed.len() == 1 => {
            parts.unnamed.first().and_then(|field| no_object("spec", &field.ty))
        }
        syn::Fields::Unnamed(_) => Some(faults::no_object("spec", types_of(&Schema::of(Type::Array)))),
        syn::Fields::Unit => Some(faults::null_spec()),
    };
    if let Some(Mistake { code, message, help, .. }) = mistake {
        report.error(input.ident.span(), code, message, help);
    }
}

const COLUMN: &str = "the printer column's path";
const SELECTABLE: &str = "the selectable field's path";

/// All paths in the kind's attributes: the purpose of each, the path, and its span.
fn paths(kind: &Kind) -> Vec<(&'static str, &str, &str, Span)> {
    let (root, spans) = (&kind.kube.root, &kind.kube.spans);
    let all = |key: &'static str| spans.iter().filter(move |(k, _)| *k == key).map(|(_, span)| *span);
    let columns = root.columns.iter().zip(all("printcolumn"));
    let mut out: Vec<_> =
        columns.map(|(c, span)| (COLUMN, c.json_path.as_str(), c.ty.as_str(), span)).collect();
    let selectable = root.selectable.iter().zip(all("selectable"));
    out.extend(selectable.map(|(path, span)| (SELECTABLE, path.as_str(), "", span)));
    if let Some(scale) = &root.scale {
        for (what, key, wanted, path) in [
            ("specReplicasPath", "spec_replicas_path", "replicas", Some(&scale.spec_replicas_path)),
            ("labelSelectorPath", "label_selector_path", "selector", scale.label_selector_path.as_ref()),
        ] {
            let span = all(key).next().unwrap_or_else(|| kind.kube.span("scale"));
            out.extend(path.map(|path| (what, path.as_str(), wanted, span)));
        }
    }
    out
}
