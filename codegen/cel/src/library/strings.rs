//! The functions of text. Indexes count code points.

use super::list;

library! {
    /// cel-go's extension for text.
    pub STRINGS = "strings" since 0;
    "charAt" = Call(|args, _| run::char_at(args)) => { "string_char_at_int" member (String, Int) -> String, Unit; }
    "format" = Call(format::format) => { "string_format" member (String, list(&Dyn)) -> String, Format since 29; }
    "indexOf" = Call(run::index_of) => {
        "string_index_of_string" member (String, String) -> Int, TraverseTarget;
        "string_index_of_string_int" member (String, String, Int) -> Int, TraverseTarget;
    }
    "join" = Call(run::join) => {
        "list_join" member (list(&String)) -> String, Join;
        "list_join_string" member (list(&String), String) -> String, Join;
    }
    "lastIndexOf" = Call(run::last_index_of) => {
        "string_last_index_of_string" member (String, String) -> Int, TraverseTarget;
        "string_last_index_of_string_int" member (String, String, Int) -> Int, TraverseTarget;
    }
    "lowerAscii" = Call(|args, work| change(args, 1, work, |s| s.to_ascii_lowercase())) => {
        "string_lower_ascii" member (String) -> String, ScanTarget;
    }
    "replace" = Call(run::replace) => {
        "string_replace_string_string" member (String, String, String) -> String, Replace;
        "string_replace_string_string_int" member (String, String, String, Int) -> String, Replace;
    }
    "split" = Call(run::split) => {
        "string_split_string" member (String, String) -> list(&String), Split;
        "string_split_string_int" member (String, String, Int) -> list(&String), Split;
    }
    "strings.quote" = Call(|args, work| change(args, 2, work, run::quote)) => { "strings_quote" global (String) -> String, Quote since 29; }
    "substring" = Call(run::substring) => {
        "string_substring_int" member (String, Int) -> String, ScanTarget;
        "string_substring_int_int" member (String, Int, Int) -> String, ScanTarget;
    }
    "trim" = Call(run::trim) => { "string_trim" member (String) -> String, ScanTarget; }
    "upperAscii" = Call(|args, work| change(args, 1, work, |s| s.to_ascii_uppercase())) => {
        "string_upper_ascii" member (String) -> String, ScanTarget;
    }
}

#[cfg(feature = "eval")]
mod run {
    use crate::funcs::{Called, list, slice};
    use crate::value::{Error, List, Outcome, Text, Val, Work, count_chars};

    pub(super) fn trim<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
        let value = args.first()?;
        let part = value.as_str()?.trim_matches(is_space);
        Some(match value {
            Val::Str(text) => slice(text, part, work).map(Val::Str),
            _ => work.bytes(part.len()).map(|()| Val::text(part.to_owned())),
        })
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

    pub(super) fn index_of<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
        let (Val::Str(s), Val::Str(part)) = (args.first()?, args.get(1)?) else { return None };
        let offset = match args.get(2) {
            None => 0,
            Some(Val::Int(i)) => *i,
            Some(_) => return None,
        };
        if let Err(e) = work.read(s) {
            return Some(Err(e));
        }
        if offset < 0 {
            return Some(out_of_range(offset));
        }
        if part.is_empty() {
            return Some(Ok(Val::Int(offset.min(count_chars(s) as i64))));
        }
        let found = place(s, offset).and_then(|start| s[start..].find(&**part).map(|at| start + at));
        Some(Ok(Val::Int(found.map_or(-1, |at| s[..at].chars().count() as i64))))
    }

    pub(super) fn last_index_of<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
        let (Val::Str(s), Val::Str(part)) = (args.first()?, args.get(1)?) else { return None };
        if let Err(e) = work.read(s) {
            return Some(Err(e));
        }
        let length = count_chars(s) as i64;
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

    pub(super) fn join<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
        let separator = match args.get(1) {
            None => "",
            Some(Val::Str(s)) => s,
            Some(_) => return None,
        };
        Some(joined(list(args)?, separator, work))
    }

    fn joined<'a>(list: &List<'a>, separator: &str, work: &Work) -> Outcome<'a> {
        let mut out = String::new();
        for (i, item) in list.iter().enumerate() {
            let item = match item? {
                Val::Str(s) => s,
                other => {
                    let go = match other {
                        Val::Int(_) => "int64",
                        Val::Uint(_) => "uint64",
                        Val::Double(_) => "float64",
                        Val::Bool(_) => "bool",
                        _ => other.type_name(),
                    };
                    return Err(Error::new(format!("unsupported type conversion from '{go}' to string")));
                }
            };
            let separator = if i > 0 { separator } else { "" };
            work.bytes(separator.len() + item.len())?;
            out.push_str(separator);
            out.push_str(&item);
        }
        Ok(Val::text(out))
    }

    /// The number of replacements or parts. A negative one means all.
    fn limit(value: Option<&Val<'_>>) -> Option<usize> {
        match value {
            None => Some(usize::MAX),
            Some(Val::Int(n)) => Some(usize::try_from(*n).unwrap_or(usize::MAX)),
            Some(_) => None,
        }
    }

    pub(super) fn replace<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
        let (Val::Str(s), Val::Str(old), Val::Str(new)) = (args.first()?, args.get(1)?, args.get(2)?) else {
            return None;
        };
        Some(replaced(s, [old, new], limit(args.get(3))?, work))
    }

    fn replaced<'a>(s: &str, [old, new]: [&str; 2], limit: usize, work: &Work) -> Outcome<'a> {
        work.read(s)?;
        // The result is counted before it is created, because it can be much longer than all arguments.
        let more = new.len().saturating_sub(old.len());
        let times = if more == 0 { 0 } else { s.matches(old).take(limit).count() };
        work.bytes(more.saturating_mul(times).saturating_add(s.len()))?;
        Ok(Val::text(s.replacen(old, new, limit)))
    }

    pub(super) fn split<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
        let (Val::Str(s), Val::Str(separator)) = (args.first()?, args.get(1)?) else { return None };
        Some(parts(s, separator, limit(args.get(2))?, work))
    }

    fn parts<'a>(s: &Text<'a>, separator: &str, limit: usize, work: &Work) -> Outcome<'a> {
        let mut parts = Vec::new();
        let mut add = |part: &str| {
            work.items(1)?;
            parts.push(Val::Str(slice(s, part, work)?));
            Ok::<_, Error>(())
        };
        work.read(s)?;
        if limit > 0 && separator.is_empty() {
            // An empty separator splits between all characters, and an empty text has no parts.
            let mut rest: &str = s;
            let mut count = 0;
            while let Some(c) = rest.chars().next() {
                count += 1;
                if count == limit {
                    add(rest)?;
                    break;
                }
                let (first, tail) = rest.split_at(c.len_utf8());
                add(first)?;
                rest = tail;
            }
        } else if limit > 0 {
            s.splitn(limit, separator).try_for_each(add)?;
        }
        Ok(Val::list(parts))
    }

    pub(super) fn substring<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
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
        Some(slice(s, &s[from..to], work).map(Val::Str))
    }

    /// Go's `unicode.IsSpace`.
    fn is_space(c: char) -> bool {
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
}
