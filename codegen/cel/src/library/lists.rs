//! The functions of lists.

use super::list;

library! {
    /// Kubernetes' functions of lists.
    pub LISTS = "kubernetes.lists" since 0;
    "includes" = Call(run::includes) => { "list_includes_dyn_dyn" member (Dyn, Dyn) -> Bool, TraverseDyn since 37; }
    "indexOf" = Call(|args, work| run::index_of(args, run::Which::First, work)) => {
        "list_a_index_of_int" member (list(&A), A) -> Int, TraverseTarget;
    }
    "isSorted" = Call(run::is_sorted) => {
        "list_int_is_sorted_bool" member (list(&Int)) -> Bool, TraverseTarget;
        "list_uint_is_sorted_bool" member (list(&Uint)) -> Bool, TraverseTarget;
        "list_double_is_sorted_bool" member (list(&Double)) -> Bool, TraverseTarget;
        "list_bool_is_sorted_bool" member (list(&Bool)) -> Bool, TraverseTarget;
        "list_duration_is_sorted_bool" member (list(&Duration)) -> Bool, TraverseTarget;
        "list_timestamp_is_sorted_bool" member (list(&Timestamp)) -> Bool, TraverseTarget;
        "list_string_is_sorted_bool" member (list(&String)) -> Bool, TraverseTarget;
        "list_bytes_is_sorted_bool" member (list(&Bytes)) -> Bool, TraverseTarget;
    }
    "lastIndexOf" = Call(|args, work| run::index_of(args, run::Which::Last, work)) => {
        "list_a_last_index_of_int" member (list(&A), A) -> Int, TraverseTarget;
    }
    "max" = Call(|args, work| run::extreme(args, run::Extreme::Max, work)) => {
        "list_int_max_int" member (list(&Int)) -> Int, TraverseTarget;
        "list_uint_max_uint" member (list(&Uint)) -> Uint, TraverseTarget;
        "list_double_max_double" member (list(&Double)) -> Double, TraverseTarget;
        "list_bool_max_bool" member (list(&Bool)) -> Bool, TraverseTarget;
        "list_duration_max_duration" member (list(&Duration)) -> Duration, TraverseTarget;
        "list_timestamp_max_timestamp" member (list(&Timestamp)) -> Timestamp, TraverseTarget;
        "list_string_max_string" member (list(&String)) -> String, TraverseTarget;
        "list_bytes_max_bytes" member (list(&Bytes)) -> Bytes, TraverseTarget;
    }
    "min" = Call(|args, work| run::extreme(args, run::Extreme::Min, work)) => {
        "list_int_min_int" member (list(&Int)) -> Int, TraverseTarget;
        "list_uint_min_uint" member (list(&Uint)) -> Uint, TraverseTarget;
        "list_double_min_double" member (list(&Double)) -> Double, TraverseTarget;
        "list_bool_min_bool" member (list(&Bool)) -> Bool, TraverseTarget;
        "list_duration_min_duration" member (list(&Duration)) -> Duration, TraverseTarget;
        "list_timestamp_min_timestamp" member (list(&Timestamp)) -> Timestamp, TraverseTarget;
        "list_string_min_string" member (list(&String)) -> String, TraverseTarget;
        "list_bytes_min_bytes" member (list(&Bytes)) -> Bytes, TraverseTarget;
    }
    "sum" = Call(|args, work| run::sum(args, Val::Int(0), work)) => { "list_int_sum_int" member (list(&Int)) -> Int, TraverseTarget; }
    "sum" = Call(|args, work| run::sum(args, Val::Uint(0), work)) => { "list_uint_sum_uint" member (list(&Uint)) -> Uint, TraverseTarget; }
    "sum" = Call(|args, work| run::sum(args, Val::Double(0.0), work)) => {
        "list_double_sum_double" member (list(&Double)) -> Double, TraverseTarget;
    }
    "sum" = Call(|args, work| run::sum(args, Val::Duration(0), work)) => {
        "list_duration_sum_duration" member (list(&Duration)) -> Duration, TraverseTarget;
    }
}

library! {
    /// cel-go's extension for lists.
    pub LIST_EXTENSIONS = "lists" since 34;
    "@sortByAssociatedKeys" = With(Way::Unguarded, run::sort) => {
        "list_int_sortByAssociatedKeys" member (list(&A), list(&Int)) -> list(&A), SortBy;
        "list_uint_sortByAssociatedKeys" member (list(&A), list(&Uint)) -> list(&A), SortBy;
        "list_double_sortByAssociatedKeys" member (list(&A), list(&Double)) -> list(&A), SortBy;
        "list_bool_sortByAssociatedKeys" member (list(&A), list(&Bool)) -> list(&A), SortBy;
        "list_google.protobuf.Duration_sortByAssociatedKeys" member (list(&A), list(&Duration)) -> list(&A), SortBy;
        "list_google.protobuf.Timestamp_sortByAssociatedKeys" member (list(&A), list(&Timestamp)) -> list(&A), SortBy;
        "list_string_sortByAssociatedKeys" member (list(&A), list(&String)) -> list(&A), SortByText;
        "list_bytes_sortByAssociatedKeys" member (list(&A), list(&Bytes)) -> list(&A), SortByText;
    }
    "distinct" = Call(run::distinct) => { "list_distinct" member (list(&A)) -> list(&A), Distinct; }
    "flatten" = With(Way::GuardedIfSeveral, run::flatten) => {
        "list_flatten" member (list(const { &list(&A) })) -> list(&A), Flatten;
        "list_flatten_int" member (list(&Dyn), Int) -> list(&Dyn), Flatten;
    }
    "lists.range" = Call(run::range) => { "lists_range" global (Int) -> list(&Int), Range; }
    "reverse" = Call(run::reverse) => { "list_reverse" member (list(&A)) -> list(&A), Reverse; }
    "slice" = Call(run::slice) => { "list_slice" member (list(&A), Int, Int) -> list(&A), Slice; }
    "sort" = With(Way::Unguarded, run::sort) => {
        "list_int_sort" member (list(&Int)) -> list(&Int), Sort;
        "list_uint_sort" member (list(&Uint)) -> list(&Uint), Sort;
        "list_double_sort" member (list(&Double)) -> list(&Double), Sort;
        "list_bool_sort" member (list(&Bool)) -> list(&Bool), Sort;
        "list_google.protobuf.Duration_sort" member (list(&Duration)) -> list(&Duration), Sort;
        "list_google.protobuf.Timestamp_sort" member (list(&Timestamp)) -> list(&Timestamp), Sort;
        "list_string_sort" member (list(&String)) -> list(&String), SortText;
        "list_bytes_sort" member (list(&Bytes)) -> list(&Bytes), SortText;
    }
}

#[cfg(feature = "eval")]
mod run {
    use crate::funcs::arithmetic::add;
    use crate::funcs::{Called, list};
    use crate::value::{Error, List, Outcome, Val, Work};
    use std::cmp::Ordering;

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
    fn found<'a>(
        list: &List<'a>,
        wanted: &Val<'a>,
        which: Which,
        work: &Work,
    ) -> Result<Option<usize>, Error> {
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
            items.and_then(
                |items| if items.iter().all(comparable) { Ok(items) } else { Err(Error::NO_OVERLOAD) },
            ),
        )
    }

    pub(super) fn is_sorted<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
        let sorted = |items: Vec<Val<'a>>| {
            items.windows(2).all(|w| !matches!(w[0].compare(&w[1]), Ok(Ordering::Greater)))
        };
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

    fn flatten_into<'a>(
        list: &List<'a>,
        depth: i64,
        out: &mut Vec<Val<'a>>,
        work: &Work,
    ) -> Result<(), Error> {
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
}
