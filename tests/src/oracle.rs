//! Programs that speak the oracle's protocol: one JSON request per line in, one answer per line out.

use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;

/// A program that answers requests.
#[derive(Clone, Debug)]
pub struct Program {
    path: PathBuf,
    args: Vec<String>,
}

impl Program {
    /// Creates a program that speaks the protocol when it is started with `args`.
    pub fn new(path: impl Into<PathBuf>, args: &[&str]) -> Program {
        Program { path: path.into(), args: args.iter().map(|&a| a.to_owned()).collect() }
    }

    /// Returns the path of the program.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Answers all requests in order, with `jobs` parallel processes. If a request makes the program die, its answer is
    /// `panic`, and a new process continues after it.
    pub fn ask(&self, requests: &[String], jobs: usize) -> io::Result<Vec<String>> {
        let share = requests.len().div_ceil(jobs.max(1)).max(1);
        thread::scope(|scope| {
            let parts: Vec<_> =
                requests.chunks(share).map(|part| scope.spawn(|| self.ask_one(part))).collect();
            let mut out = Vec::with_capacity(requests.len());
            for part in parts {
                out.extend(part.join().map_err(|_| io::Error::other("a reader thread died"))??);
            }
            Ok(out)
        })
    }

    fn ask_one(&self, requests: &[String]) -> io::Result<Vec<String>> {
        let mut answers = Vec::with_capacity(requests.len());
        while answers.len() < requests.len() {
            let done = answers.len();
            self.run(&requests[done..], &mut answers)?;
            if answers.len() < requests.len() {
                answers.push(r#"{"panic":"the process died"}"#.to_owned());
            }
        }
        Ok(answers)
    }

    /// Runs one process. A separate thread writes the requests, so that full pipes cannot block both sides.
    fn run(&self, requests: &[String], answers: &mut Vec<String>) -> io::Result<()> {
        let mut child = Command::new(&self.path)
            .args(&self.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", self.path.display())))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("no pipes"));
        };
        thread::scope(|scope| {
            scope.spawn(move || {
                // A write fails if the program has died, but then answers are missing too.
                let mut pipe = BufWriter::with_capacity(1 << 16, stdin);
                for request in requests {
                    if pipe.write_all(request.as_bytes()).and_then(|()| pipe.write_all(b"\n")).is_err() {
                        return;
                    }
                }
                let _ = pipe.flush();
            });
            for line in BufReader::with_capacity(1 << 16, stdout).lines() {
                answers.push(line?);
            }
            io::Result::Ok(())
        })?;
        child.wait().map(|_| ())
    }
}

/// Returns the oracle for a test: `$CRDGEN_ORACLE`. Tests never build it, because that takes minutes. `.ci/run` does.
pub fn given() -> Result<Program, String> {
    match std::env::var_os("CRDGEN_ORACLE").filter(|path| !path.is_empty()) {
        Some(_) => oracle(),
        None => Err("$CRDGEN_ORACLE is not set (tests/oracle/build.sh builds the oracle)".to_owned()),
    }
}

/// Returns the oracle for a test, or `None` after reporting the test as skipped.
pub fn or_skip(what: &str) -> Option<Program> {
    given().map_err(|why| crate::skip(what, why)).ok()
}

/// Returns the oracle: `$CRDGEN_ORACLE`, or one built from `tests/oracle` if Go is installed. The error describes why
/// there is none.
pub fn oracle() -> Result<Program, String> {
    static FOUND: OnceLock<Result<Program, String>> = OnceLock::new();
    FOUND.get_or_init(find_oracle).clone()
}

/// Returns the oracle of an older server: `$CRDGEN_ORACLE_1_NN`, or one built if Go is installed.
pub fn older(minor: u32) -> Result<Program, String> {
    find(&format!("CRDGEN_ORACLE_1_{minor}"), &format!("oracle-1.{minor}"), &format!("1.{minor}"))
}

fn find_oracle() -> Result<Program, String> {
    find("CRDGEN_ORACLE", "oracle", "")
}

fn find(variable: &str, program: &str, version: &str) -> Result<Program, String> {
    if let Some(path) = std::env::var_os(variable).filter(|p| !p.is_empty()) {
        let path = PathBuf::from(path);
        return if path.is_file() {
            Ok(Program::new(path, &[]))
        } else {
            Err(format!("${variable} is no file: {}", path.display()))
        };
    }
    let sources = crate::corpus::tests_dir().join("oracle");
    let built = sources.join(program);
    // `go build` itself knows whether anything has changed.
    match Command::new("sh").arg(sources.join("build.sh")).arg(program).arg(version).output() {
        Ok(out) if out.status.success() => Ok(Program::new(built, &[])),
        Ok(out) => Err(format!(
            "the oracle does not build (is Go there?): {}",
            String::from_utf8_lossy(&out.stderr).lines().next().unwrap_or("no message")
        )),
        Err(e) => Err(format!("no shell to build the oracle: {e}")),
    }
}
