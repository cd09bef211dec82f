//! Reads JSON like the API server's decoder. Keys are case-sensitive. Integers of 64 bits stay integers. If a key is
//! repeated, the last value wins. Invalid UTF-8 and lone surrogates become U+FFFD.

use crate::go;
use crate::path::{Step, has_room};
use crate::value::{MAX_DEPTH, Map, Value};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// The reason why a text is not JSON, as the message of Go's decoder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The offset in bytes where reading stopped, from 0.
    pub offset: usize,
    /// The message.
    pub text: String,
    /// Whether the text is not JSON. Otherwise it is JSON, but a number is too large.
    pub is_syntax: bool,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

/// The maximum number of keys, values and collections in a text, as in YAML. It limits the memory, because a few bytes
/// of text may be a value. No document contains four million.
const MAX_VALUES: usize = 4_000_000;

/// A value that was read, and what a strict reader reports about its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// The value.
    pub value: Value,
    /// The paths of members that occur twice, each path once and in the order of the text. At most 100.
    pub duplicates: Vec<Vec<Step>>,
    /// The value with -0.0 for each `-0`, if there is one. Go reads `-0` as minus zero if the type is a float, and as
    /// the integer 0 if any value may appear.
    pub floats: Option<Value>,
}

/// Reads a text with exactly one value.
pub fn read(text: &[u8]) -> Result<Value, Error> {
    only(Reader::new(text)).map(|(value, _)| value)
}

/// Reads a text with exactly one value, which has at most this number of keys, values and collections.
pub fn read_small(text: &[u8], most: usize) -> Result<Value, Error> {
    only(Reader { most, ..Reader::new(text) }).map(|(value, _)| value)
}

/// Reads what this program wrote. Fields around a value, such as the owners of its fields, make it deeper than clients may.
pub fn read_own(text: &[u8]) -> Result<Value, Error> {
    only(Reader { deepest: 3 * MAX_DEPTH, ..Reader::new(text) }).map(|(value, _)| value)
}

/// Reads a text with exactly one value, and finds duplicate members.
pub fn read_strict(text: &[u8]) -> Result<Read, Error> {
    only(Reader::new(text)).map(|(value, reader)| reader.strict(value))
}

fn only(mut reader: Reader<'_>) -> Result<(Value, Reader<'_>), Error> {
    let value = reader.value(0)?;
    reader.skip_space();
    if reader.at < reader.text.len() {
        return Err(reader.unexpected("after top-level value"));
    }
    reader.overflow.take().map_or(Ok((value, reader)), Err)
}

/// Reads the first value of a stream. Also returns the position after it. None if there are only spaces.
pub fn read_first(text: &[u8]) -> Result<Option<(Read, usize)>, Error> {
    let mut reader = Reader::new(text);
    reader.skip_space();
    if reader.at == text.len() {
        return Ok(None);
    }
    let value = reader.value(0)?;
    let end = reader.at;
    match reader.overflow.take() {
        Some(error) => Err(error),
        None => Ok(Some((reader.strict(value), end))),
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    /// The first number outside the range of floats. Go reports it only if there is no other error.
    overflow: Option<Error>,
    /// Whether an object has a member twice. A second walk finds the paths.
    repeats: bool,
    /// Whether `-0` becomes a float.
    for_floats: bool,
    /// Whether a `-0` became an integer.
    minus_zero: bool,
    /// The number of keys and values so far.
    values: usize,
    /// The maximum number of them.
    most: usize,
    /// How many collections may be inside of each other.
    deepest: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u8]) -> Self {
        Reader {
            text,
            at: 0,
            overflow: None,
            repeats: false,
            for_floats: false,
            minus_zero: false,
            values: 0,
            most: MAX_VALUES,
            deepest: MAX_DEPTH,
        }
    }

    fn strict(self, value: Value) -> Read {
        let duplicates = if self.repeats { Duplicates::find(self.text) } else { Vec::new() };
        let again = || Reader { for_floats: true, ..Reader::new(self.text) }.value(0).ok();
        let floats = if self.minus_zero { again() } else { None };
        Read { value, duplicates, floats }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    /// The error that a character is not allowed here.
    fn unexpected(&self, context: &str) -> Error {
        match self.peek() {
            None => self.syntax("unexpected end of JSON input".to_owned()),
            Some(c) => self.not_allowed(c, context),
        }
    }

    /// The error that a character is not allowed inside of a token. Go reads a space after the text, so that a number ends.
    fn unexpected_in_token(&self, context: &str) -> Error {
        self.not_allowed(self.peek().unwrap_or(b' '), context)
    }

    fn not_allowed(&self, c: u8, context: &str) -> Error {
        self.syntax(match c {
            b'\'' => format!("invalid character '\\'' {context}"),
            b'"' => format!("invalid character '\"' {context}"),
            c => {
                let quoted = go::quote(&char::from(c).to_string());
                format!("invalid character '{}' {context}", &quoted[1..quoted.len() - 1])
            }
        })
    }

    fn syntax(&self, text: String) -> Error {
        Error { offset: self.at, text, is_syntax: true }
    }

    /// Counts keys and values. Fails if there are too many.
    fn count(&mut self, more: usize) -> Result<(), Error> {
        self.values += more;
        if self.values > self.most {
            let text = format!("the document has more than {} million values", self.most / 1_000_000);
            return Err(Error { offset: self.at, text, is_syntax: false });
        }
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Value, Error> {
        self.count(1)?;
        self.skip_space();
        match self.peek() {
            Some(b'{') => self.object(depth + 1),
            Some(b'[') => self.array(depth + 1),
            Some(b'"') => self.string().map(Value::Str),
            Some(b't') => self.literal(b"true", Value::Bool(true)),
            Some(b'f') => self.literal(b"false", Value::Bool(false)),
            Some(b'n') => self.literal(b"null", Value::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.unexpected("looking for beginning of value")),
        }
    }

    fn literal(&mut self, word: &[u8], value: Value) -> Result<Value, Error> {
        for c in word {
            if self.peek() != Some(*c) {
                let (word, c) = (String::from_utf8_lossy(word), char::from(*c));
                return Err(self.unexpected_in_token(&format!("in literal {word} (expecting '{c}')")));
            }
            self.at += 1;
        }
        Ok(value)
    }

    fn enter(&self, depth: usize) -> Result<(), Error> {
        if depth > self.deepest {
            return Err(Error { offset: self.at, text: "exceeded max depth".to_owned(), is_syntax: true });
        }
        Ok(())
    }

    fn array(&mut self, depth: usize) -> Result<Value, Error> {
        self.enter(depth)?;
        self.at += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value(depth)?);
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::List(items));
                }
                _ => return Err(self.unexpected("after array element")),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Error> {
        self.enter(depth)?;
        self.at += 1;
        let mut members = Vec::new();
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Map(Map::new()));
        }
        loop {
            let key = self.key()?;
            self.count(1)?;
            members.push((key, self.value(depth)?));
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    let count = members.len();
                    let map = Map::sorted(members);
                    self.repeats |= map.len() < count;
                    return Ok(Value::Map(map));
                }
                _ => return Err(self.unexpected("after object key:value pair")),
            }
        }
    }

    /// Reads a key with its colon.
    fn key(&mut self) -> Result<String, Error> {
        self.skip_space();
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("looking for beginning of object key string"));
        }
        let key = self.string()?;
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.unexpected("after object key"));
        }
        self.at += 1;
        Ok(key)
    }

    fn string(&mut self) -> Result<String, Error> {
        self.at += 1;
        let mut out = Vec::new();
        loop {
            let rest = &self.text[self.at..];
            let ends = |c: &u8| matches!(c, b'"' | b'\\' | ..b' ');
            let run = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
            self.at += run.len();
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    if out.is_empty() {
                        return Ok(go::valid_utf8(run).into_owned());
                    }
                    out.extend_from_slice(run);
                    return Ok(go::valid_utf8(&out).into_owned());
                }
                Some(b'\\') => {
                    out.extend_from_slice(run);
                    self.at += 1;
                    let c = self.escape()?;
                    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => return Err(self.unexpected("in string literal")),
            }
        }
    }

    /// Reads the rest of an escape after its backslash.
    fn escape(&mut self) -> Result<char, Error> {
        let c = match self.peek() {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode();
            }
            _ => return Err(self.unexpected_in_token("in string escape code")),
        };
        self.at += 1;
        Ok(c)
    }

    fn unicode(&mut self) -> Result<char, Error> {
        let first = self.hex4()?;
        if (0xd800..0xdc00).contains(&first) && self.text[self.at..].starts_with(b"\\u") {
            let back = self.at;
            self.at += 2;
            let second = self.hex4()?;
            if (0xdc00..0xe000).contains(&second) {
                let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = back;
        }
        Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex4(&mut self) -> Result<u32, Error> {
        let mut code = 0;
        for _ in 0..4 {
            match self.peek().and_then(|c| char::from(c).to_digit(16)) {
                Some(digit) => code = code << 4 | digit,
                None => return Err(self.unexpected_in_token("in \\u hexadecimal character escape")),
            }
            self.at += 1;
        }
        Ok(code)
    }

    fn digits(&mut self, context: &str) -> Result<(), Error> {
        if !self.peek().is_some_and(|c| c.is_ascii_digit()) {
            return Err(self.unexpected_in_token(context));
        }
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Value, Error> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits("in numeric literal")?;
        }
        let mut whole = true;
        if self.peek() == Some(b'.') {
            whole = false;
            self.at += 1;
            self.digits("after decimal point in numeric literal")?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            whole = false;
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits("in exponent of numeric literal")?;
        }
        let text = std::str::from_utf8(&self.text[start..self.at]).unwrap_or_default();
        if whole && let Ok(int) = text.parse() {
            if int != 0 || !text.starts_with('-') {
                return Ok(Value::Int(int));
            }
            self.minus_zero = true;
            return Ok(if self.for_floats { Value::Float(-0.0) } else { Value::Int(0) });
        }
        let float = text.parse().unwrap_or(f64::INFINITY);
        if float.is_infinite() && self.overflow.is_none() {
            let text = format!("json: cannot unmarshal number {text} into Go value of type float64");
            self.overflow = Some(Error { offset: start, text, is_syntax: false });
        }
        Ok(Value::Float(float))
    }
}

/// Walks over valid text, and notes the paths of members that occur twice.
struct Duplicates<'a> {
    reader: Reader<'a>,
    /// The numbers of the names of members, in the order in which they occur first.
    names: HashMap<String, usize>,
    path: Vec<Place>,
    found: Vec<Vec<Place>>,
}

/// A step of a path. Two paths may have a long name in common.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Name(usize),
    Index(usize),
}

impl<'a> Duplicates<'a> {
    /// The maximum number that the server reports.
    const MAX: usize = 100;

    fn find(text: &'a [u8]) -> Vec<Vec<Step>> {
        let reader = Reader::new(text);
        let mut walk = Duplicates { reader, names: HashMap::new(), path: Vec::new(), found: Vec::new() };
        _ = walk.value();
        let mut names = vec![""; walk.names.len()];
        for (name, number) in &walk.names {
            names[*number] = name;
        }
        let mut out: Vec<Vec<Step>> = Vec::new();
        for found in &walk.found {
            let length =
                |place: &Place| if let Place::Name(number) = place { names[*number].len() } else { 8 };
            if !has_room(out.len(), found.iter().map(length)) {
                break;
            }
            let step = |place: &Place| match place {
                Place::Name(number) => Step::Key(names[*number].to_owned()),
                Place::Index(index) => Step::Index(*index),
            };
            out.push(found.iter().map(step).collect());
        }
        out
    }

    fn value(&mut self) -> Result<(), Error> {
        self.reader.skip_space();
        match self.reader.peek() {
            Some(b'{') => self.object(),
            Some(b'[') => self.array(),
            _ => self.reader.value(0).map(drop),
        }
    }

    fn array(&mut self) -> Result<(), Error> {
        let mut index = 0;
        while self.more(b']') {
            self.path.push(Place::Index(index));
            self.value()?;
            self.path.pop();
            index += 1;
        }
        Ok(())
    }

    fn object(&mut self) -> Result<(), Error> {
        let mut seen = HashSet::new();
        while self.more(b'}') {
            let (key, next) = (self.reader.key()?, self.names.len());
            let name = *self.names.entry(key).or_insert(next);
            self.path.push(Place::Name(name));
            if !seen.insert(name) && self.found.len() < Self::MAX && !self.found.contains(&self.path) {
                self.found.push(self.path.clone());
            }
            self.value()?;
            self.path.pop();
        }
        Ok(())
    }

    /// Skips the opening bracket or a comma. At the closing bracket, skips it and returns false.
    fn more(&mut self, end: u8) -> bool {
        self.reader.skip_space();
        if self.reader.peek() != Some(end) {
            self.reader.at += 1;
            self.reader.skip_space();
        }
        let more = self.reader.peek() != Some(end);
        if !more {
            self.reader.at += 1;
        }
        more
    }
}
