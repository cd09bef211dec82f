//! Folding ranges: documents, and keys and items whose values have several lines.

use std::collections::BTreeMap;

use crdgen_core::yaml::Draft;
use gen_lsp_types as lsp;

use crate::document::Document;
use crate::state::State;
use crate::walk::walk;

/// How many ranges a document has. Editors keep them all.
const MOST: usize = 20_000;

/// The ranges of a document that can be folded.
pub(crate) fn of(state: &State, document: &Document) -> Vec<lsp::FoldingRange> {
    let text = document.text.as_str();
    let line = |offset: usize| document.text.position(offset, state.encoding).line;
    // The last line by the first one, because editors fold one range of a line.
    let mut found: BTreeMap<u32, u32> = BTreeMap::new();
    let mut add = |start: usize, end: usize| {
        // Blocks of text end with their line breaks.
        let end = text.get(start..end).map_or(end, |part| start + part.trim_end().len());
        let (start, end) = (line(start), line(end));
        if end > start && found.len() < MOST {
            let last = found.entry(start).or_insert(end);
            *last = end.max(*last);
        }
        end > start
    };
    let drafts = Draft::read_all(text);
    for draft in &drafts {
        let Some(root) = draft.root() else { continue };
        if drafts.len() > 1 {
            add(draft.range().start, root.extent().end);
        }
        walk(root, &mut Vec::new(), &mut |_, key, value| {
            let start = key.map_or(value.range().start, |key| key.range().start);
            let end = if value.is_alias() { value.range().end } else { value.extent().end };
            add(start, end)
        });
    }
    let range =
        |(start_line, end_line)| lsp::FoldingRange { start_line, end_line, ..lsp::FoldingRange::default() };
    found.into_iter().map(range).collect()
}
