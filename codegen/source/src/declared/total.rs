//! Checks that a conversion covers both of its types. The compiler checks the same in the code of the derive: the
//! conversion must name each field and each variant of the older type, and all names must exist.

use super::super::types::{Id, Instance, Scope};
use super::{Builder, member, spelled};
use crate::cfg::Cfgs;
use crate::diag::codes::rust as codes;
use crate::nearest::did_you_mean;
use crdgen_rust::convert::{self, Plan, Variant};
use crdgen_rust::lower::{cfg_enabled, plain};
use crdgen_rust::report::Report;
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{DeriveInput, Fields};

/// A conversion that has been read.
pub(super) struct Pending {
    pub(super) item: usize,
    pub(super) plan: Plan,
    pub(super) scope: Scope,
    pub(super) old: Id,
}

/// Removes the fields and variants that are not compiled, as the compiler does before it runs a derive.
pub(super) fn compiled(input: &DeriveInput, cfg: &Cfgs) -> DeriveInput {
    let mut input = input.clone();
    let enabled = |attributes: &[syn::Attribute]| cfg_enabled(attributes, &|tokens| cfg.enabled(tokens));
    let fields = |fields: &mut Fields| {
        let all = match fields {
            Fields::Named(it) => &mut it.named,
            Fields::Unnamed(it) => &mut it.unnamed,
            Fields::Unit => return,
        };
        *all = std::mem::take(all).into_iter().filter(|field| enabled(&field.attrs)).collect();
    };
    match &mut input.data {
        syn::Data::Struct(data) => fields(&mut data.fields),
        syn::Data::Enum(data) => {
            let all = std::mem::take(&mut data.variants);
            data.variants = all.into_iter().filter(|variant| enabled(&variant.attrs)).collect();
            data.variants.iter_mut().for_each(|variant| fields(&mut variant.fields));
        }
        syn::Data::Union(_) => {}
    }
    input
}

/// Where the name of an older variant comes from.
#[derive(Clone, Copy)]
enum Naming {
    /// It is the name of the newer one.
    Implied,
    Written,
}

impl Builder<'_, '_> {
    /// Reports the fields and variants that a conversion does not mention, and the names in it that do not exist.
    pub(super) fn check(&self, Pending { item, plan, scope, old }: &Pending) {
        let Some(older) = self.input_of(*old) else {
            // The fields of Kubernetes' own types are not known here.
            if matches!(self.program.instance(*old), Instance::Known(..) | Instance::Tuple(_)) {
                self.report(*item, plan.old.span(), self.not_a(plan, "a struct or an enum"));
            }
            return;
        };
        let name = spelled(&plan.old);
        match (&plan.body, &older.data) {
            (convert::Body::Struct(fields), syn::Data::Struct(data)) => {
                let side = Side { item: *item, scope, name: &name, span: plan.old.span(), whole: "the type" };
                self.fields(&side, fields, &data.fields);
            }
            (convert::Body::Enum(variants), syn::Data::Enum(data)) => {
                self.variants(*item, plan, variants, data, scope);
            }
            (convert::Body::Struct(_), _) => {
                self.report(*item, plan.old.span(), self.not_a(plan, "a struct"));
            }
            (convert::Body::Enum(_), _) => self.report(*item, plan.old.span(), self.not_a(plan, "an enum")),
        }
    }

    fn not_a(&self, plan: &Plan, what: &str) -> (String, String) {
        let name = plain(&plan.name);
        (
            format!("`{}` is not {what}", spelled(&plan.old)),
            format!(
                "name the type of the older version that becomes `{name}`, or implement crdgen::convert::Convert"
            ),
        )
    }

    /// An item as the compiler sees it, if it is in the sources.
    fn input_of(&self, id: Id) -> Option<DeriveInput> {
        let (Instance::Item(item, _) | Instance::Written(item)) = self.program.instance(id) else {
            return None;
        };
        let world = &self.program.world;
        Some(compiled(&world.item(item).input, &world.cfg_of(item)))
    }

    fn fields(&self, side: &Side<'_>, fields: &convert::Fields, older: &Fields) {
        self.older_fields(side, fields, older, &[]);
        for it in &fields.moves {
            if let (convert::How::Parts(parts), Some(new)) = (&it.how, it.new.first()) {
                self.parts(side, parts, &new.ty);
            }
        }
    }

    /// Checks the fields of an older struct. `at` is the path to it.
    fn older_fields(&self, side: &Side<'_>, fields: &convert::Fields, older: &Fields, at: &[String]) {
        let names = names(older);
        let below = |old: &convert::Old| {
            let path: Vec<String> = old.path.iter().map(member).collect();
            path.starts_with(at).then(|| path.get(at.len()..).unwrap_or_default().to_vec())
        };
        let mut used: Vec<String> = Vec::new();
        let mut inner: Vec<String> = Vec::new();
        let mut wrong: Vec<(Span, String, bool)> = Vec::new();
        for it in &fields.moves {
            for old in &it.old {
                let Some(path) = below(old) else { continue };
                let Some((first, rest)) = path.split_first() else { continue };
                if !names.contains(first) {
                    let is_implied = at.is_empty()
                        && rest.is_empty()
                        && matches!(it.new.as_slice(), [new] if member(&new.member) == *first);
                    wrong.push((old.span, first.clone(), is_implied));
                } else if !rest.is_empty() && !inner.contains(first) {
                    inner.push(first.clone());
                }
                used.push(first.clone());
            }
        }
        let forgotten: Vec<&String> = names.iter().filter(|name| !used.contains(name)).collect();
        for (span, name, is_implied) in wrong {
            let near = || did_you_mean(&name, names.iter().map(String::as_str));
            let help = match is_implied {
                true => "write #[convert(default)] on it if the older version does not have the field, or from = \"old_name\" if \
                     it has another name there"
                    .to_owned(),
                false => near().unwrap_or_else(|| match names.as_slice() {
                    [] => "it has no fields".to_owned(),
                    names => format!("the fields are {}", names.join(", ")),
                }),
            };
            self.report(side.item, span, (format!("`{}` does not have the field `{name}`", side.name), help));
        }
        for name in forgotten {
            let path = [at, std::slice::from_ref(name)].concat().join(".");
            let removed = if path.contains('.') { format!("\"{path}\"") } else { path.clone() };
            self.report(
                side.item,
                side.span,
                (
                    format!("nothing is declared for the field `{name}` of `{}`", side.name),
                    format!(
                        "write removed({removed}) in #[convert(…)] on {} if this version does not have the field, or \
                         from = \"{path}\" on the field that it becomes",
                        side.whole
                    ),
                ),
            );
        }
        for name in inner {
            let path = [at, std::slice::from_ref(&name)].concat();
            let is_here =
                |of: &&(Vec<syn::Member>, syn::Path)| of.0.iter().map(member).eq(path.iter().cloned());
            let Some((_, ty)) = fields.inside.iter().find(is_here) else { continue };
            let (id, name) = (self.type_at_path(ty, side.scope), spelled(ty));
            let Some(DeriveInput { data: syn::Data::Struct(data), .. }) = self.input_of(id) else { continue };
            let side = Side { name: &name, span: ty.span(), ..*side };
            self.older_fields(&side, fields, &data.fields, &path);
        }
    }

    /// Checks the fields of a newer struct that convert one by one.
    fn parts(&self, side: &Side<'_>, parts: &[(syn::Ident, String)], ty: &syn::Type) {
        let id = self.program.type_without_schema(ty, side.scope);
        let Some(DeriveInput { ident, data: syn::Data::Struct(data), .. }) = self.input_of(id) else {
            return;
        };
        let (names, whole) = (names(&data.fields), plain(&ident));
        for (part, _) in parts {
            let name = plain(part);
            if !names.contains(&name) {
                let help = did_you_mean(&name, names.iter().map(String::as_str));
                let help = help.unwrap_or_else(|| format!("the fields are {}", names.join(", ")));
                self.report(
                    side.item,
                    part.span(),
                    (format!("`{whole}` does not have the field `{name}`"), help),
                );
            }
        }
        let is_given = |name: &&String| !parts.iter().any(|(part, _)| plain(part) == **name);
        for name in names.iter().filter(is_given) {
            self.report(
                side.item,
                ty.span(),
                (
                    format!("`parts` does not name the field `{name}` of `{whole}`"),
                    format!(
                        "name the field of the older version that becomes it: parts({name} = \"old_name\")"
                    ),
                ),
            );
        }
    }

    fn variants(&self, item: usize, plan: &Plan, variants: &[Variant], older: &syn::DataEnum, scope: &Scope) {
        let type_name = spelled(&plan.old);
        let older_names: Vec<String> = older.variants.iter().map(|variant| plain(&variant.ident)).collect();
        let of = |data: &syn::DataEnum, name: &str| {
            data.variants.iter().find(|variant| plain(&variant.ident) == name).cloned()
        };
        let missing = |name: &syn::Ident, naming: Naming| {
            let text = plain(name);
            let near = did_you_mean(&text, older_names.iter().map(String::as_str));
            let help = match naming {
                Naming::Implied => "write #[convert(as = \"Variant\")] on it, with the variant that it becomes in the older version, or \
                     from = \"OldName\" if it has another name there"
                    .to_owned(),
                Naming::Written => near.unwrap_or_else(|| format!("the variants are {}", older_names.join(", "))),
            };
            self.report(
                item,
                name.span(),
                (format!("`{type_name}` does not have the variant `{text}`"), help),
            );
        };
        let empty = |name: &syn::Ident, found: &syn::Variant| {
            if !found.fields.is_empty() {
                self.report(
                    item,
                    name.span(),
                    (
                        format!("the variant `{}` has fields, whose values are not known", plain(name)),
                        "name a variant without fields, or implement crdgen::convert::Convert".to_owned(),
                    ),
                );
            }
        };
        let newer = self.own(item);
        let mut used: Vec<String> = Vec::new();
        for variant in variants {
            match variant {
                Variant::Both { new, old, fields, .. } => {
                    used.push(plain(old));
                    match of(older, &plain(old)) {
                        Some(found) => {
                            let name = format!("{type_name}::{}", plain(old));
                            let span = new.span();
                            let side = Side { item, scope, name: &name, span, whole: "the variant" };
                            self.fields(&side, fields, &found.fields);
                        }
                        None => missing(old, if new == old { Naming::Implied } else { Naming::Written }),
                    }
                }
                Variant::Added { instead, .. } => match of(older, &plain(instead)) {
                    Some(found) => empty(instead, &found),
                    None => missing(instead, Naming::Written),
                },
                Variant::Removed { old, instead, .. } => {
                    used.push(plain(old));
                    if of(older, &plain(old)).is_none() {
                        missing(old, Naming::Written);
                    }
                    if let syn::Data::Enum(newer) = &newer.data
                        && let Some(found) = of(newer, &plain(instead))
                    {
                        empty(instead, &found);
                    }
                }
            }
        }
        for name in older_names.iter().filter(|name| !used.contains(name)) {
            self.report(
                item,
                plan.old.span(),
                (
                    format!("nothing is declared for the variant `{name}` of `{type_name}`"),
                    format!(
                        "write removed({name}(as = \"Variant\")) in #[convert(…)] on the type, with the variant that it becomes, or \
                         from = \"{name}\" on the variant that is the same"
                    ),
                ),
            );
        }
    }

    /// An item as the compiler sees it.
    fn own(&self, item: usize) -> DeriveInput {
        let world = &self.program.world;
        compiled(&world.item(item).input, &world.cfg_of(item))
    }

    /// Reports an error of a conversion, with its help. Code that `#[versioned]` generates has no place of its own.
    pub(super) fn report(&self, item: usize, span: Span, (message, help): (String, String)) {
        let span = match span.byte_range().is_empty() {
            true => self.program.world.item(item).input.ident.span(),
            false => span,
        };
        let mut report = Report::default();
        report.error(span, &codes::CONVERSION, message, help);
        self.program.take(report, item);
    }
}

/// One side of the comparison with the fields of an older type.
#[derive(Clone, Copy)]
struct Side<'a> {
    /// The item with the attributes.
    item: usize,
    scope: &'a Scope,
    /// The name of the older type, for messages.
    name: &'a str,
    /// Where the attributes name the older type.
    span: Span,
    /// The attribute in which keys for its fields are written.
    whole: &'static str,
}

fn names(fields: &Fields) -> Vec<String> {
    let name =
        |(index, field): (usize, &syn::Field)| field.ident.as_ref().map_or_else(|| index.to_string(), plain);
    fields.iter().enumerate().map(name).collect()
}
