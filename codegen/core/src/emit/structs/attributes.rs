//! Attributes as text. No formatter of code lays out what is inside of attributes, and here that is most of
//! what there is to read.

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

impl Attribute {
    /// A doc comment.
    pub(super) fn docs(text: &str) -> Attribute {
        Attribute { name: "doc", content: Content::Docs(text.lines().map(str::to_owned).collect()) }
    }

    /// Writes it; all lines but the first are indented.
    pub(super) fn write(&self, indent: usize, out: &mut String) {
        let Attribute { name, content } = self;
        match content {
            Content::Keywords(keywords) => {
                out.push_str("#[");
                out.push_str(name);
                group(keywords, indent, 2, out);
                out.push(']');
            }
            Content::Docs(lines) => {
                for (i, line) in lines.iter().enumerate() {
                    if i > 0 {
                        newline(indent, out);
                    }
                    out.push_str("/// ");
                    // Alone it may not stand in a comment.
                    out.extend(line.chars().map(|c| if c == '\r' { ' ' } else { c }));
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
                newline(indent, out);
                out.push_str(")]");
            }
        }
    }
}

/// A new line with its indentation.
pub(super) fn newline(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

/// Lets something be written on the line, and takes it away if it does not fit with `after` characters behind it.
fn fits(after: usize, out: &mut String, write: impl FnOnce(&mut String)) -> bool {
    let before = out.len();
    let column = before - out.rfind('\n').map_or(0, |at| at + 1);
    write(out);
    let written = &out[before..];
    let fits = column + written.len() + after <= WIDTH && !written.contains('\n');
    if !fits {
        out.truncate(before);
    }
    fits
}

/// Writes items with a separator between them.
fn list<T>(items: impl IntoIterator<Item = T>, out: &mut String, mut write: impl FnMut(T, &mut String)) {
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write(item, out);
    }
}

/// `(key, …)`
fn group(keywords: &[Keyword], indent: usize, after: usize, out: &mut String) {
    if fits(after, out, |out| flat_group(keywords, out)) {
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

fn flat_group(keywords: &[Keyword], out: &mut String) {
    out.push('(');
    list(keywords, out, flat);
    out.push(')');
}

fn write(keyword: &Keyword, indent: usize, out: &mut String) {
    if fits(1, out, |out| flat(keyword, out)) {
        return;
    }
    out.push_str(keyword.key);
    match &keyword.arg {
        Arg::Flag => {}
        Arg::Json(Json(value)) => {
            out.push_str(" = ");
            json(value, indent, 1, out);
        }
        Arg::Nested(inner) => group(inner, indent, 1, out),
        Arg::Named(name, Json(value)) => {
            out.push('(');
            string(name, out);
            out.push_str(", ");
            json(value, indent, 2, out);
            out.push(')');
        }
        Arg::At(path, inner) => {
            out.push('(');
            newline(indent + 4, out);
            string(path, out);
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

/// A keyword on one line.
fn flat(keyword: &Keyword, out: &mut String) {
    out.push_str(keyword.key);
    match &keyword.arg {
        Arg::Flag => {}
        Arg::Json(Json(value)) => {
            out.push_str(" = ");
            literal(value, out);
        }
        Arg::Nested(inner) => flat_group(inner, out),
        Arg::Named(name, Json(value)) => {
            out.push('(');
            string(name, out);
            out.push_str(", ");
            literal(value, out);
            out.push(')');
        }
        Arg::At(path, inner) => {
            out.push('(');
            string(path, out);
            out.push_str(", ");
            list(inner, out, flat);
            out.push(')');
        }
    }
}

fn json(value: &Value, indent: usize, after: usize, out: &mut String) {
    if fits(after, out, |out| literal(value, out)) {
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
                string(name, out);
                out.push_str(": ");
                json(item, indent + 4, 1, out);
                if i + 1 < members.len() {
                    out.push(',');
                }
            }
            newline(indent, out);
            out.push('}');
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {
            literal(value, out);
        }
    }
}

/// A JSON literal, as Rust's tokens can have it.
fn literal(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Int(i) => out.push_str(&i.to_string()),
        // With a fraction or exponent, as Rust has its floats.
        Value::Float(f) => out.push_str(&format!("{f:?}")),
        Value::Str(s) => string(s, out),
        Value::List(items) => {
            out.push('[');
            list(items, out, literal);
            out.push(']');
        }
        Value::Map(members) if members.is_empty() => out.push_str("{}"),
        Value::Map(members) => {
            out.push_str("{ ");
            list(members.iter(), out, |(name, value), out| {
                string(name, out);
                out.push_str(": ");
                literal(value, out);
            });
            out.push_str(" }");
        }
    }
}

/// A string literal, raw where that reads better.
fn string(text: &str, out: &mut String) {
    let plain = |b: u8| (b' '..=b'~').contains(&b) && b != b'\\' && b != b'"';
    if text.bytes().all(plain) {
        out.push('"');
        out.push_str(text);
        out.push('"');
        return;
    }
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
            out.push_str(&format!("r{hashes}\"{text}\"{hashes}"));
            return;
        }
    }
    out.push_str(&proc_macro2::Literal::string(text).to_string());
}
