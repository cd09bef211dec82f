//! What can go wrong around CRDs: files, processes, cargo, arguments, limits. Mistakes in CRDs, objects and types
//! are diagnostics ([`crdgen_core::diag::Diag`]).

use crate::input::Shown;
use crdgen_core::diag::Diag;
use crdgen_core::inert::{Inert, InertLine};
use crdgen_core::span::Place;
use crdgen_import::Unreadable;
use crdgen_source::{At, Found};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// The error of functions that read, check or write files. Its text names the file or program, and often what to do.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or a folder cannot be read or written.
    #[error("{}: {source}", path.shown())]
    File {
        /// The path of the file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file or folder does not exist.
    #[error("{}: no such file or directory", .0.shown())]
    Missing(PathBuf),
    /// An input is too large.
    #[error("{}: larger than {limit} MiB", path.shown())]
    TooLarge {
        /// The path of the input.
        path: PathBuf,
        /// The largest size, in MiB.
        limit: u64,
    },
    /// crdgen would have to replace a file that it did not write.
    #[error("{}: crdgen has not written this file and does not replace it{}", path.shown(), with(": ", *.help))]
    NotOurs {
        /// The path of the file.
        path: PathBuf,
        /// What to do, if there is help.
        help: Option<&'static str>,
    },
    /// Two documents would be written to the same file.
    #[error("{}: two different documents belong in this file; pass one of them, or write them to different folders", .0.shown())]
    WrittenTwice(PathBuf),
    /// A document has an error.
    #[error("{}: {}", InertLine(name), .diag.shown())]
    Document {
        /// The file.
        name: String,
        /// The first error.
        diag: Box<Diag>,
    },
    /// A file contains no CRD that can be read.
    #[error("{}{}: {why}", InertLine(name), at(.why.place()))]
    NoDefinitions {
        /// The file.
        name: String,
        /// What the file contains instead.
        why: Unreadable,
    },
    /// A server cannot process an object at all, for example because of its CRD.
    #[error("{name}: {why}")]
    Refused {
        /// The object or its CRD.
        name: String,
        /// The reason.
        why: crdgen_core::object::Refusal,
    },
    /// A file is not valid Rust.
    #[error("{}:{line}:{column}: {why}", InertLine(path.shown()))]
    NoRust {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u32,
        /// The column.
        column: u32,
        /// The error.
        why: String,
    },
    /// There are no Rust sources at a path.
    #[error("{}: {why}", path.shown())]
    NoSources {
        /// The path that was given.
        path: PathBuf,
        /// What the path contains instead, and which path to use.
        why: String,
    },
    /// A workspace does not have a package with this name.
    #[error("no such package. The packages are: {}", .known.join(", "))]
    NoPackage {
        /// The packages that the workspace has.
        known: Vec<String>,
    },
    /// The inputs contain nothing to work on, such as no CRD.
    #[error("{0}")]
    Nothing(String),
    /// The sources have errors.
    #[error("{}{}", render(.found), .cargo.as_ref().map_or_else(String::new, ToString::to_string))]
    Mistakes {
        /// The errors.
        found: Vec<Found>,
        /// The reason why cargo could not find other crates, whose types crdgen then does not know.
        cargo: Option<Box<Error>>,
    },
    /// Files are out of date. Contains the differences.
    #[error("out of date:\n{0}")]
    OutOfDate(String),
    /// CRDs break what works with the previous ones. Contains the changes.
    #[error("these changes break objects or clients:\n{0}")]
    Incompatible(String),
    /// `cargo metadata` cannot be run, fails, or returns nothing.
    #[error("{}: {why}", InertLine(manifest.shown()))]
    Cargo {
        /// The manifest that cargo was to read.
        manifest: PathBuf,
        /// The reason, with cargo's own message if there is one.
        why: String,
    },
    /// Another program cannot be run.
    #[error("{program}: {source}{}", with("; ", *.help))]
    NoProgram {
        /// The name of the program.
        program: &'static str,
        /// The error of the operating system.
        source: io::Error,
        /// What to do, if there is help.
        help: Option<&'static str>,
    },
    /// Another program fails.
    #[error("{}: {why}", InertLine(command))]
    Program {
        /// The program and its arguments.
        command: String,
        /// The reason: its error output, or how it ended.
        why: String,
    },
    /// Standard output cannot be written to.
    #[error("standard output: {0}")]
    Output(io::Error),
    /// A thread cannot be started.
    #[error("starting a thread: {0}")]
    Thread(io::Error),
    /// An argument is wrong, or contradicts another one.
    #[error("{0}")]
    Argument(String),
}

/// Prints the same text as [`Display`](fmt::Display), because `main` of a build script prints its error with `Debug`.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

/// How a run of the command ends after an error.
pub struct Meaning {
    /// The exit code. Problems in the user's files have the same code as findings, however a command reports them.
    pub code: u8,
    /// Whether an argument may be the cause.
    pub is_of_arguments: bool,
}

impl Meaning {
    /// Returns what an error means.
    pub fn of(failure: &Error) -> Meaning {
        let (code, is_of_arguments) = match failure {
            Error::Document { .. }
            | Error::NoRust { .. }
            | Error::Refused { .. }
            | Error::WrittenTwice(_)
            | Error::Mistakes { .. }
            | Error::OutOfDate(_)
            | Error::Incompatible(_) => (1, false),
            Error::NoDefinitions { why: Unreadable::Document(_) | Unreadable::Definition(_), .. } => {
                (1, true)
            }
            Error::NoDefinitions { .. }
            | Error::File { .. }
            | Error::Missing(_)
            | Error::TooLarge { .. }
            | Error::NotOurs { .. }
            | Error::NoSources { .. }
            | Error::NoPackage { .. }
            | Error::Nothing(_)
            | Error::Program { .. }
            | Error::Argument(_) => (2, true),
            Error::Cargo { .. } | Error::NoProgram { .. } | Error::Output(_) | Error::Thread(_) => (2, false),
        };
        Meaning { code, is_of_arguments }
    }
}

impl Error {
    /// Whether the text may have several lines: findings, differences, and what programs print. The names in it are on
    /// one line.
    #[doc(hidden)]
    pub fn has_lines(&self) -> bool {
        match self {
            Error::Document { .. }
            | Error::NoDefinitions { .. }
            | Error::NoRust { .. }
            | Error::Mistakes { .. }
            | Error::OutOfDate(_)
            | Error::Incompatible(_)
            | Error::Cargo { .. }
            | Error::Program { .. } => true,
            Error::Refused { .. }
            | Error::File { .. }
            | Error::Missing(_)
            | Error::TooLarge { .. }
            | Error::NotOurs { .. }
            | Error::WrittenTwice(_)
            | Error::NoSources { .. }
            | Error::NoPackage { .. }
            | Error::Nothing(_)
            | Error::NoProgram { .. }
            | Error::Output(_)
            | Error::Thread(_)
            | Error::Argument(_) => false,
        }
    }

    /// Whether it is about one file or folder, so that others may be readable.
    pub fn is_of_file(&self) -> bool {
        matches!(self, Error::File { .. } | Error::TooLarge { .. })
    }

    /// Whether the user has no permission to read a file or a folder.
    pub fn is_denied(&self) -> bool {
        matches!(self, Error::File { source, .. } if source.kind() == io::ErrorKind::PermissionDenied)
    }

    /// The error for a diagnostic of a document.
    #[doc(hidden)]
    pub fn document(name: &str, place: Option<Place>, diag: Diag) -> Error {
        Error::Document { name: format!("{name}{}", at(place)), diag: Box::new(diag) }
    }

    /// Returns a function that turns an I/O error into an error about this file.
    #[doc(hidden)]
    pub fn file(path: impl AsRef<Path>) -> impl Fn(io::Error) -> Error {
        move |source| {
            let path = path.as_ref().to_owned();
            // The message of a missing file differs between operating systems, so it has a variant of its own.
            if source.kind() == io::ErrorKind::NotFound {
                Error::Missing(path)
            } else {
                Error::File { path, source }
            }
        }
    }
}

/// Formats a place, to append it to the name of a file: `:3:7`.
pub fn at(place: Option<Place>) -> String {
    place.map_or_else(String::new, |place| format!(":{}:{}", place.start.line, place.start.column))
}

/// Formats help, to append it to a message.
fn with(between: &str, help: Option<&str>) -> String {
    help.map_or_else(String::new, |help| format!("{between}{help}"))
}

/// Joins the lines of a message. The compiler of rules writes a line for each error, with lines of the source. All other line
/// breaks are in names, which stay on one line.
pub fn without_breaks<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut out = String::new();
    for (number, line) in lines.enumerate() {
        let starts_line = line.starts_with("ERROR: ") || is_source(line);
        out.push_str(match (number, starts_line) {
            (0, _) => "",
            (_, true) => "\n",
            (_, false) => "\\n",
        });
        out.push_str(line);
    }
    out
}

/// Whether a line of a message shows the source of a rule.
pub fn is_source(line: &str) -> bool {
    line.starts_with(" | ")
}

/// Renders diagnostics as text, each with one line and its help: `src/lib.rs:3:5: error[RST001]: …`.
pub fn render(found: &[Found]) -> String {
    let mut out = String::new();
    for Found { diag, at } in found {
        if let Some(At { file, start, .. }) = at {
            out.push_str(&format!("{}:{}:{}: ", InertLine(file), start.line, start.column));
        }
        let field = diag.field_shown().map_or_else(String::new, |field| format!("{}: ", InertLine(field)));
        let words = diag.words();
        let words = Inert(without_breaks(words.lines()));
        out.push_str(&format!("{}[{}]: {field}{words}\n", diag.level.name(), diag.code.id));
        for help in diag.help.iter().flat_map(|help| help.lines()) {
            out.push_str(&format!("  help: {}\n", Inert(help)));
        }
    }
    out
}

/// How many bytes of a text are shown. No one reads a name of megabytes. JSON has all of it.
const SHOWN: usize = 4000;

/// Cuts out the middle of a text that is too long. The field is at the beginning, and the mistake at the end.
pub fn shortened(text: &str) -> Cow<'_, str> {
    if text.len() <= SHOWN {
        return Cow::Borrowed(text);
    }
    let boundary = |near: usize| (0..=near).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let (head, tail) = (boundary(SHOWN / 2), boundary(text.len() - SHOWN / 2));
    let left_out = tail - head;
    Cow::Owned(format!("{}… ({left_out} bytes are not shown) …{}", &text[..head], &text[tail..]))
}
