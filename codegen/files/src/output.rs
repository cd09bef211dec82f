//! Writes files. No other module of this crate opens a file for writing.
//!
//! crdgen writes to a temporary file and renames it, so that readers never see half of a file. It writes nothing outside the
//! output folder, does not follow links inside it, and does not replace files that it did not write.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, SystemTime};

use crate::{Error, generated, input};

#[cfg(all(unix, feature = "claims"))]
mod claimed;

use claimed::Claim;

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The name of the file.
    pub name: String,
    /// The text of the file.
    pub text: String,
}

/// Determines which existing files are replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replace {
    /// Files that crdgen wrote, and CRDs of the same name.
    #[default]
    Own,
    /// All files.
    All,
}

/// An output folder.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    replace: Replace,
    /// The modification time of written files, if it is not the current time.
    modified: Option<SystemTime>,
    /// Whether only the user of the process may read the files.
    private: bool,
    /// Folders in which the leftovers of earlier runs were already removed.
    swept: BTreeSet<PathBuf>,
    /// The files that this run wrote. It does not replace them again.
    written: BTreeSet<PathBuf>,
    /// Complete files that get their names at the same time.
    staged: Vec<(PathBuf, Option<Unfinished>)>,
    /// The last field, so that files that get no name are removed before the folders around them.
    made: Made,
}

/// Folders that this run created, each after its parents. Those that are still empty at the end are removed.
#[derive(Debug, Default)]
struct Made(Vec<PathBuf>);

/// Which write of a file in a run it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    First,
    Again,
}

impl Drop for Made {
    fn drop(&mut self) {
        for folder in self.0.iter().rev() {
            // This fails for a folder that is not empty, so that folder stays.
            let _ = fs::remove_dir(folder);
        }
    }
}

impl Folder {
    /// Creates an output folder when the first file is written.
    pub fn new(root: impl Into<PathBuf>, replace: Replace) -> Folder {
        let root = input::or_here(&root.into()).to_owned();
        Folder {
            root,
            replace,
            modified: None,
            private: false,
            swept: BTreeSet::new(),
            written: BTreeSet::new(),
            staged: Vec::new(),
            made: Made::default(),
        }
    }

    /// Sets the modification time of files that are written from now on. Otherwise Cargo would run a build script again,
    /// because the files that it wrote are newer than its last run.
    #[must_use]
    pub fn modified(mut self, time: Option<SystemTime>) -> Folder {
        self.modified = time;
        self
    }

    /// Lets only the user of the process read the files, on systems that have such permissions.
    #[must_use]
    fn private(mut self) -> Folder {
        self.private = true;
        self
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// Writes a file, unless it already has this text. Returns whether it was written. Fails if another text was written
    /// to it before.
    pub fn write(&mut self, name: impl AsRef<Path>, text: &str) -> Result<bool, Error> {
        let path = self.make_place(name.as_ref())?;
        let turn = if self.written.insert(path.clone()) { Turn::First } else { Turn::Again };
        match self.unfinished(&path, text, turn)? {
            Some(unfinished) => unfinished.finish(&path).map_err(Error::file(&path)).map(|()| true),
            None => Ok(false),
        }
    }

    /// Prepares a file like [`Folder::write`]. It gets its name when [`Folder::finish`] is called, so that nothing changes
    /// if one of the files cannot be written.
    pub fn stage(&mut self, name: impl AsRef<Path>, text: &str) -> Result<(), Error> {
        let path = self.make_place(name.as_ref())?;
        if !self.written.insert(path.clone()) {
            let before = self.staged.iter().find(|(staged, _)| *staged == path);
            let place = before.and_then(|(_, unfinished)| unfinished.as_ref()).map_or(&path, |it| &it.path);
            let is_same = input::read(place).map_err(Error::file(&path))? == text.as_bytes();
            return if is_same { Ok(()) } else { Err(Error::WrittenTwice(path)) };
        }
        let unfinished = self.unfinished(&path, text, Turn::First)?;
        self.staged.push((path, unfinished));
        Ok(())
    }

    /// Gives all prepared files their names. Returns the paths of those that were written, in their order.
    pub fn finish(&mut self) -> Result<Vec<PathBuf>, Error> {
        let mut written = Vec::new();
        for (path, unfinished) in std::mem::take(&mut self.staged) {
            if let Some(unfinished) = unfinished {
                unfinished.finish(&path).map_err(Error::file(&path))?;
                written.push(path);
            }
        }
        Ok(written)
    }

    /// Writes the new content of a file under a temporary name. Returns `None` if the file already has this content.
    fn unfinished(&mut self, path: &Path, text: &str, turn: Turn) -> Result<Option<Unfinished>, Error> {
        let named = Error::file(path);
        match existing(path).map_err(&named)? {
            // The existing file may have other permissions.
            Some(old) if old == text.as_bytes() && !self.private => return Ok(None),
            _ if turn == Turn::Again => return Err(Error::WrittenTwice(path.to_owned())),
            Some(old) if self.replace == Replace::Own && !generated::may_replace(&old, text) => {
                return Err(Error::NotOurs { path: path.to_owned(), help: None });
            }
            Some(_) | None => {}
        }
        let folder = path.parent().unwrap_or(&self.root).to_owned();
        if self.swept.insert(folder.clone()) {
            remove_stale(&folder);
        }
        Unfinished::new(&folder, text, self.modified, self.private).map_err(&named).map(Some)
    }

    /// Reads a file. Returns `None` if it does not exist.
    pub fn read(&self, name: impl AsRef<Path>) -> Result<Option<Vec<u8>>, Error> {
        let path = match self.place(name.as_ref(), |folder| Err(Error::Missing(folder.to_owned()))) {
            Err(Error::Missing(_)) => return Ok(None),
            place => place?,
        };
        existing(&path).map_err(Error::file(&path))
    }

    /// Returns where to write a file. Creates missing folders on the way.
    fn make_place(&mut self, name: &Path) -> Result<PathBuf, Error> {
        let missing = self.root.ancestors().filter(|path| !path.as_os_str().is_empty() && !path.exists());
        let mut made: Vec<PathBuf> = missing.map(Path::to_owned).collect();
        made.reverse();
        self.made.0.append(&mut made);
        fs::create_dir_all(&self.root).map_err(|e| Error::file(&self.root)(as_folder(e)))?;
        let place = self.place(name, |folder| {
            fs::create_dir(folder).map_err(Error::file(folder))?;
            made.push(folder.to_owned());
            Ok(())
        });
        self.made.0.append(&mut made);
        place
    }

    /// Returns where a file is. Every folder on the way must be a real folder below the root, or be missing.
    fn place(
        &self,
        name: &Path,
        mut missing: impl FnMut(&Path) -> Result<(), Error>,
    ) -> Result<PathBuf, Error> {
        let mut path = self.root.clone();
        let mut parts = name.components().peekable();
        if parts.peek().is_none() {
            return Err(Error::file(name)(io::Error::new(
                io::ErrorKind::InvalidInput,
                "not the name of a file",
            )));
        }
        while let Some(part) = parts.next() {
            let Component::Normal(part) = part else {
                let why = io::Error::new(io::ErrorKind::InvalidInput, "leads out of the output folder");
                return Err(Error::file(name)(why));
            };
            path.push(part);
            if parts.peek().is_none() {
                break;
            }
            match fs::symlink_metadata(&path) {
                Ok(meta) if meta.is_dir() => {}
                Ok(meta) if meta.is_symlink() => return Err(Error::file(&path)(link())),
                Ok(_) => return Err(Error::file(&path)(io::ErrorKind::NotADirectory.into())),
                Err(e) if e.kind() == io::ErrorKind::NotFound => missing(&path)?,
                Err(e) => return Err(Error::file(&path)(e)),
            }
        }
        Ok(path)
    }
}

/// Writes a file, unless it already has this text. Returns whether it was written. Replaces any existing file.
pub fn write_if_changed(path: &Path, text: &str) -> Result<bool, Error> {
    let name = path.file_name().unwrap_or_default();
    Folder::new(path.parent().unwrap_or(Path::new("")), Replace::All).write(name, text)
}

/// Writes a file that only the user of the process may read. Replaces only files that crdgen wrote.
pub fn write_private(path: &Path, text: &str) -> Result<(), Error> {
    let name = path.file_name().unwrap_or_default();
    let mut folder = Folder::new(path.parent().unwrap_or(Path::new("")), Replace::Own).private();
    folder.write(name, text).map(|_| ())
}

/// Opens a file to read and change it, which only the user of the process may read. Creates it if it does not exist.
///
/// # Errors
/// Fails for links, folders and special files, and for files of other users.
pub fn open_private(path: &Path) -> io::Result<fs::File> {
    match fs::symlink_metadata(path) {
        // Opening a pipe would wait for another process, and a link leads to a file of others.
        Ok(meta) if !meta.is_file() => {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
        }
        Ok(_) => {}
        Err(why) if why.kind() == io::ErrorKind::NotFound => {}
        Err(why) => return Err(why),
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(file)
}

/// Makes a folder and those around it, unless they exist.
pub fn make_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(Error::file(path))
}

/// Makes a path a link to a file; on systems without such links, a copy.
///
/// # Errors
/// Fails if the path exists.
pub fn make_link(file: &Path, path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(file, path);
    #[cfg(not(unix))]
    return match fs::symlink_metadata(path) {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::copy(file, path).map(|_| ()),
    };
}

/// The most bytes that [`mirror`] copies.
const MOST_COPIED: u64 = 1 << 30;

/// Lists the files below a folder, relative to it, except those of `skipped` folders, of `.git`, and of folders that tools
/// mark as caches. Links to files count as files. Links to folders are not followed.
pub fn files_below(folder: &Path, skipped: &[&Path]) -> Result<BTreeSet<PathBuf>, Error> {
    let mut out = BTreeSet::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(inside) = pending.pop() {
        for entry in fs::read_dir(&inside).map_err(Error::file(&inside))? {
            let path = entry.map_err(Error::file(&inside))?.path();
            let Ok(meta) = fs::symlink_metadata(&path) else { continue };
            if meta.is_dir() {
                let is_cache = path.join("CACHEDIR.TAG").exists();
                let is_skipped = skipped.contains(&&*path) || path.file_name().is_some_and(|it| it == ".git");
                if !is_cache && !is_skipped {
                    pending.push(path);
                }
            } else if input::regular(&path).is_ok() {
                out.extend(path.strip_prefix(folder).map(Path::to_owned));
            }
        }
    }
    Ok(out)
}

/// Copies files to a folder, and removes all others there, except `own` ones. A file that has the size and the time of its
/// copy is not copied again.
pub fn mirror(
    from: &Path,
    to: &Path,
    files: &BTreeSet<PathBuf>,
    own: &dyn Fn(&Path) -> bool,
) -> Result<(), Error> {
    let mut bytes = 0;
    for file in files.iter().filter(|file| !own(file)) {
        let (old, new) = (from.join(file), to.join(file));
        let meta = fs::metadata(&old).map_err(Error::file(&old))?;
        bytes += meta.len();
        if bytes > MOST_COPIED {
            let why =
                format!("has more than {} MiB of files, and --exact would copy them all", MOST_COPIED >> 20);
            return Err(Error::file(from)(io::Error::other(why)));
        }
        let modified = meta.modified().map_err(Error::file(&old))?;
        let there = fs::symlink_metadata(&new).ok().filter(fs::Metadata::is_file);
        if there.is_some_and(|it| it.len() == meta.len() && it.modified().is_ok_and(|time| time == modified))
        {
            continue;
        }
        let folder = new.parent().unwrap_or(to);
        fs::create_dir_all(folder).map_err(Error::file(folder))?;
        fs::copy(&old, &new).map_err(Error::file(&new))?;
        let copied = OpenOptions::new().write(true).open(&new).and_then(|file| file.set_modified(modified));
        // Without its time, the file is copied again next time, such as a read-only file.
        _ = copied;
    }
    for file in files_below(to, &[])?.iter().filter(|file| !files.contains(*file) && !own(file)) {
        fs::remove_file(to.join(file)).map_err(Error::file(&to.join(file)))?;
    }
    Ok(())
}

/// Explains why a folder cannot be created. The system only reports that something exists at the path.
fn as_folder(e: io::Error) -> io::Error {
    if e.kind() == io::ErrorKind::AlreadyExists { io::ErrorKind::NotADirectory.into() } else { e }
}

/// Returns the content of a file, or `None` if it does not exist. Does not follow links, because they may lead
/// anywhere.
fn existing(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => Err(link()),
        Ok(_) => input::read(path).map(Some),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}

fn link() -> io::Error {
    io::Error::other("a symbolic link, which is not followed inside an output folder: remove it")
}

/// The suffix of files that are being written. Nothing that reads CRDs reads files with this suffix.
const UNFINISHED: &str = ".crdgen-tmp";

/// Files that are being written by this process.
struct Pending {
    files: BTreeSet<PathBuf>,
    /// Temporary folders.
    folders: BTreeSet<PathBuf>,
    /// Programs that write to temporary folders, by their ids.
    programs: BTreeMap<u32, Arc<Mutex<Child>>>,
    /// The process is about to end, so nothing may be written any more.
    ended: bool,
}

static PENDING: Mutex<Pending> = Mutex::new(Pending {
    files: BTreeSet::new(),
    folders: BTreeSet::new(),
    programs: BTreeMap::new(),
    ended: false,
});

/// Ignores poisoning, because a panic cannot leave this half changed.
fn pending() -> MutexGuard<'static, Pending> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Fails if the process is about to end. What is written before the guard is dropped will be removed.
fn unless_ended() -> io::Result<MutexGuard<'static, Pending>> {
    let pending = pending();
    if pending.ended { Err(io::ErrorKind::Interrupted.into()) } else { Ok(pending) }
}

/// Removes unfinished files and temporary folders, and prevents further writes, because a signal is about to end the process.
#[cfg(unix)]
#[doc(hidden)]
pub fn abandon() {
    let mut pending = pending();
    pending.ended = true;
    for program in std::mem::take(&mut pending.programs).into_values() {
        let mut program = program.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = program.kill();
        let _ = program.wait();
    }
    for file in std::mem::take(&mut pending.files) {
        let _ = fs::remove_file(file);
    }
    for folder in std::mem::take(&mut pending.folders) {
        let _ = fs::remove_dir_all(folder);
    }
}

/// A running program that writes to temporary folders. A signal that ends this process ends it too: otherwise it would write them
/// again.
pub struct Helper {
    id: u32,
    program: Arc<Mutex<Child>>,
}

impl Helper {
    /// Starts a program.
    pub fn start(command: &mut Command) -> io::Result<Helper> {
        let mut pending = unless_ended()?;
        let program = command.spawn()?;
        let (id, program) = (program.id(), Arc::new(Mutex::new(program)));
        pending.programs.insert(id, Arc::clone(&program));
        Ok(Helper { id, program })
    }

    /// Its output and its messages.
    pub fn pipes(&self) -> (Option<ChildStdout>, Option<ChildStderr>) {
        let mut program = self.program.lock().unwrap_or_else(PoisonError::into_inner);
        (program.stdout.take(), program.stderr.take())
    }

    /// Waits for its end, after its output has ended.
    pub fn wait(self) -> io::Result<ExitStatus> {
        self.program.lock().unwrap_or_else(PoisonError::into_inner).wait()
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        pending().programs.remove(&self.id);
    }
}

/// A folder for files that only this process needs. It is removed at the end.
#[derive(Debug)]
pub struct Temporary {
    folder: PathBuf,
    _claim: Claim,
}

/// Systems without locks on folders, and builds that write few temporary files, leave a folder if they are killed.
#[cfg(not(all(unix, feature = "claims")))]
mod claimed {
    use std::path::Path;

    pub(super) const SUFFIX: &str = "";

    #[derive(Debug)]
    pub(super) struct Claim;

    impl Claim {
        pub(super) fn new(_: &Path) -> Option<Claim> {
            Some(Claim)
        }
    }

    pub(super) fn remove_abandoned(_: &Path) {}
}

impl Temporary {
    /// Creates a folder that did not exist. `purpose` is part of its name.
    pub fn new(purpose: &str) -> io::Result<Temporary> {
        static FIRST: Once = Once::new();
        let around = std::env::temp_dir().canonicalize()?;
        FIRST.call_once(|| claimed::remove_abandoned(&around));
        // Another process may take a folder for abandoned before it is claimed.
        for _ in 0..Temporary::ATTEMPTS {
            if let Some(made) = Temporary::made(&around, purpose)? {
                return Ok(made);
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    const ATTEMPTS: usize = 10;

    /// Creates and claims a folder. `None` if another process has removed it before it was claimed.
    fn made(around: &Path, purpose: &str) -> io::Result<Option<Temporary>> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("crdgen-{purpose}-{}-{number}{}", std::process::id(), claimed::SUFFIX);
        let folder = around.join(name);
        let mut pending = unless_ended()?;
        // Other users of the machine may not read what is in it.
        #[allow(unused_mut, reason = "only Unix has modes")]
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&folder)?;
        let Some(claim) = Claim::new(&folder) else { return Ok(None) };
        pending.folders.insert(folder.clone());
        drop(pending);
        Ok(Some(Temporary { folder, _claim: claim }))
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Creates a folder in it, and those around.
    pub fn create_folder(&self, inside: &Path) -> io::Result<()> {
        let _writing = unless_ended()?;
        fs::create_dir_all(self.folder.join(inside))
    }

    /// Writes a file that is not there yet, and the folders around it.
    pub fn write_new(&self, inside: &Path, bytes: &[u8]) -> io::Result<()> {
        let _writing = unless_ended()?;
        let path = self.folder.join(inside);
        fs::create_dir_all(path.parent().unwrap_or(&self.folder))?;
        OpenOptions::new().write(true).create_new(true).open(path)?.write_all(bytes)
    }

    /// Creates a link. Systems without links have text files in their place, which is what git writes there.
    pub fn link(&self, inside: &Path, target: &str) -> io::Result<()> {
        let _writing = unless_ended()?;
        let path = self.folder.join(inside);
        fs::create_dir_all(path.parent().unwrap_or(&self.folder))?;
        #[cfg(unix)]
        return std::os::unix::fs::symlink(target, path);
        #[cfg(not(unix))]
        return fs::write(path, target);
    }

    /// Creates a link in it to a file elsewhere.
    #[cfg(unix)]
    pub fn link_to(&self, file: &Path, at: &Path) -> io::Result<()> {
        let _writing = unless_ended()?;
        std::os::unix::fs::symlink(file, self.folder.join(at))
    }

    /// Writes a file in it.
    pub fn write(&self, inside: &Path, text: &str) -> io::Result<()> {
        let _writing = unless_ended()?;
        fs::write(self.folder.join(inside), text)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // A signal must not end the process in the middle.
        let mut pending = pending();
        let _ = fs::remove_dir_all(&self.folder);
        pending.folders.remove(&self.folder);
    }
}

/// A file that is being written, and is removed unless it gets its name.
#[derive(Debug)]
struct Unfinished {
    path: PathBuf,
}

impl Unfinished {
    fn new(folder: &Path, text: &str, modified: Option<SystemTime>, private: bool) -> io::Result<Unfinished> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(Writer::this().file(number));
        let mut pending = unless_ended()?;
        // `create_new` makes sure that this is a new file: neither a link nor a file that others use.
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if private {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        #[cfg(not(unix))]
        let _ = private;
        let mut file = options.open(&path)?;
        pending.files.insert(path.clone());
        drop(pending);
        let unfinished = Unfinished { path };
        file.write_all(text.as_bytes())?;
        if let Some(time) = modified {
            file.set_modified(time)?;
        }
        file.sync_all()?;
        Ok(unfinished)
    }

    fn finish(self, path: &Path) -> io::Result<()> {
        let mut pending = pending();
        if pending.ended {
            return Err(io::ErrorKind::Interrupted.into());
        }
        fs::rename(&self.path, path)?;
        pending.files.remove(&self.path);
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if pending().files.remove(&self.path) {
            // The first error is the one to report.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A temporary file that is older than this is a leftover, if it is not known whether its process has ended.
const STALE: Duration = Duration::from_secs(600);

/// Removes files that an earlier process left unfinished. This only happens if the process is killed.
fn remove_stale(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(writer) = name.to_str().and_then(Writer::of_file) else { continue };
        let about = entry.metadata().ok().filter(fs::Metadata::is_file);
        let age = about.and_then(|about| about.modified().ok()?.elapsed().ok());
        if age.is_some_and(|age| age > STALE || writer.has_ended()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The process that writes a file, as the temporary name of the file has it.
struct Writer {
    process: u32,
    /// What distinguishes processes with the same number: those of other machines and containers, which may share a folder.
    system: String,
}

impl Writer {
    fn this() -> Writer {
        static SYSTEM: LazyLock<String> = LazyLock::new(|| {
            // Both are missing outside of Linux, and then only the age of a file shows that its process has ended.
            let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok();
            let numbers = fs::read_link("/proc/self/ns/pid").ok();
            boot.zip(numbers).map_or_else(String::new, |parts| {
                let mut hasher = DefaultHasher::new();
                parts.hash(&mut hasher);
                format!("{:08x}", hasher.finish() >> 32)
            })
        });
        Writer { process: std::process::id(), system: SYSTEM.clone() }
    }

    /// The temporary name of a file.
    fn file(&self, number: usize) -> String {
        let Writer { process, system } = self;
        format!(".{process}-{number}-{system}{UNFINISHED}")
    }

    fn of_file(name: &str) -> Option<Writer> {
        let mut parts = name.strip_prefix('.')?.strip_suffix(UNFINISHED)?.splitn(3, '-');
        let (process, _) = (parts.next()?.parse().ok()?, parts.next()?);
        Some(Writer { process, system: parts.next().unwrap_or_default().to_owned() })
    }

    fn has_ended(&self) -> bool {
        let is_here = !self.system.is_empty() && self.system == Writer::this().system;
        is_here && !Path::new("/proc").join(self.process.to_string()).exists()
    }
}
