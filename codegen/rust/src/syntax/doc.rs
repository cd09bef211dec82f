//! Converts descriptions to doc comments and back.
//!
//! A description is plain text, but a doc comment is Markdown, which rustdoc renders, checks and even runs. On types
//! with `#[schema(markdown)]`, the comment consists of the [`lines`] of the description: links become links, indented
//! examples become code that no test runs, and other brackets are escaped. [`text`] undoes exactly this. [`faithful`]
//! checks this for a given description, so that the writer can use `description = "…"` instead.

use crate::inert;
use proc_macro2::TokenStream;
use quote::quote;

/// The start of a paragraph about the schema, which is not part of the description.
const NOTE: &str = "**Schema:** ";

/// Returns the lines of a doc comment for a description, without the leading space.
pub fn lines(description: &str) -> Vec<String> {
    if description.is_empty() {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut fenced = false;
    let mut block = false;
    let mut blank_before = true;
    let all: Vec<&str> = description.split('\n').collect();
    for (i, line) in all.iter().enumerate() {
        let is_fence = line.trim_start().starts_with("```");
        let indented = line.starts_with("    ") || line.starts_with('\t');
        if block && !indented && !(line.is_empty() && all[i + 1..].iter().any(|l| starts_indented(l))) {
            out.push(CLOSE.to_owned());
            block = false;
        }
        if !block && !fenced && indented && blank_before && !is_fence {
            out.push(OPEN.to_owned());
            block = true;
        }
        if block || (fenced && !is_fence) {
            out.push((*line).to_owned());
        } else if is_fence {
            let opens_plain = !fenced && line.trim_start() == "```";
            out.push(if opens_plain { format!("{line}text") } else { (*line).to_owned() });
            fenced = !fenced;
        } else {
            out.push(escape(line));
        }
        blank_before = line.trim().is_empty() || block;
    }
    if block {
        out.push(CLOSE.to_owned());
    }
    out
}

/// Fences around blocks that are only indented in the description. They are longer than fences that a description
/// contains.
const OPEN: &str = "`````text";
const CLOSE: &str = "`````";

fn starts_indented(line: &str) -> bool {
    line.starts_with("    ") || line.starts_with('\t')
}

/// Doc comments in generated code. Like `/// text`, each line begins with a space.
pub(crate) fn attributes(text: &str) -> TokenStream {
    let lines = text.lines().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") });
    lines.map(|line| quote!(#[doc = #line])).collect()
}

/// Returns the line of a doc comment for a note about the schema, which follows a description.
pub fn note(text: &str) -> String {
    format!("{NOTE}{text}")
}

/// Returns the description for the lines of a doc comment. Each line may begin with the space that separates it from
/// the slashes.
pub fn text<S: AsRef<str>>(lines: &[S]) -> String {
    let mut out: Vec<String> = Vec::with_capacity(lines.len());
    let mut fenced = false;
    let mut block = false;
    for line in lines {
        let line = line.as_ref();
        let line = line.strip_prefix(' ').unwrap_or(line);
        if line == OPEN || (block && line == CLOSE) {
            block = !block;
            continue;
        }
        if block {
            out.push(line.to_owned());
            continue;
        }
        if !fenced && line.starts_with(NOTE) {
            while out.last().is_some_and(String::is_empty) {
                out.pop();
            }
            break;
        }
        if line.trim_start().starts_with("```") {
            let plain = !fenced && line.trim_start() == "```text";
            out.push(if plain { line[..line.len() - 4].to_owned() } else { line.to_owned() });
            fenced = !fenced;
        } else if fenced {
            out.push(line.to_owned());
        } else {
            out.push(unescape(line));
        }
    }
    out.join("\n")
}

/// Returns whether [`text`] restores the description from its [`lines`], even if a formatter has removed white space
/// at the ends of lines.
pub fn faithful(description: &str) -> bool {
    says(&lines(description), description)
}

/// Returns whether [`text`] of these lines is the description, even after a formatter changed the lines.
pub fn says(lines: &[String], description: &str) -> bool {
    let plain = |l: &String| !inert::has_active(l, "\t") && l.trim_end() == l && !l.starts_with('/');
    // A line may begin with a space of its own.
    let spaced = || lines.iter().map(|l| format!(" {l}")).collect::<Vec<String>>();
    lines.iter().all(plain) && text(&spaced()) == description
}

/// Returns whether a description can be used as a doc comment without changes. This is a quick check, which finds most
/// such descriptions.
pub fn is_plain(description: &str) -> bool {
    let special = |b: u8| matches!(b, b'`' | b'[' | b'<' | b'*' | b'\\' | b'&');
    let line = |l: &str| !l.starts_with('/') && !starts_indented(l) && !l.ends_with(char::is_whitespace);
    !description.bytes().any(special)
        && !inert::has_active(description, "\n\t")
        && !description.contains("http")
        && !description.starts_with('\n')
        && !description.ends_with('\n')
        && description.split('\n').all(line)
}

/// Escapes one line outside of code.
fn escape(line: &str) -> String {
    let body = line.trim_start();
    let mut out = String::with_capacity(line.len() + 8);
    out.push_str(&line[..line.len() - body.len()]);
    let mut rest = body;
    let mut first = true;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let mut taken = c.len_utf8();
        match c {
            '`' => taken = code_span(rest, &mut out),
            'h' if !before.is_alphanumeric() && url(rest) > 0 => {
                taken = url(rest);
                if before == '(' && out.ends_with("](") {
                    out.push_str(&rest[..taken]);
                } else {
                    out.push('<');
                    out.push_str(&rest[..taken]);
                    out.push('>');
                }
            }
            '[' if link(rest) => out.push('['),
            '[' | '<' => {
                out.push('\\');
                out.push(c);
            }
            '*' if !(first && after.starts_with(' ')) => out.push_str("\\*"),
            '\\' if after.starts_with(|c: char| c.is_ascii_punctuation()) => out.push_str("\\\\"),
            '&' if after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '#') => out.push_str("\\&"),
            other => out.push(other),
        }
        before = rest[..taken].chars().next_back().unwrap_or(c);
        first = false;
        rest = &rest[taken..];
    }
    out
}

/// Copies a code span that ends on this line, or escapes the backticks. Returns the number of bytes read.
fn code_span(rest: &str, out: &mut String) -> usize {
    let ticks = rest.len() - rest.trim_start_matches('`').len();
    let fence = &rest[..ticks];
    let mut from = ticks;
    while let Some(at) = rest[from..].find(fence) {
        let start = from + at;
        let run = rest[start..].len() - rest[start..].trim_start_matches('`').len();
        if run == ticks {
            out.push_str(&rest[..start + run]);
            return start + run;
        }
        from = start + run;
    }
    for _ in 0..ticks {
        out.push_str("\\`");
    }
    ticks
}

/// A longer text does not count as a URL. Otherwise a line of beginnings of URLs would be searched once for each.
const MAX_URL: usize = 2048;

/// The length of the URL at the start, without punctuation that belongs to the sentence.
fn url(text: &str) -> usize {
    if !(text.starts_with("http://") || text.starts_with("https://")) {
        return 0;
    }
    let stops = |c: char| c.is_whitespace() || c.is_control() || "<>\"'`[]{}|\\^()*".contains(c);
    let mut bytes = text.char_indices().take(MAX_URL);
    let end = bytes.find(|(_, c)| stops(*c)).map(|(at, _)| at);
    let Some(end) = end.or((text.len() <= MAX_URL).then_some(text.len())) else { return 0 };
    let address = text[..end].trim_end_matches(['.', ',', ';', ':', '!', '?']);
    if address.ends_with("//") { 0 } else { address.len() }
}

/// Whether a Markdown link to a web page starts here: `[text](https://…)`.
fn link(text: &str) -> bool {
    // The search ends at the next bracket, so that each part of a line is searched once.
    let Some(close) = text[1..].find([']', '[', '`', '<', '\\', '*', '&']).map(|at| at + 1) else {
        return false;
    };
    let Some(target) = text[close..].strip_prefix(']') else { return false };
    !text[1..close].contains("http")
        && target.strip_prefix('(').is_some_and(|t| {
            let n = url(t);
            n > 0 && t[n..].starts_with(')')
        })
}

/// Undoes [`escape`].
fn unescape(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let mut taken = c.len_utf8();
        match c {
            '`' => taken = code_span(rest, &mut out),
            '\\' => match after.chars().next() {
                Some(p) if p.is_ascii_punctuation() => {
                    out.push(p);
                    taken += 1;
                }
                Some(_) | None => out.push('\\'),
            },
            '<' => match url(after) {
                end if end > 0 && after[end..].starts_with('>') => {
                    out.push_str(&after[..end]);
                    taken += end + 1;
                }
                _ => out.push('<'),
            },
            other => out.push(other),
        }
        rest = &rest[taken..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_survive() {
        let table = [
            ("", ""),
            ("Plain text.", "Plain text."),
            ("See https://k8s.io/docs.", "See <https://k8s.io/docs>."),
            ("A [link](https://k8s.io/x) stays", "A [link](https://k8s.io/x) stays"),
            ("one of [a, b] or <none>", "one of \\[a, b] or \\<none>"),
            ("code `[x]` stays", "code `[x]` stays"),
            ("a `broken tick", "a \\`broken tick"),
            ("* item\n* two *.com", "* item\n* two \\*.com"),
            ("regex \\d\\.", "regex \\d\\\\."),
            ("e.g.\n\n    a: b\n\n    c: d\nend", "e.g.\n\n`````text\n    a: b\n\n    c: d\n`````\nend"),
            ("```\nlet x\n```", "```text\nlet x\n```"),
            ("a &lt; b & c", "a \\&lt; b & c"),
        ];
        for (description, doc) in table {
            assert_eq!(lines(description).join("\n"), doc);
            assert!(faithful(description), "{description}");
        }
        for odd in ["trailing \nspace", "tab\t", "```text\nx\n```"] {
            assert!(!faithful(odd), "{odd}");
        }
        for (description, plain) in
            [("", true), ("One.\n\nTwo: a/b.", true), ("See https://k8s.io.", false), (" - a\n - b", true)]
        {
            assert_eq!(is_plain(description), plain, "{description}");
            assert!(!plain || lines(description).iter().eq(description.lines()), "{description}");
            assert!(faithful(description));
        }
        let docs = [" Some text.", "", " **Schema:** default 3"];
        assert_eq!(text(&docs), "Some text.");
    }
}
