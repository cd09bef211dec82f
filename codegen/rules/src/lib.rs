//! The validation rules of schemas: connects schemas with [`cel`], which does not know schemas.
//!
//! `declare` gives rules the types of schemas, and `compile` compiles rules. `budget` limits their costs, and `advice`
//! finds bounds that make them cheaper. `reads` finds the optional fields that rules need, `demands` those that rules require, and `run` evaluates rules on
//! objects.
//!
//! What rules need to know of schemas is here too: `server` is the version of the API server, `structural` examines the
//! form of schemas, and `walk` and `correlate` walk through schemas and objects.

use crdgen_cel as cel;
use crdgen_runtime::{diag, ir};
use crdgen_text::{go, path, value};

#[cfg(feature = "eval")]
mod advice;
#[cfg(feature = "eval")]
mod budget;
#[cfg(feature = "eval")]
mod compile;
pub mod correlate;
mod declare;
pub mod demands;
pub mod reads;
#[cfg(feature = "eval")]
pub mod run;
pub mod server;
#[cfg(feature = "eval")]
pub mod structural;
pub mod walk;

#[cfg(feature = "eval")]
pub use advice::{Advice, Bound, CompiledRule, advise, advise_at};
#[cfg(feature = "eval")]
pub use budget::{Expensive, RULE_LIMIT, TOTAL_LIMIT, Total, cardinality, exceeds, words};
#[cfg(feature = "eval")]
pub use compile::{Compiled, Compiler, Environments, Expression, OldSelf, Preexisting, Rejection};
pub use declare::{DeclId, DeclSizes, Decls, Fields};
