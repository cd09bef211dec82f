//! The functions of lists.

use std::cmp::Ordering;

use super::super::value::{Error, List, Outcome, Val, Work};
use super::arithmetic::add;
use super::{Called, list};

/// Which of several equal elements is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    First,
    Last,
}

/// The smallest or the greatest element.
#[derive(Clone, Copy)]
pub(super) enum Extreme {
    Min,
    Max,
}

pub(super) fn index_of<'a>(args: &[Val<'a>], which: Which, work: &Work) -> Called<'a> {
    Some(found(list(args)?, args.get(1)?, which, work).map(|at| Val::Int(at.map_or(-1, |i| i as i64))))
}

/// The first or last index of a value. Elements that do not match the schema are not the value.
fn found<'a>(list: &List<'a>, wanted: &Val<'a>, which: Which, work: &Work) -> Result<Option<usize>, Error> {
    let mut found = None;
    for (i, item) in list.iter().enumerate() {
        let Ok(item) = item else { continue };
        if item.same(wanted, work)? {
            found = Some(i);
            if which == Which::First {
                break;
            }
        }
    }
    Ok(found)
}

pub(super) fn includes<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
    let [target, wanted] = args else { return None };
    let includes = match target {
        Val::List(list) => found(list, wanted, Which::First, work).map(|at| at.is_some()),
        other => other.same(wanted, work),
    };
    Some(includes.map(Val::Bool))
}

fn comparable(value: &Val<'_>) -> bool {
    match value {
        Val::Bool(_)
        | Val::Int(_)
        | Val::Uint(_)
        | Val::Double(_)
        | Val::Str(_)
        | Val::Bytes(_)
        | Val::Duration(_)
        | Val::Timestamp(_) => true,
        Val::Null
        | Val::List(_)
        | Val::Map(_)
        | Val::Optional(_)
        | Val::Type(_)
        | Val::Opaque(_)
        | Val::Preserved(_) => false,
    }
}

/// The elements, if all of them can be ordered.
fn ordered<'a>(args: &[Val<'a>], work: &Work) -> Option<Result<Vec<Val<'a>>, Error>> {
    let items = list(args)?.to_vec(work);
    Some(
        items
            .and_then(|items| if items.iter().all(comparable) { Ok(items) } else { Err(Error::NO_OVERLOAD) }),
    )
}

pub(super) fn is_sorted<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
    let sorted =
        |items: Vec<Val<'a>>| items.windows(2).all(|w| !matches!(w[0].compare(&w[1]), Ok(Ordering::Greater)));
    Some(ordered(args, work)?.map(|items| Val::Bool(sorted(items))))
}

pub(super) fn extreme<'a>(args: &[Val<'a>], which: Extreme, work: &Work) -> Called<'a> {
    let (name, better) = match which {
        Extreme::Max => ("max", Ordering::Less),
        Extreme::Min => ("min", Ordering::Greater),
    };
    Some(ordered(args, work)?.and_then(|items| {
        let best = items
            .into_iter()
            .reduce(|best, item| if best.compare(&item) == Ok(better) { item } else { best });
        best.ok_or_else(|| Error::new(format!("{name} called on empty list")))
    }))
}

pub(super) fn sum<'a>(args: &[Val<'a>], zero: Val<'a>, work: &Work) -> Called<'a> {
    let mut total = zero;
    for item in list(args)?.iter() {
        match item.and_then(|item| add(&total, &item, work)) {
            Ok(next) => total = next,
            Err(e) => return Some(Err(e)),
        }
    }
    Some(Ok(total))
}

pub(super) fn distinct<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
    let items = list(args)?;
    // Flattening an empty list returns the same list.
    if items.is_empty() {
        return Some(Ok(Val::List(items.clone())));
    }
    Some(each_once(items, work))
}

fn each_once<'a>(items: &List<'a>, work: &Work) -> Outcome<'a> {
    let mut seen: Vec<Val<'a>> = Vec::new();
    'items: for item in items.iter() {
        let item = item?;
        for other in &seen {
            if item.same(other, work)? {
                continue 'items;
            }
        }
        work.items(1)?;
        seen.push(item);
    }
    Ok(Val::list(seen))
}

pub(super) fn flatten<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
    let depth = match args.get(1) {
        None => 1,
        Some(Val::Int(depth)) => *depth,
        Some(_) => return None,
    };
    if depth < 0 {
        return Some(Err(Error::fixed("level must be non-negative")));
    }
    let mut out = Vec::new();
    Some(flatten_into(list(args)?, depth, &mut out, work).map(|()| Val::list(out)))
}

fn flatten_into<'a>(list: &List<'a>, depth: i64, out: &mut Vec<Val<'a>>, work: &Work) -> Result<(), Error> {
    for item in list.iter() {
        match item? {
            Val::List(inner) if depth > 0 => {
                work.steps(1)?;
                flatten_into(&inner, depth - 1, out, work)?;
            }
            item => {
                work.items(1)?;
                out.push(item);
            }
        }
    }
    Ok(())
}

pub(super) fn reverse<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
    Some(list(args)?.to_vec(work).map(|mut items| {
        items.reverse();
        Val::list(items)
    }))
}

pub(super) fn slice<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
    let [Val::List(list), Val::Int(start), Val::Int(end)] = args else { return None };
    let wrong = |why: String| Some(Err(Error::new(format!("cannot slice({start}, {end}), {why}"))));
    let (Ok(from), Ok(to)) = (usize::try_from(*start), usize::try_from(*end)) else {
        return wrong("negative indexes not supported".to_owned());
    };
    if from > to {
        return wrong("start index must be less than or equal to end index".to_owned());
    }
    if list.len() < to {
        return wrong(format!("list is length {}", list.len()));
    }
    let items = || (from..to).map(|i| list.at(i)).collect::<Result<_, _>>().map(Val::list);
    Some(work.items(to - from).and_then(|()| items()))
}

/// The maximum length of the list that `lists.range` returns.
const MAX_RANGE: i64 = 1_000_000;

pub(super) fn range<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
    let [Val::Int(n)] = args else { return None };
    if *n < 0 {
        return Some(Err(Error::new(format!("lists.range: size must be non-negative, got {n}"))));
    }
    if *n > MAX_RANGE {
        let why = format!("lists.range: size {n} exceeds maximum allowed ({MAX_RANGE})");
        return Some(Err(Error::new(why)));
    }
    Some(work.items(*n as usize).map(|()| Val::list((0..*n).map(Val::Int).collect())))
}

/// Sorts a list by its elements, or by those of another list.
pub(super) fn sort<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
    let items = list(args)?;
    let keys = match args.get(1) {
        None if items.is_empty() => return Some(Ok(Val::List(items.clone()))),
        None => items,
        Some(Val::List(keys)) => keys,
        Some(_) => return None,
    };
    Some(sort_by(items, keys, work))
}

fn sort_by<'a>(items: &List<'a>, keys: &List<'a>, work: &Work) -> Outcome<'a> {
    if items.len() != keys.len() {
        return Err(Error::new(format!(
            "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got {} and {} \
             elements respectively",
            items.len(),
            keys.len()
        )));
    }
    let (items, keys) = (items.to_vec(work)?, keys.to_vec(work)?);
    let Some(first) = keys.first() else { return Ok(Val::list(items)) };
    if !comparable(first) {
        return Err(Error::fixed("list elements must be comparable"));
    }
    if keys.iter().any(|k| k.type_name() != first.type_name()) {
        return Err(Error::fixed("list elements must have the same type"));
    }
    let mut pairs: Vec<_> = keys.into_iter().zip(items).collect();
    crdgen_text::go::sort(&mut pairs, |(a, _), (b, _)| a.compare(b) == Ok(Ordering::Less));
    Ok(Val::list(pairs.into_iter().map(|(_, item)| item).collect()))
}

pub(super) fn sets<'a>(
    args: &[Val<'a>],
    work: &Work,
    f: impl Fn(&Val<'a>, &Val<'a>, &Work) -> Result<bool, Error>,
) -> Called<'a> {
    let [a @ Val::List(_), b @ Val::List(_)] = args else { return None };
    Some(f(a, b, work).map(Val::Bool))
}

pub(super) fn contains<'a>(all: &Val<'a>, part: &Val<'a>, work: &Work) -> Result<bool, Error> {
    let Val::List(part) = part else { return Err(Error::NO_OVERLOAD) };
    for item in part.iter() {
        if !all.contains(&item?, work)? {
            return Ok(false);
        }
    }
    Ok(true)
}

pub(super) fn equivalent<'a>(a: &Val<'a>, b: &Val<'a>, work: &Work) -> Result<bool, Error> {
    Ok(contains(a, b, work)? && contains(b, a, work)?)
}

pub(super) fn intersects<'a>(a: &Val<'a>, b: &Val<'a>, work: &Work) -> Result<bool, Error> {
    let Val::List(items) = a else { return Err(Error::NO_OVERLOAD) };
    for item in items.iter() {
        match item.and_then(|item| b.contains(&item, work)) {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(e) if e.is_fatal() => return Err(e),
            // Values that cannot be compared are not the same.
            Err(_) => {}
        }
    }
    Ok(false)
}

/// The first or last element, if there is one.
pub(super) fn end<'a>(args: &[Val<'a>], pick: impl Fn(&List<'a>) -> Option<usize>) -> Called<'a> {
    let list = list(args)?;
    Some(pick(list).map_or(Ok(Val::Optional(None)), |at| list.at(at).map(Val::some)))
}

pub(super) fn unwrap<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
    Some(unwrapped(list(args)?, work))
}

fn unwrapped<'a>(list: &List<'a>, work: &Work) -> Outcome<'a> {
    let mut out = Vec::new();
    for item in list.iter() {
        match item? {
            Val::Optional(Some(value)) => {
                work.items(1)?;
                out.push((*value).clone());
            }
            Val::Optional(None) => work.steps(1)?,
            other => return Err(Error::new(format!("value {} is not optional", work.show(&other)?))),
        }
    }
    Ok(Val::list(out))
}
