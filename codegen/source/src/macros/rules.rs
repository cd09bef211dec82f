//! The rules of a `macro_rules!` macro: the patterns that they match, and the code that they generate.

use super::fragment;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use std::collections::HashMap;

/// A macro that `macro_rules!` declares.
pub(crate) struct Macro {
    /// None if crdgen cannot read one of the rules.
    rules: Option<Vec<Rule>>,
}

struct Rule {
    pattern: Vec<Part>,
    code: Vec<Part>,
}

/// A part of a pattern, or of the code for it.
enum Part {
    Token(TokenTree),
    Group(Delimiter, Vec<Part>),
    /// `$name:fragment`, or `$name` in code.
    Variable(String, Option<String>),
    /// `$( … ) separator repeat`
    Repeat(Vec<Part>, Option<TokenTree>, char),
    /// `$crate`
    Crate,
}

/// What a variable of a pattern matched.
enum Bound {
    /// Tokens.
    Code(TokenStream),
    /// The matches of each repetition.
    Each(Vec<Bound>),
}

type Bindings = HashMap<String, Bound>;

impl Macro {
    /// Parses the rules between the braces of `macro_rules!`.
    pub(super) fn new(tokens: TokenStream) -> Macro {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let rules = tokens.split(|token| is(token, ';')).filter(|rule| !rule.is_empty());
        let rule = |rule: &[TokenTree]| match rule {
            [TokenTree::Group(pattern), a, b, TokenTree::Group(code)] if is(a, '=') && is(b, '>') => {
                Some(Rule {
                    pattern: parts(pattern.stream(), Side::Pattern)?,
                    code: parts(code.stream(), Side::Code)?,
                })
            }
            _ => None,
        };
        Macro { rules: rules.map(rule).collect() }
    }

    /// The code that a call becomes, by the first rule that matches. Tokens that are not from the call get `span`.
    /// `home` replaces `$crate`. `left` is how many more tokens macros may generate.
    pub(crate) fn expand(
        &self,
        call: TokenStream,
        span: Span,
        home: &TokenStream,
        left: &mut usize,
    ) -> Option<TokenStream> {
        let tokens: Vec<TokenTree> = call.into_iter().collect();
        let made = self.rules.as_ref()?.iter().find_map(|rule| {
            let mut bound = Bindings::new();
            let rest = matches(&rule.pattern, &tokens, &mut bound)?;
            let bound = bound.iter().map(|(name, bound)| (name.as_str(), bound)).collect();
            // The first rule that matches is used, even if its code cannot be generated.
            rest.is_empty().then(|| Writing { span, home, left: &mut *left }.parts(&rule.code, &bound))
        });
        made.flatten()
    }
}

fn is(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(it) if it.as_char() == sign)
}

/// A side of a rule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Pattern,
    Code,
}

/// Parses tokens into parts. Variables have a fragment only in patterns.
fn parts(tokens: TokenStream, side: Side) -> Option<Vec<Part>> {
    let mut out = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let part = match token {
            TokenTree::Punct(it) if it.as_char() == '$' => match tokens.next()? {
                TokenTree::Ident(name) if name == "crate" => Part::Crate,
                TokenTree::Ident(name) if side == Side::Pattern => {
                    let colon = tokens.next()?;
                    let TokenTree::Ident(fragment) = tokens.next().filter(|_| is(&colon, ':'))? else {
                        return None;
                    };
                    Part::Variable(name.to_string(), Some(fragment.to_string()))
                }
                TokenTree::Ident(name) => Part::Variable(name.to_string(), None),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                    let inside = parts(group.stream(), side)?;
                    let repeat =
                        |token: &TokenTree| ['*', '+', '?'].into_iter().find(|sign| is(token, *sign));
                    let next = tokens.next()?;
                    match repeat(&next) {
                        // In `$(…)+*`, the first of the two is the separator.
                        Some(sign)
                            if !tokens.peek().is_some_and(|it| sign == '+' && repeat(it).is_some()) =>
                        {
                            Part::Repeat(inside, None, sign)
                        }
                        _ => {
                            let sign = repeat(&tokens.next()?)?;
                            Part::Repeat(inside, Some(next), sign)
                        }
                    }
                }
                // `$$` and `${…}` are not stable.
                _ => return None,
            },
            TokenTree::Group(group) => Part::Group(group.delimiter(), parts(group.stream(), side)?),
            other => Part::Token(other),
        };
        out.push(part);
    }
    Some(out)
}

/// Matches the start of tokens. Returns the remaining tokens.
fn matches<'t>(pattern: &[Part], tokens: &'t [TokenTree], bound: &mut Bindings) -> Option<&'t [TokenTree]> {
    let mut rest = tokens;
    for part in pattern {
        rest = match part {
            Part::Token(wanted) => {
                let (first, rest) = rest.split_first()?;
                (!matches!(first, TokenTree::Group(_)) && first.to_string() == wanted.to_string())
                    .then_some(rest)?
            }
            Part::Group(delimiter, inside) => {
                let (TokenTree::Group(first), rest) = rest.split_first()? else { return None };
                let tokens: Vec<TokenTree> = first.stream().into_iter().collect();
                let is_so = first.delimiter() == *delimiter && matches(inside, &tokens, bound)?.is_empty();
                is_so.then_some(rest)?
            }
            Part::Variable(name, fragment) => {
                let (code, rest) = fragment::take(fragment.as_deref()?, rest)?;
                bound.insert(name.clone(), Bound::Code(code));
                rest
            }
            Part::Repeat(inside, separator, sign) => {
                repeated(inside, separator.as_ref(), *sign, rest, bound)?
            }
            Part::Crate => return None,
        };
    }
    Some(rest)
}

/// Matches a repetition as often as possible.
fn repeated<'t>(
    inside: &[Part],
    separator: Option<&TokenTree>,
    sign: char,
    tokens: &'t [TokenTree],
    bound: &mut Bindings,
) -> Option<&'t [TokenTree]> {
    let (mut all, mut rest): (Vec<Bindings>, _) = (Vec::new(), tokens);
    while sign != '?' || all.is_empty() {
        let after = match (separator, all.is_empty()) {
            (Some(separator), false) => match rest.split_first() {
                Some((first, after)) if first.to_string() == separator.to_string() => after,
                _ => break,
            },
            _ => rest,
        };
        let mut one = Bindings::new();
        match matches(inside, after, &mut one) {
            // A match without tokens would repeat forever.
            Some(next) if next.len() < rest.len() => rest = next,
            _ => break,
        }
        all.push(one);
    }
    if sign == '+' && all.is_empty() {
        return None;
    }
    // Variables must be known even if nothing matched.
    for name in names(inside) {
        let each = all.iter_mut().filter_map(|one| one.remove(name)).collect();
        bound.insert(name.to_owned(), Bound::Each(each));
    }
    Some(rest)
}

/// The names of the variables in parts.
fn names(parts: &[Part]) -> Vec<&str> {
    let mut out = Vec::new();
    for part in parts {
        match part {
            Part::Variable(name, _) => out.push(name.as_str()),
            Part::Group(_, inside) | Part::Repeat(inside, ..) => out.extend(names(inside)),
            Part::Token(_) | Part::Crate => {}
        }
    }
    out
}

/// Code under construction.
struct Writing<'c> {
    span: Span,
    home: &'c TokenStream,
    /// How many more tokens may be generated.
    left: &'c mut usize,
}

impl Writing<'_> {
    /// The code for some parts. None if it cannot be generated.
    fn parts(&mut self, parts: &[Part], bound: &HashMap<&str, &Bound>) -> Option<TokenStream> {
        let mut out = TokenStream::new();
        for part in parts {
            *self.left = self.left.checked_sub(1)?;
            match part {
                Part::Token(token) => {
                    let mut token = token.clone();
                    token.set_span(self.span);
                    out.extend([token]);
                }
                Part::Group(delimiter, inside) => {
                    let mut group = Group::new(*delimiter, self.parts(inside, bound)?);
                    group.set_span(self.span);
                    out.extend([TokenTree::Group(group)]);
                }
                Part::Crate => out.extend(self.home.clone()),
                Part::Variable(name, _) => match bound.get(name.as_str()) {
                    Some(Bound::Code(code)) => out.extend(code.clone()),
                    // The variable needs a repetition, or it belongs to a macro that this one declares.
                    Some(Bound::Each(_)) | None => return None,
                },
                Part::Repeat(inside, separator, _) => {
                    self.repeat(inside, separator.as_ref(), bound, &mut out)?
                }
            }
        }
        Some(out)
    }

    fn repeat(
        &mut self,
        inside: &[Part],
        separator: Option<&TokenTree>,
        bound: &HashMap<&str, &Bound>,
        out: &mut TokenStream,
    ) -> Option<()> {
        let each = names(inside).into_iter().filter_map(|name| match bound.get(name) {
            Some(Bound::Each(all)) => Some((name, all)),
            Some(Bound::Code(_)) | None => None,
        });
        let each: Vec<(&str, &Vec<Bound>)> = each.collect();
        let count = each.first()?.1.len();
        for number in 0..count {
            let mut bound = bound.clone();
            for (name, all) in &each {
                bound.insert(name, all.get(number)?);
            }
            if let Some(separator) = separator.filter(|_| number > 0) {
                let mut separator = separator.clone();
                separator.set_span(self.span);
                out.extend([separator]);
            }
            out.extend(self.parts(inside, &bound)?);
        }
        each.iter().all(|(_, all)| all.len() == count).then_some(())
    }
}
