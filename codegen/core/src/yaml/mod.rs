//! YAML as kubectl reads and writes it.
