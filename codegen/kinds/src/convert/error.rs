//! Why a value has no counterpart in another version.

use crate::from_value::Step;
use crdgen_runtime::path::Step as PathStep;
use std::convert::Infallible;
use std::fmt;

/// The error of a value that cannot be converted to another version, with its path.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    path: String,
    /// The same path in steps, the last one first.
    steps: Vec<PathStep>,
    message: String,
}

impl Error {
    /// Creates an error at the value that is being converted.
    pub fn new(message: impl fmt::Display) -> Error {
        Error { path: String::new(), steps: Vec::new(), message: message.to_string() }
    }

    /// Returns the path of the value in the newer version, such as `spec.ports[0].name`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the same in steps.
    #[doc(hidden)]
    pub fn steps(&self) -> impl Iterator<Item = &PathStep> {
        self.steps.iter().rev()
    }

    /// Returns what is wrong with the value.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

impl std::error::Error for Error {}

/// The error of a field's conversion, as the error of the conversion of the type around it.
#[diagnostic::on_unimplemented(
    message = "this conversion can fail, but the conversion of the type around it cannot",
    note = "add `fallible` to #[convert(…)] on the type around it: it then has `TryFrom` instead of `From`"
)]
pub trait Within<Whole> {
    #[doc(hidden)]
    fn within(self) -> Whole;
}

impl Within<Infallible> for Infallible {
    fn within(self) -> Infallible {
        self
    }
}

impl Within<Error> for Infallible {
    fn within(self) -> Error {
        match self {}
    }
}

impl Within<Error> for Error {
    fn within(self) -> Error {
        self
    }
}

/// An error of a conversion: none at all, or one with a path.
pub trait Failure: Sized {
    #[doc(hidden)]
    fn below(self, step: Step<'_>) -> Self;
}

impl Failure for Infallible {
    fn below(self, _: Step<'_>) -> Infallible {
        self
    }
}

impl Failure for Error {
    fn below(mut self, step: Step<'_>) -> Error {
        self.steps.push(match step {
            Step::Field(name) | Step::Key(name) => PathStep::Key(name.to_owned()),
            Step::Item(index) => PathStep::Index(index),
        });
        self.path = step.before(&self.path);
        self
    }
}
