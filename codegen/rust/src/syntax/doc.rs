//! Converts descriptions to doc comments and back.
//!
//! A description is plain text, but a doc comment is Markdown, which rustdoc renders, checks and even runs. On types
//! with `#[schema(markdown)]`, the comment consists of the [`lines`] of the description: links become links, indented
//! examples become code that no test runs, and other brackets are escaped. [`text`] undoes exactly this. [`faithful`]
//! checks this for a given description, so that the writer can use `description = "…"` instead.

mod blocks;

use crate::inert;
use blocks::{Fence, Paragraph};
use proc_macro2::TokenStream;
use quote::quote;

/// The start of a paragraph about the schema, which is not part of the description.
const NOTE: &str = "**Schema:** ";

/// Returns the lines of a doc comment for a description, without the leading space. None of them is code that rustdoc runs.
pub fn lines(description: &str) -> Vec<String> {
    // A comment of white space alone has no indentation that rustdoc removes.
    if description.trim().is_empty() {
        return Vec::new();
    }
    let all: Vec<&str> = description.split('\n').collect();
    let marks = "`".repeat((blocks::most_backticks(description) + 1).max(FENCE));
    let mut out = Vec::new();
    let mut paragraph = Paragraph::default();
    let mut at = 0;
    while let Some(line) = all.get(at) {
        let (end, is_harmless) = match Fence::opens(line) {
            Some(fence) => {
                let end = end_of_fence(&fence, &all, at);
                (end, fence.is_harmless(&all[at + 1..end]))
            }
            None if is_code(line, paragraph) => (end_of_indented(&all, at), false),
            None => {
                paragraph.read(line);
                out.push(escape(line));
                at += 1;
                continue;
            }
        };
        let code = all[at..end].iter().map(|line| (*line).to_owned());
        if is_harmless {
            let first = out.len();
            out.extend(code);
            if Fence::opens(line).is_some_and(|fence| fence.info.is_empty()) {
                out[first].push_str("text");
            }
        } else {
            out.push(format!("{marks}text"));
            out.extend(code);
            out.push(marks.clone());
        }
        paragraph = Paragraph::default();
        at = end;
    }
    out
}

/// The least number of backticks of a fence that is not part of the description, around code that is only indented there, or
/// whose own fence rustdoc could run. It is longer than those of the description.
const FENCE: usize = 5;

fn is_code(line: &str, before: Paragraph) -> bool {
    blocks::is_indented(line) && !before.is_open() || blocks::has_code_after_mark(line)
}

/// Returns the number of the line after a fence. Without an end, it ends with the text.
fn end_of_fence(fence: &Fence<'_>, all: &[&str], start: usize) -> usize {
    let end = all[start + 1..].iter().position(|line| fence.closes(line));
    end.map_or(all.len(), |end| start + 1 + end + 1)
}

/// Returns the number of the line after indented code. Empty lines are part of it if more of it follows.
fn end_of_indented(all: &[&str], start: usize) -> usize {
    let mut end = start + 1;
    for (at, line) in all.iter().enumerate().skip(end) {
        if is_code(line, Paragraph::default()) {
            end = at + 1;
        } else if !line.trim().is_empty() {
            break;
        }
    }
    end
}

/// Reads the first line of a fence that is not part of the description. Returns the line that ends it.
fn added_fence(line: &str) -> Option<&str> {
    let marks = line.strip_suffix("text")?;
    (marks.len() >= FENCE && marks.bytes().all(|mark| mark == b'`')).then_some(marks)
}

/// Doc comments in generated code. Like `/// text`, each line begins with a space.
pub(crate) fn attributes(text: &str) -> TokenStream {
    let lines = text.lines().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") });
    lines.map(|line| quote!(#[doc = #line])).collect()
}

/// The doc comment with a description.
pub(crate) fn described(description: &str) -> TokenStream {
    // rustdoc also ends lines where no other reader does.
    let description = description.replace("\r\n", "\n");
    attributes(&lines(&inert::text(&description)).join("\n"))
}

/// Returns the line of a doc comment for a note about the schema, which follows a description.
pub fn note(text: &str) -> String {
    format!("{NOTE}{text}")
}

/// Returns the description for the lines of a doc comment. Each line may begin with the space that separates it from
/// the slashes.
pub fn text<S: AsRef<str>>(lines: &[S]) -> String {
    let mut out: Vec<String> = Vec::with_capacity(lines.len());
    let mut fence: Option<Fence<'_>> = None;
    let mut added: Option<&str> = None;
    for line in lines {
        let line = line.as_ref();
        let line = line.strip_prefix(' ').unwrap_or(line);
        if let Some(end) = added {
            if line == end {
                added = None;
            } else {
                out.push(line.to_owned());
            }
        } else if let Some(open) = &fence {
            if open.closes(line) {
                fence = None;
            }
            out.push(line.to_owned());
        } else if let Some(end) = added_fence(line) {
            added = Some(end);
        } else if let Some(open) = Fence::opens(line) {
            let is_ours = open.is_usual() && open.info == "text";
            out.push(line.strip_suffix("text").filter(|_| is_ours).unwrap_or(line).to_owned());
            fence = Some(open);
        } else if line.starts_with(NOTE) {
            while out.last().is_some_and(String::is_empty) {
                out.pop();
            }
            break;
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
    let line = |l: &str| {
        !l.starts_with('/') && !is_code(l, Paragraph::default()) && !l.ends_with(char::is_whitespace)
    };
    !description.bytes().any(special)
        && !inert::has_active(description, "\n\t")
        && !description.contains("http")
        && !description.contains("~~~")
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
            '~' if after.starts_with("~~") => out.push_str("\\~"),
            '*' if !(first && after.starts_with(' ')) => out.push_str("\\*"),
            '\\' if after.starts_with(|c: char| c.is_ascii_punctuation()) || url(after) > 0 => {
                out.push_str("\\\\")
            }
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
            ("```yaml\nx\n```", "```yaml\nx\n```"),
            ("```text\nx\n```", "`````text\n```text\nx\n```\n`````"),
            ("~~~\nx\n~~~", "`````text\n~~~\nx\n~~~\n`````"),
            ("> ~~~\n> x", "> \\~~~\n> x"),
            ("`````\nx\n`````\ny", "``````text\n`````\nx\n`````\n``````\ny"),
            ("```rust,should_panic\nx\n```", "`````text\n```rust,should_panic\nx\n```\n`````"),
            ("a\n\n* * *\n    x", "a\n\n* \\* \\*\n`````text\n    x\n`````"),
            ("a\n---\n    x", "a\n---\n`````text\n    x\n`````"),
            ("a\n\n  \tx", "a\n\n`````text\n  \tx\n`````"),
            ("a\n    b", "a\n    b"),
            ("-     x", "`````text\n-     x\n`````"),
            ("- a\n  ```\nb\n```\nx\n```", "- a\n`````text\n  ```\nb\n```\n`````\nx\n```text"),
        ];
        for (description, doc) in table {
            assert_eq!(lines(description).join("\n"), doc);
            assert!(faithful(description), "{description}");
        }
        for odd in ["trailing \nspace", "tab\t"] {
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

    /// Removes the indentation that all lines have, as rustdoc does.
    fn unindented(lines: &[String]) -> String {
        let indent = |line: &&String| line.len() - line.trim_start_matches([' ', '\t']).len();
        let least = lines.iter().filter(|line| !line.trim().is_empty()).map(|line| indent(&line)).min();
        let least = least.unwrap_or_default();
        lines.iter().map(|line| line.get(least..).unwrap_or_default()).collect::<Vec<_>>().join("\n")
    }

    /// The first code that rustdoc would run.
    fn doctest(markdown: &str) -> Option<String> {
        use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_SMART_PUNCTUATION;
        Parser::new_ext(markdown, options).find_map(|event| match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => Some("indented".to_owned()),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                (!matches!(&*info, "text" | "yaml")).then(|| info.to_string())
            }
            _ => None,
        })
    }

    /// Descriptions of all short lines that matter to CommonMark, in a random order.
    #[test]
    fn rustdoc_runs_no_description() {
        const PARTS: &[&str] = &[
            "",
            " ",
            "  ",
            "    ",
            "      ",
            "\t",
            "  \t",
            "a",
            "x",
            "b c",
            "```",
            "````",
            "`````",
            "``",
            "~~~",
            "~~~~",
            "rust",
            "text",
            "yaml",
            "should_panic",
            "- ",
            "* ",
            "+ ",
            "-",
            "1. ",
            "12) ",
            "> ",
            ">",
            "#",
            "# h",
            "---",
            "===",
            "* * *",
            "***",
            "| a |",
            "|-|-|",
            ":-",
            "- | -",
            "[a]: b",
            "[^a]: ",
            "<p>",
            "<!--",
            "-->",
            "\\",
            "`x`",
            "://",
            "**Schema:** ",
            "/",
            "    x",
            ",",
            "{",
            "[!NOTE]",
            "[x] ",
            "&lt;",
            "https://k8s.io",
            "\u{b}",
            "\u{a0}",
        ];
        let mut state = 2_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).expect("31 bits") % below
        };
        for _ in 0..20_000 {
            let mut description = String::new();
            for _ in 0..=next(8) {
                for _ in 0..=next(4) {
                    description.push_str(PARTS[next(PARTS.len())]);
                }
                description.push('\n');
            }
            description.pop();
            let lines = lines(&description);
            let spaced: Vec<String> = lines.iter().map(|line| format!(" {line}")).collect();
            assert_eq!(doctest(&unindented(&spaced)), None, "{description:?} {lines:#?}");
            assert!(text(&spaced) == description || lines.is_empty(), "{description:?} {lines:#?}");
            if is_plain(&description) {
                assert!(description.lines().eq(lines.iter().map(String::as_str)), "{description:?}");
            }
        }
    }
}
