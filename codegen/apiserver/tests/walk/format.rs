//! The format of walks: commands with what they print, files, and text.
//!
//! - `== NAME` begins a file of the folder in which the commands run, and `==` ends it.
//! - `$ COMMAND` is a command. A line `~ REASON` after it says why this server prints something else. What the control plane
//!   prints follows, with `[exit N]` if the command fails.
//! - `## TEXT` is text.

use super::normal::normal;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// How many seconds a command may take.
const LIMIT: &str = "60";

/// A sequence of commands, in files with text around them.
pub(super) struct Walk(Vec<Part>);

enum Part {
    /// A line that is kept as it is.
    Text(String),
    File {
        name: String,
        text: String,
    },
    Step(Step),
}

#[derive(Clone)]
pub(super) struct Step {
    pub(super) command: String,
    /// Why this server prints something else.
    pub(super) differs: Option<String>,
    pub(super) output: String,
}

impl Walk {
    pub(super) fn parse(text: &str) -> Walk {
        let mut parts = Vec::new();
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            if let Some(name) = line.strip_prefix("== ") {
                let mut text = String::new();
                for line in lines.by_ref().take_while(|line| *line != "==") {
                    _ = writeln!(text, "{line}");
                }
                parts.push(Part::File { name: name.to_owned(), text });
            } else if let Some(command) = line.strip_prefix("$ ") {
                let differs = lines.next_if(|line| line.starts_with("~ ")).map(|line| line[2..].to_owned());
                let mut output = String::new();
                while let Some(line) = lines.next_if(|line| !is_start(line)) {
                    _ = writeln!(output, "{line}");
                }
                let output = output.trim_end().to_owned();
                parts.push(Part::Step(Step { command: command.to_owned(), differs, output }));
            } else if !line.is_empty() {
                parts.push(Part::Text(line.to_owned()));
            }
        }
        Walk(parts)
    }

    pub(super) fn steps(&self) -> impl Iterator<Item = &Step> {
        self.0.iter().filter_map(|part| match part {
            Part::Step(step) => Some(step),
            Part::Text(_) | Part::File { .. } => None,
        })
    }

    /// Runs all commands, and returns the same walk with what they print.
    pub(super) fn found(&self, folder: &Path) -> io::Result<Walk> {
        let mut parts = Vec::new();
        for part in &self.0 {
            parts.push(match part {
                Part::Text(line) => Part::Text(line.clone()),
                Part::File { name, text } => {
                    fs::write(folder.join(name), text)?;
                    Part::File { name: name.clone(), text: text.clone() }
                }
                Part::Step(step) => {
                    Part::Step(Step { output: output(&step.command, folder)?, ..step.clone() })
                }
            });
        }
        Ok(Walk(parts))
    }

    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        for part in &self.0 {
            _ = match part {
                Part::Text(line) if line.starts_with("## ") && !out.is_empty() => write!(out, "\n{line}\n"),
                Part::Text(line) => writeln!(out, "{line}"),
                Part::File { name, text } => write!(out, "== {name}\n{text}==\n"),
                Part::Step(Step { command, differs, output }) => {
                    let differs = differs.as_ref().map(|why| format!("~ {why}\n")).unwrap_or_default();
                    let end = if output.is_empty() { "" } else { "\n" };
                    write!(out, "$ {command}\n{differs}{output}{end}")
                }
            };
        }
        out
    }
}

/// Whether a line is not part of an output.
fn is_start(line: &str) -> bool {
    line.starts_with("$ ") || line.starts_with("== ") || line.starts_with("## ")
}

fn output(command: &str, folder: &Path) -> io::Result<String> {
    let out = Command::new("timeout")
        .args([LIMIT, "sh", "-c", &format!("exec 2>&1\n{command}")])
        .current_dir(folder)
        .env("HOME", folder)
        .env("KUBECONFIG", folder.join("kubeconfig"))
        .stdin(Stdio::null())
        .output()?;
    let text = String::from_utf8_lossy(&out.stdout).replace(&folder.display().to_string(), "FOLDER");
    let mut text = normal(&text);
    if let Some(code) = out.status.code().filter(|code| *code != 0) {
        _ = write!(text, "\n[exit {code}]");
    }
    Ok(text.trim().to_owned())
}
