//! One input, and how it is read.

use crdgen_files::Error;
use crdgen_files::input::{self, MAX_BYTES, Shown};
use crdgen_files::inside::Inside;
use std::fs::Metadata;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once, OnceLock};

use crdgen_import::without_actions;

use super::notes::Notes;
use super::piped;
use super::source::{Objects, Origin, Source};

/// Where a source will come from.
pub struct Input {
    pub(super) path: PathBuf,
    /// The size of the file when it was found. `None` if it is unknown, as for a pipe or standard input.
    pub(super) size: Option<u64>,
    /// The text, if it was read already: a pipe or standard input can only be read once, and other inputs may be kept
    /// to be read again.
    pub(super) read_before: OnceLock<Source>,
    /// Whether the error about it was reported.
    pub(super) reported: Once,
    pub(super) origin: Origin,
}

/// The argument for standard input.
pub(super) const STDIN: &str = "-";

/// The largest number of inputs in a batch.
const BATCH: usize = 512;
/// The largest number of bytes in a batch, for each thread. All texts of a batch are in memory at once.
const BATCH_BYTES: u64 = 2 << 20;
/// A file of this size is in a batch of its own.
const LARGE: u64 = 2 << 20;

/// Returns the inputs in their order, in batches that are processed at once. An input that may be large is in a batch
/// of its own.
pub fn batches(inputs: &[Input]) -> impl Iterator<Item = &[Input]> {
    let mut rest = inputs;
    let most = BATCH_BYTES * rayon::current_num_threads() as u64;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let is_small = |input: &&Input| {
            bytes += input.size.unwrap_or(LARGE);
            input.size.is_some_and(|size| size < LARGE) && bytes <= most
        };
        let small = rest.iter().take(BATCH).take_while(is_small).count();
        let (batch, others) = rest.split_at(small.max(1).min(rest.len()));
        rest = others;
        (!batch.is_empty()).then_some(batch)
    })
}

impl Input {
    fn new(path: PathBuf, size: Option<u64>, origin: Origin) -> Input {
        Input { path, size, read_before: OnceLock::new(), reported: Once::new(), origin }
    }

    /// An input that the user names.
    pub(super) fn named(path: PathBuf, size: Option<u64>) -> Input {
        let root = Arc::from(path.shown().to_string());
        Input::new(path, size, Origin { root, ..Origin::default() })
    }

    /// A file of a folder. Files are applied together only if the user names their folder or if a kustomization includes
    /// them: folders of samples and releases have the same objects in several files.
    pub(super) fn found(path: PathBuf, size: Option<u64>) -> Input {
        let root = Arc::from(path.shown().to_string());
        Input::new(path, size, Origin { is_found: true, root, ..Origin::default() })
    }

    /// The same file, with the objects that a kustomization makes of its objects.
    pub(super) fn built(&self, root: Arc<str>, objects: Objects) -> Input {
        let origin = Origin { is_found: true, root, built: Some(Arc::new(objects)), ..Origin::default() };
        Input::new(self.path.clone(), self.size, origin)
    }

    /// Returns an input for a text that is not a file. Its name is that of the file that it was made from.
    pub fn given(source: Source) -> Input {
        let size = Some(source.bytes.len() as u64);
        let input = Input::new(PathBuf::from(&source.name), size, source.origin.clone());
        Input { read_before: OnceLock::from(source), ..input }
    }

    pub(super) fn folder(&self) -> &Path {
        input::folder_of(&self.path)
    }

    /// Reads the whole input. It may be read again.
    pub fn read(&self) -> Result<Source, Error> {
        if let Some(source) = self.read_before.get() {
            return Ok(Source { origin: self.origin.clone(), ..source.clone() });
        }
        let mut source = self.read_now()?;
        if self.origin.is_template
            && let Ok(text) = std::str::from_utf8(&source.bytes)
        {
            source.bytes = Arc::new(without_actions(text).into_bytes());
        }
        if self.size.is_none() {
            self.keep(&source);
        }
        Ok(source)
    }

    /// Keeps the text until it is read again.
    pub fn keep(&self, source: &Source) {
        self.read_before.get_or_init(|| source.clone());
    }

    fn read_now(&self) -> Result<Source, Error> {
        let failed = Error::file(&self.path);
        if self.path == Path::new(STDIN)
            && let Some(bytes) = piped::read()
        {
            return Ok(self.source("<stdin>".to_owned(), bytes));
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
        if self.path == Path::new(STDIN) && bytes.is_empty() {
            return Err(piped::empty());
        }
        if bytes.len() as u64 > MAX_BYTES {
            return Err(self.too_large());
        }
        Ok(self.source(name, Arc::new(bytes)))
    }

    fn source(&self, name: String, bytes: Arc<Vec<u8>>) -> Source {
        Source { origin: self.origin.clone(), ..Source::new(name, bytes) }
    }

    fn too_large(&self) -> Error {
        Error::TooLarge { path: self.path.clone(), limit: MAX_BYTES >> 20 }
    }
}

/// Returns a file that was found below a folder. Links may lead only to files in the folder or its repository.
pub(super) fn found_below(path: PathBuf, inside: &Inside, notes: Notes) -> Option<Input> {
    let meta = inside.regular(&path);
    or_skipped(path, meta, notes)
}

/// Returns an input that was found by its name. Anything that is not a regular file is skipped.
pub(super) fn regular(path: PathBuf, notes: Notes) -> Option<Input> {
    let meta = input::regular(&path);
    or_skipped(path, meta, notes)
}

fn or_skipped(path: PathBuf, meta: io::Result<Metadata>, notes: Notes) -> Option<Input> {
    match meta {
        Ok(meta) => Some(Input::found(path, Some(meta.len()))),
        Err(why) => {
            notes.say(format_args!("skipped {}: {}", path.shown(), why_skipped(why)));
            None
        }
    }
}

/// Why a file that was found by its name is skipped.
pub fn why_skipped(why: io::Error) -> io::Error {
    match why.kind() {
        io::ErrorKind::NotFound => io::Error::new(why.kind(), "a link to a file that does not exist"),
        _ => why,
    }
}
