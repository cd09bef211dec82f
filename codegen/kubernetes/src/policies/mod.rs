//! Validating admission policies: which requests they concern, and what they decide.

mod conditions;
mod decide;
mod evaluate;
pub mod matching;
mod offline;
mod policy;
#[cfg(feature = "rpc")]
pub mod rpc;
mod types;

pub use conditions::{Condition, Conditions};
pub use decide::{Annotation, Cluster, Decided, Decision, Denied, Judged, KindFacts, Request, Said, decide};
pub use evaluate::Seen;
pub use offline::{Asked, Definitions, Offline, is_binding, is_policy, param_kind};
pub use policy::{Binding, ParamKind, Policy};
pub use types::{TypeWarning, type_warnings};
