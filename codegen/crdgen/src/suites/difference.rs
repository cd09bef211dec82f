//! Shows how an object differs from the expected one, line by line.

use crdgen_core::value::Value;
use crdgen_core::yaml;
use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};

pub(super) fn difference(expected: &Value, found: &Value) -> String {
    let (expected, found) = (yaml::write_object(expected), yaml::write_object(found));
    let input = InternedInput::new(expected.as_str(), found.as_str());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let lines = BasicLineDiffPrinter(&input.interner);
    let hunks = diff.unified_diff(&lines, UnifiedDiffConfig::default(), &input);
    format!("--- expected\n+++ stored\n{hunks}")
}
