//! Saves the state of a server. One thread writes the changes of all requests since it last wrote, without the lock of the
//! state. No client sees a change before it is saved: answers wait for it, and watches get it afterwards.
//!
//! Without the thread, a request writes the changes before its answer. Then tests whose time is paused do not depend on threads.

use super::{Locked, State};
use crate::store::{Saved, Storage, Unsaved};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use std::thread::{self, JoinHandle};

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Why changes were not saved.
#[derive(Clone, Debug)]
pub(crate) enum NotSaved {
    Storage(Arc<std::io::Error>),
    /// The storage has panicked.
    Panicked,
}

impl fmt::Display for NotSaved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the server cannot save its objects: ")?;
        match self {
            NotSaved::Storage(why) => why.fmt(f),
            NotSaved::Panicked => f.write_str("the storage has panicked"),
        }
    }
}

/// How far saving is.
#[derive(Debug, Default)]
struct Progress {
    /// Everything up to this revision is saved.
    saved: u64,
    /// Something has changed since the thread last looked.
    has_changes: bool,
    /// Why the last changes were not saved. They were taken back, so that no client sees what may be lost, and from then on the server
    /// changes nothing.
    failed: Option<NotSaved>,
    /// Whether the server has gone.
    ends: bool,
    /// The tasks that wait.
    waiting: Vec<Waker>,
}

/// What the thread and the requests share.
#[derive(Debug, Default)]
struct Signal {
    progress: Mutex<Progress>,
    /// Something has changed, or the server has gone.
    changed: Condvar,
    /// Something was saved.
    saved: Condvar,
}

impl Signal {
    fn set(&self, change: impl FnOnce(&mut Progress)) {
        let mut progress = lock(&self.progress);
        change(&mut progress);
        let waiting = std::mem::take(&mut progress.waiting);
        drop(progress);
        self.saved.notify_all();
        waiting.into_iter().for_each(Waker::wake);
    }
}

/// Who saves changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Saving {
    /// A thread, for all requests.
    InThread,
    /// Each request, before it is answered.
    InRequests,
}

/// Saves the state of a server.
pub(super) struct Keeper {
    signal: Arc<Signal>,
    worker: Worker,
}

enum Worker {
    /// A thread, which ends with the server.
    Thread(Option<JoinHandle<()>>),
    Requests(Mutex<Work>),
}

impl fmt::Debug for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keeper").finish_non_exhaustive()
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        let Worker::Thread(thread) = &mut self.worker else { return };
        let Some(thread) = thread.take() else { return };
        lock(&self.signal.progress).ends = true;
        self.signal.changed.notify_all();
        // The last watch may end because the thread has woken its task.
        if thread.thread().id() != thread::current().id() {
            _ = thread.join();
        }
    }
}

impl Keeper {
    /// Saves each change of a state from now on. Everything up to `saved` is saved already.
    pub(super) fn start(
        state: Arc<Mutex<State>>,
        storage: Box<dyn Storage>,
        saved: u64,
        saving: Saving,
    ) -> std::io::Result<Keeper> {
        let signal = Arc::new(Signal::default());
        lock(&signal.progress).saved = saved;
        let work = Work { state, storage, signal: Arc::clone(&signal) };
        let worker = match saving {
            Saving::InThread => {
                let thread = thread::Builder::new().name("storage".to_owned()).spawn(move || work.run())?;
                Worker::Thread(Some(thread))
            }
            Saving::InRequests => Worker::Requests(Mutex::new(work)),
        };
        Ok(Keeper { signal, worker })
    }

    /// Notes that the state has changed.
    pub(super) fn changed(&self) {
        lock(&self.signal.progress).has_changes = true;
        self.signal.changed.notify_one();
    }

    /// Why the server changes nothing any more.
    pub(super) fn failed(&self) -> Option<NotSaved> {
        lock(&self.signal.progress).failed.clone()
    }

    /// Waits until everything up to a revision is saved.
    ///
    /// # Errors
    /// Fails with the reason if it may be lost.
    pub(super) async fn saved(&self, revision: u64) -> Result<(), NotSaved> {
        self.save_in_request(revision);
        std::future::poll_fn(|context| {
            let mut progress = lock(&self.signal.progress);
            if let Some(why) = &progress.failed {
                return Poll::Ready(Err(why.clone()));
            }
            if progress.saved >= revision {
                return Poll::Ready(Ok(()));
            }
            if !progress.waiting.iter().any(|it| it.will_wake(context.waker())) {
                progress.waiting.push(context.waker().clone());
            }
            Poll::Pending
        })
        .await
    }

    /// Saves all changes up to a revision, if no thread does that.
    fn save_in_request(&self, revision: u64) {
        let Worker::Requests(work) = &self.worker else { return };
        let mut work = lock(work);
        let progress = lock(&self.signal.progress);
        let is_done = progress.failed.is_some() || progress.saved >= revision;
        drop(progress);
        if !is_done {
            // Whoever waits gets the failure.
            _ = work.save_or_fail();
        }
    }

    /// Like [`Keeper::saved`], and blocks the thread.
    pub(super) fn block_until_saved(&self, revision: u64) -> Result<(), NotSaved> {
        self.save_in_request(revision);
        let progress = lock(&self.signal.progress);
        let is_waiting = |progress: &mut Progress| progress.failed.is_none() && progress.saved < revision;
        let progress = self.signal.saved.wait_while(progress, is_waiting);
        let progress = progress.unwrap_or_else(PoisonError::into_inner);
        progress.failed.clone().map_or(Ok(()), Err)
    }
}

/// What saving needs.
struct Work {
    state: Arc<Mutex<State>>,
    storage: Box<dyn Storage>,
    signal: Arc<Signal>,
}

/// Nothing is saved any more.
struct Failed;

impl Drop for Work {
    /// If the storage panics, nothing is saved any more.
    fn drop(&mut self) {
        if thread::panicking() {
            self.fail(NotSaved::Panicked, Unsaved::default());
        }
    }
}

impl Work {
    fn run(mut self) {
        while self.wait() && self.save_or_fail().is_ok() {}
    }

    /// Saves all changes. From a failure on, nothing is saved any more.
    fn save_or_fail(&mut self) -> Result<(), Failed> {
        self.save().map_err(|(why, changes)| {
            self.fail(NotSaved::Storage(Arc::new(why)), changes);
            Failed
        })
    }

    /// Waits for a change. Returns whether there is one; otherwise the server has gone.
    fn wait(&self) -> bool {
        let progress = lock(&self.signal.progress);
        let is_idle = |progress: &mut Progress| !progress.has_changes && !progress.ends;
        let progress = self.signal.changed.wait_while(progress, is_idle);
        let mut progress = progress.unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut progress.has_changes)
    }

    /// Saves all changes, or fails with those that are not saved.
    fn save(&mut self) -> Result<(), (std::io::Error, Unsaved)> {
        let mut state = Locked::new(&self.state);
        let (revision, random) = (state.store.revision(), state.random.state());
        let changes = state.store.take_unsaved();
        drop(state);
        if !changes.is_empty() {
            let saved = Saved { revision, random, objects: changes.written() };
            if let Err(why) = self.storage.save(&saved) {
                return Err((why, changes));
            }
        }
        self.signal.set(|progress| progress.saved = revision);
        Locked::new(&self.state).store.show(revision, &changes);
        Ok(())
    }

    fn fail(&self, why: NotSaved, changes: Unsaved) {
        let mut state = Locked::new(&self.state);
        state.take_back(changes);
        drop(state);
        // Requests from before wait for a revision that is never saved. Those from now on see what is left.
        self.signal.set(|progress| progress.failed = Some(why));
        Locked::new(&self.state).store.wake_watches();
    }
}
