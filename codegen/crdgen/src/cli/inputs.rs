//! What the command reads: files, directories, glob patterns and standard input, in a stable order.

use crate::input::Shown;
use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::piped;
use super::terminal;
use crate::Error;
use crate::input::{self, MAX_BYTES};

/// A text, and the name under which it is reported.
#[derive(Clone)]
pub(crate) struct Source {
    /// The path as the user would write it, or `<stdin>`.
    pub(crate) name: String,
    /// The bytes, whatever they are.
    pub(crate) bytes: Arc<Vec<u8>>,
}

/// Where a source will come from.
pub(crate) struct Input {
    path: PathBuf,
    /// The size of the file when it was found. `None` if it is unknown, as for a pipe or standard input.
    size: Option<u64>,
    /// The text, if it was read already: a pipe or standard input can only be read once, and other inputs may be kept
    /// to be read again.
    read_before: OnceLock<Source>,
}

/// Finds all inputs. Searches directories for regular files with one of the `extensions`, but not in hidden ones and
/// `target`. Without arguments, the input is what is piped in, or otherwise the current folder.
pub(crate) fn find(args: &[String], extensions: &[&str]) -> Result<Vec<Input>, Error> {
    let mut found = Vec::new();
    if args.is_empty() {
        match piped::text()? {
            Some(_) => found.push(Input::new(PathBuf::from(STDIN), None)),
            None => walk(Path::new("."), extensions, &mut found)?,
        }
    }
    for arg in args {
        let path = Path::new(arg);
        match fs::metadata(path) {
            _ if arg == STDIN => found.push(Input::new(path.to_owned(), None)),
            Ok(meta) if meta.is_dir() => walk(path, extensions, &mut found)?,
            Ok(meta) if meta.is_file() || is_open(path, &meta) => {
                found.push(Input::new(path.to_owned(), meta.is_file().then_some(meta.len())));
            }
            Ok(meta) => {
                let special = input::special(meta.file_type());
                let why = io::Error::new(special.kind(), format!("{special}; - reads standard input"));
                return Err(Error::file(arg)(why));
            }
            Err(_) if arg.contains(['*', '?', '[']) => expand(arg, extensions, &mut found)?,
            Err(e) => return Err(Error::file(arg)(e)),
        }
    }
    Ok(found)
}

/// Describes the arguments, for messages.
pub(crate) fn names(args: &[String]) -> String {
    if !args.is_empty() {
        let names: Vec<&str> = args.iter().map(|arg| if arg == STDIN { "<stdin>" } else { arg }).collect();
        return names.join(" ");
    }
    match piped::text() {
        Ok(Some(_)) => "<stdin>".to_owned(),
        Ok(None) | Err(_) => ".".to_owned(),
    }
}

/// The argument for standard input.
const STDIN: &str = "-";

/// Whether a path is a pipe that this process already has open, so that another process writes to it: `crdgen check
/// <(helm template …)`. A device does not count, because it may never end.
fn is_open(path: &Path, meta: &Metadata) -> bool {
    let descriptor =
        path == Path::new("/dev/stdin") || path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd");
    descriptor && matches!(input::kind(meta.file_type()), "a named pipe" | "a socket")
}

fn expand(pattern: &str, extensions: &[&str], found: &mut Vec<Input>) -> Result<(), Error> {
    let before = found.len();
    let paths =
        glob::glob(pattern).map_err(|e| Error::Argument(format!("{pattern}: invalid pattern: {e}")))?;
    for path in paths {
        let path = path.map_err(|e| Error::File { path: e.path().to_owned(), source: e.into() })?;
        if path.is_dir() {
            walk(&path, extensions, found)?;
        } else {
            let meta = input::regular(&path);
            found.extend(or_skipped(path, meta));
        }
    }
    if found.len() == before {
        return Err(Error::Nothing(format!("{pattern}: no file matches")));
    }
    Ok(())
}

fn walk(root: &Path, extensions: &[&str], found: &mut Vec<Input>) -> Result<(), Error> {
    let mut pending = vec![root.to_owned()];
    let start = found.len();
    while let Some(dir) = pending.pop() {
        let entries = std::fs::read_dir(&dir).map_err(Error::file(&dir))?;
        for entry in entries {
            let entry = entry.map_err(Error::file(&dir))?;
            let path = entry.path();
            let name = entry.file_name();
            let name = name.to_string_lossy();
            // Links to files are followed, but not links to directories, which can form circles.
            let kind = entry.file_type().map_err(Error::file(&path))?;
            if kind.is_dir() {
                if !name.starts_with('.') && name != "target" {
                    pending.push(path);
                }
            } else if extensions.iter().any(|e| path.extension().is_some_and(|x| x == *e)) {
                let meta = input::found(&path, root);
                found.extend(or_skipped(path, meta));
            }
        }
    }
    found[start..].sort_by(|a, b| a.path.cmp(&b.path));
    Ok(())
}

/// Returns an input that was found by its name. Anything that is not a regular file is skipped.
fn or_skipped(path: PathBuf, meta: io::Result<Metadata>) -> Option<Input> {
    match meta {
        Ok(meta) => Some(Input::new(path, Some(meta.len()))),
        Err(why) => {
            terminal::say(format_args!("skipped {}: {}", path.shown(), why_skipped(why)));
            None
        }
    }
}

/// Why a file that was found by its name is skipped.
pub(crate) fn why_skipped(why: io::Error) -> io::Error {
    match why.kind() {
        io::ErrorKind::NotFound => io::Error::new(why.kind(), "a link to a file that does not exist"),
        _ => why,
    }
}

/// The largest number of inputs in a batch.
const BATCH: usize = 512;
/// The largest number of bytes in a batch.
const BATCH_BYTES: u64 = 8 << 20;
/// A file of this size is in a batch of its own.
const LARGE: u64 = 2 << 20;

/// Returns the inputs in their order, in batches that are processed at once. An input that may be large is in a batch
/// of its own.
pub(crate) fn batches(inputs: &[Input]) -> impl Iterator<Item = &[Input]> {
    let mut rest = inputs;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let is_small = |input: &&Input| {
            bytes += input.size.unwrap_or(LARGE);
            input.size.is_some_and(|size| size < LARGE) && bytes <= BATCH_BYTES
        };
        let small = rest.iter().take(BATCH).take_while(is_small).count();
        let (batch, others) = rest.split_at(small.max(1).min(rest.len()));
        rest = others;
        (!batch.is_empty()).then_some(batch)
    })
}

impl Input {
    fn new(path: PathBuf, size: Option<u64>) -> Input {
        Input { path, size, read_before: OnceLock::new() }
    }

    /// Returns an input for a text that is not a file. Its name is that of the file that it was made from.
    pub(crate) fn given(source: Source) -> Input {
        let size = Some(source.bytes.len() as u64);
        Input { path: PathBuf::from(&source.name), size, read_before: OnceLock::from(source) }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the whole input. It may be read again.
    pub(crate) fn read(&self) -> Result<Source, Error> {
        if let Some(source) = self.read_before.get() {
            return Ok(source.clone());
        }
        let source = self.read_now()?;
        if self.size.is_none() {
            self.keep(&source);
        }
        Ok(source)
    }

    /// Keeps the text until it is read again.
    pub(crate) fn keep(&self, source: &Source) {
        self.read_before.get_or_init(|| source.clone());
    }

    fn read_now(&self) -> Result<Source, Error> {
        let failed = Error::file(&self.path);
        if self.path == Path::new(STDIN)
            && let Some(bytes) = piped::read()
        {
            return Ok(Source { name: "<stdin>".to_owned(), bytes });
        }
        let mut bytes = Vec::new();
        let (name, read) = if self.path == Path::new(STDIN) {
            ("<stdin>".to_owned(), std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes))
        } else {
            let file = std::fs::File::open(&self.path).map_err(&failed)?;
            // The length of a pipe is unknown. If a file grows while it is read, the rest is cut off below.
            let length = self.size.unwrap_or_default();
            if length > MAX_BYTES {
                return Err(self.too_large());
            }
            bytes.reserve(length as usize);
            (self.path.shown().to_string(), file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        };
        read.map_err(&failed)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(self.too_large());
        }
        Ok(Source { name, bytes: Arc::new(bytes) })
    }

    fn too_large(&self) -> Error {
        Error::TooLarge { path: self.path.clone(), limit: MAX_BYTES >> 20 }
    }
}
