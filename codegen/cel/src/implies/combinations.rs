//! Tries all combinations of the values that the parts of two conditions can have: true, false, or an error.

use super::{MAX_STEPS, Names, Part, Progress, implies, is_object, is_same, is_same_by, is_single};
use crate::ast::{Expr, ExprId, ops};
use crate::condition::Condition;
use crate::condition::Truth::{self, Error, False, True};

/// The maximum number of parts: there are three times as many combinations with one more.
const MOST_PARTS: usize = 9;

/// How many conditions are computed for the price of a step of a comparison.
const CONDITIONS: usize = 1000;

/// Whether a condition is true in all combinations in which another one is. `false` if there are too many of them for the steps that
/// are left.
pub(super) fn decide(narrow: Part<'_>, wide: Part<'_>, progress: &mut Progress) -> bool {
    let mut parts = Vec::new();
    let Some(narrow) = read(narrow, &mut parts) else { return false };
    let of_narrow = parts.len();
    let Some(wide) = read(wide, &mut parts) else { return false };
    // Conditions without a common part do not imply each other, unless one of them is constant.
    if of_narrow == 0 || !wide.reads(&|at| at < of_narrow) {
        return false;
    }
    let computed = 3_usize.pow(parts.len() as u32).saturating_mul(narrow.size() + wide.size());
    let price = u32::try_from(computed / CONDITIONS).unwrap_or(u32::MAX).saturating_add(1);
    progress.steps = progress.steps.saturating_add(price);
    if progress.steps > MAX_STEPS {
        return false;
    }
    let facts = Facts::of(&parts);
    let mut values = vec![True; parts.len()];
    loop {
        let is_true = |condition: &Condition| condition.truth(&|at| values[at]) == True;
        if facts.allow(&values) && is_true(&narrow) && !is_true(&wide) {
            return false;
        }
        // The next combination.
        let Some(at) = values.iter().position(|value| *value != Error) else { return true };
        values[..at].fill(True);
        values[at] = if values[at] == True { False } else { Error };
    }
}

/// Reads a condition. `None` if it has too many parts.
fn read<'a>(part: Part<'a>, parts: &mut Vec<Part<'a>>) -> Option<Condition> {
    let mut index = |id: ExprId| {
        let part = part.at(id);
        let known = parts.iter().position(|other| is_same(*other, part));
        let at = known.unwrap_or(parts.len());
        if known.is_none() {
            parts.push(part);
        }
        (parts.len() <= MOST_PARTS).then_some(at)
    };
    Condition::read(part.ast, part.id, &mut index)
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
        let mut progress = Progress::default();
        let together = pairs().filter(|(a, b)| are_of_same_value(parts[*a], parts[*b])).collect();
        let implied = pairs().filter(|(a, b)| implies(parts[*a], parts[*b], &mut progress)).collect();
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
        let is_same = |a: Part<'_>, b: Part<'_>| is_same_by(a, b, &Names::OF_BOTH);
        let is_whole = |part: &Part<'_>| matches!(part.expr(), Expr::Ident(name) if is_object(name));
        let part = parts.iter().position(|part| {
            compared(*part).is_some_and(|(operator, a, b)| {
                operator == ops::EQUALS && is_whole(&a) && is_whole(&b) && !super::is_same(a, b)
            })
        })?;
        let others = || (0..parts.len()).filter(move |at| *at != part);
        let same = others()
            .flat_map(|a| others().filter(move |b| a < *b).map(move |b| (a, b)))
            .filter(|(a, b)| is_same(parts[*a], parts[*b]) && ignores_order(parts[*a]))
            .collect();
        let with_itself = others()
            .filter_map(|at| {
                let (operator, a, b) = compared(parts[at])?;
                let is_value = is_same(a, b) && is_path(a);
                is_value.then(|| (at, Truth::from(operator == ops::EQUALS)))
            })
            .collect();
        Some(Unchanged { part, same, with_itself })
    }
}

/// Whether an expression is a variable, or a field of a field of one.
fn is_path(part: Part<'_>) -> bool {
    match part.expr() {
        Expr::Ident(_) => true,
        Expr::Select { operand, test_only: false, .. } => is_path(part.at(*operand)),
        _ => false,
    }
}

/// Whether the form of a condition shows that it is the same for equal objects: these may have sets and maps in another order.
fn ignores_order(part: Part<'_>) -> bool {
    if is_path(part) {
        return true;
    }
    let of = |id: &ExprId| ignores_order(part.at(*id));
    match part.expr() {
        Expr::Literal(_) => true,
        Expr::Select { operand, .. } => is_path(part.at(*operand)),
        Expr::Call { function, target: None, args } => match (&**function, &args[..]) {
            (ops::NOT | ops::AND | ops::OR | "size", all) => all.iter().all(of),
            (ops::LESS | ops::LESS_EQUALS | ops::GREATER | ops::GREATER_EQUALS, all) => all.iter().all(of),
            // The list on the left decides whether the order of the other one matters.
            (ops::EQUALS | ops::NOT_EQUALS, both) => {
                both.iter().all(of) && both.iter().any(|id| is_single(part.at(*id)))
            }
            _ => false,
        },
        Expr::Call { function, target: Some(target), args } => match (&**function, &args[..]) {
            ("size", []) => of(target),
            ("startsWith" | "endsWith" | "contains" | "matches", all) => of(target) && all.iter().all(of),
            _ => false,
        },
        _ => false,
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
            // Lists may be sets, whose items may be in another order.
            ("self == oldSelf && (self.l[0] != oldSelf.l[0] || self.a)", "self.a && self == oldSelf", false),
            (
                "self == oldSelf && (['x', 'y'] == oldSelf.l || self.a)",
                "['x', 'y'] == self.l || self.a",
                false,
            ),
            ("self == oldSelf && (oldSelf.l.size() == 2 || self.a)", "self.l.size() == 2 || self.a", true),
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
}
