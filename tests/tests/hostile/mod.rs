//! Hostile inputs against every command: file names, special files and interrupted writes (`files`), texts that
//! try to reach the terminal or a page (`text`), repositories and packages that name programs (`repositories`,
//! `packages`, `folders`), sheer size (`size`), every command on very much (`large`), and how time and memory grow with the input
//! (`growth`).
//!
//! Each run happens in a [`Sandbox`] and has [`Limits`]. Whatever the input is, a command must end by itself,
//! without a panic, within its time and memory, and must write nothing outside its output folder.

mod assistants;
mod editors;
mod files;
mod folders;
mod growth;
mod large;
mod limits;
mod packages;
mod repositories;
mod revisions;
mod size;
mod text;

use crdgen_tests::corpus::GOOD;
use crdgen_tests::turn;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The placeholder for the input in [`READERS`].
const IN: &str = "IN";
/// The placeholder for the output folder in [`READERS`] and [`WRITERS`].
const OUT: &str = "OUT";

/// Every command that reads definitions or objects, with every option that takes such files.
const READERS: &[&[&str]] = &[
    &["check", IN],
    &["check", "-o", "json", IN],
    &["check", "-o", "sarif", IN],
    &["check", "-o", "github", IN],
    &["check", "--against", IN, "good.yaml"],
    &["check", "--types", "kinds.rs", IN],
    &["apply", IN],
    &["apply", "good.yaml", "--live", IN],
    &["diff", IN, "good.yaml"],
    &["diff", "good.yaml", IN],
    &["diff", "-o", "json", IN, "good.yaml"],
    &["upgrade", "--from", "1.34", IN],
    &["upgrade", "--from", "1.35", "-o", "json", IN],
    &["discover", IN],
    &["discover", "-v", "-o", "json", IN],
    &["fit", IN],
    &["fit", "--sizes", IN],
    &["docs", IN],
    &["openapi", IN],
    &["import", IN],
    &["import", "--openapi", IN],
    &["explain", "Good", "--crd", IN],
    &["cel", "self.spec == self.spec", "--crd", IN],
    &["cel", "self.spec == self.spec", "--object", IN],
    &["cel", "self.spec == oldSelf.spec", "--object", "good.yaml", "--old", IN],
    &["migrate-check", "kinds.rs", "--against", IN],
    &["migrate", IN],
    &["migrate", "--check", "--api-version", "v1", "-o", "json", IN],
    &["migrate", "-o", "manifest", IN],
    &["validate", IN],
    &["validate", "--show-result", "-v", IN],
    &["validate", "-o", "json", "--show-result", IN],
    &["validate", "-o", "junit", IN],
    &["validate", "-o", "sarif", "--crd", "good.yaml", "--missing", "warn", "--", IN],
    &["validate", "good.yaml", "--crd", IN],
    &["validate", "good.yaml", "--old", IN],
    &["get", IN],
    &["get", "-o", "json", IN],
    &["get", "-A", "-o", "wide", "--show-labels", "--crd", "good.yaml", "--", IN],
    &["get", "good.yaml", "--crd", IN],
    &["convert", "--to", "example.com/v2", IN],
    &["convert", "--to", "v1beta1", "--types", "versions.rs", "--", IN],
    &["test", IN],
    &["test", "-o", "json", "--crd", "good.yaml", "--", IN],
    &["test", ".", "--crd", IN],
];

/// Every command that writes files for CRDs.
const WRITERS: &[&[&str]] = &[
    &["crds", "add", "--out-dir", OUT, IN],
    &["fit", "--out-dir", OUT, IN],
    &["docs", "--out-dir", OUT, IN],
    &["docs", "-o", "markdown", "--out-dir", OUT, IN],
    &["openapi", "--out-dir", OUT, IN],
    &["openapi", "--v2", "--allow-non-structural", "--out-dir", OUT, IN],
    &["openapi", "--merge", "--out-dir", OUT, IN],
    &["openapi", "--json-schema", "--out-dir", OUT, IN],
    &["import", "--out-dir", OUT, IN],
    &["convert", "--to", "apiextensions.k8s.io/v1", "--out-dir", OUT, IN],
];

/// Every command that reads Rust.
const RUST_READERS: &[&[&str]] = &[
    &["emit", IN],
    &["emit", "--force", IN],
    &["expand", IN],
    &["convert", "--report", "--types", IN],
    &["convert", "--to", "v2", "--types", IN, "good.yaml"],
    &["check", "--types", IN, "good.yaml"],
    &["migrate-check", IN, "--against", "good.yaml"],
    &["validate", "good.yaml", "--crd", IN],
];

/// Every format that `emit` writes.
const FORMS: &[&str] =
    &["yaml", "json", "openapi-v2", "openapi-v3", "json-schema", "json-schema-07", "docs", "docs-markdown"];

/// The same kind in Rust.
const KINDS: &str = "#[derive(CustomResource, Schema, Serialize, Deserialize)]
#[kube(group = \"example.com\", version = \"v1\", kind = \"Good\", namespaced)]
pub struct GoodSpec { pub a: Option<String> }
";

/// The same kind with an earlier version.
const VERSIONS: &str = "#[versioned(v1beta1, v1)]
#[derive(CustomResource, Schema, Serialize, Deserialize)]
#[kube(group = \"example.com\", kind = \"Good\", namespaced)]
pub struct GoodSpec { #[versioned(renamed(since = \"v1\", from = \"b\"))] pub a: Option<String> }
";

/// Inserts the input and the output folder into the arguments.
fn with<'a>(args: &[&'a str], input: &'a str) -> Vec<&'a str> {
    let place = |arg: &&'a str| match *arg {
        IN => input,
        OUT => "out",
        other => other,
    };
    args.iter().map(place).collect()
}

/// Returns an optimized build of the program, if there is one.
fn optimized() -> Option<PathBuf> {
    std::env::var_os("CRDGEN_HOSTILE_TOOL").map(PathBuf::from)
}

/// Returns the program under test.
fn tool() -> PathBuf {
    optimized().unwrap_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_tool")))
}

/// Selects what to test with one of many inputs. An optimized program tests everything. Otherwise each input tests a
/// different eighth, because thousands of runs take minutes. `CRDGEN_TURN` selects another one for
/// each input.
fn some<T>(all: impl IntoIterator<Item = T>, input: usize) -> impl Iterator<Item = T> {
    part(all, input, 8)
}

/// The same with a part of another size.
fn part<T>(all: impl IntoIterator<Item = T>, input: usize, parts: usize) -> impl Iterator<Item = T> {
    let step = if optimized().is_some() { 1 } else { parts };
    all.into_iter().skip((input + turn()) % step).step_by(step)
}

/// The most that a run may use.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Processor time, because other tests share the machine.
    time: Duration,
    /// Resident memory in bytes.
    memory: u64,
}

impl Limits {
    /// Limits the processor time of an optimized program. How long the others take depends on the machine, so they are only
    /// stopped if they never end.
    fn new(seconds: u64, memory: u64) -> Limits {
        let time = if optimized().is_some() { Duration::from_secs(seconds) } else { NEVER };
        Limits { time, memory }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::new(2, 1 << 30)
    }
}

/// A run that takes this long, or waits this long, does not end by itself.
const NEVER: Duration = Duration::from_secs(600);

/// How a run ended.
struct Ran {
    status: ExitStatus,
    stdout: String,
    stderr: String,
    /// The processor time.
    time: Duration,
    /// The peak of the resident memory.
    memory: u64,
}

impl Ran {
    /// Returns the exit code. `None` if a signal ended the run.
    fn code(&self) -> Option<i32> {
        self.status.code()
    }
}

/// A folder in which a command runs. `work` inside it is the current folder, and files may only change in `work/out`.
struct Sandbox {
    root: PathBuf,
    limits: Limits,
}

impl Sandbox {
    /// Creates a sandbox with `good.yaml` and `kinds.rs`.
    fn new(name: &str) -> Sandbox {
        Sandbox::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile").join(name))
    }

    /// A sandbox outside of any repository. The target folder may be in that of crdgen.
    fn without_repository(name: &str) -> Sandbox {
        Sandbox::at(std::env::temp_dir().join("crdgen-hostile").join(name))
    }

    fn at(root: PathBuf) -> Sandbox {
        remove(&root);
        let sandbox = Sandbox { root, limits: Limits::default() };
        // The path is deep enough that `../../..` does not reach real files if a command is wrong.
        fs::create_dir_all(sandbox.work()).unwrap_or_else(|e| panic!("{e}"));
        sandbox.write("good.yaml", GOOD);
        sandbox.write("kinds.rs", KINDS);
        sandbox.write("versions.rs", VERSIONS);
        sandbox
    }

    /// Returns the current folder of the commands.
    fn work(&self) -> PathBuf {
        self.root.join("1/2/3/4/work")
    }

    /// Returns a path in the current folder of the commands.
    fn path(&self, name: &str) -> PathBuf {
        self.work().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).unwrap_or_else(|e| panic!("{e}"));
        fs::write(&path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }

    /// Empties the output folder.
    fn clear(&self) {
        remove(&self.path("out"));
    }

    /// Returns the files in the output folder, by their paths in it.
    fn out(&self) -> BTreeMap<String, String> {
        let out = self.path("out");
        let entries = entries(&out, &|_| true);
        let name = |path: PathBuf| path.strip_prefix(&out).unwrap_or(&path).display().to_string();
        entries
            .into_iter()
            .filter(|(_, text)| text != "folder")
            .map(|(path, text)| (name(path), text))
            .collect()
    }

    /// Returns a command that will run here, with empty standard input.
    fn command(&self, args: &[&str]) -> Command {
        self.started_by(tool(), args)
    }

    /// Like [`Sandbox::command`], for a program that starts the command.
    fn started_by(&self, program: impl AsRef<OsStr>, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(args).current_dir(self.work()).env("NO_COLOR", "1").stdin(Stdio::null());
        command
    }

    /// Runs a command and checks its limits.
    #[track_caller]
    fn run(&self, args: &[&str]) -> Ran {
        self.run_within_limits(self.command(args), &args.join(" "))
    }

    /// Like [`Sandbox::run`], with an input on standard input.
    #[track_caller]
    fn run_with(&self, args: &[&str], input: &[u8]) -> Ran {
        let path = self.root.with_extension("stdin");
        fs::write(&path, input).unwrap_or_else(|e| panic!("{e}"));
        let mut command = self.command(args);
        command.stdin(fs::File::open(&path).unwrap_or_else(|e| panic!("{e}")));
        self.run_within_limits(command, &args.join(" "))
    }

    /// Runs a prepared command and checks its limits.
    #[track_caller]
    fn run_within_limits(&self, command: Command, what: &str) -> Ran {
        let stdout = self.root.with_extension("stdout");
        let file = fs::File::create(&stdout).unwrap_or_else(|e| panic!("{e}"));
        let ran = self.check_limits(command, what, file);
        Ran { stdout: text(&stdout), ..ran }
    }

    /// Like [`Sandbox::run_within_limits`], with standard output somewhere else.
    #[track_caller]
    fn check_limits(&self, mut command: Command, what: &str, stdout: impl Into<Stdio>) -> Ran {
        let stderr = self.root.with_extension("stderr");
        command.stdout(stdout).stderr(fs::File::create(&stderr).unwrap_or_else(|e| panic!("{e}")));
        let before = self.outside();
        let mut child = command.spawn().unwrap_or_else(|e| panic!("{what}: {e}"));
        let (status, time, memory) = self.wait(&mut child, what);
        let ran = Ran { status, stdout: String::new(), stderr: text(&stderr), time, memory };
        assert_eq!(self.outside(), before, "{what}: files outside the output folder changed\n{}", ran.stderr);
        self.check(&ran, what);
        ran
    }

    /// Asserts that a run stayed within its limits and did not crash.
    #[track_caller]
    fn check(&self, ran: &Ran, what: &str) {
        assert!(
            ran.status.core_dumped() || ran.status.signal().is_none(),
            "{what}: {}\n{}",
            ran.status,
            ran.stderr
        );
        assert!(ran.code() != Some(101) && !ran.stderr.contains("panicked at"), "{what}: {}", ran.stderr);
        let Limits { time, memory } = self.limits;
        assert!(ran.time <= time, "{what}: took {:?}", ran.time);
        assert!(ran.memory <= memory, "{what}: took {} MiB", ran.memory >> 20);
    }

    /// Waits for the end of a process, and measures it until then. Stops a process that exceeds its limits.
    #[track_caller]
    fn wait(&self, child: &mut Child, what: &str) -> (ExitStatus, Duration, u64) {
        let (mut time, mut memory, mut progress) = (Duration::ZERO, 0, Instant::now());
        loop {
            let usage = Usage::of(child.id());
            if let Some(usage) = &usage {
                if usage.time > time {
                    progress = Instant::now();
                }
                (time, memory) = (usage.time.max(time), usage.memory.max(memory));
            }
            // A process that has ended keeps its times until its parent waits for it. So the last measurement covers
            // the whole run, even if this thread rarely runs.
            if usage.is_none_or(|usage| usage.ended)
                && let Some(status) = child.try_wait().unwrap_or_else(|e| panic!("{what}: {e}"))
            {
                return (status, time, memory);
            }
            // Other processes may use the processor, and a command may wait for others, such as cargo.
            let hangs = progress.elapsed() > NEVER;
            if hangs || memory > self.limits.memory || time > self.limits.time {
                let _ = child.kill();
                let _ = child.wait();
                let why = if hangs { "hangs" } else { "takes too much" };
                panic!("{what}: {why}: {time:?} of processor time, {} MiB", memory >> 20);
            }
            std::thread::sleep(Duration::from_millis(3));
        }
    }

    /// Returns everything except the output folder: the paths and their content.
    fn outside(&self) -> BTreeMap<PathBuf, String> {
        let out = self.path("out");
        entries(&self.root, &|path| path != out)
    }
}

/// What a process has used so far, as Linux reports it. On other systems only the elapsed time limits a run.
struct Usage {
    time: Duration,
    /// Zero after the process has ended.
    memory: u64,
    ended: bool,
}

impl Usage {
    fn of(process: u32) -> Option<Usage> {
        let read = |name: &str| fs::read_to_string(format!("/proc/{process}/{name}")).ok();
        // The name in parentheses may contain anything.
        let stat = read("stat")?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
        let status = read("status")?;
        let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
        let kib: u64 =
            peak.and_then(|peak| peak.trim().trim_end_matches("kB").trim().parse().ok()).unwrap_or(0);
        let ended = fields.first() == Some(&"Z");
        Some(Usage { time: Duration::from_millis(ticks * 10), memory: kib << 10, ended })
    }
}

/// How many bytes of a file are compared to see whether it has changed.
const LONG: u64 = 1 << 20;

fn text(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned()
}

/// Returns everything below a folder with its content. For long files, returns what shows whether they were written to.
/// Does not follow links.
fn entries(folder: &Path, wanted: &dyn Fn(&Path) -> bool) -> BTreeMap<PathBuf, String> {
    let mut out = BTreeMap::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if !wanted(&path) {
                continue;
            }
            let Ok(meta) = fs::symlink_metadata(&path) else { continue };
            let content = if meta.is_symlink() {
                format!("link to {}", fs::read_link(&path).unwrap_or_default().display())
            } else if meta.is_dir() {
                pending.push(path.clone());
                "folder".to_owned()
            } else if meta.is_file() && meta.len() > LONG {
                format!("{} bytes of {:?}", meta.len(), meta.modified().ok())
            } else if meta.is_file() {
                String::from_utf8_lossy(&fs::read(&path).unwrap_or_default()).into_owned()
            } else {
                "special file".to_owned()
            };
            out.insert(path, content);
        }
    }
    out
}

/// Removes a folder, including read-only folders inside it.
fn remove(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    if fs::symlink_metadata(folder).is_ok_and(|m| m.is_dir()) {
        let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o755));
        for (path, content) in entries(folder, &|_| true) {
            if content == "folder" {
                let _ = fs::set_permissions(&path, fs::Permissions::from_mode(0o755));
            }
        }
    }
    let _ = fs::remove_dir_all(folder);
}

/// Makes a named pipe.
fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.is_ok_and(|s| s.success()), "mkfifo {}", path.display());
}

/// Returns a CRD with these names, which need not be valid.
fn definition(group: &str, plural: &str, kind: &str, version: &str) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    format!(
        r#"{{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
 "metadata": {{"name": {}}},
 "spec": {{"group": {}, "scope": "Namespaced", "names": {{"plural": {}, "kind": {}}},
  "versions": [{{"name": {}, "served": true, "storage": true, "schema": {{"openAPIV3Schema": {{"type": "object"}}}}}}]}}}}
"#,
        quoted(&format!("{plural}.{group}")),
        quoted(group),
        quoted(plural),
        quoted(kind),
        quoted(version)
    )
}

/// SECURITY.md names a test for each promise. The tests must exist.
#[test]
fn every_promise_has_a_test() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    // The command has tests of its own, for what keeps running.
    let of_command = tests.join("../../codegen/cli/tests");
    let text = fs::read_to_string(tests.join("../../SECURITY.md")).unwrap_or_else(|e| panic!("{e}"));
    let rows: Vec<Vec<&str>> =
        text.lines().filter(|line| line.starts_with("| ")).map(|line| line.split(" | ").collect()).collect();
    assert!(rows.len() > 6, "{text}");
    // Before them are the names of the columns, and a line.
    for row in &rows[2..] {
        let named: Vec<&str> = row[2].split('`').filter(|part| part.contains("::")).collect();
        assert!(!named.is_empty(), "{}: no test", row[0]);
        for name in named {
            let (module, test) = name.rsplit_once("::").unwrap_or_default();
            let home = if module.starts_with("serve::") { &of_command } else { &tests };
            let file = home.join(module.replace("::", "/")).with_extension("rs");
            let code =
                fs::read_to_string(&file).unwrap_or_else(|e| panic!("{name}: {}: {e}", file.display()));
            assert!(code.contains(&format!("\nfn {test}() {{\n")), "{name}: there is no such test");
        }
    }
}

/// The tables contain every command. Add a new command to them, or list here why it reads no files of users.
#[test]
fn no_command_is_left_out() {
    // The tests use the first one for requests. `serve` and `lsp` read CRDs as `check` does, and do not end. `mcp` runs the others. The rest
    // reads no CRDs.
    const NONE: &[&str] = &["rpc", "lsp", "mcp", "serve", "config", "completions", "man", "help"];
    let sandbox = Sandbox::new("commands");
    let help = sandbox.run(&["--help"]).stdout;
    let (_, commands) = help.split_once("Commands:\n").unwrap_or_default();
    let commands: Vec<&str> =
        commands.lines().take_while(|l| !l.is_empty()).filter_map(|l| l.split_whitespace().next()).collect();
    assert!(commands.contains(&"check"), "{help}");
    let tried =
        |command: &str| [READERS, WRITERS, RUST_READERS].concat().iter().any(|args| args[0] == command);
    let left: Vec<&&str> = commands.iter().filter(|c| !NONE.contains(c) && !tried(c)).collect();
    assert!(left.is_empty(), "{left:?}");
}
