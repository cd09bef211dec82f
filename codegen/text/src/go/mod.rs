//! Go's ways of reading and writing text, for results that depend on them.

mod base64;
#[cfg(feature = "go")]
mod checks;
pub mod duration;
mod error;
mod float;
pub mod number;
pub mod pattern;
mod quote;
pub mod time;
mod utf8;

pub use base64::{
    decode as base64_decode, decode_bytes as base64_decode_bytes, decode_raw_url as base64_raw_url_decode,
    decode_url as base64_url_decode, encode as base64_encode, encode_raw_url as base64_raw_url_encode,
};
#[cfg(feature = "go")]
pub use checks::{
    Names, Url, canonical, canonical_resource, check_certificates, net, quantity, regexp, semver, sort, url,
    zones,
};
pub use duration::duration;
pub use error::Error;
pub use float::float_g;
pub use quote::{is_print, quote};
pub use time::rfc3339;
pub use utf8::valid_utf8;
