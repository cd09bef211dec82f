//! How to use crdgen, one task per chapter.
//!
//! | I want to … | Chapter |
//! | --- | --- |
//! | write my first kind | [`first_kind`] |
//! | look up an attribute | [`attributes`] |
//! | write CRDs in a build script | [`build_script`] |
//! | use crdgen with kube-rs | [`kube_rs`] |
//! | get Rust types for the CRDs of others | [`import`] |
//! | check CRDs and objects in tests | [`testing`] |
//! | apply server-side | [`server_side_apply`] |
//! | support several versions of a kind | [`versions`] |
//!
//! This module exists only in the documentation.

#[doc = include_str!("first_kind.md")]
pub mod first_kind {}

#[doc = include_str!("../../ATTRIBUTES.md")]
pub mod attributes {}

#[doc = include_str!("build_script.md")]
pub mod build_script {}

#[doc = include_str!("kube_rs.md")]
pub mod kube_rs {}

#[doc = include_str!("import.md")]
pub mod import {}

#[doc = include_str!("testing.md")]
pub mod testing {}

#[doc = include_str!("../../APPLY.md")]
pub mod server_side_apply {}

#[doc = include_str!("versions.md")]
pub mod versions {}
