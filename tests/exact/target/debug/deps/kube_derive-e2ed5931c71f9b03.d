/work/w/projects/tests/exact/target/debug/deps/kube_derive-e2ed5931c71f9b03.d: /work/w/projects/tests/exact/theirs/derive/src/lib.rs

/work/w/projects/tests/exact/target/debug/deps/libkube_derive-e2ed5931c71f9b03.so: /work/w/projects/tests/exact/theirs/derive/src/lib.rs

/work/w/projects/tests/exact/theirs/derive/src/lib.rs:
