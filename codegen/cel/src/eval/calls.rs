//! Calls: finds the overload for the arguments, and calls functions with regular expressions.

use std::rc::Rc;

use crate::funcs;
use crate::library::run::Way;
use crate::library::{Decl, Type};
use crate::value::{Error, Outcome, Text, Val, Work};
use crdgen_text::go::regexp::Regexp;

use super::{Call, RegexKind};

/// Calls a function with these values.
pub(super) fn call<'a>(call: &Call, args: &[Val<'a>], work: &Work) -> Outcome<'a> {
    if !call.guarded {
        return call.overloads.first().map_or(Err(Error::NO_OVERLOAD), |overload| overload.call(args, work));
    }
    match (call.overloads.iter().find(|overload| accepts_all(overload, args)), call.overloads.first()) {
        (Some(overload), _) => overload.call(args, work),
        (None, Some(first)) if first.way() != Some(Way::Method) => {
            let types: Vec<_> = args.iter().map(Val::type_name).collect();
            Err(Error::no_overload_of(format_args!("{}({})", first.function, types.join(", "))))
        }
        (None, _) => Err(Error::NO_OVERLOAD),
    }
}

fn accepts_all(overload: &Decl, args: &[Val<'_>]) -> bool {
    let types = &overload.args;
    types.len() == args.len() && types.iter().zip(args).all(|(ty, arg)| accepts(ty, arg))
}

/// Whether a value may have a type. Only one element of lists and maps is checked.
fn accepts(ty: &Type, value: &Val<'_>) -> bool {
    match ty {
        Type::A | Type::B | Type::Dyn => true,
        Type::List(of) => match value {
            Val::List(list) if list.is_empty() => true,
            Val::List(list) => list.at(0).is_ok_and(|item| accepts(of, &item)),
            _ => false,
        },
        Type::Map(keys, values) => match value {
            Val::Map(map) => match map.entries().into_iter().next() {
                Some((k, v)) => accepts(keys, &k) && v.is_ok_and(|v| accepts(values, &v)),
                None => true,
            },
            _ => false,
        },
        Type::Bool => matches!(value, Val::Bool(_)),
        Type::Int => matches!(value, Val::Int(_)),
        Type::Uint => matches!(value, Val::Uint(_)),
        Type::Double => matches!(value, Val::Double(_)),
        Type::String => matches!(value, Val::Str(_)),
        Type::Bytes => matches!(value, Val::Bytes(_)),
        Type::Duration => matches!(value, Val::Duration(_)),
        Type::Timestamp => matches!(value, Val::Timestamp(_)),
        Type::Optional(_) => matches!(value, Val::Optional(_)),
        Type::TypeOf(_) => matches!(value, Val::Type(_)),
        Type::Opaque(name) | Type::Struct(name) => value.type_name() == *name,
        Type::Object(..) => matches!(value, Val::Map(_)),
    }
}

/// The patterns that a run has compiled, so that loops do not compile them again.
#[derive(Default)]
pub(super) struct Patterns(Vec<(String, Rc<Regexp>)>);

/// If there are more patterns than this, all are discarded.
const REMEMBERED: usize = 16;

impl Patterns {
    /// Returns a pattern, and compiles it if it is new.
    pub(super) fn get(&mut self, text: &str) -> Result<Rc<Regexp>, crdgen_text::go::regexp::Error> {
        if let Some((_, regexp)) = self.0.iter().find(|(t, _)| t == text) {
            return Ok(regexp.clone());
        }
        let regexp = Rc::new(Regexp::parse(text)?);
        if self.0.len() == REMEMBERED {
            self.0.clear();
        }
        self.0.push((text.to_owned(), regexp.clone()));
        Ok(regexp)
    }
}

/// Applies a pattern.
pub(super) fn regex<'a>(
    kind: RegexKind,
    regexp: &Regexp,
    text: &Val<'a>,
    limit: Option<&Val<'a>>,
    work: &Work,
) -> Outcome<'a> {
    let s = match text {
        // The name of a type is also accepted as text.
        Val::Type(name) => name,
        _ => text.as_str().ok_or(Error::NO_OVERLOAD)?,
    };
    let part = |range: std::ops::Range<usize>| match text {
        Val::Str(t) => funcs::slice(t, &s[range], work).map(Val::Str),
        _ => Ok(Val::Str(Text::from(s[range].to_owned()))),
    };
    work.read(s)?;
    Ok(match kind {
        RegexKind::Matches => Val::Bool(regexp.is_match(s)),
        RegexKind::Find => regexp.find(s).map_or(Ok(Val::text("")), part)?,
        RegexKind::FindAll => {
            let most = match limit {
                None => usize::MAX,
                Some(Val::Int(n)) => usize::try_from(*n).unwrap_or(usize::MAX),
                Some(_) => return Err(Error::NO_OVERLOAD),
            };
            let found = regexp.find_iter(s).take(most).map(|range| work.items(1).and_then(|()| part(range)));
            Val::list(found.collect::<Result<_, _>>()?)
        }
    })
}
