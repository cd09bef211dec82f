//! The programs of envtest: `kube-apiserver` and `etcd` are links to this program, which does what its name says. So the suites
//! of controller-runtime run on this server unchanged.

mod apiserver;
mod etcd;
mod flags;
mod gates;
mod links;

use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;

use crate::outcome::Outcome;
use crate::terminal::{self, Ready};
use crdgen::__cli::files::Shown;
use crdgen::Error;
use flags::Flags;

/// A program that envtest starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Program {
    ApiServer,
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
}

/// Writes the programs to a folder, and prints its path, as `setup-envtest use -p path` does.
pub(super) fn write(folder: &Path) -> Result<Outcome, Error> {
    let this = env::current_exe().and_then(|path| path.canonicalize()).map_err(Error::Thread)?;
    for program in Program::ALL {
        links::link(folder, program.name(), &this)?;
    }
    let whole = folder.canonicalize().map_err(Error::file(folder))?;
    terminal::print(&Ready::inert(format!("{}\n", whole.shown())))?;
    Ok(Outcome::Fine)
}

/// Does what the name of the program says, if it is the name of one of envtest's.
pub(crate) fn run_by_name() -> Option<ExitCode> {
    let name = env::args_os().next()?;
    let stem = Path::new(&name).file_stem().and_then(OsStr::to_str)?;
    let program = Program::ALL.into_iter().find(|program| program.name() == stem)?;
    let ended = Flags::read(env::args_os().skip(1)).and_then(|flags| match program {
        Program::ApiServer => apiserver::run(&flags),
        Program::Etcd => etcd::run(&flags),
    });
    Some(match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            terminal::say_error(&why);
            ExitCode::from(1)
        }
    })
}
