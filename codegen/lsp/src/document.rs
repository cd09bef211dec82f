//! A document that is open in the editor.

use std::path::PathBuf;
use std::sync::Arc;

use gen_lsp_types::{TextDocumentContentChangeEvent as Change, Uri};

use crate::findings::Found;
use crate::paths;
use crate::positions::{Encoding, Text};

/// A document that is open in the editor, with what was found in its current text.
pub(crate) struct Document {
    pub(crate) uri: Uri,
    pub(crate) path: PathBuf,
    /// The number that the client gives to the text. It grows with each change.
    pub(crate) version: i32,
    pub(crate) text: Text,
    /// What was found in a version of the text.
    pub(crate) found: Option<(i32, Arc<Vec<Found>>)>,
    /// The version that was checked last, and the generation of the workspace with which it was.
    pub(crate) checked: Option<(i32, u64)>,
    /// Whether there may be objects other than CRDs.
    pub(crate) has_objects: bool,
    /// The last text without syntax errors. Its CRDs count while the text is being written.
    pub(crate) readable: Option<Arc<Vec<u8>>>,
    /// The text whose CRDs are among the kinds. `None` if it is that of the file.
    pub(crate) counted: Option<Arc<Vec<u8>>>,
}

impl Document {
    pub(crate) fn new(uri: Uri, version: i32, text: String) -> Document {
        // Documents that were never saved have no path. Their name is their URI.
        let path = paths::path(&uri).unwrap_or_else(|| PathBuf::from(uri.as_ref()));
        let text = Text::new(text);
        let (found, checked, readable, counted) = (None, None, None, None);
        Document { uri, path, version, text, found, checked, has_objects: true, readable, counted }
    }

    pub(crate) fn change(&mut self, version: i32, changes: Vec<Change>, encoding: Encoding) {
        self.version = version;
        for change in changes {
            self.text = match change {
                Change::TextDocumentContentChangePartial(part) => {
                    self.text.changed(self.text.offsets(part.range, encoding), &part.text)
                }
                Change::TextDocumentContentChangeWholeDocument(whole) => Text::new(whole.text),
            };
        }
    }

    pub(crate) fn bytes(&self) -> Arc<Vec<u8>> {
        Arc::new(self.text.as_str().as_bytes().to_vec())
    }

    /// What was found in the current text. `None` if it is not checked yet.
    pub(crate) fn current(&self) -> Option<&[Found]> {
        let (version, found) = self.found.as_ref()?;
        (*version == self.version).then_some(found.as_slice())
    }
}
