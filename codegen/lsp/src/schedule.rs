//! What to check when: a document after each change, and all of them after a change of the CRDs.

use std::path::PathBuf;
use std::sync::Arc;

use crdgen_core::diag::codes;
use crdgen_tasks::inputs::{Source, may_define};
use gen_lsp_types as lsp;

use crate::document::Document;
use crate::state::State;
use crate::work::{Done, Task};

/// What is to be done by the other thread, one after the other.
pub(crate) struct Schedule {
    is_busy: bool,
    /// Whether the files of the workspace are to be found again.
    finds: bool,
    /// Whether the kinds of all CRDs are to be found again.
    finds_kinds: bool,
    /// Grows with each change of the workspace or its kinds. Before the first one, nothing is checked.
    generation: u64,
}

impl Schedule {
    pub(crate) fn new() -> Schedule {
        Schedule { is_busy: false, finds: true, finds_kinds: true, generation: 0 }
    }

    /// The files of the workspace have changed.
    pub(crate) fn find(&mut self) {
        self.finds = true;
    }

    pub(crate) fn opened(&mut self, state: &mut State, item: lsp::TextDocumentItem) {
        let document = Document::new(item.uri, item.version, item.text);
        self.finds |= state.workspace.lacks(&document.path);
        self.finds_kinds |= state.workspace.changes(&document.path, &document.bytes());
        state.documents.insert(document.path.clone(), document);
    }

    pub(crate) fn changed(&mut self, state: &mut State, params: lsp::DidChangeTextDocumentParams) {
        let id = params.text_document;
        let encoding = state.encoding;
        let uri = &id.text_document_identifier.uri;
        if let Some(document) = state.documents.values_mut().find(|document| document.uri == *uri) {
            document.change(id.version, params.content_changes, encoding);
        }
    }

    pub(crate) fn closed(&mut self, state: &mut State, uri: &lsp::Uri) {
        let Some(path) = state.document(uri).map(|document| document.path.clone()) else { return };
        if let Some(document) = state.documents.remove(&path) {
            self.finds_kinds |= document.counted.is_some_and(|text| state.workspace.changes(&path, &text));
        }
    }

    /// The next task, unless the other thread is busy or there is nothing to do.
    pub(crate) fn next(&mut self, state: &mut State) -> Option<Task> {
        if self.is_busy {
            return None;
        }
        let task = self.task(state)?;
        self.is_busy = true;
        Some(task)
    }

    fn task(&mut self, state: &mut State) -> Option<Task> {
        if std::mem::take(&mut self.finds) {
            return Some(Task::Find(Arc::clone(&state.workspace)));
        }
        // Only objects are checked against kinds.
        let has_objects = state.documents.values().any(|document| document.has_objects);
        if self.finds_kinds && (has_objects || self.generation == 0) {
            self.finds_kinds = false;
            let open = state.documents.values_mut().map(|document| {
                let text = document.readable.clone().unwrap_or_else(|| document.bytes());
                document.counted = Some(Arc::clone(&text));
                (document.path.clone(), text)
            });
            return Some(Task::Kinds(Arc::clone(&state.workspace), open.collect()));
        }
        let generation = self.generation;
        let is_due = |document: &&Document| document.checked != Some((document.version, generation));
        let document = state.documents.values().find(is_due)?;
        Some(Task::Check {
            workspace: Arc::clone(&state.workspace),
            kinds: Arc::clone(&state.kinds),
            path: document.path.clone(),
            version: document.version,
            text: document.bytes(),
        })
    }

    /// Takes what was done. Returns the path of the document whose diagnostics are known.
    pub(crate) fn done(&mut self, state: &mut State, done: Done) -> Option<PathBuf> {
        self.is_busy = false;
        match done {
            Done::Nothing => None,
            Done::Found(workspace) => {
                state.workspace = workspace;
                self.finds_kinds = true;
                None
            }
            Done::Kinds(kinds) => {
                state.kinds = kinds;
                self.generation += 1;
                None
            }
            Done::Checked { path, version, text, checked } => {
                let document = state.documents.get_mut(&path)?;
                let is_readable =
                    !checked.found.iter().any(|it| *it.finding.diag.code == codes::yaml::SYNTAX);
                if is_readable {
                    self.finds_kinds |= match &document.counted {
                        Some(counted) => *counted != text && (defines(counted) || defines(&text)),
                        None => state.workspace.changes(&path, &text),
                    };
                    document.readable = Some(text);
                }
                document.has_objects = checked.has_objects;
                document.checked = Some((version, self.generation));
                document.found = Some((version, checked.found));
                // Objects next to changed CRDs are checked again.
                let is_known = !(self.finds_kinds && checked.has_objects);
                is_known.then_some(path)
            }
        }
    }
}

/// Whether a text may have CRDs.
fn defines(text: &Arc<Vec<u8>>) -> bool {
    may_define(&Source::new(String::new(), Arc::clone(text)))
}
