//! Optional values. Kubernetes has version 1 of cel-go's library, and its functions of lists.

use super::{list, map, optional};

library! {
    /// Optional values.
    pub OPTIONALS = "optional" since 28;
    "_?._" = Apply(Operator::OptSelect) => { "select_optional_field" global (Dyn, String) -> optional(&A), Unit; }
    "_[?_]" = Apply(Operator::OptIndex) => {
        "list_optindex_optional_int" global (list(&A), Int) -> optional(&A), Unit;
        "optional_list_optindex_optional_int" global (optional(const { &list(&A) }), Int) -> optional(&A), Unit;
        "map_optindex_optional_value" global (map(&A, &B), A) -> optional(&B), Unit;
        "optional_map_optindex_optional_value" global (optional(const { &map(&A, &B) }), A) -> optional(&B), Unit;
    }
    "_[_]" = Apply(Operator::Index) => {
        "optional_list_index_int" global (optional(const { &list(&A) }), Int) -> optional(&A), Unit;
        "optional_map_index_value" global (optional(const { &map(&A, &B) }), A) -> optional(&B), Unit;
    }
    "first" = Call(|args, _| run::end(args, |list| (!list.is_empty()).then_some(0))) => { "list_first" member (list(&A)) -> optional(&A), Unit; }
    "hasValue" = Call(|args, _| run::optional(args, |o| Ok(Val::Bool(o.is_some())))) => { "optional_hasValue" member (optional(&A)) -> Bool, Unit; }
    "last" = Call(|args, _| run::end(args, |list| list.len().checked_sub(1))) => { "list_last" member (list(&A)) -> optional(&A), Unit; }
    "optional.none" = Call(|_, _| Some(Ok(Val::Optional(None)))) => { "optional_none" global () -> optional(&A), Unit; }
    "optional.of" = Call(|args, _| one(args, |v| Ok(Val::some(v.clone())))) => { "optional_of" global (A) -> optional(&A), Unit; }
    "optional.ofNonZeroValue" = Call(|args, _| one(args, run::unless_zero)) => {
        "optional_ofNonZeroValue" global (A) -> optional(&A), Unit;
    }
    "optional.unwrap" = Call(run::unwrap) => { "optional_unwrap" global (list(const { &optional(&A) })) -> list(&A), Unit; }
    "or" = Apply(Operator::OptionalOr) => { "optional_or_optional" member (optional(&A), optional(&A)) -> optional(&A), Unit; }
    "orValue" = Apply(Operator::OptionalOrValue) => { "optional_orValue_value" member (optional(&A), A) -> A, Unit; }
    "unwrapOpt" = Call(run::unwrap) => { "optional_unwrapOpt" member (list(const { &optional(&A) })) -> list(&A), Unit; }
    "value" = Call(|args, _| run::optional(args, run::value)) => {
        "optional_value" member (optional(&A)) -> A, Unit;
    }
}

#[cfg(feature = "eval")]
mod run {
    use crate::funcs::{Called, list};
    use crate::value::{Error, List, Outcome, Val, Work};
    use std::sync::Arc;

    pub(super) fn optional<'a>(
        args: &[Val<'a>],
        f: impl Fn(&Option<Arc<Val<'a>>>) -> Outcome<'a>,
    ) -> Called<'a> {
        if let [Val::Optional(o)] = args { Some(f(o)) } else { None }
    }

    pub(super) fn value<'a>(optional: &Option<Arc<Val<'a>>>) -> Outcome<'a> {
        optional.as_ref().map(|value| (**value).clone()).ok_or(Error::fixed("optional.none() dereference"))
    }

    pub(super) fn unless_zero<'a>(value: &Val<'a>) -> Outcome<'a> {
        Ok(if value.is_zero() { Val::Optional(None) } else { Val::some(value.clone()) })
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
}
