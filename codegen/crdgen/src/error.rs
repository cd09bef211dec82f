//! What can go wrong around definitions: files, processes, cargo, limits. What is wrong with the definitions, objects
//! and types themselves is said by diagnostics ([`crate::diag::Diag`]).

use std::io;
use std::path::{Path, PathBuf};

/// Why something could not be done. The text names the file or the process, and says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or a folder cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Where it is.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is no such file or folder.
    #[error("{}: no such file or directory", .0.display())]
    Missing(PathBuf),
    /// There is no Rust to read.
    #[error("{}: {why}", path.display())]
    NoSources {
        /// What was named.
        path: PathBuf,
        /// What is there instead, and what to name.
        why: String,
    },
    /// A workspace has none of the packages that are wanted.
    #[error("no such package; there are: {}", .known.join(", "))]
    NoPackage {
        /// The packages it has.
        known: Vec<String>,
    },
    /// `cargo metadata` cannot be run, fails, or gives no answer.
    #[error("{}: {}", manifest.display(), metadata_failed(.source))]
    Cargo {
        /// The manifest it was asked about.
        manifest: PathBuf,
        /// What went wrong; cargo's own words, if it has any.
        source: Box<cargo_metadata::Error>,
    },
    /// A thread cannot be started.
    #[error("starting a thread: {0}")]
    Thread(io::Error),
}

impl Error {
    /// A failure with a file.
    pub(crate) fn file(path: &Path, source: io::Error) -> Error {
        Error::File { path: path.to_owned(), source }
    }
}

fn metadata_failed(error: &cargo_metadata::Error) -> String {
    match error {
        cargo_metadata::Error::CargoMetadata { stderr } => {
            format!("`cargo metadata` failed:\n{}", stderr.trim_end())
        }
        cargo_metadata::Error::Io(e) => {
            format!("`cargo metadata` cannot be run: {e}; install cargo, or let $CARGO name it")
        }
        other => format!("`cargo metadata` gave no answer: {other}"),
    }
}
