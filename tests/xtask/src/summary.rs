//! The last lines of a run: how long each step took, what was skipped or failed, and how many tests passed.

use crate::steps::Lane;
use std::fs;
use std::path::PathBuf;

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// Without an error.
    Passed,
    /// With an error.
    Failed,
    /// It did not run, because a tool is missing.
    Skipped,
}

/// The end of a step.
pub(crate) struct End {
    /// The name of the step.
    pub(crate) step: &'static str,
    /// Its lane.
    pub(crate) lane: Lane,
    /// How it ended.
    pub(crate) how: How,
    /// How long it took.
    pub(crate) seconds: u64,
    /// The file with its output.
    pub(crate) log: PathBuf,
    /// Whether its output was shown.
    pub(crate) is_shown: bool,
}

/// How many of the last lines of a failed step are printed once more, because records of long output often leave out the
/// middle.
const LAST_LINES: usize = 25;

/// Prints the summary. Returns whether no step failed.
pub(crate) fn print(ends: &[End]) -> bool {
    let (mut passed, mut failed) = (0, 0);
    for end in ends {
        let log = String::from_utf8_lossy(&fs::read(&end.log).unwrap_or_default()).into_owned();
        let tests = tests_in(&log);
        passed += tests.0;
        match end.how {
            How::Passed | How::Skipped => failed += tests.1,
            How::Failed => {
                failed += tests.1.max(1);
                println!("\n── the end of {}", end.step);
                let lines: Vec<&str> = log.lines().collect();
                lines[lines.len().saturating_sub(LAST_LINES)..].iter().for_each(|line| println!("{line}"));
            }
        }
    }
    let mut slowest: Vec<&End> = ends.iter().filter(|end| end.how != How::Skipped).collect();
    slowest.sort_by_key(|end| std::cmp::Reverse(end.seconds));
    println!("\nseconds of each step:");
    slowest.iter().for_each(|end| println!("{:6}  {}", end.seconds, end.step));
    if let Some(longest) = slowest.first() {
        println!("the longest step is {} with {} s", longest.step, longest.seconds);
    }
    let of =
        |how: How| ends.iter().filter(|end| end.how == how).map(|end| end.step).collect::<Vec<_>>().join(" ");
    println!("\nskipped: {}; failed: {}", of(How::Skipped), of(How::Failed));
    println!("{passed} passed, {failed} failed");
    failed == 0
}

/// Sums up cargo's summaries: how many tests passed and failed.
fn tests_in(log: &str) -> (usize, usize) {
    let mut sum = (0, 0);
    for line in log.lines().filter_map(|line| line.strip_prefix("test result: ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let of = |word: &str| {
            let at = words.iter().position(|it| *it == word)?;
            words[at.checked_sub(1)?].parse().ok()
        };
        sum = (sum.0 + of("passed;").unwrap_or(0), sum.1 + of("failed;").unwrap_or(0));
    }
    sum
}

#[cfg(test)]
mod tests {
    #[test]
    fn counts_tests() {
        let log = "running 2 tests\ntest result: FAILED. 12 passed; 1 failed; 0 ignored\nx\ntest result: ok. 3 passed; 0 failed; 0 ignored\n";
        assert_eq!(super::tests_in(log), (15, 1));
    }
}
