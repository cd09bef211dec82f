//! What completions replace.

use gen_lsp_types as lsp;

/// What completions replace.
pub(crate) struct Place<'p> {
    pub(crate) range: lsp::Range,
    /// What is before the new text.
    pub(crate) gap: &'p str,
}

impl Place<'_> {
    /// The edit that writes a text at the place.
    pub(crate) fn edit(&self, text: &str) -> Option<lsp::CompletionItemTextEdit> {
        let new_text = format!("{}{text}", self.gap);
        Some(lsp::CompletionItemTextEdit::TextEdit(lsp::TextEdit { range: self.range, new_text }))
    }
}
