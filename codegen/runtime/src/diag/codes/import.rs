//! Codes of importing CRDs as Rust (`IMP…`).

codes! {}
