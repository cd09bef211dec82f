//! The features of the server, as data: `features/*.txt` have files with a cursor, and what the server answers there.
//!
//! A case starts with `=== title`. Each `--- name` starts a file of the workspace, and `--- answer` what the server answers about
//! the cursor `$0` in one of them. `widgets.yaml` is a file of each workspace. `UPDATE=1` writes the answers.

use std::fmt::Write;
use std::path::Path;

use crate::client::{Client, uri};
use serde_json::{Value, json};

struct Case<'t> {
    title: &'t str,
    files: Vec<(&'t str, String)>,
    answer: String,
}

fn read(text: &str) -> Vec<Case<'_>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    let mut is_answer = false;
    for line in text.split_inclusive('\n') {
        if let Some(title) = line.strip_prefix("=== ") {
            cases.push(Case { title: title.trim_end(), files: Vec::new(), answer: String::new() });
            is_answer = false;
            continue;
        }
        let Some(case) = cases.last_mut() else { continue };
        match line.strip_prefix("--- ").map(str::trim_end) {
            Some("answer") => is_answer = true,
            Some(name) => case.files.push((name, String::new())),
            None if is_answer => case.answer.push_str(line),
            None => case.files.last_mut().unwrap().1.push_str(line),
        }
    }
    cases
}

fn written(head: &str, cases: &[Case<'_>]) -> String {
    let mut out = head.to_owned();
    for case in cases {
        _ = writeln!(out, "=== {}", case.title);
        for (name, text) in &case.files {
            _ = write!(out, "--- {name}\n{text}");
        }
        _ = write!(out, "--- answer\n{}", case.answer);
    }
    out
}

/// A document with the cursor.
struct Cursor<'c> {
    title: &'c str,
    root: &'c Path,
    name: &'c str,
    text: String,
    position: Value,
    diagnostics: Vec<Value>,
}

fn run(feature: &str, ask: fn(&mut Client, &Cursor<'_>) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/features/{feature}.txt"));
    let known = std::fs::read_to_string(&path).unwrap();
    let head = known.split_once("=== ").map_or("", |(head, _)| head);
    let mut cases = read(&known);
    for case in &mut cases {
        let root = crate::client::folder();
        std::fs::write(root.join("widgets.yaml"), include_str!("../features/widgets.yaml")).unwrap();
        let with_cursor = case.files.iter().find(|(_, text)| text.contains("$0")).unwrap();
        for (name, text) in &case.files {
            std::fs::write(root.join(name), text.replacen("$0", "", 1)).unwrap();
        }
        let (name, text) = with_cursor;
        let offset = text.find("$0").unwrap();
        let text = text.replacen("$0", "", 1);
        let line_start = text[..offset].rfind('\n').map_or(0, |i| i + 1);
        let position =
            json!({ "line": text[..offset].matches('\n').count(), "character": offset - line_start });
        // Fixes are for lints.
        let mut client =
            if feature == "fixes" { Client::with_lints(&root) } else { Client::start(Some(&root)) };
        client.open(&root.join(name), 1, &text);
        let diagnostics = client.diagnostics(&root.join(name), 1);
        let cursor = Cursor { title: case.title, root: &root, name, text, position, diagnostics };
        case.answer = ask(&mut client, &cursor);
        client.stop();
    }
    let found = written(head, &cases);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &found).unwrap();
    } else {
        assert_eq!(known, found, "UPDATE=1 writes what was found");
    }
}

impl Cursor<'_> {
    fn params(&self) -> Value {
        json!({ "textDocument": { "uri": uri(&self.root.join(self.name)) }, "position": self.position })
    }

    /// A range in a text: its start, and what is in it.
    fn shown(&self, range: &Value) -> String {
        shown(range, &self.text)
    }
}

fn offset(at: &Value, text: &str) -> usize {
    let line = usize::try_from(at["line"].as_u64().unwrap()).unwrap();
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    (start + usize::try_from(at["character"].as_u64().unwrap()).unwrap()).min(text.len())
}

fn shown(range: &Value, text: &str) -> String {
    let (start, end) = (offset(&range["start"], text), offset(&range["end"], text));
    let part = text[start..end].replace('\n', "\\n");
    let line = range["start"]["line"].as_u64().unwrap() + 1;
    format!("{line}:{} [{part}]", range["start"]["character"].as_u64().unwrap() + 1)
}

#[test]
fn diagnostics() {
    run("diagnostics", |_, cursor| {
        let mut out = String::new();
        for it in &cursor.diagnostics {
            let text = it["message"].as_str().unwrap().replace('\n', "\n    ");
            let place = cursor.shown(&it["range"]);
            _ = writeln!(out, "{place} {} {}: {text}", it["code"].as_str().unwrap(), it["severity"]);
            for related in it["relatedInformation"].as_array().into_iter().flatten() {
                let file = related["location"]["uri"].as_str().unwrap().rsplit('/').next().unwrap();
                let text = std::fs::read_to_string(cursor.root.join(file)).unwrap();
                let place = shown(&related["location"]["range"], &text);
                _ = writeln!(out, "    {file} {place}: {}", related["message"].as_str().unwrap());
            }
        }
        out
    });
}

#[test]
fn completion() {
    run("completion", |client, cursor| {
        let items = client.request("textDocument/completion", cursor.params());
        let mut items: Vec<&Value> = items.as_array().into_iter().flatten().collect();
        items.sort_by_key(|it| it["sortText"].as_str().or(it["label"].as_str()).map(str::to_owned));
        let mut out = String::new();
        for item in items {
            let edit = &item["textEdit"];
            let detail = item["detail"].as_str().unwrap_or("value");
            let place = cursor.shown(&edit["range"]);
            _ = writeln!(out, "{place} -> [{}] {detail}", edit["newText"].as_str().unwrap());
        }
        out
    });
}

#[test]
fn hover() {
    run("hover", |client, cursor| {
        let hover = client.request("textDocument/hover", cursor.params());
        if hover.is_null() {
            return "nothing\n".to_owned();
        }
        let text = hover["contents"]["value"].as_str().unwrap();
        format!("{}\n{}\n", cursor.shown(&hover["range"]), text.trim_end())
    });
}

#[test]
fn signatures() {
    run("signatures", |client, cursor| {
        let help = client.request("textDocument/signatureHelp", cursor.params());
        let Some(signatures) = help["signatures"].as_array() else { return "nothing\n".to_owned() };
        let mut out = String::new();
        for (i, signature) in signatures.iter().enumerate() {
            let mark = if help["activeSignature"] == i { "> " } else { "  " };
            let label = signature["label"].as_str().unwrap();
            let parameter =
                &signature["parameters"][help["activeParameter"].as_u64().unwrap() as usize]["label"];
            let bounds = [0, 1].map(|i| parameter[i].as_u64().map(|at| at as usize));
            let label = match bounds {
                [Some(start), Some(end)] => {
                    format!("{}[{}]{}", &label[..start], &label[start..end], &label[end..])
                }
                _ => label.to_owned(),
            };
            _ = writeln!(out, "{mark}{label}");
        }
        out
    });
}

#[test]
fn definition() {
    run("definition", |client, cursor| {
        let found = client.request("textDocument/definition", cursor.params());
        if found.is_null() {
            return "nothing\n".to_owned();
        }
        let file = found["uri"].as_str().unwrap().rsplit('/').next().unwrap();
        let text = std::fs::read_to_string(cursor.root.join(file)).unwrap();
        format!("{file} {}\n", shown(&found["range"], &text))
    });
}

/// The edits of a rename to the name in backquotes in the title.
#[test]
fn rename() {
    run("rename", |client, cursor| {
        let mut params = cursor.params();
        let prepared = client.ask("textDocument/prepareRename", params.clone());
        let mut out = match client.answer(&prepared).response_result {
            Ok(found) => format!("{}\n", cursor.shown(&found["range"])),
            Err(why) => format!("error: {}\n", why.message),
        };
        params["newName"] = cursor.title.split('`').nth(1).unwrap().into();
        let renamed = client.ask("textDocument/rename", params);
        match client.answer(&renamed).response_result {
            Ok(found) => {
                let edits =
                    found["changes"].as_object().unwrap().values().flat_map(|it| it.as_array().unwrap());
                for edit in edits {
                    let place = cursor.shown(&edit["range"]);
                    _ = writeln!(out, "{place} -> [{}]", edit["newText"].as_str().unwrap());
                }
            }
            Err(why) => _ = writeln!(out, "error: {}", why.message),
        }
        out
    });
}

/// The lines that can be folded, with the text of the first one.
#[test]
fn folding() {
    run("folding", |client, cursor| {
        let found = client.request("textDocument/foldingRange", cursor.params());
        let lines: Vec<&str> = cursor.text.lines().collect();
        let mut out = String::new();
        for range in found.as_array().into_iter().flatten() {
            let [start, end] = ["startLine", "endLine"].map(|name| range[name].as_u64().unwrap() as usize);
            _ = writeln!(out, "{}-{} {}", start + 1, end + 1, lines[start].trim());
        }
        out
    });
}

/// The tokens of expressions, a line of the text each.
#[test]
fn tokens() {
    const TYPES: [&str; 9] =
        ["variable", "property", "function", "macro", "namespace", "keyword", "string", "number", "operator"];
    run("tokens", |client, cursor| {
        let found = client.request("textDocument/semanticTokens/full", cursor.params());
        let numbers: Vec<u64> =
            found["data"].as_array().unwrap().iter().map(|it| it.as_u64().unwrap()).collect();
        let (mut line, mut character, mut out) = (0, 0, String::new());
        for token in numbers.chunks(5) {
            if token[0] > 0 || out.is_empty() {
                _ = write!(out, "{}{}:", if out.is_empty() { "" } else { "\n" }, line + token[0] + 1);
            }
            character = if token[0] > 0 { token[1] } else { character + token[1] };
            line += token[0];
            let start = json!({ "line": line, "character": character });
            let end = json!({ "line": line, "character": character + token[2] });
            let text = &cursor.text[offset(&start, &cursor.text)..offset(&end, &cursor.text)];
            _ = write!(out, " {} [{text}]", TYPES[token[3] as usize]);
        }
        out.push('\n');
        out
    });
}

#[test]
fn stored() {
    run("stored", |client, cursor| {
        let params = json!({ "command": "crdgen.stored", "arguments": [cursor.params()] });
        let found = client.request("workspace/executeCommand", params);
        found.as_str().unwrap_or("nothing\n").to_owned()
    });
}

#[test]
fn symbols() {
    fn add(symbol: &Value, depth: usize, cursor: &Cursor<'_>, out: &mut String) {
        let detail = symbol["detail"].as_str().map(|it| format!(" = {it}")).unwrap_or_default();
        let (range, own) = (&symbol["range"], &symbol["selectionRange"]);
        let lines = [&range["start"], &range["end"]].map(|it| it["line"].as_u64().unwrap() + 1);
        _ = writeln!(
            out,
            "{:indent$}{}{detail} ({}-{}, {})",
            "",
            symbol["name"].as_str().unwrap(),
            lines[0],
            lines[1],
            cursor.shown(own),
            indent = depth * 2
        );
        for child in symbol["children"].as_array().into_iter().flatten() {
            add(child, depth + 1, cursor, out);
        }
    }
    run("symbols", |client, cursor| {
        let found = client.request("textDocument/documentSymbol", cursor.params());
        let mut out = String::new();
        found.as_array().into_iter().flatten().for_each(|it| add(it, 0, cursor, &mut out));
        out
    });
}

#[test]
fn fixes() {
    run("fixes", |client, cursor| {
        let mut params = cursor.params();
        params["range"] = json!({ "start": cursor.position, "end": cursor.position });
        params["context"] = json!({ "diagnostics": [] });
        let found = client.request("textDocument/codeAction", params);
        let mut out = String::new();
        for action in found.as_array().into_iter().flatten() {
            _ = writeln!(out, "{}", action["title"].as_str().unwrap());
            for edit in
                action["edit"]["changes"].as_object().unwrap().values().flat_map(|it| it.as_array().unwrap())
            {
                let text = edit["newText"].as_str().unwrap().replace('\n', "\\n");
                _ = writeln!(out, "  {} -> [{text}]", cursor.shown(&edit["range"]));
            }
        }
        out
    });
}
