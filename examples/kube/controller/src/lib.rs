//! A controller on kube-rs: it reconciles a kind, keeps its status, owns objects by server-side apply, records
//! events, and cleans up with a finalizer.
//!
//! There are two copies of it: with types by crdgen, and by kube-derive and schemars. The sources of the types
//! (`site/kinds.rs` and `site_kube_rs/kinds.rs`) differ only in `use` lines, and those of the controller not at
//! all.
//!
//! A second one, `crontabs`, works with a kind that others define.

#![allow(clippy::duplicate_mod, reason = "one controller for two sets of types")]

pub mod crontabs;

/// With crdgen.
pub mod site {
    pub mod kinds;
    pub mod reconcile;
}

/// With kube-derive and schemars.
pub mod site_kube_rs {
    pub mod kinds;
    #[path = "../site/reconcile.rs"]
    pub mod reconcile;
}
