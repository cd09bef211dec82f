//! Files at a revision of a git repository. No other module runs git.
//!
//! The repository may be hostile: its configuration can name programs, and git reads it. So git only reads objects here,
//! by their ids, with commands that run no hooks, filters or pagers, and it may not use the network, not even to fetch
//! an object that is missing. It may not take forever.

mod own;

use crdgen_core::listed;
use crdgen_files::Error;
use crdgen_files::input::MAX_BYTES;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

use super::limited::{self, Ended, Unfinished, Watched};
use super::path::normal;
use own::check_own;
pub use own::trust_alternates;

/// Settings that take precedence over those of the repository.
const SETTINGS: &[&str] = &[
    // A folder of the checkout may contain the files of a bare repository, with a configuration of its own.
    "safe.bareRepository=explicit",
    // Older versions of git do not know `GIT_NO_LAZY_FETCH` and would start a fetch. All protocols are forbidden, and so
    // are the programs that a fetch runs before it uses one.
    "protocol.allow=never",
    "fetch.bundleURI=",
    "credential.helper=",
    "core.askPass=",
    "core.sshCommand=false",
    "core.alternateRefsCommand=false",
    "gc.auto=0",
    "maintenance.auto=false",
    // It may name a device.
    "core.excludesFile=/dev/null",
    // The commands below run none of these.
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "diff.external=",
    "submodule.recurse=false",
];

/// Variables that take precedence over the settings of the repository.
const VARIABLES: &[(&str, &str)] = &[
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
];

/// Git compares every new file with every old one that is gone, so it gives up above a number of files.
const RENAME_LIMIT: &str = "-l1000";

/// Where a path is in a repository at a revision.
pub(super) struct RevisionPlace<'p> {
    /// The folder of the work tree in which git runs.
    pub(super) folder: &'p str,
    /// The path below this folder.
    pub(super) rest: &'p str,
    commit: String,
    /// The folder of the repository.
    pub(super) top: PathBuf,
    /// The path from there to `folder`.
    pub(super) prefix: PathBuf,
}

impl<'p> RevisionPlace<'p> {
    pub(super) fn new(revision: &str, path: &'p str) -> Result<RevisionPlace<'p>, Error> {
        let (folder, rest) = folder(path);
        let commit = commit(folder, revision)?;
        let prefix = answer(folder, &["rev-parse", "--show-prefix"])?;
        let prefix = PathBuf::from(String::from_utf8_lossy(&prefix).trim_end_matches(['\n', '\r']));
        let mut top = Path::new(folder).canonicalize().map_err(Error::file(folder))?;
        prefix.components().for_each(|_| _ = top.pop());
        Ok(RevisionPlace { folder, rest, commit, top, prefix })
    }

    /// The path in the repository.
    pub(super) fn path(&self) -> PathBuf {
        normal(&self.prefix.join(self.rest))
    }

    /// Whether it is among the files of a list: as one of them, as a folder with one, or behind a link.
    pub(super) fn exists_in(&self, listed: &[u8]) -> bool {
        let path = self.path();
        let is_it = |file: Listed<'_>| {
            let name = Path::new(&file.name);
            name.starts_with(&path) || file.is_link && path.starts_with(name)
        };
        Listed::all(listed).any(is_it)
    }

    /// Lists the documents that were renamed between the revision and another one, or the index: their old and new paths in the
    /// repository. git compares objects alone, because a filter for the files of the work tree may be a program.
    pub(super) fn renames(&self, new: Option<&RevisionPlace<'_>>) -> Result<Vec<(String, String)>, Error> {
        let mut args = match new {
            Some(new) => vec!["diff-tree", "-r", &self.commit, &new.commit],
            None => vec!["diff-index", "--cached", &self.commit],
        };
        args.extend([
            "--find-renames",
            RENAME_LIMIT,
            "--diff-filter=R",
            "--name-status",
            "-z",
            "--no-ext-diff",
        ]);
        args.extend([
            "--no-textconv",
            "--ignore-submodules=all",
            "--",
            ":(top)*.yaml",
            ":(top)*.yml",
            ":(top)*.json",
        ]);
        let printed = answer(self.folder, &args)?;
        let mut words =
            printed.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
        let mut out = Vec::new();
        // Each entry is a status such as `R086`, and two paths.
        while let (Some(_), Some(old), Some(new)) = (words.next(), words.next(), words.next()) {
            out.push((old, new));
        }
        Ok(out)
    }

    /// Lists all files of the repository, for [`Listed::all`].
    pub(super) fn list(&self) -> Result<Vec<u8>, Error> {
        answer(self.folder, &["ls-tree", "-r", "-z", "--full-tree", &self.commit])
    }
}

/// Returns the files below a folder that git tracks although `.gitignore` names them. Without git, there are none.
pub fn tracked_but_ignored(folder: &Path) -> Vec<PathBuf> {
    let args = ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard", "--", "."];
    let listed = folder.to_str().and_then(|folder| answer(folder, &args).ok()).unwrap_or_default();
    let names = String::from_utf8_lossy(&listed).into_owned();
    names.split('\0').filter(|name| !name.is_empty()).map(|name| folder.join(name)).collect()
}

/// Returns what git prints about the lines that differ between two files, wherever they are.
pub fn difference(old: &str, new: &str) -> Result<String, Error> {
    // It also fails if there are differences.
    let (_, printed, _) =
        run(".", &["diff", "--no-index", "--no-ext-diff", "--no-textconv", "--", old, new])?;
    Ok(String::from_utf8_lossy(&printed).into_owned())
}

/// Returns the folder in which git runs for a path, and the path that git gets there.
fn folder(path: &str) -> (&str, &str) {
    if Path::new(path).is_dir() {
        return (path, ".");
    }
    // For a pattern, this is the folder above its first wildcard.
    if let Some(first) = path.find(['*', '?', '[']) {
        return (path[..first].rsplit_once('/').map_or(".", |(folder, _)| folder), ".");
    }
    match path.rsplit_once('/') {
        Some((folder, name)) if Path::new(folder).is_dir() => (folder, name),
        _ => (".", path),
    }
}

/// Returns the id of the commit that a revision names.
fn commit(folder: &str, revision: &str) -> Result<String, Error> {
    let missing = || failed(format!("there is no revision {revision} in {folder}"));
    // Git would read it as an option.
    if revision.starts_with('-') {
        return Err(missing());
    }
    let (status, printed, _) =
        run(folder, &["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])?;
    let id = String::from_utf8_lossy(&printed).trim().to_owned();
    if status.success() && !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(id);
    }
    match run(folder, &["rev-parse", "--git-dir"])? {
        (status, ..) if status.success() => Err(missing()),
        (_, _, errors) => {
            Err(failed(format!("git cannot read a repository in {folder}: {}", reason(&errors))))
        }
    }
}

/// Whether a text is a revision of the repository of a folder.
pub(super) fn is_revision(folder: &str, text: &str) -> bool {
    commit(folder, text).is_ok()
}

/// A file in a tree.
pub(super) struct Listed<'a> {
    pub(super) is_regular: bool,
    pub(super) is_link: bool,
    pub(super) id: &'a str,
    pub(super) name: String,
}

impl<'a> Listed<'a> {
    /// The files of a list.
    pub(super) fn all(list: &'a [u8]) -> impl Iterator<Item = Listed<'a>> {
        list.split(|byte| *byte == 0).filter_map(Listed::parse)
    }

    /// Parses `100644 blob ID<tab>NAME`.
    fn parse(entry: &'a [u8]) -> Option<Listed<'a>> {
        let tab = entry.iter().position(|byte| *byte == b'\t')?;
        let mut words = std::str::from_utf8(&entry[..tab]).ok()?.split(' ');
        let (mode, _, id) = (words.next()?, words.next()?, words.next()?);
        let name = String::from_utf8_lossy(&entry[tab + 1..]).into_owned();
        // Another mode is that of the commits of submodules.
        Some(Listed { is_regular: matches!(mode, "100644" | "100755"), is_link: mode == "120000", id, name })
    }
}

/// A running `git cat-file --batch`, which prints the objects whose ids it reads.
pub(super) struct Objects {
    process: Watched,
    ids: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Objects {
    pub(super) fn new(folder: &str) -> Result<Objects, Error> {
        check_own(folder)?;
        let mut command = command(folder, &["cat-file", "--batch"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = Watched::start(&mut command).map_err(not_started)?;
        let (ids, answers) = process.pipes();
        match answers {
            Some(answers) => Ok(Objects { process, ids, answers: BufReader::new(answers) }),
            None => Err(not_started(io::ErrorKind::BrokenPipe.into())),
        }
    }

    /// Reads an object, or returns `None` if the repository does not have it. `name` is its name in messages.
    pub(super) fn read(&mut self, id: &str, name: &str) -> Result<Option<Vec<u8>>, Error> {
        self.process.proceeds();
        let size = self.ask(id).map_err(|e| failed(format!("{name}: {e}")))?;
        let Some(size) = size else { return Ok(None) };
        if size > MAX_BYTES {
            return Err(Error::TooLarge { path: name.into(), limit: MAX_BYTES >> 20 });
        }
        let mut bytes = Vec::new();
        // A line break follows the object.
        let read = (&mut self.answers).take(size + 1).read_to_end(&mut bytes);
        match read {
            Ok(_) if bytes.pop().is_some() && bytes.len() as u64 == size => Ok(Some(bytes)),
            Ok(_) => Err(failed(format!("{name}: git ended early"))),
            Err(e) => Err(failed(format!("{name}: {e}"))),
        }
    }

    /// Asks for an object. Returns its size, or `None` if the repository does not have it.
    fn ask(&mut self, id: &str) -> io::Result<Option<u64>> {
        let ids = self.ids.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(ids, "{id}")?;
        ids.flush()?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        // `ID blob SIZE`, or `ID missing`.
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [_, "blob", size] => size.parse().map(Some).map_err(io::Error::other),
            [_, "missing"] | [] => Ok(None),
            _ => Err(io::Error::other(format!("git answers {}", line.trim()))),
        }
    }
}

/// The error about files of a revision that a repository does not have.
pub(super) fn missing(revision: &str, names: &[String]) -> Error {
    let first = listed::first(names.iter(), listed::NAMED);
    failed(format!(
        "the repository does not have all files of {revision}: {first}. It may be a partial clone, and crdgen does not let git \
         fetch them: run `git fetch --refetch --no-filter` once"
    ))
}

/// Returns what git prints. If git fails, this is an error.
fn answer(folder: &str, args: &[&str]) -> Result<Vec<u8>, Error> {
    let (status, printed, errors) = run(folder, args)?;
    match status.success() {
        true => Ok(printed),
        false => Err(failed(format!("git {} fails in {folder}: {}", args.join(" "), reason(&errors)))),
    }
}

/// Returns the reason that git prints when it fails, in one line.
fn reason(printed: &[u8]) -> String {
    let text = String::from_utf8_lossy(printed);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let text = lines.join(" ");
    text.strip_prefix("fatal: ").unwrap_or(&text).to_owned()
}

fn failed(why: String) -> Error {
    Error::Program { command: "git".to_owned(), why }
}

fn not_run(why: Unfinished) -> Error {
    match why {
        Unfinished::NotStarted(source) => not_started(source),
        Unfinished::Ended(why) => failed(why),
    }
}

fn not_started(source: io::Error) -> Error {
    Error::NoProgram { program: "git", source, help: None }
}

/// Runs git. It may wait forever for a special file in the repository, so its time is limited.
fn run(folder: &str, args: &[&str]) -> Result<Ended, Error> {
    check_own(folder)?;
    limited::finish(&mut command(folder, args), MAX_BYTES).map_err(not_run)
}

fn command(folder: &str, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.arg("--no-pager");
    SETTINGS.iter().for_each(|setting| _ = command.args(["-c", setting]));
    command.envs(VARIABLES.iter().copied());
    command.arg("-C").arg(folder).args(args);
    command
}
