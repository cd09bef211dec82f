//! Finds values in a text. Inside of a value, it only looks for its end.

use crdgen_runtime::value::MAX_DEPTH;

/// The position in a text.
#[derive(Clone)]
pub struct Scan<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

impl<'t> Scan<'t> {
    pub fn new(text: &'t str) -> Scan<'t> {
        Scan { text, at: 0 }
    }

    /// Returns the next character that is not a space.
    pub(super) fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(self.at) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    pub(super) fn next_is(&mut self, c: u8) -> bool {
        let is = self.peek() == Some(c);
        self.at += usize::from(is);
        is
    }

    pub(super) fn expect(&mut self, c: u8) -> Option<()> {
        self.next_is(c).then_some(())
    }

    /// Fails if anything follows.
    pub fn end(&mut self) -> Option<()> {
        self.peek().is_none().then_some(())
    }

    /// Visits the members of an object. `each` is called with each name, skips the value, and may end the walk. Returns
    /// `None` if there is anything else, or a name with an escape.
    pub fn members(&mut self, mut each: impl FnMut(&'t str, &mut Self) -> Option<Walk>) -> Option<()> {
        self.expect(b'{')?;
        if self.next_is(b'}') {
            return Some(());
        }
        loop {
            let name = self.value()?.strip_prefix('"')?.strip_suffix('"')?;
            self.expect(b':')?;
            if name.contains('\\') {
                return None;
            }
            if each(name, self)? == Walk::Enough || self.next_is(b'}') {
                return Some(());
            }
            self.expect(b',')?;
        }
    }

    /// Returns the texts of the items of a list. Returns `None` if one is shorter than `shortest`: a list of short items may
    /// have so many that their positions need more memory than the text.
    pub fn items(&mut self, shortest: usize) -> Option<Vec<&'t str>> {
        self.expect(b'[')?;
        let mut out = Vec::new();
        if self.next_is(b']') {
            return Some(out);
        }
        loop {
            out.push(self.value().filter(|item| item.len() >= shortest)?);
            if self.next_is(b']') {
                return Some(out);
            }
            self.expect(b',')?;
        }
    }

    /// Returns the text of a value, up to the end of its brackets or its word.
    pub fn value(&mut self) -> Option<&'t str> {
        let first = self.peek()?;
        let start = self.at;
        match first {
            b'"' => self.string()?,
            b'{' | b'[' => self.brackets()?,
            b'}' | b']' | b',' | b':' => return None,
            _ => {
                let rest = &self.text.as_bytes()[self.at..];
                self.at += rest.iter().position(|c| ENDS_WORD[usize::from(*c)]).unwrap_or(rest.len());
            }
        }
        self.text.get(start..self.at)
    }

    /// Skips to the end of these brackets. Whether each closing bracket matches is checked when the content is read.
    fn brackets(&mut self) -> Option<()> {
        let mut depth = 0;
        loop {
            let rest = self.text.as_bytes().get(self.at..)?;
            self.at += rest.iter().position(|c| IS_MARK[usize::from(*c)])?;
            match self.text.as_bytes()[self.at] {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'{' | b'[' => depth += 1,
                _ => depth -= 1,
            }
            self.at += 1;
            if depth == 0 {
                return Some(());
            }
            if depth > MAX_DEPTH {
                return None;
            }
        }
    }

    /// Skips to the end of a string.
    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            let rest = self.text.as_bytes().get(self.at..)?;
            self.at += rest.iter().position(|c| matches!(c, b'"' | b'\\'))?;
            if self.text.as_bytes()[self.at] == b'"' {
                self.at += 1;
                return Some(());
            }
            self.at += 2;
        }
    }
}

/// Whether to go on to the next member.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Walk {
    On,
    Enough,
}

/// Quotes and brackets.
static IS_MARK: [bool; 256] = table(b"\"{}[]");

/// The characters that end a number or a literal.
static ENDS_WORD: [bool; 256] = table(b"{}[],:\" \n\r\t");

const fn table(of: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut i = 0;
    while i < of.len() {
        table[of[i] as usize] = true;
        i += 1;
    }
    table
}
