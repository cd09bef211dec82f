//! Conditional compilation: evaluates `cfg` predicates with the configuration of the crate.

use crdgen_rust::attrs::meta::{split, string_of};
use proc_macro2::{TokenStream, TokenTree};

/// The configuration of a crate: flags (`unix`) and pairs (`feature = "x"`, `target_os = "linux"`).
#[derive(Clone, Debug, Default)]
pub struct Cfgs {
    /// The flags that are set.
    pub flags: Vec<String>,
    /// The keys that are set, each with its value.
    pub pairs: Vec<(String, String)>,
}

impl Cfgs {
    /// Returns whether a predicate is true.
    pub fn enabled(&self, predicate: &TokenStream) -> bool {
        self.tokens(&predicate.clone().into_iter().collect::<Vec<_>>(), 0)
    }

    /// Returns whether a predicate is true. None if that depends on the profile with which the crate is compiled.
    pub fn known(&self, predicate: &TokenStream) -> Option<bool> {
        fn depends(tokens: TokenStream) -> bool {
            tokens.into_iter().any(|token| match token {
                TokenTree::Ident(name) => {
                    ["debug_assertions", "overflow_checks", "test", "panic"].iter().any(|it| name == it)
                }
                TokenTree::Group(group) => depends(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => false,
            })
        }
        (!depends(predicate.clone())).then(|| self.enabled(predicate))
    }

    fn tokens(&self, tokens: &[TokenTree], depth: usize) -> bool {
        if depth > 100 {
            return false;
        }
        match tokens {
            [TokenTree::Ident(flag)] => flag == "true" || self.flags.iter().any(|f| flag == f),
            [TokenTree::Ident(key), TokenTree::Punct(eq), value @ ..] if eq.as_char() == '=' => {
                let value = string_of(value.iter().cloned().collect());
                self.pairs.iter().any(|(k, v)| key == k && Some(v) == value.as_ref())
            }
            [TokenTree::Ident(word), TokenTree::Group(group)] => {
                let mut parts = split(group.stream()).into_iter().map(|part| self.tokens(&part, depth + 1));
                match word.to_string().as_str() {
                    "all" => parts.all(|b| b),
                    "any" => parts.any(|b| b),
                    "not" => !parts.next().unwrap_or(true),
                    _ => false,
                }
            }
            _ => false,
        }
    }
}
