//! Parses paths. A path is in braces, as in a template.

use super::{Filter, JsonPath, PathNode, Slice};

/// How deep filters and unions may be nested.
const MAX_DEPTH: usize = 50;

impl JsonPath {
    /// Parses a path without braces, as printer columns contain it.
    pub fn parse(path: &str) -> Option<JsonPath> {
        template(&format!("{{{path}}}"), 0).map(JsonPath)
    }
}

/// Parses texts, and actions in braces.
fn template(text: &str, depth: usize) -> Option<Vec<PathNode>> {
    if depth > MAX_DEPTH {
        return None;
    }
    let mut nodes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        if !before.is_empty() {
            nodes.push(PathNode::Text(before.to_owned()));
        }
        let mut action = Action { rest: after, nodes: Vec::new(), depth };
        action.read()?;
        nodes.push(PathNode::List(action.nodes));
        rest = action.rest;
    }
    if !rest.is_empty() {
        nodes.push(PathNode::Text(rest.to_owned()));
    }
    Some(nodes)
}

/// Parses the steps of a text as if it were in braces.
fn steps(text: &str, depth: usize) -> Option<Vec<PathNode>> {
    match template(&format!("{{{text}}}"), depth + 1)?.into_iter().next()? {
        PathNode::List(nodes) => Some(nodes),
        _ => None,
    }
}

struct Action<'t> {
    rest: &'t str,
    nodes: Vec<PathNode>,
    depth: usize,
}

impl<'t> Action<'t> {
    /// Reads up to the closing brace.
    fn read(&mut self) -> Option<()> {
        loop {
            if let Some(after) = self.rest.strip_prefix('}') {
                self.rest = after;
                return Some(());
            }
            if let Some(after) = self.rest.strip_prefix("[?(") {
                self.rest = after;
                self.filter()?;
                continue;
            }
            if let Some(after) = self.rest.strip_prefix("..") {
                if self.nodes.last() == Some(&PathNode::Recursive) {
                    return None;
                }
                self.rest = after;
                self.nodes.push(PathNode::Recursive);
                if after.starts_with(|c: char| c == '_' || c.is_alphanumeric()) {
                    self.field();
                }
                continue;
            }
            match self.rest.chars().next()? {
                '\r' | '\n' => return None,
                ' ' | '@' | '$' => self.rest = &self.rest[1..],
                '[' => self.array()?,
                quote @ ('"' | '\'') => self.quoted(quote)?,
                '.' => {
                    self.rest = &self.rest[1..];
                    self.field();
                }
                c if c == '+' || c == '-' || c.is_numeric() => self.number()?,
                c if c == '_' || c.is_alphabetic() => self.identifier(),
                _ => return None,
            }
        }
    }

    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// Reads a name up to the next terminator that is not escaped.
    fn field(&mut self) {
        let mut escaped = false;
        let end = self.rest.find(|c: char| {
            let ends = !escaped && is_terminator(c);
            escaped = !escaped && c == '\\';
            ends
        });
        let name = self.take(end.unwrap_or(self.rest.len()));
        self.nodes.push(match name {
            "*" => PathNode::Wildcard,
            name => PathNode::Field(name.replace('\\', "")),
        });
    }

    fn identifier(&mut self) {
        let end = self.rest.find(is_terminator).unwrap_or(self.rest.len());
        let name = self.take(end);
        self.nodes.push(match name {
            "true" => PathNode::Bool(true),
            "false" => PathNode::Bool(false),
            other => PathNode::Identifier(other.to_owned()),
        });
    }

    fn number(&mut self) -> Option<()> {
        let sign = usize::from(self.rest.starts_with(['+', '-']));
        let end = self.rest[sign..].find(|c: char| c != '.' && !c.is_numeric());
        let text = self.take(end.map_or(self.rest.len(), |i| i + sign));
        let node = match text.parse::<i64>() {
            Ok(i) => PathNode::Int(i),
            Err(_) => PathNode::Float(text.parse().ok().filter(|f: &f64| f.is_finite())?),
        };
        self.nodes.push(node);
        Some(())
    }

    fn quoted(&mut self, quote: char) -> Option<()> {
        let mut before = quote;
        let mut end = None;
        for (i, c) in self.rest.char_indices().skip(1) {
            match c {
                '\n' => return None,
                c if c == quote && before != '\\' => {
                    end = Some(i);
                    break;
                }
                c => before = c,
            }
        }
        let text = self.take(end? + 1);
        let inner = &text[1..text.len() - 1];
        self.nodes.push(PathNode::Text(unescape(inner, quote)?));
        Some(())
    }

    /// Reads the content of brackets: a union, a name, or a slice.
    fn array(&mut self) -> Option<()> {
        let end = self.rest.find([']', '\n']).filter(|i| self.rest.as_bytes()[*i] == b']')?;
        let text = self.take(end + 1);
        let inner = &text[1..end];
        let inner = if inner == "*" { ":" } else { inner };
        if inner.contains(',') {
            let parts =
                inner.split(',').map(|part| steps(&format!("[{}]", part.trim_matches(' ')), self.depth));
            self.nodes.push(PathNode::Union(parts.collect::<Option<_>>()?));
            return Some(());
        }
        let name = inner.strip_prefix('\'').and_then(|s| s.strip_suffix('\'')).filter(|s| !s.contains('\''));
        match name {
            Some(name) => self.nodes.extend(steps(&format!(".{name}"), self.depth)?),
            None => self.nodes.push(PathNode::Slice(slice(inner)?)),
        }
        Some(())
    }

    fn filter(&mut self) -> Option<()> {
        let mut open: Option<char> = None;
        let mut closed = false;
        let mut before = '(';
        let mut end = None;
        for (i, c) in self.rest.char_indices() {
            match c {
                '\n' => return None,
                '"' | '\'' => match open {
                    None => open = Some(c),
                    Some(pair) => closed |= before != '\\' && c == pair,
                },
                ')' if open.is_some() == closed => {
                    end = Some(i);
                    break;
                }
                _ => {}
            }
            before = c;
        }
        let text = self.take(end?);
        self.rest = self.rest[1..].strip_prefix(']')?;
        let node = match comparison(text) {
            None => Filter { left: steps(text, self.depth)?, operator: String::new(), right: Vec::new() },
            Some((left, operator, right)) => Filter {
                left: steps(left, self.depth)?,
                operator: operator.to_owned(),
                right: steps(right, self.depth)?,
            },
        };
        self.nodes.push(PathNode::Filter(node));
        Some(())
    }
}

/// Splits a comparison at its operator: the first run of operator characters that has something on either side.
fn comparison(text: &str) -> Option<(&str, &str, &str)> {
    let is_sign = |c: char| "!<>=".contains(c);
    let start = text.find(is_sign).filter(|i| *i > 0)?;
    let run = text[start..].find(|c| !is_sign(c));
    let end = match run {
        Some(length) => start + length,
        // The last character is the right side of the comparison.
        None if text.len() - start > 1 => text.len() - 1,
        None => return None,
    };
    Some((&text[..start], &text[start..end], &text[end..]))
}

fn slice(text: &str) -> Option<Slice> {
    let parts: Vec<&str> = text.split(':').collect();
    let number = |s: &&str| -> Option<Option<i64>> {
        if s.is_empty() {
            return Some(None);
        }
        // A lone sign looks like a number but is invalid.
        s.strip_prefix('-').unwrap_or(s).bytes().all(|b| b.is_ascii_digit()).then_some(())?;
        s.parse().ok().map(Some)
    };
    if parts.len() > 3 {
        return None;
    }
    let first = number(&parts[0])?;
    let step = parts.get(2).map_or(Some(None), number)?;
    Some(match parts.get(1) {
        None => Slice { first, end: Some(first.unwrap_or(0).wrapping_add(1)), single: true, step },
        Some(end) => Slice { first, end: number(end)?, single: false, step },
    })
}

fn is_terminator(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}')
}

/// Resolves Go's escapes.
fn unescape(text: &str, quote: char) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        out.push(match chars.next()? {
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            '\\' => '\\',
            c if c == quote => c,
            kind @ ('x' | 'u' | 'U') => {
                let count = match kind {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                let digits: String = chars.by_ref().take(count).collect();
                let code = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == count)?;
                char::from_u32(code)?
            }
            first @ '0'..='7' => {
                let digits: String = std::iter::once(first).chain(chars.by_ref().take(2)).collect();
                let code = u32::from_str_radix(&digits, 8).ok().filter(|n| digits.len() == 3 && *n < 256)?;
                char::from_u32(code)?
            }
            _ => return None,
        });
    }
    Some(out)
}
