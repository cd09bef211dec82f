//! crdgen's side of the protocol.

use std::io;
use std::path::PathBuf;

use crdgen_core::json::to_string;
use crdgen_core::value::Value;

use crate::json::parse;
use crate::oracle::Program;

/// Returns the answer of this process.
pub fn answer(request: &Value) -> Value {
    if request.get("op").and_then(Value::as_str) == Some("smd") {
        return crate::smd::answer(request)
            .unwrap_or_else(|error| Value::Map([("error", Value::Str(error))].into_iter().collect()));
    }
    let answer = crdgen_diff::rpc::handle(&to_string(request));
    parse(&answer).unwrap_or_else(|e| {
        Value::Map([("panic", Value::Str(format!("no JSON: {e}: {answer}")))].into_iter().collect())
    })
}

/// Runs `work` on a stack that is large enough for recursion over deep documents.
///
/// # Panics
/// Panics if `work` panics.
pub fn with_a_big_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work);
        match thread.expect("a thread can be started").join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Returns crdgen as a program that answers requests: `$CRDGEN`, or the command in the folder of the running program.
pub fn program() -> Result<Program, String> {
    let path = match std::env::var_os("CRDGEN").filter(|p| !p.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => next_to().map_err(|e| e.to_string())?,
    };
    if path.is_file() {
        Ok(Program::new(path, &["rpc"]))
    } else {
        Err(format!("no crdgen at {}: build it with `cargo build -p crdgen-cli`", path.display()))
    }
}

fn next_to() -> io::Result<PathBuf> {
    let exe = std::env::current_exe()?;
    let dir = exe.parent().map(PathBuf::from).unwrap_or_default();
    // Test binaries are one folder further down.
    let dir = if dir.ends_with("deps") { dir.parent().map(PathBuf::from).unwrap_or_default() } else { dir };
    Ok(dir.join(format!("crdgen{}", std::env::consts::EXE_SUFFIX)))
}
