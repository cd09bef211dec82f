//! Converts the fields of a struct or a variant.

use super::literal::{OldFields, literal};
use super::place::{Access, Value, new_place, old_place};
use super::shape::{Fallible, Part, first_span, is_unchanged};
use super::{To, Writer, here};
use crate::convert::{Fields, Function, How, Move, New};
use crate::derive::tokens::Tokens;
use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

impl<'a> Writer<'a> {
    pub(super) fn structure(&self, out: &mut Tokens<'a>, fields: &Fields, to: To) {
        let name = |out: &mut Tokens<'a>| match to {
            To::New => out.code("Self"),
            To::Old => out.tokens(&self.plan.old),
        };
        let (code, literal) = self.moves(fields, to, Access::Struct, &name);
        if !code.is_empty() {
            out.tokens(&code);
        }
        out.code("::core::result::Result::Ok");
        out.group(Delimiter::Parenthesis, |out| out.tokens(&literal));
    }

    /// Writes the statements that convert all fields, and the literal of the result. `name` writes the type's name.
    pub(super) fn moves(
        &self,
        fields: &Fields,
        to: To,
        place: Access,
        name: &dyn Fn(&mut Tokens<'a>),
    ) -> (TokenStream, TokenStream) {
        let mut code = TokenStream::new();
        let (mut new_members, mut old_members) = (Vec::new(), Vec::new());
        for (i, it) in fields.moves.iter().enumerate() {
            let is_own = matches!((&it.how, &*it.new, &*it.old), (How::Own { .. }, [_], [_]));
            if is_own && !self.plan.fallible {
                match to {
                    To::New => new_members.extend(it.new.iter().map(|new| (new, Value::Own(it, place)))),
                    To::Old => old_members.extend(it.old.iter().map(|old| (old, Value::Own(it, place)))),
                }
                continue;
            }
            let new_vars: Vec<Ident> = (0..it.new.len()).map(|j| format_ident!("__new_{i}_{j}")).collect();
            let old_vars: Vec<Ident> = (0..it.old.len()).map(|j| format_ident!("__old_{i}_{j}")).collect();
            let (targets, others) = match to {
                To::New => (&new_vars, &old_vars),
                To::Old => (&old_vars, &new_vars),
            };
            // Fields are converted in order, because only the first error is reported.
            code.extend(if is_own {
                let mut value = self.tokens();
                self.own(&mut value, it, to, place);
                let value = value.finish();
                quote!(#(let #targets = #value;)*)
            } else {
                let sources: Vec<TokenStream> = match to {
                    To::New => {
                        it.old.iter().map(|old| self.written(|out| old_place(out, old, place))).collect()
                    }
                    To::Old => it
                        .new
                        .iter()
                        .map(|new| self.written(|out| new_place(out, &new.member, place, None)))
                        .collect(),
                };
                self.one(it, to, &sources, targets, others)
            });
            let variables = targets.iter().cloned().map(Value::Variable);
            match to {
                To::New => new_members.extend(it.new.iter().zip(variables)),
                To::Old => old_members.extend(it.old.iter().zip(variables)),
            }
        }
        let mut out = self.tokens();
        name(&mut out);
        match to {
            To::New => out.group(Delimiter::Brace, |out| {
                for (New { member, .. }, value) in &new_members {
                    out.member(member);
                    out.punct(":", Span::call_site());
                    self.value(out, value, to, Span::call_site());
                    out.punct(",", Span::call_site());
                }
            }),
            To::Old => {
                let fields = OldFields { members: &old_members, inside: &fields.inside };
                literal(self, &mut out, self.old_span, &[], fields);
            }
        }
        (code, out.finish())
    }

    fn written(&self, write: impl FnOnce(&mut Tokens<'a>)) -> TokenStream {
        let mut out = self.tokens();
        write(&mut out);
        out.finish()
    }

    /// Writes the value of a field: the variable that a statement has set, or its own conversion.
    pub(super) fn value(&self, out: &mut Tokens<'a>, value: &Value<'_>, to: To, span: Span) {
        match value {
            Value::Own(it, place) => self.own(out, it, to, *place),
            Value::Variable(variable) => {
                let mut variable = variable.clone();
                variable.set_span(span);
                out.tree(variable);
            }
        }
    }

    /// Writes the value of a field that converts by its own type.
    fn own(&self, out: &mut Tokens<'a>, it: &Move, to: To, place: Access) {
        let (How::Own { keys, omit_empty }, [new], [old]) = (&it.how, &*it.new, &*it.old) else { return };
        let span = first_span(&new.ty);
        let source = |out: &mut Tokens<'a>| match to {
            To::New => old_place(out, old, place),
            To::Old => new_place(out, &new.member, place, None),
        };
        if is_unchanged(it) {
            return match to {
                To::New => {
                    self.path(out, "plain", span);
                    out.group_at(Delimiter::Parenthesis, span, source);
                }
                To::Old => new_place(out, &new.member, place, Some(here(old.span))),
            };
        }
        let part = Part { label: &it.label, span, ty: Some(&new.ty), keys, omit_empty: *omit_empty };
        self.part(out, &part, to, Fallible::of(self.plan), source);
    }

    /// The statement that converts some fields. `sources` are the values to convert, `targets` the variables for the
    /// results, and `others` the variables of the other direction.
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
            // The literal converts it, so it needs no statement.
            How::Own { .. } => TokenStream::new(),
            How::Parts(parts) => self.parts(it, parts, to, sources, targets),
            How::Functions { with, back, object } => {
                let (there, again) = if to == To::New { (with, back) } else { (back, with) };
                let (source_vars, target_vars) = (others, targets);
                let there_call = call(there, source_vars, *object, error);
                let object_var = object.then(|| quote!(let __object = __context.object();));
                let value = tuple(sources);
                let source_pattern = tuple(source_vars);
                let target_pattern = tuple(target_vars);
                let span = here(there.path.span());
                let convert = if it.lossy {
                    quote!({ __context.accept_loss(); let #source_pattern = __value; #there_call })
                } else {
                    // The result is converted back only to compare it with the source.
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
                let span = here(path.as_ref().map_or_else(
                    || {
                        ty.map_or_else(
                            || it.old.first().map_or_else(Span::call_site, |old| old.span),
                            Spanned::span,
                        )
                    },
                    Spanned::span,
                ));
                let default = match path {
                    Some(path) => quote!(#path),
                    None => quote_spanned!(span=> ::core::default::Default::default),
                };
                match (targets, sources) {
                    // The target version has the field.
                    ([target], []) if it.lossy => {
                        let ty = ty.map(|ty| quote!(: #ty));
                        quote_spanned!(span=> let #target #ty = #default();)
                    }
                    ([target], []) => {
                        let ty = ty.map(|ty| quote!(: #ty));
                        quote_spanned!(span=> let #target #ty = __context.added_field(#label, #default);)
                    }
                    // The target version does not have the field.
                    ([], [source]) if !it.lossy => {
                        quote_spanned!(span=> __context.removed_field(#label, &#source, #default);)
                    }
                    _ => quote!(__context.accept_loss();),
                }
            }
        }
    }

    /// Converts a struct whose fields are separate fields of the older version.
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
        let convert = |part: &Ident, label: &str, source: TokenStream| {
            let part = Part { label, span: here(part.span()), ty: None, keys: &[], omit_empty: false };
            self.part_of(&part, to, Fallible::of(self.plan), source)
        };
        match to {
            To::New => {
                let [target] = targets else { return TokenStream::new() };
                let vars: Vec<Ident> = (0..parts.len()).map(|i| format_ident!("__part_{i}")).collect();
                let members = parts.iter().zip(&vars).map(|((part, label), var)| {
                    let value = convert(part, label, quote!(#var));
                    quote!(#part: #value,)
                });
                let span = here(ty.span());
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
}

/// Converts a value with functions. The code in `convert` uses it as `__value`.
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

/// One value as it is, several as a tuple.
fn tuple<T: ToTokens>(all: &[T]) -> TokenStream {
    match all {
        [one] => quote!(#one),
        all => quote!((#(#all),*)),
    }
}

/// The call of a function that returns a `Result`.
fn call(function: &Function, arguments: &[Ident], object: bool, error: &TokenStream) -> TokenStream {
    let path = &function.path;
    let object = object.then(|| quote!(, &__object));
    let span = here(path.span());
    if function.fallible {
        quote_spanned!(span=> #path(#(#arguments),* #object).map_err(|__error| <#error>::new(__error)))
    } else {
        quote_spanned!(span=> ::core::result::Result::Ok::<_, #error>(#path(#(#arguments),* #object)))
    }
}
