//! Takes walks: runs the commands of tests/walk/*.console on a server, and compares what they print with what they printed on
//! the real control plane of Kubernetes. tests/README.md describes the format.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const USAGE: &str = "\
usage: walk check [--crdgen PROGRAM] [FILE...]         on `crdgen serve`, a new one for each file
       walk compare --kubeconfig FILE [FILE...]        on a server that runs
       walk record --kubeconfig FILE [FILE...]         writes what the commands print there";

/// How long a command may take.
const LIMIT: &str = "60";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("walk: {e}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &[String]) -> io::Result<bool> {
    let (mut crdgen, mut kubeconfig, mut files) = (None, None, Vec::new());
    let (action, rest) = args.split_first().ok_or_else(|| io::Error::other("say what to do"))?;
    let mut rest = rest.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "--crdgen" => crdgen = rest.next().map(PathBuf::from),
            "--kubeconfig" => kubeconfig = rest.next().map(PathBuf::from),
            file => files.push(PathBuf::from(file)),
        }
    }
    if files.is_empty() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../walk");
        files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        files.retain(|file| file.extension().is_some_and(|it| it == "console"));
        files.sort();
    }
    let crdgen = crdgen.unwrap_or_else(|| PathBuf::from("target/release/crdgen"));
    let (mut steps, mut different, mut expected) = (0, 0, 0);
    for file in files {
        let walk = Walk::parse(&fs::read_to_string(&file)?);
        let folder = Folder::new()?;
        let server = match (action.as_str(), &kubeconfig) {
            ("check", None) => Some(Server::start(&crdgen, &folder.0)?),
            ("compare" | "record", Some(kubeconfig)) => {
                fs::copy(kubeconfig, folder.0.join("kubeconfig"))?;
                None
            }
            _ => return Err(io::Error::other(format!("{action} is not possible like this"))),
        };
        let found = walk.found(&folder.0)?;
        drop(server);
        if action == "record" {
            fs::write(&file, found.text())?;
            continue;
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for (step, found) in walk.steps().zip(found.steps()) {
            steps += 1;
            match (step.output == found.output, &step.differs) {
                (true, None) => {}
                (false, Some(_)) => expected += 1,
                (true, Some(why)) => {
                    different += 1;
                    println!("{name}: $ {}\n  prints the same now, but is marked: {why}\n", step.command);
                }
                (false, None) => {
                    different += 1;
                    println!("{name}: $ {}\n{}", step.command, difference(&step.output, &found.output));
                }
            }
        }
    }
    if action != "record" {
        println!("{steps} steps, {different} different, {expected} different as marked");
    }
    Ok(different == 0)
}

/// A sequence of commands, in files with text around them.
struct Walk(Vec<Part>);

enum Part {
    /// A line that is kept as it is.
    Text(String),
    /// A file of the folder in which the commands run.
    File {
        name: String,
        text: String,
    },
    Step(Step),
}

struct Step {
    command: String,
    /// Why crdgen prints something else.
    differs: Option<String>,
    output: String,
}

impl Walk {
    fn parse(text: &str) -> Walk {
        let mut parts = Vec::new();
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            if let Some(name) = line.strip_prefix("== ") {
                let mut text = String::new();
                for line in lines.by_ref().take_while(|line| *line != "==") {
                    _ = writeln!(text, "{line}");
                }
                parts.push(Part::File { name: name.to_owned(), text });
            } else if let Some(command) = line.strip_prefix("$ ") {
                let differs = lines.next_if(|line| line.starts_with("~ ")).map(|line| line[2..].to_owned());
                let mut output = String::new();
                while let Some(line) = lines.next_if(|line| !is_start(line)) {
                    _ = writeln!(output, "{line}");
                }
                let output = output.trim_end().to_owned();
                parts.push(Part::Step(Step { command: command.to_owned(), differs, output }));
            } else if !line.is_empty() {
                parts.push(Part::Text(line.to_owned()));
            }
        }
        Walk(parts)
    }

    fn steps(&self) -> impl Iterator<Item = &Step> {
        self.0.iter().filter_map(|part| match part {
            Part::Step(step) => Some(step),
            Part::Text(_) | Part::File { .. } => None,
        })
    }

    /// Runs all commands, and returns the same walk with what they print.
    fn found(&self, folder: &Path) -> io::Result<Walk> {
        let mut parts = Vec::new();
        for part in &self.0 {
            parts.push(match part {
                Part::Text(line) => Part::Text(line.clone()),
                Part::File { name, text } => {
                    fs::write(folder.join(name), text)?;
                    Part::File { name: name.clone(), text: text.clone() }
                }
                Part::Step(Step { command, differs, .. }) => {
                    let output = output(command, folder)?;
                    Part::Step(Step { command: command.clone(), differs: differs.clone(), output })
                }
            });
        }
        Ok(Walk(parts))
    }

    fn text(&self) -> String {
        let mut out = String::new();
        for part in &self.0 {
            _ = match part {
                Part::Text(line) if line.starts_with("## ") && !out.is_empty() => write!(out, "\n{line}\n"),
                Part::Text(line) => writeln!(out, "{line}"),
                Part::File { name, text } => write!(out, "== {name}\n{text}==\n"),
                Part::Step(Step { command, differs, output }) => {
                    let differs = differs.as_ref().map(|why| format!("~ {why}\n")).unwrap_or_default();
                    let end = if output.is_empty() { "" } else { "\n" };
                    write!(out, "$ {command}\n{differs}{output}{end}")
                }
            };
        }
        out
    }
}

/// Whether a line is not part of an output.
fn is_start(line: &str) -> bool {
    line.starts_with("$ ") || line.starts_with("== ") || line.starts_with("## ")
}

fn output(command: &str, folder: &Path) -> io::Result<String> {
    let out = Command::new("timeout")
        .args([LIMIT, "sh", "-c", &format!("exec 2>&1\n{command}")])
        .current_dir(folder)
        .env("HOME", folder)
        .env("KUBECONFIG", folder.join("kubeconfig"))
        .stdin(Stdio::null())
        .output()?;
    let text = String::from_utf8_lossy(&out.stdout).replace(&folder.display().to_string(), "FOLDER");
    let mut lines: Vec<String> = text.lines().map(normal).collect();
    if let Some(code) = out.status.code().filter(|code| *code != 0) {
        lines.push(format!("[exit {code}]"));
    }
    Ok(lines.join("\n").trim_end().to_owned())
}

/// A line without what differs from run to run: times, ids, versions, ages and the widths of columns.
fn normal(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let mut out = line[..indent].to_owned();
    let mut gap = "";
    for word in line.trim().split_inclusive(' ') {
        let word = match word.trim_end() {
            "" => {
                gap = "  ";
                continue;
            }
            word => word,
        };
        out.push_str(gap);
        out.push_str(&if is_age(word) { "AGE".to_owned() } else { without_ids(word) });
        gap = " ";
    }
    match out.trim_start().split_once(' ') {
        Some(("resourceVersion:", version)) if version != "\"\"" => {
            format!("{}resourceVersion: VERSION", &line[..indent])
        }
        Some(("Resource", rest)) if rest.starts_with("Version:") => {
            format!("{}Resource Version: VERSION", &line[..indent])
        }
        Some(("\"resourceVersion\":", version)) => {
            let comma = if version.ends_with(',') { "," } else { "" };
            format!("{}\"resourceVersion\": VERSION{comma}", &line[..indent])
        }
        _ => out.trim_end().to_owned(),
    }
}

/// Whether a word is an age: `5s`, `2m3s`.
fn is_age(word: &str) -> bool {
    let parts: Vec<&str> = word.split_inclusive(['s', 'm', 'h', 'd']).collect();
    let is_part = |part: &&str| {
        let digits = &part[..part.len() - 1];
        part.ends_with(['s', 'm', 'h', 'd'])
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    !parts.is_empty() && parts.iter().all(is_part)
}

/// Shapes of what differs: `d` is a digit, `x` a hexadecimal one.
const SHAPES: [(&str, &str); 4] = [
    ("dddd-dd-ddTdd:dd:dd.ddddddZ", "TIME"),
    ("dddd-dd-ddTdd:dd:ddZ", "TIME"),
    ("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "UID"),
    ("127.0.0.1:ddddd", "SERVER"),
];

fn without_ids(word: &str) -> String {
    let mut out = String::new();
    let mut rest = word;
    'rest: while let Some(first) = rest.chars().next() {
        for (shape, name) in SHAPES {
            if has_shape(rest.as_bytes(), shape.as_bytes()) {
                out.push_str(name);
                rest = &rest[shape.len()..];
                continue 'rest;
            }
        }
        if let Some(version) = rest.strip_prefix("\"resourceVersion\":\"") {
            out.push_str("\"resourceVersion\":\"VERSION");
            rest = version.trim_start_matches(|c: char| c.is_ascii_digit());
            continue;
        }
        out.push(first);
        rest = &rest[first.len_utf8()..];
    }
    out
}

fn has_shape(text: &[u8], shape: &[u8]) -> bool {
    text.len() >= shape.len()
        && text.iter().zip(shape).all(|(byte, wanted)| match wanted {
            b'd' => byte.is_ascii_digit(),
            b'x' => byte.is_ascii_hexdigit(),
            wanted => byte == wanted,
        })
}

/// The lines that only one of two texts has, in their order.
fn difference(wanted: &str, found: &str) -> String {
    let (wanted, found): (Vec<&str>, Vec<&str>) = (wanted.lines().collect(), found.lines().collect());
    let start = wanted.iter().zip(&found).take_while(|(a, b)| a == b).count();
    let (wanted, found) = (&wanted[start..], &found[start..]);
    let end = wanted.iter().rev().zip(found.iter().rev()).take_while(|(a, b)| a == b).count();
    let mut out = String::new();
    for line in &wanted[..wanted.len() - end] {
        _ = writeln!(out, "  kubernetes {line}");
    }
    for line in &found[..found.len() - end] {
        _ = writeln!(out, "  crdgen     {line}");
    }
    out
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Folder> {
        let nanos = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let path = std::env::temp_dir().join(format!("walk-{}-{}", std::process::id(), nanos.as_nanos()));
        fs::create_dir(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

/// A running `crdgen serve`.
struct Server(Child);

impl Server {
    fn start(crdgen: &Path, folder: &Path) -> io::Result<Server> {
        let kubeconfig = folder.join("kubeconfig");
        let log = fs::File::create(folder.join("server.log"))?;
        let mut command = Command::new(crdgen);
        command.args(["serve", "--listen", "127.0.0.1:0", "--kubeconfig"]).arg(&kubeconfig);
        let server = Server(command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()?);
        let start = Instant::now();
        while !kubeconfig.exists() {
            if start.elapsed() > Duration::from_secs(10) {
                let log = fs::read_to_string(folder.join("server.log"))?;
                return Err(io::Error::other(format!("the server is not ready after ten seconds: {log}")));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}
