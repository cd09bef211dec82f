//! All kinds of the tests and of the examples in one package.

#![allow(deprecated, reason = "the variants of some enums have different types")]

#[rustfmt::skip]
#[path = "../../../tests/rust/matrix.rs"]
pub mod matrix;

#[path = "../../../../examples/crontab/src/lib.rs"]
pub mod crontab;

/// What the matrix is made for elsewhere.
pub(crate) struct Kind;

/// A kind by its types.
pub(crate) fn kind<K, S>(_: &'static str) -> Kind {
    Kind
}

pub(crate) fn one<T>(_: &'static str) -> Kind {
    Kind
}
