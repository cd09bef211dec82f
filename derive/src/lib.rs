//! The derive macros of crdgen: a shell over `crdgen-core`.
