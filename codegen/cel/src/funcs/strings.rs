//! The functions of text. Indexes count code points.

use super::super::value::{Error, Outcome, Text, Val};
use super::{Called, list};

/// Whether a predicate is true for two texts.
pub(super) fn test<'a>(args: &[Val<'a>], f: impl Fn(&str, &str) -> bool) -> Called<'a> {
    if let [a, b] = args { Some(Ok(Val::Bool(f(a.as_str()?, b.as_str()?)))) } else { None }
}

/// Whether a predicate is true for a text.
pub(super) fn test_one<'a>(args: &[Val<'a>], f: impl Fn(&str) -> bool) -> Called<'a> {
    Some(Ok(Val::Bool(f(args.first()?.as_str()?))))
}

/// Makes another text of one.
pub(super) fn change<'a>(args: &[Val<'a>], f: impl Fn(&str) -> String) -> Called<'a> {
    Some(Ok(Val::text(f(args.first()?.as_str()?))))
}

fn out_of_range<'a>(index: i64) -> Outcome<'a> {
    Err(Error::new(format!("index out of range: {index}")))
}

/// The byte offset of a character index. The end of the text is also an index.
fn place(s: &str, index: i64) -> Option<usize> {
    let index = usize::try_from(index).ok()?;
    if s.is_ascii() {
        return (index <= s.len()).then_some(index);
    }
    s.char_indices().map(|(at, _)| at).chain([s.len()]).nth(index)
}

pub(super) fn char_at<'a>(args: &[Val<'a>]) -> Called<'a> {
    let [Val::Str(s), Val::Int(index)] = args else { return None };
    Some(match place(s, *index) {
        Some(at) => Ok(Val::text(s[at..].chars().next().map(String::from).unwrap_or_default())),
        None => out_of_range(*index),
    })
}

pub(super) fn index_of<'a>(args: &[Val<'a>]) -> Called<'a> {
    let (Val::Str(s), Val::Str(part)) = (args.first()?, args.get(1)?) else { return None };
    let offset = match args.get(2) {
        None => 0,
        Some(Val::Int(i)) => *i,
        Some(_) => return None,
    };
    if offset < 0 {
        return Some(out_of_range(offset));
    }
    if part.is_empty() {
        return Some(Ok(Val::Int(offset.min(super::super::value::count_chars(s) as i64))));
    }
    let found = place(s, offset).and_then(|start| s[start..].find(&**part).map(|at| start + at));
    Some(Ok(Val::Int(found.map_or(-1, |at| s[..at].chars().count() as i64))))
}

pub(super) fn last_index_of<'a>(args: &[Val<'a>]) -> Called<'a> {
    let (Val::Str(s), Val::Str(part)) = (args.first()?, args.get(1)?) else { return None };
    let length = super::super::value::count_chars(s) as i64;
    let offset = match args.get(2) {
        None if part.is_empty() => return Some(Ok(Val::Int(length))),
        None if s.len() < part.len() => return Some(Ok(Val::Int(-1))),
        None => length - 1,
        Some(Val::Int(i)) => *i,
        Some(_) => return None,
    };
    if offset < 0 {
        return Some(out_of_range(offset));
    }
    if part.is_empty() {
        return Some(Ok(Val::Int(offset.min(length))));
    }
    if offset >= length {
        return Some(Ok(Val::Int(-1)));
    }
    let end = place(s, offset).unwrap_or(s.len());
    let limit = (end + part.len()).min(s.len());
    let limit = (limit..=s.len()).find(|i| s.is_char_boundary(*i)).unwrap_or(s.len());
    let found = s[..limit].rfind(&**part).filter(|at| *at <= end).or_else(|| s[..end].rfind(&**part));
    Some(Ok(Val::Int(found.map_or(-1, |at| s[..at].chars().count() as i64))))
}

pub(super) fn join<'a>(args: &[Val<'a>]) -> Called<'a> {
    let separator = match args.get(1) {
        None => "",
        Some(Val::Str(s)) => s,
        Some(_) => return None,
    };
    let mut out = String::new();
    for (i, item) in list(args)?.iter().enumerate() {
        let item = match item {
            Ok(Val::Str(s)) => s,
            Ok(other) => {
                let go = match other {
                    Val::Int(_) => "int64",
                    Val::Uint(_) => "uint64",
                    Val::Double(_) => "float64",
                    Val::Bool(_) => "bool",
                    _ => other.type_name(),
                };
                return Some(Err(Error::new(format!("unsupported type conversion from '{go}' to string"))));
            }
            Err(e) => return Some(Err(e)),
        };
        if i > 0 {
            out.push_str(separator);
        }
        out.push_str(&item);
    }
    Some(Ok(Val::text(out)))
}

pub(super) fn replace<'a>(args: &[Val<'a>]) -> Called<'a> {
    let (Val::Str(s), Val::Str(old), Val::Str(new)) = (args.first()?, args.get(1)?, args.get(2)?) else {
        return None;
    };
    let limit = match args.get(3) {
        None => usize::MAX,
        Some(Val::Int(n)) => usize::try_from(*n).unwrap_or(usize::MAX),
        Some(_) => return None,
    };
    Some(Ok(Val::text(s.replacen(&**old, new, limit))))
}

pub(super) fn split<'a>(args: &[Val<'a>]) -> Called<'a> {
    let (Val::Str(s), Val::Str(separator)) = (args.first()?, args.get(1)?) else { return None };
    let limit = match args.get(2) {
        None => usize::MAX,
        Some(Val::Int(n)) => usize::try_from(*n).unwrap_or(usize::MAX),
        Some(_) => return None,
    };
    let mut parts: Vec<Text<'a>> = Vec::new();
    if limit > 0 && separator.is_empty() {
        // An empty separator splits between all characters, and an empty text has no parts.
        let mut rest: &str = s;
        while let Some(c) = rest.chars().next() {
            if parts.len() + 1 == limit {
                parts.push(slice(s, rest));
                break;
            }
            let (first, tail) = rest.split_at(c.len_utf8());
            parts.push(slice(s, first));
            rest = tail;
        }
    } else if limit > 0 {
        parts.extend(s.splitn(limit, &**separator).map(|part| slice(s, part)));
    }
    Some(Ok(Val::list(parts.into_iter().map(Val::Str).collect())))
}

/// A part of a text. It is borrowed if the text is.
pub(crate) fn slice<'a>(text: &Text<'a>, part: &str) -> Text<'a> {
    match text {
        Text::Own(_) => Text::from(part.to_owned()),
        Text::Ref(s) => {
            let start = part.as_ptr() as usize - s.as_ptr() as usize;
            s.get(start..start + part.len()).map_or_else(|| Text::from(part.to_owned()), Text::Ref)
        }
    }
}

pub(super) fn substring<'a>(args: &[Val<'a>]) -> Called<'a> {
    let (Val::Str(s), Val::Int(start)) = (args.first()?, args.get(1)?) else { return None };
    let end = match args.get(2) {
        None => None,
        Some(Val::Int(end)) if start > end => {
            let why = format!("invalid substring range. start: {start}, end: {end}");
            return Some(Err(Error::new(why)));
        }
        Some(Val::Int(end)) => Some(*end),
        Some(_) => return None,
    };
    let Some(from) = place(s, *start) else { return Some(out_of_range(*start)) };
    let to = match end {
        None => s.len(),
        Some(end) => match place(s, end) {
            Some(to) => to,
            None => return Some(out_of_range(end)),
        },
    };
    Some(Ok(Val::Str(slice(s, &s[from..to]))))
}

/// Go's `unicode.IsSpace`.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace()
}

/// `strings.quote`
pub(super) fn quote(s: &str) -> String {
    let mut out = String::with_capacity(s.len() + 2);
    out.push('"');
    for c in s.chars() {
        match c {
            '\x07' => out.push_str("\\a"),
            '\x08' => out.push_str("\\b"),
            '\x0c' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x0b' => out.push_str("\\v"),
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
