//! Runs kubectl against the server, and compares what it prints with what it prints for the real control plane.
//!
//! To record a walk: start a control plane, and run `UPDATE=1 CRDGEN_WALK_KUBECONFIG=… cargo test -p crdgen-apiserver
//! --all-features --test walk`.

#![cfg(feature = "http")]

use crdgen_apiserver::{Server, listen};
use regex::Regex;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Differences that are none: uids, times, versions, ages, generated names and addresses; and the order of errors, which is
/// random in Go.
fn normal(text: &str) -> String {
    let mut text = text.to_owned();
    for (pattern, to) in [
        ("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UID"),
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "TIME"),
        (r#"resourceVersion: "\d+""#, "resourceVersion: VERSION"),
        (r"\b\d+(m\d+)?s\b *", "AGE "),
        (r"gen-[a-z0-9]{5}", "gen-XXXXX"),
        (r"(?m) +$", ""),
    ] {
        text = Regex::new(pattern).expect("a pattern").replace_all(&text, to).into_owned();
    }
    let mut lines: Vec<&str> = text.lines().collect();
    for group in lines.chunk_by_mut(|a, b| a.starts_with("* ") && b.starts_with("* ")) {
        group.sort_unstable();
    }
    lines.join("\n")
}

fn run(command: &str, folder: &Path, kubeconfig: &Path) -> String {
    let home = kubeconfig.parent().expect("a folder");
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("KUBECONFIG", kubeconfig)
        .env("HOME", home)
        .output()
        .expect("a shell");
    let text = [output.stdout, output.stderr].concat();
    format!("{}\n[{}]", normal(&String::from_utf8_lossy(&text)), output.status.code().unwrap_or(-1))
}

/// The commands of a walk, each with what is expected.
fn steps(text: &str) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            out.push((command.to_owned(), String::new()));
        } else if let Some((_, expected)) = out.last_mut() {
            expected.push_str(line);
            expected.push('\n');
        }
    }
    out
}

#[test]
fn kubectl_prints_the_same_as_with_the_real_control_plane() {
    if Command::new("kubectl").args(["version", "--client"]).output().is_err() {
        eprintln!("SKIPPED: kubectl is missing");
        return;
    }
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/walks");
    let path = folder.join("crontabs.walk");
    let text = fs::read_to_string(&path).expect("the walk");
    let scratch = std::env::temp_dir().join(format!("crdgen-walk-{}", std::process::id()));
    fs::create_dir_all(&scratch).expect("a folder");
    if let (Some(kubeconfig), Some(_)) =
        (std::env::var_os("CRDGEN_WALK_KUBECONFIG"), std::env::var_os("UPDATE"))
    {
        let own = scratch.join("kubeconfig");
        fs::copy(kubeconfig, &own).expect("a kubeconfig");
        let mut out: String =
            text.lines().take_while(|line| line.starts_with('#')).map(|l| format!("{l}\n")).collect();
        for (command, _) in steps(&text) {
            out.push_str(&format!("$ {command}\n{}\n", run(&command, &folder, &own)));
        }
        fs::write(&path, out).expect("the walk can be written");
        fs::remove_dir_all(&scratch).expect("the folder can be removed");
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let listening = runtime
        .block_on(listen(Server::new(), "127.0.0.1:0".parse().expect("an address")))
        .expect("a free port");
    let address = listening.address().expect("an address");
    runtime.spawn(listening.serve());
    let kubeconfig = scratch.join("kubeconfig");
    let text_of = format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: c\nclusters: [{{name: c, cluster: {{server: \"http://{address}\"}}}}]\n\
         contexts: [{{name: c, context: {{cluster: c, user: u}}}}]\nusers: [{{name: u, user: {{}}}}]\n"
    );
    fs::write(&kubeconfig, text_of).expect("the kubeconfig can be written");
    let mut wrong = Vec::new();
    let steps = steps(&text);
    assert!(steps.len() > 60, "only {} steps", steps.len());
    for (command, expected) in steps {
        let found = run(&command, &folder, &kubeconfig);
        if found.trim_end() != expected.trim_end() {
            wrong.push(format!("$ {command}\n--- the control plane\n{expected}\n--- this server\n{found}\n"));
        }
    }
    fs::remove_dir_all(&scratch).expect("the folder can be removed");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
