//! Calls of tools: each one is a run of crdgen.

use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crdgen_core::json;
use crdgen_core::value::{Map, Value};
use crdgen_tasks::inputs::{OwnLimits, run_own};

use super::tools::{Tool, Workspace, map};

/// How long a call may take.
const TIME: Duration = Duration::from_secs(120);

/// How much a call may print. An assistant reads all of it.
const MOST: u64 = 1 << 20;

/// The exit code of runs that could not do what they were asked for. Code 1 means that something was found.
const ERRORS: i32 = 2;

/// A call that waits or runs.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) id: Value,
    pub(super) tool: &'static Tool,
    pub(super) inputs: Map<Value>,
    pub(super) is_cancelled: Arc<AtomicBool>,
}

/// Runs the tools.
pub(super) struct Runner {
    program: PathBuf,
    workspace: Workspace,
}

impl Runner {
    pub(super) fn new(workspace: Workspace) -> io::Result<Runner> {
        Ok(Runner { program: std::env::current_exe()?, workspace })
    }

    /// The result of a call. `None` if it was cancelled.
    pub(super) fn run(&self, call: &Call) -> Option<Value> {
        let line = match call.tool.line(&call.inputs, &self.workspace) {
            Ok(line) => line,
            Err(why) => return Some(failed(&why.to_string())),
        };
        let limits = OwnLimits { time: TIME, output: MOST, is_cancelled: &call.is_cancelled };
        let mut command = Command::new(&self.program);
        command.args(line.arguments).current_dir(self.workspace.root());
        let ended = match call.is_cancelled.load(Ordering::Relaxed) {
            true => Ok(None),
            false => run_own(&mut command, line.text, &limits),
        };
        Some(match ended {
            Ok(None) if call.is_cancelled.load(Ordering::Relaxed) => return None,
            Ok(None) => {
                failed("crdgen ended the call, because it took too much time or memory. Pass fewer files")
            }
            Ok(Some((_, printed, _))) if printed.len() as u64 > MOST => {
                failed("the result has more than 1 MiB. Pass fewer files")
            }
            Ok(Some((status, printed, errors))) => {
                let is_error = status.code().is_none_or(|code| code == ERRORS);
                result(&[&printed, &errors].map(|text| String::from_utf8_lossy(text)), is_error)
            }
            Err(why) => failed(&format!("cannot run crdgen: {why}")),
        })
    }
}

fn failed(why: &str) -> Value {
    result(&[why], true)
}

/// The result with texts. If the first one is a JSON object, clients also get it as one.
fn result(texts: &[impl AsRef<str>], is_error: bool) -> Value {
    let texts = || texts.iter().map(AsRef::as_ref).filter(|text| !text.trim().is_empty());
    let content = |text: &str| map([("type", "text".into()), ("text", text.trim_end().into())]);
    let object = texts().next().and_then(|text| json::read(text.as_bytes()).ok());
    let object = object.filter(|value| value.as_map().is_some());
    let known =
        [("content", Value::List(texts().map(content).collect())), ("isError", Value::Bool(is_error))];
    map(known.into_iter().chain(object.map(|object| ("structuredContent", object))))
}
