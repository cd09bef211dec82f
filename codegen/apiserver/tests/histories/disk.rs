//! A storage in memory, which dies at a moment that a test chooses. What it has written stays.

use crdgen_apiserver::{Saved, Storage};
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::Notify;

/// What a storage does with the changes with which it dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Death {
    BeforeWriting,
    AfterWriting,
}

#[derive(Debug, Default)]
struct Written {
    objects: BTreeMap<String, Option<String>>,
    revision: u64,
    random: u64,
    /// How it dies, and after how many more writes.
    death: Option<(usize, Death)>,
    deaths: usize,
    is_dead: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Disk {
    written: Arc<Mutex<Written>>,
    died: Arc<Notify>,
}

impl Disk {
    fn lock(&self) -> MutexGuard<'_, Written> {
        self.written.lock().expect("no panic")
    }

    /// Lets the storage die after some writes.
    pub(crate) fn dies(&self, after: usize, death: Death) {
        self.lock().death = Some((after, death));
    }

    /// Waits until it has died.
    pub(crate) async fn died(&self) {
        self.died.notified().await;
    }

    /// How often it has died.
    pub(crate) fn deaths(&self) -> usize {
        self.lock().deaths
    }

    /// What another process finds.
    pub(crate) fn opened_again(&self) -> Box<Disk> {
        let mut written = self.lock();
        (written.death, written.is_dead) = (None, false);
        drop(written);
        Box::new(self.clone())
    }
}

impl Storage for Disk {
    fn load(&mut self) -> io::Result<Option<Saved>> {
        let written = self.lock();
        let objects = written.objects.iter().filter(|(_, text)| text.is_some());
        let objects: Vec<_> = objects.map(|(name, text)| (name.clone(), text.clone())).collect();
        let Written { revision, random, .. } = *written;
        Ok((revision > 0).then_some(Saved { revision, random, objects }))
    }

    fn save(&mut self, changes: &Saved) -> io::Result<()> {
        let mut written = self.lock();
        assert!(!written.is_dead, "a server goes on to write after a failure");
        let dies = match &mut written.death {
            Some((0, death)) => Some(*death),
            Some((left, _)) => {
                *left -= 1;
                None
            }
            None => None,
        };
        if dies != Some(Death::BeforeWriting) {
            assert!(written.revision <= changes.revision, "revisions go back");
            (written.revision, written.random) = (changes.revision, changes.random);
            written.objects.extend(changes.objects.iter().cloned());
        }
        written.is_dead = dies.is_some();
        written.deaths += usize::from(dies.is_some());
        if written.is_dead {
            self.died.notify_one();
        }
        if written.is_dead { Err(io::Error::other("the process was killed")) } else { Ok(()) }
    }
}
