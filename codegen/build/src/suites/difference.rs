//! Shows how an object differs from the expected one, line by line.

use crdgen_core::value::Value;
use crdgen_core::yaml;
use crdgen_files::difference::unified;

pub(super) fn difference(expected: &Value, found: &Value) -> String {
    let (expected, found) = (yaml::write_object(expected), yaml::write_object(found));
    format!("--- expected\n+++ stored\n{}", unified(&expected, &found))
}
