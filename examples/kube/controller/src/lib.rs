//! A controller on kube-rs: it reconciles a kind, updates its status, owns objects with server-side apply, records
//! events, and cleans up with a finalizer.
//!
//! There are two copies of it: one uses crdgen's types, the other those of kube-derive and schemars. The sources of the
//! types (`site/kinds.rs` and `site_kube_rs/kinds.rs`) differ only in `use` lines, and those of the controller are the
//! same.
//!
//! A second controller, `crontabs`, works with a kind of another project.

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
