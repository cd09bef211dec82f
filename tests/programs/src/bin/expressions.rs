//! Prints requests of op `cel` with thousands of rules: `expressions generated|mutated SEED COUNT`.

use std::io::Write as _;
use std::process::ExitCode;

use crdgen_programs::expressions;
use crdgen_tests::corpus;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [kind, seed, count] = &words[..] else { return usage() };
    let (Ok(seed), Ok(count)) = (seed.parse(), count.parse()) else { return usage() };
    let requests = match kind.as_str() {
        "generated" => expressions::generated(seed, count),
        "mutated" => {
            let seeds = corpus::shared_crds().unwrap_or_else(corpus::own_crds);
            expressions::mutated(&seeds, seed, count)
        }
        _ => return usage(),
    };
    let mut out = std::io::stdout().lock();
    for request in requests {
        if writeln!(out, "{request}").is_err() {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: expressions generated|mutated SEED COUNT");
    ExitCode::from(2)
}
