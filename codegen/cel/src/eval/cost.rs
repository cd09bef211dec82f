//! The costs of calls at run time, from the sizes of their arguments. Some costs belong to a function, and others to a
//! single overload. If the overload is only known at run time, only the costs of the function are counted.

use crate::cost::Range;
use crate::library::{Cost, Kube, Overload, Style};
use crate::value::{Error, Opaque, Outcome, Val, Work, count_chars};

const TRAVERSAL: f64 = 0.1;
const REGEX: f64 = 0.25;
pub(super) const LIST: u64 = 10;
pub(super) const MAP: u64 = 30;
pub(super) const MESSAGE: u64 = 40;

impl Cost {
    /// The cost of a call that may use any of these overloads.
    pub(super) fn of(overloads: &[Overload], kube: Kube) -> Cost {
        let [first, rest @ ..] = overloads else { return Cost::Unit };
        let (is_sure, is_old) = (rest.is_empty(), !kube.counts_exactly());
        match first.cost {
            Cost::Matches if is_old && first.style == Style::Global => Cost::Unit,
            Cost::ScanAffix if is_old && is_sure => Cost::ScanArg,
            Cost::ContainsIpString if !is_sure => Cost::ContainsIp,
            Cost::ContainsCidrString if !is_sure => Cost::ContainsCidr,
            Cost::Same
            | Cost::Logic
            | Cost::Conditional
            | Cost::ConcatList
            | Cost::Items
            | Cost::Values
            | Cost::PartOfUrl(_) => Cost::Unit,
            // These belong to an overload.
            Cost::Format
            | Cost::StringToBytes
            | Cost::BytesToString
            | Cost::Quote
            | Cost::ScanAffix
            | Cost::InList
            | Cost::Matches
            | Cost::Contains
            | Cost::Concat
            | Cost::Equals
            | Cost::Compare
            | Cost::Slice
            | Cost::Range
            | Cost::Reverse
            | Cost::Flatten
            | Cost::Distinct
            | Cost::Sort
            | Cost::SortText
            | Cost::SortBy
            | Cost::SortByText
            | Cost::Sets
            | Cost::SetsTwice
                if !is_sure =>
            {
                Cost::Unit
            }
            cost => cost,
        }
    }

    /// The list whose elements are compared with each other.
    fn compared(self) -> Option<usize> {
        let is_second = matches!(self, Cost::SortBy | Cost::SortByText);
        matches!(self, Cost::Distinct | Cost::Sort | Cost::SortText | Cost::SortBy | Cost::SortByText)
            .then_some(usize::from(is_second))
    }

    /// The crash of the server's library while it counts the cost, because an argument is an error.
    pub(super) fn crash(self, args: &[Outcome<'_>]) -> Result<(), Error> {
        let failed = |i: usize| args.get(i).is_some_and(Result::is_err);
        if self.compared().is_some_and(failed) {
            return Err(Error::crash(
                "internal error: interface conversion: *types.Err is not traits.Lister: missing method Add",
            ));
        }
        if matches!(self, Cost::Flatten) && failed(1) {
            return Err(Error::crash(
                "internal error: interface conversion: ref.Val is *types.Err, not types.Int",
            ));
        }
        Ok(())
    }

    /// Whether the cost of a call depends on its result.
    pub(super) fn needs_result(self) -> bool {
        matches!(self, Cost::Join | Cost::Slice | Cost::Range | Cost::Reverse)
    }

    /// The actual cost of the call.
    pub(super) fn actual(
        self,
        args: &[Outcome<'_>],
        result: &Outcome<'_>,
        work: &Work,
    ) -> Result<u64, Error> {
        let arg = |i: usize| args.get(i).map_or(1, size);
        let scanned = |chars: u64, times: f64| (chars as f64 * times * TRAVERSAL).ceil() as u64;
        let pattern = |text: u64, size: u64| {
            let text = ((1.0 + text as f64) * TRAVERSAL).ceil() as u64;
            text.wrapping_mul((size as f64 * REGEX).ceil() as u64)
        };
        let sets = |times: f64| (arg(0).wrapping_mul(arg(1)) as f64 * times) as u64 + 1;
        Ok(match self {
            Cost::Unit
            | Cost::Same
            | Cost::Logic
            | Cost::Conditional
            | Cost::ConcatList
            | Cost::Items
            | Cost::Values
            | Cost::PartOfUrl(_) => 1,
            Cost::Fixed(cost) => cost,
            Cost::Size { arg: i, factor } => (arg(i) as f64 * factor).ceil() as u64,
            Cost::Selector => Range::fixed(arg(1)).of_selector().max,
            Cost::TraverseTarget | Cost::TraverseDyn => {
                args.first().map_or(Ok(0), |arg| traversal(arg, work))?
            }
            Cost::ScanArg
            | Cost::ScanTarget
            | Cost::ParseArg
            | Cost::Format
            | Cost::StringToBytes
            | Cost::BytesToString
            | Cost::Quote => scanned(arg(0), 1.0),
            Cost::ScanAffix => scanned(arg(1), 1.0),
            Cost::Replace | Cost::Split | Cost::ParseArgTwice => scanned(arg(0), 2.0),
            Cost::Join => scanned(size(result), 2.0),
            Cost::Find | Cost::Matches => pattern(arg(0), arg(1)),
            Cost::InList => arg(1),
            Cost::Equals | Cost::Compare => shorter(arg(0), arg(1)),
            Cost::Concat => scanned(arg(0).wrapping_add(arg(1)), 1.0),
            Cost::Contains => scanned(arg(0), 1.0).wrapping_mul(scanned(arg(1), 1.0)),
            Cost::ContainsIp => scanned(arg(0), 2.0),
            Cost::ContainsIpString => scanned(arg(0), 2.0) + scanned(arg(1), 1.0),
            Cost::ContainsCidr => scanned(arg(0), 2.0) + scanned(arg(0), 1.0) + 1,
            Cost::ContainsCidrString => {
                scanned(arg(0), 2.0) + scanned(arg(0), 1.0) + 1 + scanned(arg(1), 1.0)
            }
            Cost::Validate => match args.first() {
                Some(Ok(Val::Opaque(Opaque::Format(format)))) => pattern(arg(1), format.pattern_size),
                _ => 1,
            },
            Cost::Sets => sets(1.0),
            Cost::SetsTwice => sets(2.0),
            Cost::Slice | Cost::Range | Cost::Reverse => allocation(
                1.0,
                match result {
                    Err(_) if work.behavior().stops_at_errors() => 0,
                    result => size(result),
                },
            ),
            Cost::Flatten => {
                let depth = match args.get(1) {
                    Some(Ok(Val::Int(depth))) => *depth as f64,
                    _ => 1.0,
                };
                allocation(if depth < 0.0 { 1.0 } else { depth }, arg(0))
            }
            Cost::Distinct | Cost::Sort | Cost::SortText => each_with_each(args.first()),
            Cost::SortBy | Cost::SortByText => each_with_each(args.get(1)),
        })
    }
}

/// The cost of comparing all elements of a list with each other.
fn each_with_each(list: Option<&Outcome<'_>>) -> u64 {
    let is_text = match list {
        Some(Ok(Val::List(list))) if !list.is_empty() => {
            matches!(list.at(0), Ok(Val::Str(_) | Val::Bytes(_)))
        }
        _ => false,
    };
    let size = list.map_or(1, size);
    allocation(if is_text { 2.0 + TRAVERSAL } else { 2.0 }, size.saturating_mul(size))
}

/// The cost of comparing two values. Values of library types count as one comparison.
pub(super) fn equality(
    left: &Outcome<'_>,
    right: &Outcome<'_>,
    negated: bool,
    work: &Work,
) -> Result<u64, Error> {
    match (left, right) {
        (Ok(Val::Opaque(_)), _) if !negated => Ok(1),
        // The shorter text is usually known without counting the characters of the longer one, which have at most four
        // bytes.
        (Ok(Val::Str(a)), Ok(Val::Str(b))) => {
            let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
            work.count(short)?;
            let size = count_chars(short);
            if size <= long.len() as u64 / 4 {
                return Ok(shorter(size, size));
            }
            work.count(long)?;
            Ok(shorter(size, count_chars(long)))
        }
        _ => Ok(shorter(unwrapped(left), unwrapped(right))),
    }
}

fn shorter(left: u64, right: u64) -> u64 {
    // The exact result, without the floats that Go uses.
    left.min(right).div_ceil(10)
}

fn unwrapped(value: &Outcome<'_>) -> u64 {
    match value {
        Ok(Val::Optional(Some(inner))) => unwrapped_value(inner),
        Ok(value) => value.size(),
        Err(_) => 1,
    }
}

fn unwrapped_value(value: &Val<'_>) -> u64 {
    if let Val::Optional(Some(inner)) = value { unwrapped_value(inner) } else { value.size() }
}

fn size(value: &Outcome<'_>) -> u64 {
    value.as_ref().map_or(1, Val::size)
}

fn allocation(factor: f64, size: u64) -> u64 {
    ((size as f64 * factor) as u64).saturating_add(1).saturating_add(LIST)
}

fn traversal(value: &Outcome<'_>, work: &Work) -> Result<u64, Error> {
    work.steps(1)?;
    Ok(match value {
        Ok(Val::Str(s)) => (s.len() as f64 * TRAVERSAL) as u64,
        Ok(Val::Bytes(b)) => (b.len() as f64 * TRAVERSAL) as u64,
        Ok(Val::List(list)) => {
            let mut sum = 0u64;
            for item in list.iter() {
                sum = sum.saturating_add(traversal(&item, work)?);
            }
            sum
        }
        Ok(Val::Map(map)) => {
            let mut sum = 0u64;
            for (key, value) in map.entries() {
                sum = sum.saturating_add(traversal(&Ok(key), work)?);
                sum = sum.saturating_add(traversal(&value, work)?);
            }
            sum
        }
        Ok(_) | Err(_) => 1,
    })
}

/// The rest of a cost budget.
pub(super) struct Meter {
    pub(super) spent: u64,
    limit: u64,
}

impl Meter {
    pub(super) fn new(limit: u64) -> Meter {
        Meter { spent: 0, limit }
    }

    /// The error if this cost exceeds the limit. It is counted only then: otherwise `spend` counts it after the call.
    pub(super) fn foresee(&mut self, cost: u64) -> Result<(), Error> {
        if self.spent.saturating_add(cost) <= self.limit {
            return Ok(());
        }
        self.spend(cost).and(Err(Error::COST_LIMIT))
    }

    pub(super) fn spend(&mut self, cost: u64) -> Result<(), Error> {
        self.spent = self.spent.wrapping_add(cost);
        if self.spent > self.limit { Err(Error::COST_LIMIT) } else { Ok(()) }
    }
}
