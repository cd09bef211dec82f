//! Tries all combinations of the values that the parts of two conditions can have: true, false, or an error.

use super::{MAX_STEPS, Names, Part, implies, is_same, is_same_by};
use crate::ast::{Ast, Expr, ExprId, Literal, ops};

/// The maximum number of parts: there are three times as many combinations with one more.
const MOST_PARTS: usize = 9;

/// How many conditions are computed for the price of a step of a comparison.
const CONDITIONS: usize = 1000;

/// What a condition results in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    True,
    False,
    Error,
}

use Truth::{Error, False, True};

impl Truth {
    fn of(value: bool) -> Truth {
        if value { True } else { False }
    }
}

/// A condition, with its smallest parts by their index.
enum Condition {
    Literal(bool),
    Part(usize),
    Not(Box<Condition>),
    And(Box<[Condition; 2]>),
    Or(Box<[Condition; 2]>),
    Cases(Box<[Condition; 3]>),
    /// Whether two conditions have the same result.
    Same(Box<[Condition; 2]>),
    /// How many conditions are true, compared with a number.
    Count(Vec<Condition>, Comparison, i64),
}

#[derive(Clone, Copy)]
enum Comparison {
    Equals,
    NotEquals,
    Less,
    LessEquals,
    Greater,
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

    fn holds(self, left: i64, right: i64) -> bool {
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

/// Whether a condition is true in all combinations in which another one is. `false` if there are too many of them for the steps that
/// are left.
pub(super) fn decide(narrow: Part<'_>, wide: Part<'_>, steps: &mut u32) -> bool {
    let mut parts = Vec::new();
    let Some(narrow) = read(narrow, &mut parts) else { return false };
    let of_narrow = parts.len();
    let Some(wide) = read(wide, &mut parts) else { return false };
    // Conditions without a common part do not imply each other, unless one of them is constant.
    if of_narrow == 0 || !reads_any(&wide, of_narrow) {
        return false;
    }
    let computed = 3_usize.pow(parts.len() as u32).saturating_mul(size(&narrow) + size(&wide));
    *steps = steps.saturating_add(u32::try_from(computed / CONDITIONS).unwrap_or(u32::MAX)).saturating_add(1);
    if *steps > MAX_STEPS {
        return false;
    }
    let facts = Facts::of(&parts);
    let mut values = vec![True; parts.len()];
    loop {
        if facts.allow(&values) && truth(&narrow, &values) == True && truth(&wide, &values) != True {
            return false;
        }
        // The next combination.
        let Some(at) = values.iter().position(|value| *value != Error) else { return true };
        values[..at].fill(True);
        values[at] = if values[at] == True { False } else { Error };
    }
}

/// How many conditions are in a condition.
fn size(condition: &Condition) -> usize {
    let inner: &[Condition] = match condition {
        Condition::Literal(_) | Condition::Part(_) => &[],
        Condition::Not(inner) => std::slice::from_ref(inner),
        Condition::And(both) | Condition::Or(both) | Condition::Same(both) => &**both,
        Condition::Cases(all) => &**all,
        Condition::Count(all, ..) => all,
    };
    1 + inner.iter().map(size).sum::<usize>()
}

/// Whether a condition has one of the first parts.
fn reads_any(condition: &Condition, first: usize) -> bool {
    match condition {
        Condition::Literal(_) => false,
        Condition::Part(at) => *at < first,
        Condition::Not(inner) => reads_any(inner, first),
        Condition::And(both) | Condition::Or(both) | Condition::Same(both) => {
            both.iter().any(|it| reads_any(it, first))
        }
        Condition::Cases(all) => all.iter().any(|it| reads_any(it, first)),
        Condition::Count(all, ..) => all.iter().any(|it| reads_any(it, first)),
    }
}

/// Reads a condition. `None` if it has too many parts.
fn read<'a>(part: Part<'a>, parts: &mut Vec<Part<'a>>) -> Option<Condition> {
    if let Expr::Literal(Literal::Bool(value)) = part.expr() {
        return Some(Condition::Literal(*value));
    }
    if let Expr::Call { function, target: None, args } = part.expr() {
        let mut of = |id: ExprId| read(part.at(id), parts);
        match (&**function, &**args) {
            (ops::NOT, [inner]) => return Some(Condition::Not(Box::new(of(*inner)?))),
            (ops::AND, [a, b]) => return Some(Condition::And(Box::new([of(*a)?, of(*b)?]))),
            (ops::OR, [a, b]) => return Some(Condition::Or(Box::new([of(*a)?, of(*b)?]))),
            (ops::CONDITIONAL, [c, a, b]) => {
                return Some(Condition::Cases(Box::new([of(*c)?, of(*a)?, of(*b)?])));
            }
            (operator, [a, b]) => {
                if [*a, *b].iter().all(|id| is_condition(part.at(*id))) {
                    let is_same = |both| Condition::Same(Box::new(both));
                    match operator {
                        ops::EQUALS => return Some(is_same([of(*a)?, of(*b)?])),
                        ops::NOT_EQUALS => {
                            return Some(Condition::Not(Box::new(is_same([of(*a)?, of(*b)?]))));
                        }
                        _ => {}
                    }
                }
                if let Some(comparison) = Comparison::of(operator)
                    && let Some(counted) = part.ast.counted(*a)
                    && let Expr::Literal(Literal::Int(number)) = part.ast.expr(*b)
                {
                    let all = counted.iter().map(|id| of(*id)).collect::<Option<_>>()?;
                    return Some(Condition::Count(all, comparison, *number));
                }
            }
            _ => {}
        }
    }
    let known = parts.iter().position(|other| is_same(*other, part));
    let at = known.unwrap_or(parts.len());
    if known.is_none() {
        parts.push(part);
    }
    (parts.len() <= MOST_PARTS).then_some(Condition::Part(at))
}

/// Whether the form of an expression shows that it is a condition.
fn is_condition(part: Part<'_>) -> bool {
    match part.expr() {
        Expr::Literal(Literal::Bool(_)) | Expr::Select { test_only: true, .. } => true,
        Expr::Call { function, target: None, .. } => matches!(&**function, ops::NOT | ops::AND | ops::OR),
        _ => false,
    }
}

/// The result, as the server's library has it.
fn truth(condition: &Condition, values: &[Truth]) -> Truth {
    let of = |condition: &Condition| truth(condition, values);
    match condition {
        Condition::Literal(value) => Truth::of(*value),
        Condition::Part(at) => values[*at],
        Condition::Not(inner) => match of(inner) {
            True => False,
            False => True,
            Error => Error,
        },
        // If one side decides, an error of the other one does not matter.
        Condition::And(both) => match (of(&both[0]), of(&both[1])) {
            (False, _) | (_, False) => False,
            (True, True) => True,
            _ => Error,
        },
        Condition::Or(both) => match (of(&both[0]), of(&both[1])) {
            (True, _) | (_, True) => True,
            (False, False) => False,
            _ => Error,
        },
        Condition::Cases(all) => match of(&all[0]) {
            True => of(&all[1]),
            False => of(&all[2]),
            Error => Error,
        },
        Condition::Same(both) => match (of(&both[0]), of(&both[1])) {
            (Error, _) | (_, Error) => Error,
            (a, b) => Truth::of(a == b),
        },
        Condition::Count(all, comparison, number) => {
            let all: Vec<Truth> = all.iter().map(of).collect();
            if all.contains(&Error) {
                return Error;
            }
            let count = all.iter().filter(|it| **it == True).count();
            Truth::of(comparison.holds(i64::try_from(count).unwrap_or(i64::MAX), *number))
        }
    }
}

/// What is known about the values of parts, whatever the object is.
struct Facts {
    /// For each part, whether it cannot fail.
    never_fail: Vec<bool>,
    /// If the first part is true, the second one is.
    implied: Vec<(usize, usize)>,
    /// The second part is true, unless the first one fails, because the first one reads the field for which the second one asks.
    read: Vec<(usize, usize)>,
    /// The first part does not fail if the others are true: they ask for all fields that it reads.
    guarded: Vec<(usize, Vec<usize>)>,
    /// Both fail, or none: they ask for fields of the same value.
    together: Vec<(usize, usize)>,
    /// What `self == oldSelf` says, if it is a part.
    unchanged: Option<Unchanged>,
}

/// What is known if the object does not change.
struct Unchanged {
    /// The part `self == oldSelf`.
    part: usize,
    /// Parts that have the same value then.
    same: Vec<(usize, usize)>,
    /// Comparisons of a value with itself, and what they result in unless they fail.
    with_itself: Vec<(usize, Truth)>,
}

impl Facts {
    fn of(parts: &[Part<'_>]) -> Facts {
        let never_fails = |part: &Part<'_>| match part.expr() {
            Expr::Ident(_) => true,
            Expr::Select { operand, test_only: true, .. } => {
                matches!(part.at(*operand).expr(), Expr::Ident(_))
            }
            _ => false,
        };
        let pairs = || {
            let all = 0..parts.len();
            all.clone().flat_map(move |a| all.clone().filter(move |b| a != *b).map(move |b| (a, b)))
        };
        let mut steps = 0;
        let together = pairs().filter(|(a, b)| are_of_same_value(parts[*a], parts[*b])).collect();
        let implied = pairs().filter(|(a, b)| implies(parts[*a], parts[*b], &mut steps)).collect();
        let mut read = Vec::new();
        let mut guarded = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let Some(fields) = fields_of(*part) else { continue };
            let asks_for = |field: &Part<'_>| parts.iter().position(|other| asks_for(*other, *field));
            read.extend(fields.iter().filter_map(|field| Some((at, asks_for(field)?))));
            // Whoever asks for a field of a field has both.
            let outermost = fields.iter().filter(|field| {
                !fields
                    .iter()
                    .any(|other| matches!(other.expr(), Expr::Select { operand, .. } if *operand == field.id))
            });
            if let Some(others) = outermost.map(asks_for).collect::<Option<Vec<_>>>() {
                guarded.push((at, others));
            }
        }
        let never_fail = parts.iter().map(never_fails).collect();
        Facts { never_fail, implied, read, guarded, together, unchanged: Unchanged::of(parts) }
    }

    /// Whether parts can have these values.
    fn allow(&self, values: &[Truth]) -> bool {
        let is_true = |at: usize| values[at] == True;
        let fails = |at: usize| values[at] == Error;
        !self.never_fail.iter().enumerate().any(|(at, never)| *never && fails(at))
            && self.implied.iter().all(|(a, b)| !is_true(*a) || is_true(*b))
            && self.read.iter().all(|(a, b)| fails(*a) || is_true(*b))
            && self.guarded.iter().all(|(a, all)| !fails(*a) || !all.iter().all(|it| is_true(*it)))
            && self.together.iter().all(|(a, b)| fails(*a) == fails(*b))
            && self.unchanged.as_ref().is_none_or(|it| {
                !is_true(it.part)
                    || it.same.iter().all(|(a, b)| values[*a] == values[*b])
                        && it.with_itself.iter().all(|(at, value)| fails(*at) || values[*at] == *value)
            })
    }
}

impl Unchanged {
    fn of(parts: &[Part<'_>]) -> Option<Unchanged> {
        let is_object = |name: &str| matches!(name, "self" | "oldSelf");
        let is_same_variable = |a: &str, b: &str| a == b || is_object(a) && is_object(b);
        let names = Names { is_same_variable: &is_same_variable, ..Names::AS_WRITTEN };
        let is_same = |a: Part<'_>, b: Part<'_>| is_same_by(a, b, &names);
        let is_whole = |part: &Part<'_>| matches!(part.expr(), Expr::Ident(name) if is_object(name));
        let part = parts.iter().position(|part| {
            compared(*part).is_some_and(|(operator, a, b)| {
                operator == ops::EQUALS && is_whole(&a) && is_whole(&b) && !super::is_same(a, b)
            })
        })?;
        let others = || (0..parts.len()).filter(move |at| *at != part);
        let same = others()
            .flat_map(|a| others().filter(move |b| a < *b).map(move |b| (a, b)))
            .filter(|(a, b)| is_same(parts[*a], parts[*b]))
            .collect();
        let with_itself = others()
            .filter_map(|at| {
                let (operator, a, b) = compared(parts[at])?;
                is_same(a, b).then(|| (at, Truth::of(operator == ops::EQUALS)))
            })
            .collect();
        Some(Unchanged { part, same, with_itself })
    }
}

/// What is compared, and by which of `==` and `!=`.
fn compared(part: Part<'_>) -> Option<(&str, Part<'_>, Part<'_>)> {
    part.operands().filter(|(operator, ..)| matches!(*operator, ops::EQUALS | ops::NOT_EQUALS))
}

/// The fields that a comparison reads, if it can only fail because one of them is absent.
fn fields_of(part: Part<'_>) -> Option<Vec<Part<'_>>> {
    let (_, a, b) = compared(part)?;
    let mut out = Vec::new();
    for mut side in [a, b] {
        loop {
            match side.expr() {
                Expr::Select { operand, test_only: false, .. } => {
                    out.push(side);
                    side = side.at(*operand);
                }
                Expr::Ident(_) | Expr::Literal(_) => break,
                _ => return None,
            }
        }
    }
    Some(out)
}

/// Whether two conditions ask for the presence of fields of the same value.
fn are_of_same_value(one: Part<'_>, other: Part<'_>) -> bool {
    match (one.expr(), other.expr()) {
        (
            Expr::Select { operand: x, test_only: true, .. },
            Expr::Select { operand: y, test_only: true, .. },
        ) => is_same(one.at(*x), other.at(*y)),
        _ => false,
    }
}

/// Whether a condition asks for the presence of a field that is read.
fn asks_for(condition: Part<'_>, field: Part<'_>) -> bool {
    match (condition.expr(), field.expr()) {
        (
            Expr::Select { operand: x, field: f, test_only: true },
            Expr::Select { operand: y, field: g, test_only: false },
        ) => f == g && is_same(condition.at(*x), field.at(*y)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Kube, parse};

    #[test]
    fn compares_conditions_by_all_values_of_their_parts() {
        for (narrow, wide, expected) in [
            // A condition that moves from one place to another.
            (
                "self.all(l, l.p == 'S' ? has(l.t) && (l.t.m == '' || l.t.m == 'T') : true)",
                "self.all(l, (l.p == 'S' && has(l.t)) ? (l.t.m == '' || l.t.m == 'T') : true)",
                true,
            ),
            (
                "self.all(l, (l.p == 'S' && has(l.t)) ? l.t.m == '' : true)",
                "self.all(l, l.p == 'S' ? has(l.t) && l.t.m == '' : true)",
                false,
            ),
            ("self.a && self.b ? self.c : true", "!self.a || !self.b || self.c", true),
            ("!(self.a && self.b)", "!self.a || !self.b", true),
            ("!(self.a || self.b)", "!self.a && !self.b", true),
            ("self.a ? self.b : self.c", "self.a && self.b || !self.a && self.c", true),
            // Which of them are there.
            (
                "[has(self.a), has(self.b)].filter(x, x == true).size() == 1",
                "has(self.a) != has(self.b)",
                true,
            ),
            ("has(self.a) != has(self.b)", "[has(self.a), has(self.b)].filter(x, x).size() <= 1", true),
            ("has(self.a) != has(self.b)", "size([has(self.a), has(self.b)].filter(x, x)) > 1", false),
            (
                "[has(self.a), has(self.b)].filter(x, x == true).size() == 1",
                "[has(self.a), has(self.b), has(self.c)].filter(x, x == true).size() == 1",
                false,
            ),
            ("has(self.a) == has(self.b)", "!has(self.a) || has(self.b)", true),
            // An object that does not change.
            (
                "!has(oldSelf.t) || self == oldSelf",
                "!has(oldSelf.t) || (has(self.n) == has(oldSelf.n) && (!has(self.n) || self.n == oldSelf.n))",
                true,
            ),
            (
                "!has(oldSelf.t) || self == oldSelf",
                "!has(oldSelf.t) || (has(self.t) && self.t == oldSelf.t)",
                true,
            ),
            ("self == oldSelf", "self.n == oldSelf.n", false),
            ("self == oldSelf", "!has(self.n) || self.n != oldSelf.n", false),
            // What is read is there.
            (
                "(has(self.a) && self.x.k == 'v') ? self.x.k == oldSelf.x.k : true",
                "(has(self.a) && has(self.x.k) && self.x.k == 'v') ? self.x.k == oldSelf.x.k : true",
                true,
            ),
            (
                "has(self.a) ? self.x.k == oldSelf.x.k : true",
                "(has(self.a) && has(self.x.k) && has(oldSelf.x.k)) ? self.x.k == oldSelf.x.k : true",
                true,
            ),
            ("self.x.k == 'v' && self.y", "has(self.x.k) && self.y", true),
            (
                "(self.x.k != 'v' && has(oldSelf.x.n)) ? self.x.n == oldSelf.x.n : true",
                "(has(self.x.k) && has(oldSelf.x.k) && self.x.k != 'v' && has(oldSelf.x.n)) ? self.x.n == oldSelf.x.n : true",
                true,
            ),
            ("self.x.k || self.y", "has(self.x.k) || self.y", false),
            // Bounds.
            ("!(self.a < 7) || self.b", "self.a < 5 ? self.b : true", false),
            ("(has(self.a) ? self.a < 5 : true) && has(self.a)", "has(self.a) ? self.a < 7 : false", true),
        ] {
            let parsed = |text: &str| parse(text, Kube::STORED).expect("an expression");
            assert_eq!(parsed(narrow).implies(&parsed(wide)), expected, "{narrow} {wide}");
        }
    }

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
