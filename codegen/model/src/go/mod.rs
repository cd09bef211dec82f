//! Go's ways of writing and reading text, where the server's words depend on them: what readers and writers of
//! definitions need.

mod base64;
mod float;
pub mod number;
pub mod pattern;
mod quote;
pub mod time;
mod utf8;

pub use base64::{decode as base64_decode, decode_url as base64_url_decode, encode as base64_encode};
pub use float::float_g;
pub use quote::{is_print, quote};
pub use time::rfc3339;
pub use utf8::valid_utf8;
