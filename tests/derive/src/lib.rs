//! Nothing: what is tested is in `tests`.
