//! Go's formats that only a server's checks need.

mod canonical;
mod decimal;
pub mod net;
pub mod quantity;
pub mod regexp;
pub mod semver;
mod sort;
pub mod url;
mod x509;
pub mod zones;

pub use canonical::{canonical, canonical_resource};
pub use sort::sort;
pub use url::Url;
pub use x509::{Names, check_certificates};
