//! `#[crdgen::test]` as users use it.

use crdgen::testing::Server;
use std::sync::atomic::{AtomicU64, Ordering};

#[crdgen::test]
async fn a_test_gets_a_server(server: Server) {
    assert!(server.requests().is_empty());
}

const NAMESPACE: &str = "apiVersion: v1\nkind: Namespace\nmetadata: {name: one}\n";

#[crdgen::test(seeds = 3)]
async fn a_test_may_return_an_error(server: Server) -> Result<(), crdgen::testing::Rejected> {
    // Each seed has a new server, so the name is free.
    server.add(NAMESPACE)
}

#[crdgen::test(seed = 2)]
#[should_panic(expected = "the test has failed: \"wrong\"")]
async fn an_error_fails_the_test(_: Server) -> Result<(), String> {
    Err("wrong".to_owned())
}

#[crdgen::test(seeds = 5)]
async fn a_test_runs_once_for_each_seed(_: Server) {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let runs = RUNS.fetch_add(1, Ordering::SeqCst) + 1;
    assert!(runs <= 5, "{runs}");
}
