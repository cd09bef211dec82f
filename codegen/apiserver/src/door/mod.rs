//! How requests reach a server: as a service in the process, and over HTTP.

mod body;
#[cfg(feature = "http")]
mod listen;
mod service;

pub use body::ResponseBody;
#[cfg(feature = "http")]
pub use listen::{Listening, listen};
