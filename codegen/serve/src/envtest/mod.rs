//! The programs of envtest: `kube-apiserver` and `etcd` are links to one program, which does what its name says. So the suites
//! of controller-runtime run on this server unchanged.

mod apiserver;
mod etcd;
mod flags;
mod gates;
mod links;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

use crdgen_files::Error;
use flags::Flags;

/// A program that envtest starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// The API server.
    ApiServer,
    /// A program that says that it is healthy.
    Etcd,
}

impl Program {
    const ALL: [Program; 2] = [Program::ApiServer, Program::Etcd];

    fn name(self) -> &'static str {
        match self {
            Program::ApiServer => "kube-apiserver",
            Program::Etcd => "etcd",
        }
    }

    /// The program with the name by which a process was started.
    pub fn of(process: &OsStr) -> Option<Program> {
        let stem = Path::new(process).file_stem().and_then(OsStr::to_str)?;
        Program::ALL.into_iter().find(|program| program.name() == stem)
    }

    /// Runs the program until the process ends. If the flags ask for help or the version, it ends at once with this text. `note`
    /// takes what the user should know.
    ///
    /// # Errors
    /// Fails for flags that the program does not have, or that it cannot do.
    pub fn run(
        self,
        arguments: impl Iterator<Item = OsString>,
        note: fn(fmt::Arguments<'_>),
    ) -> Result<Option<String>, Error> {
        let flags = Flags::read(arguments)?;
        match self {
            Program::ApiServer => apiserver::run(&flags, note),
            Program::Etcd => etcd::run(&flags),
        }
    }
}

/// Writes the programs to a folder, as links to this program. Returns the whole path of the folder, as
/// `setup-envtest use -p path` prints it.
///
/// # Errors
/// Fails if the folder has other programs of these names.
pub fn write(folder: &Path, program: &Path) -> Result<PathBuf, Error> {
    for link in Program::ALL {
        links::link(folder, link.name(), program)?;
    }
    folder.canonicalize().map_err(Error::file(folder))
}
