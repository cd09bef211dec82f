//! The API server of `crdgen-apiserver` as a process: what `crdgen serve` is made of.
//!
//! [`open`] starts a server with the objects in a folder, and keeps them there. [`Door`] decides who may use it. [`Reach`] is how
//! clients reach it, and writes their kubeconfig. [`envtest`] has the programs that envtest starts.
//!
//! ```no_run
//! use crdgen_serve::{Door, Protection, runtime};
//!
//! # fn main() -> Result<(), crdgen_files::Error> {
//! let server = crdgen_serve::open("data".as_ref(), 0)?;
//! let door = Door::new(&Protection::of(([127, 0, 0, 1], 0).into()))?;
//! runtime()?.block_on(async {
//!     let listening = door.listen(server, None).await?;
//!     println!("ready on {}", listening.reach.url());
//!     listening.serve().await;
//!     Ok(())
//! })
//! # }
//! ```
//!
//! **Unstable**: any release may change what is in this crate.

mod data;
mod door;
pub mod envtest;
mod kubeconfig;
mod runtime;

pub use data::open;
pub use door::{Door, Listening, Protection, Token};
pub use kubeconfig::Reach;
pub use runtime::runtime;
