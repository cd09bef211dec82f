/work/w/projects/tests/exact/target/debug/deps/theirs-80d80079490a351e.d: /work/w/projects/tests/exact/theirs/src/lib.rs

/work/w/projects/tests/exact/target/debug/deps/libtheirs-80d80079490a351e.rlib: /work/w/projects/tests/exact/theirs/src/lib.rs

/work/w/projects/tests/exact/target/debug/deps/libtheirs-80d80079490a351e.rmeta: /work/w/projects/tests/exact/theirs/src/lib.rs

/work/w/projects/tests/exact/theirs/src/lib.rs:
