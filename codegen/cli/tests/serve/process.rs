//! Processes of the command.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
#[cfg(unix)]
use std::time::{Duration, Instant};

/// A folder that is removed at the end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Scratch {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("crdgen-serve-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Scratch(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).expect("a file");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program.
pub(crate) fn crdgen() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_crdgen"))
}

/// A process that is killed at the end.
pub(crate) struct Process {
    child: Child,
    /// Open, so that the process can write to it.
    _out: Option<BufReader<ChildStdout>>,
    /// The first line that it printed.
    pub(crate) line: String,
}

impl Process {
    /// Starts a program, and waits for its first line.
    pub(crate) fn start(command: &mut Command) -> Process {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the process starts");
        let mut out = BufReader::new(child.stdout.take().expect("its output"));
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        Process { child, _out: Some(out), line: line.trim_end().to_owned() }
    }

    /// Starts a program that prints nothing.
    #[cfg(unix)]
    pub(crate) fn spawn(command: &mut Command) -> Process {
        Process { child: command.spawn().expect("the process starts"), _out: None, line: String::new() }
    }

    /// Ends the process with SIGTERM, and waits until it is gone.
    #[cfg(unix)]
    pub(crate) fn terminate(&mut self) {
        let kill = Command::new("kill").arg(self.child.id().to_string()).status();
        assert!(kill.expect("kill runs").success());
        let start = Instant::now();
        while self.child.try_wait().expect("a process").is_none() {
            assert!(start.elapsed() < Duration::from_secs(600), "the process does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Starts `crdgen serve`, and waits until it is ready.
    pub(crate) fn serve(arguments: &[&str]) -> Process {
        Process::start(Command::new(crdgen()).arg("serve").args(arguments))
    }

    /// The URL after `ready on`.
    pub(crate) fn url(&self) -> &str {
        self.line.strip_prefix("ready on ").unwrap_or_else(|| panic!("not ready: {}", self.line))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// What a command that ends prints to standard error, if it fails.
pub(crate) fn failure(arguments: &[&str]) -> String {
    let output = Command::new(crdgen()).arg("serve").args(arguments).output().expect("the process runs");
    assert!(!output.status.success(), "{arguments:?} succeeds");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Lets this process open as many files as it may.
#[cfg(unix)]
pub(crate) fn raise_open_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).expect("more files");
}
