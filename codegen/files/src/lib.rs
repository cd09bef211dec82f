//! What crdgen reads from a disk and writes to it: regular files (`input`), only inside of the folders that may be read (`inside`);
//! packages of Rust with their kinds (`source`), without compiling them or by compiling them; and folders that are written when they
//! change, and never lose a file of somebody else (`output`, `generated`).

pub mod difference;
pub mod error;
pub mod generated;
pub mod input;
pub mod inside;
pub mod output;
pub mod source;

pub use error::Error;
