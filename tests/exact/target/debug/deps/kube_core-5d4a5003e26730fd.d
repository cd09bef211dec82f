/work/w/projects/tests/exact/target/debug/deps/kube_core-5d4a5003e26730fd.d: /work/w/projects/tests/exact/theirs/core/src/lib.rs

/work/w/projects/tests/exact/target/debug/deps/libkube_core-5d4a5003e26730fd.rlib: /work/w/projects/tests/exact/theirs/core/src/lib.rs

/work/w/projects/tests/exact/target/debug/deps/libkube_core-5d4a5003e26730fd.rmeta: /work/w/projects/tests/exact/theirs/core/src/lib.rs

/work/w/projects/tests/exact/theirs/core/src/lib.rs:
