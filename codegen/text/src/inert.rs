//! Makes text from inputs safe for every output.
//!
//! A name or a description may contain characters that a terminal interprets (escape sequences), that reorder the text
//! around them (bidirectional overrides), or that are invisible. Every output passes such text through this module, in
//! the way its format allows: people see `\u{1b}`, JSON gets `\u001b`.

use std::borrow::Cow;
use std::fmt::{self, Write};

/// Text for people: line breaks and tabs stay, every other active character is written as `\u{1b}`. In the log of a GitHub
/// workflow, a line that begins with `::`, and `##[` anywhere, are commands. They are written out as well.
///
/// ```
/// use crdgen_text::inert::Inert;
/// assert_eq!(Inert("\x1b[31mred\u{202e}\n").to_string(), "\\u{1b}[31mred\\u{202e}\n");
/// assert_eq!(Inert("a::b\n ::error::c").to_string(), "a::b\n \\u{3a}:error::c");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Inert<T>(pub T);

impl<T: fmt::Display> fmt::Display for Inert<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Escaping::new(f, "\n\t", Form::Braces);
        out.commands = Some(Commands::default());
        write!(out, "{}", self.0)
    }
}

/// Text for people that must stay on one line: line breaks and tabs are written out as well, as `\n` and `\t`.
#[derive(Clone, Copy, Debug)]
pub struct InertLine<T>(pub T);

impl<T: fmt::Display> fmt::Display for InertLine<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping::new(f, "", Form::Braces), "{}", self.0)
    }
}

/// Returns the text of [`Inert`]. Copies it only if something may change.
pub fn shown(text: &str) -> Cow<'_, str> {
    let may_change = has_active(text, "\n\t") || text.contains("::") || text.contains("##[");
    if may_change { Cow::Owned(Inert(text).to_string()) } else { Cow::Borrowed(text) }
}

/// Returns a document or code, in which every active character except line breaks and tabs is written as `\u{1b}`. Copies
/// it only if something changes.
pub fn text(text: &str) -> Cow<'_, str> {
    if !has_active(text, "\n\t") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 64);
    // Writing to a string cannot fail.
    _ = Escaping::new(&mut out, "\n\t", Form::Braces).write_str(text);
    Cow::Owned(out)
}

/// Returns the text of [`InertLine`]. Copies it only if something changes.
pub fn line(text: &str) -> Cow<'_, str> {
    if has_active(text, "") { Cow::Owned(InertLine(text).to_string()) } else { Cow::Borrowed(text) }
}

/// Escapes every active character in JSON text. The value stays the same, because outside of its strings JSON has no
/// such characters except line breaks and tabs.
pub fn json(text: &str) -> Cow<'_, str> {
    if !has_active(text, "\r\n\t") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 64);
    // Writing to a string cannot fail.
    _ = Escaping::new(&mut out, "\r\n\t", Form::Json).write_str(text);
    Cow::Owned(out)
}

/// Whether a text has a character that must be escaped. The characters in `keep` do not count.
pub fn has_active(text: &str, keep: &str) -> bool {
    // Nearly all text is plain ASCII. The loop has no early exit, so that compilers can check many bytes at once.
    let newline = if keep.contains('\n') { b'\n' } else { b' ' };
    let plain =
        |chunk: &[u8]| chunk.iter().fold(true, |all, c| all & ((*c >= b' ') & (*c < 0x7f) | (*c == newline)));
    if text.as_bytes().chunks(64).all(plain) {
        return false;
    }
    let mut before = ' ';
    text.chars().any(|c| is_active_after(std::mem::replace(&mut before, c), c) && !keep.contains(c))
}

/// Whether a character does more than show itself: control characters, marks of direction, and characters without
/// width, which Unicode ignores by default.
pub fn is_active(c: char) -> bool {
    matches!(c,
        '\0'..='\x1f' | '\x7f'..='\u{9f}'
        // Line and paragraph separators, which some readers treat as the end of a line.
        | '\u{2028}' | '\u{2029}'
        // Characters that change the direction of text.
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        // Characters without width.
        | '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        // Not characters.
        | '\u{fffe}' | '\u{ffff}')
}

/// Like [`is_active`], with one exception: after a symbol that is not a letter, the joiner and the selectors of emoji
/// belong to what is visible (`⚠️`).
pub fn is_active_after(before: char, c: char) -> bool {
    let of_emoji = matches!(c, '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
        && before >= '\u{2000}'
        && !before.is_alphanumeric()
        && !before.is_whitespace()
        && (before == '\u{fe0f}' && c == '\u{200d}' || !is_active(before));
    is_active(c) && !of_emoji
}

/// The form in which a character is escaped.
#[derive(Clone, Copy)]
enum Form {
    /// As in Rust: `\u{1b}`.
    Braces,
    /// As in JSON: `\u001b`. Characters beyond 16 bits need two of them.
    Json,
}

/// Escapes the text that is written through it.
struct Escaping<'a, W> {
    out: &'a mut W,
    /// The character before. It may be from an earlier call.
    before: char,
    keep: &'static str,
    form: Form,
    /// Where commands could begin, if they are escaped.
    commands: Option<Commands>,
}

/// Finds where a workflow of GitHub would see a command.
struct Commands {
    /// Whether there was only white space since the start of the line.
    is_start: bool,
    /// How many `#` were just before.
    hashes: usize,
}

impl Default for Commands {
    fn default() -> Commands {
        Commands { is_start: true, hashes: 0 }
    }
}

impl Commands {
    /// Whether the next character could begin a command.
    fn next(&mut self, c: char) -> bool {
        let begins = self.is_start && c == ':' || self.hashes > 1 && c == '[';
        self.is_start = c == '\n' || self.is_start && c.is_whitespace();
        self.hashes = if c == '#' { self.hashes + 1 } else { 0 };
        begins
    }
}

impl<'a, W> Escaping<'a, W> {
    fn new(out: &'a mut W, keep: &'static str, form: Form) -> Escaping<'a, W> {
        Escaping { out, before: ' ', keep, form, commands: None }
    }
}

impl<W: Write> Write for Escaping<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut plain = 0;
        for (at, c) in text.char_indices() {
            let before = std::mem::replace(&mut self.before, c);
            let is_command = self.commands.as_mut().is_some_and(|commands| commands.next(c));
            if !is_command && (!is_active_after(before, c) || self.keep.contains(c)) {
                continue;
            }
            // An escape sequence does not join with the next character.
            self.before = ' ';
            self.out.write_str(&text[plain..at])?;
            plain = at + c.len_utf8();
            match (self.form, c) {
                (Form::Braces, '\n') => self.out.write_str("\\n")?,
                (Form::Braces, '\r') => self.out.write_str("\\r")?,
                (Form::Braces, '\t') => self.out.write_str("\\t")?,
                (Form::Braces, c) => write!(self.out, "\\u{{{:x}}}", c as u32)?,
                (Form::Json, c) => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        write!(self.out, "\\u{unit:04x}")?;
                    }
                }
            }
        }
        self.out.write_str(&text[plain..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn active_characters_are_written_out() {
        for (given, shown) in [
            ("plain\n\ttext", "plain\n\ttext"),
            ("\x1b]0;title\x07", "\\u{1b}]0;title\\u{7}"),
            ("\u{9b}31m\u{85}", "\\u{9b}31m\\u{85}"),
            ("a\rb", "a\\rb"),
            ("zero\u{200b}width\u{feff}\u{ad}", "zero\\u{200b}width\\u{feff}\\u{ad}"),
            ("\u{e0041}", "\\u{e0041}"),
            ("⚠\u{fe0f} 🏳\u{fe0f}\u{200d}🌈", "⚠\u{fe0f} 🏳\u{fe0f}\u{200d}🌈"),
            ("a\u{fe0f}\u{200d}", "a\\u{fe0f}\\u{200d}"),
            ("⚠\u{fe0f}\u{fe0f}", "⚠\u{fe0f}\\u{fe0f}"),
            ("Ünïcödé — “fine”", "Ünïcödé — “fine”"),
        ] {
            assert_eq!(text(given), shown);
            assert_eq!(Inert(given).to_string(), shown);
            assert_eq!(has_active(given, "\n\t"), given != shown);
        }
        for (given, shown) in [
            ("::error::x", "\\u{3a}:error::x"),
            ("a\n \t::error::x", "a\n \t\\u{3a}:error::x"),
            ("a::b\nc ::d", "a::b\nc ::d"),
            ("a ##[error]x", "a ##\\u{5b}error]x"),
            ("#[derive]", "#[derive]"),
        ] {
            assert_eq!(super::shown(given), shown);
            assert_eq!(text(given), given);
        }
        assert_eq!(line("a\nb\tc"), "a\\nb\\tc");
        assert!(has_active("a\nb", "") && has_active("a\nb\r", "\n") && !has_active("a\nb", "\n"));
        assert_eq!(json("{\"a\":\"\u{202e}\u{e0041}\x7f\"}\n"), "{\"a\":\"\\u202e\\udb40\\udc41\\u007f\"}\n");
    }
}
