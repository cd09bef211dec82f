//! Parses text with errors. The messages are those of the parser generator that cel-go uses. Parsing continues where
//! that one continues: it skips a token, inserts one, or skips to the next one that may follow. This is slower than
//! `parser`, which is for correct text.

mod go_on;
mod grammar;
mod report;
mod shape;

use std::sync::OnceLock;

use super::issue::{Issue, IssueKind};
use super::lexer::{Kind, Lexed, Token};
use super::parser::DEPTH;
use super::tree::{Leaf, NodeId, Tree};
use grammar::{Grammar, Op, RULES, Rule, State, Tokens};

/// How often parsing may continue after an error.
const RECOVERIES: usize = 30;

/// How many tokens may be skipped at once.
const SKIPPED: usize = 256;

/// Parses tokens, and adds the errors to `issues`. There is no tree if it gives up.
pub(super) fn read(text: &str, lexed: &Lexed, issues: &mut Vec<Issue>) -> Option<(Tree, NodeId)> {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    let mut reader = Reader {
        grammar: GRAMMAR.get_or_init(Grammar::new),
        text,
        lexed,
        tokens: &lexed.tokens,
        pos: 0,
        tree: Tree::default(),
        frames: Vec::new(),
        depth: [0; RULES],
        state: 0,
        recovering: false,
        last_error: None,
        error_states: Vec::new(),
        recoveries: 0,
        reported: issues.len(),
        issues,
    };
    let lexical = reader.reported;
    match reader.rule(Rule::Start, 0) {
        Ok(root) => Some((reader.tree, root.node)),
        Err(_) => {
            // The text after this place has not been parsed, so issues there are not reported.
            let here = reader.token(reader.pos).at;
            let mut n = 0;
            reader.issues.retain(|issue| {
                n += 1;
                n > lexical || issue.at.is_none_or(|at| at <= here)
            });
            None
        }
    }
}

/// An error at a token, before it is decided whether it is reported.
enum Mistake {
    Mismatch,
    /// No form of the rule matches the tokens in this range.
    NoViable {
        start: usize,
        offending: usize,
    },
}

/// Why a part was not parsed.
enum Stop {
    Mistake(Mistake),
    /// Parsing ends.
    GiveUp,
}

type Read<T> = Result<T, Stop>;

/// The parts of a rule that have been read so far.
struct Frame {
    rule: Rule,
    /// The state from which it was called. None for the first rule.
    invoked: Option<State>,
    /// The index of its form.
    form: Option<usize>,
    /// Where it starts.
    at: u32,
    items: Vec<Item>,
}

/// A part of a rule.
enum Item {
    Token(Leaf),
    Rule(Rule, Part),
}

/// A parsed rule.
#[derive(Clone)]
struct Part {
    node: NodeId,
    /// The content of a rule that is not a node of its own.
    inner: Option<std::rc::Rc<Frame>>,
}

struct Reader<'a> {
    grammar: &'static Grammar,
    text: &'a str,
    lexed: &'a Lexed,
    tokens: &'a [Token],
    pos: usize,
    tree: Tree,
    frames: Vec<Frame>,
    depth: [u16; RULES],
    state: State,
    recovering: bool,
    last_error: Option<usize>,
    error_states: Vec<State>,
    recoveries: usize,
    reported: usize,
    issues: &'a mut Vec<Issue>,
}

impl Reader<'_> {
    fn token(&self, pos: usize) -> Token {
        self.tokens[pos.min(self.tokens.len() - 1)]
    }

    fn kind(&self, ahead: usize) -> Kind {
        self.token(self.pos + ahead).kind
    }

    // Reading.

    fn rule(&mut self, rule: Rule, power: u8) -> Read<Part> {
        self.depth[rule as usize] += 1;
        if self.depth[rule as usize] > DEPTH {
            let message = format!("expression recursion limit exceeded: {DEPTH}");
            self.issues.push(Issue::nowhere(IssueKind::Limit, message));
            return Err(Stop::GiveUp);
        }
        let invoked = (!self.frames.is_empty()).then_some(self.state);
        let at = self.token(self.pos).at;
        self.frames.push(Frame { rule, invoked, form: None, at, items: Vec::new() });
        let grammar = self.grammar;
        match self.run(&grammar.programs[rule as usize], power) {
            Ok(()) => {}
            Err(Stop::Mistake(mistake)) => {
                self.report(&mistake)?;
                self.recover()?;
            }
            Err(Stop::GiveUp) => return Err(Stop::GiveUp),
        }
        self.depth[rule as usize] -= 1;
        let Some(frame) = self.frames.pop() else { return Err(Stop::GiveUp) };
        Ok(self.finish(frame))
    }

    fn run(&mut self, program: &[Op], power: u8) -> Read<()> {
        program.iter().try_for_each(|op| self.step(op, power))
    }

    fn step(&mut self, op: &Op, power: u8) -> Read<()> {
        match op {
            Op::Token { state, set, next } => {
                self.state = *state;
                let leaf = self.take(*set, *next)?;
                self.item(Item::Token(leaf));
            }
            Op::Rule { state, rule, power } => {
                self.state = *state;
                let part = self.rule(*rule, *power)?;
                self.item(Item::Rule(*rule, part));
            }
            Op::Optional { state, first, body } => {
                self.sync_block(*state)?;
                if first.has(self.kind(0)) {
                    self.run(body, power)?;
                }
            }
            Op::Star { state, back, first, body } => {
                self.sync_block(*state)?;
                while first.has(self.kind(0)) {
                    self.run(body, power)?;
                    self.sync_loop(*back)?;
                }
            }
            Op::Commas { state, back, first, body } => {
                self.sync_block(*state)?;
                while self.kind(0) == Kind::Comma && first.has(self.kind(1)) {
                    self.run(body, power)?;
                    self.sync_loop(*back)?;
                }
            }
            Op::Plus { state, back, body } => {
                self.sync_block(*state)?;
                loop {
                    self.run(body, power)?;
                    self.sync_loop(*back)?;
                    if !self.goes_on(body)? {
                        break;
                    }
                }
            }
            Op::Choice { state, forms } => {
                self.sync_block(*state)?;
                let form = self.choose()?;
                self.form(form);
                self.run(&forms[form], power)?;
            }
            Op::Left { state, back, block, forms } => {
                self.sync_block(*state)?;
                while let Some(which) = forms.iter().position(|(p, f, _)| *p >= power && f.has(self.kind(0)))
                {
                    self.sync_block(*block)?;
                    let which = if forms[which].1.has(Kind::Dot) { self.choose_member()? } else { which };
                    self.begin_left(which);
                    self.run(&forms[which].2, power)?;
                    self.sync_loop(*back)?;
                }
            }
        }
        Ok(())
    }

    fn item(&mut self, item: Item) {
        if let Some(frame) = self.frames.last_mut() {
            frame.items.push(item);
        }
    }

    fn form(&mut self, form: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.form = Some(form);
        }
    }

    /// Turns what was read of a rule so far into the first part of the same rule.
    fn begin_left(&mut self, form: usize) {
        let Some(frame) = self.frames.pop() else { return };
        let (rule, invoked, at) = (frame.rule, frame.invoked, frame.at);
        let part = self.finish(frame);
        let items = vec![Item::Rule(rule, part)];
        self.frames.push(Frame { rule, invoked, form: Some(form), at, items });
    }

    /// Chooses the form of a rule.
    fn choose(&mut self) -> Read<usize> {
        let rule = self.frames.last().map_or(Rule::Start, |f| f.rule);
        let number = matches!(self.kind(1), Kind::Int | Kind::Float);
        match (rule, self.kind(0)) {
            (Rule::EscapeIdent, Kind::Ident) => Ok(0),
            (Rule::EscapeIdent, Kind::EscIdent) => Ok(1),
            (Rule::Unary, Kind::Exclam) => Ok(1),
            (Rule::Unary, Kind::Minus) if number => Ok(0),
            (Rule::Unary, Kind::Minus) => {
                let ok = self.starts_unary(self.kind(1));
                if ok && self.kind(1) != Kind::Exclam { Ok(2) } else { self.no_viable(1) }
            }
            (Rule::Unary, kind) if self.starts_unary(kind) => Ok(0),
            (Rule::Literal, Kind::Minus) => match self.kind(1) {
                Kind::Int => Ok(0),
                Kind::Float => Ok(2),
                _ => self.no_viable(1),
            },
            (Rule::Literal, Kind::Int) => Ok(0),
            (Rule::Literal, Kind::Uint) => Ok(1),
            (Rule::Literal, Kind::Float) => Ok(2),
            (Rule::Literal, Kind::String) => Ok(3),
            (Rule::Literal, Kind::Bytes) => Ok(4),
            (Rule::Literal, Kind::True) => Ok(5),
            (Rule::Literal, Kind::False) => Ok(6),
            (Rule::Literal, Kind::Null) => Ok(7),
            (Rule::Primary, Kind::Dot) if self.kind(1) != Kind::Ident => self.no_viable(1),
            (Rule::Primary, Kind::Dot) => Ok(self.choose_named(2)),
            (Rule::Primary, Kind::Ident) => Ok(self.choose_named(1)),
            (Rule::Primary, Kind::LParen) => Ok(2),
            (Rule::Primary, Kind::LBracket) => Ok(3),
            (Rule::Primary, Kind::LBrace) => Ok(4),
            (Rule::Primary, kind) if self.starts_unary(kind) => Ok(6),
            _ => self.no_viable(0),
        }
    }

    fn starts_unary(&self, kind: Kind) -> bool {
        let Some(Op::Choice { state, .. }) = self.grammar.programs[Rule::Unary as usize].first() else {
            return false;
        };
        self.grammar.next(*state).has(kind)
    }

    /// Chooses between a variable, a call and a message, by what follows the name.
    fn choose_named(&self, behind: usize) -> usize {
        let mut ahead = behind;
        while self.kind(ahead) == Kind::Dot && self.kind(ahead + 1) == Kind::Ident {
            ahead += 2;
        }
        match self.kind(ahead) {
            Kind::LBrace => 5,
            Kind::LParen if ahead == behind => 1,
            _ => 0,
        }
    }

    /// Chooses between a selection, a call and an index.
    fn choose_member(&mut self) -> Read<usize> {
        match (self.kind(0), self.kind(1)) {
            (Kind::LBracket, _) => Ok(2),
            (_, Kind::Question | Kind::EscIdent) => Ok(0),
            (_, Kind::Ident) => Ok(usize::from(self.kind(2) == Kind::LParen)),
            _ => self.no_viable(1),
        }
    }

    /// Whether a sign is repeated.
    fn goes_on(&mut self, body: &[Op]) -> Read<bool> {
        let Some(Op::Token { set, .. }) = body.first() else { return Ok(false) };
        if set.has(Kind::Exclam) {
            return Ok(self.kind(0) == Kind::Exclam);
        }
        let member = |kind| self.starts_unary(kind) && kind != Kind::Exclam;
        match self.kind(0) {
            Kind::Minus if member(self.kind(1)) => Ok(true),
            Kind::Minus => self.no_viable(1),
            kind if member(kind) => Ok(false),
            _ => self.no_viable(0),
        }
    }

    fn no_viable<T>(&self, ahead: usize) -> Read<T> {
        let offending = (self.pos + ahead).min(self.tokens.len() - 1);
        Err(Stop::Mistake(Mistake::NoViable { start: self.pos, offending }))
    }

    /// Reads a token, or skips or inserts one to continue.
    fn take(&mut self, set: Tokens, next: State) -> Read<Leaf> {
        let token = self.token(self.pos);
        if set.has(token.kind) {
            self.matched();
            self.consume();
            return Ok(token.into());
        }
        self.attempt()?;
        if self.delete_one()? {
            let token = self.token(self.pos);
            self.consume();
            return Ok(token.into());
        }
        if self.in_context(self.grammar.next(next)).has(token.kind) {
            self.report_missing()?;
            return Ok(self.missing());
        }
        Err(Stop::Mistake(Mistake::Mismatch))
    }

    fn consume(&mut self) {
        if self.kind(0) != Kind::Eof {
            self.pos += 1;
        }
    }

    fn matched(&mut self) {
        self.recovering = false;
        self.error_states.clear();
        self.last_error = None;
    }
}
