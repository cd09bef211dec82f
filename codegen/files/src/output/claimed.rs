//! Temporary folders that a process has claimed with a lock on the folder. The lock ends with the process and with those that it started,
//! however they end, so a later process knows which folders are not needed any more. Others share the folder around them, and may put
//! anything there.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
use rustix::io::{Errno, FdFlags, fcntl_setfd};
use rustix::process::geteuid;

/// The end of the names of folders that are claimed. Builds of crdgen that claim no folders name theirs without it.
pub(super) const SUFFIX: &str = "-claimed";

/// Keeps others from removing a folder.
#[derive(Debug)]
pub(super) struct Claim(#[expect(dead_code, reason = "the lock lasts as long as the file is open")] File);

impl Claim {
    /// Claims a folder that this process has just created. `None` if another process has removed it, or is about to.
    pub(super) fn new(folder: &Path) -> Option<Claim> {
        let file = opened(folder)?;
        // Cargo goes on if this process is killed, and would create the folder again to write to it.
        fcntl_setfd(&file, FdFlags::empty()).ok()?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) => None,
            // In a file system without locks, other processes get none either, so they do not remove the folder.
            Ok(()) | Err(_) => is_own(&file, folder).then_some(Claim(file)),
        }
    }
}

/// Removes the folders of processes that have ended without removing them.
pub(super) fn remove_abandoned(around: &Path) {
    for entry in fs::read_dir(around).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_claimed = name.to_str().is_some_and(|it| it.starts_with("crdgen-") && it.ends_with(SUFFIX));
        if !is_claimed {
            continue;
        }
        let path = entry.path();
        let Some(file) = opened(&path).filter(|file| is_own(file, &path)) else { continue };
        // Whoever has just created it checks whether it is still there after locking it.
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() && is_own(&file, &path) {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// Opens a folder, and nothing that a link leads to.
fn opened(folder: &Path) -> Option<File> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    open(folder, flags, Mode::empty()).ok().map(File::from)
}

/// Whether an open folder is the one at a path, belongs to this user, and is closed to all others.
fn is_own(file: &File, path: &Path) -> bool {
    let (Ok(open), Ok(there)) = (file.metadata(), path.symlink_metadata()) else { return false };
    (open.dev(), open.ino()) == (there.dev(), there.ino())
        && open.uid() == geteuid().as_raw()
        && open.mode() & 0o7777 == 0o700
}
