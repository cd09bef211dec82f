//! Converts trees to expressions: computes the values of literals, replaces operators by their functions, and expands
//! macros. If a part is missing, the error has been reported, and building continues.

pub(crate) mod macros;

use crate::ast::{
    Ast, BEFORE, Connective, Entry, Expr, ExprId, Field, Literal, MacroCall, NOWHERE, Name, ops,
};
use crate::escape::is_reserved;
use crate::issue::{Issue, IssueKind};
use crate::lexer::{Kind, Token};
use crate::library::Kube;
use crate::tree::{Form, Leaf, NodeId, Tree};
use crate::unescape::{LiteralOf, unescape};

/// How deeply operators, selections and calls may be nested.
const DEPTH: usize = 250;

/// The maximum number of nodes. Only macros that repeatedly copy their target exceed it.
const NODES: usize = 1 << 19;

/// Why building stopped early.
#[derive(Debug)]
pub(crate) enum Stop {
    TooDeep,
    TooBig,
}

pub(crate) type Built<T> = Result<T, Stop>;

/// Converts a tree to an expression. Errors are added to `issues`.
pub(crate) fn build(text: &str, tree: &Tree, root: NodeId, kube: Kube, issues: &mut Vec<Issue>) -> Ast {
    let mut b = Builder { text, tree, kube, ast: Ast::default(), issues, depth: 0 };
    match b.node(root) {
        Ok(root) => b.ast.set_root(root),
        Err(Stop::TooDeep) => b.issues.push(Issue::nowhere(IssueKind::Limit, "max recursion depth exceeded")),
        Err(Stop::TooBig) => {
            b.issues.push(Issue::nowhere(IssueKind::Limit, "expression too large after macro expansion"))
        }
    }
    b.ast
}

pub(crate) struct Builder<'a> {
    text: &'a str,
    tree: &'a Tree,
    pub(crate) kube: Kube,
    pub(crate) ast: Ast,
    issues: &'a mut Vec<Issue>,
    depth: usize,
}

fn at(leaf: Option<Leaf>) -> u32 {
    leaf.map_or(NOWHERE, |l| l.token.at)
}

impl Builder<'_> {
    /// Reports an error. The returned node replaces the missing expression.
    pub(crate) fn error(&mut self, at: u32, kind: IssueKind, message: impl Into<String>) -> ExprId {
        self.issues.push(Issue::new(at, kind, message));
        self.ast.add(at, Expr::Unspecified)
    }

    pub(crate) fn check_size(&self) -> Built<()> {
        if self.ast.len() > NODES { Err(Stop::TooBig) } else { Ok(()) }
    }

    fn token(&self, token: Token) -> &str {
        &self.text[token.start as usize..token.end as usize]
    }

    fn name(&self, leaf: Leaf) -> Name {
        let text = self.token(leaf.token);
        match leaf {
            Leaf { missing: true, .. } => Name::Borrowed("<missing undefined>"),
            Leaf { token: Token { kind: Kind::EscIdent, .. }, .. } => {
                Name::Owned(text.trim_matches('`').to_owned())
            }
            Leaf { .. } => Name::Owned(text.to_owned()),
        }
    }

    /// The name of a field, which may be written in backticks.
    fn field_name(&mut self, leaf: Leaf) -> Name {
        if leaf.token.kind == Kind::EscIdent && !self.kube.has_backticks() {
            self.error(leaf.token.at, IssueKind::Unsupported, "unsupported syntax: '`'");
        }
        self.name(leaf)
    }

    fn optional(&mut self, id: Option<NodeId>) -> Built<ExprId> {
        match id {
            Some(id) => self.node(id),
            None => Ok(self.ast.add(BEFORE, Expr::Unspecified)),
        }
    }

    fn all(&mut self, ids: &[NodeId]) -> Built<Vec<ExprId>> {
        ids.iter().map(|id| self.node(*id)).collect()
    }

    fn node(&mut self, id: NodeId) -> Built<ExprId> {
        let tree = self.tree;
        let node = tree.node(id);
        let deep = match node.form {
            Form::Ternary { .. }
            | Form::Binary { .. }
            | Form::Select { .. }
            | Form::MemberCall { .. }
            | Form::Index { .. } => 1,
            Form::Broken
            | Form::BrokenUnary
            | Form::Chain { .. }
            | Form::Unary { .. }
            | Form::Ident { .. }
            | Form::GlobalCall { .. }
            | Form::List { .. }
            | Form::Map { .. }
            | Form::Message { .. }
            | Form::Literal { .. } => 0,
        };
        self.depth += deep;
        if self.depth > DEPTH {
            return Err(Stop::TooDeep);
        }
        let built = self.form(node.at, &node.form)?;
        self.depth -= deep;
        Ok(built)
    }

    fn form(&mut self, start: u32, form: &Form) -> Built<ExprId> {
        match form {
            Form::Broken => Ok(self.ast.add(BEFORE, Expr::Unspecified)),
            Form::BrokenUnary => Ok(self.ast.add(start, Expr::Literal(Literal::String("<<error>>".into())))),
            Form::Ternary { condition, op, yes, no } => {
                let condition = self.node(*condition)?;
                let args = [condition, self.optional(*yes)?, self.optional(*no)?];
                Ok(self.call(op.token.at, ops::CONDITIONAL, &args))
            }
            Form::Chain { connective, terms, ops } => self.chain(start, *connective, terms, ops),
            Form::Binary { left, op, right } => {
                let Some(op) = op else {
                    return Ok(self.error(start, IssueKind::Unsupported, "operator not found"));
                };
                let function = ops::binary(self.token(op.token)).unwrap_or("<missing>");
                let args = [self.node(*left)?, self.optional(*right)?];
                Ok(self.call(op.token.at, function, &args))
            }
            Form::Unary { ops, operand } => {
                let operand = self.optional(*operand)?;
                let Some(first) = ops.first().filter(|_| ops.len() % 2 == 1) else { return Ok(operand) };
                let function = if first.token.kind == Kind::Exclam { ops::NOT } else { ops::NEGATE };
                Ok(self.call(first.token.at, function, &[operand]))
            }
            Form::Select { operand, op, optional, field } => {
                let operand = self.node(*operand)?;
                let (Some(op), Some((name, name_at))) = (op, field) else {
                    return Ok(self.ast.add(start, Expr::Unspecified));
                };
                let field = match name {
                    Some(name) => self.field_name(*name),
                    None => {
                        self.error(*name_at, IssueKind::Unsupported, "unsupported ident kind");
                        Name::Borrowed("")
                    }
                };
                if !optional {
                    return Ok(self.ast.add(op.token.at, Expr::Select { operand, field, test_only: false }));
                }
                if !self.has_optionals() {
                    return Ok(self.error(op.token.at, IssueKind::Unsupported, "unsupported syntax '.?'"));
                }
                let field = Expr::Literal(Literal::String(field.into()));
                let field = self.ast.add(*name_at, field);
                Ok(self.call(op.token.at, ops::OPT_SELECT, &[operand, field]))
            }
            Form::MemberCall { operand, name, open, args } => {
                let target = self.node(*operand)?;
                let Some(name) = name else { return Ok(self.ast.add(start, Expr::Unspecified)) };
                let args = self.all(args)?;
                let name = self.name(*name);
                self.call_or_macro(at(*open), name, Some(target), args)
            }
            Form::Index { operand, op, optional, index } => {
                let operand = self.node(*operand)?;
                let Some(op) = op else { return Ok(self.ast.add(start, Expr::Unspecified)) };
                let index = self.optional(*index)?;
                if *optional && !self.has_optionals() {
                    return Ok(self.error(op.token.at, IssueKind::Unsupported, "unsupported syntax '[?'"));
                }
                let function = if *optional { ops::OPT_INDEX } else { ops::INDEX };
                Ok(self.call(op.token.at, function, &[operand, index]))
            }
            Form::Ident { dot, name } => Ok(match self.variable(start, *dot, *name) {
                Ok((name, at)) => self.ast.add(at, Expr::Ident(name)),
                Err(error) => error,
            }),
            Form::GlobalCall { dot, name, open, args } => match self.variable(start, *dot, *name) {
                Ok((name, _)) => {
                    let args = self.all(args)?;
                    self.call_or_macro(at(*open), name, None, args)
                }
                Err(error) => Ok(error),
            },
            Form::List { open, elements } => self.list(at(*open), elements),
            Form::Map { open, keys, colons, values } => self.map(at(*open), keys, colons, values),
            Form::Message { dot, names, open, fields, colons, values, fields_at } => {
                let mut name = String::from(if *dot { "." } else { "" });
                for (i, part) in names.iter().enumerate() {
                    name.push_str(if i > 0 { "." } else { "" });
                    name.push_str(&self.name(*part));
                }
                let fields = self.fields(*fields_at, fields, colons, values)?;
                Ok(self.ast.add(at(*open), Expr::Struct { name: name.into(), fields }))
            }
            Form::Literal { sign, token } => Ok(self.literal(start, *sign, *token)),
        }
    }

    fn has_optionals(&self) -> bool {
        self.kube.minor >= 28
    }

    pub(crate) fn call(&mut self, at: u32, function: &'static str, args: &[ExprId]) -> ExprId {
        self.ast.add(at, Expr::Call { function: function.into(), target: None, args: args.into() })
    }

    /// Converts a chain to a balanced tree, so that long chains are not nested deeply.
    fn chain(
        &mut self,
        start: u32,
        connective: Connective,
        terms: &[NodeId],
        signs: &[Leaf],
    ) -> Built<ExprId> {
        let mut built = Vec::with_capacity(terms.len());
        for term in terms {
            built.push(self.node(*term)?);
        }
        if built.len() <= signs.len() {
            let sign = connective.sign();
            return Ok(self.error(
                start,
                IssueKind::Unsupported,
                format!("unexpected character, wanted '{sign}'"),
            ));
        }
        Ok(self.balance(connective.function(), &built, signs))
    }

    fn balance(&mut self, function: &'static str, terms: &[ExprId], signs: &[Leaf]) -> ExprId {
        let mid = signs.len() / 2;
        let Some(sign) = signs.get(mid) else { return terms[0] };
        let left = self.balance(function, &terms[..=mid], &signs[..mid]);
        let right = self.balance(function, &terms[mid + 1..], &signs[mid + 1..]);
        self.call(sign.token.at, function, &[left, right])
    }

    /// The name of a variable or function and its place.
    fn variable(&mut self, start: u32, dot: bool, name: Option<Leaf>) -> Result<(Name, u32), ExprId> {
        let Some(leaf) = name else { return Err(self.ast.add(start, Expr::Unspecified)) };
        let name = self.name(leaf);
        if is_reserved(&name) {
            let message = format!("reserved identifier: {name}");
            return Err(self.error(start, IssueKind::Reserved(name.into_owned()), message));
        }
        let name = if dot { Name::Owned(format!(".{name}")) } else { name };
        Ok((name, leaf.token.at))
    }

    fn call_or_macro(
        &mut self,
        at: u32,
        function: Name,
        target: Option<ExprId>,
        args: Vec<ExprId>,
    ) -> Built<ExprId> {
        if let Some(expanded) = macros::expand(self, at, &function, target, &args)? {
            self.ast.set_macro(expanded, MacroCall { function, target, args: args.into() });
            return Ok(expanded);
        }
        Ok(self.ast.add(at, Expr::Call { function, target, args: args.into() }))
    }

    fn list(&mut self, at: u32, items: &[(Option<Leaf>, Option<NodeId>)]) -> Built<ExprId> {
        let mut elements = Vec::with_capacity(items.len());
        let mut optional = Vec::new();
        for (i, (mark, item)) in items.iter().enumerate() {
            elements.push(self.optional(*item)?);
            if let Some(mark) = mark {
                if self.has_optionals() {
                    optional.push(i as u32);
                } else {
                    self.error(mark.token.at, IssueKind::Unsupported, "unsupported syntax '?'");
                }
            }
        }
        Ok(self.ast.add(at, Expr::List { elements: elements.into(), optional: optional.into() }))
    }

    fn map(
        &mut self,
        at: u32,
        keys: &[(Option<Leaf>, Option<NodeId>)],
        colons: &[Leaf],
        values: &[NodeId],
    ) -> Built<ExprId> {
        let mut entries = Vec::with_capacity(keys.len());
        for (i, _) in colons.iter().enumerate() {
            let (Some((mark, key)), Some(value)) = (keys.get(i), values.get(i)) else {
                entries.clear();
                break;
            };
            if let Some(mark) = mark.filter(|_| !self.has_optionals()) {
                self.error(mark.token.at, IssueKind::Unsupported, "unsupported syntax '?'");
                continue;
            }
            let key = self.optional(*key)?;
            entries.push(Entry { key, value: self.node(*value)?, optional: mark.is_some() });
        }
        Ok(self.ast.add(at, Expr::Map(entries.into())))
    }

    fn fields(
        &mut self,
        at: u32,
        names: &[crate::tree::FieldName],
        colons: &[Leaf],
        values: &[NodeId],
    ) -> Built<Box<[Field]>> {
        let mut fields = Vec::with_capacity(names.len());
        for (i, field) in names.iter().enumerate() {
            let (Some(colon), Some(value)) = (colons.get(i), values.get(i)) else { return Ok(Box::new([])) };
            if let Some(mark) = field.optional.filter(|_| !self.has_optionals()) {
                self.error(mark.token.at, IssueKind::Unsupported, "unsupported syntax '?'");
                continue;
            }
            let Some(name) = field.name else {
                self.error(at, IssueKind::Unsupported, "unsupported ident kind");
                continue;
            };
            let name = self.field_name(name);
            let value = self.node(*value)?;
            fields.push(Field { name, value, optional: field.optional.is_some(), at: colon.token.at });
        }
        Ok(fields.into())
    }

    fn literal(&mut self, start: u32, sign: Option<Leaf>, token: Option<Leaf>) -> ExprId {
        let Some(Leaf { token, missing: false }) = token else {
            return self.ast.add(BEFORE, Expr::Unspecified);
        };
        let text = self.token(token);
        let sign = if sign.is_some() { "-" } else { "" };
        let literal = match token.kind {
            Kind::True => Ok(Literal::Bool(true)),
            Kind::False => Ok(Literal::Bool(false)),
            Kind::Int => match text.strip_prefix("0x") {
                Some(hex) => i64::from_str_radix(&format!("{sign}{hex}"), 16),
                None => format!("{sign}{text}").parse(),
            }
            .map(Literal::Int)
            .map_err(|_| "invalid int literal"),
            Kind::Uint => match text[..text.len() - 1].strip_prefix("0x") {
                Some(hex) => u64::from_str_radix(hex, 16),
                None => text[..text.len() - 1].parse(),
            }
            .map(Literal::Uint)
            .map_err(|_| "invalid uint literal"),
            Kind::Float => match format!("{sign}{text}").parse::<f64>() {
                Ok(f) if f.is_finite() => Ok(Literal::Double(f)),
                Ok(_) | Err(_) => Err("invalid double literal"),
            },
            Kind::String => unescape(text, LiteralOf::String)
                .and_then(|b| String::from_utf8(b).map_err(|_| "unable to unescape string"))
                .map(|s| Literal::String(s.into())),
            Kind::Bytes => unescape(&text[1..], LiteralOf::Bytes).map(|b| Literal::Bytes(b.into())),
            Kind::Null => Ok(Literal::Null),
            Kind::Eof
            | Kind::Equals
            | Kind::NotEquals
            | Kind::In
            | Kind::Less
            | Kind::LessEquals
            | Kind::GreaterEquals
            | Kind::Greater
            | Kind::And
            | Kind::Or
            | Kind::LBracket
            | Kind::RBracket
            | Kind::LBrace
            | Kind::RBrace
            | Kind::LParen
            | Kind::RParen
            | Kind::Dot
            | Kind::Comma
            | Kind::Minus
            | Kind::Exclam
            | Kind::Question
            | Kind::Colon
            | Kind::Plus
            | Kind::Star
            | Kind::Slash
            | Kind::Percent
            | Kind::Ident
            | Kind::EscIdent => Err("unknown literal"),
        };
        match literal {
            Ok(literal) => self.ast.add(start, Expr::Literal(literal)),
            Err(message) => self.error(start, IssueKind::Literal, message),
        }
    }
}
