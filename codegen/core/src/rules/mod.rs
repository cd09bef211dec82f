//! Validation rules of schemas: the bridge between schemas and [`crate::cel`], which knows nothing of them.
//! `declare` says what rules see of a schema, `compile` what a rule becomes, `budget` and `advice` what it may cost
//! and what would make it cheaper; `run` evaluates rules on objects.

#[cfg(feature = "check")]
mod advice;
#[cfg(feature = "check")]
mod budget;
#[cfg(feature = "check")]
mod compile;
mod declare;
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
