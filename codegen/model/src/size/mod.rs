//! How definitions become smaller without accepting anything else: descriptions are cut, nothing more.

mod descriptions;

pub use descriptions::{each_of, limit, limit_all};
