//! Estimates the costs of calls, by the [`Cost`] in the function table.

use super::estimate::{PATTERN, Range, SCAN};
use super::path::Step;
use super::{Argument, Coster, Entries};
use crate::ast::{Expr, ExprId, Literal};
use crate::library::{Cost, Overload, Style};
use crate::types::{Kind, Ty};

/// The cost of a call without its arguments, and the size of its result.
struct Call {
    cost: Range,
    size: Option<Range>,
}

fn costs(cost: Range) -> Call {
    Call { cost, size: None }
}

fn sized(cost: Range, size: Range) -> Call {
    Call { cost, size: Some(size) }
}

/// A call, with everything that its cost may depend on.
struct Site<'a> {
    id: ExprId,
    target: Option<Argument>,
    args: &'a [Argument],
    arg_costs: &'a [Range],
}

impl Site<'_> {
    fn arg(&self, i: usize) -> Range {
        self.args.get(i).map_or(Range::UNKNOWN, Argument::size)
    }

    /// The size of an argument, where the target is the first one.
    fn nth(&self, i: usize) -> Range {
        match (self.target, i.checked_sub(1)) {
            (Some(target), None) => target.size(),
            (Some(_), Some(i)) => self.arg(i),
            (None, _) => self.arg(i),
        }
    }

    fn target(&self) -> Range {
        self.target.map_or(Range::UNKNOWN, |t| t.size())
    }
}

impl Coster<'_> {
    pub(super) fn call(&mut self, id: ExprId, target: Option<ExprId>, args: &[ExprId]) -> Range {
        let checked = self.checked;
        let overloads = checked.overloads(id);
        if let ([overload], [arg]) = (overloads, args)
            && matches!(overload.cost, Cost::Same)
        {
            let cost = self.cost(*arg);
            self.copy_sizes(id, *arg);
            return cost.plus(Range::ONE);
        }
        let mut nodes = Vec::with_capacity(args.len());
        let mut arg_costs = Vec::with_capacity(args.len());
        for arg in args {
            arg_costs.push(self.cost(*arg));
            nodes.push(self.node(*arg));
        }
        if overloads.is_empty() {
            return Range::ZERO;
        }
        let mut sum = Range::ZERO;
        let mut target_node = None;
        if let Some(target) = target {
            sum = self.cost(target);
            target_node = Some(self.node(target));
        }
        let site = Site { id, target: target_node, args: &nodes, arg_costs: &arg_costs };
        let mut cost = Range { min: u64::MAX, max: 0 };
        let mut size: Option<Range> = None;
        for overload in overloads {
            let call = self.overload(&site, overload);
            cost = cost.union(call.cost);
            if let Some(s) = call.size {
                size = Some(size.map_or(s, |before| before.union(s)));
            }
            if let (Some(step), Some(of)) = (element(overload.cost), args.first()) {
                size = self.entries(*of).map(|e| e.value);
                let path = self.path(*of);
                if !self.paths.steps(path).is_empty() || !self.checked.kube.knows_more_sizes() {
                    self.node_paths[id.index()] = self.paths.append(path, step);
                }
            }
            if size.is_none() {
                size = self.size(id);
            }
        }
        self.set_size(id, size);
        sum.plus(cost)
    }

    fn overload(&mut self, site: &Site<'_>, overload: &Overload) -> Call {
        let call = match overload.cost {
            // These compute the cost of their arguments themselves.
            Cost::Logic => {
                let (left, right) = (site.arg_costs[0], site.arg_costs[1]);
                return costs(Range { min: left.min, max: left.plus(right).max });
            }
            Cost::Conditional => return self.conditional(site),
            Cost::Unit | Cost::Same => costs(Range::ONE),
            Cost::Fixed(cost) => costs(Range::fixed(cost)),
            Cost::PartOfUrl(longest) if self.checked.kube.knows_more_sizes() => {
                sized(Range::ONE, site.target().times(Range { min: 1, max: longest }))
            }
            Cost::PartOfUrl(_) => costs(Range::ONE),
            Cost::Size { arg, factor } => costs(site.nth(arg).scaled(factor)),
            Cost::Selector => costs(site.arg(0).of_selector()),
            Cost::TraverseTarget => costs(self.traverse(site, SCAN)),
            Cost::TraverseDyn => costs(self.traverse(site, 1.0)),
            Cost::ScanArg => sized(site.arg(0).scaled(SCAN), site.arg(0)),
            Cost::ScanTarget => sized(site.target().scaled(SCAN), site.target()),
            Cost::Replace => replace(site),
            Cost::Split => {
                let limit = site.args.get(1).and_then(|a| self.int(a.id));
                let max = limit.map_or(site.target().max, |l| l as u64);
                sized(site.target().scaled(2.0 * SCAN), Range { min: 0, max })
            }
            Cost::Join => self.join(site),
            Cost::Find => {
                let text = site.target().plus(Range::ONE).scaled(SCAN);
                let size = Range { min: 0, max: site.target().max };
                sized(text.times(site.arg(0).scaled(PATTERN)), size)
            }
            Cost::ParseArg => costs(site.arg(0).scaled(SCAN)),
            Cost::ParseArgTwice => costs(site.arg(0).scaled(2.0 * SCAN)),
            Cost::ContainsIp => costs(CONTAINS),
            Cost::ContainsIpString => costs(CONTAINS.plus(site.arg(0).scaled(SCAN))),
            Cost::ContainsCidr => costs(CONTAINS.plus(MASK)),
            Cost::ContainsCidrString => costs(CONTAINS.plus(MASK).plus(site.arg(0).scaled(SCAN))),
            // The longest pattern of a format has 128 characters.
            Cost::Validate => costs(site.arg(0).scaled(SCAN).scaled(128.0 * PATTERN)),
            Cost::Format => costs(site.target().scaled(SCAN)),
            Cost::StringToBytes => {
                let Range { min, max } = site.arg(0);
                sized(site.arg(0).scaled(SCAN), Range { min, max: max.wrapping_mul(4) })
            }
            Cost::BytesToString => {
                let Range { min, max } = site.arg(0);
                sized(site.arg(0).scaled(SCAN), Range { min: min / 4, max })
            }
            Cost::Quote => {
                let Range { min, max } = site.arg(0);
                let size = Range { min: min.wrapping_add(2), max: max.wrapping_mul(2).wrapping_add(2) };
                sized(site.arg(0).scaled(SCAN), size)
            }
            Cost::ScanAffix => costs(site.arg(0).scaled(SCAN)),
            Cost::InList => costs(site.arg(1).scaled(1.0)),
            Cost::Matches if overload.style == Style::Global && !self.checked.kube.counts_exactly() => {
                costs(Range::ONE)
            }
            Cost::Matches => {
                let (text, pattern) = match site.target {
                    Some(target) => (target.size(), site.arg(0)),
                    None => (site.arg(0), site.arg(1)),
                };
                costs(text.plus(Range::ONE).scaled(SCAN).times(pattern.scaled(PATTERN)))
            }
            Cost::Contains => costs(site.target().scaled(SCAN).times(site.arg(0).scaled(SCAN))),
            Cost::Concat | Cost::ConcatList => {
                let size = site.arg(0).plus(site.arg(1));
                let entries = Entries::union(self.entries(site.args[0].id), self.entries(site.args[1].id));
                self.set_entries(site.id, entries);
                let list = matches!(overload.cost, Cost::ConcatList);
                sized(if list { Range::ONE } else { size.scaled(SCAN) }, size)
            }
            Cost::Equals => costs(self.equals(site)),
            Cost::Compare => costs(compare(site)),
            Cost::Items | Cost::Values => costs(Range::ONE),
            Cost::Slice => {
                let start = self.uint(site.args[0].id, 0);
                let end = self.uint(site.args[1].id, site.target().max);
                building(1.0, Range::fixed(end.wrapping_sub(start)))
            }
            Cost::Flatten => {
                let depth = site.args.first().map_or(1, |a| self.uint(a.id, u64::MAX));
                building(depth as f64, site.target())
            }
            Cost::Range => building(1.0, Range::fixed(self.uint(site.args[0].id, u64::MAX))),
            Cost::Reverse => building(1.0, site.target()),
            Cost::Distinct if self.checked.kube.knows_more_sizes() && self.is_list_of_text(site) => {
                building(2.0 + SCAN, site.target().times(site.target()))
            }
            Cost::Distinct | Cost::Sort => building(2.0, site.target().times(site.target())),
            Cost::SortText => building(2.0 + SCAN, site.target().times(site.target())),
            Cost::SortBy => building(2.0, site.arg(0).times(site.arg(0))),
            Cost::SortByText => building(2.0 + SCAN, site.arg(0).times(site.arg(0))),
            Cost::Sets => costs(site.arg(0).times(site.arg(1)).scaled(1.0).plus(Range::ONE)),
            Cost::SetsTwice => costs(site.arg(0).times(site.arg(1)).scaled(2.0).plus(Range::ONE)),
        };
        let args = site.arg_costs.iter().fold(Range::ZERO, |sum, c| sum.plus(*c));
        Call { cost: call.cost.plus(args), size: call.size }
    }

    fn conditional(&mut self, site: &Site<'_>) -> Call {
        let entries = Entries::union(self.entries(site.args[1].id), self.entries(site.args[2].id));
        self.set_entries(site.id, entries);
        let branches = site.arg_costs[1].union(site.arg_costs[2]);
        sized(site.arg_costs[0].plus(branches), site.arg(1).union(site.arg(2)))
    }

    fn int(&self, id: ExprId) -> Option<i64> {
        if let Expr::Literal(Literal::Int(i)) = self.ast.expr(id) { Some(*i) } else { None }
    }

    /// The value of an integer literal, or `otherwise`.
    fn uint(&self, id: ExprId, otherwise: u64) -> u64 {
        self.int(id).map_or(otherwise, |i| u64::try_from(i).unwrap_or(0))
    }

    /// The type and size of the elements, if the type has type parameters.
    fn element(&self, node: &Argument) -> Option<(Ty, Range)> {
        let ty = match self.types.kind(node.ty) {
            Kind::List(t) | Kind::Optional(t) | Kind::Map(t, _) | Kind::Type(Some(t)) => *t,
            _ => return None,
        };
        let mut path = self.paths.steps(node.path).to_vec();
        if path.is_empty() {
            return Some((ty, Range::UNKNOWN));
        }
        path.push(Step::Items);
        let max = self.sizes.max_size(&path);
        Some((ty, max.map_or(Range::UNKNOWN, |max| Range { min: 0, max })))
    }

    fn is_list_of_text(&self, site: &Site<'_>) -> bool {
        let kind = site.target.map(|target| self.types.kind(target.ty));
        matches!(kind, Some(Kind::List(Ty::STRING | Ty::BYTES)))
    }

    /// The cost of traversing the target, whose elements cost `otherwise` each if the type checker does not know it as a list.
    fn traverse(&self, site: &Site<'_>, otherwise: f64) -> Range {
        let Some(target) = site.target else { return Range::ONE };
        match self.element(&target) {
            Some((Ty::STRING | Ty::BYTES, size)) => target.size().times(Range::ONE.plus(size.scaled(SCAN))),
            Some(_) => target.size(),
            None => target.size().scaled(otherwise),
        }
    }

    fn join(&self, site: &Site<'_>) -> Call {
        let Some(target) = site.target else { return costs(Range::ONE) };
        let list = target.size();
        let mut size = self.element(&target).map_or(Range::ZERO, |(_, element)| list.times(element));
        if !site.args.is_empty() {
            let separators = Range { min: list.min.saturating_sub(1), max: list.max.saturating_sub(1) };
            size = size.plus(site.arg(0).times(separators));
        }
        sized(size.scaled(SCAN), size)
    }

    fn equals(&self, site: &Site<'_>) -> Range {
        let [left, right] = site.args else { return compare(site) };
        if left.ty != right.ty {
            return compare(site);
        }
        match left.ty {
            Ty::IP
            | Ty::CIDR
            | Ty::QUANTITY
            | Ty::SEMVER
            | Ty::AUTHORIZER
            | Ty::PATH_CHECK
            | Ty::GROUP_CHECK
            | Ty::RESOURCE_CHECK
            | Ty::DECISION => Range::ONE,
            Ty::FORMAT => Range { min: 1, max: 64 }.scaled(SCAN),
            Ty::URL => {
                let max = right.size.map_or(1, |s| s.max);
                Range { min: 1, max }.scaled(SCAN)
            }
            _ => compare(site),
        }
    }
}

/// What a call selects.
fn element(cost: Cost) -> Option<Step> {
    let step = if matches!(cost, Cost::Items) { Step::Items } else { Step::Values };
    matches!(cost, Cost::Items | Cost::Values).then_some(step)
}

/// The cost of comparing addresses of 4 to 16 bytes twice.
const CONTAINS: Range = Range { min: 1, max: 4 };

/// The cost of masking such an address and comparing the lengths.
const MASK: Range = Range { min: 2, max: 3 };

/// The cost of a call that builds a list.
fn building(factor: f64, size: Range) -> Call {
    sized(size.scaled(factor).plus(Range::ONE).plus(Range::fixed(10)), size)
}

fn compare(site: &Site<'_>) -> Range {
    let max = site.arg(0).max.min(site.arg(1).max);
    Range { min: u64::from(max > 0), max }.scaled(SCAN)
}

fn replace(site: &Site<'_>) -> Call {
    let (text, old, new) = (site.target(), site.arg(0), site.arg(1));
    // How often the text is replaced, and how much of it remains.
    let (count_max, kept_max) = if old.min == 0 {
        (text.max.saturating_add(1), text.max)
    } else if new.max <= old.min {
        (0, text.max)
    } else {
        ((text.max as f64 / old.min as f64).ceil() as u64, 0)
    };
    let (count_min, kept_min) = if old.max == 0 {
        (text.min.saturating_add(1), text.min)
    } else if old.max <= new.min {
        (0, text.min)
    } else {
        ((text.min as f64 / old.max as f64).ceil() as u64, 0)
    };
    let count = Range { min: count_min, max: count_max };
    let kept = Range { min: kept_min, max: kept_max };
    sized(text.scaled(2.0 * SCAN), count.times(new).plus(kept))
}
