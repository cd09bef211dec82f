//! Codes of Rust sources (`RST…`).

codes! {}
