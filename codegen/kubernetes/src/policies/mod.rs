//! Admission policies: which requests they concern, what they decide, and what they change.

mod authorizer;
mod cluster;
mod completion;
mod conditions;
mod decide;
mod evaluate;
pub mod matching;
mod mutate;
mod offline;
mod patch;
mod policy;
mod request;
#[cfg(feature = "rpc")]
pub mod rpc;
mod select;
mod types;

pub use authorizer::{Access, Permission};
pub use cluster::{Cluster, KindFacts, ParamKind};
pub use completion::ExpressionPlace;
pub use conditions::{Condition, Conditions};
pub use decide::{Annotation, Decided, Decision, Denied, Judged, Said, decide};
pub use evaluate::Seen;
pub use mutate::{Evaluated, Mutated, Objects, Part, Refused, Reinvocation, Round, mutate};
pub use offline::{Admitted, Asked, Definitions, Offline, Permissions, of_binding, of_policy, param_kind};
pub use policy::{Binding, PatchType, Policy, Purpose};
pub use request::Request;
pub use types::{TypeWarning, type_warnings};
