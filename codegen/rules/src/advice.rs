//! Finds the bounds that would bring a rule below its cost limit.

use std::cell::RefCell;
use std::fmt;
use std::ops::Range;

use super::budget::{RULE_LIMIT, cardinality, elements, words};
use super::compile::Expression;
use super::declare::{DeclId, DeclSizes, Decls, is_bounded_in_all_of};
use crate::cel::cost::{self, Sizes, Step};
use crate::cel::types::Types;
use crate::walk::{Node, Via};

/// Why a rule is expensive, and which bounds would make it cheap enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The part of the text that makes up most of the cost, in bytes.
    pub part: Range<usize>,
    /// The maximum cost of that part each time it runs.
    pub part_cost: u64,
    /// The number of values for which the rule may run.
    pub count: u64,
    /// Bounds that together make the rule cheap enough. Empty if the rule is cheap enough already, or if no bounds
    /// would help.
    pub bounds: Vec<Bound>,
}

/// A bound for the size of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The path of the field: `self.list[]` as the rule sees it, or `.spec.list` from the root if the field is above
    /// the rule.
    pub field: String,
    /// `maxItems`, `maxProperties` or `maxLength`.
    pub keyword: &'static str,
    /// The largest value of the keyword that makes the rule cheap enough.
    pub value: u64,
    /// Whether the schema has such a bound in `allOf`, which the server does not count.
    pub is_in_all_of: bool,
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the marked part may cost {} each time", words(self.part_cost))?;
        if self.count > 1 {
            write!(f, ", and it may run {} times", self.count)?;
        }
        if self.bounds.is_empty() {
            return f.write_str("; no bounds make it cheap enough, so simplify it");
        }
        f.write_str("; with ")?;
        for (i, Bound { field, keyword, value, is_in_all_of: _ }) in self.bounds.iter().enumerate() {
            let and = match i {
                0 => "",
                i if i + 1 == self.bounds.len() => " and ",
                _ => ", ",
            };
            write!(f, "{and}`{keyword}: {value}` on `{field}`")?;
        }
        f.write_str(", it would be within its budget")?;
        match self.bounds.iter().any(|bound| bound.is_in_all_of) {
            true => f.write_str(". The server does not count bounds in `allOf`: write them next to `type`"),
            false => Ok(()),
        }
    }
}

/// If a single bound would have to be smaller than this, several bounds are probably missing.
const TIGHT: u64 = 32;

/// A larger bound counts as no bound.
const SMALL: u64 = 1024;

/// At most this many fields are considered.
const FIELDS: usize = 64;

/// How many nodes may be estimated again while searching. Long rules get fewer attempts.
const WORK: usize = 1_000_000;

/// A rule that was compiled.
#[derive(Clone, Copy)]
pub struct CompiledRule<'a> {
    /// The declared types.
    pub decls: &'a Decls,
    /// The type of `self`.
    pub root: DeclId,
    /// The rule.
    pub expression: &'a Expression,
    /// Its text.
    pub text: &'a str,
    /// Its types.
    pub types: &'a Types,
}

/// Finds the largest bounds that make a rule cheap enough. `runs` is the node of the rule and the number of values for
/// which the rule runs. `None` for a rule that runs once.
pub fn advise(rule: &CompiledRule<'_>, runs: Option<(&Node<'_>, u64)>) -> Advice {
    let CompiledRule { decls, root, expression, text, types } = *rule;
    let (part, part_cost) = expression.dominant(text);
    let mut search = Search {
        sizes: DeclSizes { decls, root },
        expression,
        types,
        fields: Vec::new(),
        levels: runs.map_or_else(Vec::new, |(node, _)| levels(node)),
        count: runs.map_or(1, |(_, count)| count),
        left: WORK / expression.checked.ast.len().max(1),
    };
    let bounds = search.bounds();
    Advice { part, part_cost, count: search.count, bounds }
}

/// Finds the same bounds for a rule at a node, and determines the number of values. `None` for a rule that runs once.
pub fn advise_at(rule: &CompiledRule<'_>, node: Option<&Node<'_>>) -> Advice {
    let count = |node| cardinality(node).unwrap_or_else(|| rule.decls.cardinality(rule.root));
    advise(rule, node.map(|node| (node, count(node))))
}

struct Search<'a> {
    sizes: DeclSizes<'a>,
    expression: &'a Expression,
    types: &'a Types,
    fields: Vec<Field>,
    levels: Vec<Level>,
    /// How often the rule runs without further bounds.
    count: u64,
    /// How many more estimates may be made.
    left: usize,
}

/// A value that the rule reads and whose size affects the cost.
struct Field {
    decl: DeclId,
    shown: String,
    keyword: &'static str,
    /// The size of one unit of the keyword.
    unit: u64,
    /// The maximum, in units of the keyword.
    max: u64,
    is_in_all_of: bool,
}

/// A list or map above the rule.
struct Level {
    shown: String,
    keyword: &'static str,
    /// None if it is unlimited.
    max: Option<u64>,
    is_in_all_of: bool,
}

impl Search<'_> {
    fn bounds(&mut self) -> Vec<Bound> {
        if self.is_cheap_enough(&[]) {
            return Vec::new();
        }
        self.find_fields();
        let most: Vec<u64> = self
            .fields
            .iter()
            .map(|f| f.max)
            .chain(self.levels.iter().map(|l| l.max.unwrap_or(self.count)))
            .collect();
        let best = (0..most.len()).filter_map(|i| self.one(i, &most)).max_by(|a, b| a.0.total_cmp(&b.0));
        let single = best.map(|(_, i, value)| (value, self.shown(&[(i, value)])));
        match single {
            Some((value, bounds)) if value >= TIGHT => bounds,
            single => {
                let several = self.several(&most);
                if several.is_empty() {
                    single.map(|(_, bounds)| bounds).unwrap_or_default()
                } else {
                    several
                }
            }
        }
    }

    /// Finds the values whose sizes affect the cost.
    fn find_fields(&mut self) {
        let probe = Probe { sizes: &self.sizes, set: &[], seen: RefCell::default() };
        cost::estimate(&self.expression.checked, self.types, &probe);
        for (decl, shown, max) in probe.seen.into_inner() {
            if let Some((keyword, unit)) = self.sizes.decls.bound(decl)
                && max / unit > 0
            {
                let is_in_all_of = self.sizes.decls.is_bounded_in_all_of(decl);
                self.fields.push(Field { decl, shown, keyword, unit, max: max / unit, is_in_all_of });
            }
        }
    }

    /// The largest value of one bound that is enough, and how much of the range it leaves.
    fn one(&mut self, i: usize, most: &[u64]) -> Option<(f64, usize, u64)> {
        let is_cheap_enough = |search: &mut Self, value| search.is_cheap_enough(&[(i, value)]);
        if !is_cheap_enough(self, 1) {
            return None;
        }
        let (mut low, mut high) = (1, most[i]);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if is_cheap_enough(self, middle) { low = middle } else { high = middle - 1 }
        }
        let kept = (low as f64).ln_1p() / (most[i] as f64).ln_1p();
        // If the budget for the search is spent, all answers are "no", so the result must be checked again.
        self.is_cheap_enough(&[(i, low)]).then_some((kept, i, low))
    }

    /// Finds several bounds that each leave a share of the range, and omits those that are not needed. Small bounds
    /// only become smaller if there is no other way.
    fn several(&mut self, most: &[u64]) -> Vec<Bound> {
        let large = self.share(most, SMALL);
        if large.is_empty() { self.share(most, 0) } else { large }
    }

    fn share(&mut self, most: &[u64], small: u64) -> Vec<Bound> {
        const STEPS: u32 = 1 << 10;
        let at = |share: u32, i: usize| {
            let share = if most[i] <= small { STEPS } else { share };
            let value = (most[i] as f64).powf(f64::from(share) / f64::from(STEPS)) as u64;
            (i, value.clamp(1, most[i].max(1)))
        };
        let all = |share: u32| (0..most.len()).map(|i| at(share, i)).collect::<Vec<_>>();
        let (mut low, mut high) = (0, STEPS);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if self.is_cheap_enough(&all(middle)) { low = middle } else { high = middle - 1 }
        }
        let mut chosen = all(low);
        if !self.is_cheap_enough(&chosen) {
            return Vec::new();
        }
        for i in 0..most.len() {
            let without: Vec<(usize, u64)> = chosen.iter().copied().filter(|(j, _)| *j != i).collect();
            if self.is_cheap_enough(&without) {
                chosen = without;
            }
        }
        self.shown(&chosen)
    }

    fn shown(&self, bounds: &[(usize, u64)]) -> Vec<Bound> {
        let bound = |(i, value): &(usize, u64)| match self.fields.get(*i) {
            Some(Field { shown, keyword, is_in_all_of, .. }) => {
                Bound { field: shown.clone(), keyword, value: *value, is_in_all_of: *is_in_all_of }
            }
            None => {
                let Level { shown, keyword, is_in_all_of, .. } = &self.levels[*i - self.fields.len()];
                Bound { field: shown.clone(), keyword, value: *value, is_in_all_of: *is_in_all_of }
            }
        };
        bounds.iter().map(bound).collect()
    }

    /// Whether the rule is cheap enough with these bounds.
    fn is_cheap_enough(&mut self, bounds: &[(usize, u64)]) -> bool {
        let own: Vec<(DeclId, u64)> = bounds
            .iter()
            .filter_map(|(i, value)| self.fields.get(*i).map(|f| (f.decl, value.saturating_mul(f.unit))))
            .collect();
        let once = if own.is_empty() {
            self.expression.estimate.total.max
        } else {
            let Some(left) = self.left.checked_sub(1) else { return false };
            self.left = left;
            let probe = Probe { sizes: &self.sizes, set: &own, seen: RefCell::default() };
            cost::estimate(&self.expression.checked, self.types, &probe).total.max
        };
        let set =
            |level: usize| bounds.iter().find(|(i, _)| *i == self.fields.len() + level).map(|(_, n)| *n);
        let times = |(i, level): (usize, &Level)| set(i).or(level.max);
        let bounded: Option<u64> =
            self.levels.iter().enumerate().map(times).try_fold(1u64, |all, n| Some(all.saturating_mul(n?)));
        let count = if self.levels.is_empty() { self.count } else { bounded.unwrap_or(self.count) };
        once.saturating_mul(count) <= RULE_LIMIT
    }
}

/// The lists and maps above a node.
fn levels(node: &Node<'_>) -> Vec<Level> {
    let mut out = Vec::new();
    let mut at = node;
    while let Some((up, via)) = at.up {
        let keyword = match via {
            Via::Items => Some("maxItems"),
            Via::Additional => Some("maxProperties"),
            Via::Property(_) => None,
        };
        if let Some(keyword) = keyword {
            let is_in_all_of = is_bounded_in_all_of(up.schema);
            out.push(Level { shown: place(up), keyword, max: elements(up.schema), is_in_all_of });
        }
        at = up;
    }
    out
}

/// The path of a node: `.spec.list[]`.
fn place(node: &Node<'_>) -> String {
    let mut steps = Vec::new();
    let mut at = node;
    while let Some((up, via)) = at.up {
        steps.push(match via {
            Via::Property(name) => format!(".{name}"),
            Via::Items => "[]".to_owned(),
            Via::Additional => "{}".to_owned(),
        });
        at = up;
    }
    steps.reverse();
    if steps.is_empty() { ".".to_owned() } else { steps.concat() }
}

/// Sizes, of which some are replaced. It records the sizes that are used.
struct Probe<'d> {
    sizes: &'d DeclSizes<'d>,
    set: &'d [(DeclId, u64)],
    seen: RefCell<Vec<(DeclId, String, u64)>>,
}

impl Sizes for Probe<'_> {
    fn max_size(&self, path: &[Step]) -> Option<u64> {
        let (decl, max) = self.sizes.find(path)?;
        let Some(decl) = decl else { return Some(max) };
        if let Some((_, size)) = self.set.iter().find(|(set, _)| *set == decl) {
            return Some(*size);
        }
        if self.set.is_empty() {
            let mut seen = self.seen.borrow_mut();
            if max > 0 && seen.len() < FIELDS && !seen.iter().any(|(d, _, _)| *d == decl) {
                seen.push((decl, show(path), max));
            }
        }
        Some(max)
    }
}

fn show(path: &[Step]) -> String {
    let mut out = String::from("self");
    for step in path {
        match step {
            Step::Variable | Step::Indices => {}
            Step::Field(name) => {
                out.push('.');
                out.push_str(name);
            }
            Step::Items => out.push_str("[]"),
            Step::Keys => out.push_str("{key}"),
            Step::Values => out.push_str("{}"),
        }
    }
    out
}
