//! Go's ways of writing and reading text, where the server's words depend on them.

#[cfg(feature = "check")]
mod decimal;
#[cfg(any(feature = "check", feature = "syntax"))]
pub mod duration;
#[cfg(feature = "check")]
pub mod net;
#[cfg(feature = "check")]
pub mod quantity;
#[cfg(feature = "check")]
pub mod regexp;
#[cfg(feature = "check")]
pub mod semver;
#[cfg(feature = "check")]
mod sort;
#[cfg(feature = "check")]
pub mod url;
#[cfg(feature = "check")]
mod x509;
#[cfg(feature = "check")]
pub mod zones;

pub use crdgen_model::go::{
    base64_decode, base64_encode, base64_url_decode, float_g, is_print, number, pattern, quote, rfc3339,
    time, valid_utf8,
};
#[cfg(any(feature = "check", feature = "syntax"))]
pub use duration::duration;
#[cfg(feature = "check")]
pub use sort::sort;
#[cfg(feature = "check")]
pub use url::Url;
#[cfg(feature = "check")]
pub use x509::check_certificates;
