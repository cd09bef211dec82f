//! Conversion between the versions of a kind. The facade's module of this name has an example.

mod context;
mod error;
#[cfg(feature = "webhook")]
mod guard;
mod lines;
#[cfg(feature = "check")]
mod lossless;
mod shape;
mod stash;
mod versions;

#[doc(hidden)]
pub use crate::from_value::{Fields, Step};
#[doc(hidden)]
pub use context::is_empty;
pub use context::{Context, Object};
#[doc(hidden)]
pub use error::Failure;
pub use error::{Error, Within};
#[doc(hidden)]
pub use lines::convert_lines;
#[cfg(feature = "check")]
pub use lossless::Lossy;
#[doc(hidden)]
pub use shape::{
    Boxed, Entries, Hashed, Items, Optional, Own, Part, Plain, Shape, TryPart, UnlessEmpty, downgraded,
    plain, upgraded,
};
pub use versions::Versions;
#[doc(hidden)]
pub use versions::{Trust, Way, keep_unknown, no_way, way};

use std::convert::Infallible;

/// A type of a newer version that converts from and to a type of an older one. Derive it with `#[derive(Convert)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not convert from `{Old}`",
    label = "no conversion from `{Old}`",
    note = "if both are types of yours, add #[derive(Convert)] and #[convert(from = \"…\")] to `{Self}`",
    note = "otherwise name a function for each direction: #[convert(with = \"…\", back = \"…\")]"
)]
pub trait Convert<Old>: Sized {
    /// The error: [`Infallible`] if every value can be converted, otherwise [`Error`].
    type Error;

    /// Converts a value of the older version to the newer one.
    fn upgrade(old: Old, context: &mut Context) -> Result<Self, Self::Error>;

    /// Converts a value of the newer version to the older one.
    fn downgrade(self, context: &mut Context) -> Result<Old, Self::Error>;
}

/// Both versions use the same type.
impl<T> Convert<T> for T {
    type Error = Infallible;

    #[inline]
    fn upgrade(old: T, _: &mut Context) -> Result<T, Infallible> {
        Ok(old)
    }

    #[inline]
    fn downgrade(self, _: &mut Context) -> Result<T, Infallible> {
        Ok(self)
    }
}
