//! Converts the parts of a rule to nodes of the tree, even if some are missing.

use super::grammar::Rule;
use super::{Frame, Item, Part, Reader};
use crate::ast::Connective;
use crate::lexer::Kind;
use crate::tree::{FieldName, Form, Leaf, NodeId};
use std::rc::Rc;

impl Frame {
    fn parts(&self, of: Rule) -> impl Iterator<Item = &Part> {
        self.items.iter().filter_map(move |item| match item {
            Item::Rule(rule, part) if *rule == of => Some(part),
            Item::Rule(..) | Item::Token(_) => None,
        })
    }

    fn node(&self, of: Rule) -> Option<NodeId> {
        self.parts(of).next().map(|p| p.node)
    }

    fn inner(&self, of: Rule) -> Option<Rc<Frame>> {
        self.parts(of).next().and_then(|p| p.inner.clone())
    }

    fn nodes(&self, of: Rule) -> Vec<NodeId> {
        self.parts(of).map(|p| p.node).collect()
    }

    fn tokens(&self) -> impl Iterator<Item = Leaf> {
        self.items.iter().filter_map(|item| match item {
            Item::Token(leaf) => Some(*leaf),
            Item::Rule(..) => None,
        })
    }

    fn token(&self, kind: Kind) -> Option<Leaf> {
        self.tokens().find(|leaf| leaf.token.kind == kind)
    }

    fn all(&self, kind: Kind) -> Vec<Leaf> {
        self.tokens().filter(|leaf| leaf.token.kind == kind).collect()
    }
}

impl Reader<'_> {
    pub(super) fn finish(&mut self, frame: Frame) -> Part {
        let at = frame.at;
        let form = match frame.rule {
            // These rules are parts of others.
            Rule::ExprList
            | Rule::ListInit
            | Rule::FieldList
            | Rule::OptField
            | Rule::MapInit
            | Rule::EscapeIdent
            | Rule::OptExpr => {
                let node = self.tree.add(at, Form::Broken);
                return Part { node, inner: Some(Rc::new(frame)) };
            }
            Rule::Start => return self.pass(&frame, Rule::Expr),
            Rule::Expr => match (frame.token(Kind::Question), frame.node(Rule::Or)) {
                (Some(op), Some(condition)) => Form::Ternary {
                    condition,
                    op,
                    yes: frame.nodes(Rule::Or).get(1).copied(),
                    no: frame.node(Rule::Expr),
                },
                _ => return self.pass(&frame, Rule::Or),
            },
            Rule::Or => match frame.all(Kind::Or) {
                ops if ops.is_empty() => return self.pass(&frame, Rule::And),
                ops => Form::Chain { connective: Connective::Or, terms: frame.nodes(Rule::And), ops },
            },
            Rule::And => match frame.all(Kind::And) {
                ops if ops.is_empty() => return self.pass(&frame, Rule::Relation),
                ops => Form::Chain { connective: Connective::And, terms: frame.nodes(Rule::Relation), ops },
            },
            Rule::Relation | Rule::Calc => match frame.nodes(frame.rule)[..] {
                [] => {
                    let below = if frame.rule == Rule::Relation { Rule::Calc } else { Rule::Unary };
                    return self.pass(&frame, below);
                }
                [left] => Form::Binary { left, op: frame.tokens().next(), right: None },
                [left, right, ..] => Form::Binary { left, op: frame.tokens().next(), right: Some(right) },
            },
            Rule::Unary => match frame.form {
                None => Form::BrokenUnary,
                Some(0) => return self.pass(&frame, Rule::Member),
                Some(_) => Form::Unary { ops: frame.tokens().collect(), operand: frame.node(Rule::Member) },
            },
            Rule::Member => match (frame.form, frame.node(Rule::Member)) {
                (Some(0), Some(operand)) => {
                    let field = frame.inner(Rule::EscapeIdent).map(|name| (name.tokens().next(), name.at));
                    let optional = frame.token(Kind::Question).is_some();
                    Form::Select { operand, op: frame.token(Kind::Dot), optional, field }
                }
                (Some(1), Some(operand)) => Form::MemberCall {
                    operand,
                    name: frame.token(Kind::Ident),
                    open: frame.token(Kind::LParen),
                    args: arguments(&frame),
                },
                (Some(_), Some(operand)) => Form::Index {
                    operand,
                    op: frame.token(Kind::LBracket),
                    optional: frame.token(Kind::Question).is_some(),
                    index: frame.node(Rule::Expr),
                },
                _ => return self.pass(&frame, Rule::Primary),
            },
            Rule::Primary => match frame.form {
                Some(form) => match self.primary(form, &frame) {
                    Ok(form) => form,
                    Err(part) => return part,
                },
                None => Form::Broken,
            },
            Rule::Literal => match frame.form {
                Some(_) => {
                    let sign = frame.token(Kind::Minus);
                    Form::Literal { sign, token: frame.tokens().nth(usize::from(sign.is_some())) }
                }
                None => Form::Broken,
            },
        };
        Part { node: self.tree.add(at, form), inner: None }
    }

    /// Converts a rule that only contains another rule.
    fn pass(&mut self, frame: &Frame, to: Rule) -> Part {
        let node = frame.node(to).unwrap_or_else(|| self.tree.add(frame.at, Form::Broken));
        Part { node, inner: None }
    }

    fn primary(&mut self, form: usize, frame: &Frame) -> Result<Form, Part> {
        let dot = frame.tokens().next().is_some_and(|l| l.token.kind == Kind::Dot);
        let name = frame.token(Kind::Ident);
        Ok(match form {
            0 => Form::Ident { dot, name },
            1 => Form::GlobalCall { dot, name, open: frame.token(Kind::LParen), args: arguments(frame) },
            2 => return Err(self.pass(frame, Rule::Expr)),
            3 => {
                let elements = frame.inner(Rule::ListInit).map_or_else(Vec::new, |list| optionals(&list));
                Form::List { open: frame.token(Kind::LBracket), elements }
            }
            4 => {
                let open = frame.token(Kind::LBrace);
                match frame.inner(Rule::MapInit) {
                    Some(list) => Form::Map {
                        open,
                        keys: optionals(&list),
                        colons: list.all(Kind::Colon),
                        values: list.nodes(Rule::Expr),
                    },
                    None => Form::Map { open, keys: Vec::new(), colons: Vec::new(), values: Vec::new() },
                }
            }
            5 => {
                let list = frame.inner(Rule::FieldList);
                let fields = list.iter().flat_map(|l| l.parts(Rule::OptField)).map(|part| FieldName {
                    optional: part.inner.as_ref().and_then(|f| f.token(Kind::Question)),
                    name: part
                        .inner
                        .as_ref()
                        .and_then(|f| f.inner(Rule::EscapeIdent))
                        .and_then(|name| name.tokens().next()),
                });
                Form::Message {
                    dot,
                    names: frame.all(Kind::Ident),
                    open: frame.token(Kind::LBrace),
                    fields: fields.collect(),
                    colons: list.as_ref().map_or_else(Vec::new, |l| l.all(Kind::Colon)),
                    values: list.as_ref().map_or_else(Vec::new, |l| l.nodes(Rule::Expr)),
                    fields_at: list.as_ref().map_or(frame.at, |l| l.at),
                }
            }
            _ => return Err(self.pass(frame, Rule::Literal)),
        })
    }
}

fn arguments(frame: &Frame) -> Vec<NodeId> {
    frame.inner(Rule::ExprList).map_or_else(Vec::new, |list| list.nodes(Rule::Expr))
}

fn optionals(list: &Frame) -> Vec<(Option<Leaf>, Option<NodeId>)> {
    let parts = list.parts(Rule::OptExpr).filter_map(|part| part.inner.as_ref());
    parts.map(|f| (f.token(Kind::Question), f.node(Rule::Expr))).collect()
}
