//! Reading files: only regular ones. A pipe or a device may never end, and may have no writer.

use std::fmt;
use std::fs::{self, FileType};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{PoisonError, RwLock};

/// The largest file that crdgen reads. Servers accept far less.
pub const MAX_BYTES: u64 = crdgen_core::yaml::MAX_BYTES as u64;

/// Whether a file is YAML, by its name.
pub fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
}

/// Whether a file may have objects, by its name: YAML or JSON.
pub fn is_document(path: &Path) -> bool {
    is_yaml(path) || path.extension().is_some_and(|extension| extension == "json")
}

/// The content of a regular file. The error does not name it.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    // Check this first: opening a pipe blocks until another process opens its other end.
    let meta = regular(path)?;
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len().min(MAX_BYTES)).unwrap_or_default());
    fs::File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!("larger than {} MiB", MAX_BYTES >> 20)));
    }
    Ok(bytes)
}

/// Returns the metadata of a regular file, and an error for anything else. The error does not name the file.
pub fn regular(path: &Path) -> io::Result<fs::Metadata> {
    let meta = fs::metadata(path)?;
    if meta.is_file() { Ok(meta) } else { Err(special(meta.file_type())) }
}

/// A folder, of which the empty path is the current one.
pub fn or_here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// The folder of a file.
pub fn folder_of(file: &Path) -> &Path {
    or_here(file.parent().unwrap_or(Path::new("")))
}

/// Returns a path as an argument for another program. It begins with `/` or `.`: programs read a path that begins with `-` as an
/// option, and a folder of a checkout may have any name.
pub fn argument(path: &Path) -> PathBuf {
    let path = or_here(path);
    std::path::absolute(path).unwrap_or_else(|_| Path::new(".").join(path))
}

/// The text of a regular file. The error does not name it.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| not_utf8())
}

/// The largest file of Rust sources that crdgen reads. Its syntax tree takes more than 40 times as much memory. What people write is
/// far smaller, and so is the Rust of several hundred CRDs in one file.
pub const MAX_SOURCE_BYTES: u64 = 16 << 20;

/// The text of a file of Rust sources. The error does not name it.
pub fn read_source(path: &Path) -> io::Result<String> {
    if regular(path)?.len() > MAX_SOURCE_BYTES {
        return Err(io::Error::other(format!("larger than {} MiB", MAX_SOURCE_BYTES >> 20)));
    }
    read_to_string(path)
}

/// The error for a text that is not UTF-8.
pub fn not_utf8() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "not UTF-8")
}

/// Returns the error for something that is not a regular file.
pub fn special(ty: FileType) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("{}, not a regular file", kind(ty)))
}

/// Whether reading may not end: a pipe waits for a writer, and a device may have no end.
pub fn has_no_end(ty: FileType) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        ty.is_fifo() || ty.is_char_device() || ty.is_block_device()
    }
    #[cfg(not(unix))]
    {
        let _ = ty;
        false
    }
}

/// Names the type of something that is not a regular file.
pub fn kind(ty: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if ty.is_fifo() {
            return "a named pipe";
        } else if ty.is_socket() {
            return "a socket";
        } else if ty.is_char_device() || ty.is_block_device() {
            return "a device";
        }
    }
    if ty.is_dir() { "a folder" } else { "a special file" }
}

/// Paths in messages and output.
pub trait Shown {
    /// The path with `/` between its parts, so that output is the same on every system. Windows accepts `/` too, and
    /// GitHub and SARIF accept nothing else.
    fn shown(&self) -> ShownPath<'_>;
}

impl Shown for Path {
    fn shown(&self) -> ShownPath<'_> {
        ShownPath(self)
    }
}

/// A path as it is shown.
pub struct ShownPath<'p>(&'p Path);

/// A folder with copies of files at a revision.
struct Copied {
    folder: PathBuf,
    revision: String,
    /// The folder of the work tree in which the files are, or would be. The current folder is the empty path.
    original: PathBuf,
}

impl Copied {
    /// What is shown instead of a path in the folder: `main:config/crd.yaml`.
    fn name(&self, below: &Path) -> String {
        format!("{}:{}", self.revision, self.original(below).display())
    }

    /// The file of the work tree of which a path in the folder is a copy.
    fn original(&self, below: &Path) -> PathBuf {
        let path: PathBuf = self.original.components().chain(below.components()).collect();
        or_here(&path).to_owned()
    }

    /// The path in the folder that has a name.
    fn path_of(&self, name: &str) -> Option<PathBuf> {
        let path = name.strip_prefix(&self.revision)?.strip_prefix(':')?;
        Some(self.folder.join(Path::new(path).strip_prefix(&self.original).ok()?))
    }
}

static COPIES: RwLock<Vec<Copied>> = RwLock::new(Vec::new());

/// As long as it lives, paths in a temporary folder are shown as those of the files that were copied there.
pub struct NameOf(PathBuf);

impl NameOf {
    /// The name of a file in a folder with the files of a revision.
    pub fn new(folder: &Path, revision: &str, original: &str) -> NameOf {
        let names = Path::new(original).components().filter(|part| *part != Component::CurDir);
        let (folder, revision, original) = (folder.to_owned(), revision.to_owned(), names.collect());
        let copied = Copied { folder: folder.clone(), revision, original };
        COPIES.write().unwrap_or_else(PoisonError::into_inner).push(copied);
        NameOf(folder)
    }
}

impl Drop for NameOf {
    fn drop(&mut self) {
        let mut copies = COPIES.write().unwrap_or_else(PoisonError::into_inner);
        copies.retain(|copied| copied.folder != self.0);
    }
}

/// The name of a copy.
fn named(path: &Path) -> Option<PathBuf> {
    of_copy(path, |copied, below| PathBuf::from(copied.name(below)))
}

/// The file of the work tree of which a path is a copy at a revision.
pub fn original(path: &Path) -> Option<PathBuf> {
    of_copy(path, Copied::original)
}

/// What is shown or used instead of the path of a copy, by the copy and the path below its folder.
fn of_copy(path: &Path, instead: impl Fn(&Copied, &Path) -> PathBuf) -> Option<PathBuf> {
    let copies = COPIES.read().unwrap_or_else(PoisonError::into_inner);
    if copies.is_empty() {
        return None;
    }
    // The temporary folder may be below the current one, to which paths in messages are relative.
    let path = std::path::absolute(path).ok()?;
    copies.iter().rev().find_map(|copied| Some(instead(copied, path.strip_prefix(&copied.folder).ok()?)))
}

/// A text of another program, in which copies have their names.
pub fn with_names(text: &str) -> String {
    let copies = COPIES.read().unwrap_or_else(PoisonError::into_inner);
    copies.iter().rev().fold(text.to_owned(), |text, copied| {
        let (folder, name) = (copied.folder.to_string_lossy(), copied.name(Path::new("")));
        match copied.original.as_os_str().is_empty() {
            true => {
                let inside = format!("{folder}{}", std::path::MAIN_SEPARATOR);
                text.replace(&inside, &format!("{}:", copied.revision)).replace(&*folder, &name)
            }
            false => text.replace(&*folder, &name),
        }
    })
}

/// Returns the file that is shown under a name.
pub fn of_name(name: &str) -> PathBuf {
    let copies = COPIES.read().unwrap_or_else(PoisonError::into_inner);
    let mut found = copies.iter().rev();
    let copy = found.find_map(|it| it.path_of(name));
    copy.unwrap_or_else(|| PathBuf::from(name))
}

impl fmt::Display for ShownPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = named(self.0);
        let shown = named.as_deref().unwrap_or(self.0).display();
        if std::path::MAIN_SEPARATOR == '/' {
            return shown.fmt(f);
        }
        let text = shown.to_string();
        // Windows reads such a path literally, so `/` would not separate its parts.
        let text =
            if text.starts_with(r"\\?\") { text } else { text.replace(std::path::MAIN_SEPARATOR, "/") };
        f.write_str(&text)
    }
}

/// Returns the parent folder. Cuts off the end of the path if that leads to the same folder, so that messages contain
/// `src/lib.rs` and not `src/../src/lib.rs`.
pub fn above(folder: &Path) -> PathBuf {
    if folder == Path::new(".") {
        return PathBuf::from("..");
    }
    let ends_in_a_name = matches!(folder.components().next_back(), Some(Component::Normal(_)));
    match folder.parent() {
        Some(parent) if ends_in_a_name && !folder.is_symlink() => or_here(parent).to_owned(),
        Some(_) | None => folder.join(".."),
    }
}
