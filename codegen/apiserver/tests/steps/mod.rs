//! What clients do, step by step, compared with what the real server answers.
//!
//! A step is a line `METHOD PATH BODY`. After a colon, the method has the media type of the body (`PATCH:merge`) or the form of the
//! answer (`GET:table`). `keep NAME PATH` keeps a value of the answer, which later lines have as `$NAME`. `wait` gives the real server
//! time for what it does later. The answer follows: the code, the body in lines of JSON, and the warnings after `299`. A line
//! `~ REASON` before it says why this server answers something else.
//!
//! To record a file: start a new control plane without a controller manager and with `--allow-privileged=true`, and run `UPDATE=1
//! CRDGEN_WALK_KUBECONFIG=… cargo test -p crdgen-apiserver --all-features --test main -- steps::NAME`. What it creates stays stored.

mod normal;
mod real;

use crate::common::{JSON, MERGE};
use bytes::Bytes;
use crdgen_apiserver::Server;
use crdgen_core::json;
use crdgen_core::value::Value;
use http_body_util::{BodyExt, Full};
use normal::normal;
use real::Real;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;
use tower_service::Service;

const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";

/// The media types and the forms of answers that steps name.
const MEDIA: [(&str, &str, &str); 17] = [
    ("", JSON, "*/*"),
    ("merge", MERGE, "*/*"),
    ("json", "application/json-patch+json", "*/*"),
    ("strategic", "application/strategic-merge-patch+json", "*/*"),
    ("apply", "application/apply-patch+yaml", "*/*"),
    ("text", "text/plain", "*/*"),
    ("form", "application/x-www-form-urlencoded", "*/*"),
    ("yamlbody", "application/yaml", "*/*"),
    ("unknown", "application/x-unknown", "*/*"),
    ("table", JSON, TABLE),
    (
        "anytable",
        JSON,
        "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
    ),
    ("table1beta1", JSON, "application/json;as=Table;v=v1beta1;g=meta.k8s.io"),
    ("meta", JSON, "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"),
    ("metas", JSON, "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"),
    ("yaml", JSON, "application/yaml"),
    ("xml", JSON, "application/xml"),
    ("discovery", JSON, "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"),
];

/// A request of a step.
pub(crate) struct Sent {
    method: String,
    path: String,
    content_type: &'static str,
    accept: &'static str,
    body: String,
}

/// An answer to a step.
pub(crate) struct Received {
    code: u16,
    warnings: Vec<String>,
    body: String,
}

struct Step {
    line: String,
    keeps: Vec<(String, String)>,
    waits: bool,
    differs: Option<String>,
    answer: String,
}

enum Line {
    Other(String),
    Step(Step),
}

/// The values that steps keep.
type Kept = BTreeMap<String, String>;

/// A text with the values that were kept, the longest names first.
fn filled(text: &str, kept: &Kept) -> String {
    let by_length = |(name, _): &(&String, &String)| std::cmp::Reverse(name.len());
    let mut kept: Vec<_> = kept.iter().collect();
    kept.sort_by_key(by_length);
    kept.into_iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("${name}"), value))
}

impl Step {
    fn sent(&self, kept: &Kept) -> Sent {
        let mut words = self.line.splitn(3, ' ');
        let (method, path) = (words.next().unwrap_or_default(), words.next().expect("a path"));
        let (method, name) = method.split_once(':').unwrap_or((method, ""));
        let media = MEDIA.iter().find(|(own, ..)| *own == name);
        let &(_, content_type, accept) = media.unwrap_or_else(|| panic!("no media type {name}"));
        // `$` alone begins operators of patches.
        Sent {
            method: method.to_owned(),
            path: filled(path, kept),
            content_type,
            accept,
            body: filled(words.next().unwrap_or_default(), kept),
        }
    }

    /// The answer as files have it. Its values are kept for later steps.
    fn shown(&self, received: &Received, kept: &mut Kept) -> String {
        let Received { code, warnings, body } = received;
        let read = |text: &str| json::read(text.as_bytes());
        let whole = read(body);
        for (name, path) in &self.keeps {
            let found =
                whole.as_ref().ok().and_then(|body| path.split('.').try_fold(body, |at, name| at.get(name)));
            let text = found.and_then(Value::as_str).unwrap_or("nothing");
            kept.insert(name.clone(), text.to_owned());
        }
        let values: Vec<Value> = match whole {
            _ if body.is_empty() => Vec::new(),
            Ok(value) => vec![value],
            Err(_) => match body.lines().map(read).collect::<Result<Vec<_>, _>>() {
                Ok(events) => events,
                Err(_) => vec![body.as_str().into()],
            },
        };
        let mut out = format!("{code}\n");
        for value in values {
            _ = writeln!(out, "  {}", json::to_string(&normal(value)));
        }
        for warning in warnings {
            _ = writeln!(out, "299 {}", warning.trim_start_matches("299 - "));
        }
        out
    }
}

fn lines(text: &str) -> Vec<Line> {
    let mut out = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if !line.starts_with(|c: char| c.is_ascii_uppercase()) {
            out.push(Line::Other(line.to_owned()));
            continue;
        }
        let mut step = Step {
            line: line.to_owned(),
            keeps: Vec::new(),
            waits: false,
            differs: None,
            answer: String::new(),
        };
        while let Some(line) = lines.next_if(|line| {
            !line.is_empty() && !line.starts_with(|c: char| c.is_ascii_uppercase() || c == '#')
        }) {
            if let Some((name, path)) = line.strip_prefix("keep ").and_then(|rest| rest.split_once(' ')) {
                step.keeps.push((name.to_owned(), path.to_owned()));
            } else if line == "wait" {
                step.waits = true;
            } else if let Some(why) = line.strip_prefix("~ ") {
                step.differs = Some(why.to_owned());
            } else {
                _ = writeln!(step.answer, "{line}");
            }
        }
        out.push(Line::Step(step));
    }
    out
}

/// What this server answers.
async fn answer(server: &Server, sent: &Sent) -> Received {
    let request = http::Request::builder()
        .method(sent.method.as_str())
        .uri(&sent.path)
        .header("content-type", sent.content_type)
        .header("accept", sent.accept)
        .header("user-agent", "tests/1")
        .body(Full::new(Bytes::from(sent.body.clone())))
        .expect("a request");
    let Ok(answer) = server.clone().call(request).await;
    let code = answer.status().as_u16();
    let warnings = answer.headers().get_all("warning").iter();
    let warnings = warnings.map(|it| it.to_str().expect("a text").to_owned()).collect();
    let bytes = answer.into_body().collect().await.expect("a body").to_bytes();
    let body =
        if sent.method == "HEAD" { String::new() } else { String::from_utf8_lossy(&bytes).into_owned() };
    Received { code, warnings, body }
}

/// The file with the answers of the real server.
fn record(real: &Real, lines: &[Line]) -> String {
    let (mut out, mut kept) = (String::new(), Kept::new());
    for line in lines {
        let step = match line {
            Line::Other(line) => {
                _ = writeln!(out, "{line}");
                continue;
            }
            Line::Step(step) => step,
        };
        let found = step.shown(&real.received(&step.sent(&kept)), &mut kept);
        _ = writeln!(out, "{}", step.line);
        for (name, path) in &step.keeps {
            _ = writeln!(out, "keep {name} {path}");
        }
        if step.waits {
            _ = writeln!(out, "wait");
            std::thread::sleep(Duration::from_secs(3));
        }
        if let Some(why) = &step.differs {
            _ = writeln!(out, "~ {why}");
        }
        out.push_str(&found);
    }
    out
}

/// Takes the steps of a file, of which there are at least as many.
async fn take(name: &str, least: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/steps/{name}.txt"));
    let lines = lines(&fs::read_to_string(&path).expect("the steps"));
    if let Some(real) = Real::of_environment() {
        return fs::write(&path, record(&real, &lines)).expect("the steps can be written");
    }
    let (server, mut kept) = (Server::new().without_controller_manager(), Kept::new());
    // The order of owners depends on the time.
    server.advance(Duration::ZERO);
    let (mut count, mut equal, mut wrong) = (0, 0, String::new());
    for line in &lines {
        let Line::Step(step) = line else { continue };
        count += 1;
        let found = step.shown(&answer(&server, &step.sent(&kept)).await, &mut kept);
        equal += usize::from(found == step.answer);
        _ = match (found == step.answer, &step.differs) {
            (true, None) | (false, Some(_)) => Ok(()),
            (true, Some(why)) => writeln!(wrong, "{}\nis the same now, but is marked: {why}\n", step.line),
            (false, None) => {
                writeln!(wrong, "{}\n--- the server\n{}--- this server\n{found}", step.line, step.answer)
            }
        };
    }
    assert!(count >= least, "{name} has only {count} steps");
    assert!(wrong.is_empty(), "{wrong}{equal} of {count} answers are equal");
}

#[tokio::test(start_paused = true)]
async fn data() {
    take("data", 101).await;
}

#[tokio::test(start_paused = true)]
async fn lists_and_watches() {
    take("lists", 102).await;
}

#[tokio::test(start_paused = true)]
async fn pods() {
    take("pods", 84).await;
}

#[tokio::test(start_paused = true)]
async fn workloads() {
    take("workloads", 85).await;
}

#[tokio::test(start_paused = true)]
async fn others() {
    take("others", 101).await;
}

#[tokio::test(start_paused = true)]
async fn devices() {
    take("devices", 48).await;
}

#[tokio::test(start_paused = true)]
async fn custom_resources() {
    take("custom", 101).await;
}

#[tokio::test(start_paused = true)]
async fn paths() {
    take("paths", 106).await;
}

#[tokio::test(start_paused = true)]
async fn methods() {
    take("methods", 79).await;
}

#[tokio::test(start_paused = true)]
async fn policies() {
    take("policies", 377).await;
}

#[tokio::test(start_paused = true)]
async fn mutations() {
    take("mutations", 413).await;
}

#[tokio::test(start_paused = true)]
async fn by_chance() {
    take("chance", 550).await;
}
