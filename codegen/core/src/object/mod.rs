//! Processes custom resources as the API server does, with one module per topic.

pub(crate) mod access;
pub mod admit;
pub mod cause;
pub mod conversion;
pub mod decode;
pub mod defaults;
pub mod embedded;
pub mod jsonpath;
pub mod lifecycle;
pub mod lists;
pub mod metadata;
pub(crate) mod next;
mod nulls;
pub mod prune;
pub mod published;
mod refusal;
pub(crate) mod replicas;
pub mod scale;
mod seen;
pub mod selector;
pub mod served;
mod surrounding;
pub mod table;
mod unchanged;
mod unknown;
pub mod validate;
pub mod write;

pub use admit::{Action, Admission, Checked};
pub use conversion::Conversion;
pub use refusal::{BadDefault, BadScale, Found, GoKind, Mismatch, NotDecoded, Refusal};
pub use seen::Seen;
pub use served::{Served, ServedVersion};
pub(crate) use surrounding::Surrounding;
pub use unknown::Unknown;
pub(crate) use validate::Patterns;
