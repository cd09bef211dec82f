//! Programs that crdgen starts for a folder: they must not reach the network, and must end.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crdgen_files::input::MAX_BYTES;

/// Settings without a way to the network.
const NO_NETWORK: [(&str, &str); 6] = [
    ("HTTP_PROXY", "http://127.0.0.1:9"),
    ("HTTPS_PROXY", "http://127.0.0.1:9"),
    ("http_proxy", "http://127.0.0.1:9"),
    ("https_proxy", "http://127.0.0.1:9"),
    ("NO_PROXY", ""),
    ("GIT_ALLOW_PROTOCOL", "none"),
];

/// How long a program may take for one folder. The largest charts take some seconds.
const LIMIT: Duration = Duration::from_secs(60);

/// How often to look whether a program has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// How much of the errors of a program to keep.
const MAX_ERRORS: u64 = 64 << 10;

/// How much memory a program may take.
const MAX_MEMORY: u64 = 2 << 30;

/// The programs that took too long or too much memory. They are not started again: a repository may have any number of such folders.
static TOOK_TOO_LONG: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// How a program ended: its status, what it printed, and its errors.
pub type Ended = (ExitStatus, Vec<u8>, Vec<u8>);

/// What a program does.
#[derive(Debug)]
pub(super) enum Ran {
    /// It is not installed.
    Missing,
    /// Why its output cannot be used.
    Failed(String),
    /// What it prints.
    Printed(Vec<u8>),
}

/// Why a program did not finish.
pub(super) enum Unfinished {
    NotStarted(io::Error),
    /// crdgen has ended it, for this reason.
    Ended(String),
}

/// Runs a program until it ends. Its output is at most so many bytes.
pub(super) fn finish(command: &mut Command, most: u64) -> Result<Ended, Unfinished> {
    let program = command.get_program().to_string_lossy().into_owned();
    if locked(&TOOK_TOO_LONG).contains(&program) {
        let why = "crdgen did not start it again after it took too much time or memory";
        return Err(Unfinished::Ended(why.to_owned()));
    }
    let ended = output(command, LIMIT, most).map_err(Unfinished::NotStarted)?;
    match ended {
        None => {
            let (seconds, memory) = (LIMIT.as_secs(), MAX_MEMORY >> 30);
            let why = format!("{program} takes more than {seconds} seconds or {memory} GiB of memory");
            locked(&TOOK_TOO_LONG).insert(program);
            Err(Unfinished::Ended(why))
        }
        Some((_, printed, _)) if printed.len() as u64 > most => {
            Err(Unfinished::Ended(format!("{program} prints more than {} MiB", most >> 20)))
        }
        Some(ended) => Ok(ended),
    }
}

/// How a run of crdgen itself is limited.
pub struct OwnLimits<'l> {
    /// How long it may take.
    pub time: Duration,
    /// How many bytes it may print. One more is returned if there are more.
    pub output: u64,
    /// Whether its result is not needed any more.
    pub is_cancelled: &'l AtomicBool,
}

/// Runs crdgen itself with a text on its standard input. Returns `None` if it was cancelled, or takes too long or too much memory.
///
/// # Errors
/// Fails if it cannot be started.
pub fn run_own(
    command: &mut Command,
    text: Option<Vec<u8>>,
    limits: &OwnLimits<'_>,
) -> io::Result<Option<Ended>> {
    command.stdin(if text.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let is_over = || limits.is_cancelled.load(Ordering::Relaxed);
    collect(
        Group::start(command, End::Gently)?,
        text,
        Limits { time: limits.time, output: limits.output, is_over: &is_over },
    )
}

/// Runs a program that reads a folder.
pub(super) fn run(command: &mut Command) -> Ran {
    let program = command.get_program().to_string_lossy().into_owned();
    let (status, printed, errors) = match finish(command, MAX_BYTES) {
        Ok(ended) => ended,
        Err(Unfinished::Ended(why)) => return Ran::Failed(why),
        Err(Unfinished::NotStarted(why)) if why.kind() == io::ErrorKind::NotFound => return Ran::Missing,
        Err(Unfinished::NotStarted(why)) => return Ran::Failed(format!("{program}: {why}")),
    };
    match status.success() {
        true => Ran::Printed(printed),
        false => {
            let errors = String::from_utf8_lossy(&errors);
            // Programs may print warnings first.
            let lines = || errors.lines().map(str::trim).filter(|line| !line.is_empty());
            let error = lines().find(|line| line.to_lowercase().starts_with("error"));
            Ran::Failed(error.or_else(|| lines().next()).unwrap_or("no reason").to_owned())
        }
    }
}

/// Runs a program, and returns its status, output and errors. Returns `None` if it takes longer than the limit, or too much
/// memory. Of the output it returns one byte more than `most` if there is more.
fn output(command: &mut Command, limit: Duration, most: u64) -> io::Result<Option<Ended>> {
    command.envs(NO_NETWORK).env("KUBECONFIG", "");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let group = Group::start(command, End::Now)?;
    collect(group, None, Limits { time: limit, output: most, is_over: &|| false })
}

/// What a program may take, and whether it should end.
struct Limits<'l> {
    time: Duration,
    output: u64,
    is_over: &'l dyn Fn() -> bool,
}

/// Gives a program a text, and collects what it prints.
fn collect(mut child: Group, text: Option<Vec<u8>>, limits: Limits<'_>) -> io::Result<Option<Ended>> {
    if let (Some(text), Some(mut input)) = (text, child.process.stdin.take()) {
        // The program need not read all of it.
        thread::Builder::new().spawn(move || input.write_all(&text))?;
    }
    let (out, errors) = (child.process.stdout.take(), child.process.stderr.take());
    // If a reader ends early, the program cannot write on and ends too.
    let reader = |from: Option<Box<dyn Read + Send>>, most: u64| {
        thread::Builder::new().spawn(move || {
            let mut bytes = Vec::new();
            from.map_or(Ok(0), |from| from.take(most).read_to_end(&mut bytes)).map(|_| bytes)
        })
    };
    let out = reader(out.map(|it| Box::new(it) as _), limits.output + 1)?;
    let errors = reader(errors.map(|it| Box::new(it) as _), MAX_ERRORS)?;
    let status = wait(&mut child.process, &limits);
    // What it has started may keep the pipes open.
    drop(child);
    let Some(status) = status? else { return Ok(None) };
    let bytes = |thread: thread::JoinHandle<io::Result<Vec<u8>>>| {
        thread.join().unwrap_or_else(|_| Err(io::Error::other("cannot read its output")))
    };
    Ok(Some((status, bytes(out)?, bytes(errors)?)))
}

/// Waits until a program ends. Returns `None` if it takes more than the limits.
fn wait(child: &mut Child, limits: &Limits<'_>) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let is_large = || memory(child.id()).is_some_and(|it| it > MAX_MEMORY);
        if start.elapsed() > limits.time || (limits.is_over)() || is_large() {
            return Ok(None);
        }
        thread::sleep(PAUSE);
    }
}

/// How a process is ended.
#[derive(Clone, Copy)]
enum End {
    /// With all that it has started.
    Now,
    /// It gets a signal, with which crdgen ends what it has started itself.
    Gently,
}

/// How long a process has after the signal.
const GRACE: Duration = Duration::from_secs(2);

/// A process and those that it starts, which end with it.
struct Group {
    process: Child,
    how: End,
}

/// The groups that run, so that a signal can end them.
static RUNNING: Mutex<BTreeMap<u32, End>> = Mutex::new(BTreeMap::new());

impl Group {
    fn start(command: &mut Command, how: End) -> io::Result<Group> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut running = locked(&RUNNING);
        let process = command.spawn()?;
        running.insert(process.id(), how);
        Ok(Group { process, how })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        locked(&RUNNING).remove(&self.process.id());
        let start = Instant::now();
        while matches!((self.how, self.process.try_wait()), (End::Gently, Ok(None)))
            && start.elapsed() < GRACE
        {
            end(self.process.id(), End::Gently);
            thread::sleep(PAUSE * 10);
        }
        end(self.process.id(), End::Now);
        // Both fail if it has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A program that answers one question after another, and ends if it takes too long for one of them.
pub(super) struct Watched {
    group: Group,
    /// When it got the last question.
    since: Arc<Mutex<Instant>>,
}

impl Watched {
    pub(super) fn start(command: &mut Command) -> io::Result<Watched> {
        let group = Group::start(command, End::Now)?;
        let (since, id) = (Arc::new(Mutex::new(Instant::now())), group.process.id());
        let watched = Arc::downgrade(&since);
        thread::Builder::new().spawn(move || {
            // It ends with the program, which has no other owner.
            while let Some(since) = watched.upgrade() {
                if locked(&since).elapsed() > LIMIT {
                    end(id, End::Now);
                    return;
                }
                drop(since);
                thread::sleep(PAUSE * 20);
            }
        })?;
        Ok(Watched { group, since })
    }

    /// Takes its input and its output.
    pub(super) fn pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>) {
        (self.group.process.stdin.take(), self.group.process.stdout.take())
    }

    /// Gives it time for the next question.
    pub(super) fn proceeds(&self) {
        *locked(&self.since) = Instant::now();
    }
}

/// Ends the programs that run, because a signal is about to end this process. A signal of the terminal does not reach them.
#[cfg(unix)]
pub fn abandon() {
    locked(&RUNNING).iter().for_each(|(group, how)| end(*group, *how));
}

fn locked<T>(set: &Mutex<T>) -> MutexGuard<'_, T> {
    set.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the processes of a group, or asks the first one to do so.
#[cfg(unix)]
fn end(group: u32, how: End) {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group};
    let Some(group) = i32::try_from(group).ok().and_then(Pid::from_raw) else { return };
    // Both fail if it has ended.
    let _ = match how {
        End::Now => kill_process_group(group, Signal::KILL),
        End::Gently => kill_process(group, Signal::TERM),
    };
}

/// Other systems have no groups of processes.
#[cfg(not(unix))]
fn end(_: u32, _: End) {}

/// The memory of a process in bytes, if the system says so.
fn memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1 << 10)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(line: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", line]);
        command
    }

    #[test]
    fn programs_end_in_time() {
        let ended = output(&mut shell("exec sleep 1000000"), Duration::from_millis(100), 10);
        assert!(matches!(ended, Ok(None)), "{ended:?}");
    }

    /// A program that takes too long does not leave the programs behind that it has started.
    #[test]
    fn children_end_too() {
        let file = std::env::temp_dir().join(format!("crdgen-limited-{}", std::process::id()));
        let line = format!("(sleep 2; touch {}) & wait", file.display());
        let ended = output(&mut shell(&line), Duration::from_millis(100), 10);
        assert!(matches!(ended, Ok(None)), "{ended:?}");
        thread::sleep(Duration::from_secs(3));
        assert!(!file.exists());
    }

    #[test]
    fn output_is_limited() {
        // It writes more than a pipe takes, and then the pipe is closed.
        let ended = output(&mut shell("yes"), Duration::from_secs(600), 10);
        let Ok(Some((status, printed, _))) = ended else { panic!("{ended:?}") };
        assert!(!status.success());
        assert_eq!(printed.len(), 11);
    }

    #[test]
    fn reports_what_programs_print() {
        assert!(matches!(run(&mut shell("printf x")), Ran::Printed(out) if out == b"x"));
        assert!(matches!(run(&mut Command::new("no-such-program")), Ran::Missing));
        let Ran::Failed(printed) = run(&mut shell("echo 'warning: a' >&2; echo 'Error: b' >&2; exit 1"))
        else {
            panic!("it fails");
        };
        assert_eq!(printed, "Error: b");
    }
}
