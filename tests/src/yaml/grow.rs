//! Fuzzing with a growing corpus: a text that is read with a new outcome is mutated further.

use super::{generated, torture};
use crate::rng::Rng;
use crdgen_core::yaml;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The result of a run.
#[derive(Debug, Default)]
pub struct Outcome {
    /// How many texts were read.
    pub texts: usize,
    /// How many kinds of outcome there were.
    pub kinds: usize,
    /// The longest time that one text took.
    pub slowest: Duration,
}

/// Reads texts for some time. Ends at a panic. A text that breaks a rule is returned as an error.
///
/// # Errors
/// Returns a text if crdgen writes it in a form that is not read back the same, or if it takes longer than 2 seconds.
pub fn fuzz(seed: u64, time: Duration) -> Result<Outcome, Vec<u8>> {
    let mut pool = torture();
    let mut seen = BTreeSet::new();
    let mut outcome = Outcome::default();
    let start = Instant::now();
    while start.elapsed() < time {
        let mut rng = Rng::of_case(seed, outcome.texts as u64);
        let text = generated(&pool, &mut rng);
        let began = Instant::now();
        let (documents, diags) = yaml::read(&text);
        let took = began.elapsed();
        if took > Duration::from_secs(2) {
            return Err(text);
        }
        let mut kind: Vec<String> = diags.iter().map(|d| shape(&d.text)).collect();
        for document in &documents {
            let written = yaml::write(&document.value);
            match yaml::read_one(written.as_bytes()) {
                Ok(again) if again.value == super::as_json(&document.value) => {}
                _ => return Err(text),
            }
            kind.extend(document.strict.iter().map(|d| shape(&d.text)));
            kind.push(format!("{:?} {}", document.format, written.len().ilog2()));
        }
        if seen.insert(kind) && pool.len() < 100_000 {
            pool.push(text);
        }
        outcome.texts += 1;
        outcome.slowest = outcome.slowest.max(took);
    }
    outcome.kinds = seen.len();
    Ok(outcome)
}

/// Returns a message without its numbers and quoted parts.
fn shape(text: &str) -> String {
    text.split(['`', '"']).step_by(2).collect::<String>().replace(|c: char| c.is_ascii_digit(), "")
}
