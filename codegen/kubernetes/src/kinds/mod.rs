//! Kubernetes' own kinds: their names, versions, subresources and schemas.

mod role;
mod row;
mod rows;
mod subresource;
mod verb;

pub use role::Role;
pub use row::{Row, api_version};
pub use rows::{find, rows};
pub use subresource::{Access, Subresource, SubresourceKind};
pub use verb::Verb;
