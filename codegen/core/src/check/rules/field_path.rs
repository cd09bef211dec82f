//! `fieldPath` of a rule: `.spec.names['a b']`, down to a field that the schema declares.

use crate::ir::{Additional, Schema};
use crate::path::Path;

/// The path as the server prints it; why not, if it leads to no field.
pub fn normalize(text: &str, schema: &Schema) -> Result<String, String> {
    walk(&mut Tokens(text), schema, &Path::ROOT)
}

fn walk(tokens: &mut Tokens<'_>, schema: &Schema, path: &Path<'_>) -> Result<String, String> {
    const END: &str = "unexpected end of JSON path";
    let name = match tokens.next() {
        None if path.to_string() == "<nil>" => return Ok("<nil>".to_owned()),
        None => return Ok(path.to_string()),
        Some("[") => {
            let quoted = tokens.next().ok_or(END)?;
            let inner = quoted.strip_prefix('\'').and_then(|q| q.strip_suffix('\''));
            let inner = inner.ok_or_else(|| format!("expected single quoted string but got {quoted}"))?;
            let name = unescape(inner).map_err(|e| format!("invalid string literal: {e}"))?;
            step(schema, &name)?;
            match tokens.next().ok_or(END)? {
                "]" => name,
                other => return Err(format!("expected ] but got {other}")),
            }
        }
        Some(".") => tokens.next().ok_or(END)?.to_owned(),
        Some(other) => return Err(format!("expected [ or . but got: {other}")),
    };
    match step(schema, &name)? {
        Below::Field(schema) => walk(tokens, schema, &path.child(&name)),
        Below::Value(Some(schema)) => walk(tokens, schema, &path.key(&name)),
        Below::Value(None) => match tokens.next() {
            None => Ok(path.key(&name).to_string()),
            Some(_) => Err(NO_FIELD.to_owned()),
        },
    }
}

const NO_FIELD: &str = "does not refer to a valid field";

/// What a name leads to.
enum Below<'s> {
    Field(&'s Schema),
    /// A map's value, of which the schema may say nothing.
    Value(Option<&'s Schema>),
}

fn step<'s>(schema: &'s Schema, name: &str) -> Result<Below<'s>, String> {
    if !schema.properties.is_empty() {
        return schema.properties.get(name).map(Below::Field).ok_or_else(|| NO_FIELD.to_owned());
    }
    match &schema.additional_properties {
        Some(Additional::Schema(values)) => Ok(Below::Value(Some(values))),
        Some(Additional::Allow(_)) => Ok(Below::Value(None)),
        None => Err(NO_FIELD.to_owned()),
    }
}

/// Dots, brackets, quoted strings, and the text between.
struct Tokens<'a>(&'a str);

impl<'a> Tokens<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let text = self.0;
        if text.is_empty() {
            return None;
        }
        let bytes = text.as_bytes();
        let end = if bytes[0] == b'\'' {
            let close = (1..bytes.len()).find(|i| bytes[*i] == b'\'' && bytes[i - 1] != b'\\');
            close.map_or(text.len(), |i| i + 1)
        } else {
            match text.find(['.', '[', ']']) {
                Some(0) => 1,
                Some(i) => i,
                None => text.len(),
            }
        };
        let (token, rest) = text.split_at(end);
        self.0 = rest;
        Some(token)
    }
}

fn unescape(text: &str) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        out.push(match chars.next() {
            Some('a') => '\u{7}',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('v') => '\u{b}',
            Some('\'') => '\'',
            Some('\\') | None => '\\',
            Some(other) => return Err(format!("invalid escape char \\{other}")),
        });
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Type;

    #[test]
    fn paths() {
        let mut schema = Schema::of(Type::Object);
        let mut map = Schema::of(Type::Object);
        map.additional_properties = Some(Additional::Schema(Box::new(Schema::of(Type::String))));
        schema.properties = [("a", Schema::of(Type::String)), ("b c", map)].into_iter().collect();
        for (text, expected) in [
            (".a", Ok("a")),
            ("['b c']", Ok("b c")),
            ("['b c'].x", Ok("b c[x]")),
            ("['b c']['\\'']", Ok("b c[']")),
            (".x", Err("does not refer to a valid field")),
            ("a", Err("expected [ or . but got: a")),
            ("[a]", Err("expected single quoted string but got a")),
            ("['a'", Err("unexpected end of JSON path")),
            (".", Err("unexpected end of JSON path")),
        ] {
            let found = normalize(text, &schema);
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "{text}");
        }
    }
}
