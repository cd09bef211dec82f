//! `#[derive(Convert)]`: both directions of a conversion, from its plan.
//!
//! The compiler checks that nothing is forgotten. A literal of the older type names all its fields, and a match on it
//! all its variants; a derive sees neither. On the newer side the plan has all fields and variants.

use super::tokens::krate;
use crate::read::rust::convert::{
    Around, Body, Fields, Function, How, Move, New, Old, Plan, StatusOf, Variant, plan,
};
use crate::read::rust::{Report, facts, input};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Member;
use syn::spanned::Spanned;

/// `#[derive(Convert)]`
pub fn convert(input: TokenStream) -> TokenStream {
    let input = match input::parse(input) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut report = Report::of_one_item();
    let plan = plan(&input, &|_| true, &mut report);
    let errors = report.compile_errors();
    let code = plan.map(|plan| {
        let writer = Writer::new(&plan);
        if errors.is_empty() { writer.all() } else { writer.stub() }
    });
    quote!(#errors #code)
}

/// Where a conversion goes.
#[derive(Clone, Copy, PartialEq)]
enum To {
    New,
    Old,
}

struct Writer<'a> {
    plan: &'a Plan,
    crdgen: syn::Path,
    /// The type of the error.
    error: TokenStream,
}

impl<'a> Writer<'a> {
    fn new(plan: &'a Plan) -> Writer<'a> {
        let crdgen = krate(plan.krate.as_ref());
        let error =
            if plan.fallible { quote!(#crdgen::convert::Error) } else { quote!(::core::convert::Infallible) };
        Writer { plan, crdgen, error }
    }

    fn all(&self) -> TokenStream {
        let own = match &self.plan.body {
            Body::Struct(fields) => self.implementation(
                &self.plan.name,
                &self.plan.old,
                &self.error,
                &self.structure(fields, To::New),
                &self.structure(fields, To::Old),
            ),
            Body::Enum(variants) => self.implementation(
                &self.plan.name,
                &self.plan.old,
                &self.error,
                &self.variants(variants, To::New),
                &self.variants(variants, To::Old),
            ),
        };
        let from = self.from();
        let kind = self.plan.kind.as_ref().map(|around| self.kind(around));
        quote!(#own #from #kind)
    }

    /// An implementation for a plan with mistakes, so that the types around it do not report them again.
    fn stub(&self) -> TokenStream {
        let all = quote!(loop {});
        let own = self.implementation(&self.plan.name, &self.plan.old, &self.error, &all, &all);
        let kind = self.plan.kind.as_ref().map(|around| {
            let error = quote!(::core::convert::Infallible);
            self.implementation(&around.name, &around.old, &error, &all, &all)
        });
        quote!(#own #kind)
    }

    fn implementation(
        &self,
        name: &Ident,
        old: &syn::Path,
        error: &TokenStream,
        up: &TokenStream,
        down: &TokenStream,
    ) -> TokenStream {
        let crdgen = &self.crdgen;
        quote! {
            #[automatically_derived]
            #[allow(deprecated, unused, clippy::all)]
            impl #crdgen::convert::Convert<#old> for #name {
                type Error = #error;
                fn upgrade(
                    __old: #old,
                    __context: &mut #crdgen::convert::Context,
                ) -> ::core::result::Result<Self, Self::Error> {
                    #up
                }
                fn downgrade(
                    self,
                    __context: &mut #crdgen::convert::Context,
                ) -> ::core::result::Result<#old, Self::Error> {
                    #down
                }
            }
        }
    }

    /// `From` both ways, or `TryFrom`. There is no object that could keep what the other type cannot express.
    fn from(&self) -> TokenStream {
        let (crdgen, name, old) = (&self.crdgen, &self.plan.name, &self.plan.old);
        let up = quote!(<#name as #crdgen::convert::Convert<#old>>::upgrade(old, &mut #crdgen::convert::Context::alone()));
        let down = quote!(<#name as #crdgen::convert::Convert<#old>>::downgrade(new, &mut #crdgen::convert::Context::alone()));
        if self.plan.fallible {
            return quote! {
                #[automatically_derived]
                #[allow(deprecated)]
                impl ::core::convert::TryFrom<#old> for #name {
                    type Error = #crdgen::convert::Error;
                    fn try_from(old: #old) -> ::core::result::Result<Self, Self::Error> { #up }
                }
                #[automatically_derived]
                #[allow(deprecated)]
                impl ::core::convert::TryFrom<#name> for #old {
                    type Error = #crdgen::convert::Error;
                    fn try_from(new: #name) -> ::core::result::Result<Self, Self::Error> { #down }
                }
            };
        }
        quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl ::core::convert::From<#old> for #name {
                fn from(old: #old) -> Self {
                    match #up {
                        ::core::result::Result::Ok(it) => it,
                        ::core::result::Result::Err(never) => match never {},
                    }
                }
            }
            #[automatically_derived]
            #[allow(deprecated)]
            impl ::core::convert::From<#name> for #old {
                fn from(new: #name) -> Self {
                    match #down {
                        ::core::result::Result::Ok(it) => it,
                        ::core::result::Result::Err(never) => match never {},
                    }
                }
            }
        }
    }

    /// The kind around a spec: its metadata stays, its spec and its status convert.
    fn kind(&self, around: &Around) -> TokenStream {
        let (crdgen, name, old) = (&self.crdgen, &around.name, &around.old);
        let error = quote!(#crdgen::convert::Error);
        let own = &self.plan.name;
        let spec: syn::Type = if around.spec_optional {
            syn::parse_quote!(::core::option::Option<#own>)
        } else {
            syn::parse_quote!(#own)
        };
        let status =
            around.status.as_ref().map(|ty| -> syn::Type { syn::parse_quote!(::core::option::Option<#ty>) });
        let direction = |to: To| {
            let source = if to == To::New { quote!(__old) } else { quote!(self) };
            let target = if to == To::New { quote!(#name) } else { quote!(#old) };
            let part = |label: &str, ty: &syn::Type, is_flat: bool| {
                let member = Ident::new(label, ty.span());
                let value = quote!(#source.#member);
                match is_flat {
                    true => {
                        let convert = self.value(ty, quote!(__value), to, &[], &error);
                        quote!({ let __value = #value; #convert? })
                    }
                    false => {
                        let convert = self.direct(ty, quote!(__value), to, &[], &error);
                        inside(Span::call_site(), label, &value, &convert, &error)
                    }
                }
            };
            let spec = part("spec", &spec, around.no_spec);
            let lonely = |made: bool| match made {
                true => quote!(status: __context.added_field("status", ::core::default::Default::default),),
                false => TokenStream::new(),
            };
            let status = match (around.status_of, to) {
                (StatusOf::Both, _) => status.as_ref().map_or_else(TokenStream::new, |ty| {
                    let status = part("status", ty, false);
                    quote!(status: #status,)
                }),
                (StatusOf::New, to) => lonely(to == To::New),
                (StatusOf::Old, to) => lonely(to == To::Old),
            };
            let keeps = matches!((around.status_of, to), (StatusOf::New, To::Old) | (StatusOf::Old, To::New));
            let keep = keeps.then(|| {
                quote!(__context.removed_field("status", &#source.status, ::core::default::Default::default);)
            });
            quote! {
                #keep
                ::core::result::Result::Ok(#target { metadata: #source.metadata, spec: #spec, #status })
            }
        };
        let own = self.implementation(name, old, &error, &direction(To::New), &direction(To::Old));
        let test = around.test.then(|| {
            let last = |path: &syn::Path| {
                path.segments.iter().map(|s| s.ident.to_string()).collect::<Vec<_>>().join("_")
            };
            let test = format_ident!(
                "conversion_of_{}_and_{}",
                name.to_string().to_lowercase(),
                last(old).to_lowercase()
            );
            quote_spanned!(name.span()=> #crdgen::__conversion_test!(#test, #old, #name);)
        });
        quote!(#own #test)
    }

    fn structure(&self, fields: &Fields, to: To) -> TokenStream {
        let (new, old) = (
            |member: &Member| quote!(self.#member),
            |old: &Old| {
                let path = &old.path;
                let span = old.span;
                quote_spanned!(span=> __old #(.#path)*)
            },
        );
        let (code, literal) =
            self.moves(fields, to, &new, &old, &quote!(Self), &self.plan.old.to_token_stream());
        quote!(#code ::core::result::Result::Ok(#literal))
    }

    /// The statements that convert all fields, and the literal of the result.
    fn moves(
        &self,
        fields: &Fields,
        to: To,
        new_place: &dyn Fn(&Member) -> TokenStream,
        old_place: &dyn Fn(&Old) -> TokenStream,
        new_name: &TokenStream,
        old_name: &TokenStream,
    ) -> (TokenStream, TokenStream) {
        let mut code = TokenStream::new();
        let (mut new_members, mut old_members) = (TokenStream::new(), Vec::new());
        for (i, it) in fields.moves.iter().enumerate() {
            let new_vars: Vec<Ident> = (0..it.new.len()).map(|j| format_ident!("__new_{i}_{j}")).collect();
            let old_vars: Vec<Ident> = (0..it.old.len()).map(|j| format_ident!("__old_{i}_{j}")).collect();
            for (New { member, .. }, var) in it.new.iter().zip(&new_vars) {
                new_members.extend(quote!(#member: #var,));
            }
            old_members.extend(it.old.iter().zip(&old_vars).map(|(old, var)| (old, var.clone())));
            let new_places: Vec<TokenStream> = it.new.iter().map(|new| new_place(&new.member)).collect();
            let old_places: Vec<TokenStream> = it.old.iter().map(old_place).collect();
            code.extend(match to {
                To::New => self.one(it, to, &old_places, &new_vars, &old_vars),
                To::Old => self.one(it, to, &new_places, &old_vars, &new_vars),
            });
        }
        let literal = match to {
            To::New => quote!(#new_name { #new_members }),
            To::Old => literal(old_name, self.plan.old.span(), &[], &old_members, &fields.inside),
        };
        (code, literal)
    }

    /// The statement that converts some fields: `sources` are where they are, `targets` the variables of the results,
    /// and `others` those of the other direction.
    fn one(
        &self,
        it: &Move,
        to: To,
        sources: &[TokenStream],
        targets: &[Ident],
        others: &[Ident],
    ) -> TokenStream {
        let (label, error) = (&it.label, &self.error);
        match &it.how {
            How::Own { keys, omit_empty } => {
                let (Some(new), [source], [target]) = (it.new.first(), sources, targets) else {
                    return TokenStream::new();
                };
                let span = new.ty.span();
                // Most fields. A closure for each would take the compiler longer than all the rest.
                if is_unchanged(it) {
                    let (crdgen, ty) = (&self.crdgen, &new.ty);
                    return match to {
                        To::New => {
                            quote_spanned!(span=> let #target = #crdgen::convert::Source(#source).plain::<#ty>();)
                        }
                        To::Old => quote_spanned!(span=> let #target = #source;),
                    };
                }
                let convert = match omit_empty {
                    true => self.unless_empty(&new.ty, to, keys),
                    false => self.direct(&new.ty, quote!(__value), to, keys, error),
                };
                let converted = inside(span, label, source, &convert, error);
                quote_spanned!(span=> let #target = #converted;)
            }
            How::Parts(parts) => self.parts(it, parts, to, sources, targets),
            How::Functions { with, back, object } => {
                let (there, again) = if to == To::New { (with, back) } else { (back, with) };
                let (source_vars, target_vars) = (others, targets);
                let there_call = call(there, source_vars, *object, error);
                let object_var = object.then(|| quote!(let __object = __context.object();));
                let value = tuple(sources);
                let source_pattern = tuple(source_vars);
                let target_pattern = tuple(target_vars);
                let span = there.path.span();
                let convert = if it.lossy {
                    quote!({ __context.accept_loss(); let #source_pattern = __value; #there_call })
                } else {
                    // What comes back is only compared.
                    let again_call = call(again, target_vars, *object, error);
                    quote_spanned! {span=>
                        __context.map(__value, |#source_pattern| #there_call, |#target_pattern| #again_call)
                    }
                };
                let converted = inside(span, label, &value, &quote!({ #object_var #convert }), error);
                quote_spanned!(span=> let #target_pattern = #converted;)
            }
            How::Default(path) => {
                let ty = it.new.first().map(|new| &new.ty);
                let span = path.as_ref().map_or_else(
                    || {
                        ty.map_or_else(
                            || it.old.first().map_or_else(Span::call_site, |old| old.span),
                            Spanned::span,
                        )
                    },
                    Spanned::span,
                );
                let default = match path {
                    Some(path) => quote!(#path),
                    None => quote_spanned!(span=> ::core::default::Default::default),
                };
                match (targets, sources) {
                    // The version that is made has the field.
                    ([target], []) if it.lossy => {
                        let ty = ty.map(|ty| quote!(: #ty));
                        quote_spanned!(span=> let #target #ty = #default();)
                    }
                    ([target], []) => {
                        let ty = ty.map(|ty| quote!(: #ty));
                        quote_spanned!(span=> let #target #ty = __context.added_field(#label, #default);)
                    }
                    // It does not.
                    ([], [source]) if !it.lossy => {
                        quote_spanned!(span=> __context.removed_field(#label, &#source, #default);)
                    }
                    _ => quote!(__context.accept_loss();),
                }
            }
        }
    }

    /// A struct that the older version has as several fields.
    fn parts(
        &self,
        it: &Move,
        parts: &[(Ident, String)],
        to: To,
        sources: &[TokenStream],
        targets: &[Ident],
    ) -> TokenStream {
        let Some(new) = it.new.first() else { return TokenStream::new() };
        let (error, label, ty) = (&self.error, &it.label, &new.ty);
        let crdgen = &self.crdgen;
        let convert = |part: &Ident, label: &str, source: TokenStream| {
            let span = part.span();
            let convert = match to {
                To::New => quote_spanned!(span=> #crdgen::convert::Source(__value).up::<_>(__context)),
                To::Old => quote_spanned!(span=> #crdgen::convert::down::<_, _>(__value, __context)),
            };
            inside(span, label, &source, &convert, error)
        };
        match to {
            To::New => {
                let [target] = targets else { return TokenStream::new() };
                let vars: Vec<Ident> = (0..parts.len()).map(|i| format_ident!("__part_{i}")).collect();
                let members = parts.iter().zip(&vars).map(|((part, label), var)| {
                    let value = convert(part, label, quote!(#var));
                    quote!(#part: #value,)
                });
                let span = ty.span();
                let built = quote_spanned!(span=> #ty { #(#members)* });
                quote! {
                    let #target = {
                        #(let #vars = #sources;)*
                        __context.field::<_, #error>(#label, |__context| ::core::result::Result::Ok(#built))?
                    };
                }
            }
            To::Old => {
                let [source] = sources else { return TokenStream::new() };
                let values = parts.iter().map(|(part, label)| convert(part, label, quote!(__whole.#part)));
                let targets = quote!((#(#targets,)*));
                quote! {
                    let #targets = {
                        let __whole = #source;
                        __context.field::<_, #error>(#label, |__context| ::core::result::Result::Ok((#(#values,)*)))?
                    };
                }
            }
        }
    }

    /// The conversion of an `Option` whose value is left out if nothing is in it.
    fn unless_empty(&self, ty: &syn::Type, to: To, keys: &[String]) -> TokenStream {
        let error = &self.error;
        let Some((_, args)) = facts::name_of(ty) else { return TokenStream::new() };
        let [inner] = args.as_slice() else { return TokenStream::new() };
        let inner = self.value(inner, quote!(__value), to, keys, error);
        let method = match to {
            To::New => format_ident!("unless_empty"),
            To::Old => format_ident!("even_if_empty"),
        };
        quote_spanned! {ty.span()=>
            __context.#method::<_, _, #error>(__value, |__context, __value| #inner)
        }
    }

    /// The conversion of a value by its type: containers item by item, and everything else by its own conversion.
    fn value(
        &self,
        ty: &syn::Type,
        value: TokenStream,
        to: To,
        keys: &[String],
        error: &TokenStream,
    ) -> TokenStream {
        let crdgen = &self.crdgen;
        let span = ty.span();
        let leaf = || {
            let convert = self.own(ty, &value, to);
            quote_spanned!(span=> #crdgen::convert::within::<_, _, #error>(#convert))
        };
        let Some((name, args)) = facts::name_of(ty) else { return leaf() };
        let each = |ty: &syn::Type| self.value(ty, quote!(__value), to, &[], error);
        match (name.as_str(), args.as_slice()) {
            _ if is_plain(ty) => leaf(),
            ("Option", [inner]) => {
                let inner = self.value(inner, quote!(__value), to, keys, error);
                quote_spanned! {span=>
                    match #value {
                        ::core::option::Option::Some(__value) => #inner.map(::core::option::Option::Some),
                        ::core::option::Option::None => ::core::result::Result::Ok(::core::option::Option::None),
                    }
                }
            }
            ("Box", [inner]) => {
                let inner = self.value(inner, quote!(*#value), to, keys, error);
                quote_spanned!(span=> #inner.map(::std::boxed::Box::new))
            }
            ("Vec", [item]) => {
                let item = each(item);
                quote_spanned!(span=> __context.items(#value, &[#(#keys),*], |__context, __value| #item))
            }
            ("BTreeMap", [_, of]) => {
                let of = each(of);
                quote_spanned!(span=> __context.entries(#value, |__context, __value| #of))
            }
            ("HashMap", [_, of]) => {
                let of = each(of);
                quote_spanned!(span=> __context.hashed(#value, |__context, __value| #of))
            }
            _ => leaf(),
        }
    }

    /// The same for the value of a field, with the error of its own conversion.
    fn direct(
        &self,
        ty: &syn::Type,
        value: TokenStream,
        to: To,
        keys: &[String],
        error: &TokenStream,
    ) -> TokenStream {
        let span = ty.span();
        let named = facts::name_of(ty).filter(|_| !is_plain(ty));
        let (name, args) = named.unwrap_or_default();
        match (name.as_str(), args.as_slice()) {
            ("Option", [inner]) => {
                let inner = self.direct(inner, quote!(__value), to, keys, error);
                quote_spanned! {span=>
                    match #value {
                        ::core::option::Option::Some(__value) => match #inner {
                            ::core::result::Result::Ok(__it) => ::core::result::Result::Ok(::core::option::Option::Some(__it)),
                            ::core::result::Result::Err(__error) => ::core::result::Result::Err(__error),
                        },
                        ::core::option::Option::None => ::core::result::Result::Ok(::core::option::Option::None),
                    }
                }
            }
            ("Vec" | "BTreeMap" | "HashMap" | "Box", _) => self.value(ty, value, to, keys, error),
            _ => self.own(ty, &value, to),
        }
    }

    /// The conversion that a type has itself.
    fn own(&self, ty: &syn::Type, value: &TokenStream, to: To) -> TokenStream {
        let (crdgen, span) = (&self.crdgen, ty.span());
        match to {
            To::New => quote_spanned!(span=> #crdgen::convert::Source(#value).up::<#ty>(__context)),
            To::Old => quote_spanned!(span=> #crdgen::convert::down::<#ty, _>(#value, __context)),
        }
    }

    fn variants(&self, variants: &[Variant], to: To) -> TokenStream {
        let old = &self.plan.old;
        let span = old.span();
        let (source, back) = match to {
            To::New => (quote_spanned!(span=> __old), quote!(Self)),
            To::Old => (quote!(self), quote!(#old)),
        };
        // Which variant of the target corresponds to a variant of the source, and the other way round.
        let is_kept = |variant: &&Variant, of_new: bool| match variant {
            Variant::Both { .. } => false,
            Variant::Added { lossy, .. } => of_new && !lossy,
            Variant::Removed { lossy, .. } => !of_new && !lossy,
        };
        let comes_back = variants.iter().any(|variant| is_kept(&variant, to == To::New));
        let goes_away = variants.iter().any(|variant| is_kept(&variant, to == To::Old));
        let seen = (comes_back || goes_away).then(|| quote!(let __seen = __context.seen(&#source);));
        let kept = comes_back.then(|| {
            quote! {
                if let ::core::option::Option::Some(__it) = __context.kept_for::<#back>(__seen.as_ref()) {
                    return ::core::result::Result::Ok(__it);
                }
            }
        });
        let arms = variants.iter().map(|variant| self.arm(variant, to));
        let matched = quote_spanned!(span=> match #source { #(#arms)* });
        quote!(#seen #kept #matched)
    }

    fn arm(&self, variant: &Variant, to: To) -> TokenStream {
        let old_type = &self.plan.old;
        let error = &self.error;
        match (variant, to) {
            (Variant::Both { new, old, label, fields }, _) => {
                let new_place = |member: &Member| {
                    let name = bound("new", member);
                    quote!(#name)
                };
                let old_place = |old: &Old| match old.path.split_first() {
                    Some((first, rest)) => {
                        let name = bound("old", first);
                        quote!(#name #(.#rest)*)
                    }
                    None => TokenStream::new(),
                };
                let (new_name, old_name) = (quote!(Self::#new), quote!(#old_type::#old));
                let (code, literal) = self.moves(fields, to, &new_place, &old_place, &new_name, &old_name);
                // Fields that stay as they are have nothing to keep.
                let result = match fields.moves.iter().all(is_unchanged) {
                    true => quote!({ #code ::core::result::Result::Ok(#literal) }),
                    false => quote! {
                        __context.field::<_, #error>(#label, |__context| { #code ::core::result::Result::Ok(#literal) })
                    },
                };
                match to {
                    To::New => {
                        let mut firsts: Vec<&Member> = Vec::new();
                        for first in
                            fields.moves.iter().flat_map(|it| &it.old).filter_map(|old| old.path.first())
                        {
                            if !firsts.contains(&first) {
                                firsts.push(first);
                            }
                        }
                        let names = firsts.iter().map(|first| bound("old", first));
                        quote!(#old_name { #(#firsts: #names,)* .. } => #result,)
                    }
                    To::Old => {
                        let members: Vec<&Member> =
                            fields.moves.iter().flat_map(|it| &it.new).map(|new| &new.member).collect();
                        let names = members.iter().map(|member| bound("new", member));
                        quote!(#new_name { #(#members: #names,)* } => #result,)
                    }
                }
            }
            (Variant::Added { new, instead, lossy }, To::Old) => {
                self.instead(&quote!(Self::#new), &quote!(#old_type::#instead), *lossy)
            }
            (Variant::Removed { old, instead, lossy }, To::New) => {
                self.instead(&quote!(#old_type::#old), &quote!(Self::#instead), *lossy)
            }
            (Variant::Added { .. }, To::New) | (Variant::Removed { .. }, To::Old) => TokenStream::new(),
        }
    }

    /// A variant that corresponds to another one.
    fn instead(&self, source: &TokenStream, target: &TokenStream, lossy: bool) -> TokenStream {
        let keep = match lossy {
            true => quote!(__context.accept_loss();),
            false => quote!(__context.keep_for(__seen, &__it);),
        };
        quote! {
            #source { .. } => {
                let __it = #target {};
                #keep
                ::core::result::Result::Ok(__it)
            }
        }
    }
}

/// Whether a move leaves a value as it is.
fn is_unchanged(it: &Move) -> bool {
    matches!(it.how, How::Own { omit_empty: false, .. })
        && it.old.len() == 1
        && matches!(it.new.as_slice(), [new] if is_plain(&new.ty))
}

/// The value of a part by its conversion, in which it is `__value`.
fn inside(
    span: Span,
    label: &str,
    value: &TokenStream,
    convert: &TokenStream,
    error: &TokenStream,
) -> TokenStream {
    quote_spanned! {span=> {
        let __value = #value;
        __context.enter(#label);
        let __result = #convert;
        __context.leave::<_, _, #error>(#label, __result)?
    }}
}

/// The variable of a field of a variant.
fn bound(side: &str, member: &Member) -> Ident {
    match member {
        Member::Named(name) => format_ident!("__{side}_of_{name}"),
        Member::Unnamed(index) => format_ident!("__{side}_of_{}", index.index),
    }
}

/// Some values as one: itself, or a tuple.
fn tuple<T: ToTokens>(all: &[T]) -> TokenStream {
    match all {
        [one] => quote!(#one),
        all => quote!((#(#all),*)),
    }
}

/// The call of a function, with its `Result`.
fn call(function: &Function, arguments: &[Ident], object: bool, error: &TokenStream) -> TokenStream {
    let path = &function.path;
    let object = object.then(|| quote!(, &__object));
    let span = path.span();
    if function.fallible {
        quote_spanned!(span=> #path(#(#arguments),* #object).map_err(|__error| <#error>::new(__error)))
    } else {
        quote_spanned!(span=> ::core::result::Result::Ok::<_, #error>(#path(#(#arguments),* #object)))
    }
}

/// The literal of an older struct, with those inside of it whose fields are given one by one.
fn literal(
    name: &TokenStream,
    span: Span,
    at: &[Member],
    members: &[(&Old, Ident)],
    inside: &[(Vec<Member>, syn::Path)],
) -> TokenStream {
    let mut done: Vec<&Member> = Vec::new();
    let mut code = TokenStream::new();
    for (old, var) in members {
        let Some((member, rest)) = old.path.get(at.len()..).and_then(<[Member]>::split_first) else {
            continue;
        };
        if done.contains(&member) {
            continue;
        }
        done.push(member);
        let mut member = member.clone();
        set_span(&mut member, old.span);
        if rest.is_empty() {
            let mut var = var.clone();
            var.set_span(old.span);
            code.extend(quote!(#member: #var,));
            continue;
        }
        let below: Vec<Member> = old.path[..=at.len()].to_vec();
        let Some((_, ty)) = inside.iter().find(|(path, _)| *path == below) else { continue };
        let members: Vec<(&Old, Ident)> = members
            .iter()
            .filter(|(old, _)| old.path.starts_with(&below))
            .map(|(old, var)| (*old, var.clone()))
            .collect();
        let value = literal(&ty.to_token_stream(), ty.span(), &below, &members, inside);
        code.extend(quote!(#member: #value,));
    }
    let body = quote_spanned!(span=> { #code });
    quote!(#name #body)
}

fn set_span(member: &mut Member, span: Span) {
    match member {
        Member::Named(name) => name.set_span(span),
        Member::Unnamed(index) => index.span = span,
    }
}

/// Whether a type is made of the language's and the standard library's own types only: then it is one value.
fn is_plain(ty: &syn::Type) -> bool {
    facts::surely(ty).is_some()
        && facts::name_of(ty).is_some_and(|(_, args)| args.iter().all(|ty| is_plain(ty)))
        || facts::name_of(ty).is_some_and(|(name, args)| {
            matches!(name.as_str(), "Option" | "Box" | "Vec" | "BTreeMap" | "HashMap")
                && !args.is_empty()
                && args.iter().all(|ty| is_plain(ty))
        })
}
