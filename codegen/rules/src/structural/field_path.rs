//! The simple paths of rules and selectable fields: `.spec.field`, `.spec.map['key']`.

use crate::ir::{Additional, Schema};
use std::fmt;

/// A path to a field that exists in a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPath(Vec<FieldStep>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum FieldStep {
    Field(String),
    Key(String),
}

impl FieldPath {
    /// Returns the name of the first field.
    pub fn root(&self) -> Option<&str> {
        self.0.first().map(|step| match step {
            FieldStep::Field(name) | FieldStep::Key(name) => name.as_str(),
        })
    }
}

impl std::fmt::Display for FieldPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            match step {
                FieldStep::Field(name) if i == 0 => f.write_str(name)?,
                FieldStep::Field(name) => write!(f, ".{name}")?,
                FieldStep::Key(name) => write!(f, "[{name}]")?,
            }
        }
        if self.0.is_empty() { f.write_str("<nil>") } else { Ok(()) }
    }
}

/// Why the server rejects a path. [`Display`](fmt::Display) writes the server's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadPath {
    /// The path contains `['…']` where that is forbidden.
    Brackets,
    /// The path ends too early.
    End,
    /// The path contains something else than the syntax requires.
    Found {
        /// What the syntax requires, with the words of the message before the found part.
        wanted: &'static str,
        /// The part of the path that was found instead.
        found: String,
    },
    /// An escape that does not exist.
    Escape(char),
    /// The schema has no such field.
    NoField,
}

impl BadPath {
    fn found(wanted: &'static str, found: &str) -> BadPath {
        BadPath::Found { wanted, found: found.to_owned() }
    }
}

impl fmt::Display for BadPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadPath::Brackets => f.write_str("array notation is not allowed"),
            BadPath::End => f.write_str("unexpected end of JSON path"),
            BadPath::Found { wanted, found } => write!(f, "expected {wanted}{found}"),
            BadPath::Escape(c) => write!(f, "invalid string literal: invalid escape char \\{c}"),
            BadPath::NoField => f.write_str("does not refer to a valid field"),
        }
    }
}

/// Whether a path may have steps such as `['a.b']`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brackets {
    /// As in the paths of rules.
    Allowed,
    /// As in the paths of selectable fields.
    Rejected,
}

/// Resolves a path in a schema. Returns the path and the schema at its end, or why the server rejects the path. The
/// schema is `None` below a map whose values have no schema.
pub fn field_path<'s>(
    text: &str,
    schema: &'s Schema,
    brackets: Brackets,
) -> Result<(FieldPath, Option<&'s Schema>), BadPath> {
    let mut tokens = Tokens(text);
    let mut at = Some(schema);
    let mut steps = Vec::new();
    while let Some(token) = tokens.next() {
        let name = match token {
            "[" => {
                if brackets == Brackets::Rejected {
                    return Err(BadPath::Brackets);
                }
                let quoted = tokens.next().ok_or(BadPath::End)?;
                let inner = quoted
                    .strip_prefix('\'')
                    .and_then(|q| q.strip_suffix('\''))
                    .ok_or_else(|| BadPath::found("single quoted string but got ", quoted))?;
                unescape(inner)?
            }
            "." => tokens.next().ok_or(BadPath::End)?.to_owned(),
            other => return Err(BadPath::found("[ or . but got: ", other)),
        };
        at = step(at, name, &mut steps)?;
        if token == "[" {
            match tokens.next() {
                Some("]") => {}
                Some(other) => return Err(BadPath::found("] but got ", other)),
                None => return Err(BadPath::End),
            }
        }
    }
    Ok((FieldPath(steps), at))
}

fn step<'s>(
    at: Option<&'s Schema>,
    name: String,
    steps: &mut Vec<FieldStep>,
) -> Result<Option<&'s Schema>, BadPath> {
    // The server's own code fails on a path that continues below a map without a schema.
    let schema = at.ok_or(BadPath::NoField)?;
    if !schema.properties.is_empty() {
        let property = schema.properties.get(&name).ok_or(BadPath::NoField)?;
        steps.push(FieldStep::Field(name));
        return Ok(Some(property));
    }
    match &schema.additional_properties {
        Some(Additional::Schema(value)) => {
            steps.push(FieldStep::Key(name));
            Ok(Some(value))
        }
        Some(Additional::Allow(_)) => {
            steps.push(FieldStep::Key(name));
            Ok(None)
        }
        None => Err(BadPath::NoField),
    }
}

/// Splits at `.`, `[` and `]`, except inside single quotes. These characters are tokens themselves.
struct Tokens<'t>(&'t str);

impl<'t> Iterator for Tokens<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let text = self.0;
        let end = match text.chars().next()? {
            '\'' => text
                .char_indices()
                .zip(text.chars().skip(1))
                .find(|((_, before), c)| *c == '\'' && *before != '\\')
                .map_or(text.len(), |((i, before), _)| i + before.len_utf8() + 1),
            '.' | '[' | ']' => 1,
            _ => text.find(['.', '[', ']']).unwrap_or(text.len()),
        };
        let (token, rest) = text.split_at(end);
        self.0 = rest;
        Some(token)
    }
}

/// Resolves the escapes inside quotes. A backslash at the end or before a line break is a plain backslash.
fn unescape(text: &str) -> Result<String, BadPath> {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = if c == '\\' { chars.next_if(|c| *c != '\n') } else { None };
        out.push(match escaped {
            None => c,
            Some('a') => '\u{7}',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('v') => '\u{b}',
            Some(c @ ('\'' | '\\')) => c,
            Some(other) => return Err(BadPath::Escape(other)),
        });
    }
    Ok(out)
}
