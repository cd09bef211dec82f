//! A controller as one writes it on kube-rs: it reconciles a kind, keeps its status, owns objects by
//! server-side apply, records events, and cleans up behind a finalizer.
//!
//! The same stands here twice: with types by crdgen, and by kube-derive and schemars. Their sources
//! (`site/kinds.rs` and `site_kube_rs/kinds.rs`) differ in `use` lines, and the controller in nothing.
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
