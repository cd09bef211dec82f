//! Attributes as text. A formatter of code cannot lay out what is inside of attributes, and here that is
//! most of what there is to read: so the code it formats has numbers in their place, `#[__7]`, and the
//! attributes, laid out by this module, come in afterwards.

use proc_macro2::{Group, LexError, Literal, TokenStream, TokenTree};
use quote::quote;

use super::model::{Arg, Json, Keyword};
use crate::value::Value;

/// The longest line that is not broken.
const WIDTH: usize = 100;

/// An attribute.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    /// `derive`, `serde`, `schema` …
    pub(super) name: &'static str,
    /// What stands in its parentheses.
    pub(super) content: Content,
}

/// What stands in the parentheses of an attribute.
#[derive(Clone, Debug)]
pub(super) enum Content {
    /// Keys.
    Keywords(Vec<Keyword>),
    /// Paths.
    Words(Vec<String>),
    /// The lines of a doc comment, which are not in parentheses.
    Docs(Vec<String>),
}

/// Puts the attributes in the place of their numbers, and all of it behind a margin.
pub(super) fn insert(code: &str, attributes: &[Attribute], margin: usize, out: &mut String) {
    for line in code.lines() {
        let body = line.trim_start();
        let number = body.strip_prefix("#[__").and_then(|n| n.strip_suffix(']')).and_then(|n| n.parse().ok());
        let indent = margin + line.len() - body.len();
        out.extend(std::iter::repeat_n(' ', if body.is_empty() { 0 } else { indent }));
        match number.and_then(|n: usize| attributes.get(n)) {
            Some(attribute) => attribute.write(indent, out),
            None => out.push_str(body),
        }
        out.push('\n');
    }
}

/// Puts the attributes in the place of their numbers, in tokens.
pub(super) fn put(code: TokenStream, attributes: &[Attribute]) -> Result<TokenStream, LexError> {
    let mut out = TokenStream::new();
    let mut hash = false;
    for token in code {
        let TokenTree::Group(group) = token else {
            hash = matches!(&token, TokenTree::Punct(p) if p.as_char() == '#');
            out.extend([token]);
            continue;
        };
        let number = |word: &str| word.strip_prefix("__")?.parse::<usize>().ok();
        let numbered = if hash { number(&group.stream().to_string()) } else { None };
        let inner = match numbered.and_then(|n| attributes.get(n)) {
            Some(Attribute { content: Content::Docs(lines), .. }) => {
                let text = |line: &String| {
                    Literal::string(&if line.is_empty() { String::new() } else { format!(" {line}") })
                };
                let mut all = lines.iter().map(text).map(|text| quote!(doc = #text));
                let first = all.next().unwrap_or_default();
                // The hash before the first one is there already.
                let more: TokenStream = all.map(|doc| quote!(#[#doc])).collect();
                out.extend([TokenTree::Group(Group::new(group.delimiter(), first))]);
                out.extend(more);
                hash = false;
                continue;
            }
            Some(attribute) => {
                let mut text = String::new();
                attribute.write(0, &mut text);
                // The text has `#[` and `]` around it, and the tokens have them already.
                text[2..text.len() - 1].parse()?
            }
            None => put(group.stream(), attributes)?,
        };
        out.extend([TokenTree::Group(Group::new(group.delimiter(), inner))]);
        hash = false;
    }
    Ok(out)
}

impl Attribute {
    fn write(&self, indent: usize, out: &mut String) {
        let Attribute { name, content } = self;
        match content {
            Content::Keywords(keywords) => {
                out.push_str(&format!("#[{name}"));
                group(keywords, indent, 2, out);
                out.push(']');
            }
            Content::Docs(lines) => {
                for (i, line) in lines.iter().enumerate() {
                    if i > 0 {
                        newline(indent, out);
                    }
                    out.push_str("/// ");
                    out.push_str(line);
                    out.truncate(out.trim_end_matches(' ').len());
                }
            }
            Content::Words(words) => {
                let line = format!("#[{name}({})]", words.join(", "));
                if indent + line.len() <= WIDTH {
                    out.push_str(&line);
                    return;
                }
                out.push_str(&format!("#[{name}("));
                let mut column = WIDTH;
                for word in words {
                    if column + word.len() + 2 > WIDTH {
                        newline(indent + 4, out);
                        column = indent + 4;
                    } else {
                        out.push(' ');
                        column += 1;
                    }
                    out.push_str(word);
                    out.push(',');
                    column += word.len() + 1;
                }
                out.pop();
                newline(indent, out);
                out.push_str(")]");
            }
        }
    }
}

fn newline(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

/// The column at which `out` stands.
fn column(out: &str) -> usize {
    out.len() - out.rfind('\n').map_or(0, |at| at + 1)
}

/// Writes `flat` if it fits on the line with `after` characters behind it.
fn fits(flat: &str, after: usize, out: &mut String) -> bool {
    let fits = !flat.contains('\n') && column(out) + flat.len() + after <= WIDTH;
    if fits {
        out.push_str(flat);
    }
    fits
}

/// `(key, …)`
fn group(keywords: &[Keyword], indent: usize, after: usize, out: &mut String) {
    let flat: Vec<String> = keywords.iter().map(one_line).collect();
    if fits(&format!("({})", flat.join(", ")), after, out) {
        return;
    }
    out.push('(');
    for (i, keyword) in keywords.iter().enumerate() {
        newline(indent + 4, out);
        write(keyword, indent + 4, out);
        if i + 1 < keywords.len() {
            out.push(',');
        }
    }
    newline(indent, out);
    out.push(')');
}

fn write(keyword: &Keyword, indent: usize, out: &mut String) {
    if fits(&one_line(keyword), 1, out) {
        return;
    }
    let key = keyword.key;
    match &keyword.arg {
        Arg::Flag => out.push_str(key),
        Arg::Json(Json(value)) => {
            out.push_str(&format!("{key} = "));
            json(value, indent, 1, out);
        }
        Arg::Nested(inner) => {
            out.push_str(key);
            group(inner, indent, 1, out);
        }
        Arg::Named(name, Json(value)) => {
            out.push_str(&format!("{key}({}, ", string(name)));
            json(value, indent, 2, out);
            out.push(')');
        }
        Arg::At(path, inner) => {
            out.push_str(&format!("{key}("));
            newline(indent + 4, out);
            out.push_str(&string(path));
            for keyword in inner {
                out.push(',');
                newline(indent + 4, out);
                write(keyword, indent + 4, out);
            }
            newline(indent, out);
            out.push(')');
        }
    }
}

fn one_line(keyword: &Keyword) -> String {
    let key = keyword.key;
    let list = |inner: &[Keyword]| inner.iter().map(one_line).collect::<Vec<_>>().join(", ");
    match &keyword.arg {
        Arg::Flag => key.to_owned(),
        Arg::Json(Json(value)) => format!("{key} = {}", literal(value)),
        Arg::Nested(inner) => format!("{key}({})", list(inner)),
        Arg::Named(name, Json(value)) => format!("{key}({}, {})", string(name), literal(value)),
        Arg::At(path, inner) => format!("{key}({}, {})", string(path), list(inner)),
    }
}

fn json(value: &Value, indent: usize, after: usize, out: &mut String) {
    if fits(&literal(value), after, out) {
        return;
    }
    match value {
        Value::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                newline(indent + 4, out);
                json(item, indent + 4, 1, out);
                if i + 1 < items.len() {
                    out.push(',');
                }
            }
            newline(indent, out);
            out.push(']');
        }
        Value::Map(members) => {
            out.push('{');
            for (i, (name, item)) in members.iter().enumerate() {
                newline(indent + 4, out);
                out.push_str(&format!("{}: ", string(name)));
                json(item, indent + 4, 1, out);
                if i + 1 < members.len() {
                    out.push(',');
                }
            }
            newline(indent, out);
            out.push('}');
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {
            out.push_str(&literal(value));
        }
    }
}

/// A JSON literal, as Rust's tokens can have it.
fn literal(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => i.to_string(),
        // With a fraction or exponent, as Rust has its floats.
        Value::Float(f) => format!("{f:?}"),
        Value::Str(s) => string(s),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(literal).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(members) => {
            let members: Vec<String> =
                members.iter().map(|(name, value)| format!("{}: {}", string(name), literal(value))).collect();
            if members.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", members.join(", ")) }
        }
    }
}

/// A string literal, raw where that reads better.
fn string(text: &str) -> String {
    let wants_raw = text.contains(['\\', '"', '\n']);
    let odd = |c: char| {
        (c.is_control() && c != '\n')
            || ('\u{202a}'..='\u{202e}').contains(&c)
            || ('\u{2066}'..='\u{2069}').contains(&c)
    };
    if wants_raw && !text.contains(odd) {
        let mut hashes = String::new();
        while text.contains(&format!("\"{hashes}")) {
            hashes.push('#');
        }
        if hashes.len() < 8 {
            return format!("r{hashes}\"{text}\"{hashes}");
        }
    }
    proc_macro2::Literal::string(text).to_string()
}
