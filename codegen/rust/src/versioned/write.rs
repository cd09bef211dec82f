//! Writes the types of each version, with the attributes from which the conversions between neighboring versions are
//! derived.

use super::super::attrs::meta::split;
use super::super::kind;
use super::super::lower::plain;
use super::super::report::Report;
use super::action::Action;
use super::args::{Args, Version};
use super::keys::{self, VersionedPlace};
use super::members::{Body, Member, MemberForm, Variant, Versioned};
use super::parts::{Module, Part};
use crate::diag::codes::rust as codes;
use crate::syntax::facade::crate_path;
use crate::syntax::{doc, nesting};
use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::HashMap;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

pub(super) struct Writer<'a> {
    args: &'a Args,
    types: Vec<Versioned>,
    /// The index of each type by its name.
    names: HashMap<String, usize>,
    /// For each version, the types whose conversion can fail.
    fallible: Vec<Vec<bool>>,
    /// Whether the conversions are derived.
    converts: bool,
    krate: syn::Path,
}

impl<'a> Writer<'a> {
    pub(super) fn new(args: &'a Args, types: Vec<Versioned>, report: &mut Report) -> Writer<'a> {
        types.iter().for_each(|ty| check(ty, report));
        let own = args.krate.as_ref().and_then(|(path, span)| {
            let found = nesting::parse_literal::<syn::Path>(&syn::LitStr::new(path, *span));
            if found.is_err() {
                let message = format!("`{path}` cannot be read as a path");
                report.error(*span, &codes::ATTRIBUTE, message, "write crate = \"path::to::crdgen\"");
            }
            found.ok()
        });
        let krate = crate_path(own.as_ref());
        let converts = !args.skip && !report.has_errors();
        let names =
            types.iter().enumerate().map(|(number, ty)| (ty.input.ident.to_string(), number)).collect();
        let mut writer = Writer { args, types, names, fallible: Vec::new(), converts, krate };
        writer.fallible = (0..args.versions.len()).map(|at| writer.fallible(at)).collect();
        writer
    }

    /// The code for an attribute on a module.
    pub(super) fn module(&self, module: Module) -> TokenStream {
        let (attributes, vis) = module.head();
        let mut others = TokenStream::new();
        let mut inside: Vec<(&Ident, TokenStream)> = Vec::new();
        for part in &module.parts {
            match part {
                Part::Type(_) => {}
                // A module with the name of a version contains more items for it.
                Part::Module(it) if self.args.versions.iter().any(|version| it.name == version.name) => {
                    inside.push((&it.name, it.body.stream()));
                }
                Part::Module(Module { before, name, body, .. }) => {
                    others.extend(quote!(#(#before)* #name #body))
                }
                Part::Other(tokens) => others.extend(tokens.clone()),
            }
        }
        if self.args.preserve_module {
            let modules = self.modules(&TokenStream::new(), &quote!(pub), &inside);
            let mut body = Group::new(module.body.delimiter(), quote!(#others #modules));
            body.set_span(module.body.span());
            let (before, name) = (&module.before, &module.name);
            return quote!(#(#before)* #name #body);
        }
        let modules = self.modules(&attributes, &vis, &inside);
        quote!(#others #modules)
    }

    /// The modules of all versions: with these attributes, and with what else is inside of them.
    pub(super) fn modules(
        &self,
        attributes: &TokenStream,
        vis: &TokenStream,
        inside: &[(&Ident, TokenStream)],
    ) -> TokenStream {
        let modules = self.args.versions.iter().enumerate().map(|(at, version)| {
            let (name, span) = (version.ident(), version.span);
            let doc = match &version.doc {
                Some(text) => doc::attributes(text),
                None => doc::attributes(&format!("The version `{}`.", version.name)),
            };
            let types = self.types.iter().enumerate().filter(|(_, ty)| ty.versions.contains(&at));
            let types = types.map(|(number, ty)| self.ty(number, ty, at));
            let more = inside.iter().filter(|(of, _)| **of == name).map(|(_, tokens)| tokens);
            let versions = self.versions(at);
            let body = quote! {
                #[allow(unused_imports)]
                use super::*;
                #(#more)*
                #(#types)*
                #versions
            };
            quote_spanned! {span=>
                #attributes
                #doc
                #[allow(unreachable_pub)]
                #vis mod #name { #body }
            }
        });
        modules.collect()
    }

    /// Writes a type in one version.
    fn ty(&self, number: usize, ty: &Versioned, at: usize) -> TokenStream {
        let mut input = ty.input.clone();
        input.attrs.clear();
        input.vis = public(&input.vis, input.ident.span());
        let comes_from =
            at.checked_sub(1).filter(|before| ty.versions.contains(before) && self.is_derived(*before));
        let mut removed = TokenStream::new();
        match (&ty.body, &mut input.data) {
            (Body::Struct(members), syn::Data::Struct(data)) => {
                let origin = Origin { at, comes_from, owner: Owner::Struct };
                fields(&mut data.fields, members, origin, self);
                removed = removed_fields(members, at, comes_from);
            }
            (Body::Enum(variants), syn::Data::Enum(data)) => {
                let all = variants.iter().filter_map(|variant| self.variant(variant, at, comes_from));
                data.variants = all.collect();
                removed = removed_variants(variants, at, comes_from);
            }
            _ => {}
        }
        let attributes = attributes_of(ty, self.args, at);
        let convert = comes_from.and_then(|before| {
            let version = self.args.versions.get(before)?;
            let span = input.ident.span();
            let (krate, from) =
                (&self.krate, text(&format!("super::{}::{}", version.name, input.ident), span));
            let is_fallible = self.fallible.get(at).and_then(|all| all.get(number)) == Some(&true);
            let fallible = is_fallible.then(|| quote_spanned!(span=> fallible,));
            let renamed = self.args.krate.as_ref().map(|(path, span)| {
                let path = text(path, *span);
                quote_spanned!(*span=> crate = #path,)
            });
            let removed = (!removed.is_empty()).then(|| quote_spanned!(span=> removed(#removed),));
            let status = status(ty, self.args, at);
            Some(quote_spanned! {span=>
                #[derive(#krate::Convert)]
                #[convert(from = #from, #fallible #renamed #status #removed)]
            })
        });
        quote!(#attributes #convert #input)
    }

    fn variant(&self, it: &Variant, at: usize, comes_from: Option<usize>) -> Option<syn::Variant> {
        let form = it.forms.get(at)?.as_ref()?;
        let name = form.name.clone()?;
        let mut variant = it.variant.clone();
        let span = name.span();
        variant.ident = name;
        let before = comes_from.map(|before| it.forms.get(before).and_then(Option::as_ref));
        // The fields of a new variant do not come from an older version.
        let inner = comes_from.filter(|_| matches!(before, Some(Some(_))));
        let origin = Origin { at, comes_from: inner, owner: Owner::Variant };
        fields(&mut variant.fields, &it.fields, origin, self);
        let mut convert = TokenStream::new();
        match before {
            Some(Some(old)) if old.name.as_ref() != Some(&variant.ident) => {
                if let Some(old) = &old.name {
                    let name = text(&plain(old), old.span());
                    convert.extend(quote_spanned!(span=> from = #name,));
                }
            }
            Some(None) => {
                if let Some(added) = &it.history.added {
                    convert.extend(added.for_convert(&["as", "lossy", "reason"]));
                }
            }
            Some(Some(_)) | None => {}
        }
        let removed = removed_fields(&it.fields, at, inner);
        if !removed.is_empty() {
            convert.extend(quote_spanned!(span=> removed(#removed),));
        }
        let convert = (!convert.is_empty()).then(|| quote_spanned!(span=> #[convert(#convert)]));
        let deprecated = &form.deprecated;
        let more = it.history.attributes_in(at).map(attribute);
        variant.attrs.extend(parsed(quote!(#deprecated #(#more)* #convert)));
        Some(variant)
    }

    /// The functions that convert a changed type. If the user names none, they are `From`, unless one of the types has
    /// a history here.
    fn functions(&self, action: &Action, new: &MemberForm, old: &MemberForm) -> TokenStream {
        let all = keys::inner("changed", VersionedPlace::Field).iter().copied();
        let of_conversion: Vec<&str> = all.filter(|key| !keys::OF_CHANGE.contains(key)).collect();
        let named = action.for_convert(&of_conversion);
        let is_named = ["with", "try_with", "upgrade_with"].iter().any(|key| action.get(key).is_some());
        let has_history =
            [new, old].iter().filter_map(|form| form.ty.as_ref()).any(|ty| self.names_a_type(ty));
        match action.text("from_type") {
            Some((_, span)) if !is_named && !has_history => {
                let from = text("::core::convert::From::from", span);
                quote_spanned!(span=> with = #from, back = #from, #named)
            }
            _ => named,
        }
    }

    fn names_a_type(&self, ty: &syn::Type) -> bool {
        mentions(ty.to_token_stream(), &|name| self.names.contains_key(name))
    }

    /// Whether the conversion between a version and the next one is derived.
    fn is_derived(&self, before: usize) -> bool {
        self.converts && self.args.versions.get(before).is_some_and(|version| !version.skip)
    }

    /// The types whose conversion to a version can fail: those with a function that can fail, and those that contain
    /// them.
    fn fallible(&self, at: usize) -> Vec<bool> {
        let own = |ty: &Versioned| ty.history.fallible || members(ty).any(|member| can_fail(member, at));
        let mut out: Vec<bool> = self.types.iter().map(own).collect();
        if !out.contains(&true) {
            return out;
        }
        loop {
            let is_one = |name: &str| self.names.get(name).and_then(|i| out.get(*i)) == Some(&true);
            let names_one = |ty: &Versioned| {
                let forms = members(ty).filter_map(|member| member.forms.get(at)?.as_ref());
                forms.filter_map(|form| form.ty.as_ref()).any(|ty| mentions(ty.to_token_stream(), &is_one))
            };
            let next = self.types.iter().zip(&out).map(|(ty, known)| *known || names_one(ty)).collect();
            if next == out {
                return out;
            }
            out = next;
        }
    }

    /// `Kind::versions()`, next to the newest version of each kind.
    fn versions(&self, at: usize) -> TokenStream {
        let of_kind = |ty: &Versioned| {
            let is_newest = ty.versions.end == at + 1 && ty.versions.len() > 1;
            let pairs = ty.versions.start..ty.versions.end.saturating_sub(1);
            if !is_newest
                || !self.converts
                || pairs.clone().any(|before| !self.is_derived(before))
                || !derives_kind(ty)
            {
                return None;
            }
            let names: Option<Vec<(&Version, Ident)>> = ty
                .versions
                .clone()
                .map(|at| Some((self.args.versions.get(at)?, root(ty, self.args, at)?)))
                .collect();
            let names = names?;
            let (_, newest) = names.last()?;
            let krate = &self.krate;
            let pairs = names.windows(2).filter_map(|pair| {
                let [(old, old_name), (new, new_name)] = pair else { return None };
                let (old, new) = (old.ident(), new.ident());
                Some(quote!(.pair::<super::#old::#old_name, super::#new::#new_name>()))
            });
            Some(quote! {
                impl #newest {
                    /// All versions, with the conversions between them.
                    pub fn versions() -> #krate::convert::Versions {
                        #krate::convert::Versions::new() #(#pairs)*
                    }
                }
            })
        };
        self.types.iter().filter_map(of_kind).collect()
    }
}

/// What has fields. Only those of structs have a visibility.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Struct,
    Variant,
}

/// What fields are written for, and where they come from.
#[derive(Clone, Copy)]
struct Origin {
    /// The version.
    at: usize,
    /// The version from which they are converted.
    comes_from: Option<usize>,
    owner: Owner,
}

/// Replaces the fields by those of a version.
fn fields(fields: &mut syn::Fields, members: &[Member], origin: Origin, writer: &Writer<'_>) {
    let Origin { at, comes_from, owner } = origin;
    let mut number = 0;
    let all: Punctuated<syn::Field, syn::Token![,]> = members
        .iter()
        .enumerate()
        .filter_map(|(index, member)| {
            let form = member.forms.get(at)?.as_ref()?;
            let mut field = member.field.clone();
            field.ident.clone_from(&form.name);
            field.ty = form.ty.clone()?;
            if owner == Owner::Struct {
                field.vis =
                    public(&field.vis, field.ident.as_ref().map_or_else(|| field.ty.span(), Ident::span));
            }
            let own = number;
            number += 1;
            let convert = comes_from.map(|before| {
                // Only fields of tuples are identified by numbers.
                let old_number = match &form.name {
                    Some(_) => own,
                    None => members[..index]
                        .iter()
                        .filter(|it| it.forms.get(before).is_some_and(Option::is_some))
                        .count(),
                };
                let renumbered = (own != old_number).then_some(old_number);
                convert(member, form, (before, at), renumbered, writer)
            });
            let convert = convert.filter(|convert| !convert.is_empty()).map(|convert| {
                let span = form.name.as_ref().map_or_else(|| field.ty.span(), Ident::span);
                quote_spanned!(span=> #[convert(#convert)])
            });
            let deprecated = &form.deprecated;
            let more = member.history.attributes_in(at).map(attribute);
            field.attrs.extend(parsed(quote!(#deprecated #(#more)* #convert)));
            Some(field)
        })
        .collect();
    match fields {
        syn::Fields::Named(named) => named.named = all,
        syn::Fields::Unnamed(unnamed) => unnamed.unnamed = all,
        syn::Fields::Unit => {}
    }
}

/// The `#[convert(…)]` keys for the origin of a field, which is in the first of two versions. `renumbered` is its number
/// there, if it has another one.
fn convert(
    member: &Member,
    form: &MemberForm,
    (before, at): (usize, usize),
    renumbered: Option<usize>,
    writer: &Writer<'_>,
) -> TokenStream {
    let Some(Some(old)) = member.forms.get(before) else {
        let span = form.name.as_ref().map_or_else(Span::call_site, Ident::span);
        let Some(added) = &member.history.added else { return quote_spanned!(span=> default) };
        let (default, rest) = (added.for_convert(&["default"]), added.for_convert(&["lossy", "reason"]));
        return match default.is_empty() {
            true => quote_spanned!(span=> default, #rest),
            false => quote!(#default #rest),
        };
    };
    let mut out = TokenStream::new();
    match (&old.name, &form.name, renumbered) {
        (Some(old), Some(new), _) if old != new => {
            let name = text(&plain(old), old.span());
            out.extend(quote_spanned!(old.span()=> from = #name,));
        }
        (None, _, Some(old_number)) => {
            let span = member.field.ty.span();
            let name = text(&old_number.to_string(), span);
            out.extend(quote_spanned!(span=> from = #name,));
        }
        _ => {}
    }
    if let Some(action) = member.history.changes.iter().find(|action| action.at == at) {
        out.extend(writer.functions(action, form, old));
    }
    out
}

/// The fields of the older version that this one does not have.
fn removed_fields(members: &[Member], at: usize, comes_from: Option<usize>) -> TokenStream {
    let Some(before) = comes_from else { return TokenStream::new() };
    let mut number = 0;
    let mut out = TokenStream::new();
    for member in members {
        let Some(Some(old)) = member.forms.get(before) else { continue };
        let own = number;
        number += 1;
        if member.forms.get(at).is_some_and(Option::is_some) {
            continue;
        }
        let keys = member.history.removed.as_ref().map(|it| it.for_convert(&["default", "lossy", "reason"]));
        let keys = keys.filter(|keys| !keys.is_empty()).map(|keys| quote!((#keys)));
        let name = match &old.name {
            Some(name) => name.to_token_stream(),
            None => text(&own.to_string(), member.field.ty.span()).to_token_stream(),
        };
        out.extend(quote!(#name #keys,));
    }
    out
}

/// The same for variants.
fn removed_variants(variants: &[Variant], at: usize, comes_from: Option<usize>) -> TokenStream {
    let Some(before) = comes_from else { return TokenStream::new() };
    let gone = variants.iter().filter(|variant| variant.forms.get(at).is_none_or(Option::is_none));
    let gone = gone.filter_map(|variant| {
        let name = variant.forms.get(before)?.as_ref()?.name.as_ref()?;
        let keys = variant.history.removed.as_ref()?.for_convert(&["as", "lossy", "reason"]);
        Some(quote!(#name(#keys),))
    });
    gone.collect()
}

/// All fields, including those of variants.
fn members(ty: &Versioned) -> Box<dyn Iterator<Item = &Member> + '_> {
    match &ty.body {
        Body::Struct(members) => Box::new(members.iter()),
        Body::Enum(variants) => Box::new(variants.iter().flat_map(|variant| &variant.fields)),
    }
}

fn can_fail(member: &Member, at: usize) -> bool {
    let action = member.history.changes.iter().find(|action| action.at == at);
    action.is_some_and(|action| ["try_with", "try_back"].iter().any(|key| action.get(key).is_some()))
}

fn mentions(tokens: TokenStream, is_one: &dyn Fn(&str) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => is_one(&name.to_string()),
        TokenTree::Group(group) => mentions(group.stream(), is_one),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The attributes of a type in a version.
fn attributes_of(ty: &Versioned, args: &Args, at: usize) -> TokenStream {
    let own = &ty.input.attrs;
    let more = ty.history.attributes_in(at).map(attribute);
    let crd = ty.history.crd.as_ref().map(|(tokens, span)| {
        let parts = split(tokens.clone());
        let first = |part: &[TokenTree]| part.first().map(ToString::to_string).unwrap_or_default();
        let has_kind = parts.iter().any(|part| first(part) == "kind");
        // What these turn on is always on in crdgen.
        let parts = parts.into_iter().filter(|part| first(part) != "options");
        let parts = parts.map(|part| part.into_iter().collect::<TokenStream>());
        let kind = (!has_kind).then(|| {
            let name = plain(&ty.input.ident);
            let name =
                text(name.strip_suffix("Spec").filter(|rest| !rest.is_empty()).unwrap_or(&name), *span);
            quote_spanned!(*span=> kind = #name,)
        });
        quote_spanned!(*span=> #[kube(#kind #(#parts),*)])
    });
    let all = quote!(#(#own)* #(#more)* #crd);
    let is_kind = parsed(all.clone()).iter().any(|attribute| attribute.path().is_ident("kube"));
    let version = args.versions.get(at).filter(|_| is_kind).map(|version| {
        let (span, kube) = (version.span, version.kube());
        quote_spanned!(span=> #[kube(#kube)])
    });
    quote!(#all #version)
}

/// The kind that the type defines in a version.
fn as_kind(ty: &Versioned, args: &Args, at: usize) -> Option<kind::Kind> {
    let attrs = parsed(attributes_of(ty, args, at));
    if !ty.versions.contains(&at) || !attrs.iter().any(|attribute| attribute.path().is_ident("kube")) {
        return None;
    }
    let input = syn::DeriveInput { attrs, ..ty.input.clone() };
    Some(kind::kind(&input, &|_| true, &mut Report::default()))
}

/// The key for the status, if only one of two kinds has a status.
fn status(ty: &Versioned, args: &Args, at: usize) -> Option<TokenStream> {
    let (new, old) = (as_kind(ty, args, at)?, as_kind(ty, args, at.checked_sub(1)?)?);
    let span = ty.input.ident.span();
    match (old.status.is_some(), new.status.is_some()) {
        (false, true) => Some(quote_spanned!(span=> status = "added",)),
        (true, false) => Some(quote_spanned!(span=> status = "removed",)),
        _ => None,
    }
}

/// The name of the kind's struct.
fn root(ty: &Versioned, args: &Args, at: usize) -> Option<Ident> {
    let kind = as_kind(ty, args, at)?;
    let name = match kind.kube.struct_name {
        _ if kind.kube.root.whole && !kind.kube.no_spec => plain(&ty.input.ident),
        Some(name) => name,
        None => kind.kube.root.kind.clone(),
    };
    super::super::convert::ident(&name, ty.input.ident.span())
}

/// Whether the type uses crdgen's own derive for kinds.
fn derives_kind(ty: &Versioned) -> bool {
    derived(&ty.input.attrs).iter().any(|name| name == "CustomResource")
}

fn derived(attributes: &[syn::Attribute]) -> Vec<Ident> {
    let lists = attributes.iter().filter(|attribute| attribute.path().is_ident("derive"));
    let tokens =
        lists.filter_map(|attribute| attribute.meta.require_list().ok()).map(|list| list.tokens.clone());
    let last = |part: Vec<TokenTree>| {
        part.into_iter()
            .rev()
            .find_map(|token| if let TokenTree::Ident(name) = token { Some(name) } else { None })
    };
    tokens.flat_map(split).filter_map(last).collect()
}

/// Reports attributes that are generated here, and must not be written by hand.
fn check(ty: &Versioned, report: &mut Report) {
    if let Some(name) = derived(&ty.input.attrs).iter().find(|name| *name == "Convert") {
        let message = "#[versioned] derives `Convert` itself";
        report.error(name.span(), &codes::CONTRADICTION, message, "remove it from the derives");
    }
    let of_fields = members(ty).flat_map(|member| &member.field.attrs);
    let of_variants = match &ty.body {
        Body::Enum(variants) => variants.as_slice(),
        Body::Struct(_) => &[],
    };
    let of_variants = of_variants.iter().flat_map(|variant| &variant.variant.attrs);
    let mut all = ty.input.attrs.iter().chain(of_fields).chain(of_variants);
    if let Some(attribute) = all.find(|attribute| attribute.path().is_ident("convert")) {
        let message = "#[versioned] writes #[convert] itself";
        let help = "declare the change in #[versioned(…)], or write a type for each version, with #[derive(Convert)]";
        report.error(attribute.path().span(), &codes::CONTRADICTION, message, help);
    }
    let kube = ty.input.attrs.iter().filter(|attribute| attribute.path().is_ident("kube"));
    let lists =
        kube.filter_map(|attribute| attribute.meta.require_list().ok()).map(|list| list.tokens.clone());
    let crd = ty.history.crd.iter().map(|(tokens, _)| tokens.clone());
    for part in lists.chain(crd).flat_map(split) {
        if let Some(TokenTree::Ident(key)) = part.first()
            && ["version", "storage", "served", "deprecated"].iter().any(|name| key == name)
        {
            let message = format!("`{key}` does not belong here: #[versioned(…)] sets it for each version");
            let help = match &*key.to_string() {
                "version" => "remove it: the versions are those of #[versioned(…)]".to_owned(),
                "served" => "write it there: #[versioned(v1alpha1(served = false), v1)]".to_owned(),
                key => format!("write it there: #[versioned(v1alpha1({key}), v1)]"),
            };
            report.error(key.span(), &codes::CONTRADICTION, message, help);
        }
    }
}

fn attribute(tokens: &TokenStream) -> TokenStream {
    let span = tokens.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
    quote_spanned!(span=> #[#tokens])
}

/// Parses attributes. Attributes that syn cannot parse are skipped, because the reader of the item reports them.
fn parsed(tokens: TokenStream) -> Vec<syn::Attribute> {
    use syn::parse::Parser;
    syn::Attribute::parse_outer.parse2(tokens).unwrap_or_default()
}

/// The conversion is in the module of a neighboring version and must see the fields. So private fields become public,
/// and `pub(super)` gets one more `super`.
fn public(vis: &syn::Visibility, span: Span) -> syn::Visibility {
    match vis {
        syn::Visibility::Inherited => syn::Visibility::Public(syn::Token![pub](span)),
        syn::Visibility::Restricted(it)
            if it.path.segments.first().is_some_and(|first| first.ident == "super") =>
        {
            let mut it = it.clone();
            it.in_token.get_or_insert(syn::Token![in](span));
            it.path.segments.insert(0, syn::PathSegment::from(Ident::new("super", span)));
            syn::Visibility::Restricted(it)
        }
        other => other.clone(),
    }
}

fn text(text: &str, span: Span) -> Literal {
    let mut literal = Literal::string(text);
    literal.set_span(span);
    literal
}
