//! What the server answers to new objects, compared with what the real one answers.
//!
//! A file has groups: `base PATH OBJECT` is a path and an object, and each `+ PATCH` after it is a case: the object with a merge
//! patch. What the real server answers follows: the code and the message or, for invalid objects, each mistake in a line of its own.
//! A line `~ REASON` after a case says why this server answers something else.
//!
//! To record a file: start a control plane, and run `UPDATE=1 CRDGEN_WALK_KUBECONFIG=… cargo test -p crdgen-apiserver
//! --all-features --test answers -- NAME`. Nothing is stored.

#[path = "../common/mod.rs"]
mod common;

use common::{JSON, send};
use crdgen_apiserver::Server;
use crdgen_core::value::{Map, Value};
use crdgen_core::{json, yaml};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

struct Case {
    path: String,
    object: Value,
    patch: String,
    differs: Option<String>,
    answer: String,
}

/// The lines of a file: those of cases, and others, which are kept as they are.
enum Line {
    Other(String),
    Case(Case),
}

fn read(text: &str) -> Value {
    json::read(text.as_bytes()).unwrap_or_else(|why| panic!("{text}: {why:?}"))
}

fn lines(text: &str) -> Vec<Line> {
    let (mut out, mut base) = (Vec::new(), (String::new(), Value::Null));
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(rest) = line.strip_prefix("base ") {
            let (path, object) = rest.split_once(' ').expect("a path and an object");
            base = (path.to_owned(), read(object));
        }
        let Some(patch) = line.strip_prefix("+ ") else {
            out.push(Line::Other(line.to_owned()));
            continue;
        };
        let mut object = base.1.clone();
        merge(&mut object, &read(patch));
        let differs = lines.next_if(|line| line.starts_with("~ ")).map(|line| line[2..].to_owned());
        let mut answer = String::new();
        while let Some(line) = lines.next_if(|line| line.starts_with(|c: char| c.is_ascii_digit())) {
            _ = writeln!(answer, "{line}");
        }
        out.push(Line::Case(Case { path: base.0.clone(), object, patch: patch.to_owned(), differs, answer }));
    }
    out
}

fn merge(object: &mut Value, patch: &Value) {
    let Value::Map(patch) = patch else { return *object = patch.clone() };
    if object.as_map().is_none() {
        *object = Value::Map(Map::new());
    }
    let Value::Map(object) = object else { return };
    for (name, value) in patch.iter() {
        match value {
            Value::Null => drop(object.remove(name)),
            value => merge(object.entry_or_insert_with(name, || Value::Null), value),
        }
    }
}

/// An answer as the files have it.
fn shown(code: u16, status: &Value) -> String {
    let text =
        |value: &Value, name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let causes = status.get("details").and_then(|it| it.get("causes")?.as_list()).unwrap_or_default();
    let mut lines: Vec<String> = match (code, text(status, "reason").as_str()) {
        (..300, _) => vec![String::new()],
        (_, "Invalid") if !causes.is_empty() => causes
            .iter()
            .map(|cause| format!(" {}: {}", text(cause, "field"), text(cause, "message")))
            .collect(),
        _ => vec![format!(" {}", text(status, "message"))],
    };
    // Their order is random in Go.
    lines.sort_unstable();
    lines.iter().fold(String::new(), |out, line| format!("{out}{code}{}\n", line.replace('\n', "\\n")))
}

/// What the control plane of a kubeconfig answers.
struct Real {
    server: String,
    token: String,
}

impl Real {
    fn of_environment() -> Option<Real> {
        std::env::var_os("UPDATE")?;
        let text = fs::read(std::env::var_os("CRDGEN_WALK_KUBECONFIG")?).expect("a kubeconfig");
        let config = yaml::read(&text).0.first()?.value.clone();
        let find = |list: &str, path: [&str; 2]| {
            let first = config.get(list)?.as_list()?.first()?;
            first.get(path[0])?.get(path[1])?.as_str().map(str::to_owned)
        };
        Some(Real {
            server: find("clusters", ["cluster", "server"])?,
            token: find("users", ["user", "token"])?,
        })
    }

    fn answer(&self, path: &str, body: &str) -> String {
        let (authorization, url) =
            (format!("Authorization: Bearer {}", self.token), format!("{}{path}", self.server));
        let out = Command::new("curl")
            .args(["-sk", "-X", "POST", "-H", &authorization, "-H", "Content-Type: application/json"])
            .args(["-w", "\n%{http_code}", "--data-binary", body, &url])
            .output()
            .expect("curl");
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        let (answer, code) = text.rsplit_once('\n').expect("a code");
        shown(code.parse().expect("a code"), &read(answer))
    }
}

async fn compare(name: &str, least: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/answers/{name}.txt"));
    let lines = lines(&fs::read_to_string(&path).expect("the answers"));
    if let Some(real) = Real::of_environment() {
        let mut out = String::new();
        for line in &lines {
            _ = match line {
                Line::Other(line) => writeln!(out, "{line}"),
                Line::Case(case) => {
                    let body = json::to_string(&case.object);
                    let answer = real.answer(&format!("{}?dryRun=All", case.path), &body);
                    let differs = case.differs.iter().fold(String::new(), |_, why| format!("~ {why}\n"));
                    write!(out, "+ {}\n{differs}{answer}", case.patch)
                }
            };
        }
        return fs::write(&path, out).expect("the answers can be written");
    }
    let (server, mut wrong, mut cases) = (Server::new(), String::new(), 0);
    for line in &lines {
        let Line::Case(case) = line else { continue };
        cases += 1;
        let uri = format!("{}?dryRun=All", case.path);
        let (code, status) = send(&server, "POST", &uri, JSON, &json::to_string(&case.object)).await;
        let found = shown(code, &status);
        _ = match (found == case.answer, &case.differs) {
            (true, None) | (false, Some(_)) => Ok(()),
            (true, Some(why)) => writeln!(wrong, "+ {}\nis the same now, but is marked: {why}", case.patch),
            (false, None) => {
                writeln!(
                    wrong,
                    "+ {}\n--- the real server\n{}--- this server\n{found}",
                    case.patch, case.answer
                )
            }
        };
    }
    assert!(cases >= least, "{name} has only {cases} cases");
    assert!(wrong.is_empty(), "{wrong}");
}

#[tokio::test]
async fn autoscalers() {
    compare("autoscalers", 50).await;
}

#[tokio::test]
async fn webhooks() {
    compare("webhooks", 110).await;
}

#[tokio::test]
async fn types() {
    compare("types", 20).await;
}

#[tokio::test]
async fn workloads() {
    compare("workloads", 80).await;
}

#[tokio::test]
async fn jobs() {
    compare("jobs", 45).await;
}

#[tokio::test]
async fn services() {
    compare("services", 30).await;
}

#[tokio::test]
async fn network() {
    compare("network", 40).await;
}

#[tokio::test]
async fn others() {
    compare("others", 110).await;
}
