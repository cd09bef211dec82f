//! Go's ways of reading and writing text, for results that depend on them.

mod base64;
#[cfg(feature = "go")]
mod canonical;
#[cfg(feature = "go")]
mod decimal;
pub mod duration;
mod error;
mod float;
#[cfg(feature = "go")]
pub mod net;
pub mod number;
pub mod pattern;
#[cfg(feature = "go")]
pub mod quantity;
mod quote;
#[cfg(feature = "go")]
pub mod regexp;
#[cfg(feature = "go")]
pub mod semver;
#[cfg(feature = "go")]
mod sort;
pub mod time;
#[cfg(feature = "go")]
pub mod url;
mod utf8;
#[cfg(feature = "go")]
mod x509;
#[cfg(feature = "go")]
pub mod zones;

pub use base64::{
    decode as base64_decode, decode_bytes as base64_decode_bytes, decode_raw_url as base64_raw_url_decode,
    decode_url as base64_url_decode, encode as base64_encode, encode_raw_url as base64_raw_url_encode,
};
#[cfg(feature = "go")]
pub use canonical::{canonical, canonical_resource};
pub use duration::duration;
pub use error::Error;
pub use float::float_g;
pub use quote::{is_print, quote};
#[cfg(feature = "go")]
pub use sort::sort;
pub use time::rfc3339;
#[cfg(feature = "go")]
pub use url::Url;
pub use utf8::valid_utf8;
#[cfg(feature = "go")]
pub use x509::check_certificates;
