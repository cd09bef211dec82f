//! Reads `#[convert(…)]` on an item into the plan of its conversion.

mod fields;
mod keys;
mod plan;

pub use plan::{Around, Body, Fields, Function, How, Move, New, Old, Plan, StatusOf, Variant};

pub use self::keys::reference;

pub(super) use self::keys::ident;

use self::fields::Reader;
use self::keys::{ConvertPlace, Given};
use super::attrs::{self, Cfg, Serde, place};
use super::lower::plain;
use super::report::Report;
use crate::diag::codes::rust as codes;
use proc_macro2::Ident;

/// Reads the plan of an item's conversion. `None` if the item does not name the type from which it converts.
pub fn plan(input: &syn::DeriveInput, cfg: Cfg<'_>, report: &mut Report) -> Option<Plan> {
    let is_enum = matches!(input.data, syn::Data::Enum(_));
    let given =
        Given::of(&input.attrs, if is_enum { ConvertPlace::Enum } else { ConvertPlace::Struct }, cfg, report);
    let old = given.path("from", report);
    if given.get("from").is_none() {
        let name = plain(&input.ident);
        report.error(
            input.ident.span(),
            &codes::CONVERSION,
            format!("`{name}` does not name the type that it converts from"),
            format!("name the type of the older version: #[convert(from = \"v1beta1::{name}\")]"),
        );
    }
    if let Some(param) = input.generics.params.first() {
        report.error(
            syn::spanned::Spanned::span(param),
            &codes::CONVERSION,
            "a type with parameters cannot derive `Convert`",
            "implement crdgen::convert::Convert for it, or write one type for each version without parameters",
        );
    }
    let serde = serde_of(&input.attrs, place::TYPE, cfg);
    let fallible = given.flag("fallible", report);
    let krate = given.path("crate", report);
    let kind = around(input, &given, old.as_ref(), cfg, report);
    let body = match &input.data {
        syn::Data::Struct(data) => {
            let reader = Reader { cfg, serde: &serde, case: serde.rename_all, report };
            Body::Struct(reader.fields(&given, &data.fields))
        }
        syn::Data::Enum(data) => Body::Enum(variants(data, &given, &serde, cfg, report)),
        syn::Data::Union(data) => {
            let help = "make it an enum";
            report.error(data.union_token.span, &codes::CONVERSION, "a union does not convert", help);
            return None;
        }
    };
    if !fallible {
        let moves = match &body {
            Body::Struct(fields) => vec![fields],
            Body::Enum(variants) => variants.iter().filter_map(Variant::fields).collect(),
        };
        let function = moves.iter().flat_map(|fields| &fields.moves).find_map(Move::fallible);
        if let Some(function) = function {
            report.error(
                function.path.segments.first().map_or(input.ident.span(), |segment| segment.ident.span()),
                &codes::CONVERSION,
                "this conversion can fail, but the type is not marked as `fallible`",
                "add `fallible` to #[convert(…)] on the type: it then has `TryFrom` instead of `From`",
            );
        }
    }
    Some(Plan { name: input.ident.clone(), old: old?, fallible, krate, body, kind })
}

impl Variant {
    /// Returns the fields of the variant. `None` if only one of the types has the variant.
    pub fn fields(&self) -> Option<&Fields> {
        match self {
            Variant::Both { fields, .. } => Some(fields),
            Variant::Added { .. } | Variant::Removed { .. } => None,
        }
    }
}

impl Move {
    /// The function that returns a `Result`, if there is one.
    fn fallible(&self) -> Option<&Function> {
        match &self.how {
            How::Functions { with, back, .. } => [with, back].into_iter().find(|function| function.fallible),
            How::Own { .. } | How::Parts(_) | How::Default(_) => None,
        }
    }
}

/// Reads serde's attributes. The derive of the schema reports the errors in them.
pub fn serde_of(attributes: &[syn::Attribute], place: u8, cfg: Cfg<'_>) -> Serde {
    let own: Vec<syn::Attribute> =
        attributes.iter().filter(|attribute| attribute.path().is_ident("serde")).cloned().collect();
    if own.is_empty() {
        return Serde::default();
    }
    attrs::peek(&own, place, cfg).serde
}

/// The kind around a spec: its name, and the name of the older kind, which is next to the older spec.
fn around(
    input: &syn::DeriveInput,
    given: &Given,
    old: Option<&syn::Path>,
    cfg: Cfg<'_>,
    report: &mut Report,
) -> Option<Around> {
    let named = given.path("kind", report);
    let status_of = match given.text("status", report) {
        None => StatusOf::Both,
        Some((text, _)) if text == "added" => StatusOf::New,
        Some((text, _)) if text == "removed" => StatusOf::Old,
        Some(_) => {
            given.get("status").into_iter().for_each(|meta| given.malformed(meta, report));
            StatusOf::Both
        }
    };
    if !input.attrs.iter().any(|attribute| attribute.path().is_ident("kube")) {
        if let Some(meta) = given.first(&["kind", "status"]) {
            report.error(
                meta.span,
                &codes::CONVERSION,
                "this type is not a kind",
                format!("`{}` is for the kind of a spec, which needs #[kube(…)]", meta.key),
            );
        }
        return None;
    }
    let kind = super::kind(input, cfg, &mut Report::default());
    let no_spec = kind.kube.no_spec;
    if kind.kube.root.whole && !no_spec {
        return None;
    }
    let has_status = kind.status.is_some();
    if let Some(meta) = given.get("status").filter(|_| has_status != (status_of == StatusOf::New)) {
        let says = if has_status { "has a status" } else { "has no status" };
        report.error(
            meta.value_span(),
            &codes::CONTRADICTION,
            format!("this kind {says}"),
            "write status = \"added\" if only the newer kind has one, status = \"removed\" if only the older kind has one, \
             and nothing otherwise",
        );
    }
    let name = kind.kube.struct_name.clone().unwrap_or_else(|| kind.kube.root.kind.clone());
    let name = keys::ident(&name, kind.kube.span("kind"))?;
    let old = named.or_else(|| {
        let mut old = old?.clone();
        let last = old.segments.last_mut()?;
        last.ident = Ident::new(&name.to_string(), last.ident.span());
        Some(old)
    })?;
    let spec_optional = kind.kube.root.spec_optional && !no_spec;
    Some(Around {
        name,
        old,
        status: kind.status,
        status_of,
        spec_optional,
        no_spec,
        test: kind.test != crate::attrs::Test::Off,
    })
}

fn variants(
    data: &syn::DataEnum,
    given: &Given,
    serde: &Serde,
    cfg: Cfg<'_>,
    report: &mut Report,
) -> Vec<Variant> {
    let mut out = Vec::new();
    for variant in &data.variants {
        let own = Given::of(&variant.attrs, ConvertPlace::Variant, cfg, report);
        let its_serde = serde_of(&variant.attrs, place::VARIANT, cfg);
        let lossy = own.lossy(report);
        if let Some(instead) = own.get("as") {
            if let Some(other) = own.first(&["from", "removed", "inside", "split"]) {
                report.error(
                    other.span,
                    &codes::CONTRADICTION,
                    format!(
                        "`as` means that the older version does not have this variant, but `{}` means that it does",
                        other.key
                    ),
                    "keep one of the two",
                );
            }
            let span = instead.value_span();
            if let Some(instead) = own.variant("as", report) {
                if data.variants.iter().any(|other| other.ident == instead && other.ident == variant.ident) {
                    report.error(
                        span,
                        &codes::CONVERSION,
                        "`as` names the variant itself",
                        "name the variant of the older type that it becomes",
                    );
                }
                out.push(Variant::Added { new: variant.ident.clone(), instead, lossy });
            }
            continue;
        }
        if let Some(meta) = own.first(&["lossy", "reason"]) {
            report.error(
                meta.span,
                &codes::CONVERSION,
                "nothing of this variant is lost",
                "`lossy` belongs next to `as = \"Variant\"`, for a variant that the older version does not have",
            );
        }
        let old = own.variant("from", report).unwrap_or_else(|| variant.ident.clone());
        let case = its_serde.rename_all.or(serde.rename_all_fields);
        let name = plain(&variant.ident);
        let label = its_serde
            .rename
            .clone()
            .unwrap_or_else(|| serde.rename_all.map_or_else(|| name.clone(), |case| case.variant(&name)));
        let reader = Reader { cfg, serde: &its_serde, case, report };
        let fields = reader.fields(&own, &variant.fields);
        out.push(Variant::Both { new: variant.ident.clone(), old, label, fields });
    }
    for meta in given.all("removed") {
        for part in fields::parts_in(given, meta, report) {
            let inside = Given::inside(&part, ConvertPlace::RemovedVariant, report);
            let Some(old) = keys::ident(&part.key, part.span) else {
                given.malformed(&part, report);
                continue;
            };
            let lossy = inside.lossy(report);
            match inside.variant("as", report) {
                Some(instead) if data.variants.iter().any(|variant| variant.ident == instead) => {
                    out.push(Variant::Removed { old, instead, lossy });
                }
                Some(instead) => {
                    let names: Vec<String> =
                        data.variants.iter().map(|variant| plain(&variant.ident)).collect();
                    let near =
                        crate::nearest::did_you_mean(&instead.to_string(), names.iter().map(String::as_str));
                    report.error(
                        instead.span(),
                        &codes::CONVERSION,
                        format!("there is no variant `{instead}`"),
                        near.unwrap_or_else(|| format!("the variants are {}", names.join(", "))),
                    );
                }
                None if inside.get("as").is_none() => report.error(
                    part.span,
                    &codes::CONVERSION,
                    format!("nothing in this version replaces the variant `{old}` of the older version"),
                    format!("name a variant of this type: removed({old}(as = \"Variant\"))"),
                ),
                None => {}
            }
        }
    }
    twice(&out, report);
    out
}

/// Reports variants of the older type that are used more than once.
fn twice(variants: &[Variant], report: &mut Report) {
    let names: Vec<&Ident> = variants
        .iter()
        .filter_map(|variant| match variant {
            Variant::Both { old, .. } | Variant::Removed { old, .. } => Some(old),
            Variant::Added { .. } => None,
        })
        .collect();
    for (i, name) in names.iter().enumerate() {
        if names[..i].contains(name) {
            report.error(
                name.span(),
                &codes::CONTRADICTION,
                format!("the variant `{name}` of the older version becomes two variants"),
                "a variant becomes only one variant. For a variant that the older version does not have, write as = \"…\"",
            );
        }
    }
}
