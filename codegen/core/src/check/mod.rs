//! What the API server checks when a definition is created or updated, a module per concern.

pub mod schema;
pub mod structural;
