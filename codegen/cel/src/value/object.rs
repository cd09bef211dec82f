//! Objects of the program that evaluates expressions.

use std::fmt;

use super::{Error, Outcome, Val};

/// An object that the program which evaluates an expression passes as a variable. It has no fields, but functions of
/// its own, and may have state. Kubernetes' `authorizer` is one.
pub trait Object: fmt::Debug + Send + Sync {
    /// Returns the name of its type. Functions are declared for the type with this name.
    fn type_name(&self) -> &'static str;

    /// Whether it equals another value.
    ///
    /// # Errors
    /// Fails if it cannot be compared with the value. By default, it cannot be compared at all.
    fn equals(&self, _other: &Val<'_>) -> Result<bool, Error> {
        Err(Error::NO_OVERLOAD)
    }

    /// Calls one of its functions, as in `object.function(args)`. The arguments have the declared types.
    ///
    /// # Errors
    /// Fails if the function has no value.
    fn call<'a>(&self, function: &str, args: &[Val<'a>]) -> Outcome<'a>;
}
