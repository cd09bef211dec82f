//! What makes a rule expensive, and which bound would bring it under the limit.

use std::cell::RefCell;
use std::fmt;

use super::budget::RULE_LIMIT;
use super::compile::Expression;
use super::decl::{DeclId, DeclSizes, Decls};
use crate::cel::ast::ExprId;
use crate::cel::cost::{self, Sizes, Step};
use crate::cel::types::Types;
use crate::check::schema::{Node, Via};

/// A bound that would make a rule cheap enough, if one alone can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Where in the rule the part begins that costs most, in code points.
    pub at: u32,
    /// What that part costs, for one value.
    pub part_cost: u64,
    /// The bound.
    pub bound: Option<Bound>,
}

/// A keyword with a value, for a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The field, as seen from the rule: `self.list[]`, or how far above the rule it is.
    pub field: String,
    /// `maxItems`, `maxProperties` or `maxLength`.
    pub keyword: &'static str,
    /// The largest value that is small enough.
    pub value: u64,
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.bound {
            Some(Bound { field, keyword, value }) => {
                write!(f, "with `{keyword}: {value}` on {field}, the rule would be within its budget")
            }
            None => write!(f, "no bound of one field alone is enough: bound several, or simplify the rule"),
        }
    }
}

/// Looks for the bound that restricts least.
pub(super) fn advise(
    decls: &Decls,
    root: DeclId,
    expression: &Expression,
    types: &Types,
    node: &Node<'_>,
    cardinality: u64,
) -> Advice {
    let sizes = Probe { sizes: DeclSizes { decls, root }, seen: RefCell::default(), set: None };
    cost::estimate(&expression.checked, types, &sizes);
    let cost = |of: DeclId, size: u64| {
        let probe =
            Probe { sizes: DeclSizes { decls, root }, seen: RefCell::default(), set: Some((of, size)) };
        let once = cost::estimate(&expression.checked, types, &probe).total.max;
        once.saturating_mul(cardinality)
    };
    let mut best: Option<(f64, Bound)> = above(node, expression.estimate.total.max);
    for (decl, field, max) in sizes.seen.into_inner() {
        let Some((keyword, unit)) = decls.bound(decl) else { continue };
        let (mut low, mut high) = (0, max / unit);
        if cost(decl, unit) > RULE_LIMIT {
            continue;
        }
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if cost(decl, middle.saturating_mul(unit)) > RULE_LIMIT {
                high = middle - 1;
            } else {
                low = middle;
            }
        }
        let kept = low as f64 / (max / unit).max(1) as f64;
        if low > 0 && best.as_ref().is_none_or(|(most, _)| kept > *most) {
            best = Some((kept, Bound { field, keyword, value: low }));
        }
    }
    let (part, part_cost) = dominant(expression);
    Advice { at: expression.checked.ast.offset(part), part_cost, bound: best.map(|(_, bound)| bound) }
}

/// The bound of the only list or map above that has none.
fn above(node: &Node<'_>, once: u64) -> Option<(f64, Bound)> {
    let (mut factor, mut open) = (1u64, None);
    let mut at = node;
    while let Some((up, via)) = at.up {
        match super::elements(up.schema) {
            Some(n) => factor = factor.saturating_mul(n),
            None if open.is_some() => return None,
            None => open = Some((up, via)),
        }
        at = up;
    }
    let (of, via) = open?;
    let (what, keyword) = match via {
        Via::Items => ("list", "maxItems"),
        Via::Additional | Via::Property(_) => ("map", "maxProperties"),
    };
    let field = match of.up {
        Some((_, Via::Property(name))) => format!("the {what} `{name}` above the rule"),
        Some((_, Via::Items | Via::Additional)) | None => format!("the {what} above the rule"),
    };
    let value = RULE_LIMIT / once.saturating_mul(factor).max(1);
    (value > 0).then_some((0.0, Bound { field, keyword, value }))
}

/// The deepest part that makes up at least half of the cost.
fn dominant(expression: &Expression) -> (ExprId, u64) {
    let nodes = &expression.estimate.nodes;
    let mut at = expression.checked.ast.root();
    loop {
        let whole = nodes[at.index()].max;
        let mut below = None;
        expression.checked.ast.children(at, &mut |child| {
            if nodes[child.index()].max > whole / 2 {
                below = Some(child);
            }
        });
        match below {
            Some(child) => at = child,
            None => return (at, whole),
        }
    }
}

/// Sizes of which one is set, and that remembers which were asked for.
struct Probe<'d> {
    sizes: DeclSizes<'d>,
    seen: RefCell<Vec<(DeclId, String, u64)>>,
    set: Option<(DeclId, u64)>,
}

impl Sizes for Probe<'_> {
    fn max_size(&self, path: &[Step]) -> Option<u64> {
        let (decl, max) = self.sizes.find(path)?;
        if let Some((set, size)) = self.set {
            return Some(if Some(set) == decl { size } else { max });
        }
        let Some(decl) = decl else { return Some(max) };
        let mut seen = self.seen.borrow_mut();
        if max > 0 && seen.len() < 64 && !seen.iter().any(|(d, _, _)| *d == decl) {
            seen.push((decl, show(path), max));
        }
        Some(max)
    }
}

fn show(path: &[Step]) -> String {
    let mut out = String::from("`self");
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
    out.push('`');
    out
}
