//! The content of `#[name(…)]`, key by key: flags, values, lists. The tokens are split at top-level commas without
//! being parsed, so that one bad value does not hide the keys after it.

use super::super::literal::text_of;
use super::super::report::Report;
use crate::diag::codes::rust as codes;
use crate::value::{Map, Value};
use proc_macro2::{Delimiter, Group, Spacing, Span, TokenStream, TokenTree};

/// One key with what follows it.
#[derive(Clone, Debug)]
pub struct Meta {
    /// The key. Paths contain `::`, and keys written as strings are unchanged.
    pub key: String,
    /// Where the key is.
    pub span: Span,
    /// Whether there is a `!` before it.
    pub negated: bool,
    /// What follows.
    pub arg: Arg,
}

/// What follows a key.
#[derive(Clone, Debug)]
pub enum Arg {
    /// Nothing.
    Flag,
    /// `= tokens`
    Value(Given),
    /// `(tokens)`
    List(Group),
}

/// What follows `=`. This is nearly always one literal. It is not put into a stream, because that would need a call to
/// the compiler.
#[derive(Clone, Debug)]
pub struct Given(Vec<TokenTree>);

impl Given {
    /// Returns the tokens.
    pub fn stream(&self) -> TokenStream {
        self.0.iter().cloned().collect()
    }

    /// Returns the text, if this is one string.
    pub fn text(&self) -> Option<String> {
        string_in(&self.0)
    }

    /// Returns the value that this is as JSON, or the place of what is not JSON.
    pub fn json(&self) -> Result<Value, Span> {
        json(&self.0, 0, &mut Names::Literal)
    }

    /// Returns the span of the tokens, or `otherwise` if there are none.
    pub fn span(&self, otherwise: Span) -> Span {
        span_in(&self.0, otherwise)
    }
}

impl From<TokenStream> for Given {
    fn from(tokens: TokenStream) -> Given {
        Given(tokens.into_iter().collect())
    }
}

impl Meta {
    /// The span of what follows, or of the key.
    pub fn value_span(&self) -> Span {
        match &self.arg {
            Arg::Flag => self.span,
            Arg::Value(tokens) => tokens.span(self.span),
            Arg::List(group) => group.span(),
        }
    }
}

/// The span of the first to the last token (where the compiler can join them), or `otherwise`.
fn span_in(tokens: &[TokenTree], otherwise: Span) -> Span {
    match tokens {
        [] => otherwise,
        [one] => one.span(),
        [first, .., last] => first.span().join(last.span()).unwrap_or_else(|| first.span()),
    }
}

/// Splits tokens at top-level commas.
pub fn split(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut out = vec![Vec::new()];
    let mut angles = 0_usize;
    for token in tokens {
        match &token {
            TokenTree::Punct(p) if p.as_char() == ',' && angles == 0 => {
                out.push(Vec::new());
                continue;
            }
            // These are generic arguments after `::<`, since attributes contain no comparisons.
            TokenTree::Punct(p) if p.as_char() == '<' => angles += 1,
            TokenTree::Punct(p) if p.as_char() == '>' => angles = angles.saturating_sub(1),
            TokenTree::Punct(_) | TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Literal(_) => {}
        }
        if let Some(last) = out.last_mut() {
            last.push(token);
        }
    }
    out.retain(|part| !part.is_empty());
    out
}

/// The keys in a list.
pub fn metas(tokens: TokenStream, report: &mut Report) -> Vec<Meta> {
    split(tokens).into_iter().filter_map(|part| meta(&part, report)).collect()
}

fn meta(part: &[TokenTree], report: &mut Report) -> Option<Meta> {
    let mut rest = part;
    let first = rest.first()?;
    let negated = is_punct(first, '!');
    if negated {
        rest = &rest[1..];
    }
    let (key, span) = match rest.first() {
        Some(TokenTree::Ident(ident)) => {
            let (mut key, span) = (unraw(&ident.to_string()), ident.span());
            rest = &rest[1..];
            while let [TokenTree::Punct(a), TokenTree::Punct(b), TokenTree::Ident(ident), tail @ ..] = rest
                && a.as_char() == ':'
                && a.spacing() == Spacing::Joint
                && b.as_char() == ':'
            {
                key.push_str("::");
                key.push_str(&unraw(&ident.to_string()));
                rest = tail;
            }
            (key, span)
        }
        Some(TokenTree::Literal(literal)) => {
            let key = text_of(literal)?;
            rest = &rest[1..];
            (key, literal.span())
        }
        _ => {
            report.error(
                span_in(part, first.span()),
                &codes::ATTRIBUTE,
                "expected a key",
                "write `key`, `key = value` or `key(…)`, separated by commas",
            );
            return None;
        }
    };
    let arg = match rest {
        [] => Arg::Flag,
        [eq, value @ ..] if is_punct(eq, '=') && !value.is_empty() => Arg::Value(Given(value.to_vec())),
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => Arg::List(group.clone()),
        [eq] if is_punct(eq, '=') => {
            report.error(
                eq.span(),
                &codes::ATTRIBUTE,
                format!("`{key} =` without a value"),
                "write the value after `=`",
            );
            return None;
        }
        [odd, ..] => {
            report.error(
                odd.span(),
                &codes::ATTRIBUTE,
                format!("unexpected `{odd}` after `{key}`"),
                format!("write `{key}`, `{key} = value` or `{key}(…)`, and a comma before the next key"),
            );
            return None;
        }
    };
    Some(Meta { key, span, negated, arg })
}

fn unraw(ident: &str) -> String {
    ident.strip_prefix("r#").unwrap_or(ident).to_owned()
}

fn is_punct(token: &TokenTree, c: char) -> bool {
    matches!(token, TokenTree::Punct(p) if p.as_char() == c)
}

/// The text of a string literal, also inside `&"…"`, `concat!("…")` and parentheses.
pub fn string_of(tokens: TokenStream) -> Option<String> {
    string_in(&tokens.into_iter().collect::<Vec<_>>())
}

fn string_in(tokens: &[TokenTree]) -> Option<String> {
    match tokens {
        [TokenTree::Literal(literal)] => text_of(literal),
        [TokenTree::Punct(p), rest @ ..] if p.as_char() == '&' => string_in(rest),
        [TokenTree::Group(group)]
            if group.delimiter() != Delimiter::Brace && group.delimiter() != Delimiter::Bracket =>
        {
            string_of(group.stream())
        }
        [TokenTree::Ident(name), TokenTree::Punct(p), TokenTree::Group(group)]
            if name == "concat" && p.as_char() == '!' =>
        {
            split(group.stream()).iter().map(|part| string_in(part)).collect()
        }
        _ => None,
    }
}

/// JSON as Rust tokens. An error is the span of what is not JSON.
pub fn json_of(tokens: TokenStream) -> Result<Value, Span> {
    json(&tokens.into_iter().collect::<Vec<_>>(), 0, &mut Names::Literal)
}

/// The first number that is too large for a float.
pub(super) fn infinite(tokens: TokenStream) -> Option<proc_macro2::Literal> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) => infinite(group.stream()),
        TokenTree::Literal(literal) => {
            let is_infinite = match syn::Lit::new(literal.clone()) {
                syn::Lit::Int(int) => int.base10_digits().parse::<f64>().is_ok_and(f64::is_infinite),
                syn::Lit::Float(float) => float.base10_parse::<f64>().is_ok_and(f64::is_infinite),
                _ => false,
            };
            is_infinite.then_some(literal)
        }
        TokenTree::Ident(_) | TokenTree::Punct(_) => None,
    })
}

/// The same if expressions may replace keys and values, as in `json!`.
pub fn json_with(
    tokens: TokenStream,
    expression: &mut dyn FnMut(&[TokenTree]) -> Option<Value>,
) -> Result<Value, Span> {
    json(&tokens.into_iter().collect::<Vec<_>>(), 0, &mut Names::Expressions(expression))
}

/// What names in JSON are.
enum Names<'e> {
    /// Keys without quotes, as in attributes.
    Literal,
    /// Expressions, as in `json!`.
    Expressions(&'e mut dyn FnMut(&[TokenTree]) -> Option<Value>),
}

impl Names<'_> {
    fn value(&mut self, tokens: &[TokenTree]) -> Option<Value> {
        match self {
            Names::Literal => None,
            Names::Expressions(expression) => expression(tokens),
        }
    }

    fn key(&mut self, tokens: &[TokenTree]) -> Option<String> {
        match (&mut *self, tokens) {
            (Names::Literal, [TokenTree::Ident(ident)]) => Some(unraw(&ident.to_string())),
            (Names::Literal, _) => string_in(tokens),
            (Names::Expressions(expression), _) => string_in(tokens).or_else(|| match expression(tokens)? {
                Value::Str(key) => Some(key),
                Value::Null
                | Value::Bool(_)
                | Value::Int(_)
                | Value::Float(_)
                | Value::List(_)
                | Value::Map(_) => None,
            }),
        }
    }
}

fn json(all: &[TokenTree], depth: usize, names: &mut Names<'_>) -> Result<Value, Span> {
    let Some(first) = all.first() else { return Err(Span::call_site()) };
    if depth > 200 {
        return Err(first.span());
    }
    match all {
        [TokenTree::Group(group)] => match group.delimiter() {
            Delimiter::Bracket => {
                let items = split(group.stream());
                items
                    .iter()
                    .map(|part| json(part, depth + 1, names))
                    .collect::<Result<_, _>>()
                    .map(Value::List)
            }
            Delimiter::Brace => {
                let members = split(group.stream()).into_iter();
                let members =
                    members.map(|part| member(&part, depth, names)).collect::<Result<Vec<_>, _>>()?;
                let mut keys = std::collections::HashSet::new();
                match members.iter().find(|(key, ..)| !keys.insert(key.as_str())) {
                    Some((.., span)) => Err(*span),
                    None => {
                        let members = members.into_iter().map(|(key, value, _)| (key, value));
                        Ok(Value::Map(members.collect::<Map<_>>()))
                    }
                }
            }
            Delimiter::Parenthesis | Delimiter::None => {
                json(&group.stream().into_iter().collect::<Vec<_>>(), depth + 1, names)
            }
        },
        [TokenTree::Ident(word)] => match word.to_string().as_str() {
            "null" | "None" => Ok(Value::Null),
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ => names.value(all).ok_or(word.span()),
        },
        [TokenTree::Punct(minus), TokenTree::Literal(_)] if minus.as_char() == '-' => {
            match json(&all[1..], depth + 1, names)? {
                Value::Int(i) => Ok(Value::Int(i.wrapping_neg())),
                // 9223372036854775808 is too large for an i64, but its negation is not.
                Value::Float(f) if f == 9223372036854775808.0 && is_int(&all[1]) => Ok(Value::Int(i64::MIN)),
                Value::Float(f) => Ok(Value::Float(-f)),
                Value::Null | Value::Bool(_) | Value::Str(_) | Value::List(_) | Value::Map(_) => {
                    Err(first.span())
                }
            }
        }
        [TokenTree::Literal(literal)] => match syn::Lit::new(literal.clone()) {
            syn::Lit::Str(s) => Ok(Value::Str(s.value())),
            syn::Lit::Char(c) => Ok(Value::Str(c.value().to_string())),
            syn::Lit::Int(i) => match i.base10_parse::<i64>() {
                Ok(i) => Ok(Value::Int(i)),
                Err(_) => i.base10_digits().parse().map(Value::Float).map_err(|_| i.span()),
            },
            // serde writes the nearest `f64` of the `f32`.
            syn::Lit::Float(f) if f.suffix() == "f32" => {
                f.base10_parse::<f32>().map(|it| Value::Float(it.into())).map_err(|_| f.span())
            }
            syn::Lit::Float(f) => f.base10_parse().map(Value::Float).map_err(|_| f.span()),
            syn::Lit::Bool(b) => Ok(Value::Bool(b.value)),
            _ => Err(literal.span()),
        },
        _ => match string_in(all) {
            Some(s) => Ok(Value::Str(s)),
            None => names.value(all).ok_or_else(|| span_in(all, first.span())),
        },
    }
}

fn is_int(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Literal(l) if matches!(syn::Lit::new(l.clone()), syn::Lit::Int(_)))
}

/// A member of an object, and the place of its key.
fn member(part: &[TokenTree], depth: usize, names: &mut Names<'_>) -> Result<(String, Value, Span), Span> {
    let Some(first) = part.first() else { return Err(Span::call_site()) };
    let is_path = |a: &TokenTree, b: &TokenTree| {
        matches!(a, TokenTree::Punct(p) if p.as_char() == ':' && p.spacing() == Spacing::Joint)
            && is_punct(b, ':')
    };
    let is_colon = |at: &usize| {
        is_punct(&part[*at], ':')
            && !part.get(at + 1).is_some_and(|next| is_path(&part[*at], next))
            && !at.checked_sub(1).is_some_and(|before| is_path(&part[before], &part[*at]))
    };
    let Some(colon) = (1..part.len()).find(is_colon) else { return Err(first.span()) };
    let (key, value) = (&part[..colon], &part[colon + 1..]);
    let span = span_in(key, first.span());
    let name = names.key(key).ok_or(span)?;
    if value.is_empty() {
        return Err(span);
    }
    Ok((name, json(value, depth + 1, names)?, span))
}
