//! Operators, and the functions that are evaluated like operators.

use super::{arithmetic, convert, size};
use crate::value::{Error, Outcome, Val, Work};

/// Operators, and functions that are evaluated like operators. The first ones are nodes of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    And,
    Or,
    Conditional,
    Equals,
    NotEquals,
    Index,
    OptIndex,
    OptSelect,
    OptionalOr,
    OptionalOrValue,
    Not,
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    NotStrictlyFalse,
    Size,
    Type,
    Dyn,
}

/// What a function does with a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegexKind {
    Matches,
    Find,
    FindAll,
}

impl Operator {
    /// Applies the operator.
    pub(crate) fn apply<'a>(self, args: &[Val<'a>], work: &Work) -> Outcome<'a> {
        match (self, args) {
            (Operator::Not, [Val::Bool(b)]) => Ok(Val::Bool(!b)),
            (Operator::Not, [_]) => Err(Error::NO_OVERLOAD),
            (Operator::Negate, [a]) => arithmetic::negate(a),
            // The size of addresses is only used for costs.
            (Operator::Size, [a @ Val::Opaque(_)]) => Err(arithmetic::missing(a, "size")),
            (Operator::Size, [Val::Str(text)]) => {
                work.count(text)?;
                size(&args[0])
            }
            (Operator::Size, [a]) => match size(a) {
                Ok(size) => Ok(size),
                Err(_) => Err(arithmetic::missing(a, "size")),
            },
            (Operator::Type, [a]) => convert::to_type(a),
            (Operator::Dyn, [a]) => Ok(a.clone()),
            (Operator::NotStrictlyFalse, [a]) => Ok(Val::Bool(!matches!(a, Val::Bool(false)))),
            (Operator::Add, [a, b]) => arithmetic::add(a, b, work),
            (Operator::Subtract, [a, b]) => arithmetic::subtract(a, b),
            (Operator::Multiply, [a, b]) => arithmetic::multiply(a, b),
            (Operator::Divide, [a, b]) => arithmetic::divide(a, b),
            (Operator::Modulo, [a, b]) => arithmetic::modulo(a, b),
            (
                Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual,
                [Val::Double(nan), _] | [_, Val::Double(nan)],
            ) if nan.is_nan() && work.behavior().compares_nan() => Ok(Val::Bool(false)),
            (Operator::Less, [a, b]) => arithmetic::order(a, b, "_<_").map(|o| Val::Bool(o.is_lt())),
            (Operator::LessEqual, [a, b]) => arithmetic::order(a, b, "_<=_").map(|o| Val::Bool(o.is_le())),
            (Operator::Greater, [a, b]) => arithmetic::order(a, b, "_>_").map(|o| Val::Bool(o.is_gt())),
            (Operator::GreaterEqual, [a, b]) => arithmetic::order(a, b, "_>=_").map(|o| Val::Bool(o.is_ge())),
            (Operator::In, [a, b]) => b.contains(a, work).map(Val::Bool),
            _ => Err(Error::NO_OVERLOAD),
        }
    }
}
