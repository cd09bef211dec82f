//! One module per command, with the name of the command. Each has `Args` and `run`.

pub(crate) mod apply;
pub(crate) mod cel;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod convert;
pub(crate) mod crds;
pub(crate) mod diff;
pub(crate) mod discover;
pub(crate) mod docs;
pub(crate) mod emit;
pub(crate) mod expand;
pub(crate) mod explain;
pub(crate) mod fit;
pub(crate) mod get;
pub(crate) mod import;
pub(crate) mod lsp;
pub(crate) mod man;
pub(crate) mod migrate;
pub(crate) mod migrate_check;
pub(crate) mod openapi;
pub(crate) mod rpc;
pub(crate) mod serve;
pub(crate) mod test;
pub(crate) mod upgrade;
pub(crate) mod validate;
