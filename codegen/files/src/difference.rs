//! The difference of two texts, in the format of `diff -u`.

use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};

/// Returns the parts of a unified diff, without the names of the files.
pub fn unified(old: &str, new: &str) -> String {
    let input = InternedInput::new(old, new);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let lines = BasicLineDiffPrinter(&input.interner);
    diff.unified_diff(&lines, UnifiedDiffConfig::default(), &input).to_string()
}
