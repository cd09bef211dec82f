//! Why the value of code is not known without running it.

use std::fmt;

/// The reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unknown {
    /// The code is not simple enough to be read.
    Code(String),
    /// The default of a type; none if the type has no name.
    Default(Option<String>),
    /// A type without a `Default` that can be read.
    NoDefault {
        /// The type.
        ty: String,
        /// Whether it is an enum, which marks a variant.
        is_enum: bool,
    },
    /// No variant of an enum is marked.
    NoVariant(String),
    /// Defaults inside of defaults.
    TooDeep,
    /// Code that makes too much, or takes too long.
    TooLarge,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Code(code) => write!(f, "crdgen cannot evaluate `{code}` without running code"),
            Unknown::Default(Some(ty)) => {
                write!(f, "crdgen cannot evaluate the default of `{ty}` without running code")
            }
            Unknown::Default(None) => {
                f.write_str("crdgen cannot evaluate the default of this type without running code")
            }
            Unknown::NoDefault { ty, is_enum } => {
                let mark = if *is_enum { " and mark a variant with `#[default]`" } else { "" };
                write!(f, "`{ty}` has no `Default` that crdgen can read: derive it{mark}")
            }
            Unknown::NoVariant(ty) => {
                write!(f, "no variant of `{ty}` is the default: mark one with `#[default]`")
            }
            Unknown::TooDeep => f.write_str("the default is nested too deep"),
            Unknown::TooLarge => {
                f.write_str("the program's defaults are too large, or take too long to evaluate")
            }
        }
    }
}
