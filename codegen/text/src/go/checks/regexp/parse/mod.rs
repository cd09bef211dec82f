//! Parses the text of a pattern into the intermediate form, by the rules of Go's `regexp/syntax`.
//!
//! Open groups are on a separate stack, so nesting needs no recursion. Each node knows its size, its height and its
//! number of repetitions, because Go limits these.

mod escapes;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Dot, Hir, Look, Repetition};

use super::class;
use super::error::{Error, ErrorKind};

const MAX_HEIGHT: u32 = 1000;
const MAX_REPEAT: i64 = 1000;
/// The limit in instructions of 40 bytes: 128 MB.
const MAX_SIZE: u64 = (128 << 20) / 40;
/// The limit in code points of 4 bytes: 128 MB.
const MAX_RUNES: usize = (128 << 20) / 4;

/// Parses a pattern like `regexp.Compile`.
pub(super) fn parse(pattern: &str) -> Result<Hir, Error> {
    let mut p = Parser {
        whole: pattern,
        rest: pattern,
        flags: Flags::default(),
        groups: vec![],
        top: Group::default(),
        limits: Limits { repeats: 1, ..Limits::default() },
    };
    p.pattern()
}

#[derive(Clone, Copy, Default)]
struct Flags {
    /// `i`
    fold: bool,
    /// `m`
    multi_line: bool,
    /// `s`
    dot_nl: bool,
    /// `U`
    lazy: bool,
}

struct RegexpNode {
    op: Op,
    /// The size in instructions.
    size: u64,
    height: u32,
    /// How many copies of the innermost part the counted repetitions make.
    copies: i64,
    /// The count, if the node is a counted repetition. Otherwise 1.
    count: u64,
}

enum Op {
    Literal { text: Vec<char>, fold: bool },
    Class(ClassUnicode),
    Concat(Vec<Hir>),
    Alternate(Vec<Hir>),
    Other(Hir),
}

impl Op {
    fn hir(self) -> Hir {
        match self {
            Op::Literal { text, fold: false } => {
                Hir::literal(text.into_iter().collect::<String>().into_bytes())
            }
            Op::Literal { text, fold: true } => Hir::concat(text.into_iter().map(folded).collect()),
            Op::Class(class) => Hir::class(Class::Unicode(class)),
            Op::Concat(parts) => Hir::concat(parts),
            Op::Alternate(parts) => Hir::alternation(parts),
            Op::Other(hir) => hir,
        }
    }

    fn is_one_char(&self) -> bool {
        match self {
            Op::Literal { text, fold: _ } => text.len() == 1,
            Op::Class(_) => true,
            Op::Concat(_) | Op::Alternate(_) | Op::Other(_) => false,
        }
    }
}

fn folded(c: char) -> Hir {
    let mut class = ClassUnicode::new([ClassUnicodeRange::new(c, c)]);
    class::fold(&mut class);
    Hir::class(Class::Unicode(class))
}

/// How often a part is repeated. There is no upper limit if `max` is negative.
#[derive(Clone, Copy)]
struct Times {
    min: i64,
    max: i64,
    operator: Operator,
}

/// How a repetition is written. Go measures them differently.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    /// `*`, `+` or `?`.
    Symbol,
    /// `{1,2}`.
    Counts,
}

/// What a parenthesis opens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GroupKind {
    Capturing,
    NonCapturing,
}

/// An open parenthesis, or the whole pattern: the parts of the current branch, and the branches before it.
#[derive(Default)]
struct Group {
    /// The flags to restore at the end.
    outer: Flags,
    captures: bool,
    branches: Vec<RegexpNode>,
    parts: Vec<RegexpNode>,
}

/// The numbers with which Go limits the memory of a pattern. Go only starts to measure when its count of allocated
/// nodes shows that a limit could be reached, so this count affects the result.
#[derive(Default)]
struct Limits {
    allocated: u64,
    free: u64,
    repeats: u64,
    runes: usize,
    largest: u64,
    sizing: bool,
    highest: u32,
}

impl Limits {
    fn alloc(&mut self) {
        match self.free {
            0 => self.allocated += 1,
            _ => self.free -= 1,
        }
    }

    /// Go checks a node again at every level to which it rises unchanged, and multiplies by its count each time.
    fn check(&mut self, node: &RegexpNode) -> Result<(), ErrorKind> {
        if self.runes > MAX_RUNES {
            return Err(ErrorKind::Large);
        }
        self.largest = self.largest.max(node.size);
        self.highest = self.highest.max(node.height);
        if !self.sizing {
            let is_small = node.count <= MAX_SIZE / self.repeats;
            self.repeats = if is_small { self.repeats * node.count } else { MAX_SIZE };
            self.sizing = self.allocated >= MAX_SIZE / self.repeats;
        }
        if self.sizing && self.largest > MAX_SIZE {
            return Err(ErrorKind::Large);
        }
        if self.allocated >= u64::from(MAX_HEIGHT) && self.highest > MAX_HEIGHT {
            return Err(ErrorKind::NestingDepth);
        }
        Ok(())
    }
}

struct Parser<'p> {
    whole: &'p str,
    rest: &'p str,
    flags: Flags,
    groups: Vec<Group>,
    top: Group,
    limits: Limits,
}

impl<'p> Parser<'p> {
    fn pattern(&mut self) -> Result<Hir, Error> {
        let mut last_repeat = "";
        while let Some(&first) = self.rest.as_bytes().first() {
            let before = self.rest;
            let mut repeat = "";
            match first {
                b'(' if before.as_bytes().get(1) == Some(&b'?') => self.perl_group()?,
                b'(' => {
                    self.open(GroupKind::Capturing);
                    self.skip(1);
                }
                b'|' => {
                    self.end_branch()?;
                    self.skip(1);
                }
                b')' => self.close()?,
                b'^' => {
                    self.skip(1);
                    self.look(if self.flags.multi_line { Look::StartLF } else { Look::Start })?;
                }
                b'$' => {
                    self.skip(1);
                    self.look(if self.flags.multi_line { Look::EndLF } else { Look::End })?;
                }
                b'.' => {
                    self.skip(1);
                    let dot = if self.flags.dot_nl { Dot::AnyChar } else { Dot::AnyCharExceptLF };
                    self.leaf(Op::Other(Hir::dot(dot)))?;
                }
                b'[' => self.class()?,
                b'*' | b'+' | b'?' => {
                    self.skip(1);
                    let (min, max) = match first {
                        b'*' => (0, -1),
                        b'+' => (1, -1),
                        _ => (0, 1),
                    };
                    self.repeat(Times { min, max, operator: Operator::Symbol }, before, last_repeat)?;
                    repeat = before;
                }
                b'{' => match count(before) {
                    None => {
                        self.skip(1);
                        self.literal('{')?;
                    }
                    Some((min, max, len)) => {
                        self.skip(len);
                        if !(0..=MAX_REPEAT).contains(&min) || max > MAX_REPEAT || max >= 0 && min > max {
                            return Err(self.error_since(ErrorKind::InvalidRepeatSize, before));
                        }
                        self.repeat(Times { min, max, operator: Operator::Counts }, before, last_repeat)?;
                        repeat = before;
                    }
                },
                b'\\' => self.backslash()?,
                _ => {
                    if let Some(c) = self.next() {
                        self.literal(c)?;
                    }
                }
            }
            last_repeat = repeat;
        }
        let whole = self.end_group()?;
        if self.groups.is_empty() {
            Ok(whole.op.hir())
        } else {
            Err(self.error(ErrorKind::MissingParen, self.whole))
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.skip(c.len_utf8());
        Some(c)
    }

    fn error(&self, kind: ErrorKind, expr: &str) -> Error {
        Error { kind, expr: expr.to_owned() }
    }

    /// An error that quotes the text from `before` to here.
    fn error_since(&self, kind: ErrorKind, before: &str) -> Error {
        self.error(kind, &before[..before.len() - self.rest.len()])
    }

    fn check(&mut self, node: &RegexpNode) -> Result<(), Error> {
        self.limits.check(node).map_err(|kind| Error { kind, expr: self.whole.to_owned() })
    }

    // Building

    fn literal(&mut self, c: char) -> Result<(), Error> {
        self.limits.alloc();
        self.limits.runes += 1;
        let fold = self.flags.fold;
        self.push(RegexpNode {
            op: Op::Literal { text: vec![c], fold },
            size: 1,
            height: 1,
            copies: 1,
            count: 1,
        })
    }

    fn look(&mut self, look: Look) -> Result<(), Error> {
        self.leaf(Op::Other(Hir::look(look)))
    }

    fn leaf(&mut self, op: Op) -> Result<(), Error> {
        self.limits.alloc();
        self.push(RegexpNode { op, size: 1, height: 1, copies: 1, count: 1 })
    }

    fn push_class(&mut self, class: ClassUnicode) -> Result<(), Error> {
        self.limits.runes += 2 * class.ranges().len();
        let op = match class.ranges() {
            [one] if one.start() == one.end() => Op::Literal { text: vec![one.start()], fold: false },
            _ => Op::Class(class),
        };
        self.leaf(op)
    }

    fn push(&mut self, node: RegexpNode) -> Result<(), Error> {
        self.merge_literals();
        self.check(&node)?;
        self.top.parts.push(node);
        Ok(())
    }

    /// Merges the last two literals. Only the very last literal can still be repeated, so the ones before can be
    /// merged.
    fn merge_literals(&mut self) {
        if let [.., a, b] = self.top.parts.as_mut_slice()
            && let Op::Literal { text, fold } = &mut a.op
            && let Op::Literal { text: more, fold: same } = &b.op
            && fold == same
        {
            text.extend(more);
            a.size += b.size;
            self.limits.free += 1;
            self.top.parts.pop();
        }
    }

    fn open(&mut self, kind: GroupKind) {
        self.limits.alloc();
        let group = Group { outer: self.flags, captures: kind == GroupKind::Capturing, ..Group::default() };
        self.groups.push(std::mem::replace(&mut self.top, group));
    }

    fn close(&mut self) -> Result<(), Error> {
        let node = self.end_group()?;
        let Some(outer) = self.groups.pop() else {
            return Err(self.error(ErrorKind::UnexpectedParen, self.whole));
        };
        let Group { outer: flags, captures, branches: _, parts: _ } = std::mem::replace(&mut self.top, outer);
        self.skip(1);
        self.flags = flags;
        if !captures {
            return self.push(node);
        }
        let RegexpNode { op, size, height, copies, count: _ } = node;
        // Matches of groups are never used, so the group itself is left out. But `(a)(b)` must not become one literal.
        let op = Op::Other(op.hir());
        self.push(RegexpNode { op, size: size + 2, height: height + 1, copies, count: 1 })
    }

    /// Ends the current branch.
    fn end_branch(&mut self) -> Result<(), Error> {
        self.merge_literals();
        let mut parts = std::mem::take(&mut self.top.parts);
        let branch = match parts.len() {
            1 => parts.remove(0),
            n => {
                self.limits.alloc();
                let mut node = RegexpNode {
                    op: Op::Concat(Vec::with_capacity(n)),
                    size: 0,
                    height: 1,
                    copies: 1,
                    count: 1,
                };
                self.put(&mut node, parts);
                node.size = node.size.max(1);
                node
            }
        };
        self.check(&branch)?;
        if self.top.branches.is_empty() && self.rest.starts_with('|') {
            self.limits.alloc();
        }
        self.top.branches.push(branch);
        Ok(())
    }

    /// Adds parts to a sequence or an alternation. A part of the same kind is dissolved: its own parts are added.
    fn put(&mut self, node: &mut RegexpNode, parts: Vec<RegexpNode>) {
        for part in parts {
            let dissolves = matches!(
                (&node.op, &part.op),
                (Op::Concat(_), Op::Concat(_)) | (Op::Alternate(_), Op::Alternate(_))
            );
            node.size += part.size;
            node.height = node.height.max(part.height + u32::from(!dissolves));
            node.copies = node.copies.max(part.copies);
            if let Op::Concat(hirs) | Op::Alternate(hirs) = &mut node.op {
                match part.op {
                    Op::Concat(inner) | Op::Alternate(inner) if dissolves => {
                        self.limits.free += 1;
                        hirs.extend(inner);
                    }
                    op => hirs.push(op.hir()),
                }
            }
        }
    }

    fn end_group(&mut self) -> Result<RegexpNode, Error> {
        self.end_branch()?;
        let mut branches = std::mem::take(&mut self.top.branches);
        if branches.len() == 1 {
            let node = branches.remove(0);
            self.check(&node)?;
            return Ok(node);
        }
        self.limits.alloc();
        let one_char = branches.iter().all(|b| b.op.is_one_char());
        let mut node = RegexpNode {
            op: Op::Alternate(vec![]),
            size: branches.len() as u64 - 1,
            height: 1,
            copies: 1,
            count: 1,
        };
        self.put(&mut node, branches);
        if one_char {
            node = RegexpNode { op: Op::Other(node.op.hir()), size: 1, height: 1, copies: 1, count: 1 };
        }
        self.check(&node)?;
        Ok(node)
    }

    // Repetition

    /// Repeats the last part. The operator, which began at `before`, has been read except for its `?`.
    fn repeat(&mut self, times: Times, before: &str, last: &str) -> Result<(), Error> {
        let Times { min, max, operator } = times;
        let mut lazy = self.flags.lazy;
        if self.rest.starts_with('?') {
            self.skip(1);
            lazy = !lazy;
        }
        if !last.is_empty() {
            return Err(self.error_since(ErrorKind::InvalidRepeatOp, last));
        }
        let Some(part) = self.top.parts.pop() else {
            return Err(self.error_since(ErrorKind::MissingRepeatArgument, before));
        };
        self.limits.alloc();
        let size = match (operator, min, max) {
            (_, 0, -1) => part.size + 2,
            (Operator::Symbol, _, _) => part.size + 1,
            (Operator::Counts, min, -1) => 1 + part.size * min as u64,
            (Operator::Counts, min, max) => (part.size * max as u64 + (max - min) as u64).max(1),
        };
        let counted = operator == Operator::Counts;
        let count = if !counted { 1 } else { if max < 0 { min } else { max }.max(1) };
        let copies = if counted && max == 0 { 1 } else { part.copies.saturating_mul(count) };
        let repetition = Repetition {
            min: min as u32,
            max: u32::try_from(max).ok(),
            greedy: !lazy,
            sub: Box::new(part.op.hir()),
        };
        let op = Op::Other(Hir::repetition(repetition));
        let node = RegexpNode { op, size, height: part.height + 1, copies, count: count as u64 };
        self.check(&node)?;
        if counted && (min >= 2 || max >= 2) && node.copies > MAX_REPEAT {
            return Err(self.error_since(ErrorKind::InvalidRepeatSize, before));
        }
        self.top.parts.push(node);
        Ok(())
    }

    // Groups

    /// Parses `(?…`: a named group, flags, or a group that does not capture.
    fn perl_group(&mut self) -> Result<(), Error> {
        let before = self.rest;
        let name_at = match before.as_bytes() {
            [_, _, b'P', b'<', _, ..] => Some(4),
            [_, _, b'<', _, ..] => Some(3),
            _ => None,
        };
        if let Some(name_at) = name_at {
            let Some(end) = before.find('>') else {
                return Err(self.error(ErrorKind::InvalidNamedCapture, before));
            };
            let name = &before[name_at..end];
            if name.is_empty() || !name.bytes().all(|b| b == b'_' || b.is_ascii_alphanumeric()) {
                return Err(self.error(ErrorKind::InvalidNamedCapture, &before[..=end]));
            }
            self.skip(end + 1);
            self.open(GroupKind::Capturing);
            return Ok(());
        }
        self.skip(2);
        let mut flags = self.flags;
        let mut on = true;
        let mut any = false;
        while let Some(c) = self.next() {
            match c {
                'i' => flags.fold = on,
                'm' => flags.multi_line = on,
                's' => flags.dot_nl = on,
                'U' => flags.lazy = on,
                '-' if on => {
                    on = false;
                    any = false;
                    continue;
                }
                ':' | ')' if on || any => {
                    if c == ':' {
                        self.open(GroupKind::NonCapturing);
                    }
                    self.flags = flags;
                    return Ok(());
                }
                _ => break,
            }
            any = true;
        }
        Err(self.error_since(ErrorKind::InvalidPerlOp, before))
    }
}

/// Parses `{2}`, `{2,}` and `{2,5}`, and returns the numbers and the length. -1 means "no end" as the maximum, and "too
/// large" as the minimum. Anything else is not a repetition, and its brace is an ordinary character.
fn count(text: &str) -> Option<(i64, i64, usize)> {
    let (mut min, rest) = number(text.strip_prefix('{')?)?;
    let (max, rest) = match rest.strip_prefix(',') {
        None => (min, rest),
        Some(rest) if rest.starts_with('}') => (-1, rest),
        Some(rest) => {
            let (max, rest) = number(rest)?;
            if max < 0 {
                min = -1;
            }
            (max, rest)
        }
    };
    let rest = rest.strip_prefix('}')?;
    Some((min, max, text.len() - rest.len()))
}

fn number(text: &str) -> Option<(i64, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 1 && text.starts_with('0') {
        return None;
    }
    let value = text[..digits].parse().ok().filter(|n| *n < 1_000_000_000i64).unwrap_or(-1);
    Some((value, &text[digits..]))
}
