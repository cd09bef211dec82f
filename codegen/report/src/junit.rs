//! Results as JUnit's XML, which CI systems show as tests.

use std::fmt::Write;

/// A test case.
pub struct Case {
    /// The suite that it belongs to. The cases of a suite are next to each other.
    pub suite: String,
    /// Its name, such as that of an object.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
}

/// How it ended.
pub enum Outcome {
    /// Passed.
    Passed,
    /// Failed, with everything that went wrong.
    Failed(String),
    /// Skipped, with the reason.
    Skipped(String),
}

/// The document of some cases.
pub fn document(name: &str, cases: &[Case]) -> String {
    let failures = |cases: &[Case]| cases.iter().filter(|c| matches!(c.outcome, Outcome::Failed(_))).count();
    let skipped = |cases: &[Case]| cases.iter().filter(|c| matches!(c.outcome, Outcome::Skipped(_))).count();
    let head = |name: &str, cases: &[Case]| {
        let (failures, skipped) = (failures(cases), skipped(cases));
        format!(
            "name=\"{}\" tests=\"{}\" failures=\"{failures}\" skipped=\"{skipped}\"",
            escaped(name),
            cases.len()
        )
    };
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites {}>", head(name, cases));
    for suite in cases.chunk_by(|a, b| a.suite == b.suite) {
        let of = suite.first().map_or("", |case| case.suite.as_str());
        let _ = writeln!(out, "  <testsuite {}>", head(of, suite));
        for Case { name, outcome, .. } in suite {
            let _ = write!(out, "    <testcase name=\"{}\" classname=\"{}\"", escaped(name), escaped(of));
            let _ = match outcome {
                Outcome::Passed => writeln!(out, "/>"),
                Outcome::Failed(why) => {
                    let first = why.lines().next().unwrap_or_default();
                    let (first, all) = (escaped(first), escaped(why));
                    writeln!(out, ">\n      <failure message=\"{first}\">{all}</failure>\n    </testcase>")
                }
                Outcome::Skipped(why) => {
                    writeln!(out, ">\n      <skipped message=\"{}\"/>\n    </testcase>", escaped(why))
                }
            };
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// Escapes text for XML. Characters that XML 1.0 cannot contain at all become spaces.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push('\t'),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
