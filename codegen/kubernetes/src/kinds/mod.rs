//! Kubernetes' own kinds: their names, versions, subresources and schemas.

mod name_rule;
mod named;
mod object_type;
mod published;
mod role;
mod row;
mod rows;
mod subresource;
mod verb;

pub use name_rule::NameRule;
pub use named::{RESOURCE_RULES, ResourceRules, WITH_EXPRESSIONS};
pub use object_type::{Mismatch, ObjectType};
pub use published::{Published, published};
pub use role::Role;
pub use row::{Row, api_version};
pub use rows::{KindId, find, find_with_code, rows};
pub use subresource::{Access, Subresource, SubresourceKind};
pub use verb::Verb;
