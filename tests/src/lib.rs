//! What the tests share: it generates requests (from hand-written cases and seeded mutations of CRDs and objects),
//! sends them to the oracle, which is the API server's own code, and to crdgen, and compares the answers.

use std::io::Write;
use std::time::Duration;

pub mod case;
pub mod compare;
pub mod corpus;
pub mod cost;
pub mod evaluations;
pub mod histories;
pub mod imports;
pub mod json;
pub mod kubernetes;
pub mod matrix;
pub mod mutate;
pub mod natives;
pub mod older;
pub mod oracle;
pub mod ours;
pub mod policies;
pub mod random_types;
pub mod rng;
pub mod shapes;
pub mod smd;
pub mod vectors;
pub mod witness;
pub mod yaml;

/// Which part of what is too much for one run a test tries: the number in `$CRDGEN_TURN`, or 0. CI tries another part of
/// each commit.
pub fn turn() -> usize {
    std::env::var("CRDGEN_TURN").ok().and_then(|turn| turn.parse().ok()).unwrap_or(0)
}

/// The processor time of this thread so far: other programs may need the processor too. Other systems than Linux do not show it
/// here.
pub fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = stat.split_whitespace().next().and_then(|text| text.parse().ok());
    Duration::from_nanos(first.unwrap_or(0))
}

/// Prints that a test is skipped, and why. The test harness hides the output of `eprintln!` for tests that pass, so
/// this writes directly to standard error.
pub fn skip(what: &str, why: impl std::fmt::Display) {
    _ = writeln!(std::io::stderr(), "SKIPPED {what}: {why}");
}
