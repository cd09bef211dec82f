//! Writes attributes as rustfmt formats them. rustfmt formats only lists of keys with literals; it leaves attributes
//! with JSON lists and maps as they are.

use super::model::{Arg, Json, Keyword};
use crate::inert;
use crate::value::Value;

/// The longest line that is not broken.
pub(super) const WIDTH: usize = 100;

/// The longest line of derives.
const DERIVES: usize = 96;

/// The maximum width of several keys on one line.
const KEYS: usize = 70;

#[derive(Clone, Debug)]
pub(super) struct Attribute {
    /// `derive`, `serde`, `schema` …
    pub(super) name: &'static str,
    /// The content of its parentheses.
    pub(super) content: Content,
}

/// The content of the parentheses of an attribute.
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

    /// Writes the attribute. All lines except the first are indented.
    pub(super) fn write(&self, indent: usize, out: &mut String) {
        let Attribute { name, content } = self;
        match content {
            Content::Keywords(keywords) => {
                out.push_str("#[");
                out.push_str(name);
                let keys = if keywords.iter().all(is_plain) { KEYS } else { WIDTH };
                // rustfmt reserves room for a comma after an attribute of a field.
                group(keywords, Layout { indent, keys }, 2, out);
                out.push(']');
            }
            Content::Docs(lines) => {
                for (i, line) in lines.iter().enumerate() {
                    if i > 0 {
                        newline(indent, out);
                    }
                    out.push_str("/// ");
                    // The compiler rejects some invisible characters in comments, and editors interpret others.
                    out.push_str(&inert::text(line));
                    out.truncate(out.trim_end_matches(' ').len());
                }
            }
            Content::Words(words) => {
                let line = words.join(", ");
                if indent + line.len() + "#[()]".len() + name.len() <= DERIVES {
                    out.push_str(&format!("#[{name}({line})]"));
                    return;
                }
                out.push_str(&format!("#[{name}("));
                let lines = if indent + 4 + line.len() <= WIDTH { vec![line] } else { words.clone() };
                for line in lines {
                    newline(indent + 4, out);
                    out.push_str(&line);
                    out.push(',');
                }
                newline(indent, out);
                out.push_str(")]");
            }
        }
    }
}

/// The indentation, and how much may be on one line.
#[derive(Clone, Copy)]
struct Layout {
    indent: usize,
    keys: usize,
}

impl Layout {
    fn deeper(self) -> Layout {
        Layout { indent: self.indent + 4, ..self }
    }

    /// Whether rustfmt formats this attribute.
    fn is_plain(self) -> bool {
        self.keys < WIDTH
    }
}

/// Whether the value contains only keys and literals.
fn is_plain(keyword: &Keyword) -> bool {
    let literal = |value: &Value| match value {
        Value::Bool(_) | Value::Str(_) => true,
        Value::Int(i) => *i >= 0,
        Value::Float(f) => !f.is_sign_negative(),
        Value::Null | Value::List(_) | Value::Map(_) => false,
    };
    match &keyword.arg {
        Arg::Flag => true,
        Arg::Json(Json(value)) | Arg::Named(_, Json(value)) => literal(value),
        Arg::Nested(inner) | Arg::At(_, inner) => inner.iter().all(is_plain),
    }
}

/// Whether the text between the parentheses is short enough for one line.
fn are_short(keywords: &[Keyword], most: usize) -> bool {
    match keywords {
        [keyword] => is_short(keyword, most),
        several => {
            let mut text = String::new();
            list(several, &mut text, flat);
            text.len() <= most
        }
    }
}

/// Whether the text between the parentheses of a key is short enough for one line.
fn is_short(keyword: &Keyword, most: usize) -> bool {
    match &keyword.arg {
        Arg::Flag | Arg::Json(_) => true,
        Arg::Nested(inner) => are_short(inner, most),
        Arg::Named(..) | Arg::At(..) => {
            let mut text = String::new();
            flat(keyword, &mut text);
            text.len() - keyword.key.len() - "()".len() <= most
        }
    }
}

/// Starts a new line with this indentation.
pub(super) fn newline(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

/// Writes something on the current line, and removes it again if the line is too long with `after` more characters.
fn has_room(after: usize, out: &mut String, write: impl FnOnce(&mut String)) -> bool {
    let (before, column) = (out.len(), column(out));
    write(out);
    let written = &out[before..];
    let has_room = column + written.len() + after <= WIDTH && !written.contains('\n');
    if !has_room {
        out.truncate(before);
    }
    has_room
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
fn group(keywords: &[Keyword], layout: Layout, after: usize, out: &mut String) {
    if are_short(keywords, layout.keys)
        && has_room(after + nested(keywords), out, |out| flat_group(keywords, out))
    {
        return;
    }
    out.push('(');
    match keywords {
        [keyword] if layout.is_plain() && is_open(keyword) => write(keyword, layout, after + 2, out),
        several => {
            for (i, keyword) in several.iter().enumerate() {
                newline(layout.indent + 4, out);
                write(keyword, layout.deeper(), 1, out);
                if i + 1 < several.len() {
                    out.push(',');
                }
            }
            newline(layout.indent, out);
        }
    }
    out.push(')');
}

/// The number of parentheses around a key that is alone. rustfmt reserves one character for each.
fn nested(keywords: &[Keyword]) -> usize {
    match keywords {
        [Keyword { arg: Arg::Nested(inner), .. }] => 1 + nested(inner),
        _ => 0,
    }
}

/// Whether a key that is alone continues over several lines from where it is.
fn is_open(keyword: &Keyword) -> bool {
    match &keyword.arg {
        Arg::Nested(_) | Arg::At(..) => true,
        Arg::Json(Json(Value::Str(text))) if text.contains('\n') => {
            let mut literal = String::new();
            string(text, &mut literal);
            let first = literal.lines().next().unwrap_or_default().chars().count();
            keyword.key.len() + " = ".len() + first <= KEYS
        }
        Arg::Flag | Arg::Json(_) | Arg::Named(..) => false,
    }
}

/// The width of the last line.
fn column(out: &str) -> usize {
    out.len() - out.rfind('\n').map_or(0, |at| at + 1)
}

fn flat_group(keywords: &[Keyword], out: &mut String) {
    out.push('(');
    list(keywords, out, flat);
    out.push(')');
}

fn write(keyword: &Keyword, layout: Layout, after: usize, out: &mut String) {
    let more = after + nested(std::slice::from_ref(keyword));
    if is_short(keyword, layout.keys) && has_room(more, out, |out| flat(keyword, out)) {
        return;
    }
    let Layout { indent, .. } = layout;
    out.push_str(keyword.key);
    match &keyword.arg {
        Arg::Flag => {}
        Arg::Json(Json(value)) => {
            out.push_str(" = ");
            json(value, indent, after, out);
        }
        Arg::Nested(inner) => group(inner, layout, after, out),
        Arg::Named(name, Json(value)) => {
            out.push('(');
            newline(indent + 4, out);
            string(name, out);
            out.push(',');
            newline(indent + 4, out);
            json(value, indent + 4, 0, out);
            newline(indent, out);
            out.push(')');
        }
        Arg::At(path, inner) => {
            out.push('(');
            newline(indent + 4, out);
            string(path, out);
            for keyword in inner {
                out.push(',');
                newline(indent + 4, out);
                write(keyword, layout.deeper(), 1, out);
            }
            newline(indent, out);
            out.push(')');
        }
    }
}

/// Writes a keyword on one line.
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
    if has_room(after, out, |out| literal(value, out)) {
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

/// A JSON literal in the syntax that Rust's tokens allow.
fn literal(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Int(i) => out.push_str(&i.to_string()),
        // Rust writes floats with a fraction or an exponent.
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
    if wants_raw && !inert::has_active(text, "\n") {
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
