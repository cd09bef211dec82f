//! Arguments for revisions of git: `git:main`, `git:main:src`.

use crdgen_files::Error;
use crdgen_files::input::{Shown, or_here};
use std::path::Path;

use super::git;
use super::path::normal;

/// What the argument for a revision of git begins with.
pub(super) const GIT: &str = "git:";

/// The path of the current folder.
pub const HERE: &str = ".";

/// A revision of git that an argument names, and a path there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtPath {
    /// The revision.
    pub revision: String,
    /// The path below the current folder, if the argument names one.
    pub path: Option<String>,
}

impl AtPath {
    /// Parses an argument. `None` if it is anything else, such as a file of this name.
    ///
    /// # Errors
    /// Fails if the argument does not name a revision.
    pub fn named(arg: &str) -> Result<Option<AtPath>, Error> {
        match arg.strip_prefix(GIT).filter(|_| !Path::new(arg).exists()) {
            Some(text) => AtPath::parse(text).map(Some),
            None => Ok(None),
        }
    }

    /// Parses `REV` or `REV:PATH`.
    pub fn parse(text: &str) -> Result<AtPath, Error> {
        let (revision, path) = match text.split_once(':') {
            Some((revision, path)) => (revision, Some(below_here(path))),
            None => (text, None),
        };
        if revision.is_empty() {
            let why = format!("{GIT}{text}: name a revision: git:REV, or git:REV:PATH for a path");
            return Err(Error::Argument(why));
        }
        Ok(AtPath { revision: revision.to_owned(), path })
    }

    /// The path, which is the current folder if the argument names none.
    pub fn path(&self) -> &str {
        self.path.as_deref().unwrap_or(HERE)
    }
}

/// A path below the current folder, in its shortest form: git writes `./` in front of it, and shells write `/` behind it.
fn below_here(path: &str) -> String {
    let path = normal(Path::new(path));
    let here = std::env::current_dir().unwrap_or_default();
    or_here(path.strip_prefix(here).unwrap_or(&path)).shown().to_string()
}

/// What to write instead of an argument that names no file, but a revision of git.
pub(super) fn instead_of(arg: &str) -> Option<String> {
    let revision = arg.split_once(':').map_or(arg, |(revision, _)| revision);
    git::is_revision(HERE, revision)
        .then(|| format!("{arg}: no such file or directory. For a revision of git, write {GIT}{arg}"))
}

#[cfg(test)]
mod tests {
    use super::AtPath;

    #[test]
    fn paths_have_one_form() {
        let here = std::env::current_dir().unwrap_or_default();
        let absolute = format!("v1:{}/config", here.display());
        for (text, revision, path) in [
            ("v1.31.0", "v1.31.0", None),
            ("v1.31.0:config/crd", "v1.31.0", Some("config/crd")),
            ("v1.31.0:./config/crd", "v1.31.0", Some("config/crd")),
            ("v1.31.0:config/crd/", "v1.31.0", Some("config/crd")),
            ("v1.31.0:config//crd/.", "v1.31.0", Some("config/crd")),
            ("v1.31.0:a/../config", "v1.31.0", Some("config")),
            ("v1.31.0:../config", "v1.31.0", Some("../config")),
            ("v1.31.0:", "v1.31.0", Some(".")),
            ("v1.31.0:./", "v1.31.0", Some(".")),
            ("HEAD~3:a:b", "HEAD~3", Some("a:b")),
            (absolute.as_str(), "v1", Some("config")),
        ] {
            let at = AtPath::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!((at.revision.as_str(), at.path.as_deref()), (revision, path), "{text}");
        }
        for text in ["", ":", ":config"] {
            assert!(AtPath::parse(text).is_err(), "{text}");
        }
    }
}
