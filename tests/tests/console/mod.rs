//! Commands as users type them: `tests/goldens/console/*.txt` contains each command with its output and exit code.
//! `UPDATE=1` writes the answers again.

#[cfg(unix)]
mod action;
#[cfg(unix)]
pub(crate) mod arguments;
#[cfg(unix)]
mod baselines;
#[cfg(unix)]
mod config;
#[cfg(unix)]
mod formats;
#[cfg(unix)]
mod inputs;
#[cfg(unix)]
mod mcp;
#[cfg(unix)]
mod packages;
#[cfg(unix)]
mod revisions;
#[cfg(unix)]
mod testing;
#[cfg(unix)]
mod texts;
#[cfg(unix)]
mod upgrades;

use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens/console")
}

/// Runs a line of shell in which `crdgen` is the command under test.
fn run(line: &str) -> String {
    let script = format!("crdgen() {{ \"$CRDGEN\" \"$@\"; }}\n{line}");
    let out = Command::new("sh")
        .args(["-c", &script])
        .env("CRDGEN", env!("CARGO_BIN_EXE_tool"))
        .env("NO_COLOR", "1")
        .current_dir(folder())
        .output()
        .unwrap_or_else(|e| panic!("{line}: {e}"));
    let mut text = String::from_utf8_lossy(&out.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&out.stderr));
    let text: String = text.lines().map(|l| format!("{}\n", l.trim_end())).collect();
    format!("{text}[{}]\n", out.status.code().unwrap_or(-1))
}

#[test]
fn every_command_prints_its_golden() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap_or_else(|e| panic!("{e}"))
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "txt"))
        .collect();
    files.sort();
    let mut stale = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{e}"));
        let mut out = String::new();
        // Output may look like a comment, except in the first line after an empty one.
        let (mut inside, mut before) = (false, "");
        for line in text.lines() {
            let ended = inside && before.starts_with('[') && before.ends_with(']');
            if line.starts_with("$ ") || ended || line.starts_with("# ") && before.is_empty() {
                inside = false;
            }
            before = line;
            if inside || !(line.starts_with("$ ") || line.starts_with("# ")) {
                continue;
            }
            out.push_str(line);
            out.push('\n');
            if let Some(command) = line.strip_prefix("$ ") {
                out.push_str(&run(command));
                out.push('\n');
                inside = true;
            }
        }
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(file, &out).unwrap_or_else(|e| panic!("{e}"));
        } else if text != out {
            stale.push(format!("{}:\n{out}", file.display()));
        }
    }
    assert!(!files.is_empty());
    assert!(stale.is_empty(), "differ, run with UPDATE=1 and look at the difference: {}", stale.join("\n"));
}
