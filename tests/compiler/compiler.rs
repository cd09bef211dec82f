//! Mistakes as the compiler prints them: `cases/*.rs`, each with its output. `TRYBUILD=overwrite` writes the output again. The
//! table of all diagnostics is `tests/ui`. Here is what users see.

use std::io::Write;
use std::process::Command;

/// The compiler whose words the answers have; others word, draw and number differently.
const COMPILER: &str = "rustc 1.95.";

#[test]
fn the_compiler_reports_mistakes() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().unwrap_or_else(|e| panic!("{e}"));
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    if !version.starts_with(COMPILER) {
        // To standard error itself: the harness shows nothing of what a passing test prints with `eprintln!`.
        _ = writeln!(
            std::io::stderr(),
            "SKIPPED what the compiler prints: the answers are those of {COMPILER}x, but this is {version}"
        );
        return;
    }
    trybuild::TestCases::new().compile_fail("cases/*.rs");
}
