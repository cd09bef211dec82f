//! The real API server (`oracle serve`) with its own etcd, and kubectl for it. Tests only use it if `$CRDGEN_LIVE` is
//! set.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A running API server. It ends when this value is dropped. Its methods panic if a test's expectation is not met.
#[derive(Debug)]
pub struct Server {
    child: Child,
    dir: PathBuf,
    steps: AtomicUsize,
}

impl Server {
    /// Starts the program in `$CRDGEN_ORACLE`. Without it, or without `$CRDGEN_LIVE`, prints that the test is skipped.
    pub fn start(name: &str) -> Option<Server> {
        let program = std::env::var_os("CRDGEN_ORACLE").ok_or("$CRDGEN_ORACLE is not set".to_owned());
        match program.and_then(|program| Server::of(Path::new(&program), name)) {
            Ok(server) => Some(server),
            Err(why) => {
                // Writes directly to standard error, because the test harness hides the output of `eprintln!` for tests
                // that pass.
                _ = writeln!(std::io::stderr(), "SKIPPED {name}: {why}");
                None
            }
        }
    }

    /// Starts this program, or returns why it cannot.
    pub fn of(program: &Path, name: &str) -> Result<Server, String> {
        if std::env::var_os("CRDGEN_LIVE").is_none() {
            return Err("$CRDGEN_LIVE is not set".to_owned());
        }
        let dir = std::env::temp_dir().join(format!("crdgen-live-{name}-{}", std::process::id()));
        let mut child = Command::new(program)
            .arg("serve")
            .arg("--dir")
            .arg(&dir)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| e.to_string())?;
        let out = child.stdout.take().ok_or("no output")?;
        let server = Server { child, dir, steps: AtomicUsize::new(0) };
        let ready = BufReader::new(out).lines().map_while(Result::ok).any(|line| line.starts_with("READY"));
        if ready { Ok(server) } else { Err("the API server does not start".to_owned()) }
    }

    /// Returns the path of its kubeconfig.
    pub fn kubeconfig(&self) -> PathBuf {
        self.dir.join("kubeconfig")
    }

    /// Returns how often kubectl has run.
    pub fn steps(&self) -> usize {
        self.steps.load(Ordering::Relaxed)
    }

    /// Runs kubectl.
    pub fn kubectl(&self, args: &[&str], input: &str) -> Output {
        self.steps.fetch_add(1, Ordering::Relaxed);
        let mut child = Command::new("kubectl")
            .arg("--kubeconfig")
            .arg(self.kubeconfig())
            .arg("--cache-dir")
            .arg(self.dir.join("cache"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("kubectl starts");
        // kubectl reads all of its input before it answers, so this cannot block.
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("kubectl reads");
        child.wait_with_output().expect("kubectl ends")
    }

    /// Returns what kubectl prints. It must succeed.
    #[track_caller]
    pub fn ok(&self, args: &[&str], input: &str) -> String {
        let out = self.kubectl(args, input);
        let error = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "kubectl {}: {error}\n{input}", args.join(" "));
        String::from_utf8_lossy(&out.stdout).into_owned()
    }

    /// Returns kubectl's error message. It must fail.
    #[track_caller]
    pub fn refused(&self, args: &[&str], input: &str) -> String {
        let out = self.kubectl(args, input);
        assert!(!out.status.success(), "kubectl {} succeeds", args.join(" "));
        String::from_utf8_lossy(&out.stderr).into_owned()
    }

    /// Waits until objects of a kind can be listed. This does not count as a step.
    #[track_caller]
    pub fn until_served(&self, resource: &str) {
        let start = Instant::now();
        while !self.kubectl(&["get", resource], "").status.success() {
            self.steps.fetch_sub(1, Ordering::Relaxed);
            assert!(start.elapsed() < Duration::from_secs(30), "{resource} is not served");
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}
