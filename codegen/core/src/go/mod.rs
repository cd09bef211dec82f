//! Go's ways of writing and reading text, where the server's words depend on them.

mod quote;

pub use quote::quote;
