//! What requests are answered from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crdgen_core::span::Place;
use crdgen_tasks::kinds::Kinds;
use gen_lsp_types as lsp;

use crate::document::Document;
use crate::paths;
use crate::positions::{Encoding, Text, bytes};
use crate::workspace::Workspace;

/// What requests are answered from: the open documents, and what is known about the workspace.
pub(crate) struct State {
    pub(crate) encoding: Encoding,
    pub(crate) documents: BTreeMap<PathBuf, Document>,
    pub(crate) workspace: Arc<Workspace>,
    pub(crate) kinds: Arc<Kinds>,
}

impl State {
    /// An open document, by what the client calls it.
    pub(crate) fn document(&self, uri: &lsp::Uri) -> Option<&Document> {
        self.documents.values().find(|document| document.uri == *uri)
    }

    /// An open document, and the byte at a position in it.
    pub(crate) fn at(&self, params: &lsp::TextDocumentPositionParams) -> Option<(&Document, usize)> {
        let document = self.document(&params.text_document.uri)?;
        Some((document, document.text.offset(params.position, self.encoding)))
    }

    /// A place in a file, which may be open.
    pub(crate) fn location(&self, file: &str, place: Place) -> lsp::Location {
        let (path, range) = (Path::new(file), bytes(Some(place)));
        if let Some(document) = self.documents.get(path) {
            return lsp::Location { uri: document.uri.clone(), range: self.range(document, &range) };
        }
        let range = match std::fs::read_to_string(path) {
            Ok(text) => Text::new(text).range(&range, self.encoding),
            // The start of the line is right in every encoding.
            Err(_) => {
                let line = place.start.line.saturating_sub(1);
                let start = lsp::Position { line, character: 0 };
                lsp::Range { start, end: start }
            }
        };
        lsp::Location { uri: paths::uri(path), range }
    }

    pub(crate) fn range(&self, document: &Document, range: &std::ops::Range<usize>) -> lsp::Range {
        document.text.range(range, self.encoding)
    }
}
