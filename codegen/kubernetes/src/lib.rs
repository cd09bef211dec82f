//! What the API server's own code says about Kubernetes' own kinds: which there are, what it checks in their objects, what it
//! warns about, and what it sets in them. Nothing here uses the state of a cluster, files or the terminal.

mod checks;
pub mod columns;
pub mod decode;
mod devices;
pub mod expressions;
mod field;
pub mod finish;
pub mod json_patch;
pub mod kinds;
pub mod labels;
pub mod meta;
pub mod metadata;
mod mistake;
mod names;
pub mod number;
pub mod policies;
#[cfg(feature = "rpc")]
pub mod rpc;
pub mod services;
mod subject;
mod write;

pub use checks::{ADMIN_LABEL, quotient};
pub use field::Field;
pub use mistake::Mistake;
pub use subject::Subject;
pub use write::{Answer, Applied, Write, without_given};
