/work/w/projects/tests/exact/target/debug/deps/crdgen_ask-aeec0c002b37a506.d: ask.rs

/work/w/projects/tests/exact/target/debug/deps/crdgen_ask-aeec0c002b37a506: ask.rs

ask.rs:
