//! The grammar as a graph of what may follow what. It answers how to continue after an error, and which tokens were
//! expected. Each part of a rule is described once. It is compiled both to states of the graph and to a program that
//! the parser runs.

use crate::lexer::Kind;

/// A set of tokens. It may also contain the end of the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tokens(pub(super) u64);

impl Tokens {
    pub(super) const NONE: Tokens = Tokens(0);
    pub(super) const END: Tokens = Tokens(1 << 63);

    pub(super) fn of(kinds: &[Kind]) -> Tokens {
        Tokens(kinds.iter().fold(0, |set, k| set | 1 << (*k as u8)))
    }

    pub(super) fn has(self, kind: Kind) -> bool {
        self.0 >> (kind as u8) & 1 == 1
    }

    pub(super) fn may_end(self) -> bool {
        self.0 & Tokens::END.0 != 0
    }

    #[must_use]
    pub(super) fn and(self, other: Tokens) -> Tokens {
        Tokens(self.0 | other.0)
    }

    #[must_use]
    pub(super) fn without_end(self) -> Tokens {
        Tokens(self.0 & !Tokens::END.0)
    }
}

/// The rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Rule {
    Start,
    Expr,
    Or,
    And,
    Relation,
    Calc,
    Unary,
    Member,
    Primary,
    ExprList,
    ListInit,
    FieldList,
    OptField,
    MapInit,
    EscapeIdent,
    OptExpr,
    Literal,
}

/// The number of rules.
pub(super) const RULES: usize = Rule::Literal as usize + 1;

pub(super) type State = usize;

/// A part of a rule.
enum Part {
    Token(Kind),
    OneOf(&'static [Kind]),
    Rule(Rule, u8),
    Optional(&'static [Part]),
    /// Repeats the parts. One token decides whether to continue.
    Star(&'static [Part]),
    /// Repeats the parts after a comma. The comma may also be the last one, if what follows cannot begin the parts.
    Commas(&'static [Part]),
    /// Repeats a token at least once. For minus signs, two tokens decide whether to continue.
    Plus(Kind),
    Choice(&'static [&'static [Part]]),
    /// The forms of a left-recursive rule after its first part, each with its binding power.
    Left(&'static [(u8, &'static [Part])]),
}

/// The parts of all rules, in the order of the rules.
static PARTS: [&[Part]; RULES] = {
    use Kind as K;
    use Part::{Choice, Commas, Left, OneOf, Optional, Plus, Star, Token};
    const fn rule(rule: Rule) -> Part {
        Part::Rule(rule, 0)
    }
    const MARK: Part = Optional(&[Token(K::Question)]);
    const DOT: Part = Optional(&[Token(K::Dot)]);
    const COMMA: Part = Optional(&[Token(K::Comma)]);
    [
        &[rule(Rule::Expr), Token(K::Eof)],
        &[rule(Rule::Or), Optional(&[Token(K::Question), rule(Rule::Or), Token(K::Colon), rule(Rule::Expr)])],
        &[rule(Rule::And), Star(&[Token(K::Or), rule(Rule::And)])],
        &[rule(Rule::Relation), Star(&[Token(K::And), rule(Rule::Relation)])],
        &[
            rule(Rule::Calc),
            Left(&[(
                1,
                &[
                    OneOf(&[
                        K::Equals,
                        K::NotEquals,
                        K::In,
                        K::Less,
                        K::LessEquals,
                        K::GreaterEquals,
                        K::Greater,
                    ]),
                    Part::Rule(Rule::Relation, 2),
                ],
            )]),
        ],
        &[
            rule(Rule::Unary),
            Left(&[
                (2, &[OneOf(&[K::Star, K::Slash, K::Percent]), Part::Rule(Rule::Calc, 3)]),
                (1, &[OneOf(&[K::Plus, K::Minus]), Part::Rule(Rule::Calc, 2)]),
            ]),
        ],
        &[Choice(&[
            &[rule(Rule::Member)],
            &[Plus(K::Exclam), rule(Rule::Member)],
            &[Plus(K::Minus), rule(Rule::Member)],
        ])],
        &[
            rule(Rule::Primary),
            Left(&[
                (3, &[Token(K::Dot), MARK, rule(Rule::EscapeIdent)]),
                (
                    2,
                    &[
                        Token(K::Dot),
                        Token(K::Ident),
                        Token(K::LParen),
                        Optional(&[rule(Rule::ExprList)]),
                        Token(K::RParen),
                    ],
                ),
                (1, &[Token(K::LBracket), MARK, rule(Rule::Expr), Token(K::RBracket)]),
            ]),
        ],
        &[Choice(&[
            &[DOT, Token(K::Ident)],
            &[DOT, Token(K::Ident), Token(K::LParen), Optional(&[rule(Rule::ExprList)]), Token(K::RParen)],
            &[Token(K::LParen), rule(Rule::Expr), Token(K::RParen)],
            &[Token(K::LBracket), Optional(&[rule(Rule::ListInit)]), COMMA, Token(K::RBracket)],
            &[Token(K::LBrace), Optional(&[rule(Rule::MapInit)]), COMMA, Token(K::RBrace)],
            &[
                DOT,
                Token(K::Ident),
                Star(&[Token(K::Dot), Token(K::Ident)]),
                Token(K::LBrace),
                Optional(&[rule(Rule::FieldList)]),
                COMMA,
                Token(K::RBrace),
            ],
            &[rule(Rule::Literal)],
        ])],
        &[rule(Rule::Expr), Star(&[Token(K::Comma), rule(Rule::Expr)])],
        &[rule(Rule::OptExpr), Commas(&[Token(K::Comma), rule(Rule::OptExpr)])],
        &[
            rule(Rule::OptField),
            Token(K::Colon),
            rule(Rule::Expr),
            Commas(&[Token(K::Comma), rule(Rule::OptField), Token(K::Colon), rule(Rule::Expr)]),
        ],
        &[MARK, rule(Rule::EscapeIdent)],
        &[
            rule(Rule::OptExpr),
            Token(K::Colon),
            rule(Rule::Expr),
            Commas(&[Token(K::Comma), rule(Rule::OptExpr), Token(K::Colon), rule(Rule::Expr)]),
        ],
        &[Choice(&[&[Token(K::Ident)], &[Token(K::EscIdent)]])],
        &[MARK, rule(Rule::Expr)],
        &[Choice(&[
            &[Optional(&[Token(K::Minus)]), Token(K::Int)],
            &[Token(K::Uint)],
            &[Optional(&[Token(K::Minus)]), Token(K::Float)],
            &[Token(K::String)],
            &[Token(K::Bytes)],
            &[Token(K::True)],
            &[Token(K::False)],
            &[Token(K::Null)],
        ])],
    ]
};

/// An instruction of the parser.
#[derive(Debug)]
pub(super) enum Op {
    /// Reads one of these tokens.
    Token { state: State, set: Tokens, next: State },
    /// Reads a rule.
    Rule { state: State, rule: Rule, power: u8 },
    /// Runs the body if one of the tokens in `first` comes next.
    Optional { state: State, first: Tokens, body: Vec<Op> },
    /// Repeats the body.
    Star { state: State, back: State, first: Tokens, body: Vec<Op> },
    /// Repeats the body after commas.
    Commas { state: State, back: State, first: Tokens, body: Vec<Op> },
    /// Repeats a token.
    Plus { state: State, back: State, body: Vec<Op> },
    /// Runs one of several forms.
    Choice { state: State, forms: Vec<Vec<Op>> },
    /// Repeats one of several forms. What was read so far becomes the first part of the form.
    Left { state: State, back: State, block: State, forms: Vec<(u8, Tokens, Vec<Op>)> },
}

/// An edge of the graph.
#[derive(Clone, Copy, Debug)]
enum Edge {
    Free(State),
    Token(Tokens),
    Rule(Rule, State),
}

/// The compiled grammar.
#[derive(Debug)]
pub(super) struct Grammar {
    edges: Vec<Vec<Edge>>,
    starts: [State; RULES],
    stops: [State; RULES],
    /// For each state, the tokens that may come next within the rule.
    next: Vec<Tokens>,
    /// For each rule, its program.
    pub(super) programs: Vec<Vec<Op>>,
}

impl Grammar {
    /// The tokens that may come next within the rule.
    pub(super) fn next(&self, state: State) -> Tokens {
        self.next[state]
    }

    /// The tokens that may follow the rule that is read at this state.
    pub(super) fn follow(&self, state: State) -> Tokens {
        match self.edges[state].first() {
            Some(Edge::Rule(_, after)) => self.next[*after],
            Some(Edge::Free(_) | Edge::Token(_)) | None => Tokens::END,
        }
    }

    pub(super) fn new() -> Grammar {
        let mut g = Grammar {
            edges: Vec::new(),
            starts: [0; RULES],
            stops: [0; RULES],
            next: Vec::new(),
            programs: Vec::new(),
        };
        for i in 0..RULES {
            g.starts[i] = g.state();
            g.stops[i] = g.state();
        }
        for (i, parts) in PARTS.iter().enumerate() {
            let mut program = Vec::new();
            let end = g.compile(parts, g.starts[i], &mut program);
            g.edges[end].push(Edge::Free(g.stops[i]));
            g.programs.push(program);
        }
        g.next = (0..g.edges.len()).map(|s| g.look(s, &mut vec![false; g.edges.len()])).collect();
        for i in 0..RULES {
            let mut program = std::mem::take(&mut g.programs[i]);
            g.set_firsts(&mut program);
            g.programs[i] = program;
        }
        g
    }

    fn state(&mut self) -> State {
        self.edges.push(Vec::new());
        self.edges.len() - 1
    }

    /// Compiles parts from a state on. Returns the state after them.
    fn compile(&mut self, parts: &[Part], from: State, program: &mut Vec<Op>) -> State {
        let mut at = from;
        for part in parts {
            at = self.compile_part(part, at, program);
        }
        at
    }

    fn compile_part(&mut self, part: &Part, from: State, program: &mut Vec<Op>) -> State {
        // Every part begins with a state of its own. The first edge of that state is the part itself.
        let state = self.state();
        self.edges[from].push(Edge::Free(state));
        let end = self.state();
        match part {
            Part::Token(_) | Part::OneOf(_) => {
                let set = match part {
                    Part::Token(kind) => Tokens::of(&[*kind]),
                    Part::OneOf(kinds) => Tokens::of(kinds),
                    _ => Tokens::NONE,
                };
                self.edges[state].push(Edge::Token(set));
                program.push(Op::Token { state, set, next: end });
            }
            Part::Rule(rule, power) => {
                self.edges[state].push(Edge::Rule(*rule, end));
                program.push(Op::Rule { state, rule: *rule, power: *power });
            }
            Part::Optional(parts) => {
                let mut body = Vec::new();
                let done = self.compile(parts, state, &mut body);
                self.edges[done].push(Edge::Free(end));
                self.edges[state].push(Edge::Free(end));
                program.push(Op::Optional { state, first: Tokens::NONE, body });
            }
            Part::Star(parts) | Part::Commas(parts) => {
                let mut body = Vec::new();
                let done = self.compile(parts, state, &mut body);
                let back = self.state();
                self.edges[done].push(Edge::Free(back));
                self.edges[back].push(Edge::Free(state));
                self.edges[state].push(Edge::Free(end));
                let first = Tokens::NONE;
                program.push(match part {
                    Part::Star(_) => Op::Star { state, back, first, body },
                    _ => Op::Commas { state, back, first, body },
                });
            }
            Part::Plus(kind) => {
                let mut body = Vec::new();
                let done = self.compile(&[Part::Token(*kind)], state, &mut body);
                let back = self.state();
                self.edges[done].push(Edge::Free(back));
                self.edges[back].extend([Edge::Free(state), Edge::Free(end)]);
                program.push(Op::Plus { state, back, body });
            }
            Part::Choice(choices) => {
                let mut forms = Vec::new();
                for parts in *choices {
                    let mut body = Vec::new();
                    let done = self.compile(parts, state, &mut body);
                    self.edges[done].push(Edge::Free(end));
                    forms.push(body);
                }
                program.push(Op::Choice { state, forms });
            }
            Part::Left(choices) => {
                let (block, back) = (self.state(), self.state());
                let mut forms = Vec::new();
                for (power, parts) in *choices {
                    let mut body = Vec::new();
                    let done = self.compile(parts, block, &mut body);
                    self.edges[done].push(Edge::Free(back));
                    forms.push((*power, Tokens::NONE, body));
                }
                self.edges[state].extend([Edge::Free(block), Edge::Free(end)]);
                self.edges[back].push(Edge::Free(state));
                program.push(Op::Left { state, back, block, forms });
            }
        }
        end
    }

    /// The tokens that can come next from a state, within its rule.
    fn look(&self, state: State, seen: &mut Vec<bool>) -> Tokens {
        if std::mem::replace(&mut seen[state], true) {
            return Tokens::NONE;
        }
        if self.stops.contains(&state) {
            return Tokens::END;
        }
        self.edges[state].iter().fold(Tokens::NONE, |set, edge| {
            set.and(match edge {
                Edge::Free(to) => self.look(*to, seen),
                Edge::Token(tokens) => *tokens,
                // No rule is empty, so the tokens after it cannot come first.
                Edge::Rule(rule, _) => self.look(self.starts[*rule as usize], seen),
            })
        })
    }

    fn first(&self, body: &[Op]) -> Tokens {
        match body.first() {
            Some(Op::Token { set, .. }) => *set,
            Some(Op::Rule { rule, .. }) => self.next[self.starts[*rule as usize]],
            Some(
                Op::Optional { .. }
                | Op::Star { .. }
                | Op::Commas { .. }
                | Op::Plus { .. }
                | Op::Choice { .. }
                | Op::Left { .. },
            )
            | None => Tokens::NONE,
        }
    }

    /// Sets the tokens with which the bodies of optional parts and loops begin.
    fn set_firsts(&self, program: &mut [Op]) {
        for op in program {
            match op {
                Op::Token { .. } | Op::Rule { .. } => {}
                Op::Optional { first, body, .. } | Op::Star { first, body, .. } => {
                    *first = self.first(body);
                    self.set_firsts(body);
                }
                // The token after the comma decides.
                Op::Commas { first, body, .. } => {
                    *first = self.first(&body[1..]);
                    self.set_firsts(body);
                }
                Op::Plus { body, .. } => self.set_firsts(body),
                Op::Choice { forms, .. } => forms.iter_mut().for_each(|body| self.set_firsts(body)),
                Op::Left { forms, .. } => {
                    for (_, first, body) in forms {
                        *first = self.first(body);
                        self.set_firsts(body);
                    }
                }
            }
        }
    }
}
