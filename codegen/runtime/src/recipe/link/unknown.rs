//! The reasons why crdgen does not know the value of code without running it.

use std::fmt;

/// The reason why a value is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unknown {
    /// The code is too complex for crdgen to evaluate.
    Code(String),
    /// The code includes this file, which is outside of the package and the checkout around it.
    Outside(String),
    /// The value is the default of a type, whose name is given if it has one.
    Default(Option<String>),
    /// The type has no `Default` that crdgen can read.
    NoDefault {
        /// The name of the type.
        ty: String,
        /// Whether the type is an enum, so that a variant can be marked as the default.
        is_enum: bool,
    },
    /// No variant of the enum is marked as the default.
    NoVariant(String),
    /// Defaults are nested too deeply inside other defaults.
    TooDeep,
    /// The value of the code is too large, or takes too long to compute.
    TooLarge,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Code(code) => write!(f, "crdgen cannot evaluate `{code}` without running code"),
            Unknown::Outside(file) => {
                write!(
                    f,
                    "crdgen does not read {file:?}, because it is outside of the package and the checkout around it"
                )
            }
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
