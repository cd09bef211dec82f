//! Follows the README step by step: a block of Rust is a file of a package, and `cargo` runs in the package as the
//! README shows. `tests/live` has the steps that need a cluster. `$CRDGEN` is the command `crdgen`. Without it, its
//! output is not compared.

use std::path::{Path, PathBuf};
use std::process::Command;

const README: &str = include_str!("../README.md");

/// A block of the README: its language and its text.
fn blocks() -> Vec<(&'static str, &'static str)> {
    let mut out = Vec::new();
    let mut parts = README.split("```");
    while let (Some(_), Some(block)) = (parts.next(), parts.next()) {
        out.push(block.split_once('\n').expect("a language"));
    }
    out
}

/// The package of the README, which grows with each step.
struct Package {
    folder: PathBuf,
    /// The folder in which dependencies are already built.
    target: PathBuf,
}

impl Package {
    fn new() -> Package {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
        if folder.exists() {
            std::fs::remove_dir_all(&folder).expect("it can be removed");
        }
        std::fs::create_dir_all(folder.join("src")).expect("a folder");
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        let crdgen = own.join("../../codegen/crdgen");
        // The features are the same as in the tests of this package.
        let manifest = format!(
            "[workspace]\n[package]\nname = \"site\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n\
             crdgen = {{ path = {crdgen:?}, features = [\"check\", \"self-signed\"] }}\n\
             serde = {{ version = \"1\", features = [\"derive\"] }}\n"
        );
        std::fs::write(folder.join("Cargo.toml"), manifest).expect("it can be written");
        std::fs::copy(own.join("Cargo.lock"), folder.join("Cargo.lock")).expect("it can be written");
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder").to_owned();
        Package { folder, target }
    }

    fn write(&self, file: &str, text: &str) {
        std::fs::write(self.folder.join(file), text).expect("it can be written");
    }

    /// Runs `crdgen`, which must print exactly these lines.
    fn crdgen(&self, args: &str, lines: &[&str]) {
        let Some(program) = std::env::var_os("CRDGEN") else {
            eprintln!("SKIPPED crdgen {args}: $CRDGEN is not set");
            return;
        };
        let out = Command::new(program)
            .args(args.split(' '))
            .current_dir(&self.folder)
            .output()
            .expect("crdgen runs");
        let said = String::from_utf8_lossy(&out.stdout);
        assert_eq!(said.lines().collect::<Vec<_>>(), lines, "{}", String::from_utf8_lossy(&out.stderr));
    }

    /// Runs cargo. It must print these lines, and fail if there is an error among them.
    fn cargo(&self, command: &str, lines: &[&str]) {
        let out = Command::new(env!("CARGO"))
            .args([command, "--offline"])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_TERM_COLOR", "never")
            .output()
            .expect("cargo runs");
        let said =
            format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        for line in lines {
            assert!(said.lines().any(|said| said.trim_end() == *line), "no line {line:?}:\n{said}");
        }
        let fails = lines.iter().any(|line| line.starts_with("error"));
        assert_eq!(out.status.success(), !fails, "cargo {command}: {said}");
        if fails {
            let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("error[")).collect();
            assert!(errors.iter().all(|error| lines.contains(error)), "{errors:#?}");
        }
    }
}

#[test]
fn the_readme_runs() {
    let package = Package::new();
    let (mut files, mut runs) = (0, 0);
    for (language, text) in blocks() {
        match language {
            "rust" => {
                let (file, code) = text
                    .strip_prefix("// ")
                    .and_then(|text| text.split_once('\n'))
                    .unwrap_or_else(|| panic!("no file is named: {text}"));
                package.write(file, code);
                files += 1;
            }
            "console" => {
                let mut lines = text.lines().peekable();
                while let Some(line) = lines.next() {
                    let Some(command) = line.strip_prefix("$ ") else { continue };
                    let mut expected = Vec::new();
                    while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                        expected.push(line);
                    }
                    match command.split_once(' ') {
                        Some(("cargo", command @ ("check" | "test"))) => package.cargo(command, &expected),
                        Some(("crdgen", args)) if args.starts_with("convert ") => {
                            package.crdgen(args, &expected)
                        }
                        // These commands need a cluster.
                        Some(("kubectl" | "crdgen" | "cargo", _)) => continue,
                        _ => panic!("a command that is not known: {command}"),
                    }
                    runs += 1;
                }
            }
            other => panic!("a block of {other}"),
        }
    }
    assert!(files >= 9 && runs >= 6, "{files} files, {runs} runs");
}
