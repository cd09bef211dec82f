//! Parses tokens into a tree if they are correct. At the first error it gives up, and the slower parser in `recover`
//! starts again from the beginning.

use super::ast::Connective;
use super::lexer::{Kind, Token};
use super::tree::{FieldName, Form, Leaf, NodeId, Tree};

/// How deeply a rule of the grammar may be nested in itself.
pub(super) const DEPTH: u16 = 250;

/// Why there is no tree.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// A syntax error somewhere.
    Mistake,
    /// Rules are nested too deeply.
    TooDeep,
}

/// Parses tokens, the last of which is the end.
pub(super) fn parse(tokens: &[Token]) -> Result<(Tree, NodeId), Stop> {
    let mut p = Parser { tokens, pos: 0, tree: Tree::default(), depth: [0; RULES] };
    let root = p.expr()?;
    p.expect(Kind::Eof)?;
    Ok((p.tree, root))
}

/// The rules that can contain themselves.
#[derive(Clone, Copy)]
enum Rule {
    Expr,
    Relation,
    Calc,
}

const RULES: usize = 3;

type Parsed<T> = Result<T, Stop>;

struct Parser<'t> {
    tokens: &'t [Token],
    pos: usize,
    tree: Tree,
    depth: [u16; RULES],
}

impl Parser<'_> {
    fn peek(&self) -> Token {
        self.tokens[self.pos]
    }

    fn kind(&self) -> Kind {
        self.tokens[self.pos].kind
    }

    /// The kind of the token that is `n` further on.
    fn ahead(&self, n: usize) -> Kind {
        self.tokens[(self.pos + n).min(self.tokens.len() - 1)].kind
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.pos];
        if self.pos + 1 < self.tokens.len() {
            self.pos += 1;
        }
        token
    }

    fn accept(&mut self, kind: Kind) -> Option<Leaf> {
        (self.kind() == kind).then(|| self.next().into())
    }

    fn expect(&mut self, kind: Kind) -> Parsed<Leaf> {
        self.accept(kind).ok_or(Stop::Mistake)
    }

    fn enter(&mut self, rule: Rule) -> Parsed<()> {
        self.depth[rule as usize] += 1;
        if self.depth[rule as usize] > DEPTH { Err(Stop::TooDeep) } else { Ok(()) }
    }

    fn leave(&mut self, rule: Rule) {
        self.depth[rule as usize] -= 1;
    }

    fn expr(&mut self) -> Parsed<NodeId> {
        self.enter(Rule::Expr)?;
        let at = self.peek().at;
        let mut node = self.chain(Connective::Or)?;
        if let Some(op) = self.accept(Kind::Question) {
            let yes = Some(self.chain(Connective::Or)?);
            self.expect(Kind::Colon)?;
            let no = Some(self.expr()?);
            node = self.tree.add(at, Form::Ternary { condition: node, op, yes, no });
        }
        self.leave(Rule::Expr);
        Ok(node)
    }

    /// Parses the operands of `&&`, or of `||`. Each operand of `||` is a chain of `&&`.
    fn chain(&mut self, connective: Connective) -> Parsed<NodeId> {
        let at = self.peek().at;
        let sign = match connective {
            Connective::And => Kind::And,
            Connective::Or => Kind::Or,
        };
        let operand = |p: &mut Self| match connective {
            Connective::And => p.relation(),
            Connective::Or => p.chain(Connective::And),
        };
        let first = operand(self)?;
        if self.kind() != sign {
            return Ok(first);
        }
        let mut terms = vec![first];
        let mut ops = Vec::new();
        while let Some(op) = self.accept(sign) {
            ops.push(op);
            terms.push(operand(self)?);
        }
        Ok(self.tree.add(at, Form::Chain { connective, terms, ops }))
    }

    fn relation(&mut self) -> Parsed<NodeId> {
        self.enter(Rule::Relation)?;
        let at = self.peek().at;
        let mut left = self.calc(1)?;
        while matches!(
            self.kind(),
            Kind::Equals
                | Kind::NotEquals
                | Kind::In
                | Kind::Less
                | Kind::LessEquals
                | Kind::GreaterEquals
                | Kind::Greater
        ) {
            let op = Some(self.next().into());
            // In the grammar, the right operand is a relation without operators.
            self.enter(Rule::Relation)?;
            let right = Some(self.calc(1)?);
            self.leave(Rule::Relation);
            left = self.tree.add(at, Form::Binary { left, op, right });
        }
        self.leave(Rule::Relation);
        Ok(left)
    }

    /// Parses sums at level 1, products at level 2, and single operands at level 3.
    fn calc(&mut self, level: u8) -> Parsed<NodeId> {
        self.enter(Rule::Calc)?;
        let at = self.peek().at;
        let mut left = self.unary()?;
        loop {
            let binds = match self.kind() {
                Kind::Star | Kind::Slash | Kind::Percent => 2,
                Kind::Plus | Kind::Minus => 1,
                _ => 0,
            };
            if binds < level {
                break;
            }
            let op = Some(self.next().into());
            let right = Some(self.calc(binds + 1)?);
            left = self.tree.add(at, Form::Binary { left, op, right });
        }
        self.leave(Rule::Calc);
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<NodeId> {
        let at = self.peek().at;
        let sign = self.kind();
        let number = matches!(self.ahead(1), Kind::Int | Kind::Float);
        if sign != Kind::Exclam && (sign != Kind::Minus || number) {
            return self.member();
        }
        let mut ops = Vec::new();
        while let Some(op) = self.accept(sign) {
            ops.push(op);
        }
        let operand = Some(self.member()?);
        Ok(self.tree.add(at, Form::Unary { ops, operand }))
    }

    fn member(&mut self) -> Parsed<NodeId> {
        let at = self.peek().at;
        let mut operand = self.primary()?;
        loop {
            let form = match self.kind() {
                Kind::Dot if self.ahead(1) == Kind::Ident && self.ahead(2) == Kind::LParen => {
                    self.next();
                    let name = Some(self.next().into());
                    let open = Some(self.next().into());
                    let args = self.args()?;
                    Form::MemberCall { operand, name, open, args }
                }
                Kind::Dot => {
                    let op = Some(self.next().into());
                    let optional = self.accept(Kind::Question).is_some();
                    let at = self.peek().at;
                    let name = self.field_name()?;
                    Form::Select { operand, op, optional, field: Some((Some(name), at)) }
                }
                Kind::LBracket => {
                    let op = Some(self.next().into());
                    let optional = self.accept(Kind::Question).is_some();
                    let index = Some(self.expr()?);
                    self.expect(Kind::RBracket)?;
                    Form::Index { operand, op, optional, index }
                }
                _ => return Ok(operand),
            };
            operand = self.tree.add(at, form);
        }
    }

    fn field_name(&mut self) -> Parsed<Leaf> {
        self.accept(Kind::Ident).or_else(|| self.accept(Kind::EscIdent)).ok_or(Stop::Mistake)
    }

    /// Parses arguments and the closing parenthesis.
    fn args(&mut self) -> Parsed<Vec<NodeId>> {
        let mut args = Vec::new();
        if self.accept(Kind::RParen).is_some() {
            return Ok(args);
        }
        loop {
            args.push(self.expr()?);
            if self.accept(Kind::Comma).is_none() {
                self.expect(Kind::RParen)?;
                return Ok(args);
            }
        }
    }

    fn primary(&mut self) -> Parsed<NodeId> {
        let Token { kind, at, .. } = self.peek();
        let form = match kind {
            Kind::Dot | Kind::Ident => self.named()?,
            Kind::LParen => {
                self.next();
                let inner = self.expr()?;
                self.expect(Kind::RParen)?;
                return Ok(inner);
            }
            Kind::LBracket => {
                let open = Some(self.next().into());
                let elements = self.list()?;
                Form::List { open, elements }
            }
            Kind::LBrace => self.map()?,
            Kind::Minus => {
                let sign = Some(self.next().into());
                if !matches!(self.kind(), Kind::Int | Kind::Float) {
                    return Err(Stop::Mistake);
                }
                Form::Literal { sign, token: Some(self.next().into()) }
            }
            Kind::True
            | Kind::False
            | Kind::Null
            | Kind::Float
            | Kind::Int
            | Kind::Uint
            | Kind::String
            | Kind::Bytes => Form::Literal { sign: None, token: Some(self.next().into()) },
            _ => return Err(Stop::Mistake),
        };
        Ok(self.tree.add(at, form))
    }

    /// Parses a variable, a call, or a message.
    fn named(&mut self) -> Parsed<Form> {
        let dot = self.accept(Kind::Dot).is_some();
        let name = self.expect(Kind::Ident)?;
        let mut dots = 0;
        while self.ahead(dots) == Kind::Dot && self.ahead(dots + 1) == Kind::Ident {
            dots += 2;
        }
        if self.ahead(dots) == Kind::LBrace {
            let mut names = vec![name];
            while self.accept(Kind::Dot).is_some() {
                names.push(self.next().into());
            }
            return self.message(dot, names);
        }
        Ok(match self.accept(Kind::LParen) {
            Some(open) => {
                let args = self.args()?;
                Form::GlobalCall { dot, name: Some(name), open: Some(open), args }
            }
            None => Form::Ident { dot, name: Some(name) },
        })
    }

    fn list(&mut self) -> Parsed<Vec<(Option<Leaf>, Option<NodeId>)>> {
        let mut elements = Vec::new();
        loop {
            if self.accept(Kind::RBracket).is_some() {
                return Ok(elements);
            }
            if elements.is_empty() && self.accept(Kind::Comma).is_some() {
                self.expect(Kind::RBracket)?;
                return Ok(elements);
            }
            let optional = self.accept(Kind::Question);
            elements.push((optional, Some(self.expr()?)));
            if self.accept(Kind::Comma).is_none() {
                self.expect(Kind::RBracket)?;
                return Ok(elements);
            }
        }
    }

    fn map(&mut self) -> Parsed<Form> {
        let open = Some(self.next().into());
        let (mut keys, mut colons, mut values) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            if self.accept(Kind::RBrace).is_some() {
                break;
            }
            if keys.is_empty() && self.accept(Kind::Comma).is_some() {
                self.expect(Kind::RBrace)?;
                break;
            }
            let optional = self.accept(Kind::Question);
            keys.push((optional, Some(self.expr()?)));
            colons.push(self.expect(Kind::Colon)?);
            values.push(self.expr()?);
            if self.accept(Kind::Comma).is_none() {
                self.expect(Kind::RBrace)?;
                break;
            }
        }
        Ok(Form::Map { open, keys, colons, values })
    }

    fn message(&mut self, dot: bool, names: Vec<Leaf>) -> Parsed<Form> {
        let open = Some(self.next().into());
        let fields_at = self.peek().at;
        let (mut fields, mut colons, mut values) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            if self.accept(Kind::RBrace).is_some() {
                break;
            }
            if fields.is_empty() && self.accept(Kind::Comma).is_some() {
                self.expect(Kind::RBrace)?;
                break;
            }
            let optional = self.accept(Kind::Question);
            fields.push(FieldName { optional, name: Some(self.field_name()?) });
            colons.push(self.expect(Kind::Colon)?);
            values.push(self.expr()?);
            if self.accept(Kind::Comma).is_none() {
                self.expect(Kind::RBrace)?;
                break;
            }
        }
        Ok(Form::Message { dot, names, open, fields, colons, values, fields_at })
    }
}
