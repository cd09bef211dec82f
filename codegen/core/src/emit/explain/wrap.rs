//! Lines broken as kubectl breaks them.

/// A space in which no line is broken.
const NO_BREAK: char = '\u{a0}';

/// Breaks lines at white space, where they have more characters than the limit; longer words stay whole. White space at a
/// break is left out, and what ends a text or a line stays as long as there is room for it.
pub(super) fn wrap(text: &str, limit: usize) -> String {
    let mut line = Line { out: String::with_capacity(text.len()), limit, ..Line::default() };
    for c in text.chars() {
        if c == '\n' {
            line.end();
            line.out.push('\n');
            line.width = 0;
        } else if is_space(c) && c != NO_BREAK {
            if line.spaces.text.is_empty() || !line.word.text.is_empty() {
                line.put();
            }
            line.spaces.push(c);
        } else {
            line.word.push(c);
            if line.width + line.spaces.width + line.word.width > limit && line.word.width < limit {
                line.out.push('\n');
                line.width = 0;
                line.spaces.clear();
            }
        }
    }
    line.end();
    line.out
}

/// What Go takes for white space.
fn is_space(c: char) -> bool {
    c.is_whitespace()
}

#[derive(Default)]
struct Line {
    out: String,
    limit: usize,
    /// How many characters the line has.
    width: usize,
    /// What comes next: spaces, and a word behind them.
    spaces: Part,
    word: Part,
}

/// Characters, counted.
#[derive(Default)]
struct Part {
    text: String,
    width: usize,
}

impl Part {
    fn push(&mut self, c: char) {
        self.text.push(c);
        self.width += 1;
    }

    fn clear(&mut self) {
        self.text.clear();
        self.width = 0;
    }
}

impl Line {
    /// Takes the spaces and the word into the line.
    fn put(&mut self) {
        for part in [&mut self.spaces, &mut self.word] {
            self.width += part.width;
            self.out.push_str(&part.text);
            part.clear();
        }
    }

    /// The same at the end of a line, where spaces alone may be too many.
    fn end(&mut self) {
        if self.word.text.is_empty() && self.width + self.spaces.width > self.limit {
            self.spaces.clear();
        }
        self.put();
    }
}
