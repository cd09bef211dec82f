//! Mistakes as the compiler prints them: `cases/*.rs`, each with the compiler's output. `TRYBUILD=overwrite` writes the
//! output again. These cases show what users see. `tests/ui` has all diagnostics.

use std::io::Write;
use std::process::Command;

/// The compiler whose messages were recorded. Other versions have other messages.
const COMPILER: &str = "rustc 1.95.";

#[test]
fn the_compiler_reports_mistakes() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().unwrap_or_else(|e| panic!("{e}"));
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    if !version.starts_with(COMPILER) {
        let skipped =
            format!("what the compiler prints: the answers are those of {COMPILER}x, but this is {version}");
        // CI must not count as passed what has not run.
        assert!(std::env::var_os("CI").is_none(), "{skipped}");
        // Writes directly to standard error, because the test harness hides the output of `eprintln!` for tests that
        // pass.
        _ = writeln!(std::io::stderr(), "SKIPPED {skipped}");
        return;
    }
    trybuild::TestCases::new().compile_fail("cases/*.rs");
}
