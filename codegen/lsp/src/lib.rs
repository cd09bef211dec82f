//! The language server of crdgen, which editors run as `crdgen lsp`. It finds the CRDs of a workspace by itself, reports what
//! `crdgen check` and `crdgen validate` find while you type, and knows the fields of CRDs and of Kubernetes' own kinds.
//!
//! One thread answers requests, and another one reads files and checks documents. The server runs no program other than git, and reads only
//! files of the workspace, and the old CRDs that the settings name.
//!
//! **Unstable**: any release may change what is in this module.

mod capabilities;
mod completion;
mod definition;
mod diagnostics;
mod document;
mod expression;
mod findings;
mod fixes;
mod folding;
mod hover;
mod keywords;
mod log;
mod markdown;
mod minimal;
mod paths;
mod place;
mod positions;
mod rename;
mod schedule;
mod server;
mod signature;
mod state;
mod stored;
mod subject;
mod symbols;
mod tokens;
mod transport;
mod walk;
mod work;
mod workspace;

pub use findings::{Checked, Found, of_text};
pub use server::{Stopped, serve};
pub use transport::stdio;
pub use workspace::{Settings, Workspace};
