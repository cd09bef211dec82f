//! The messages of the protocol: each is a line with JSON.

use std::io::{self, BufRead, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use crdgen_core::value::{Map, Value};
use crdgen_core::{inert, json};

use super::call::{Call, Runner};
use super::tools::{TOOLS, map};

/// The versions of the protocol, newest first.
const VERSIONS: [&str; 2] = ["2025-06-18", "2025-03-26"];

/// The version in which a message may be a list of messages.
const WITH_LISTS: &str = VERSIONS[1];

/// The length of the longest message that is read, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// How many calls run at once.
const THREADS: usize = 2;

/// How many messages with calls wait at most.
const MAX_WAITING: usize = 64;

/// JSON nests.
const STACK: usize = 16 << 20;

const INSTRUCTIONS: &str = "crdgen checks Kubernetes CRDs and objects exactly as the API server does. Pass paths below the current folder, or the text of a draft. After a change of a CRD, run `check`, with `against` git:HEAD to see what the change breaks. `explain` explains the codes of findings.";

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const BUSY: i64 = -32000;

/// What follows from a message.
enum Next {
    Answer(Value),
    Call(Call),
}

/// What the messages of a line ask for.
struct Job {
    /// Whether the answers are sent as a list.
    is_list: bool,
    all: Vec<Next>,
}

/// The state of a connection.
struct Session<'s, W> {
    runner: &'s Runner,
    output: Mutex<W>,
    /// The calls that wait or run.
    open: Mutex<Vec<(Value, Arc<AtomicBool>)>>,
}

/// Serves a client until its input ends, and answers what it has asked for by then.
pub(super) fn serve(mut input: impl BufRead, output: impl Write + Send, runner: &Runner) -> io::Result<()> {
    let session = Session { runner, output: Mutex::new(output), open: Mutex::default() };
    let (jobs, waiting) = sync_channel(MAX_WAITING);
    let waiting = Mutex::new(waiting);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            let work = || session.work(&waiting);
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        }
        session.read(&mut input, jobs);
        Ok(())
    })
}

impl<W: Write> Session<'_, W> {
    fn read(&self, input: &mut impl BufRead, jobs: SyncSender<Job>) {
        let mut version = None;
        while let Some(line) = next_line(input) {
            let Some(job) = self.take(&line, &mut version) else { continue };
            if !job.all.iter().any(|next| matches!(next, Next::Call(_))) {
                self.answer(job);
            } else if let Err(full) = jobs.try_send(job) {
                let (std::sync::mpsc::TrySendError::Full(job)
                | std::sync::mpsc::TrySendError::Disconnected(job)) = full;
                self.refuse(job);
            }
        }
    }

    /// Runs the calls that others ask for.
    fn work(&self, jobs: &Mutex<Receiver<Job>>) {
        loop {
            // Only one thread waits at a time.
            let job = locked(jobs).recv();
            let Ok(job) = job else { return };
            self.answer(job);
        }
    }

    fn refuse(&self, Job { is_list, all }: Job) {
        let all = all.into_iter().map(|next| match next {
            Next::Answer(answer) => Next::Answer(answer),
            Next::Call(call) => {
                self.close(&call);
                Next::Answer(error(call.id, BUSY, "too many calls wait"))
            }
        });
        self.answer(Job { is_list, all: all.collect() });
    }

    fn answer(&self, Job { is_list, all }: Job) {
        let answers = all.into_iter().filter_map(|next| match next {
            Next::Answer(answer) => Some(answer),
            Next::Call(call) => {
                let result = self.runner.run(&call);
                self.close(&call);
                result.map(|result| success(call.id, result))
            }
        });
        let answers: Vec<Value> = answers.collect();
        match is_list {
            true if answers.is_empty() => {}
            true => self.send(&Value::List(answers)),
            false => answers.iter().for_each(|answer| self.send(answer)),
        }
    }

    fn close(&self, call: &Call) {
        locked(&self.open).retain(|(_, it)| !Arc::ptr_eq(it, &call.is_cancelled));
    }

    fn send(&self, message: &Value) {
        let mut output = locked(&self.output);
        // If the client is gone, its input ends too.
        let _ = writeln!(output, "{}", inert::json(&json::to_string(message))).and_then(|()| output.flush());
    }

    /// What follows from a line. `None` for nothing.
    fn take(&self, line: &[u8], version: &mut Option<&'static str>) -> Option<Job> {
        let alone = |next: Option<Next>| next.map(|next| Job { is_list: false, all: vec![next] });
        let invalid = |code, why: &str| alone(Some(Next::Answer(error(Value::Null, code, why))));
        if line.len() as u64 > MAX_BYTES {
            return invalid(PARSE_ERROR, "the message is too long");
        }
        if std::str::from_utf8(line).is_err() {
            return invalid(PARSE_ERROR, "the message is not UTF-8");
        }
        match json::read(line) {
            Err(why) => invalid(PARSE_ERROR, &why.text),
            Ok(Value::List(all)) if *version == Some(WITH_LISTS) && !all.is_empty() => {
                let all: Vec<Next> = all.iter().filter_map(|one| self.message(one, version)).collect();
                (!all.is_empty()).then_some(Job { is_list: true, all })
            }
            Ok(message) => alone(self.message(&message, version)),
        }
    }

    fn message(&self, message: &Value, version: &mut Option<&'static str>) -> Option<Next> {
        let is_id = |id: &Value| matches!(id, Value::Str(_) | Value::Int(_) | Value::Float(_));
        let id = message.get("id");
        let method = message.get("method").and_then(Value::as_str);
        let params = message.get("params");
        if message.text("jsonrpc") != "2.0" || id.is_some_and(|id| !is_id(id)) {
            let id = id.filter(|id| is_id(id)).cloned().unwrap_or(Value::Null);
            return Some(Next::Answer(error(id, INVALID_REQUEST, "a message of JSON-RPC 2.0 is expected")));
        }
        match (method, id) {
            (Some(method), Some(id)) => Some(self.request(method, id, params, version)),
            (Some("notifications/cancelled"), None) => {
                let wanted = params.and_then(|params| params.get("requestId"));
                let open = locked(&self.open);
                let calls = open.iter().filter(|(id, _)| Some(id) == wanted);
                calls.for_each(|(_, is_cancelled)| is_cancelled.store(true, Ordering::Relaxed));
                None
            }
            (Some(_), None) => None,
            // The server asks for nothing, so nothing waits for an answer.
            (None, _) if message.get("result").or(message.get("error")).is_some() => None,
            (None, id) => {
                let id = id.cloned().unwrap_or(Value::Null);
                Some(Next::Answer(error(id, INVALID_REQUEST, "the message has no method")))
            }
        }
    }

    fn request(
        &self,
        method: &str,
        id: &Value,
        params: Option<&Value>,
        version: &mut Option<&'static str>,
    ) -> Next {
        let answer = |result| Next::Answer(success(id.clone(), result));
        let wrong = |code, why: &str| Next::Answer(error(id.clone(), code, why));
        match method {
            "initialize" => {
                let wanted = params.map_or("", |params| params.text("protocolVersion"));
                let known = VERSIONS.into_iter().find(|known| *known == wanted).unwrap_or(VERSIONS[0]);
                *version = Some(known);
                answer(about(known))
            }
            "ping" => answer(map([])),
            _ if version.is_none() => wrong(INVALID_REQUEST, "initialize comes first"),
            "tools/list" => {
                answer(map([("tools", Value::List(TOOLS.iter().map(|tool| tool.shown()).collect()))]))
            }
            "tools/call" => {
                let name = params.map_or("", |params| params.text("name"));
                let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
                    return wrong(INVALID_PARAMS, &format!("there is no tool {name:?}"));
                };
                let inputs = match params.and_then(|params| params.get("arguments")) {
                    None | Some(Value::Null) => Map::default(),
                    Some(Value::Map(inputs)) => inputs.clone(),
                    Some(_) => return wrong(INVALID_PARAMS, "arguments: must be an object"),
                };
                let is_cancelled = Arc::<AtomicBool>::default();
                locked(&self.open).push((id.clone(), Arc::clone(&is_cancelled)));
                Next::Call(Call { id: id.clone(), tool, inputs, is_cancelled })
            }
            _ => wrong(METHOD_NOT_FOUND, &format!("there is no method {method:?}")),
        }
    }
}

/// The next line. Of a line that is too long, returns a part that is too long too. `None` at the end.
fn next_line(input: &mut impl BufRead) -> Option<Vec<u8>> {
    loop {
        let mut line = Vec::new();
        input.by_ref().take(MAX_BYTES + 1).read_until(b'\n', &mut line).ok().filter(|read| *read > 0)?;
        if line.len() as u64 > MAX_BYTES && !line.ends_with(b"\n") {
            input.skip_until(b'\n').ok()?;
        }
        if !line.trim_ascii().is_empty() {
            return Some(line);
        }
    }
}

fn about(version: &str) -> Value {
    let info = map([("name", "crdgen".into()), ("version", env!("CARGO_PKG_VERSION").into())]);
    map([
        ("protocolVersion", version.into()),
        ("capabilities", map([("tools", map([]))])),
        ("serverInfo", info),
        ("instructions", INSTRUCTIONS.into()),
    ])
}

fn success(id: Value, result: Value) -> Value {
    map([("jsonrpc", "2.0".into()), ("id", id), ("result", result)])
}

fn error(id: Value, code: i64, why: &str) -> Value {
    let error = map([("code", code.into()), ("message", why.into())]);
    map([("jsonrpc", "2.0".into()), ("id", id), ("error", error)])
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
