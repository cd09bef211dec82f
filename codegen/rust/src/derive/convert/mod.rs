//! `#[derive(Convert)]`: both directions of a conversion, from its plan.
//!
//! The compiler checks that nothing is forgotten. A literal of the older type names all its fields, and a match on it
//! all its variants; a derive sees neither. On the newer side the plan has all fields and variants.

mod fields;
mod kind;
mod literal;
mod place;
mod shape;
mod variants;

use super::tokens::{Tokens, crate_path};
use crate::convert::{Body, Plan, plan};
use crate::{Report, input};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use shape::Fallible;
use syn::spanned::Spanned;

/// Generates the code of `#[derive(Convert)]`.
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
    if errors.is_empty() { code.unwrap_or_default() } else { quote!(#errors #code) }
}

/// The direction of a conversion.
#[derive(Clone, Copy, PartialEq)]
enum To {
    New,
    Old,
}

struct Writer<'a> {
    plan: &'a Plan,
    krate: syn::Path,
    /// The type of the error.
    error: TokenStream,
    /// The path of the module that generated code calls, as tokens.
    module: Vec<TokenTree>,
    /// The span of the older type.
    old_span: Span,
}

impl<'a> Writer<'a> {
    fn new(plan: &'a Plan) -> Writer<'a> {
        let krate = crate_path(plan.krate.as_ref());
        let error =
            if plan.fallible { quote!(#krate::convert::Error) } else { quote!(::core::convert::Infallible) };
        let module = quote!(#krate::convert::).into_iter().collect();
        Writer { plan, krate, error, module, old_span: plan.old.span() }
    }

    fn tokens(&self) -> Tokens<'a> {
        Tokens::new(self.plan.krate.as_ref())
    }

    fn all(&self) -> TokenStream {
        let mut out = self.tokens();
        let (name, old) = (&self.plan.name, &self.plan.old);
        self.implementation(&mut out, name, old, Fallible::of(self.plan), &|out, to| match &self.plan.body {
            Body::Struct(fields) => self.structure(out, fields, to),
            Body::Enum(variants) => self.variants(out, variants, to),
        });
        self.from(&mut out);
        if let Some(around) = &self.plan.kind {
            self.kind(&mut out, around);
        }
        out.finish()
    }

    /// Implements the trait for a plan with mistakes, so that the types around it do not report them again.
    fn stub(&self) -> TokenStream {
        let mut out = self.tokens();
        let all = |out: &mut Tokens<'a>, _: To| out.code("loop {}");
        self.implementation(&mut out, &self.plan.name, &self.plan.old, Fallible::of(self.plan), &all);
        if let Some(around) = &self.plan.kind {
            self.implementation(&mut out, &around.name, &around.old, Fallible::No, &all);
        }
        out.finish()
    }

    /// The implementation of `Convert`; `body` writes a function for each direction.
    fn implementation(
        &self,
        out: &mut Tokens<'a>,
        name: &Ident,
        old: &syn::Path,
        fallible: Fallible,
        body: &dyn Fn(&mut Tokens<'a>, To),
    ) {
        out.code("#[automatically_derived]#[allow(deprecated,unused,clippy::all)]impl $::convert::Convert<");
        out.tokens(old);
        out.code(">for ");
        out.tree(name.clone());
        out.group(Delimiter::Brace, |out| {
            out.code(if fallible == Fallible::Yes {
                "type Error=$::convert::Error;#[inline]fn upgrade"
            } else {
                "type Error=::core::convert::Infallible;#[inline]fn upgrade"
            });
            out.group(Delimiter::Parenthesis, |out| {
                out.code("__old:");
                out.tokens(old);
                out.code(",__context:&mut $::convert::Context");
            });
            out.code("->::core::result::Result<Self,Self::Error>");
            out.group(Delimiter::Brace, |out| body(out, To::New));
            out.code(
                "#[inline]fn downgrade(self,__context:&mut $::convert::Context)->::core::result::Result<",
            );
            out.tokens(old);
            out.code(",Self::Error>");
            out.group(Delimiter::Brace, |out| body(out, To::Old));
        });
    }

    /// Implements `From` both ways, or `TryFrom`. There is no object here that could keep the data that the other type
    /// cannot represent.
    fn from(&self, out: &mut Tokens<'a>) {
        let both = [
            (To::New, self.plan.old.to_token_stream(), self.plan.name.to_token_stream()),
            (To::Old, self.plan.name.to_token_stream(), self.plan.old.to_token_stream()),
        ];
        for (to, source, target) in both {
            out.code(if self.plan.fallible {
                "#[automatically_derived]#[allow(deprecated)]impl ::core::convert::TryFrom<"
            } else {
                "#[automatically_derived]#[allow(deprecated)]impl ::core::convert::From<"
            });
            out.tokens(&source);
            out.code(">for ");
            out.tokens(&target);
            out.group(Delimiter::Brace, |out| {
                out.code(if self.plan.fallible {
                    "type Error=$::convert::Error;#[inline]fn try_from"
                } else {
                    "#[inline]fn from"
                });
                out.group(Delimiter::Parenthesis, |out| {
                    out.code("it:");
                    out.tokens(&source);
                });
                out.code(match (self.plan.fallible, to) {
                    (false, To::New) => "->Self{$::convert::upgraded(it)}",
                    (false, To::Old) => "->Self{$::convert::downgraded(it)}",
                    (true, To::New) => {
                        "->::core::result::Result<Self,Self::Error>{\
                         $::convert::Convert::upgrade(it,&mut $::convert::Context::alone())}"
                    }
                    (true, To::Old) => {
                        "->::core::result::Result<Self,Self::Error>{\
                         $::convert::Convert::downgrade(it,&mut $::convert::Context::alone())}"
                    }
                });
            });
        }
    }

    /// The path of an item in the module that generated code calls, with a span.
    fn path(&self, out: &mut Tokens<'a>, name: &str, span: Span) {
        for token in &self.module {
            let mut token = token.clone();
            token.set_span(span);
            out.tree(token);
        }
        out.tree(Ident::new(name, span));
    }
}

/// The span for the names of generated variables. If the token is an argument of a `macro_rules!` macro around the
/// type, names with its own span would differ from the function's names.
fn here(span: Span) -> Span {
    span.resolved_at(Span::call_site())
}
