//! Describes rules in plain words if their authors wrote no message. Expressions that do not read well in words are
//! shown as they are.

use std::borrow::Cow;

use crate::cel::ast::{MacroCall, ops};
use crate::cel::{self, Ast, Expr, ExprId, Literal};

/// Sentences that are longer than this are harder to read than the expression.
const LONGEST: usize = 240;

/// Describes what an expression requires.
pub(super) fn of(rule: &str) -> Option<String> {
    if rule.len() > 4 * LONGEST {
        return None;
    }
    let ast = cel::parse_stored(rule)?;
    let sentence = Reader { ast: &ast }.demand(ast.root(), Wanted::True)?;
    (sentence.len() <= LONGEST).then_some(sentence)
}

/// The value that an expression must have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    True,
    False,
}

impl Wanted {
    fn opposite(self) -> Wanted {
        match self {
            Wanted::True => Wanted::False,
            Wanted::False => Wanted::True,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Wanted::True => "true",
            Wanted::False => "false",
        }
    }

    /// `not ` in a sentence that says that something is so.
    fn not(self) -> &'static str {
        match self {
            Wanted::True => "",
            Wanted::False => "not ",
        }
    }
}

struct Reader<'a> {
    ast: &'a Ast,
}

impl Reader<'_> {
    /// Describes what must be true so that the expression has this value.
    fn demand(&self, id: ExprId, wanted: Wanted) -> Option<String> {
        if let Some(call) = self.ast.macro_call(id) {
            return self.of_macro(call, wanted);
        }
        match self.ast.expr(id) {
            Expr::Select { operand, field, test_only: true } => {
                let name = self.member(*operand, field)?;
                Some(format!("{name} is {}set", wanted.not()))
            }
            Expr::Select { .. } | Expr::Ident(_) => Some(format!("{} is {}", self.term(id)?, wanted.word())),
            Expr::Call { function, target, args } => self.call(function, *target, args, wanted),
            Expr::Unspecified
            | Expr::Literal(_)
            | Expr::List { .. }
            | Expr::Map(_)
            | Expr::Struct { .. }
            | Expr::Comprehension(_) => None,
        }
    }

    fn call(
        &self,
        function: &str,
        target: Option<ExprId>,
        args: &[ExprId],
        wanted: Wanted,
    ) -> Option<String> {
        match (function, target, args) {
            (ops::NOT, None, [inner]) => self.demand(*inner, wanted.opposite()),
            (ops::AND, None, [a, b]) if wanted == Wanted::True => {
                Some(format!("{} and {}", self.part(*a, wanted)?, self.part(*b, wanted)?))
            }
            (ops::OR, None, [a, b]) if wanted == Wanted::False => {
                Some(format!("{} and {}", self.part(*a, wanted)?, self.part(*b, wanted)?))
            }
            (ops::OR, None, _) if wanted == Wanted::True => self.either(function, args),
            (ops::CONDITIONAL, None, [condition, yes, no]) if wanted == Wanted::True => {
                self.choice(*condition, *yes, *no)
            }
            (ops::EQUALS, None, [a, b]) if self.is_change(*a, *b) && wanted == Wanted::True => {
                Some(format!("{} cannot change", self.term(*a)?))
            }
            (ops::IN, None, [item, list]) => self.is_in(*item, *list, wanted),
            (_, None, [a, b]) => {
                let words = comparison(function, wanted)?;
                Some(format!("{} {words} {}", self.term(*a)?, self.term(*b)?))
            }
            ("matches", Some(of), [text]) if wanted == Wanted::True => {
                Some(format!("{} matches {}", self.term(of)?, self.term(*text)?))
            }
            ("startsWith", Some(of), [text]) => {
                Some(format!("{} {}", self.term(of)?, verb("start", "with", wanted, &self.term(*text)?)))
            }
            ("endsWith", Some(of), [text]) => {
                Some(format!("{} {}", self.term(of)?, verb("end", "with", wanted, &self.term(*text)?)))
            }
            ("contains", Some(of), [text]) => {
                Some(format!("{} {}", self.term(of)?, verb("contain", "", wanted, &self.term(*text)?)))
            }
            _ => None,
        }
    }

    /// An operand of "and" or "or". None if the sentence would be ambiguous, as with "and" inside "or".
    fn part(&self, id: ExprId, wanted: Wanted) -> Option<String> {
        let joins = match self.ast.expr(id) {
            _ if self.ast.macro_call(id).is_some_and(|call| call.function != "has") => true,
            Expr::Call { function, .. } => {
                matches!(
                    (&**function, wanted),
                    (ops::OR, Wanted::True) | (ops::AND, Wanted::False) | (ops::CONDITIONAL, _)
                )
            }
            _ => false,
        };
        if joins { None } else { self.demand(id, wanted) }
    }

    /// Describes alternatives. Operands that are negations become the condition for the others: `!a || b` is
    /// "if a, then b".
    fn either(&self, function: &str, args: &[ExprId]) -> Option<String> {
        let mut all = Vec::new();
        self.flatten(function, args, &mut all);
        let (conditions, others): (Vec<ExprId>, Vec<ExprId>) =
            all.iter().partition(|id| self.is_negation(**id));
        if conditions.is_empty() || others.is_empty() {
            let words: Option<Vec<_>> = all.iter().map(|id| self.part(*id, Wanted::True)).collect();
            return Some(words?.join(" or "));
        }
        let conditions: Option<Vec<_>> = conditions.iter().map(|id| self.part(*id, Wanted::False)).collect();
        let others = match others.as_slice() {
            [one] => self.demand(*one, Wanted::True)?,
            all => {
                all.iter().map(|id| self.part(*id, Wanted::True)).collect::<Option<Vec<_>>>()?.join(" or ")
            }
        };
        Some(format!("if {}, then {others}", conditions?.join(" and ")))
    }

    fn flatten(&self, function: &str, args: &[ExprId], out: &mut Vec<ExprId>) {
        for id in args {
            match self.ast.expr(*id) {
                Expr::Call { function: inner, target: None, args } if inner == function => {
                    self.flatten(function, args, out);
                }
                _ => out.push(*id),
            }
        }
    }

    fn is_negation(&self, id: ExprId) -> bool {
        matches!(self.ast.expr(id), Expr::Call { function, .. } if matches!(&**function, ops::NOT | ops::NOT_EQUALS))
    }

    fn choice(&self, condition: ExprId, yes: ExprId, no: ExprId) -> Option<String> {
        let is = |id: ExprId, value: Wanted| {
            *self.ast.expr(id) == Expr::Literal(Literal::Bool(value == Wanted::True))
        };
        let given = self.part(condition, Wanted::True);
        if is(no, Wanted::True) {
            return Some(format!("if {}, then {}", given?, self.demand(yes, Wanted::True)?));
        }
        if is(yes, Wanted::True) {
            let given = self.part(condition, Wanted::False);
            return Some(format!("if {}, then {}", given?, self.demand(no, Wanted::True)?));
        }
        if is(no, Wanted::False) || is(yes, Wanted::False) {
            return None;
        }
        let (yes, no) = (self.part(yes, Wanted::True)?, self.part(no, Wanted::True)?);
        Some(format!("if {}, then {yes}; otherwise {no}", given?))
    }

    /// Whether the expression compares a value with its old value.
    fn is_change(&self, a: ExprId, b: ExprId) -> bool {
        let (a, b) = (self.path(a), self.path(b));
        match (a, b) {
            (Some((a, x)), Some((b, y))) => {
                x == y && matches!((a, b), ("self", "oldSelf") | ("oldSelf", "self"))
            }
            _ => false,
        }
    }

    /// A variable, and the fields that are selected from it.
    fn path(&self, id: ExprId) -> Option<(&str, Vec<&str>)> {
        match self.ast.expr(id) {
            Expr::Ident(name) => Some((name, Vec::new())),
            Expr::Select { operand, field, test_only: false } => {
                let (root, mut fields) = self.path(*operand)?;
                fields.push(field);
                Some((root, fields))
            }
            _ => None,
        }
    }

    fn is_in(&self, item: ExprId, list: ExprId, wanted: Wanted) -> Option<String> {
        let item = self.term(item)?;
        if let Expr::List { elements, optional } = self.ast.expr(list) {
            let values: Option<Vec<_>> = elements.iter().map(|id| self.term(*id)).collect();
            let words = if wanted == Wanted::True { "is one of" } else { "is none of" };
            return optional.is_empty().then_some(format!("{item} {words} {}", values?.join(", ")));
        }
        Some(format!("{item} is {}in {}", wanted.not(), self.term(list)?))
    }

    fn of_macro(&self, call: &MacroCall, wanted: Wanted) -> Option<String> {
        let MacroCall { function, target, args } = call;
        if function == "has" {
            let [arg] = args.as_ref() else { return None };
            return match self.ast.expr(*arg) {
                Expr::Select { operand, field, .. } => {
                    let not = wanted.not();
                    Some(format!("{} is {not}set", self.member(*operand, field)?))
                }
                _ => None,
            };
        }
        let (Some(range), [variable, condition]) = (target, args.as_ref()) else { return None };
        let Expr::Ident(variable) = self.ast.expr(*variable) else { return None };
        let all = self.term(*range)?;
        let (start, wanted_inside) = match (&**function, wanted) {
            ("all", Wanted::True) => (format!("every {variable} in {all}"), Wanted::True),
            ("exists", Wanted::True) => (format!("at least one {variable} in {all}"), Wanted::True),
            ("exists", Wanted::False) => (format!("every {variable} in {all}"), Wanted::False),
            ("exists_one", Wanted::True) => (format!("exactly one {variable} in {all}"), Wanted::True),
            _ => return None,
        };
        Some(format!("for {start}: {}", self.demand(*condition, wanted_inside)?))
    }

    /// A value.
    fn term(&self, id: ExprId) -> Option<String> {
        if self.ast.macro_call(id).is_some() {
            return None;
        }
        match self.ast.expr(id) {
            Expr::Literal(literal) => of_literal(literal),
            Expr::Ident(name) => Some(match &**name {
                "self" => "the value".to_owned(),
                "oldSelf" => "the old value".to_owned(),
                other => other.to_owned(),
            }),
            Expr::Select { operand, field, test_only: false } => self.member(*operand, field),
            Expr::Call { function, target, args } => match (&**function, target, args.as_ref()) {
                ("size", None, [of]) | ("size", Some(of), []) => {
                    Some(format!("the size of {}", self.term(*of)?))
                }
                (ops::INDEX, None, [of, index]) => {
                    Some(format!("{}[{}]", self.term(*of)?, self.term(*index)?))
                }
                (ops::ADD, None, [a, b]) => Some(format!("{} + {}", self.term(*a)?, self.term(*b)?)),
                (ops::SUBTRACT, None, [a, b]) => Some(format!("{} - {}", self.term(*a)?, self.term(*b)?)),
                _ => None,
            },
            Expr::List { elements, .. } if elements.is_empty() => Some("an empty list".to_owned()),
            Expr::Select { test_only: true, .. }
            | Expr::Unspecified
            | Expr::List { .. }
            | Expr::Map(_)
            | Expr::Struct { .. }
            | Expr::Comprehension(_) => None,
        }
    }

    fn member(&self, operand: ExprId, field: &str) -> Option<String> {
        let field = cel::escape::unescape(field).map_or_else(|| field.to_owned(), Cow::into_owned);
        Some(match self.ast.expr(operand) {
            Expr::Ident(name) if name == "self" => field,
            Expr::Ident(name) if name == "oldSelf" => format!("the old {field}"),
            _ => format!("{}.{field}", self.term(operand)?),
        })
    }
}

fn of_literal(literal: &Literal) -> Option<String> {
    Some(match literal {
        Literal::Null => "null".to_owned(),
        Literal::Bool(value) => value.to_string(),
        Literal::Int(value) => value.to_string(),
        Literal::Uint(value) => value.to_string(),
        Literal::Double(value) => value.to_string(),
        Literal::String(text) if text.is_empty() => "empty".to_owned(),
        Literal::String(text) => format!("`{text}`"),
        Literal::Bytes(_) => return None,
    })
}

fn comparison(function: &str, wanted: Wanted) -> Option<&'static str> {
    Some(match (function, wanted == Wanted::True) {
        (ops::EQUALS, true) | (ops::NOT_EQUALS, false) => "is",
        (ops::EQUALS, false) | (ops::NOT_EQUALS, true) => "is not",
        (ops::LESS, true) | (ops::GREATER_EQUALS, false) => "is less than",
        (ops::LESS_EQUALS, true) | (ops::GREATER, false) => "is at most",
        (ops::GREATER, true) | (ops::LESS_EQUALS, false) => "is more than",
        (ops::GREATER_EQUALS, true) | (ops::LESS, false) => "is at least",
        _ => return None,
    })
}

fn verb(verb: &str, preposition: &str, wanted: Wanted, object: &str) -> String {
    let (start, end) =
        if wanted == Wanted::True { (String::new(), "s") } else { ("does not ".to_owned(), "") };
    format!("{start}{verb}{end} {preposition} {object}").replace("  ", " ")
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn rules_in_words() {
        for (rule, words) in [
            ("self == oldSelf", Some("the value cannot change")),
            ("self.a.b == oldSelf.a.b", Some("a.b cannot change")),
            ("!has(oldSelf.a) || has(self.a)", Some("if the old a is set, then a is set")),
            ("has(self.a) || has(self.b)", Some("a is set or b is set")),
            ("!(has(self.a) && has(self.b))", None),
            ("has(self.a) != has(self.b)", None),
            ("self.min <= self.max", Some("min is at most max")),
            ("!(self.min <= self.max)", Some("min is more than max")),
            (
                "self.type == 'A' ? has(self.a) : !has(self.a)",
                Some("if type is `A`, then a is set; otherwise a is not set"),
            ),
            ("self.type != 'A' || has(self.a)", Some("if type is `A`, then a is set")),
            ("self.on", Some("on is true")),
            ("self in ['a', 'b']", Some("the value is one of `a`, `b`")),
            ("!(self.x in ['a', 'b'])", Some("x is none of `a`, `b`")),
            ("self.all(x, x.startsWith('a'))", Some("for every x in the value: x starts with `a`")),
            ("!self.exists(x, x == '')", Some("for every x in the value: x is not empty")),
            (
                "self.size() > 0 && size(self.a) < 3",
                Some("the size of the value is more than 0 and the size of a is less than 3"),
            ),
            ("self.__namespace__.matches('^a')", Some("namespace matches `^a`")),
            ("url(self).getHost() == 'a'", None),
            ("self ==", None),
            ("(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) == 1", None),
        ] {
            assert_eq!(of(rule).as_deref(), words, "{rule}");
        }
    }
}
