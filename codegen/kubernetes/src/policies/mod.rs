//! Validating admission policies: which requests they concern, and what they decide.

mod decide;
mod evaluate;
pub mod matching;
mod offline;
mod policy;
#[cfg(feature = "rpc")]
pub mod rpc;

pub use decide::{Annotation, Cluster, Condition, Decided, Decision, Denied, Judged, Request, decide};
pub use evaluate::Seen;
pub use offline::{Asked, Offline};
pub use policy::{Binding, ParamKind, Policy};
