//! Parses tokens into nodes. The grammar is a state machine with its own stack, so deep nesting cannot overflow the
//! call stack.

mod block;
mod flow;
mod recover;

use super::plain;
use super::problem::Problem;
use super::scan::{Mark, Scanner, TagName, Token, TokenKind};
use super::tag::Tag;
use super::tree::{Kind, MAX_NODES, Node, Style, Tree};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Parses the first document of a text. `broken` is the error to report if parsing reaches the end of the text.
pub(super) fn parse(text: &str, broken: Option<Problem>) -> Result<Tree<'_>, Problem> {
    let plain = if broken.is_none() { plain::nodes(text) } else { None };
    match plain {
        Some(nodes) => Ok(Tree { text, nodes, aliases: false }),
        None => parse_any(text, broken),
    }
}

/// The same for documents of any form.
pub(super) fn parse_any(text: &str, broken: Option<Problem>) -> Result<Tree<'_>, Problem> {
    let mut parser = Parser::new(Scanner::new(text, broken));
    parser.document()?;
    Ok(parser.tree)
}

/// Parses the first document of a text, whatever mistakes it has. What [`parse`] reads stays as it is.
pub(super) fn parse_tolerant(text: &str) -> Tree<'_> {
    parse(text, None).unwrap_or_else(|_| {
        let mut parser = Parser::new(Scanner::tolerant(text));
        parser.tolerant_document();
        parser.tree
    })
}

/// What a node is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Document,
    BlockList,
    /// A list needs no indentation here.
    BlockMap,
    Flow,
}

/// What is expected next.
#[derive(Clone, Copy)]
enum State {
    Done,
    BlockEntry,
    /// An entry of a list that is not indented more than its key.
    LooseEntry,
    BlockKey,
    BlockValue,
    FlowEntry {
        first: bool,
    },
    /// A map with one pair inside a flow list.
    FlowPairKey,
    FlowPairValue,
    FlowPairEnd,
    FlowKey {
        first: bool,
    },
    FlowValue,
    FlowNoValue,
}

struct Parser<'a> {
    scanner: Scanner<'a>,
    tree: Tree<'a>,
    /// The open collections.
    open: Vec<usize>,
    /// The collection that was closed last.
    closed: usize,
    states: Vec<State>,
    anchors: BTreeMap<&'a str, u32>,
    /// The tag handles that directives declared.
    tags: Vec<TagName>,
}

/// An anchor and a tag, and their start.
struct Properties<'a> {
    start: Mark,
    end: Mark,
    anchor: Option<&'a str>,
    tag: Tag,
}

impl<'a> Parser<'a> {
    fn new(scanner: Scanner<'a>) -> Parser<'a> {
        let text = scanner.text;
        Parser {
            scanner,
            tree: Tree { text, nodes: Vec::with_capacity(text.len() / 24), aliases: false },
            open: Vec::new(),
            closed: 0,
            states: Vec::new(),
            anchors: BTreeMap::new(),
            tags: Vec::new(),
        }
    }

    fn document(&mut self) -> Result<(), Problem> {
        match self.scanner.peek()?.kind {
            TokenKind::StreamEnd => return Ok(()),
            TokenKind::Version { .. } | TokenKind::TagDirective(_) | TokenKind::DocumentStart => {
                self.directives()?;
                let token = self.scanner.peek()?;
                if !matches!(token.kind, TokenKind::DocumentStart) {
                    let start = token.start;
                    return error(start, "did not find expected <document start>");
                }
                self.scanner.take();
                let token = self.scanner.peek()?;
                if let TokenKind::Version { .. }
                | TokenKind::TagDirective(_)
                | TokenKind::DocumentStart
                | TokenKind::DocumentEnd
                | TokenKind::StreamEnd = token.kind
                {
                    let start = token.start;
                    self.empty(start);
                    return Ok(());
                }
            }
            _ => self.directives()?,
        }
        self.node(Around::Document, State::Done)?;
        self.run()?;
        // The scanner must check the token after the document.
        self.scanner.peek().map(drop)
    }

    /// Parses until no state is left.
    fn run(&mut self) -> Result<(), Problem> {
        while let Some(state) = self.states.pop() {
            self.step(state)?;
            if self.tree.nodes.len() > MAX_NODES {
                let start = self.scanner.peek()?.start;
                return error(start, "the document has more than 4 million values");
            }
        }
        Ok(())
    }

    fn directives(&mut self) -> Result<(), Problem> {
        let mut version_seen = false;
        loop {
            let token = self.scanner.peek()?;
            let start = token.start;
            match &token.kind {
                TokenKind::Version { .. } if version_seen => {
                    return error(start, "found duplicate %YAML directive");
                }
                TokenKind::Version { major: 1, minor: 1 } => version_seen = true,
                TokenKind::Version { .. } => return error(start, "found incompatible YAML document"),
                TokenKind::TagDirective(_) => {}
                _ => break,
            }
            if let Some(Token { kind: TokenKind::TagDirective(name), .. }) = self.scanner.take() {
                if self.tags.iter().any(|t| t.handle == name.handle) {
                    return error(start, "found duplicate %TAG directive");
                }
                self.tags.push(*name);
            }
        }
        for (handle, prefix) in [("!", "!"), ("!!", "tag:yaml.org,2002:")] {
            if !self.tags.iter().any(|t| t.handle == handle) {
                self.tags.push(TagName { handle: handle.to_owned(), suffix: prefix.to_owned() });
            }
        }
        Ok(())
    }

    fn step(&mut self, state: State) -> Result<(), Problem> {
        match state {
            State::Done => Ok(()),
            State::BlockEntry => self.block_entry(),
            State::LooseEntry => self.loose_entry(),
            State::BlockKey => self.block_key(),
            State::BlockValue => self.block_value(),
            State::FlowEntry { first } => self.flow_entry(first),
            State::FlowPairKey => self.flow_pair_key(),
            State::FlowPairValue => self.flow_pair_value(),
            State::FlowPairEnd => {
                self.close();
                self.states.push(State::FlowEntry { first: false });
                Ok(())
            }
            State::FlowKey { first } => self.flow_key(first),
            State::FlowValue => self.flow_value(),
            State::FlowNoValue => {
                let start = self.scanner.peek()?.start;
                self.empty(start);
                self.states.push(State::FlowKey { first: false });
                Ok(())
            }
        }
    }

    // Nodes.

    fn push(&mut self, kind: Kind<'a>, start: Mark, end: Mark, anchor: Option<&'a str>) -> usize {
        let id = self.tree.nodes.len();
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, id as u32);
        }
        let node = Node { kind, next: id as u32 + 1, start: start.at, end: end.at, line: start.line + 1 };
        self.tree.nodes.push(node);
        id
    }

    /// Adds an empty scalar.
    fn empty(&mut self, mark: Mark) {
        let kind = Kind::Scalar { text: Cow::Borrowed(""), style: Style::Plain, tag: Tag::None };
        self.push(kind, mark, mark, None);
    }

    fn open(&mut self, kind: Kind<'a>, start: Mark, end: Mark, anchor: Option<&'a str>, inside: State) {
        let id = self.push(kind, start, end, anchor);
        self.open.push(id);
        self.states.push(inside);
    }

    fn close(&mut self) {
        let next = self.tree.nodes.len() as u32;
        if let Some(id) = self.open.pop() {
            self.tree.nodes[id].next = next;
            self.closed = id;
        }
    }

    /// Parses a node. `then` is the state after it.
    fn node(&mut self, around: Around, then: State) -> Result<(), Problem> {
        self.states.push(then);
        let token = self.scanner.peek()?;
        let (start, end) = (token.start, token.end);
        if let TokenKind::Alias(name) = token.kind {
            let Some(target) = self.anchors.get(name).copied() else {
                if self.scanner.tolerant {
                    self.skip_as_empty();
                    return Ok(());
                }
                let text = format!("yaml: unknown anchor '{name}' referenced");
                return Err(Problem::between(start.at as usize..end.at as usize, text));
            };
            self.scanner.take();
            self.tree.aliases = true;
            self.push(Kind::Alias { target }, start, end, None);
            return Ok(());
        }
        if let TokenKind::Scalar(..) = token.kind {
            return self.scalar(Properties { start, end: start, anchor: None, tag: Tag::None });
        }
        let mut properties = Properties { start, end: start, anchor: None, tag: Tag::None };
        let tagged = self.properties(&mut properties)?;
        let Properties { start, anchor, .. } = properties;
        let is_tolerant = self.scanner.tolerant;
        let token = self.scanner.peek()?;
        let end = token.end;
        match token.kind {
            TokenKind::BlockEntry if around == Around::BlockMap => {
                self.open(Kind::List { flow: false }, start, end, anchor, State::LooseEntry);
            }
            TokenKind::Scalar(..) => return self.scalar(properties),
            TokenKind::FlowListStart => {
                self.scanner.take();
                self.open(Kind::List { flow: true }, start, end, anchor, State::FlowEntry { first: true });
            }
            TokenKind::FlowMapStart => {
                self.scanner.take();
                self.open(Kind::Map { flow: true }, start, end, anchor, State::FlowKey { first: true });
            }
            TokenKind::BlockListStart if around != Around::Flow => {
                self.scanner.take();
                self.open(Kind::List { flow: false }, start, end, anchor, State::BlockEntry);
            }
            TokenKind::BlockMapStart if around != Around::Flow => {
                self.scanner.take();
                self.open(Kind::Map { flow: false }, start, end, anchor, State::BlockKey);
            }
            _ if anchor.is_some() || tagged => {
                let kind = Kind::Scalar { text: Cow::Borrowed(""), style: Style::Plain, tag: properties.tag };
                self.push(kind, start, properties.end, anchor);
            }
            _ if is_tolerant => return self.missing_node(around),
            _ => return error(token.start, "did not find expected node content"),
        }
        Ok(())
    }

    fn scalar(&mut self, properties: Properties<'a>) -> Result<(), Problem> {
        if let Some(Token { kind: TokenKind::Scalar(text, style), end, .. }) = self.scanner.take() {
            let Properties { start, anchor, tag, .. } = properties;
            self.push(Kind::Scalar { text, style, tag }, start, end, anchor);
        }
        Ok(())
    }

    /// Parses an anchor and a tag, in any order. Returns whether there is a tag.
    fn properties(&mut self, out: &mut Properties<'a>) -> Result<bool, Problem> {
        let mut name = None;
        for _ in 0..2 {
            let token = self.scanner.peek()?;
            match token.kind {
                TokenKind::Anchor(anchor) if out.anchor.is_none() => {
                    out.end = token.end;
                    out.anchor = Some(anchor);
                    self.scanner.take();
                }
                TokenKind::Tag(_) if name.is_none() => {
                    out.end = token.end;
                    if let Some(Token { kind: TokenKind::Tag(tag), start, .. }) = self.scanner.take() {
                        name = Some((tag, start));
                    }
                }
                _ => break,
            }
        }
        let Some((TagName { handle, suffix }, start)) = name.map(|(n, s)| (*n, s)) else { return Ok(false) };
        // Like go-yaml, scans the next token before it checks the tag.
        self.scanner.peek()?;
        if handle.is_empty() {
            out.tag = Tag::of(&suffix);
            return Ok(!suffix.is_empty());
        }
        match self.tags.iter().find(|t| t.handle == handle) {
            Some(known) if !(known.suffix.is_empty() && suffix.is_empty()) => {
                out.tag = Tag::of(&(known.suffix.clone() + &suffix));
                Ok(true)
            }
            _ if self.scanner.tolerant => Ok(true),
            _ => error(start, "found undefined tag handle"),
        }
    }
}

/// The error for valid tokens in a wrong order, with go-yaml's message, which counts these lines from 0.
fn error<T>(mark: Mark, text: &str) -> Result<T, Problem> {
    let text = match mark.line {
        0 => format!("yaml: {text}"),
        line => format!("yaml: line {line}: {text}"),
    };
    Err(Problem::at(mark.at as usize, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_documents_have_the_nodes_that_tokens_give() {
        let mut read = 0;
        let lines = [
            "a: b",
            "a:",
            "  b: c",
            "  b:",
            "  - c",
            "- c",
            "- a: b",
            "  d: e",
            "-",
            "  - - x",
            "a: []",
            "  b: {}",
            "    e: f",
            "# note",
            "",
            "   ",
            "  more text",
            "a: 'x",
            "  y'",
            "b: \"x\\ty\"",
            "a: |",
            "  text",
            "    deeper",
            "a: >-",
            "c: |2-",
            "a: b # note",
            "a: b: c",
            "a: [b]",
            "\ta: b",
            "a: \tb",
            "a:\tb",
            "---",
            "...",
            "k: &x y",
            "k: *x",
            "a : b",
            "'a': b",
            "? a",
            "a: -",
            "a: - b",
            "a: ?x",
            "a: :x",
            "a: -x",
            "a: b\r",
            "a: \u{85}b",
            "a: b\u{2028}  c",
            "a: \u{e9}",
            "<<: x",
            "%x",
            "a: 'x' y",
            "- 'x': y",
            "- x y: z",
            "a: {}: b",
            "  b: 'it''s'",
            "- |",
            "- - a: b",
            "  - |",
            "a: 1",
            "a.b/c-d_e: ~",
            "a: #x",
            "a: b#c",
            "a: b #c",
            "  # deep",
            "a: @x",
            "a: `x",
            "a: !x y",
            "a: %x",
            "a: , x",
            "a: ] x",
            "\u{feff}a: b",
        ];
        let mut seed = 1_u64;
        for round in 0..60_000_usize {
            let mut text = String::new();
            for _ in 0..1 + round % 7 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(lines[(seed >> 33) as usize % lines.len()]);
                text.push('\n');
            }
            if round % 11 == 0 {
                text.pop();
            }
            let Some(nodes) = plain::nodes(&text) else { continue };
            read += 1;
            match parse_any(&text, None) {
                Ok(tree) => assert_eq!(format!("{nodes:?}"), format!("{:?}", tree.nodes), "{text:?}"),
                Err(problem) => panic!("{text:?}: {}", problem.text),
            }
        }
        assert!(read > 5_000, "{read} documents are plain");
    }
}
