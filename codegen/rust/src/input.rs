//! Reads the item that a derive gets, if it has the usual form: named or numbered fields whose types are paths,
//! attributes, and no generics. Derives run without optimization in debug builds, and syn would take longer for such
//! items than everything after it. For all other items, and for all errors, syn is used.

use crate::syntax::nesting;
use proc_macro2::{Delimiter, Group, Ident, Punct, TokenStream, TokenTree, token_stream};
use syn::punctuated::Punctuated;
use syn::{Token, token};

/// Parses the item in the tokens.
pub fn parse(tokens: TokenStream) -> syn::Result<syn::DeriveInput> {
    let plain = Tokens::of(tokens.clone()).item();
    plain.map_or_else(|| nesting::parse2(tokens), Ok)
}

/// syn reads types that are nested deeper, and their nesting is checked before.
const MAX_DEPTH: usize = 100;

/// Tokens with one token of lookahead.
struct Tokens {
    next: Option<TokenTree>,
    rest: token_stream::IntoIter,
    /// How many lists of generics are open.
    depth: usize,
}

/// Methods return none if syn must read the item.
impl Tokens {
    fn of(tokens: TokenStream) -> Tokens {
        let mut rest = tokens.into_iter();
        Tokens { next: rest.next(), rest, depth: 0 }
    }

    fn take(&mut self) -> Option<TokenTree> {
        std::mem::replace(&mut self.next, self.rest.next())
    }

    fn is(&self, c: char) -> bool {
        matches!(&self.next, Some(TokenTree::Punct(p)) if p.as_char() == c)
    }

    fn punct(&mut self, c: char) -> Option<Punct> {
        if !self.is(c) {
            return None;
        }
        match self.take()? {
            TokenTree::Punct(punct) => Some(punct),
            TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Literal(_) => None,
        }
    }

    fn ident(&mut self) -> Option<Ident> {
        match self.take()? {
            TokenTree::Ident(ident) => Some(ident),
            TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
        }
    }

    fn group(&mut self, delimiter: Delimiter) -> Option<Group> {
        match self.take()? {
            TokenTree::Group(group) if group.delimiter() == delimiter => Some(group),
            TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
        }
    }

    fn end(&self) -> Option<()> {
        self.next.is_none().then_some(())
    }

    fn item(mut self) -> Option<syn::DeriveInput> {
        let (attrs, vis) = (self.attributes()?, self.visibility()?);
        let keyword = self.ident()?;
        let ident = self.ident()?;
        let data = if keyword == "struct" {
            let fields = self.fields()?;
            let semi_token = match fields {
                syn::Fields::Named(_) => None,
                syn::Fields::Unnamed(_) | syn::Fields::Unit => Some(Token![;](self.punct(';')?.span())),
            };
            syn::Data::Struct(syn::DataStruct {
                struct_token: Token![struct](keyword.span()),
                fields,
                semi_token,
            })
        } else if keyword == "enum" {
            let group = self.group(Delimiter::Brace)?;
            let brace_token = token::Brace(group.delim_span());
            let variants = Tokens::of(group.stream()).list(Tokens::variant)?;
            syn::Data::Enum(syn::DataEnum { enum_token: Token![enum](keyword.span()), brace_token, variants })
        } else {
            return None;
        };
        self.end()?;
        Some(syn::DeriveInput { attrs, vis, ident, generics: syn::Generics::default(), data })
    }

    /// Reads all remaining tokens as a list with commas.
    fn list<T>(mut self, one: fn(&mut Tokens) -> Option<T>) -> Option<Punctuated<T, Token![,]>> {
        let mut out = Punctuated::new();
        while self.next.is_some() {
            out.push_value(one(&mut self)?);
            if self.next.is_some() {
                out.push_punct(Token![,](self.punct(',')?.span()));
            }
        }
        Some(out)
    }

    fn fields(&mut self) -> Option<syn::Fields> {
        Some(match &self.next {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let group = self.group(Delimiter::Brace)?;
                let brace_token = token::Brace(group.delim_span());
                let named = Tokens::of(group.stream()).list(Tokens::named)?;
                syn::Fields::Named(syn::FieldsNamed { brace_token, named })
            }
            Some(TokenTree::Group(_)) => {
                let group = self.group(Delimiter::Parenthesis)?;
                let paren_token = token::Paren(group.delim_span());
                let unnamed = Tokens::of(group.stream()).list(Tokens::unnamed)?;
                syn::Fields::Unnamed(syn::FieldsUnnamed { paren_token, unnamed })
            }
            Some(TokenTree::Punct(_)) | None => syn::Fields::Unit,
            Some(TokenTree::Ident(_) | TokenTree::Literal(_)) => return None,
        })
    }

    fn variant(&mut self) -> Option<syn::Variant> {
        let (attrs, ident, fields) = (self.attributes()?, self.ident()?, self.fields()?);
        Some(syn::Variant { attrs, ident, fields, discriminant: None })
    }

    fn named(&mut self) -> Option<syn::Field> {
        let (attrs, vis) = (self.attributes()?, self.visibility()?);
        let ident = Some(self.ident()?);
        let colon_token = Some(Token![:](self.punct(':')?.span()));
        let ty = self.path_type()?;
        let modifiers = syn::FieldModifiers::default();
        Some(syn::Field { attrs, vis, modifiers, ident, colon_token, ty, default: None })
    }

    fn unnamed(&mut self) -> Option<syn::Field> {
        let (attrs, vis, ty) = (self.attributes()?, self.visibility()?, self.path_type()?);
        let modifiers = syn::FieldModifiers::default();
        Some(syn::Field { attrs, vis, modifiers, ident: None, colon_token: None, ty, default: None })
    }

    fn visibility(&mut self) -> Option<syn::Visibility> {
        if !matches!(&self.next, Some(TokenTree::Ident(ident)) if ident == "pub") {
            return Some(syn::Visibility::Inherited);
        }
        let span = self.ident()?.span();
        // `pub(crate)`, or a public field of a tuple.
        (!matches!(self.next, Some(TokenTree::Group(_)))).then(|| syn::Visibility::Public(Token![pub](span)))
    }

    fn attributes(&mut self) -> Option<Vec<syn::Attribute>> {
        let mut out = Vec::new();
        while let Some(pound) = self.punct('#') {
            let group = self.group(Delimiter::Bracket)?;
            out.push(syn::Attribute {
                pound_token: Token![#](pound.span()),
                style: syn::AttrStyle::Outer,
                bracket_token: token::Bracket(group.delim_span()),
                meta: Tokens::of(group.stream()).meta()?,
            });
        }
        Some(out)
    }

    fn meta(mut self) -> Option<syn::Meta> {
        let path = syn::Path::from(self.ident()?);
        let meta = match self.take() {
            None => syn::Meta::Path(path),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                let delimiter = syn::MacroDelimiter::Paren(token::Paren(group.delim_span()));
                syn::Meta::List(syn::MetaList { path, delimiter, tokens: group.stream() })
            }
            Some(TokenTree::Punct(eq)) if eq.as_char() == '=' => match self.take()? {
                // The literal of a doc comment is only parsed where it is needed.
                TokenTree::Literal(literal) => {
                    let lit = syn::Lit::Verbatim(literal);
                    let value = syn::Expr::Lit(syn::ExprLit { attrs: Vec::new(), lit });
                    syn::Meta::NameValue(syn::MetaNameValue { path, eq_token: Token![=](eq.span()), value })
                }
                TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Punct(_) => return None,
            },
            Some(_) => return None,
        };
        self.end()?;
        Some(meta)
    }

    fn path_type(&mut self) -> Option<syn::Type> {
        let leading_colon = if self.is(':') { Some(self.colons()?) } else { None };
        let mut segments = Punctuated::new();
        loop {
            segments.push_value(self.segment()?);
            if !self.is(':') {
                break;
            }
            segments.push_punct(self.colons()?);
        }
        let path = syn::Path { leading_colon, segments };
        Some(syn::Type::Path(syn::TypePath { attrs: Vec::new(), qself: None, path }))
    }

    fn colons(&mut self) -> Option<Token![::]> {
        let (first, second) = (self.punct(':')?, self.punct(':')?);
        Some(Token![::]([first.span(), second.span()]))
    }

    fn segment(&mut self) -> Option<syn::PathSegment> {
        let ident = self.ident()?;
        let name = ident.to_string();
        // These words begin types of other forms. Arguments end the path.
        if matches!(&*name, "_" | "dyn" | "extern" | "fn" | "for" | "impl" | "unsafe") {
            return None;
        }
        let Some(lt) = self.punct('<') else {
            return Some(ident.into());
        };
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut args = Punctuated::new();
        while !self.is('>') {
            args.push_value(syn::GenericArgument::Type(self.path_type()?));
            if !self.is('>') {
                args.push_punct(Token![,](self.punct(',')?.span()));
            }
        }
        self.depth -= 1;
        let arguments = syn::PathArguments::AngleBracketed(syn::AngleBracketedGenericArguments {
            colon2_token: None,
            lt_token: Token![<](lt.span()),
            args,
            gt_token: Token![>](self.punct('>')?.span()),
        });
        Some(syn::PathSegment { ident, arguments })
    }
}

#[cfg(test)]
mod tests {
    use super::Tokens;
    use proc_macro2::TokenStream;
    use quote::ToTokens;

    /// The result is the same as that of syn.
    #[test]
    fn reads_the_same_as_syn() {
        for (source, plain) in [
            ("struct A;", true),
            ("struct A {}", true),
            ("/// Text.\n#[x] #[y(a = 1, b)] pub struct A { pub r#type: Vec<Option<String>>, }", true),
            ("struct A { a: ::std::collections::BTreeMap<String, crate::B>, #[z] b: self::C }", true),
            ("pub struct A(pub String, #[serde(default)] B<C,>);", true),
            ("enum A { #[doc = r\"x\"] B, C(D, E,), F { g: H } }", true),
            ("enum A {}", true),
            ("struct A<T> { a: T }", false),
            ("struct A where String: Clone { a: u8 }", false),
            ("struct A { pub(crate) a: u8 }", false),
            ("struct A { a: [u8; 4] }", false),
            ("struct A { a: &'static str }", false),
            ("struct A { a: Cow<'static, str> }", false),
            ("struct A { a: Box<dyn B> }", false),
            ("struct A { a: fn(u8) -> u8 }", false),
            ("struct A { a: Vec::<u8> }", false),
            ("struct A { a: <u8 as B>::C }", false),
            ("struct A { a: b!() }", false),
            ("enum A { B = 1 }", false),
            ("#[a::b] struct A;", false),
            ("#[doc = include_str!(\"x\")] struct A;", false),
            ("union A { a: u8 }", false),
        ] {
            let tokens: TokenStream = source.parse().unwrap();
            let ours = Tokens::of(tokens.clone()).item();
            assert_eq!(ours.is_some(), plain, "{source}");
            let theirs: syn::DeriveInput = syn::parse2(tokens.clone()).unwrap();
            if let Some(ours) = ours {
                let text = |it: &syn::DeriveInput| it.to_token_stream().to_string();
                assert_eq!(text(&ours), text(&theirs));
            }
        }
        for wrong in ["struct A { a u8 }", "struct A", "struct A { a: }", "struct A { a: B<C }", "struct"] {
            let tokens: TokenStream = wrong.parse().unwrap();
            assert!(Tokens::of(tokens).item().is_none(), "{wrong}");
        }
    }
}
