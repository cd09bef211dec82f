//! What the arguments of a command name.

use crdgen_files::Error;
use crdgen_files::input::{self, Shown};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crdgen_core::documents::Group;
use crdgen_import::is_template;

use super::class::{Class, Skipped, Wants};
use super::layout::Layout;
use super::notes::Notes;
use super::reading::Input;
use super::source::{Chooser, Source, may_define};
use super::{Findings, release};

/// What the arguments of a command name.
pub struct Inventory {
    pub(super) inputs: Vec<Input>,
    pub(super) chooser: Arc<Chooser>,
    /// The charts and kustomizations.
    pub layout: Layout,
    /// The kustomizations that were built, by the names of their roots.
    pub built: Vec<Arc<str>>,
    /// The charts that Helm has rendered.
    pub rendered: Vec<Arc<str>>,
    pub(super) notes: Notes,
    /// Whether something could not be read, although the command goes on with the rest.
    pub(super) has_unread: AtomicBool,
}

impl std::ops::Deref for Inventory {
    type Target = [Input];

    fn deref(&self) -> &[Input] {
        &self.inputs
    }
}

impl Inventory {
    /// Another text for a file of a folder, such as that in an editor. `None` if the file is not among the inputs.
    pub fn with_text(&self, path: &Path, text: Arc<Vec<u8>>) -> Option<Source> {
        let input = self.inputs.iter().find(|input| input.path == path)?;
        Some(Source { origin: input.origin.clone(), ..Source::new(path.shown().to_string(), text) })
    }

    /// The warnings about charts that Helm may not be able to store.
    pub fn large_charts(&self) -> Vec<Findings> {
        release::warnings(&self.layout.charts)
    }

    /// The repositories of the inputs that are files: the nearest folders above with `.git`.
    pub fn repositories(&self) -> BTreeSet<String> {
        let folders: BTreeSet<&Path> =
            self.inputs.iter().filter(|it| it.read_before.get().is_none()).map(Input::folder).collect();
        folders.into_iter().filter_map(repository).collect()
    }

    /// Sets which groups and kinds have CRDs, so that a server reads their objects. Objects that were read before may have
    /// been skipped, so they must be read again.
    pub fn serve(&self, kinds: BTreeSet<(String, String)>) {
        if self.chooser.served.set(kinds).is_ok() {
            self.skipped().forget(Class::ClientSide);
        }
    }

    /// What is not for a server.
    pub fn skipped(&self) -> &Skipped {
        &self.chooser.skipped
    }

    /// Whether a file or a folder could not be read so far, although the command goes on with the others. What was in it is not
    /// known.
    pub fn has_unread(&self) -> bool {
        self.has_unread.load(Ordering::Relaxed)
    }

    /// Reads an input, whatever it is. One of several files may not be readable: then this reports it once, and returns `None`, so
    /// that it does not hide the others.
    pub fn source(&self, input: &Input) -> Result<Option<Source>, Error> {
        match input.read() {
            Err(why) if input.origin.is_found || self.inputs.len() > 1 && why.is_of_file() => {
                self.has_unread.store(true, Ordering::Relaxed);
                let mut reported = Ok(());
                input.reported.call_once(|| reported = self.notes.unread(why));
                reported.map(|()| None)
            }
            read => read.map(Some),
        }
    }

    /// Reads an input. Returns `None` if its text shows that it is nothing that the command wants, and in the cases of
    /// [`Inventory::source`].
    pub fn read(&self, input: &Input) -> Result<Option<Source>, Error> {
        let Some(source) = self.source(input)? else { return Ok(None) };
        match self.class(&source) {
            Some(class) => {
                self.skipped().add(class, &source.name);
                Ok(None)
            }
            None => Ok(Some(source)),
        }
    }

    /// What a text is, if it is nothing that the command wants.
    pub fn class(&self, source: &Source) -> Option<Class> {
        if !source.origin.is_found || source.is_built() {
            return None;
        }
        // A text in another encoding must be read to find out.
        let text = std::str::from_utf8(&source.bytes).ok()?;
        let is_yaml = || Group::of(&source.bytes).parts().iter().all(Result::is_ok);
        match self.chooser.wants {
            Wants::Anything => None,
            Wants::Crds if !may_define(source) => Some(Class::WithoutCrd),
            // The text has no actions any more, and it may not be YAML without them.
            _ if source.origin.is_template => (!is_yaml()).then_some(Class::HelmTemplate),
            Wants::Crds => is_template(text).then_some(Class::Template),
            Wants::Objects => match (text.contains("apiVersion"), text.contains("kind")) {
                (true, true) => is_template(text).then_some(Class::Template),
                // A document with only one of them may be an object with a mistake.
                (_, true) | (true, _) => (!is_yaml()).then_some(Class::NotYaml),
                (false, false) if is_yaml() => Some(Class::NotKubernetes),
                (false, false) => Some(Class::NotYaml),
            },
        }
    }

    /// Prints what was skipped, other than files without anything that the command wants.
    pub fn say_skipped(&self, verbose: bool) {
        if self.skipped().is_empty() {
            return;
        }
        self.notes.say(format_args!("skipped: {}", self.skipped()));
        if verbose {
            for (class, files) in self.skipped().by_class() {
                for file in files {
                    self.notes.say(format_args!("  {}: {file}", class.names().0));
                }
            }
        }
    }
}

/// The folder of the repository that a folder is in.
fn repository(folder: &Path) -> Option<String> {
    let mut at = folder.to_owned();
    for _ in 0..MAX_DEPTH {
        if at.join(".git").exists() {
            return Some(at.shown().to_string());
        }
        at = input::above(&at);
    }
    None
}

/// How many folders above a given one may be its repository.
const MAX_DEPTH: usize = 64;
