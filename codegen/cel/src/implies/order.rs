//! What several comparisons say together: `a <= b` and `b < c` say `a < c`.

use std::cmp::Ordering;

use super::{Part, is_same, order};
use crate::ast::{Ast, ops};

/// The maximum number of values that are compared.
const MOST: usize = 40;

/// One value is less than another one, or perhaps equal.
#[derive(Clone, Copy)]
struct Less<'a> {
    least: Part<'a>,
    most: Part<'a>,
    is_strict: bool,
}

impl Ast {
    /// Whether a condition that consists of comparisons is true if other conditions are, because of the order of the values that they
    /// compare.
    pub fn follows_in_order<'a>(&'a self, known: impl Iterator<Item = &'a Ast>) -> bool {
        let mut wanted = Vec::new();
        let is_read = read(Part { ast: self, id: self.root() }, &mut wanted);
        if !is_read || wanted.is_empty() {
            return false;
        }
        let mut all = Vec::new();
        for ast in known {
            // Other parts say nothing about the order.
            read(Part { ast, id: ast.root() }, &mut all);
        }
        all.len() <= MOST && wanted.iter().all(|it| follows(&all, it))
    }
}

/// Reads the comparisons of a condition. Returns whether it consists of nothing else.
fn read<'a>(part: Part<'a>, out: &mut Vec<Less<'a>>) -> bool {
    let Some((operator, a, b)) = part.operands() else { return false };
    let (least, most, is_strict) = match operator {
        ops::AND => {
            let both = [a, b].map(|part| read(part, out));
            return both == [true, true];
        }
        ops::LESS => (a, b, true),
        ops::LESS_EQUALS => (a, b, false),
        ops::GREATER => (b, a, true),
        ops::GREATER_EQUALS => (b, a, false),
        _ => return false,
    };
    out.push(Less { least, most, is_strict });
    true
}

/// Whether a comparison follows from others.
fn follows(all: &[Less<'_>], wanted: &Less<'_>) -> bool {
    // The comparisons that lead from the lesser value to others, with what is known about the way.
    let mut reached: Vec<(Part<'_>, bool)> = vec![(wanted.least, false)];
    let mut at = 0;
    while let Some((value, is_strict)) = reached.get(at).copied() {
        at += 1;
        let is_end = is_same(value, wanted.most)
            || order(value, wanted.most).is_some_and(|it| it != Ordering::Greater);
        let is_less = is_strict || order(value, wanted.most) == Some(Ordering::Less);
        if at > 1 && is_end && (is_less || !wanted.is_strict) {
            return true;
        }
        for next in all {
            let is_next = is_same(value, next.least)
                || order(value, next.least).is_some_and(|it| it != Ordering::Greater);
            let is_less = is_strict || next.is_strict || order(value, next.least) == Some(Ordering::Less);
            let is_known = |(known, is_strict): &(Part<'_>, bool)| {
                is_same(*known, next.most) && (*is_strict || !is_less)
            };
            if is_next && !reached.iter().any(is_known) {
                reached.push((next.most, is_less));
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::{Kube, parse};

    #[test]
    fn compares_values_by_what_is_known_about_others() {
        for (known, wanted, expected) in [
            (&["self.a <= self.b", "self.b <= self.c"][..], "self.a <= self.c", true),
            (&["self.a <= self.b && self.b <= self.c"], "self.c >= self.a", true),
            (&["self.a <= self.b", "self.b < self.c"], "self.a < self.c", true),
            (&["self.a <= self.b", "self.b <= self.c"], "self.a < self.c", false),
            (&["self.a <= self.b", "self.c <= self.b"], "self.a <= self.c", false),
            (&["self.a <= self.b", "self.b <= 5"], "self.a <= 7", true),
            (&["self.a <= self.b", "self.b <= 5"], "self.a < 7", true),
            (&["self.a <= self.b", "self.b <= 5"], "self.a <= 4", false),
            (&["self.a >= 5", "self.a < self.b"], "self.b > 4", true),
            (&["self.a <= self.b || self.x", "self.b <= self.c"], "self.a <= self.c", false),
            (&["self.a <= self.b", "self.b <= self.c"], "self.a <= self.c || self.x", false),
            (&["self.a <= self.b"], "5 <= 7", false),
        ] {
            let parsed = |text: &str| parse(text, Kube::STORED).expect("an expression");
            let all: Vec<_> = known.iter().map(|text| parsed(text)).collect();
            assert_eq!(parsed(wanted).follows_in_order(all.iter()), expected, "{known:?} {wanted}");
        }
    }
}
