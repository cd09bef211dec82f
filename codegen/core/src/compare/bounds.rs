//! Comparisons in rules that say what a keyword can say: `self.size() <= 5` is a `maxLength` of 5.

use crate::cel::ast::{Ast, Expr, ExprId, Literal, ops};

/// A comparison as it is written, or with its sides exchanged.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    /// The operator.
    pub operator: &'a str,
    /// The left side.
    pub left: ExprId,
    /// The right side.
    pub right: ExprId,
}

/// Returns a call with two arguments as a comparison, both ways.
pub fn both_ways(operator: &str, left: ExprId, right: ExprId) -> [Comparison<'_>; 2] {
    let flipped = match operator {
        ops::LESS => ops::GREATER,
        ops::LESS_EQUALS => ops::GREATER_EQUALS,
        ops::GREATER => ops::LESS,
        ops::GREATER_EQUALS => ops::LESS_EQUALS,
        ops::IN => "",
        other => other,
    };
    [Comparison { operator, left, right }, Comparison { operator: flipped, left: right, right: left }]
}

/// Returns the operator that is true where a comparison is not. `None` if there is none.
pub fn negated(operator: &str) -> Option<&'static str> {
    Some(match operator {
        ops::EQUALS => ops::NOT_EQUALS,
        ops::NOT_EQUALS => ops::EQUALS,
        ops::LESS => ops::GREATER_EQUALS,
        ops::LESS_EQUALS => ops::GREATER,
        ops::GREATER => ops::LESS_EQUALS,
        ops::GREATER_EQUALS => ops::LESS,
        _ => return None,
    })
}

/// Returns what an expression is the size of.
pub fn size_of(ast: &Ast, id: ExprId) -> Option<ExprId> {
    match ast.expr(id) {
        Expr::Call { function, target, args } if &**function == "size" => match (target, &**args) {
            (Some(of), []) => Some(*of),
            (None, [of]) => Some(*of),
            _ => None,
        },
        _ => None,
    }
}

/// The integers for which a comparison with a constant is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least of them.
    pub least: Option<i64>,
    /// The greatest of them.
    pub most: Option<i64>,
}

impl Range {
    /// Returns the integers that an operator accepts on its left side. `None` if they are not a range.
    pub fn of(operator: &str, constant: i64) -> Option<Range> {
        let (least, most) = match operator {
            ops::LESS => (None, Some(constant.checked_sub(1)?)),
            ops::LESS_EQUALS => (None, Some(constant)),
            ops::GREATER => (Some(constant.checked_add(1)?), None),
            ops::GREATER_EQUALS => (Some(constant), None),
            ops::EQUALS => (Some(constant), Some(constant)),
            _ => return None,
        };
        Some(Range { least, most })
    }

    /// The same for a size, which is not negative.
    pub fn of_size(operator: &str, constant: i64) -> Option<Range> {
        match (operator, constant) {
            (ops::NOT_EQUALS, 0) => Some(Range { least: Some(1), most: None }),
            _ => Range::of(operator, constant),
        }
    }
}

/// Returns an integer that is written in an expression.
pub fn integer(ast: &Ast, id: ExprId) -> Option<i64> {
    match ast.expr(id) {
        Expr::Literal(Literal::Int(number)) => Some(*number),
        _ => None,
    }
}
