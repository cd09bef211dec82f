//! How overloads are evaluated.

use super::Decl;
use crate::funcs::{Called, Operator, RegexKind};
use crate::value::{Error, Opaque, Outcome, Val, Work};
use std::fmt;
use std::sync::Arc;

/// The Rust function of an overload.
pub(crate) type Native = for<'a> fn(&[Val<'a>], &Work) -> Called<'a>;

/// A function that was declared at run time.
pub(crate) type Closure = dyn for<'a> Fn(&[Val<'a>]) -> Outcome<'a> + Send + Sync;

/// How an overload is evaluated.
pub(crate) enum Run {
    /// As an operator.
    Apply(Operator),
    /// With a regular expression.
    Regex(RegexKind),
    /// By a function, for arguments of the declared types. Of lists and maps, only one element is checked, as in Go.
    Call(Native),
    /// By a function that is called in another way.
    With(Way, Native),
    /// By the object that is its target.
    Target,
    /// By a function that was declared at run time.
    Own(Arc<Closure>),
}

/// How a function is called, if that is special.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// If its argument is constant, it is called in advance.
    Conversion,
    /// Errors for arguments of other types do not contain their types.
    Method,
    /// Arguments are not checked, unless there are several overloads.
    GuardedIfSeveral,
    /// Arguments are not checked.
    Unguarded,
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Run::Apply(operator) => operator.fmt(f),
            Run::Regex(kind) => kind.fmt(f),
            Run::With(way, _) => way.fmt(f),
            Run::Call(_) | Run::Target | Run::Own(_) => f.write_str("function"),
        }
    }
}

impl Decl {
    /// Calls the overload.
    pub(crate) fn call<'a>(&self, args: &[Val<'a>], work: &Work) -> Outcome<'a> {
        let result = match &self.run {
            Run::Apply(operator) => Some(operator.apply(args, work)),
            Run::Regex(_) => None,
            Run::Call(function) | Run::With(_, function) => function(args, work),
            Run::Target => match args {
                [Val::Opaque(Opaque::Object(object)), args @ ..] => Some(object.call(&self.function, args)),
                _ => None,
            },
            Run::Own(function) => Some(function(args)),
        };
        result.unwrap_or(Err(Error::NO_OVERLOAD))
    }

    /// How it is called, if that is special.
    pub(crate) fn way(&self) -> Option<Way> {
        match self.run {
            Run::With(way, _) => Some(way),
            Run::Apply(Operator::Type | Operator::Dyn) => Some(Way::Conversion),
            Run::Apply(_) | Run::Regex(_) | Run::Call(_) | Run::Target | Run::Own(_) => None,
        }
    }
}
