//! Breaks lines like kubectl.

/// A space at which lines are not broken.
const NO_BREAK: char = '\u{a0}';

/// Breaks lines at white space if they have more characters than the limit. Longer words stay whole. White space at a
/// break is dropped; at the end of a text or line it is kept if there is room.
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

/// Whether Go considers a character white space.
fn is_space(c: char) -> bool {
    c.is_whitespace()
}

#[derive(Default)]
struct Line {
    out: String,
    limit: usize,
    /// The number of characters in the line.
    width: usize,
    /// What comes next: spaces, and a word after them.
    spaces: Part,
    word: Part,
}

/// A text with its number of characters.
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
    /// Adds the spaces and the word to the line.
    fn put(&mut self) {
        for part in [&mut self.spaces, &mut self.word] {
            self.width += part.width;
            self.out.push_str(&part.text);
            part.clear();
        }
    }

    /// The same at the end of a line, where spaces alone may exceed the limit.
    fn end(&mut self) {
        if self.word.text.is_empty() && self.width + self.spaces.width > self.limit {
            self.spaces.clear();
        }
        self.put();
    }
}
