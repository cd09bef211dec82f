//! JSON objects in string literals: their members, with the place of each in the literal.

use super::Reader;
use super::meta::{Arg, Meta};
use crate::diag::codes::rust as codes;
use crate::literal;
use crate::report::Spot;
use crate::value::Value;
use proc_macro2::{TokenStream, TokenTree};
use std::ops::Range;

/// A member of an object.
pub(super) struct Member {
    pub(super) key: String,
    pub(super) value: Value,
    /// Where the value is.
    pub(super) at: Spot,
}

/// The members of `key = "{ JSON }"`. Members that are not `known` have no effect: kube-derive ignores them, so projects
/// have some.
pub(super) fn members(r: &mut Reader<'_>, m: &Meta, known: &[&str]) -> Option<Vec<Member>> {
    let Arg::Value(tokens) = &m.arg else { return None };
    let Some(text) = tokens.text() else {
        r.form(m, &format!("{}(…), or JSON in a string", m.key));
        return None;
    };
    let spot = |part: Range<usize>| {
        let written = literal_of(&tokens.stream());
        let inside = written.and_then(|w| literal::written(&w, part).map(|range| (w, range)));
        Spot { span: m.value_span(), inside }
    };
    let value = match crate::json::read(text.as_bytes()) {
        Ok(value) => value,
        Err(error) => {
            let end = text.get(error.offset..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
            r.report.error(
                spot(error.offset..error.offset + end),
                &codes::ATTRIBUTE,
                format!("this is not JSON: {error}"),
                format!("or write {}(…)", m.key),
            );
            return None;
        }
    };
    let Value::Map(map) = value else {
        r.form(m, &format!("{}(…), or a JSON object in a string", m.key));
        return None;
    };
    let places = places(&text);
    let place = |key: &str| places.iter().rev().find(|p| p.key == key).cloned().unwrap_or_default();
    let mut out = Vec::new();
    for (key, value) in map {
        let Parts { name, value: part, .. } = place(&key);
        if known.contains(&key.as_str()) {
            out.push(Member { key, value, at: spot(part) });
            continue;
        }
        let help = super::did_you_mean(&key, known.iter().copied())
            .unwrap_or_else(|| format!("expected one of: {}", known.join(", ")));
        let message = format!("unknown key `{key}` in {}, which has no effect", m.key);
        r.report.warning(spot(name), &codes::UNKNOWN_KEY, message, help);
    }
    Some(out)
}

/// The string literal, if the tokens are one.
fn literal_of(tokens: &TokenStream) -> Option<String> {
    let mut all = tokens.clone().into_iter();
    match (all.next()?, all.next()) {
        (TokenTree::Literal(literal), None) => Some(literal.to_string()),
        (TokenTree::Group(group), None) => literal_of(&group.stream()),
        _ => None,
    }
}

/// The places of the parts of a member in the text of an object.
#[derive(Clone, Debug, Default, PartialEq)]
struct Parts {
    key: String,
    name: Range<usize>,
    value: Range<usize>,
}

/// The members of an object. Its text must be valid.
fn places(text: &str) -> Vec<Parts> {
    let mut out: Vec<Parts> = Vec::new();
    let (mut depth, mut at, mut named) = (0_usize, 0, false);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'{' | b'[' => (depth, at) = (depth + 1, at + 1),
            b'}' | b']' => (depth, at) = (depth.saturating_sub(1), at + 1),
            b',' if depth == 1 => (named, at) = (false, at + 1),
            b':' if depth == 1 => (named, at) = (true, at + 1),
            _ => at += 1,
        }
        let part = start..at.min(text.len());
        if depth == 0
            || text[part.clone()].trim().is_empty()
            || depth == 1 && matches!(bytes[start], b',' | b':')
        {
            continue;
        }
        match out.last_mut() {
            Some(last) if named && last.value.is_empty() => last.value = part,
            Some(last) if named => last.value.end = part.end,
            _ if bytes[start] == b'"' => {
                let key = crate::json::read(text[part.clone()].as_bytes()).ok();
                let key = key.and_then(|k| k.as_str().map(str::to_owned)).unwrap_or_default();
                out.push(Parts { key, name: part, value: 0..0 });
            }
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn members_are_found_again() {
        let text = r#" { "a" : "x, \"y\": }", "ä\u0041": [1, {"b": 2}] , "c":-1.5,"d" : {}}"#;
        let found = places(text);
        let all: Vec<(&str, &str, &str)> =
            found.iter().map(|p| (p.key.as_str(), &text[p.name.clone()], &text[p.value.clone()])).collect();
        assert_eq!(
            all,
            [
                ("a", r#""a""#, r#""x, \"y\": }""#),
                ("äA", r#""ä\u0041""#, r#"[1, {"b": 2}]"#),
                ("c", r#""c""#, "-1.5"),
                ("d", r#""d""#, "{}"),
            ]
        );
    }
}
