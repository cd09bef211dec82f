//! What is piped into the command: `cat x.yaml | crdgen check`.
//!
//! Without paths, a command reads standard input if that is a pipe or a file. If it is a terminal, `/dev/null`, another
//! device or closed, as it mostly is in CI, the command reads the current folder. An empty pipe or file is an error: the
//! command in front of the pipe has probably failed.

use super::Notes;
use crdgen_files::Error;
use crdgen_files::input::MAX_BYTES;
use std::io::Read;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

static TEXT: OnceLock<Option<Arc<Vec<u8>>>> = OnceLock::new();

/// Returns what is piped in, if anything is. It is read only once.
pub(crate) fn text(notes: Notes) -> Result<Option<Arc<Vec<u8>>>, Error> {
    if let Some(text) = TEXT.get() {
        return Ok(text.clone());
    }
    let text = all(notes)?;
    Ok(TEXT.get_or_init(|| text).clone())
}

/// Returns what [`text`] has read.
pub(super) fn read() -> Option<Arc<Vec<u8>>> {
    TEXT.get()?.clone()
}

fn all(notes: Notes) -> Result<Option<Arc<Vec<u8>>>, Error> {
    if !is_pipe_or_file() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    let waiting = Waiting::start(notes);
    let read = std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes);
    drop(waiting);
    read.map_err(Error::file("<stdin>"))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Error::TooLarge { path: "<stdin>".into(), limit: MAX_BYTES >> 20 });
    }
    if bytes.is_empty() {
        return Err(empty());
    }
    Ok(Some(Arc::new(bytes)))
}

/// The error for standard input without a text.
pub(super) fn empty() -> Error {
    let help =
        "if a command writes to it, look at its errors; to read files, name them or a folder, such as .";
    Error::Nothing(format!("standard input is empty: {help}"))
}

/// Whether standard input is a pipe or a regular file. Sockets do not count, because programs that start others often
/// leave one open.
#[cfg(unix)]
fn is_pipe_or_file() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let own = std::io::stdin().as_fd().try_clone_to_owned();
    let ty = own.and_then(|fd| std::fs::File::from(fd).metadata()).map(|meta| meta.file_type());
    ty.is_ok_and(|ty| ty.is_fifo() || ty.is_file())
}

#[cfg(windows)]
fn is_pipe_or_file() -> bool {
    use winapi_util::{HandleRef, file};
    file::typ(HandleRef::stdin()).is_ok_and(|ty| ty.is_pipe() || ty.is_disk())
}

/// On other systems this cannot be determined: `-` reads standard input.
#[cfg(not(any(unix, windows)))]
fn is_pipe_or_file() -> bool {
    false
}

/// How long a pipe may stay silent before a user wonders why nothing happens.
const PATIENCE: Duration = Duration::from_secs(2);

/// Prints what the command waits for, unless the wait is short.
struct Waiting {
    _done: std::sync::mpsc::Sender<()>,
}

impl Waiting {
    fn start(notes: Notes) -> Waiting {
        let (done, ended) = channel();
        // If the thread cannot start, only this hint is missing.
        let _ = std::thread::Builder::new().spawn(move || {
            if ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                notes.say(format_args!(
                    "reading standard input; to read files, name them or a folder, such as ."
                ));
            }
        });
        Waiting { _done: done }
    }
}
