//! What recorded answers are compared with.

mod real;
mod shape;

pub(crate) use real::Real;
pub(crate) use shape::has_shape;
