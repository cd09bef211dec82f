//! How requests reach a server: as a service in the process, and over HTTP.

#[cfg(feature = "http")]
mod access;
mod body;
mod client;
#[cfg(feature = "http")]
mod listen;
#[cfg(feature = "http")]
mod origin;
mod service;
#[cfg(feature = "tls")]
mod subject;
#[cfg(feature = "tls")]
mod tls;
#[cfg(feature = "tls")]
mod unversioned;
mod warnings;

#[cfg(feature = "http")]
pub use access::Access;
pub use body::ResponseBody;
pub use client::ClientAs;
#[cfg(feature = "http")]
pub use listen::{Listening, listen};
#[cfg(feature = "tls")]
pub use tls::{Certificates, Tls, random_token};
