//! Lists as sets.

use super::list;

library! {
    /// cel-go's extension for sets.
    pub SETS = "sets" since 29;
    "sets.contains" = Call(|args, work| run::sets(args, work, run::contains)) => {
        "list_sets_contains_list" global (list(&A), list(&A)) -> Bool, Sets;
    }
    "sets.equivalent" = Call(|args, work| run::sets(args, work, run::equivalent)) => {
        "list_sets_equivalent_list" global (list(&A), list(&A)) -> Bool, SetsTwice;
    }
    "sets.intersects" = Call(|args, work| run::sets(args, work, run::intersects)) => {
        "list_sets_intersects_list" global (list(&A), list(&A)) -> Bool, Sets;
    }
}

#[cfg(feature = "eval")]
mod run {
    use crate::funcs::Called;
    use crate::value::{Error, Val, Work};

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
}
