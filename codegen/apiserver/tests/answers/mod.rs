//! What the server answers to new objects, compared with what the real one answers.
//!
//! A file has groups: `base PATH OBJECT` is a path and an object, and each `+ PATCH` after it is a case: the object with a merge
//! patch. What the real server answers follows: the code and the message or, for invalid objects, each mistake in a line of its own.
//! A line `~ REASON` after a case says why this server answers something else.
//!
//! `update PATH OBJECT` is an object that is there. Its cases replace it, and send their patch as a merge patch. The answer to the patch
//! follows after `patch:` if it is another one.
//!
//! `there PATH OBJECT` is an object that is there for all cases that follow. `send METHOD PATH MEDIA_TYPE BODY` is a case with one
//! request: the body is a string of JSON. Lines with `299` are the warnings that the server sends.
//!
//! `shows PATH …` prints what the answers to the cases that follow have at these paths, such as `shows spec.selector`. `shows` alone ends it.
//!
//! The order of mistakes is the real server's. If that is random, as in maps of Go, a line `in any order:` comes before them.
//!
//! To record a file: start a control plane with `--service-cluster-ip-range 10.96.0.0/12 --allow-privileged=true`, and run `UPDATE=1 CRDGEN_WALK_KUBECONFIG=… cargo test -p crdgen-apiserver
//! --all-features --test main -- answers::NAME`. Nothing stays stored.

use crate::common::{JSON, MERGE, send, send_warned};
use crate::recorded::Real;
use crdgen_apiserver::Server;
use crdgen_core::json;
use crdgen_core::value::{Map, Value};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What a case does with its object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    Create,
    /// Replaces and patches this object.
    Update,
    /// Only needs it.
    There,
}

/// The object before its cases change it.
#[derive(Clone)]
struct Base {
    verb: Verb,
    path: String,
    object: Value,
}

struct Case {
    /// The line of the file.
    line: String,
    requests: Vec<Sent>,
    /// The paths in the answers that the answer of the case has.
    shows: Vec<String>,
    differs: Option<String>,
    answer: String,
}

/// The lines of a file: those of cases, and others, which are kept as they are.
enum Line {
    Other(String),
    /// A line with an object that is there for the next cases.
    Base(String, Base),
    Case(Case),
}

/// A request of a case.
struct Sent {
    method: String,
    path: String,
    media_type: String,
    body: String,
}

impl Base {
    fn read(line: &str) -> Option<Base> {
        let (word, rest) = line.split_once(' ')?;
        let verb = match word {
            "base" => Verb::Create,
            "update" => Verb::Update,
            "there" => Verb::There,
            _ => return None,
        };
        let (path, object) = rest.split_once(' ').expect("a path and an object");
        Some(Base { verb, path: path.to_owned(), object: read(object) })
    }

    /// The path of the object.
    fn object_path(&self) -> String {
        let name = self.object.get("metadata").and_then(|it| it.get("name")?.as_str());
        format!("{}/{}", self.path, name.expect("a name"))
    }
}

impl Base {
    /// The requests of a case: the object with a patch, and the patch.
    fn requests(&self, patch: &str) -> Vec<Sent> {
        let mut object = self.object.clone();
        merge(&mut object, &read(patch));
        let object = json::to_string(&object);
        let sent = |method: &str, path: &str, media_type: &str, body: &str| Sent {
            method: method.to_owned(),
            path: format!("{path}?dryRun=All"),
            media_type: media_type.to_owned(),
            body: body.to_owned(),
        };
        let path = || self.object_path();
        match self.verb {
            Verb::Create | Verb::There => vec![sent("POST", &self.path, JSON, &object)],
            Verb::Update => vec![sent("PUT", &path(), JSON, &object), sent("PATCH", &path(), MERGE, patch)],
        }
    }
}

impl Sent {
    fn read(line: &str) -> Option<Sent> {
        let mut words = line.strip_prefix("send ")?.splitn(4, ' ').map(str::to_owned);
        let mut next = || words.next().expect("a method, a path, a media type and a body");
        let (method, path, media_type, body) = (next(), next(), next(), next());
        let body = read(&body).as_str().expect("a body").to_owned();
        Some(Sent { method, path, media_type, body })
    }
}

/// The answers to the requests of a case.
fn joined(answers: &[String]) -> String {
    match answers {
        [put, patch] if put == patch => put.clone(),
        answers => answers.join("patch:\n"),
    }
}

fn read(text: &str) -> Value {
    json::read(text.as_bytes()).unwrap_or_else(|why| panic!("{text}: {why:?}"))
}

fn lines(text: &str) -> Vec<Line> {
    let (mut out, mut last, mut shows) = (Vec::new(), None, Vec::new());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(base) = Base::read(line) {
            out.push(Line::Base(line.to_owned(), base.clone()));
            last = Some(base);
            continue;
        }
        let requests = match (line.strip_prefix("+ "), Sent::read(line)) {
            (Some(patch), _) => last.as_ref().expect("an object before its cases").requests(patch),
            (None, Some(sent)) => vec![sent],
            (None, None) => {
                if let Some(paths) = line.strip_prefix("shows") {
                    shows = paths.split_whitespace().map(str::to_owned).collect();
                }
                out.push(Line::Other(line.to_owned()));
                continue;
            }
        };
        let differs = lines.next_if(|line| line.starts_with("~ ")).map(|line| line[2..].to_owned());
        let mut answer = String::new();
        while let Some(line) = lines.next_if(|line| {
            matches!(*line, "patch:" | ANY_ORDER) || line.starts_with(|c: char| c.is_ascii_digit())
        }) {
            _ = writeln!(answer, "{line}");
        }
        out.push(Line::Case(Case { line: line.to_owned(), requests, shows: shows.clone(), differs, answer }));
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
fn shown(code: u16, status: &Value, warnings: &[String], shows: &[String]) -> String {
    let text = |value: &Value, name: &str| value.text(name).to_owned();
    let causes = status.get("details").and_then(|it| it.get("causes")?.as_list()).unwrap_or_default();
    let message = text(status, "message");
    let lines: Vec<String> = match (code, text(status, "reason").as_str()) {
        (..300, _) => vec![shows.iter().map(|path| format!(" {path}={}", at(status, path))).collect()],
        (_, "Invalid") if !causes.is_empty() => {
            let mistake = |cause| format!(" {}: {}", text(cause, "field"), text(cause, "message"));
            let mut lines: Vec<String> = causes.iter().map(mistake).collect();
            if !has_mistakes(&message, &lines) {
                lines.push(format!(" {message}"));
            }
            lines
        }
        _ => vec![format!(" {message}")],
    };
    let answer = lines.iter().map(|line| format!("{code}{line}"));
    let warnings = warnings.iter().map(|warning| format!("299 {}", warning.trim_start_matches("299 - ")));
    let all = answer.chain(warnings);
    all.map(|line| without_numbers(&without_uids(&line)).replace('\n', "\\n") + "\n").collect()
}

/// The value at a path, as JSON.
fn at(object: &Value, path: &str) -> String {
    let step = |at: &Value, step: &str| match step.parse::<usize>() {
        Ok(number) => at.as_list()?.get(number).cloned(),
        Err(_) => at.get(step).cloned(),
    };
    let found = path.split('.').try_fold(object.clone(), |at, name| step(&at, name));
    found.map_or_else(|| "nothing".to_owned(), |found| json::to_string(&found))
}

/// Whether a message has the mistakes in their order, and each once.
fn has_mistakes(message: &str, lines: &[String]) -> bool {
    let mut each: Vec<&str> = Vec::new();
    for line in lines.iter().map(|line| line.trim_start()) {
        if !each.contains(&line) {
            each.push(line);
        }
    }
    match &each[..] {
        [one] => message.ends_with(&format!(" is invalid: {one}")),
        each => message.ends_with(&format!(" is invalid: [{}]", each.join(", "))),
    }
}

/// The line before answers with an order that is random.
const ANY_ORDER: &str = "in any order:";

/// How often the real server is asked for the order of mistakes.
const TRIES: usize = 8;

/// An answer in the order of its lines, after the line that says so.
fn sorted(answer: &str) -> String {
    let mut lines: Vec<&str> = answer.lines().collect();
    lines.sort_unstable();
    lines.iter().fold(format!("{ANY_ORDER}\n"), |out, line| out + line + "\n")
}

/// A text with `TIME` in place of times, and `VERSION` in place of the versions of objects.
fn without_numbers(text: &str) -> String {
    const QUOTES: [&str; 2] = [r#"resourceVersion\":\""#, r#"resourceVersion":""#];
    let (mut out, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let shape: String = rest.chars().take(20).map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        let version = QUOTES.iter().find(|quote| rest.starts_with(**quote));
        if shape == "0000-00-00T00:00:00Z" {
            out.push_str("TIME");
            rest = &rest[shape.len()..];
        } else if let Some(version) = version {
            out.push_str(version);
            let number = rest[version.len()..].trim_start_matches(|c: char| c.is_ascii_digit());
            out.push_str(if number.len() + version.len() < rest.len() { "VERSION" } else { "" });
            rest = number;
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

/// A text with `UID` in place of uids.
fn without_uids(text: &str) -> String {
    const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
    let is_uid = |text: &str| {
        let mut groups = text.split('-');
        let is_right = |(group, length): (&str, usize)| {
            group.len() == length && group.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        groups.by_ref().zip(GROUPS).all(is_right) && text.len() == 36
    };
    let pieces = text.split_inclusive(|c: char| !c.is_ascii_hexdigit() && c != '-');
    let shown = |piece: &str| {
        let uid = piece.trim_end_matches(|c: char| !c.is_ascii_hexdigit());
        if is_uid(uid) { piece.replacen(uid, "UID", 1) } else { piece.to_owned() }
    };
    pieces.map(shown).collect()
}

impl Real {
    /// What the server answers, also if it is asked more often.
    fn answer(&self, sent: &Sent, shows: &[String]) -> String {
        let answer = self.answer_once(sent, shows);
        let mistakes = answer.lines().filter(|line| line.starts_with("422")).count();
        match (1..TRIES).any(|_| mistakes > 1 && self.answer_once(sent, shows) != answer) {
            true => sorted(&answer),
            false => answer,
        }
    }

    fn answer_once(&self, sent: &Sent, shows: &[String]) -> String {
        let Sent { method, path, media_type, body } = sent;
        let (authorization, url) =
            (format!("Authorization: Bearer {}", self.token), format!("{}{path}", self.server));
        let content_type = format!("Content-Type: {media_type}");
        let out = Command::new("curl")
            .args(["-sk", "-A", "tests/1", "-X", method, "-H", &authorization, "-H", &content_type])
            .args(["-D", "-", "-w", "\n%{http_code}", "--data-binary", body, &url])
            .output()
            .expect("curl");
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        let (answer, code) = text.rsplit_once('\n').expect("a code");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let warnings =
            head.lines().filter_map(|line| line.strip_prefix("Warning: ").or(line.strip_prefix("warning: ")));
        let warnings: Vec<String> = warnings.map(str::to_owned).collect();
        shown(code.parse().expect("a code"), &read(body), &warnings, shows)
    }

    /// Creates the object of a base, or deletes it.
    fn change(&self, method: &'static str, base: &Base) {
        let (path, body) = match method {
            "DELETE" => (base.object_path(), r#"{"propagationPolicy":"Background"}"#.to_owned()),
            _ => (base.path.clone(), json::to_string(&base.object)),
        };
        let (method, media_type) = (method.to_owned(), JSON.to_owned());
        let sent = Sent { method, path, media_type, body };
        let answer = self.answer(&sent, &[]);
        assert!(answer.starts_with('2'), "{} {}: {answer}", sent.method, sent.body);
    }
}

/// What the real server answers to the cases of a file.
fn record(real: &Real, lines: &[Line]) -> String {
    let (mut out, mut live): (_, Vec<&Base>) = (String::new(), Vec::new());
    for line in lines {
        _ = match line {
            Line::Other(line) => writeln!(out, "{line}"),
            Line::Base(line, base) => {
                let ends = live.iter().position(|base| base.verb == Verb::Update);
                ends.into_iter().for_each(|at| real.change("DELETE", live.remove(at)));
                if base.verb != Verb::Create {
                    real.change("POST", base);
                    live.push(base);
                }
                if base.verb == Verb::There {
                    // CRDs are served after a moment.
                    std::thread::sleep(std::time::Duration::from_secs(3));
                }
                writeln!(out, "{line}")
            }
            Line::Case(case) => {
                let answers: Vec<String> =
                    case.requests.iter().map(|sent| real.answer(sent, &case.shows)).collect();
                let differs = case.differs.iter().fold(String::new(), |_, why| format!("~ {why}\n"));
                write!(out, "{}\n{differs}{}", case.line, joined(&answers))
            }
        };
    }
    live.into_iter().rev().for_each(|live| real.change("DELETE", live));
    out
}

async fn compare(name: &str, least: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/answers/{name}.txt"));
    let lines = lines(&fs::read_to_string(&path).expect("the answers"));
    if let Some(real) = Real::of_environment() {
        return fs::write(&path, record(&real, &lines)).expect("the answers can be written");
    }
    let (server, mut wrong, mut cases) = (Server::new(), String::new(), 0);
    for line in &lines {
        let case = match line {
            Line::Other(_) => continue,
            Line::Base(_, Base { verb: Verb::Create, .. }) => continue,
            Line::Base(_, base) => {
                let (code, status) =
                    send(&server, "POST", &base.path, JSON, &json::to_string(&base.object)).await;
                assert_eq!(code, 201, "{status:?}");
                continue;
            }
            Line::Case(case) => case,
        };
        cases += 1;
        let mut answers = Vec::new();
        for Sent { method, path, media_type, body } in &case.requests {
            let (code, status, warnings) = send_warned(&server, method, path, media_type, body).await;
            let answer = shown(code, &status, &warnings, &case.shows);
            // The order is random in all answers of a case or in none.
            answers.push(if case.answer.contains(ANY_ORDER) { sorted(&answer) } else { answer });
        }
        let found = joined(&answers);
        _ = match (found == case.answer, &case.differs) {
            (true, None) | (false, Some(_)) => Ok(()),
            (true, Some(why)) => writeln!(wrong, "{}\nis the same now, but is marked: {why}", case.line),
            (false, None) => {
                writeln!(wrong, "{}\n--- the real server\n{}--- this server\n{found}", case.line, case.answer)
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
async fn pods() {
    compare("pods", 300).await;
}

#[tokio::test]
async fn admission() {
    compare("admission", 20).await;
}

#[tokio::test]
async fn claims() {
    compare("claims", 40).await;
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

#[tokio::test]
async fn updates() {
    compare("updates", 100).await;
}

#[tokio::test]
async fn requests() {
    compare("requests", 300).await;
}

#[tokio::test]
async fn patches() {
    compare("patches", 500).await;
}

#[tokio::test]
async fn queries() {
    compare("queries", 92).await;
}

#[tokio::test]
async fn order() {
    compare("order", 30).await;
}

#[tokio::test]
async fn meant() {
    compare("meant", 40).await;
}

#[tokio::test]
async fn applied() {
    compare("applied", 90).await;
}

#[tokio::test]
async fn statuses() {
    compare("statuses", 80).await;
}

#[tokio::test]
async fn limits() {
    compare("limits", 110).await;
}

#[tokio::test]
async fn metadata() {
    compare("metadata", 200).await;
}

#[tokio::test]
async fn lists() {
    compare("lists", 45).await;
}

#[tokio::test]
async fn evictions() {
    compare("evictions", 15).await;
}

#[tokio::test]
async fn policies() {
    compare("policies", 60).await;
}

#[tokio::test]
async fn quotas() {
    compare("quotas", 60).await;
}

#[tokio::test]
async fn status_writes() {
    compare("status_writes", 80).await;
}
