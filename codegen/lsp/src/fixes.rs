//! Quick fixes: what `crdgen check --fix` would do about a finding.

use std::collections::HashMap;
use std::ops::Range;

use crdgen_core::check::lints::fix::is_fixable;
use crdgen_core::documents::fixed;
use gen_lsp_types as lsp;

use crate::diagnostics;
use crate::document::Document;
use crate::findings::Found;
use crate::positions::bytes;
use crate::state::State;

/// The fixes for what was found in a range of a document.
pub(crate) fn of(state: &State, document: &Document, range: &Range<usize>) -> Vec<lsp::CodeAction> {
    let touches = |found: &&Found| {
        let place = bytes(found.finding.place);
        place.start <= range.end && range.start <= place.end
    };
    document
        .current()
        .into_iter()
        .flatten()
        .filter(touches)
        .filter_map(|it| fix(state, document, it))
        .collect()
}

fn fix(state: &State, document: &Document, found: &Found) -> Option<lsp::CodeAction> {
    let finding = &found.finding;
    if !is_fixable(finding.diag.code) {
        return None;
    }
    let old = document.text.as_str();
    let new = fixed(old.as_bytes(), &[(finding.object.as_str(), &finding.diag)])?.text;
    let (range, text) = difference(old, &new);
    let edit = lsp::TextEdit { range: state.range(document, &range), new_text: text.to_owned() };
    let changes = HashMap::from([(document.uri.clone(), vec![edit])]);
    Some(lsp::CodeAction {
        title: format!("Fix {}: {}", finding.diag.code.id, finding.diag.code.title),
        kind: Some(lsp::CodeActionKind::QuickFix),
        diagnostics: Some(vec![diagnostics::one(state, document, found)]),
        is_preferred: Some(true),
        edit: Some(lsp::WorkspaceEdit { changes: Some(changes), ..lsp::WorkspaceEdit::default() }),
        ..lsp::CodeAction::default()
    })
}

/// The lines in which two texts differ, and the new ones.
fn difference<'n>(old: &str, new: &'n str) -> (Range<usize>, &'n str) {
    let same = |a: &mut dyn Iterator<Item = &str>, b: &mut dyn Iterator<Item = &str>| {
        a.zip(b).take_while(|(a, b)| a == b).map(|(a, _)| a.len()).sum::<usize>()
    };
    let start = same(&mut old.split_inclusive('\n'), &mut new.split_inclusive('\n'));
    let (old_rest, new_rest) = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
    let end = same(&mut old_rest.split_inclusive('\n').rev(), &mut new_rest.split_inclusive('\n').rev());
    (start..old.len() - end, new_rest.get(..new_rest.len() - end).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn only_lines_that_differ_change() {
        assert_eq!(difference("a\nb\nc\n", "a\nx\ny\nc\n"), (2..4, "x\ny\n"));
        assert_eq!(difference("a\nb\n", "a\n"), (2..4, ""));
        assert_eq!(difference("a\na\n", "a\na\na\n"), (4..4, "a\n"));
    }
}
