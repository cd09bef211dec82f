//! Keywords as tokens: `key`, `key = json`, `key(…)`.

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use quote::{format_ident, quote};

use super::model::{Arg, Json, Keyword};
use crate::value::Value;

/// `#[schema(…)]`, if there is anything to say.
pub(super) fn schema_attribute(keywords: &[Keyword]) -> Option<TokenStream> {
    (!keywords.is_empty()).then(|| attribute("schema", keywords))
}

/// `#[name(key, …)]`
pub(super) fn attribute(name: &str, keywords: &[Keyword]) -> TokenStream {
    let name = format_ident!("{name}");
    let keywords = keywords.iter().map(keyword);
    quote! { #[#name(#(#keywords),*)] }
}

fn keyword(keyword: &Keyword) -> TokenStream {
    let key = match keyword.key {
        // A word of the language.
        "ty" => quote!(ty),
        key => {
            let key = format_ident!("{key}");
            quote!(#key)
        }
    };
    match &keyword.arg {
        Arg::Flag => key,
        Arg::Json(Json(value)) => {
            let value = json(value);
            quote!(#key = #value)
        }
        Arg::Nested(inner) => {
            let inner = inner.iter().map(self::keyword);
            quote!(#key(#(#inner),*))
        }
        Arg::At(path, inner) => {
            let (path, inner) = (string(path), inner.iter().map(self::keyword));
            quote!(#key(#path, #(#inner),*))
        }
        Arg::Named(name, Json(value)) => {
            let (name, value) = (string(name), json(value));
            quote!(#key(#name, #value))
        }
    }
}

/// A JSON literal.
pub(super) fn json(value: &Value) -> TokenStream {
    match value {
        Value::Null => quote!(null),
        Value::Bool(b) => quote!(#b),
        Value::Int(i) => {
            let digits = Literal::u64_unsuffixed(i.unsigned_abs());
            if *i < 0 { quote!(-#digits) } else { quote!(#digits) }
        }
        Value::Float(f) => {
            let digits = Literal::f64_unsuffixed(f.abs());
            if f.is_sign_negative() { quote!(-#digits) } else { quote!(#digits) }
        }
        Value::Str(s) => string(s),
        Value::List(items) => {
            let items = items.iter().map(json);
            quote!([#(#items),*])
        }
        Value::Map(members) => {
            let members = members.iter().map(|(name, value)| {
                let (name, value) = (string(name), json(value));
                quote!(#name: #value)
            });
            let inner = quote!(#(#members),*);
            TokenTree::from(Group::new(Delimiter::Brace, inner)).into()
        }
    }
}

/// A string literal, raw where that reads better.
fn string(text: &str) -> TokenStream {
    let wants_raw = text.contains(['\\', '"']);
    let can_raw = !text.contains(|c: char| c.is_control() && c != '\n');
    if wants_raw && can_raw {
        let mut hashes = String::new();
        while text.contains(&format!("\"{hashes}")) && hashes.len() < 8 {
            hashes.push('#');
        }
        if let Ok(literal) = format!("r{hashes}\"{text}\"{hashes}").parse::<Literal>() {
            return quote!(#literal);
        }
    }
    let literal = Literal::string(text);
    quote!(#literal)
}
