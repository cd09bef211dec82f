//! Workspaces and messages that try to make `crdgen lsp` run something, read files outside, or end.

use super::folders::{OBJECT, called, link, sandbox};
use super::{GOOD, Sandbox, pipe};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// A message as the protocol frames it.
fn framed(text: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{text}", text.len())
}

fn message(method: &str, params: &str) -> String {
    framed(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#))
}

/// Reads messages until one contains a text.
fn read_until(output: &mut impl BufRead, wanted: &str) -> String {
    loop {
        let (mut length, mut line) = (0, String::new());
        while output.read_line(&mut line).is_ok_and(|read| read > 2) {
            length = line.trim().rsplit(' ').next().and_then(|it| it.parse().ok()).unwrap_or(length);
            line.clear();
        }
        let mut text = vec![0; length];
        output.read_exact(&mut text).unwrap_or_else(|e| panic!("{wanted}: {e}"));
        let text = String::from_utf8_lossy(&text).into_owned();
        if text.contains(wanted) {
            return text;
        }
    }
}

/// Opens an object in a workspace, and returns the message with its diagnostics and the code with which the server ends.
fn session(sandbox: &Sandbox, before: &str) -> (String, Option<i32>) {
    session_until(sandbox, before, "publishDiagnostics")
}

/// The same with the first message that contains a text.
fn session_until(sandbox: &Sandbox, before: &str, wanted: &str) -> (String, Option<i32>) {
    let mut command = sandbox.command(&["lsp"]);
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{path}", sandbox.path("bin").display()));
    command.current_dir(sandbox.path("checkout")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap_or_else(|e| panic!("{e}"));
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        panic!("no pipes")
    };
    let mut output = BufReader::new(output);
    let root = format!("file://{}", sandbox.path("checkout").display());
    let text = OBJECT.replace('\n', "\\n").replace("a: x", "b: x");
    let document = format!(
        r#"{{"textDocument":{{"uri":"{root}/object.yaml","languageId":"yaml","version":1,"text":"{text}"}}}}"#
    );
    let messages = [
        before.to_owned(),
        message("initialize", &format!(r#"{{"processId":null,"rootUri":"{root}","capabilities":{{}}}}"#)),
        before.to_owned(),
        framed(r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#),
        message("textDocument/didOpen", &document).replace("\"id\":1,", "       "),
    ];
    input.write_all(messages.concat().as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    let found = read_until(&mut output, wanted);
    let goodbye = message("shutdown", "null") + &framed(r#"{"jsonrpc":"2.0","method":"exit"}"#);
    input.write_all(goodbye.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    (found, child.wait().unwrap_or_else(|e| panic!("{e}")).code())
}

#[test]
fn workspaces_run_nothing() {
    let sandbox = sandbox("editors");
    sandbox.write("checkout/crd.yaml", GOOD);
    sandbox.write("checkout/chart/Chart.yaml", "apiVersion: v2\nname: a\nversion: 1.0.0\n");
    sandbox
        .write("checkout/chart/templates/crd.yaml", format!("{{{{ if .Values.x }}}}\n{GOOD}{{{{ end }}}}\n"));
    sandbox.write("checkout/over/kustomization.yaml", "resources: [../crd.yaml, ../../other.yaml]\n");
    sandbox.write("checkout/latin.yaml", b"kind: \xe9 CustomResourceDefinition apiVersion");
    sandbox.write("other.yaml", GOOD.replace("Good", "Other").replace("good", "other"));
    link(sandbox.path("other.yaml"), sandbox.path("checkout/link.yaml"));
    pipe(&sandbox.path("checkout/pipe.yaml"));
    let (diagnostics, code) = session(&sandbox, "");
    assert!(diagnostics.contains("unknown field"), "{diagnostics}");
    assert_eq!((code, called(&sandbox).as_str()), (Some(0), ""));
}

#[test]
fn malformed_messages_end_nothing() {
    let sandbox = sandbox("editors-messages");
    sandbox.write("checkout/crd.yaml", GOOD);
    for before in [
        "Content-Length: 2\r\n\r\n{]",
        "Content-Length: x\r\n\r\n",
        "\r\n\r\n",
        &framed("[1]"),
        &framed("{}"),
    ] {
        let (diagnostics, code) = session(&sandbox, before);
        assert!(diagnostics.contains("unknown field"), "{before}: {diagnostics}");
        assert_eq!(code, Some(0), "{before}");
    }
}

#[test]
fn workspaces_with_broken_files_end_nothing() {
    let sandbox = sandbox("editors-broken");
    sandbox.write("checkout/crd.yaml", GOOD);
    sandbox.write("checkout/.git/HEAD", "ref: refs/heads/main\n");
    sandbox.write("checkout/crdgen.toml", "[lsp]\nlints = 1\n");
    let large = std::fs::File::create(sandbox.path("checkout/large.yaml"));
    large.and_then(|file| file.set_len(129 << 20)).unwrap_or_else(|e| panic!("{e}"));
    let (message, code) = session_until(&sandbox, "", "window/showMessage");
    assert!(message.contains("crdgen.toml"), "{message}");
    assert_eq!(code, Some(0));
    let (diagnostics, code) = session(&sandbox, "");
    assert!(diagnostics.contains("unknown field"), "{diagnostics}");
    assert_eq!(code, Some(0));
}
