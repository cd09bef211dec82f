//! `crdgen mcp`: `tests/goldens/mcp.txt` is a session of a client. A line with `>` is a message that gets an answer, and one with `-` is a
//! message that gets none. Answers are below. `UPDATE=1` writes them again.

use super::arguments::folder;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn assistants_call_tools() {
    let goldens = Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens");
    let file = goldens.join("mcp.txt");
    let known = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{e}"));
    let crd = std::fs::read_to_string(goldens.join("console/ruled.yaml")).unwrap_or_else(|e| panic!("{e}"));
    // Without the rule that the server rejects.
    let crd = crd.replace(" && self.weight <= oldSelf.weight", "");
    let files = [
        ("crds/ruled.yaml", crd.as_str()),
        ("Cargo.toml", ""),
        ("crdgen.toml", "[check]\nlint = \"LNT002\"\n"),
    ];
    let mut child = Command::new(env!("CARGO_BIN_EXE_tool"))
        .args(["mcp", "--root", "."])
        .current_dir(folder("mcp", &files))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{e}"));
    let mut input = child.stdin.take().unwrap_or_else(|| panic!("no input"));
    let mut output = BufReader::new(child.stdout.take().unwrap_or_else(|| panic!("no output")));
    let mut found = String::new();
    let questions = known.lines().filter(|line| ["# ", "> ", "- "].iter().any(|mark| line.starts_with(mark)));
    for line in questions {
        if line.starts_with("# ") && !found.is_empty() {
            found.push('\n');
        }
        found.push_str(line);
        found.push('\n');
        let (mark, message) = line.split_at(2);
        if mark == "# " {
            continue;
        }
        writeln!(input, "{message}").unwrap_or_else(|e| panic!("{line}: {e}"));
        if mark == "> " {
            let mut answer = String::new();
            output.read_line(&mut answer).unwrap_or_else(|e| panic!("{line}: {e}"));
            let mut answer: serde_json::Value =
                serde_json::from_str(&answer).unwrap_or_else(|e| panic!("{line}: {answer}: {e}"));
            // The object is that of the text.
            if let Some(object) = answer.pointer_mut("/result/structuredContent").map(serde_json::Value::take)
            {
                let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
                assert_eq!(serde_json::from_str(text).ok(), Some(object), "{line}");
                answer["result"]["structuredContent"] = "…".into();
            }
            shown(&answer, "  ", &mut found);
        }
    }
    drop(input);
    assert_eq!(child.wait().unwrap_or_else(|e| panic!("{e}")).code(), Some(0));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &found).unwrap_or_else(|e| panic!("{e}"));
    } else {
        assert_eq!(known, found, "UPDATE=1 writes what was found");
    }
}

/// Writes a value as lines: a path and a text each. Texts with several lines are indented.
fn shown(value: &serde_json::Value, path: &str, out: &mut String) {
    match value {
        serde_json::Value::Object(members) if !members.is_empty() => {
            for (name, member) in members {
                shown(member, &format!("{path}.{name}"), out);
            }
        }
        serde_json::Value::Array(items) if !items.is_empty() => {
            for (i, item) in items.iter().enumerate() {
                shown(item, &format!("{path}[{i}]"), out);
            }
        }
        serde_json::Value::String(text) if text.contains('\n') => {
            _ = writeln!(out, "{path}:");
            text.lines().for_each(|line| _ = writeln!(out, "{}", format!("    | {line}").trim_end()));
        }
        other => _ = writeln!(out, "{path}: {other}"),
    }
}
