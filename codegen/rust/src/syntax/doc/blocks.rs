//! What CommonMark reads as code. rustdoc compiles and runs code, so that a doubtful line counts as code here.

/// The line that opens a fence around code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fence<'l> {
    mark: u8,
    length: usize,
    columns: usize,
    /// The text after the marks.
    pub(super) info: &'l str,
}

/// Languages that rustdoc does not run.
const LANGUAGES: &[&str] = &[
    "bash", "console", "cue", "go", "hcl", "http", "ini", "json", "jsonc", "proto", "protobuf", "sh",
    "shell", "sql", "toml", "xml", "yaml", "yml",
];

impl<'l> Fence<'l> {
    /// Reads the line that opens a fence. The indentation does not matter, because the fence may be in an item of a list.
    pub(super) fn opens(line: &'l str) -> Option<Fence<'l>> {
        let body = after_indentation(line);
        let mark = *body.as_bytes().first().filter(|mark| matches!(**mark, b'`' | b'~'))?;
        let length = run(body, mark);
        let info = &body[length..];
        let is_span = mark == b'`' && info.contains('`');
        (length >= 3 && !is_span).then(|| Fence { mark, length, columns: columns(line), info })
    }

    /// Whether a line closes the fence.
    pub(super) fn closes(&self, line: &str) -> bool {
        let body = after_indentation(line);
        let length = run(body, self.mark);
        length >= self.length && body[length..].trim().is_empty() && columns(line) < self.columns + 4
    }

    /// Whether the fence has the usual form `` ``` ``.
    pub(super) fn is_usual(&self) -> bool {
        self.mark == b'`' && self.length == 3
    }

    /// Whether rustdoc does not run the code if `text` is the language of a fence without one. A fence that begins further to
    /// the right may be part of an item of a list, and end with it. No other line may look like the end of the fence.
    pub(super) fn is_harmless(&self, code: &[&str]) -> bool {
        let is_known = self.info.is_empty() || LANGUAGES.contains(&self.info);
        let mut ends = code.iter().enumerate().filter(|(_, line)| line.trim_start().starts_with("```"));
        let is_end = |(at, line): (usize, &&str)| {
            at + 1 == code.len()
                && self.closes(line)
                && line.trim_start_matches(' ').bytes().all(|byte| byte == self.mark)
        };
        self.is_usual() && self.columns < 2 && is_known && ends.all(is_end)
    }
}

fn after_indentation(line: &str) -> &str {
    line.trim_start_matches([' ', '\t'])
}

/// The number of marks at the start.
fn run(text: &str, mark: u8) -> usize {
    text.bytes().take_while(|byte| *byte == mark).count()
}

/// The greatest number of backticks in a row.
pub(super) fn most_backticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

/// The columns of the indentation of a line.
fn columns(line: &str) -> usize {
    let white = line[..line.len() - after_indentation(line).len()].bytes();
    white.fold(0, |at, byte| if byte == b'\t' { at / 4 * 4 + 4 } else { at + 1 })
}

/// Whether a line is code if no paragraph is before it.
pub(super) fn is_indented(line: &str) -> bool {
    columns(line) >= 4 && !after_indentation(line).is_empty()
}

/// Whether code is on the same line as the mark of a list or of a quote: `-     code`.
pub(super) fn has_code_after_mark(line: &str) -> bool {
    let mut rest = after_indentation(line);
    while let Some(after) = after_mark(rest) {
        rest = after_indentation(after);
        let white = &after[..after.len() - rest.len()];
        // A tab has up to four columns.
        if !rest.is_empty() && (white.len() > 4 || white.len() > 1 && white.contains('\t')) {
            return true;
        }
    }
    false
}

/// The text after the mark of a list or of a quote.
fn after_mark(text: &str) -> Option<&str> {
    if let Some(quoted) = text.strip_prefix('>') {
        return Some(quoted);
    }
    let after = match text.strip_prefix(['-', '+', '*']) {
        Some(after) => after,
        None => {
            let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
            number.strip_prefix(['.', ')']).filter(|_| (1..=9).contains(&(text.len() - number.len())))?
        }
    };
    (after.is_empty() || after.starts_with([' ', '\t'])).then_some(after)
}

/// Whether the lines so far end with a paragraph. An indented line continues it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Paragraph {
    is_open: bool,
    /// Rows of a table may look like text, but continue no paragraph.
    in_table: bool,
}

impl Paragraph {
    /// Whether an indented line would be part of the paragraph.
    pub(super) fn is_open(self) -> bool {
        self.is_open
    }

    /// Reads a line that is not code.
    pub(super) fn read(&mut self, line: &str) {
        let mut body = line.trim();
        if body.is_empty() {
            *self = Paragraph::default();
            return;
        }
        while let Some(after) = after_mark(body) {
            body = after.trim_start();
        }
        // A break, the line below a heading or a table, or the mark of an empty item.
        if body.chars().all(|c| "-=*_+:|>~# \t".contains(c)) {
            self.is_open = false;
            self.in_table |= body.contains(['|', ':']);
        } else if !self.in_table {
            self.is_open = !body.starts_with('#');
        }
    }
}
