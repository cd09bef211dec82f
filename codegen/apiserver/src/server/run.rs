//! Runs a test with a server.

use super::Server;
use std::fmt::Debug;
use std::future::Future;
use std::ops::Range;
use tokio::runtime::Builder;

/// What a test may return.
pub trait Passed {
    /// Panics if the test has failed.
    fn check(self);
}

impl Passed for () {
    fn check(self) {}
}

impl<E: Debug> Passed for Result<(), E> {
    #[track_caller]
    fn check(self) {
        if let Err(why) = self {
            panic!("the test has failed: {why:?}");
        }
    }
}

/// Names the seed of a test that panics.
struct Named(u64);

impl Drop for Named {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let seed = self.0;
            eprintln!(
                "the test failed with seed {seed}: `#[crdgen::test(seed = {seed})]` runs only this one"
            );
        }
    }
}

/// Runs a test once for each seed, each time with a new server. The seed determines uids, generated names, and from 1 on the
/// order of events and requests (see [`Server::shuffle`]). The time of tokio is paused: it moves on once all tasks wait.
///
/// # Panics
/// Panics if the test does, and prints the seed.
pub fn run<F>(seeds: Range<u64>, test: impl Fn(Server) -> F)
where
    F: Future,
    F::Output: Passed,
{
    for seed in seeds {
        let named = Named(seed);
        let server = Server::with_seed(seed);
        if seed > 0 {
            server.shuffle(seed);
        }
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
        let runtime = runtime.unwrap_or_else(|why| panic!("tokio does not start: {why}"));
        runtime.block_on(test(server)).check();
        drop(named);
    }
}
