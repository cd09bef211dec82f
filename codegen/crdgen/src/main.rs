//! The `crdgen` command.

fn main() {}
