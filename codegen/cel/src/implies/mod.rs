//! Whether one condition is true whenever another one is, as far as their form shows it.

mod combinations;
mod order;

use super::ast::{Ast, Entry, Expr, ExprId, Field, Literal, ops};
use super::escape::unescape;
use crdgen_text::go::duration::duration;
use crdgen_text::go::regexp::Regexp;
use std::borrow::Cow;
use std::cmp::Ordering;

/// How many pairs of parts are compared at most.
const MAX_STEPS: u32 = 10_000;

/// What the values of an expression are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Objects with fields, and not maps.
    Object,
    /// Texts, numbers or conditions.
    Single,
    /// Something else, or it is not known.
    Other,
}

/// How far a comparison is.
#[derive(Default)]
struct Progress {
    /// How many pairs of parts were compared.
    steps: u32,
    /// Whether the parts are below `!`. There, what is true of one must not only be true of the other one: if the other one is false,
    /// so is the first one.
    is_negated: bool,
}

/// A part of an expression.
#[derive(Clone, Copy)]
struct Part<'a> {
    ast: &'a Ast,
    id: ExprId,
}

impl<'a> Part<'a> {
    fn expr(self) -> &'a Expr {
        self.ast.expr(self.id)
    }

    fn at(self, id: ExprId) -> Part<'a> {
        Part { id, ..self }
    }

    /// The arguments of a call of an operator with two operands.
    fn operands(self) -> Option<(&'a str, Part<'a>, Part<'a>)> {
        match self.expr() {
            Expr::Call { function, target: None, args } => match args[..] {
                [a, b] => Some((function, self.at(a), self.at(b))),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Ast {
    /// Whether another expression is the same. White space and parentheses do not matter.
    pub fn is_same(&self, other: &Ast) -> bool {
        is_same(Part { ast: self, id: self.root() }, Part { ast: other, id: other.root() })
    }

    /// Whether another expression is the same if the names of fields are escaped in another way, such as `self.__continue__` for
    /// `self.continue`. They are not in keys of maps: `shape` says what the value of an expression is.
    pub fn is_same_escaped(&self, other: &Ast, shape: &dyn Fn(&Ast, ExprId) -> Shape) -> bool {
        let is = |part: &Part<'_>, wanted: Shape| shape(part.ast, part.id) == wanted;
        let is_same_field = |(operand, name): (Part<'_>, &str), (other, other_name): (Part<'_>, &str)| {
            name == other_name
                || unescaped(name) == unescaped(other_name)
                    && [operand, other].iter().all(|it| is(it, Shape::Object))
        };
        let is_single = |part: Part<'_>| is(&part, Shape::Single);
        let names = Names { is_same_field: &is_same_field, is_single: &is_single, ..Names::AS_WRITTEN };
        is_same_by(Part { ast: self, id: self.root() }, Part { ast: other, id: other.root() }, &names)
    }

    /// Whether another condition is true for all values for which this one is true. If this is not visible in their form, the
    /// result is `false`.
    pub fn implies(&self, other: &Ast) -> bool {
        let (narrow, wide) = (Part { ast: self, id: self.root() }, Part { ast: other, id: other.root() });
        let mut progress = Progress::default();
        implies(narrow, wide, &mut progress) || combinations::decide(narrow, wide, &mut progress)
    }
}

fn implies(narrow: Part<'_>, wide: Part<'_>, progress: &mut Progress) -> bool {
    progress.steps += 1;
    if progress.steps > MAX_STEPS {
        return false;
    }
    let literal = |part: Part<'_>| match part.expr() {
        Expr::Literal(Literal::Bool(value)) => Some(*value),
        _ => None,
    };
    if is_same(narrow, wide) || literal(narrow) == Some(false) || literal(wide) == Some(true) {
        return true;
    }
    // If one operand of `||` is true, the result is true even if the other one fails. `&&` is only true if both are.
    match (narrow.operands(), wide.operands()) {
        (Some((ops::OR, a, b)), _) => implies(a, wide, progress) && implies(b, wide, progress),
        (_, Some((ops::AND, a, b))) => implies(narrow, a, progress) && implies(narrow, b, progress),
        (of_narrow, of_wide) => {
            let any_wide = |progress: &mut Progress| match of_wide {
                Some((ops::OR, a, b)) => implies(narrow, a, progress) || implies(narrow, b, progress),
                _ => false,
            };
            let any_narrow = |progress: &mut Progress| match of_narrow {
                Some((ops::AND, a, b)) => implies(a, wide, progress) || implies(b, wide, progress),
                _ => false,
            };
            any_wide(progress)
                || any_narrow(progress)
                || is_wider_bound(of_narrow, of_wide)
                || is_wider_multiple(of_narrow, of_wide)
                || is_wider_pattern(narrow, wide)
                || implies_inside(narrow, wide, progress)
                || cases_imply(narrow, wide, progress)
                || implies_cases(narrow, wide, progress)
        }
    }
}

/// The same for conditions that have the same form around a part: `!`, and the macros `all` and `exists`.
fn implies_inside(narrow: Part<'_>, wide: Part<'_>, progress: &mut Progress) -> bool {
    match (narrow.expr(), wide.expr()) {
        (
            Expr::Call { function: f, target: None, args: xs },
            Expr::Call { function: g, target: None, args: ys },
        ) if f == g => match (&**f, &xs[..], &ys[..]) {
            // If the other condition is false, so is this one: what it is made of does not fail then, except the conditions
            // of cases.
            (ops::NOT, [x], [y]) => {
                let around = std::mem::replace(&mut progress.is_negated, true);
                let out = !has_failing_cases(wide.at(*y)) && implies(wide.at(*y), narrow.at(*x), progress);
                progress.is_negated = around;
                out
            }
            _ => false,
        },
        (Expr::Comprehension(x), Expr::Comprehension(y)) => {
            let is_same = |a: ExprId, b: ExprId| is_same(narrow.at(a), wide.at(b));
            // All other macros count or collect.
            matches!(narrow.ast.expr(x.init), Expr::Literal(Literal::Bool(_)))
                && (&x.var, &x.var2, &x.accu) == (&y.var, &y.var2, &y.accu)
                && is_same(x.range, y.range)
                && is_same(x.init, y.init)
                && is_same(x.condition, y.condition)
                && is_same(x.result, y.result)
                && (implies(narrow.at(x.step), wide.at(y.step), progress)
                    || !progress.is_negated
                        && combinations::decide(narrow.at(x.step), wide.at(y.step), progress))
        }
        _ => false,
    }
}

/// A condition with two cases: `c ? x : y`, or `!c ? y : x`.
struct Cases<'a> {
    condition: Part<'a>,
    yes: Part<'a>,
    no: Part<'a>,
}

impl<'a> Cases<'a> {
    fn of(part: Part<'a>) -> Option<Cases<'a>> {
        let Expr::Call { function, target: None, args } = part.expr() else { return None };
        let (ops::CONDITIONAL, [c, x, y]) = (&**function, &args[..]) else { return None };
        let mut out = Cases { condition: part.at(*c), yes: part.at(*x), no: part.at(*y) };
        while let Some(inner) = negated(out.condition) {
            out = Cases { condition: inner, yes: out.no, no: out.yes };
        }
        Some(out)
    }

    /// Whether its condition has a value for each object: it tests a field of a value that is always there.
    fn never_fails(&self) -> bool {
        match self.condition.expr() {
            Expr::Select { operand, test_only: true, .. } => {
                matches!(self.condition.at(*operand).expr(), Expr::Ident(_))
            }
            _ => false,
        }
    }
}

/// Whether an expression contains cases whose condition may fail.
fn has_failing_cases(part: Part<'_>) -> bool {
    let mut open = vec![part];
    while let Some(part) = open.pop() {
        if Cases::of(part).is_some_and(|cases| !cases.never_fails()) {
            return true;
        }
        part.ast.children(part.id, &mut |child| open.push(part.at(child)));
    }
    false
}

/// What `!` negates.
fn negated(part: Part<'_>) -> Option<Part<'_>> {
    match part.expr() {
        Expr::Call { function, target: None, args } if &**function == ops::NOT => match args[..] {
            [inner] => Some(part.at(inner)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a condition with two cases implies another one. If it is true, `c` did not fail, and one case is true.
fn cases_imply(narrow: Part<'_>, wide: Part<'_>, progress: &mut Progress) -> bool {
    let Some(Cases { condition: c, yes, no }) = Cases::of(narrow) else { return false };
    if implies(yes, wide, progress) && implies(no, wide, progress) {
        return true;
    }
    if let Some(wide) = Cases::of(wide) {
        return is_same(c, wide.condition)
            && implies(yes, wide.yes, progress)
            && implies(no, wide.no, progress);
    }
    let Some((ops::OR, a, b)) = wide.operands() else { return false };
    // `!c || v` and `c || w` are conditions for one of the cases.
    let mut is_case = |condition: Part<'_>, rest: Part<'_>| match negated(condition) {
        Some(condition) => is_same(c, condition) && implies(yes, rest, progress),
        None => is_same(c, condition) && implies(no, rest, progress),
    };
    is_case(a, b) || is_case(b, a)
}

/// Whether a condition implies one with two cases: each case is true, or excluded.
fn implies_cases(narrow: Part<'_>, wide: Part<'_>, progress: &mut Progress) -> bool {
    let Some(cases) = Cases::of(wide).filter(Cases::never_fails) else { return false };
    let excludes = negated(narrow).is_some_and(|it| implies(cases.condition, it, progress));
    (excludes || implies(narrow, cases.yes, progress))
        && (implies(narrow, cases.condition, progress) || implies(narrow, cases.no, progress))
}

type Operands<'a> = Option<(&'a str, Part<'a>, Part<'a>)>;

/// Whether both are the same comparison with a number, and the second number allows more.
fn is_wider_bound(narrow: Operands<'_>, wide: Operands<'_>) -> bool {
    let (Some((function, a, b)), Some((other, c, d))) = (narrow, wide) else { return false };
    let (is_less, is_strict) = match function {
        ops::LESS => (true, true),
        ops::LESS_EQUALS => (true, false),
        ops::GREATER => (false, true),
        ops::GREATER_EQUALS => (false, false),
        _ => return false,
    };
    let other_is_strict = match (other, is_less) {
        (ops::LESS, true) | (ops::GREATER, false) => true,
        (ops::LESS_EQUALS, true) | (ops::GREATER_EQUALS, false) => false,
        _ => return false,
    };
    // The bound itself is only allowed by one of the comparisons if they differ.
    if is_same(a, c) && is_same(b, d) {
        return is_strict || !other_is_strict;
    }
    // The number may be on either side.
    let more = if is_less { Ordering::Less } else { Ordering::Greater };
    is_same(a, c) && order(b, d) == Some(more) || is_same(b, d) && order(c, a) == Some(more)
}

/// Whether both say that the same number is a multiple, and each multiple of the first number is one of the second.
fn is_wider_multiple(narrow: Operands<'_>, wide: Operands<'_>) -> bool {
    fn multiple(operands: Operands<'_>) -> Option<(Part<'_>, i64)> {
        let (ops::EQUALS, a, b) = operands? else { return None };
        let is_zero = |part: Part<'_>| matches!(part.expr(), Expr::Literal(Literal::Int(0)));
        let rest = if is_zero(a) { b } else { Some(a).filter(|_| is_zero(b))? };
        let (ops::MODULO, number, step) = rest.operands()? else { return None };
        match step.expr() {
            Expr::Literal(Literal::Int(step)) if *step > 0 => Some((number, *step)),
            _ => None,
        }
    }
    match (multiple(narrow), multiple(wide)) {
        (Some((a, step)), Some((b, other))) => step % other == 0 && is_same(a, b),
        _ => false,
    }
}

/// The order of two numbers of the same type.
fn order(a: Part<'_>, b: Part<'_>) -> Option<Ordering> {
    match (a.expr(), b.expr()) {
        (Expr::Literal(Literal::Int(a)), Expr::Literal(Literal::Int(b))) => Some(a.cmp(b)),
        (Expr::Literal(Literal::Uint(a)), Expr::Literal(Literal::Uint(b))) => Some(a.cmp(b)),
        (Expr::Literal(Literal::Double(a)), Expr::Literal(Literal::Double(b))) => a.partial_cmp(b),
        (
            Expr::Call { function: f, target: None, args: xs },
            Expr::Call { function: g, target: None, args: ys },
        ) if f == g => match (&**f, &xs[..], &ys[..]) {
            ("timestamp", [x], [y]) => order_of_times(a.at(*x), b.at(*y)),
            ("duration", [x], [y]) => order_of_durations(a.at(*x), b.at(*y)),
            _ => None,
        },
        _ => None,
    }
}

/// The order of two times in UTC that are written in the same way, so that it is that of the texts.
fn order_of_times(a: Part<'_>, b: Part<'_>) -> Option<Ordering> {
    match (a.expr(), b.expr()) {
        (Expr::Literal(Literal::String(a)), Expr::Literal(Literal::String(b))) => {
            let is_plain = |text: &str| text.len() == "2006-01-02T15:04:05Z".len() && text.ends_with('Z');
            (is_plain(a) && is_plain(b)).then(|| a.cmp(b))
        }
        _ => None,
    }
}

fn order_of_durations(a: Part<'_>, b: Part<'_>) -> Option<Ordering> {
    match (a.expr(), b.expr()) {
        (Expr::Literal(Literal::String(a)), Expr::Literal(Literal::String(b))) => {
            Some(duration(a)?.cmp(&duration(b)?))
        }
        _ => None,
    }
}

/// Whether both compare the same text with a pattern, and the second pattern matches all texts that the first one matches.
fn is_wider_pattern(narrow: Part<'_>, wide: Part<'_>) -> bool {
    fn text_and_pattern(part: Part<'_>) -> Option<(ExprId, &str)> {
        match part.expr() {
            Expr::Call { function, target, args } if &**function == "matches" => {
                let (text, pattern) = match (target, &args[..]) {
                    (Some(text), [pattern]) | (None, [text, pattern]) => (*text, *pattern),
                    _ => return None,
                };
                match part.ast.expr(pattern) {
                    Expr::Literal(Literal::String(pattern)) => Some((text, pattern)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
    let (Some((a, one)), Some((b, other))) = (text_and_pattern(narrow), text_and_pattern(wide)) else {
        return false;
    };
    let (Ok(one), Ok(other)) = (Regexp::parse(one), Regexp::parse(other)) else { return false };
    is_same(narrow.at(a), wide.at(b)) && one.is_within(&other)
}

/// A field, with the expression that has it.
type FieldOf<'a> = (Part<'a>, &'a str);

/// Which names are the same, and which of them are those of single values.
struct Names<'n> {
    is_same_variable: &'n dyn Fn(&str, &str) -> bool,
    is_same_field: &'n dyn Fn(FieldOf<'_>, FieldOf<'_>) -> bool,
    is_single: &'n dyn Fn(Part<'_>) -> bool,
}

impl Names<'_> {
    const AS_WRITTEN: Names<'static> = Names {
        is_same_variable: &|a, b| a == b,
        is_same_field: &|(_, a), (_, b)| a == b,
        is_single: &|_| false,
    };

    /// `self` and `oldSelf` are the same.
    const OF_BOTH: Names<'static> =
        Names { is_same_variable: &|a, b| a == b || is_object(a) && is_object(b), ..Names::AS_WRITTEN };
}

/// Whether a variable is the object, before or after an update.
fn is_object(name: &str) -> bool {
    matches!(name, "self" | "oldSelf")
}

/// Whether `a == b` is `b == a`. The left one decides how lists are compared: a set ignores the order of both lists, and a list
/// without a type does not. So one of them must be a single value, or both have the same schema.
fn is_symmetric(a: Part<'_>, b: Part<'_>, names: &Names<'_>) -> bool {
    [a, b].into_iter().any(|part| is_single(part) || (names.is_single)(part))
        || is_same_by(a, b, &Names::OF_BOTH)
}

/// Whether the form of an expression shows that its value is a text, a number, a condition or null.
fn is_single(part: Part<'_>) -> bool {
    match part.expr() {
        Expr::Literal(_) | Expr::Select { test_only: true, .. } => true,
        Expr::Call { function, .. } => OF_SINGLES.contains(&&**function),
        _ => false,
    }
}

/// Functions with single values as their results, whatever they read.
const OF_SINGLES: &[&str] = &[
    ops::NOT,
    ops::AND,
    ops::OR,
    ops::EQUALS,
    ops::NOT_EQUALS,
    ops::LESS,
    ops::LESS_EQUALS,
    ops::GREATER,
    ops::GREATER_EQUALS,
    ops::IN,
    ops::MODULO,
    "size",
];

fn unescaped(name: &str) -> Cow<'_, str> {
    unescape(name).unwrap_or(Cow::Borrowed(name))
}

fn is_same(a: Part<'_>, b: Part<'_>) -> bool {
    is_same_by(a, b, &Names::AS_WRITTEN)
}

/// Whether two expressions are the same, if names are.
fn is_same_by(a: Part<'_>, b: Part<'_>, names: &Names<'_>) -> bool {
    let both = |x: ExprId, y: ExprId| is_same_by(a.at(x), b.at(y), names);
    let all = |x: &[ExprId], y: &[ExprId]| x.len() == y.len() && x.iter().zip(y).all(|(x, y)| both(*x, *y));
    match (a.expr(), b.expr()) {
        (Expr::Unspecified, Expr::Unspecified) => true,
        (Expr::Literal(x), Expr::Literal(y)) => x == y,
        (Expr::Ident(x), Expr::Ident(y)) => (names.is_same_variable)(x, y),
        (
            Expr::Select { operand: x, field: f, test_only: t },
            Expr::Select { operand: y, field: g, test_only: u },
        ) => t == u && (names.is_same_field)((a.at(*x), f), (b.at(*y), g)) && both(*x, *y),
        (
            Expr::Call { function: f, target: x, args: xs },
            Expr::Call { function: g, target: y, args: ys },
        ) => {
            let targets = match (x, y) {
                (Some(x), Some(y)) => both(*x, *y),
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            };
            // Both sides of `==` are always computed.
            let are_swapped = || match (&**f, &xs[..], &ys[..]) {
                (ops::EQUALS | ops::NOT_EQUALS, [x, y], [z, w]) => {
                    both(*x, *w) && both(*y, *z) && is_symmetric(a.at(*x), a.at(*y), names)
                }
                _ => false,
            };
            f == g && targets && (all(xs, ys) || are_swapped())
        }
        (Expr::List { elements: x, optional: o }, Expr::List { elements: y, optional: p }) => {
            o == p && all(x, y)
        }
        (Expr::Map(x), Expr::Map(y)) => {
            let is_same_entry = |(x, y): (&Entry, &Entry)| {
                x.optional == y.optional && both(x.key, y.key) && both(x.value, y.value)
            };
            x.len() == y.len() && x.iter().zip(y).all(is_same_entry)
        }
        (Expr::Struct { name: n, fields: x }, Expr::Struct { name: m, fields: y }) => {
            let is_same_field = |(x, y): (&Field, &Field)| {
                x.name == y.name && x.optional == y.optional && both(x.value, y.value)
            };
            n == m && x.len() == y.len() && x.iter().zip(y).all(is_same_field)
        }
        (Expr::Comprehension(x), Expr::Comprehension(y)) => {
            (&x.var, &x.var2, &x.accu) == (&y.var, &y.var2, &y.accu)
                && all(
                    &[x.range, x.init, x.condition, x.step, x.result],
                    &[y.range, y.init, y.condition, y.step, y.result],
                )
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Kube, Shape, parse};

    #[test]
    fn compares_conditions_by_their_form() {
        for (narrow, wide, expected) in [
            ("self.a <= 50", "(self.a<=50)", true),
            ("self.a <= 50", "self.a <= 90", true),
            ("self.a <= 90", "self.a <= 50", false),
            ("self.a <= 50", "self.a < 90", true),
            ("self.a <= 50", "self.a < 50", false),
            ("self.a < self.b", "self.a <= self.b", true),
            ("self.a <= self.b", "self.a < self.b", false),
            ("self.a < 5", "self.a > 1", false),
            ("self > timestamp('2021-01-01T00:00:00Z')", "self > timestamp('2020-01-01T00:00:00Z')", true),
            ("self > timestamp('2020-01-01T00:00:00Z')", "self > timestamp('2021-01-01T00:00:00Z')", false),
            (
                "self > timestamp('2021-01-01T00:00:00+01:00')",
                "self > timestamp('2020-01-01T00:00:00Z')",
                false,
            ),
            ("self > duration('1m')", "self > duration('30s')", true),
            ("self > duration('30s')", "self > duration('1m')", false),
            ("self.a.matches('^[a-z]+$')", "self.a.matches('^[a-z0-9]+$')", true),
            ("self.a.matches('^[a-z0-9]+$')", "self.a.matches('^[a-z]+$')", false),
            ("self.a.matches('^[a-z]+$')", "self.b.matches('^[a-z0-9]+$')", false),
            ("!self.a.matches('^[a-z0-9]+$')", "!self.a.matches('^[a-z]+$')", true),
            ("self.l.all(x, x < 5)", "self.l.all(x, x < 7)", true),
            ("self.l.all(x, x < 7)", "self.l.all(x, x < 5)", false),
            ("self.l.exists(x, x < 5)", "self.l.exists(x, x <= 5 || x == 9)", true),
            ("self.l.exists_one(x, x < 5)", "self.l.exists_one(x, x < 7)", false),
            ("self.l.filter(x, x < 5).size() > 1", "self.l.filter(x, x < 7).size() > 1", false),
            ("self.b ? self.a < 5 : self.c", "self.b ? self.a < 7 : self.c", true),
            ("self.b ? self.a < 5 : self.c", "self.d ? self.a < 7 : self.c", false),
            ("self.b ? self.a < 5 : self.a < 3", "self.a < 7", true),
            ("self.b ? self.a < 5 : self.a < 9", "self.a < 7", false),
            ("self.b ? self.a < 5 : true", "!self.b || self.a < 7", true),
            ("self.b ? self.a < 5 : true", "self.a < 7 || !self.b", true),
            ("self.b ? self.a < 5 : true", "!self.b || self.a < 3", false),
            ("self.b ? self.a < 5 : self.c", "self.b || self.c", true),
            ("self.b ? self.a < 5 : self.c", "self.d || self.c", false),
            // Without a value of `self.b`, only the first one may be true.
            ("!self.b || self.a < 5", "self.b ? self.a < 7 : true", false),
            ("!has(self.b) || self.a < 5", "has(self.b) ? self.a < 7 : true", true),
            ("!has(self.b) || self.a < 5", "!has(self.b) ? true : self.a < 7", true),
            ("!has(self.b) || self.a < 9", "has(self.b) ? self.a < 7 : true", false),
            ("!has(self.b) || self.a < 5", "has(self.b) ? true : self.a < 7", false),
            ("has(self.b) || self.a < 5", "!has(self.b) ? self.a < 7 : true", true),
            ("!has(self.b.c) || self.a < 5", "has(self.b.c) ? self.a < 7 : true", false),
            ("!self.b ? true : self.a < 5", "!self.b || self.a < 7", true),
            ("!self.b ? true : self.a < 5", "self.b || self.a < 7", false),
            ("!self.b ? self.c : self.a < 5", "self.b ? self.a < 7 : self.c", true),
            ("!self.b ? self.a < 5 : self.c", "self.b ? self.a < 7 : self.c", false),
            ("!!self.b ? self.a < 5 : true", "!self.b || self.a < 7", true),
            ("!(self.a > 3)", "!(has(self.b) ? self.a > 5 : self.a > 3)", true),
            // Without `self.b`, only the second one fails.
            ("!(self.a > 3)", "!(has(self.b.c) ? self.a > 5 : self.a > 3)", false),
            ("self.a", "true", true),
            ("false", "self.a", true),
            ("true", "self.a", false),
            ("!(self.a <= 90)", "!(self.a <= 50)", true),
            ("!(self.a && self.b)", "!(self.a && self.b && self.c)", true),
            ("!self.l.exists(x, x.a < 7)", "!self.l.exists(x, x.a < 5)", true),
            // Without `x.a`, only the second one fails.
            ("!self.l.exists(x, has(x.a))", "!self.l.exists(x, x.a == 2 || has(x.a))", false),
            ("!!self.l.exists(x, x.a == 2 || has(x.a))", "!!self.l.exists(x, has(x.a))", true),
            ("self.l.exists(x, x.a == 2 || has(x.a))", "self.l.exists(x, has(x.a))", true),
            ("self.a > 5", "self.a > 1", true),
            ("self.a == oldSelf.a", "oldSelf.a == self.a", true),
            ("self.a != oldSelf.a", "oldSelf.a != self.a", true),
            ("self.a == self.b", "self.b == self.c", false),
            ("self.a == 'x'", "'x' == self.a", true),
            ("self.a.size() == self.b", "self.b == self.a.size()", true),
            // Which of them is on the left matters if one is a list that is a set, and the other one is not.
            ("self.a == self.b", "self.b == self.a", false),
            ("self.a == ['x', 'y']", "['x', 'y'] == self.a", false),
            ("self.a % 4 == 0", "self.a % 2 == 0", true),
            ("0 == self.a % 4", "self.a % 2 == 0", true),
            ("self.a % 2 == 0", "self.a % 4 == 0", false),
            ("self.a % 4 == 0", "self.b % 2 == 0", false),
            ("self.a % 4 == 1", "self.a % 2 == 1", false),
            ("5 < self.a", "1 < self.a", true),
            ("1 < self.a", "5 < self.a", false),
            ("self.a <= 50", "self.b <= 90", false),
            ("self.a <= 50", "self.a <= 50.5", false),
            ("self.a", "self.a || self.b", true),
            ("self.a && self.b", "self.b", true),
            ("self.b", "self.a && self.b", false),
            ("self.a || self.b", "self.b || self.a", true),
            ("self.a && self.b <= 1", "self.b <= 2 && self.a", true),
            ("!(self.a <= 50)", "!(self.a <= 90)", false),
            ("self.l.all(x, x < 5)", "self.l.all(x, x<5)", true),
            ("self.l.all(x, x < 5)", "self.l.exists(x, x < 5)", false),
            ("has(self.a)", "self.a", false),
        ] {
            let parsed = |text: &str| parse(text, Kube::STORED).expect("an expression");
            assert_eq!(parsed(narrow).implies(&parsed(wide)), expected, "{narrow} {wide}");
        }
    }

    #[test]
    fn names_of_fields_may_be_escaped_and_keys_may_not() {
        let parsed = |text: &str| parse(text, Kube::STORED).expect("an expression");
        let (plain, escaped) = (parsed("!has(self.continue)"), parsed("!has(self.__continue__)"));
        assert!(!plain.is_same(&escaped));
        assert!(plain.is_same_escaped(&escaped, &|_, _| Shape::Object));
        assert!(!plain.is_same_escaped(&escaped, &|_, _| Shape::Other));
        assert!(!plain.is_same_escaped(&parsed("!has(self.__break__)"), &|_, _| Shape::Object));
        let (one, other) = (parsed("self.a == self.b"), parsed("self.b == self.a"));
        assert!(one.is_same_escaped(&other, &|_, _| Shape::Single));
        assert!(!one.is_same_escaped(&other, &|_, _| Shape::Other));
    }

    #[test]
    fn long_conditions_take_little_time() {
        let text = |operator: &str| (0..60).map(|i| format!("self.a{i}")).collect::<Vec<_>>().join(operator);
        let (narrow, wide) = (text(" && "), format!("({}) && self.b", text(" || ")));
        let parsed = |text: &str| parse(text, Kube::STORED).expect("an expression");
        assert!(!parsed(&narrow).implies(&parsed(&wide)));
        // Each of these is compared with each other one, by all values of its parts.
        let inner = (0..6).map(|i| format!("!x.a{i}")).collect::<Vec<_>>().join(" && ");
        let all = |last: &str| {
            let one = |i: usize| format!("self.l.all(x, {inner} && x.{last} != '{i}')");
            (0..60).map(one).collect::<Vec<_>>().join(" || ")
        };
        assert!(!parsed(&all("b")).implies(&parsed(&all("c"))));
    }
}
