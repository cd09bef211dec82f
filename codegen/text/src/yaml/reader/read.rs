//! Reads a text: its documents, each with its value and the places of everything in it.

use super::locate::{Index, shown};
use super::problem::Problem;
use super::stream::Splitter;
use super::text::Text;
use super::{decode, encoding, parse, repeats, stream};
use crate::json;
use crate::path::Step;
use crate::span::{Locate, Place, Pos};
use crate::value::Value;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The length of the longest text that is read, in bytes. Documents in a cluster are much shorter.
pub const MAX_BYTES: usize = 128 << 20;

/// The format of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// YAML.
    Yaml,
    /// JSON.
    Json,
}

/// A document: its value, and the places of everything in it.
#[derive(Clone, Debug)]
pub struct Document {
    /// The value, as the server's JSON decoder reads it.
    pub value: Value,
    /// The keys that occur twice in a map, which a server rejects with strict field validation. The value has the last
    /// one.
    pub strict: Vec<Problem>,
    /// The value with minus zeros as Go reads them into floats, if it has any.
    pub floats: Option<Box<Value>>,
    /// Whether keys that differ in YAML are the same in JSON, such as `1` and `"1"`. For kubectl and the server, it is
    /// random which of them wins. Here it is the last one.
    pub undecided: bool,
    /// The format in which it was read.
    pub format: Format,
    /// The whole text, shared by the documents of a stream.
    text: Arc<Text>,
    /// The bytes of this document.
    range: Range<usize>,
    /// The bytes that represent the whole document in messages. Errors in large documents are often about all of it,
    /// and need no index then.
    shown: Option<Range<usize>>,
    /// The index for finding places. It is built at the first search.
    index: OnceLock<Option<Index>>,
}

impl Document {
    fn index(&self) -> Option<&Index> {
        self.index.get_or_init(|| Index::new(&self.text.bytes, self.range.clone(), self.format)).as_ref()
    }

    /// Returns the place of the key of the member at the end of `steps`. None if the member does not exist.
    pub fn locate_key(&self, steps: &[Step]) -> Option<Place> {
        self.index()?.key(&self.text, self.range.start, steps)
    }

    /// Returns the written form of the key of the member at the end of `steps`, if YAML reads it as another text: `on`
    /// is `true`.
    pub fn key_as_written(&self, steps: &[Step]) -> Option<&str> {
        self.index()?.key_as_written(steps)
    }

    /// Returns the errors that the server's strict decoding reports.
    pub fn strict_errors(&self) -> Vec<String> {
        match self.format {
            _ if self.strict.is_empty() => Vec::new(),
            Format::Json => self.strict.iter().map(|p| p.text.clone()).collect(),
            Format::Yaml => {
                let lines: Vec<&str> = self.strict.iter().map(|p| p.text.as_str()).collect();
                vec![format!("yaml: unmarshal errors:\n  {}", lines.join("\n  "))]
            }
        }
    }

    /// Returns the bytes of this document in the text from which it was read.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Removes the objects from the document and returns them like [`Document::objects`]. The document can still find
    /// their places.
    pub fn take_objects(&mut self) -> Vec<(Vec<Step>, Value)> {
        let is_list = self.objects().first().is_none_or(|(steps, _)| !steps.is_empty());
        let mut value = std::mem::take(&mut self.value);
        let items = value.as_map_mut().filter(|_| is_list).and_then(|list| list.get_mut("items"));
        match items.map(std::mem::take) {
            Some(Value::List(items)) => {
                let steps = |i| vec![Step::Key("items".to_owned()), Step::Index(i)];
                items.into_iter().enumerate().map(|(i, item)| (steps(i), item)).collect()
            }
            _ => vec![(Vec::new(), value)],
        }
    }

    /// Returns the objects in the document: the items of a list (`kind: List` and similar kinds), or the document
    /// itself. Each has the steps that lead to it.
    pub fn objects(&self) -> Vec<(Vec<Step>, &Value)> {
        let is_list = self.value.get("kind").and_then(Value::as_str).is_some_and(|k| k.ends_with("List"));
        match self.value.get("items").and_then(Value::as_list) {
            Some(items) if is_list => {
                let steps = |i| vec![Step::Key("items".to_owned()), Step::Index(i)];
                items.iter().enumerate().map(|(i, item)| (steps(i), item)).collect()
            }
            _ => vec![(Vec::new(), &self.value)],
        }
    }
}

impl Locate for Document {
    /// The place of a scalar or of a collection in brackets. For other collections, the place of their key.
    fn locate(&self, steps: &[Step]) -> Option<Place> {
        if let (true, Some(shown)) = (steps.is_empty(), &self.shown) {
            return Some(self.text.place(shown.clone()));
        }
        Some(self.index()?.value(&self.text, self.range.start, steps))
    }

    fn locate_inside(&self, steps: &[Step], inside: Range<usize>) -> Option<Place> {
        self.index()?.inside(&self.text, self.range.start, steps, inside)
    }
}

/// Returns the place of a range of bytes in a text, such as the range of a problem from [`read`].
pub fn place(bytes: &[u8], range: Range<usize>) -> Place {
    let converted = encoding::to_utf8(bytes);
    let text = converted.as_deref().unwrap_or(bytes);
    Place { start: Pos::at(text, range.start), end: Pos::at(text, range.end) }
}

/// Reads all documents of a text like kubectl: a stream of JSON values, or YAML documents between lines of `---`. Empty
/// documents are left out. Parts that cannot be read are reported, and reading continues after them.
pub fn read(bytes: &[u8]) -> (Vec<Document>, Vec<Problem>) {
    match check_size(bytes) {
        Ok(()) => read_shared(&Arc::new(bytes.to_vec())),
        Err(problem) => (Vec::new(), vec![problem]),
    }
}

/// Reads all documents like [`read`], without a copy of the text. The documents keep the text.
pub fn read_shared(bytes: &Arc<Vec<u8>>) -> (Vec<Document>, Vec<Problem>) {
    let (mut documents, mut problems) = (Vec::new(), Vec::new());
    for read in Documents::new(bytes) {
        match read {
            Ok(document) => documents.push(document),
            Err(unreadable) => problems.push(unreadable.problem),
        }
    }
    (documents, problems)
}

/// Reads the one document of a text: as JSON if it starts with an opening brace, and otherwise as the first document of
/// the YAML, without what follows. An empty document is null.
pub fn read_one(bytes: &[u8]) -> Result<Document, Box<Problem>> {
    check_size(bytes)?;
    let text = Arc::new(Text::new(Arc::new(encoding::to_utf8(bytes).unwrap_or_else(|| bytes.to_vec()))));
    if stream::looks_like_json(&text.bytes) {
        return only_json(&text);
    }
    let range = 0..text.bytes.len();
    yaml_document(&text, range).map_err(Box::new)
}

/// Reads the first document of a text as YAML, also if it looks like JSON. An empty document is null.
pub fn read_yaml(bytes: &[u8]) -> Result<Document, Box<Problem>> {
    check_size(bytes)?;
    let text = Arc::new(Text::new(Arc::new(encoding::to_utf8(bytes).unwrap_or_else(|| bytes.to_vec()))));
    yaml_document(&text, 0..text.bytes.len()).map_err(Box::new)
}

/// Reads a text that must be JSON.
pub fn read_json(bytes: &[u8]) -> Result<Document, Box<Problem>> {
    check_size(bytes)?;
    only_json(&Arc::new(Text::new(Arc::new(bytes.to_vec()))))
}

fn only_json(text: &Arc<Text>) -> Result<Document, Box<Problem>> {
    match json::read_strict(&text.bytes) {
        Ok(read) => Ok(json_document(read, text, 0..text.bytes.len())),
        Err(e) => Err(Box::new(Problem::at(e.offset, e.text))),
    }
}

fn check_size(bytes: &[u8]) -> Result<(), Problem> {
    if bytes.len() > MAX_BYTES {
        return Err(Problem::at(0, format!("the text has more than {MAX_BYTES} bytes")));
    }
    Ok(())
}

/// Reads the documents of a text like [`read`], but one by one. If each one is dropped before the next is read, this
/// needs little memory even for long texts.
#[derive(Debug)]
pub struct Documents {
    text: Arc<Text>,
    state: State,
}

/// A part of a stream that could not be read as a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Unreadable {
    /// The reason. It has no steps.
    pub problem: Problem,
    /// The place of the problem.
    pub place: Place,
}

#[derive(Debug)]
enum State {
    /// The text is larger than the limit.
    TooLarge(Problem),
    /// JSON values: the current place, the number of values so far, and where the last one must end.
    Json {
        at: usize,
        count: usize,
        len: usize,
    },
    /// YAML documents. After at most one JSON value, the rest may still be YAML. If the first document is not valid
    /// YAML, it was meant to be JSON, and `not_json` is the error in that.
    Yaml {
        pieces: Splitter,
        not_json: Option<Problem>,
    },
    Done,
}

impl Documents {
    /// Starts reading. The documents keep the text.
    pub fn new(bytes: &Arc<Vec<u8>>) -> Documents {
        if let Err(problem) = check_size(bytes) {
            let text = Arc::new(Text::new(Arc::default()));
            return Documents { text, state: State::TooLarge(problem) };
        }
        let text = encoding::to_utf8(bytes).map_or_else(|| Arc::clone(bytes), Arc::new);
        let state = if stream::looks_like_json(&text) {
            State::Json { at: 0, count: 0, len: text.len() }
        } else {
            State::Yaml { pieces: Splitter::default(), not_json: None }
        };
        Documents { text: Arc::new(Text::new(encoding::with_line_break(text))), state }
    }

    fn unreadable(&self, problem: Problem) -> Unreadable {
        let range = problem.range_in(&self.text.bytes);
        Unreadable { place: self.text.place(range), problem }
    }

    /// Reads the next JSON value.
    fn json(&mut self, at: usize, count: usize, len: usize) -> Option<Result<Document, Unreadable>> {
        match json::read_first(&self.text.bytes[at..len]) {
            Ok(None) => None,
            Ok(Some((read, size))) => {
                self.state = State::Json { at: at + size, count: count + 1, len };
                Some(Ok(json_document(read, &self.text, at..at + size)))
            }
            Err(e) => {
                let problem = Problem::at(e.offset + at, e.text);
                let is_syntax = e.is_syntax;
                let rest =
                    stream::skip_line_space(&self.text.bytes[..len], at).filter(|_| is_syntax && count < 2);
                let Some(rest) = rest else { return Some(Err(self.unreadable(problem))) };
                self.yaml(Splitter::from(rest), Some(problem))
            }
        }
    }

    /// Reads the next YAML document.
    fn yaml(
        &mut self,
        mut pieces: Splitter,
        not_json: Option<Problem>,
    ) -> Option<Result<Document, Unreadable>> {
        let piece = pieces.next(&self.text.bytes)?;
        self.state = State::Yaml { pieces, not_json: None };
        let problem = match piece {
            Err(problem) => problem,
            Ok(range) => match yaml_document(&self.text, range.clone()) {
                Ok(document) => return Some(Ok(document)),
                Err(problem) => problem.after(range.start),
            },
        };
        Some(Err(self.unreadable(not_json.unwrap_or(problem))))
    }
}

impl Iterator for Documents {
    type Item = Result<Document, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let next = match std::mem::replace(&mut self.state, State::Done) {
                State::TooLarge(problem) => Some(Err(self.unreadable(problem))),
                State::Json { at, count, len } => self.json(at, count, len),
                State::Yaml { pieces, not_json } => self.yaml(pieces, not_json),
                State::Done => None,
            };
            match next {
                // Empty documents do not count.
                Some(Ok(document)) if document.value.is_null() => {}
                next => return next,
            }
        }
    }
}

fn json_document(read: json::Read, text: &Arc<Text>, range: Range<usize>) -> Document {
    let strict = read.duplicates.into_iter().map(|steps| {
        let mut path = String::new();
        for step in &steps {
            match step {
                Step::Key(key) if path.is_empty() => path.push_str(key),
                Step::Key(key) => path.extend([".", key]),
                Step::Index(i) => path.push_str(&format!("[{i}]")),
            }
        }
        Problem::repeated(steps, format!("duplicate field {}", crate::go::quote(&path)))
    });
    let floats = read.floats.map(Box::new);
    Document { floats, ..document(read.value, strict.collect(), Format::Json, text, range) }
}

fn yaml_document(text: &Arc<Text>, range: Range<usize>) -> Result<Document, Problem> {
    let (source, broken) = encoding::check(&text.bytes[range.clone()]);
    let tree = parse::parse(source, broken)?;
    let decoded = decode::decode(&tree)?;
    let found = if decoded.suspicious { repeats::repeats(&tree) } else { Vec::new() };
    let undecided = decoded.suspicious && found.is_empty();
    let strict = found.into_iter().map(|r| Problem::repeated(r.steps, r.text)).collect();
    let shown = (!tree.nodes.is_empty()).then(|| shown(&tree, &text.bytes, range.start, tree.resolve(0)));
    let floats = decoded.floats.map(Box::new);
    Ok(Document { undecided, shown, floats, ..document(decoded.value, strict, Format::Yaml, text, range) })
}

fn document(
    value: Value,
    strict: Vec<Problem>,
    format: Format,
    text: &Arc<Text>,
    range: Range<usize>,
) -> Document {
    Document {
        value,
        strict,
        floats: None,
        undecided: false,
        format,
        text: Arc::clone(text),
        range,
        shown: None,
        index: OnceLock::new(),
    }
}
