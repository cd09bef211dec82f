//! Messages that try to make `crdgen mcp` read files outside, run something, or end; and calls that are cancelled.

use super::folders::{called, link, sandbox, script_at};
use super::{GOOD, Sandbox, pipe};
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A client in `checkout`.
struct Client {
    server: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

impl Client {
    fn start(sandbox: &Sandbox) -> Client {
        let mut command = sandbox.command(&["mcp"]);
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", sandbox.path("bin").display()));
        command.current_dir(sandbox.path("checkout")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().unwrap_or_else(|e| panic!("{e}"));
        let (Some(input), Some(output)) = (server.stdin.take(), server.stdout.take()) else {
            panic!("no pipes")
        };
        let mut client = Client { server, input: Some(input), output: BufReader::new(output).lines() };
        client.send(
            br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
        );
        client.receive();
        client
    }

    fn send(&mut self, message: &[u8]) {
        let input = self.input.as_mut().unwrap_or_else(|| panic!("closed"));
        input.write_all(&[message, b"\n"].concat()).unwrap_or_else(|e| panic!("{e}"));
    }

    fn receive(&mut self) -> String {
        self.output.next().unwrap_or_else(|| panic!("no answer")).unwrap_or_else(|e| panic!("{e}"))
    }

    fn ask(&mut self, message: &[u8]) -> String {
        self.send(message);
        self.receive()
    }

    fn begin(&mut self, tool: &str, arguments: &str) {
        let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
        self.send(
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#).as_bytes(),
        );
    }

    fn call(&mut self, tool: &str, arguments: &str) -> String {
        self.begin(tool, arguments);
        self.receive()
    }

    /// Closes the input, and returns the code with which the server ends.
    fn stop(mut self) -> Option<i32> {
        self.input = None;
        self.server.wait().unwrap_or_else(|e| panic!("{e}")).code()
    }
}

#[test]
fn inputs_stay_in_the_workspace() {
    let sandbox = sandbox("assistants");
    sandbox.write("checkout/crd.yaml", GOOD);
    sandbox.write("checkout/-o.yaml", GOOD);
    sandbox.write("checkout/git:main", GOOD);
    sandbox.write("secret.yaml", GOOD.replace("goods", "secrets").replace("Good", "Secret"));
    sandbox.write("checkout-other/secret.yaml", GOOD);
    sandbox.write("checkout/.git/config", "");
    link(sandbox.path("secret.yaml"), sandbox.path("checkout/link.yaml"));
    link("..", sandbox.path("checkout/up"));
    link("crd.yaml", sandbox.path("checkout/inner.yaml"));
    pipe(&sandbox.path("checkout/pipe.yaml"));
    let mut client = Client::start(&sandbox);
    let here = sandbox.path("checkout").display().to_string();
    for path in [
        "crd.yaml",
        "./crd.yaml",
        "inner.yaml",
        "-o.yaml",
        &format!("{here}/crd.yaml"),
        "up/checkout/crd.yaml",
    ] {
        let answer = client.call("check", &format!(r#"{{"paths":["{path}"]}}"#));
        assert!(
            answer.contains(r#""objects":1"#) && answer.contains(r#""isError":false"#),
            "{path}: {answer}"
        );
    }
    let outside = sandbox.path("secret.yaml").display().to_string();
    let paths = [
        "..",
        "../secret.yaml",
        &outside,
        "/etc/passwd",
        "link.yaml",
        "up",
        "up/secret.yaml",
        "../checkout-other/secret.yaml",
        ".git/config",
        ".git",
        "*.yaml",
        "../*.yaml",
        "https://example.com/crd.yaml",
        "missing.yaml",
        "missing/../../secret.yaml",
        "-",
        "--cluster",
        "--help",
        "a\\u0000b",
    ];
    for path in paths {
        for (tool, arguments) in [
            ("check", format!(r#"{{"paths":["crd.yaml","{path}"]}}"#)),
            ("check", format!(r#"{{"paths":["crd.yaml"],"against":"{path}"}}"#)),
            ("validate", format!(r#"{{"crd":"{path}","paths":["crd.yaml"]}}"#)),
            ("validate", format!(r#"{{"policies":"{path}"}}"#)),
            ("convert", format!(r#"{{"types":"{path}","to":"v1"}}"#)),
            ("cel", format!(r#"{{"expression":"1","object":"{path}"}}"#)),
            ("diff", format!(r#"{{"old":"crd.yaml","new":"{path}"}}"#)),
        ] {
            let answer = client.call(tool, &arguments);
            assert!(
                answer.contains("of the workspace") && answer.contains(r#""isError":true"#),
                "{arguments}: {answer}"
            );
        }
    }
    for revision in [
        "git:",
        "git:--output=x",
        "git:main:../secret.yaml",
        "git:main:crd.yaml",
        "git:$(touch x)",
        "git:a b",
    ] {
        let answer = client.call("check", &format!(r#"{{"against":"{revision}"}}"#));
        assert!(
            answer.contains("is not a revision") && answer.contains(r#""isError":true"#),
            "{revision}: {answer}"
        );
    }
    // A special file is an error of the command, as without a server.
    let answer = client.call("check", r#"{"paths":["pipe.yaml"]}"#);
    assert!(answer.contains("pipe") && answer.contains(r#""isError":true"#), "{answer}");
    // What a folder has is read as commands read it.
    let answer = client.call("check", "{}");
    assert!(!answer.contains("secrets.example.com"), "{answer}");
    for option in ["--cluster", "-o", "--exact", "--version"] {
        let answer = client.call("explain", &format!(r#"{{"what":"{option}"}}"#));
        assert!(answer.contains("begins like an option"), "{option}: {answer}");
        let answer = client.call("cel", &format!(r#"{{"expression":"{option}"}}"#));
        assert!(answer.contains(r#""isError":true"#) && !answer.contains("Usage"), "{option}: {answer}");
    }
    for name in ["cluster", "exact", "context", "out_dir", "update", "fix"] {
        for tool in ["check", "validate", "explain", "diff", "test", "convert", "cel"] {
            let answer = client.call(tool, &format!(r#"{{"{name}":true}}"#));
            assert!(answer.contains("has no input"), "{tool} {name}: {answer}");
        }
    }
    assert_eq!((client.stop(), called(&sandbox).as_str()), (Some(0), ""));
}

#[test]
fn messages_of_assistants_end_nothing() {
    let sandbox = sandbox("assistants-messages");
    sandbox.write("checkout/crd.yaml", GOOD);
    let mut client = Client::start(&sandbox);
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
    for (message, code) in [
        (b"\xff\xfe".to_vec(), -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xe9\"}".to_vec(), -32700),
        (vec![b'a'; 40 << 20], -32700),
        (deep("[", "]").into_bytes(), -32700),
        (deep("{\"a\":", "}").into_bytes(), -32700),
        (b"\0".to_vec(), -32700),
        (b"null".to_vec(), -32600),
        (b"[]".to_vec(), -32600),
        (b"{}".to_vec(), -32600),
        (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#.to_vec(), -32600),
        (br#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#.to_vec(), -32602),
        (br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}"#.to_vec(), -32602),
        (br#"{"jsonrpc":"2.0","id":1,"method":"\u001b[31m"}"#.to_vec(), -32601),
    ] {
        let answer = client.ask(&message);
        assert!(answer.contains(&format!(r#""code":{code}"#)), "{answer}");
        assert!(!answer.contains('\u{1b}'), "{answer:?}");
    }
    // A text with syntax errors, and one that is deep.
    for text in ["\\u001b[31m: [", &"[".repeat(100_000), &"\\u0000".repeat(1000)] {
        let answer = client.call("check", &format!(r#"{{"text":"{text}"}}"#));
        assert!(answer.contains("isError") && !answer.contains('\u{1b}'), "{answer}");
    }
    let answer = client.call("check", r#"{"paths":["crd.yaml"]}"#);
    assert!(answer.contains(r#""objects":1"#), "{answer}");
    assert_eq!((client.stop(), called(&sandbox).as_str()), (Some(0), ""));
}

/// Waits until a file exists.
fn await_file(sandbox: &Sandbox, name: &str) {
    let start = Instant::now();
    while !sandbox.path(name).exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "{name} is missing");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A call that is cancelled gets no answer, and ends with the programs that it has started. So does one of a server that ends.
#[test]
fn calls_can_be_cancelled() {
    let sandbox = sandbox("assistants-cancelled");
    sandbox.write("checkout/crd.yaml", GOOD);
    sandbox.write("checkout/.git/HEAD", "ref: refs/heads/main\n");
    let script =
        format!("#!/bin/sh\ntouch {0}/started\nsleep 3\ntouch {0}/finished\n", sandbox.path("").display());
    script_at(&sandbox, "git", &script);
    let mut client = Client::start(&sandbox);
    let against = r#"{"paths":["crd.yaml"],"against":"git:HEAD"}"#;
    client.begin("check", against);
    await_file(&sandbox, "started");
    client.send(
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"a"}}"#,
    );
    let answer = client.ask(br#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#);
    assert!(answer.contains(r#""id":2"#), "{answer}");
    std::fs::remove_file(sandbox.path("started")).unwrap_or_else(|e| panic!("{e}"));
    client.begin("check", against);
    await_file(&sandbox, "started");
    let id = client.server.id().to_string();
    let killed = Command::new("kill").args(["-TERM", &id]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    client.stop();
    std::thread::sleep(Duration::from_secs(4));
    assert!(!sandbox.path("finished").exists());
}
