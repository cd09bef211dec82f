//! A Kubernetes API server for tests: in the process, or on a port. It decides like the real one, because it uses crdgen's
//! checks, field manager and OpenAPI. It starts in milliseconds and keeps everything in memory.

mod admission;
mod answer;
mod clock;
mod controllers;
mod discovery;
mod door;
mod lifecycle;
mod openapi;
mod quota;
mod random;
mod rbac;
mod registry;
mod request;
mod select;
mod server;
mod show;
mod size;
mod state;
mod status;
mod store;
mod testing;
mod tokens;
#[cfg(feature = "http")]
mod trust;
mod user;
mod verbs;
mod watch;
mod webhooks;

use crdgen_kubernetes::{json_patch, meta, number};

#[cfg(feature = "http")]
pub use door::{Access, Listening, listen};
#[cfg(feature = "tls")]
pub use door::{Certificates, Tls, random_token};
pub use door::{ClientAs, ResponseBody};
pub use server::{NotReached, Passed, Rejected, Server, Snapshot, run};
pub use store::{Saved, Storage};
pub use testing::{Fault, Recorded, Records, Rule, Simulation};
pub use user::User;
pub use webhooks::Reviewer;
