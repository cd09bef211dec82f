//! The thread that reads files and checks documents, so that requests do not wait for it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::{io, thread};

use crdgen_files::Error;
use crdgen_tasks::kinds::Kinds;
use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::findings::{self, Checked};
use crate::log::log;
use crate::workspace::Workspace;

/// What to do.
pub(crate) enum Task {
    /// Find the files of a workspace again.
    Find(Arc<Workspace>),
    /// Find the kinds of all CRDs. The texts of open documents replace those of files.
    Kinds(Arc<Workspace>, BTreeMap<PathBuf, Arc<Vec<u8>>>),
    /// Check a version of a document.
    Check { workspace: Arc<Workspace>, kinds: Arc<Kinds>, path: PathBuf, version: i32, text: Arc<Vec<u8>> },
}

/// What was done.
pub(crate) enum Done {
    Found(Arc<Workspace>),
    Kinds(Arc<Kinds>),
    Checked {
        path: PathBuf,
        version: i32,
        text: Arc<Vec<u8>>,
        checked: Checked,
    },
    /// It has failed.
    Nothing,
}

/// Schemas and expressions nest.
const STACK: usize = 64 << 20;

/// Starts the thread. It ends when no task can come any more.
pub(crate) fn start() -> io::Result<(Sender<Task>, Receiver<Done>)> {
    let (tasks, todo) = unbounded::<Task>();
    let (done, results) = unbounded();
    let work = move || {
        for task in todo {
            let result = run(task).unwrap_or_else(|why| {
                log(format_args!("{why}"));
                Done::Nothing
            });
            if done.send(result).is_err() {
                break;
            }
        }
    };
    thread::Builder::new().name("work".to_owned()).stack_size(STACK).spawn(work)?;
    Ok((tasks, results))
}

fn run(task: Task) -> Result<Done, Error> {
    Ok(match task {
        Task::Find(workspace) => Done::Found(Arc::new(workspace.find_again()?)),
        Task::Kinds(workspace, open) => Done::Kinds(Arc::new(workspace.kinds(&open)?)),
        Task::Check { workspace, kinds, path, version, text } => {
            let checked = findings::of_text(&workspace, &kinds, &path, Arc::clone(&text));
            // A document that cannot be checked has no diagnostics.
            let checked = checked.unwrap_or_else(|why| {
                log(format_args!("{}: {why}", path.display()));
                Checked::default()
            });
            Done::Checked { path, version, text, checked }
        }
    })
}
