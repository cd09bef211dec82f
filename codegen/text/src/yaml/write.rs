//! Writes YAML in the usual form of Kubernetes manifests: block style, two spaces, list items at the indentation of
//! their key, and literal blocks for texts with several lines. All tools that read it get the same JSON, from kubectl
//! with YAML 1.1 to tools with YAML 1.2.

use super::resolve::{Scalar, is_timestamp, plain};
use crate::go;
use crate::inert;
use crate::json;
use crate::path::Step;
use crate::value::Value;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Floats without a fraction are only integers of 64 bits below this one.
const TOO_LARGE: f64 = 9_223_372_036_854_775_808.0;

/// Writes a value as YAML, with all keys sorted.
pub fn write(value: &Value) -> String {
    let mut writer = Writer { out: String::new(), comments: &Comments::new(), steps: Vec::new() };
    writer.node(value, 0, Behind::Nothing);
    writer.out
}

/// Writes an object as YAML, with `apiVersion`, `kind`, `metadata` and `spec` before its other keys.
pub fn write_object(value: &Value) -> String {
    write_commented(value, &Comments::new())
}

/// Lines above the members at the end of some steps.
pub type Comments = BTreeMap<Vec<Step>, Vec<String>>;

/// Like [`write_object`], with comments. A member that has no line of its own, the first one of an item, has no comments.
pub fn write_commented(value: &Value, comments: &Comments) -> String {
    let Some(map) = value.as_map().filter(|m| !m.is_empty()) else { return write(value) };
    const FIRST: [&str; 4] = ["apiVersion", "kind", "metadata", "spec"];
    let mut writer = Writer { out: String::new(), comments, steps: Vec::new() };
    let first = FIRST.iter().filter_map(|key| Some((*key, map.get(key)?)));
    let rest = map.iter().filter(|(key, _)| !FIRST.contains(key));
    writer.members(first.chain(rest), 0, Behind::Nothing);
    writer.out
}

struct Writer<'c> {
    out: String,
    comments: &'c Comments,
    /// The steps to what is written, if there are comments.
    steps: Vec<Step>,
}

/// What is before a node on its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    Nothing,
    Colon,
    Dash,
}

/// What a text is in its document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Key,
    Value,
}

impl Writer<'_> {
    /// Takes a step down while something is written, if there are comments.
    fn below(&mut self, step: impl FnOnce() -> Step, write: impl FnOnce(&mut Self)) {
        if self.comments.is_empty() {
            return write(self);
        }
        self.steps.push(step());
        write(self);
        self.steps.pop();
    }

    fn comment(&mut self, indent: usize) {
        for line in self.comments.get(&self.steps).into_iter().flatten() {
            self.indent(indent);
            _ = writeln!(self.out, "# {line}");
        }
    }

    fn indent(&mut self, n: usize) {
        self.out.extend(std::iter::repeat_n(' ', n));
    }

    /// Writes a node in a collection that is indented by `indent`.
    fn node(&mut self, value: &Value, indent: usize, behind: Behind) {
        match value {
            Value::Map(map) if !map.is_empty() => {
                let inside = match behind {
                    Behind::Nothing => indent,
                    Behind::Colon | Behind::Dash => indent + 2,
                };
                self.open(behind);
                self.members(map.iter(), inside, behind);
            }
            Value::List(items) if !items.is_empty() => {
                let inside = match behind {
                    Behind::Nothing | Behind::Colon => indent,
                    Behind::Dash => indent + 2,
                };
                self.open(behind);
                self.items(items, inside, behind);
            }
            _ => {
                if behind != Behind::Nothing {
                    self.out.push(' ');
                }
                self.scalar(value, indent);
                self.out.push('\n');
            }
        }
    }

    fn open(&mut self, behind: Behind) {
        match behind {
            Behind::Nothing => {}
            Behind::Colon => self.out.push('\n'),
            Behind::Dash => self.out.push(' '),
        }
    }

    /// Writes members. The first one may follow a dash.
    fn members<'v>(
        &mut self,
        members: impl Iterator<Item = (&'v str, &'v Value)>,
        indent: usize,
        behind: Behind,
    ) {
        let mut inline = behind == Behind::Dash;
        for (key, value) in members {
            let has_own_line = !std::mem::take(&mut inline);
            let write = |writer: &mut Self| {
                if has_own_line {
                    writer.comment(indent);
                    writer.indent(indent);
                }
                let start = writer.out.len();
                writer.string(key, Role::Key);
                if writer.out.len() - start > LONGEST_KEY {
                    writer.out.insert_str(start, "? ");
                    writer.out.push('\n');
                    writer.indent(indent);
                }
                writer.out.push(':');
                writer.node(value, indent, Behind::Colon);
            };
            self.below(|| Step::Key(key.to_owned()), write);
        }
    }

    fn items(&mut self, items: &[Value], indent: usize, behind: Behind) {
        let mut inline = behind == Behind::Dash;
        for (index, item) in items.iter().enumerate() {
            if !std::mem::take(&mut inline) {
                self.indent(indent);
            }
            self.out.push('-');
            self.below(|| Step::Index(index), |writer| writer.node(item, indent, Behind::Dash));
        }
    }

    fn scalar(&mut self, value: &Value, indent: usize) {
        match value {
            Value::Null => self.out.push_str("null"),
            Value::Bool(b) => self.out.push_str(if *b { "true" } else { "false" }),
            Value::Int(i) => _ = write!(self.out, "{i}"),
            // An integer would lose the minus sign.
            Value::Float(f) if *f == 0.0 && f.is_sign_negative() => self.out.push_str("-0.0"),
            // Some readers take a number without an exponent for an integer, and reject it if it is too large.
            Value::Float(f) if (TOO_LARGE..1e21).contains(&f.abs()) => {
                self.out.push_str(&go::number::shortest_e(*f).replace('e', "e+"));
            }
            Value::Float(f) => json::write_float(*f, &mut self.out),
            Value::Str(s) if is_literal(s) => self.literal(s, indent + 2),
            Value::Str(s) => self.string(s, Role::Value),
            Value::List(_) => self.out.push_str("[]"),
            Value::Map(_) => self.out.push_str("{}"),
        }
    }

    /// Writes a block of lines, without the line break after the last one.
    fn literal(&mut self, text: &str, indent: usize) {
        self.out.push('|');
        // If the first line does not show the indentation, the header must contain it.
        let first = text.trim_start_matches('\n');
        if first.len() < text.len() || first.starts_with([' ', '\t']) {
            self.out.push('2');
        }
        let lines = match text.strip_suffix('\n') {
            None => {
                self.out.push('-');
                text
            }
            Some(lines) if lines.ends_with('\n') => {
                self.out.push('+');
                lines
            }
            Some(lines) => lines,
        };
        for line in lines.split('\n') {
            self.out.push('\n');
            if !line.is_empty() {
                self.indent(indent);
                self.out.push_str(line);
            }
        }
    }

    fn string(&mut self, text: &str, role: Role) {
        match quoting(text, role) {
            Quoting::None => self.out.push_str(text),
            Quoting::Single => {
                self.out.push('\'');
                self.out.push_str(&text.replace('\'', "''"));
                self.out.push('\'');
            }
            Quoting::Double => self.double_quoted(text),
        }
    }

    fn double_quoted(&mut self, text: &str) {
        self.out.push('"');
        for c in text.chars() {
            match c {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                '\t' => self.out.push_str("\\t"),
                c if is_printable(c) && !inert::is_active(c) => self.out.push(c),
                c if (c as u32) < 0x100 => _ = write!(self.out, "\\x{:02x}", c as u32),
                c if (c as u32) < 0x10000 => _ = write!(self.out, "\\u{:04x}", c as u32),
                c => _ = write!(self.out, "\\U{:08x}", c as u32),
            }
        }
        self.out.push('"');
    }
}

/// Keys that are longer than this are written with a question mark, because readers search the colon only within 1024
/// characters.
const LONGEST_KEY: usize = 1000;

enum Quoting {
    None,
    Single,
    Double,
}

fn quoting(text: &str, role: Role) -> Quoting {
    // Any tool may show the text in a terminal.
    if text.chars().any(|c| !is_printable(c)) || inert::has_active(text, "") {
        return Quoting::Double;
    }
    // Text that would be read as another type is quoted, like in go-yaml. Also quoted is text that other readers
    // consider numbers of base 60 or dates.
    if plain(text) != Scalar::Str
        || is_base60(text)
        || is_timestamp(text)
        || role == Role::Key && text == "<<"
    {
        return Quoting::Double;
    }
    let bytes = text.as_bytes();
    let starts_badly = match bytes {
        [b'-', b' ', ..] | [b'-'] | [b'='] => true,
        [b'-', b'-', b'-', ..] | [b'.', b'.', b'.', ..] => true,
        [c, ..] => b"?:,[]{}#&*!|>'\"%@` ".contains(c),
        [] => true,
    };
    // kubectl takes a document for JSON if it starts with a brace, also behind spaces of Unicode.
    let starts_badly = starts_badly || text.starts_with(char::is_whitespace);
    let ends_badly = text.ends_with([' ', ':']);
    if starts_badly || ends_badly || text.contains(": ") || text.contains(" #") {
        return Quoting::Single;
    }
    Quoting::None
}

/// Whether a text is written as a literal block: it has several lines, and each can be written unchanged.
fn is_literal(text: &str) -> bool {
    text.contains('\n')
        && text.chars().all(|c| is_printable(c) || c == '\n' || c == '\t')
        && !inert::has_active(text, "\n\t")
        && !text.ends_with([' ', '\t'])
        && text.contains(|c: char| !c.is_whitespace())
}

/// Whether a character needs no escape within a line.
fn is_printable(c: char) -> bool {
    match c as u32 {
        0x20..=0x7e | 0xa0..=0xd7ff | 0xe000..=0xfffd => !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}'),
        0x10000.. => true,
        _ => false,
    }
}

/// `[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?`
fn is_base60(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (text, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = text.split(':');
    let digits = |s: &str| s.bytes().all(|c| c.is_ascii_digit() || c == b'_');
    let whole = parts.next().is_some_and(|p| p.starts_with(|c: char| c.is_ascii_digit()) && digits(p));
    let mut count = 0;
    let good = parts.all(|p| {
        count += 1;
        (p.len() == 1 || p.len() == 2 && p.as_bytes()[0] < b'6') && p.bytes().all(|c| c.is_ascii_digit())
    });
    whole && good && count > 0 && digits(fraction)
}
