//! Tokens and TLS.

use crate::client::Client;
use crate::process::{Process, Scratch, crdgen, failure};
use crdgen_core::go;
use std::path::Path;
use std::process::Command;

/// What follows a key in a kubeconfig.
fn value(kubeconfig: &str, key: &str) -> String {
    let line = kubeconfig.lines().find_map(|line| line.trim().strip_prefix(key)?.strip_prefix(": "));
    line.unwrap_or_else(|| panic!("no {key} in {kubeconfig}")).trim_matches('"').to_owned()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a kubeconfig")
}

fn authority(kubeconfig: &str) -> String {
    let text = value(kubeconfig, "certificate-authority-data");
    String::from_utf8(go::base64_decode(&text).expect("base64")).expect("PEM")
}

#[test]
fn without_options_everybody_on_this_machine_may_do_everything() {
    let scratch = Scratch::new();
    let file = scratch.path("kubeconfig");
    let server = Process::serve(&["--kubeconfig", &file.to_string_lossy()]);
    assert!(server.url().starts_with("http://127.0.0.1:"), "{}", server.url());
    assert_eq!(value(&read(&file), "server"), server.url());
    assert_eq!(Client::new(server.url(), None, None).get("/api/v1/namespaces").code, 200);
}

/// Without `--token`, roles decide about few clients.
#[test]
fn roles_without_tokens_are_warned_about() {
    let scratch = Scratch::new();
    for (more, is_warned) in [(None, true), (Some("--token"), false)] {
        let errors = scratch.path("errors");
        let file = std::fs::File::create(&errors).expect("a file");
        let mut command = Command::new(crdgen());
        command.args(["serve", "--authorization-mode", "RBAC"]).args(more).stderr(file);
        drop(Process::start(&mut command));
        assert_eq!(
            read(&errors).contains("warning: roles decide only about"),
            is_warned,
            "{}",
            read(&errors)
        );
    }
}

#[test]
fn a_kubeconfig_of_others_stays() {
    let scratch = Scratch::new();
    let file = scratch.path("kubeconfig");
    let others = "users: [{name: a, user: {token: precious}}]\n";
    std::fs::write(&file, others).expect("a file");
    let why = failure(&["--kubeconfig", &file.to_string_lossy()]);
    assert!(why.contains("crdgen has not written this file"), "{why}");
    assert_eq!(read(&file), others);
    std::fs::remove_file(&file).expect("removed");
    // Its own one is replaced.
    for _ in 0..2 {
        drop(Process::serve(&["--kubeconfig", &file.to_string_lossy()]));
    }
}

#[test]
fn a_token_is_asked_for_over_tls() {
    let scratch = Scratch::new();
    let file = scratch.path("kubeconfig");
    let server = Process::serve(&["--token", "--kubeconfig", &file.to_string_lossy()]);
    let text = read(&file);
    let (authority, token) = (authority(&text), value(&text, "token"));
    assert!(token.len() == 64 && server.url().starts_with("https://"), "{text}");
    let client = || Client::new(server.url(), Some(&authority), None);
    let refused = client().get("/api/v1/namespaces");
    assert_eq!(refused.code, 401);
    for part in [r#""kind":"Status""#, r#""reason":"Unauthorized""#, r#""code":401"#] {
        assert!(refused.body.contains(part), "{}", refused.body);
    }
    // Probes have no token.
    assert_eq!(client().get("/readyz").code, 200);
    let with = |token: &str| client().header(format!("authorization: Bearer {token}"));
    assert_eq!(with(&token).get("/api/v1/namespaces").code, 200);
    for wrong in [&token[1..], &format!("{token}0"), "", "x"] {
        assert_eq!(with(wrong).get("/api/v1/namespaces").code, 401, "{wrong}");
    }
    // A body is not read before the server knows who sends it. If the connection ends while the body is sent, the answer may be lost.
    let large = "a".repeat(1 << 20);
    let answer = (0..10).find_map(|_| client().try_send("POST", "/api/v1/namespaces", &large).ok());
    assert_eq!(answer.map(|answer| answer.code), Some(401));
    // Another authority is not trusted.
    let other = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let stranger = Client::new(server.url(), Some(&other.cert.pem()), None);
    assert!(stranger.try_send("GET", "/readyz", "").is_err());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&file).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "others may read the token");
    }
}

#[test]
fn a_token_can_come_from_a_file() {
    let scratch = Scratch::new();
    let (file, token) = (scratch.path("kubeconfig"), scratch.write("token", "my-token\n"));
    let option = format!("--token={}", token.display());
    let server = Process::serve(&[&option, "--kubeconfig", &file.to_string_lossy()]);
    assert_eq!(value(&read(&file), "token"), "my-token");
    let client = Client::new(server.url(), Some(&authority(&read(&file))), None);
    assert_eq!(client.header("authorization: Bearer my-token").get("/api/v1/pods").code, 200);
    for text in ["", "\n", "two words", "a\nb", "\"quoted\""] {
        let token = scratch.write("wrong", text);
        let why = failure(&[&format!("--token={}", token.display())]);
        assert!(why.contains("not a token"), "{text:?}: {why}");
    }
}

#[test]
fn tokens_of_service_accounts_survive_a_restart() {
    let scratch = Scratch::new();
    let (file, data) = (scratch.path("kubeconfig"), scratch.path("data"));
    let (kubeconfig, folder) = (file.to_string_lossy().into_owned(), data.to_string_lossy().into_owned());
    let start = || {
        let server = Process::serve(&["--token", "--kubeconfig", &kubeconfig, "--data", &folder]);
        let text = read(&file);
        (server, authority(&text), value(&text, "token"))
    };
    let client = |server: &Process, authority: &str, token: &str| {
        let client = Client::new(server.url(), Some(authority), None);
        client.header(format!("authorization: Bearer {token}")).header("content-type: application/json")
    };
    let reviewed = |client: &Client, token: &str| {
        let review = format!(r#"{{"kind":"TokenReview","spec":{{"token":"{token}"}}}}"#);
        client.send("POST", "/apis/authentication.k8s.io/v1/tokenreviews", &review).body
    };
    const ACCOUNTS: &str = "/api/v1/namespaces/default/serviceaccounts";
    let (server, trusted, token) = start();
    let admin = client(&server, &trusted, &token);
    assert_eq!(admin.send("POST", ACCOUNTS, r#"{"metadata":{"name":"robot"}}"#).code, 201);
    let answer = admin.send("POST", &format!("{ACCOUNTS}/robot/token"), r#"{"spec":{}}"#);
    let answer: serde_json::Value = serde_json::from_str(&answer.body).expect("JSON");
    let robot = answer["status"]["token"].as_str().expect("a token").to_owned();
    // The server knows its own token too.
    assert!(reviewed(&admin, &token).contains("kubernetes-admin"));
    assert!(reviewed(&admin, "other").contains("invalid bearer token"));
    assert_eq!(client(&server, &trusted, &robot).get(ACCOUNTS).code, 200);
    drop(server);
    let (server, trusted, token) = start();
    assert_eq!(client(&server, &trusted, &robot).get(ACCOUNTS).code, 200);
    let admin = client(&server, &trusted, &token);
    assert!(reviewed(&admin, &robot).contains("system:serviceaccount:default:robot"));
    assert_eq!(admin.send("DELETE", &format!("{ACCOUNTS}/robot"), "").code, 200);
    assert_eq!(client(&server, &trusted, &robot).get(ACCOUNTS).code, 401);
    drop(server);
    std::fs::write(data.join("crdgen.key"), "guess").expect("a file");
    let why = failure(&["--token", "--kubeconfig", &kubeconfig, "--data", &folder]);
    assert!(why.contains("crdgen.key") && why.contains("not a secret of crdgen"), "{why}");
}

#[test]
fn servers_that_others_reach_are_protected_unless_you_say_so() {
    let scratch = Scratch::new();
    let file = scratch.path("kubeconfig");
    let file = file.to_string_lossy();
    let why = failure(&["--listen", "0.0.0.0:0"]);
    assert!(why.contains("Add `--kubeconfig FILE`"), "{why}");
    let server = Process::serve(&["--listen", "0.0.0.0:0", "--kubeconfig", &file]);
    let client = Client::new(server.url(), Some(&authority(&read(Path::new(&*file)))), None);
    assert_eq!(client.get("/api/v1/namespaces").code, 401);
    let open = Process::serve(&["--listen", "0.0.0.0:0", "--insecure"]);
    assert_eq!(Client::new(open.url(), None, None).get("/api/v1/namespaces").code, 200);
}
