//! What functions of several libraries share: arithmetic, conversions, formats of values, and messages.

pub(crate) mod arithmetic;
pub(crate) mod convert;
pub(crate) mod format;
mod messages;
mod operators;
pub(crate) mod times;

use crate::value::{Error, List, Outcome, Text, Val, Work};

pub(crate) use convert::in_range;
pub(crate) use messages::make;
pub(crate) use operators::{Operator, RegexKind};

/// The result of a function. None if the arguments have other types.
pub(crate) type Called<'a> = Option<Outcome<'a>>;

/// `size`
pub(crate) fn size<'a>(value: &Val<'a>) -> Outcome<'a> {
    value.len().map(|n| Val::Int(n as i64)).ok_or(Error::NO_OVERLOAD)
}

/// A function of one value.
pub(crate) fn one<'a>(args: &[Val<'a>], f: impl Fn(&Val<'a>) -> Outcome<'a>) -> Called<'a> {
    if let [value] = args { Some(f(value)) } else { None }
}

/// The elements of a list argument.
pub(crate) fn list<'l, 'a>(args: &'l [Val<'a>]) -> Option<&'l List<'a>> {
    if let Val::List(l) = args.first()? { Some(l) } else { None }
}

/// Whether a predicate is true for two texts.
pub(crate) fn test<'a>(args: &[Val<'a>], f: impl Fn(&str, &str) -> bool) -> Called<'a> {
    if let [a, b] = args { Some(Ok(Val::Bool(f(a.as_str()?, b.as_str()?)))) } else { None }
}

/// Whether a predicate is true for a text.
pub(crate) fn test_one<'a>(args: &[Val<'a>], f: impl Fn(&str) -> bool) -> Called<'a> {
    Some(Ok(Val::Bool(f(args.first()?.as_str()?))))
}

/// Makes another text of one. It is at most `times` as long.
pub(crate) fn change<'a>(
    args: &[Val<'a>],
    times: usize,
    work: &Work,
    f: impl Fn(&str) -> String,
) -> Called<'a> {
    let s = args.first()?.as_str()?;
    Some(work.bytes(s.len().saturating_mul(times)).map(|()| Val::text(f(s))))
}

/// A part of a text. It is borrowed if the text is.
pub(crate) fn slice<'a>(text: &Text<'a>, part: &str, work: &Work) -> Result<Text<'a>, Error> {
    if let Text::Ref(s) = text {
        let start = part.as_ptr() as usize - s.as_ptr() as usize;
        if let Some(part) = s.get(start..start + part.len()) {
            return Ok(Text::Ref(part));
        }
    }
    work.bytes(part.len())?;
    Ok(Text::from(part.to_owned()))
}
