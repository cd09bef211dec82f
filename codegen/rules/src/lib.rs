//! The validation rules of schemas: connects schemas with [`crate::cel`], which does not know schemas.
//!
//! `declare` gives rules the types of schemas, and `compile` compiles rules. `budget` limits their costs, and `advice`
//! finds bounds that make them cheaper. `reads` finds the optional fields that rules need, `demands` those that rules require, and `run` evaluates rules on
//! objects.

#[cfg(feature = "check")]
mod advice;
#[cfg(feature = "check")]
mod budget;
#[cfg(feature = "check")]
mod compile;
mod declare;
pub(crate) mod demands;
pub(crate) mod reads;
#[cfg(feature = "check")]
pub mod run;

#[cfg(feature = "check")]
pub use advice::{Advice, Bound, advise, advise_at};
#[cfg(feature = "check")]
pub use budget::{Expensive, RULE_LIMIT, TOTAL_LIMIT, Total, cardinality, exceeds, words};
#[cfg(feature = "check")]
pub use compile::{Compiled, Compiler, Environments, Expression, Preexisting, Rejection};
pub use declare::{DeclId, Decls};
#[cfg(feature = "syntax")]
pub(crate) use declare::{DeclSizes, Fields};
