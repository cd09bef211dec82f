//! Go's ways of writing and reading text, where the server's words depend on them.

mod base64;
#[cfg(feature = "check")]
mod decimal;
#[cfg(any(feature = "check", feature = "syntax"))]
pub mod duration;
mod float;
#[cfg(feature = "check")]
pub mod net;
pub mod number;
#[cfg(feature = "check")]
pub mod quantity;
mod quote;
#[cfg(feature = "check")]
pub mod regexp;
#[cfg(feature = "check")]
pub mod semver;
#[cfg(feature = "check")]
mod sort;
#[cfg(any(feature = "read", feature = "syntax"))]
pub mod time;
#[cfg(feature = "check")]
pub mod url;
mod utf8;
#[cfg(feature = "check")]
mod x509;
#[cfg(feature = "check")]
pub mod zones;

pub use base64::{decode as base64_decode, decode_url as base64_url_decode, encode as base64_encode};
#[cfg(any(feature = "check", feature = "syntax"))]
pub use duration::duration;
pub use float::float_g;
pub use quote::{is_print, quote};
#[cfg(feature = "check")]
pub use sort::sort;
#[cfg(any(feature = "read", feature = "syntax"))]
pub use time::rfc3339;
#[cfg(feature = "check")]
pub use url::Url;
pub use utf8::valid_utf8;
#[cfg(feature = "check")]
pub use x509::check_certificates;
