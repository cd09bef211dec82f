//! The costs of calls at run time, from the sizes of their arguments. Some costs belong to a function, and others to a
//! single overload. If the overload is only known at run time, only the costs of the function are counted.

use crate::cost::Range;
use crate::library::{Cost as Estimate, Kube, Overload, Style};
use crate::value::{Error, Opaque, Outcome, Val, Work, count_chars};

/// The cost of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cost {
    Unit,
    Fixed(u64),
    /// The size of an argument times a factor.
    Size {
        arg: usize,
        factor: f64,
    },
    /// Parsing the selector in the second argument.
    Selector,
    /// Each element of the first argument, and its text if it is one.
    Traverse,
    /// Scanning the text of an argument a number of times.
    Scan {
        arg: usize,
        times: f64,
    },
    /// Scanning the text of the result twice.
    Join,
    /// Size of the text times size of the pattern.
    Regex,
    /// The elements of the second argument.
    InList,
    /// Scanning the shorter of two texts.
    Shorter,
    /// Scanning two texts.
    Concat,
    /// Size of the one text times size of the other.
    Contains,
    ContainsIp {
        parse: bool,
    },
    ContainsCidr {
        parse: bool,
    },
    Validate,
    /// Comparing all elements of two lists, a number of times.
    Sets(f64),
    /// Building a list as long as the result.
    Output,
    Flatten,
    /// Comparing all elements of an argument with each other.
    SelfCompare {
        arg: usize,
    },
}

const TRAVERSAL: f64 = 0.1;
const REGEX: f64 = 0.25;
pub(super) const LIST: u64 = 10;
pub(super) const MAP: u64 = 30;
pub(super) const MESSAGE: u64 = 40;

impl Cost {
    /// The cost of a call that may use any of these overloads.
    pub(super) fn of(overloads: &[Overload], kube: Kube) -> Cost {
        let [first, rest @ ..] = overloads else { return Cost::Unit };
        let sure = rest.is_empty();
        let if_sure = |cost| if sure { cost } else { Cost::Unit };
        match first.cost {
            Estimate::Fixed(cost) => Cost::Fixed(cost),
            Estimate::Size { arg, factor } => Cost::Size { arg, factor },
            Estimate::Selector => Cost::Selector,
            Estimate::Unit
            | Estimate::Logic
            | Estimate::Conditional
            | Estimate::ConcatList
            | Estimate::Items
            | Estimate::Values => Cost::Unit,
            Estimate::TraverseTarget | Estimate::TraverseDyn => Cost::Traverse,
            Estimate::ScanArg | Estimate::ScanTarget | Estimate::ParseArg => {
                Cost::Scan { arg: 0, times: 1.0 }
            }
            Estimate::Replace | Estimate::Split | Estimate::ParseArgTwice => {
                Cost::Scan { arg: 0, times: 2.0 }
            }
            Estimate::Join => Cost::Join,
            Estimate::Find => Cost::Regex,
            Estimate::ContainsIp => Cost::ContainsIp { parse: false },
            Estimate::ContainsIpString => Cost::ContainsIp { parse: sure },
            Estimate::ContainsCidr => Cost::ContainsCidr { parse: false },
            Estimate::ContainsCidrString => Cost::ContainsCidr { parse: sure },
            Estimate::Validate => Cost::Validate,
            Estimate::Format | Estimate::StringToBytes | Estimate::BytesToString | Estimate::Quote => {
                if_sure(Cost::Scan { arg: 0, times: 1.0 })
            }
            Estimate::ScanAffix => {
                if_sure(Cost::Scan { arg: usize::from(kube.counts_exactly()), times: 1.0 })
            }
            Estimate::InList => if_sure(Cost::InList),
            Estimate::Matches if first.style == Style::Global && !kube.counts_exactly() => Cost::Unit,
            Estimate::Matches => if_sure(Cost::Regex),
            Estimate::Contains => if_sure(Cost::Contains),
            Estimate::Concat => if_sure(Cost::Concat),
            Estimate::Equals | Estimate::Compare => if_sure(Cost::Shorter),
            Estimate::Slice | Estimate::Range | Estimate::Reverse => if_sure(Cost::Output),
            Estimate::Flatten => if_sure(Cost::Flatten),
            Estimate::Distinct | Estimate::Sort | Estimate::SortText => if_sure(Cost::SelfCompare { arg: 0 }),
            Estimate::SortBy | Estimate::SortByText => if_sure(Cost::SelfCompare { arg: 1 }),
            Estimate::Sets => if_sure(Cost::Sets(1.0)),
            Estimate::SetsTwice => if_sure(Cost::Sets(2.0)),
        }
    }

    /// The crash of the server's library while it counts the cost, because an argument is an error.
    pub(super) fn crash(self, args: &[Outcome<'_>]) -> Result<(), Error> {
        let failed = |i: usize| args.get(i).is_some_and(Result::is_err);
        match self {
            Cost::SelfCompare { arg } if failed(arg) => Err(Error::crash(
                "internal error: interface conversion: *types.Err is not traits.Lister: missing method Add",
            )),
            Cost::Flatten if failed(1) => Err(Error::crash(
                "internal error: interface conversion: ref.Val is *types.Err, not types.Int",
            )),
            _ => Ok(()),
        }
    }

    /// Whether the cost of a call depends on its result.
    pub(super) fn needs_result(self) -> bool {
        matches!(self, Cost::Join | Cost::Output)
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
        Ok(match self {
            Cost::Unit => 1,
            Cost::Fixed(cost) => cost,
            Cost::Size { arg: i, factor } => (arg(i) as f64 * factor).ceil() as u64,
            Cost::Selector => Range::fixed(arg(1)).of_selector().max,
            Cost::Traverse => args.first().map_or(Ok(0), |arg| traversal(arg, work))?,
            Cost::Scan { arg: i, times } => scanned(arg(i), times),
            Cost::Join => scanned(size(result), 2.0),
            Cost::Regex => {
                let text = ((1.0 + arg(0) as f64) * TRAVERSAL).ceil() as u64;
                text.wrapping_mul((arg(1) as f64 * REGEX).ceil() as u64)
            }
            Cost::InList => arg(1),
            Cost::Shorter => shorter(arg(0), arg(1)),
            Cost::Concat => scanned(arg(0).wrapping_add(arg(1)), 1.0),
            Cost::Contains => scanned(arg(0), 1.0).wrapping_mul(scanned(arg(1), 1.0)),
            Cost::ContainsIp { parse } => scanned(arg(0), 2.0) + if parse { scanned(arg(1), 1.0) } else { 0 },
            Cost::ContainsCidr { parse } => {
                scanned(arg(0), 2.0) + scanned(arg(0), 1.0) + 1 + if parse { scanned(arg(1), 1.0) } else { 0 }
            }
            Cost::Validate => match args.first() {
                Some(Ok(Val::Opaque(Opaque::Format(format)))) => {
                    let text = ((1.0 + arg(1) as f64) * TRAVERSAL).ceil() as u64;
                    text * (format.pattern_size as f64 * REGEX).ceil() as u64
                }
                _ => 1,
            },
            Cost::Sets(times) => ((arg(0).wrapping_mul(arg(1))) as f64 * times) as u64 + 1,
            Cost::Output => allocation(1.0, size(result)),
            Cost::Flatten => {
                let depth = match args.get(1) {
                    Some(Ok(Val::Int(depth))) => *depth as f64,
                    _ => 1.0,
                };
                allocation(if depth < 0.0 { 1.0 } else { depth }, arg(0))
            }
            Cost::SelfCompare { arg: i } => {
                let text = match args.get(i) {
                    Some(Ok(Val::List(list))) if !list.is_empty() => {
                        matches!(list.at(0), Ok(Val::Str(_) | Val::Bytes(_)))
                    }
                    _ => false,
                };
                allocation(if text { 2.0 + TRAVERSAL } else { 2.0 }, arg(i).saturating_mul(arg(i)))
            }
        })
    }
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
