//! Conditions that consist of other conditions, and what they result in.

use crate::ast::{Ast, Expr, ExprId, Literal, ops};

/// What a condition results in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It is true.
    True,
    /// It is false.
    False,
    /// It fails.
    Error,
}

use Truth::{Error, False, True};

impl From<bool> for Truth {
    fn from(value: bool) -> Truth {
        if value { True } else { False }
    }
}

/// A condition, with its smallest parts by their index.
#[derive(Clone, Debug)]
pub enum Condition {
    /// It has always the same result.
    Literal(bool),
    /// A part.
    Part(usize),
    /// `!a`
    Not(Box<Condition>),
    /// `a && b`
    All(Vec<Condition>),
    /// `a || b`
    Any(Vec<Condition>),
    /// `a ? b : c`
    Cases(Box<[Condition; 3]>),
    /// Whether two conditions have the same result.
    Same(Box<[Condition; 2]>),
    /// How many conditions are true, compared with a number.
    Count(Vec<Condition>, Comparison, i64),
}

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug)]
pub enum Comparison {
    /// `==`
    Equals,
    /// `!=`
    NotEquals,
    /// `<`
    Less,
    /// `<=`
    LessEquals,
    /// `>`
    Greater,
    /// `>=`
    GreaterEquals,
}

impl Comparison {
    fn of(operator: &str) -> Option<Comparison> {
        Some(match operator {
            ops::EQUALS => Comparison::Equals,
            ops::NOT_EQUALS => Comparison::NotEquals,
            ops::LESS => Comparison::Less,
            ops::LESS_EQUALS => Comparison::LessEquals,
            ops::GREATER => Comparison::Greater,
            ops::GREATER_EQUALS => Comparison::GreaterEquals,
            _ => return None,
        })
    }

    /// The same comparison with its sides exchanged.
    fn exchanged(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessEquals => Comparison::GreaterEquals,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterEquals => Comparison::LessEquals,
            Comparison::Equals | Comparison::NotEquals => self,
        }
    }

    fn is_met(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::Equals => left == right,
            Comparison::NotEquals => left != right,
            Comparison::Less => left < right,
            Comparison::LessEquals => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterEquals => left >= right,
        }
    }
}

/// Finds the index of a part. `None` if the condition is not to be read.
pub type Index<'i> = dyn FnMut(ExprId) -> Option<usize> + 'i;

impl Condition {
    /// Reads an expression. `None` if one of its parts has no index.
    pub fn read(ast: &Ast, id: ExprId, index: &mut Index<'_>) -> Option<Condition> {
        let mut of = |id: ExprId| Condition::read(ast, id, index);
        let not = |it: Condition| Condition::Not(Box::new(it));
        if let Expr::Literal(Literal::Bool(value)) = ast.expr(id) {
            return Some(Condition::Literal(*value));
        }
        if let Expr::Call { function, target: None, args } = ast.expr(id) {
            match (&**function, &**args) {
                (ops::NOT, [inner]) => return Some(not(of(*inner)?)),
                (ops::AND, [a, b]) => return Some(Condition::All(vec![of(*a)?, of(*b)?])),
                (ops::OR, [a, b]) => return Some(Condition::Any(vec![of(*a)?, of(*b)?])),
                (ops::CONDITIONAL, [c, a, b]) => {
                    return Some(Condition::Cases(Box::new([of(*c)?, of(*a)?, of(*b)?])));
                }
                (operator, [a, b]) => {
                    if [*a, *b].iter().all(|id| is_condition(ast, *id)) {
                        let is_same = |both| Condition::Same(Box::new(both));
                        match operator {
                            ops::EQUALS => return Some(is_same([of(*a)?, of(*b)?])),
                            ops::NOT_EQUALS => return Some(not(is_same([of(*a)?, of(*b)?]))),
                            _ => {}
                        }
                    }
                    if let Some((counted, comparison, number)) = compared(ast, operator, *a, *b) {
                        let all = counted.iter().map(|id| of(*id)).collect::<Option<_>>()?;
                        return Some(Condition::Count(all, comparison, number));
                    }
                }
                _ => {}
            }
        }
        index(id).map(Condition::Part)
    }

    /// The result, as the server's library has it. `part` has those of the parts.
    pub fn truth(&self, part: &dyn Fn(usize) -> Truth) -> Truth {
        let of = |condition: &Condition| condition.truth(part);
        match self {
            Condition::Literal(value) => Truth::from(*value),
            Condition::Part(at) => part(*at),
            Condition::Not(inner) => match of(inner) {
                True => False,
                False => True,
                Error => Error,
            },
            Condition::All(all) => decided(all.iter().map(of), False, True),
            Condition::Any(any) => decided(any.iter().map(of), True, False),
            Condition::Cases(all) => match of(&all[0]) {
                True => of(&all[1]),
                False => of(&all[2]),
                Error => Error,
            },
            Condition::Same(both) => match (of(&both[0]), of(&both[1])) {
                (Error, _) | (_, Error) => Error,
                (a, b) => Truth::from(a == b),
            },
            Condition::Count(all, comparison, number) => {
                let mut count = 0;
                for it in all.iter().map(of) {
                    match it {
                        True => count += 1,
                        False => {}
                        Error => return Error,
                    }
                }
                Truth::from(comparison.is_met(count, *number))
            }
        }
    }

    /// How many conditions are in it.
    pub(crate) fn size(&self) -> usize {
        1 + self.inner().iter().map(Condition::size).sum::<usize>()
    }

    /// Whether it has a part with such an index.
    pub(crate) fn reads(&self, is: &dyn Fn(usize) -> bool) -> bool {
        matches!(self, Condition::Part(at) if is(*at)) || self.inner().iter().any(|it| it.reads(is))
    }

    fn inner(&self) -> &[Condition] {
        match self {
            Condition::Literal(_) | Condition::Part(_) => &[],
            Condition::Not(inner) => std::slice::from_ref(inner),
            Condition::All(all) | Condition::Any(all) | Condition::Count(all, ..) => all,
            Condition::Same(both) => &**both,
            Condition::Cases(all) => &**all,
        }
    }
}

/// The result of conditions of which one with the first result decides, also if others fail.
fn decided(all: impl Iterator<Item = Truth>, first: Truth, otherwise: Truth) -> Truth {
    let mut out = otherwise;
    for it in all {
        if it == first {
            return first;
        }
        if it == Error {
            out = Error;
        }
    }
    out
}

/// Whether the form of an expression shows that it is a condition.
fn is_condition(ast: &Ast, id: ExprId) -> bool {
    match ast.expr(id) {
        Expr::Literal(Literal::Bool(_)) | Expr::Select { test_only: true, .. } => true,
        Expr::Call { function, target: None, .. } => {
            matches!(&**function, ops::NOT | ops::AND | ops::OR) || Comparison::of(function).is_some()
        }
        _ => false,
    }
}

/// The conditions that are counted, and the number that a comparison compares their count with.
fn compared<'a>(
    ast: &'a Ast,
    operator: &str,
    left: ExprId,
    right: ExprId,
) -> Option<(&'a [ExprId], Comparison, i64)> {
    let comparison = Comparison::of(operator)?;
    let number = |id: ExprId| match ast.expr(id) {
        Expr::Literal(Literal::Int(number)) => Some(*number),
        _ => None,
    };
    match (number(left), number(right)) {
        (_, Some(right)) => Some((ast.counted(left)?, comparison, right)),
        (Some(left), None) => Some((ast.counted(right)?, comparison.exchanged(), left)),
        (None, None) => None,
    }
}

impl Ast {
    /// The conditions that an expression counts: `[a, b].filter(x, x == true).size()`, or with `x` alone as the filter.
    pub fn counted(&self, id: ExprId) -> Option<&[ExprId]> {
        let Expr::Call { function, target, args } = self.expr(id) else { return None };
        let filtered = match (&**function, target, &**args) {
            ("size", Some(of), []) => *of,
            ("size", None, [of]) => *of,
            _ => return None,
        };
        let Expr::Comprehension(it) = self.expr(filtered) else { return None };
        let Expr::List { elements, optional } = self.expr(it.range) else { return None };
        let is_ident = |id: ExprId, name: &str| matches!(self.expr(id), Expr::Ident(own) if &**own == name);
        let is_true = |id: ExprId| matches!(self.expr(id), Expr::Literal(Literal::Bool(true)));
        let Expr::Call { function, target: None, args } = self.expr(it.step) else { return None };
        let (ops::CONDITIONAL, [filter, added, other]) = (&**function, &**args) else { return None };
        let is_filter = is_ident(*filter, &it.var)
            || match self.expr(*filter) {
                Expr::Call { function, target: None, args } => match (&**function, &**args) {
                    (ops::EQUALS, [a, b]) => {
                        is_ident(*a, &it.var) && is_true(*b) || is_true(*a) && is_ident(*b, &it.var)
                    }
                    _ => false,
                },
                _ => false,
            };
        let is_element = match self.expr(*added) {
            Expr::Call { function, target: None, args } => match (&**function, &**args) {
                (ops::ADD, [all, more]) => {
                    let is_one = |elements: &[ExprId]| matches!(elements, [one] if is_ident(*one, &it.var));
                    is_ident(*all, &it.accu)
                        && matches!(self.expr(*more), Expr::List { elements, .. } if is_one(elements))
                }
                _ => false,
            },
            _ => false,
        };
        let is_plain = it.var2.is_none() && optional.is_empty() && is_ident(*other, &it.accu);
        (is_plain && is_filter && is_element).then_some(&**elements)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Kube, parse};

    #[test]
    fn knows_what_is_counted() {
        let counted = |text: &str| {
            let ast = parse(text, Kube::STORED).expect("an expression");
            ast.counted(ast.root()).map(<[_]>::len)
        };
        assert_eq!(counted("[has(self.a), self.b].filter(x, x == true).size()"), Some(2));
        assert_eq!(counted("size([self.a].filter(x, true == x))"), Some(1));
        assert_eq!(counted("[self.a].filter(x, x == false).size()"), None);
        assert_eq!(counted("[self.a].map(x, x).size()"), None);
        assert_eq!(counted("self.l.filter(x, x).size()"), None);
    }
}
